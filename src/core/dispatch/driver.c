/* SPDX-License-Identifier: Apache-2.0 */
#include "core/dispatch/driver.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/crypto/hash.h"
#include "base/memory/memory.h"
#include "core/codec.h"
#include "core/dispatch/registration.h"
#include "core/dispatch/ride.h"
#include "core/state.h"

/* ---- Finding ---- */

uint64_t driver_hash(struct text id)
{
    uint64_t hash = hash_sip((struct hash_key){0x6472, 0x6976}, id.at, id.size);
    return hash ? hash : 1;
}

static uint64_t hash_of_id(void *owner, uint32_t handle)
{
    return driver_hash(driver_id(driver_at(owner, handle)));
}

static bool same_id(void *owner, uint32_t handle, const void *key)
{
    return text_equal(driver_id(driver_at(owner, handle)), *(const struct text *)key);
}

void drivers_init(struct fleet *f)
{
    slab_init(&f->drivers, sizeof(struct driver));
    table_init(&f->drivers_by_id, hash_of_id, f);
    drivers_index_init(f);
}

void drivers_release(struct fleet *f)
{
    for (uint32_t i = 0; i < f->drivers.used; i++)
        if (driver_at(f, i)->id_size > DRIVER_ID_INSIDE)
            free(driver_at(f, i)->id.outside);
    slab_release(&f->drivers);
    table_release(&f->drivers_by_id);
    drivers_index_release(f);
}

uint32_t driver_find_any(const struct fleet *f, struct text id)
{
    ASSERT(id.at && id.size); /* every driver has an id */
    return table_find(&f->drivers_by_id, driver_hash(id), same_id, &id);
}

static uint32_t find_hashed(const struct fleet *f, struct text id, uint64_t hash)
{
    uint32_t handle = table_find(&f->drivers_by_id, hash, same_id, &id);
    return handle != TABLE_NONE && driver_at(f, handle)->removed ? TABLE_NONE : handle;
}

uint32_t driver_find(const struct fleet *f, struct text id)
{
    return find_hashed(f, id, driver_hash(id));
}

/* ---- Types ---- */

/* The index of a type in the fleet; FLEET_TYPES_MAX: no driver has it. */
static uint32_t type_place(const struct fleet *f, struct text word)
{
    uint32_t i = 0;
    while (i < FLEET_TYPES_MAX && !(f->types[i].word.at && text_equal(f->types[i].word, word)))
        i++;
    return i;
}

bool fleet_has_type(const struct fleet *f, struct text type)
{
    return type_place(f, type) < FLEET_TYPES_MAX;
}

bool driver_has_type(const struct fleet *f, const struct driver *d, struct text type)
{
    uint32_t place = type_place(f, type);
    return place < FLEET_TYPES_MAX && (d->types >> place & 1);
}

/* Whether the fleet has room for those of these types that it does not have yet. */
static bool types_fit(const struct fleet *f, const struct text *types, uint32_t count)
{
    uint32_t more = 0, room = 0;
    for (uint32_t i = 0; i < count; i++)
        more += !fleet_has_type(f, types[i]);
    for (uint32_t i = 0; i < FLEET_TYPES_MAX; i++)
        room += !f->types[i].word.at;
    return more <= room;
}

static uint64_t types_take(struct fleet *f, const struct text *types, uint32_t count)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = type_place(f, types[i]);
        for (uint32_t k = 0; place == FLEET_TYPES_MAX && k < FLEET_TYPES_MAX; k++)
            if (!f->types[k].word.at) {
                f->types[k].word = text_own(types[i]);
                place = k;
            }
        ASSERT(place < FLEET_TYPES_MAX && !(bits >> place & 1));
        f->types[place].drivers++;
        bits |= (uint64_t)1 << place;
    }
    return bits;
}

static void types_release(struct fleet *f, uint64_t bits)
{
    for (uint32_t i = 0; i < FLEET_TYPES_MAX; i++)
        if (bits >> i & 1 && --f->types[i].drivers == 0) {
            ASSERT(f->types[i].word.at);
            text_free(f->types[i].word);
            f->types[i].word = (struct text){0};
        }
}

/* ---- The record ---- */

void driver_view(const struct state *st, const struct fleet *f, uint32_t handle, struct driver_image *out)
{
    struct text *types = ((struct state *)(uintptr_t)st)->dispatch->types; /* scratch */
    const struct driver *d = driver_at(f, handle);
    ASSERT(d->id_size && d->status >= DRIVER_STATUS_FIRST && d->status <= DRIVER_STATUS_LAST);
    *out = (struct driver_image){
        .fleet = f->image.number,
        .id = driver_id(d),
        .rating_milli = d->rating_milli,
        .surge = d->surge,
        .types = types,
        .removed = d->removed,
        .fleet_id = f->image.id,
        .status = (enum driver_status)d->status,
        .has_point = d->cell != 0,
        .point = d->point,
        .cell = d->cell ? cell_at(f, d->cell - 1)->cell : 0,
        .available = d->cell && d->available,
        .heard_at_ms = d->cell ? d->heard_ms : 0,
    };
    for (uint32_t i = 0; i < FLEET_TYPES_MAX; i++)
        if (d->types >> i & 1) {
            ASSERT(out->type_count < DRIVER_TYPES_MAX && f->types[i].word.at);
            types[out->type_count++] = f->types[i].word;
        }
}

int64_t driver_idle_ms(const struct state *st, const struct driver *d)
{
    int64_t idle_ms = d->free_ms ? st->now_ms - d->free_ms : 0;
    ASSERT(idle_ms >= 0); /* time goes forward */
    return idle_ms < IDLE_MAX_MS ? idle_ms : IDLE_MAX_MS;
}

uint32_t driver_make(struct state *st, struct fleet *f, struct text id)
{
    uint32_t handle = slab_take(&f->drivers);
    struct driver *d = driver_at(f, handle);
    ASSERT(id.size >= 1 && id.size <= DRIVER_ID_SIZE_MAX);
    d->id_size = (uint8_t)id.size;
    if (id.size <= DRIVER_ID_INSIDE)
        memcpy(d->id.inside, id.at, id.size);
    else
        d->id.outside = memory_copy(id.at, id.size);
    d->status = DRIVER_AWAY;
    d->rating_milli = RATING_MILLI_MAX;
    f->drivers_by_status[DRIVER_AWAY]++;
    table_insert(&f->drivers_by_id, driver_hash(id), handle);
    if (st->seq) /* records from the book are linked when all are loaded */
        driver_link(st, f, handle);
    return handle;
}

void driver_drop(struct state *st, struct fleet *f, uint32_t handle)
{
    struct driver *d = driver_at(f, handle);
    ASSERT(d->removed && !d->ride);
    driver_unlink(st, f, handle);
    driver_clear_position(st, f, handle);
    types_release(f, d->types);
    ASSERT(d->status == DRIVER_AWAY && f->drivers_by_status[DRIVER_AWAY]);
    f->drivers_by_status[d->status]--;
    table_remove(&f->drivers_by_id, driver_hash(driver_id(d)), handle);
    if (d->id_size > DRIVER_ID_INSIDE)
        free(d->id.outside);
    d->id_size = 0;
    ASSERT(!d->listed && !d->present && !d->cell); /* nothing refers to it any more */
    slab_give(&f->drivers, handle);
}

static bool driver_image_valid(const struct fleet *f, const struct driver_image *i)
{
    bool sound = f && i->id.size >= 1 && i->id.size <= DRIVER_ID_SIZE_MAX &&
                 i->rating_milli <= RATING_MILLI_MAX && i->type_count <= DRIVER_TYPES_MAX;
    for (uint32_t k = 0; sound && k < i->type_count; k++) {
        sound = i->types[k].size >= 1 && i->types[k].size <= TYPE_SIZE_MAX;
        for (uint32_t other = 0; other < k; other++)
            sound = sound && !text_equal(i->types[k], i->types[other]);
    }
    return sound;
}

/* Creates, replaces or removes it. TABLE_NONE: it does not fit, or it was removed. */
static uint32_t driver_restore(struct state *st, const struct driver_image *image, uint64_t seq)
{
    struct fleet *f = fleet_find_number(st, image->fleet);
    if (!driver_image_valid(f, image))
        return TABLE_NONE;
    uint32_t handle = driver_find_any(f, image->id);
    if ((handle == TABLE_NONE && image->removed) || !types_fit(f, image->types, image->type_count))
        return TABLE_NONE;
    if (handle == TABLE_NONE)
        handle = driver_make(st, f, image->id);
    struct driver *d = driver_at(f, handle);
    uint64_t before = d->types;
    d->types = types_take(f, image->types, image->type_count); /* first: the image can borrow the words */
    types_release(f, before);
    d->rating_milli = image->rating_milli & 0x1fff; /* thirteen bits: see driver_image_valid */
    d->surge = image->surge;
    d->removed = image->removed;
    f->drivers_seq = seq;
    if (d->removed) {
        uint64_t hash = driver_hash(image->id); /* dropping can free the id */
        driver_clear_position(st, f, handle);
        if (!d->ride)
            driver_drop(st, f, handle);
        st->removed_seq = seq;
        if (seq)
            ride_touched(st, (struct ride_touch){.seq = seq, .fleet = f->image.number, .driver = hash});
    }
    fleet_schedule(st, f);
    return handle;
}

/* ---- Commands ---- */

static void driver_save(struct state *st, const struct driver_image *image, struct outcome *out)
{
    st->change.kind = CHANGE_DRIVER;
    st->change.driver = *image;
    state_saw(out, state_commit(st));
}

/* A user token sees only its own record; others do not exist for it. */
static enum outcome_code driver_lookup(struct state *st, struct text fleet, struct text id, struct fleet **f,
                                       uint32_t *handle)
{
    *f = fleet_find(st, fleet);
    if (!*f)
        return OUTCOME_NO_SUCH_FLEET;
    bool other = st->actor.role == ROLE_USER && !text_equal(st->actor.name, id);
    *handle = other ? TABLE_NONE : driver_find(*f, id);
    return *handle == TABLE_NONE ? OUTCOME_NO_SUCH_DRIVER : OUTCOME_OK;
}

static enum outcome_code driver_answer(struct state *st, struct fleet *f, uint32_t handle,
                                       struct outcome *out)
{
    const struct driver *d = driver_at(f, handle);
    struct fleet *where;
    ASSERT(!d->removed); /* it is no longer shown */
    out->has_driver = true;
    driver_view(st, f, handle, &out->driver);
    state_saw(out, f->drivers_seq);
    uint32_t ride = driver_ride(st, f, handle, &where);
    if (ride)
        state_saw(out, ride_at(where, ride - 1)->seq);
    return OUTCOME_OK;
}

/* It reports where it is, and optionally whether it is available. */
static void take_report(struct state *st, struct fleet *f, uint32_t handle, const struct position *p)
{
    const struct driver *d = driver_at(f, handle);
    struct fleet *where;
    /* Availability before a restart is unknown: a driver that reports a position is available. */
    bool available = p->has_available ? p->available : d->cell ? d->available : true;
    driver_settle(st, f, handle);
    driver_heard_everywhere(st, f, handle, p, available);
    uint32_t ride = driver_ride(st, f, handle, &where);
    if (!available && ride && ride_at(where, ride - 1)->status == RIDE_OFFERED)
        offer_lost(st, where, ride - 1, OFFER_WITHDRAWN);
    ASSERT(d->present && d->heard_ms == st->now_ms && (available || d->status != DRIVER_FREE));
}

static bool cell_fits(const struct fleet *f, uint64_t cell)
{
    return h3_is_valid(cell) && h3_resolution(cell) == (int)f->image.resolution;
}

enum outcome_code driver_put(struct state *st, const struct command *c, struct outcome *out)
{
    const __typeof__(c->driver_put) *put = &c->driver_put;
    struct fleet *f;
    uint32_t handle;
    bool user = st->actor.role == ROLE_USER;
    enum outcome_code code = driver_lookup(st, put->fleet, put->id, &f, &handle);
    ASSERT(geo_point_valid(put->point) && put->type_count <= DRIVER_TYPES_MAX);
    if (code == OUTCOME_NO_SUCH_FLEET || (code == OUTCOME_NO_SUCH_DRIVER && user))
        return code;
    if (user && (put->has_rating || put->has_types))
        return OUTCOME_FORBIDDEN;
    if (!cell_fits(f, put->cell))
        return OUTCOME_NO_SUCH_FLEET; /* the one the request was resolved with is gone */
    struct driver_image image = {.fleet = f->image.number, .id = put->id, .rating_milli = RATING_MILLI_MAX};
    out->created = handle == TABLE_NONE;
    if (handle != TABLE_NONE)
        driver_view(st, f, handle, &image);
    image.rating_milli = put->has_rating ? put->rating_milli : image.rating_milli;
    image.surge = put->has_surge ? put->surge : image.surge;
    bool other_types = put->has_types && image.type_count != put->type_count;
    for (uint32_t i = 0; put->has_types && !other_types && i < put->type_count; i++)
        other_types = !driver_has_type(f, driver_at(f, handle), put->types[i]);
    if (put->has_types) {
        image.types = put->types;
        image.type_count = put->type_count;
    }
    if (!types_fit(f, image.types, image.type_count))
        return state_invalid(out, "Too many types: the drivers of a fleet have at most 64 different types.",
                             "/types");
    if (out->created || other_types || image.rating_milli != driver_at(f, handle)->rating_milli ||
        image.surge != driver_at(f, handle)->surge) {
        driver_save(st, &image, out);
        handle = driver_find(f, image.id);
    }
    if (other_types)
        fleet_mark_dirty(f); /* a ride could be waiting for one of them */
    take_report(
        st, f, handle,
        &(struct position){
            .point = put->point, .cell = put->cell, .has_available = true, .available = put->available});
    fleet_schedule(st, f);
    return driver_answer(st, f, handle, out);
}

enum outcome_code driver_remove(struct state *st, const struct command *c, struct outcome *out)
{
    struct fleet *f;
    uint32_t handle;
    enum outcome_code code = driver_lookup(st, c->driver.fleet, c->driver.id, &f, &handle);
    if (code != OUTCOME_OK)
        return code;
    const struct driver *d = driver_at(f, handle);
    if (d->ride)
        ride_settle(st, f, d->ride - 1);
    if (d->ride && ride_at(f, d->ride - 1)->status == RIDE_OFFERED)
        offer_lost(st, f, d->ride - 1, OFFER_WITHDRAWN);
    struct driver_image image;
    driver_view(st, f, handle, &image);
    image.removed = true;
    driver_save(st, &image, out);
    ASSERT(driver_find(f, c->driver.id) == TABLE_NONE);
    return OUTCOME_OK;
}

enum outcome_code driver_look(struct state *st, const struct command *c, struct outcome *out)
{
    struct fleet *f;
    uint32_t handle;
    enum outcome_code code = driver_lookup(st, c->driver.fleet, c->driver.id, &f, &handle);
    if (code != OUTCOME_OK)
        return code;
    if (!c->no_changes)
        driver_settle(st, f, handle);
    fleet_schedule(st, f);
    return driver_answer(st, f, handle, out);
}

/* What moving it touches: its cell, its group, and its neighbours in the list by last report. */
static void prefetch_neighbours(const struct fleet *f, const struct driver *d)
{
    if (d->cell)
        memory_prefetch(cell_at(f, d->cell - 1));
    if (d->listed)
        memory_prefetch(group_at(f, driver_group(d) - 1));
    driver_prefetch(f, d->later);
    driver_prefetch(f, d->earlier);
}

#define FOUND_TOGETHER 64

static uint32_t chunk_of(uint32_t left)
{
    return left < FOUND_TOGETHER ? left : FOUND_TOGETHER;
}

/* In a large fleet neither the index nor the records are in the cache: prefetch some together, first the places in the
 * index, then the records. */
static void find_some(struct fleet *f, const struct position *some, uint32_t count, uint32_t *found)
{
    uint64_t hashes[FOUND_TOGETHER];
    ASSERT(count <= FOUND_TOGETHER);
    for (uint32_t i = 0; i < count; i++) {
        hashes[i] = driver_hash(some[i].driver);
        table_prefetch(&f->drivers_by_id, hashes[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t likely = table_likely(&f->drivers_by_id, hashes[i]);
        if (likely != TABLE_NONE)
            driver_prefetch(f, likely + 1);
    }
    for (uint32_t i = 0; i < count; i++)
        found[i] = find_hashed(f, some[i].driver, hashes[i]);
}

/* If a driver is named more than once, only the last position counts. */
static void find_last(struct fleet *f, const uint32_t *found, uint32_t count, bool *passed_over)
{
    for (uint32_t i = count; i-- > 0;) {
        struct driver *d = found[i] == TABLE_NONE ? NULL : driver_at(f, found[i]);
        passed_over[i] = d && d->named;
        if (d)
            d->named = true;
    }
}

/* Takes in some of the positions, at most FOUND_TOGETHER; the neighbours of the records are prefetched together too. */
static void take_reports(struct state *st, struct fleet *f, const struct position *all, uint32_t from,
                         uint32_t count, struct outcome *out)
{
    struct dispatch *d = st->dispatch;
    ASSERT(count <= FOUND_TOGETHER);
    for (uint32_t i = from; i < from + count; i++)
        if (d->found[i] != TABLE_NONE)
            prefetch_neighbours(f, driver_at(f, d->found[i]));
    for (uint32_t i = from; i < from + count; i++) {
        ASSERT(geo_point_valid(all[i].point));
        if (d->found[i] == TABLE_NONE) {
            d->unknown[out->unknown_count++] = i;
            continue;
        }
        out->updated++;
        if (d->passed_over[i])
            continue;
        driver_at(f, d->found[i])->named = false;
        take_report(st, f, d->found[i], &all[i]);
    }
}

enum outcome_code driver_positions(struct state *st, const struct command *c, struct outcome *out)
{
    struct fleet *f = fleet_find(st, c->positions.fleet);
    ASSERT(c->positions.count <= POSITIONS_MAX && st->actor.role != ROLE_USER);
    if (!f)
        return OUTCOME_NO_SUCH_FLEET;
    for (uint32_t i = 0; i < c->positions.count; i++)
        if (!cell_fits(f, c->positions.all[i].cell))
            return OUTCOME_NO_SUCH_FLEET;
    const struct position *all = c->positions.all;
    for (uint32_t first = 0, count; first < c->positions.count; first += count) {
        count = chunk_of(c->positions.count - first);
        find_some(f, all + first, count, st->dispatch->found + first);
    }
    find_last(f, st->dispatch->found, c->positions.count, st->dispatch->passed_over);
    ASSERT(!out->updated && !out->unknown_count);
    for (uint32_t first = 0, count; first < c->positions.count; first += count) {
        count = chunk_of(c->positions.count - first);
        take_reports(st, f, all, first, count, out);
    }
    ASSERT(out->updated + out->unknown_count == c->positions.count);
    out->unknown = st->dispatch->unknown;
    fleet_schedule(st, f);
    return OUTCOME_OK;
}

/* ---- The change: see change_codec.c before touching its bytes ---- */

/* clang-format off */
#define DRIVER_FIELDS(X) \
    X(number, fleet) X(text, id) X(u32, rating_milli, RATING_MILLI_MAX) X(flag, surge) X(flag, removed)
/* clang-format on */

void driver_change_put(struct buf *out, const struct change *c)
{
    const struct driver_image *r = &c->driver;
    DRIVER_FIELDS(CODEC_PUT)
    codec_put_tiers(out, r->types, r->type_count);
}

void driver_change_get(struct bytes_reader *in, struct change *c)
{
    struct driver_image *r = &c->driver;
    *r = (struct driver_image){.types = c->tiers};
    DRIVER_FIELDS(CODEC_GET)
    r->type_count = codec_get_tiers(in, c->tiers);
}

CHANGE_RESTORE(driver, c->driver.type_count <= DRIVER_TYPES_MAX &&
                           driver_restore(st, &c->driver, c->seq) != TABLE_NONE)
