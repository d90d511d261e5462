/* SPDX-License-Identifier: Apache-2.0 */
/* A server whose store follows another process refuses holds of taken seats itself, with the answer of the process that
 * decides; unless its copy lags by a second, or the gate is off. Everything else is sent away. */
#include "../lib/view_loop.h"

#include "core/claim/refusal.h"
#include "http/server.h"
#include "http/wire/listen.h"
#include "http/wire/local_call.h"

#define START_MS 1772438400000LL
#define REPLY_SIZE_MAX (1u << 20)
#define PASSED_ON 503 /* no owner is known here: it was not refused by the copy */
#define HOLDS "/v1/reservations"
#define ON(seat) "{\"user_id\":\"bob\",\"items\":[{\"event\":\"show\",\"seat\":\"" seat "\"}]}"

static int64_t now_ms;
static struct server *server;
static char reservation[64]; /* of A1 */
static const struct credentials credentials = {.admin_key = "an-admin-key",
                                               .secret = "a secret of 32 bytes, or of more"};

static struct answer {
    bool done;
    int status;
    char body[2048];
} answer;

static void on_answer(void *ctx, int status, struct text body)
{
    (void)ctx;
    answer.done = true;
    answer.status = status;
    snprintf(answer.body, sizeof answer.body, "%.*s", (int)body.size, body.at);
}

/* With the admin key. */
static int call(enum method method, const char *target, const char *body)
{
    struct local_call c = {
        .method = method, .target = target, .body = {body, strlen(body)}, .answered = on_answer};
    answer = (struct answer){0};
    buf_init(&c.reply, REPLY_SIZE_MAX);
    local_call_make(server, &c);
    run_until(answer.done);
    buf_release(&c.reply);
    return answer.status;
}

static int set_up(void **state)
{
    (void)state;
    static const struct server_options options = {0};
    int socket;
    fixture_folders();
    now_ms = START_MS;
    fine(store_try((struct store_options){
        .data = fixture_data, .clock = fixed_clock(&now_ms), .journal_max = 1u << 30}));
    fine(listen_bind("127.0.0.1:0", &socket));
    fine(server_open(&server, &loop, socket, store, view, &credentials, &options));
    assert_int_equal(call(METHOD_PUT, "/v1/events/show",
                          "{\"name\":\"A show\",\"currency\":\"EUR\",\"hold_ttl_seconds\":60}"),
                     201);
    assert_int_equal(call(METHOD_POST, "/v1/events/show/seats",
                          "[{\"id\":\"A1\",\"tier\":\"gold\"},{\"id\":\"A2\"},{\"id\":\"A3\"}]"),
                     201);
    assert_int_equal(
        call(METHOD_POST, HOLDS, "{\"user_id\":\"ann\",\"items\":[{\"event\":\"show\",\"seat\":\"A1\"}]}"),
        201);
    const char *id = strstr(answer.body, "res_");
    snprintf(reservation, sizeof reservation, "%.*s", (int)strcspn(id, "\""), id);
    return 0;
}

static void on_stopped(void *ctx)
{
    *(bool *)ctx = true;
}

static int clear(void **state)
{
    bool stopped = false;
    server_stop(server, on_stopped, &stopped);
    run_until(stopped);
    int code = fixture_clear(state);
    server_free(server);
    return code;
}

/* As a node whose last poll was sent this long ago. */
static void lag(uint64_t ms)
{
    struct follow *f = &store->following.follow;
    f->answered_ns = f->complete_ns = clock_monotonic_ns() - ms * 1000000;
}

static void follow(void)
{
    wait_durable();
    engine_set_role(&store->engine, ENGINE_FOLLOWER);
    lag(0);
}

/* The store reads the clock once a turn. */
static void let_pass(int64_t ms)
{
    now_ms += ms;
    uv_run(&loop, UV_RUN_NOWAIT);
}

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

#define gate_test(name) cmocka_unit_test_setup_teardown(name, set_up, clear)

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
