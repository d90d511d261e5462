/* SPDX-License-Identifier: Apache-2.0 */
/* Recovery of fleets makes no assumptions: a damaged or missing change is reported, or gives a state in which all rules
 * hold; it never ends the process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../lib/world.h"
#include "base/memory/memory.h"
#include "core/dispatch/dispatch.h"
#include "core/entry_id.h"
#include "core/state_check.h"

static struct world w;
static struct change *change;

static void apply(struct command c)
{
    struct outcome out;
    assert_int_equal(world_apply(&w, &c, &out), OUTCOME_OK);
    assert_string_equal(w.fault, "");
}

static uint64_t cell(void)
{
    return h3_from_point((struct h3_point){0, 0}, 9);
}

static void driver(struct text id)
{
    static const struct text types[] = {TEXT("xl"), TEXT("pet")};
    struct command c = {.kind = COMMAND_DRIVER_PUT, .actor = {.role = ROLE_APP, .name = TEXT("app")}};
    c.driver_put.fleet = TEXT("F");
    c.driver_put.id = id;
    c.driver_put.cell = cell();
    c.driver_put.available = c.driver_put.has_types = true;
    c.driver_put.types = types;
    c.driver_put.type_count = 2;
    apply(c);
}

static struct command ride(enum command_kind kind, uint64_t id)
{
    struct command c = {.kind = kind, .actor = {.role = ROLE_APP, .name = TEXT("app")}};
    if (kind == COMMAND_RIDE_NEW)
        c.user_id = TEXT("ann");
    c.ride.fleet = TEXT("F");
    c.ride.id = (struct id){id, id};
    c.ride.cell = cell();
    c.ride.type = TEXT("xl");
    c.ride.surge_milli = 1000;
    return c;
}

static void answer(enum command_kind kind, uint64_t id)
{
    const struct fleet *f = state_fleet_named(w.st, TEXT("F"));
    const struct ride *r = ride_at(f, ride_find(f, (struct id){id, id}));
    struct command c = {.kind = kind, .actor = {.role = ROLE_APP, .name = TEXT("app")}};
    c.offer.fleet = TEXT("F");
    c.offer.id = entry_id(f->image.key, ENTRY_RIDE_OFFER, r->offer);
    apply(c);
}

/* A journal with every kind of change, and every end of an offer but one. */
static int make_journal(void **state)
{
    (void)state;
    world_init(&w);
    change = memory_zeroed(1, sizeof(*change));
    struct command c = {.kind = COMMAND_FLEET_PUT, .actor = {.role = ROLE_ADMIN}};
    c.fleet_put = (struct fleet_image){.id = TEXT("F"),
                                       .offer_s = 15,
                                       .resolution = 9,
                                       .max_rings = 2,
                                       .presence_s = 600,
                                       .search_s = 60,
                                       .speed_kmh = 30,
                                       .weights = {.eta_milli = 1000},
                                       .key = {1, 2}};
    apply(c);
    driver(TEXT("ann"));
    driver(TEXT("a driver with a name that is outside"));
    for (uint64_t i = 1; i <= 3; i++)
        apply(ride(COMMAND_RIDE_NEW, i));
    world_dispatch(&w);
    answer(COMMAND_OFFER_ACCEPT, 1);
    answer(COMMAND_OFFER_DECLINE, 2);
    w.now_ms += 1000;
    world_dispatch(&w);
    w.now_ms += 15000;
    world_dispatch(&w);
    apply(ride(COMMAND_RIDE_DRIVER_CANCEL, 1));
    w.now_ms += 1000;
    world_dispatch(&w);
    apply(ride(COMMAND_RIDE_CANCEL, 3));
    c = (struct command){.kind = COMMAND_DRIVER_REMOVE, .actor = {.role = ROLE_ADMIN}};
    c.driver.fleet = TEXT("F");
    c.driver.id = TEXT("ann");
    apply(c);
    return 0;
}

static int release(void **state)
{
    (void)state;
    world_release(&w);
    free(change);
    return 0;
}

static void report(void *ctx, const char *sentence)
{
    fail_msg("%s: %s", (const char *)ctx, sentence);
}

/* Restores it without one change (0: with all), as far as possible. True: to the end, and complete. */
static bool restores(const uint8_t *bytes, size_t size, uint64_t without)
{
    struct bytes_reader in = bytes_reader_make(bytes, size);
    struct state *st = state_make();
    bool fits = true;
    for (uint64_t i = 1; fits && bytes_left(&in); i++) {
        fits = change_decode(&in, st->seq + 1, change);
        if (fits && i != without)
            fits = state_restore(st, change) == RESTORE_OK;
    }
    fits = fits && state_restore_end(st);
    if (fits) {
        struct buf changes;
        buf_init(&changes, 1 << 20);
        state_check(st, report, (void *)(uintptr_t) "after recovery");
        /* And it continues from there. */
        int64_t now_ms = st->now_ms > w.now_ms ? st->now_ms : w.now_ms;
        for (int i = 0; i < 100 && state_dispatch(st, now_ms, &changes); i++)
            buf_clear(&changes);
        buf_release(&changes);
    }
    state_release(st);
    return fits;
}

static void the_whole_journal_fits(void **state)
{
    (void)state;
    assert_true(w.changes > 20);
    assert_true(restores(w.journal.data, w.journal.size, 0));
}

static void a_missing_change_is_noticed(void **state)
{
    (void)state;
    for (uint64_t without = 1; without < w.changes; without++)
        if (restores(w.journal.data, w.journal.size, without))
            fail_msg("change %llu is not missed", (unsigned long long)without);
}

/* A journal that ends in the middle of a step is refused: an offer without its ride. */
static void only_whole_steps_fit(void **state)
{
    (void)state;
    for (uint64_t count = 1; count <= w.changes; count++) {
        bool whole = world_step_end(&w, count) == count;
        struct bytes_reader in = bytes_reader_make(w.journal.data, w.ends[count - 1]);
        for (uint64_t i = 1; i <= count; i++)
            assert_true(change_decode(&in, i, change));
        /* In a step of time each offer with its ride is complete. */
        bool fits = restores(w.journal.data, w.ends[count - 1], 0);
        assert_true(!whole || fits);
        assert_true(fits == (change->kind != CHANGE_OFFER));
    }
}

/* The state at the end of the journal, and a searching ride in it. */
static struct state *recovered(struct ride_image *searching)
{
    struct bytes_reader in = bytes_reader_make(w.journal.data, w.journal.size);
    struct state *st = state_make();
    while (bytes_left(&in)) {
        assert_true(change_decode(&in, st->seq + 1, change));
        assert_int_equal(state_restore(st, change), RESTORE_OK);
    }
    const struct fleet *f = state_fleet_named(st, TEXT("F"));
    assert_true(f->first_waiting);
    ride_image_make(f, ride_at(f, f->first_waiting - 1), searching);
    assert_int_equal(searching->status, RIDE_SEARCHING);
    return st;
}

/* An accepted ride must not already have a driver. */
static void a_waiting_ride_has_no_driver(void **state)
{
    (void)state;
    struct ride_image image;
    struct state *st = recovered(&image);
    *change = (struct change){.kind = CHANGE_RIDE, .seq = st->seq + 1, .at_ms = st->now_ms, .ride = image};
    change->ride.id = (struct id){9, 9};
    change->ride.number = change->seq;
    change->ride.driver_id = TEXT("bob");
    assert_int_equal(state_restore(st, change), RESTORE_DAMAGED);
    change->seq = change->ride.number = st->seq + 1;
    change->ride.driver_id = (struct text){0};
    assert_int_equal(state_restore(st, change), RESTORE_OK);
    state_release(st);
}

/* The book returns an ended ride: anything live in it would be forgotten with it. */
static void an_ended_ride_has_no_live_offer(void **state)
{
    (void)state;
    struct ride_image image;
    struct state *st = recovered(&image);
    struct offer_image offer = {.fleet = image.fleet,
                                .number = st->seq,
                                .ride = {9, 9},
                                .driver_id = TEXT("bob"),
                                .made_at_ms = 1,
                                .expires_at_ms = 2};
    image.id = offer.ride;
    image.status = RIDE_NO_DRIVER;
    image.ended_at_ms = st->now_ms;
    image.offers = &offer;
    image.offer_count = 1;
    assert_false(state_remember_ride(st, &image));
    state_release(st);
}

static void every_damaged_byte_is_survived(void **state)
{
    (void)state;
    uint8_t *copy = memory_get(w.journal.size);
    for (size_t i = 0; i < w.journal.size; i++)
        for (int bit = 0; bit < 8; bit++) {
            memcpy(copy, w.journal.data, w.journal.size);
            copy[i] ^= (uint8_t)(1 << bit);
            restores(copy, w.journal.size, 0);
        }
    free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_whole_journal_fits),
        cmocka_unit_test(a_missing_change_is_noticed),
        cmocka_unit_test(only_whole_steps_fit),
        cmocka_unit_test(a_waiting_ride_has_no_driver),
        cmocka_unit_test(an_ended_ride_has_no_live_offer),
        cmocka_unit_test(every_damaged_byte_is_survived),
    };
    return cmocka_run_group_tests(tests, make_journal, release);
}
