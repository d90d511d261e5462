/* SPDX-License-Identifier: Apache-2.0 */
#include "histogram.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

#define SUB_COUNT (UINT64_C(1) << HISTOGRAM_SUB_BITS)
#define VALUE_MAX ((UINT64_C(1) << (HISTOGRAM_SHIFTS + HISTOGRAM_SUB_BITS + 1)) - 1)

/* Values below 128 have a bucket each; above that, the leading eight bits and their position choose it. */
static uint64_t bucket_of(uint64_t value)
{
    if (value < SUB_COUNT)
        return value;
    unsigned shift = 63u - (unsigned)__builtin_clzll(value) - HISTOGRAM_SUB_BITS;
    return ((uint64_t)shift << HISTOGRAM_SUB_BITS) + (value >> shift);
}

static uint64_t bucket_top(uint64_t bucket)
{
    if (bucket < 2 * SUB_COUNT)
        return bucket;
    uint64_t shift = (bucket >> HISTOGRAM_SUB_BITS) - 1;
    uint64_t leading = bucket - (shift << HISTOGRAM_SUB_BITS);
    return ((leading + 1) << shift) - 1;
}

void histogram_record(struct histogram *h, uint64_t value_ns)
{
    h->buckets[bucket_of(value_ns > VALUE_MAX ? VALUE_MAX : value_ns)]++;
    h->count++;
    if (value_ns > h->max_ns)
        h->max_ns = value_ns;
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
    for (int i = 0; i < HISTOGRAM_BUCKETS; i++)
        into->buckets[i] += from->buckets[i];
    into->count += from->count;
    if (from->max_ns > into->max_ns)
        into->max_ns = from->max_ns;
}

uint64_t histogram_percentile_ns(const struct histogram *h, double share)
{
    if (!h->count)
        return 0;
    uint64_t wanted = (uint64_t)ceil(share * (double)h->count);
    uint64_t seen = 0;
    for (uint64_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
        seen += h->buckets[i];
        if (seen && seen >= wanted) {
            uint64_t top = bucket_top(i);
            return top < h->max_ns ? top : h->max_ns;
        }
    }
    return h->max_ns;
}

void histogram_print(const struct histogram *h, const char *name)
{
    static const struct {
        const char *name;
        double share;
    } points[] = {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p999", 0.999}, {"max", 1}};
    printf(",\"%s\":{", name);
    for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++)
        printf("%s\"%s\":%.1f", i ? "," : "", points[i].name,
               (double)histogram_percentile_ns(h, points[i].share) / 1e3);
    putchar('}');
}
