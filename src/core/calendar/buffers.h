/* SPDX-License-Identifier: Apache-2.0 */
/* buffers.h — the time that is kept free around a slot, before it and after it.
 *
 * As long as the calendar said when it was claimed. Among the items of one reservation it ends where the next one
 * begins, and begins where the one before is done: two nights in a row need no cleaning in between. When that one goes
 * the buffer comes back, as far as it is free.
 *
 *     start - before   start         end      end + after
 *            [..........[=============)...........)           alone
 *                       [=============)[==========)           with the next one of the same reservation
 */
#ifndef CORE_BUFFERS_H
#define CORE_BUFFERS_H

#include "core/step.h"

/* Where the item begins to be in others' way. */
static inline int64_t item_from(const struct item *item)
{
    return item->start_ms - item->lead_ms;
}

/* Fills in what the new item of this target keeps free, among the other targets and the reservation's items. */
void buffers_plan(struct step *step, const struct target *t, struct item *item);
/* Takes what the reservation's other items keep free, as far as the new item is there, off the timeline; or puts it
 * back. */
void buffers_lift(const struct step *step, const struct target *t, const struct item *item, bool off);
/* The same for good: see struct claim_kind. */
void buffers_give_way(struct state *st, uint32_t handle, const struct item *item);
void buffers_settle(struct state *st, uint32_t handle, const struct item *item);
void buffers_regain(struct state *st, uint32_t handle, uint32_t calendar);

#endif
