/* SPDX-License-Identifier: Apache-2.0 */
#include "core/dispatch/dispatch.h"

#include "base/assertion.h"
#include "core/dispatch/batch.h"
#include "core/dispatch/registration.h"
#include "core/state.h"

static void spend(struct dispatch_budget *left, uint32_t work)
{
    left->work -= work < left->work ? work : left->work;
}

/* ---- Eligible drivers ---- */

static bool can_be_asked(const struct fleet *f, const struct ride *r, const struct driver *d,
                         uint64_t *lapsed)
{
    *lapsed = 0;
    if (d->status != DRIVER_FREE || (r->type.at && !driver_has_type(f, d, r->type)))
        return false;
    return !r->first_offer || !offer_refused(f, r, driver_id(d), lapsed);
}

bool dispatch_can_ask(const struct fleet *f, const struct ride *r, uint32_t driver, uint64_t *lapsed)
{
    *lapsed = 0;
    ASSERT(r->searching);
    return driver < f->drivers.used && driver_at(f, driver)->id_size &&
           can_be_asked(f, r, driver_at(f, driver), lapsed);
}

/* Whether a is asked before b: first drivers who let no offer of this ride lapse, then those who did so longest ago;
 * among equals the lowest score, the longest idle, the id. */
static bool comes_before(const struct state *st, const struct fleet *f, const struct driver_candidate *a,
                         const struct driver_candidate *b)
{
    if (a->lapsed != b->lapsed)
        return a->lapsed < b->lapsed;
    if (a->score_ms != b->score_ms)
        return a->score_ms < b->score_ms;
    const struct driver *x = driver_at(f, a->driver), *y = driver_at(f, b->driver);
    if (driver_idle_ms(st, x) != driver_idle_ms(st, y))
        return driver_idle_ms(st, x) > driver_idle_ms(st, y);
    return text_compare(driver_id(x), driver_id(y)) < 0;
}

static bool is_listed(const struct scan *s, uint32_t driver)
{
    uint32_t i = 0;
    while (i < s->count && s->best[i].driver != driver)
        i++;
    return i < s->count;
}

/* Inserts it into the list of the best, if it belongs there. */
static void rank(const struct state *st, struct fleet *f, const struct driver_candidate *c)
{
    struct scan *s = &f->scan;
    uint32_t at = s->count;
    ASSERT(s->count <= CANDIDATES_MAX);
    if (s->resumed && is_listed(s, c->driver))
        return; /* it moved during the search, and was read twice */
    while (at && comes_before(st, f, c, &s->best[at - 1]))
        at--;
    if (at == CANDIDATES_MAX)
        return;
    if (at == 0)
        driver_prefetch(f, c->driver + 1); /* the best is asked soon */
    uint32_t behind = (s->count < CANDIDATES_MAX ? s->count : CANDIDATES_MAX - 1) - at;
    memmove(&s->best[at + 1], &s->best[at], behind * sizeof(*s->best));
    s->best[at] = *c;
    if (s->count < CANDIDATES_MAX)
        s->count++;
}

/* ---- The search ---- */

/* Appends the cells of a ring; returns where it ends. */
static uint32_t ring_add(struct fleet *f, uint32_t ring, uint32_t from, struct dispatch_budget *left)
{
    struct scan *s = &f->scan;
    uint32_t count = (uint32_t)h3_ring(ride_at(f, s->ride - 1)->cell, (int)ring, s->cells + from);
    ASSERT(from + count <= H3_RING_MAX(FLEET_RINGS_MAX));
    /* Near a pentagon, a ring is found by going through all cells inside it. */
    if (ring && count != 6 * ring)
        spend(left, H3_DISK_MAX(ring));
    cells_prefetch(f, s->cells + from, count);
    return from + count;
}

/* Finds the cells of the first rings, or of a later one. */
static void rings_begin(struct fleet *f, uint32_t ring, struct dispatch_budget *left)
{
    struct scan *s = &f->scan;
    ASSERT(ring == 0 || ring > SCAN_TOGETHER);
    s->ring = ring;
    s->next_cell = s->cell_count = 0;
    if (ring > SCAN_TOGETHER)
        s->cell_count = s->ends[SCAN_TOGETHER] = ring_add(f, ring, 0, left);
    else
        for (; ring <= SCAN_TOGETHER && ring <= s->last_ring; ring++)
            s->cell_count = s->ends[ring] = ring_add(f, ring, s->cell_count, left);
}

static void cells_begin(struct fleet *f)
{
    struct scan *s = &f->scan;
    cells_find(f, s->cells, s->cell_count, s->found);
    s->found_now = true;
}

/* Whether the nearest driver is the best, and every free driver can be asked. */
static bool is_plain(const struct fleet *f, const struct ride *r)
{
    const struct fleet_weights *w = &f->image.weights;
    return !r->type.at && !r->first_offer && w->eta_milli && !w->rating_milli && !w->waiting_milli &&
           !w->surge_milli;
}

static void scan_begin(struct fleet *f, uint32_t ride, struct dispatch_budget *left)
{
    struct scan *s = &f->scan;
    ASSERT(!s->ride && ride_at(f, ride)->searching); /* one at a time */
    s->ride = ride + 1;
    s->next_group = s->next_driver = s->passed = s->count = 0;
    s->resumed = false;
    s->plain = is_plain(f, ride_at(f, ride));
    s->last_ring = f->image.max_rings;
    rings_begin(f, 0, left);
    s->from = eta_origin(ride_at(f, ride)->pickup);
    cells_begin(f);
}

/* How far away a driver can be and still score as well as the last of a full list. */
static struct eta_reach reach_of(const struct fleet *f, const struct score_facts *facts, bool *none)
{
    int64_t most_ms = score_eta_most_ms(&f->image.weights, facts, f->scan.best[CANDIDATES_MAX - 1].score_ms);
    *none = most_ms < 0;
    return eta_reach(*none ? 0 : eta_reach_mm(most_ms, f->image.speed_kmh));
}

/* Whether the driver is not among the best, without computing its ETA: the list is full, and it is too far away to
 * score as well as the last one. */
static bool out_of_reach(const struct fleet *f, const struct driver_candidate *c,
                         const struct score_facts *facts, struct geo_point at)
{
    const struct scan *s = &f->scan;
    if (s->count < CANDIDATES_MAX)
        return false;
    if (s->plain)
        return eta_beyond(&s->from, at, s->reach);
    uint64_t last = s->best[CANDIDATES_MAX - 1].lapsed;
    if (c->lapsed != last)
        return c->lapsed > last;
    bool none;
    struct eta_reach reach = reach_of(f, facts, &none);
    return none || eta_beyond(&s->from, at, reach);
}

static void scan_driver(const struct state *st, struct fleet *f, const struct ride *r,
                        const struct free_driver *one)
{
    struct scan *s = &f->scan;
    struct driver_candidate c = {.driver = one->driver - 1};
    struct score_facts facts = {0};
    if (!s->plain) {
        const struct driver *d = driver_at(f, c.driver);
        ASSERT(d->status == DRIVER_FREE && !d->ride); /* only those are in the lists of cells */
        if (!can_be_asked(f, r, d, &c.lapsed))
            return;
        facts = offer_facts(st, r, d);
    }
    if (!out_of_reach(f, &c, &facts, one->point)) {
        bool none;
        facts.eta_ms = eta_from_ms(&s->from, one->point, f->image.speed_kmh);
        c.score_ms = score_ms(&f->image.weights, &facts);
        rank(st, f, &c);
        if (s->plain && s->count == CANDIDATES_MAX)
            s->reach = reach_of(f, &facts, &none);
    }
    if (c.lapsed)
        return;
    /* Enough: but a driver one ring further out can still be nearer. */
    uint32_t enough = f->image.batch_ms ? CANDIDATES_MAX : DISPATCH_ENOUGH;
    if (++s->passed == enough && s->ring + 1 < s->last_ring)
        s->last_ring = s->ring + 1;
}

/* The group of a cell's free drivers to read first: where the last step stopped, or the first. If the driver that was
 * next has left, the cell is read again; no driver is listed twice. */
static uint32_t group_to_read(struct fleet *f, uint32_t found)
{
    struct scan *s = &f->scan;
    uint32_t group = found == TABLE_NONE ? 0 : cell_at(f, found)->first;
    if (s->next_group) {
        const struct driver *d = driver_at(f, s->next_driver - 1);
        if (driver_group(d) == s->next_group && d->cell == found + 1)
            group = s->next_group;
        s->next_group = s->next_driver = 0;
    }
    return group;
}

/* Reads the free drivers of one cell, from where the last step stopped. False: the step's budget is used up. */
static bool scan_cell(const struct state *st, struct fleet *f, const struct ride *r,
                      struct dispatch_budget *left)
{
    struct scan *s = &f->scan;
    ASSERT(left->work);
    left->work--;
    uint32_t ahead = s->next_cell + SCAN_AHEAD;
    if (s->found_now && ahead < s->cell_count && s->found[ahead] != TABLE_NONE &&
        cell_at(f, s->found[ahead])->first)
        group_prefetch(f, cell_at(f, s->found[ahead])->first, !s->plain);
    uint32_t found = s->found_now ? s->found[s->next_cell] : cell_find(f, s->cells[s->next_cell]);
    uint32_t each = 1 + r->offer_count / DISPATCH_OFFERS_PER_READ; /* can_be_asked goes through them */
    for (uint32_t group = group_to_read(f, found); group;) {
        const struct free_group *g = group_at(f, group - 1);
        if (!left->work) {
            s->next_group = group;
            s->next_driver = g->all[0].driver;
            return false;
        }
        for (uint32_t i = 0; i < GROUP_SIZE && g->all[i].driver; i++) {
            spend(left, each);
            scan_driver(st, f, r, &g->all[i]);
        }
        group = g->next;
    }
    return true;
}

/* True: done, and the ride has its list. */
static bool scan_continue(const struct state *st, struct fleet *f, struct dispatch_budget *left)
{
    struct scan *s = &f->scan;
    struct ride *r = ride_at(f, s->ride - 1);
    for (;;) {
        uint32_t end = s->ends[s->ring < SCAN_TOGETHER ? s->ring : SCAN_TOGETHER];
        for (; s->next_cell < end; s->next_cell++) {
            if (!left->work || !scan_cell(st, f, r, left)) {
                s->found_now = false; /* cells can change before the next step */
                s->resumed = true;
                return false;
            }
        }
        ASSERT(s->ring <= s->last_ring && s->last_ring <= FLEET_RINGS_MAX);
        if (s->ring == s->last_ring)
            break;
        if (s->ring < SCAN_TOGETHER) {
            s->ring++;
            continue;
        }
        if (!left->work) { /* at this size a ring can be empty */
            s->resumed = true;
            return false;
        }
        rings_begin(f, s->ring + 1, left);
        cells_begin(f);
    }
    r->list_count = r->list_next = 0;
    /* Of the drivers who let an offer lapse, only one: a driver who becomes free later is asked before the others. */
    while (r->list_count < s->count && (!s->best[r->list_count].lapsed || !r->list_count)) {
        r->list[r->list_count] = s->best[r->list_count].driver;
        r->list_count++;
    }
    ASSERT(r->list_count <= CANDIDATES_MAX && (r->list_count > 0) == (s->count > 0));
    s->ride = 0;
    return true;
}

bool dispatch_scan(const struct state *st, struct fleet *f, uint32_t ride, struct dispatch_budget *left)
{
    if (!left->work)
        return false;
    if (!f->scan.ride)
        scan_begin(f, ride, left);
    ASSERT(f->scan.ride == ride + 1);
    return scan_continue(st, f, left);
}

/* Asks the next driver of the list who can still be asked. False: none is left. */
static bool ask_next(struct state *st, struct fleet *f, uint32_t ride)
{
    struct ride *r = ride_at(f, ride);
    uint64_t lapsed;
    while (r->list_next < r->list_count) {
        uint32_t driver = r->list[r->list_next++];
        /* The handle could be another driver's by now, which is fine if it can be asked; but a driver who let an offer
         * lapse is asked only right after a search that found no other. */
        if (!dispatch_can_ask(f, r, driver, &lapsed) || (lapsed && r->list_next != 1))
            continue;
        offer_make(st, f, ride, driver);
        ASSERT(!r->searching); /* so it is in no round any more */
        return true;
    }
    return false;
}

bool dispatch_serve_ride(struct state *st, struct fleet *f, uint32_t ride, struct dispatch_budget *left)
{
    if (!left->work || !left->offers)
        return false;
    bool searched = f->scan.ride == ride + 1;
    ASSERT(ride_at(f, ride)->searching && (searched || !f->scan.ride));
    if (!searched && ask_next(st, f, ride)) {
        left->offers--;
        return true;
    }
    if (!dispatch_scan(st, f, ride, left))
        return false;
    if (ask_next(st, f, ride)) {
        left->offers--;
        return true;
    }
    ride_set_fresh(f, ride, false); /* until a driver becomes free */
    return true;
}

/* ---- Rounds ---- */

int64_t dispatch_search_due(const struct state *st, const struct fleet *f)
{
    if (f->batch)
        return st->now_ms;
    if (!f->first_waiting)
        return INT64_MAX;
    if (f->image.batch_ms)
        return f->batch_due_ms ? f->batch_due_ms : INT64_MAX;
    if (f->round_next || f->scan.ride)
        return st->now_ms;
    if (f->dirty)
        return f->round_after_ms;
    return f->fresh ? st->now_ms : INT64_MAX;
}

void dispatch_round_begin(struct state *st, struct fleet *f)
{
    uint64_t pause_ms = ROUND_PAUSE_MS + f->rides_by_status[RIDE_SEARCHING] / ROUND_RIDES;
    ASSERT(!f->round_next && !f->scan.ride && f->first_waiting);
    f->dirty = false;
    f->round_next = f->first_waiting;
    f->round_after_ms = st->now_ms + (int64_t)(pause_ms < ROUND_PAUSE_MAX_MS ? pause_ms : ROUND_PAUSE_MAX_MS);
}

void dispatch_start_over(struct fleet *f)
{
    batch_drop(f);
    f->round_next = f->scan.ride = 0;
    fleet_mark_dirty(f);
}

/* The oldest fresh ride, or the one whose search is not done; 0: none. */
static uint32_t next_fresh(const struct fleet *f)
{
    if (f->scan.ride)
        return f->scan.ride;
    const struct heap_entry *first = heap_first(&f->fresh_rides);
    ASSERT(!first || ride_at(f, (uint32_t)first->handle)->fresh);
    return first ? (uint32_t)first->handle + 1 : 0;
}

static void search(struct state *st, struct fleet *f, struct dispatch_budget *left)
{
    ASSERT(!f->batch && !f->batch_due_ms);
    if (f->dirty && f->first_waiting && !f->round_next && !f->scan.ride && f->round_after_ms <= st->now_ms)
        dispatch_round_begin(st, f);
    while (f->round_next) {
        uint32_t ride = f->round_next - 1, next = ride_at(f, ride)->next;
        if (!dispatch_serve_ride(st, f, ride, left))
            return;
        /* A ride that was just offered has left the list, and round_next has already moved on. */
        if (f->round_next == ride + 1)
            f->round_next = next;
    }
    /* While there are newly free drivers, the oldest ride chooses first, in the next round. A search that has begun is
     * finished first. */
    while (f->scan.ride || !f->dirty) {
        uint32_t ride = next_fresh(f);
        if (!ride || !dispatch_serve_ride(st, f, ride - 1, left))
            return;
    }
}

/* ---- Steps ---- */

/* The driver counts as gone from now on. A live offer has its own deadline, from the settings when it was made. */
static void mark_silent(struct state *st, struct fleet *f, uint32_t handle)
{
    driver_silent_everywhere(st, f, handle);
    ASSERT(driver_at(f, handle)->status != DRIVER_FREE && !driver_at(f, handle)->present);
}

/* Something about this ride is due: its offer has lapsed, its search is over, or its driver is silent, unless heard
 * from since. */
static void ride_due(struct state *st, struct fleet *f, uint32_t handle)
{
    struct ride *r = ride_at(f, handle);
    ride_settle(st, f, handle);
    if (r->status != RIDE_OFFERED)
        return;
    uint32_t driver = r->driver - 1;
    const struct driver *d = driver_at(f, driver);
    if (st->now_ms < offer_silent_ms(ride_offer(f, r), d)) {
        ride_schedule(f, handle);
        return;
    }
    if (d->present && d->heard_ms + (int64_t)f->image.presence_s * 1000 <= st->now_ms)
        mark_silent(st, f, driver); /* first, so that it is never free in between */
    offer_lost(st, f, handle, OFFER_WITHDRAWN);
}

static void settle_lapsed(struct state *st, struct fleet *f, struct dispatch_budget *left)
{
    const struct heap_entry *first;
    while (left->work && (first = heap_first(&f->deadlines)) && first->at_ms <= st->now_ms) {
        uint32_t handle = (uint32_t)first->handle;
        ride_due(st, f, handle);
        ASSERT(ride_at(f, handle)->place == HEAP_NONE ||
               f->deadlines.entries[ride_at(f, handle)->place].at_ms > st->now_ms); /* it moves forward */
        spend(left, DISPATCH_LAPSE_WORK);
    }
    int64_t silent_ms;
    for (uint32_t driver = driver_next_silent(f, &silent_ms); left->work && silent_ms <= st->now_ms;
         driver = driver_next_silent(f, &silent_ms)) {
        spend(left, 1);
        mark_silent(st, f, driver);
    }
    fleet_schedule(st, f);
}

static void run_search(struct state *st, struct fleet *f, struct dispatch_budget *left)
{
    if (f->image.batch_ms)
        batch_search(st, f, left);
    else
        search(st, f, left);
    fleet_schedule(st, f);
}

/* After a restart few drivers have been heard from: those who have an offer get the full presence time from now.
 * Drivers who have already reported have it from then on, and their rides were placed without it. */
static void assume_offered_present(struct state *st)
{
    for (uint32_t i = 0; i < st->dispatch->count; i++) {
        struct fleet *f = st->dispatch->by_name[i];
        for (uint32_t k = 0; k < f->drivers.used; k++) {
            const struct driver *d = driver_at(f, k);
            if (!d->id_size || d->status != DRIVER_OFFERED)
                continue;
            if (!d->present)
                driver_assume_present(st, f, k);
            ASSERT(d->heard_ms); /* from now on a report never makes a deadline earlier */
            if (d->ride)
                ride_schedule(f, d->ride - 1);
        }
        fleet_schedule(st, f);
    }
}

static int64_t due_first_ms(const struct heap *h)
{
    const struct heap_entry *first = heap_first(h);
    return first ? first->at_ms : INT64_MAX;
}

bool state_dispatch(struct state *st, int64_t now_ms, struct buf *changes)
{
    struct dispatch_budget left = {DISPATCH_WORK_MAX, DISPATCH_OFFERS_MAX, DISPATCH_AUCTION_MAX};
    state_begin(st, now_ms, (struct actor){.role = ROLE_SERVER}, changes);
    if (!st->dispatch->since_ms) {
        st->dispatch->since_ms = now_ms;
        assume_offered_present(st);
    }
    const struct dispatch *all = st->dispatch;
    /* Lapses are settled in every fleet before any of them searches: a driver can be in several. */
    while (left.work && due_first_ms(&all->lapses) <= now_ms)
        settle_lapsed(st, all->fleets[heap_first(&all->lapses)->handle], &left);
    while (left.work && left.offers && left.auction && due_first_ms(&all->searches) <= now_ms)
        run_search(st, all->fleets[heap_first(&all->searches)->handle], &left);
    return state_next_dispatch(st) <= now_ms;
}

int64_t state_next_dispatch(const struct state *st)
{
    int64_t lapse_ms = due_first_ms(&st->dispatch->lapses), search_ms = due_first_ms(&st->dispatch->searches);
    return lapse_ms < search_ms ? lapse_ms : search_ms;
}
