/* SPDX-License-Identifier: Apache-2.0 */
#include "core/owner.h"

#include "base/assertion.h"
#include "core/catalogue/event_seats.h"
#include "core/codec.h"
#include "core/state.h"

static bool owner_restore(struct state *st, const struct owner_image *image)
{
    if (image->epoch <= st->epoch || !image->node.size || image->node.size > OWNER_NODE_SIZE_MAX)
        return false;
    st->epoch = image->epoch;
    staged_release(st);
    return true;
}

void state_begin_epoch(struct state *st, uint64_t epoch, struct text node, int64_t now_ms, struct buf *changes)
{
    ASSERT(epoch > st->epoch && !st->follows);
    state_begin(st, now_ms, (struct actor){.role = ROLE_SERVER}, changes);
    st->change.kind = CHANGE_OWNER;
    st->change.owner = (struct owner_image){.epoch = epoch, .node = node, .since_ms = st->now_ms};
    state_commit(st);
    st->sales.wanted = true; /* a log that others write, too, judges sales itself */
    ASSERT(st->epoch == epoch && st->change_count == 1);
}

uint64_t state_epoch(const struct state *st)
{
    return st->epoch;
}

/* ---- The change: see change_codec.c before touching its bytes ---- */

#define OWNER_FIELDS(X) X(number, epoch) X(text, node) X(signed, since_ms)
CHANGE_CODEC(owner, owner, OWNER_FIELDS)
CHANGE_RESTORE(owner, owner_restore(st, &c->owner))
