/* SPDX-License-Identifier: Apache-2.0 */
/* A store that follows another process changes nothing: not by a command, an import, presence or a timer. It still answers
 * reads. When it takes over, it does what has become due. */
#include "store_fixture.h"

#include "core/catalogue/event.h"
#include "core/queue/queue_line.h"

#define START_MS 1772438400000LL
#define HOLD_MS 600000

static int64_t now_ms;
static struct outcome last;

static void on_outcome(void *ctx, const struct outcome *outcome)
{
    (void)ctx;
    last = *outcome;
}

static enum outcome_code submit(struct command c)
{
    store_submit(store, &c, on_outcome, NULL);
    return last.code;
}

static void hold(void)
{
    struct item_request item = {
        .kind = ITEM_SEAT, .resource = TEXT("show"), .part = TEXT("S1"), .quantity = 1};
    struct command c = {.kind = COMMAND_HOLD,
                        .actor = {.role = ROLE_USER, .name = TEXT("ann")},
                        .reservation = {1, 1},
                        .hold = {.items = &item, .count = 1}};
    fixture_submit(&c);
}

static struct command of_the_hold(enum command_kind kind)
{
    return (struct command){.kind = kind, .actor = {.role = ROLE_APP}, .reservation = {1, 1}};
}

static int set_up(void **state)
{
    (void)state;
    fixture_folders();
    now_ms = START_MS;
    fine(store_try((struct store_options){
        .data = fixture_data, .clock = fixed_clock(&now_ms), .journal_max = 1u << 30}));
    fixture_event();
    fixture_seats(1, 10);
    return 0;
}

static void follow(void)
{
    wait_durable();
    engine_set_role(&store->engine, ENGINE_FOLLOWER);
    assert_false(store_decides(store));
}

static void take_over(void)
{
    engine_set_role(&store->engine, ENGINE_ALONE);
    assert_true(store_decides(store));
}

/* Long enough for every timer of the store. */
static void run_ticks(void)
{
    uv_update_time(&loop);
    uint64_t until = uv_now(&loop) + 120;
    run_until(uv_now(&loop) >= until);
}

static void commands_are_refused_and_reads_answered(void **state)
{
    (void)state;
    hold();
    follow();
    uint64_t seq = store->state->seq;
    assert_int_equal(submit(of_the_hold(COMMAND_RELEASE)), OUTCOME_UNAVAILABLE);
    assert_int_equal(submit(of_the_hold(COMMAND_LOOK)), OUTCOME_OK);
    assert_int_equal(last.reservation.status, RESERVATION_HELD);
    assert_int_equal(store->state->seq, seq);
    take_over();
    assert_int_equal(submit(of_the_hold(COMMAND_RELEASE)), OUTCOME_OK);
}

static void a_hold_expires_when_it_takes_over(void **state)
{
    (void)state;
    hold();
    follow();
    uint64_t seq = store->state->seq;
    now_ms += HOLD_MS;
    run_ticks();
    assert_int_equal(store->state->seq, seq);
    take_over();
    run_until(store->state->totals.expired == 1);
}

/* ---- Imports ---- */

static bool was_read;
static struct import_result imported;
static uint32_t ended;

static bool read_seats(void *ctx, struct buf *rows, uint32_t *count, struct import_fault *fault)
{
    was_read = true;
    return fixture_read_seats(ctx, rows, count, fault);
}

static void on_imported(void *ctx, const struct import_result *result)
{
    (void)ctx;
    imported = *result;
    ended++;
}

static void imports_are_refused_before_their_body_is_read(void **state)
{
    (void)state;
    struct fixture_seats seats = {.first = 11, .count = 10};
    struct actor admin = {.role = ROLE_ADMIN};
    const struct text ids[] = {TEXT("S1")};
    follow();
    uint64_t seq = store->state->seq;
    ended = 0;
    was_read = false;
    store_import(store, &admin, TEXT("show"), read_seats, on_imported, &seats);
    assert_int_equal(ended, 1);
    assert_int_equal(imported.code, OUTCOME_UNAVAILABLE);
    store_remove_seats(store, &admin, TEXT("show"), ids, 1, on_imported, NULL);
    assert_int_equal(ended, 2);
    assert_int_equal(imported.code, OUTCOME_UNAVAILABLE);
    run_ticks();
    assert_false(was_read);
    assert_int_equal(store->state->seq, seq);
    take_over();
    store_import(store, &admin, TEXT("show"), read_seats, on_imported, &seats);
    run_until(ended == 3);
    assert_int_equal(imported.code, OUTCOME_OK);
}

/* ---- Presence ---- */

static struct queue_entry *entry(uint32_t number)
{
    return queue_entry(event_find(store->state, TEXT("room"))->queue, number);
}

static void a_stream_is_no_presence_here(void **state)
{
    (void)state;
    struct command room = {.kind = COMMAND_EVENT_PUT, .actor = {.role = ROLE_ADMIN}};
    room.event_put.image =
        (struct event_image){.id = TEXT("room"),
                             .name = TEXT("A waiting room"),
                             .terms = {"EUR", 600, 900, 300, PAYMENT_NONE, LATE_PAYMENT_REFUND, 0},
                             .has_queue = true,
                             .queue = {.rate_per_second = 1, .pass_ttl_s = 600}};
    fixture_submit(&room);
    struct command join = {.kind = COMMAND_QUEUE_JOIN,
                           .actor = {.role = ROLE_USER, .name = TEXT("ann")},
                           .queue = {.event = TEXT("room")}};
    fixture_submit(&join);
    follow();
    uint64_t number = event_find(store->state, TEXT("room"))->image.number;
    uint32_t heard_s = entry(1)->asked_s;
    now_ms += 5000;
    run_ticks(); /* a new turn, which reads the clock */
    store_queue_present(store, number, 1);
    assert_int_equal(entry(1)->asked_s, heard_s);
    take_over();
    store_queue_present(store, number, 1);
    assert_true(entry(1)->asked_s > heard_s);
}

#define follower_test(name) cmocka_unit_test_setup_teardown(name, set_up, fixture_clear)

int main(void)
{
    const struct CMUnitTest tests[] = {
        follower_test(commands_are_refused_and_reads_answered),
        follower_test(a_hold_expires_when_it_takes_over),
        follower_test(imports_are_refused_before_their_body_is_read),
        follower_test(a_stream_is_no_presence_here),
    };
    return cmocka_run_group_tests_name("store_follower", tests, NULL, NULL);
}
