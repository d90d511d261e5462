/* SPDX-License-Identifier: Apache-2.0 */
#include "core/claim/reservation_command.h"

#include "base/assertion.h"
#include "core/catalogue/event_price.h"
#include "core/claim/expiry.h"
#include "core/claim/plan.h"
#include "core/claim/reservation.h"
#include "core/claim/single_seats.h"
#include "core/claim/user.h"
#include "core/money/ledger.h"
#include "core/money/pay.h"

enum outcome_code reservation_command_owner(struct step *step, uint32_t handle, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    const struct reservation *r = reservation_at(st, handle);
    struct text owner = user_id(st, r->user);
    uint32_t gen = r->extra ? r->extra->manage_gen : 0;
    ASSERT(st->actor.role != ROLE_USER || st->actor.name.at);
    /* It might have belonged to the caller until a moment ago: the answer must wait for that change. */
    if (gen)
        state_saw(out, r->seq);
    /* For other users it does not exist: neither its status nor its existence is revealed. */
    if (st->actor.role == ROLE_USER && !text_equal(owner, st->actor.name))
        return OUTCOME_NO_SUCH_RESERVATION;
    if (st->actor.role == ROLE_ORDER && c->order.gen != gen)
        return OUTCOME_NO_SUCH_RESERVATION;
    state_saw(out, r->seq);
    return c->user_id.at && !text_equal(c->user_id, owner) ? OUTCOME_NOT_OWNER : OUTCOME_OK;
}

enum outcome_code reservation_command_find(struct step *step, struct outcome *out, uint32_t *handle)
{
    const struct command *c = step->command;
    enum outcome_code code = command_judge_caller(c);
    if (code != OUTCOME_OK)
        return code;
    *handle = reservation_find(step->state, c->reservation);
    if (*handle == TABLE_NONE && c->reservation_checked)
        return OUTCOME_NO_SUCH_RESERVATION;
    if (*handle == TABLE_NONE) {
        /* This does not mean that there is none: an ended or sold reservation can be in the book only. */
        outcome_lacks(out, &(struct record_key){.kind = FETCH_RESERVATION, .id = c->reservation});
        pay_look_up(step, out); /* its payment can be in the book only, too */
        return OUTCOME_FETCH;
    }
    return reservation_command_owner(step, *handle, out);
}

enum outcome_code reservation_command_apply(struct step *step, reservation_command_fn command,
                                            struct outcome *out)
{
    struct state *st = step->state;
    uint32_t handle;
    enum outcome_code code = reservation_command_find(step, out, &handle);
    if (code == OUTCOME_OK)
        code = pay_look_up(step, out);
    if (code != OUTCOME_OK)
        return code;
    settle_reservation(st, handle);
    /* Nothing else was settled before, so it is settled now unless nothing may be written. */
    ASSERT(!reservation_lapsed(reservation_at(st, handle), st->now_ms) || step->command->no_changes);
    state_saw(out, reservation_at(st, handle)->seq);
    return command(step, handle, out);
}

enum outcome_code reservation_command_state(const struct reservation *r)
{
    static const enum outcome_code refusals[] = {
        [RESERVATION_HELD] = OUTCOME_OK,
        [RESERVATION_CONFIRMED] = OUTCOME_ALREADY_CONFIRMED,
        [RESERVATION_RELEASED] = OUTCOME_ALREADY_RELEASED,
        [RESERVATION_EXPIRED] = OUTCOME_EXPIRED,
        [RESERVATION_CANCELLED] = OUTCOME_ALREADY_CANCELLED,
        [RESERVATION_REFUNDED] = OUTCOME_ALREADY_REFUNDED,
    };
    ASSERT(r->status >= RESERVATION_STATUS_FIRST && r->status <= RESERVATION_STATUS_LAST);
    return refusals[r->status];
}

static bool paying(const struct reservation *r)
{
    return r->extra && r->extra->payment_started_at_ms;
}

enum outcome_code reservation_command_changeable(struct state *st, uint32_t handle, struct outcome *out)
{
    const struct reservation *r = reservation_at(st, handle);
    ASSERT(!reservation_lapsed(r, st->now_ms)); /* the caller has settled it */
    state_saw(out, r->seq);
    enum outcome_code code = reservation_command_state(r);
    return code == OUTCOME_OK && paying(r) ? OUTCOME_PAYING : code;
}

enum outcome_code reservation_command_look(struct step *step, uint32_t handle, struct outcome *out)
{
    const struct reservation *r = reservation_at(step->state, handle);
    step_answer(step, handle, out);
    if (reservation_lapsed(r, step->state->now_ms)) { /* shown as it will be recorded */
        ASSERT(step->command->no_changes);
        out->reservation.status = RESERVATION_EXPIRED;
        out->reservation.ended_at_ms = r->expires_at_ms;
    }
    return OUTCOME_OK;
}

enum outcome_code reservation_command_changed(struct step *step, uint32_t handle, enum action action,
                                              struct outcome *out)
{
    struct state *st = step->state;
    ASSERT(reservation_live(reservation_at(st, handle)));
    reservation_at(st, handle)->version++; /* in the image that is emitted */
    state_emit_reservation(st, handle, action);
    return step_answer(step, handle, out);
}

enum outcome_code reservation_command_attributes(struct step *step, uint32_t handle, struct outcome *out)
{
    struct reservation *r = reservation_at(step->state, handle);
    if (!reservation_live(r))
        return reservation_command_state(r);
    /* Allowed for a confirmed one, too: attributes are the caller's own data, and no claim depends on them. */
    reservation_set_attributes(r, step->command->attributes);
    return reservation_command_changed(step, handle, ACTION_ATTRIBUTES_CHANGED, out);
}

enum outcome_code reservation_command_extend(struct step *step, uint32_t handle, struct outcome *out)
{
    struct state *st = step->state;
    enum outcome_code code = reservation_command_changeable(st, handle, out);
    if (code != OUTCOME_OK)
        return code;
    struct reservation *r = reservation_at(st, handle);
    uint32_t ttl_s = step->command->ttl_s ? step->command->ttl_s : r->hold_ttl_s;
    int64_t deadline = st->now_ms + (int64_t)ttl_s * 1000, cap = reservation_cap(r, st->actor.role);
    if (deadline > cap)
        deadline = cap;
    /* A deadline never moves earlier: clients rely on the one they were given. */
    if (deadline <= r->expires_at_ms)
        return step_answer(step, handle, out);
    reservation_set_deadline(st, handle, deadline);
    if (deadline > r->max_expires_at_ms) /* staff can extend beyond the user's maximum */
        r->max_expires_at_ms = deadline;
    return reservation_command_changed(step, handle, ACTION_EXTENDED, out);
}

enum outcome_code reservation_command_payment(struct step *step, uint32_t handle, struct outcome *out)
{
    struct state *st = step->state;
    struct reservation *r = reservation_at(st, handle);
    enum outcome_code code = reservation_command_state(r);
    if (code != OUTCOME_OK)
        return code;
    if (!paying(r) && r->payment_ttl_s == 0)
        return OUTCOME_PAYMENT_WINDOW_OFF;
    if (!paying(r) && (code = single_seats_judge(step, handle, out)) != OUTCOME_OK)
        return code;
    code = pay_begin(step, handle, pay_trusted(st, step->command->commit.payment_ref), out);
    if (code != OUTCOME_OK)
        return code;
    if (!paying(r)) {
        int64_t deadline = st->now_ms + (int64_t)r->payment_ttl_s * 1000;
        if (deadline > r->expires_at_ms)
            reservation_set_deadline(st, handle, deadline);
        /* The payment window is granted in full, even beyond the longest hold. */
        if (r->expires_at_ms > r->max_expires_at_ms)
            r->max_expires_at_ms = r->expires_at_ms;
        struct reservation_extra *x = reservation_extra(r);
        x->user_max_at_ms = x->staff_max_at_ms = 0; /* it can no longer be extended */
        x->payment_started_at_ms = st->now_ms;
        ASSERT(r->expires_at_ms > st->now_ms && r->expires_at_ms <= r->max_expires_at_ms);
        reservation_command_changed(step, handle, ACTION_PAYMENT_STARTED, out);
    }
    return step_answer(step, handle, out);
}

enum outcome_code reservation_command_commit(struct step *step, uint32_t handle, struct outcome *out)
{
    const struct command *c = step->command;
    return pay_commit(step, handle,
                      &(struct pay){.ref = pay_trusted(step->state, c->commit.payment_ref),
                                    .method = c->commit.payment_method,
                                    .attributes = c->commit.attributes,
                                    .amount = c->commit.amount,
                                    .ticket_key = c->commit.ticket_key},
                      out);
}

static enum outcome_code release(struct step *step, uint32_t handle, struct outcome *out)
{
    reservation_release(step->state, handle);
    return step_answer(step, handle, out);
}

enum outcome_code reservation_command_release(struct step *step, uint32_t handle, struct outcome *out)
{
    const struct reservation *r = reservation_at(step->state, handle);
    if (r->status == RESERVATION_RELEASED)
        return step_answer(step, handle, out);
    enum outcome_code code = reservation_command_state(r);
    return code == OUTCOME_OK ? release(step, handle, out) : code;
}

/* ---- One item of it ---- */

static bool item_find(struct reservation *r, uint32_t item_id, uint32_t *index)
{
    for (*index = 0; *index < r->item_count; (*index)++)
        if (reservation_items(r)[*index].item_id == item_id)
            return true;
    return false;
}

/* The command's item, if the reservation can be changed. */
static enum outcome_code changeable_item(struct step *step, uint32_t handle, uint32_t *index,
                                         struct outcome *out)
{
    enum outcome_code code = reservation_command_changeable(step->state, handle, out);
    if (code != OUTCOME_OK)
        return code;
    bool found = item_find(reservation_at(step->state, handle), step->command->item.item_id, index);
    return found ? OUTCOME_OK : OUTCOME_NO_SUCH_ITEM;
}

/* When an item ends, buffers of others in the reservation can grow again; lapsed holds must not prevent that. Called
 * before the change, because settling emits changes. False: more to settle than fits in one step. */
static bool settled_around(struct state *st, uint32_t handle, const struct item *item)
{
    const struct claim_kind *kind = claim_kind(item->kind);
    if (!kind->buffers_settle)
        return true;
    kind->buffers_settle(st, handle, item);
    return !st->settle_short;
}

static void grow_buffers(struct state *st, uint32_t handle, const struct item *item)
{
    if (claim_kind(item->kind)->buffers_grow)
        claim_kind(item->kind)->buffers_grow(st, handle, item->resource);
}

enum outcome_code reservation_command_item_drop(struct step *step, uint32_t handle, struct outcome *out)
{
    struct state *st = step->state;
    uint32_t index;
    enum outcome_code code = changeable_item(step, handle, &index, out);
    if (code != OUTCOME_OK)
        return code;
    struct reservation *r = reservation_at(st, handle);
    /* Dropping the last item releases the reservation. */
    if (r->item_count == 1)
        return release(step, handle, out);
    struct item item = reservation_items(r)[index];
    if (!settled_around(st, handle, &item))
        return OUTCOME_RETRY;
    code = single_seats_drop(step, handle, &item);
    if (code != OUTCOME_OK)
        return code;
    reservation_note_before(st, r, index);
    reservation_payment_split(r);
    reservation_item_remove(st, handle, index, state_next_seq(st));
    single_seats_keep(step, handle);
    reservation_payment_join(r);
    grow_buffers(st, handle, &item);
    return reservation_command_changed(step, handle, ACTION_ITEM_DROPPED, out);
}

enum outcome_code reservation_command_item_move(struct step *step, uint32_t handle, struct outcome *out)
{
    struct state *st = step->state;
    uint32_t index;
    struct reservation *r = reservation_at(st, handle);
    if (!reservation_live(r))
        return reservation_command_state(r);
    if (r->status == RESERVATION_HELD && paying(r))
        return OUTCOME_PAYING;
    if (!item_find(r, step->command->item.item_id, &index))
        return OUTCOME_NO_SUCH_ITEM;
    step->reservation = handle;
    step->owner = user_id(st, r->user);
    const struct item *item = &reservation_items(r)[index];
    bool sold = r->status == RESERVATION_CONFIRMED;
    enum outcome_code code = sold ? tickets_used(st, r, item, step->command, out) : OUTCOME_OK;
    if (code == OUTCOME_OK)
        code = plan_move(step, item, out);
    if (code != OUTCOME_OK)
        return code;
    if (step->target_count == 0) /* already there */
        return step_answer(step, handle, out);
    struct text from = step->plan[0].extra.allotment; /* of the new place; the event owns the text */
    struct item moved = plan_take(step);
    if (!settled_around(st, handle, item))
        return OUTCOME_RETRY;
    ASSERT(r->fence < state_next_seq(st)); /* a move is a new grant, and fences grow */
    moved.item_id = item->item_id;
    moved.fence = r->fence = state_next_seq(st);
    if (claim_kind(moved.kind)->buffers_trim)
        claim_kind(moved.kind)->buffers_trim(st, handle, &moved);
    reservation_note_before(st, r, index);
    reservation_item_shift(st, handle, index, &moved);
    struct item *own = &reservation_items(r)[index];
    item_set_category(own, step->targets[0].category); /* its own, or the event's first if it had none */
    own->flags = (uint8_t)((own->flags & ~ITEM_CHOSEN) | (moved.flags & ITEM_CHOSEN));
    single_seats_keep(step, handle);
    item_set_allotment(own, from);
    grow_buffers(st, handle, &moved);
    reservation_command_changed(step, handle, ACTION_ITEM_MOVED, out);
    ledger_settle(st, handle, &(struct ledger_why){.cause = REFUND_MOVED});
    return step_answer(step, handle, out);
}

/* A new price must be in the reservation's currency, and the event can have changed its own since. */
static bool same_currency(const struct reservation *r, const struct event *e)
{
    return memcmp(r->currency, e->image.terms.currency, sizeof(r->currency)) == 0;
}

enum outcome_code reservation_command_item_category(struct step *step, uint32_t handle, struct outcome *out)
{
    struct state *st = step->state;
    uint32_t index;
    enum outcome_code code = changeable_item(step, handle, &index, out);
    if (code != OUTCOME_OK)
        return code;
    struct reservation *r = reservation_at(st, handle);
    struct item *item = &reservation_items(r)[index];
    const struct event *e = item_event(st, item);
    struct text category = step->command->item.category;
    int64_t price;
    ASSERT(category.at);
    if (e && !event_category(e, category, &category)) {
        state_saw(out, e->seq);
        return state_invalid(out, event_category_fault(e), "/category");
    }
    if (!e || !claim_kind(item->kind)->price(e, item->part, category, &price)) {
        state_saw(out, e ? e->seq : 0);
        return state_invalid(out, "Invalid category: there is no price for it.", "/category");
    }
    if (!same_currency(r, e)) {
        state_saw(out, e->seq);
        return state_invalid(out, PLAN_ONE_CURRENCY, "/category");
    }
    price *= item->quantity;
    if (price > TOTAL_MAX - reservation_total(r, item)) {
        state_saw(out, e->seq);
        return state_invalid(out, PLAN_TOTAL, "/category");
    }
    if (price == item->price && item->extra && text_equal(item->extra->category, category))
        return step_answer(step, handle, out);
    reservation_note_before(st, r, index);
    item->price = price;
    item_set_category(item, category);
    return reservation_command_changed(step, handle, ACTION_ITEM_CHANGED, out);
}

enum outcome_code reservation_command_item_attributes(struct step *step, uint32_t handle, struct outcome *out)
{
    uint32_t index;
    struct reservation *r = reservation_at(step->state, handle);
    if (!reservation_live(r))
        return reservation_command_state(r);
    if (!item_find(r, step->command->item.item_id, &index))
        return OUTCOME_NO_SUCH_ITEM;
    if (item_has_attributes(&reservation_items(r)[index], step->command->item.attributes))
        return step_answer(step, handle, out);
    reservation_note_before(step->state, r, index);
    item_set_attributes(&reservation_items(r)[index], step->command->item.attributes);
    return reservation_command_changed(step, handle, ACTION_ATTRIBUTES_CHANGED, out);
}

enum outcome_code reservation_command_item_quantity(struct step *step, uint32_t handle, struct outcome *out)
{
    struct state *st = step->state;
    uint32_t index, quantity = step->command->item.quantity;
    enum outcome_code code = changeable_item(step, handle, &index, out);
    if (code != OUTCOME_OK)
        return code;
    struct reservation *r = reservation_at(st, handle);
    const struct item *item = &reservation_items(r)[index];
    if (!claim_kind(item->kind)->many)
        return state_invalid(out, "Invalid quantity: this item is not from a pool.", "/quantity");
    ASSERT(quantity >= 1 && quantity <= QUANTITY_MAX);
    if (quantity == item->quantity)
        return step_answer(step, handle, out);
    const struct event *e = item_event(st, item);
    struct text category = item->extra ? item->extra->category : (struct text){0};
    int64_t unit;
    if (!event_category(e, category, &category) ||
        !claim_kind(item->kind)->price(e, item->part, category, &unit)) {
        state_saw(out, e->seq);
        return state_invalid(out, "Invalid quantity: there is no longer a price for its category.",
                             "/quantity");
    }
    if (!same_currency(r, e)) {
        state_saw(out, e->seq);
        return state_invalid(out, PLAN_ONE_CURRENCY, "/quantity");
    }
    if (unit * quantity > TOTAL_MAX - reservation_total(r, item)) {
        state_saw(out, e->seq);
        return state_invalid(out, PLAN_TOTAL, "/quantity");
    }
    step->reservation = handle;
    step->owner = user_id(st, r->user);
    struct item sized = *item;
    if (quantity > item->quantity) {
        code = plan_more(step, item, quantity - item->quantity, out);
        if (code != OUTCOME_OK)
            return code;
        plan_take(step);
        sized.fence = r->fence = state_next_seq(st); /* more is a grant; fewer is not */
    }
    sized.quantity = quantity;
    sized.price = unit * quantity;
    reservation_note_before(st, r, index);
    reservation_item_shift(st, handle, index, &sized);
    return reservation_command_changed(step, handle, ACTION_ITEM_CHANGED, out);
}
