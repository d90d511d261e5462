/* SPDX-License-Identifier: Apache-2.0 */
#include "dispatch_carry.h"

#include <stdio.h>

#include "base/assertion.h"
#include "core/dispatch/ride.h"

/* ---- What is not written down ---- */

static void carry_driver(const struct fleet *x, uint32_t handle, struct state *to, struct fleet *y)
{
    const struct driver *d = driver_at(x, handle);
    uint32_t other = driver_find_any(y, driver_id(d));
    ASSERT(other != TABLE_NONE); /* the two were compared before */
    struct driver *e = driver_at(y, other);
    e->available = d->available;
    if (d->cell)
        driver_heard(to, y, other, d->point, cell_at(x, d->cell - 1)->cell);
    else
        driver_assume_present(to, y, other);
    e->heard_ms = d->heard_ms;
    if (!d->present)
        driver_silent(to, y, other);
    e->free_ms = d->free_ms;
}

static void carry_ride(const struct fleet *x, const struct ride *r, struct fleet *y, uint32_t handle)
{
    struct ride *s = ride_at(y, handle);
    s->list_count = r->list_count;
    s->list_next = r->list_next;
    for (uint32_t i = r->list_next; i < r->list_count; i++) {
        const struct driver *d = driver_at(x, r->list[i]);
        s->list[i] = d->id_size ? driver_find_any(y, driver_id(d)) : TABLE_NONE;
    }
    if (s->fresh && !r->fresh)
        ride_set_fresh(y, handle, false);
    if (r->status == RIDE_OFFERED) {
        ride_offer(y, s)->presence_s = ride_offer(x, r)->presence_s;
        ride_schedule(y, handle);
    }
}

static void carry_fleet(struct state *from, const struct fleet *x, struct state *to, struct fleet *y)
{
    /* Silent drivers first: they reported before all others. */
    for (uint32_t i = 0; i < x->drivers.used; i++)
        if (driver_at(x, i)->id_size && driver_at(x, i)->cell && !driver_at(x, i)->present)
            carry_driver(x, i, to, y);
    for (uint32_t at = x->first_heard; at; at = driver_at(x, at - 1)->later)
        carry_driver(x, at - 1, to, y);
    for (uint32_t i = 0; i < x->rides.used; i++) {
        uint32_t other = ride_at(x, i)->status ? ride_find(y, ride_at(x, i)->id) : TABLE_NONE;
        if (other != TABLE_NONE)
            carry_ride(x, ride_at(x, i), y, other);
    }
    ASSERT(!x->scan.ride && !x->round_next && !x->batch); /* no search runs between two lines */
    y->dirty = x->dirty;
    y->round_after_ms = x->round_after_ms;
    y->batch_due_ms = x->batch_due_ms;
    (void)from;
    fleet_schedule(to, y);
}

void dispatch_carry(struct state *from, struct state *to)
{
    to->dispatch->since_ms = from->dispatch->since_ms;
    if (from->dispatch->count)
        state_set_now(to, from->now_ms);
    for (uint32_t i = 0; i < from->dispatch->count; i++)
        carry_fleet(from, from->dispatch->by_name[i], to, to->dispatch->by_name[i]);
}

/* ---- Comparing ---- */

static bool optional_equal(struct text a, struct text b)
{
    return (a.at == NULL) == (b.at == NULL) && text_equal(a, b);
}

static bool drivers_equal(struct state *a, const struct fleet *x, struct state *b, const struct fleet *y)
{
    if (x->drivers.count != y->drivers.count)
        return false;
    for (uint32_t i = 0; i < x->drivers.used; i++) {
        const struct driver *d = driver_at(x, i);
        uint32_t other = d->id_size ? driver_find_any(y, driver_id(d)) : TABLE_NONE;
        if (!d->id_size)
            continue;
        if (other == TABLE_NONE || driver_at(y, other)->removed != d->removed)
            return false;
        struct driver_image p, q;
        driver_view(a, x, i, &p);
        driver_view(b, y, other, &q);
        bool same = d->removed ||
                    (p.rating_milli == q.rating_milli && p.surge == q.surge && p.type_count == q.type_count);
        for (uint32_t k = 0; same && !d->removed && k < p.type_count; k++)
            same = driver_has_type(y, driver_at(y, other), p.types[k]);
        if (!same || (d->status == DRIVER_OFFERED) != (q.status == DRIVER_OFFERED) ||
            (d->status == DRIVER_BUSY) != (q.status == DRIVER_BUSY))
            return false;
    }
    return true;
}

static bool points_equal(struct geo_point a, struct geo_point b)
{
    return a.lat_e7 == b.lat_e7 && a.lng_e7 == b.lng_e7;
}

static bool offers_equal(const struct offer_image *a, const struct offer_image *b)
{
    return a->fleet == b->fleet && a->number == b->number && id_equal(a->ride, b->ride) &&
           text_equal(a->driver_id, b->driver_id) && a->score_ms == b->score_ms && a->eta_ms == b->eta_ms &&
           a->made_at_ms == b->made_at_ms && a->expires_at_ms == b->expires_at_ms &&
           a->ended_at_ms == b->ended_at_ms && a->end == b->end && id_equal(a->id, b->id);
}

static bool rides_equal(const struct ride_image *a, const struct ride_image *b)
{
    if (a->fleet != b->fleet || a->number != b->number || !text_equal(a->rider_id, b->rider_id) ||
        !points_equal(a->pickup, b->pickup) || !points_equal(a->to, b->to) || a->cell != b->cell ||
        a->has_to != b->has_to || !optional_equal(a->type, b->type) || a->surge_milli != b->surge_milli ||
        a->status != b->status || a->created_at_ms != b->created_at_ms ||
        a->search_until_ms != b->search_until_ms || a->assigned_at_ms != b->assigned_at_ms ||
        a->ended_at_ms != b->ended_at_ms || !optional_equal(a->driver_id, b->driver_id) ||
        a->offer != b->offer || a->offer_count != b->offer_count)
        return false;
    for (uint32_t i = 0; i < a->offer_count; i++)
        if (!offers_equal(&a->offers[i], &b->offers[i]))
            return false;
    return true;
}

static bool all_rides_equal(struct state *a, const struct fleet *x, struct state *b, const struct fleet *y)
{
    for (uint32_t i = 0; i < x->rides.used; i++) {
        const struct ride *r = ride_at(x, i);
        uint32_t other = r->status ? ride_find(y, r->id) : TABLE_NONE;
        if (!r->status || (other == TABLE_NONE && !ride_live(r)))
            continue;
        struct ride_image p, q;
        ride_view(a, x, i, &p);
        if (other == TABLE_NONE)
            return false;
        ride_view(b, y, other, &q);
        if (!rides_equal(&p, &q))
            return false;
    }
    return true;
}

static bool settings_equal(const struct fleet_image *a, const struct fleet_image *b)
{
    return a->number == b->number && text_equal(a->id, b->id) && a->offer_s == b->offer_s &&
           a->resolution == b->resolution && a->max_rings == b->max_rings && a->presence_s == b->presence_s &&
           a->search_s == b->search_s && a->speed_kmh == b->speed_kmh && a->batch_ms == b->batch_ms &&
           a->guests == b->guests && a->rides_per_rider == b->rides_per_rider &&
           memcmp(&a->weights, &b->weights, sizeof(a->weights)) == 0 &&
           memcmp(a->key, b->key, sizeof(a->key)) == 0 && a->created_at_ms == b->created_at_ms;
}

bool dispatch_compare(struct state *a, struct state *b, char *sentence, size_t size)
{
    if (a->dispatch->count != b->dispatch->count) {
        snprintf(sentence, size, "One has %u fleets, the other %u.", a->dispatch->count, b->dispatch->count);
        return false;
    }
    for (uint32_t i = 0; i < a->dispatch->count; i++) {
        const struct fleet *x = a->dispatch->by_name[i], *y = b->dispatch->by_name[i];
        const char *what = !settings_equal(&x->image, &y->image) ? "settings"
                           : !drivers_equal(a, x, b, y)          ? "drivers"
                           : !all_rides_equal(a, x, b, y)        ? "rides"
                                                                 : NULL;
        if (what) {
            snprintf(sentence, size, "Fleet %.*s has other %s.", (int)x->image.id.size, x->image.id.at, what);
            return false;
        }
    }
    return true;
}

/* ---- As the book does ---- */

static bool load_offers(struct state *from, const struct fleet *f, uint32_t ride, struct state *to)
{
    struct ride_image image;
    bool fine = true;
    ride_view(from, f, ride, &image);
    to->change.kind = CHANGE_OFFER;
    for (uint32_t i = 0; fine && i < image.offer_count; i++) {
        to->change.offer = image.offers[i];
        fine = state_load_record(to, &to->change);
    }
    return fine;
}

static bool load_fleet(struct state *from, const struct fleet *f, struct state *to)
{
    bool fine = true;
    struct change *c = &to->change;
    c->kind = CHANGE_FLEET;
    c->fleet = f->image;
    fine = state_load_record(to, c);
    c->kind = CHANGE_DRIVER;
    for (uint32_t i = 0; fine && i < f->drivers.used; i++) {
        if (!driver_at(f, i)->id_size || driver_at(f, i)->removed)
            continue;
        driver_view(from, f, i, &c->driver);
        fine = state_load_record(to, c);
    }
    /* By number: slots are reused. */
    for (uint64_t last = 0; fine;) {
        uint32_t next = TABLE_NONE;
        for (uint32_t i = 0; i < f->rides.used; i++)
            if (ride_live(ride_at(f, i)) && ride_at(f, i)->number > last &&
                (next == TABLE_NONE || ride_at(f, i)->number < ride_at(f, next)->number))
                next = i;
        if (next == TABLE_NONE)
            break;
        last = ride_at(f, next)->number;
        c->kind = CHANGE_RIDE;
        ride_view(from, f, next, &c->ride);
        fine = state_load_record(to, c) && load_offers(from, f, next, to);
    }
    return fine;
}

bool dispatch_load(struct state *from, struct state *to)
{
    bool fine = true;
    for (uint32_t i = 0; fine && i < from->dispatch->count; i++)
        fine = load_fleet(from, from->dispatch->by_name[i], to);
    return fine;
}

bool dispatch_fetch(struct state *book, const struct ride_key *key, struct ride_image *image)
{
    for (uint32_t i = 0; i < book->dispatch->count; i++) {
        const struct fleet *f = book->dispatch->by_name[i];
        uint32_t offer = key->offer ? offer_find(f, key->offer) : TABLE_NONE;
        uint32_t ride =
            key->offer ? offer == TABLE_NONE ? TABLE_NONE : offer_at(f, offer)->ride : ride_find(f, key->id);
        if (ride == TABLE_NONE)
            continue;
        ride_view(book, f, ride, image);
        return true;
    }
    return false;
}
