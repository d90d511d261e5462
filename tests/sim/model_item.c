/* SPDX-License-Identifier: Apache-2.0 */
/* model_item.c — the expected answers to a change of one item of a reservation. */
#include <stdio.h>
#include <string.h>

#include "model.h"

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
        model_release(m, r, out);
    } else {
        struct model_item gone = r->items[index];
        r->item_count--;
        memmove(&r->items[index], &r->items[index + 1],
                (size_t)(r->item_count - index) * sizeof(r->items[0]));
        r->payment_required = false;
        for (int i = 0; i < r->item_count; i++)
            r->payment_required = r->payment_required || !r->items[i].unpaid;
        if (gone.kind == ITEM_SLOT && gone.event < MODEL_GONE)
            model_regain(m, r, gone.event);
        model_singles_note(m);
        if (gone.kind == ITEM_SEAT && a->role == ROLE_USER)
            model_singles_decide(m, r, gone.event, gone.unit);
        r->version++;
        model_show(m, r, out);
    }
}

/* A buyer cannot take more than was paid for; a cheaper item keeps its price. Staff move it at its actual price. */
bool model_moved_price(struct model *m, const struct ask *a, const struct model_reservation *r,
                       const struct model_item *item, int64_t *price)
{
    if (a->role != ROLE_USER)
        return true;
    if (*price > item->price)
        return !r->payment_required && !model_received_any(m, r);
    *price = item->price;
    return true;
}

static enum outcome_code judge_move_to(struct model *m, const struct ask *a,
                                       const struct model_reservation *r, const struct model_item *item,
                                       int64_t *price, struct model_answer *out)
{
    const struct model_event *e = &m->events[item->event];
    bool confirmed = r->status == RESERVATION_CONFIRMED;
    if (a->seat >= ASK_SEATS || !e->seats[a->seat].exists)
        return OUTCOME_NO_SUCH_SEAT;
    if (a->seat == item->unit)
        return OUTCOME_OK;
    int category = model_category(&e->settings, item->category);
    if (e->settings.currency != r->currency || category < 0 ||
        !model_price(e, ITEM_SEAT, a->seat, category, price))
        return OUTCOME_INVALID;
    if (model_called(m, item->event) || (!confirmed && !model_on_sale(m, item->event, a->role)))
        return OUTCOME_NOT_ON_SALE;
    if (confirmed && !model_moved_price(m, a, r, item, price))
        return OUTCOME_PAYMENT_REQUIRED;
    struct model_wanted w = {.count = 1};
    w.items[0] = (struct ask_item){.kind = ITEM_SEAT, .event = item->event, .unit = a->seat, .quantity = 1};
    enum outcome_code code = confirmed ? OUTCOME_OK : model_pass(m, a, &w, r->user, out);
    bool other_tier = e->seats[a->seat].tier != e->seats[item->unit].tier;
    if (confirmed && e->line.has && a->role == ROLE_USER && other_tier)
        code = OUTCOME_PASS_TIER; /* there is no pass any more, so it stays in its tier */
    if (code != OUTCOME_OK)
        return code;
    out->claims = true;
    bool bound = item->code && (e->settings.by_code || item->allotment) && a->role != ROLE_ADMIN;
    if (bound && !model_within(e->codes[item->code - 1].tiers, e->seats[a->seat].tier))
        return OUTCOME_CODE_INVALID; /* it keeps its code, and stays within what that covers */
    /* Staff stay within its allotment, and others within what their code carries, even if it is removed. */
    bool staff = a->role != ROLE_USER && (a->role == ROLE_ADMIN || item->allotment != ASK_HOUSE);
    uint8_t opened =
        model_opened_by(staff ? item->allotment : 0, bound ? e->codes[item->code - 1].allotment : 0);
    const struct model_reservation *other = model_holder(m, item->event, a->seat);
    if (!other && model_opens(opened, e->seats[a->seat].blocked, e->seats[a->seat].allotment))
        return confirmed && a->role == ROLE_USER ? model_move_singles(m, r, item, a->seat, out) : OUTCOME_OK;
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
        out->code = model_ended_code(model_status(m, r));
        return;
    }
    int index = item_index(r, a->item_id);
    struct model_item moved = index < 0 ? (struct model_item){0} : r->items[index];
    int64_t price = 0;
    if (r->status == RESERVATION_HELD && r->paid_at)
        out->code = OUTCOME_PAYING;
    else if (index < 0)
        out->code = OUTCOME_NO_SUCH_ITEM;
    else if (r->status == RESERVATION_CONFIRMED && model_ticket_used(m, r, &moved))
        out->code = OUTCOME_CHECKED_IN;
    else if (moved.kind != (a->in_time ? ITEM_SLOT : ITEM_SEAT))
        out->code = OUTCOME_INVALID;
    else if (a->in_time)
        out->code = model_slot_move(m, a, r, &r->items[index], &moved, out);
    else
        out->code = judge_move_to(m, a, r, &moved, &price, out);
    if (out->code != OUTCOME_OK)
        return;
    struct model_item *item = &r->items[index];
    if (!a->in_time && a->seat != item->unit) {
        moved.unit = (int8_t)a->seat;
        moved.price = price;
        moved.chosen = a->role == ROLE_USER && m->events[item->event].settings.refuse_singles;
        r->moved_from = item->unit;
        moved.allotment = model_claimed_from(&m->events[item->event], ITEM_SEAT, a->seat);
        moved.category = (int8_t)model_category(&m->events[item->event].settings, item->category);
    }
    if (moved.unit != item->unit || moved.start_ms != item->start_ms || moved.end_ms != item->end_ms) {
        *item = moved;
        model_give_way(r);
        if (moved.kind == ITEM_SLOT)
            model_regain(m, r, moved.event);
        r->version++;
        r->fence = 0; /* a new one: core chooses it */
    }
    model_show(m, r, out);
}

static void judge_item_attributes(struct model *m, const struct ask *a, struct model_reservation *r,
                                  struct model_answer *out)
{
    int index = item_index(r, a->item_id);
    if (!model_live(m, r))
        out->code = model_ended_code(model_status(m, r));
    else if (index < 0)
        out->code = OUTCOME_NO_SUCH_ITEM;
    if (out->code != OUTCOME_OK)
        return;
    r->version += r->items[index].attributes != a->attributes;
    r->items[index].attributes = (int8_t)a->attributes;
    model_show(m, r, out);
}

/* The current unit price; false: none, or not in the currency of the reservation. */
static bool today(const struct model *m, const struct model_reservation *r, const struct model_item *item,
                  int category, int64_t *price)
{
    const struct model_event *e = &m->events[item->event];
    category = model_category(&e->settings, category);
    return category >= 0 && e->settings.currency == r->currency &&
           model_price(e, item->kind, item->unit, category, price);
}

static void judge_category(struct model *m, const struct ask *a, struct model_reservation *r,
                           struct model_answer *out)
{
    if (!model_changeable(m, r, out))
        return;
    int index = item_index(r, a->item_id);
    struct model_item *item = index < 0 ? NULL : &r->items[index];
    int64_t price = 0;
    if (!item)
        out->code = OUTCOME_NO_SUCH_ITEM;
    else if (item->kind == ITEM_SLOT || !today(m, r, item, a->category, &price))
        out->code = OUTCOME_INVALID;
    if (out->code != OUTCOME_OK)
        return;
    price *= item->quantity;
    if (price != item->price || a->category != item->category) {
        item->price = price;
        item->category = (int8_t)a->category;
        r->version++;
    }
    model_show(m, r, out);
}

/* More units of a pool are a claim for the additional ones. */
static enum outcome_code judge_more(struct model *m, const struct ask *a, struct model_reservation *r,
                                    const struct model_item *item, struct model_answer *out)
{
    struct model_wanted w = {.count = 1};
    w.items[0] = (struct ask_item){.kind = ITEM_POOL,
                                   .event = item->event,
                                   .unit = item->unit,
                                   .quantity = a->quantity - item->quantity,
                                   .code = item->code,
                                   .allotment = a->role == ROLE_USER ? 0 : item->allotment};
    enum outcome_code code = model_wanted_terms(m, &w, out);
    return code == OUTCOME_OK ? model_wanted_judge(m, a, &w, r->user, r, out) : code;
}

static void judge_quantity(struct model *m, const struct ask *a, struct model_reservation *r,
                           struct model_answer *out)
{
    if (!model_changeable(m, r, out))
        return;
    int index = item_index(r, a->item_id);
    struct model_item *item = index < 0 ? NULL : &r->items[index];
    int64_t price = 0;
    if (!item) {
        out->code = OUTCOME_NO_SUCH_ITEM;
    } else if (item->kind != ITEM_POOL) {
        out->code = OUTCOME_INVALID;
        snprintf(out->pointer, sizeof(out->pointer), "/quantity");
    } else if (a->quantity != item->quantity && !today(m, r, item, item->category, &price)) {
        out->code = OUTCOME_INVALID; /* it would get the current price */
    } else if (a->quantity > item->quantity) {
        out->code = judge_more(m, a, r, item, out);
        if (out->code == OUTCOME_OK)
            r->fence = 0; /* a new one: core chooses it */
    }
    if (out->code != OUTCOME_OK)
        return;
    if (a->quantity != item->quantity) {
        item->quantity = a->quantity;
        item->price = price * a->quantity;
        r->version++;
    }
    model_show(m, r, out);
}

void model_item_command(struct model *m, const struct ask *a, struct model_reservation *r,
                        struct model_answer *out)
{
    if (a->kind == COMMAND_ITEM_DROP)
        judge_drop(m, a, r, out);
    else if (a->kind == COMMAND_ITEM_MOVE)
        judge_move(m, a, r, out);
    else if (a->kind == COMMAND_ITEM_ATTRIBUTES)
        judge_item_attributes(m, a, r, out);
    else if (a->kind == COMMAND_ITEM_CATEGORY)
        judge_category(m, a, r, out);
    else
        judge_quantity(m, a, r, out);
}
