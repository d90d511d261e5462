/* SPDX-License-Identifier: Apache-2.0 */
#include "core/dispatch/batch.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/dispatch/auction.h"
#include "core/state.h"

_Static_assert(CANDIDATES_MAX <= AUCTION_CHOICES_MAX, "what a search finds must fit an auction");

enum batch_stage { BATCH_GATHERING, BATCH_LINKING, BATCH_SOLVING, BATCH_OFFERING };

struct batch_ride {
    uint64_t number;
    uint32_t ride;         /* handle; could be reused by now, with another number */
    uint32_t root;         /* an older ride of its group, or itself; see root_of */
    uint32_t first_choice; /* in batch.choices */
    uint8_t choice_count;  /* at least 1 */
    bool again;            /* its only choice let an offer of it lapse */
    uint32_t next, last;   /* in the group, by age, index + 1; `last` only for a root */
    uint32_t group_count;  /* only for a root */
};

struct batch_choice {
    int64_t score_ms;
    uint32_t driver; /* in batch.drivers */
};

struct batch_driver {
    uint32_t driver; /* handle */
    uint32_t ride;   /* the first that wanted it */
    uint32_t group;  /* root + 1: the auction in which `number` is valid */
    uint32_t number;
};

struct batch {
    enum batch_stage stage;
    bool all;       /* includes rides that are not fresh */
    bool left_over; /* a ride got none of its candidates, and searches again at once */
    bool oldest;    /* OFFERING: the group is too large, so its oldest chooses first */
    uint32_t at;    /* LINKING: the next ride; SOLVING: the next possible root; OFFERING: the root */
    uint32_t turn;  /* OFFERING: the next ride, index + 1 */
    uint32_t pair;  /* OFFERING: the ride's number in the auction */
    struct batch_ride *rides; /* by age */
    struct batch_choice *choices;
    struct batch_driver *drivers;
    uint32_t ride_count, ride_capacity, choice_count, choice_capacity, driver_count, driver_capacity;
    struct table by_driver;               /* a handle is an index into `drivers` */
    uint32_t numbered[AUCTION_EDGES_MAX]; /* by the auction's driver number: handles */
    struct auction auction;
};

/* ---- Gathering ---- */

static uint64_t driver_number_hash(uint32_t driver)
{
    return (driver + 1ull) * 0x9E3779B97F4A7C15u;
}

static uint64_t hash_of_driver(void *owner, uint32_t at)
{
    return driver_number_hash(((const struct batch *)owner)->drivers[at].driver);
}

static bool same_driver(void *owner, uint32_t at, const void *key)
{
    return ((const struct batch *)owner)->drivers[at].driver == *(const uint32_t *)key;
}

/* The oldest ride of its group, as linked so far. */
static uint32_t root_of(struct batch *b, uint32_t ride)
{
    while (b->rides[ride].root != ride) {
        uint32_t over = b->rides[b->rides[ride].root].root;
        ASSERT(over <= b->rides[ride].root && b->rides[ride].root < ride); /* towards older ones */
        b->rides[ride].root = over;
        ride = over;
    }
    return ride;
}

static void join(struct batch *b, uint32_t one, uint32_t other)
{
    uint32_t x = root_of(b, one), y = root_of(b, other);
    ASSERT(!b->rides[x].group_count && !b->rides[y].group_count); /* groups are not listed yet */
    if (x < y)
        b->rides[y].root = x;
    else
        b->rides[x].root = y;
}

/* A ride wants this driver: rides that wanted it before join its group. Returns the driver's index. */
static uint32_t choice_add(struct batch *b, uint32_t ride, uint32_t driver)
{
    uint32_t at = table_find(&b->by_driver, driver_number_hash(driver), same_driver, &driver);
    if (at != TABLE_NONE) {
        join(b, ride, b->drivers[at].ride);
        return at;
    }
    b->drivers = memory_room(b->drivers, b->driver_count, &b->driver_capacity, 64, sizeof(*b->drivers));
    at = b->driver_count++;
    b->drivers[at] = (struct batch_driver){.driver = driver, .ride = ride};
    table_insert(&b->by_driver, driver_number_hash(driver), at);
    return at;
}

/* The search of a ride is done: adds its candidates. */
static void gather(struct fleet *f, uint32_t ride)
{
    struct batch *b = f->batch;
    const struct ride *r = ride_at(f, ride);
    uint32_t at = b->ride_count;
    ASSERT(r->searching && r->list_count && r->list_count <= CANDIDATES_MAX);
    ASSERT(!at || b->rides[at - 1].number < r->number); /* oldest first */
    b->rides = memory_room(b->rides, at, &b->ride_capacity, 64, sizeof(*b->rides));
    b->ride_count++;
    b->rides[at] = (struct batch_ride){.number = r->number,
                                       .ride = ride,
                                       .root = at,
                                       .first_choice = b->choice_count,
                                       .choice_count = r->list_count,
                                       .again = f->scan.best[0].lapsed != 0};
    ASSERT(!b->rides[at].again || r->list_count == 1);
    for (uint32_t i = 0; i < r->list_count; i++) {
        ASSERT(f->scan.best[i].driver == r->list[i]);
        b->choices = memory_room(b->choices, b->choice_count, &b->choice_capacity, 256, sizeof(*b->choices));
        b->choices[b->choice_count++] =
            (struct batch_choice){f->scan.best[i].score_ms, choice_add(b, at, r->list[i])};
    }
}

/* False: the step's budget is used up. */
static bool gather_all(const struct state *st, struct fleet *f, struct dispatch_budget *left)
{
    while (f->round_next) {
        uint32_t ride = f->round_next - 1;
        struct ride *r = ride_at(f, ride);
        ASSERT(r->searching);
        if (!left->work)
            return false;
        left->work--;
        if (f->batch->all || r->fresh) {
            if (!dispatch_scan(st, f, ride, left))
                return false;
            if (r->list_count)
                gather(f, ride);
            ride_set_fresh(f, ride, r->list_count != 0); /* or until a driver becomes free */
        }
        f->round_next = r->next;
    }
    return true;
}

/* ---- Groups ---- */

/* Lists each group at its root, by age. False: the step's budget is used up. */
static bool link_all(struct batch *b, struct dispatch_budget *left)
{
    for (; b->at < b->ride_count; b->at++) {
        if (!left->work)
            return false;
        left->work--;
        uint32_t root = root_of(b, b->at);
        struct batch_ride *head = &b->rides[root];
        ASSERT(root <= b->at && (root == b->at || head->group_count));
        if (root != b->at)
            b->rides[head->last - 1].next = b->at + 1;
        head->last = b->at + 1;
        head->group_count++;
    }
    return true;
}

/* The ride, or NULL if it has ended since. */
static const struct ride *still_waits(const struct fleet *f, const struct batch_ride *one)
{
    const struct ride *r = ride_at(f, one->ride);
    return r->status && r->number == one->number && r->searching ? r : NULL;
}

/* Whether the driver can still be asked, as when the ride found it. */
static bool still_available(const struct fleet *f, const struct batch_ride *one, uint32_t driver)
{
    uint64_t lapsed;
    return dispatch_can_ask(f, ride_at(f, one->ride), driver, &lapsed) && (!lapsed || one->again);
}

/* Puts the group of this root into the auction, with the drivers still available. */
static void auction_fill(const struct fleet *f, struct batch *b, uint32_t root)
{
    struct auction *a = &b->auction;
    auction_begin(a);
    for (uint32_t at = root + 1; at; at = b->rides[at - 1].next) {
        const struct batch_ride *one = &b->rides[at - 1];
        auction_add_ride(a);
        for (uint32_t i = 0; still_waits(f, one) && i < one->choice_count; i++) {
            const struct batch_choice *c = &b->choices[one->first_choice + i];
            struct batch_driver *d = &b->drivers[c->driver];
            if (!still_available(f, one, d->driver))
                continue;
            if (d->group != root + 1) {
                d->group = root + 1;
                d->number = a->driver_count;
                b->numbered[d->number] = d->driver;
            }
            auction_add_choice(a, d->number, c->score_ms);
        }
    }
    ASSERT(a->ride_count == b->rides[root].group_count && a->driver_count <= a->edge_count);
}

/* Solves the next group. False: the step's budget is used up, or (stage SOLVING, at the end) all are solved. */
static bool solve_next(struct state *st, struct fleet *f, struct dispatch_budget *left)
{
    struct batch *b = f->batch;
    for (; b->at < b->ride_count && b->rides[b->at].root != b->at; b->at++) {
        if (!left->work)
            return false;
        left->work--;
    }
    if (b->at == b->ride_count)
        return false;
    ASSERT(b->rides[b->at].group_count && b->rides[b->at].last);
    b->oldest = b->rides[b->at].group_count > AUCTION_RIDES_MAX;
    if (!b->oldest) {
        if (b->turn != b->at + 1) { /* not in the auction yet */
            uint32_t most = b->rides[b->at].group_count * CANDIDATES_MAX;
            auction_fill(f, b, b->at);
            left->auction -= most < left->auction ? most : left->auction;
            b->turn = b->at + 1;
        }
        if (!auction_continue(&b->auction, &left->auction))
            return false;
    }
    st->dispatch->stats.groups++;
    st->dispatch->stats.groups_too_large += b->oldest;
    b->stage = BATCH_OFFERING;
    b->turn = b->at + 1;
    b->pair = 0;
    return true;
}

/* ---- Offers ---- */

/* False: the step's budget is used up; the next one continues here. */
static bool offer_one(struct state *st, struct fleet *f, const struct batch_ride *one,
                      struct dispatch_budget *left)
{
    struct batch *b = f->batch;
    if (!still_waits(f, one))
        return true;
    if (b->oldest)
        return dispatch_serve_ride(st, f, one->ride, left);
    if (!left->offers)
        return false;
    struct ride *r = ride_at(f, one->ride);
    uint32_t number = auction_driver(&b->auction, b->pair);
    r->list_next = r->list_count; /* so that none of them is asked out of turn */
    if (number == AUCTION_NONE || !still_available(f, one, b->numbered[number])) {
        ASSERT(r->fresh);
        b->left_over = true;
        return true;
    }
    ASSERT(number < b->auction.driver_count);
    offer_make(st, f, one->ride, b->numbered[number]);
    left->offers--;
    ASSERT(!r->searching);
    return true;
}

/* False: the step's budget is used up. */
static bool offer_all(struct state *st, struct fleet *f, struct dispatch_budget *left)
{
    struct batch *b = f->batch;
    for (; b->turn; b->turn = b->rides[b->turn - 1].next, b->pair++) {
        if (!left->work || !offer_one(st, f, &b->rides[b->turn - 1], left))
            return false;
        left->work -= left->work > 0;
    }
    ASSERT(b->pair == b->rides[b->at].group_count);
    b->at++;
    b->stage = BATCH_SOLVING;
    return true;
}

/* ---- Batches ---- */

void batch_open(const struct state *st, struct fleet *f)
{
    bool cause = f->image.batch_ms && !f->batch && f->first_waiting && (f->fresh || f->dirty);
    ASSERT(!f->batch || !f->batch_due_ms);
    if (!cause) {
        f->batch_due_ms = 0;
    } else if (!f->batch_due_ms) {
        f->batch_due_ms = st->now_ms + f->image.batch_ms;
        if (f->batch_due_ms < f->round_after_ms)
            f->batch_due_ms = f->round_after_ms;
    }
}

static void batch_begin(struct state *st, struct fleet *f)
{
    ASSERT(!f->batch && f->first_waiting && f->batch_due_ms <= st->now_ms);
    struct batch *b = memory_get(sizeof(*b)); /* the auction is large, and cleared when it begins */
    memset(b, 0, offsetof(struct batch, numbered));
    b->all = f->dirty;
    table_init(&b->by_driver, hash_of_driver, b);
    dispatch_round_begin(st, f);
    f->batch_due_ms = 0;
    f->batch = b;
}

void batch_drop(struct fleet *f)
{
    struct batch *b = f->batch;
    f->batch_due_ms = 0;
    f->batch = NULL;
    if (!b)
        return;
    table_release(&b->by_driver);
    free(b->rides);
    free(b->choices);
    free(b->drivers);
    free(b);
}

/* True: done. False: the step's budget is used up. */
static bool batch_continue(struct state *st, struct fleet *f, struct dispatch_budget *left)
{
    struct batch *b = f->batch;
    for (;;) {
        switch (b->stage) {
        case BATCH_GATHERING:
            if (!gather_all(st, f, left))
                return false;
            b->stage = BATCH_LINKING;
            break;
        case BATCH_LINKING:
            if (!link_all(b, left))
                return false;
            b->at = 0;
            b->stage = BATCH_SOLVING;
            break;
        case BATCH_SOLVING:
            if (!solve_next(st, f, left))
                return b->at == b->ride_count;
            break;
        case BATCH_OFFERING:
            if (!offer_all(st, f, left))
                return false;
            break;
        }
    }
}

void batch_search(struct state *st, struct fleet *f, struct dispatch_budget *left)
{
    ASSERT(f->image.batch_ms);
    if (f->batch_due_ms && f->batch_due_ms <= st->now_ms)
        batch_begin(st, f);
    if (!f->batch || !batch_continue(st, f, left))
        return;
    bool left_over = f->batch->left_over;
    batch_drop(f);
    f->batch_due_ms = left_over ? st->now_ms : 0; /* they have already waited */
}
