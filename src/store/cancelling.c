/* SPDX-License-Identifier: Apache-2.0 */
/* cancelling.c — of turn.h: what was claimed of cancelled events is taken back, a slice a turn (core/money/event_cancel.h).
 *
 * Each sale is a command of its own: one that memory has forgotten is fetched from the book, like any other, and a few are
 * asked for at once so that the loop does not wait for each. A slice waits until the last one is on disk: others wait for
 * the same disk. */
#include "base/assertion.h"
#include "core/money/event_cancel.h"
#include "store/turn.h"

#define SALES_AT_ONCE 32u /* that are under way, and that one turn begins: less than a millisecond */

static void on_sale(void *ctx, const struct outcome *out)
{
    struct store *s = ctx;
    (void)out; /* what could not be taken back is found again in the next round */
    ASSERT(s->cancelling > 0);
    s->cancelling--;
    s->cancelled_seq = s->state->seq;
    store_more(s);
}

bool cancelling_step(struct store *s)
{
    struct state *st = s->state;
    struct command c = {.kind = COMMAND_CANCEL_SALE, .actor = {.role = ROLE_SERVER}};
    if (state_next_cancel(st) > store_now(s) || s->durable_seq < s->cancelled_seq || !local_has_room(s))
        return false;
    bool more = state_cancel(st, store_now(s), s->cancelling, batcher_changes(&s->batcher));
    local_take_in(s);
    for (uint32_t begun = 0; begun < SALES_AT_ONCE && s->cancelling < SALES_AT_ONCE; begun++) {
        if (!state_cancel_sale(st, &c.cancel_sale.event, &c.reservation))
            break;
        s->cancelling++;
        local_submit(s, &c, on_sale, s);
    }
    return more;
}
