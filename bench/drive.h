/* SPDX-License-Identifier: Apache-2.0 */
/* drive.h — drives the lanes of one thread until their time or their requests are over.
 *
 * The first lane decides: when it has finished, the others stop too. Sleeps to the microsecond and never spins, so that
 * the generator takes no more of a small machine than it needs.
 */
#ifndef BENCH_DRIVE_H
#define BENCH_DRIVE_H

#include "lane.h"

/* Runs from start_ns (CLOCK_MONOTONIC, waited for) to end_ns, then up to ten seconds for requests under way. */
void drive(struct lane *lanes, int count, int epoll, uint64_t start_ns, uint64_t end_ns);
/* From a signal handler: as if the end had come. */
void drive_interrupt(void);

#endif
