/* SPDX-License-Identifier: Apache-2.0 */
/* gate_fixture.h — a server whose event "show" has three seats, the first one held by ann; its store decides until `follow`.
 */
#ifndef TESTS_UNIT_GATE_FIXTURE_H
#define TESTS_UNIT_GATE_FIXTURE_H

#include "../lib/view_loop.h"

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
static struct server_options server_options;
/* What a test runs beside the server, on its loop; or NULL. */
static void (*beside_open)(void), (*beside_close)(void);
static char reservation[64]; /* of A1 */
static const struct credentials credentials = {.admin_key = "an-admin-key",
                                               .secret = "a secret of 32 bytes, or of more"};

static struct answer {
    bool done;
    int status;
    char body[2048];
} answer;

static inline void on_answer(void *ctx, int status, struct text body)
{
    (void)ctx;
    answer.done = true;
    answer.status = status;
    snprintf(answer.body, sizeof answer.body, "%.*s", (int)body.size, body.at);
}

/* With the admin key. */
static inline int call(enum method method, const char *target, const char *body)
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

static inline int gate_set_up(void **state)
{
    (void)state;
    int socket;
    fixture_folders();
    now_ms = START_MS;
    fine(store_try((struct store_options){
        .data = fixture_data, .clock = fixed_clock(&now_ms), .journal_max = 1u << 30}));
    if (beside_open)
        beside_open();
    fine(listen_bind("127.0.0.1:0", &socket));
    fine(server_open(&server, &loop, socket, store, view, &credentials, &server_options));
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

static inline void on_stopped(void *ctx)
{
    *(bool *)ctx = true;
}

static inline int gate_clear(void **state)
{
    bool stopped = false;
    server_stop(server, on_stopped, &stopped);
    run_until(stopped);
    if (beside_close)
        beside_close();
    int code = fixture_clear(state);
    server_free(server);
    return code;
}

/* As a node whose last poll was sent this long ago. */
static inline void lag(uint64_t ms)
{
    struct follow *f = &store->following.follow;
    f->answered_ns = f->complete_ns = clock_monotonic_ns() - ms * 1000000;
}

static inline void follow(void)
{
    wait_durable();
    engine_set_role(&store->engine, ENGINE_FOLLOWER);
    lag(0);
}

/* The store reads the clock once a turn. */
static inline void let_pass(int64_t ms)
{
    now_ms += ms;
    uv_run(&loop, UV_RUN_NOWAIT);
}

#endif
