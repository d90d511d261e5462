/* SPDX-License-Identifier: Apache-2.0 */
/* ride_list.c — waiting rides, the oldest first, and ended rides, in the order they ended.
 *
 * Waiting rides are in a list, which rounds walk, and in a tree that finds a ride's place in it: a ride whose offer
 * came to nothing goes back to where it was, and in a bad hour thousands do so at once, ahead of many thousands of
 * younger ones. The tree is a treap: ordered by number from left to right, and by a hash of the number from top to
 * bottom, which keeps it flat in whatever order they come and go.
 */
#include "base/assertion.h"
#include "core/dispatch/ride.h"

static void fresh_placed(void *owner, uint64_t handle, uint32_t place)
{
    ride_at(owner, (uint32_t)handle)->fresh_place = place;
}

void ride_lists_init(struct fleet *f)
{
    heap_init(&f->fresh_rides, fresh_placed, f);
}

void ride_lists_release(struct fleet *f)
{
    heap_release(&f->fresh_rides);
}

/* ---- The tree: handles + 1 ---- */

static struct ride *at_node(const struct fleet *f, uint32_t node)
{
    ASSERT(node);
    return ride_at(f, node - 1);
}

/* The greater one is nearer the root. */
static uint64_t priority(const struct ride *r)
{
    uint64_t mixed = (r->number ^ r->number >> 32) * 0x9E3779B97F4A7C15u;
    return (mixed ^ mixed >> 29) * 0xBF58476D1CE4E5B9u;
}

static void tree_insert(struct fleet *f, uint32_t handle)
{
    struct ride *r = ride_at(f, handle);
    uint32_t *place = &f->waiting_root, *older = &r->older, *younger = &r->younger;
    while (*place && priority(at_node(f, *place)) >= priority(r))
        place = at_node(f, *place)->number < r->number ? &at_node(f, *place)->younger
                                                       : &at_node(f, *place)->older;
    uint32_t below = *place;
    *place = handle + 1;
    while (below) { /* split the subtree: each half continues where the last node of its side ends */
        struct ride *b = at_node(f, below);
        bool is_older = b->number < r->number;
        *(is_older ? older : younger) = below;
        if (is_older)
            older = &b->younger;
        else
            younger = &b->older;
        below = is_older ? b->younger : b->older;
    }
    *older = *younger = 0;
}

static void tree_remove(struct fleet *f, uint32_t handle)
{
    struct ride *r = ride_at(f, handle);
    uint32_t *place = &f->waiting_root, older = r->older, younger = r->younger;
    while (*place != handle + 1)
        place = at_node(f, *place)->number < r->number ? &at_node(f, *place)->younger
                                                       : &at_node(f, *place)->older;
    while (older && younger) {
        bool older_above = priority(at_node(f, older)) >= priority(at_node(f, younger));
        *place = older_above ? older : younger;
        place = older_above ? &at_node(f, older)->younger : &at_node(f, younger)->older;
        if (older_above)
            older = *place;
        else
            younger = *place;
    }
    *place = older ? older : younger;
    r->older = r->younger = 0;
}

uint32_t ride_waiting_before(const struct fleet *f, uint64_t number)
{
    uint32_t before = 0;
    for (uint32_t node = f->waiting_root; node;) {
        bool is_older = at_node(f, node)->number < number;
        before = is_older ? node : before;
        node = is_older ? at_node(f, node)->younger : at_node(f, node)->older;
    }
    return before;
}

/* ---- Lists ---- */

void ride_set_fresh(struct fleet *f, uint32_t handle, bool fresh)
{
    struct ride *r = ride_at(f, handle);
    ASSERT(r->searching && f->fresh >= r->fresh && r->fresh == (r->fresh_place != HEAP_NONE));
    if (fresh && !r->fresh)
        heap_push(&f->fresh_rides, (int64_t)r->number, handle);
    else if (!fresh && r->fresh)
        heap_remove(&f->fresh_rides, r->fresh_place);
    f->fresh = f->fresh - r->fresh + fresh;
    r->fresh = fresh;
}

void ride_wait_begin(struct fleet *f, uint32_t handle)
{
    struct ride *r = ride_at(f, handle);
    ASSERT(!r->searching && r->status == RIDE_SEARCHING);
    uint32_t before = ride_waiting_before(f, r->number);
    tree_insert(f, handle);
    r->previous = before;
    r->next = before ? ride_at(f, before - 1)->next : f->first_waiting;
    *(before ? &ride_at(f, before - 1)->next : &f->first_waiting) = handle + 1;
    *(r->next ? &ride_at(f, r->next - 1)->previous : &f->last_waiting) = handle + 1;
    ASSERT(!r->next || ride_at(f, r->next - 1)->number > r->number);
    r->searching = true;
    ride_set_fresh(f, handle, true);
}

static void list_leave(struct fleet *f, struct ride *r, uint32_t *first, uint32_t *last)
{
    ASSERT(*first && *last); /* it is in this list */
    *(r->previous ? &ride_at(f, r->previous - 1)->next : first) = r->next;
    *(r->next ? &ride_at(f, r->next - 1)->previous : last) = r->previous;
    r->next = r->previous = 0;
}

void ride_wait_end(struct fleet *f, uint32_t handle)
{
    struct ride *r = ride_at(f, handle);
    ASSERT(r->searching);
    if (f->round_next == handle + 1) /* the round continues with the next */
        f->round_next = r->next;
    if (f->scan.ride == handle + 1)
        f->scan.ride = 0;
    ride_set_fresh(f, handle, false);
    r->searching = false;
    tree_remove(f, handle);
    list_leave(f, r, &f->first_waiting, &f->last_waiting);
}

void ride_ended_add(struct fleet *f, uint32_t handle)
{
    struct ride *r = ride_at(f, handle);
    ASSERT(!ride_live(r) && r->ended_at_ms && !r->driver);
    r->previous = f->last_ended;
    *(f->last_ended ? &ride_at(f, f->last_ended - 1)->next : &f->first_ended) = handle + 1;
    f->last_ended = handle + 1;
}

void ride_ended_leave(struct fleet *f, uint32_t handle)
{
    list_leave(f, ride_at(f, handle), &f->first_ended, &f->last_ended);
}
