/* SPDX-License-Identifier: Apache-2.0 */
/* sim_node.c — a second node: it follows by the durable batches alone, with a book of its own, and takes over from a process
 * that died. That one then follows, from its own book and the journal. */
#include "base/assertion.h"
#include "sim.h"

void sim_node_take(struct sim *s, const struct buf *batch, uint32_t count)
{
    struct follower *f = &s->node;
    follower_take(f, batch, count);
    if (!dice_percent(&s->node_dice, 40))
        return; /* the next ones will be applied together with this one */
    f->forgets = dice_percent(&s->node_dice, 50);
    s->tally->followed += f->count;
    follower_apply(f);
    if (dice_percent(&s->node_dice, 8))
        sim_node_check(s);
    if (f->fault[0])
        sim_fail(s, "%s", f->fault);
}

void sim_node_lost(struct sim *s)
{
    /* What the lost steps announced, nobody has seen; what is between is given up with it. */
    s->node.expected.count = s->node.announced.count = 0;
}

void sim_node_check(struct sim *s)
{
    struct follower *f = &s->node;
    if (s->batch_count)
        return; /* the engine is ahead of what is durable */
    follower_apply(f);
    follower_check(f, s->state);
    s->tally->followed_checks++;
    if (f->fault[0])
        sim_fail(s, "%s", f->fault);
}

bool sim_node_judge(struct sim *s, const struct command *c)
{
    bool judges = c->kind == COMMAND_HOLD || c->kind == COMMAND_ITEMS_ADD;
    if (judges && !s->batch_count && dice_percent(&s->node_dice, 40))
        follower_apply(&s->node);
    int64_t now_ms = s->node.st->now_ms;
    if (judges)
        follower_judge(&s->node, s->state, s->model.now, c);
    s->node.st->now_ms = now_ms; /* when power is lost, the time since the last batch is, too */
    s->tally->gate_judged += judges && s->node.verdict.exact;
    s->tally->gate_refused += judges && s->node.verdict.exact && s->node.verdict.refused;
    return judges;
}

void sim_node_judged(struct sim *s, const struct outcome *out)
{
    follower_judged(&s->node, out);
    if (s->node.fault[0])
        sim_fail(s, "%s", s->node.fault);
}

void sim_node_take_over(struct sim *s)
{
    struct follower *f = &s->node;
    struct fake_book book = s->book;
    ASSERT(!s->batch_count && !s->unrecorded_count); /* each book has everything */
    sim_node_check(s);
    if (!f->st->follows)
        return; /* it has seen nothing yet */
    if (!state_take_over(f->st))
        sim_fail(s, "A node takes over in the middle of a step.");
    struct state *dead = s->state;
    s->state = f->st;
    f->st = dead;
    s->book = f->book;
    f->book = book;
    state_follow_begin(f->st);
    state_follow_end(f->st);
    s->tally->taken_over++;
}
