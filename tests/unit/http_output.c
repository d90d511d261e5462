/* SPDX-License-Identifier: Apache-2.0 */
/* Replies leave in order, none before its seq is durable, and all of them complete however slowly the client reads. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/memory/memory.h"
#include "http/metrics.h"
#include "http/wire/output.h"

static uv_loop_t loop;
static uv_pipe_t ours;
static int theirs;
static struct output output;
static struct metrics metrics;
static unsigned written;
static char *seen;
static size_t seen_size;

static int setup(void **state)
{
    (void)state;
    int fds[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
    assert_int_equal(uv_loop_init(&loop), 0);
    assert_int_equal(uv_pipe_init(&loop, &ours, 0), 0);
    assert_int_equal(uv_pipe_open(&ours, fds[0]), 0);
    theirs = fds[1];
    output_init(&output);
    metrics = (struct metrics){0};
    written = 0;
    seen = NULL;
    seen_size = 0;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    uv_close((uv_handle_t *)&ours, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
    output_release(&output);
    close(theirs);
    free(seen);
    return 0;
}

static void on_written(uv_write_t *write, int status)
{
    (void)write;
    if (status == 0)
        written++;
    output_written(&output);
}

static enum output_state flush(void)
{
    return output_flush(&output, (uv_stream_t *)&ours, on_written);
}

/* Reads what has arrived; true if there was something. */
static bool receive(void)
{
    char bytes[65536];
    ssize_t n = read(theirs, bytes, sizeof bytes);
    if (n <= 0)
        return false;
    seen = realloc(seen, seen_size + (size_t)n + 1);
    memcpy(seen + seen_size, bytes, (size_t)n);
    seen_size += (size_t)n;
    seen[seen_size] = '\0';
    return true;
}

static const char *received(void)
{
    while (receive())
        ;
    return seen ? seen : "";
}

static void say(const char *text, uint64_t seq, uint64_t durable)
{
    buf_append_text(&output.out, text);
    output_add(&output, seq, durable, clock_monotonic_ns(), LANE_HOLD, &metrics);
}

static void settle(uint64_t durable)
{
    output_settle(&output, durable, clock_monotonic_ns(), &metrics);
    assert_int_not_equal(flush(), OUTPUT_BROKEN);
}

static void durable_replies_leave_at_once(void **state)
{
    (void)state;
    say("a", 0, 5);
    say("b", 5, 5);
    assert_int_equal(flush(), OUTPUT_IDLE);
    assert_string_equal(received(), "ab");
    assert_true(output_empty(&output));
    assert_int_equal(metrics.latency[LANE_HOLD].count, 2);
}

static void a_reply_waits_for_its_seq_and_holds_back_those_behind_it(void **state)
{
    (void)state;
    say("a", 0, 5);
    say("b", 6, 5);
    say("c", 0, 5);
    say("d", 8, 5);
    say("e", 7, 5);
    assert_int_equal(flush(), OUTPUT_IDLE);
    assert_string_equal(received(), "a");
    assert_true(output_parked(&output));
    assert_int_equal(output_first_seq(&output), 6);
    settle(5);
    assert_string_equal(received(), "a");
    settle(6);
    assert_string_equal(received(), "abc");
    settle(7);
    assert_string_equal(received(), "abc");
    settle(8);
    assert_string_equal(received(), "abcde");
    assert_false(output_parked(&output));
    assert_true(output_empty(&output));
    assert_int_equal(metrics.latency[LANE_HOLD].count, 5);
}

static void more_waiting_replies_than_marks_are_never_early(void **state)
{
    (void)state;
    for (uint64_t seq = 1; seq <= 3 * OUTPUT_MARKS_MAX; seq++)
        say(&"abcdefghijklmnopqrstuvwxyz"[26 - 1], seq, 0);
    for (uint64_t durable = 1; durable <= 3 * OUTPUT_MARKS_MAX; durable++) {
        settle(durable);
        assert_true(strlen(received()) <= durable);
    }
    assert_int_equal(seen_size, 3 * OUTPUT_MARKS_MAX);
    assert_int_equal(metrics.latency[LANE_HOLD].count, 3 * OUTPUT_MARKS_MAX);
}

/* A slow client, while further replies are parked and released. */
#define HEAD "HTTP/1.1 201 Created\r\n"
#define REST "Content-Length: 4\r\n\r\n\r\n\r\n"
#define CLOSE "Connection: close\r\n"

/* The server stops while replies wait for the disk: the last of them closes the connection. */
static void a_parked_reply_can_still_become_the_last(void **state)
{
    (void)state;
    say("before", 0, 5);
    say(HEAD "A: 1\r\n" REST, 6, 5);
    say(HEAD "B: 1\r\n" REST, 7, 5);
    assert_int_equal(flush(), OUTPUT_IDLE);
    output_announce_close(&output);
    output_announce_close(&output); /* once is enough */
    settle(6);
    settle(7);
    assert_string_equal(received(), "before" HEAD "A: 1\r\n" REST HEAD CLOSE "B: 1\r\n" REST);
    assert_true(output_empty(&output));
}

static void sent_replies_and_closing_ones_stay_as_they_are(void **state)
{
    (void)state;
    say(HEAD REST, 5, 5);
    output_announce_close(&output);
    say(HEAD "Connection: keep-alive\r\n" REST, 6, 5);
    output_announce_close(&output);
    settle(6);
    assert_string_equal(received(), HEAD REST HEAD "Connection: keep-alive\r\n" REST);
}

/* Replies under one mark, and bytes that have left the buffer before them. */
static void the_last_of_many_under_one_mark_closes(void **state)
{
    (void)state;
    static char filler[70000];
    memset(filler, 'x', sizeof filler - 1);
    say(filler, 0, 5);
    say(HEAD "A: 1\r\n" REST, 6, 5);
    say(HEAD "B: 1\r\n" REST, 6, 5);
    settle(5);
    output_announce_close(&output);
    settle(6);
    while (seen_size < sizeof filler - 1 + strlen(HEAD REST HEAD REST CLOSE) + 12) {
        received();
        uv_run(&loop, UV_RUN_NOWAIT);
    }
    assert_string_equal(seen + sizeof filler - 1, HEAD "A: 1\r\n" REST HEAD CLOSE "B: 1\r\n" REST);
}

static void a_slow_client_gets_every_byte_in_order(void **state)
{
    (void)state;
    enum { LARGE = 3000000 };
    char *large = memory_get(LARGE + 1);
    for (size_t i = 0; i < LARGE; i++)
        large[i] = (char)('a' + i % 23);
    large[LARGE] = '\0';
    say(large, 0, 0);
    say("[parked]", 1, 0);
    assert_int_equal(flush(), OUTPUT_BUSY);
    assert_true(output.writing);
    say("[more]", 2, 0);
    settle(1);
    say("[last]", 0, 2);
    for (int i = 0; i < 1000 && !output_empty(&output); i++) {
        receive();
        uv_run(&loop, UV_RUN_NOWAIT);
        settle(2);
    }
    received();
    assert_int_equal(seen_size, LARGE + strlen("[parked][more][last]"));
    assert_memory_equal(seen, large, LARGE);
    assert_string_equal(seen + LARGE, "[parked][more][last]");
    assert_true(written > 0);
    free(large);
}

static void a_document_follows_its_head_and_is_released(void **state)
{
    (void)state;
    enum { LARGE = 2000000 };
    struct document *document = memory_zeroed(1, sizeof *document);
    buf_init(&document->plain, LARGE);
    buf_init(&document->gzip, 1);
    memset(buf_reserve(&document->plain, LARGE), 'd', LARGE);
    document->plain.size = LARGE;
    document->references = 2;
    output_add_document(&output, document, &document->plain);
    say("head:", 3, 2);
    assert_int_equal(flush(), OUTPUT_IDLE);
    assert_string_equal(received(), "");
    settle(3);
    for (int i = 0; i < 1000 && !output_empty(&output); i++) {
        receive();
        uv_run(&loop, UV_RUN_NOWAIT);
        settle(3);
    }
    received();
    assert_int_equal(seen_size, 5 + LARGE);
    assert_memory_equal(seen, "head:dddd", 9);
    assert_int_equal(document->references, 1);
    document_release(document);
}

static void a_client_that_is_gone_is_noticed(void **state)
{
    (void)state;
    close(theirs);
    say("a", 0, 0);
    assert_int_equal(flush(), OUTPUT_BROKEN);
    theirs = dup(0);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN); /* as the server does */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(durable_replies_leave_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(a_reply_waits_for_its_seq_and_holds_back_those_behind_it, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(more_waiting_replies_than_marks_are_never_early, setup, teardown),
        cmocka_unit_test_setup_teardown(a_parked_reply_can_still_become_the_last, setup, teardown),
        cmocka_unit_test_setup_teardown(sent_replies_and_closing_ones_stay_as_they_are, setup, teardown),
        cmocka_unit_test_setup_teardown(the_last_of_many_under_one_mark_closes, setup, teardown),
        cmocka_unit_test_setup_teardown(a_slow_client_gets_every_byte_in_order, setup, teardown),
        cmocka_unit_test_setup_teardown(a_document_follows_its_head_and_is_released, setup, teardown),
        cmocka_unit_test_setup_teardown(a_client_that_is_gone_is_noticed, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
