/* SPDX-License-Identifier: Apache-2.0 */
/* sale_end.c — ends sales: refunded by staff, whole or by item, cancelled by the owner, or taken back because the event
 * is cancelled.
 *
 * The claims end, so the stock is free, for the waiting list first, and the tickets are void. What was kept for the
 * sale is owed from then on, by the ledger (ledger.h). */
#include "base/assertion.h"
#include "core/catalogue/event.h"
#include "core/claim/kind.h"
#include "core/claim/reservation.h"
#include "core/claim/reservation_command.h"
#include "core/money/event_cancel.h"
#include "core/money/ledger.h"

static enum outcome_code judge_state(const struct reservation *r)
{
    if (r->status == RESERVATION_CONFIRMED)
        return OUTCOME_OK;
    return r->status == RESERVATION_HELD ? OUTCOME_NOT_CONFIRMED : reservation_command_state(r);
}

/* What is taken back, and why. */
struct taken {
    const uint32_t *items; /* ids, no duplicates; ignored by end_whole */
    uint32_t count;
    struct text said;   /* in the history, and for what is owed; optional */
    struct text reason; /* in the history instead of that; none: the same */
    enum refund_cause cause;
    bool paid_back; /* nothing is owed any more */
};

static void set_reason(struct state *st, const struct taken *t)
{
    st->reason = t->reason.at ? t->reason : t->said;
}

/* Settles the ledger once the change is emitted. */
static enum outcome_code settle(struct step *step, uint32_t handle, const struct taken *t,
                                struct outcome *out)
{
    ledger_settle(step->state, handle,
                  &(struct ledger_why){.cause = t->cause, .said = t->said, .paid_back = t->paid_back});
    return step_answer(step, handle, out);
}

static enum outcome_code end_whole(struct step *step, uint32_t handle, enum reservation_status status,
                                   const struct taken *t, struct outcome *out)
{
    struct state *st = step->state;
    struct reservation *r = reservation_at(st, handle);
    bool refunded = status == RESERVATION_REFUNDED;
    ASSERT(r->status == RESERVATION_CONFIRMED && r->extra->confirmed_at_ms);
    reservation_end_claims(st, handle, state_next_seq(st));
    reservation_set_status(st, handle, status);
    r->extra->ended_at_ms = st->now_ms;
    r->version++;
    set_reason(st, t);
    state_emit_reservation(st, handle, refunded ? ACTION_REFUNDED : ACTION_CANCELLED);
    ASSERT(!reservation_live(r));
    return settle(step, handle, t, out);
}

static bool named(const struct taken *t, uint32_t item_id)
{
    for (uint32_t i = 0; i < t->count; i++)
        if (t->items[i] == item_id)
            return true;
    return false;
}

/* Settles lapsed holds that would be in the way when other items of the reservation get back the time kept free for
 * these. False: more of that than one step allows. */
static bool settle_around(struct state *st, uint32_t handle, const struct taken *t)
{
    struct reservation *r = reservation_at(st, handle);
    for (uint32_t i = 0; i < r->item_count; i++) {
        const struct item *item = &reservation_items(r)[i];
        if (named(t, item->item_id) && claim_kind(item->kind)->buffers_settle)
            claim_kind(item->kind)->buffers_settle(st, handle, item);
    }
    return !st->settle_short;
}

static enum outcome_code end_items(struct step *step, uint32_t handle, const struct taken *t,
                                   struct outcome *out)
{
    struct state *st = step->state;
    struct reservation *r = reservation_at(st, handle);
    ASSERT(r->status == RESERVATION_CONFIRMED && t->count >= 1 && t->count < r->item_count);
    if (!settle_around(st, handle, t))
        return OUTCOME_RETRY;
    for (uint32_t i = r->item_count; i-- > 0;) {
        struct item item = reservation_items(r)[i];
        if (!named(t, item.item_id))
            continue;
        reservation_note_before(st, r, i);
        reservation_item_remove(st, handle, i, state_next_seq(st));
        if (claim_kind(item.kind)->buffers_grow)
            claim_kind(item.kind)->buffers_grow(st, handle, item.resource);
    }
    ASSERT(r->item_count >= 1);
    set_reason(st, t);
    reservation_command_changed(step, handle, ACTION_ITEM_REFUNDED, out);
    return settle(step, handle, t, out);
}

/* ---- Refund ---- */

static uint32_t count_named(const struct taken *t, struct reservation *r)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->item_count; i++)
        count += named(t, reservation_items(r)[i].item_id);
    return count;
}

/* A ticket that was checked in has been used. Of these items; NULL: of all. */
static enum outcome_code judge_used(struct step *step, struct reservation *r, const struct taken *t,
                                    struct outcome *out)
{
    enum outcome_code code = OUTCOME_OK;
    for (uint32_t i = 0; code == OUTCOME_OK && i < r->item_count; i++) {
        const struct item *item = &reservation_items(r)[i];
        if (!t || named(t, item->item_id))
            code = tickets_used(step->state, r, item, step->command, out);
    }
    return code;
}

enum outcome_code sale_refund(struct step *step, uint32_t handle, struct outcome *out)
{
    const struct command *c = step->command;
    struct taken t = {.items = c->refund.items,
                      .count = c->refund.count,
                      .said = c->refund.reason,
                      .cause = REFUND_REFUNDED,
                      .paid_back = c->refund.paid_back};
    struct reservation *r = reservation_at(step->state, handle);
    if (r->status == RESERVATION_REFUNDED) /* the answer to the first one could have been lost */
        return step_answer(step, handle, out);
    enum outcome_code code = judge_state(r);
    if (code != OUTCOME_OK)
        return code;
    uint32_t count = count_named(&t, r);
    if (count < c->refund.count)
        return OUTCOME_NO_SUCH_ITEM;
    if (count > 0 && count < r->item_count) {
        code = judge_used(step, r, &t, out);
        return code == OUTCOME_OK ? end_items(step, handle, &t, out) : code;
    }
    return end_whole(step, handle, RESERVATION_REFUNDED, &t, out);
}

/* ---- Cancel ---- */

/* Until when this item can be cancelled; INT64_MAX: at any time. False: never. */
static bool cancellable(const struct state *st, const struct reservation *r, const struct item *item,
                        int64_t *until_ms, enum cancel_rule *rule)
{
    const struct event *e = item_event(st, item);
    struct kept_terms terms = reservation_kept_terms(st, r, item);
    *rule = e ? CANCEL_UNTIL_SECONDS : CANCEL_UNTIL_MINUTES;
    if (e)
        *until_ms = e->image.starts_at_ms ? e->image.starts_at_ms - terms.cancel_until * 1000LL : INT64_MAX;
    else
        *until_ms = item->start_ms - terms.cancel_until * 60000LL;
    return terms.cancels;
}

static enum outcome_code judge_items(struct step *step, struct reservation *r, struct outcome *out)
{
    struct state *st = step->state;
    ASSERT(r->status == RESERVATION_CONFIRMED && r->item_count >= 1);
    for (uint32_t i = 0; i < r->item_count; i++) {
        const struct item *item = &reservation_items(r)[i];
        int64_t until_ms;
        enum cancel_rule rule;
        bool may = cancellable(st, r, item, &until_ms, &rule);
        if (may && st->now_ms < until_ms)
            continue;
        out->cancel_rule = rule;
        out->cancel_until_ms = may ? until_ms : 0;
        state_saw(out, *claim_kind(item->kind)->seq(st, item));
        return OUTCOME_NOT_CANCELLABLE;
    }
    return OUTCOME_OK;
}

enum outcome_code sale_cancel(struct step *step, uint32_t handle, struct outcome *out)
{
    struct reservation *r = reservation_at(step->state, handle);
    if (r->status == RESERVATION_CANCELLED)
        return step_answer(step, handle, out);
    enum outcome_code code = judge_state(r);
    if (code == OUTCOME_OK)
        code = judge_used(step, r, NULL, out);
    if (code == OUTCOME_OK)
        code = judge_items(step, r, out);
    if (code != OUTCOME_OK)
        return code;
    return end_whole(step, handle, RESERVATION_CANCELLED, &(struct taken){.cause = REFUND_CANCELLED}, out);
}

/* ---- The event is cancelled ---- */

/* Whether it was used does not matter: those let in saw nothing of the event, or not all of it. */
enum outcome_code sale_cancel_event(struct step *step, uint32_t handle, struct outcome *out)
{
    struct state *st = step->state;
    struct event *e = event_find_number(st, step->command->cancel_sale.event);
    struct reservation *r = reservation_at(st, handle);
    uint32_t ids[ITEMS_MAX], count = 0;
    if (!e || !e->cancelling) /* removed since */
        return OUTCOME_OK;
    ASSERT(e->image.cancelled.at_ms && !e->image.cancelled.done);
    for (uint32_t i = 0; r->status == RESERVATION_CONFIRMED && i < r->item_count; i++)
        if (item_event(st, &reservation_items(r)[i]) == e)
            ids[count++] = reservation_items(r)[i].item_id;
    struct taken t = {.items = ids,
                      .count = count,
                      .said = e->image.cancelled.reason,
                      .reason = event_cancel_reason(e),
                      .cause = REFUND_EVENT_CANCELLED};
    event_cancel_seen(e, r->id);
    if (count == 0) /* cancelled or refunded since */
        return OUTCOME_OK;
    enum outcome_code code = count == r->item_count ? end_whole(step, handle, RESERVATION_REFUNDED, &t, out)
                                                    : end_items(step, handle, &t, out);
    ASSERT(code == OUTCOME_OK); /* an event keeps nothing free around its items */
    event_cancel_refunded(st, e);
    return code;
}
