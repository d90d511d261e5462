/* SPDX-License-Identifier: Apache-2.0 */
#include "core/money/payment.h"

#include "base/assertion.h"
#include "core/claim/reservation_command.h"

struct text payment_trusted(const struct state *st, struct text ref)
{
    bool trusted = st->actor.role == ROLE_APP || st->actor.role == ROLE_ADMIN;
    return trusted && ref.size ? ref : (struct text){0};
}

static struct text recorded(const struct reservation *r)
{
    return r->extra ? r->extra->payment_ref : (struct text){0};
}

bool payment_record(struct state *st, struct reservation *r, struct text method, struct text ref,
                    struct text *replaced)
{
    struct text before = recorded(r);
    bool another = ref.at && !(before.at && text_equal(before, ref));
    *replaced = another ? text_own(before) : (struct text){0};
    bool recorded_anew = reservation_record_payment(st, r, method, ref);
    ASSERT(recorded_anew == another);
    return another;
}

void payment_replaced(struct state *st, uint32_t handle, struct text replaced)
{
    struct reservation *r = reservation_at(st, handle);
    ASSERT(!replaced.at || !text_equal(replaced, recorded(r)));
    if (replaced.at && !refund_of(st, r->id, replaced))
        refund_due(st, r, replaced, reservation_total(r), REFUND_REPLACED, (struct text){0});
    text_free(replaced);
}

static enum refund_cause cause_of(const struct reservation *r)
{
    static const enum refund_cause causes[] = {
        [RESERVATION_CONFIRMED] = REFUND_PAID_TWICE, [RESERVATION_RELEASED] = REFUND_RELEASED,
        [RESERVATION_EXPIRED] = REFUND_EXPIRED,      [RESERVATION_CANCELLED] = REFUND_CANCELLED,
        [RESERVATION_REFUNDED] = REFUND_REFUNDED,
    };
    ASSERT(r->status > RESERVATION_HELD && r->status <= RESERVATION_STATUS_LAST);
    return causes[r->status];
}

/* The refund due of this payment, as memory or the book has it. OK: *found, or NULL: there is none. */
static enum outcome_code find_due(struct step *step, const struct reservation *r, struct text ref,
                                  const struct refund_image **found, struct outcome *out)
{
    struct state *st = step->state;
    *found = refund_of(st, r->id, ref);
    /* Of a hold that has lapsed just now, in this step, memory has them all. */
    bool held_before = st->change_count > 0;
    if (*found || held_before || step->command->refund_checked)
        return OUTCOME_OK;
    out->fetch = FETCH_REFUND;
    out->fetch_refund = (struct refund_key){.reservation = r->id, .payment_ref = ref};
    return OUTCOME_FETCH;
}

enum outcome_code payment_refuse(struct step *step, uint32_t handle, struct text ref, enum outcome_code code,
                                 struct outcome *out)
{
    struct state *st = step->state;
    struct reservation *r = reservation_at(st, handle);
    const struct refund_image *due;
    if (!ref.at)
        return code;
    enum outcome_code found = find_due(step, r, ref, &due, out);
    if (found != OUTCOME_OK)
        return found;
    /* What it was sold for is accounted for: there was a sale, and whoever ended it has seen to the payment. */
    bool sold_for = r->extra && r->extra->confirmed_at_ms && text_equal(ref, recorded(r));
    if (due)
        out->refund_due = due->number;
    else if (!sold_for)
        out->refund_due =
            refund_due(st, r, ref, reservation_total(r), cause_of(r), (struct text){0});
    state_saw(out, out->refund_due);
    return code;
}

enum outcome_code payment_late(struct step *step, uint32_t handle, struct text ref, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    struct reservation *r = reservation_at(st, handle);
    const struct refund_image *due;
    struct text replaced;
    enum outcome_code code = ref.at ? find_due(step, r, ref, &due, out) : OUTCOME_OK;
    if (code != OUTCOME_OK)
        return code;
    /* Money that went back buys nothing. */
    if (!ref.at || (due && due->done_at_ms) || !payment_welcome_late(step, handle, &code))
        return code == OUTCOME_OK ? payment_refuse(step, handle, ref, OUTCOME_EXPIRED, out) : code;
    due = refund_of(st, r->id, ref); /* settling others may have moved it */
    uint64_t withdrawn = due ? due->number : 0;
    if (c->commit.attributes.at)
        reservation_set_attributes(r, c->commit.attributes);
    /* What was on record when it expired is owed since then. */
    payment_record(st, r, c->commit.payment_method, ref, &replaced);
    reservation_confirm_late(st, handle, c->commit.ticket_key);
    reservation_command_changed(step, handle, ACTION_CONFIRMED, out);
    payment_replaced(st, handle, replaced);
    if (withdrawn)
        refund_withdraw(st, withdrawn);
    reservation_finish_entries(st, handle);
    return OUTCOME_OK;
}

enum outcome_code payment_of_confirmed(struct step *step, uint32_t handle, struct text ref, struct outcome *out)
{
    struct reservation *r = reservation_at(step->state, handle);
    struct text replaced;
    ASSERT(r->status == RESERVATION_CONFIRMED);
    if (!ref.at || text_equal(ref, recorded(r)))
        return step_answer(step, handle, out);
    if (!recorded(r).at) {
        payment_record(step->state, r, (struct text){0}, ref, &replaced);
        return reservation_command_changed(step, handle, ACTION_PAYMENT_RECEIVED, out);
    }
    enum outcome_code code = payment_refuse(step, handle, ref, OUTCOME_OK, out);
    return code == OUTCOME_OK ? step_answer(step, handle, out) : code;
}

void payment_ended(struct state *st, uint32_t handle, enum refund_cause cause)
{
    struct reservation *r = reservation_at(st, handle);
    ASSERT(!reservation_live(r));
    /* One that was found wrong before, by its amount say, is due already. */
    if (recorded(r).at && !refund_of(st, r->id, recorded(r)))
        refund_due(st, r, recorded(r), reservation_total(r), cause, (struct text){0});
}
