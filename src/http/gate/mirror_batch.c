/* SPDX-License-Identifier: Apache-2.0 */
#include "http/gate/mirror_batch.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/assertion.h"
#include "base/resp/resp_writer.h"
#include "http/gate/gate.h"

#define BYTES_MAX (MIRROR_COMMAND_SIZE_MAX / 2 - 256)

void mirror_batch_init(struct mirror_batch *b, struct mirror_side *side)
{
    *b = (struct mirror_batch){.side = side};
    buf_init(&b->keys, BYTES_MAX);
    buf_init(&b->arguments, BYTES_MAX);
}

void mirror_batch_release(struct mirror_batch *b)
{
    buf_release(&b->keys);
    buf_release(&b->arguments);
}

void mirror_batch_clear(struct mirror_batch *b)
{
    ASSERT(!b->busy);
    b->count = 0;
    buf_clear(&b->keys);
    buf_clear(&b->arguments);
}

void mirror_batch_put(struct mirror_batch *b, char op, const struct claim_view *c, struct text user)
{
    char number[24];
    ASSERT(b->count < MIRROR_BATCH_MAX);
    b->seats[b->count].event = c->event_number;
    b->seats[b->count++].position = c->position;
    gate_key(&b->keys, c->event_id, c->seat_id);
    int size = snprintf(number, sizeof number, "%c%" PRIu64, op, c->version);
    resp_bytes(&b->arguments, number, (size_t)size);
    resp_bytes(&b->arguments, user.at, user.size);
}

void mirror_batch_write(const struct mirror_batch *b, const char *script, struct buf *out)
{
    buf_clear(out);
    resp_command(out, 3 + 3 * b->count);
    resp_text(out, "EVALSHA");
    resp_text(out, script);
    resp_number(out, b->count);
    buf_append(out, b->keys.data, b->keys.size);
    buf_append(out, b->arguments.data, b->arguments.size);
}
