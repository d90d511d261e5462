/* SPDX-License-Identifier: Apache-2.0 */
/* simulate.h — a fleet in virtual time: the drivers and riders of city.h against the real core.
 *
 * The simulation sends core the commands that a server would send, at the instants that a server would, and reads
 * the results from the changes that a server would write to its journal. No clock, file, socket or thread: the same
 * options give the same report, byte by byte.
 *
 *   driver   free: cruising or parked   offered: deciding   fetching: to the pickup, and until the rider is in
 *            driving: with the rider
 *
 *   simulate.c         the command: options, progress, files
 *   simulate_fleet.c   the run          simulate_report.c   the table      simulate_chart.c   the drawing
 */
#ifndef CLI_SIMULATE_H
#define CLI_SIMULATE_H

#include "base/memory/buf.h"
#include "cli/city.h"

struct simulate_options {
    uint64_t drivers, rides_per_minute, minutes, seed;
    uint64_t side_km;
    uint64_t decline_percent, ignore_percent; /* of a driver's offers; at most 100 together */
    uint64_t offer_s, resolution, max_rings, search_s, speed_kmh, batch_ms; /* of the fleet */
    uint64_t rating_milli, waiting_milli; /* its weights; the ETA's weight is 1 */
};

enum phase { PHASE_FREE, PHASE_OFFERED, PHASE_FETCHING, PHASE_DRIVING, PHASE_COUNT };

struct simulated_ride {
    struct city_point pickup, to;
    int64_t asked_ms;
    int64_t assigned_ms, fetched_ms; /* since the run began; 0: not yet */
    uint32_t refusals;               /* offers of it that were not accepted */
    uint8_t status;                  /* enum ride_status */
};

/* At the end of each minute. */
struct simulated_minute {
    uint32_t drivers[PHASE_COUNT];
    uint32_t waiting; /* rides: searching or offered */
};

struct simulation {
    struct simulate_options options;
    struct city city;
    struct simulated_ride *rides;
    uint32_t ride_count;
    struct simulated_minute *minutes;
    uint64_t phase_ms[PHASE_COUNT]; /* of all drivers together, while rides are requested */
    uint64_t offers, ends[OFFER_END_LAST + 1];
};

struct simulate_options simulate_defaults(void);
/* `progress` (or NULL) is called after each minute. */
void simulation_run(struct simulation *s, const struct simulate_options *options,
                    void (*progress)(void *ctx, const struct simulation *s, uint64_t minute), void *ctx);
void simulation_release(struct simulation *s);

/* The waiting times of rides that got a driver, ascending, in milliseconds; *count of them. With `fetched` the times
 * from there until the car reached the pickup. The caller frees the result. */
int64_t *simulation_times(const struct simulation *s, bool fetched, uint32_t *count);
/* How many rides with a driver had 0, 1, 2, … refusals before it; the last bucket counts all with more. */
#define REFUSAL_BUCKETS 6
void simulation_refusals(const struct simulation *s, uint32_t refusals[REFUSAL_BUCKETS]);
uint32_t simulation_rides(const struct simulation *s, bool assigned);

void simulate_report(const struct simulation *s, struct buf *out); /* text */
void simulate_chart(const struct simulation *s, struct buf *out);  /* SVG */

#endif
