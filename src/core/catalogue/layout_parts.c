/* SPDX-License-Identifier: Apache-2.0 */
#include "core/catalogue/layout_derived.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/catalogue/layout.h"

/* Hash table for counting, by section and tier, at most half full; a part without seats is an empty bucket. */
struct counting {
    struct layout_part *buckets;
    uint32_t mask, used;
};

static struct layout_part *bucket_of(const struct counting *c, uint32_t section, uint32_t tier)
{
    uint64_t mixed = ((uint64_t)section << 32 | tier) * 0x9e3779b97f4a7c15u;
    uint32_t at = (uint32_t)(mixed >> 32) & c->mask;
    while (c->buckets[at].count && (c->buckets[at].section != section || c->buckets[at].tier != tier))
        at = (at + 1) & c->mask;
    return &c->buckets[at];
}

static void grow(struct counting *c)
{
    struct counting old = *c;
    c->mask = old.buckets ? old.mask * 2 + 1 : 63;
    c->buckets = memory_zeroed((size_t)c->mask + 1, sizeof(*c->buckets));
    for (uint32_t i = 0; old.buckets && i <= old.mask; i++)
        if (old.buckets[i].count)
            *bucket_of(c, old.buckets[i].section, old.buckets[i].tier) = old.buckets[i];
    free(old.buckets);
}

/* Seats to count: all, those that are not accessible places, and the longest run of these. */
struct counted {
    uint32_t seats, plain, longest;
};

static void layout_parts_add(struct counting *c, uint32_t section, uint32_t tier, struct counted n)
{
    ASSERT(n.seats > 0 && n.plain <= n.seats); /* an empty part is an empty bucket */
    if (!c->buckets || c->used * 2 > c->mask)
        grow(c);
    struct layout_part *part = bucket_of(c, section, tier);
    c->used += part->count == 0;
    part->section = section;
    part->tier = tier;
    part->count += n.seats;
    part->plain += n.plain;
    part->longest = n.longest > part->longest ? n.longest : part->longest;
    ASSERT(part->longest <= part->plain);
}

/* Seats of one row and one tier. */
static void add_tier(struct counting *c, uint32_t section, uint32_t tier, struct counted n)
{
    if (!tier || !n.seats)
        return;
    layout_parts_add(c, 0, tier, n);
    if (section)
        layout_parts_add(c, section, tier, n);
}

/* A row with several tiers, run by run. */
static void add_mixed(struct counting *c, const struct layout *l, const struct layout_row *row)
{
    uint32_t run = 0, tier = 0;
    for (uint32_t i = 0; i < row->count; i++) {
        const struct layout_seat *seat = layout_seat(l, row->seats[i] & ~LAYOUT_BESIDE);
        bool accessible = seat->flags & LAYOUT_ACCESSIBLE;
        if (seat->tier != tier || accessible || !(row->seats[i] & LAYOUT_BESIDE)) {
            add_tier(c, row->section, tier, (struct counted){run, run, run});
            run = 0;
        }
        tier = seat->tier;
        if (accessible)
            add_tier(c, row->section, tier, (struct counted){.seats = 1});
        else
            run++;
    }
    add_tier(c, row->section, tier, (struct counted){run, run, run});
}

static int compare(const void *a, const void *b)
{
    const struct layout_part *x = a, *y = b;
    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    return x->tier < y->tier ? -1 : x->tier > y->tier;
}

/* Counts what the row has more than `before`. */
static void add_row(struct counting *c, const struct layout *l, const struct layout_row *row,
                    const struct layout_row *before)
{
    uint32_t more = row->count - before->count, accessible = row->accessible - before->accessible;
    struct counted n = {more, more - accessible, row->longest};
    layout_parts_add(c, 0, 0, n);
    if (row->section)
        layout_parts_add(c, row->section, 0, n);
    if (row->tier == LAYOUT_MIXED)
        add_mixed(c, l, row);
    else
        add_tier(c, row->section, row->tier, n);
}

/* A row that has only grown at its end has no shorter runs than before; for a row that was sorted again, or that has
 * several tiers, this is not known. */
static bool only_grew(const struct layout_row *row, const struct layout_row *before)
{
    return row->count == before->count || (row->tier != LAYOUT_MIXED && row->longest >= before->longest);
}

static bool can_extend(const struct layout *l, const struct layout *base)
{
    /* A single row can prevent it: it is not known which row has the longest run of a part. */
    for (uint32_t i = 0; i < base->row_count; i++)
        if (!only_grew(&l->rows[i], &base->rows[i]))
            return false;
    return true;
}

void layout_parts_make(struct layout *l, const struct layout *base)
{
    struct counting c = {0};
    uint32_t known = base && can_extend(l, base) ? base->row_count : 0;
    for (uint32_t i = 0; known && i < base->part_count; i++)
        layout_parts_add(&c, base->parts[i].section, base->parts[i].tier,
            (struct counted){base->parts[i].count, base->parts[i].plain, base->parts[i].longest});
    for (uint32_t i = 0; i < l->row_count; i++) {
        static const struct layout_row none;
        const struct layout_row *before = i < known ? &base->rows[i] : &none;
        ASSERT(l->rows[i].count >= before->count && l->rows[i].accessible >= before->accessible);
        if (l->rows[i].count > before->count)
            add_row(&c, l, &l->rows[i], before);
    }
    if (!c.buckets)
        return;
    for (uint32_t i = 0; i <= c.mask; i++)
        if (c.buckets[i].count)
            c.buckets[l->part_count++] = c.buckets[i];
    ASSERT(l->part_count == c.used);
    qsort(c.buckets, l->part_count, sizeof(*c.buckets), compare);
    l->parts =
        memory_grow(c.buckets, l->part_count, sizeof(*l->parts)); /* shrinks: the table was half empty */
    ASSERT(!l->parts[0].section && !l->parts[0].tier &&
           l->parts[0].count == layout_seats(l)); /* any and any */
}

const struct layout_part *layout_part(const struct layout *l, struct text section, struct text tier)
{
    struct layout_part key = {.section = section.at ? layout_label(l, section) : 0,
                              .tier = tier.at ? layout_label(l, tier) : 0};
    if ((section.at && !key.section) || (tier.at && !key.tier) || !l->parts)
        return NULL;
    return bsearch(&key, l->parts, l->part_count, sizeof(key), compare);
}
