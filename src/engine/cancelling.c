/* SPDX-License-Identifier: Apache-2.0 */
/* cancelling.c — of due.h: what was claimed of cancelled events is taken back, a slice at a time (core/money/event_cancel.h).
 *
 * Each sale is a command of its own: one that memory has forgotten is fetched from the book, like any other, and a few are
 * asked for at once so that the loop does not wait for each. A slice waits until the last one is on disk: others wait for
 * the same disk. */
#include "base/assertion.h"
#include "core/money/event_cancel.h"
#include "engine/due.h"

static void on_sale(void *ctx, const struct outcome *out)
{
    struct engine *e = ctx;
    (void)out; /* what could not be taken back is found again in the next round */
    ASSERT(e->cancelling > 0);
    e->cancelling--;
    e->cancelled_seq = e->state->seq;
    e->host.more(e->host.owner);
}

int64_t cancelling_next_ms(const struct engine *e)
{
    return e->durable_seq < e->cancelled_seq ? INT64_MAX : state_next_cancel(e->state);
}

bool cancelling_slice(struct engine *e, int64_t now_ms)
{
    struct command c = {.kind = COMMAND_CANCEL_SALE, .actor = {.role = ROLE_SERVER}};
    bool more = state_cancel(e->state, now_ms, e->cancelling, e->changes);
    engine_take_in(e);
    for (uint32_t begun = 0; begun < e->limits.cancel && e->cancelling < e->limits.cancel; begun++) {
        if (!state_cancel_sale(e->state, &c.cancel_sale.event, &c.reservation))
            break;
        e->cancelling++;
        engine_judge(e, now_ms, &c, on_sale, e);
    }
    return more;
}
