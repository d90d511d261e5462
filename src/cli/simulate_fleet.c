/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "cli/simulate.h"
#include "core/dispatch/dispatch.h"
#include "core/entry_id.h"
#include "core/state.h"

#define BEGIN_MS 1700000000000 /* the run's instant 0 */
#define MINUTE_MS 60000
#define REPORT_MS 4000 /* between two positions of one driver */
#define PRESENCE_S 30
#define DECISION_MS 2000 /* the least; up to DECISION_MORE_MS longer */
#define DECISION_MORE_MS 6000
#define BOARDING_MS 20000
#define BOARDING_MORE_MS 40000
#define PARKED_MS 60000 /* how long a free driver waits before it drives to another place */
#define PARKED_MORE_MS 240000
#define ID_SIZE 12

enum answer { ANSWER_ACCEPT, ANSWER_DECLINE };
/* A handle in the heap: this in the low bit, the driver's number above it. */
enum due { DUE_WAY, DUE_ANSWER };

struct sim_driver {
    char id[ID_SIZE];
    uint8_t id_size;
    uint8_t phase; /* enum phase */
    uint8_t answer;
    bool parked;   /* free: waiting for a while */
    bool boarding; /* fetching: the rider is getting in */
    struct journey way;
    int64_t phase_since_ms;
    int64_t way_due_ms, answer_due_ms; /* entries of the heap for another instant are stale */
    struct id offer;
    uint32_t ride;
};

struct run {
    struct simulation *s;
    struct state *st;
    struct change *change;
    struct buf changes;
    struct outcome out;
    struct heap due;
    struct sim_driver *drivers;
    struct position *positions; /* of one report */
    uint32_t groups;            /* the drivers report their positions in this many groups, in turn */
    uint64_t reports;
    uint32_t ride_capacity, waiting;
    int64_t now_ms, end_ms, ride_due_ms;
    uint64_t minute;
    uint64_t key[2];
};

static const struct text FLEET = {"city", 4};

static struct text id_text(const struct sim_driver *d)
{
    return (struct text){d->id, d->id_size};
}

static uint64_t cell_of(const struct run *r, struct geo_point p)
{
    return h3_from_point((struct h3_point){p.lat_e7 / 1e7, p.lng_e7 / 1e7}, (int)r->s->options.resolution);
}

static uint32_t number_of(struct text id)
{
    uint32_t number = 0;
    for (size_t i = 1; i < id.size; i++)
        number = number * 10 + (uint32_t)(id.at[i] - '0');
    return number;
}

/* ---- Drivers ---- */

/* Adds the time in the current phase, up to the end of the run. */
static void account_phase_time(struct run *r, struct sim_driver *d)
{
    int64_t until_ms = r->now_ms < r->end_ms ? r->now_ms : r->end_ms;
    if (until_ms > d->phase_since_ms)
        r->s->phase_ms[d->phase] += (uint64_t)(until_ms - d->phase_since_ms);
    d->phase_since_ms = r->now_ms;
}

static void phase_set(struct run *r, struct sim_driver *d, enum phase phase)
{
    account_phase_time(r, d);
    d->phase = (uint8_t)phase;
}

static void way_set(struct run *r, struct sim_driver *d, struct journey way)
{
    d->way = way;
    d->way_due_ms = way.ends_ms;
    heap_push(&r->due, way.ends_ms, (uint64_t)(d - r->drivers) << 1 | DUE_WAY);
}

static void drive_to(struct run *r, struct sim_driver *d, struct city_point to)
{
    way_set(r, d,
            journey_make(journey_at(&d->way, r->now_ms), to, r->now_ms, (uint32_t)r->s->options.speed_kmh));
}

static void park(struct run *r, struct sim_driver *d, uint32_t least_ms, uint32_t more_ms)
{
    struct city_point here = journey_at(&d->way, r->now_ms);
    int64_t until_ms = r->now_ms + least_ms + city_roll(&r->s->city, more_ms + 1);
    way_set(r, d, (struct journey){here, here, r->now_ms, until_ms});
}

/* An offer has come: decides the answer, and when the driver gives it. */
static void consider(struct run *r, struct sim_driver *d, const struct offer_image *offer)
{
    uint32_t mood = city_roll(&r->s->city, 100);
    const struct simulate_options *o = &r->s->options;
    phase_set(r, d, PHASE_OFFERED);
    d->offer = entry_id(r->key, ENTRY_RIDE_OFFER, offer->number);
    d->ride = (uint32_t)offer->ride.low;
    d->answer_due_ms = r->now_ms + DECISION_MS + city_roll(&r->s->city, DECISION_MORE_MS + 1);
    d->answer = mood < o->decline_percent ? ANSWER_DECLINE : ANSWER_ACCEPT;
    if (mood >= o->decline_percent && mood < o->decline_percent + o->ignore_percent)
        d->answer_due_ms = 0; /* the driver does not answer */
    else
        heap_push(&r->due, d->answer_due_ms, (uint64_t)(d - r->drivers) << 1 | DUE_ANSWER);
}

/* ---- Changes from core ---- */

static void follow_offer(struct run *r, const struct offer_image *offer)
{
    struct sim_driver *d = &r->drivers[number_of(offer->driver_id)];
    struct simulated_ride *ride = &r->s->rides[offer->ride.low];
    r->s->ends[offer->end]++; /* those made are counted as 0 */
    if (!offer->end) {
        r->s->offers++;
        consider(r, d, offer);
        return;
    }
    d->answer_due_ms = 0;
    if (offer->end == OFFER_ACCEPTED) {
        phase_set(r, d, PHASE_FETCHING);
        d->boarding = false;
        drive_to(r, d, ride->pickup);
    } else {
        ride->refusals++;
        phase_set(r, d, PHASE_FREE); /* while offered it went on cruising or waiting */
    }
}

static bool is_waiting(enum ride_status status)
{
    return status == RIDE_SEARCHING || status == RIDE_OFFERED;
}

static void follow_ride(struct run *r, const struct ride_image *image)
{
    struct simulated_ride *ride = &r->s->rides[image->id.low];
    r->waiting += is_waiting(image->status);
    r->waiting -= is_waiting((enum ride_status)ride->status);
    ride->status = (uint8_t)image->status;
    if (image->status == RIDE_ASSIGNED)
        ride->assigned_ms = image->assigned_at_ms - BEGIN_MS;
}

static void follow(struct run *r)
{
    struct bytes_reader in = bytes_reader_make(r->changes.data, r->changes.size);
    uint64_t seq = r->st->seq - r->st->change_count;
    while (bytes_left(&in)) {
        bool decoded = change_decode(&in, ++seq, r->change);
        ASSERT(decoded);
        if (r->change->kind == CHANGE_OFFER)
            follow_offer(r, &r->change->offer);
        else if (r->change->kind == CHANGE_RIDE)
            follow_ride(r, &r->change->ride);
    }
    ASSERT(seq == r->st->seq);
}

static enum outcome_code apply(struct run *r, const struct command *c)
{
    buf_clear(&r->changes);
    enum outcome_code code = state_apply(r->st, c, BEGIN_MS + r->now_ms, &r->changes, &r->out);
    if (r->st->change_count)
        follow(r);
    return code;
}

static void dispatch(struct run *r)
{
    bool more = true;
    while (more) {
        buf_clear(&r->changes);
        more = state_dispatch(r->st, BEGIN_MS + r->now_ms, &r->changes);
        if (r->changes.size)
            follow(r);
    }
}

/* ---- Commands ---- */

static void put_fleet(struct run *r)
{
    const struct simulate_options *o = &r->s->options;
    struct command c = {.kind = COMMAND_FLEET_PUT, .actor = {.role = ROLE_ADMIN}};
    c.fleet_put = (struct fleet_image){.id = FLEET,
                                       .offer_s = (uint32_t)o->offer_s,
                                       .resolution = (uint32_t)o->resolution,
                                       .max_rings = (uint32_t)o->max_rings,
                                       .presence_s = PRESENCE_S,
                                       .search_s = (uint32_t)o->search_s,
                                       .speed_kmh = (uint32_t)o->speed_kmh,
                                       .batch_ms = (uint32_t)o->batch_ms,
                                       .weights = {.eta_milli = 1000,
                                                   .rating_milli = (uint32_t)o->rating_milli,
                                                   .waiting_milli = (uint32_t)o->waiting_milli},
                                       .key = {r->key[0], r->key[1]}};
    enum outcome_code code = apply(r, &c);
    ASSERT(code == OUTCOME_OK);
}

static void put_driver(struct run *r, uint32_t i)
{
    struct sim_driver *d = &r->drivers[i];
    struct city_point home = city_anywhere(&r->s->city);
    struct command c = {.kind = COMMAND_DRIVER_PUT, .actor = {.role = ROLE_ADMIN}};
    *d = (struct sim_driver){.parked = true, .way = {home, home, 0, 0}};
    d->id_size = (uint8_t)snprintf(d->id, sizeof(d->id), "d%u", i);
    c.driver_put.fleet = FLEET;
    c.driver_put.id = id_text(d);
    c.driver_put.point = city_geo(home);
    c.driver_put.cell = cell_of(r, c.driver_put.point);
    c.driver_put.available = c.driver_put.has_rating = true;
    c.driver_put.rating_milli = 3500 + city_roll(&r->s->city, 1501);
    enum outcome_code code = apply(r, &c);
    ASSERT(code == OUTCOME_OK);
    park(r, d, 0, PARKED_MORE_MS);
}

/* One group of drivers reports its positions. */
static void report_positions(struct run *r)
{
    uint32_t group = (uint32_t)(r->reports % r->groups), count = 0;
    for (uint64_t i = group; i < r->s->options.drivers; i += r->groups) {
        struct geo_point p = city_geo(journey_at(&r->drivers[i].way, r->now_ms));
        r->positions[count++] = (struct position){.driver = id_text(&r->drivers[i]),
                                                  .point = p,
                                                  .cell = cell_of(r, p),
                                                  .has_available = true,
                                                  .available = true};
    }
    struct command c = {.kind = COMMAND_POSITIONS, .actor = {.role = ROLE_ADMIN}};
    c.positions.fleet = FLEET;
    c.positions.all = r->positions;
    c.positions.count = count;
    enum outcome_code code = apply(r, &c);
    ASSERT(code == OUTCOME_OK && r->out.updated == count);
    r->reports++;
}

/* Draws the time of the next request. Demand triples towards the middle of the run; apart from that every millisecond
 * is equally likely. */
static void next_ride(struct run *r)
{
    uint64_t half_ms = (uint64_t)r->end_ms / 2, rate = r->s->options.rides_per_minute;
    for (int64_t at_ms = r->ride_due_ms + 1; at_ms < r->end_ms; at_ms++) {
        uint64_t to_end_ms = (uint64_t)(r->end_ms - at_ms), from_begin_ms = (uint64_t)at_ms;
        uint64_t slope_ms = from_begin_ms < to_end_ms ? from_begin_ms : to_end_ms;
        /* Out of 60,000 · 1,000: half the rate at the ends, one and a half times the rate in the middle. */
        if (city_roll(&r->s->city, MINUTE_MS * 1000) < rate * (500 + 1000 * slope_ms / half_ms)) {
            r->ride_due_ms = at_ms;
            return;
        }
    }
    r->ride_due_ms = INT64_MAX;
}

static void ask(struct run *r)
{
    struct simulation *s = r->s;
    uint32_t number = s->ride_count;
    s->rides = memory_room(s->rides, number, &r->ride_capacity, 1024, sizeof(*s->rides));
    struct simulated_ride *ride = &s->rides[s->ride_count++];
    *ride = (struct simulated_ride){.pickup = city_place(&s->city), .asked_ms = r->now_ms};
    ride->to = city_place(&s->city);
    struct command c = {.kind = COMMAND_RIDE_NEW, .actor = {.role = ROLE_USER, .name = TEXT("rider")}};
    c.ride.fleet = FLEET;
    c.ride.id = (struct id){1, number};
    c.ride.pickup = city_geo(ride->pickup);
    c.ride.cell = cell_of(r, c.ride.pickup);
    c.ride.to = city_geo(ride->to);
    c.ride.has_to = true;
    c.ride.surge_milli = SURGE_MILLI_MIN;
    enum outcome_code code = apply(r, &c);
    ASSERT(code == OUTCOME_OK && r->waiting > 0);
    next_ride(r);
}

/* ---- Timed work ---- */

static void on_arrival(struct run *r, struct sim_driver *d)
{
    if (d->phase == PHASE_FETCHING && !d->boarding) {
        r->s->rides[d->ride].fetched_ms = r->now_ms;
        d->boarding = true;
        park(r, d, BOARDING_MS, BOARDING_MORE_MS);
    } else if (d->phase == PHASE_FETCHING) {
        phase_set(r, d, PHASE_DRIVING);
        drive_to(r, d, r->s->rides[d->ride].to);
    } else if (d->phase == PHASE_DRIVING) {
        struct command c = {.kind = COMMAND_RIDE_COMPLETE, .actor = {.role = ROLE_USER, .name = id_text(d)}};
        c.ride.fleet = FLEET;
        c.ride.id = (struct id){1, d->ride};
        phase_set(r, d, PHASE_FREE);
        d->parked = true;
        park(r, d, PARKED_MS, PARKED_MORE_MS);
        enum outcome_code code = apply(r, &c);
        ASSERT(code == OUTCOME_OK);
    } else if (d->parked) {
        d->parked = false;
        drive_to(r, d, city_place(&r->s->city));
    } else {
        d->parked = true;
        park(r, d, PARKED_MS, PARKED_MORE_MS);
    }
}

static void answer(struct run *r, struct sim_driver *d)
{
    struct command c = {.kind = d->answer == ANSWER_ACCEPT ? COMMAND_OFFER_ACCEPT : COMMAND_OFFER_DECLINE,
                        .actor = {.role = ROLE_USER, .name = id_text(d)}};
    c.offer.fleet = FLEET;
    c.offer.id = d->offer;
    enum outcome_code code = apply(r, &c);
    /* A decline that comes too late has the same effect as the timeout. */
    ASSERT(code == OUTCOME_OK || code == OUTCOME_OFFER_EXPIRED);
}

static void run_due_drivers(struct run *r)
{
    for (const struct heap_entry *e; (e = heap_first(&r->due)) && e->at_ms <= r->now_ms;) {
        struct sim_driver *d = &r->drivers[e->handle >> 1];
        bool answers = (e->handle & 1) == DUE_ANSWER;
        bool stale = e->at_ms != (answers ? d->answer_due_ms : d->way_due_ms);
        heap_remove(&r->due, 0);
        if (!stale && answers)
            answer(r, d);
        else if (!stale)
            on_arrival(r, d);
    }
}

static void end_minute(struct run *r)
{
    struct simulated_minute *m = &r->s->minutes[r->minute++];
    for (uint64_t i = 0; i < r->s->options.drivers; i++)
        m->drivers[r->drivers[i].phase]++;
    m->waiting = r->waiting;
    /* Drops ended rides from memory, as a server does once they are in the book. */
    while (state_forget(r->st, r->st->seq, 1000) == 1000)
        ;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t next_report_ms(const struct run *r)
{
    return (int64_t)(r->reports * REPORT_MS / r->groups);
}

/* Runs until the last minute is over and every ride has a driver or its search has ended. */
static void simulate_fleet_run(struct run *r, void (*progress)(void *, const struct simulation *, uint64_t), void *ctx)
{
    const uint64_t minutes = r->s->options.minutes;
    while (r->minute < minutes || r->waiting) {
        int64_t dispatch_ms = state_next_dispatch(r->st), minute_ms = (int64_t)(r->minute + 1) * MINUTE_MS;
        int64_t at_ms = least(next_report_ms(r), r->ride_due_ms);
        at_ms = least(at_ms, heap_first(&r->due)->at_ms);
        at_ms = least(at_ms, dispatch_ms == INT64_MAX ? INT64_MAX : dispatch_ms - BEGIN_MS);
        if (r->minute < minutes && minute_ms <= at_ms) {
            r->now_ms = minute_ms;
            end_minute(r);
            if (progress)
                progress(ctx, r->s, r->minute);
            continue;
        }
        r->now_ms = at_ms > r->now_ms ? at_ms : r->now_ms;
        run_due_drivers(r);
        if (next_report_ms(r) <= r->now_ms)
            report_positions(r);
        if (r->ride_due_ms <= r->now_ms)
            ask(r);
        if (state_next_dispatch(r->st) <= BEGIN_MS + r->now_ms)
            dispatch(r);
    }
    for (uint64_t i = 0; i < r->s->options.drivers; i++)
        account_phase_time(r, &r->drivers[i]);
}

struct simulate_options simulate_defaults(void)
{
    return (struct simulate_options){.drivers = 1000,
                                     .rides_per_minute = 60,
                                     .minutes = 60,
                                     .seed = 1,
                                     .side_km = 12,
                                     .decline_percent = 10,
                                     .ignore_percent = 5,
                                     .offer_s = 15,
                                     .resolution = 9,
                                     .max_rings = 6,
                                     .search_s = 180,
                                     .speed_kmh = 30};
}

void simulation_run(struct simulation *s, const struct simulate_options *options,
                    void (*progress)(void *ctx, const struct simulation *s, uint64_t minute), void *ctx)
{
    ASSERT(options->drivers && options->minutes && options->decline_percent + options->ignore_percent <= 100);
    *s = (struct simulation){.options = *options};
    city_init(&s->city, options->seed, (uint32_t)options->side_km);
    s->minutes = memory_zeroed(options->minutes, sizeof(*s->minutes));
    struct run *r = memory_zeroed(1, sizeof(*r));
    *r = (struct run){.s = s, .st = state_make(), .end_ms = (int64_t)options->minutes * MINUTE_MS};
    r->key[0] = options->seed;
    r->key[1] = options->drivers;
    r->change = memory_zeroed(1, sizeof(*r->change));
    r->drivers = memory_zeroed(options->drivers, sizeof(*r->drivers));
    r->positions = memory_zeroed(POSITIONS_MAX, sizeof(*r->positions));
    r->groups = (uint32_t)((options->drivers + POSITIONS_MAX - 1) / POSITIONS_MAX);
    buf_init(&r->changes, (size_t)1 << 30);
    heap_init(&r->due, NULL, NULL);
    put_fleet(r);
    for (uint32_t i = 0; i < options->drivers; i++)
        put_driver(r, i);
    next_ride(r);
    simulate_fleet_run(r, progress, ctx);
    heap_release(&r->due);
    buf_release(&r->changes);
    state_release(r->st);
    free(r->positions);
    free(r->drivers);
    free(r->change);
    free(r);
}

void simulation_release(struct simulation *s)
{
    free(s->rides);
    free(s->minutes);
    *s = (struct simulation){0};
}
