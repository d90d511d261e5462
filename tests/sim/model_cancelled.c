/* SPDX-License-Identifier: Apache-2.0 */
/* model_cancelled.c — a cancelled event: nothing is sold, holds end, sales are refunded, each once, and a hold that is
 * paid together with other items is left to end. */
#include "model_cancelled.h"

#include <string.h>

#include "model.h"

uint32_t model_items_of(const struct model_reservation *r, int event)
{
    uint32_t count = 0;
    for (int i = 0; i < r->item_count; i++)
        count += r->items[i].kind != ITEM_SLOT && r->items[i].event == event && !r->items[i].gone;
    return count;
}

static uint32_t sales(const struct model *m, int event)
{
    uint32_t count = 0;
    for (int i = 0; i < MODEL_RESERVATIONS; i++) {
        const struct model_reservation *r = &m->reservations[i];
        count += r->used && r->status == RESERVATION_CONFIRMED && model_items_of(r, event);
    }
    return count;
}

static bool claimed(const struct model *m, int event)
{
    for (int i = 0; i < MODEL_RESERVATIONS; i++)
        if (model_live(m, &m->reservations[i]) && model_items_of(&m->reservations[i], event))
            return true;
    return false;
}

bool model_called(const struct model *m, int event)
{
    return event < ASK_EVENTS && m->events[event].exists && m->events[event].cancelled.at;
}

/* ---- Asked for ---- */

static void begin(struct model *m, const struct ask *a)
{
    struct model_event *e = &m->events[a->event];
    model_rate_changed(m, e); /* the time until now counts for the waiting room */
    e->cancelled = (struct model_cancelled){
        .at = m->now, .reason = (uint8_t)a->reason, .fresh = true, .sold = sales(m, a->event)};
    model_rate_changed(m, e);
}

const char *model_called_off(struct model *m, const struct ask *a, int event)
{
    if (!a || a->kind != COMMAND_EVENT_CANCEL || a->event != event || model_called(m, event))
        return "an event is cancelled without a request";
    begin(m, a);
    return NULL;
}

void model_call_off(struct model *m, const struct ask *a, struct model_answer *out)
{
    if (a->event >= ASK_EVENTS || !m->events[a->event].exists) {
        out->code = OUTCOME_NO_SUCH_EVENT;
        return;
    }
    struct model_cancelled *c = &m->events[a->event].cancelled;
    if (!c->at && a->kind == COMMAND_EVENT_CANCEL)
        begin(m, a);
    out->progress = (struct model_progress){.state = !c->at    ? CANCEL_NONE
                                                     : c->done ? CANCEL_DONE
                                                               : CANCEL_RUNNING,
                                            .refunded = c->refunded};
    if (out->progress.state != CANCEL_RUNNING)
        return;
    /* What others take back in between can still count as left. */
    out->progress.left_most = c->sold - c->refunded;
    out->progress.left_least = c->fresh ? c->sold : 0;
    c->fresh = false;
}

void model_sold_since(struct model *m, const struct model_reservation *r)
{
    for (int i = 0; i < ASK_EVENTS; i++)
        m->events[i].cancelled.sold += model_called(m, i) && model_items_of(r, i);
}

/* ---- What core does without a request ---- */

/* The event whose items are gone or, if none are, the only one with items; -1: none. */
static int meant(const struct model_reservation *r, const struct reservation_image *image)
{
    const struct model_item *first = &r->items[0];
    for (int i = 0; i < r->item_count; i++) {
        bool there = false;
        for (uint32_t k = 0; k < image->item_count; k++)
            there = there || image->items[k].item_id == r->items[i].id;
        if (!there)
            return r->items[i].kind == ITEM_SLOT ? -1 : r->items[i].event;
    }
    return first->kind != ITEM_SLOT && model_items_of(r, first->event) == r->item_count ? first->event : -1;
}

static bool running(const struct model *m, int event)
{
    return event >= 0 && model_called(m, event) && !m->events[event].cancelled.done;
}

static void drop_items(struct model_reservation *r, int event)
{
    struct model_item kept[MODEL_ITEMS];
    uint8_t count = 0;
    r->payment_required = false;
    for (int i = 0; i < r->item_count; i++) {
        if (r->items[i].kind != ITEM_SLOT && r->items[i].event == event)
            continue;
        r->payment_required = r->payment_required || !r->items[i].unpaid;
        kept[count++] = r->items[i];
    }
    memcpy(r->items, kept, count * sizeof(*kept));
    r->item_count = count;
    r->version++;
}

static const char *hold_ends(struct model *m, struct model_reservation *r, int event, enum action action)
{
    struct model_answer none = {0};
    if (model_items_of(r, event) == r->item_count) {
        model_release(m, r, &none);
        return action == ACTION_RELEASED ? NULL : "a hold of a cancelled event is not released";
    }
    if (r->paid_at)
        return "a hold loses part of what is being paid";
    drop_items(r, event);
    for (int i = 0; r->from_list && i < m->events[event].list_count; i++) {
        struct model_list_entry *entry = &m->events[event].list[i];
        if (entry->status != LIST_OFFERED || !id_equal(entry->reservation, r->id))
            continue;
        entry->status = LIST_LEFT; /* the offer was the item that is gone */
        entry->changed_at = m->now;
    }
    return action == ACTION_ITEM_DROPPED ? NULL : "a part of a hold is not dropped";
}

static const char *sale_ends(struct model *m, struct model_reservation *r, int event, enum action action)
{
    bool whole = model_items_of(r, event) == r->item_count;
    m->events[event].cancelled.refunded++;
    model_back(m, r, event);
    return action == (whole ? ACTION_REFUNDED : ACTION_ITEM_REFUNDED)
               ? NULL
               : "a sale of a cancelled event is not refunded";
}

const char *model_taken_back(struct model *m, const struct change *c, int *event)
{
    struct model_reservation *r = model_find(m, c->reservation.image.id);
    *event = r && r->item_count ? meant(r, &c->reservation.image) : -1;
    if (!running(m, *event))
        return "something goes back of an event that takes place";
    if (c->actor.role != ROLE_SERVER)
        return "a sale is taken back by the wrong role";
    enum reservation_status status = model_status(m, r);
    return status == RESERVATION_HELD        ? hold_ends(m, r, *event, c->reservation.action)
           : status == RESERVATION_CONFIRMED ? sale_ends(m, r, *event, c->reservation.action)
                                             : "something goes back that has ended";
}

const char *model_sent_away(struct model *m, int event, const struct queue_move *move)
{
    struct model_entry *entry = &m->events[event].queue.entries[move->number - 1];
    if (!running(m, event) || !queue_status_live((enum queue_status)entry->status) ||
        move->status != QUEUE_LEFT)
        return "an entry leaves that should not";
    entry->status = entry->told = QUEUE_LEFT;
    entry->coming = false;
    return NULL;
}

const char *model_list_over(struct model *m, int event, uint32_t number)
{
    struct model_list_entry *entry = &m->events[event].list[number - 1];
    if (!running(m, event))
        return "the waiting list ends of an event that takes place";
    const struct model_reservation *r =
        entry->status == LIST_OFFERED ? model_find(m, entry->reservation) : NULL;
    if (entry->status == LIST_OFFERED &&
        (!r || model_status(m, r) != RESERVATION_HELD || model_items_of(r, event)))
        return "an entry leaves a waiting list and keeps its offer";
    entry->status = LIST_LEFT;
    entry->changed_at = m->now;
    return NULL;
}

static bool anybody_waits(const struct model_event *e)
{
    for (int i = 0; i < e->queue.count; i++)
        if (queue_status_live((enum queue_status)e->queue.entries[i].status))
            return true;
    for (int i = 0; i < e->list_count; i++)
        if (list_status_live((enum list_status)e->list[i].status))
            return true;
    return false;
}

const char *model_cancelling(struct model *m, int event, const struct cancelling_image *image)
{
    struct model_cancelled *c = &m->events[event].cancelled;
    if (!running(m, event))
        return "work continues on an event that is not being cancelled";
    if (image->refunded != c->refunded || image->refunded != c->told + !image->done)
        return "sales of a cancelled event are counted otherwise";
    c->told = image->refunded;
    if (image->done && (claimed(m, event) || anybody_waits(&m->events[event])))
        return "a cancelled event is done, but something of it is claimed or an entry waits";
    c->done = image->done;
    return NULL;
}

const char *model_cancelling_told(const struct model *m)
{
    for (int i = 0; i < ASK_EVENTS; i++)
        if (m->events[i].cancelled.told != m->events[i].cancelled.refunded)
            return "a sale of a cancelled event was refunded, and is not counted";
    return NULL;
}

bool model_undoing(const struct model *m)
{
    for (int i = 0; i < ASK_EVENTS; i++)
        if (running(m, i))
            return true;
    return false;
}

int64_t model_undone_by(const struct model *m)
{
    int64_t last = m->now;
    for (int i = 0; i < MODEL_RESERVATIONS; i++) {
        const struct model_reservation *r = &m->reservations[i];
        if (model_live(m, r) && r->status == RESERVATION_HELD && r->expires_at > last)
            last = r->expires_at;
    }
    return last;
}
