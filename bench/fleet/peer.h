/* SPDX-License-Identifier: Apache-2.0 */
/* peer.h — a server on a loopback port, with many requests under way at a time. Requests are prepared before the clock
 * runs, so that it measures the server and not us. A wrong answer ends the program. */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include "town.h"

/* Rate by the wall clock, and per second that the server's first thread, `pid`, was on a processor: if others need the
 * processors too, only the second is meaningful. */
struct rate {
    double by_clock, by_work;
};

/* Redis: one GEOADD for each position, sent 1,000 at a time; per second. The set is filled before. */
struct rate peer_geoadd(uint16_t port, int pid, struct town *t, double seconds);
/* Redis: the 16 nearest within the distance that Holdfast reads, nearest first; per second. */
struct rate peer_geosearch(uint16_t port, int pid, struct town *t, double seconds);
/* Holdfast: positions, 1,000 per request. The fleet and its drivers are created before. */
struct rate peer_positions(uint16_t port, int pid, const char *key, const char *fleet, struct town *t,
                           double seconds);

#endif
