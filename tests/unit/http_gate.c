/* SPDX-License-Identifier: Apache-2.0 */
/* A server whose store follows another process refuses holds of taken seats itself, with the answer of the process that
 * decides; unless its copy lags by a second, or the gate is off. Everything else is sent away. */
#include "gate_fixture.h"

#include "core/claim/refusal.h"

/* ---- Tests ---- */

static void the_answer_is_that_of_the_process_that_decides(void **state)
{
    (void)state;
    static struct answer decided;
    assert_int_equal(call(METHOD_POST, HOLDS, ON("A1")), 409);
    decided = answer;
    assert_non_null(strstr(decided.body, "\"code\":\"taken\""));
    assert_non_null(strstr(decided.body, "\"status\":\"held\""));
    follow();
    uint64_t seq = store->state->seq;
    assert_int_equal(call(METHOD_POST, HOLDS, ON("A1")), 409);
    assert_string_equal(answer.body, decided.body);
    assert_int_equal(store->state->seq, seq);
    assert_int_equal(server->metrics.gate_refused, 1);
    assert_int_equal(call(METHOD_GET, "/metrics", ""), 200);
}

static void what_it_does_not_refuse_is_sent_away(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        ON("A2"),
        ON("Z9"),
        "{",
        "{}",
        "{\"items\":[{\"event\":\"show\",\"seat\":\"A1\"}]}",
        "{\"user_id\":\"bob\",\"commit\":true,\"items\":[{\"event\":\"show\",\"seat\":\"A1\"}]}"};
    follow();
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        if (call(METHOD_POST, HOLDS, bodies[i]) != PASSED_ON)
            fail_msg("%s: %d", bodies[i], answer.status);
    assert_int_equal(call(METHOD_POST, HOLDS "?user_id=bob", ON("A1")), PASSED_ON);
    let_pass(58000);
    assert_int_equal(call(METHOD_POST, HOLDS, ON("A1")), 409);
    let_pass(1000); /* a second is left */
    assert_int_equal(call(METHOD_POST, HOLDS, ON("A1")), PASSED_ON);
    assert_int_equal(server->metrics.gate_refused, 1);
}

static void a_copy_that_lags_refuses_nothing(void **state)
{
    (void)state;
    follow();
    lag(900);
    assert_int_equal(call(METHOD_POST, HOLDS, ON("A1")), 409);
    lag(1000);
    assert_int_equal(call(METHOD_POST, HOLDS, ON("A1")), PASSED_ON);
}

static void a_gate_that_is_off_refuses_nothing(void **state)
{
    (void)state;
    static const struct store_shared shared = {.gate_off = true};
    follow();
    store->options.shared = &shared;
    assert_int_equal(call(METHOD_POST, HOLDS, ON("A1")), PASSED_ON);
    store->options.shared = NULL;
    assert_int_equal(call(METHOD_POST, HOLDS, ON("A1")), 409);
}

static void more_items_are_refused_as_well(void **state)
{
    (void)state;
    char target[128];
    assert_int_equal(call(METHOD_POST, HOLDS, ON("A2")), 201);
    follow();
    snprintf(target, sizeof target, HOLDS "/%s/items", reservation);
    assert_int_equal(call(METHOD_POST, target, "{\"event\":\"show\",\"seat\":\"A2\"}"), 409);
    assert_int_equal(call(METHOD_POST, target, "{\"items\":[{\"event\":\"show\",\"seat\":\"A2\"}]}"), 409);
    assert_int_equal(call(METHOD_POST, target, "{\"event\":\"show\",\"seat\":\"A1\"}"), PASSED_ON);
    assert_int_equal(call(METHOD_POST, target, "{\"event\":\"show\",\"seat\":\"A3\"}"), PASSED_ON);
    assert_int_equal(call(METHOD_POST, HOLDS "/none/items", "{\"event\":\"show\",\"seat\":\"A2\"}"), PASSED_ON);
}

static void its_counts_go_to_the_process_that_decides(void **state)
{
    (void)state;
    struct buf rows;
    struct refusal_image row;
    buf_init(&rows, REFUSAL_ROWS_SIZE);
    follow();
    for (int i = 0; i < 3; i++)
        assert_int_equal(call(METHOD_POST, HOLDS, ON("A1")), 409);
    assert_int_equal(call(METHOD_POST, HOLDS, ON("A2")), PASSED_ON); /* the other one counts it, if it refuses */
    assert_int_equal(store_take_refusals(store, &rows), 1);
    struct bytes_reader in = bytes_reader_make(rows.data, rows.size);
    assert_true(refusal_get(&in, &row));
    assert_int_equal(row.count, 3);
    assert_true(text_equal(row.event, TEXT("show")) && text_equal(row.tier, TEXT("gold")));
    assert_true(text_equal(row.reason, TEXT("taken")));
    assert_int_equal(store_take_refusals(store, &rows), 0);
    struct text taken = {(const char *)rows.data, rows.size};
    engine_set_role(&store->engine, ENGINE_ALONE);
    assert_int_equal(state_next_refusals(store->state), INT64_MAX);
    assert_true(store_add_refusals(store, taken));
    assert_int_equal(state_next_refusals(store->state), now_ms + REFUSALS_EVERY_MS);
    assert_false(store_add_refusals(store, (struct text){taken.at, taken.size - 1}));
    buf_release(&rows);
}

#define gate_test(name) cmocka_unit_test_setup_teardown(name, gate_set_up, gate_clear)

int main(void)
{
    const struct CMUnitTest tests[] = {
        gate_test(the_answer_is_that_of_the_process_that_decides),
        gate_test(what_it_does_not_refuse_is_sent_away),
        gate_test(a_copy_that_lags_refuses_nothing),
        gate_test(a_gate_that_is_off_refuses_nothing),
        gate_test(more_items_are_refused_as_well),
        gate_test(its_counts_go_to_the_process_that_decides),
    };
    return cmocka_run_group_tests_name("http_gate", tests, NULL, NULL);
}
