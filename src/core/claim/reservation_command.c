/* SPDX-License-Identifier: Apache-2.0 */
#include "core/claim/reservation_command.h"

#include "base/assertion.h"
#include "core/claim/plan.h"
#include "core/claim/expiry.h"

enum outcome_code reservation_command_find(struct step *step, struct outcome *out, uint32_t *handle)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    bool is_user = st->actor.role == ROLE_USER;
    if (is_user && c->user_id.at && !text_equal(c->user_id, st->actor.name))
        return OUTCOME_NOT_OWNER;
    *handle = reservation_find(st, c->reservation);
    if (*handle == TABLE_NONE) {
        out->fetch = FETCH_RESERVATION;
        out->fetch_id = c->reservation;
        return OUTCOME_FETCH;
    }
    struct reservation *r = reservation_at(st, *handle);
    struct text owner = user_id(st, r->user);
    if (is_user && !text_equal(owner, st->actor.name))
        return OUTCOME_NO_SUCH_RESERVATION;
    state_saw(out, r->seq);
    if (c->user_id.at && !text_equal(c->user_id, owner))
        return OUTCOME_NOT_OWNER;
    return OUTCOME_OK;
}

enum outcome_code reservation_command_apply(struct step *step, reservation_command_fn command,
                                            struct outcome *out)
{
    struct state *st = step->state;
    uint32_t handle;
    enum outcome_code code = reservation_command_find(step, out, &handle);
    if (code != OUTCOME_OK)
        return code;
    settle_reservation(st, handle);
    state_saw(out, reservation_at(st, handle)->seq);
    return command(step, handle, out);
}

/* Why a reservation in this state is not a held one. */
static enum outcome_code state_refusal(const struct reservation *r)
{
    switch ((enum reservation_status)r->status) {
    case RESERVATION_HELD:
        return OUTCOME_OK;
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
    }
    ASSERT(false && "a reservation of unknown status");
    return OUTCOME_INVALID;
}

static bool paying(const struct reservation *r)
{
    return r->extra && r->extra->payment_started_at_ms;
}

enum outcome_code reservation_command_changeable(struct state *st, uint32_t handle, struct outcome *out)
{
    const struct reservation *r = reservation_at(st, handle);
    state_saw(out, r->seq);
    enum outcome_code code = state_refusal(r);
    if (code == OUTCOME_OK && paying(r))
        return OUTCOME_PAYING;
    return code;
}

enum outcome_code reservation_command_look(struct step *step, uint32_t handle, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    const struct reservation *r = reservation_at(st, handle);
    step_answer(step, handle, out);
    if (reservation_lapsed(r, st->now_ms)) {
        ASSERT(c->no_changes);
        out->reservation.status = RESERVATION_EXPIRED;
        out->reservation.ended_at_ms = r->expires_at_ms;
    }
    return OUTCOME_OK;
}

/* Finishes a command that changed the reservation. */
static enum outcome_code changed(struct step *step, uint32_t handle, enum action action, struct outcome *out)
{
    struct state *st = step->state;
    reservation_at(st, handle)->version++;
    state_emit_reservation(st, handle, action);
    step_answer(step, handle, out);
    return OUTCOME_OK;
}

enum outcome_code reservation_command_attributes(struct step *step, uint32_t handle, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    struct reservation *r = reservation_at(st, handle);
    if (!reservation_live(r))
        return state_refusal(r);
    reservation_set_attributes(r, c->attributes);
    return changed(step, handle, ACTION_ATTRIBUTES_CHANGED, out);
}

enum outcome_code reservation_command_extend(struct step *step, uint32_t handle, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    enum outcome_code code = reservation_command_changeable(st, handle, out);
    if (code != OUTCOME_OK)
        return code;
    struct reservation *r = reservation_at(st, handle);
    int64_t deadline = st->now_ms + (int64_t)(c->ttl_s ? c->ttl_s : r->hold_ttl_s) * 1000;
    if (deadline > r->max_expires_at_ms)
        deadline = r->max_expires_at_ms;
    if (deadline <= r->expires_at_ms) {
        step_answer(step, handle, out);
        return OUTCOME_OK;
    }
    reservation_set_deadline(st, handle, deadline);
    return changed(step, handle, ACTION_EXTENDED, out);
}

/* A payment that a trusted caller has recorded. What the buyer itself says about paying never counts, so it
 * is not kept. */
static bool record_payment(struct state *st, struct reservation *r, struct text ref)
{
    if (!ref.at || st->actor.role == ROLE_USER)
        return false;
    if (r->extra && r->extra->payment_ref &&
        text_equal(ref, (struct text){r->extra->payment_ref, r->extra->payment_ref_size}))
        return false;
    reservation_set_payment(r, (struct text){0}, ref);
    return true;
}

enum outcome_code reservation_command_payment(struct step *step, uint32_t handle, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    struct reservation *r = reservation_at(st, handle);
    enum outcome_code code = state_refusal(r);
    if (code != OUTCOME_OK)
        return code;
    if (!paying(r) && r->payment_ttl_s == 0)
        return OUTCOME_PAYMENT_WINDOW_OFF;
    if (paying(r) && !record_payment(st, r, c->commit.payment_ref)) {
        step_answer(step, handle, out);
        return OUTCOME_OK;
    }
    if (!paying(r)) {
        int64_t deadline = st->now_ms + (int64_t)r->payment_ttl_s * 1000;
        if (deadline > r->expires_at_ms)
            reservation_set_deadline(st, handle, deadline);
        if (r->expires_at_ms > r->max_expires_at_ms)
            r->max_expires_at_ms = r->expires_at_ms;
        reservation_extra(r)->payment_started_at_ms = st->now_ms;
        record_payment(st, r, c->commit.payment_ref);
    }
    return changed(step, handle, ACTION_PAYMENT_STARTED, out);
}

void reservation_command_confirm(struct state *st, uint32_t handle, const uint64_t ticket_key[2])
{
    struct reservation *r = reservation_at(st, handle);
    reservation_set_status(st, handle, RESERVATION_CONFIRMED);
    waiting_list_ended(st, handle);
    struct reservation_extra *x = reservation_extra(r);
    x->confirmed_at_ms = st->now_ms;
    x->ticket_key[0] = ticket_key[0];
    x->ticket_key[1] = ticket_key[1];
    reservation_mark(st, handle, state_next_seq(st));
    st->totals.confirmed++;
}

void reservation_command_bought(struct state *st, uint32_t handle)
{
    struct reservation *r = reservation_at(st, handle);
    for (uint32_t i = 0; i < r->item_count; i++) {
        const struct item *item = &reservation_items(r)[i];
        if (item->kind != ITEM_SLOT)
            queue_bought(st, st->events[item->event], user_id(st, r->user));
    }
}

static int64_t total_of(struct reservation *r)
{
    int64_t total = 0;
    for (uint32_t i = 0; i < r->item_count; i++)
        total += reservation_items(r)[i].price;
    return total;
}

enum outcome_code reservation_command_commit(struct step *step, uint32_t handle, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    struct reservation *r = reservation_at(st, handle);
    if (r->status == RESERVATION_CONFIRMED) {
        step_answer(step, handle, out);
        return OUTCOME_OK;
    }
    enum outcome_code code = state_refusal(r);
    if (code != OUTCOME_OK)
        return code;
    bool paid = r->extra && r->extra->payment_ref;
    if (st->actor.role == ROLE_USER && r->payment_required && total_of(r) > 0 && !paid)
        return OUTCOME_PAYMENT_REQUIRED;
    if (c->commit.attributes.at)
        reservation_set_attributes(r, c->commit.attributes);
    reservation_set_payment(r, c->commit.payment_method, c->commit.payment_ref);
    reservation_command_confirm(st, handle, c->commit.ticket_key);
    changed(step, handle, ACTION_CONFIRMED, out);
    reservation_command_bought(st, handle);
    return OUTCOME_OK;
}

void reservation_command_let_go(struct state *st, uint32_t handle)
{
    struct reservation *r = reservation_at(st, handle);
    reservation_end_claims(st, handle, state_next_seq(st));
    reservation_set_status(st, handle, RESERVATION_RELEASED);
    waiting_list_ended(st, handle);
    reservation_extra(r)->ended_at_ms = st->now_ms;
    st->totals.released++;
    r->version++;
    state_emit_reservation(st, handle, ACTION_RELEASED);
}

static enum outcome_code release(struct step *step, uint32_t handle, struct outcome *out)
{
    struct state *st = step->state;
    reservation_command_let_go(st, handle);
    step_answer(step, handle, out);
    return OUTCOME_OK;
}

enum outcome_code reservation_command_release(struct step *step, uint32_t handle, struct outcome *out)
{
    struct state *st = step->state;
    struct reservation *r = reservation_at(st, handle);
    if (r->status == RESERVATION_RELEASED) {
        step_answer(step, handle, out);
        return OUTCOME_OK;
    }
    enum outcome_code code = state_refusal(r);
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

enum outcome_code reservation_command_item_drop(struct step *step, uint32_t handle, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    uint32_t index;
    enum outcome_code code = reservation_command_changeable(st, handle, out);
    if (code != OUTCOME_OK)
        return code;
    struct reservation *r = reservation_at(st, handle);
    if (!item_find(r, c->item.item_id, &index))
        return OUTCOME_NO_SUCH_ITEM;
    if (r->item_count == 1)
        return release(step, handle, out);
    reservation_item_remove(st, handle, index, state_next_seq(st));
    return changed(step, handle, ACTION_ITEM_DROPPED, out);
}

static enum outcome_code move_taken(struct step *step, enum item_kind kind, enum seat_status status,
                                    struct outcome *out)
{
    out->obstacles = step->obstacles;
    out->obstacle_count = 1;
    step->obstacles[0] = (struct obstacle){.kind = kind, .status = status};
    return OUTCOME_TAKEN;
}

/* A move is a claim: those on the waiting list come first, and where there is a waiting room a held item
 * needs a pass, as a hold does. Who has bought has no pass any more, and stays in the tier that it was
 * for. */
static enum outcome_code move_claim(struct step *step, struct reservation *r, const struct command *c,
                                    struct event *e, uint32_t from, uint32_t to)
{
    struct state *st = step->state;
    struct item_request request = {
        .kind = ITEM_SEAT, .event = e->image.id, .unit = c->item.seat, .quantity = 1};
    plan_begin(step);
    plan_want(step, &request, 0);
    step->targets[0].event = e;
    step->targets[0].position = to;
    enum outcome_code code = OUTCOME_OK;
    if (r->status == RESERVATION_HELD)
        code = queue_judge_pass(step, user_id(st, r->user));
    else if (e->image.has_queue && st->actor.role == ROLE_USER &&
             layout_seat(e->layout, from)->tier != layout_seat(e->layout, to)->tier)
        code = OUTCOME_PASS_TIER;
    if (code == OUTCOME_OK)
        code = plan_list(step);
    step->target_count = 0; /* the request goes with this function */
    return code;
}

/* The new seat must be free, and for a user not a way around paying. */
static enum outcome_code move_seat(struct step *step, struct reservation *r, const struct command *c,
                                   struct item *moved, struct outcome *out)
{
    struct state *st = step->state;
    struct event *e = st->events[moved->event];
    state_saw(out, e->seq);
    uint32_t position = layout_find(e->layout, c->item.seat);
    if (position == LAYOUT_NONE)
        return OUTCOME_NO_SUCH_SEAT;
    if (position == moved->position)
        return OUTCOME_OK;
    if (memcmp(r->currency, e->image.terms.currency, sizeof(r->currency)) != 0)
        return state_invalid(out, PLAN_ONE_CURRENCY, "/seat");
    bool confirmed = r->status == RESERVATION_CONFIRMED;
    if (!confirmed && !event_on_sale(e, st->actor.role, st->now_ms))
        return OUTCOME_NOT_ON_SALE;
    int64_t price = layout_seat(e->layout, position)->price;
    if (confirmed && st->actor.role == ROLE_USER && r->payment_required && price != moved->price)
        return OUTCOME_PAYMENT_REQUIRED;
    enum outcome_code code = move_claim(step, r, c, e, moved->position, position);
    if (code != OUTCOME_OK)
        return code;
    settle_seat(st, e, position);
    const struct seat *seat = seat_at(e, position);
    if (seat->claim != CLAIM_NONE || seat_blocked(e, position)) {
        state_saw(out, e->seq);
        return move_taken(step, ITEM_SEAT, seat_status(st, e, position), out);
    }
    moved->position = position;
    moved->price = price;
    return OUTCOME_OK;
}

/* The end that is asked for, or follows: from the service as it is now, or as it was if it is no longer
 * offered. */
static enum outcome_code move_end(const struct calendar *cal, const struct command *c,
                                  const struct item *item, struct outcome *out, int64_t *end_ms)
{
    *end_ms = c->item.end_ms;
    if (c->item.has_end)
        return OUTCOME_OK;
    if (!item->position)
        return state_invalid(out, "Missing end.", "/end");
    bool offered = !cal->image.services[item->position - 1].removed;
    *end_ms = c->item.start_ms +
              (offered ? calendar_service_ms(cal, item->position - 1) : item->end_ms - item->start_ms);
    return OUTCOME_OK;
}

/* The price stays, so a buyer cannot have more time for it: not than was paid for, nor than the service
 * takes. */
static bool move_stretches(const struct state *st, const struct reservation *r, const struct calendar *cal,
                           const struct item *old, int64_t length_ms)
{
    bool costs = old->price || cal->image.price;
    if (st->actor.role != ROLE_USER || !r->payment_required || !costs)
        return false;
    if (r->status != RESERVATION_CONFIRMED && !old->position)
        return false; /* any length costs the same there, and nothing is paid yet */
    bool offered = old->position && !cal->image.services[old->position - 1].removed;
    return length_ms > old->end_ms - old->start_ms &&
           !(offered && length_ms <= calendar_service_ms(cal, old->position - 1));
}

/* Judged as a new claim is, but for its own present one, which is not in its way. What has begun may go on
 * from where it began, until it is over; only app and admin may give another time for it. The price stays. */
static enum outcome_code move_slot(struct step *step, struct reservation *r, const struct command *c,
                                   struct item *moved, struct outcome *out)
{
    struct state *st = step->state;
    const struct item old = *moved;
    struct calendar *cal = st->calendars[old.event];
    int64_t start_ms = c->item.start_ms, end_ms, earliest_ms = st->now_ms;
    enum outcome_code code = move_end(cal, c, &old, out, &end_ms);
    if (code != OUTCOME_OK || (start_ms == old.start_ms && end_ms == old.end_ms))
        return code;
    if (old.start_ms < earliest_ms && start_ms == old.start_ms && old.until_ms > st->now_ms)
        earliest_ms = old.start_ms;
    if (old.start_ms < st->now_ms && start_ms != old.start_ms && st->actor.role == ROLE_USER)
        return state_invalid(out, "Invalid start: a slot that has started cannot be moved.", "/start");
    code = calendar_judge_instants(st->now_ms, earliest_ms, start_ms, end_ms, "", out);
    if (code == OUTCOME_OK)
        code = calendar_judge_hours(cal, 0, start_ms, end_ms, out);
    if (code != OUTCOME_OK)
        return code;
    if (move_stretches(st, r, cal, &old, end_ms - start_ms))
        return OUTCOME_PAYMENT_REQUIRED;
    bool sold = r->status == RESERVATION_CONFIRMED;
    enum seat_status status;
    int64_t until_ms = calendar_until(cal, end_ms);
    calendar_free(cal, old.start_ms, old.until_ms, sold);
    code = calendar_judge_room(st, cal, start_ms, until_ms, &status, out);
    calendar_claim(cal, old.start_ms, old.until_ms, sold, st->now_ms);
    if (code != OUTCOME_OK) {
        out->detail = CALENDAR_TAKEN;
        return move_taken(step, ITEM_SLOT, status, out);
    }
    moved->start_ms = start_ms;
    moved->end_ms = end_ms;
    moved->until_ms = until_ms;
    return OUTCOME_OK;
}

enum outcome_code reservation_command_item_move(struct step *step, uint32_t handle, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    uint32_t index;
    struct reservation *r = reservation_at(st, handle);
    if (!reservation_live(r))
        return state_refusal(r);
    if (r->status == RESERVATION_HELD && paying(r))
        return OUTCOME_PAYING;
    if (!item_find(r, c->item.item_id, &index))
        return OUTCOME_NO_SUCH_ITEM;
    const struct item *item = &reservation_items(r)[index];
    struct item moved = *item;
    bool seat = c->item.seat.at != NULL;
    if (seat && item->kind != ITEM_SEAT)
        return state_invalid(out, "Invalid seat: this item is not a seat.", "/seat");
    if (!seat && item->kind != ITEM_SLOT)
        return state_invalid(out, "Invalid start: this item is not a slot.", "/start");
    enum outcome_code code = seat ? move_seat(step, r, c, &moved, out) : move_slot(step, r, c, &moved, out);
    if (code != OUTCOME_OK)
        return code;
    if (moved.position == item->position && moved.start_ms == item->start_ms &&
        moved.end_ms == item->end_ms) {
        step_answer(step, handle, out);
        return OUTCOME_OK;
    }
    r->fence = moved.fence = state_next_seq(st);
    reservation_item_shift(st, handle, index, &moved);
    return changed(step, handle, ACTION_ITEM_MOVED, out);
}
