/* SPDX-License-Identifier: Apache-2.0 */
/* Each pair of reservation and object has a print of the operations that name both. Objects with the same print always
 * changed together, so one read shows them alike. */
#include <stdlib.h>

#include "base/memory/memory.h"
#include "place.h"
#include "reads.h"

#define FIRST_CAPACITY 1024

struct part {
    uint64_t print;
    uint32_t reservation, object;
};

struct parts {
    struct part *list;
    uint32_t count, capacity;
};

enum relation { RELATION_UNKNOWN, RELATION_NONE, RELATION_HELD, RELATION_SOLD };

static int by_pair(const void *x, const void *y)
{
    const struct part *a = x, *b = y;
    if (a->reservation != b->reservation)
        return a->reservation < b->reservation ? -1 : 1;
    return a->object < b->object ? -1 : a->object > b->object;
}

static void parts_add(struct parts *p, const struct history *h)
{
    for (uint32_t i = 0; i < h->operation_count; i++) {
        const struct call *c = &h->operations[i];
        if (c->outcome == OUTCOME_REFUSED)
            continue;
        for (uint32_t k = c->first_item; k < c->first_item + c->item_count; k++) {
            p->list = memory_room(p->list, p->count, &p->capacity, FIRST_CAPACITY, sizeof p->list[0]);
            p->list[p->count++] =
                (struct part){place_mix(i * 2 + h->items[k].gives), c->reservation, h->items[k].object};
        }
    }
}

/* Sorted, with one part for each pair. */
static void parts_join(struct parts *p)
{
    uint32_t kept = 0;
    if (p->count)
        qsort(p->list, p->count, sizeof p->list[0], by_pair);
    for (uint32_t i = 0; i < p->count; i++) {
        if (kept && by_pair(&p->list[kept - 1], &p->list[i]) == 0)
            p->list[kept - 1].print += p->list[i].print;
        else
            p->list[kept++] = p->list[i];
    }
    p->count = kept;
}

static const struct part *part_find(const struct parts *p, uint32_t reservation, uint32_t object)
{
    struct part wanted = {0, reservation, object};
    return p->count ? bsearch(&wanted, p->list, p->count, sizeof wanted, by_pair) : NULL;
}

/* What the item says about this reservation. */
static enum relation relation_of(const struct item *item, uint32_t reservation)
{
    bool named = item->reservation == reservation;
    switch (item->shown) {
    case SHOWN_FREE:
        return RELATION_NONE;
    case SHOWN_HELD:
        return named ? RELATION_HELD : item->reservation == NAME_NONE ? RELATION_UNKNOWN : RELATION_NONE;
    case SHOWN_SOLD:
        return named ? RELATION_SOLD : item->reservation == NAME_NONE ? RELATION_UNKNOWN : RELATION_NONE;
    case SHOWN_GONE:
        return named ? RELATION_NONE : RELATION_UNKNOWN;
    case SHOWN_NONE:
    case SHOWN_AVAILABLE:
    case SHOWN_COUNT:
        break;
    }
    return RELATION_UNKNOWN;
}

static bool shown_in_part(const struct parts *p, const struct item *one, const struct item *other)
{
    enum relation a = relation_of(one, one->reservation), b = relation_of(other, one->reservation);
    if (b == RELATION_UNKNOWN || a == b)
        return false;
    const struct part *x = part_find(p, one->reservation, one->object);
    const struct part *y = part_find(p, one->reservation, other->object);
    return x && y && x->print == y->print;
}

static void check_read(const struct history *h, const struct parts *p, const struct call *c, struct report *r)
{
    const struct item *items = h->items + c->first_item;
    for (uint32_t i = 0; i < c->item_count; i++) {
        if (items[i].reservation == NAME_NONE ||
            (items[i].shown != SHOWN_HELD && items[i].shown != SHOWN_SOLD))
            continue;
        for (uint32_t k = 0; k < c->item_count; k++)
            if (k != i && shown_in_part(p, &items[i], &items[k])) {
                report_violation(r, "a read of client %s shows a part of %s: %s is %s, %s is not",
                                 names_text(&h->clients, c->client),
                                 names_text(&h->reservations, items[i].reservation),
                                 names_text(&h->objects, items[i].object), shown_word(items[i].shown),
                                 names_text(&h->objects, items[k].object));
                report_call(r, "in part", c);
                return;
            }
    }
}

void reads_check_wholes(const struct history *h, struct report *r)
{
    struct parts parts = {0};
    parts_add(&parts, h);
    parts_join(&parts);
    for (uint32_t i = 0; i < h->line_count; i++) {
        const struct call *c = &h->lines[i];
        if (c->kind == CALL_READ && c->outcome == OUTCOME_DONE && c->item_count > 1)
            check_read(h, &parts, c, r);
    }
    free(parts.list);
}
