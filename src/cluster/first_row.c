/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/first_row.h"

#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/buf.h"
#include "base/memory/memory.h"
#include "core/change.h"
#include "log/log_pg.h"

uint32_t first_row_write(const struct first_row *row, struct buf *bytes)
{
    struct change *c = memory_zeroed(1, sizeof(*c));
    ASSERT(row->seq > 0 && row->epoch > 0 && bytes->size == 0);
    c->kind = CHANGE_OWNER;
    c->seq = row->seq;
    c->at_ms = row->at_ms;
    c->actor.role = ROLE_SERVER;
    c->owner = (struct owner_image){
        .epoch = row->epoch, .node = {row->node, strlen(row->node)}, .since_ms = row->at_ms};
    change_encode(bytes, c);
    free(c);
    const struct log_batch batch = {
        .bytes = bytes->data, .size = bytes->size, .count = 1, .at_ms = row->at_ms, .first_seq = row->seq};
    return log_pg_chain(row->before, row->epoch, &batch);
}
