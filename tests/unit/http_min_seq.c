/* SPDX-License-Identifier: Apache-2.0 */
/* Holdfast-Min-Seq: a read waits for a change that this node does not have yet, and after two seconds the node that decides
 * is asked, or answers with what it has. */
#include "../lib/two_nodes.h"

#include <inttypes.h>

#define EVENT "{\"name\":\"A show\",\"payment\":\"none\"}"

static bool answered(const struct client *c)
{
    return strstr(client_got(c), "\r\n\r\n{");
}

static struct client *read_from(const struct server *server, const char *target, uint64_t seq)
{
    char request[512];
    struct client *c = client_open(nodes_url(server));
    int size = snprintf(request, sizeof request,
                        "GET %s HTTP/1.1\r\nHost: x\r\n" ADMIN_HEADER "Holdfast-Min-Seq: %" PRIu64 "\r\n\r\n",
                        target, seq);
    client_send(c, request, (size_t)size);
    return c;
}

static int status_of(const struct client *c)
{
    return atoi(client_got(c) + strlen("HTTP/1.1 "));
}

/* As if the change had come from the log. */
static void arrive(uint64_t seq)
{
    store->durable_seq = seq;
    for (uint32_t i = store->on_durable_count; i--;)
        store->on_durable[i].fn(store->on_durable[i].ctx, seq);
}

static void a_change_that_is_here_is_not_waited_for(void **state)
{
    (void)state;
    assert_int_equal(say(copy, "GET", "/v1/events", "Holdfast-Min-Seq: 0\r\n", NULL)->status, 200);
    assert_int_equal(say(copy, "GET", "/v1/events", "Holdfast-Min-Seq: x\r\n", NULL)->status, 400);
    assert_int_equal(copy->metrics.forwards, 0);
}

static void a_read_is_answered_when_the_change_comes(void **state)
{
    (void)state;
    struct client *c = read_from(copy, "/v1/events", 5);
    run_until(!link_alone(&copy->min_seq_waits.all));
    arrive(4);
    assert_false(link_alone(&copy->min_seq_waits.all));
    arrive(5);
    assert_true(link_alone(&copy->min_seq_waits.all));
    run_until(answered(c));
    assert_int_equal(status_of(c), 200);
    assert_int_equal(copy->metrics.forwards, 0);
    client_close(c);
}

static void a_copy_that_stays_behind_asks_the_owner(void **state)
{
    (void)state;
    assert_int_equal(say(copy, "PUT", "/v1/events/show", ADMIN_HEADER, EVENT)->status, 201);
    struct client *c = read_from(copy, "/v1/events/show", 1);
    run_until(!link_alone(&copy->min_seq_waits.all));
    nodes_pass(500);
    assert_false(answered(c));
    nodes_pass(1500);
    run_until(answered(c));
    assert_int_equal(status_of(c), 200);
    assert_non_null(strstr(client_got(c), "A show"));
    assert_int_equal(copy->metrics.forwards, 2);
    client_close(c);
}

static void the_owner_answers_with_what_it_has(void **state)
{
    (void)state;
    struct client *c = read_from(owner, "/v1/events", 999999);
    run_until(!link_alone(&owner->min_seq_waits.all));
    nodes_pass(500);
    assert_false(answered(c));
    nodes_pass(1500);
    run_until(answered(c));
    assert_int_equal(status_of(c), 200);
    client_close(c);
}

static void nobody_is_asked_if_nobody_decides(void **state)
{
    (void)state;
    nodes_set_owner("");
    struct client *c = read_from(copy, "/v1/events", 1);
    run_until_late(answered(c));
    assert_int_equal(status_of(c), 503);
    client_close(c);
}

static void many_that_wait_for_different_changes(void **state)
{
    (void)state;
    struct client *c[20];
    for (unsigned i = 0; i < 20; i++)
        c[i] = read_from(copy, "/v1/events", 20 - i);
    run_until(copy->requests_out == 20);
    arrive(10);
    run_until(copy->requests_out == 10);
    for (unsigned i = 0; i < 20; i++)
        assert_true(!link_alone(&copy->min_seq_waits.all));
    arrive(20);
    run_until(copy->requests_out == 0);
    for (unsigned i = 0; i < 20; i++) {
        run_until(answered(c[i]));
        assert_int_equal(status_of(c[i]), 200);
        client_close(c[i]);
    }
    assert_int_equal(copy->metrics.forwards, 0);
}

static void a_client_that_leaves_while_it_waits(void **state)
{
    (void)state;
    struct client *c = read_from(copy, "/v1/events", 7);
    run_until(copy->requests_out == 1);
    client_close(c);
    for (unsigned i = 0; i < 20; i++)
        uv_run(&loop, UV_RUN_NOWAIT);
    arrive(7);
    run_until(copy->requests_out == 0 && copy->connection_count == 0);
}

/* Where the client has seen more, as a stream's last id or a version, the copy waits too. At the owner it never does. */
static void what_a_client_has_seen_is_waited_for(void **state)
{
    (void)state;
    static const char *const asked[] = {
        "GET /v1/events/show/availability?since=6 HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /v1/events/show/stream HTTP/1.1\r\nHost: x\r\nLast-Event-ID: 6\r\n\r\n",
    };
    for (unsigned i = 0; i < 2; i++) {
        struct client *c = client_open(nodes_url(copy));
        client_send(c, asked[i], strlen(asked[i]));
        run_until(!link_alone(&copy->min_seq_waits.all));
        arrive(6);
        run_until(answered(c));
        assert_int_equal(status_of(c), 404); /* there is no such event */
        client_close(c);
        store->durable_seq = 0;
        c = client_open(nodes_url(owner));
        client_send(c, asked[i], strlen(asked[i]));
        run_until(answered(c));
        client_close(c);
    }
}

/* Its handler goes on after the head of the reply. */
static void a_stream_that_waited_is_a_whole_one(void **state)
{
    (void)state;
    engine_set_role(&store->engine, ENGINE_ALONE);
    assert_int_equal(say(copy, "PUT", "/v1/events/show", ADMIN_HEADER, EVENT)->status, 201);
    wait_durable();
    engine_set_role(&store->engine, ENGINE_FOLLOWER);
    uint64_t has_seq = store->durable_seq;
    struct client *c = read_from(copy, "/v1/events/show/stream", has_seq + 1);
    run_until(!link_alone(&copy->min_seq_waits.all));
    arrive(has_seq + 1);
    run_until(strstr(client_got(c), "event: "));
    assert_int_equal(copy->streams.count, 1);
    client_close(c);
    run_until(copy->streams.count == 0 && copy->requests_out == 0);
    store->durable_seq = has_seq;
}

#define seq_test(name) cmocka_unit_test_setup_teardown(name, nodes_open, nodes_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        seq_test(a_change_that_is_here_is_not_waited_for), seq_test(a_read_is_answered_when_the_change_comes),
        seq_test(a_copy_that_stays_behind_asks_the_owner), seq_test(the_owner_answers_with_what_it_has),
        seq_test(nobody_is_asked_if_nobody_decides),       seq_test(many_that_wait_for_different_changes),
        seq_test(a_client_that_leaves_while_it_waits),     seq_test(what_a_client_has_seen_is_waited_for),
        seq_test(a_stream_that_waited_is_a_whole_one),
    };
    return cmocka_run_group_tests_name("http_min_seq", tests, NULL, NULL);
}
