/* SPDX-License-Identifier: Apache-2.0 */
#include "hook_carry.h"

#include "base/assertion.h"

static void carry_one(struct state *from, const struct hook *x, uint32_t handle, struct state *to)
{
    const struct hook_waiting *w = hook_waiting_at(from, handle);
    struct hook *y = hook_find_number(to, x->image.number);
    uint32_t other = hook_waiting_find(to, x->image.number, w->message.seq, w->message.ordinal);
    ASSERT(y && other != TABLE_NONE); /* the two were compared before */
    hook_waiting_at(to, other)->attempts = w->attempts;
    if (!w->last)
        return;
    if (w->place != HEAP_NONE)
        hook_waiting_again(to, y, other, x->due.entries[w->place].at_ms);
    else if (hook_waiting_at(to, other)->place != HEAP_NONE)
        heap_remove(&y->due, hook_waiting_at(to, other)->place);
}

void hook_carry(struct state *from, struct state *to)
{
    for (uint32_t i = 0; i < from->hooks.count; i++) {
        const struct hook *h = from->hooks.all[i];
        for (uint32_t at = h->oldest; at; at = hook_waiting_at(from, at - 1)->newer)
            carry_one(from, h, at - 1, to);
    }
}
