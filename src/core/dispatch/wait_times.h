/* SPDX-License-Identifier: Apache-2.0 */
/* wait_times.h — how long rides waited for a driver over the last minutes: a histogram per minute.
 *
 * Each minute has WAIT_BUCKETS buckets with a count and a sum each. There are WAIT_OCTAVE buckets to each power of two,
 * so that a bucket is never wider than a sixteenth of its values; below WAIT_OCTAVE ms each millisecond has its own. So
 * memory does not depend on the number of rides, and a percentile, the mean of its bucket, is off by at most 1/16; it
 * is exact if all values in the bucket are equal.
 */
#ifndef CORE_WAIT_TIMES_H
#define CORE_WAIT_TIMES_H

#include <stdint.h>

#define WAIT_MINUTES 16u /* the current one, and the 15 before it */
#define WAIT_OCTAVE 16u
#define WAIT_MAX_MS ((1LL << 32) - 1) /* 49 days; longer waits count as this */
#define WAIT_BUCKETS (29u * WAIT_OCTAVE)

struct wait_minute {
    int64_t minute; /* since the epoch; a slot of another minute is out of date */
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
