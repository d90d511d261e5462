/* SPDX-License-Identifier: Apache-2.0 */
/* buffers.h — the time kept free before and after a slot.
 *
 * Its length is the calendar's setting at the time of the claim. Among the items of one reservation a buffer ends where
 * the next item begins, and begins where the previous one ends: two nights in a row need no cleaning in between. When
 * that item is removed, the buffer grows again, as far as the time is free.
 *
 *     start - before   start         end      end + after
 *            [..........[=============)...........)           alone
 *                       [=============)[==========)           with the next item of the same reservation
 */
#ifndef CORE_BUFFERS_H
#define CORE_BUFFERS_H

#include "core/step.h"

/* The start of its buffer. */
static inline int64_t item_from(const struct item *item)
{
    return item->start_ms - item->lead_ms;
}

/* Fills in the buffers of the new item of this target, among the other targets and the reservation's items. */
void buffers_plan(struct step *step, const struct target *t, struct item *item);
/* Removes the buffers of the reservation's other items from the timeline where they overlap the new item; or puts them
 * back. */
void buffers_lift(const struct step *step, const struct target *t, const struct item *item, bool off);
/* See struct claim_kind. */
void buffers_trim(struct state *st, uint32_t handle, const struct item *item);
void buffers_settle(struct state *st, uint32_t handle, const struct item *item);
void buffers_grow(struct state *st, uint32_t handle, uint32_t calendar);

#endif
