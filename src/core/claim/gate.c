/* SPDX-License-Identifier: Apache-2.0 */
#include "core/claim/gate.h"

#include "base/assertion.h"
#include "core/catalogue/event.h"
#include "core/claim/kind.h"
#include "core/claim/plan.h"
#include "core/claim/refusal.h"
#include "core/claim/reservation.h"
#include "core/step.h"
#include "core/waitlist/wish_group.h"

/* A payment of a refused hold is recorded, and wrong codes are limited, by the process that decides. */
static bool judged_here(const struct command *c)
{
    bool here = !c->hold.code.at && !(c->kind == COMMAND_HOLD && c->hold.commit);
    for (uint32_t i = 0; here && i < c->hold.count; i++)
        here = !c->hold.items[i].code.at && request_kind(c->hold.items[i].kind)->gated;
    return here;
}

static bool all_taken(const struct outcome *out)
{
    for (uint32_t i = 0; i < out->obstacle_count; i++)
        if (out->obstacles[i].kind != ITEM_SEAT ||
            (out->obstacles[i].status != UNIT_HELD && out->obstacles[i].status != UNIT_SOLD))
            return false;
    return out->obstacle_count > 0;
}

/* Whether the seat is held, and its hold has lapsed or will soon. */
static bool lapses(const struct state *st, const struct target *t)
{
    uint32_t claim = seat_at(t->event, t->part)->claim;
    return claim != CLAIM_NONE && !(claim & CLAIM_STUB) &&
           reservation_lapsed(reservation_at(st, claim - 1), st->now_ms + GATE_LEFT_MS);
}

/* Whether all seats were planned, or will be free in a moment. */
static bool would_grant(const struct step *step, const struct outcome *out)
{
    bool grants = step->command->kind == COMMAND_HOLD && step->target_count > 0 &&
                  (step->all_free || out->code == OUTCOME_TAKEN);
    for (uint32_t i = 0; grants && i < step->target_count; i++)
        grants = step->targets[i].request->kind == ITEM_SEAT;
    for (uint32_t i = 0; grants && i < out->obstacle_count; i++)
        grants = lapses(step->state, &step->targets[out->obstacles[i].item]);
    return grants;
}

static void refuse_held(struct step *step, const struct gate_intents *intents, struct outcome *out)
{
    *out = (struct outcome){.code = OUTCOME_TAKEN, .refused_item = intents->items[0]};
    for (uint32_t i = 0; i < intents->count; i++)
        plan_obstacle(step, &step->targets[intents->items[i]], UNIT_HELD, 0, out);
}

static enum gate_verdict verdict(struct step *step, const struct gate_intents *intents, struct outcome *out)
{
    struct state *st = step->state;
    if (out->code == OUTCOME_TAKEN && !st->settle_short && !st->count_short && all_taken(out))
        return GATE_REFUSES;
    if (!would_grant(step, out))
        return GATE_NO_VERDICT;
    if (!intents)
        return GATE_GRANTS;
    refuse_held(step, intents, out);
    return GATE_REFUSES;
}

bool gate_passes_list(const struct state *st, const struct event *e, struct text user)
{
    if (!waiting_list_comes_first(st, e))
        return true;
    /* Stock that comes free is offered to others, and a seat in the way stays in the way. But an offer to this user
     * would count against the limit per user, which is judged before seats are. */
    return !waiting_list_busy(e) && !list_live(e->list, user);
}

enum gate_verdict state_judge(struct state *st, const struct command *c, int64_t now_ms,
                              const struct gate_intents *intents, struct outcome *out)
{
    ASSERT(c->kind == COMMAND_HOLD || c->kind == COMMAND_ITEMS_ADD);
    if (!judged_here(c))
        return GATE_NO_VERDICT;
    *out = (struct outcome){0};
    state_begin(st, now_ms, c->actor, NULL); /* without a buffer nothing can be emitted */
    st->judges_only = true;
    step_begin(st->step, st, c);
    out->code = command_apply(st->step, out);
    st->judges_only = false;
    ASSERT(out->code != OUTCOME_OK || out->replayed); /* nothing was granted */
    ASSERT(!st->step->plan_count && !st->change_count && !st->touch_count && !st->span_count);
    enum gate_verdict found = verdict(st->step, intents, out);
    if (found == GATE_REFUSES)
        refusal_note(st->step, out);
    return found;
}
