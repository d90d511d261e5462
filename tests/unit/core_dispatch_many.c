/* SPDX-License-Identifier: Apache-2.0 */
/* A large fleet costs no more than it should: memory, positions, and searches that take several steps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

#include "base/memory.h"
#include "core/entry_id.h"
#include "core/state.h"
#include "core/state_check.h"

#define NOW_MS 1700000000000

struct city {
    struct state *st;
    struct buf changes;
    struct outcome out;
    int64_t now_ms;
};

static uint64_t cell_of(struct geo_point p)
{
    return h3_from_point((struct h3_point){p.lat_e7 / 1e7, p.lng_e7 / 1e7}, 9);
}

static enum outcome_code apply(struct city *c, const struct command *command)
{
    buf_clear(&c->changes);
    return state_apply(c->st, command, c->now_ms, &c->changes, &c->out);
}

static void city_open(struct city *c, uint32_t max_rings)
{
    *c = (struct city){.st = state_make(), .now_ms = NOW_MS};
    buf_init(&c->changes, 1 << 26);
    struct command put = {.kind = COMMAND_FLEET_PUT, .actor = {.role = ROLE_ADMIN}};
    put.fleet_put = (struct fleet_image){.id = TEXT("F"),
                                         .offer_s = 15,
                                         .resolution = 9,
                                         .max_rings = max_rings,
                                         .presence_s = 30,
                                         .search_s = 180,
                                         .speed_kmh = 30,
                                         .weights = {.eta_milli = 1000},
                                         .key = {1, 2}};
    assert_int_equal(apply(c, &put), OUTCOME_OK);
}

static void city_close(struct city *c)
{
    state_release(c->st);
    buf_release(&c->changes);
}

static void report(void *ctx, const char *sentence)
{
    (void)ctx;
    fail_msg("%s", sentence);
}

static void name(char id[20], uint32_t i)
{
    snprintf(id, 20, "driver-%08u", i);
}

static void add_driver(struct city *c, uint32_t i, struct geo_point p)
{
    char id[20];
    name(id, i);
    struct command put = {.kind = COMMAND_DRIVER_PUT, .actor = {.role = ROLE_APP, .name = TEXT("app")}};
    put.driver_put.fleet = TEXT("F");
    put.driver_put.id = (struct text){id, strlen(id)};
    put.driver_put.point = p;
    put.driver_put.cell = cell_of(p);
    put.driver_put.available = true;
    assert_int_equal(apply(c, &put), OUTCOME_OK);
}

static void ask(struct city *c, uint64_t number, struct geo_point p)
{
    struct command ride = {.kind = COMMAND_RIDE_NEW, .actor = {.role = ROLE_USER, .name = TEXT("ann")}};
    ride.ride.fleet = TEXT("F");
    ride.ride.id = (struct id){7, number};
    ride.ride.pickup = p;
    ride.ride.cell = cell_of(p);
    ride.ride.surge_milli = 1000;
    assert_int_equal(apply(c, &ride), OUTCOME_OK);
}

static const struct fleet *fleet(const struct city *c)
{
    return state_fleet_named(c->st, TEXT("F"));
}

/* All in one cell: no step reads more than it may, and the nearest is found all the same, whoever comes meanwhile. */
static void a_search_takes_several_steps(void **state)
{
    (void)state;
    enum { COUNT = 10000 };
    struct city c;
    city_open(&c, 1);
    struct geo_point home = {525000000, 134000000};
    for (uint32_t i = 0; i < COUNT; i++)
        add_driver(&c, i, (struct geo_point){home.lat_e7 + 100 + (int32_t)(i * 7919 % COUNT), home.lng_e7});
    ask(&c, 1, home);
    uint32_t steps = 1;
    buf_clear(&c.changes);
    while (state_dispatch(c.st, c.now_ms, &c.changes)) {
        steps++;
        assert_true(fleet(&c)->scan.ride != 0 && steps < 100);
        /* One comes, one goes: the search is not disturbed. */
        add_driver(&c, COUNT + steps, (struct geo_point){home.lat_e7 + 50000, home.lng_e7});
        state_check(c.st, report, NULL);
        buf_clear(&c.changes);
    }
    assert_in_range(steps, COUNT / DISPATCH_WORK_MAX + 1, COUNT / DISPATCH_WORK_MAX + 3);
    uint32_t handle = ride_find(fleet(&c), (struct id){7, 1});
    const struct ride *r = ride_at(fleet(&c), handle);
    assert_int_equal(r->status, RIDE_OFFERED);
    assert_int_equal(driver_at(fleet(&c), r->driver - 1)->point.lat_e7, home.lat_e7 + 100);
    state_check(c.st, report, NULL);
    city_close(&c);
}

/* Near a pentagon each ring is found by going through all that is inside it, and nobody is there: that is work, too. */
static void rings_of_a_pentagon_take_several_steps(void **state)
{
    (void)state;
    const struct geo_point places[] = {{525000000, 134000000}, {647000000, 105362000}};
    for (int pentagon = 0; pentagon < 2; pentagon++) {
        struct city c;
        uint32_t steps = 1;
        city_open(&c, FLEET_RINGS_MAX);
        ask(&c, 1, places[pentagon]);
        for (buf_clear(&c.changes); state_dispatch(c.st, c.now_ms, &c.changes); steps++)
            ;
        assert_int_equal(fleet(&c)->fresh, 0);
        assert_in_range(steps, pentagon ? 7 : 1, pentagon ? 10 : 1);
        city_close(&c);
    }
}

/* Who is away is in a cell, and nobody is shown there: passing such cells is work of whoever looks. */
static void cells_of_those_away_are_counted(void **state)
{
    (void)state;
    enum { COUNT = 100 };
    struct city c;
    city_open(&c, 0);
    for (int32_t i = 0; i < COUNT; i++)
        add_driver(&c, (uint32_t)i, (struct geo_point){525000000 + i * 1000000, 134000000});
    c.now_ms += 30000;
    for (buf_clear(&c.changes); state_dispatch(c.st, c.now_ms, &c.changes);)
        ;
    add_driver(&c, COUNT, (struct geo_point){425000000, 134000000});
    struct fleet_cell cell;
    uint32_t from = 0, looks = COUNT / 2;
    assert_false(state_fleet_cell(fleet(&c), &from, &looks, &cell));
    assert_int_equal(looks, 0);
    assert_int_equal(from, COUNT / 2);
    looks = COUNT;
    assert_true(state_fleet_cell(fleet(&c), &from, &looks, &cell));
    assert_int_equal(cell.free, 1);
    assert_int_equal(looks, COUNT / 2 - 1);
    assert_false(state_fleet_cell(fleet(&c), &from, &looks, &cell));
    assert_true(looks > 0);
    city_close(&c);
}

/* A ride that is cancelled while it is searched for leaves nothing behind. */
static void a_search_can_be_called_off(void **state)
{
    (void)state;
    struct city c;
    city_open(&c, 1);
    struct geo_point home = {525000000, 134000000};
    for (uint32_t i = 0; i < DISPATCH_WORK_MAX + 100; i++)
        add_driver(&c, i, home);
    ask(&c, 1, home);
    ask(&c, 2, home);
    buf_clear(&c.changes);
    assert_true(state_dispatch(c.st, c.now_ms, &c.changes));
    struct command cancel = {.kind = COMMAND_RIDE_CANCEL, .actor = {.role = ROLE_USER, .name = TEXT("ann")}};
    cancel.ride.fleet = TEXT("F");
    cancel.ride.id = (struct id){7, 1};
    assert_int_equal(apply(&c, &cancel), OUTCOME_OK);
    assert_int_equal(fleet(&c)->scan.ride, 0);
    state_check(c.st, report, NULL);
    for (int i = 0; i < 10; i++) {
        buf_clear(&c.changes);
        c.now_ms += ROUND_PAUSE_MAX_MS;
        state_dispatch(c.st, c.now_ms, &c.changes);
    }
    assert_int_equal(fleet(&c)->rides_by_status[RIDE_OFFERED], 1);
    state_check(c.st, report, NULL);
    city_close(&c);
}

/* Processor time of looking after NEW rides that have just come, while others wait in vain. */
static double seconds_with(uint64_t waiting)
{
    enum { NEW = 2000 };
    struct city c;
    city_open(&c, 0);
    struct geo_point home = {525000000, 134000000};
    for (uint64_t i = 1; i <= waiting; i++)
        ask(&c, i, home);
    buf_clear(&c.changes);
    while (state_dispatch(c.st, c.now_ms, &c.changes))
        buf_clear(&c.changes);
    assert_int_equal(fleet(&c)->fresh, 0);
    for (uint64_t i = 1; i <= NEW; i++)
        ask(&c, waiting + i, home);
    assert_int_equal(fleet(&c)->fresh, NEW);
    clock_t began = clock();
    while (state_dispatch(c.st, c.now_ms, &c.changes))
        ;
    double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    assert_int_equal(fleet(&c)->fresh, 0);
    assert_int_equal(fleet(&c)->rides_by_status[RIDE_SEARCHING], waiting + NEW);
    state_check(c.st, report, NULL);
    city_close(&c);
    return seconds;
}

/* Nobody is free, and many wait: that costs nothing until somebody comes. */
static void those_that_wait_are_not_passed_one_by_one(void **state)
{
    (void)state;
    double few = seconds_with(200), many = seconds_with(40000);
    print_message("%.1f ms beside 200, %.1f ms beside 40,000\n", few * 1000, many * 1000);
    assert_true(many < 10 * few + 0.05);
}

/* Each lapse is written down, twice: a step has fewer of them than it reads drivers. */
static void lapses_take_several_steps(void **state)
{
    (void)state;
    enum { COUNT = 1200, A_STEP = DISPATCH_WORK_MAX / DISPATCH_LAPSE_WORK };
    struct city c;
    city_open(&c, 0);
    struct geo_point home = {525000000, 134000000};
    for (uint32_t i = 0; i < COUNT; i++)
        add_driver(&c, i, home);
    for (uint64_t i = 1; i <= COUNT; i++)
        ask(&c, i, home);
    while (state_dispatch(c.st, c.now_ms, &c.changes))
        buf_clear(&c.changes);
    c.now_ms += 15000;
    for (uint64_t done = 0; done < COUNT; buf_clear(&c.changes)) {
        uint64_t left = COUNT - done;
        assert_true(state_dispatch(c.st, c.now_ms, &c.changes));
        assert_int_equal(c.st->dispatch.ends[OFFER_TIMED_OUT] - done, left < A_STEP ? left : A_STEP);
        done = c.st->dispatch.ends[OFFER_TIMED_OUT];
    }
    state_check(c.st, report, NULL);
    city_close(&c);
}

static void leave(struct city *c, struct text id, struct geo_point p)
{
    struct command put = {.kind = COMMAND_DRIVER_PUT, .actor = {.role = ROLE_APP, .name = TEXT("app")}};
    put.driver_put.fleet = TEXT("F");
    put.driver_put.id = id;
    put.driver_put.point = p;
    put.driver_put.cell = cell_of(p);
    assert_int_equal(apply(c, &put), OUTCOME_OK);
}

/* A driver who comes and goes makes the history of a ride long, and whoever is read is looked for in it. */
static void a_long_history_takes_several_steps(void **state)
{
    (void)state;
    enum { OFFERS = 800, COUNT = 2000 };
    struct city c;
    city_open(&c, 0);
    struct geo_point home = {525000000, 134000000};
    ask(&c, 1, home);
    for (uint32_t i = 0; i < OFFERS; i++, c.now_ms += ROUND_PAUSE_MAX_MS) {
        add_driver(&c, 0, home);
        while (state_dispatch(c.st, c.now_ms, &c.changes))
            ;
        leave(&c, TEXT("driver-00000000"), home);
    }
    const struct ride *r = ride_at(fleet(&c), ride_find(fleet(&c), (struct id){7, 1}));
    assert_int_equal(r->offer_count, OFFERS);
    for (uint32_t i = 1; i <= COUNT; i++)
        add_driver(&c, i, home);
    uint32_t steps = 1;
    for (buf_clear(&c.changes); state_dispatch(c.st, c.now_ms, &c.changes); steps++)
        ;
    assert_int_equal(r->status, RIDE_OFFERED);
    assert_in_range(steps, COUNT / DISPATCH_OFFERS_PER_READ * OFFERS / DISPATCH_WORK_MAX, 100);
    city_close(&c);
}

/* The one driver there is comes and goes, until the ride is offered for the last time. */
static const struct ride *offer_until_the_last(struct city *c, struct geo_point home)
{
    ask(c, 1, home);
    const struct ride *r = ride_at(fleet(c), ride_find(fleet(c), (struct id){7, 1}));
    for (uint32_t i = 1; i <= RIDE_OFFERS_MAX; i++, c->now_ms += ROUND_PAUSE_MAX_MS) {
        if (i > 1)
            leave(c, TEXT("driver-00000000"), home);
        assert_int_equal(r->status, RIDE_SEARCHING);
        add_driver(c, 0, home);
        for (buf_clear(&c->changes); state_dispatch(c->st, c->now_ms, &c->changes);)
            ;
        assert_int_equal(r->status, RIDE_OFFERED);
        assert_int_equal(r->offer_count, i);
    }
    assert_true(c->now_ms < r->search_until_ms);
    return r;
}

static void a_ride_has_so_many_offers_and_no_more(void **state)
{
    (void)state;
    struct city c;
    city_open(&c, 0);
    struct geo_point home = {525000000, 134000000};
    const struct ride *r = offer_until_the_last(&c, home);
    leave(&c, TEXT("driver-00000000"), home);
    assert_int_equal(r->status, RIDE_NO_DRIVER);
    assert_int_equal(r->ended_at_ms, c.now_ms);
    add_driver(&c, 0, home);
    for (buf_clear(&c.changes); state_dispatch(c.st, c.now_ms, &c.changes);)
        ;
    assert_int_equal(r->offer_count, RIDE_OFFERS_MAX);
    state_check(c.st, report, NULL);
    city_close(&c);
}

/* The last offer may be accepted as any other; whoever then drives off leaves nobody to be asked. */
static void the_last_offer_may_be_accepted(void **state)
{
    (void)state;
    struct city c;
    city_open(&c, 0);
    const struct ride *r = offer_until_the_last(&c, (struct geo_point){525000000, 134000000});
    struct command accept = {.kind = COMMAND_OFFER_ACCEPT, .actor = {.role = ROLE_APP, .name = TEXT("app")}};
    accept.offer.fleet = TEXT("F");
    accept.offer.id = entry_id(fleet(&c)->image.key, ENTRY_RIDE_OFFER, r->offer);
    assert_int_equal(apply(&c, &accept), OUTCOME_OK);
    assert_int_equal(r->status, RIDE_ASSIGNED);
    struct command off = {.kind = COMMAND_RIDE_DRIVER_CANCEL,
                          .actor = {.role = ROLE_USER, .name = TEXT("driver-00000000")}};
    off.ride.fleet = TEXT("F");
    off.ride.id = r->id;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(apply(&c, &off), OUTCOME_OK);
        assert_int_equal(c.out.ride.status, RIDE_NO_DRIVER);
        assert_int_equal(c.out.ride.ended_at_ms, c.now_ms);
    }
    state_check(c.st, report, NULL);
    city_close(&c);
}

/* Processor time of a step in which the offers of many rides lapse, all of them older than those that wait. */
static double seconds_of_lapses(uint64_t waiting)
{
    enum { COUNT = 500 };
    struct city c;
    city_open(&c, 0);
    struct geo_point home = {525000000, 134000000}, nowhere = {425000000, 134000000};
    for (uint32_t i = 0; i < COUNT; i++)
        add_driver(&c, i, home);
    for (uint64_t i = 1; i <= COUNT; i++)
        ask(&c, i, home);
    while (state_dispatch(c.st, c.now_ms, &c.changes))
        buf_clear(&c.changes);
    assert_int_equal(fleet(&c)->rides_by_status[RIDE_OFFERED], COUNT);
    for (uint64_t i = 1; i <= waiting; i++)
        ask(&c, COUNT + i, nowhere);
    while (state_dispatch(c.st, c.now_ms, &c.changes))
        buf_clear(&c.changes);
    c.now_ms += 15000;
    clock_t began = clock();
    state_dispatch(c.st, c.now_ms, &c.changes);
    double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    state_check(c.st, report, NULL);
    city_close(&c);
    return seconds;
}

/* Whoever comes back finds its place among those that wait, and passes none of them. */
static void a_ride_goes_back_to_its_place_at_once(void **state)
{
    (void)state;
    double few = seconds_of_lapses(100), many = seconds_of_lapses(40000);
    print_message("a step of lapses: %.2f ms beside 100, %.2f ms beside 40,000\n", few * 1000, many * 1000);
    assert_true(many < 10 * few + 0.02);
}

/* Processor time of erasing a rider beside the rides of others. */
static double seconds_of_erasures(uint64_t others)
{
    enum { COUNT = 200 };
    struct city c;
    city_open(&c, 0);
    struct geo_point home = {525000000, 134000000};
    for (uint64_t i = 1; i <= others; i++)
        ask(&c, i, home);
    clock_t began = clock();
    for (uint32_t i = 0; i < COUNT; i++) {
        char from[20], to[20];
        struct command erase = {.kind = COMMAND_ERASE, .actor = {.role = ROLE_ADMIN}};
        name(from, i);
        name(to, COUNT + i);
        erase.erase.from = (struct text){from, strlen(from)};
        erase.erase.to = (struct text){to, strlen(to)};
        assert_int_equal(apply(&c, &erase), OUTCOME_OK);
    }
    double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    state_check(c.st, report, NULL);
    city_close(&c);
    return seconds;
}

static void a_person_is_found_among_many_rides(void **state)
{
    (void)state;
    double few = seconds_of_erasures(100), many = seconds_of_erasures(40000);
    print_message("200 erasures: %.2f ms beside 100 rides, %.2f ms beside 40,000\n", few * 1000, many * 1000);
    assert_true(many < 10 * few + 0.02);
}

/* What the tables and slabs of a fleet take, by their own account. */
static uint64_t bytes_of(const struct fleet *f)
{
    const struct table *tables[] = {&f->drivers_by_id, &f->cells_by_cell};
    uint64_t bytes = (uint64_t)f->drivers.chunk_count * SLAB_CHUNK * f->drivers.record_size +
                     (uint64_t)f->cells.chunk_count * SLAB_CHUNK * f->cells.record_size;
    for (int i = 0; i < 2; i++) {
        bytes += tables[i]->now.handles ? (tables[i]->now.mask + 1) * 6 : 0;
        bytes += tables[i]->old.handles ? (tables[i]->old.mask + 1) * 6 : 0;
    }
    return bytes;
}

/* 200,000 drivers, about four to a cell; all move, in bulk, and nothing is written. */
static void a_driver_takes_128_bytes(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    struct city c;
    city_open(&c, 6);
    static struct position all[POSITIONS_MAX];
    static char ids[POSITIONS_MAX][20];
    uint64_t random = 1;
    for (uint32_t i = 0; i < COUNT; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        add_driver(&c, i,
                   (struct geo_point){520000000 + (int32_t)(random >> 33) % 8000000,
                                      130000000 + (int32_t)(random >> 13 & 0x7fffffff) % 10000000});
    }
    uint64_t seq = c.st->seq;
    for (uint32_t first = 0; first < COUNT; first += POSITIONS_MAX) {
        struct command move = {.kind = COMMAND_POSITIONS, .actor = {.role = ROLE_APP, .name = TEXT("app")}};
        for (uint32_t i = 0; i < POSITIONS_MAX; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            name(ids[i], first + i);
            all[i] =
                (struct position){.driver = {ids[i], strlen(ids[i])},
                                  .point = {520000000 + (int32_t)(random >> 33) % 8000000,
                                            130000000 + (int32_t)(random >> 13 & 0x7fffffff) % 10000000}};
            all[i].cell = cell_of(all[i].point);
        }
        move.positions.fleet = TEXT("F");
        move.positions.all = all;
        move.positions.count = POSITIONS_MAX;
        assert_int_equal(apply(&c, &move), OUTCOME_OK);
        assert_int_equal(c.out.updated, POSITIONS_MAX);
        assert_int_equal(c.out.seq, 0); /* it waits for nothing */
    }
    assert_int_equal(c.st->seq, seq);
    assert_int_equal(fleet(&c)->drivers_by_status[DRIVER_FREE], COUNT);
    print_message("%.1f bytes a driver, %.1f drivers a cell\n", (double)bytes_of(fleet(&c)) / COUNT,
                  (double)COUNT / fleet(&c)->cells.count);
    assert_true(bytes_of(fleet(&c)) <= 128ull * COUNT);
    state_check(c.st, report, NULL);
    /* All fall silent together: as many steps as it takes. */
    c.now_ms += 30000;
    uint32_t steps = 1;
    buf_clear(&c.changes);
    while (state_dispatch(c.st, c.now_ms, &c.changes))
        steps++;
    assert_in_range(steps, COUNT / DISPATCH_WORK_MAX, COUNT / DISPATCH_WORK_MAX + 2);
    assert_int_equal(fleet(&c)->drivers_by_status[DRIVER_FREE], 0);
    city_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_search_takes_several_steps),
        cmocka_unit_test(rings_of_a_pentagon_take_several_steps),
        cmocka_unit_test(cells_of_those_away_are_counted),
        cmocka_unit_test(a_search_can_be_called_off),
        cmocka_unit_test(those_that_wait_are_not_passed_one_by_one),
        cmocka_unit_test(lapses_take_several_steps),
        cmocka_unit_test(a_long_history_takes_several_steps),
        cmocka_unit_test(a_ride_has_so_many_offers_and_no_more),
        cmocka_unit_test(the_last_offer_may_be_accepted),
        cmocka_unit_test(a_ride_goes_back_to_its_place_at_once),
        cmocka_unit_test(a_person_is_found_among_many_rides),
        cmocka_unit_test(a_driver_takes_128_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
