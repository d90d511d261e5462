/* SPDX-License-Identifier: Apache-2.0 */
/* hold.c — holds: a new reservation, or more items for a held one. */
#include "base/assertion.h"
#include "core/claim/expiry.h"
#include "core/claim/plan.h"
#include "core/claim/reservation.h"
#include "core/claim/reservation_command.h"
#include "core/claim/single_seats.h"
#include "core/claim/user.h"
#include "core/money/pay.h"
#include "core/step.h"

/* A repeated request is answered with the current state of its reservation. OK and !*seen: it is new. */
static enum outcome_code seen_before(struct step *step, struct outcome *out, bool *seen)
{
    struct state *st = step->state;
    struct id made;
    enum outcome_code code = idempotency_seen(st, step->command, out, seen, &made);
    if (code != OUTCOME_OK || !*seen)
        return code;
    uint32_t handle = reservation_find(st, made);
    /* The key stays in memory longer than the reservation: the book has it. */
    if (handle == TABLE_NONE) {
        out->replayed = false;
        return outcome_lacks(out, &(struct record_key){.kind = FETCH_RESERVATION, .id = made});
    }
    /* Judged by the current owner: after a transfer its tickets belong to the new one. */
    enum outcome_code whose = reservation_command_owner(step, handle, out);
    if (whose != OUTCOME_OK) {
        out->replayed = false;
        return whose;
    }
    settle_reservation(st, handle);
    return step_answer(step, handle, out);
}

static void grant(struct step *step, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    ASSERT(step->reservation == TABLE_NONE && step->ttl_s > 0 && step->owner.at);
    ASSERT(!c->hold.commit || c->actor.role != ROLE_USER); /* a buyer pays before the commit */
    uint32_t handle = reservation_begin(st, c->reservation, step->owner, &step->terms, step->ttl_s);
    struct reservation *r = reservation_at(st, handle);
    reservation_set_attributes(r, c->hold.attributes);
    /* Add the items first: confirming sells what the reservation has. */
    plan_grant(step, handle, r->fence);
    single_seats_keep(step, handle);
    reservation_payment_join(r);
    if (c->hold.commit) {
        reservation_record_payment(st, r, c->hold.payment_method, c->hold.payment_ref);
        reservation_confirm(st, handle, c->hold.ticket_key);
    }
    ASSERT(r->fence == state_next_seq(st)); /* the fence of a grant is the seq of its change */
    state_emit_reservation(st, handle, c->hold.commit ? ACTION_CONFIRMED : ACTION_HELD);
    if (c->hold.commit)
        pay_for_hold(step, handle);
    idempotency_remember(st, c, MADE_RESERVATION, r->id);
    out->created = true;
    step_answer(step, handle, out);
    /* Last, because the queue entry's change must come after the grant that causes it. */
    if (c->hold.commit)
        reservation_finish_entries(st, handle);
}

/* Whether the payment of a hold with `commit` covers the plan. */
static enum outcome_code judge_payment(struct step *step, struct outcome *out)
{
    int64_t total = 0;
    for (uint32_t i = 0; i < step->plan_count; i++)
        total += step->plan[i].item.price;
    enum outcome_code code = pay_judge_hold(step, total, step->terms.currency, out);
    if (code != OUTCOME_OK)
        plan_drop(step);
    return code;
}

/* All or nothing. Judged in the order of the contract: see plan.h. */
enum outcome_code hold_new(struct step *step, struct outcome *out)
{
    const struct command *c = step->command;
    bool seen = false;
    step->owner = c->user_id.at ? c->user_id : step->state->actor.name;
    enum outcome_code code = command_judge_caller(c);
    if (code == OUTCOME_OK)
        code = seen_before(step, out, &seen);
    /* A repeated request: its payment was recorded with the first one. */
    if (seen && code != OUTCOME_IDEMPOTENCY_KEY_REUSED)
        return code;
    if (code == OUTCOME_OK)
        code = pay_look_up(step, out);
    if (code == OUTCOME_OK)
        code = plan_items(step, out);
    if (code == OUTCOME_OK)
        code = judge_payment(step, out);
    if (code != OUTCOME_OK)
        return pay_reject(step, code, out);
    grant(step, out);
    return OUTCOME_OK;
}

/* ---- More items ---- */

/* Skips seats that it already has, and slots where the capacity is one; the deadline never moves later. */
enum outcome_code hold_more(struct step *step, struct outcome *out)
{
    struct state *st = step->state;
    uint32_t handle;
    bool seen;
    enum outcome_code code = reservation_command_find(step, out, &handle);
    if (code == OUTCOME_OK)
        /* Before anything is settled: the record might have to be fetched. */
        code = seen_before(step, out, &seen);
    if (code != OUTCOME_OK || seen)
        return code;
    settle_reservation(st, handle);
    if (st->settle_short) /* a judgement alone (gate.h): it has lapsed, or will soon */
        return OUTCOME_RETRY;
    code = reservation_command_changeable(st, handle, out);
    if (code != OUTCOME_OK)
        return code;
    struct reservation *r = reservation_at(st, handle);
    step->reservation = handle;
    step->owner = user_id(st, r->user);
    code = plan_items(step, out);
    if (code != OUTCOME_OK)
        return code;
    if (step->target_count > 0) {
        r->fence = state_next_seq(st);
        reservation_payment_split(r);
        reservation_set_terms(r, &step->terms); /* combined with its own: never longer */
        plan_grant(step, handle, r->fence);
        single_seats_keep(step, handle);
        reservation_payment_join(r);
        reservation_shorten(st, handle, &step->added); /* after the claims, which share its deadline */
        r->version++;
        ASSERT(r->status == RESERVATION_HELD && r->fence == state_next_seq(st));
        state_emit_reservation(st, handle, ACTION_ITEM_ADDED);
        idempotency_remember(st, step->command, MADE_RESERVATION, r->id);
        out->created = true;
    }
    return step_answer(step, handle, out);
}
