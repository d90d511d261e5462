/* SPDX-License-Identifier: Apache-2.0 */
/* crowd.h — very many followers of one paused waiting room, and how soon each learns that it was admitted.
 *
 * They join and open their streams one after the other, a bounded number at a time. When all of them follow, the
 * admin's PATCH resumes the queue, and the time counts from when it is sent: it includes the PATCH, its journal, the
 * admission itself and its journal, so it is never less than from the admission to the event. With the queue's rate
 * each follower's own turn is known as well, and the time from there is reported too.
 *
 * A thousand followers come from each of the addresses 127.0.0.2, 127.0.0.3, …: no address runs out of ports, nor into
 * a server's usual limit of 1,024 connections per address.
 */
#ifndef BENCH_CROWD_H
#define BENCH_CROWD_H

#include "options.h"

/* Prints one JSON object; returns whether all were admitted and none too early. */
bool crowd_run(const struct options *o);
/* From a signal handler: as if the time were over. */
void crowd_interrupt(void);

#endif
