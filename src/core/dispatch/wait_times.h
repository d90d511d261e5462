/* SPDX-License-Identifier: Apache-2.0 */
/* wait_times.h — how long rides waited for a driver, over the last minutes: counted, not remembered one by one.
 *
 * Each minute has a count for each of WAIT_BUCKETS lengths of time, and the sum of what was counted there. The lengths
 * are WAIT_OCTAVE to each power of two, so that a bucket is never wider than a sixteenth of what is in it; below
 * WAIT_OCTAVE ms each millisecond has its own. So a fleet takes the same room however many rides it has, and a
 * percentile, which is the mean of its bucket, is off by at most 1/16 of itself; by nothing if all in the bucket are equal.
 */
#ifndef CORE_WAIT_TIMES_H
#define CORE_WAIT_TIMES_H

#include <stdint.h>

#define WAIT_MINUTES 16u /* the one under way, and the 15 before it */
#define WAIT_OCTAVE 16u
#define WAIT_MAX_MS ((1LL << 32) - 1) /* 49 days; whoever waited longer counts as this */
#define WAIT_BUCKETS (29u * WAIT_OCTAVE)

struct wait_minute {
    int64_t minute; /* since the epoch; what is of another one is long over */
    uint32_t count[WAIT_BUCKETS];
    uint64_t sum_ms[WAIT_BUCKETS];
};

struct wait_times {
    struct wait_minute minutes[WAIT_MINUTES]; /* by minute modulo WAIT_MINUTES */
};

struct wait_figures {
    uint32_t count;
    int64_t median_ms, p95_ms; /* 0: there were none */
};

void wait_times_add(struct wait_times *w, int64_t now_ms, int64_t waited_ms);
struct wait_figures wait_times_figures(const struct wait_times *w, int64_t now_ms);

#endif
