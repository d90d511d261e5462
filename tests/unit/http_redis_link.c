/* SPDX-License-Identifier: Apache-2.0 */
/* A link to Redis answers each command exactly once, in time, whatever the server does; and comes back when it does. */
#include "../lib/fake_redis.h"
#include "../lib/store_loop.h"

#include <unistd.h>

#include "base/resp/resp_writer.h"
#include "http/gate/redis_link.h"

#define TIMEOUT_MS 20

static struct fake_redis redis;
static struct redis_addresses addresses;
static struct redis_link *link_;
static uint64_t clock_ms; /* stands still unless a test moves it */
static unsigned clock_reads;

static uint64_t test_clock(void *ctx)
{
    clock_reads++;
    return *(const uint64_t *)ctx;
}

static void link_to(const char *url, const char *const *scripts)
{
    fine(redis_addresses_read(url, &addresses));
    struct redis_link_options options = {
        .address = &addresses.all[0], .scripts = scripts, .now_ms = test_clock, .ctx = &clock_ms};
    link_ = redis_link_open(&loop, &options);
}

static void link_up(void)
{
    link_to(redis.url, NULL);
    run_until(redis_link_up(link_));
    fake_redis_got(&redis);
}

static void pass(uint64_t ms)
{
    clock_ms += ms;
    redis_link_sweep(link_);
}

static void skip_wait(void)
{
    bool waits = link_->state == REDIS_AWAY || link_->state == REDIS_RESTING;
    if (waits && link_->again_ms < UINT64_MAX && link_->again_ms > clock_ms)
        pass(link_->again_ms - clock_ms);
}
/* Lets the time pass by which the link waits for another try. */
#define run_until_late(condition) run_until((condition) || (skip_wait(), condition))

/* The timer has fired a few times: what is due has been done. */
static void run_timers(void)
{
    unsigned reads = clock_reads;
    redis_link_sweep(link_);
    run_until(clock_reads - reads > 10);
}

/* A server has timers that keep its loop turning; without one, run_until would wait where a timer of the link was the
 * last thing to happen. */
static uv_timer_t turning;

static void on_turn(uv_timer_t *timer)
{
    (void)timer;
}

static int setup(void **state)
{
    (void)state;
    clock_ms = 1000000;
    link_ = NULL;
    assert_int_equal(uv_loop_init(&loop), 0);
    uv_timer_init(&loop, &turning);
    uv_timer_start(&turning, on_turn, 5, 5);
    fake_redis_open(&redis);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    if (link_)
        redis_link_close(link_);
    uv_close((uv_handle_t *)&turning, NULL);
    fake_redis_close(&redis);
    return uv_loop_close(&loop);
}

/* ---- Commands ---- */

struct sent {
    unsigned calls;
    bool answered;
    char reply[64];        /* of a status or an error */
    struct sent *next_try; /* sent from the callback */
};

static bool send_text(struct sent *sent, const char *text);

static void on_reply(void *ctx, const struct resp_value *reply)
{
    struct sent *sent = ctx;
    sent->calls++;
    sent->answered = reply != NULL;
    if (reply)
        snprintf(sent->reply, sizeof sent->reply, "%s", reply->text ? reply->text : "?");
    if (sent->next_try && !send_text(sent->next_try, "AGAIN"))
        sent->next_try->calls = 100;
}

static bool send_sized(struct sent *sent, const char *text, size_t size)
{
    struct buf command;
    buf_init(&command, 16u << 20);
    resp_command(&command, 1);
    resp_bytes(&command, text, size);
    bool accepted = redis_link_send(link_, &command, TIMEOUT_MS, on_reply, sent);
    buf_release(&command);
    return accepted;
}

static bool send_text(struct sent *sent, const char *text)
{
    return send_sized(sent, text, strlen(text));
}

static void expect_reply(const char *text)
{
    struct sent one = {0};
    assert_true(send_text(&one, "ECHO"));
    run_until(one.calls);
    assert_int_equal(one.calls, 1);
    assert_string_equal(one.reply, text);
}

static void expect_time_out(void)
{
    struct sent one = {0};
    assert_true(send_text(&one, "LATE"));
    pass(TIMEOUT_MS);
    run_until(one.calls);
    assert_int_equal(one.calls, 1);
    assert_false(one.answered);
}

/* ---- Connecting ---- */

static const char *const scripts[] = {"return 1", "return 2", NULL};

static void a_connection_says_who_it_is_and_loads_its_scripts(void **state)
{
    (void)state;
    char url[128];
    redis.user = "ann";
    redis.password = "p@ss";
    snprintf(url, sizeof url, "redis://ann:p%%40ss@%s/3", redis.address);
    redis.stopped = true;
    link_to(url, scripts);
    run_until(link_->pending_count == 5); /* all of them before the first answer */
    assert_false(redis_link_up(link_));
    fake_redis_continue(&redis);
    run_until(redis_link_up(link_));
    assert_string_equal(fake_redis_got(&redis), "AUTH ann p@ss\nSELECT 3\nSCRIPT LOAD return 1\n"
                                                "SCRIPT LOAD return 2\nPING\n");
    assert_int_equal(strlen(redis_link_script(link_, 0)), 40);
    assert_string_not_equal(redis_link_script(link_, 0), redis_link_script(link_, 1));
    assert_int_equal(link_->connections, 1);
    expect_reply("OK");
}

static void the_default_user_needs_a_password_alone(void **state)
{
    (void)state;
    char url[128];
    redis.password = "secret";
    snprintf(url, sizeof url, "redis://:secret@%s", redis.address);
    link_to(url, NULL);
    run_until(redis_link_up(link_));
    assert_string_equal(fake_redis_got(&redis), "AUTH secret\nPING\n");
}

static void a_host_is_looked_up(void **state)
{
    (void)state;
    char url[128];
    snprintf(url, sizeof url, "redis://localhost%s", strrchr(redis.address, ':'));
    link_to(url, NULL);
    run_until_late(redis_link_up(link_)); /* the first of its addresses may be ::1 */
    expect_reply("OK");
}

static void a_host_without_an_address_is_away(void **state)
{
    (void)state;
    link_to("redis://no-such-host.invalid", NULL);
    run_until(link_->tries == 1 && link_->state == REDIS_AWAY && !link_->resolving);
    run_until_late(link_->tries == 3);
}

/* Looking up a host waits for one of libuv's threads: they are busy. */
#define THREADS 4
static uv_work_t busy[THREADS];
static uv_sem_t go_on;

static void wait_for_test(uv_work_t *work)
{
    (void)work;
    uv_sem_wait(&go_on);
}

static void on_waited(uv_work_t *work, int status)
{
    (void)work;
    assert_int_equal(status, 0);
}

static void lookups_block(void)
{
    assert_int_equal(uv_sem_init(&go_on, 0), 0);
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(uv_queue_work(&loop, &busy[i], wait_for_test, on_waited), 0);
}

static void lookups_go_on(void)
{
    for (unsigned i = 0; i < THREADS; i++)
        uv_sem_post(&go_on);
    uv_run(&loop, UV_RUN_NOWAIT);
}

static void a_lookup_that_takes_too_long_is_given_up(void **state)
{
    (void)state;
    char url[128];
    snprintf(url, sizeof url, "redis://localhost%s", strrchr(redis.address, ':'));
    lookups_block();
    link_to(url, NULL);
    run_until(link_->resolving);
    pass(1000);
    run_until(link_->state == REDIS_AWAY);
    lookups_go_on();
    run_until_late(redis_link_up(link_));
    expect_reply("OK");
}

struct log_catch {
    int stderr_was;
    FILE *file;
};

static struct log_catch log_catch_begin(void)
{
    struct log_catch c = {.stderr_was = dup(STDERR_FILENO), .file = tmpfile()};
    assert_non_null(c.file);
    dup2(fileno(c.file), STDERR_FILENO);
    return c;
}

static const char *log_catch_end(struct log_catch c)
{
    static char caught[65536];
    dup2(c.stderr_was, STDERR_FILENO);
    close(c.stderr_was);
    rewind(c.file);
    caught[fread(caught, 1, sizeof caught - 1, c.file)] = '\0';
    fclose(c.file);
    return caught;
}

static unsigned lines_with(const char *log, const char *text)
{
    unsigned count = 0;
    for (const char *at = strstr(log, text); at; at = strstr(at + 1, text))
        count++;
    return count;
}

static void refusals_are_logged_without_the_password(void **state)
{
    (void)state;
    char url[128];
    struct log_catch c = log_catch_begin();
    redis.password = "right";
    snprintf(url, sizeof url, "redis://:HUNTER@%s", redis.address);
    link_to(url, scripts);
    run_until_late(redis.connections == 2);
    const char *log = log_catch_end(c);
    assert_non_null(strstr(log, "AUTH refused: WRONGPASS"));
    assert_int_equal(lines_with(log, "Redis is away"), 1);
    assert_null(strstr(log, "HUNTER"));
    redis_link_close(link_);
    link_to(redis.url, scripts);
    c = log_catch_begin();
    run_until_late(link_->tries == 2);
    assert_non_null(strstr(log_catch_end(c), "SCRIPT LOAD refused: NOAUTH"));
    redis_link_close(link_);
    /* A server that repeats what it does not understand. */
    static const char *const echoes[] = {"-HUNTER\r\n", "-ERR unknown command AUTH HUNTER\r\n", "+HUNTER\r\n",
                                         "-ERRHUNTER\r\n", "$6\r\nHUNTER\r\n"};
    for (unsigned i = 0; i < sizeof echoes / sizeof *echoes; i++) {
        redis.greeting = echoes[i];
        link_to(url, scripts);
        c = log_catch_begin();
        run_until_late(link_->tries == 2);
        log = log_catch_end(c);
        assert_int_equal(lines_with(log, "AUTH refused: "), 1);
        assert_null(strstr(log, "HUNTER"));
        redis_link_close(link_);
    }
    link_ = NULL;
}

static void a_connection_has_a_second_to_come_up(void **state)
{
    (void)state;
    redis.stopped = true;
    link_to(redis.url, NULL);
    run_until(redis.pieces >= 1);
    pass(999);
    run_timers();
    assert_int_equal(link_->state, REDIS_CONNECTING);
    pass(1);
    run_until(link_->state == REDIS_AWAY);
    fake_redis_continue(&redis);
    run_until_late(redis_link_up(link_));
    expect_reply("OK");
}

static void reconnects_wait_longer_each_time_with_jitter(void **state)
{
    (void)state;
    uint64_t waits[60];
    fake_redis_kill(&redis);
    link_to(redis.url, NULL);
    for (unsigned i = 0; i < 60; i++) {
        run_until(link_->tries == i + 1 && link_->state == REDIS_AWAY && !link_->has_tcp);
        waits[i] = link_->again_ms - clock_ms;
        uint64_t most = i < 5 ? 200u << i : 5000;
        assert_in_range(waits[i], most / 2, most);
        pass(waits[i] - 1);
        run_timers();
        assert_int_equal(link_->tries, i + 1);
        pass(1);
    }
    uint64_t least = 5000, most = 0;
    for (unsigned i = 10; i < 60; i++) {
        least = waits[i] < least ? waits[i] : least;
        most = waits[i] > most ? waits[i] : most;
    }
    assert_true(most - least > 500);
    run_until(link_->state == REDIS_AWAY && !link_->has_tcp);
    fake_redis_start(&redis);
    run_until_late(redis_link_up(link_));
    /* Soon again only after it has lasted. */
    fake_redis_kill(&redis);
    run_until(link_->state == REDIS_AWAY);
    assert_true(link_->again_ms - clock_ms >= 2500);
    fake_redis_start(&redis);
    run_until_late(redis_link_up(link_));
    pass(5000);
    fake_redis_kill(&redis);
    run_until(link_->state == REDIS_AWAY);
    assert_in_range(link_->again_ms - clock_ms, 100, 200);
}

/* ---- Replies ---- */

static void commands_of_a_turn_leave_together_and_are_answered_in_order(void **state)
{
    (void)state;
    static struct sent many[100];
    memset(many, 0, sizeof many);
    link_up();
    assert_int_equal(link_->output.out.size, 0);
    for (unsigned i = 0; i < 100; i++)
        assert_true(send_text(&many[i], "X"));
    assert_int_equal(link_->output.out.size - link_->output.sent, 100 * strlen("*1\r\n$1\r\nX\r\n"));
    for (unsigned i = 0; i < 100; i++)
        assert_int_equal(many[i].calls, 0);
    run_until(many[99].calls);
    for (unsigned i = 0; i < 100; i++)
        assert_true(many[i].calls == 1 && many[i].answered);
    assert_int_equal(redis.commands, 101);
    assert_false(uv_is_active((uv_handle_t *)&link_->prepare));
}

static void a_reply_in_pieces_is_one(void **state)
{
    (void)state;
    struct sent one = {0};
    link_up();
    redis.answer = "";
    assert_true(send_text(&one, "X"));
    run_until(redis.commands == 2);
    static const char reply[] = "*2\r\n$3\r\nabc\r\n:1\r\n";
    for (size_t i = 0; i < sizeof reply - 1; i++) {
        assert_int_equal(one.calls, 0);
        fake_redis_say(&redis, reply + i, 1);
        run_until(link_->reader.taken == i + 1);
    }
    assert_true(one.calls == 1 && one.answered);
}

static void a_late_reply_is_dropped(void **state)
{
    (void)state;
    struct sent one = {0};
    link_up();
    redis.stopped = true;
    redis.answer = "+first\r\n";
    assert_true(send_text(&one, "X"));
    run_until(redis.pieces >= 2);
    pass(TIMEOUT_MS - 1);
    run_timers();
    assert_int_equal(one.calls, 0);
    pass(1);
    run_until(one.calls);
    assert_false(one.answered);
    fake_redis_continue(&redis);
    redis.answer = "+second\r\n";
    expect_reply("second");
    assert_int_equal(one.calls, 1);
    assert_int_equal(link_->pending_count, 0);
}

static void each_command_has_its_own_time(void **state)
{
    (void)state;
    struct sent slow = {0}, fast = {0};
    struct buf command;
    link_up();
    redis.stopped = true;
    buf_init(&command, 64);
    resp_command(&command, 1);
    resp_text(&command, "X");
    assert_true(redis_link_send(link_, &command, 1000, on_reply, &slow));
    assert_true(redis_link_send(link_, &command, 20, on_reply, &fast));
    buf_release(&command);
    pass(20);
    run_until(fast.calls);
    assert_int_equal(slow.calls, 0);
    fake_redis_continue(&redis);
    run_until(slow.calls);
    assert_true(slow.answered && !fast.answered);
}

/* The loop was busy with something else: the reply was there in time. */
static void a_reply_that_is_there_is_not_late(void **state)
{
    (void)state;
    struct sent one = {0};
    link_up();
    assert_true(send_text(&one, "X"));
    run_until(redis.answers == 2);
    assert_int_equal(one.calls, 0);
    pass(1000);
    run_until(one.calls);
    assert_true(one.answered);
}

static void a_callback_sends_more(void **state)
{
    (void)state;
    struct sent second = {0}, first = {.next_try = &second}, third = {0}, late = {.next_try = &third},
                lost = {0}, broken = {.next_try = &lost};
    link_up();
    assert_true(send_text(&first, "X"));
    run_until(second.calls);
    assert_true(first.calls == 1 && second.calls == 1 && second.answered);
    redis.stopped = true;
    assert_true(send_text(&late, "X"));
    pass(TIMEOUT_MS);
    run_until(late.calls);
    assert_int_equal(third.calls, 0);
    fake_redis_continue(&redis);
    run_until(third.calls);
    assert_true(!late.answered && third.answered);
    redis.stopped = true;
    assert_true(send_text(&broken, "X"));
    fake_redis_kill(&redis);
    run_until(broken.calls);
    assert_true(!broken.answered && lost.calls == 100); /* refused */
}

/* ---- A server that is slow, or refuses ---- */

static void three_time_outs_in_a_row_are_a_rest(void **state)
{
    (void)state;
    link_up();
    for (unsigned i = 0; i < 3; i++) {
        redis.stopped = true;
        expect_time_out();
        expect_time_out();
        assert_true(redis_link_up(link_));
        fake_redis_continue(&redis);
        expect_reply("OK");
    }
    redis.stopped = true;
    fake_redis_got(&redis);
    for (unsigned i = 0; i < 3; i++)
        expect_time_out();
    assert_false(redis_link_up(link_));
    struct sent refused = {0};
    assert_false(send_text(&refused, "X"));
    assert_int_equal(refused.calls, 0);
    fake_redis_continue(&redis);
    run_until(link_->pending_count == 0); /* the late replies change nothing */
    assert_int_equal(link_->state, REDIS_RESTING);
    pass(999);
    run_timers();
    assert_string_equal(fake_redis_got(&redis), "LATE\nLATE\nLATE\n");
    pass(1);
    run_until(redis_link_up(link_));
    assert_string_equal(fake_redis_got(&redis), "PING\n");
    assert_int_equal(link_->connections, 1);
    expect_reply("OK");
}

static void a_late_reply_says_nothing(void **state)
{
    (void)state;
    link_up();
    for (unsigned i = 0; i < 3; i++) {
        assert_true(redis_link_up(link_));
        redis.answer = i ? "+OK\r\n" : "-OOM\r\n"; /* neither breaks the row, nor adds to it */
        redis.stopped = true;
        expect_time_out();
        fake_redis_continue(&redis);
        run_until(link_->pending_count == 0);
    }
    assert_int_equal(link_->state, REDIS_RESTING);
}

static void a_pause_is_one_time_out_however_many_wait(void **state)
{
    (void)state;
    struct sent late[2][8] = {0};
    link_up();
    redis.stopped = true;
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned n = 0; n < 8; n++, pass(1))
            assert_true(send_text(&late[i][n], "LATE"));
        pass(TIMEOUT_MS - 8); /* the first one is late, and then the others */
        for (unsigned n = 0; n < 8; n++, pass(1))
            run_until(late[i][n].calls);
        assert_true(redis_link_up(link_));
    }
    expect_time_out();
    assert_false(redis_link_up(link_));
}

static void a_rest_goes_on_until_a_probe_is_answered_in_time(void **state)
{
    (void)state;
    link_up();
    redis.stopped = true;
    for (unsigned i = 0; i < 3; i++)
        expect_time_out();
    for (unsigned i = 1; i < 5; i++) {
        pass(1000);
        run_until(link_->pending_count == 3 + i);
        pass(20);
        run_until(link_->failures == i);
    }
    fake_redis_continue(&redis);
    run_until(link_->pending_count == 0);
    assert_int_equal(link_->state, REDIS_RESTING);
    redis.ping = "-LOADING Redis is loading the dataset in memory\r\n";
    pass(1000);
    run_until(redis.connections == 2 || link_->state == REDIS_AWAY); /* the fifth */
    redis.ping = NULL;
    run_until_late(redis_link_up(link_));
    assert_int_equal(link_->connections, 2);
    expect_reply("OK");
}

static void errors_count_like_time_outs(void **state)
{
    (void)state;
    link_up();
    redis.answer = "-OOM command not allowed when used memory > 'maxmemory'.\r\n";
    for (unsigned i = 0; i < 3; i++) {
        assert_true(redis_link_up(link_));
        expect_reply("OOM command not allowed when used memory > 'maxmemory'.");
    }
    assert_int_equal(link_->state, REDIS_RESTING);
    pass(1000);
    run_until(redis_link_up(link_));
}

static void scripts_that_redis_forgot_are_loaded_again(void **state)
{
    (void)state;
    struct sent many[5] = {0};
    struct buf command;
    link_to(redis.url, scripts);
    run_until(redis_link_up(link_));
    char sha[REDIS_SHA_SIZE + 1];
    snprintf(sha, sizeof sha, "%s", redis_link_script(link_, 1));
    fake_redis_got(&redis);
    redis.forgetful = true;
    buf_init(&command, 256);
    resp_command(&command, 2);
    resp_text(&command, "EVALSHA");
    resp_text(&command, sha);
    for (unsigned i = 0; i < 5; i++)
        assert_true(redis_link_send(link_, &command, TIMEOUT_MS, on_reply, &many[i]));
    run_until(many[4].calls && link_->loading == 0);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(strncmp(many[i].reply, "NOSCRIPT", 8), 0);
    assert_true(redis_link_up(link_));
    const char *got = fake_redis_got(&redis);
    assert_int_equal(lines_with(got, "SCRIPT LOAD"), 2); /* once each */
    many[0].calls = 0;
    assert_true(redis_link_send(link_, &command, TIMEOUT_MS, on_reply, &many[0]));
    run_until(many[0].calls);
    assert_string_equal(many[0].reply, "OK");
    assert_string_equal(redis_link_script(link_, 1), sha);
    buf_release(&command);
}

static void a_script_that_does_not_compile_is_away(void **state)
{
    (void)state;
    static const char *const wrong[] = {"+OK\r\n", "$3\r\nabc\r\n", "-ERR Error compiling script\r\n",
                                        "$40\r\nXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX\r\n"};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        redis.load = wrong[i];
        link_to(redis.url, scripts);
        run_until_late(link_->tries == 2);
        assert_int_equal(link_->connections, 0);
        redis_link_close(link_);
    }
    link_ = NULL;
}

/* ---- A server that lies, or dies ---- */

static void nonsense_ends_the_connection_and_its_commands(void **state)
{
    (void)state;
    static const char *const nonsense[] = {
        "HTTP/1.1 400 Bad Request\r\n\r\n",
        "%1\r\n",
        "$-5\r\n",
        ":x\r\n",
        "+no line feed\rx",
        "*1073741824\r\n",                      /* a billion elements, in 13 bytes */
        "$8589934592\r\n",                      /* 8 GB */
        "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n", /* too deep */
        "+OK\r\n+OK\r\n+unasked\r\n",
    };
    struct log_catch c = log_catch_begin();
    link_up();
    for (unsigned i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
        struct sent first = {0}, second = {0};
        unsigned connections = redis.connections;
        redis.answer = i == 8 ? "" : nonsense[i];
        assert_true(send_text(&first, "X"));
        assert_true(send_text(&second, "Y"));
        if (i == 8) {
            run_until(redis.answers == redis.commands && redis.commands);
            fake_redis_say(&redis, nonsense[i], strlen(nonsense[i]));
        }
        run_until(link_->state == REDIS_AWAY);
        assert_int_equal(first.calls, 1);
        assert_int_equal(second.calls, 1);
        assert_int_equal(first.answered, i == 8);
        assert_true(link_->reader.texts.capacity <= 256 && link_->reader.value_capacity <= 64);
        redis.answer = NULL;
        run_until_late(redis_link_up(link_));
        assert_int_equal(redis.connections, connections + 1);
        expect_reply("OK");
        link_->backoff_ms = 200;
    }
    const char *log = log_catch_end(c);
    assert_int_equal(lines_with(log, "Redis is away"), 1); /* within ten seconds */
    assert_int_equal(lines_with(log, "Redis is back"), 1);
    pass(10000);
    c = log_catch_begin();
    fake_redis_say(&redis, "?", 1);
    run_until(link_->state == REDIS_AWAY);
    log = log_catch_end(c);
    assert_int_equal(lines_with(log, "Redis is away"), 1);
    assert_non_null(strstr(log, addresses.all[0].name));
}

static void a_reply_has_at_most_64_kilobytes(void **state)
{
    (void)state;
    static char reply[REDIS_REPLY_MAX + 1];
    size_t size = REDIS_REPLY_MAX - 10;
    struct sent one = {0};
    link_up();
    snprintf(reply, sizeof reply, "$%zu\r\n", size);
    memset(reply + 8, 'x', size);
    memcpy(reply + 8 + size, "\r\n", 3);
    assert_int_equal(strlen(reply), REDIS_REPLY_MAX);
    redis.answer = reply;
    assert_true(send_text(&one, "X"));
    run_until(one.calls);
    assert_true(one.answered);
    one = (struct sent){0};
    memcpy(reply, "$65527\r\n", 8);
    assert_true(send_text(&one, "X"));
    run_until(one.calls);
    assert_false(one.answered);
    assert_int_equal(link_->state, REDIS_AWAY);
}

static void a_server_that_closes_in_the_middle_of_a_reply(void **state)
{
    (void)state;
    struct sent first = {0}, second = {0};
    link_up();
    redis.answer = "$10\r\nabc";
    redis.hangs_up = true;
    assert_true(send_text(&first, "X"));
    assert_true(send_text(&second, "X"));
    run_until(second.calls);
    assert_true(first.calls == 1 && !first.answered && !second.answered);
    assert_int_equal(link_->state, REDIS_AWAY);
    redis.hangs_up = false;
    redis.answer = NULL;
    run_until_late(redis_link_up(link_));
    expect_reply("OK"); /* nothing of the broken reply is left */
}

static void a_server_that_closes_at_once_is_tried_again(void **state)
{
    (void)state;
    redis.hangs_up = true;
    link_to(redis.url, scripts);
    run_until_late(redis.connections == 4);
    redis.hangs_up = false;
    run_until_late(redis_link_up(link_));
}

/* ---- Bounds ---- */

static void the_queue_is_bounded(void **state)
{
    (void)state;
    static struct sent many[REDIS_COMMANDS_MAX];
    memset(many, 0, sizeof many);
    struct sent more = {0};
    link_up();
    redis.stopped = true;
    for (unsigned i = 0; i < REDIS_COMMANDS_MAX; i++)
        assert_true(send_text(&many[i], "X"));
    assert_false(send_text(&more, "X"));
    fake_redis_continue(&redis);
    run_until(many[REDIS_COMMANDS_MAX - 1].calls);
    for (unsigned i = 0; i < REDIS_COMMANDS_MAX; i++)
        assert_true(many[i].calls == 1 && many[i].answered);
    assert_int_equal(more.calls, 0);
    expect_reply("OK");
}

static void late_commands_keep_their_place_and_leave_room_for_probes(void **state)
{
    (void)state;
    static struct sent many[REDIS_COMMANDS_MAX];
    memset(many, 0, sizeof many);
    link_up();
    redis.stopped = true;
    for (unsigned i = 0; i < REDIS_COMMANDS_MAX; i++)
        assert_true(send_text(&many[i], "X"));
    pass(TIMEOUT_MS);
    run_until(many[REDIS_COMMANDS_MAX - 1].calls);
    for (unsigned i = 0; i < REDIS_COMMANDS_MAX; i++)
        assert_true(many[i].calls == 1 && !many[i].answered);
    assert_int_equal(link_->pending_count, REDIS_COMMANDS_MAX);
    pass(1000);
    run_until(link_->pending_count == REDIS_COMMANDS_MAX + 1);
    fake_redis_continue(&redis);
    run_until(redis_link_up(link_));
    expect_reply("OK");
}

static void unsent_bytes_are_bounded(void **state)
{
    (void)state;
    static char text[(1 << 20) - 16]; /* a command of 1 MiB */
    struct sent four[4] = {0}, more = {0};
    link_up();
    memset(text, 'x', sizeof text);
    for (unsigned i = 0; i < 4; i++)
        assert_true(send_sized(&four[i], text, sizeof text));
    assert_int_equal(link_->output.out.size, REDIS_UNSENT_MAX);
    assert_false(send_text(&more, "X"));
    run_until(four[3].calls);
    for (unsigned i = 0; i < 4; i++)
        assert_true(four[i].calls == 1 && four[i].answered);
    expect_reply("OK");
    assert_int_equal(more.calls, 0);
}

/* ---- Closing ---- */

static void close_link(void)
{
    redis_link_close(link_);
    link_ = NULL;
}

static void closing_ends_every_command_once(void **state)
{
    (void)state;
    struct sent lost = {0}, many[10] = {{.next_try = &lost}};
    link_up();
    redis.stopped = true;
    for (unsigned i = 0; i < 5; i++)
        assert_true(send_text(&many[i], "X"));
    pass(TIMEOUT_MS);
    lost.calls = 0;
    many[0].next_try = NULL;
    run_until(many[4].calls);
    pass(1000);
    fake_redis_continue(&redis);
    run_until(redis_link_up(link_));
    redis.stopped = true;
    for (unsigned i = 5; i < 10; i++)
        assert_true(send_text(&many[i], "X"));
    many[5].next_try = &lost;
    close_link();
    for (unsigned i = 0; i < 10; i++)
        assert_true(many[i].calls == 1 && !many[i].answered);
    assert_int_equal(lost.calls, 100); /* refused */
}

static void a_link_closes_in_every_state(void **state)
{
    (void)state;
    link_to(redis.url, scripts);
    close_link(); /* before the first turn */
    link_to(redis.url, scripts);
    run_until(link_->state == REDIS_CONNECTING);
    close_link();
    redis.stopped = true;
    link_to(redis.url, scripts);
    run_until(link_->pending_count);
    close_link();
    link_to("redis://localhost:1", NULL);
    run_until(link_->tries == 1); /* looking it up, or just done */
    close_link();
    lookups_block();
    link_to("redis://localhost:1", NULL);
    run_until(link_->resolving);
    close_link();
    lookups_go_on();
    link_to("redis://127.0.0.1:1", NULL);
    run_until(link_->tries == 1 && link_->state == REDIS_AWAY);
    close_link();
    fake_redis_continue(&redis);
    link_up();
    redis.stopped = true;
    for (unsigned i = 0; i < 3; i++)
        expect_time_out();
    assert_int_equal(link_->state, REDIS_RESTING);
    close_link();
}

#define link_test(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        link_test(a_connection_says_who_it_is_and_loads_its_scripts),
        link_test(the_default_user_needs_a_password_alone),
        link_test(a_host_is_looked_up),
        link_test(a_host_without_an_address_is_away),
        link_test(a_lookup_that_takes_too_long_is_given_up),
        link_test(refusals_are_logged_without_the_password),
        link_test(a_connection_has_a_second_to_come_up),
        link_test(reconnects_wait_longer_each_time_with_jitter),
        link_test(commands_of_a_turn_leave_together_and_are_answered_in_order),
        link_test(a_reply_in_pieces_is_one),
        link_test(a_late_reply_is_dropped),
        link_test(each_command_has_its_own_time),
        link_test(a_reply_that_is_there_is_not_late),
        link_test(a_callback_sends_more),
        link_test(three_time_outs_in_a_row_are_a_rest),
        link_test(a_late_reply_says_nothing),
        link_test(a_pause_is_one_time_out_however_many_wait),
        link_test(a_rest_goes_on_until_a_probe_is_answered_in_time),
        link_test(errors_count_like_time_outs),
        link_test(scripts_that_redis_forgot_are_loaded_again),
        link_test(a_script_that_does_not_compile_is_away),
        link_test(nonsense_ends_the_connection_and_its_commands),
        link_test(a_reply_has_at_most_64_kilobytes),
        link_test(a_server_that_closes_in_the_middle_of_a_reply),
        link_test(a_server_that_closes_at_once_is_tried_again),
        link_test(the_queue_is_bounded),
        link_test(late_commands_keep_their_place_and_leave_room_for_probes),
        link_test(unsent_bytes_are_bounded),
        link_test(closing_ends_every_command_once),
        link_test(a_link_closes_in_every_state),
    };
    return cmocka_run_group_tests_name("http_redis_link", tests, NULL, NULL);
}
