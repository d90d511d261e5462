/* SPDX-License-Identifier: Apache-2.0 */
/* ride.c — the records of rides, their indexes, and their recovery from changes and from the book. */
#include "core/dispatch/ride.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/codec.h"
#include "core/state.h"

/* ---- Finding ---- */

static uint64_t number_hash(uint64_t number)
{
    return number * 0x9E3779B97F4A7C15u;
}

static uint64_t hash_of_ride(void *owner, uint32_t handle)
{
    return ride_at(owner, handle)->id.low; /* random */
}

static uint64_t hash_of_offer(void *owner, uint32_t handle)
{
    return number_hash(offer_at(owner, handle)->number);
}

static bool same_ride(void *owner, uint32_t handle, const void *key)
{
    return id_equal(ride_at(owner, handle)->id, *(const struct id *)key);
}

static bool same_offer(void *owner, uint32_t handle, const void *key)
{
    return offer_at(owner, handle)->number == *(const uint64_t *)key;
}

uint32_t ride_find(const struct fleet *f, struct id id)
{
    return table_find(&f->rides_by_id, id.low, same_ride, &id);
}

uint32_t offer_find(const struct fleet *f, uint64_t number)
{
    return table_find(&f->offers_by_number, number_hash(number), same_offer, &number);
}

void offer_insert(struct fleet *f, uint32_t handle)
{
    table_insert(&f->offers_by_number, number_hash(offer_at(f, handle)->number), handle);
    name_index_add(&f->offers_by_driver, handle);
}

struct offer *ride_offer(const struct fleet *f, const struct ride *r)
{
    uint32_t handle = r->offer ? offer_find(f, r->offer) : TABLE_NONE;
    return handle == TABLE_NONE ? NULL : offer_at(f, handle);
}

static struct text rider_of(const struct fleet *f, uint32_t handle)
{
    return ride_at(f, handle)->rider;
}

static struct name_link *link_of_ride(const struct fleet *f, uint32_t handle)
{
    return &ride_at(f, handle)->of_rider;
}

static struct name_link *link_of_live_ride(const struct fleet *f, uint32_t handle)
{
    return &ride_at(f, handle)->live;
}

static struct text offer_driver(const struct fleet *f, uint32_t handle)
{
    const struct offer *o = offer_at(f, handle);
    return (struct text){o->driver, o->driver_size};
}

static struct name_link *link_of_offer(const struct fleet *f, uint32_t handle)
{
    return &offer_at(f, handle)->of_driver;
}

static void ride_placed(void *owner, uint64_t handle, uint32_t place)
{
    ride_at(owner, (uint32_t)handle)->place = place;
}

void rides_init(struct fleet *f)
{
    slab_init(&f->rides, sizeof(struct ride));
    slab_init(&f->offers, sizeof(struct offer));
    table_init(&f->rides_by_id, hash_of_ride, f);
    table_init(&f->offers_by_number, hash_of_offer, f);
    name_index_init(&f->rides_by_rider, f, rider_of, link_of_ride);
    name_index_init(&f->live_by_rider, f, rider_of, link_of_live_ride);
    name_index_init(&f->offers_by_driver, f, offer_driver, link_of_offer);
    heap_init(&f->deadlines, ride_placed, f);
    ride_lists_init(f);
}

static void texts_free(struct ride *r)
{
    text_free(r->rider);
    text_free(r->type);
    text_free(r->driver_id);
}

void rides_release(struct fleet *f)
{
    for (uint32_t i = 0; i < f->rides.used; i++)
        if (ride_at(f, i)->status)
            texts_free(ride_at(f, i));
    for (uint32_t i = 0; i < f->offers.used; i++)
        if (offer_at(f, i)->number)
            free(offer_at(f, i)->driver);
    slab_release(&f->rides);
    slab_release(&f->offers);
    table_release(&f->rides_by_id);
    table_release(&f->offers_by_number);
    name_index_release(&f->rides_by_rider);
    name_index_release(&f->live_by_rider);
    name_index_release(&f->offers_by_driver);
    heap_release(&f->deadlines);
    ride_lists_release(f);
}

/* ---- Time ---- */

static int64_t due_ms(const struct fleet *f, const struct ride *r)
{
    if (r->status == RIDE_SEARCHING)
        return ride_search_over_ms(r);
    const struct offer *o = r->status == RIDE_OFFERED ? ride_offer(f, r) : NULL;
    if (!o || !r->driver)
        return o ? o->expires_at_ms : INT64_MAX;
    int64_t silent_ms = offer_silent_ms(o, driver_at(f, r->driver - 1));
    return silent_ms < o->expires_at_ms ? silent_ms : o->expires_at_ms;
}

void ride_schedule(struct fleet *f, uint32_t handle)
{
    struct ride *r = ride_at(f, handle);
    int64_t at_ms = due_ms(f, r);
    if (r->place != HEAP_NONE)
        heap_remove(&f->deadlines, r->place);
    ASSERT(r->place == HEAP_NONE);
    if (at_ms != INT64_MAX)
        heap_push(&f->deadlines, at_ms, handle);
    ASSERT((r->place == HEAP_NONE) == (at_ms == INT64_MAX));
}

/* ---- Status ---- */

static bool may_become(enum ride_status from, enum ride_status to)
{
    switch (from) {
    case RIDE_SEARCHING:
        return to == RIDE_OFFERED || to == RIDE_NO_DRIVER || to == RIDE_CANCELLED;
    case RIDE_OFFERED:
        return to != RIDE_OFFERED && to != RIDE_COMPLETED;
    case RIDE_ASSIGNED:
        return to == RIDE_SEARCHING || to == RIDE_CANCELLED || to == RIDE_COMPLETED;
    case RIDE_NO_DRIVER:
    case RIDE_CANCELLED:
    case RIDE_COMPLETED:
        return false;
    }
    return true; /* a new one, or one from the book */
}

/* Links it to its driver, as its record and its offers say. False: its offer or driver is unknown. */
static bool link_driver(struct state *st, struct fleet *f, uint32_t handle)
{
    struct ride *r = ride_at(f, handle);
    uint32_t driver = 0;
    const struct offer *o = ride_offer(f, r);
    if (r->status == RIDE_OFFERED && o)
        driver = driver_find_any(f, (struct text){o->driver, o->driver_size}) + 1u;
    if (r->status == RIDE_ASSIGNED) {
        uint32_t found = driver_find_any(f, r->driver_id);
        if (found == TABLE_NONE) { /* removed during the ride */
            found = driver_make(st, f, r->driver_id);
            driver_at(f, found)->removed = true;
        }
        driver = found + 1;
    }
    const struct driver *d = driver ? driver_at(f, driver - 1) : NULL;
    bool fits = !(r->status == RIDE_OFFERED && o && !d) &&
                !(d && (d->elsewhere || (d->ride && d->ride != handle + 1)));
    if (!fits)
        return false;
    uint32_t before = r->driver;
    r->driver = driver;
    if (before && before != driver)
        driver_set_ride(st, f, before - 1, 0);
    if (driver)
        driver_set_ride(st, f, driver - 1, handle + 1);
    ASSERT(!driver || driver_at(f, driver - 1)->ride == handle + 1);
    return true;
}

static bool become(struct state *st, struct fleet *f, uint32_t handle, enum ride_status status)
{
    struct ride *r = ride_at(f, handle);
    if (r->searching)
        ride_wait_end(f, handle);
    if (ride_live(r) && !ride_status_live(status))
        name_index_remove(&f->live_by_rider, handle);
    else if (!ride_live(r) && ride_status_live(status))
        name_index_add(&f->live_by_rider, handle);
    ASSERT(!r->status || f->rides_by_status[r->status]);
    if (r->status)
        f->rides_by_status[r->status]--;
    f->rides_by_status[status]++;
    f->recalled_by_status[status] += r->recalled;
    r->status = (uint8_t)status;
    if (!link_driver(st, f, handle))
        return false;
    if (status == RIDE_SEARCHING)
        ride_wait_begin(f, handle);
    else if (!ride_live(r))
        ride_ended_add(f, handle);
    ride_schedule(f, handle);
    return true;
}

void ride_set_status(struct state *st, struct fleet *f, uint32_t handle, enum ride_status status)
{
    ASSERT(may_become((enum ride_status)ride_at(f, handle)->status, status));
    bool fits = become(st, f, handle, status);
    ASSERT(fits);
}

void ride_touched(struct state *st, struct ride_touch touch)
{
    ASSERT(touch.seq == st->seq && (touch.driver || !touch.offer) && (touch.driver || !id_none(touch.ride)));
    st->rides = memory_room(st->rides, st->ride_count, &st->ride_capacity, 256, sizeof(*st->rides));
    st->rides[st->ride_count++] = touch;
}

static void ride_notify(struct state *st, const struct fleet *f, const struct ride *r)
{
    ride_touched(st, (struct ride_touch){.seq = r->seq, .fleet = f->image.number, .ride = r->id});
}

void ride_emit(struct state *st, struct fleet *f, uint32_t handle)
{
    struct ride *r = ride_at(f, handle);
    ASSERT(r->status && (r->status == RIDE_OFFERED || r->status == RIDE_ASSIGNED) == (r->driver != 0));
    st->change.kind = CHANGE_RIDE;
    ride_image_make(f, r, &st->change.ride);
    r->seq = state_emit(st);
    ride_notify(st, f, r);
    fleet_schedule(st, f);
}

void ride_settle(struct state *st, struct fleet *f, uint32_t handle)
{
    struct ride *r = ride_at(f, handle);
    struct actor actor = st->actor;
    ASSERT(r->status && (r->status != RIDE_OFFERED || ride_offer(f, r)));
    st->actor = (struct actor){.role = ROLE_SERVER}; /* not done by the caller */
    if (r->status == RIDE_OFFERED && st->now_ms >= ride_offer(f, r)->expires_at_ms)
        offer_lost(st, f, handle, OFFER_TIMED_OUT);
    if (r->status == RIDE_SEARCHING && st->now_ms >= ride_search_over_ms(r)) {
        r->ended_at_ms = st->now_ms < r->search_until_ms ? st->now_ms : r->search_until_ms;
        ride_set_status(st, f, handle, RIDE_NO_DRIVER);
        ride_emit(st, f, handle);
    }
    ASSERT(r->status != RIDE_SEARCHING || st->now_ms < ride_search_over_ms(r));
    st->actor = actor;
}

/* ---- Recovery ---- */

static bool ride_image_valid(const struct fleet *f, const struct ride_image *i)
{
    bool live = ride_status_live(i->status),
         driven = i->status == RIDE_ASSIGNED || i->status == RIDE_COMPLETED;
    /* A ride that has ended can be from before the fleet changed its resolution. */
    if (live && (!h3_is_valid(i->cell) || h3_resolution(i->cell) != (int)f->image.resolution))
        return false;
    /* The driver who has it is named, and no other; a cancelled ride can have had a driver. */
    bool named = i->driver_id.at != NULL;
    if (i->status != RIDE_CANCELLED && (named != driven || driven != (i->assigned_at_ms != 0)))
        return false;
    return i->number >= 1 && !id_none(i->id) && i->rider_id.size >= 1 && i->rider_id.size <= USER_SIZE_MAX &&
           geo_point_valid(i->pickup) && geo_point_valid(i->to) && i->type.size <= TYPE_SIZE_MAX &&
           i->surge_milli >= SURGE_MILLI_MIN && i->driver_id.size <= DRIVER_ID_SIZE_MAX &&
           named == (i->driver_id.size != 0) && live == !i->ended_at_ms && (!named || i->offer) &&
           (i->status != RIDE_OFFERED || i->offer) && (i->status != RIDE_SEARCHING || !i->offer);
}

static void image_take(struct ride *r, const struct ride_image *image)
{
    struct ride before = *r;
    r->rider = text_own(image->rider_id);
    r->type = text_own(image->type);
    r->driver_id = text_own(image->driver_id);
    texts_free(&before);
    r->offer = image->offer;
    r->pickup = image->pickup;
    r->to = image->to;
    r->has_to = image->has_to;
    r->cell = image->cell;
    r->surge_milli = image->surge_milli;
    r->created_at_ms = image->created_at_ms;
    r->search_until_ms = image->search_until_ms;
    r->assigned_at_ms = image->assigned_at_ms;
    r->ended_at_ms = image->ended_at_ms;
}

uint32_t ride_make(struct fleet *f, const struct ride_image *image)
{
    ASSERT(ride_find(f, image->id) == TABLE_NONE && !id_none(image->id) && image->rider_id.size);
    uint32_t handle = slab_take(&f->rides);
    struct ride *r = ride_at(f, handle);
    r->id = image->id;
    r->number = image->number;
    r->place = r->fresh_place = HEAP_NONE;
    image_take(r, image);
    name_index_add(&f->rides_by_rider, handle);
    table_insert(&f->rides_by_id, image->id.low, handle);
    return handle;
}

static bool ride_restore(struct state *st, const struct ride_image *image, uint64_t seq)
{
    struct fleet *f = fleet_find_number(st, image->fleet);
    if (!f || !ride_image_valid(f, image))
        return false;
    uint32_t handle = ride_find(f, image->id);
    if (handle == TABLE_NONE) {
        bool fits =
            seq ? image->number == seq && image->status == RIDE_SEARCHING : ride_status_live(image->status);
        if (!fits)
            return false;
        handle = ride_make(f, image);
    } else if (ride_at(f, handle)->number != image->number ||
               !may_become((enum ride_status)ride_at(f, handle)->status, image->status)) {
        return false;
    } else {
        bool live = ride_live(ride_at(f, handle)); /* in damaged bytes the rider can be another */
        name_index_remove(&f->rides_by_rider, handle);
        if (live)
            name_index_remove(&f->live_by_rider, handle);
        image_take(ride_at(f, handle), image);
        name_index_add(&f->rides_by_rider, handle);
        if (live)
            name_index_add(&f->live_by_rider, handle);
    }
    ride_at(f, handle)->seq = seq;
    if (seq) /* one from the book is no news */
        ride_notify(st, f, ride_at(f, handle));
    bool fits = become(st, f, handle, image->status);
    fleet_schedule(st, f);
    return fits;
}

bool ride_link(struct state *st, struct fleet *f, uint32_t handle)
{
    bool fits = link_driver(st, f, handle);
    ride_schedule(f, handle);
    fleet_schedule(st, f);
    return fits;
}

bool state_remember_ride(struct state *st, const struct ride_image *image)
{
    struct fleet *f = fleet_find_number(st, image->fleet);
    if (!f || ride_find(f, image->id) != TABLE_NONE)
        return f != NULL;
    struct ride_image now = *image;
    now.rider_id = erasure_name(st, image->rider_id, image->number);
    now.driver_id = erasure_name(st, image->driver_id, image->offer);
    if (!ride_image_valid(f, &now) || ride_status_live(image->status))
        return false;
    uint32_t handle = ride_make(f, &now);
    ride_at(f, handle)->recalled = true;
    bool fits = become(st, f, handle, image->status);
    for (uint32_t i = 0; fits && i < image->offer_count; i++) {
        struct offer_image offer = image->offers[i];
        offer.driver_id = erasure_name(st, offer.driver_id, offer.number);
        fits = offer.end && offer_restore(st, &offer, 0); /* a ride that has ended has no live offer */
    }
    ASSERT(!fits || ride_at(f, handle)->offer_count == image->offer_count);
    return fits;
}

bool rides_whole(const struct state *st)
{
    for (uint32_t i = 0; i < st->dispatch->count; i++) {
        const struct fleet *f = st->dispatch->by_name[i];
        uint64_t live = 0;
        for (uint32_t k = 0; k < f->offers.used; k++) {
            const struct offer *o = offer_at(f, k);
            live += o->number && !o->end;
            if (o->number && !o->end && ride_at(f, o->ride)->offer != o->number)
                return false;
        }
        if (live != f->rides_by_status[RIDE_OFFERED])
            return false;
        for (uint32_t k = 0; k < f->rides.used; k++) { /* a driver has no ride in a second fleet */
            const struct ride *r = ride_at(f, k);
            if (r->status && r->driver && driver_at(f, r->driver - 1)->elsewhere)
                return false;
        }
    }
    return true;
}

/* ---- Forgetting ---- */

static void ride_forget(struct fleet *f, uint32_t handle)
{
    struct ride *r = ride_at(f, handle);
    ASSERT(!ride_live(r) && !r->driver);
    for (uint32_t at = r->first_offer; at;) {
        struct offer *o = offer_at(f, at - 1);
        ASSERT(o->end && o->ride == handle);
        uint32_t next = o->next;
        table_remove(&f->offers_by_number, number_hash(o->number), at - 1);
        name_index_remove(&f->offers_by_driver, at - 1);
        free(o->driver);
        o->number = 0;
        slab_give(&f->offers, at - 1);
        at = next;
    }
    ride_ended_leave(f, handle);
    ASSERT(f->rides_by_status[r->status] && r->place == HEAP_NONE);
    f->rides_by_status[r->status]--;
    f->recalled_by_status[r->status] -= r->recalled;
    table_remove(&f->rides_by_id, r->id.low, handle);
    name_index_remove(&f->rides_by_rider, handle);
    texts_free(r);
    r->status = 0;
    slab_give(&f->rides, handle);
}

uint32_t fleet_forget(struct state *st, uint64_t book_seq, uint32_t most)
{
    uint32_t done = 0;
    for (uint32_t i = 0; i < st->dispatch->count; i++) {
        struct fleet *f = st->dispatch->by_name[i];
        while (done < most && f->first_ended) {
            const struct ride *r = ride_at(f, f->first_ended - 1);
            if (r->seq > book_seq || r->ended_at_ms + RIDE_KEPT_MS > st->now_ms)
                break;
            ride_forget(f, f->first_ended - 1);
            done++;
        }
    }
    return done;
}

/* ---- The change: see change_codec.c before touching its bytes ---- */

/* clang-format off */
#define RIDE_FIELDS(X) \
    X(number, fleet) X(id, id) X(number, number) X(text, rider_id) \
    X(point, pickup) X(fixed, cell) X(flag, has_to) X(point, to) X(optional, type) \
    X(u32, surge_milli, SURGE_MILLI_MAX) X(word, status, RIDE_STATUS_FIRST, RIDE_STATUS_LAST) \
    X(signed, created_at_ms) X(since, search_until_ms, created_at_ms) X(signed, assigned_at_ms) \
    X(signed, ended_at_ms) X(optional, driver_id) X(number, offer)
#define CODEC_PUT_point(field) point_put(out, r->field)
#define CODEC_GET_point(field) r->field = point_get(in)
/* clang-format on */

/* From the south pole, and from the antimeridian. */
static void point_put(struct buf *out, struct geo_point p)
{
    codec_put_u32(out, (uint64_t)(p.lat_e7 + 900000000LL), 1800000000);
    codec_put_u32(out, (uint64_t)(p.lng_e7 + 1800000000LL), 3600000000);
}

static struct geo_point point_get(struct bytes_reader *in)
{
    int64_t lat = codec_get_u32(in, 1800000000), lng = codec_get_u32(in, 3600000000);
    return (struct geo_point){(int32_t)(lat - 900000000), (int32_t)(lng - 1800000000)};
}

CHANGE_CODEC(ride, ride, RIDE_FIELDS)
CHANGE_RESTORE(ride, ride_restore(st, &c->ride, c->seq))
