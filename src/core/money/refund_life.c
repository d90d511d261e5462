/* SPDX-License-Identifier: Apache-2.0 */
/* refund_life.c — of refund.h: a refund is due, and ends; and the commands by which somebody says that it was paid back, or
 * looks at one. */
#include "base/assertion.h"
#include "core/money/refund.h"
#include "core/state.h"

uint64_t refund_due_over(struct state *st, struct id reservation, struct text payment_ref, int64_t amount,
                         const char currency[3], enum refund_cause cause, struct text said)
{
    const char *name = refund_cause_name(cause);
    struct refund_image image = {.number = state_next_seq(st),
                                 .reservation = reservation,
                                 .payment_ref = payment_ref,
                                 .amount = amount,
                                 .reason = said.at ? said : (struct text){name, strlen(name)},
                                 .created_at_ms = st->now_ms};
    ASSERT(payment_ref.size >= 1 && amount >= 0 && !id_none(reservation));
    memcpy(image.currency, currency, 3);
    refund_emit(st, &image);
    return image.number;
}

uint64_t refund_due(struct state *st, const struct reservation *r, struct text payment_ref, int64_t amount,
                    enum refund_cause cause, struct text said)
{
    ASSERT(r->number);
    return refund_due_over(st, r->id, payment_ref, amount, r->currency, cause, said);
}

static void end(struct state *st, uint64_t number, bool done)
{
    const struct refund_image *found = refund_find(st, number);
    ASSERT(found && !found->done_at_ms && !found->withdrawn);
    struct refund_image image = *found;
    image.done_at_ms = done ? st->now_ms : 0;
    image.withdrawn = !done;
    refund_emit(st, &image);
}

void refund_withdraw(struct state *st, uint64_t number)
{
    end(st, number, false);
}

void refund_set_done(struct state *st, uint64_t number)
{
    end(st, number, true);
}

/* ---- The commands ---- */

static enum outcome_code answer(struct state *st, uint64_t number, struct outcome *out)
{
    const struct refund_image *refund = refund_find(st, number);
    ASSERT(refund && !refund->withdrawn);
    out->refund = *refund;
    state_saw(out, refund_seq(st, number));
    return OUTCOME_OK;
}

/* In memory, or fetched from the book. */
static enum outcome_code known(const struct state *st, const struct command *c, struct outcome *out)
{
    const struct refund_image *r = refund_find(st, c->refund_done.number);
    if (!r && !c->refund_checked && c->refund_done.number <= st->seq) {
        out->fetch = FETCH_REFUND;
        out->fetch_refund = (struct refund_key){.number = c->refund_done.number};
        return OUTCOME_FETCH;
    }
    return !r || r->withdrawn ? OUTCOME_NO_SUCH_REFUND : OUTCOME_OK;
}

enum outcome_code refund_done(struct state *st, const struct command *c, struct outcome *out)
{
    enum outcome_code code = known(st, c, out);
    if (code != OUTCOME_OK)
        return code;
    if (!refund_find(st, c->refund_done.number)->done_at_ms)
        refund_set_done(st, c->refund_done.number);
    return answer(st, c->refund_done.number, out);
}

enum outcome_code refund_look(struct state *st, const struct command *c, struct outcome *out)
{
    enum outcome_code code = known(st, c, out);
    return code == OUTCOME_OK ? answer(st, c->refund_done.number, out) : code;
}
