/* SPDX-License-Identifier: Apache-2.0 */
/* What a client hears when the node that decides is unknown, gone, silent or another one: whether its request may have
 * taken effect, and never that it went to the wrong node. */
#include "../lib/two_nodes.h"

#define EVENT "{\"name\":\"A show\",\"payment\":\"none\"}"
#define IN_BODY(text) assert_non_null(strstr(said->body, text))

static const struct said *put_event(void)
{
    return say(copy, "PUT", "/v1/events/show", ADMIN_HEADER, EVENT);
}

static void expect_unavailable(const struct said *said)
{
    assert_int_equal(said->status, 503);
    IN_BODY("\"code\":\"unavailable\"");
    assert_true(atoi(said_header(said, "Retry-After")) >= 1);
}

static void expect_undecided(const struct said *said)
{
    assert_int_equal(said->status, 503);
    IN_BODY("\"code\":\"undecided\"");
    IN_BODY("Idempotency-Key");
    assert_true(atoi(said_header(said, "Retry-After")) >= 1);
}

/* A request at the copy whose answer takes long. */
static struct client *begin(const char *method, const char *target, const char *body)
{
    char request[1024];
    struct client *c = client_open(nodes_url(copy));
    int size = snprintf(request, sizeof request,
                        "%s %s HTTP/1.1\r\nHost: x\r\n" ADMIN_HEADER "Content-Length: %zu\r\n\r\n%s", method,
                        target, strlen(body), body);
    client_send(c, request, (size_t)size);
    return c;
}

static bool answered(const struct client *c)
{
    return strstr(client_got(c), "\r\n\r\n");
}

#define expect_code(client, code)                                                                            \
    do {                                                                                                     \
        assert_int_equal(atoi(client_got(client) + strlen("HTTP/1.1 ")), 503);                               \
        assert_non_null(strstr(client_got(client), code));                                                   \
        assert_non_null(strstr(client_got(client), "Retry-After: "));                                        \
        client_close(client);                                                                                \
    } while (0)
#define UNAVAILABLE "\"code\":\"unavailable\""
#define UNDECIDED "\"code\":\"undecided\""

static void without_an_owner_nothing_was_sent(void **state)
{
    (void)state;
    nodes_set_owner("");
    expect_unavailable(put_event());
    nodes_set_owner("https://127.0.0.1:1"); /* not spoken between nodes */
    struct client *c = begin("PUT", "/v1/events/show", EVENT);
    run_until_late(answered(c));
    expect_code(c, UNAVAILABLE);
    assert_int_equal(copy->metrics.forwards_failed, 2);
}

static void an_owner_that_is_not_reached_has_done_nothing(void **state)
{
    (void)state;
    nodes_set_owner("http://127.0.0.1:1");
    struct client *c = begin("PUT", "/v1/events/show", EVENT);
    run_until_late(answered(c));
    expect_code(c, UNAVAILABLE);
}

static void a_name_that_cannot_be_resolved_leaves_nothing_behind(void **state)
{
    (void)state;
    nodes_set_owner("http://localhost:none");
    struct client *c = begin("PUT", "/v1/events/show", EVENT);
    run_until_late(answered(c));
    expect_code(c, UNAVAILABLE);
    assert_int_equal(copy->owner_client->open, 1); /* the client itself, and no connection */
}

static void what_was_not_sent_goes_to_the_next_owner(void **state)
{
    (void)state;
    char url[96];
    snprintf(url, sizeof url, "%s", nodes_url(owner));
    nodes_set_owner("http://127.0.0.1:1");
    struct client *c = begin("PUT", "/v1/events/show", EVENT);
    run_until(copy->owner_client->again.next != &copy->owner_client->again);
    nodes_set_owner(url);
    run_until_late(answered(c));
    assert_int_equal(atoi(client_got(c) + strlen("HTTP/1.1 ")), 201);
    client_close(c);
}

static void a_node_that_does_not_decide_is_asked_twice(void **state)
{
    (void)state;
    mock_open();
    mock.answer = "HTTP/1.1 421 Misdirected Request\r\nContent-Length: 0\r\n\r\n";
    struct client *c = begin("PUT", "/v1/events/show", EVENT);
    run_until_late(answered(c));
    expect_code(c, UNAVAILABLE);
    assert_int_equal(mock.connections, 2);
}

static void a_node_that_gave_up_deciding_names_no_other(void **state)
{
    (void)state;
    char url[96];
    snprintf(url, sizeof url, "%s", nodes_url(owner));
    mock_open();
    mock.answer = "HTTP/1.1 421 Misdirected Request\r\nContent-Length: 0\r\n\r\n";
    struct client *c = begin("PUT", "/v1/events/show", EVENT);
    run_until(mock.size && !link_alone(&copy->owner_client->again));
    nodes_set_owner(url);
    run_until_late(answered(c));
    assert_int_equal(atoi(client_got(c) + strlen("HTTP/1.1 ")), 201);
    client_close(c);
}

static void a_command_without_an_answer_is_undecided(void **state)
{
    (void)state;
    mock_open();
    struct client *c = begin("PUT", "/v1/events/show", EVENT);
    run_until(mock.size);
    nodes_pass(2500);
    assert_false(answered(c));
    nodes_pass(1500);
    run_until(answered(c));
    expect_code(c, UNDECIDED);
    assert_int_equal(mock.connections, 1);
    assert_int_equal(copy->metrics.forwards_undecided, 1);
}

static void a_read_without_an_answer_is_not(void **state)
{
    (void)state;
    mock_open();
    struct client *c = begin("GET", "/v1/fleets/x/overview", "");
    run_until(mock.size);
    run_until_late(answered(c));
    expect_code(c, UNAVAILABLE);
}

static void a_command_is_not_sent_twice(void **state)
{
    (void)state;
    mock_open();
    mock.hangs_up = true;
    expect_undecided(put_event());
    assert_int_equal(mock.connections, 1);
}

static void a_read_is(void **state)
{
    (void)state;
    mock_open();
    mock.hangs_up = true;
    struct client *c = begin("GET", "/v1/fleets/x/overview", "");
    run_until_late(answered(c));
    expect_code(c, UNAVAILABLE);
    assert_int_equal(mock.connections, 2);
}

static void half_an_answer_is_none(void **state)
{
    (void)state;
    static const char *const halves[] = {"HTTP/1.1 20",
                                         "HTTP/1.1 201 Created\r\nContent-Length: 9\r\n\r\n{\"na"};
    mock_open();
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
        struct client *c = begin("PUT", "/v1/events/show", EVENT);
        size_t before = mock.size;
        mock.answer = halves[i];
        run_until(mock.size > before);
        uv_run(&loop, UV_RUN_NOWAIT);
        mock_send(NULL);
        run_until(answered(c));
        expect_code(c, UNDECIDED);
    }
}

static void an_answer_that_no_node_writes_is_none(void **state)
{
    (void)state;
    static const char *const answers[] = {
        "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 299 Odd\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX: a\nY: b\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nbare\r\n\r\n{}",
    };
    mock_open();
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        mock.answer = answers[i];
        expect_undecided(put_event());
    }
}

static void a_node_that_decides_by_now_answers_itself(void **state)
{
    (void)state;
    nodes_set_owner("http://127.0.0.1:1");
    struct client *c = begin("PUT", "/v1/events/show", EVENT);
    run_until(!link_alone(&copy->owner_client->again));
    engine_set_role(&store->engine, ENGINE_ALONE);
    run_until_late(answered(c));
    assert_int_equal(atoi(client_got(c) + strlen("HTTP/1.1 ")), 201);
    client_close(c);
    assert_true(store->state->seq > 0);
}

static void too_many_at_once_are_refused(void **state)
{
    (void)state;
    mock_open();
    copy->owner_client->exchanges = 1u << 20;
    expect_unavailable(put_event());
    copy->owner_client->exchanges = 0;
    copy->owner_client->bytes = (size_t)1 << 40;
    expect_unavailable(put_event());
    copy->owner_client->bytes = 0;
    assert_int_equal(copy->metrics.forwards_in_flight, 0);
}

static void connections_to_a_former_owner_are_closed(void **state)
{
    (void)state;
    assert_int_equal(put_event()->status, 201);
    assert_int_equal(copy->owner_client->idle_count, 1);
    mock_open();
    mock.answer = "HTTP/1.1 204 No Content\r\n\r\n";
    assert_int_equal(put_event()->status, 204);
    assert_int_equal(mock.connections, 1);
    nodes_skip_ms += 20000; /* what nobody uses is closed */
    run_until_late(copy->owner_client->idle_count == 0);
}

static void a_client_that_leaves_changes_nothing(void **state)
{
    (void)state;
    mock_open();
    struct client *c = begin("PUT", "/v1/events/show", EVENT);
    run_until(mock.size);
    client_close(c);
    mock_send("HTTP/1.1 204 No Content\r\n\r\n");
    run_until(copy->metrics.forwards_in_flight == 0 && copy->connection_count == 0);
}

#define fail_test(name) cmocka_unit_test_setup_teardown(name, nodes_open, nodes_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        fail_test(without_an_owner_nothing_was_sent),
        fail_test(an_owner_that_is_not_reached_has_done_nothing),
        fail_test(a_name_that_cannot_be_resolved_leaves_nothing_behind),
        fail_test(what_was_not_sent_goes_to_the_next_owner),
        fail_test(a_node_that_does_not_decide_is_asked_twice),
        fail_test(a_node_that_gave_up_deciding_names_no_other),
        fail_test(a_command_without_an_answer_is_undecided),
        fail_test(a_read_without_an_answer_is_not),
        fail_test(a_command_is_not_sent_twice),
        fail_test(a_read_is),
        fail_test(half_an_answer_is_none),
        fail_test(an_answer_that_no_node_writes_is_none),
        fail_test(a_node_that_decides_by_now_answers_itself),
        fail_test(too_many_at_once_are_refused),
        fail_test(connections_to_a_former_owner_are_closed),
        fail_test(a_client_that_leaves_changes_nothing),
    };
    return cmocka_run_group_tests_name("http_forward_fail", tests, NULL, NULL);
}
