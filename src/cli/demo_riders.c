/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/demo_riders.h"

#include <stdio.h>
#include <string.h>

#include "base/assertion.h"
#include "base/crypto/random.h"
#include "cli/demo_fleet.h"

#define EVERY_MS 1000
/* Before a ride, and after it or a refusal. */
#define PAUSE_MIN_MS 4000
#define PAUSE_MAX_MS 40000

static const struct text name = {DEMO_FLEET, sizeof(DEMO_FLEET) - 1};

static void on_answer(void *ctx, const struct outcome *outcome)
{
    struct demo_rider *r = ctx;
    ASSERT(r->busy);
    (void)outcome; /* if refused there is no such ride: it asks again after the next pause */
    r->busy = false;
}

static void ask(struct demo_riders *riders, struct demo_rider *r, const struct fleet_image *f, int64_t now_ms)
{
    struct geo_point pickup = city_geo(city_place(&riders->city));
    r->ride = id_make(now_ms, random_u64(), random_u64());
    r->command = (struct command){.kind = COMMAND_RIDE_NEW,
                                  .actor = {.role = ROLE_USER, .name = {r->id, strlen(r->id)}}};
    r->command.ride.fleet = name;
    r->command.ride.id = r->ride;
    r->command.ride.pickup = pickup;
    r->command.ride.cell = demo_fleet_cell(f, pickup);
    r->command.ride.to = city_geo(city_place(&riders->city));
    r->command.ride.has_to = true;
    r->command.ride.surge_milli = SURGE_MILLI_MIN;
    r->busy = true;
    store_submit(riders->store, &r->command, on_answer, r);
}

static bool rides(const struct demo_riders *riders, const struct demo_rider *r, const struct fleet_image *f)
{
    struct ride_seen seen;
    return r->busy || (view_ride(riders->view, f->number, r->ride, (struct text){0}, &seen) &&
                       ride_status_live(seen.image.status));
}

static void riders_tick(uv_timer_t *timer)
{
    struct demo_riders *riders = timer->data;
    struct fleet_view f;
    int64_t now_ms = store_now(riders->store);
    if (riders->stopping || !view_fleet_find(riders->view, name, &f))
        return;
    for (uint32_t i = 0; i < DEMO_RIDERS; i++) {
        struct demo_rider *r = &riders->all[i];
        if (rides(riders, r, f.image))
            r->asks_at_ms = 0; /* the pause begins at its end */
        else if (!r->asks_at_ms)
            r->asks_at_ms = now_ms + PAUSE_MIN_MS + city_roll(&riders->city, PAUSE_MAX_MS - PAUSE_MIN_MS);
        else if (now_ms >= r->asks_at_ms)
            ask(riders, r, f.image, now_ms);
    }
}

void demo_riders_start(struct demo_riders *riders, struct store *store, struct view *view, uv_loop_t *loop)
{
    riders->store = store;
    riders->view = view;
    city_init(&riders->city, random_u64(), DEMO_FLEET_SIDE_KM);
    for (uint32_t i = 0; i < DEMO_RIDERS; i++)
        snprintf(riders->all[i].id, sizeof(riders->all[i].id), "passenger_%u", i + 1);
    uv_timer_init(loop, &riders->timer);
    riders->timer.data = riders;
    uv_timer_start(&riders->timer, riders_tick, EVERY_MS, EVERY_MS);
}

void demo_riders_stop(struct demo_riders *riders)
{
    riders->stopping = true;
    uv_close((uv_handle_t *)&riders->timer, NULL);
}
