/* SPDX-License-Identifier: Apache-2.0 */
/* The demo has something of every kind to claim: seats, standing room, a front row by code, doctors and tables in
 * groups, rooms by night, and taxis. */
#include "../lib/view_loop.h"

#include "base/time/rfc3339.h"
#include "cli/demo_buyers.h"
#include "cli/demo_catalogue.h"
#include "cli/demo_fleet.h"
#include "cli/demo_riders.h"
#include "core/dispatch/ride.h"
#include "http/demo/demo_actors.h"
#include "http/server.h"
#include "http/wire/listen.h"

#define DAY_MS (24LL * 3600 * 1000)
#define DOCTOR "dr_smith"

static int64_t now_ms;
static struct server *server;
static const struct credentials credentials = {.admin_key = "an-admin-key",
                                               .secret = "a secret of 32 bytes, or of more"};

static int64_t instant(const char *text)
{
    int64_t at_ms = 0;
    assert_true(rfc3339_read(text, strlen(text), &at_ms));
    return at_ms;
}

static void open_store(const char *at)
{
    static const struct server_options options = {.demo = "admin.key"};
    int socket;
    now_ms = instant(at);
    fine(store_try((struct store_options){.data = fixture_data, .clock = fixed_clock(&now_ms)}));
    fine(listen_bind("127.0.0.1:0", &socket));
    fine(server_open(&server, &loop, socket, store, view, &credentials, &options));
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

static int set_up(void **state)
{
    (void)state;
    fixture_folders();
    return 0;
}

static void on_done(void *ctx)
{
    *(bool *)ctx = true;
}

/* Returns the refusal, if any. */
static const char *put_parts(const struct demo_part *parts, size_t count)
{
    static struct demo_loader loader;
    bool done = false;
    demo_catalogue_put(&loader, server, parts, count, on_done, &done);
    run_until(done);
    return loader.refusal;
}

static void put_data(void)
{
    assert_string_equal(put_parts(demo_catalogue, DEMO_PARTS), "");
}

struct result {
    bool done;
    enum outcome_code code;
};

static void on_outcome(void *ctx, const struct outcome *outcome)
{
    *(struct result *)ctx = (struct result){true, outcome->code};
}

/* With a user token. */
static enum outcome_code hold_as_ann(const struct item_request *item)
{
    static uint64_t last_id;
    struct result result = {0};
    struct command c = {.kind = COMMAND_HOLD,
                        .actor = {.role = ROLE_USER, .name = TEXT("ann")},
                        .user_id = TEXT("ann"),
                        .reservation = {1, ++last_id}};
    c.hold.items = item;
    c.hold.count = 1;
    store_submit(store, &c, on_outcome, &result);
    run_until(result.done);
    return result.code;
}

/* How many slots begin on this day of UTC; *first is the first of them. */
static uint32_t slots_of(const char *calendar, struct text service, const char *day, struct slot *first)
{
    struct slot slots[100];
    struct slots_page page;
    struct slots_query query = {.from_ms = instant(day), .to_ms = instant(day) + DAY_MS, .limit = 100};
    assert_int_equal(
        view_slots(view, (struct text){calendar, strlen(calendar)}, service, &query, slots, &page),
        OUTCOME_OK);
    assert_false(page.more);
    *first = slots[0];
    return page.count;
}

static void expect_slot(const char *calendar, struct text service, const char *day, const char *start,
                        const char *end, uint32_t available)
{
    struct slot first;
    assert_int_equal(slots_of(calendar, service, day, &first), 1);
    assert_int_equal(first.start_ms, instant(start));
    assert_int_equal(first.end_ms, instant(end));
    assert_int_equal(first.available, available);
}

static void the_doctor_works_on_weekdays_but_not_at_christmas(void **state)
{
    (void)state;
    struct slot first;
    struct text any = {0}, visit = TEXT("first_visit");
    open_store("2026-11-16T00:00:00Z");
    put_data();
    assert_int_equal(slots_of(DOCTOR, any, "2026-11-16T00:00:00Z", &first), 14); /* a Monday */
    assert_int_equal(first.start_ms, instant("2026-11-16T08:00:00Z"));
    assert_int_equal(slots_of(DOCTOR, visit, "2026-11-16T00:00:00Z", &first), 12);
    assert_int_equal(first.end_ms, instant("2026-11-16T09:00:00Z"));
    assert_int_equal(slots_of(DOCTOR, any, "2026-11-21T00:00:00Z", &first), 0); /* a Saturday */
    assert_int_equal(slots_of(DOCTOR, any, "2026-12-24T00:00:00Z", &first), 14);
    assert_int_equal(slots_of(DOCTOR, any, "2026-12-25T00:00:00Z", &first), 0); /* a Friday */
    assert_int_equal(slots_of(DOCTOR, any, "2027-07-02T00:00:00Z", &first), 14);
    assert_int_equal(first.start_ms, instant("2027-07-02T07:00:00Z")); /* nine, in summer */
}

static void nights_begin_at_three_and_end_at_eleven(void **state)
{
    (void)state;
    open_store("2026-11-16T00:00:00Z");
    put_data();
    expect_slot("cabin", TEXT("night"), "2026-11-20T00:00:00Z", "2026-11-20T14:00:00Z",
                "2026-11-21T10:00:00Z", 1);
    expect_slot("cabin", TEXT("week"), "2027-07-02T00:00:00Z", "2027-07-02T13:00:00Z", "2027-07-09T09:00:00Z",
                1);
    expect_slot("double_room", TEXT("three_nights"), "2026-12-24T00:00:00Z", "2026-12-24T14:00:00Z",
                "2026-12-27T10:00:00Z", 20);
}

static void a_suite_is_let_by_the_night_and_tables_by_the_half_hour(void **state)
{
    (void)state;
    struct slot first;
    struct calendar_view calendar;
    open_store("2026-11-16T00:00:00Z");
    put_data();
    expect_slot("suite", (struct text){0}, "2026-11-20T00:00:00Z", "2026-11-20T14:00:00Z",
                "2026-11-21T14:00:00Z", 5);
    assert_int_equal(slots_of("table_4", (struct text){0}, "2026-11-20T00:00:00Z", &first), 10);
    assert_true(view_calendar_find(view, TEXT("table_6"), &calendar));
    assert_int_equal(calendar.image.rules.size, 6);
}

static void children_pay_less_and_friends_come_first(void **state)
{
    (void)state;
    struct event_view event;
    open_store("2026-11-16T00:00:00Z");
    put_data();
    assert_true(view_event_find(view, TEXT("theatre"), &event));
    assert_int_equal(event.counts.seats, 576);
    assert_non_null(strstr(event.image.prices.at, "\"child\":6000"));
    assert_true(event.image.refuse_singles);
    assert_true(view_event_find(view, TEXT("presale"), &event));
    assert_int_equal(event.image.access, ACCESS_CODE);
}

static void the_front_row_of_the_theatre_is_for_the_press(void **state)
{
    (void)state;
    struct event_view event;
    struct seat_view seat;
    open_store("2026-11-16T00:00:00Z");
    put_data();
    assert_true(view_event_find(view, TEXT("theatre"), &event));
    assert_int_equal(event.image.access, ACCESS_OPEN);
    assert_int_equal(event.counts.blocked, 12);
    assert_int_equal(view_seat_find(view, TEXT("theatre"), TEXT("A-1-12"), &seat), OUTCOME_OK);
    assert_int_equal(seat.status, UNIT_BLOCKED);
    assert_int_equal(view_seat_find(view, TEXT("theatre"), TEXT("B-1-1"), &seat), OUTCOME_OK);
    assert_int_equal(seat.status, UNIT_AVAILABLE);
    struct item_request item = {
        .kind = ITEM_SEAT, .resource = TEXT("theatre"), .part = TEXT("A-1-5"), .quantity = 1};
    assert_int_equal(hold_as_ann(&item), OUTCOME_TAKEN);
    item.code = TEXT("press");
    assert_int_equal(hold_as_ann(&item), OUTCOME_OK);
}

static void any_doctor_and_any_table_are_groups(void **state)
{
    (void)state;
    struct group_view group;
    struct slot first;
    open_store("2026-11-16T00:00:00Z");
    put_data();
    assert_true(view_group_find(view, TEXT("practice"), &group));
    assert_int_equal(group.image.member_count, 2);
    assert_int_equal(group.image.pick, PICK_LEAST_BUSY);
    assert_true(text_equal(group.image.members[1].id, TEXT("dr_jones")));
    assert_true(view_group_find(view, TEXT("bistro"), &group));
    assert_int_equal(group.image.member_count, 3);
    assert_true(text_equal(group.image.members[2].id, TEXT("table_6")));
    struct item_request item = {.kind = ITEM_GROUP,
                                .resource = TEXT("bistro"),
                                .quantity = 1,
                                .party = 4,
                                .start_ms = instant("2026-11-20T18:00:00Z"),
                                .end_ms = instant("2026-11-20T20:00:00Z")};
    assert_int_equal(hold_as_ann(&item), OUTCOME_OK);
    assert_int_equal(slots_of("table_4", (struct text){0}, "2026-11-20T00:00:00Z", &first), 6);
    item.party = 7;
    assert_int_equal(hold_as_ann(&item), OUTCOME_INVALID);
}

static void the_holiday_is_the_next_one(void **state)
{
    (void)state;
    struct slot first;
    open_store("2029-12-26T12:00:00Z");
    put_data();
    assert_int_equal(slots_of(DOCTOR, (struct text){0}, "2030-12-25T00:00:00Z", &first), 0); /* a Wednesday */
    assert_int_equal(slots_of(DOCTOR, (struct text){0}, "2030-12-26T00:00:00Z", &first), 14);
}

static void existing_records_stay_as_they_are(void **state)
{
    (void)state;
    struct store_stats before, after;
    struct event_view event;
    struct calendar_view calendar;
    open_store("2026-11-16T00:00:00Z");
    assert_string_equal(put_parts(&demo_catalogue[DEMO_PART_CALENDARS], 1), "");
    assert_false(view_event_after(view, 0, &event));
    put_data(); /* the events are created anyway */
    assert_true(view_event_find(view, TEXT("arena"), &event));
    assert_int_equal(event.counts.seats, 2400);
    store_stats(store, &before);
    put_data();
    store_stats(store, &after);
    assert_int_equal(before.seq, after.seq);
    uint32_t count = 0;
    for (uint64_t number = 0; view_calendar_after(view, number, &calendar); number = calendar.image.number)
        count++;
    assert_int_equal(count, 8);
}

#define A_CALL(method_, path_, type_, body_)                                                                 \
    {                                                                                                        \
        METHOD_##method_, path_, type_, body_                                                                \
    }
#define JSON "application/json"

static void an_error_is_refused_with_its_location(void **state)
{
    (void)state;
    static const struct demo_call bad[] = {
        A_CALL(PUT, "/v1/events/fair", JSON, "{\"name\":\"A fair\",\"starts_at\":\"+7d 20:00\"}"),
        A_CALL(PUT, "/v1/events/late", JSON, "{\"name\":\"Too late\",\"starts_at\":\"+7d 25:00\"}"),
        A_CALL(PUT, "/v1/events/never", JSON, "{\"name\":\"Never\"}"),
    };
    static const struct demo_call seats[] = {
        A_CALL(POST, "/v1/events/fair/seats", "text/csv", "id,price\nA1,100\nA2,much\n"),
    };
    static const struct demo_part parts[] = {{"/v1/events", NULL, bad, 3},
                                             {NULL, "/v1/events/fair", seats, 1}};
    struct event_view event;
    open_store("2026-11-16T00:00:00Z");
    const char *refusal = put_parts(parts, 1);
    assert_non_null(strstr(refusal, "PUT /v1/events/late: 400 "));
    assert_non_null(strstr(refusal, "\"pointer\":\"/starts_at\""));
    assert_non_null(strstr(refusal, "+7d 25:00"));
    assert_true(view_event_find(view, TEXT("fair"), &event));
    assert_int_equal(event.image.starts_at_ms, instant("2026-11-23T20:00:00Z"));
    assert_false(view_event_find(view, TEXT("never"), &event)); /* the part ends here */
    refusal = put_parts(parts, 2);                              /* nothing is left to do for the first */
    assert_non_null(strstr(refusal, "POST /v1/events/fair/seats: 400 "));
    assert_non_null(strstr(refusal, "\"line\":3"));
}

static void a_part_for_a_missing_resource_is_left_out(void **state)
{
    (void)state;
    struct fleet_view fleet;
    open_store("2026-11-16T00:00:00Z");
    assert_string_equal(put_parts(&demo_catalogue[DEMO_PART_VISITORS], 1), "");
    assert_false(view_fleet_after(view, TEXT(""), &fleet));
}

static const struct ride *find_ride(struct id id)
{
    const struct fleet *f = state_fleet_named(store_state(store), TEXT(DEMO_FLEET));
    uint32_t handle = f ? ride_find(f, id) : TABLE_NONE;
    return handle == TABLE_NONE ? NULL : ride_at(f, handle);
}

/* A second passes with each turn of the loop until the ride has this status. */
static void drive_until(struct id id, enum ride_status status)
{
    run_until((now_ms += 1000, find_ride(id) && find_ride(id)->status == (uint8_t)status));
}

static void act_with_each_turn(uv_timer_t *timer)
{
    uv_timer_set_repeat(timer, 1);
    uv_timer_again(timer);
}

static void a_ride_is_offered_and_taken_and_the_taxi_comes(void **state)
{
    (void)state;
    static struct demo_fleet taxis;
    struct result result = {0};
    struct id ride = {7, 9};
    open_store("2026-11-16T00:00:00Z");
    put_data();
    const struct fleet *f = state_fleet_named(store_state(store), TEXT(DEMO_FLEET));
    assert_int_equal(f->drivers_by_status[DRIVER_FREE], DEMO_DRIVERS);
    demo_fleet_start(&taxis, store, view, &loop);
    act_with_each_turn(&taxis.timer);
    struct h3_point here = {strtod(DEMO_FLEET_LAT, NULL), strtod(DEMO_FLEET_LNG, NULL)};
    struct command c = {.kind = COMMAND_RIDE_NEW, .actor = {.role = ROLE_USER, .name = TEXT("guest_ann")}};
    c.ride = (__typeof__(c.ride)){.fleet = TEXT(DEMO_FLEET),
                                  .id = ride,
                                  .pickup = {(int32_t)(here.lat * 1e7), (int32_t)(here.lng * 1e7)},
                                  .cell = h3_from_point(here, (int)f->image.resolution),
                                  .surge_milli = SURGE_MILLI_MIN};
    store_submit(store, &c, on_outcome, &result);
    run_until(result.done);
    assert_int_equal(result.code, OUTCOME_OK);
    drive_until(ride, RIDE_OFFERED);
    drive_until(ride, RIDE_ASSIGNED);
    struct ride_image image;
    ride_view(store_state(store), f, ride_find(f, ride), &image);
    assert_true(image.has_driver);
    drive_until(ride, RIDE_COMPLETED);
    demo_fleet_stop(&taxis);
    uv_run(&loop, UV_RUN_NOWAIT); /* the timer is closed */
}

static struct event_counts arena_now(void)
{
    struct event_view arena;
    assert_true(view_event_find(view, TEXT("arena"), &arena));
    assert_in_range(arena.counts.held, 0, DEMO_BUYERS * DEMO_BUYER_SEATS);
    assert_in_range(arena.counts.sold, 0, DEMO_BUYERS_SOLD_MAX);
    return arena.counts;
}

static void a_few_buyers_hold_give_back_and_buy_but_never_many(void **state)
{
    (void)state;
    static struct demo_buyers buyers;
    struct seat_view seat;
    open_store("2026-11-16T00:00:00Z");
    put_data();
    demo_buyers_start(&buyers, store, view, &loop, TEXT("arena"));
    act_with_each_turn(&buyers.timer);
    run_until((now_ms += 5000, arena_now().held));
    run_until((now_ms += 5000, arena_now().sold > DEMO_BUYERS_SOLD_MAX - DEMO_BUYER_SEATS));
    uint64_t sold = arena_now().sold;
    run_until((now_ms += 5000, arena_now().held == 0)); /* they go on, and buy no more */
    run_until((now_ms += 5000, arena_now().held));
    assert_int_equal(arena_now().sold, sold);
    assert_int_equal(view_seat_find(view, TEXT("arena"), TEXT("A-1-10"), &seat), OUTCOME_OK);
    assert_int_equal(seat.status, UNIT_AVAILABLE);
    demo_buyers_stop(&buyers);
    uv_run(&loop, UV_RUN_NOWAIT); /* the timer is closed */
}

static uint64_t rides_now(enum ride_status status)
{
    struct dispatch_stats stats;
    view_dispatch_stats(view, &stats);
    assert_in_range(stats.rides[RIDE_SEARCHING] + stats.rides[RIDE_OFFERED] + stats.rides[RIDE_ASSIGNED], 0,
                    DEMO_RIDERS);
    return stats.rides[status];
}

static void a_few_riders_ask_for_rides_and_ask_again(void **state)
{
    (void)state;
    static struct demo_fleet taxis;
    static struct demo_riders riders;
    open_store("2026-11-16T00:00:00Z");
    put_data();
    demo_fleet_start(&taxis, store, view, &loop);
    demo_riders_start(&riders, store, view, &loop);
    act_with_each_turn(&taxis.timer);
    act_with_each_turn(&riders.timer);
    run_until((now_ms += 1000, rides_now(RIDE_ASSIGNED) == DEMO_RIDERS));
    struct id first = riders.all[0].ride;
    drive_until(first, RIDE_COMPLETED);
    run_until(
        (now_ms += 1000, rides_now(RIDE_ASSIGNED) <= DEMO_RIDERS && !id_equal(riders.all[0].ride, first)));
    demo_fleet_stop(&taxis);
    demo_riders_stop(&riders);
    uv_run(&loop, UV_RUN_NOWAIT); /* the timers are closed */
}

int main(void)
{
#define demo_test(name) cmocka_unit_test_setup_teardown(name, set_up, clear)
    const struct CMUnitTest tests[] = {
        demo_test(the_doctor_works_on_weekdays_but_not_at_christmas),
        demo_test(nights_begin_at_three_and_end_at_eleven),
        demo_test(a_suite_is_let_by_the_night_and_tables_by_the_half_hour),
        demo_test(children_pay_less_and_friends_come_first),
        demo_test(the_front_row_of_the_theatre_is_for_the_press),
        demo_test(any_doctor_and_any_table_are_groups),
        demo_test(the_holiday_is_the_next_one),
        demo_test(existing_records_stay_as_they_are),
        demo_test(an_error_is_refused_with_its_location),
        demo_test(a_part_for_a_missing_resource_is_left_out),
        demo_test(a_ride_is_offered_and_taken_and_the_taxi_comes),
        demo_test(a_few_buyers_hold_give_back_and_buy_but_never_many),
        demo_test(a_few_riders_ask_for_rides_and_ask_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
