/* SPDX-License-Identifier: Apache-2.0 */
/* ride_view.c — rides and offers as they are shown and recorded. */
#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/dispatch/eta.h"
#include "core/dispatch/ride.h"
#include "core/entry_id.h"
#include "core/state.h"

void offer_view(const struct fleet *f, const struct offer *o, struct offer_image *out)
{
    ASSERT(o->number && ride_at(f, o->ride)->status); /* an offer is removed with its ride */
    *out = (struct offer_image){
        .fleet = f->image.number,
        .number = o->number,
        .ride = ride_at(f, o->ride)->id,
        .driver_id = {o->driver, o->driver_size},
        .score_ms = o->score_ms,
        .eta_ms = o->eta_ms,
        .made_at_ms = o->made_at_ms,
        .expires_at_ms = o->expires_at_ms,
        .ended_at_ms = o->ended_at_ms,
        .end = (enum offer_end)o->end,
        .id = entry_id(f->image.key, ENTRY_RIDE_OFFER, o->number),
    };
}

void ride_image_make(const struct fleet *f, const struct ride *r, struct ride_image *out)
{
    *out = (struct ride_image){
        .fleet = f->image.number,
        .id = r->id,
        .number = r->number,
        .rider_id = r->rider,
        .pickup = r->pickup,
        .to = r->to,
        .cell = r->cell,
        .has_to = r->has_to,
        .type = r->type,
        .surge_milli = r->surge_milli,
        .status = (enum ride_status)r->status,
        .created_at_ms = r->created_at_ms,
        .search_until_ms = r->search_until_ms,
        .assigned_at_ms = r->assigned_at_ms,
        .ended_at_ms = r->ended_at_ms,
        .driver_id = r->driver_id,
        .offer = r->offer,
        .fleet_id = f->image.id,
    };
}

void ride_view(const struct state *st, const struct fleet *f, uint32_t handle, struct ride_image *out)
{
    struct dispatch *d = st->dispatch; /* scratch */
    const struct ride *r = ride_at(f, handle);
    ride_image_make(f, r, out);
    for (uint32_t at = r->first_offer; at; at = offer_at(f, at - 1)->next) {
        d->view = memory_room(d->view, out->offer_count, &d->view_capacity, 16, sizeof(*d->view));
        offer_view(f, offer_at(f, at - 1), &d->view[out->offer_count++]);
    }
    ASSERT(out->offer_count == r->offer_count);
    out->offers = d->view;
    const struct driver *driver = r->driver ? driver_at(f, r->driver - 1) : NULL;
    if (r->status == RIDE_ASSIGNED && driver && driver->cell) {
        out->has_driver = true;
        out->driver = driver->point;
        out->driver_heard_at_ms = driver->heard_ms;
        out->driver_eta_ms = eta_ms(driver->point, r->pickup, f->image.speed_kmh);
        ASSERT(out->driver_eta_ms >= 0 && driver->ride == handle + 1);
    }
}

/* For a driver whose offer is over: hides other drivers and their positions. */
static void hide_others(struct ride_image *ride, struct text driver, struct offer_image *offers)
{
    ASSERT(ride->offers == offers);
    ride->driver_id = (struct text){0};
    ride->has_driver = false;
    for (uint32_t i = 0; i < ride->offer_count; i++)
        if (!text_equal(offers[i].driver_id, driver))
            offers[i].driver_id = (struct text){0};
}

enum outcome_code ride_answer(struct state *st, struct fleet *f, uint32_t handle, struct outcome *out)
{
    out->has_ride = true;
    state_saw(out, ride_at(f, handle)->seq);
    ride_view(st, f, handle, &out->ride);
    if (st->actor.role == ROLE_USER && !ride_concerns(f, handle, st->actor.name, &out->as_rider))
        hide_others(&out->ride, st->actor.name, st->dispatch->view);
    return OUTCOME_OK;
}
