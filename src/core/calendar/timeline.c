/* SPDX-License-Identifier: Apache-2.0 */
#include "core/calendar/timeline.h"

#include <string.h>

#include "base/assertion.h"

enum counted { ALL, SOLD };

/* The effect of a subtree's points, in order, on one of the counts. */
struct effect {
    int32_t sum;
    int32_t most, least; /* of the running sums after each point; sentinels if there are no points */
};

/* What a parent stores about a subtree: enough to answer queries about all of it without visiting it. */
struct branch {
    uint32_t link; /* handle + 1; 0: empty */
    int32_t height;
    struct effect effect[2]; /* by enum counted */
};

enum side { LEFT, RIGHT };

/* An instant at which a count changes. */
struct point {
    int64_t at_ms;
    int32_t delta[2]; /* by enum counted; never both 0 */
    struct branch branch[2];
};

#define EFFECT_NONE                                                                                          \
    {                                                                                                        \
        0, INT32_MIN / 2, INT32_MAX / 2                                                                      \
    }
static const struct branch empty = {.effect = {EFFECT_NONE, EFFECT_NONE}};

static struct point *point_at(const struct timeline *t, uint32_t link)
{
    ASSERT(link);
    return slab_at(&t->nodes, link - 1);
}

void timeline_init(struct timeline *t)
{
    *t = (struct timeline){.folded_ms = INT64_MIN};
    slab_init(&t->nodes, sizeof(struct point));
}

void timeline_release(struct timeline *t)
{
    slab_release(&t->nodes);
    t->root = 0;
}

/* ---- The tree ---- */

static int32_t greater(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t lesser(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* The subtree of this point, computed from its branches. */
static struct branch branch_of(const struct timeline *t, uint32_t link)
{
    if (!link)
        return empty;
    const struct point *p = point_at(t, link);
    const struct branch *left = &p->branch[LEFT], *right = &p->branch[RIGHT];
    struct branch b = {.link = link, .height = greater(left->height, right->height) + 1};
    for (int which = ALL; which <= SOLD; which++) {
        const struct effect *l = &left->effect[which], *r = &right->effect[which];
        int32_t own = l->sum + p->delta[which];
        b.effect[which].sum = own + r->sum;
        b.effect[which].most = greater(own, greater(l->most, own + r->most));
        b.effect[which].least = lesser(own, lesser(l->least, own + r->least));
    }
    return b;
}

/* Makes the root's branch on this side the new root, and returns it. */
static uint32_t rotate(struct timeline *t, uint32_t link, enum side side)
{
    struct point *p = point_at(t, link);
    uint32_t up = p->branch[side].link;
    p->branch[side] = point_at(t, up)->branch[!side];
    point_at(t, up)->branch[!side] = branch_of(t, link);
    return up;
}

/* The subtree after one of its branches grew or shrank by one level. */
static struct branch balance(struct timeline *t, uint32_t link)
{
    struct point *p = point_at(t, link);
    int32_t lean = p->branch[RIGHT].height - p->branch[LEFT].height;
    ASSERT(lean >= -2 && lean <= 2);
    if (lean < -1 || lean > 1) {
        enum side heavy = lean > 0 ? RIGHT : LEFT;
        uint32_t child = p->branch[heavy].link;
        const struct branch *under = point_at(t, child)->branch;
        /* Its inner branch is the taller one: rotate that first, or the rotation would not help. */
        if (under[!heavy].height > under[heavy].height)
            p->branch[heavy] = branch_of(t, rotate(t, child, !heavy));
        link = rotate(t, link, heavy);
    }
    return branch_of(t, link);
}

/* Removes the first point from the subtree; returns the rest. */
static struct branch detach_first(struct timeline *t, uint32_t link, uint32_t *first)
{
    struct point *p = point_at(t, link);
    if (!p->branch[LEFT].link) {
        *first = link;
        return p->branch[RIGHT];
    }
    p->branch[LEFT] = detach_first(t, p->branch[LEFT].link, first); /* depth: log n */
    return balance(t, link);
}

/* The subtree without its root, which is freed. */
static struct branch detach_root(struct timeline *t, uint32_t link)
{
    struct branch left = point_at(t, link)->branch[LEFT], right = point_at(t, link)->branch[RIGHT];
    uint32_t first;
    ASSERT(!point_at(t, link)->delta[ALL] && !point_at(t, link)->delta[SOLD]);
    /* Its branches were read before: a freed node can be reused. */
    slab_give(&t->nodes, link - 1);
    if (!left.link || !right.link)
        return left.link ? left : right;
    /* The next point replaces it: all of the left branch is before it, all of the right one after it. */
    right = detach_first(t, right.link, &first);
    point_at(t, first)->branch[LEFT] = left;
    point_at(t, first)->branch[RIGHT] = right;
    return balance(t, first);
}

static struct branch change_in(struct timeline *t, uint32_t link, int64_t at_ms, int32_t delta,
                               int32_t delta_sold)
{
    if (!link) {
        ASSERT(delta || delta_sold);
        link = slab_take(&t->nodes) + 1;
        *point_at(t, link) =
            (struct point){.at_ms = at_ms, .delta = {delta, delta_sold}, .branch = {empty, empty}};
        return branch_of(t, link);
    }
    struct point *p = point_at(t, link);
    if (at_ms == p->at_ms) {
        p->delta[ALL] += delta;
        p->delta[SOLD] += delta_sold;
        return p->delta[ALL] || p->delta[SOLD] ? branch_of(t, link) : detach_root(t, link);
    }
    enum side side = at_ms < p->at_ms ? LEFT : RIGHT;
    p->branch[side] = change_in(t, p->branch[side].link, at_ms, delta, delta_sold);
    return balance(t, link);
}

static void change_at(struct timeline *t, int64_t at_ms, int32_t delta, int32_t delta_sold)
{
    /* The past is one number: changes in it count from the fold on. */
    if (at_ms <= t->folded_ms) {
        t->base += delta;
        t->base_sold += delta_sold;
    } else {
        t->root = change_in(t, t->root, at_ms, delta, delta_sold).link;
        ASSERT((t->root == 0) == (t->nodes.count == 0));
    }
}

/* ---- Claims ---- */

static void change_between(struct timeline *t, int64_t start_ms, int64_t end_ms, int32_t delta,
                           int32_t delta_sold)
{
    ASSERT(start_ms < end_ms);
    /* Where one claim ends and the next begins, the two cancel out, and the point disappears. */
    change_at(t, start_ms, delta, delta_sold);
    change_at(t, end_ms, -delta, -delta_sold);
    ASSERT(t->base >= t->base_sold && t->base_sold >= 0);
}

void timeline_add(struct timeline *t, int64_t start_ms, int64_t end_ms, bool sold)
{
    change_between(t, start_ms, end_ms, 1, sold);
}

void timeline_remove(struct timeline *t, int64_t start_ms, int64_t end_ms, bool sold)
{
    change_between(t, start_ms, end_ms, -1, -sold);
}

void timeline_sell(struct timeline *t, int64_t start_ms, int64_t end_ms)
{
    change_between(t, start_ms, end_ms, 0, 1);
}

uint32_t timeline_fold(struct timeline *t, int64_t until_ms, uint32_t most)
{
    uint32_t done = 0, first;
    struct timeline_point next;
    bool points = timeline_next(t, INT64_MIN, &next);
    for (; points && next.at_ms <= until_ms && done < most; done++) {
        ASSERT(next.at_ms > t->folded_ms && next.count >= next.sold && next.sold >= 0);
        t->root = detach_first(t, t->root, &first).link;
        slab_give(&t->nodes, first - 1);
        t->base = next.count;
        t->base_sold = next.sold;
        t->folded_ms = next.at_ms;
        points = timeline_next(t, INT64_MIN, &next);
    }
    /* When nothing is left to fold, the mark moves on: a claim in the past must not add points again. */
    if (until_ms > t->folded_ms && (!points || next.at_ms > until_ms))
        t->folded_ms = until_ms;
    return done;
}

/* ---- Queries ---- */

static int32_t base(const struct timeline *t, enum counted which)
{
    return which == SOLD ? t->base_sold : t->base;
}

/* The count at a point, given the count before its subtree. */
static int32_t count_of(const struct point *p, enum counted which, int32_t before)
{
    return before + p->branch[LEFT].effect[which].sum + p->delta[which];
}

static int32_t count_at(const struct timeline *t, int64_t at_ms, enum counted which)
{
    int32_t count = base(t, which);
    uint32_t link = t->root;
    while (link) {
        const struct point *p = point_at(t, link);
        enum side side = at_ms < p->at_ms ? LEFT : RIGHT;
        if (side == RIGHT)
            count = count_of(p, which, count);
        link = p->branch[side].link;
    }
    return count;
}

/* The searches below walk a subtree that begins with the count `before`. They consider points after after_ms and before
 * end_ms; INT64_MIN and INT64_MAX mean all points on that side, so that a whole subtree is answered from its parent. */

/* The greatest count at a point, or the sentinel if there is none. */
static int32_t most_in(const struct timeline *t, const struct branch *b, enum counted which, int32_t before,
                       int64_t after_ms, int64_t end_ms)
{
    if (!b->link || (after_ms == INT64_MIN && end_ms == INT64_MAX))
        return before + b->effect[which].most;
    const struct point *p = point_at(t, b->link);
    int32_t own = count_of(p, which, before);
    if (p->at_ms <= after_ms)
        return most_in(t, &p->branch[RIGHT], which, own, after_ms, end_ms);
    if (p->at_ms >= end_ms)
        return most_in(t, &p->branch[LEFT], which, before, after_ms, end_ms);
    int32_t left = most_in(t, &p->branch[LEFT], which, before, after_ms, INT64_MAX);
    int32_t right = most_in(t, &p->branch[RIGHT], which, own, INT64_MIN, end_ms);
    return greater(own, greater(left, right));
}

static uint32_t most(const struct timeline *t, int64_t start_ms, int64_t end_ms, enum counted which)
{
    /* Of the folded past only the final count is known. */
    if (start_ms < t->folded_ms)
        start_ms = t->folded_ms;
    if (start_ms >= end_ms)
        return 0;
    struct branch root = branch_of(t, t->root);
    /* The count at the start itself, and after each point up to the end. */
    int32_t found =
        greater(count_at(t, start_ms, which), most_in(t, &root, which, base(t, which), start_ms, end_ms));
    ASSERT(found >= 0);
    return (uint32_t)found;
}

uint32_t timeline_most(const struct timeline *t, int64_t start_ms, int64_t end_ms)
{
    return most(t, start_ms, end_ms, ALL);
}

uint32_t timeline_most_sold(const struct timeline *t, int64_t start_ms, int64_t end_ms)
{
    return most(t, start_ms, end_ms, SOLD);
}

/* The first point with a count below capacity, or TIMELINE_NONE. */
static int64_t first_below(const struct timeline *t, const struct branch *b, int32_t before, int64_t after_ms,
                           int32_t capacity)
{
    if (!b->link || (after_ms == INT64_MIN && before + b->effect[ALL].least >= capacity))
        return TIMELINE_NONE;
    const struct point *p = point_at(t, b->link);
    int32_t own = count_of(p, ALL, before);
    if (p->at_ms <= after_ms)
        return first_below(t, &p->branch[RIGHT], own, after_ms, capacity);
    int64_t found = first_below(t, &p->branch[LEFT], before, after_ms, capacity);
    if (found != TIMELINE_NONE)
        return found;
    return own < capacity ? p->at_ms : first_below(t, &p->branch[RIGHT], own, INT64_MIN, capacity);
}

int64_t timeline_room_after(const struct timeline *t, int64_t at_ms, uint32_t capacity)
{
    ASSERT(capacity >= 1 && capacity <= INT32_MAX);
    if (at_ms < t->folded_ms)
        at_ms = t->folded_ms;
    if (count_at(t, at_ms, ALL) < (int32_t)capacity)
        return at_ms;
    struct branch root = branch_of(t, t->root);
    int64_t found = first_below(t, &root, t->base, at_ms, (int32_t)capacity);
    ASSERT(found != TIMELINE_NONE && found > at_ms); /* every claim ends */
    return found;
}

/* The first point with a count of at least capacity, or TIMELINE_NONE. */
static int64_t first_reaching(const struct timeline *t, const struct branch *b, int32_t before,
                              int64_t after_ms, int32_t capacity)
{
    if (!b->link || (after_ms == INT64_MIN && before + b->effect[ALL].most < capacity))
        return TIMELINE_NONE;
    const struct point *p = point_at(t, b->link);
    int32_t own = count_of(p, ALL, before);
    if (p->at_ms <= after_ms)
        return first_reaching(t, &p->branch[RIGHT], own, after_ms, capacity);
    int64_t found = first_reaching(t, &p->branch[LEFT], before, after_ms, capacity);
    if (found != TIMELINE_NONE)
        return found;
    return own >= capacity ? p->at_ms : first_reaching(t, &p->branch[RIGHT], own, INT64_MIN, capacity);
}

int64_t timeline_first_full(const struct timeline *t, int64_t start_ms, int64_t end_ms, uint32_t capacity)
{
    ASSERT(capacity >= 1 && capacity <= INT32_MAX);
    if (start_ms < t->folded_ms)
        start_ms = t->folded_ms;
    if (start_ms >= end_ms)
        return end_ms;
    if (count_at(t, start_ms, ALL) >= (int32_t)capacity)
        return start_ms;
    struct branch root = branch_of(t, t->root);
    int64_t found = first_reaching(t, &root, t->base, start_ms, (int32_t)capacity);
    return found != TIMELINE_NONE && found < end_ms ? found : end_ms;
}

/* The last point with a count of at least capacity, or TIMELINE_NONE. */
static int64_t last_reaching(const struct timeline *t, const struct branch *b, int32_t before,
                             int64_t after_ms, int64_t end_ms, int32_t capacity)
{
    if (!b->link || (after_ms == INT64_MIN && end_ms == INT64_MAX && before + b->effect[ALL].most < capacity))
        return TIMELINE_NONE;
    const struct point *p = point_at(t, b->link);
    int32_t own = count_of(p, ALL, before);
    if (p->at_ms <= after_ms)
        return last_reaching(t, &p->branch[RIGHT], own, after_ms, end_ms, capacity);
    if (p->at_ms >= end_ms)
        return last_reaching(t, &p->branch[LEFT], before, after_ms, end_ms, capacity);
    int64_t found = last_reaching(t, &p->branch[RIGHT], own, INT64_MIN, end_ms, capacity);
    if (found != TIMELINE_NONE)
        return found;
    return own >= capacity ? p->at_ms
                           : last_reaching(t, &p->branch[LEFT], before, after_ms, INT64_MAX, capacity);
}

int64_t timeline_last_full(const struct timeline *t, int64_t start_ms, int64_t end_ms, uint32_t capacity)
{
    ASSERT(capacity >= 1 && capacity <= INT32_MAX);
    struct timeline_point next;
    if (start_ms < t->folded_ms)
        start_ms = t->folded_ms;
    if (start_ms >= end_ms)
        return TIMELINE_NONE;
    struct branch root = branch_of(t, t->root);
    int64_t last = last_reaching(t, &root, t->base, start_ms, end_ms, (int32_t)capacity);
    if (last == TIMELINE_NONE && count_at(t, start_ms, ALL) >= (int32_t)capacity)
        last = start_ms;
    if (last == TIMELINE_NONE)
        return TIMELINE_NONE;
    ASSERT(last >= start_ms && last < end_ms);
    /* It stays full up to the next point. */
    bool changes = timeline_next(t, last, &next) && next.at_ms < end_ms;
    return (changes ? next.at_ms : end_ms) - 1;
}

bool timeline_next(const struct timeline *t, int64_t after_ms, struct timeline_point *out)
{
    bool found = false;
    int32_t before[2] = {t->base, t->base_sold};
    uint32_t link = t->root;
    while (link) {
        const struct point *p = point_at(t, link);
        int32_t own[2] = {count_of(p, ALL, before[ALL]), count_of(p, SOLD, before[SOLD])};
        if (p->at_ms > after_ms) {
            *out = (struct timeline_point){.at_ms = p->at_ms, .count = own[ALL], .sold = own[SOLD]};
            found = true;
            link = p->branch[LEFT].link;
        } else {
            before[ALL] = own[ALL];
            before[SOLD] = own[SOLD];
            link = p->branch[RIGHT].link;
        }
    }
    return found;
}

/* ---- Checking ---- */

/* Whether what each point stores about its branches is correct. */
static bool check_in(const struct timeline *t, uint32_t link, int64_t after_ms, int64_t end_ms,
                     uint32_t *count)
{
    if (!link)
        return true;
    const struct point *p = point_at(t, link);
    const struct branch *left = &p->branch[LEFT], *right = &p->branch[RIGHT];
    struct branch left_is = branch_of(t, left->link), right_is = branch_of(t, right->link);
    (*count)++;
    return p->at_ms > after_ms && p->at_ms < end_ms && (p->delta[ALL] || p->delta[SOLD]) &&
           left->height - right->height <= 1 && right->height - left->height <= 1 &&
           memcmp(left, &left_is, sizeof(*left)) == 0 && memcmp(right, &right_is, sizeof(*right)) == 0 &&
           check_in(t, left->link, after_ms, p->at_ms, count) &&
           check_in(t, right->link, p->at_ms, end_ms, count);
}

bool timeline_check(const struct timeline *t)
{
    uint32_t count = 0;
    if (!check_in(t, t->root, t->folded_ms, INT64_MAX, &count) || count != t->nodes.count)
        return false;
    struct timeline_point p = {.at_ms = t->folded_ms, .count = t->base, .sold = t->base_sold};
    bool fine = true;
    do
        fine = fine && p.sold >= 0 && p.count >= p.sold;
    while (timeline_next(t, p.at_ms, &p));
    return fine && p.count == 0 && p.sold == 0; /* every claim ends */
}
