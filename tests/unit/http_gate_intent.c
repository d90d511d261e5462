/* SPDX-License-Identifier: Apache-2.0 */
/* A hold that the copy would grant asks Redis first: one that is refused there is answered as taken, everything else is
 * passed on, whatever Redis answers, and after 20 ms in any case. */
#include "gate_fixture.h"

#include "../lib/fake_redis.h"
#include "core/claim/refusal.h"
#include "http/gate/gate.h"
#include "http/gate/intent.h"

#define SEAT(event, seat) "{\"event\":\"" event "\",\"seat\":\"" seat "\"}"
#define BOTH                                                                                                 \
    "{\"user_id\":\"bob\",\"items\":[" SEAT("show", "A3") "," SEAT("ball", "B1") "," SEAT("show", "A2") "]}"

static struct fake_redis redis;
static struct redis_addresses addresses;
static int64_t skipped_ms;

static int64_t skip_ms(void)
{
    return skipped_ms;
}

static void open_redis(void)
{
    fake_redis_open(&redis);
    fine(redis_addresses_read(redis.url, &addresses));
    server_options = (struct server_options){.redis = &addresses, .gate_asks = true, .skip_ms = skip_ms};
}

/* The loop goes on. */
static void close_redis(void)
{
    fake_redis_kill(&redis);
    buf_release(&redis.got);
}

/* The node follows, and Redis is up. The mirror, which is idle then, has asked for nothing more. */
static int set_up(void **state)
{
    beside_open = open_redis;
    beside_close = close_redis;
    skipped_ms = 0;
    int code = gate_set_up(state);
    assert_int_equal(call(METHOD_PUT, "/v1/events/ball", "{\"name\":\"A ball\",\"currency\":\"EUR\"}"), 201);
    assert_int_equal(call(METHOD_POST, "/v1/events/ball/seats", "[{\"id\":\"B1\"}]"), 201);
    follow();
    run_until(gate_up(server->gate));
    let_pass(1000);
    redis.answer = "*1\r\n:0\r\n";
    fake_redis_got(&redis);
    return code;
}

static uint64_t count_of(enum gate_intent_result result)
{
    return server->metrics.gate_intents[result];
}

/* The arguments of the next command, after the name of its script. */
static const char *next_command(const char **lines)
{
    static char text[1024];
    int from = 0, size = 0;
    sscanf(*lines, "EVALSHA %*40[0-9a-f] %n%*[^\n]\n%n", &from, &size);
    assert_true(from > 0 && size > from);
    snprintf(text, sizeof text, "%.*s", size - from - 1, *lines + from);
    *lines += size;
    return text;
}

/* ---- Tests ---- */

static void a_hold_that_the_copy_would_grant_asks_first(void **state)
{
    (void)state;
    char expected[128], nonce[17] = "";
    assert_int_equal(call(METHOD_POST, HOLDS, ON("A2")), PASSED_ON);
    const char *got = fake_redis_got(&redis);
    const char *line = next_command(&got);
    assert_int_equal(sscanf(line, "1 seat:show:A2 bob %16[0-9a-f]", nonce), 1);
    assert_int_equal(strlen(nonce), 16);
    snprintf(expected, sizeof expected, "1 seat:show:A2 bob %s %llu", nonce,
             (unsigned long long)store_durable_seq(store));
    assert_string_equal(line, expected);
    assert_string_equal(got, "");
    assert_int_equal(count_of(GATE_INTENT_TAKEN), 1);
}

static void an_intent_of_another_user_refuses_as_the_copy_would(void **state)
{
    (void)state;
    static struct answer copied;
    assert_int_equal(call(METHOD_POST, HOLDS, ON("A1")), 409);
    copied = answer;
    redis.answer = "*2\r\n:0\r\n:0\r\n";
    assert_int_equal(call(METHOD_POST, HOLDS, ON("A2")), 409);
    char *seat = strstr(answer.body, "\"A2\"");
    assert_non_null(seat);
    seat[2] = '1';
    assert_string_equal(answer.body, copied.body);
    assert_int_equal(count_of(GATE_INTENT_REFUSED), 1);
    assert_int_equal(server->metrics.gate_refused, 1); /* the copy's */
    assert_int_equal(server->metrics.gate_latency.count, 1);
}

static void refusals_count_for_the_process_that_decides(void **state)
{
    (void)state;
    struct buf rows;
    buf_init(&rows, REFUSAL_ROWS_SIZE);
    redis.answer = "*2\r\n:0\r\n:0\r\n";
    assert_int_equal(call(METHOD_POST, HOLDS, ON("A2")), 409);
    assert_int_equal(store_take_refusals(store, &rows), 1);
    buf_release(&rows);
}

static void nothing_else_asks(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "{",
        "{}",
        ON("Z9"),
        "{\"items\":[" SEAT("show", "A2") "]}",
        "{\"user_id\":\"bob\",\"commit\":true,\"items\":[" SEAT("show", "A2") "]}",
        "{\"user_id\":\"bob\",\"items\":[{\"event\":\"show\",\"best\":{\"quantity\":1}}]}"};
    char target[128];
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        if (call(METHOD_POST, HOLDS, bodies[i]) != PASSED_ON)
            fail_msg("%s: %d", bodies[i], answer.status);
    snprintf(target, sizeof target, HOLDS "/%s/items", reservation);
    assert_int_equal(call(METHOD_POST, target, SEAT("show", "A2")), PASSED_ON);
    assert_int_equal(call(METHOD_POST, HOLDS, ON("A1")), 409);
    lag(1000);
    assert_int_equal(call(METHOD_POST, HOLDS, ON("A2")), PASSED_ON);
    lag(0);
    server_options.gate_asks = false; /* --gate copy --redis */
    assert_int_equal(call(METHOD_POST, HOLDS, ON("A2")), PASSED_ON);
    assert_string_equal(fake_redis_got(&redis), "");
}

static void a_user_over_the_limit_blocks_no_seat(void **state)
{
    (void)state;
    engine_set_role(&store->engine, ENGINE_ALONE);
    redis.answer = NULL;
    assert_int_equal(call(METHOD_PATCH, "/v1/events/show", "{\"per_user_limit\":1}"), 200);
    follow();
    fake_redis_got(&redis);
    assert_int_equal(call(METHOD_POST, HOLDS,
                          "{\"user_id\":\"bob\",\"items\":[" SEAT("show", "A2") "," SEAT("show", "A3") "]}"),
                     PASSED_ON);
    assert_null(strstr(fake_redis_got(&redis), "bob"));
}

static void no_answer_waits_longer_than_its_patience(void **state)
{
    (void)state;
    redis.stopped = true;
    uint64_t began_ns = clock_monotonic_ns();
    assert_int_equal(call(METHOD_POST, HOLDS, ON("A2")), PASSED_ON);
    assert_true(clock_monotonic_ns() - began_ns >= (INTENT_PATIENCE_MS - 1) * 1000000ull);
    assert_int_equal(count_of(GATE_INTENT_TIMED_OUT), 1);
    /* Three in a row, and it is not asked again. */
    assert_int_equal(call(METHOD_POST, HOLDS, ON("A2")), PASSED_ON);
    assert_int_equal(call(METHOD_POST, HOLDS, ON("A2")), PASSED_ON);
    assert_int_equal(count_of(GATE_INTENT_TIMED_OUT), 3);
    assert_false(gate_up(server->gate));
    assert_int_equal(call(METHOD_POST, HOLDS, ON("A2")), PASSED_ON);
    assert_int_equal(count_of(GATE_INTENT_AROUND), 1);
    assert_int_equal(call(METHOD_GET, "/readyz", ""), 503); /* no owner is known */
    assert_non_null(strstr(answer.body, "\"gate_away\""));
    assert_int_equal(call(METHOD_GET, "/metrics", ""), 200);
    fake_redis_continue(&redis);
}

static void nonsense_is_passed_on(void **state)
{
    (void)state;
    static const char *const answers[] = {
        "-OOM command not allowed\r\n", "$2\r\nno\r\n",        "*0\r\n", "*1\r\n$1\r\n0\r\n",
        "*2\r\n:0\r\n:7\r\n",           "*2\r\n:0\r\n:-1\r\n", "*-1\r\n"};
    uint64_t around = 0;
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        run_until((skipped_ms += 100, gate_up(server->gate)));
        redis.answer = answers[i];
        assert_int_equal(call(METHOD_POST, HOLDS, ON("A2")), PASSED_ON);
        assert_int_equal(count_of(GATE_INTENT_AROUND), ++around);
    }
}

/* Refuses the second seat of "show". */
static const char *judge_show(const struct resp_value *command)
{
    const struct resp_value *key = resp_next(resp_next(resp_next(resp_first(command))));
    return strncmp(key->text, "seat:show:", 10) == 0 ? "*2\r\n:0\r\n:1\r\n" : NULL;
}

static void events_are_asked_in_order_and_given_back(void **state)
{
    (void)state;
    char nonce[17] = "", expected[128];
    assert_int_equal(call(METHOD_POST, HOLDS, BOTH), PASSED_ON);
    const char *got = fake_redis_got(&redis);
    assert_int_equal(strncmp(next_command(&got), "1 seat:ball:B1 bob ", 19), 0);
    assert_int_equal(strncmp(next_command(&got), "2 seat:show:A3 seat:show:A2 bob ", 32), 0);
    assert_string_equal(got, "");
    redis.judge = judge_show;
    unsigned before = redis.commands;
    assert_int_equal(call(METHOD_POST, HOLDS, BOTH), 409);
    assert_non_null(strstr(answer.body, "\"item\":2"));
    assert_null(strstr(answer.body, "\"item\":0"));
    run_until(redis.commands >= before + 3);
    got = fake_redis_got(&redis);
    assert_int_equal(sscanf(next_command(&got), "1 seat:ball:B1 bob %16[0-9a-f]", nonce), 1);
    next_command(&got);
    /* What was taken is given back by its whole value, and no more. */
    snprintf(expected, sizeof expected, " 1 seat:ball:B1 bob\ni%s\n", nonce);
    assert_string_equal(strchr(strchr(got, ' ') + 1, ' '), expected);
}

#define intent_test(name) cmocka_unit_test_setup_teardown(name, set_up, gate_clear)

int main(void)
{
    const struct CMUnitTest tests[] = {
        intent_test(a_hold_that_the_copy_would_grant_asks_first),
        intent_test(an_intent_of_another_user_refuses_as_the_copy_would),
        intent_test(refusals_count_for_the_process_that_decides),
        intent_test(nothing_else_asks),
        intent_test(a_user_over_the_limit_blocks_no_seat),
        intent_test(no_answer_waits_longer_than_its_patience),
        intent_test(nonsense_is_passed_on),
        intent_test(events_are_asked_in_order_and_given_back),
    };
    return cmocka_run_group_tests_name("http_gate_intent", tests, NULL, NULL);
}
