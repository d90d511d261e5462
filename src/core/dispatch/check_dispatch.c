/* SPDX-License-Identifier: Apache-2.0 */
/* check_dispatch.c — the invariants of fleets, recomputed from the records alone. */
#include <stdio.h>

#include "core/dispatch/registration.h"
#include "core/dispatch/ride.h"
#include "core/state_check_parts.h"

/* ---- Drivers ---- */

static enum driver_status status_of(const struct fleet *f, const struct driver *d)
{
    if (d->ride)
        return ride_at(f, d->ride - 1)->status == RIDE_ASSIGNED ? DRIVER_BUSY : DRIVER_OFFERED;
    if (d->elsewhere)
        return (enum driver_status)d->elsewhere;
    return d->present && d->available && d->cell && !d->removed ? DRIVER_FREE : DRIVER_AWAY;
}

/* One driver, however many fleets it is registered in. */
static void check_registrations(struct check *c, const struct fleet *f, const struct driver *d)
{
    struct text id = driver_id(d);
    uint32_t records = 0, elsewhere = 0;
    for (uint32_t i = 0; i < c->st->dispatch->count; i++) {
        const struct fleet *g = c->st->dispatch->by_name[i];
        uint32_t handle = g == f ? TABLE_NONE : driver_find_any(g, id);
        if (handle == TABLE_NONE)
            continue;
        const struct driver *e = driver_at(g, handle);
        records++;
        elsewhere += e->ride != 0;
        check_expect(c, !e->ride || d->elsewhere == status_of(g, e),
                     "driver %.*s does not show its ride in another fleet.", TEXT_ARGS(id));
        check_expect(c, d->removed || e->removed || d->status == e->status, "driver %.*s has two statuses.",
                     TEXT_ARGS(id));
        check_expect(c,
                     d->removed || e->removed ||
                         (d->present == e->present && d->available == e->available &&
                          d->heard_ms == e->heard_ms && d->free_ms == e->free_ms &&
                          d->point.lat_e7 == e->point.lat_e7 && d->point.lng_e7 == e->point.lng_e7),
                     "driver %.*s is in two places.", TEXT_ARGS(id));
    }
    check_expect(c, d->shared == (records != 0) && !d->elsewhere == !elsewhere,
                 "the records of driver %.*s do not belong together.", TEXT_ARGS(id));
    check_expect(c, elsewhere + (d->ride != 0) <= 1, "driver %.*s has two rides.", TEXT_ARGS(id));
    uint32_t linked = 0;
    uint32_t handle = driver_find_any(f, id);
    for (struct other_record o = driver_others(c->st, f, handle); o.fleet; driver_other_next(c->st, &o))
        linked += text_equal(driver_id(driver_at(o.fleet, o.driver)), id);
    check_expect(c, linked == records, "driver %.*s has %u other records, not %u.", TEXT_ARGS(id), records,
                 linked);
}

static void check_driver(struct check *c, const struct fleet *f, uint32_t handle)
{
    const struct driver *d = driver_at(f, handle);
    struct text id = driver_id(d);
    check_expect(c, driver_find_any(f, id) == handle, "driver %.*s cannot be found.", TEXT_ARGS(id));
    check_expect(c, d->status == status_of(f, d), "driver %.*s has the wrong status.", TEXT_ARGS(id));
    check_expect(c, !d->removed || d->ride, "driver %.*s is removed and still there.", TEXT_ARGS(id));
    check_expect(c, !d->ride || ride_at(f, d->ride - 1)->driver == handle + 1,
                 "driver %.*s has a ride that is not its own.", TEXT_ARGS(id));
    check_expect(c, d->present || d->status != DRIVER_FREE, "driver %.*s is free and silent.", TEXT_ARGS(id));
    check_expect(c, (d->status == DRIVER_FREE) == (d->listed != 0),
                 "driver %.*s is free and not listed, or listed and not free.", TEXT_ARGS(id));
    check_expect(c, !d->present || d->heard_ms <= c->st->now_ms, "driver %.*s was heard from in the future.",
                 TEXT_ARGS(id));
    check_registrations(c, f, d);
}

static uint32_t group_size(const struct free_group *g)
{
    uint32_t size = 0;
    while (size < GROUP_SIZE && g->all[size].driver)
        size++;
    return size;
}

static void check_group(struct check *c, const struct fleet *f, uint32_t cell, uint32_t group)
{
    const struct free_group *g = group_at(f, group - 1);
    uint32_t size = group_size(g);
    check_expect(c, size == GROUP_SIZE || (size && cell_at(f, cell)->first == group),
                 "a group of free drivers is not full.");
    for (uint32_t i = 0; i < size; i++) {
        const struct driver *d = driver_at(f, g->all[i].driver - 1);
        check_expect(c,
                     d->status == DRIVER_FREE && d->cell == cell + 1 &&
                         d->listed == group * GROUP_PLACES + i && d->point.lat_e7 == g->all[i].point.lat_e7 &&
                         d->point.lng_e7 == g->all[i].point.lng_e7,
                     "a group of free drivers has one who is not in its cell.");
    }
}

/* The lists of each cell have its free drivers, and no others. */
static void check_cells(struct check *c, const struct fleet *f)
{
    uint64_t listed = 0, pointing = 0, by_status[DRIVER_STATUS_LAST + 1] = {0};
    uint32_t count = 0, groups = 0;
    for (uint32_t i = 0; i < f->cells.used; i++) {
        const struct cell *cell = cell_at(f, i);
        if (!cell->drivers)
            continue;
        count++;
        pointing += cell->drivers;
        uint32_t here = 0;
        for (uint32_t at = cell->first; at && here <= f->drivers.used; at = group_at(f, at - 1)->next) {
            check_group(c, f, i, at);
            here += group_size(group_at(f, at - 1));
            groups++;
        }
        check_expect(c, here == cell->by_status[DRIVER_FREE - 1] && cell_find(f, cell->cell) == i,
                     "a cell has %u free drivers, not %u.", here, cell->by_status[DRIVER_FREE - 1]);
        listed += here;
        for (int s = DRIVER_STATUS_FIRST; s <= DRIVER_STATUS_LAST; s++)
            by_status[s] += cell->by_status[s - 1];
    }
    uint64_t placed = 0, in_cells[DRIVER_STATUS_LAST + 1] = {0};
    for (uint32_t i = 0; i < f->drivers.used; i++)
        if (driver_at(f, i)->id_size && driver_at(f, i)->cell) {
            placed++;
            in_cells[driver_at(f, i)->status]++;
        }
    check_expect(c, count == f->cells.count && count == f->cells_by_cell.count && placed == pointing,
                 "the index of cells has the wrong size.");
    check_expect(c, groups == f->groups.count, "%u groups of free drivers, not %u.", groups, f->groups.count);
    check_expect(c, listed == f->drivers_by_status[DRIVER_FREE], "%llu drivers are free, not %llu.",
                 (unsigned long long)listed, (unsigned long long)f->drivers_by_status[DRIVER_FREE]);
    for (int s = DRIVER_STATUS_FIRST; s <= DRIVER_STATUS_LAST; s++)
        check_expect(c, by_status[s] == in_cells[s], "the cells have the wrong count of %s drivers.",
                     driver_status_name((enum driver_status)s));
}

static void check_drivers(struct check *c, const struct fleet *f)
{
    uint64_t by_status[DRIVER_STATUS_LAST + 1] = {0}, present = 0, heard = 0, count = 0;
    uint32_t types[FLEET_TYPES_MAX] = {0};
    for (uint32_t i = 0; i < f->drivers.used; i++) {
        const struct driver *d = driver_at(f, i);
        if (!d->id_size)
            continue;
        check_driver(c, f, i);
        count++;
        by_status[d->status]++;
        present += d->present;
        for (uint32_t t = 0; t < FLEET_TYPES_MAX; t++)
            types[t] += (uint32_t)(d->types >> t & 1);
    }
    check_expect(c, count == f->drivers.count && count == f->drivers_by_id.count,
                 "the index of drivers has the wrong size.");
    for (int s = DRIVER_STATUS_FIRST; s <= DRIVER_STATUS_LAST; s++)
        check_expect(c, by_status[s] == f->drivers_by_status[s], "%llu drivers are %s, not %llu.",
                     (unsigned long long)by_status[s], driver_status_name((enum driver_status)s),
                     (unsigned long long)f->drivers_by_status[s]);
    for (uint32_t t = 0; t < FLEET_TYPES_MAX; t++)
        check_expect(c, types[t] == f->types[t].drivers && !types[t] == !f->types[t].word.at,
                     "a type is counted wrongly.");
    int64_t last_ms = 0;
    for (uint32_t at = f->first_heard; at && heard <= present; at = driver_at(f, at - 1)->later) {
        const struct driver *d = driver_at(f, at - 1);
        check_expect(c, d->present && d->heard_ms >= last_ms, "the drivers heard from are out of order.");
        last_ms = d->heard_ms;
        heard++;
    }
    check_expect(c, heard == present, "%llu drivers are present, %llu are listed.",
                 (unsigned long long)present, (unsigned long long)heard);
    check_cells(c, f);
}

/* ---- Rides ---- */

static void check_offers(struct check *c, const struct fleet *f, uint32_t ride)
{
    const struct ride *r = ride_at(f, ride);
    uint32_t count = 0, live = 0;
    uint64_t last = 0;
    for (uint32_t at = r->first_offer; at && count <= r->offer_count; at = offer_at(f, at - 1)->next) {
        const struct offer *o = offer_at(f, at - 1);
        check_expect(c, o->ride == ride && o->number > last && offer_find(f, o->number) == at - 1,
                     "the offers of ride %s are out of order.", check_id_text(c, r->id));
        check_expect(c, !o->end == !o->ended_at_ms && o->made_at_ms < o->expires_at_ms,
                     "an offer of ride %s has an end, or none, against its time.", check_id_text(c, r->id));
        check_expect(c, name_index_has(&f->offers_by_driver, at - 1),
                     "an offer of ride %s is not found by its driver.", check_id_text(c, r->id));
        live += !o->end;
        last = o->number;
        count++;
    }
    const struct offer *now = ride_offer(f, r);
    check_expect(c, count == r->offer_count && live == (r->status == RIDE_OFFERED),
                 "ride %s has %u live offers.", check_id_text(c, r->id), live);
    check_expect(c, r->status != RIDE_OFFERED || (now && !now->end),
                 "ride %s is offered but has no live offer.", check_id_text(c, r->id));
    bool driven = r->status == RIDE_ASSIGNED || r->status == RIDE_COMPLETED;
    check_expect(c, !driven || (now && now->end == OFFER_ACCEPTED), "ride %s was not accepted.",
                 check_id_text(c, r->id));
}

static void check_ride(struct check *c, const struct fleet *f, uint32_t handle)
{
    const struct ride *r = ride_at(f, handle);
    bool has_driver = r->status == RIDE_OFFERED || r->status == RIDE_ASSIGNED;
    check_expect(c, ride_find(f, r->id) == handle, "ride %s cannot be found.", check_id_text(c, r->id));
    check_expect(c, name_index_has(&f->rides_by_rider, handle), "ride %s is not found by its rider.",
                 check_id_text(c, r->id));
    check_expect(c, !ride_live(r) || name_index_has(&f->live_by_rider, handle),
                 "ride %s is not found among its rider's live ones.", check_id_text(c, r->id));
    check_expect(c, has_driver == (r->driver != 0), "ride %s has a driver or lacks one, against its status.",
                 check_id_text(c, r->id));
    check_expect(c, !r->driver || driver_at(f, r->driver - 1)->ride == handle + 1,
                 "the driver of ride %s does not point back to it.", check_id_text(c, r->id));
    check_expect(
        c, r->status != RIDE_ASSIGNED || text_equal(r->driver_id, driver_id(driver_at(f, r->driver - 1))),
        "ride %s names another driver.", check_id_text(c, r->id));
    check_expect(c, r->searching == (r->status == RIDE_SEARCHING) && (r->searching || !r->fresh),
                 "ride %s waits or does not, against its status.", check_id_text(c, r->id));
    check_expect(c, !ride_live(r) == (r->ended_at_ms != 0),
                 "ride %s has an end time or lacks one, against its status.", check_id_text(c, r->id));
    check_expect(c, r->seq <= c->st->seq && r->number <= c->st->seq,
                 "ride %s has a seq that was never issued.", check_id_text(c, r->id));
    const struct offer *o = r->status == RIDE_OFFERED ? ride_offer(f, r) : NULL;
    int64_t due_ms = r->status == RIDE_SEARCHING ? ride_search_over_ms(r) : o ? o->expires_at_ms : INT64_MAX;
    bool timed = r->place != HEAP_NONE && check_in_heap(&f->deadlines, r->place, handle) &&
                 (o ? f->deadlines.entries[r->place].at_ms <= due_ms /* or when its driver goes silent */
                    : f->deadlines.entries[r->place].at_ms == due_ms);
    check_expect(c, due_ms == INT64_MAX ? r->place == HEAP_NONE : timed,
                 "ride %s is not due when it should be.", check_id_text(c, r->id));
    check_offers(c, f, handle);
}

static void check_rides(struct check *c, const struct fleet *f)
{
    uint64_t by_status[RIDE_STATUS_LAST + 1] = {0}, count = 0, offers = 0, waiting = 0, ended = 0, fresh = 0,
                                          last = 0, recalled[RIDE_STATUS_LAST + 1] = {0};
    for (uint32_t i = 0; i < f->rides.used; i++) {
        const struct ride *r = ride_at(f, i);
        if (!r->status)
            continue;
        check_ride(c, f, i);
        count++;
        by_status[r->status]++;
        offers += r->offer_count;
        fresh += r->fresh;
        recalled[r->status] += r->recalled;
        check_expect(c, !r->recalled || !ride_live(r), "ride %s was read from the book and is live.",
                     check_id_text(c, r->id));
    }
    for (int s = RIDE_STATUS_FIRST; s <= RIDE_STATUS_LAST; s++)
        check_expect(c, by_status[s] == f->rides_by_status[s] && recalled[s] == f->recalled_by_status[s],
                     "%llu rides are %s, not %llu.", (unsigned long long)by_status[s],
                     ride_status_name((enum ride_status)s), (unsigned long long)f->rides_by_status[s]);
    check_expect(c,
                 count == f->rides.count && count == f->rides_by_id.count && offers == f->offers.count &&
                     offers == f->offers_by_number.count && fresh == f->fresh &&
                     fresh == f->fresh_rides.count,
                 "the indexes of rides have the wrong size.");
    for (uint32_t at = f->first_waiting; at && waiting <= count; at = ride_at(f, at - 1)->next, waiting++) {
        check_expect(c,
                     ride_at(f, at - 1)->searching && ride_at(f, at - 1)->number > last &&
                         ride_waiting_before(f, ride_at(f, at - 1)->number + 1) == at,
                     "the waiting rides are out of order.");
        last = ride_at(f, at - 1)->number;
    }
    for (uint32_t at = f->first_ended; at && ended <= count; at = ride_at(f, at - 1)->next)
        ended++;
    check_expect(c,
                 waiting == by_status[RIDE_SEARCHING] && ended == by_status[RIDE_NO_DRIVER] +
                                                                      by_status[RIDE_CANCELLED] +
                                                                      by_status[RIDE_COMPLETED],
                 "the lists of rides have the wrong length.");
}

void check_fleets(struct check *c)
{
    const struct dispatch *d = c->st->dispatch;
    uint32_t count = 0;
    for (uint32_t i = 0; i < d->slot_count; i++) {
        const struct fleet *f = d->fleets[i];
        if (!f)
            continue;
        count++;
        struct text id = f->image.id;
        snprintf(c->subject, sizeof(c->subject), "Fleet %.*s: ", TEXT_ARGS(id));
        check_expect(
            c, f->slot == i && fleet_find(c->st, id) == f && fleet_find_number(c->st, f->image.number) == f,
            "it cannot be found.");
        check_expect(c,
                     (f->lapse_place == HEAP_NONE || check_in_heap(&d->lapses, f->lapse_place, i)) &&
                         (f->search_place == HEAP_NONE || check_in_heap(&d->searches, f->search_place, i)),
                     "it is not due when it should be.");
        check_expect(c, f->image.batch_ms || (!f->batch && !f->batch_due_ms),
                     "it has a batch but no batching.");
        check_expect(c, !f->batch || !f->batch_due_ms, "it has two batches.");
        check_drivers(c, f);
        check_rides(c, f);
        check_heap_order(c, &f->deadlines, "deadlines of rides");
        c->subject[0] = '\0';
    }
    check_expect(c, count == d->count, "The index of fleets has the wrong size.");
    check_heap_order(c, &d->lapses, "lapses of fleets");
    check_heap_order(c, &d->searches, "searches of fleets");
}
