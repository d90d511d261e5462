/* SPDX-License-Identifier: Apache-2.0 */
/* queue_pace.h — how fast the line of a waiting room has moved, and how long an entry probably waits.
 *
 * What is measured are turns: a person was admitted, or was absent and passed over. They are kept in at most
 * QUEUE_PACES paces, each of the turns of half a second: of a slow room the last 20 turns, of a fast one the
 * last ten seconds.
 *
 * The estimate has two parts. Free places are given away at the rate of the settings, and absent people cost
 * nothing. All others wait until a place comes free, at the pace measured while the room was full: from the
 * newest pace back until the room was not full, or until a standstill, a gap much longer than usual. It is
 * unknown after fewer than three turns, and during a standstill.
 *
 * Not persistent. A process that follows another one measures by the changes, and knows the same.
 */
#ifndef CORE_QUEUE_PACE_H
#define CORE_QUEUE_PACE_H

#include "core/queue/queue_line.h"
#include "core/state.h"

/* Counts a turn, once it is over. `full`: no place is free now. */
void queue_pace_count(struct queue *q, int64_t now_ms, bool admitted, bool full);
/* Admissions from this time on. */
uint64_t queue_pace_admitted(const struct queue *q, int64_t from_ms);
/* The line has begun to move, or moves by other settings: earlier turns say nothing about it. */
static inline void queue_pace_restart(struct queue *q, int64_t now_ms)
{
    q->measured_from_ms = now_ms;
}

/* Estimated wait, in seconds, of an entry in line with this many ahead, in an open queue that admits; -1: unknown. */
int64_t queue_pace_wait_s(const struct state *st, const struct event *e, uint32_t ahead);

#endif
