/* SPDX-License-Identifier: Apache-2.0 */
#include "core/dispatch/fleet.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/codec.h"
#include "core/dispatch/batch.h"
#include "core/dispatch/registration.h"
#include "core/state.h"

/* ---- Finding ---- */

/* The first fleet not before this name. */
static uint32_t place_of(const struct state *st, struct text id)
{
    uint32_t low = 0, high = st->dispatch->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (text_compare(st->dispatch->by_name[middle]->image.id, id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct fleet *fleet_find(const struct state *st, struct text id)
{
    uint32_t place = place_of(st, id);
    bool found = place < st->dispatch->count && text_equal(st->dispatch->by_name[place]->image.id, id);
    return found ? st->dispatch->by_name[place] : NULL;
}

static uint64_t number_hash(uint64_t number)
{
    return number * 0x9E3779B97F4A7C15u;
}

static uint64_t hash_of_slot(void *owner, uint32_t slot)
{
    return number_hash(((struct state *)owner)->dispatch->fleets[slot]->image.number);
}

static bool same_number(void *owner, uint32_t slot, const void *key)
{
    return ((struct state *)owner)->dispatch->fleets[slot]->image.number == *(const uint64_t *)key;
}

struct fleet *fleet_find_number(const struct state *st, uint64_t number)
{
    uint32_t slot = table_find(&st->dispatch->by_number, number_hash(number), same_number, &number);
    ASSERT(slot == TABLE_NONE || st->dispatch->fleets[slot]->slot == slot);
    return slot == TABLE_NONE ? NULL : st->dispatch->fleets[slot];
}

const struct fleet *state_fleet_named(const struct state *st, struct text id)
{
    return fleet_find(st, id);
}

const struct fleet *state_fleet_after(const struct state *st, struct text id)
{
    uint32_t place = place_of(st, id);
    if (place < st->dispatch->count && text_equal(st->dispatch->by_name[place]->image.id, id))
        place++;
    return place < st->dispatch->count ? st->dispatch->by_name[place] : NULL;
}

uint64_t state_fleets_seq(const struct state *st)
{
    return st->dispatch->seq;
}

/* ---- The record ---- */

static struct fleet *fleet_in(void *owner, uint64_t slot)
{
    const struct dispatch *d = ((struct state *)owner)->dispatch;
    ASSERT(slot < d->slot_count && d->fleets[slot]);
    return d->fleets[slot];
}

static void lapse_placed(void *owner, uint64_t slot, uint32_t place)
{
    fleet_in(owner, slot)->lapse_place = place;
}

static void search_placed(void *owner, uint64_t slot, uint32_t place)
{
    fleet_in(owner, slot)->search_place = place;
}

void dispatch_init(struct state *st)
{
    st->dispatch = memory_zeroed(1, sizeof(*st->dispatch));
    heap_init(&st->dispatch->lapses, lapse_placed, st);
    heap_init(&st->dispatch->searches, search_placed, st);
    table_init(&st->dispatch->by_number, hash_of_slot, st);
    registrations_init(st);
}

static void fleet_release(struct fleet *f)
{
    batch_drop(f);
    rides_release(f);
    drivers_release(f);
    for (uint32_t i = 0; i < FLEET_TYPES_MAX; i++)
        text_free(f->types[i].word);
    free(f->wait_times);
    text_free(f->image.id);
    free(f);
}

void dispatch_release(struct state *st)
{
    for (uint32_t i = 0; i < st->dispatch->slot_count; i++)
        if (st->dispatch->fleets[i])
            fleet_release(st->dispatch->fleets[i]);
    free(st->dispatch->fleets);
    free(st->dispatch->by_name);
    free(st->dispatch->view);
    heap_release(&st->dispatch->lapses);
    heap_release(&st->dispatch->searches);
    table_release(&st->dispatch->by_number);
    registrations_release(st);
    free(st->dispatch);
}

static bool fleet_image_valid(const struct fleet_image *i)
{
    const struct fleet_weights *w = &i->weights;
    return i->number >= 1 && i->id.size >= 1 && i->id.size <= ID_SIZE_MAX && i->offer_s >= 1 &&
           i->offer_s <= OFFER_SECONDS_MAX && i->resolution <= FLEET_RESOLUTION_MAX &&
           i->max_rings <= FLEET_RINGS_MAX && i->presence_s >= 1 && i->presence_s <= PRESENCE_SECONDS_MAX &&
           i->search_s >= 1 && i->search_s <= SEARCH_SECONDS_MAX && i->speed_kmh >= 1 &&
           i->speed_kmh <= SPEED_KMH_MAX && i->batch_ms <= BATCH_MS_MAX &&
           i->rides_per_rider <= RIDES_PER_RIDER_MAX && w->eta_milli <= WEIGHT_MILLI_MAX &&
           w->rating_milli <= WEIGHT_MILLI_MAX && w->waiting_milli <= WEIGHT_MILLI_MAX &&
           w->surge_milli <= WEIGHT_MILLI_MAX;
}

static struct fleet *make(struct state *st, const struct fleet_image *image)
{
    struct dispatch *d = st->dispatch;
    struct fleet *f = memory_zeroed(1, sizeof(*f));
    ASSERT(d->count < FLEETS_MAX && !fleet_find(st, image->id));
    uint32_t slot = 0, place = place_of(st, image->id);
    while (slot < d->slot_count && d->fleets[slot])
        slot++;
    if (slot == d->slot_count)
        d->fleets = memory_grow(d->fleets, ++d->slot_count, sizeof(*d->fleets));
    d->by_name = memory_grow(d->by_name, d->count + 1u, sizeof(*d->by_name));
    memmove(&d->by_name[place + 1], &d->by_name[place], (d->count - place) * sizeof(*d->by_name));
    d->by_name[place] = d->fleets[slot] = f;
    d->count++;
    f->slot = slot;
    f->lapse_place = f->search_place = HEAP_NONE;
    f->image = *image;
    f->image.id = text_own(image->id);
    table_insert(&d->by_number, number_hash(image->number), slot);
    drivers_init(f);
    rides_init(f);
    return f;
}

static uint64_t live_rides(const struct fleet *f)
{
    return f->rides_by_status[RIDE_SEARCHING] + f->rides_by_status[RIDE_OFFERED] +
           f->rides_by_status[RIDE_ASSIGNED];
}

static void forget(struct state *st, struct fleet *f)
{
    struct dispatch *d = st->dispatch;
    uint32_t place = place_of(st, f->image.id);
    ASSERT(d->by_name[place] == f && live_rides(f) == 0);
    if (f->lapse_place != HEAP_NONE)
        heap_remove(&d->lapses, f->lapse_place);
    if (f->search_place != HEAP_NONE)
        heap_remove(&d->searches, f->search_place);
    ASSERT(f->lapse_place == HEAP_NONE && f->search_place == HEAP_NONE); /* its slot will be reused */
    for (uint32_t i = 0; i < f->drivers.used; i++)
        if (driver_at(f, i)->id_size)
            driver_unlink(st, f, i);
    d->count--;
    memmove(&d->by_name[place], &d->by_name[place + 1], (d->count - place) * sizeof(*d->by_name));
    table_remove(&d->by_number, number_hash(f->image.number), f->slot);
    d->fleets[f->slot] = NULL;
    fleet_release(f);
}

/* Whether the work under way cannot continue with the new settings: a search must not compare scores made by the old
 * ones with scores made by these. */
static bool must_start_over(const struct fleet *f, const struct fleet_image *image)
{
    bool other_scores = f->image.speed_kmh != image->speed_kmh ||
                        memcmp(&f->image.weights, &image->weights, sizeof(image->weights)) != 0;
    return f->image.batch_ms != image->batch_ms || (other_scores && (f->scan.ride || f->batch));
}

/* Creates, replaces or removes it. False: it does not fit. */
static bool fleet_restore(struct state *st, const struct fleet_image *image, uint64_t seq)
{
    struct fleet *f = fleet_find(st, image->id);
    if (!fleet_image_valid(image) || (f ? f->image.number != image->number : image->removed) ||
        (!f && (st->dispatch->count == FLEETS_MAX || fleet_find_number(st, image->number))))
        return false;
    if (f && ((image->removed && live_rides(f)) ||
              (f->image.resolution != image->resolution && (f->drivers.count || live_rides(f)))))
        return false;
    st->dispatch->seq = seq;
    if (image->removed) {
        st->removed_seq = seq;
        forget(st, f);
        return true;
    }
    if (!f)
        f = make(st, image);
    struct text own = f->image.id;
    if (must_start_over(f, image))
        dispatch_start_over(f);
    f->image = *image;
    f->image.id = own;
    f->seq = seq;
    fleet_mark_dirty(f); /* for example more rings */
    fleet_schedule(st, f);
    return true;
}

/* ---- Commands ---- */

static void fleet_save(struct state *st, const struct fleet_image *image, struct outcome *out)
{
    st->change.kind = CHANGE_FLEET;
    st->change.fleet = *image;
    state_saw(out, state_commit(st));
}

static bool settings_equal(const struct fleet_image *a, const struct fleet_image *b)
{
    return a->offer_s == b->offer_s && a->resolution == b->resolution && a->max_rings == b->max_rings &&
           a->presence_s == b->presence_s && a->search_s == b->search_s && a->speed_kmh == b->speed_kmh &&
           a->batch_ms == b->batch_ms && a->guests == b->guests && a->rides_per_rider == b->rides_per_rider &&
           memcmp(&a->weights, &b->weights, sizeof(a->weights)) == 0;
}

enum outcome_code fleet_put(struct state *st, const struct command *c, struct outcome *out)
{
    struct fleet_image image = c->fleet_put;
    struct fleet *f = fleet_find(st, image.id);
    ASSERT(image.id.size >= 1 && image.id.size <= ID_SIZE_MAX);
    if (!f && st->dispatch->count == FLEETS_MAX)
        return state_invalid(out, "Too many fleets: at most 1000.", "%s", "");
    if (f && f->image.resolution != image.resolution && (f->drivers.count || live_rides(f))) {
        out->detail = "The resolution of a fleet with drivers or rides cannot be changed.";
        state_saw(out, st->seq);
        return OUTCOME_IN_USE;
    }
    image.number = f ? f->image.number : state_next_seq(st);
    image.created_at_ms = f ? f->image.created_at_ms : st->now_ms;
    image.removed = false;
    if (f)
        memcpy(image.key, f->image.key, sizeof(image.key));
    ASSERT(fleet_image_valid(&image)); /* the edge has checked it against the same bounds */
    if (!f || !settings_equal(&f->image, &image))
        fleet_save(st, &image, out);
    out->created = !f;
    f = fleet_find(st, image.id);
    ASSERT(f && f->image.number == image.number);
    state_saw(out, f->seq);
    out->fleet = &f->image;
    return OUTCOME_OK;
}

enum outcome_code fleet_remove(struct state *st, const struct command *c, struct outcome *out)
{
    const struct fleet *f = fleet_find(st, c->fleet);
    if (!f)
        return OUTCOME_NO_SUCH_FLEET;
    if (live_rides(f)) {
        out->detail = "This fleet has live rides.";
        state_saw(out, st->seq);
        return OUTCOME_IN_USE;
    }
    struct fleet_image image = f->image;
    image.removed = true;
    fleet_save(st, &image, out);
    ASSERT(!fleet_find(st, c->fleet));
    return OUTCOME_OK;
}

/* ---- When something is due ---- */

static void reschedule(struct heap *h, uint32_t at, int64_t due_ms, uint32_t slot)
{
    if (at != HEAP_NONE && due_ms == INT64_MAX)
        heap_remove(h, at);
    else if (at != HEAP_NONE)
        heap_change(h, at, due_ms);
    else if (due_ms != INT64_MAX)
        heap_push(h, due_ms, slot);
}

void fleet_schedule(struct state *st, struct fleet *f)
{
    const struct heap_entry *first = heap_first(&f->deadlines);
    batch_open(st, f);
    int64_t lapse_ms = first ? first->at_ms : INT64_MAX, silent_ms, search_ms = dispatch_search_due(st, f);
    driver_next_silent(f, &silent_ms);
    lapse_ms = silent_ms < lapse_ms ? silent_ms : lapse_ms;
    reschedule(&st->dispatch->lapses, f->lapse_place, lapse_ms, f->slot);
    reschedule(&st->dispatch->searches, f->search_place, search_ms, f->slot);
    ASSERT((f->lapse_place == HEAP_NONE) == (lapse_ms == INT64_MAX) &&
           (f->search_place == HEAP_NONE) == (search_ms == INT64_MAX));
}

/* ---- Reading ---- */

struct fleet_overview state_fleet_overview(const struct state *st, const struct fleet *f)
{
    struct fleet_overview o = {0};
    memcpy(o.drivers, f->drivers_by_status, sizeof(o.drivers));
    for (unsigned i = RIDE_STATUS_FIRST; i <= RIDE_STATUS_LAST; i++) {
        ASSERT(f->recalled_by_status[i] <= f->rides_by_status[i]);
        o.rides[i] = f->rides_by_status[i] - f->recalled_by_status[i];
    }
    if (f->wait_times)
        o.assignment = wait_times_figures(f->wait_times, st->now_ms);
    return o;
}

struct batch_stats state_batch_stats(const struct state *st)
{
    ASSERT(st->dispatch->stats.groups_too_large <= st->dispatch->stats.groups);
    return st->dispatch->stats;
}

bool state_fleet_cell(const struct fleet *f, uint32_t *from, uint32_t *looks, struct fleet_cell *out)
{
    while (*looks && *from < f->cells.used) {
        const struct cell *c = cell_at(f, (*from)++);
        --*looks;
        *out = (struct fleet_cell){c->cell, c->by_status[DRIVER_FREE - 1], c->by_status[DRIVER_OFFERED - 1],
                                   c->by_status[DRIVER_BUSY - 1]};
        ASSERT(out->free + out->offered + out->busy <= c->drivers); /* the rest are away */
        if (c->drivers && out->free + out->offered + out->busy)
            return true;
    }
    return false;
}

/* ---- The change: see change_codec.c before touching its bytes ---- */

/* clang-format off */
#define FLEET_FIELDS(X) \
    X(number, number) X(text, id) X(u32, offer_s, OFFER_SECONDS_MAX) X(u32, resolution, FLEET_RESOLUTION_MAX) \
    X(u32, max_rings, FLEET_RINGS_MAX) X(u32, presence_s, PRESENCE_SECONDS_MAX) \
    X(u32, search_s, SEARCH_SECONDS_MAX) X(u32, speed_kmh, SPEED_KMH_MAX) X(flag, guests) \
    X(u32, weights.eta_milli, WEIGHT_MILLI_MAX) X(u32, weights.rating_milli, WEIGHT_MILLI_MAX) \
    X(u32, weights.waiting_milli, WEIGHT_MILLI_MAX) X(u32, weights.surge_milli, WEIGHT_MILLI_MAX) \
    X(u32, batch_ms, BATCH_MS_MAX) X(u32, rides_per_rider, RIDES_PER_RIDER_MAX) \
    X(fixed, key[0]) X(fixed, key[1]) X(signed, created_at_ms) X(flag, removed)
/* clang-format on */

CHANGE_CODEC(fleet, fleet, FLEET_FIELDS)
CHANGE_RESTORE(fleet, fleet_restore(st, &c->fleet, c->seq))
