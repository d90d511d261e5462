/* SPDX-License-Identifier: Apache-2.0 */
#include "http/queue/entry_view.h"

#include "base/frame.h"
#include "http/access/pass.h"
#include "http/record/encode.h"
#include "http/server.h"

LARGE_FRAME("not zeroed, and touched only up to the pass's length")
void entry_view_write(struct server *server, struct json_writer *w, const struct queue_entry_image *entry)
{
    const struct text *tiers = entry->tiers;
    uint32_t tier_count = entry->tier_count;
    struct queue_view queue;
    char pass[TOKEN_SIZE_MAX] __attribute__((uninitialized));
    struct text shown = {0};
    if (!tier_count && view_queue_find(server->view, entry->event_id, &queue) == OUTCOME_OK) {
        tiers = queue.settings.tiers;
        tier_count = queue.settings.tier_count;
    }
    if (entry->status == QUEUE_ADMITTED)
        shown = (struct text){pass, pass_write(server->auth.credentials, entry, tiers, tier_count, pass)};
    encode_queue_entry(w, entry, tiers, tier_count, shown);
}
LARGE_FRAME_END
