/* SPDX-License-Identifier: Apache-2.0 */
/* cancelling.c — a row of due.h: undoes the claims on cancelled events, a slice at a time (core/money/event_cancel.h).
 *
 * Each sale is a command of its own. One that memory has forgotten is fetched from the book, like any other; several are
 * in flight at once, so that they do not wait for each other. A slice starts only when the one before is on disk, because
 * other requests wait for the same disk. */
#include "base/assertion.h"
#include "core/money/event_cancel.h"
#include "engine/due.h"

static void on_sale(void *ctx, const struct outcome *out)
{
    struct engine *e = ctx;
    (void)out; /* a sale that could not be undone is found again in the next round */
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
    engine_end_step(e);
    for (uint32_t begun = 0; begun < e->limits.cancel && e->cancelling < e->limits.cancel; begun++) {
        if (!state_cancel_sale(e->state, &c.cancel_sale.event, &c.reservation))
            break;
        e->cancelling++;
        engine_judge(e, now_ms, &c, on_sale, e);
    }
    ASSERT(e->cancelling <= e->limits.cancel);
    return more;
}
