/* SPDX-License-Identifier: Apache-2.0 */
/* event_index.h — the index of each event, by which everything in memory refers to it.
 *
 * An index becomes free when its event is removed and no reservation in memory refers to it, and is then reused for a
 * later event, in a later step or batch: until then touches still refer to it. So everything that outlives a step (a worker's job, a stream) must refer to an event by its
 * number, which is never reused.
 *
 *   taken, listed ──► taken, removed ──► free (event.gone) ──► taken
 *
 * The list has the existing events, ordered by number.
 */
#ifndef CORE_EVENT_INDEX_H
#define CORE_EVENT_INDEX_H

#include "core/catalogue/event.h"

/* A new event, empty except for its index. */
struct event *event_index_take(struct state *st);
/* Frees the index. Nothing may refer to the event, and it must own nothing any more. */
void event_index_give(struct state *st, struct event *e);

/* Its number must be greater than all numbers in the list. */
void event_list_add(struct state *st, const struct event *e);
void event_list_remove(struct state *st, const struct event *e);

#endif
