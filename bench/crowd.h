/* SPDX-License-Identifier: Apache-2.0 */
/* crowd.h — very many followers of one paused waiting room, and how soon each hears that it was let in.
 *
 * They join and open their streams one after the other, a bounded number at a time. When all of them follow,
 * the queue is resumed by the admin's PATCH, and the time counts from the moment this is sent: it includes
 * the way of the PATCH, its journal, the admission itself and its journal, so it is never less than from the
 * admission to the telling. With the queue's rate each one's own turn is known as well, and what counts
 * beside is the time from there.
 *
 * A thousand followers come from each of the addresses 127.0.0.2, 127.0.0.3, …: no address runs out of
 * ports, nor into a server's usual bound of 1,024 connections from one address.
 */
#ifndef BENCH_CROWD_H
#define BENCH_CROWD_H

#include "options.h"

/* Prints one JSON object; returns whether everybody was told and nobody too early. */
bool crowd_run(const struct options *o);
/* From a signal handler: as if the time were over. */
void crowd_interrupt(void);

#endif
