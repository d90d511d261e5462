/* SPDX-License-Identifier: Apache-2.0 */
/* simulate.h — a fleet in virtual time: drivers and riders of city.h on the one side, core itself on the other.
 *
 * The simulation gives core the commands that a server would give it, at the instants that a server would, and learns
 * what came of them from the changes that a server would write down. No clock, file, socket or thread: the same
 * options give the same report, byte by byte.
 *
 *   driver   free: cruises, waits   offered: thinks it over   fetching: to the pickup, and until the rider is in
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
    uint64_t decline_percent, ignore_percent; /* of the offers that a driver gets; together at most 100 */
    uint64_t offer_s, resolution, max_rings, search_s, speed_kmh, batch_ms; /* of the fleet */
    uint64_t rating_milli, waiting_milli; /* its weights; that of the ETA is 1 */
};

enum phase { PHASE_FREE, PHASE_OFFERED, PHASE_FETCHING, PHASE_DRIVING, PHASE_COUNT };

struct simulated_ride {
    struct city_point pickup, to;
    int64_t asked_ms;
    int64_t assigned_ms, fetched_ms; /* since the run began; 0: not */
    uint32_t refusals;               /* offers of it that came to nothing */
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
    uint64_t phase_ms[PHASE_COUNT]; /* of all drivers together, while rides are asked for */
    uint64_t offers, ends[OFFER_END_LAST + 1];
};

struct simulate_options simulate_defaults(void);
/* `progress` (NULL: nobody asks) is told after each minute. */
void simulation_run(struct simulation *s, const struct simulate_options *options,
                    void (*progress)(void *ctx, const struct simulation *s, uint64_t minute), void *ctx);
void simulation_release(struct simulation *s);

/* How long those who got a driver waited for that, ascending, in milliseconds; *count of them. With `fetched` how
 * long it took from there until the car was at the pickup. The caller's to free. */
int64_t *simulation_times(const struct simulation *s, bool fetched, uint32_t *count);
/* How many rides with a driver had so many refusals before; the last place counts all with more. */
#define CHAINS 6
void simulation_chains(const struct simulation *s, uint32_t chains[CHAINS]);
uint32_t simulation_rides(const struct simulation *s, bool assigned);

void simulate_report(const struct simulation *s, struct buf *out); /* text */
void simulate_chart(const struct simulation *s, struct buf *out);  /* SVG */

#endif
