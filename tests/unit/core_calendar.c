/* SPDX-License-Identifier: Apache-2.0 */
/* The slots of a calendar match a search without jumps, page by page and in bounded steps; and a calendar in the book
 * is accepted only if it is possible. */
#include <stdlib.h>

#include "../lib/core_fixture.h"
#include "base/crypto/hash.h"
#include "core/calendar/calendar.h"
#include "core/claim/kind.h"

#define MINUTE_MS 60000LL
#define DAY_MS (1440 * MINUTE_MS)
#define NOW_MS 1774224000000LL /* 2026-03-23T00:00:00Z, a Monday; the clocks of Berlin change on the 29th */

static uint64_t random_state;

static uint64_t draw(uint64_t below)
{
    random_state++;
    return hash_sip((struct hash_key){1, 9}, &random_state, sizeof(random_state)) % below;
}

static struct calendar_image image_of(const struct hours_range *hours, uint32_t hours_count)
{
    return (struct calendar_image){.number = 1,
                                   .id = TEXT("C"),
                                   .name = TEXT("C"),
                                   .timezone = TEXT("Europe/Berlin"),
                                   .capacity = 1,
                                   .terms = {"EUR", 600, 900, 0, PAYMENT_NONE, LATE_PAYMENT_REFUND, 0},
                                   .slot_minutes = 30,
                                   .rules = CALENDAR_RULES_PLAIN,
                                   .hours = hours,
                                   .hours_count = hours_count};
}

static struct calendar *put(const struct calendar_image *image)
{
    struct command c = {.kind = COMMAND_CALENDAR_PUT, .actor = {.role = ROLE_ADMIN}};
    c.calendar_put.image = *image;
    c.calendar_put.zone = zone_load("Europe/Berlin");
    core.now_ms = NOW_MS;
    core_must(c);
    zone_release(c.calendar_put.zone);
    return calendar_find(core.st, TEXT("C"));
}

/* Every start of the grid, checked one by one. */
static uint32_t slots_plainly(const struct calendar *c, const struct slots_query *q, struct slot *found)
{
    struct hours_slots it = hours_slots_begin(&c->hours, q->from_ms, c->image.slot_minutes);
    uint32_t count = 0;
    for (int64_t at_ms = q->from_ms; at_ms < q->to_ms;) {
        int64_t until_ms;
        if (!hours_slots_next(&it, &at_ms) || at_ms < q->now_ms || at_ms >= q->to_ms)
            continue;
        until_ms = at_ms + q->length_ms + c->image.buffer_minutes * MINUTE_MS;
        uint32_t most = timeline_most(&c->timeline, at_ms, until_ms);
        if (most < c->image.capacity && hours_contain(&c->hours, at_ms, at_ms + q->length_ms))
            found[count++] = (struct slot){at_ms, at_ms + q->length_ms, c->image.capacity - most};
    }
    return count;
}

static void random_calendar(struct calendar **c)
{
    static const struct hours_range weeks[][3] = {{{0x1f, 540, 720}, {0x1f, 780, 1050}, {0x20, 1320, 120}},
                                                  {{0x7f, 0, 720}, {0x7f, 720, 0}, {0, 0, 0}},
                                                  {{0x40, 60, 210}, {0x01, 540, 545}, {0, 0, 0}}};
    static const uint32_t steps[] = {15, 30, 45, 60, 720, 1440};
    struct closed_interval closed = {NOW_MS + (int64_t)draw(20) * 12 * 60 * MINUTE_MS, 0};
    uint64_t week = draw(4);
    struct calendar_image image = image_of(week < 3 ? weeks[week] : NULL, week < 3 ? (week ? 2 : 3) : 0);
    closed.end_ms = closed.start_ms + 1 + (int64_t)draw(3) * DAY_MS;
    image.closed = &closed;
    image.closed_count = draw(2) != 0;
    image.capacity = 1 + (uint32_t)draw(3);
    image.slot_minutes = steps[draw(6)];
    image.buffer_minutes = (uint32_t)draw(3) * 10;
    *c = put(&image);
    for (uint64_t n = draw(80); n > 0; n--) {
        int64_t start_ms = NOW_MS + (int64_t)draw(10 * 288) * 5 * MINUTE_MS;
        int64_t until_ms = start_ms + (1 + (int64_t)draw(draw(10) ? 24 : 600)) * 5 * MINUTE_MS;
        if (calendar_has_room(*c, start_ms, until_ms, NOW_MS))
            calendar_claim(*c, start_ms, until_ms, draw(2), NOW_MS);
    }
}

static void slots_match_a_search_without_jumps(void **state)
{
    static struct slot expected[5000], found[5000];
    (void)state;
    for (random_state = 0; random_state < 4000000; random_state = (random_state / 10000 + 1) * 10000) {
        struct calendar *c;
        core_tear_down(NULL);
        core_set_up(NULL);
        random_calendar(&c);
        struct slots_query q = {.from_ms = NOW_MS + (int64_t)draw(4 * 1440) * MINUTE_MS,
                                .now_ms = NOW_MS + (int64_t)draw(2 * 1440) * MINUTE_MS,
                                .length_ms = (1 + (int64_t)draw(draw(5) ? 20 : 600)) * 10 * MINUTE_MS,
                                .limit = 1 + (uint32_t)draw(9)};
        q.to_ms = q.from_ms + (int64_t)draw(12 * 1440) * MINUTE_MS;
        uint32_t count = slots_plainly(c, &q, expected), n = 0, pages = 0;
        struct slots_page page = {.more = true, .next_ms = q.from_ms};
        while (page.more) {
            q.from_ms = page.next_ms;
            page = calendar_slots(c, &q, &found[n]);
            assert_true(page.count <= q.limit &&
                        (!page.more || (page.next_ms > q.from_ms && page.next_ms < q.to_ms)));
            n += page.count;
            assert_true(++pages < 5000);
        }
        assert_int_equal(n, count);
        for (uint32_t i = 0; i < n; i++) {
            assert_int_equal(found[i].start_ms, expected[i].start_ms);
            assert_int_equal(found[i].end_ms, expected[i].end_ms);
            assert_int_equal(found[i].available, expected[i].available);
        }
    }
}

/* A calendar in which every other minute is taken, and one that is always closed: a page takes bounded steps and
 * advances. */
static void a_page_is_bounded(void **state)
{
    (void)state;
    static struct slot found[1000];
    struct calendar_image image = image_of(NULL, 0);
    image.slot_minutes = 1;
    struct calendar *c = put(&image);
    for (int64_t i = 0; i < 40000; i++)
        calendar_claim(c, NOW_MS + i * 2 * MINUTE_MS, NOW_MS + (i * 2 + 1) * MINUTE_MS, true, NOW_MS);
    struct slots_query q = {.from_ms = NOW_MS,
                            .to_ms = NOW_MS + 50 * DAY_MS,
                            .now_ms = NOW_MS,
                            .length_ms = 2 * MINUTE_MS,
                            .limit = 1000};
    struct slots_page page = calendar_slots(c, &q, found);
    assert_int_equal(page.count, 0);
    assert_true(page.more);
    int64_t passed = (page.next_ms - NOW_MS) / MINUTE_MS;
    assert_true(passed >= SLOT_STEPS_MAX / 2 && passed <= SLOT_STEPS_MAX * 3);

    struct closed_interval closed = {NOW_MS, NOW_MS + 4000 * DAY_MS};
    image.closed = &closed;
    image.closed_count = 1;
    c = put(&image);
    page = calendar_slots(c, &q, found);
    assert_int_equal(page.count, 0);
    assert_false(page.more);
}

/* The more ranges a week has, the more a start costs to find, especially near a clock change: pages get shorter. */
static void a_page_of_many_ranges_is_short(void **state)
{
    (void)state;
    static struct slot found[1000];
    struct hours_range hours[OPENINGS_MAX / 7];
    for (uint16_t i = 0; i < OPENINGS_MAX / 7; i++)
        hours[i] = (struct hours_range){0x7f, (uint16_t)(i * 30), (uint16_t)(i * 30 + 29)};
    struct calendar_image image = image_of(hours, OPENINGS_MAX / 7);
    image.slot_minutes = 1;
    struct slots_query q = {
        .from_ms = NOW_MS, .to_ms = NOW_MS + 50 * DAY_MS, .now_ms = NOW_MS, .limit = 1000};
    struct slots_page page = calendar_slots(put(&image), &q, found);
    assert_true(page.count > 100 && page.count <= SLOT_STEPS_MAX / 5);
    assert_true(page.more && page.next_ms > found[page.count - 1].start_ms);
}

static bool loads(const struct calendar_image *image)
{
    struct state *to = state_make();
    bool fits = state_load_calendar(to, image, 0);
    state_release(to);
    return fits;
}

static void only_possible_calendars_are_loaded(void **state)
{
    (void)state;
    struct hours_range hours[] = {{0x01, 540, 720}, {0x01, 720, 780}};
    struct closed_interval closed = {5, 6};
    struct service_image services[] = {{.id = TEXT("a"), .duration_minutes = 1},
                                       {.id = TEXT("b"), .duration_minutes = 1}};
    struct calendar_image sound = image_of(hours, 2), image;
    sound.closed = &closed;
    sound.closed_count = 1;
    sound.services = services;
    sound.service_count = 2;
    assert_true(loads(&sound));
#define REFUSED(change)                                                                                      \
    image = sound;                                                                                           \
    change;                                                                                                  \
    assert_false(loads(&image))
    REFUSED(image.number = 0);
    REFUSED(image.id.size = 0);
    REFUSED(image.timezone = TEXT("../etc/passwd"));
    REFUSED(image.capacity = 0);
    REFUSED(image.capacity = CALENDAR_CAPACITY_MAX + 1);
    REFUSED(image.slot_minutes = 0);
    REFUSED(image.slot_minutes = SLOT_MINUTES_MAX + 1);
    REFUSED(image.buffer_minutes = BUFFER_MINUTES_MAX + 1);
    REFUSED(image.rules.buffer_before_minutes = BUFFER_MINUTES_MAX + 1);
    REFUSED(image.rules.min_minutes = LENGTH_MINUTES_MAX + 1);
    REFUSED(image.rules.max_minutes = LENGTH_MINUTES_MAX + 1);
    REFUSED(image.rules.price_per = PRICE_PER_LAST + 1);
    REFUSED(image.rules.notice_minutes = NOTICE_MINUTES_MAX + 1);
    REFUSED(image.rules.horizon_days = 0);
    REFUSED(image.rules.horizon_days = HORIZON_DAYS_MAX + 1);
    REFUSED(image.rules.per_user_limit = CALENDAR_LIMIT_MAX + 1);
    REFUSED(image.rules.change_until_minutes = NOTICE_MINUTES_MAX + 1);
    REFUSED(image.rules.size = 0);
    REFUSED(image.rules.size = CALENDAR_SIZE_MAX + 1);
    REFUSED(hours[1].from_minute = 719);
    hours[1].from_minute = 720;
    REFUSED(hours[0].days = 0);
    REFUSED(hours[0].days = 0x80);
    hours[0].days = 1;
    REFUSED(hours[1].to_minute = 1440);
    hours[1].to_minute = 780;
    REFUSED(closed.end_ms = 5);
    closed.end_ms = 6;
    REFUSED(services[1].id = TEXT("a"));
    REFUSED(services[1].id.size = 0);
    services[1].id = TEXT("b");
    REFUSED(services[1].duration_minutes = 0);
    services[1].duration_minutes = 1;
    assert_true(loads(&sound));
}

static bool load_slot(uint64_t calendar, int64_t start_ms, int64_t until_ms)
{
    struct item_image item = {.resource = calendar, .start_ms = start_ms, .until_ms = until_ms};
    return slot_claims.load(core.st, &item, (struct id){0});
}

static void no_more_slots_than_capacity_are_loaded(void **state)
{
    (void)state;
    struct calendar_image image = image_of(NULL, 0);
    image.capacity = 2;
    assert_true(state_load_calendar(core.st, &image, 1000));
    assert_false(state_load_calendar(core.st, &image, 1000));
    image.number = 2;
    assert_false(state_load_calendar(core.st, &image, 1000)); /* of the same name */
    assert_true(load_slot(1, 2000, 3000));
    assert_true(load_slot(1, 2500, 3500));
    assert_false(load_slot(1, 2999, 3001));
    assert_true(load_slot(1, 3000, 3001));
    assert_false(load_slot(1, 4000, 4000));
    assert_false(load_slot(7, 4000, 5000));
    /* Past claims count for nothing; of those that have begun the rest counts. */
    for (int i = 0; i < 5; i++)
        assert_true(load_slot(1, 500, 1000));
    assert_true(load_slot(1, 500, 1001));
    assert_true(load_slot(1, 900, 1002));
    assert_false(load_slot(1, 950, 1001));
    assert_int_equal(calendar_find_number(core.st, 1)->timeline.base_sold, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        core_test(slots_match_a_search_without_jumps),     core_test(a_page_is_bounded),
        core_test(a_page_of_many_ranges_is_short),         core_test(only_possible_calendars_are_loaded),
        core_test(no_more_slots_than_capacity_are_loaded),
    };
    return cmocka_run_group_tests_name("core_calendar", tests, NULL, NULL);
}
