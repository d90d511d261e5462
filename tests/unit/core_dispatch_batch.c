/* SPDX-License-Identifier: Apache-2.0 */
/* Batches that take several steps, while rides and drivers come and go; groups too large for an auction. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "core/dispatch/auction.h"
#include "core/dispatch/dispatch.h"
#include "core/state.h"
#include "core/state_check.h"

#define NOW_MS 1700000000000
#define BATCH_MS 1000

struct city {
    struct state *st;
    struct buf changes;
    struct outcome out;
    int64_t now_ms;
    uint64_t random;
};

static uint32_t roll(struct city *c, uint32_t sides)
{
    c->random = c->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((c->random >> 33) % sides);
}

static enum outcome_code apply(struct city *c, const struct command *command)
{
    buf_clear(&c->changes);
    return state_apply(c->st, command, c->now_ms, &c->changes, &c->out);
}

static void put_fleet(struct city *c, struct text id, uint32_t batch_ms)
{
    struct command put = {.kind = COMMAND_FLEET_PUT, .actor = {.role = ROLE_ADMIN}};
    put.fleet_put = (struct fleet_image){.id = id,
                                         .offer_s = 15,
                                         .resolution = 9,
                                         .max_rings = 6,
                                         .presence_s = 30,
                                         .search_s = 180,
                                         .speed_kmh = 30,
                                         .batch_ms = batch_ms,
                                         .weights = {.eta_milli = 1000},
                                         .key = {1, 2}};
    assert_int_equal(apply(c, &put), OUTCOME_OK);
}

static void city_open(struct city *c)
{
    *c = (struct city){.st = state_make(), .now_ms = NOW_MS, .random = 7};
    buf_init(&c->changes, 1 << 26);
    put_fleet(c, TEXT("F"), BATCH_MS);
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

static const struct fleet *fleet(const struct city *c)
{
    return state_fleet_named(c->st, TEXT("F"));
}

/* Near one of several places that are far from each other. */
static struct geo_point near(struct city *c, uint32_t place, uint32_t reach)
{
    int32_t north = (int32_t)roll(c, reach), east = (int32_t)roll(c, reach);
    return (struct geo_point){500000000 + (int32_t)place * 2000000 + north, 134000000 + east};
}

static uint64_t cell_of(struct geo_point p)
{
    return h3_from_point((struct h3_point){p.lat_e7 / 1e7, p.lng_e7 / 1e7}, 9);
}

static void put_driver(struct city *c, struct text f, uint32_t i, struct geo_point p, bool available)
{
    char id[20];
    snprintf(id, sizeof(id), "d%06u", i);
    struct command put = {.kind = COMMAND_DRIVER_PUT, .actor = {.role = ROLE_APP, .name = TEXT("app")}};
    put.driver_put.fleet = f;
    put.driver_put.id = (struct text){id, strlen(id)};
    put.driver_put.point = p;
    put.driver_put.cell = cell_of(p);
    put.driver_put.available = available;
    assert_int_equal(apply(c, &put), OUTCOME_OK);
}

static void ask(struct city *c, struct text f, uint64_t number, struct geo_point p)
{
    struct command ride = {.kind = COMMAND_RIDE_NEW, .actor = {.role = ROLE_USER, .name = TEXT("ann")}};
    ride.ride.fleet = f;
    ride.ride.id = (struct id){7, number};
    ride.ride.pickup = p;
    ride.ride.cell = cell_of(p);
    ride.ride.surge_milli = 1000;
    assert_int_equal(apply(c, &ride), OUTCOME_OK);
}

static void cancel(struct city *c, uint64_t number)
{
    struct command ride = {.kind = COMMAND_RIDE_CANCEL, .actor = {.role = ROLE_APP, .name = TEXT("app")}};
    ride.ride.fleet = TEXT("F");
    ride.ride.id = (struct id){7, number};
    assert_int_equal(apply(c, &ride), OUTCOME_OK);
}

static const struct ride *ride_numbered(const struct city *c, struct text f, uint64_t number)
{
    const struct fleet *found = state_fleet_named(c->st, f);
    return ride_at(found, ride_find(found, (struct id){7, number}));
}

/* One step; whether there is more to do at this instant. */
static bool step(struct city *c)
{
    buf_clear(&c->changes);
    uint64_t offered = fleet(c) ? fleet(c)->rides_by_status[RIDE_OFFERED] : 0;
    bool more = state_dispatch(c->st, c->now_ms, &c->changes);
    if (fleet(c))
        assert_in_range(fleet(c)->rides_by_status[RIDE_OFFERED], offered, offered + DISPATCH_OFFERS_MAX);
    return more;
}

/* ---- Claims ---- */

/* Twelve places with 50 rides each, with more drivers than rides, or fewer; some leave during the batch, some come. The
 * checksum of the events shows whether it is always the same. */
static uint64_t many_places(bool disturbed)
{
    enum { PLACES = 12, RIDES = 50 };
    struct city c;
    city_open(&c);
    step(&c);
    uint32_t drivers = 0, rides = 0, steps = 1, most = 0;
    for (uint32_t p = 0; p < PLACES; p++) {
        uint32_t here = p % 2 ? 40 : 60;
        most += p % 2 ? 40 : RIDES;
        for (uint32_t i = 0; i < here; i++)
            put_driver(&c, TEXT("F"), drivers++, near(&c, p, 60000), true);
        for (uint32_t i = 0; i < RIDES; i++)
            ask(&c, TEXT("F"), ++rides, near(&c, p, 60000));
    }
    assert_int_equal(state_next_dispatch(c.st), NOW_MS + BATCH_MS);
    c.now_ms += BATCH_MS;
    uint64_t sum = 0;
    for (; step(&c); steps++) {
        state_check(c.st, report, NULL);
        assert_true(steps < 1000 && fleet(&c)->batch);
        for (size_t i = 0; i < c.changes.size; i++)
            sum = sum * 31 + c.changes.data[i];
        if (!disturbed)
            continue;
        cancel(&c, 1 + roll(&c, rides));
        put_driver(&c, TEXT("F"), roll(&c, drivers), near(&c, roll(&c, PLACES), 60000), roll(&c, 2));
        put_driver(&c, TEXT("F"), drivers++, near(&c, roll(&c, PLACES), 60000), true);
        ask(&c, TEXT("F"), ++rides, near(&c, roll(&c, PLACES), 60000));
    }
    state_check(c.st, report, NULL);
    const struct fleet *f = fleet(&c);
    assert_true(steps > 3 && !f->batch);
    /* With fewer drivers all are taken, with more all rides have one. */
    if (!disturbed) {
        assert_int_equal(f->rides_by_status[RIDE_OFFERED], most);
        for (uint32_t i = 1; i <= rides; i++)
            if ((i - 1) / RIDES % 2 == 0 || (i - 1) % RIDES < 25)
                assert_int_equal(ride_numbered(&c, TEXT("F"), i)->status, RIDE_OFFERED);
    }
    assert_in_range(c.st->dispatch->stats.groups, PLACES, PLACES * 20);
    assert_int_equal(c.st->dispatch->stats.groups_too_large, 0);
    city_close(&c);
    return sum;
}

static void a_batch_takes_several_steps(void **state)
{
    (void)state;
    assert_true(many_places(false) == many_places(false));
}

static void rides_and_drivers_come_and_go_during_a_batch(void **state)
{
    (void)state;
    assert_true(many_places(true) == many_places(true));
}

/* More than an auction takes, all in one place: as without batching, and counted. */
static void too_many_for_an_auction(void **state)
{
    (void)state;
    enum { RIDES = AUCTION_RIDES_MAX + 1, DRIVERS = 400 };
    struct city c;
    city_open(&c);
    put_fleet(&c, TEXT("G"), 0);
    step(&c);
    for (uint32_t i = 0; i < DRIVERS; i++) {
        struct geo_point p = near(&c, 0, 60000);
        put_driver(&c, TEXT("F"), i, p, true);
        put_driver(&c, TEXT("G"), DRIVERS + i, p, true); /* the same id would be the same driver */
    }
    for (uint32_t i = 1; i <= RIDES; i++) {
        struct geo_point p = near(&c, 0, 60000);
        ask(&c, TEXT("F"), i, p);
        ask(&c, TEXT("G"), i, p);
    }
    c.now_ms += BATCH_MS;
    for (int i = 0; step(&c); i++)
        assert_in_range(i, 0, 1000);
    assert_int_equal(c.st->dispatch->stats.groups_too_large, 1);
    state_check(c.st, report, NULL);
    const struct fleet *g = state_fleet_named(c.st, TEXT("G"));
    assert_int_equal(g->rides_by_status[RIDE_OFFERED], RIDES);
    assert_int_equal(fleet(&c)->rides_by_status[RIDE_OFFERED], RIDES);
    /* The first ride chooses first; later ones can have seen more candidates than a fleet without batching reads. */
    uint32_t same = 0;
    for (uint32_t i = 1; i <= RIDES; i++) {
        const struct ride *a = ride_numbered(&c, TEXT("F"), i), *b = ride_numbered(&c, TEXT("G"), i);
        same += ride_offer(fleet(&c), a)->score_ms == ride_offer(g, b)->score_ms;
        assert_true(i > 1 || same);
    }
    assert_in_range(same, RIDES / 2, RIDES);
    city_close(&c);
}

/* Settings change, rides end, the fleet is removed, the process ends: in the middle of a batch. */
static void a_batch_can_be_cut_short(void **state)
{
    (void)state;
    for (int how = 0; how < 4; how++) {
        struct city c;
        city_open(&c);
        step(&c);
        for (uint32_t i = 0; i < 120; i++)
            put_driver(&c, TEXT("F"), i, near(&c, 0, 60000), true);
        for (uint32_t i = 1; i <= 100; i++)
            ask(&c, TEXT("F"), i, near(&c, 0, 60000));
        c.now_ms += BATCH_MS;
        assert_true(step(&c) && fleet(&c)->batch);
        if (how == 0 || how == 1) {
            put_fleet(&c, TEXT("F"), how ? 2 * BATCH_MS : 0);
            assert_true(!fleet(&c)->batch);
            state_check(c.st, report, NULL);
            c.now_ms += how ? 2 * BATCH_MS : ROUND_PAUSE_MAX_MS;
            while (step(&c))
                ;
            assert_int_equal(fleet(&c)->rides_by_status[RIDE_OFFERED], 100);
        } else if (how == 2) {
            for (uint32_t i = 1; i <= 100; i++)
                cancel(&c, i);
            assert_true(state_next_dispatch(c.st) <= c.now_ms);
            struct command gone = {.kind = COMMAND_FLEET_REMOVE, .actor = {.role = ROLE_ADMIN}};
            gone.fleet = TEXT("F");
            assert_int_equal(apply(&c, &gone), OUTCOME_OK);
            assert_false(step(&c));
        }
        city_close(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_takes_several_steps),
        cmocka_unit_test(rides_and_drivers_come_and_go_during_a_batch),
        cmocka_unit_test(too_many_for_an_auction),
        cmocka_unit_test(a_batch_can_be_cut_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
