/* SPDX-License-Identifier: Apache-2.0 */
/* What happens to rides and offers is reported in order, once it is durable, and again to a driver who comes back, as long as
 * it is remembered. */
#include "../lib/view_loop.h"

#include "base/geo/h3.h"

#define START_MS 1772438400000LL
#define REMEMBERED 65536u

static int64_t now_ms = START_MS;
static struct outcome last;
static struct id last_ride;
static uint64_t told_count, told_seq, offers_made, offers_ended, fleet_number;

static void on_outcome(void *ctx, const struct outcome *outcome)
{
    (void)ctx;
    last = *outcome;
    last_ride = outcome->ride.id;
}

static void must(struct command c)
{
    c.actor.role = ROLE_ADMIN;
    store_submit(store, &c, on_outcome, NULL);
    assert_int_equal(last.code, OUTCOME_OK);
}

static void on_ride(void *ctx, const struct ride_touch *touch)
{
    assert_ptr_equal(ctx, &told_count);
    assert_true(touch->seq > told_seq && touch->seq <= store_durable_seq(store));
    assert_int_equal(touch->fleet, fleet_number);
    told_seq = touch->seq;
    told_count++;
}

static void on_again(void *ctx, const struct ride_touch *touch)
{
    uint64_t *seq = ctx;
    assert_true(touch->seq > *seq && touch->offer);
    *seq = touch->seq;
    offers_made += !touch->end;
    offers_ended += touch->end != 0;
}

static void make_fleet(const char *data)
{
    now_ms = START_MS;
    told_count = told_seq = 0;
    fine(store_try(
        (struct store_options){.data = data, .clock = fixed_clock(&now_ms), .journal_max = 1u << 30}));
    must((struct command){.kind = COMMAND_FLEET_PUT,
                          .fleet_put = {.id = TEXT("f"),
                                        .offer_s = 15,
                                        .resolution = 9,
                                        .max_rings = 2,
                                        .presence_s = 86400,
                                        .search_s = 180,
                                        .speed_kmh = 30,
                                        .weights = {.eta_milli = 1000}}});
    fleet_number = last.fleet->number;
    must((struct command){.kind = COMMAND_DRIVER_PUT,
                          .driver_put = {.fleet = TEXT("f"),
                                         .id = TEXT("dora"),
                                         .cell = h3_from_point((struct h3_point){0, 0}, 9),
                                         .available = true}});
    view_on_ride(view, on_ride, &told_count);
}

static struct id ask_ride(void)
{
    static uint64_t number;
    number++;
    must((struct command){.kind = COMMAND_RIDE_NEW,
                          .user_id = TEXT("ann"),
                          .ride = {.fleet = TEXT("f"),
                                   .id = id_make(now_ms, number, number),
                                   .cell = h3_from_point((struct h3_point){0, 0}, 9),
                                   .surge_milli = 1000}});
    return last_ride;
}

static void cancel_ride(struct id id)
{
    must((struct command){.kind = COMMAND_RIDE_CANCEL, .ride = {.fleet = TEXT("f"), .id = id}});
}

static bool offered(struct id id)
{
    struct ride_seen seen;
    return view_ride(view, fleet_number, id, (struct text){0}, &seen) && seen.image.status == RIDE_OFFERED;
}

static bool again(struct text driver, uint64_t after)
{
    uint64_t seq = after;
    offers_made = offers_ended = 0;
    return view_driver_touches(view, fleet_number, view_driver_hash(driver), after, on_again, &seq);
}

static void a_driver_is_told_again_what_came_after(void **state)
{
    (void)state;
    make_fleet(fixture_data);
    wait_durable();
    uint64_t before = view_rides_notified_seq(view);
    struct id ride = ask_ride();
    run_until(offered(ride));
    wait_durable();
    run_until(told_count == 3); /* searching; an offer; offered */
    assert_true(again(TEXT("dora"), before));
    assert_int_equal(offers_made, 1);
    assert_int_equal(offers_ended, 0);
    uint64_t between = view_rides_notified_seq(view);
    cancel_ride(ride);
    run_until(told_count == 5);
    assert_true(again(TEXT("dora"), before) && offers_made == 1 && offers_ended == 1);
    assert_true(again(TEXT("dora"), between) && offers_made == 0 && offers_ended == 1);
    assert_true(again(TEXT("emil"), before) && offers_made == 0 && offers_ended == 0);
    assert_false(again(TEXT("dora"), view_rides_notified_seq(view) + 1)); /* nobody has seen that */
    assert_true(again(TEXT("dora"), view_rides_notified_seq(view)));
}

static void who_may_see_it_is_asked_each_time(void **state)
{
    (void)state;
    struct ride_seen seen;
    struct offer_image offer;
    struct ride_image of;
    make_fleet(fixture_data);
    struct id ride = ask_ride();
    assert_true(view_ride(view, fleet_number, ride, TEXT("ann"), &seen) && seen.as_rider);
    assert_false(view_ride(view, fleet_number, ride, TEXT("dora"), &seen));
    run_until(offered(ride));
    assert_true(view_ride(view, fleet_number, ride, TEXT("dora"), &seen) && !seen.as_rider);
    assert_true(view_offer(view, fleet_number, seen.image.offer, &offer, &of));
    assert_true(text_equal(offer.driver_id, TEXT("dora")) && id_equal(of.id, ride));
    cancel_ride(ride);
    assert_false(view_ride(view, fleet_number, ride, TEXT("dora"), &seen));
    assert_false(view_ride(view, fleet_number + 1, ride, (struct text){0}, &seen));
    assert_false(view_offer(view, fleet_number, 1, &offer, &of));
    assert_true(view_has_driver(view, fleet_number, TEXT("dora")));
    assert_false(view_has_driver(view, fleet_number, TEXT("emil")));
}

static void what_is_too_old_is_not_told_and_a_restart_forgets(void **state)
{
    (void)state;
    make_fleet(fixture_data);
    must((struct command){.kind = COMMAND_DRIVER_REMOVE, .driver = {TEXT("f"), TEXT("dora")}});
    uint64_t start = store_state(store)->seq, count = 1; /* the driver who is gone */
    while (count < REMEMBERED + 2) {
        for (unsigned i = 0; i < 64; i++, count += 2)
            cancel_ride(ask_ride());
        uv_run(&loop, UV_RUN_NOWAIT);
    }
    wait_durable();
    run_until(told_count == count);
    assert_false(again(TEXT("emil"), start));
    assert_true(again(TEXT("emil"), view_rides_notified_seq(view) - REMEMBERED / 2));
    uint64_t seq = view_rides_notified_seq(view);
    close_store();
    fine(store_try((struct store_options){.data = fixture_data, .clock = fixed_clock(&now_ms)}));
    assert_false(again(TEXT("emil"), seq - 1));
    assert_true(again(TEXT("emil"), view_rides_notified_seq(view)));
}

static int set_up(void **state)
{
    (void)state;
    fixture_folders();
    return 0;
}

#define ride_test(name) cmocka_unit_test_setup_teardown(name, set_up, fixture_clear)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ride_test(a_driver_is_told_again_what_came_after),
        ride_test(who_may_see_it_is_asked_each_time),
        ride_test(what_is_too_old_is_not_told_and_a_restart_forgets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
