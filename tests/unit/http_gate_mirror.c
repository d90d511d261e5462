/* SPDX-License-Identifier: Apache-2.0 */
/* The process that decides writes each claim to Redis once it is durable, and all of them again when Redis may lack
 * something; a process that follows writes nothing. */
#include "gate_fixture.h"

#include "../lib/fake_redis.h"
#include "http/gate/gate.h"
#include "http/gate/gate_scripts.h"

static struct fake_redis redis;
static struct redis_addresses addresses;
static int64_t skipped_ms;
static char marker[64]; /* as it was set; answered as long as it is not "" */

static int64_t skip_ms(void)
{
    return skipped_ms;
}

/* A Redis that keeps the marker, and is content with every batch. */
static const char *judge(const struct resp_value *command)
{
    static char reply[128];
    const struct resp_value *name = resp_first(command);
    if (resp_is(name, RESP_BULK, "SET")) {
        snprintf(marker, sizeof marker, "%s", resp_next(resp_next(name))->text);
        return NULL;
    }
    if (resp_is(name, RESP_BULK, "GETEX")) {
        snprintf(reply, sizeof reply, "$%zu\r\n%s\r\n", strlen(marker), marker);
        return *marker ? reply : "$-1\r\n";
    }
    return "*0\r\n";
}

static void open_redis(void)
{
    fake_redis_open(&redis);
    redis.judge = judge;
    fine(redis_addresses_read(redis.url, &addresses));
    server_options = (struct server_options){.redis = &addresses, .skip_ms = skip_ms};
}

static void close_redis(void)
{
    fake_redis_kill(&redis);
    buf_release(&redis.got);
}

static int set_up(void **state)
{
    beside_open = open_redis;
    beside_close = close_redis;
    skipped_ms = 0;
    marker[0] = '\0';
    return gate_set_up(state);
}

/* Whether the commands so far contain this. */
static bool got(const char *text)
{
    return redis.got.size && memmem(redis.got.data, redis.got.size, text, strlen(text)) != NULL;
}

/* Everything that is due has been done, and is forgotten. */
static void wait_mirrored(void)
{
    struct gate_gauges gauges;
    run_until(*marker && gate_up(server->gate) &&
              (gate_read_gauges(server->gate, &gauges), !gauges.mirror_queue) && got("seat:show:A1 s"));
    fake_redis_got(&redis);
}

static uint64_t version_of(const char *seat)
{
    struct seat_view view_of;
    assert_int_equal(view_seat_find(view, TEXT("show"), (struct text){seat, strlen(seat)}, &view_of),
                     OUTCOME_OK);
    return view_of.version;
}

/* Waits until the seat alone is written: `op` with its version, and the user. */
static void expect_claim(const char *seat, char op, const char *user)
{
    char text[128];
    snprintf(text, sizeof text, " 1 seat:show:%s %c%llu %s\n", seat, op, (unsigned long long)version_of(seat),
             user);
    run_until(got(text));
}

/* ---- Tests ---- */

static void claims_that_were_there_are_written_at_the_start(void **state)
{
    (void)state;
    expect_claim("A1", 's', "ann");
    assert_true(got("SET holdfast:mirror 0:"));
    assert_false(got("seat:show:A2"));
}

static void a_claim_is_written_with_its_fence_and_ended_by_its_seq(void **state)
{
    (void)state;
    char target[128];
    wait_mirrored();
    assert_int_equal(call(METHOD_POST, HOLDS, ON("A2")), 201);
    expect_claim("A2", 's', "bob");
    assert_true(store_durable_seq(store) >= version_of("A2"));
    fake_redis_got(&redis);
    snprintf(target, sizeof target, HOLDS "/%s", reservation);
    assert_int_equal(call(METHOD_DELETE, target, ""), 200);
    expect_claim("A1", 'e', "");
}

static void a_foreign_marker_means_that_all_is_written_again(void **state)
{
    static const char *const markers[] = {"", "9:0123456789abcdef"};
    (void)state;
    for (size_t i = 0; i < sizeof markers / sizeof *markers; i++) {
        wait_mirrored();
        strcpy(marker, markers[i]);
        run_until((skipped_ms += 10, got("SET holdfast:mirror") && got("seat:show:A1 s")));
        assert_string_not_equal(marker, markers[i]);
    }
}

static void a_new_connection_means_the_same(void **state)
{
    (void)state;
    wait_mirrored();
    fake_redis_kill(&redis);
    assert_int_equal(call(METHOD_POST, HOLDS, ON("A2")), 201);
    fake_redis_start(&redis);
    run_until((skipped_ms += 10, got("SET holdfast:mirror") && got("seat:show:A1") && got("seat:show:A2")));
}

static void keys_are_prolonged(void **state)
{
    (void)state;
    wait_mirrored();
    for (int i = 0; i < 3; i++) {
        fake_redis_got(&redis);
        skipped_ms += 200000;
        run_until(got("GETEX holdfast:mirror"));
        assert_false(got("seat:show:A1"));
        skipped_ms += GATE_GRANT_MS / 2 - 200000;
        run_until(got("seat:show:A1 s"));
        assert_false(got("SET holdfast:mirror"));
    }
}

static void a_failed_batch_is_repeated(void **state)
{
    (void)state;
    wait_mirrored();
    redis.judge = NULL;
    redis.answer = "-ERR no\r\n";
    assert_int_equal(call(METHOD_POST, HOLDS, ON("A2")), 201);
    run_until(got("seat:show:A2"));
    redis.judge = judge;
    fake_redis_got(&redis);
    run_until((skipped_ms += 10, got("SET holdfast:mirror") && got("seat:show:A2 s")));
}

static void a_process_that_follows_writes_nothing(void **state)
{
    (void)state;
    wait_mirrored();
    follow();
    unsigned before = redis.commands;
    for (int i = 0; i < 5; i++) {
        uint64_t turn = server->turn;
        skipped_ms += 60000;
        run_until(server->turn > turn + 4);
    }
    assert_int_equal(redis.commands, before);
}

static void an_erasure_is_done_when_no_key_can_have_the_name(void **state)
{
    (void)state;
    wait_recorded();
    uint64_t recorded = store->state->seq;
    assert_int_equal(gate_erased_seq(server->gate), 0);
    uint64_t from_ms = server_now_ms(server);
    run_until((skipped_ms += 30000, gate_erased_seq(server->gate) > recorded));
    uint64_t passed_ms = server_now_ms(server) - from_ms;
    assert_true(passed_ms >= GATE_GRANT_MS + 60000 - 30000);
}

#define mirror_test(name) cmocka_unit_test_setup_teardown(name, set_up, gate_clear)

int main(void)
{
    const struct CMUnitTest tests[] = {
        mirror_test(claims_that_were_there_are_written_at_the_start),
        mirror_test(a_claim_is_written_with_its_fence_and_ended_by_its_seq),
        mirror_test(a_foreign_marker_means_that_all_is_written_again),
        mirror_test(a_new_connection_means_the_same),
        mirror_test(keys_are_prolonged),
        mirror_test(a_failed_batch_is_repeated),
        mirror_test(a_process_that_follows_writes_nothing),
        mirror_test(an_erasure_is_done_when_no_key_can_have_the_name),
    };
    return cmocka_run_group_tests_name("http_gate_mirror", tests, NULL, NULL);
}
