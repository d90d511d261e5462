/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes that are passed on while they arrive: imports to the node that decides, and its streams to clients. */
#include "../lib/two_nodes.h"

#define EVENT "{\"name\":\"A show\",\"payment\":\"none\"}"
#define SEATS "/v1/events/show/seats"
#define ROWS 60000u

static bool answered(const struct client *c)
{
    return strstr(client_got(c), "\r\n\r\n{") && strstr(client_got(c), "}\n");
}

static int status_of(const struct client *c)
{
    return atoi(client_got(c) + strlen("HTTP/1.1 "));
}

static struct buf seats(unsigned count)
{
    struct buf rows;
    buf_init(&rows, 64u << 20);
    buf_append_text(&rows, "id\n");
    for (unsigned i = 0; i < count; i++)
        buf_printf(&rows, "A%u\n", i);
    return rows;
}

static void import_head(struct client *c, const char *framing)
{
    char head[512];
    int size =
        snprintf(head, sizeof head,
                 "POST " SEATS " HTTP/1.1\r\nHost: x\r\n" ADMIN_HEADER "Content-Type: text/csv\r\n%s\r\n\r\n",
                 framing);
    client_send(c, head, (size_t)size);
}

static void make_event(void)
{
    assert_int_equal(say(copy, "PUT", "/v1/events/show", ADMIN_HEADER, EVENT)->status, 201);
}

/* ---- Imports ---- */

static void an_import_is_passed_on(void **state)
{
    (void)state;
    struct buf rows = seats(ROWS);
    char framing[64];
    make_event();
    assert_true(rows.size > 256u << 10);
    struct client *c = client_open(nodes_url(copy));
    snprintf(framing, sizeof framing, "Content-Length: %zu", rows.size);
    import_head(c, framing);
    run_until(copy->metrics.forwards == 2); /* before any of its body */
    client_send(c, rows.data, rows.size);
    run_until(answered(c));
    assert_int_equal(status_of(c), 201);
    assert_non_null(strstr(client_got(c), "\"created\":60000"));
    assert_null(strstr(client_got(c), "Connection: close"));
    client_close(c);
    buf_release(&rows);
}

static void an_import_in_chunks_is_passed_on(void **state)
{
    (void)state;
    struct buf rows = seats(ROWS), chunked;
    buf_init(&chunked, 64u << 20);
    for (size_t at = 0, size; at < rows.size; at += size) {
        size = rows.size - at < 9999 ? rows.size - at : 9999;
        buf_printf(&chunked, "%zx\r\n", size);
        buf_append(&chunked, rows.data + at, size);
        buf_append_text(&chunked, "\r\n");
    }
    buf_append_text(&chunked, "0\r\n\r\n");
    make_event();
    struct client *c = client_open(nodes_url(copy));
    import_head(c, "Transfer-Encoding: chunked");
    client_send(c, chunked.data, chunked.size);
    run_until(answered(c));
    assert_int_equal(status_of(c), 201);
    assert_non_null(strstr(client_got(c), "\"created\":60000"));
    client_close(c);
    buf_release(&rows);
    buf_release(&chunked);
}

static void a_small_import_is_passed_on_whole(void **state)
{
    (void)state;
    make_event();
    const struct said *said = say(copy, "POST", SEATS, ADMIN_HEADER "Content-Type: text/csv\r\n", "id\nA1\n");
    assert_int_equal(said->status, 201);
    assert_non_null(strstr(said->body, "\"created\":1"));
}

static void a_refused_import_is_answered_before_its_end(void **state)
{
    (void)state;
    struct client *c = client_open(nodes_url(copy));
    mock_open();
    mock.answer =
        "HTTP/1.1 403 Forbidden\r\nContent-Type: application/problem+json\r\nContent-Length: 3\r\n\r\n{}\n";
    import_head(c, "Content-Length: 5000000");
    run_until(answered(c));
    assert_int_equal(status_of(c), 403);
    assert_non_null(strstr(client_got(c), "Connection: close"));
    client_close(c);
    assert_int_equal(copy->owner_client->idle_count, 0); /* half a request is left on it */
}

static void an_import_that_is_cut_off_has_no_end(void **state)
{
    (void)state;
    mock_open();
    struct client *c = client_open(nodes_url(copy));
    import_head(c, "Transfer-Encoding: chunked");
    client_send(c, "5\r\nid\nA1\r\n", 10);
    run_until(strstr(mock.got, "A1"));
    client_close(c);
    run_until(copy->connection_count == 0);
    assert_null(strstr(mock.got, "\r\n0\r\n"));
    assert_int_equal(copy->metrics.forwards_in_flight, 0);
    assert_int_equal(copy->owner_client->exchanges, 0);
    assert_int_equal(copy->owner_client->bytes, 0);
}

static void an_import_that_never_ends_there_is_undecided(void **state)
{
    (void)state;
    mock_open();
    struct client *c = client_open(nodes_url(copy));
    import_head(c, "Content-Length: 6");
    run_until(mock.size);
    client_send(c, "id\nA1\n", 6);
    run_until(strstr(mock.got, "A1"));
    nodes_pass(115000);
    assert_false(answered(c));
    nodes_pass(5000);
    run_until(answered(c));
    assert_non_null(strstr(client_got(c), "\"code\":\"undecided\""));
    client_close(c);
}

static void half_an_import_has_done_nothing(void **state)
{
    (void)state;
    mock_open();
    struct client *c = client_open(nodes_url(copy));
    import_head(c, "Content-Length: 600");
    run_until(mock.size);
    mock_send(NULL);
    run_until(answered(c));
    assert_non_null(strstr(client_got(c), "\"code\":\"unavailable\""));
    assert_int_equal(mock.connections, 1); /* never tried again */
    client_close(c);
}

static void a_client_that_sends_too_fast_is_slowed_down(void **state)
{
    (void)state;
    struct buf rows = seats(4000000);
    char framing[64];
    mock_open(); /* reads everything, but the connection is not open yet */
    nodes_set_owner("http://127.0.0.1:1");
    copy->owner_client->busy_count = 128; /* and no other can be opened */
    struct client *c = client_open(nodes_url(copy));
    snprintf(framing, sizeof framing, "Content-Length: %zu", rows.size);
    import_head(c, framing);
    client_send(c, rows.data, rows.size);
    run_until(!link_alone(&copy->owner_client->waiting));
    struct exchange *x = LINK_OWNER(copy->owner_client->waiting.next, struct exchange, link);
    run_until(exchange_full(x));
    for (unsigned i = 0; i < 100; i++)
        uv_run(&loop, UV_RUN_NOWAIT);
    assert_true(x->request.size < 1u << 20);
    copy->owner_client->busy_count = 0;
    run_until(answered(c));
    assert_int_equal(status_of(c), 503);
    client_close(c);
    buf_release(&rows);
}

/* ---- Streams ---- */

#define STREAM "GET /v1/fleets/f/rides/r/stream HTTP/1.1\r\nHost: x\r\n" ADMIN_HEADER "\r\n"
#define STREAM_HEAD                                                                                          \
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nHoldfast-Seq: 7\r\n"                              \
    "Transfer-Encoding: chunked\r\nConnection: close\r\nCache-Control: no-store\r\n\r\n"

static struct client *begin_stream(void)
{
    mock_open();
    mock.answer = STREAM_HEAD;
    struct client *c = client_open(nodes_url(copy));
    client_send(c, STREAM, strlen(STREAM));
    run_until(strstr(client_got(c), "\r\n\r\n"));
    if (!strstr(client_got(c), "text/event-stream"))
        fail_msg("%s\n%s", client_got(c), mock.got);
    assert_int_equal(copy->streams.count, 1);
    return c;
}

static void a_stream_is_passed_on_as_it_comes(void **state)
{
    (void)state;
    struct client *c = begin_stream();
    assert_null(strstr(strstr(client_got(c), "Cache-Control") + 1, "Cache-Control"));
    mock_send("9\r\nevent: a\n\r\n");
    run_until(strstr(client_got(c), "event: a\n"));
    mock_send("3\r\n:");
    mock_send("\n\n\r\n");
    run_until(strstr(client_got(c), ":\n\n"));
    nodes_skip_ms += 60000; /* no limit applies to it */
    mock_send("9\r\nevent: b\n\r\n");
    run_until(strstr(client_got(c), "event: b\n"));
    assert_false(client_ended(c));
    mock_send("0\r\n\r\n");
    run_until(client_ended(c));
    assert_non_null(strstr(client_got(c), "0\r\n\r\n"));
    client_close(c);
    assert_int_equal(copy->streams.count, 0);
}

static void a_stream_ends_with_the_other_node(void **state)
{
    (void)state;
    struct client *c = begin_stream();
    mock_send("9\r\nevent: a\n\r\n");
    mock_send(NULL);
    run_until(client_ended(c));
    assert_non_null(strstr(client_got(c), "event: a\n"));
    client_close(c);
    assert_int_equal(copy->streams.count, 0);
}

/* Its machine may be gone without a word. */
static void a_stream_ends_when_another_node_decides(void **state)
{
    (void)state;
    struct client *c = begin_stream();
    nodes_set_owner("http://127.0.0.1:1");
    run_until_late(client_ended(c));
    assert_non_null(strstr(client_got(c), "0\r\n\r\n"));
    client_close(c);
    assert_int_equal(copy->streams.count, 0);
    run_until(copy->owner_client->open == 1);
}

/* It was asked before, and answers late. */
static void a_stream_of_a_node_that_does_not_decide_any_more_does_not_begin(void **state)
{
    (void)state;
    mock_open();
    struct client *c = client_open(nodes_url(copy));
    client_send(c, STREAM, strlen(STREAM));
    run_until(mock.size);
    nodes_set_owner("http://127.0.0.1:1");
    nodes_pass(1000);
    mock_send(STREAM_HEAD);
    run_until_late(strstr(client_got(c), "\r\n\r\n"));
    assert_int_equal(status_of(c), 503);
    client_close(c);
    assert_int_equal(copy->streams.count, 0);
}

static void a_stream_ends_with_its_client(void **state)
{
    (void)state;
    struct client *c = begin_stream();
    client_close(c);
    run_until(copy->streams.count == 0);
    run_until(copy->owner_client->open == 1); /* its connection is closed */
}

static void a_client_that_does_not_read_stops_the_stream(void **state)
{
    (void)state;
    static char chunk[40011];
    struct client *c = begin_stream();
    snprintf(chunk, sizeof chunk, "%x\r\n%040000d\r\n", 40000, 0);
    uv_read_stop(client_stream(c));
    struct exchange *x = LINK_OWNER(copy->owner_client->streaming.next, struct exchange, link);
    for (unsigned i = 0; i < 2000; i++) {
        mock_send(chunk);
        uv_run(&loop, UV_RUN_NOWAIT);
    }
    assert_true(x->body.size > 0 && x->body.size < 1u << 20);
    client_close(c);
    run_until(copy->streams.count == 0);
}

static void a_head_of_a_stream_has_no_body(void **state)
{
    (void)state;
    mock_open();
    mock.answer = STREAM_HEAD;
    assert_int_equal(say(copy, "HEAD", "/v1/fleets/f/rides/r/stream", ADMIN_HEADER, NULL)->status, 200);
    assert_int_equal(copy->streams.count, 0);
}

static void a_real_stream_of_a_ride(void **state)
{
    (void)state;
    static const char ride[] = "{\"rider_id\":\"ann\",\"lat\":52.5,\"lng\":13.4}";
    char path[128], request[512];
    assert_int_equal(say(copy, "PUT", "/v1/fleets/f", ADMIN_HEADER, "{}")->status, 201);
    const struct said *said = say(copy, "POST", "/v1/fleets/f/rides", ADMIN_HEADER, ride);
    assert_int_equal(said->status, 201);
    snprintf(path, sizeof path, "%s", said_header(said, "Location"));
    int size =
        snprintf(request, sizeof request, "GET %s/stream HTTP/1.1\r\nHost: x\r\n" ADMIN_HEADER "\r\n", path);
    struct client *c = client_open(nodes_url(copy));
    client_send(c, request, (size_t)size);
    run_until(strstr(client_got(c), "\"searching\""));
    snprintf(request, sizeof request, "%s/cancel", path);
    assert_int_equal(say(copy, "POST", request, ADMIN_HEADER, "{}")->status, 200);
    run_until(strstr(client_got(c), "\"cancelled\"") && client_ended(c));
    client_close(c);
    assert_int_equal(copy->streams.count, 0);
}

#define bytes_test(name) cmocka_unit_test_setup_teardown(name, nodes_open, nodes_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        bytes_test(an_import_is_passed_on),
        bytes_test(an_import_in_chunks_is_passed_on),
        bytes_test(a_small_import_is_passed_on_whole),
        bytes_test(a_refused_import_is_answered_before_its_end),
        bytes_test(an_import_that_is_cut_off_has_no_end),
        bytes_test(an_import_that_never_ends_there_is_undecided),
        bytes_test(half_an_import_has_done_nothing),
        bytes_test(a_client_that_sends_too_fast_is_slowed_down),
        bytes_test(a_stream_is_passed_on_as_it_comes),
        bytes_test(a_stream_ends_with_the_other_node),
        bytes_test(a_stream_ends_when_another_node_decides),
        bytes_test(a_stream_of_a_node_that_does_not_decide_any_more_does_not_begin),
        bytes_test(a_stream_ends_with_its_client),
        bytes_test(a_client_that_does_not_read_stops_the_stream),
        bytes_test(a_head_of_a_stream_has_no_body),
        bytes_test(a_real_stream_of_a_ride),
    };
    return cmocka_run_group_tests_name("http_forward_bytes", tests, NULL, NULL);
}
