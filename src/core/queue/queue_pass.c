/* SPDX-License-Identifier: Apache-2.0 */
/* queue_pass.c — passes in the hold step of an event with a waiting room: for what and for whom a pass is valid.
 *
 *   none                                                     pass_required
 *   forged; another event's or user's; of no such entry      pass_invalid
 *   genuine, but its time has run out                        pass_expired
 *   of an entry that has finished or left                    pass_invalid
 *   a seat or a requested tier outside its tiers             pass_tier
 */
#include "base/assertion.h"
#include "core/catalogue/event.h"
#include "core/claim/plan.h"
#include "core/entry.h"
#include "core/queue/queue.h"
#include "core/queue/queue_time.h"

/* The entry of the pass, if it belongs to this user and event; 0: the pass is not valid here. */
static uint32_t pass_entry(const struct event *e, const struct pass_claim *pass, struct text owner)
{
    if (!text_equal(pass->event, e->image.id) || !text_equal(pass->user, owner))
        return 0;
    uint32_t number = entry_number(e, ENTRY_QUEUE, pass->entry);
    return number && text_equal(queue_user(e->queue, number), owner) ? number : 0;
}

static enum outcome_code judge(struct state *st, struct event *e, const struct pass_claim *pass,
                               struct text owner, uint32_t *number)
{
    if (pass->verdict == PASS_NONE)
        return OUTCOME_PASS_REQUIRED;
    *number = pass->verdict == PASS_FALSE ? 0 : pass_entry(e, pass, owner);
    if (!*number)
        return OUTCOME_PASS_INVALID;
    if (pass->verdict == PASS_LAPSED)
        return OUTCOME_PASS_EXPIRED;
    /* The signature is not enough: the entry must be admitted now. */
    queue_settle(st, e, *number);
    const struct queue_entry *entry = queue_entry(e->queue, *number);
    if (entry->status == QUEUE_ADMITTED)
        return OUTCOME_OK;
    bool lapsed = entry->status == QUEUE_FINISHED && st->now_ms >= queue_until_ms(entry);
    return lapsed ? OUTCOME_PASS_EXPIRED : OUTCOME_PASS_INVALID;
}

bool queue_tier_named(const struct target *t, struct text tier)
{
    for (uint32_t i = 0; i < t->tier_count; i++)
        if (tier.at && text_equal(t->tiers[i], tier))
            return true;
    return t->tier_count == 0;
}

enum outcome_code queue_judge_pass(struct step *step, struct target *t, struct outcome *out)
{
    (void)out;
    struct state *st = step->state;
    struct event *e = t->event;
    if (!e->image.has_queue || st->actor.role == ROLE_ADMIN || plan_moves_sold(step, t))
        return OUTCOME_OK;
    if (t > step->targets && t[-1].event == e) { /* already judged */
        t->tiers = t[-1].tiers;
        t->tier_count = t[-1].tier_count;
        return OUTCOME_OK;
    }
    struct queue *q = e->queue;
    ASSERT(q && q->image.event == e->image.number);
    uint32_t number;
    enum outcome_code code = judge(st, e, &step->command->pass, step->owner, &number);
    if (code != OUTCOME_OK)
        return code;
    uint64_t own = queue_entry(q, number)->tiers;
    t->tier_count = own ? queue_tiers_name(q, own, q->pass_tiers) : e->image.queue.tier_count;
    t->tiers = own ? q->pass_tiers : e->image.queue.tiers;
    ASSERT(!own || t->tier_count); /* a pass for some tiers must not become one for all */
    return OUTCOME_OK;
}

void queue_bought(struct state *st, struct event *e, struct text user)
{
    uint32_t number = e->queue ? queue_find_user(e->queue, user) : 0;
    const struct queue_entry *entry = number ? queue_entry(e->queue, number) : NULL;
    ASSERT(!entry || entry->status != QUEUE_ADMITTED || entry->until_s); /* a pass has an end */
    if (entry && entry->status == QUEUE_ADMITTED)
        queue_emit_move(st, e, number, QUEUE_FINISHED, queue_until_ms(entry), true);
}
