/* SPDX-License-Identifier: Apache-2.0 */
/* event_index.h — where events are kept: an index for each, by which everything in memory names it.
 *
 * An index is given back when its event is removed and no reservation in memory names it, and then goes to an
 * event that is made later: whatever outlives a step (a job of a worker, a stream) must name an event by its
 * number, which is never given again.
 *
 *   taken, listed ──► taken, removed ──► free (event.gone) ──► taken
 *
 * The list has the events that exist, in the order of their numbers.
 */
#ifndef CORE_EVENT_INDEX_H
#define CORE_EVENT_INDEX_H

#include "core/catalogue/event.h"

/* A new event, empty but for its index. */
struct event *event_index_take(struct state *st);
/* Nothing refers to it, and it owns nothing any more. */
void event_index_give(struct state *st, struct event *e);

/* Its number is greater than those of all that are listed. */
void event_list_add(struct state *st, const struct event *e);
void event_list_remove(struct state *st, const struct event *e);

#endif
