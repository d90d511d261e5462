/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever changes the slots reports the time it concerns, in the same step: claims that begin, end and move, buffers
 * that shrink and come back, settings. What changes nothing reports nothing. */
#include "../lib/core_fixture.h"
#include "base/time/zone.h"

#define MINUTE_MS 60000LL
#define HOUR_MS (60 * MINUTE_MS)

static struct zone *utc;
static uint64_t next_id;

static int set_up(void **state)
{
    utc = zone_load("UTC");
    return core_set_up(state);
}

static int tear_down(void **state)
{
    zone_release(utc);
    return core_tear_down(state);
}

static void put_calendar(uint32_t before_minutes, uint32_t buffer_minutes)
{
    struct command c = calendar_put_command(TEXT("C"), 1, utc);
    c.calendar_put.image.rules.buffer_before_minutes = before_minutes;
    c.calendar_put.image.buffer_minutes = buffer_minutes;
    core_must(c);
}

static struct item_request slot(int64_t from_minute, int64_t to_minute)
{
    return (struct item_request){.kind = ITEM_SLOT,
                                 .resource = TEXT("C"),
                                 .quantity = 1,
                                 .start_ms = CORE_EPOCH_MS + from_minute * MINUTE_MS,
                                 .end_ms = CORE_EPOCH_MS + to_minute * MINUTE_MS};
}

static struct id hold(const struct item_request *items, uint32_t count)
{
    struct id id = {1, ++next_id};
    struct command c = hold_command(id, TEXT("ann"), items, count);
    c.actor = (struct actor){.role = ROLE_APP, .name = TEXT("shop")};
    core_must(c);
    return id;
}

static void act(enum command_kind kind, struct id id)
{
    core_must(reservation_command(kind, id));
}

/* The spans of the last step, in minutes from the start, as pairs. */
#define told(...)                                                                                            \
    told_in((const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t) / 2)
static void told_in(const int64_t *minutes, size_t count)
{
    assert_int_equal(core.st->span_count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(core.st->spans[i].from_ms, CORE_EPOCH_MS + minutes[2 * i] * MINUTE_MS);
        assert_int_equal(core.st->spans[i].to_ms, CORE_EPOCH_MS + minutes[2 * i + 1] * MINUTE_MS);
        assert_int_equal(core.st->spans[i].calendar, 0);
    }
}

static void told_nothing(void)
{
    assert_int_equal(core.st->span_count, 0);
}

static void claims_report_spans_when_they_begin_end_and_move(void **state)
{
    (void)state;
    put_calendar(0, 0);
    told(0, SLOT_AHEAD_MAX_MS / MINUTE_MS);
    struct item_request items[] = {slot(60, 90), slot(300, 360)};
    struct id id = hold(items, 2);
    told(60, 90, 300, 360);
    act(COMMAND_LOOK, id);
    told_nothing();
    act(COMMAND_EXTEND, id);
    told_nothing();
    struct command move = reservation_command(COMMAND_ITEM_MOVE, id);
    move.item.item_id = 1;
    move.item.start_ms = slot(120, 180).start_ms;
    move.item.end_ms = slot(120, 180).end_ms;
    move.item.has_end = true;
    core_must(move);
    told(60, 90, 120, 180);
    act(COMMAND_COMMIT, id);
    told_nothing(); /* held or sold, it is not free */
    struct item_request other = slot(600, 660);
    id = hold(&other, 1);
    act(COMMAND_RELEASE, id);
    told(600, 660);
    hold(&other, 1);
    core.now_ms += HOUR_MS;
    buf_clear(&core.changes);
    assert_int_equal(state_expire(core.st, core.now_ms, 10, &core.changes), 1);
    told(600, 660);
    struct command refused = hold_command((struct id){1, ++next_id}, TEXT("bob"), &items[1], 1);
    assert_int_equal(core_apply(refused), OUTCOME_TAKEN);
    told_nothing();
}

/* A slot that ends where a claim begins cannot be claimed if it needs time after it. */
static void buffers_widen_the_span(void **state)
{
    (void)state;
    put_calendar(5, 10);
    struct item_request items[] = {slot(100, 130), slot(130, 160)};
    struct id id = hold(items, 2);
    /* Each blocks its buffers, except where the other one is; slots keep ten minutes free after them and five before. */
    uint32_t count = core.st->span_count;
    assert_true(count >= 2);
    assert_int_equal(core.st->spans[0].from_ms, CORE_EPOCH_MS + (100 - 5 - 10) * MINUTE_MS);
    assert_int_equal(core.st->spans[count - 1].to_ms, CORE_EPOCH_MS + (160 + 10 + 5) * MINUTE_MS);
    struct command drop = reservation_command(COMMAND_ITEM_DROP, id);
    drop.item.item_id = 2;
    core_must(drop);
    /* The second ends; the buffer of the first comes back. */
    assert_int_equal(core.st->span_count, 2);
    assert_int_equal(core.st->spans[0].to_ms, CORE_EPOCH_MS + (160 + 10 + 5) * MINUTE_MS);
    assert_int_equal(core.st->spans[1].from_ms, CORE_EPOCH_MS + (130 - 10) * MINUTE_MS);
    assert_int_equal(core.st->spans[1].to_ms, CORE_EPOCH_MS + (140 + 5) * MINUTE_MS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(claims_report_spans_when_they_begin_end_and_move, set_up, tear_down),
        cmocka_unit_test_setup_teardown(buffers_widen_the_span, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
