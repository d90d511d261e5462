/* SPDX-License-Identifier: Apache-2.0 */
/* histogram.h — counts of durations in nanoseconds, in buckets that grow with the value.
 *
 * Each power of two has 128 buckets, so a percentile is at most 0.8 % too high and never too low; the maximum is exact.
 * Recording costs a few instructions and no memory.
 */
#ifndef BENCH_HISTOGRAM_H
#define BENCH_HISTOGRAM_H

#include <stdint.h>

#define HISTOGRAM_SUB_BITS 7
#define HISTOGRAM_SHIFTS 34 /* up to 2^41 ns, 36 minutes; longer values count as that */
#define HISTOGRAM_BUCKETS ((HISTOGRAM_SHIFTS + 2) << HISTOGRAM_SUB_BITS)

struct histogram {
    uint64_t buckets[HISTOGRAM_BUCKETS];
    uint64_t count;
    uint64_t max_ns;
};

void histogram_record(struct histogram *h, uint64_t value_ns);
void histogram_merge(struct histogram *into, const struct histogram *from);
/* The value that `share` (0..1) of all recorded ones do not exceed; 0 if there are none. */
uint64_t histogram_percentile_ns(const struct histogram *h, double share);
/* Prints `,"name":{"p50":…,"p90":…,"p99":…,"p999":…,"max":…}`, in microseconds. */
void histogram_print(const struct histogram *h, const char *name);

#endif
