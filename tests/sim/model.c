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
    return end && m->now >= end;
}

bool model_on_sale(const struct model *m, int event, enum role role)
{
    const struct ask_settings *s = &m->events[event].settings;
    if (s->on_sale_at_ms && m->now < s->on_sale_at_ms && role != ROLE_ADMIN)
        return false;
    return !model_sale_over(m, &m->events[event]);
}

/* ---- Reservations that exist ---- */

static void show(struct model *m, const struct model_reservation *r, struct model_answer *out)
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
    if (!r || (user && r->user != a->actor))
        return NULL;
    out->code = OUTCOME_NOT_OWNER;
    if (a->named >= 0 && a->named != r->user)
        return NULL;
    out->code = OUTCOME_OK;
    return r;
}

static enum outcome_code ended_code(enum reservation_status status)
{
    switch (status) {
    case RESERVATION_CONFIRMED:
        return OUTCOME_ALREADY_CONFIRMED;
    case RESERVATION_RELEASED:
        return OUTCOME_ALREADY_RELEASED;
    case RESERVATION_EXPIRED:
        return OUTCOME_EXPIRED;
    case RESERVATION_HELD:
    case RESERVATION_CANCELLED:
    case RESERVATION_REFUNDED:
        break;
    }
    return OUTCOME_OK;
}

bool model_changeable(struct model *m, struct model_reservation *r, struct model_answer *out)
{
    out->code = ended_code(model_status(m, r));
    if (out->code == OUTCOME_OK && r->paid_at)
        out->code = OUTCOME_PAYING;
    return out->code == OUTCOME_OK;
}

static void judge_attributes(struct model *m, const struct ask *a, struct model_reservation *r,
                             struct model_answer *out)
{
    if (!model_live(m, r)) {
        out->code = ended_code(model_status(m, r));
        return;
    }
    r->attributes = (int8_t)a->attributes;
    r->version++;
    show(m, r, out);
}

static void judge_extend(struct model *m, const struct ask *a, struct model_reservation *r,
                         struct model_answer *out)
{
    if (!model_changeable(m, r, out))
        return;
    int64_t deadline = m->now + (int64_t)(a->ttl_s ? a->ttl_s : r->hold_ttl_s) * 1000;
    if (deadline > r->max_at)
        deadline = r->max_at;
    if (deadline > r->expires_at) {
        r->expires_at = deadline;
        r->version++;
    }
    show(m, r, out);
}

/* The buyer's own payment_ref never counts; one of app or admin is recorded, once each. */
static void judge_payment(struct model *m, const struct ask *a, struct model_reservation *r,
                          struct model_answer *out)
{
    out->code = ended_code(model_status(m, r));
    if (out->code != OUTCOME_OK)
        return;
    if (!r->paid_at && r->payment_ttl_s == 0) {
        out->code = OUTCOME_PAYMENT_WINDOW_OFF;
        return;
    }
    bool recorded = a->ref && a->role != ROLE_USER && a->ref != r->ref;
    if (recorded)
        r->ref = (int8_t)a->ref;
    if (!r->paid_at || recorded)
        r->version++;
    if (!r->paid_at) {
        int64_t deadline = m->now + (int64_t)r->payment_ttl_s * 1000;
        r->paid_at = m->now;
        if (deadline > r->expires_at)
            r->expires_at = deadline;
        if (r->expires_at > r->max_at)
            r->max_at = r->expires_at;
    }
    show(m, r, out);
}

static void judge_commit(struct model *m, const struct ask *a, struct model_reservation *r,
                         struct model_answer *out)
{
    enum reservation_status status = model_status(m, r);
    int64_t total = 0;
    if (status == RESERVATION_CONFIRMED) {
        show(m, r, out);
        return;
    }
    out->code = ended_code(status);
    if (out->code != OUTCOME_OK)
        return;
    for (int i = 0; i < r->item_count; i++)
        total += r->items[i].price;
    if (a->role == ROLE_USER && r->payment_required && total > 0 && !r->ref) {
        out->code = OUTCOME_PAYMENT_REQUIRED;
        return;
    }
    r->status = RESERVATION_CONFIRMED;
    r->confirmed_at = m->now;
    r->version++;
    if (a->attributes >= 0)
        r->attributes = (int8_t)a->attributes;
    if (a->ref && a->role != ROLE_USER)
        r->ref = (int8_t)a->ref;
    model_list_ended(m, r);
    for (int i = 0; i < r->item_count; i++)
        if (r->items[i].kind != ITEM_SLOT)
            model_bought(m, r->items[i].event, r->user);
    show(m, r, out);
}

static void judge_release(struct model *m, struct model_reservation *r, struct model_answer *out)
{
    enum reservation_status status = model_status(m, r);
    if (status != RESERVATION_RELEASED) {
        out->code = ended_code(status);
        if (out->code != OUTCOME_OK)
            return;
        r->status = RESERVATION_RELEASED;
        r->ended_at = m->now;
        r->version++;
        model_list_ended(m, r);
    }
    show(m, r, out);
}

static int item_index(const struct model_reservation *r, uint32_t item_id)
{
    for (int i = 0; i < r->item_count; i++)
        if (r->items[i].id == item_id)
            return i;
    return -1;
}

static void judge_drop(struct model *m, const struct ask *a, struct model_reservation *r,
                       struct model_answer *out)
{
    if (!model_changeable(m, r, out))
        return;
    int index = item_index(r, a->item_id);
    if (index < 0) {
        out->code = OUTCOME_NO_SUCH_ITEM;
    } else if (r->item_count == 1) {
        judge_release(m, r, out);
    } else {
        struct model_item gone = r->items[index];
        r->item_count--;
        memmove(&r->items[index], &r->items[index + 1],
                (size_t)(r->item_count - index) * sizeof(r->items[0]));
        r->payment_required = false;
        for (int i = 0; i < r->item_count; i++)
            r->payment_required = r->payment_required || !r->items[i].unpaid;
        if (gone.kind == ITEM_SLOT)
            model_regain(m, r, gone.event);
        r->version++;
        show(m, r, out);
    }
}

static enum outcome_code judge_move_to(struct model *m, const struct ask *a,
                                       const struct model_reservation *r, const struct model_item *item,
                                       struct model_answer *out)
{
    const struct model_event *e = &m->events[item->event];
    bool confirmed = r->status == RESERVATION_CONFIRMED;
    if (a->seat >= ASK_SEATS || !e->seats[a->seat].exists)
        return OUTCOME_NO_SUCH_SEAT;
    if (a->seat == item->unit)
        return OUTCOME_OK;
    if (e->settings.currency != r->currency)
        return OUTCOME_INVALID;
    if (!confirmed && !model_on_sale(m, item->event, a->role))
        return OUTCOME_NOT_ON_SALE;
    if (confirmed && a->role == ROLE_USER && r->payment_required && e->seats[a->seat].price != item->price)
        return OUTCOME_PAYMENT_REQUIRED;
    struct model_wanted w = {.count = 1};
    w.items[0] = (struct ask_item){.kind = ITEM_SEAT, .event = item->event, .unit = a->seat, .quantity = 1};
    enum outcome_code code = confirmed ? OUTCOME_OK : model_pass(m, a, &w, r->user, out);
    bool other_tier = e->seats[a->seat].tier != e->seats[item->unit].tier;
    if (confirmed && e->line.has && a->role == ROLE_USER && other_tier)
        code = OUTCOME_PASS_TIER; /* there is no pass any more, so it stays in the tier that it was for */
    if (code != OUTCOME_OK)
        return code;
    out->claims = true;
    const struct model_reservation *other = model_holder(m, item->event, a->seat);
    if (!other && !e->seats[a->seat].blocked)
        return OUTCOME_OK;
    out->obstacle_count = 1;
    out->obstacles[0] = (struct obstacle){.kind = ITEM_SEAT,
                                          .status = !other                                   ? UNIT_BLOCKED
                                                    : other->status == RESERVATION_CONFIRMED ? UNIT_SOLD
                                                                                             : UNIT_HELD};
    return OUTCOME_TAKEN;
}

static void judge_move(struct model *m, const struct ask *a, struct model_reservation *r,
                       struct model_answer *out)
{
    if (!model_live(m, r)) {
        out->code = ended_code(model_status(m, r));
        return;
    }
    int index = item_index(r, a->item_id);
    struct model_item moved = index < 0 ? (struct model_item){0} : r->items[index];
    if (r->status == RESERVATION_HELD && r->paid_at)
        out->code = OUTCOME_PAYING;
    else if (index < 0)
        out->code = OUTCOME_NO_SUCH_ITEM;
    else if (moved.kind != (a->in_time ? ITEM_SLOT : ITEM_SEAT))
        out->code = OUTCOME_INVALID;
    else if (a->in_time)
        out->code = model_slot_move(m, a, r, &r->items[index], &moved, out);
    else
        out->code = judge_move_to(m, a, r, &moved, out);
    if (out->code != OUTCOME_OK)
        return;
    struct model_item *item = &r->items[index];
    if (!a->in_time && a->seat != item->unit) {
        moved.unit = (int8_t)a->seat;
        moved.price = m->events[item->event].seats[a->seat].price;
    }
    if (moved.unit != item->unit || moved.start_ms != item->start_ms || moved.end_ms != item->end_ms) {
        *item = moved;
        model_give_way(r);
        if (moved.kind == ITEM_SLOT)
            model_regain(m, r, moved.event);
        r->version++;
        r->fence = 0; /* a new one: core tells */
    }
    show(m, r, out);
}

void model_judge(struct model *m, const struct ask *a, struct model_answer *out)
{
    *out = (struct model_answer){.code = OUTCOME_OK, .also = OUTCOME_COUNT, .reservation = -1};
    if (model_catalogue(m, a, out))
        return;
    if (a->kind >= COMMAND_QUEUE_JOIN && a->kind <= COMMAND_QUEUE_PATCH) {
        model_queue(m, a, out);
        return;
    }
    if (a->kind >= COMMAND_LIST_JOIN && a->kind <= COMMAND_LIST_LEAVE) {
        model_list(m, a, out);
        return;
    }
    if (a->kind == COMMAND_HOLD) {
        model_hold(m, a, out);
        return;
    }
    struct model_reservation *r = model_owned(m, a, out);
    if (!r)
        return;
    if (a->kind == COMMAND_LOOK)
        show(m, r, out);
    else if (a->kind == COMMAND_ITEMS_ADD)
        model_add(m, a, out);
    else if (a->kind == COMMAND_ITEM_DROP)
        judge_drop(m, a, r, out);
    else if (a->kind == COMMAND_ITEM_MOVE)
        judge_move(m, a, r, out);
    else if (a->kind == COMMAND_ATTRIBUTES)
        judge_attributes(m, a, r, out);
    else if (a->kind == COMMAND_EXTEND)
        judge_extend(m, a, r, out);
    else if (a->kind == COMMAND_PAYMENT)
        judge_payment(m, a, r, out);
    else if (a->kind == COMMAND_COMMIT)
        judge_commit(m, a, r, out);
    else
        judge_release(m, r, out);
}
