/* SPDX-License-Identifier: Apache-2.0 */
#include "core/money/event_cancel.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/catalogue/event.h"
#include "core/claim/kind.h"
#include "core/claim/reservation.h"
#include "core/codec.h"
#include "core/queue/queue_line.h"
#include "core/queue/queue_time.h"
#include "core/state.h"
#include "core/state_check_parts.h"
#include "core/waitlist/list_offer.h"
#include "core/waitlist/wish_group.h"

struct cancelling {
    /* Progress of the round: positions among the tickets and reservations, numbers of entries. */
    uint32_t tickets, holds, entries, wishes;
    int64_t not_before_ms; /* when it begins */
    struct id *sales;      /* found in this round */
    uint32_t sale_count, sale_capacity;
    struct table by_id; /* of those not done yet */
    uint32_t next;      /* the first not handed out yet */
    uint32_t left;      /* not done yet */
};

/* ---- The sales of a round ---- */

static uint64_t sale_hash(struct id id)
{
    return (id.high ^ id.low) * 0x9e3779b97f4a7c15ULL;
}

static uint64_t event_cancel_hash_of(void *owner, uint32_t index)
{
    return sale_hash(((struct cancelling *)owner)->sales[index]);
}

static bool event_cancel_same(void *owner, uint32_t index, const void *id)
{
    return id_equal(((struct cancelling *)owner)->sales[index], *(const struct id *)id);
}

static struct cancelling *cancelling_make(void)
{
    struct cancelling *c = memory_zeroed(1, sizeof(*c));
    table_init(&c->by_id, event_cancel_hash_of, c);
    return c;
}

void cancelling_release(struct cancelling *c)
{
    if (!c)
        return;
    table_release(&c->by_id);
    free(c->sales);
    free(c);
}

#define SALE_WORK 16u /* the cost of adding a sale, in ticket checks */

/* A reservation can have many tickets. */
static void sale_add(struct cancelling *c, struct id id)
{
    ASSERT(!id_none(id) && c->next <= c->sale_count);
    if (table_find(&c->by_id, sale_hash(id), event_cancel_same, &id) != TABLE_NONE)
        return;
    c->sales = memory_room(c->sales, c->sale_count, &c->sale_capacity, 64, sizeof(*c->sales));
    c->sales[c->sale_count] = id;
    table_insert(&c->by_id, sale_hash(id), c->sale_count++);
    c->left++;
}

/* True: all are counted. */
static bool count_sales(const struct state *st, const struct event *e)
{
    struct cancelling *c = e->cancelling;
    struct id id;
    for (uint32_t work = 0; work < CANCEL_TICKETS_MAX && c->tickets < st->tickets.all.used; work++)
        if (ticket_sold_at(st, c->tickets++, e->image.number, &id)) {
            sale_add(c, id);
            work += SALE_WORK;
        }
    return c->tickets >= st->tickets.all.used;
}

void event_cancel_seen(struct event *e, struct id sale)
{
    struct cancelling *c = e->cancelling;
    uint32_t index = c ? table_find(&c->by_id, sale_hash(sale), event_cancel_same, &sale) : TABLE_NONE;
    if (index == TABLE_NONE)
        return;
    ASSERT(c->left > 0 && index < c->next);
    table_remove(&c->by_id, sale_hash(sale), index);
    c->left--;
}

/* ---- Which events ---- */

void event_cancel_follow(struct state *st, struct event *e)
{
    bool runs = e->image.cancelled.at_ms && !e->image.cancelled.done && !e->image.removed;
    if (runs == (e->cancelling != NULL))
        return;
    if (runs) {
        e->cancelling = cancelling_make();
        st->cancelling = memory_room(st->cancelling, st->cancelling_count, &st->cancelling_capacity, 4,
                                     sizeof(*st->cancelling));
        st->cancelling[st->cancelling_count++] = e->index;
        return;
    }
    uint32_t at = 0;
    while (at < st->cancelling_count && st->cancelling[at] != e->index)
        at++;
    ASSERT(at < st->cancelling_count);
    memmove(&st->cancelling[at], &st->cancelling[at + 1],
            (--st->cancelling_count - at) * sizeof(*st->cancelling));
    cancelling_release(e->cancelling);
    e->cancelling = NULL;
}

int64_t state_next_cancel(const struct state *st)
{
    int64_t next = INT64_MAX;
    for (uint32_t i = 0; i < st->cancelling_count; i++) {
        const struct cancelling *c = st->events[st->cancelling[i]]->cancelling;
        next = c->not_before_ms < next ? c->not_before_ms : next;
    }
    return next;
}

/* The first event whose round has begun, or NULL. */
static struct event *event_due(const struct state *st)
{
    for (uint32_t i = 0; i < st->cancelling_count; i++) {
        struct event *e = st->events[st->cancelling[i]];
        if (e->cancelling->not_before_ms <= st->now_ms)
            return e;
    }
    return NULL;
}

/* ---- The permanent record ---- */

struct text event_cancel_reason(const struct event *e)
{
    const char *word = refund_cause_name(REFUND_EVENT_CANCELLED);
    return e->image.cancelled.reason.at ? e->image.cancelled.reason : (struct text){word, strlen(word)};
}

static bool event_cancel_restore(struct state *st, const struct cancelling_image *image, uint64_t seq)
{
    struct event *e = event_find_number(st, image->event);
    struct event_cancelled *known = e ? &e->image.cancelled : NULL;
    if (!e || e->image.removed || !known->at_ms || known->done || image->refunded < known->refunded)
        return false;
    known->refunded = image->refunded;
    known->done = image->done;
    e->seq = seq;
    event_cancel_follow(st, e);
    return true;
}

static void event_cancel_save(struct state *st, const struct event *e, uint32_t refunded, bool done)
{
    st->change.kind = CHANGE_CANCELLING;
    st->change.cancelling = (struct cancelling_image){e->image.number, refunded, done};
    state_commit(st);
    ASSERT(e->seq == st->seq);
}

void event_cancel_refunded(struct state *st, struct event *e)
{
    ASSERT(e->image.cancelled.at_ms && e->cancelling); /* something of it was claimed */
    event_cancel_save(st, e, e->image.cancelled.refunded + 1, false);
}

/* ---- Holds ---- */

static uint32_t items_of(const struct state *st, struct reservation *r, const struct event *e)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->item_count; i++)
        count += item_event(st, &reservation_items(r)[i]) == e;
    return count;
}

/* The hold no longer has what the event offered to an entry of its list: the entry leaves. False: it is not such an
 * offer, or no longer. */
static bool end_offer(struct state *st, const struct reservation *r, const struct event *e)
{
    const struct list_offer *offer = r->from_list ? list_offer_find(st, r->id) : NULL;
    if (!offer || st->events[offer->event] != e)
        return false;
    list_offer_note_end(st, r->id, LIST_LEFT);
    return true;
}

static void drop_items(struct state *st, uint32_t handle, const struct event *e)
{
    struct reservation *r = reservation_at(st, handle);
    reservation_payment_split(r);
    for (uint32_t i = r->item_count; i-- > 0;) {
        if (item_event(st, &reservation_items(r)[i]) != e)
            continue;
        /* Only calendars have buffers. */
        ASSERT(!claim_kind(reservation_items(r)[i].kind)->buffers_grow);
        reservation_note_before(st, r, i);
        reservation_item_remove(st, handle, i, state_next_seq(st));
    }
    reservation_payment_join(r);
    end_offer(st, r, e);
    ASSERT(r->item_count >= 1);
    r->version++;
    st->reason = event_cancel_reason(e);
    state_emit_reservation(st, handle, ACTION_ITEM_DROPPED);
}

/* False: it has nothing of the event, or it is left alone. */
static bool end_hold(struct state *st, uint32_t handle, const struct event *e)
{
    struct reservation *r = reservation_at(st, handle);
    if (r->status != RESERVATION_HELD || reservation_lapsed(r, st->now_ms))
        return false;
    uint32_t count = items_of(st, r, e);
    if (count == 0) /* its owner could have replaced what was offered */
        return end_offer(st, r, e);
    if (count == r->item_count) {
        st->reason = event_cancel_reason(e);
        reservation_release(st, handle);
        return true;
    }
    /* A hold that is being paid for stays as it is: once it is sold, the price of these items is owed. */
    if (r->extra && r->extra->payment_started_at_ms)
        return false;
    drop_items(st, handle, e);
    return true;
}

/* True: all were checked. */
static bool end_holds(struct state *st, const struct event *e)
{
    struct cancelling *c = e->cancelling;
    uint32_t ended = 0;
    for (uint32_t i = 0; i < CANCEL_HOLDS_MAX && ended < CANCEL_ENDS_MAX && c->holds < st->reservations.used;
         i++)
        ended += end_hold(st, c->holds++, e);
    return c->holds >= st->reservations.used;
}

/* ---- Queues ---- */

static bool end_queue(struct state *st, struct event *e)
{
    struct cancelling *c = e->cancelling;
    struct queue *q = e->queue;
    uint32_t moves = 0;
    if (!q)
        return true;
    if (!queue_count_gone(q)) /* a large one has just opened */
        return false;
    buf_clear(&st->scratch);
    for (uint32_t i = 0; i < MOVES_MAX && c->entries < queue_joined(q); i++) {
        const struct queue_entry *entry = queue_entry(q, ++c->entries);
        if (!queue_entry_live(entry))
            continue;
        queue_note_move(st, e, c->entries, QUEUE_LEFT, queue_kept_until_ms(entry));
        moves++;
    }
    if (moves)
        queue_emit_moves(st, e, moves, true);
    queue_schedule(st, e);
    return c->entries >= queue_joined(q);
}

/* Entries with an offer leave in end_hold. */
static bool end_list(struct state *st, struct event *e)
{
    struct cancelling *c = e->cancelling;
    uint32_t ended = 0, joined = e->list ? e->list->entries.used : 0;
    for (uint32_t i = 0; i < CANCEL_HOLDS_MAX && ended < CANCEL_ENDS_MAX && c->wishes < joined; i++) {
        uint32_t number = ++c->wishes;
        if (list_entry_at(e->list, number)->status != LIST_WAITING)
            continue;
        list_entry_set_status(e->list, number, LIST_LEFT);
        list_offer_emit_entry(st, e, number);
        ended++;
    }
    return c->wishes >= joined;
}

/* ---- Rounds ---- */

/* True: only sales are left of the round, which state_cancel_sale hands out. */
static bool round_walked(struct state *st, struct event *e)
{
    return count_sales(st, e) && end_holds(st, e) && end_queue(st, e) && end_list(st, e);
}

/* Whether nothing of it is claimed, and its list is empty. */
static bool is_over(const struct event *e)
{
    const struct waiting_list *l = e->list;
    return e->live_units == 0 && (!l || (!list_waiting(l) && !l->by_status[LIST_OFFERED]));
}

bool state_cancel(struct state *st, int64_t now_ms, uint32_t under_way, struct buf *changes)
{
    state_begin(st, now_ms, (struct actor){.role = ROLE_SERVER}, changes);
    struct event *e = event_due(st);
    if (!e)
        return false;
    bool all = round_walked(st, e);
    ASSERT(e->cancelling->left <= e->cancelling->sale_count);
    waiting_list_serve(st);
    if (!all)
        return true;
    if (e->cancelling->next < e->cancelling->sale_count || under_way)
        return false;
    if (is_over(e)) {
        event_cancel_save(st, e, e->image.cancelled.refunded, true);
    } else { /* sold or moved since, being paid for, or it could not be read from the book */
        cancelling_release(e->cancelling);
        e->cancelling = cancelling_make();
        e->cancelling->not_before_ms = now_ms + CANCEL_ROUND_MS;
    }
    return event_due(st) != NULL;
}

bool state_cancel_sale(struct state *st, uint64_t *event, struct id *sale)
{
    struct event *e = event_due(st);
    struct cancelling *c = e ? e->cancelling : NULL;
    if (!e || c->tickets < st->tickets.all.used || c->next == c->sale_count)
        return false;
    *event = e->image.number;
    *sale = c->sales[c->next++];
    ASSERT(*event && !id_none(*sale));
    return true;
}

/* ---- The commands ---- */

static enum outcome_code progress(struct state *st, const struct event *e, struct outcome *out)
{
    const struct event_cancelled *known = &e->image.cancelled;
    ASSERT(!e->cancelling || (known->at_ms && !known->done));
    if (e->cancelling && !count_sales(st, e))
        return OUTCOME_RETRY;
    out->cancel_state = !known->at_ms ? CANCEL_NONE : known->done ? CANCEL_DONE : CANCEL_RUNNING;
    out->cancel_refunded = known->refunded;
    out->cancel_left = e->cancelling ? e->cancelling->left : 0;
    state_saw(out, e->seq);
    return OUTCOME_OK;
}

enum outcome_code event_cancel(struct state *st, const struct command *c, struct outcome *out)
{
    struct event *e = event_find(st, c->event_cancel.event);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    if (!e->image.cancelled.at_ms) {
        struct event_image image = e->image;
        ASSERT(st->now_ms > 0 && c->event_cancel.reason.size <= REFUND_REASON_SIZE_MAX);
        image.cancelled = (struct event_cancelled){.at_ms = st->now_ms, .reason = c->event_cancel.reason};
        event_save(st, &image, NULL);
        ASSERT(e->cancelling && event_sale_over(e, st->now_ms));
    }
    return progress(st, e, out);
}

enum outcome_code event_cancel_look(struct state *st, const struct command *c, struct outcome *out)
{
    const struct event *e = event_find(st, c->event_cancel.event);
    return e ? progress(st, e, out) : OUTCOME_NO_SUCH_EVENT;
}

/* ---- The change: see change_codec.c before touching its bytes ---- */

#define CANCELLING_FIELDS(X) X(number, event) X(u32, refunded, UINT32_MAX) X(flag, done)
CHANGE_CODEC(cancelling, cancelling, CANCELLING_FIELDS)
CHANGE_RESTORE(cancelling, event_cancel_restore(st, &c->cancelling, c->seq))

/* ---- For state_check ---- */

void check_event_cancel(struct check *c, const struct event *e)
{
    const struct event_cancelled *known = &e->image.cancelled;
    check_expect(c, !known->done || e->live_units == 0,
                 "is cancelled and done, but something of it is claimed.");
    check_expect(c, e->image.removed || (e->cancelling != NULL) == (known->at_ms && !known->done),
                 "is being cancelled or is not, against its record.");
}
