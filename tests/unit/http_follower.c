/* SPDX-License-Identifier: Apache-2.0 */
/* A server whose store follows another process answers what every node can answer, cannot answer anything else as long as
 * it does not know who decides, and sends no hook's messages. */
#include "../lib/view_loop.h"

#include "core/hook/hook_queue.h"
#include "http/server.h"
#include "http/wire/listen.h"
#include "http/wire/local_call.h"

#define START_MS 1772438400000LL
#define REPLY_SIZE_MAX (1u << 20)
#define CODE "\"code\":\"unavailable\""

static int64_t now_ms;
static struct server *server;
static const struct credentials credentials = {.admin_key = "an-admin-key",
                                               .secret = "a secret of 32 bytes, or of more"};

static void on_outcome(void *ctx, const struct outcome *outcome)
{
    assert_int_equal(outcome->code, OUTCOME_OK);
    *(uint64_t *)ctx = outcome->seq;
}

static uint64_t must(struct command c)
{
    uint64_t seq = 0;
    c.actor.role = ROLE_ADMIN;
    store_submit(store, &c, on_outcome, &seq);
    assert_true(seq > 0);
    return seq;
}

static int set_up(void **state)
{
    (void)state;
    static const struct server_options options = {.demo = "admin.key"};
    int socket;
    fixture_folders();
    now_ms = START_MS;
    fine(store_try((struct store_options){
        .data = fixture_data, .clock = fixed_clock(&now_ms), .journal_max = 1u << 30}));
    fine(listen_bind("127.0.0.1:0", &socket));
    fine(server_open(&server, &loop, socket, store, view, &credentials, &options));
    struct command c = {.kind = COMMAND_EVENT_PUT};
    c.event_put.image =
        (struct event_image){.id = TEXT("show"),
                             .name = TEXT("A show"),
                             .terms = {"EUR", 60, 900, 0, PAYMENT_NONE, LATE_PAYMENT_REFUND, 0}};
    must(c);
    must((struct command){.kind = COMMAND_POOL_PUT,
                          .pool_put = {.event = TEXT("show"), .id = TEXT("floor"), .capacity = 10}});
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

static void follow(void)
{
    wait_durable();
    engine_set_role(&store->engine, ENGINE_FOLLOWER);
}

/* ---- Calls ---- */

static struct answer {
    bool done;
    int status;
    char body[512]; /* its beginning */
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

/* The pattern with "p" for each parameter. */
static void fill(const char *pattern, char *out)
{
    while (*pattern) {
        bool parameter = *pattern == '{';
        *out++ = parameter ? 'p' : *pattern;
        pattern = parameter ? strchr(pattern, '}') + 1 : pattern + 1;
    }
    *out = '\0';
}

static void what_must_be_forwarded_is_not_judged_here(void **state)
{
    (void)state;
    unsigned forwarded = 0;
    follow();
    uint64_t seq = store->state->seq;
    for (unsigned i = 0; i < routes_count; i++) {
        char target[128];
        if (routes[i].node != NODE_FORWARD || strncmp(routes[i].pattern, ROUTE_INTERNAL, strlen(ROUTE_INTERNAL)) == 0)
            continue;
        fill(routes[i].pattern, target);
        if (call(routes[i].method, target, "") != 503)
            fail_msg("%s %s: %d", method_name(routes[i].method), target, answer.status);
        assert_non_null(strstr(answer.body, CODE));
        forwarded++;
    }
    assert_true(forwarded > 50);
    assert_int_equal(store->state->seq, seq);
}

static void paths_and_methods_are_still_judged_here(void **state)
{
    (void)state;
    follow();
    assert_int_equal(call(METHOD_GET, "/v1/nothing", ""), 404);
    assert_int_equal(call(METHOD_PATCH, "/v1/reservations", "{}"), 405);
}

static void reads_are_answered_from_the_copy(void **state)
{
    (void)state;
    static const char *const targets[] = {
        "/healthz",      "/metrics",        "/v1/events", "/v1/events/show", "/v1/events/show/pools/floor",
        "/v1/calendars", "/v1/fleets",      "/v1/hooks",  "/v1/keys",        "/v1/reservations",
        "/v1/audit",     "/v1/tickets/key", "/"};
    follow();
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (call(METHOD_GET, targets[i], "") != 200)
            fail_msg("%s: %d %s", targets[i], answer.status, answer.body);
    assert_int_equal(call(METHOD_GET, "/v1/events/none", ""), 404);
    assert_int_equal(call(METHOD_POST, ROUTE_DEMO "actors", "{}"), 404); /* there is no fleet */
}

static void after_a_takeover_it_accepts_commands(void **state)
{
    (void)state;
    static const char body[] =
        "{\"user_id\":\"ann\",\"items\":[{\"event\":\"show\",\"pool\":\"floor\",\"quantity\":1}]}";
    follow();
    assert_int_equal(call(METHOD_POST, "/v1/reservations", body), 503);
    engine_set_role(&store->engine, ENGINE_ALONE);
    assert_int_equal(call(METHOD_POST, "/v1/reservations", body), 201);
}

static void it_is_ready_while_it_knows_who_decides(void **state)
{
    (void)state;
    assert_int_equal(call(METHOD_GET, "/readyz", ""), 200);
    follow();
    assert_int_equal(call(METHOD_GET, "/readyz", ""), 503);
    assert_non_null(strstr(answer.body, "\"degraded\":[\"owner_away\"]"));
    snprintf(store->following.owner_url, sizeof store->following.owner_url, "http://127.0.0.1:1");
    assert_int_equal(call(METHOD_GET, "/readyz", ""), 200);
    assert_non_null(strstr(answer.body, "\"degraded\":[]"));
    engine_set_role(&store->engine, ENGINE_ALONE);
    assert_int_equal(call(METHOD_GET, "/readyz", ""), 200);
}

/* ---- Hooks ---- */

static void messages_wait_for_the_process_that_decides(void **state)
{
    (void)state;
    const struct item_request item = {
        .kind = ITEM_POOL, .resource = TEXT("show"), .part = TEXT("floor"), .quantity = 1};
    struct command hold = {.kind = COMMAND_HOLD, .user_id = TEXT("ann"), .reservation = {1, 1}};
    hold.hold.items = &item;
    hold.hold.count = 1;
    /* A private address: never connected to. */
    uint64_t number =
        must((struct command){.kind = COMMAND_HOOK_PUT,
                              .hook = {.name = TEXT("shop"),
                                       .url = TEXT("http://127.0.0.1:1/"),
                                       .events = HOOK_BIT(HOOK_HELD),
                                       .secret = TEXT("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3")}});
    must(hold);
    engine_set_role(&store->engine, ENGINE_FOLLOWER); /* before it is durable, and so before it is sent */
    wait_durable();
    const struct hook *hook = hook_find_number(store->state, number);
    assert_int_equal(hook->due.count, 1);
    hook_sender_wake(server->hooks);
    assert_int_equal(hook->due.count, 1);
    engine_set_role(&store->engine, ENGINE_ALONE);
    hook_sender_wake(server->hooks);
    assert_int_equal(hook->due.count, 0); /* taken */
}

#define follower_test(name) cmocka_unit_test_setup_teardown(name, set_up, clear)

int main(void)
{
    const struct CMUnitTest tests[] = {
        follower_test(what_must_be_forwarded_is_not_judged_here),
        follower_test(paths_and_methods_are_still_judged_here),
        follower_test(reads_are_answered_from_the_copy),
        follower_test(after_a_takeover_it_accepts_commands),
        follower_test(it_is_ready_while_it_knows_who_decides),
        follower_test(messages_wait_for_the_process_that_decides),
    };
    return cmocka_run_group_tests_name("http_follower", tests, NULL, NULL);
}
