/* SPDX-License-Identifier: Apache-2.0 */
#include "core/claim/gate.h"

#include "base/assertion.h"
#include "core/catalogue/event.h"
#include "core/claim/kind.h"
#include "core/claim/refusal.h"
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

bool gate_passes_list(const struct state *st, const struct event *e, struct text user)
{
    if (!waiting_list_comes_first(st, e))
        return true;
    /* Stock that comes free is offered to others, and a seat in the way stays in the way. But an offer to this user
     * would count against the limit per user, which is judged before seats are. */
    return !waiting_list_busy(e) && !list_live(e->list, user);
}

bool state_refuses(struct state *st, const struct command *c, int64_t now_ms, struct outcome *out)
{
    ASSERT(c->kind == COMMAND_HOLD || c->kind == COMMAND_ITEMS_ADD);
    if (!judged_here(c))
        return false;
    *out = (struct outcome){0};
    state_begin(st, now_ms, c->actor, NULL); /* without a buffer nothing can be emitted */
    st->judges_only = true;
    step_begin(st->step, st, c);
    out->code = command_apply(st->step, out);
    st->judges_only = false;
    ASSERT(out->code != OUTCOME_OK || out->replayed); /* nothing was granted */
    ASSERT(!st->step->plan_count && !st->change_count && !st->touch_count && !st->span_count);
    bool refused = out->code == OUTCOME_TAKEN && !st->settle_short && !st->count_short && all_taken(out);
    if (refused)
        refusal_note(st->step, out);
    return refused;
}
