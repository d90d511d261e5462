/* SPDX-License-Identifier: Apache-2.0 */
/* No step exceeds its budget, however much there is to do, and no ride is offered endlessly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../lib/city.h"
#include "core/dispatch/dispatch.h"
#include "core/entry_id.h"

/* All in one cell: no step reads more than its budget, and the nearest is still found, whatever comes in between. */
static void a_search_takes_several_steps(void **state)
{
    (void)state;
    enum { COUNT = 10000 };
    struct city c;
    city_open(&c, 1);
    struct geo_point home = {525000000, 134000000};
    for (uint32_t i = 0; i < COUNT; i++)
        city_driver(&c, i, (struct geo_point){home.lat_e7 + 100 + (int32_t)(i * 7919 % COUNT), home.lng_e7});
    city_request(&c, 1, home);
    uint32_t steps = 1;
    buf_clear(&c.changes);
    while (state_dispatch(c.st, c.now_ms, &c.changes)) {
        steps++;
        assert_true(city_fleet(&c)->scan.ride != 0 && steps < 100);
        /* One comes, one goes: the search is not disturbed. */
        city_driver(&c, COUNT + steps, (struct geo_point){home.lat_e7 + 50000, home.lng_e7});
        city_check(&c);
        buf_clear(&c.changes);
    }
    assert_in_range(steps, COUNT / DISPATCH_WORK_MAX + 1, COUNT / DISPATCH_WORK_MAX + 3);
    uint32_t handle = ride_find(city_fleet(&c), (struct id){7, 1});
    const struct ride *r = ride_at(city_fleet(&c), handle);
    assert_int_equal(r->status, RIDE_OFFERED);
    assert_int_equal(driver_at(city_fleet(&c), r->driver - 1)->point.lat_e7, home.lat_e7 + 100);
    city_check(&c);
    city_close(&c);
}

/* Near a pentagon each ring is found by going through everything inside it, even if it is empty: that counts as
 * work. */
static void rings_of_a_pentagon_take_several_steps(void **state)
{
    (void)state;
    const struct geo_point places[] = {{525000000, 134000000}, {647000000, 105362000}};
    for (int pentagon = 0; pentagon < 2; pentagon++) {
        struct city c;
        uint32_t steps = 1;
        city_open(&c, FLEET_RINGS_MAX);
        city_request(&c, 1, places[pentagon]);
        for (buf_clear(&c.changes); state_dispatch(c.st, c.now_ms, &c.changes); steps++)
            ;
        assert_int_equal(city_fleet(&c)->fresh, 0);
        assert_in_range(steps, pentagon ? 7 : 1, pentagon ? 10 : 1);
        city_close(&c);
    }
}

/* Away drivers are in cells that show nobody: passing such cells counts as work of the reader. */
static void cells_of_away_drivers_count_as_work(void **state)
{
    (void)state;
    enum { COUNT = 100 };
    struct city c;
    city_open(&c, 0);
    for (int32_t i = 0; i < COUNT; i++)
        city_driver(&c, (uint32_t)i, (struct geo_point){525000000 + i * 1000000, 134000000});
    c.now_ms += 30000;
    for (buf_clear(&c.changes); state_dispatch(c.st, c.now_ms, &c.changes);)
        ;
    city_driver(&c, COUNT, (struct geo_point){425000000, 134000000});
    struct fleet_cell cell;
    uint32_t from = 0, looks = COUNT / 2;
    assert_false(state_fleet_cell(city_fleet(&c), &from, &looks, &cell));
    assert_int_equal(looks, 0);
    assert_int_equal(from, COUNT / 2);
    looks = COUNT;
    assert_true(state_fleet_cell(city_fleet(&c), &from, &looks, &cell));
    assert_int_equal(cell.free, 1);
    assert_int_equal(looks, COUNT / 2 - 1);
    assert_false(state_fleet_cell(city_fleet(&c), &from, &looks, &cell));
    assert_true(looks > 0);
    city_close(&c);
}

/* A ride that is cancelled during its search leaves nothing behind. */
static void a_search_can_be_cancelled(void **state)
{
    (void)state;
    struct city c;
    city_open(&c, 1);
    struct geo_point home = {525000000, 134000000};
    for (uint32_t i = 0; i < DISPATCH_WORK_MAX + 100; i++)
        city_driver(&c, i, home);
    city_request(&c, 1, home);
    city_request(&c, 2, home);
    buf_clear(&c.changes);
    assert_true(state_dispatch(c.st, c.now_ms, &c.changes));
    struct command cancel = {.kind = COMMAND_RIDE_CANCEL, .actor = {.role = ROLE_USER, .name = TEXT("ann")}};
    cancel.ride.fleet = TEXT("F");
    cancel.ride.id = (struct id){7, 1};
    assert_int_equal(city_apply(&c, &cancel), OUTCOME_OK);
    assert_int_equal(city_fleet(&c)->scan.ride, 0);
    city_check(&c);
    for (int i = 0; i < 10; i++) {
        buf_clear(&c.changes);
        c.now_ms += ROUND_PAUSE_MAX_MS;
        state_dispatch(c.st, c.now_ms, &c.changes);
    }
    assert_int_equal(city_fleet(&c)->rides_by_status[RIDE_OFFERED], 1);
    city_check(&c);
    city_close(&c);
}

/* By the old weights the nearest is best, by the new ones the longest idle; what the old ones found no longer
 * counts. */
static void a_search_restarts_with_new_weights(void **state)
{
    (void)state;
    enum { COUNT = 2 * DISPATCH_WORK_MAX };
    struct city c;
    city_open(&c, 1);
    struct geo_point home = {525000000, 134000000}, far = {home.lat_e7 + 9000, home.lng_e7};
    city_driver(&c, 0, far);
    c.now_ms += 20000;
    for (uint32_t i = 1; i < COUNT; i++)
        city_driver(&c, i, (struct geo_point){home.lat_e7 + (int32_t)i, home.lng_e7});
    city_request(&c, 1, home);
    buf_clear(&c.changes);
    assert_true(state_dispatch(c.st, c.now_ms, &c.changes));
    assert_true(city_fleet(&c)->scan.ride != 0);
    city_set(&c, 1, (struct fleet_weights){.eta_milli = 1000, .waiting_milli = 10000});
    for (int i = 0; i < 10; i++) {
        buf_clear(&c.changes);
        c.now_ms += ROUND_PAUSE_MAX_MS;
        state_dispatch(c.st, c.now_ms, &c.changes);
    }
    const struct ride *r = ride_at(city_fleet(&c), ride_find(city_fleet(&c), (struct id){7, 1}));
    assert_int_equal(r->status, RIDE_OFFERED);
    assert_int_equal(driver_at(city_fleet(&c), r->driver - 1)->point.lat_e7, far.lat_e7);
    city_check(&c);
    city_close(&c);
}

/* Each lapse is recorded, twice: a step has fewer of them than it reads drivers. */
static void lapses_take_several_steps(void **state)
{
    (void)state;
    enum { COUNT = 1200, A_STEP = DISPATCH_WORK_MAX / DISPATCH_LAPSE_WORK };
    struct city c;
    city_open(&c, 0);
    struct geo_point home = {525000000, 134000000};
    for (uint32_t i = 0; i < COUNT; i++)
        city_driver(&c, i, home);
    for (uint64_t i = 1; i <= COUNT; i++)
        city_request(&c, i, home);
    while (state_dispatch(c.st, c.now_ms, &c.changes))
        buf_clear(&c.changes);
    c.now_ms += 15000;
    for (uint64_t done = 0; done < COUNT; buf_clear(&c.changes)) {
        uint64_t left = COUNT - done;
        assert_true(state_dispatch(c.st, c.now_ms, &c.changes));
        assert_int_equal(c.st->dispatch->ends[OFFER_TIMED_OUT] - done, left < A_STEP ? left : A_STEP);
        done = c.st->dispatch->ends[OFFER_TIMED_OUT];
    }
    city_check(&c);
    city_close(&c);
}

/* For a ride that was offered this often before; each driver is asked as often as allowed. */
static uint32_t asked_after(uint32_t offers)
{
    return offers / DRIVER_OFFERS_MAX;
}

#define LAST_ASKED asked_after(RIDE_OFFERS_MAX - 1)

static void leave(struct city *c, uint32_t i, struct geo_point p)
{
    char id[CITY_NAME_SIZE];
    city_name(id, i);
    city_leave(c, (struct text){id, strlen(id)}, p);
}

/* Drivers who come and go make the history of a ride long, and it is searched for every driver read. */
static void a_long_history_takes_several_steps(void **state)
{
    (void)state;
    enum { OFFERS = 800, COUNT = 2000 };
    struct city c;
    city_open(&c, 0);
    struct geo_point home = {525000000, 134000000};
    city_request(&c, 1, home);
    for (uint32_t i = 0; i < OFFERS; i++, c.now_ms += ROUND_PAUSE_MAX_MS) {
        city_driver(&c, asked_after(i), home);
        while (state_dispatch(c.st, c.now_ms, &c.changes))
            ;
        leave(&c, asked_after(i), home);
    }
    const struct ride *r = ride_at(city_fleet(&c), ride_find(city_fleet(&c), (struct id){7, 1}));
    assert_int_equal(r->offer_count, OFFERS);
    for (uint32_t i = OFFERS; i < OFFERS + COUNT; i++)
        city_driver(&c, i, home);
    uint32_t steps = 1;
    for (buf_clear(&c.changes); state_dispatch(c.st, c.now_ms, &c.changes); steps++)
        ;
    assert_int_equal(r->status, RIDE_OFFERED);
    assert_in_range(steps, COUNT / DISPATCH_OFFERS_PER_READ * OFFERS / DISPATCH_WORK_MAX, 100);
    city_close(&c);
}

/* The only driver comes and goes, then another, until the last offer of the ride. */
static const struct ride *offer_until_the_last(struct city *c, struct geo_point home)
{
    city_request(c, 1, home);
    const struct ride *r = ride_at(city_fleet(c), ride_find(city_fleet(c), (struct id){7, 1}));
    for (uint32_t i = 0; i < RIDE_OFFERS_MAX; i++, c->now_ms += ROUND_PAUSE_MAX_MS) {
        if (i)
            leave(c, asked_after(i - 1), home);
        assert_int_equal(r->status, RIDE_SEARCHING);
        city_driver(c, asked_after(i), home);
        for (buf_clear(&c->changes); state_dispatch(c->st, c->now_ms, &c->changes);)
            ;
        assert_int_equal(r->status, RIDE_OFFERED);
        assert_int_equal(r->offer_count, i + 1);
    }
    assert_true(c->now_ms < r->search_until_ms);
    return r;
}

static void the_number_of_offers_of_a_ride_is_bounded(void **state)
{
    (void)state;
    struct city c;
    city_open(&c, 0);
    struct geo_point home = {525000000, 134000000};
    const struct ride *r = offer_until_the_last(&c, home);
    leave(&c, LAST_ASKED, home);
    assert_int_equal(r->status, RIDE_NO_DRIVER);
    assert_int_equal(r->ended_at_ms, c.now_ms);
    city_driver(&c, LAST_ASKED + 1, home);
    for (buf_clear(&c.changes); state_dispatch(c.st, c.now_ms, &c.changes);)
        ;
    assert_int_equal(r->offer_count, RIDE_OFFERS_MAX);
    city_check(&c);
    city_close(&c);
}

/* The last offer can be accepted like any other; after a driver-cancel there is nobody left to ask. */
static void the_last_offer_can_be_accepted(void **state)
{
    (void)state;
    struct city c;
    city_open(&c, 0);
    const struct ride *r = offer_until_the_last(&c, (struct geo_point){525000000, 134000000});
    struct command accept = {.kind = COMMAND_OFFER_ACCEPT, .actor = {.role = ROLE_APP, .name = TEXT("app")}};
    accept.offer.fleet = TEXT("F");
    accept.offer.id = entry_id(city_fleet(&c)->image.key, ENTRY_RIDE_OFFER, r->offer);
    assert_int_equal(city_apply(&c, &accept), OUTCOME_OK);
    assert_int_equal(r->status, RIDE_ASSIGNED);
    struct command off = {.kind = COMMAND_RIDE_DRIVER_CANCEL,
                          .actor = {.role = ROLE_USER, .name = TEXT("driver-00000333")}};
    assert_int_equal(LAST_ASKED, 333);
    off.ride.fleet = TEXT("F");
    off.ride.id = r->id;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(city_apply(&c, &off), OUTCOME_OK);
        assert_int_equal(c.out.ride.status, RIDE_NO_DRIVER);
        assert_int_equal(c.out.ride.ended_at_ms, c.now_ms);
    }
    city_check(&c);
    city_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_search_takes_several_steps),
        cmocka_unit_test(rings_of_a_pentagon_take_several_steps),
        cmocka_unit_test(cells_of_away_drivers_count_as_work),
        cmocka_unit_test(a_search_can_be_cancelled),
        cmocka_unit_test(a_search_restarts_with_new_weights),
        cmocka_unit_test(lapses_take_several_steps),
        cmocka_unit_test(a_long_history_takes_several_steps),
        cmocka_unit_test(the_number_of_offers_of_a_ride_is_bounded),
        cmocka_unit_test(the_last_offer_can_be_accepted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
