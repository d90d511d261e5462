/* SPDX-License-Identifier: Apache-2.0 */
#include "core/calendar/buffers.h"

#include "base/assertion.h"
#include "core/calendar/calendar.h"
#include "core/claim/expiry.h"
#include "core/claim/kind.h"
#include "core/claim/reservation.h"

#define MINUTE_MS 60000LL

static bool on_calendar(const struct item *item, uint32_t calendar)
{
    return claim_kind(item->kind)->timed && item->resource == calendar;
}

static int64_t until_full(const struct item *item)
{
    return item->end_ms + item->after_minutes * MINUTE_MS;
}

/* The first start at or after this instant. */
static int64_t next_start(const struct buffer_spans *s, int64_t at_ms)
{
    int64_t next_ms = INT64_MAX;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->list[i].start_ms >= at_ms && s->list[i].start_ms < next_ms)
            next_ms = s->list[i].start_ms;
    return next_ms;
}

static int64_t until_among(const struct buffer_spans *s, int64_t end_ms, int64_t until_ms)
{
    int64_t next_ms = next_start(s, end_ms);
    return next_ms < until_ms ? next_ms : until_ms;
}

/* The start of the buffer before this start: not before the earlier ones and their buffers end. */
static int64_t from_among(const struct buffer_spans *s, int64_t start_ms, int64_t from_ms)
{
    for (uint32_t i = 0; from_ms < start_ms && i < s->count; i++) {
        const struct buffer_span *other = &s->list[i];
        if (other->end_ms > start_ms)
            continue;
        int64_t until_ms = until_among(s, other->end_ms, other->until_ms);
        if (until_ms > start_ms) /* the item that begins here is not in the list */
            until_ms = start_ms;
        if (until_ms > from_ms)
            from_ms = until_ms;
    }
    return from_ms;
}

static void gather_items(struct reservation *r, uint32_t calendar, const struct item *but,
                         struct buffer_spans *out)
{
    ASSERT(out->count + r->item_count <= 2 * ITEMS_MAX); /* it can already have those of the request */
    for (uint32_t i = 0; i < r->item_count; i++) {
        const struct item *item = &reservation_items(r)[i];
        if (item != but && on_calendar(item, calendar))
            out->list[out->count++] = (struct buffer_span){item->start_ms, item->end_ms, item->until_ms};
    }
}

void buffers_plan(struct step *step, const struct target *t, struct item *item)
{
    const struct calendar_image *c = &t->calendar->image;
    struct buffer_spans *others = &step->spans;
    others->count = 0;
    item->before_minutes = (uint16_t)c->rules.buffer_before_minutes;
    item->after_minutes = (uint16_t)c->buffer_minutes;
    item->until_ms = until_full(item);
    if (!item->before_minutes && !item->after_minutes)
        return;
    for (uint32_t i = 0; i < step->target_count; i++) {
        const struct target *other = &step->targets[i];
        if (other != t && other->calendar == t->calendar)
            others->list[others->count++] = (struct buffer_span){
                other->start_ms, other->end_ms, other->end_ms + c->buffer_minutes * MINUTE_MS};
    }
    if (step->reservation != TABLE_NONE)
        gather_items(reservation_at(step->state, step->reservation), t->calendar->index, t->from, others);
    item->until_ms = until_among(others, item->end_ms, item->until_ms);
    int64_t from_ms = item->start_ms - item->before_minutes * MINUTE_MS;
    item->lead_ms = (uint32_t)(item->start_ms - from_among(others, item->start_ms, from_ms));
    ASSERT(item->end_ms <= item->until_ms && item->until_ms <= until_full(item));
    ASSERT(item->lead_ms <= item->before_minutes * MINUTE_MS); /* others only shorten a buffer */
}

/* ---- Trimming ---- */

/* The parts of the buffers after and before `own` that overlap the new item: [from, to) each, empty if from >= to. */
static struct buffer_span after_in_way(const struct item *own, const struct item *item)
{
    bool follows = own->end_ms <= item->start_ms;
    return (struct buffer_span){.start_ms = item->start_ms, .end_ms = follows ? own->until_ms : INT64_MIN};
}

static struct buffer_span before_in_way(const struct item *own, const struct item *item)
{
    bool precedes = item->end_ms <= own->start_ms;
    int64_t to_ms = item->until_ms < own->start_ms ? item->until_ms : own->start_ms;
    return (struct buffer_span){.start_ms = item_from(own), .end_ms = precedes ? to_ms : INT64_MIN};
}

static void timeline_change(struct timeline *t, struct buffer_span part, bool sold, bool off)
{
    if (part.start_ms < part.end_ms)
        (off ? timeline_remove : timeline_add)(t, part.start_ms, part.end_ms, sold);
}

void buffers_lift(const struct step *step, const struct target *t, const struct item *item, bool off)
{
    if (step->reservation == TABLE_NONE)
        return;
    struct reservation *r = reservation_at(step->state, step->reservation);
    for (uint32_t i = 0; i < r->item_count; i++) {
        const struct item *own = &reservation_items(r)[i];
        if (own == t->from || !on_calendar(own, t->calendar->index))
            continue;
        bool sold = r->status == RESERVATION_CONFIRMED;
        timeline_change(&t->calendar->timeline, after_in_way(own, item), sold, off);
        timeline_change(&t->calendar->timeline, before_in_way(own, item), sold, off);
    }
}

void buffers_trim(struct state *st, uint32_t handle, const struct item *item)
{
    struct reservation *r = reservation_at(st, handle);
    struct calendar *c = st->calendars[item->resource];
    bool sold = r->status == RESERVATION_CONFIRMED;
    for (uint32_t i = 0; i < r->item_count; i++) {
        struct item *own = &reservation_items(r)[i];
        if (!on_calendar(own, item->resource) || own->item_id == item->item_id)
            continue;
        struct buffer_span after = after_in_way(own, item), before = before_in_way(own, item);
        timeline_change(&c->timeline, after, sold, true);
        timeline_change(&c->timeline, before, sold, true);
        if (after.start_ms < after.end_ms) {
            calendar_touch(st, c, after.start_ms, after.end_ms);
            own->until_ms = after.start_ms;
        }
        if (before.start_ms < before.end_ms) {
            calendar_touch(st, c, before.start_ms, before.end_ms);
            own->lead_ms = (uint32_t)(own->start_ms - before.end_ms);
        }
        ASSERT(own->end_ms <= own->until_ms && own->lead_ms <= own->before_minutes * MINUTE_MS);
    }
}

/* ---- Growing again ---- */

static bool is_short(const struct item *own)
{
    return own->until_ms < until_full(own) || own->lead_ms < own->before_minutes * MINUTE_MS;
}

void buffers_settle(struct state *st, uint32_t handle, const struct item *item)
{
    struct reservation *r = reservation_at(st, handle);
    for (uint32_t i = 0; i < r->item_count; i++) {
        const struct item *own = &reservation_items(r)[i];
        if (on_calendar(own, item->resource) && own->item_id != item->item_id && is_short(own)) {
            settle_calendar(st, st->calendars[item->resource]);
            return;
        }
    }
}

static int64_t ahead(const struct state *st, int64_t at_ms)
{
    return at_ms > st->now_ms ? at_ms : st->now_ms;
}

static void grow_after(struct state *st, struct calendar *c, const struct buffer_spans *all, struct item *own,
                       bool sold)
{
    int64_t want_ms = until_among(all, own->end_ms, until_full(own));
    if (want_ms <= own->until_ms)
        return;
    int64_t free_ms = timeline_first_full(&c->timeline, ahead(st, own->until_ms), want_ms, c->image.capacity);
    if (free_ms <= own->until_ms)
        return;
    ASSERT(free_ms <= want_ms);
    timeline_add(&c->timeline, own->until_ms, free_ms, sold);
    calendar_touch(st, c, own->until_ms, free_ms);
    own->until_ms = free_ms;
}

static void grow_before(struct state *st, struct calendar *c, const struct buffer_spans *all,
                        struct item *own, bool sold)
{
    int64_t from_ms = item_from(own);
    int64_t want_ms = from_among(all, own->start_ms, own->start_ms - own->before_minutes * MINUTE_MS);
    if (want_ms > from_ms) { /* the previous item's buffer covers that again */
        timeline_remove(&c->timeline, from_ms, want_ms, sold);
        calendar_touch(st, c, from_ms, want_ms);
        own->lead_ms = (uint32_t)(own->start_ms - want_ms);
    }
    if (want_ms >= from_ms)
        return;
    int64_t full_ms = timeline_last_full(&c->timeline, ahead(st, want_ms), from_ms, c->image.capacity);
    int64_t free_ms = full_ms == TIMELINE_NONE ? want_ms : full_ms + 1;
    if (free_ms >= from_ms)
        return;
    ASSERT(free_ms >= want_ms);
    timeline_add(&c->timeline, free_ms, from_ms, sold);
    calendar_touch(st, c, free_ms, from_ms);
    own->lead_ms = (uint32_t)(own->start_ms - free_ms);
}

void buffers_grow(struct state *st, uint32_t handle, uint32_t calendar)
{
    struct reservation *r = reservation_at(st, handle);
    struct calendar *c = st->calendars[calendar];
    struct buffer_spans *all = &st->step->spans;
    bool sold = r->status == RESERVATION_CONFIRMED;
    if (c->image.removed) /* no new claims */
        return;
    /* Buffers after items first: the buffers before the next ones begin where they end. */
    for (int before = 0; before < 2; before++)
        for (uint32_t i = 0; i < r->item_count; i++) {
            struct item *own = &reservation_items(r)[i];
            all->count = 0;
            if (!on_calendar(own, calendar) || !(before ? own->before_minutes : own->after_minutes))
                continue;
            gather_items(r, calendar, own, all);
            (before ? grow_before : grow_after)(st, c, all, own, sold);
        }
}
