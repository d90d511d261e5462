/* SPDX-License-Identifier: Apache-2.0 */
/* model_buffers.c — the buffers before and after a slot: as long as its calendar said, but not among the items of one
 * reservation. There a buffer ends where the next item begins, and begins where the one before ends. */
#include "model.h"

/* Slots of one reservation on one calendar, including those it is about to get. */
struct spans {
    struct {
        int64_t start_ms, end_ms, until_ms;
    } list[MODEL_ITEMS + ASK_ITEMS];
    int count;
};

static int64_t next_start(const struct spans *s, int64_t at_ms)
{
    int64_t next_ms = INT64_MAX;
    for (int i = 0; i < s->count; i++)
        if (s->list[i].start_ms >= at_ms && s->list[i].start_ms < next_ms)
            next_ms = s->list[i].start_ms;
    return next_ms;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t until_among(const struct spans *s, int64_t end_ms, int64_t until_ms)
{
    return least(next_start(s, end_ms), until_ms);
}

static int64_t from_among(const struct spans *s, int64_t start_ms, int64_t from_ms)
{
    for (int i = 0; i < s->count; i++) {
        int64_t done_ms = least(until_among(s, s->list[i].end_ms, s->list[i].until_ms), start_ms);
        if (s->list[i].end_ms <= start_ms && done_ms > from_ms)
            from_ms = done_ms;
    }
    return from_ms;
}

static void spans_add(struct spans *s, const struct model_item *item)
{
    s->list[s->count].start_ms = item->start_ms;
    s->list[s->count].end_ms = item->end_ms;
    s->list[s->count++].until_ms = item->until_ms;
}

static void spans_of(const struct model_reservation *r, const struct model_item *but, int calendar,
                     struct spans *out)
{
    for (int i = 0; r && i < r->item_count; i++)
        if (&r->items[i] != but && r->items[i].kind == ITEM_SLOT && r->items[i].event == calendar)
            spans_add(out, &r->items[i]);
}

struct model_item model_slot_among(const struct model *m, const struct model_wanted *w,
                                   const struct model_reservation *r, uint32_t index)
{
    struct model_item item = model_slot_item(m, &w->items[index], 0);
    struct spans others = {.count = 0};
    for (uint32_t i = 0; i < w->count; i++)
        if (i != index && w->items[i].kind == ITEM_SLOT && w->items[i].event == item.event) {
            struct model_item other = model_slot_item(m, &w->items[i], 0);
            spans_add(&others, &other);
        }
    spans_of(r, NULL, item.event, &others);
    item.until_ms = until_among(&others, item.end_ms, item.full_ms);
    item.from_ms = from_among(&others, item.start_ms, item.full_from_ms);
    return item;
}

void model_slot_settle(const struct model_reservation *r, const struct model_item *but,
                       struct model_item *moved)
{
    struct spans others = {.count = 0};
    spans_of(r, but, moved->event, &others);
    moved->until_ms = until_among(&others, moved->end_ms, moved->full_ms);
    moved->from_ms = from_among(&others, moved->start_ms, moved->full_from_ms);
}

void model_give_way(struct model_reservation *r)
{
    for (int before = 0; before < 2; before++)
        for (int i = 0; i < r->item_count; i++) {
            struct model_item *item = &r->items[i];
            struct spans others = {.count = 0};
            if (item->kind != ITEM_SLOT)
                continue;
            spans_of(r, item, item->event, &others);
            if (before)
                item->from_ms = from_among(&others, item->start_ms, item->from_ms);
            else
                item->until_ms = until_among(&others, item->end_ms, item->until_ms);
        }
}

/* It ends at the first instant that is full: here, or where some claim begins. */
static void regain_after(const struct model *m, const struct spans *others, const struct model_claims *claims,
                         uint32_t capacity, struct model_item *item)
{
    int64_t want_ms = until_among(others, item->end_ms, item->full_ms);
    int64_t from_ms = item->until_ms > m->now ? item->until_ms : m->now;
    if (from_ms < want_ms && model_claims_most(claims, from_ms, from_ms + 1, false) >= capacity)
        want_ms = from_ms;
    for (uint32_t k = 0; k < claims->count; k++) {
        int64_t at_ms = claims->list[k].start_ms;
        if (at_ms > from_ms && at_ms < want_ms &&
            model_claims_most(claims, at_ms, at_ms + 1, false) >= capacity)
            want_ms = at_ms;
    }
    if (want_ms > item->until_ms)
        item->until_ms = want_ms;
}

/* It begins after the last instant that is full: the one before, or where some claim ends. */
static void regain_before(const struct model *m, const struct spans *others,
                          const struct model_claims *claims, uint32_t capacity, struct model_item *item)
{
    int64_t want_ms = from_among(others, item->start_ms, item->full_from_ms);
    if (want_ms > item->from_ms) /* the one before it keeps that free again */
        item->from_ms = want_ms;
    int64_t least_ms = want_ms > m->now ? want_ms : m->now, last_ms = item->from_ms;
    if (last_ms > least_ms && model_claims_most(claims, last_ms - 1, last_ms, false) >= capacity)
        return;
    for (uint32_t k = 0; k < claims->count; k++) {
        int64_t at_ms = claims->list[k].until_ms;
        if (at_ms > least_ms && at_ms < last_ms && at_ms > want_ms &&
            model_claims_most(claims, at_ms - 1, at_ms, false) >= capacity)
            want_ms = at_ms;
    }
    if (want_ms < item->from_ms)
        item->from_ms = want_ms;
}

void model_regain(struct model *m, struct model_reservation *r, int calendar)
{
    static struct model_claims claims;
    uint32_t capacity = m->calendars[calendar].rules.capacity;
    for (int before = 0; before < 2; before++)
        for (int i = 0; i < r->item_count; i++) {
            struct model_item *item = &r->items[i];
            struct spans others = {.count = 0};
            if (item->kind != ITEM_SLOT || item->event != calendar)
                continue;
            spans_of(r, item, calendar, &others);
            model_claims_gather(m, calendar, item, NULL, NULL, &claims);
            (before ? regain_before : regain_after)(m, &others, &claims, capacity, item);
        }
}
