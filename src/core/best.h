/* SPDX-License-Identifier: Apache-2.0 */
/* best.h — the best seats that are left.
 *
 * Side by side in one row first; then leaving no single seat orphaned where that can be avoided; then nearest the front;
 * then nearest the middle of the row. Seats whose hold has lapsed count as free.
 */
#ifndef CORE_BEST_H
#define CORE_BEST_H

#include "core/state.h"

/* Picks item->quantity seats of the event into `picked`. Nothing is marked or settled. On refusal (SOLD_OUT,
 * NO_ADJACENT_SEATS) *available is how many seats would fit the wish; but while the rows of a large event are being counted
 * for the first time the refusal means nothing, and st->count_short says so. */
enum outcome_code best_pick(struct state *st, struct event *e, const struct item_request *item,
                            uint32_t picked[ITEMS_MAX], uint32_t *available);

#endif
