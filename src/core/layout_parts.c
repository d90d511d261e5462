/* SPDX-License-Identifier: Apache-2.0 */
#include "core/layout_parts.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory.h"
#include "core/layout.h"

/* While they are counted: by hash of section and tier, at most half full; a part of no seats is an empty
 * slot. */
struct counting {
    struct layout_part *slots;
    uint32_t mask, used;
};

static struct layout_part *slot_of(const struct counting *c, uint32_t section, uint32_t tier)
{
    uint64_t mixed = ((uint64_t)section << 32 | tier) * 0x9e3779b97f4a7c15u;
    uint32_t at = (uint32_t)(mixed >> 32) & c->mask;
    while (c->slots[at].count && (c->slots[at].section != section || c->slots[at].tier != tier))
        at = (at + 1) & c->mask;
    return &c->slots[at];
}

static void grow(struct counting *c)
{
    struct counting old = *c;
    c->mask = old.slots ? old.mask * 2 + 1 : 63;
    c->slots = memory_zeroed((size_t)c->mask + 1, sizeof(*c->slots));
    for (uint32_t i = 0; old.slots && i <= old.mask; i++)
        if (old.slots[i].count)
            *slot_of(c, old.slots[i].section, old.slots[i].tier) = old.slots[i];
    free(old.slots);
}

static void add(struct counting *c, uint32_t section, uint32_t tier, uint32_t seats, uint32_t longest)
{
    if (!c->slots || c->used * 2 > c->mask)
        grow(c);
    struct layout_part *part = slot_of(c, section, tier);
    c->used += part->count == 0;
    part->section = section;
    part->tier = tier;
    part->count += seats;
    part->longest = longest > part->longest ? longest : part->longest;
}

/* Seats of one row and one tier, `run` of them side by side. */
static void add_tier(struct counting *c, uint32_t section, uint32_t tier, uint32_t seats, uint32_t run)
{
    if (!tier)
        return;
    add(c, 0, tier, seats, run);
    if (section)
        add(c, section, tier, seats, run);
}

/* A row of several tiers, run by run. */
static void add_mixed(struct counting *c, const struct layout *l, const struct layout_row *row)
{
    uint32_t run = 0, tier = 0;
    for (uint32_t i = row->first; i < row->first + row->count; i++) {
        uint32_t next = l->seats[l->order[i] & ~LAYOUT_BESIDE].tier;
        if (run && (next != tier || !(l->order[i] & LAYOUT_BESIDE))) {
            add_tier(c, row->section, tier, run, run);
            run = 0;
        }
        tier = next;
        run++;
    }
    add_tier(c, row->section, tier, run, run);
}

static int compare(const void *a, const void *b)
{
    const struct layout_part *x = a, *y = b;
    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    return x->tier < y->tier ? -1 : x->tier > y->tier;
}

void layout_parts_make(struct layout *l)
{
    struct counting c = {0};
    for (uint32_t i = 0; i < l->row_count; i++) {
        const struct layout_row *row = &l->rows[i];
        add(&c, 0, 0, row->count, row->longest);
        if (row->section)
            add(&c, row->section, 0, row->count, row->longest);
        if (row->tier == LAYOUT_MIXED)
            add_mixed(&c, l, row);
        else
            add_tier(&c, row->section, row->tier, row->count, row->longest);
    }
    if (!c.slots)
        return;
    for (uint32_t i = 0; i <= c.mask; i++)
        if (c.slots[i].count)
            c.slots[l->part_count++] = c.slots[i];
    ASSERT(l->part_count == c.used);
    qsort(c.slots, l->part_count, sizeof(*c.slots), compare);
    l->parts = memory_grow(c.slots, l->part_count, sizeof(*l->parts));
}

const struct layout_part *layout_part(const struct layout *l, struct text section, struct text tier)
{
    struct layout_part key = {.section = section.at ? layout_label(l, section) : 0,
                              .tier = tier.at ? layout_label(l, tier) : 0};
    if ((section.at && !key.section) || (tier.at && !key.tier) || !l->parts)
        return NULL;
    return bsearch(&key, l->parts, l->part_count, sizeof(key), compare);
}
