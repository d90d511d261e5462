/* SPDX-License-Identifier: Apache-2.0 */
/* driver_index.c — drivers by cell (the free ones) and by last report (those present). */
#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/dispatch/registration.h"
#include "core/dispatch/ride.h"
#include "core/state.h"

/* ---- Cells ---- */

static uint64_t cell_hash(uint64_t cell)
{
    /* Neighbours differ in few bits, some high, some low. */
    cell ^= cell >> 32;
    cell *= 0x9E3779B97F4A7C15u;
    cell ^= cell >> 29;
    return cell * 0xBF58476D1CE4E5B9u;
}

static uint64_t hash_of_cell(void *owner, uint32_t handle)
{
    return cell_hash(cell_at(owner, handle)->cell);
}

static bool same_cell(void *owner, uint32_t handle, const void *key)
{
    return cell_at(owner, handle)->cell == *(const uint64_t *)key;
}

void drivers_index_init(struct fleet *f)
{
    slab_init(&f->cells, sizeof(struct cell));
    slab_init(&f->groups, sizeof(struct free_group));
    slab_use_huge_pages(&f->cells);
    slab_use_huge_pages(&f->groups);
    table_init(&f->cells_by_cell, hash_of_cell, f);
}

void drivers_index_release(struct fleet *f)
{
    slab_release(&f->cells);
    slab_release(&f->groups);
    table_release(&f->cells_by_cell);
}

uint32_t cell_find(const struct fleet *f, uint64_t cell)
{
    return table_find(&f->cells_by_cell, cell_hash(cell), same_cell, &cell);
}

void cells_prefetch(const struct fleet *f, const uint64_t *cells, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        table_prefetch(&f->cells_by_cell, cell_hash(cells[i]));
}

void cells_find(const struct fleet *f, const uint64_t *cells, uint32_t count, uint32_t *found)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t likely = table_likely(&f->cells_by_cell, cell_hash(cells[i]));
        if (likely != TABLE_NONE)
            memory_prefetch(cell_at(f, likely));
    }
    for (uint32_t i = 0; i < count; i++) {
        found[i] = cell_find(f, cells[i]);
        if (found[i] != TABLE_NONE && cell_at(f, found[i])->first)
            memory_prefetch(group_at(f, cell_at(f, found[i])->first - 1));
    }
}

void group_prefetch(const struct fleet *f, uint32_t group, bool records)
{
    const struct free_group *g = group_at(f, group - 1);
    if (g->next)
        memory_prefetch(group_at(f, g->next - 1));
    for (uint32_t i = 0; records && i < GROUP_SIZE && g->all[i].driver; i++)
        driver_prefetch(f, g->all[i].driver);
}

static void cell_enter(struct fleet *f, struct driver *d, uint64_t cell)
{
    ASSERT(!d->cell);
    uint32_t handle = cell_find(f, cell);
    if (handle == TABLE_NONE) {
        handle = slab_take(&f->cells);
        cell_at(f, handle)->cell = cell;
        table_insert(&f->cells_by_cell, cell_hash(cell), handle);
    }
    ASSERT(cell_at(f, handle)->cell == cell && d->status);
    cell_at(f, handle)->drivers++;
    cell_at(f, handle)->by_status[d->status - 1]++;
    d->cell = handle + 1;
}

static void cell_leave(struct fleet *f, struct driver *d)
{
    struct cell *c = cell_at(f, d->cell - 1);
    ASSERT(c->drivers && c->by_status[d->status - 1]);
    c->by_status[d->status - 1]--;
    if (--c->drivers == 0) {
        ASSERT(!c->first);
        table_remove(&f->cells_by_cell, cell_hash(c->cell), d->cell - 1);
        slab_give(&f->cells, d->cell - 1);
    }
    d->cell = 0;
}

static void list_add(struct fleet *f, uint32_t handle)
{
    struct driver *d = driver_at(f, handle);
    struct cell *c = cell_at(f, d->cell - 1);
    uint32_t at = 0;
    ASSERT(d->status == DRIVER_FREE && !d->listed);
    while (c->first && at < GROUP_SIZE && group_at(f, c->first - 1)->all[at].driver)
        at++;
    if (!c->first || at == GROUP_SIZE) {
        uint32_t group = slab_take(&f->groups);
        group_at(f, group)->next = c->first;
        c->first = group + 1;
        at = 0;
    }
    group_at(f, c->first - 1)->all[at] = (struct free_driver){d->point, handle + 1};
    ASSERT(c->first <= UINT32_MAX / GROUP_PLACES);
    d->listed = c->first * GROUP_PLACES + at;
}

static struct free_driver *listed_at(const struct fleet *f, const struct driver *d)
{
    ASSERT(d->listed);
    return &group_at(f, driver_group(d) - 1)->all[d->listed % GROUP_PLACES];
}

/* The last of the first group takes its place. So a search that resumes at a group finds all drivers that it has not
 * read yet there or later. */
static void list_remove(struct fleet *f, uint32_t handle)
{
    struct driver *d = driver_at(f, handle);
    struct cell *c = cell_at(f, d->cell - 1);
    struct free_group *first = group_at(f, c->first - 1);
    struct free_driver *place = listed_at(f, d);
    uint32_t last = GROUP_SIZE - 1;
    ASSERT(place->driver == handle + 1);
    while (!first->all[last].driver) {
        ASSERT(last);
        last--;
    }
    *place = first->all[last];
    driver_at(f, place->driver - 1)->listed = d->listed;
    first->all[last].driver = d->listed = 0;
    if (last == 0) {
        uint32_t gone = c->first - 1;
        c->first = first->next;
        slab_give(&f->groups, gone);
    }
}

/* ---- Status ---- */

static enum driver_status status_now(const struct fleet *f, const struct driver *d)
{
    if (d->ride)
        return ride_at(f, d->ride - 1)->status == RIDE_ASSIGNED ? DRIVER_BUSY : DRIVER_OFFERED;
    if (d->elsewhere && !d->removed)
        return (enum driver_status)d->elsewhere;
    return d->present && d->available && d->cell && !d->removed ? DRIVER_FREE : DRIVER_AWAY;
}

void driver_refresh(struct state *st, struct fleet *f, uint32_t handle)
{
    struct driver *d = driver_at(f, handle);
    enum driver_status before = (enum driver_status)d->status, now = status_now(f, d);
    if (now == before)
        return;
    if (before == DRIVER_FREE)
        list_remove(f, handle);
    if (d->cell) {
        cell_at(f, d->cell - 1)->by_status[before - 1]--;
        cell_at(f, d->cell - 1)->by_status[now - 1]++;
    }
    f->drivers_by_status[before]--;
    f->drivers_by_status[now]++;
    d->status = now & 7; /* three bits */
    if (now == DRIVER_FREE) {
        /* An offer that came to nothing does not reset its idle time. */
        if (before != DRIVER_OFFERED || !d->free_ms)
            d->free_ms = driver_free_since_ms(st, f, handle);
        list_add(f, handle);
        fleet_mark_dirty(f);
    } else if (now != DRIVER_OFFERED) {
        d->free_ms = 0;
    }
}

void driver_set_ride(struct state *st, struct fleet *f, uint32_t handle, uint32_t ride)
{
    struct driver *d = driver_at(f, handle);
    ASSERT(!d->ride || !ride || d->ride == ride); /* one at a time */
    ASSERT(!ride || !d->elsewhere);               /* across all fleets */
    d->ride = ride;
    driver_refresh(st, f, handle);
    driver_update_others(st, f, handle);
    if (!ride && d->removed)
        driver_drop(st, f, handle);
}

/* ---- Present drivers, by last report ---- */

static void heard_remove(struct fleet *f, uint32_t handle)
{
    struct driver *d = driver_at(f, handle);
    ASSERT(d->present);
    if (d->earlier)
        driver_at(f, d->earlier - 1)->later = d->later;
    else
        f->first_heard = d->later;
    if (d->later)
        driver_at(f, d->later - 1)->earlier = d->earlier;
    else
        f->last_heard = d->earlier;
    d->earlier = d->later = 0;
    d->present = false;
}

static void heard_add(const struct state *st, struct fleet *f, uint32_t handle)
{
    struct driver *d = driver_at(f, handle);
    if (d->present)
        heard_remove(f, handle);
    d->heard_ms = st->now_ms;
    ASSERT(!f->last_heard || driver_at(f, f->last_heard - 1)->heard_ms <= d->heard_ms);
    d->earlier = f->last_heard;
    if (f->last_heard)
        driver_at(f, f->last_heard - 1)->later = handle + 1;
    else
        f->first_heard = handle + 1;
    f->last_heard = handle + 1;
    d->present = true;
}

void driver_heard(struct state *st, struct fleet *f, uint32_t handle, struct geo_point point, uint64_t cell)
{
    struct driver *d = driver_at(f, handle);
    heard_add(st, f, handle);
    d->point = point;
    if (d->listed)
        listed_at(f, d)->point = point;
    if (!d->cell || cell_at(f, d->cell - 1)->cell != cell) {
        bool free = d->status == DRIVER_FREE;
        if (free)
            list_remove(f, handle);
        if (d->cell)
            cell_leave(f, d);
        cell_enter(f, d, cell);
        if (free) {
            list_add(f, handle);
            fleet_mark_dirty(f);
        }
    }
    driver_refresh(st, f, handle);
}

void driver_assume_present(struct state *st, struct fleet *f, uint32_t handle)
{
    heard_add(st, f, handle);
}

void driver_silent(struct state *st, struct fleet *f, uint32_t handle)
{
    heard_remove(f, handle);
    driver_refresh(st, f, handle);
}

void driver_clear_position(struct state *st, struct fleet *f, uint32_t handle)
{
    struct driver *d = driver_at(f, handle);
    if (d->present)
        heard_remove(f, handle);
    driver_refresh(st, f, handle);
    ASSERT(d->status != DRIVER_FREE);
    if (d->cell)
        cell_leave(f, d);
    d->heard_ms = 0;
}

uint32_t driver_next_silent(const struct fleet *f, int64_t *at_ms)
{
    *at_ms = INT64_MAX;
    if (!f->first_heard)
        return TABLE_NONE;
    *at_ms = driver_at(f, f->first_heard - 1)->heard_ms + (int64_t)f->image.presence_s * 1000;
    return f->first_heard - 1;
}
