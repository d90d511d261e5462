/* SPDX-License-Identifier: Apache-2.0 */
#include "model.h"

#include <string.h>

struct model_reservation *model_find(struct model *m, struct id id)
{
    for (int i = 0; i < MODEL_RESERVATIONS; i++)
        if (m->reservations[i].used && id_equal(m->reservations[i].id, id))
            return &m->reservations[i];
    return NULL;
}

enum reservation_status model_status(const struct model *m, const struct model_reservation *r)
{
    if (r->status == RESERVATION_HELD && m->now >= r->expires_at && !m->as_told)
        return RESERVATION_EXPIRED;
    return (enum reservation_status)r->status;
}

bool model_live(const struct model *m, const struct model_reservation *r)
{
    enum reservation_status status = model_status(m, r);
    return r->used && (status == RESERVATION_HELD || status == RESERVATION_CONFIRMED);
}

struct model_reservation *model_holder(struct model *m, int event, int seat)
{
    for (int i = 0; i < MODEL_RESERVATIONS; i++) {
        struct model_reservation *r = &m->reservations[i];
        for (int k = 0; k < r->item_count; k++)
            if (r->items[k].unit == seat && r->items[k].kind == ITEM_SEAT && r->items[k].event == event &&
                model_live(m, r))
                return r;
    }
    return NULL;
}

uint32_t model_claimed(struct model *m, int event, int pool, bool sold_only)
{
    uint32_t units = 0;
    for (int i = 0; i < MODEL_RESERVATIONS; i++) {
        const struct model_reservation *r = &m->reservations[i];
        for (int k = 0; k < r->item_count; k++)
            if (r->items[k].kind == ITEM_POOL && r->items[k].event == event && r->items[k].unit == pool &&
                model_live(m, r) && (!sold_only || r->status == RESERVATION_CONFIRMED))
                units += r->items[k].quantity;
    }
    return units;
}

uint32_t model_have(struct model *m, int user, int event)
{
    uint32_t units = 0;
    for (int i = 0; i < MODEL_RESERVATIONS; i++) {
        const struct model_reservation *r = &m->reservations[i];
        for (int k = 0; r->user == user && k < r->item_count; k++)
            if (r->items[k].kind != ITEM_SLOT && r->items[k].event == event && model_live(m, r))
                units += r->items[k].quantity;
    }
    return units;
}

bool model_sale_over(const struct model *m, const struct model_event *e)
{
    int64_t end = e->settings.off_sale_at_ms ? e->settings.off_sale_at_ms : e->settings.starts_at_ms;
    return e->cancelled.at || (end && m->now >= end);
}

bool model_on_sale(const struct model *m, int event, enum role role)
{
    const struct ask_settings *s = &m->events[event].settings;
    if (s->on_sale_at_ms && m->now < s->on_sale_at_ms && role != ROLE_ADMIN)
        return false;
    return !model_sale_over(m, &m->events[event]);
}

/* ---- Reservations that exist ---- */

void model_show(struct model *m, const struct model_reservation *r, struct model_answer *out)
{
    out->reservation = (int)(r - m->reservations);
}

struct model_reservation *model_owned(struct model *m, const struct ask *a, struct model_answer *out)
{
    bool user = a->role == ROLE_USER;
    out->code = OUTCOME_NOT_OWNER;
    if (user && a->named >= 0 && a->named != a->actor)
        return NULL;
    struct model_reservation *r = model_find(m, a->id);
    out->code = OUTCOME_NO_SUCH_RESERVATION;
    if (!r || (user && r->user != a->actor) || !model_order_opens(a, r))
        return NULL;
    out->code = OUTCOME_NOT_OWNER;
    if (a->named >= 0 && a->named != r->user)
        return NULL;
    out->code = OUTCOME_OK;
    return r;
}

enum outcome_code model_ended_code(enum reservation_status status)
{
    switch (status) {
    case RESERVATION_CONFIRMED:
        return OUTCOME_ALREADY_CONFIRMED;
    case RESERVATION_RELEASED:
        return OUTCOME_ALREADY_RELEASED;
    case RESERVATION_EXPIRED:
        return OUTCOME_EXPIRED;
    case RESERVATION_CANCELLED:
        return OUTCOME_ALREADY_CANCELLED;
    case RESERVATION_REFUNDED:
        return OUTCOME_ALREADY_REFUNDED;
    case RESERVATION_HELD:
        break;
    }
    return OUTCOME_OK;
}

bool model_changeable(struct model *m, struct model_reservation *r, struct model_answer *out)
{
    out->code = model_ended_code(model_status(m, r));
    if (out->code == OUTCOME_OK && r->paid_at)
        out->code = OUTCOME_PAYING;
    return out->code == OUTCOME_OK;
}

static void judge_attributes(struct model *m, const struct ask *a, struct model_reservation *r,
                             struct model_answer *out)
{
    if (!model_live(m, r)) {
        out->code = model_ended_code(model_status(m, r));
        return;
    }
    r->attributes = (int8_t)a->attributes;
    r->version++;
    model_show(m, r, out);
}

static void judge_extend(struct model *m, const struct ask *a, struct model_reservation *r,
                         struct model_answer *out)
{
    if (!model_changeable(m, r, out))
        return;
    int64_t deadline = m->now + (int64_t)(a->ttl_s ? a->ttl_s : r->hold_ttl_s) * 1000;
    int64_t most = a->role == ROLE_USER ? r->user_max_at : r->staff_max_at;
    if (deadline > most)
        deadline = most;
    if (deadline > r->expires_at) {
        r->expires_at = deadline;
        if (r->max_at < deadline)
            r->max_at = deadline;
        r->version++;
    }
    model_show(m, r, out);
}

void model_release(struct model *m, struct model_reservation *r, struct model_answer *out)
{
    enum reservation_status status = model_status(m, r);
    if (status != RESERVATION_RELEASED) {
        out->code = model_ended_code(status);
        if (out->code != OUTCOME_OK)
            return;
        r->status = RESERVATION_RELEASED;
        r->ended_at = m->now;
        r->version++;
        model_list_ended(m, r);
    }
    model_show(m, r, out);
}

/* Commands that are not about one reservation. */
static bool judge_others(struct model *m, const struct ask *a, struct model_answer *out)
{
    if (model_catalogue(m, a, out))
        return true;
    if (a->kind >= COMMAND_QUEUE_JOIN && a->kind <= COMMAND_QUEUE_PATCH)
        model_queue(m, a, out);
    else if (a->kind >= COMMAND_LIST_JOIN && a->kind <= COMMAND_LIST_LEAVE)
        model_list(m, a, out);
    else if (a->kind == COMMAND_PAYMENT_EVENT)
        model_told(m, a, out);
    else if (a->kind == COMMAND_REFUND_DONE || a->kind == COMMAND_REFUND_LOOK)
        model_refund_done(m, a, out);
    else if (a->kind == COMMAND_PAYMENT_LOOK)
        model_payment_look(m, a, out);
    else if (a->kind == COMMAND_EVENT_CANCEL || a->kind == COMMAND_EVENT_CANCEL_LOOK)
        model_call_off(m, a, out);
    else if (a->kind == COMMAND_ERASE)
        model_erase(m, a, out);
    else if (a->kind == COMMAND_CHECK_IN || a->kind == COMMAND_TICKET_LOOK)
        model_scan(m, a, out);
    else
        return false;
    return true;
}

void model_judge(struct model *m, const struct ask *a, struct model_answer *out)
{
    *out = (struct model_answer){.code = OUTCOME_OK, .also = OUTCOME_COUNT, .reservation = -1};
    m->step++;
    model_singles_note(m);
    if (judge_others(m, a, out))
        return;
    if (a->role == ROLE_ORDER && a->kind != COMMAND_LOOK && a->kind != COMMAND_TRANSFER &&
        a->kind != COMMAND_CANCEL) {
        out->code = OUTCOME_FORBIDDEN;
        return;
    }
    if (a->kind == COMMAND_HOLD) {
        model_hold(m, a, out);
        return;
    }
    if (a->kind == COMMAND_TRANSFER) {
        model_transfer(m, a, out);
        return;
    }
    if (a->kind == COMMAND_CANCEL && (a->role == ROLE_APP || a->role == ROLE_ADMIN)) {
        out->code = OUTCOME_FORBIDDEN; /* they refund */
        return;
    }
    struct model_reservation *r = model_owned(m, a, out);
    if (!r)
        return;
    if (a->kind == COMMAND_LOOK)
        model_show(m, r, out);
    else if (a->kind == COMMAND_ITEMS_ADD)
        model_add(m, a, out);
    else if (a->kind == COMMAND_TOKENS_REVOKE)
        model_revoke(m, r, out);
    else if (ask_of_item(a->kind))
        model_item_command(m, a, r, out);
    else if (a->kind == COMMAND_ATTRIBUTES)
        judge_attributes(m, a, r, out);
    else if (a->kind == COMMAND_EXTEND)
        judge_extend(m, a, r, out);
    else if (a->kind == COMMAND_PAYMENT)
        model_payment(m, a, r, out);
    else if (a->kind == COMMAND_COMMIT)
        model_commit(m, a, r, out);
    else if (a->kind == COMMAND_REFUND)
        model_refund(m, a, r, out);
    else if (a->kind == COMMAND_CANCEL)
        model_cancel(m, a, r, out);
    else
        model_release(m, r, out);
}
