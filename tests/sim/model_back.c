/* SPDX-License-Identifier: Apache-2.0 */
/* model_back.c — sales that end: refunded by staff, whole or by items, cancelled by the owner, or with the event. */
#include <string.h>

#include "model.h"

/* Some items of a reservation. */
struct named {
    uint32_t ids[MODEL_ITEMS], count;
};

static bool names(const struct named *n, uint32_t item_id)
{
    for (uint32_t i = 0; i < n->count; i++)
        if (n->ids[i] == item_id)
            return true;
    return false;
}

static enum outcome_code state_code(const struct model *m, const struct model_reservation *r)
{
    enum reservation_status status = model_status(m, r);
    return status == RESERVATION_CONFIRMED ? OUTCOME_OK
           : status == RESERVATION_HELD    ? OUTCOME_NOT_CONFIRMED
                                           : model_ended_code(status);
}

static void end_whole(struct model *m, struct model_reservation *r, enum reservation_status status,
                      bool paid_back)
{
    for (int i = 0; i < r->item_count; i++)
        model_tickets_void(m, r, &r->items[i]);
    r->status = (uint8_t)status;
    r->ended_at = m->now;
    r->version++;
    model_settle(m, paid_back ? r : NULL);
}

static void end_items(struct model *m, const struct named *n, struct model_reservation *r, bool paid_back)
{
    for (int i = r->item_count; i-- > 0;) {
        struct model_item gone = r->items[i];
        if (!names(n, gone.id))
            continue;
        model_tickets_void(m, r, &gone);
        r->item_count--;
        memmove(&r->items[i], &r->items[i + 1], (size_t)(r->item_count - i) * sizeof(r->items[0]));
        if (gone.kind == ITEM_SLOT && gone.event < MODEL_GONE)
            model_regain(m, r, gone.event);
    }
    r->version++;
    model_settle(m, paid_back ? r : NULL);
}

/* Of the named items, or of all. */
static bool used(const struct model *m, const struct model_reservation *r, const struct named *n)
{
    for (int i = 0; i < r->item_count; i++)
        if ((!n || names(n, r->items[i].id)) && model_ticket_used(m, r, &r->items[i]))
            return true;
    return false;
}

void model_refund(struct model *m, const struct ask *a, struct model_reservation *r, struct model_answer *out)
{
    struct named n = {.count = a->back_count};
    uint32_t named = 0;
    memcpy(n.ids, a->back, sizeof(a->back));
    if (r->status == RESERVATION_REFUNDED) {
        model_show(m, r, out);
        return;
    }
    for (int i = 0; i < r->item_count; i++)
        named += names(&n, r->items[i].id);
    bool some = named && named < r->item_count;
    out->code = state_code(m, r);
    if (out->code == OUTCOME_OK && named < a->back_count)
        out->code = OUTCOME_NO_SUCH_ITEM;
    if (out->code == OUTCOME_OK && some && used(m, r, &n))
        out->code = OUTCOME_CHECKED_IN; /* the whole can still be refunded */
    if (out->code != OUTCOME_OK)
        return;
    if (some)
        end_items(m, &n, r, a->paid_back);
    else
        end_whole(m, r, RESERVATION_REFUNDED, a->paid_back);
    model_show(m, r, out);
}

/* Whether the owner can still cancel this item. */
static bool cancellable(const struct model *m, const struct model_reservation *r,
                        const struct model_item *item, struct model_answer *out)
{
    bool slot = item->kind == ITEM_SLOT, gone = slot && item->event >= MODEL_GONE;
    struct model_terms terms = gone   ? (struct model_terms){0}
                               : slot ? r->calendars[item->event]
                                      : r->events[item->event];
    int64_t start = slot ? item->start_ms : m->events[item->event].settings.starts_at_ms;
    int64_t until = slot || start ? start - terms.cancel_ms : INT64_MAX;
    bool may = terms.cancels;
    if (may && m->now < until)
        return true;
    out->cancel_rule = slot ? CANCEL_UNTIL_MINUTES : CANCEL_UNTIL_SECONDS;
    out->cancel_until = may ? until : 0;
    out->cancel_gone = gone;
    return false;
}

void model_cancel(struct model *m, const struct ask *a, struct model_reservation *r, struct model_answer *out)
{
    (void)a;
    if (r->status == RESERVATION_CANCELLED) {
        model_show(m, r, out);
        return;
    }
    out->code = state_code(m, r);
    if (out->code == OUTCOME_OK && used(m, r, NULL))
        out->code = OUTCOME_CHECKED_IN;
    for (int i = 0; out->code == OUTCOME_OK && i < r->item_count; i++)
        if (!cancellable(m, r, &r->items[i], out))
            out->code = OUTCOME_NOT_CANCELLABLE;
    if (out->code != OUTCOME_OK)
        return;
    end_whole(m, r, RESERVATION_CANCELLED, false);
    model_show(m, r, out);
}

void model_back(struct model *m, struct model_reservation *r, int event)
{
    struct named n = {0};
    for (int i = 0; i < r->item_count; i++)
        if (r->items[i].kind != ITEM_SLOT && r->items[i].event == event)
            n.ids[n.count++] = r->items[i].id;
    if (n.count == r->item_count)
        end_whole(m, r, RESERVATION_REFUNDED, false);
    else
        end_items(m, &n, r, false);
}
