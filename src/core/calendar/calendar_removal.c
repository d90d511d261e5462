/* SPDX-License-Identifier: Apache-2.0 */
#include "core/calendar/calendar_removal.h"

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/calendar/calendar_index.h"
#include "core/calendar/group.h"
#include "core/catalogue/event.h"
#include "core/claim/expiry.h"
#include "core/codec.h"
#include "core/state.h"

/* clang-format off */
#define CALENDAR_REMOVED_FIELDS(X) X(number, number)
CHANGE_CODEC(calendar_removed, calendar_removed, CALENDAR_REMOVED_FIELDS)
/* clang-format on */

/* Why a calendar cannot be removed, as a sentence; NULL: it can. */
static const char *in_use(const struct state *st, const struct calendar *c)
{
    if (timeline_most(&c->timeline, st->now_ms, INT64_MAX) > 0)
        return "This calendar has bookings that are not over.";
    return calendar_in_group(c) ? "This calendar is in a group." : NULL;
}

static void detach(struct state *st, struct calendar *c)
{
    ASSERT(c->image.removed && !c->items && !c->gone);
    ASSERT(!heap_first(&c->lapses)); /* a held item would refer to it */
    table_remove(&st->calendars_by_number, event_number_hash(c->image.number), c->index);
    uint64_t number = c->image.number;
    uint32_t index = c->index;
    calendar_clear(c);
    /* The number stays: the step that freed it can still refer to it. */
    *c = (struct calendar){.index = index, .image = {.number = number, .removed = true}};
    calendar_index_give(st, c);
}

static void remove_it(struct state *st, struct calendar *c, uint64_t seq)
{
    ASSERT(!c->image.removed && calendar_find(st, c->image.id) == c);
    table_remove(&st->calendars_by_id, calendar_id_hash(c->image.id), c->index);
    calendar_list_remove(st, c);
    c->image.removed = true;
    c->seq = seq;
    ASSERT(c->group_count == 0);                  /* in_use */
    state_touch_span(st, c->index, 0, INT64_MAX); /* for views that cache it */
    if (!c->items)
        detach(st, c);
}

enum outcome_code calendar_remove(struct state *st, const struct command *command, struct outcome *out)
{
    struct calendar *c = calendar_find(st, command->calendar);
    if (!c)
        return OUTCOME_NO_SUCH_CALENDAR;
    settle_calendar(st, c); /* lapsed holds do not count */
    state_saw(out, c->seq);
    out->detail = in_use(st, c);
    if (out->detail) {
        for (uint32_t i = 0; i < c->group_count; i++)
            state_saw(out, calendar_group(st, c, i)->seq);
        return OUTCOME_IN_USE;
    }
    st->change.kind = CHANGE_CALENDAR_REMOVED;
    st->change.calendar_removed.number = c->image.number;
    out->seq = state_commit(st);
    ASSERT(!calendar_find(st, command->calendar));
    return OUTCOME_OK;
}

bool calendar_removed_change_restore(struct state *st, const struct change *change)
{
    struct calendar *c = calendar_find_number(st, change->calendar_removed.number);
    if (!c || c->image.removed || in_use(st, c))
        return false;
    remove_it(st, c, change->seq);
    st->removed_seq = change->seq;
    return true;
}

/* ---- References ---- */

void calendar_item_added(struct state *st, const struct item *item)
{
    struct calendar *c = st->calendars[item->resource];
    ASSERT(!c->gone);
    c->items++;
}

void calendar_item_gone(struct state *st, const struct item *item)
{
    struct calendar *c = st->calendars[item->resource];
    ASSERT(c->items > 0);
    if (--c->items == 0 && c->image.removed)
        detach(st, c);
}

void calendars_detach(struct state *st)
{
    for (uint32_t i = 0; i < st->calendar_count; i++) {
        struct calendar *c = st->calendars[i];
        if (c->image.removed && !c->gone && !c->items)
            detach(st, c);
    }
}

/* ---- Recreated from an item ---- */

static struct calendar *recall(struct state *st, const struct item_image *item)
{
    struct calendar *c = calendar_index_take(st);
    /* Capacity for one claim is enough: claims that are over take none. */
    c->image = (struct calendar_image){.number = item->resource,
                                       .id = text_own(item->resource_id),
                                       .capacity = 1,
                                       .rules = CALENDAR_RULES_PLAIN,
                                       .removed = true};
    c->recalled = true;
    calendar_forget_past(c, st->now_ms); /* its claims are in the past, and add no points */
    timeline_fold(&c->starts, st->now_ms, 0);
    table_insert(&st->calendars_by_number, event_number_hash(item->resource), c->index);
    return c;
}

/* Items refer to services by position: positions that no item has mentioned yet have no name. */
static void learn_service(struct calendar *c, uint32_t part, struct text id)
{
    struct service_image *services = (struct service_image *)(uintptr_t)c->image.services;
    if (part > c->image.service_count) {
        services = memory_grow(services, part, sizeof(*services));
        memset(services + c->image.service_count, 0, (part - c->image.service_count) * sizeof(*services));
        c->image.services = services;
        c->image.service_count = part;
    }
    if (!services[part - 1].id.at)
        services[part - 1] = (struct service_image){.id = text_own(id), .removed = true};
}

bool calendar_recall(struct state *st, const struct item_image *item, uint32_t *place)
{
    struct calendar *c = calendar_find_number(st, item->resource);
    bool names =
        item->resource_id.size && item->part <= SERVICES_EVER_MAX && (!item->part || item->part_id.size);
    if (!names || item->resource > st->seq || (c && !c->recalled))
        return false;
    if (!c)
        c = recall(st, item);
    if (item->part)
        learn_service(c, item->part, item->part_id);
    ASSERT(c->image.removed && text_equal(c->image.id, item->resource_id));
    *place = c->index;
    return true;
}
