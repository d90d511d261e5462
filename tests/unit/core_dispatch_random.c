/* SPDX-License-Identifier: Apache-2.0 */
/* Random rides, drivers and crashes against a naive model: no double offer, no double assignment, no accepted ride
 * lost.
 *
 *     core_dispatch_random [operations [seed]]
 *
 * The model knows the contract and nothing about core: it reads the changes that core makes and checks that each was
 * allowed, and that each answer is the one it would give. A crash keeps what was acknowledged and any number of the
 * steps after it; positions are lost, the rest must match the journal.
 *
 * Every other run has fleets with batching. There are two, and drivers are registered in either or both. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../lib/dispatch_carry.h"
#include "../lib/dispatch_model.h"
#include "base/memory/memory.h"
#include "core/dispatch/dispatch.h"
#include "core/entry_id.h"
#include "core/state_check.h"

/* ---- Steps ---- */

static void step_end(void)
{
    struct bytes_reader in = bytes_reader_make(M.batch.data, M.batch.size);
    uint32_t count = M.st->change_count;
    for (uint32_t i = 0; i < count; i++) {
        DEMAND(change_decode(&in, M.st->seq - count + i + 1, M.change), "A change cannot be read.");
        model_follow(M.change, false);
    }
    model_judge_match();
    model_apply_report();
    if (count) {
        if (M.steps == M.capacity) {
            M.capacity = M.capacity ? M.capacity * 2 : 1024;
            M.ends = memory_grow(M.ends, M.capacity, sizeof(*M.ends));
            M.counts = memory_grow(M.counts, M.capacity, sizeof(*M.counts));
        }
        buf_append(&M.journal, M.batch.data, M.batch.size);
        M.ends[M.steps] = M.journal.size;
        M.counts[M.steps++] = count;
    }
    buf_clear(&M.batch);
}

static enum outcome_code apply(struct command *c, struct outcome *out)
{
    M.doing.kind = c->kind;
    enum outcome_code code = state_apply(M.st, c, M.now_ms, &M.batch, out);
    if (code == OUTCOME_FETCH) { /* there is no book: what is not in memory ended long ago */
        c->ride_checked = true;
        code = state_apply(M.st, c, M.now_ms, &M.batch, out);
    }
    step_end();
    if (model_roll(4) == 0)
        M.durable = M.steps; /* the answer is sent */
    return code;
}

static void dispatch(void)
{
    bool more = true;
    for (int i = 0; more; i++) {
        M.doing = (struct doing){.kind = COMMAND_COUNT, .ride = NOBODY, .driver = NOBODY};
        more = state_dispatch(M.st, M.now_ms, &M.batch);
        step_end();
        DEMAND(i < 1000, "The search never comes to rest.");
    }
    int64_t pause_ms = ROUND_PAUSE_MAX_MS;
    for (int i = 0; i < FLEETS; i++)
        pause_ms = M.fleets[i].batch_ms > pause_ms ? M.fleets[i].batch_ms : pause_ms;
    bool pending = state_next_dispatch(M.st) <= M.now_ms + pause_ms;
    for (int i = 0; i < DRIVERS; i++) {
        struct m_driver *d = &M.drivers[i];
        int64_t since_ms = d->placed ? d->heard_ms : M.since_ms;
        if (d->present && M.now_ms >= d->heard_ms + M.presence_s * 1000LL) {
            d->present = false;
            model_refresh(d);
        }
        DEMAND(d->status != DRIVER_OFFERED || d->present || M.now_ms < since_ms + M.presence_s * 1000LL,
               "%s is silent, and has an offer.", d->id);
    }
    for (int i = 0; i < RIDES; i++) {
        struct m_ride *r = &M.rides[i];
        struct m_offer *live = id_none(r->id) ? NULL : model_live_offer(r);
        uint64_t lapsed;
        DEMAND(!live || M.now_ms < live->expires_at_ms, "An offer did not lapse.");
        if (id_none(r->id) || r->status != RIDE_SEARCHING)
            continue;
        DEMAND(M.now_ms < r->search_until_ms, "A search did not end.");
        for (int k = 0; k < DRIVERS; k++)
            DEMAND(pending || !model_eligible(r, k, &lapsed), "A ride waits, and %s is free.",
                   M.drivers[k].id);
    }
}

/* ---- Commands ---- */

static struct text driver_text(int i)
{
    return (struct text){M.drivers[i].id, strlen(M.drivers[i].id)};
}

static struct geo_point somewhere(int fleet, uint64_t *cell)
{
    struct geo_point p = {525000000 + (int32_t)model_roll(100000), 134000000 + (int32_t)model_roll(100000)};
    *cell = h3_from_point((struct h3_point){p.lat_e7 / 1e7, p.lng_e7 / 1e7}, fleet ? 8 : 9);
    return p;
}

static void put_fleet(int which)
{
    struct command c = {.kind = COMMAND_FLEET_PUT, .actor = {.role = ROLE_ADMIN}};
    struct outcome out;
    M.doing = (struct doing){.ride = NOBODY, .driver = NOBODY};
    c.fleet_put =
        (struct fleet_image){.id = M.fleets[which].id,
                             .offer_s = 5 + model_roll(11),
                             .resolution = which ? 8 : 9,
                             .max_rings = 9,
                             .presence_s = M.presence_s,
                             .search_s = 20 + model_roll(40),
                             .speed_kmh = SPEED_KMH,
                             .batch_ms = M.batching && model_roll(8) ? 1 + model_roll(700) : 0,
                             .rides_per_rider = model_roll(4),
                             .weights = {1000, model_roll(2) * 500, model_roll(2) * 300, model_roll(2) * 700},
                             .key = {M.key[0], M.key[1]}};
    DEMAND(apply(&c, &out) == OUTCOME_OK, "The fleet is refused.");
}

static void driver_command(void)
{
    static const struct text types[] = {TEXT("1"), TEXT("2")};
    int i = (int)model_roll(DRIVERS);
    struct m_driver *d = &M.drivers[i];
    struct command c = {.kind = COMMAND_DRIVER_PUT, .actor = {.role = ROLE_APP, .name = TEXT("app")}};
    struct outcome out;
    uint64_t cell;
    int fleet = (int)model_roll(FLEETS);
    struct text id = M.fleets[fleet].id;
    M.doing = (struct doing){
        .ride = NOBODY, .driver = i, .fleet = fleet, .heard = true, .available = model_roll(8) != 0};
    M.doing.point = somewhere(fleet, &cell);
    if (model_roll(25) == 0) {
        c.kind = COMMAND_DRIVER_REMOVE;
        c.driver.fleet = id;
        c.driver.id = driver_text(i);
        M.doing.heard = false;
        DEMAND(apply(&c, &out) ==
                   (d->in[fleet].exists || out.code == OUTCOME_OK ? OUTCOME_OK : OUTCOME_NO_SUCH_DRIVER),
               "A removal is answered %s.", outcome_name(out.code));
    } else if (d->in[fleet].exists && model_roll(3)) {
        struct position p = {driver_text(i), M.doing.point, cell, model_roll(2) != 0, M.doing.available};
        if (!p.has_available)
            M.doing.available = d->placed ? d->available : true;
        c.kind = COMMAND_POSITIONS;
        c.positions.fleet = id;
        c.positions.all = &p;
        c.positions.count = 1;
        DEMAND(apply(&c, &out) == OUTCOME_OK && out.updated == 1, "A position is lost.");
    } else {
        c.driver_put.fleet = id;
        c.driver_put.id = driver_text(i);
        c.driver_put.point = M.doing.point;
        c.driver_put.cell = cell;
        c.driver_put.available = M.doing.available;
        c.driver_put.has_rating = c.driver_put.has_types = c.driver_put.has_surge = model_roll(2);
        c.driver_put.rating_milli = model_roll(5) * 1000;
        c.driver_put.types = &types[model_roll(2)];
        c.driver_put.type_count = model_roll(2);
        c.driver_put.surge = model_roll(2);
        DEMAND(apply(&c, &out) == OUTCOME_OK, "A driver is refused.");
        DEMAND(out.driver.status == d->status, "%s is %s, not %s.", d->id,
               driver_status_name(out.driver.status), driver_status_name(d->status));
    }
}

/* Its status at this instant, whether or not the timer has run. */
static enum ride_status status_now(struct m_ride *r)
{
    struct m_offer *live = model_live_offer(r);
    enum ride_status status = r->status;
    if (live && M.now_ms >= live->expires_at_ms)
        status = live->expires_at_ms >= r->search_until_ms ? RIDE_NO_DRIVER : RIDE_SEARCHING;
    return status == RIDE_SEARCHING && M.now_ms >= r->search_until_ms ? RIDE_NO_DRIVER : status;
}

/* Whether a user token has reached the limit of live rides. */
static bool at_limit(int fleet, char rider)
{
    uint32_t limit = M.fleets[fleet].rides_per_rider;
    uint32_t live = 0;
    for (int i = 0; i < RIDES; i++)
        live += !id_none(M.rides[i].id) && M.rides[i].fleet == fleet && M.rides[i].rider == rider &&
                ride_status_live(status_now(&M.rides[i]));
    return limit && live >= limit;
}

static void new_ride(void)
{
    struct m_ride *r = model_ride((struct id){0});
    static const struct text riders[] = {TEXT("ann"), TEXT("bob"), TEXT("cho")};
    struct text rider = riders[model_roll(3)];
    struct command c = {.kind = COMMAND_RIDE_NEW, .actor = {.role = ROLE_USER, .name = rider}};
    struct outcome out;
    for (int i = 0; !r && i < RIDES; i++)
        if (!ride_status_live(M.rides[i].status)) {
            M.rides[i] = (struct m_ride){0}; /* ended: its slot is free */
            r = &M.rides[i];
        }
    if (!r)
        return;
    M.doing = (struct doing){.ride = NOBODY, .driver = NOBODY};
    static const struct text types[] = {TEXT("1"), TEXT("2")};
    int fleet = (int)model_roll(FLEETS);
    c.ride.fleet = M.fleets[fleet].id;
    c.ride.id =
        (struct id){M.operation + 1, ((uint64_t)model_roll(UINT32_MAX) << 32) | model_roll(UINT32_MAX)};
    c.ride.pickup = somewhere(fleet, &c.ride.cell);
    c.ride.type = model_roll(3) ? (struct text){0} : types[model_roll(2)];
    c.ride.surge_milli = model_roll(2) ? 1000 : 1500;
    bool by_app = model_roll(3) == 0, limited = !by_app && at_limit(fleet, rider.at[0]);
    if (by_app) {
        c.actor = (struct actor){.role = ROLE_APP, .name = TEXT("app")};
        c.user_id = rider;
    }
    enum outcome_code code = apply(&c, &out);
    M.limited += code == OUTCOME_LIMIT_EXCEEDED;
    DEMAND(code == (limited ? OUTCOME_LIMIT_EXCEEDED : OUTCOME_OK) ||
               (code == OUTCOME_INVALID && c.ride.type.at),
           "A ride is answered %s.", outcome_name(code));
}

static enum outcome_code expect_ended(enum ride_status status)
{
    return status == RIDE_COMPLETED   ? OUTCOME_ALREADY_COMPLETED
           : status == RIDE_CANCELLED ? OUTCOME_ALREADY_CANCELLED
                                      : OUTCOME_NO_DRIVER;
}

static enum outcome_code expected(enum command_kind kind, struct m_ride *r)
{
    enum ride_status status = status_now(r);
    const struct m_offer *o = M.doing.offer < r->offer_count ? &r->offers[M.doing.offer] : NULL;
    bool drove_off = false;
    for (int i = 0; i < r->offer_count; i++)
        drove_off = drove_off || r->offers[i].given_back;
    if (kind == COMMAND_OFFER_ACCEPT || kind == COMMAND_OFFER_DECLINE) {
        enum offer_end end = o->end                         ? o->end
                             : M.now_ms >= o->expires_at_ms ? OFFER_TIMED_OUT
                                                            : (enum offer_end)0;
        if (o->driver != M.doing.driver)
            return OUTCOME_NOT_OWNER;
        bool again = kind == COMMAND_OFFER_ACCEPT ? end == OFFER_ACCEPTED && !o->given_back
                                                  : end == OFFER_DECLINED || end == OFFER_TIMED_OUT;
        return !end || again ? OUTCOME_OK : OUTCOME_OFFER_EXPIRED;
    }
    if (kind == COMMAND_RIDE_CANCEL)
        return ride_status_live(status) || status == RIDE_CANCELLED ? OUTCOME_OK : expect_ended(status);
    if (kind == COMMAND_RIDE_COMPLETE && (status == RIDE_ASSIGNED || status == RIDE_COMPLETED))
        return OUTCOME_OK;
    if (kind == COMMAND_RIDE_DRIVER_CANCEL &&
        (status == RIDE_ASSIGNED || (drove_off && ride_status_live(status))))
        return OUTCOME_OK;
    return ride_status_live(status) ? OUTCOME_NOT_ASSIGNED : expect_ended(status);
}

static void ride_command(void)
{
    static const enum command_kind kinds[] = {
        COMMAND_OFFER_ACCEPT,  COMMAND_OFFER_ACCEPT,  COMMAND_OFFER_ACCEPT, COMMAND_OFFER_DECLINE,
        COMMAND_OFFER_DECLINE, COMMAND_RIDE_COMPLETE, COMMAND_RIDE_CANCEL,  COMMAND_RIDE_DRIVER_CANCEL};
    int i = (int)model_roll(RIDES);
    for (int k = 0; k < 6 && !ride_status_live(M.rides[i].status); k++) /* mostly live ones */
        i = (int)model_roll(RIDES);
    struct m_ride *r = &M.rides[i];
    struct command c = {.kind = kinds[model_roll(8)], .actor = {.role = ROLE_APP, .name = TEXT("app")}};
    struct outcome out;
    bool offer = c.kind == COMMAND_OFFER_ACCEPT || c.kind == COMMAND_OFFER_DECLINE;
    if (id_none(r->id) || (offer && !r->offer_count))
        return;
    M.doing = (struct doing){.ride = i, .driver = NOBODY, .kind = c.kind};
    if (offer) {
        M.doing.offer = model_roll(3) ? r->offer_count - 1 : (int)model_roll((uint32_t)r->offer_count);
        M.doing.driver = model_roll(8) ? r->offers[M.doing.offer].driver : (int)model_roll(DRIVERS);
        c.actor = (struct actor){.role = ROLE_USER, .name = driver_text(M.doing.driver)};
        c.offer.fleet = M.fleets[r->fleet].id;
        c.offer.id = entry_id(M.key, ENTRY_RIDE_OFFER, r->offers[M.doing.offer].number);
    } else {
        c.ride.fleet = M.fleets[r->fleet].id;
        c.ride.id = r->id;
    }
    bool over = !ride_status_live(r->status);
    enum outcome_code should = expected(c.kind, r), is = apply(&c, &out);
    if (over && (is == OUTCOME_NO_SUCH_RIDE || is == OUTCOME_NO_SUCH_OFFER))
        return; /* forgotten by a crash or by time: only the book has it */
    DEMAND(is == should, "Command %d is answered %s, not %s.", c.kind, outcome_name(is),
           outcome_name(should));
    DEMAND(is != OUTCOME_OK || out.ride.status == r->status, "A ride is shown as it is not.");
}

/* ---- Crashes ---- */

static void crash(void)
{
    uint32_t keep = M.durable + (M.steps > M.durable ? model_roll(M.steps - M.durable + 1) : 0);
    struct state *st = state_make();
    struct bytes_reader in = bytes_reader_make(M.journal.data, keep ? M.ends[keep - 1] : 0);
    int64_t now_ms = M.now_ms;
    memset(M.rides, 0, sizeof(M.rides));
    for (int i = 0; i < DRIVERS; i++) {
        memset(&M.drivers[i].in, 0, sizeof(M.drivers[i]) - offsetof(struct m_driver, in));
        M.drivers[i].ride = NOBODY;
        M.drivers[i].status = DRIVER_AWAY;
    }
    while (bytes_left(&in)) {
        DEMAND(change_decode(&in, st->seq + 1, M.change), "The journal cannot be read.");
        M.now_ms = M.change->at_ms;
        model_follow(M.change, true);
        DEMAND(state_restore(st, M.change) == RESTORE_OK, "Change %llu does not fit.",
               (unsigned long long)M.change->seq);
        for (int i = 0; i < RIDES; i++) /* ended rides make room, as at run time */
            if (!id_none(M.rides[i].id) && !ride_status_live(M.rides[i].status) &&
                !model_ride((struct id){0}))
                memset(&M.rides[i], 0, sizeof(M.rides[i]));
    }
    DEMAND(state_restore_end(st), "The journal ends in the middle of a step.");
    M.now_ms = now_ms;
    M.journal.size = keep ? M.ends[keep - 1] : 0;
    M.steps = M.durable = keep;
    state_release(M.st);
    M.st = st;
    for (int i = 0; i < RIDES; i++) {
        const struct m_ride *r = &M.rides[i];
        const struct fleet *f = state_fleet_named(st, M.fleets[r->fleet].id);
        uint32_t handle = id_none(r->id) ? TABLE_NONE : ride_find(f, r->id);
        DEMAND(id_none(r->id) || handle != TABLE_NONE, "A ride is lost.");
        DEMAND(id_none(r->id) || ride_at(f, handle)->status == r->status, "A ride has become another.");
    }
    M.since_ms = M.now_ms;
    M.crashes++;
    dispatch(); /* the first step of a new process */
}

/* ---- The run ---- */

static void pass(void)
{
    int64_t due_ms = state_next_dispatch(M.st);
    uint32_t how = model_roll(10);
    if (how < 6)
        return;
    if (how < 8)
        M.now_ms += model_roll(1500);
    else if (due_ms != INT64_MAX && due_ms > M.now_ms)
        M.now_ms = due_ms - (how == 8); /* the millisecond of a deadline, and the one before */
}

static void report(void *ctx, const char *sentence)
{
    (void)ctx;
    model_wrong("%s", sentence);
}

static void run(uint64_t count, uint64_t seed)
{
    M = (struct model_run){
        .seed = seed, .random = seed, .now_ms = EPOCH_MS, .presence_s = 12, .key = {seed, 77}};
    M.batching = seed % 2 == 0;
    model_match_begin();
    M.st = state_make();
    M.change = memory_zeroed(1, sizeof(*M.change));
    buf_init(&M.journal, (size_t)1 << 34);
    buf_init(&M.batch, 1 << 24);
    for (int i = 0; i < DRIVERS; i++) {
        snprintf(M.drivers[i].id, sizeof(M.drivers[i].id), "d%02d", i);
        M.drivers[i].ride = NOBODY;
        M.drivers[i].status = DRIVER_AWAY;
    }
    M.since_ms = M.now_ms;
    M.fleets[0].id = TEXT("F");
    M.fleets[1].id = TEXT("G");
    for (int i = 0; i < FLEETS; i++)
        put_fleet(i);
    M.durable = M.steps;
    for (M.operation = 0; M.operation < count; M.operation++) {
        uint32_t what = model_roll(100);
        pass();
        if (what < 35)
            driver_command();
        else if (what < 45)
            new_ride();
        else if (what < 75)
            ride_command();
        else if (what < 98)
            dispatch();
        else if (what < 99 || M.operation % 7)
            put_fleet((int)model_roll(FLEETS));
        else
            crash();
        if (M.operation % 64 == 0) {
            state_check(M.st, report, NULL);
            state_forget(M.st, M.st->seq, 100);
        }
    }
    print_message("# %llu offers (%llu together): %llu accepted, %llu declined, %llu lapsed, %llu withdrawn; "
                  "%llu crashes\n",
                  (unsigned long long)M.offered, (unsigned long long)M.together,
                  (unsigned long long)M.accepted, (unsigned long long)M.declined,
                  (unsigned long long)M.lapsed, (unsigned long long)M.withdrawn,
                  (unsigned long long)M.crashes);
    /* A run in which nothing happens proves nothing. */
    assert_true(M.accepted * 50 > count && M.declined * 100 > count && M.lapsed * 100 > count &&
                M.withdrawn * 100 > count && (M.crashes > 0 || count < 10000));
    assert_true((!M.batching || M.together * 100 > count) && M.limited * 100 > count);
    state_release(M.st);
    buf_release(&M.journal);
    buf_release(&M.batch);
    free(M.change);
    free(M.ends);
    free(M.counts);
}

static uint64_t operations = 40000, first_seed = 1;

static void random_rides(void **state)
{
    (void)state;
    for (uint64_t left = operations, seed = first_seed; left; seed++) {
        uint64_t some = left < 20000 ? left : 20000; /* a crash reads the whole journal */
        run(some, seed);
        left -= some;
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_rides)};
    operations = argc > 1 ? strtoull(argv[1], NULL, 10) : operations;
    first_seed = argc > 2 ? strtoull(argv[2], NULL, 10) : first_seed;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
