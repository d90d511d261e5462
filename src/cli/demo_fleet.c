/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/demo_fleet.h"

#include <stdio.h>
#include <string.h>

#include "base/assertion.h"
#include "base/crypto/random.h"
#include "base/geo/h3.h"

#define SPEED_KMH 40
#define EVERY_MS 1000
#define DECISION_MS 3000 /* before it accepts */

static const struct actor admin = {.role = ROLE_ADMIN};
static const struct text name = {DEMO_FLEET, sizeof(DEMO_FLEET) - 1};

static struct text id_text(const struct demo_driver *d)
{
    return (struct text){d->id, strlen(d->id)};
}

uint64_t demo_fleet_cell(const struct fleet_image *f, struct geo_point p)
{
    return h3_from_point((struct h3_point){p.lat_e7 / 1e7, p.lng_e7 / 1e7}, (int)f->resolution);
}

static void on_command(void *ctx, const struct outcome *outcome)
{
    (void)outcome; /* if refused, another caller was faster: the next tick acts on the current state */
    ((struct demo_driver *)ctx)->busy = false;
}

static void submit(struct demo_fleet *fleet, struct demo_driver *d)
{
    ASSERT(!d->busy);
    d->busy = true;
    d->command.actor = (struct actor){.role = ROLE_USER, .name = id_text(d)};
    store_submit(fleet->store, &d->command, on_command, d);
}

static void go(struct demo_driver *d, struct city_point to, int64_t now_ms)
{
    d->way = journey_make(journey_at(&d->way, now_ms), to, now_ms, SPEED_KMH);
}

static void consider(struct demo_fleet *fleet, struct demo_driver *d, const struct ride_image *r,
                     int64_t now_ms)
{
    ASSERT(r->offer_count); /* the last one is live */
    const struct offer_image *o = &r->offers[r->offer_count - 1];
    if (d->busy || o->number == d->answered || now_ms < o->made_at_ms + DECISION_MS)
        return;
    d->answered = o->number;
    d->command = (struct command){.kind = COMMAND_OFFER_ACCEPT};
    d->command.offer.fleet = name;
    d->command.offer.id = o->id;
    submit(fleet, d);
}

static void drive(struct demo_fleet *fleet, struct demo_driver *d, const struct ride_image *r, int64_t now_ms)
{
    if (d->activity == DEMO_CRUISING || !id_equal(d->ride, r->id)) {
        d->activity = DEMO_TO_PICKUP;
        d->ride = r->id;
        go(d, city_from_geo(r->pickup), now_ms);
    } else if (now_ms < d->way.ends_ms) {
        return;
    } else if (d->activity == DEMO_TO_PICKUP) {
        d->activity = DEMO_WITH_RIDER;
        go(d, r->has_to ? city_from_geo(r->to) : city_place(&fleet->city), now_ms);
    } else if (!d->busy) {
        d->command = (struct command){.kind = COMMAND_RIDE_COMPLETE};
        d->command.ride.fleet = name;
        d->command.ride.id = r->id;
        submit(fleet, d);
    }
}

/* A driver starts where it was created; after a restart its position is unknown, so it starts anywhere. */
static void place(struct demo_fleet *fleet, struct demo_driver *d, const struct driver_image *known)
{
    struct city_point at = known->has_point ? city_from_geo(known->point) : city_anywhere(&fleet->city);
    d->way = (struct journey){at, at, 0, 0};
    d->placed = true;
}

static void act(struct demo_fleet *fleet, struct demo_driver *d, const struct fleet_image *f, int64_t now_ms)
{
    struct driver_image known;
    struct ride_seen seen;
    struct id id;
    bool is_known = view_driver(fleet->view, f->number, id_text(d), &known, &id);
    bool has_ride = is_known && view_ride(fleet->view, f->number, id, (struct text){0}, &seen);
    if (is_known && !d->placed)
        place(fleet, d, &known);
    if (!d->placed)
        return;
    if (has_ride && seen.image.status == RIDE_ASSIGNED) {
        drive(fleet, d, &seen.image, now_ms);
        return;
    }
    if (has_ride && seen.image.status == RIDE_OFFERED)
        consider(fleet, d, &seen.image, now_ms);
    d->activity = DEMO_CRUISING;
    if (now_ms >= d->way.ends_ms)
        go(d, city_place(&fleet->city), now_ms);
}

static void on_positions(void *ctx, const struct outcome *outcome)
{
    (void)outcome;
    ((struct demo_fleet *)ctx)->busy = false;
}

static void report(struct demo_fleet *fleet, const struct fleet_image *f, int64_t now_ms)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < DEMO_DRIVERS; i++) {
        const struct demo_driver *d = &fleet->drivers[i];
        struct geo_point p = city_geo(journey_at(&d->way, now_ms));
        if (d->placed)
            fleet->positions[count++] =
                (struct position){.driver = id_text(d), .point = p, .cell = demo_fleet_cell(f, p)};
    }
    fleet->command = (struct command){.kind = COMMAND_POSITIONS, .actor = admin};
    fleet->command.positions.fleet = name;
    fleet->command.positions.all = fleet->positions;
    fleet->command.positions.count = count;
    fleet->busy = true;
    store_submit(fleet->store, &fleet->command, on_positions, fleet);
}

static void on_timer(uv_timer_t *timer)
{
    struct demo_fleet *fleet = timer->data;
    struct fleet_view f;
    int64_t now_ms = store_now(fleet->store);
    if (fleet->stopping || !view_fleet_find(fleet->view, name, &f))
        return;
    for (uint32_t i = 0; i < DEMO_DRIVERS; i++)
        act(fleet, &fleet->drivers[i], f.image, now_ms);
    if (!fleet->busy)
        report(fleet, f.image, now_ms);
}

void demo_fleet_start(struct demo_fleet *fleet, struct store *store, struct view *view, uv_loop_t *loop)
{
    fleet->store = store;
    fleet->view = view;
    city_init(&fleet->city, random_u64(), DEMO_FLEET_SIDE_KM);
    for (uint32_t i = 0; i < DEMO_DRIVERS; i++)
        snprintf(fleet->drivers[i].id, sizeof(fleet->drivers[i].id), "taxi_%u", i + 1);
    uv_timer_init(loop, &fleet->timer);
    fleet->timer.data = fleet;
    uv_timer_start(&fleet->timer, on_timer, EVERY_MS, EVERY_MS);
}

void demo_fleet_stop(struct demo_fleet *fleet)
{
    fleet->stopping = true;
    uv_close((uv_handle_t *)&fleet->timer, NULL);
}
