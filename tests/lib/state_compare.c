/* SPDX-License-Identifier: Apache-2.0 */
#include "state_compare.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/calendar/group.h"
#include "core/catalogue/event.h"
#include "core/claim/reservation.h"
#include "core/claim/user.h"
#include "core/codec.h"
#include "core/door/nonce.h"
#include "core/key.h"
#include "core/queue/queue.h"
#include "core/queue/queue_line.h"
#include "core/waitlist/wish_group.h"
#include "dispatch_carry.h"

struct comparison {
    struct state *a, *b;
    char *sentence;
};

__attribute__((format(printf, 2, 3))) static bool differs(struct comparison *c, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(c->sentence, STATE_COMPARE_SENTENCE, format, arguments);
    va_end(arguments);
    return false;
}

struct id state_compare_holder(struct state *st, const struct event *e, uint32_t position)
{
    uint32_t claim = seat_at(e, position)->claim;
    if (claim == CLAIM_NONE || claim == CLAIM_PLANNED)
        return (struct id){0};
    if (claim & CLAIM_STUB)
        return ((const struct stub *)slab_at(&st->stubs, claim & ~CLAIM_STUB))->reservation;
    return reservation_at(st, claim - 1)->id;
}

static bool optional_equal(struct text a, struct text b)
{
    return (a.at == NULL) == (b.at == NULL) && text_equal(a, b);
}

static bool item_equal(const struct item_image *a, const struct item_image *b)
{
    return a->item_id == b->item_id && a->kind == b->kind && a->resource == b->resource &&
           a->part == b->part && a->quantity == b->quantity && a->price == b->price && a->fence == b->fence &&
           a->start_ms == b->start_ms && a->end_ms == b->end_ms && a->until_ms == b->until_ms &&
           a->flags == b->flags && optional_equal(a->attributes, b->attributes) &&
           optional_equal(a->category, b->category) && optional_equal(a->code, b->code) &&
           a->lead_ms == b->lead_ms && a->before_minutes == b->before_minutes &&
           a->after_minutes == b->after_minutes && text_equal(a->resource_id, b->resource_id) &&
           text_equal(a->part_id, b->part_id) && a->group == b->group &&
           optional_equal(a->group_id, b->group_id);
}

bool state_compare_reservations(const struct reservation_image *a, const struct reservation_image *b)
{
    if (!id_equal(a->id, b->id) || a->number != b->number || a->fence != b->fence ||
        a->version != b->version || a->status != b->status || !text_equal(a->user_id, b->user_id) ||
        a->created_at_ms != b->created_at_ms || a->expires_at_ms != b->expires_at_ms ||
        a->max_expires_at_ms != b->max_expires_at_ms)
        return false;
    if (a->payment_started_at_ms != b->payment_started_at_ms || a->confirmed_at_ms != b->confirmed_at_ms ||
        a->ended_at_ms != b->ended_at_ms || a->hold_ttl_s != b->hold_ttl_s ||
        a->payment_ttl_s != b->payment_ttl_s || a->payment_required != b->payment_required ||
        a->user_max_at_ms != b->user_max_at_ms || a->staff_max_at_ms != b->staff_max_at_ms ||
        a->from_list != b->from_list || memcmp(a->currency, b->currency, sizeof(a->currency)) != 0 ||
        a->next_item_id != b->next_item_id)
        return false;
    if (!optional_equal(a->attributes, b->attributes) ||
        !optional_equal(a->payment_method, b->payment_method) ||
        !optional_equal(a->payment_ref, b->payment_ref) || !optional_equal(a->singles, b->singles) ||
        a->payment_recorded_at_ms != b->payment_recorded_at_ms || a->ticket_key[0] != b->ticket_key[0] ||
        a->ticket_key[1] != b->ticket_key[1] || a->manage_gen != b->manage_gen ||
        a->transferred != b->transferred || a->item_count != b->item_count)
        return false;
    for (uint32_t i = 0; i < a->item_count; i++)
        if (!item_equal(&a->items[i], &b->items[i]))
            return false;
    return true;
}

static bool compare_reservations(struct comparison *c)
{
    struct reservation_image x, y;
    static _Thread_local struct item_image x_items[ITEMS_MAX], y_items[ITEMS_MAX];
    if (c->a->by_status[RESERVATION_HELD] != c->b->by_status[RESERVATION_HELD])
        return differs(c, "One has %llu held reservations, the other %llu.",
                       (unsigned long long)c->a->by_status[RESERVATION_HELD],
                       (unsigned long long)c->b->by_status[RESERVATION_HELD]);
    for (uint32_t i = 0; i < c->a->reservations.used; i++) {
        struct reservation *r = reservation_at(c->a, i);
        if (!r->status)
            continue;
        uint32_t other = reservation_find(c->b, r->id);
        if (other == TABLE_NONE && r->status != RESERVATION_HELD)
            continue;
        if (other == TABLE_NONE)
            return differs(c, "A held reservation is in one only.");
        reservation_image_make(c->a, r, &x, x_items);
        reservation_image_make(c->b, reservation_at(c->b, other), &y, y_items);
        if (!state_compare_reservations(&x, &y))
            return differs(c,
                           "The reservation of fence %llu (%s, version %u) has another image, of fence %llu "
                           "(%s, version %u).",
                           (unsigned long long)x.fence, reservation_status_name(x.status), x.version,
                           (unsigned long long)y.fence, reservation_status_name(y.status), y.version);
    }
    return true;
}

static bool event_entries_equal(const struct event_image *a, const struct event_image *b)
{
    struct buf x, y;
    buf_init(&x, 1 << 16);
    buf_init(&y, 1 << 16);
    event_entries_encode(&x, a);
    event_entries_encode(&y, b);
    bool same = x.size == y.size && memcmp(x.data, y.data, x.size) == 0;
    buf_release(&x);
    buf_release(&y);
    return same;
}

static bool event_image_equal(const struct event_image *a, const struct event_image *b)
{
    return a->number == b->number && text_equal(a->id, b->id) && text_equal(a->name, b->name) &&
           a->starts_at_ms == b->starts_at_ms && a->on_sale_at_ms == b->on_sale_at_ms &&
           a->off_sale_at_ms == b->off_sale_at_ms && memcmp(&a->terms, &b->terms, sizeof(a->terms)) == 0 &&
           a->no_guests == b->no_guests && a->access == b->access &&
           optional_equal(a->categories, b->categories) && optional_equal(a->prices, b->prices) &&
           a->refuse_singles == b->refuse_singles && a->cancels == b->cancels &&
           optional_equal(a->terms_before, b->terms_before) && a->cancel_until_s == b->cancel_until_s &&
           a->cancelled.at_ms == b->cancelled.at_ms &&
           optional_equal(a->cancelled.reason, b->cancelled.reason) &&
           a->cancelled.refunded == b->cancelled.refunded && a->cancelled.done == b->cancelled.done &&
           a->per_user_limit == b->per_user_limit && a->transfer == b->transfer &&
           a->created_at_ms == b->created_at_ms && a->removed == b->removed &&
           optional_equal(a->description, b->description) && optional_equal(a->venue, b->venue) &&
           optional_equal(a->timezone, b->timezone) && optional_equal(a->image, b->image) &&
           event_entries_equal(a, b);
}

static bool seat_image_equal(const struct seat_image *a, const struct seat_image *b)
{
    return text_equal(a->id, b->id) && text_equal(a->section, b->section) && text_equal(a->row, b->row) &&
           text_equal(a->number, b->number) && text_equal(a->tier, b->tier) && a->has_x == b->has_x &&
           a->has_y == b->has_y && (!a->has_x || a->x_milli == b->x_milli) &&
           (!a->has_y || a->y_milli == b->y_milli) && a->price == b->price && a->accessible == b->accessible;
}

/* Whether the waiting list is being served does not matter here. */
static enum unit_status status_of(struct state *st, const struct event *e, uint32_t position)
{
    return seat_at(e, position)->claim == CLAIM_NONE ? UNIT_AVAILABLE : seat_status(st, e, position);
}

static bool rows_equal(const struct layout *x, const struct layout *y)
{
    bool same = x->row_count == y->row_count;
    for (uint32_t i = 0; same && i < x->row_count; i++) {
        const struct layout_row *p = &x->rows[x->front[i]], *q = &y->rows[y->front[i]];
        same = p->count == q->count &&
               (!p->count || memcmp(p->seats, q->seats, p->count * sizeof(*p->seats)) == 0) &&
               p->longest == q->longest && p->opened == q->opened && p->step == q->step &&
               p->accessible == q->accessible;
    }
    return same && x->digest == y->digest && x->part_count == y->part_count;
}

static bool compare_seats(struct comparison *c, struct event *x, struct event *y)
{
    uint32_t count = x->layout ? x->layout->count : 0;
    if (count != (y->layout ? y->layout->count : 0))
        return differs(c, "%.*s has other seats.", (int)x->image.id.size, x->image.id.at);
    if (count && !rows_equal(x->layout, y->layout))
        return differs(c, "The rows of %.*s have another order.", (int)x->image.id.size, x->image.id.at);
    for (uint32_t i = 0; i < count; i++) {
        struct seat_image p, q;
        const struct seat *s = seat_at(x, i), *t = seat_at(y, i);
        layout_seat_image(x->layout, i, &p);
        layout_seat_image(y->layout, i, &q);
        if (!seat_image_equal(&p, &q))
            return differs(c, "Seat %.*s is another.", (int)p.id.size, p.id.at);
        if (!optional_equal(allotment_of(x, i), allotment_of(y, i)))
            return differs(c, "Seat %.*s is in another allotment.", (int)p.id.size, p.id.at);
        if (seat_blocked(x, i) != seat_blocked(y, i) || status_of(c->a, x, i) != status_of(c->b, y, i) ||
            !id_equal(state_compare_holder(c->a, x, i), state_compare_holder(c->b, y, i)))
            return differs(c, "Seat %.*s has another holder.", (int)p.id.size, p.id.at);
        if (s->version != t->version)
            return differs(c, "Seat %.*s has version %llu, in the other %llu.", (int)p.id.size, p.id.at,
                           (unsigned long long)s->version, (unsigned long long)t->version);
    }
    return true;
}

static bool compare_pools(struct comparison *c, const struct event *x, const struct event *y)
{
    if (x->pool_count != y->pool_count)
        return differs(c, "%.*s has other pools.", (int)x->image.id.size, x->image.id.at);
    for (uint32_t i = 0; i < x->pool_count; i++) {
        const struct pool *p = &x->pools[i], *q = &y->pools[i];
        if (!text_equal(p->image.id, q->image.id) || !optional_equal(p->image.name, q->image.name) ||
            p->image.event != q->image.event || p->image.capacity != q->image.capacity ||
            p->image.price != q->image.price || !optional_equal(p->image.prices, q->image.prices) ||
            !optional_equal(p->image.allotment, q->image.allotment))
            return differs(c, "Pool %.*s is another.", (int)p->image.id.size, p->image.id.at);
        if (p->held != q->held || p->sold != q->sold)
            return differs(c, "Pool %.*s has %u held and %u sold, in the other %u and %u.",
                           (int)p->image.id.size, p->image.id.at, p->held, p->sold, q->held, q->sold);
    }
    return true;
}

static bool entry_equal(const struct queue_entry_image *a, const struct queue_entry_image *b)
{
    if (a->tier_count != b->tier_count)
        return false;
    for (uint32_t i = 0; i < a->tier_count; i++)
        if (!text_equal(a->tiers[i], b->tiers[i]))
            return false;
    return id_equal(a->id, b->id) && text_equal(a->user_id, b->user_id) && a->status == b->status &&
           a->joined_at_ms == b->joined_at_ms && a->until_ms == b->until_ms && a->position == b->position &&
           a->ahead == b->ahead;
}

static bool compare_queues(struct comparison *c, struct event *x, struct event *y)
{
    const struct queue *p = x->queue, *q = y->queue;
    if (!p && !q)
        return true;
    if (!p || !q || memcmp(p->image.seed, q->image.seed, sizeof(p->image.seed)) != 0 ||
        p->image.event != q->image.event || p->image.paused != q->image.paused ||
        p->image.opened_at_ms != q->image.opened_at_ms || p->image.drawn != q->image.drawn)
        return differs(c, "%.*s has another room.", (int)x->image.id.size, x->image.id.at);
    if (queue_joined(p) != queue_joined(q) || p->serving != q->serving || p->in_line != q->in_line ||
        memcmp(p->by_status, q->by_status, sizeof(p->by_status)) != 0)
        return differs(c, "The room of %.*s counts otherwise.", (int)x->image.id.size, x->image.id.at);
    queue_count_gone(x->queue);
    queue_count_gone(y->queue);
    for (uint32_t i = 1; i <= queue_joined(p); i++) {
        struct queue_entry_image a, b;
        queue_entry_view(c->a, x, i, &a);
        queue_entry_view(c->b, y, i, &b);
        if (!entry_equal(&a, &b))
            return differs(c, "Entry %u (%s) is another (%s).", i, queue_status_name(a.status),
                           queue_status_name(b.status));
    }
    return true;
}

static bool list_entry_equal(const struct list_entry_image *a, const struct list_entry_image *b)
{
    return id_equal(a->id, b->id) && text_equal(a->user_id, b->user_id) && a->status == b->status &&
           a->wish.quantity == b->wish.quantity && a->wish.adjacent == b->wish.adjacent &&
           optional_equal(a->wish.tier, b->wish.tier) && optional_equal(a->wish.section, b->wish.section) &&
           optional_equal(a->wish.pool, b->wish.pool) && a->joined_at_ms == b->joined_at_ms &&
           a->changed_at_ms == b->changed_at_ms && id_equal(a->reservation, b->reservation) &&
           a->position == b->position && optional_equal(a->code, b->code);
}

static bool compare_codes(struct comparison *c, const struct event *x, const struct event *y)
{
    struct text id = x->image.id;
    if (codes_count(x) != codes_count(y))
        return differs(c, "%.*s has other codes.", (int)id.size, id.at);
    for (uint32_t i = 0; i < codes_count(x); i++) {
        const struct code_image *a = code_view(code_at(x, i)), *b = code_view(code_at(y, i));
        bool same = text_equal(a->code, b->code) && a->units == b->units && a->removed == b->removed &&
                    optional_equal(a->allotment, b->allotment) && a->tier_count == b->tier_count;
        for (uint32_t k = 0; same && k < a->tier_count; k++)
            same = text_equal(a->tiers[k], b->tiers[k]);
        if (!same || a->used != b->used)
            return differs(c, "Code %.*s of %.*s is another, or used %llu and %llu times.", (int)a->code.size,
                           a->code.at, (int)id.size, id.at, (unsigned long long)a->used,
                           (unsigned long long)b->used);
    }
    return true;
}

static bool compare_lists(struct comparison *c, const struct event *x, const struct event *y)
{
    uint32_t count = x->list ? x->list->entries.used : 0;
    if (count != (y->list ? y->list->entries.used : 0))
        return differs(c, "The list of %.*s is longer in one.", (int)x->image.id.size, x->image.id.at);
    for (uint32_t i = 1; i <= count; i++) {
        struct list_entry_image a, b;
        waiting_list_image(x, i, &a);
        waiting_list_image(y, i, &b);
        if (!list_entry_equal(&a, &b))
            return differs(c, "List entry %u (%s, position %u) is another (%s, position %u).", i,
                           list_status_name(a.status), a.position, list_status_name(b.status), b.position);
    }
    return true;
}

static bool compare_events(struct comparison *c)
{
    /* Removed events are in memory as long as something there refers to them. */
    if (c->a->event_listed != c->b->event_listed)
        return differs(c, "One has %u events, the other %u.", c->a->event_listed, c->b->event_listed);
    for (uint32_t i = 0; i < c->a->event_listed; i++) {
        struct event *x = c->a->events[c->a->event_list[i]], *y = event_find_number(c->b, x->image.number);
        if (!y || !event_image_equal(&x->image, &y->image))
            return differs(c, "Event %.*s is another.", (int)x->image.id.size, x->image.id.at);
        if (x->seq != y->seq)
            return differs(c, "Event %.*s was touched by %llu, in the other by %llu.", (int)x->image.id.size,
                           x->image.id.at, (unsigned long long)x->seq, (unsigned long long)y->seq);
        if (memcmp(&x->counts, &y->counts, sizeof(x->counts)) != 0 || x->live_units != y->live_units)
            return differs(c, "The counts of %.*s are others.", (int)x->image.id.size, x->image.id.at);
        if (!compare_seats(c, x, y) || !compare_pools(c, x, y) || !compare_queues(c, x, y) ||
            !compare_lists(c, x, y) || !compare_codes(c, x, y))
            return false;
    }
    return true;
}

static bool calendar_image_equal(const struct calendar_image *a, const struct calendar_image *b)
{
    struct buf x, y;
    buf_init(&x, 1 << 20);
    buf_init(&y, 1 << 20);
    static struct change change; /* large */
    change.calendar = *a;
    calendar_change_put(&x, &change);
    change.calendar = *b;
    calendar_change_put(&y, &change);
    bool same = x.size == y.size && memcmp(x.data, y.data, x.size) == 0;
    buf_release(&x);
    buf_release(&y);
    return same;
}

/* From the later of the two `now` on: before it, one can be folded and the other not. */
static bool timelines_equal(const struct timeline *x, const struct timeline *y, int64_t now_ms)
{
    struct timeline_point p = {.at_ms = now_ms}, q = p;
    bool more = timeline_most(x, now_ms, now_ms + 1) == timeline_most(y, now_ms, now_ms + 1) &&
                timeline_most_sold(x, now_ms, now_ms + 1) == timeline_most_sold(y, now_ms, now_ms + 1);
    bool same = more;
    while (same && more) {
        more = timeline_next(x, p.at_ms, &p);
        same = timeline_next(y, q.at_ms, &q) == more &&
               (!more || (p.at_ms == q.at_ms && p.count == q.count && p.sold == q.sold));
    }
    return same;
}

/* The future starts of one are those of the other. */
static bool starts_within(const struct calendar *x, const struct calendar *y, int64_t now_ms)
{
    struct timeline_point p = {.at_ms = now_ms};
    while (timeline_next(&x->starts, p.at_ms, &p) && p.at_ms < INT64_MAX - 1)
        if (calendar_starts(x, now_ms, p.at_ms + 1) != calendar_starts(y, now_ms, p.at_ms + 1))
            return false;
    return true;
}

static bool starts_equal(const struct calendar *x, const struct calendar *y, int64_t now_ms)
{
    return starts_within(x, y, now_ms) && starts_within(y, x, now_ms);
}

static bool compare_calendars(struct comparison *c)
{
    int64_t now_ms = c->a->now_ms > c->b->now_ms ? c->a->now_ms : c->b->now_ms;
    if (c->a->calendar_listed != c->b->calendar_listed)
        return differs(c, "One has %u calendars, the other %u.", c->a->calendar_listed,
                       c->b->calendar_listed);
    for (uint32_t i = 0; i < c->a->calendar_listed; i++) {
        const struct calendar *x = calendar_listed(c->a, i), *y = calendar_find_number(c->b, x->image.number);
        if (!y || !calendar_image_equal(&x->image, &y->image))
            return differs(c, "Calendar %.*s is another.", (int)x->image.id.size, x->image.id.at);
        if (x->seq != y->seq)
            return differs(c, "Calendar %.*s was touched by %llu, in the other by %llu.",
                           (int)x->image.id.size, x->image.id.at, (unsigned long long)x->seq,
                           (unsigned long long)y->seq);
        if (!timelines_equal(&x->timeline, &y->timeline, now_ms))
            return differs(c, "Calendar %.*s has other claims.", (int)x->image.id.size, x->image.id.at);
        if (!starts_equal(x, y, now_ms) || x->group_count != y->group_count)
            return differs(c, "Calendar %.*s has other starts or groups.", (int)x->image.id.size,
                           x->image.id.at);
    }
    return true;
}

static bool group_equal(const struct group_image *a, const struct group_image *b)
{
    bool same = text_equal(a->id, b->id) && text_equal(a->name, b->name) && a->pick == b->pick &&
                a->removed == b->removed && a->created_at_ms == b->created_at_ms &&
                a->member_count == b->member_count;
    for (uint32_t i = 0; same && i < a->member_count; i++)
        same = a->members[i].calendar == b->members[i].calendar;
    return same;
}

static bool compare_groups(struct comparison *c)
{
    if (c->a->group_count != c->b->group_count)
        return differs(c, "One has %u groups, the other %u.", c->a->group_count, c->b->group_count);
    for (uint32_t i = 0; i < c->a->group_count; i++) {
        const struct group *x = c->a->groups[i], *y = group_find_number(c->b, x->image.number);
        if (!y || !group_equal(&x->image, &y->image) || x->seq != y->seq)
            return differs(c, "Group %.*s is another.", (int)x->image.id.size, x->image.id.at);
    }
    return true;
}

static bool compare_counts(struct comparison *c)
{
    if (c->a->user_counts.count != c->b->user_counts.count)
        return differs(c, "One counts for %u users and events, the other for %u.", c->a->user_counts.count,
                       c->b->user_counts.count);
    for (uint32_t i = 0; i < c->a->user_counts.used; i++) {
        const struct user_count *n = slab_at(&c->a->user_counts, i);
        if (!n->count)
            continue;
        struct text id = user_id(c->a, n->user);
        uint32_t user = user_find(c->b, id);
        const struct event *e = event_find_number(c->b, c->a->events[n->event]->image.number);
        if (user == TABLE_NONE || user_count_get(c->b, user, e->index) != n->count)
            return differs(c, "%.*s has %u of an event in one only.", (int)id.size, id.at, n->count);
    }
    return true;
}

/* What one knows about a ticket the other knows too, or could read from the book. */
static bool compare_tickets(struct comparison *c)
{
    for (uint32_t i = 0; i < c->a->tickets.all.used; i++) {
        struct check_in_image x, y;
        const struct ticket *t = ticket_at(c->a, i);
        if (!t)
            continue;
        ticket_show(c->a, t, &x);
        const struct ticket *other = ticket_find(c->b, x.code);
        if (!other && (x.is_void || x.kind == ITEM_SLOT))
            continue;
        if (!other)
            return differs(c, "Ticket %.*s is in one only.", TICKET_CODE_SIZE, x.code.at);
        ticket_show(c->b, other, &y);
        if (!id_equal(x.reservation, y.reservation) || x.kind != y.kind || x.resource != y.resource ||
            x.part != y.part || x.item_id != y.item_id || x.unit != y.unit || x.reissue != y.reissue ||
            x.is_void != y.is_void)
            return differs(c, "Ticket %.*s is another.", TICKET_CODE_SIZE, x.code.at);
        if (ticket_unread(t) || ticket_unread(other))
            continue;
        if (x.result != y.result || x.at_ms != y.at_ms || !optional_equal(x.gate, y.gate) ||
            memcmp(x.nonce, y.nonce, sizeof(x.nonce)) != 0)
            return differs(c, "Ticket %.*s was used otherwise.", TICKET_CODE_SIZE, x.code.at);
    }
    return true;
}

/* Scans with a nonce: what one knows about a ticket in memory, the other knows too. */
static bool nonces_within(struct comparison *c, struct state *a, const struct state *b)
{
    for (uint32_t i = a->nonces->first; i;) {
        const struct nonce *x = slab_at(&a->nonces->all, i - 1);
        char code[TICKET_CODE_SIZE];
        ticket_code_halves(x->key.code, code);
        struct text name = {code, sizeof(code)};
        i = x->later;
        if (!ticket_find(a, name) || !nonce_find(a, name, x->key.nonce))
            continue;
        const struct nonce *y = nonce_find(b, name, x->key.nonce);
        if (!y || x->result != y->result || x->at_ms != y->at_ms || x->recorded_ms != y->recorded_ms ||
            !optional_equal(x->gate, y->gate))
            return differs(c, "A scan of ticket %.*s is another.", TICKET_CODE_SIZE, code);
    }
    return true;
}

static bool compare_keys(struct comparison *c)
{
    if (c->a->key_count != c->b->key_count)
        return differs(c, "One has %u keys, the other %u.", c->a->key_count, c->b->key_count);
    for (uint32_t i = 0; i < c->a->key_count; i++) {
        const struct key_image *x = &c->a->keys[i].image, *y = &c->b->keys[i].image;
        if (!text_equal(x->name, y->name) || x->role != y->role || x->created_at_ms != y->created_at_ms ||
            memcmp(x->hash, y->hash, sizeof(x->hash)) != 0 || x->old_until_ms != y->old_until_ms ||
            memcmp(x->old_hash, y->old_hash, sizeof(x->old_hash)) != 0)
            return differs(c, "Key %.*s is another.", (int)x->name.size, x->name.at);
    }
    return true;
}

static bool compare_messages(struct comparison *c, const struct hook *x, const struct hook *y)
{
    if (x->waiting != y->waiting)
        return differs(c, "Hook %.*s has %u messages, the other %u.", (int)x->image.name.size,
                       x->image.name.at, x->waiting, y->waiting);
    for (uint32_t at = x->oldest; at; at = hook_waiting_at(c->a, at - 1)->newer) {
        const struct hook_waiting *w = hook_waiting_at(c->a, at - 1);
        uint32_t other = hook_waiting_find(c->b, w->hook, w->message.seq, w->message.ordinal);
        const struct hook_waiting *v = other == TABLE_NONE ? NULL : hook_waiting_at(c->b, other);
        if (!v || v->message.event != w->message.event || v->message.at_ms != w->message.at_ms ||
            !id_equal(v->message.reservation, w->message.reservation) ||
            v->message.since_ms != w->message.since_ms || !v->last != !w->last)
            return differs(c, "Message %llu is another.", (unsigned long long)w->message.seq);
    }
    return true;
}

static bool compare_hooks(struct comparison *c)
{
    if (c->a->hooks.count != c->b->hooks.count)
        return differs(c, "One has %u hooks, the other %u.", c->a->hooks.count, c->b->hooks.count);
    for (uint32_t i = 0; i < c->a->hooks.count; i++) {
        const struct hook_image *x = &c->a->hooks.all[i]->image, *y = &c->b->hooks.all[i]->image;
        if (x->number != y->number || !text_equal(x->name, y->name) || !text_equal(x->url, y->url) ||
            x->events != y->events || !text_equal(x->secret, y->secret) ||
            !optional_equal(x->old_secret, y->old_secret) || x->old_until_ms != y->old_until_ms ||
            x->created_at_ms != y->created_at_ms)
            return differs(c, "Hook %.*s is another.", (int)x->name.size, x->name.at);
        if (!compare_messages(c, c->a->hooks.all[i], c->b->hooks.all[i]))
            return false;
    }
    for (uint32_t i = 0; i < c->a->reservations.used; i++) {
        const struct reservation *r = reservation_at(c->a, i);
        uint32_t other = r->status == RESERVATION_HELD ? reservation_find(c->b, r->id) : TABLE_NONE;
        const struct reservation *s = other == TABLE_NONE ? r : reservation_at(c->b, other);
        if ((r->extra ? r->extra->warned_for_ms : 0) != (s->extra ? s->extra->warned_for_ms : 0))
            return differs(c, "Hooks were warned of another deadline.");
    }
    return true;
}

static bool compare_idempotency(struct comparison *c)
{
    struct idempotency *x = &c->a->idempotency;
    for (uint32_t i = 0; i < x->queue_count; i++) {
        const struct idempotency_entry *e =
            slab_at(&x->entries, x->queue[(x->queue_first + i) & (x->queue_capacity - 1)]);
        struct idempotency_entry other;
        if (idempotency_find(&c->b->idempotency, e->image.key, e->image.at_ms, &other) != IDEMPOTENCY_FOUND)
            continue;
        if (memcmp(other.image.body, e->image.body, sizeof(other.image.body)) != 0 ||
            !id_equal(other.image.made, e->image.made) || other.image.at_ms != e->image.at_ms ||
            other.image.http_status != e->image.http_status)
            return differs(c, "An Idempotency-Key has another answer.");
    }
    return true;
}

static bool refunds_alike(const struct refund_image *x, const struct refund_image *y)
{
    return x->number == y->number && id_equal(x->reservation, y->reservation) && x->amount == y->amount &&
           memcmp(x->currency, y->currency, 3) == 0 && text_equal(x->reason, y->reason) &&
           x->created_at_ms == y->created_at_ms && x->done_at_ms == y->done_at_ms && x->status == y->status &&
           x->told_seq == y->told_seq && x->returned_before == y->returned_before;
}

/* Rows in both memories; either can have forgotten some. */
static bool compare_ledger(struct comparison *c)
{
    const struct payment_image *x;
    if (ledger_open(c->a) != ledger_open(c->b) || ledger_discrepancies(c->a) != ledger_discrepancies(c->b))
        return differs(c, "One has %llu open refunds due, the other %llu; or other discrepancies.",
                       (unsigned long long)ledger_open(c->a), (unsigned long long)ledger_open(c->b));
    for (uint32_t i = 0; (x = payment_at(c->a, i)); i++) {
        const struct payment *p = x->number ? payment_find(c->a, x->ref) : NULL;
        const struct payment *q = x->number ? payment_find(c->b, x->ref) : NULL;
        if (!q)
            continue;
        bool alike = payment_image_same(x, payment_image(q));
        const struct refund *r = refunds_first(c->a, p), *s = refunds_first(c->b, q);
        for (; alike && r && s; r = refund_next(c->a, r), s = refund_next(c->b, s))
            alike = refunds_alike(refund_image(r), refund_image(s));
        if (!alike || r || s)
            return differs(c, "Payment %.*s is another.", (int)x->ref.size, x->ref.at);
    }
    return true;
}

/* Those the journal still needs segments for; one can know more about completed ones. */
static bool compare_erasures(struct comparison *c)
{
    uint32_t x = 0, y = 0;
    const struct erasures *a = &c->a->erasures, *b = &c->b->erasures;
    for (;; x++, y++) {
        while (x < a->count && a->all[x].segments == ERASURE_SEGMENTS)
            x++;
        while (y < b->count && b->all[y].segments == ERASURE_SEGMENTS)
            y++;
        if (x == a->count || y == b->count)
            break;
        if (a->all[x].number != b->all[y].number || a->all[x].segments != b->all[y].segments)
            return differs(c, "Erasure %llu is another.", (unsigned long long)a->all[x].number);
    }
    return (x == a->count && y == b->count) || differs(c, "One has more erasures that are not done.");
}

bool state_compare(struct state *a, struct state *b, char sentence[STATE_COMPARE_SENTENCE])
{
    struct comparison c = {.a = a, .b = b, .sentence = sentence};
    if (a->seq != b->seq)
        return differs(&c, "One is at seq %llu, the other at %llu.", (unsigned long long)a->seq,
                       (unsigned long long)b->seq);
    return compare_events(&c) && compare_calendars(&c) && compare_groups(&c) && compare_reservations(&c) &&
           compare_counts(&c) && compare_keys(&c) && compare_hooks(&c) && compare_idempotency(&c) &&
           compare_ledger(&c) && compare_tickets(&c) && nonces_within(&c, a, b) && nonces_within(&c, b, a) &&
           compare_erasures(&c) && dispatch_compare(a, b, sentence, STATE_COMPARE_SENTENCE);
}
