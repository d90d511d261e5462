/* SPDX-License-Identifier: Apache-2.0 */
#include "core/dispatch/wait_times.h"

#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/memory.h"

#define MINUTE_MS 60000

/* 0 to 15 have buckets of their own; from there on, the position of the highest bit and the four bits below it. */
static uint32_t bucket_of(int64_t waited_ms)
{
    uint64_t ms = (uint64_t)(waited_ms < WAIT_MAX_MS ? waited_ms : WAIT_MAX_MS);
    if (ms < WAIT_OCTAVE)
        return (uint32_t)ms;
    uint32_t octave = 63u - (uint32_t)__builtin_clzll(ms) - 4;
    uint32_t bucket = octave * WAIT_OCTAVE + (uint32_t)(ms >> octave);
    ASSERT(bucket >= WAIT_OCTAVE && bucket < WAIT_BUCKETS);
    return bucket;
}

void wait_times_add(struct wait_times *w, int64_t now_ms, int64_t waited_ms)
{
    ASSERT(now_ms >= 0 && waited_ms >= 0);
    int64_t minute = now_ms / MINUTE_MS;
    struct wait_minute *m = &w->minutes[minute % WAIT_MINUTES];
    if (m->minute != minute) {
        ASSERT(m->minute < minute);
        memset(m, 0, sizeof(*m));
        m->minute = minute;
    }
    uint32_t bucket = bucket_of(waited_ms);
    m->count[bucket]++;
    m->sum_ms[bucket] += (uint64_t)waited_ms;
}

/* The wait at this rank, from 1 on, the shortest first. */
static int64_t at_place(const struct wait_minute *all, uint64_t place)
{
    uint32_t bucket = 0;
    for (uint64_t before = 0; before + all->count[bucket] < place; bucket++) {
        before += all->count[bucket];
        ASSERT(bucket + 1 < WAIT_BUCKETS); /* the rank is within the total */
    }
    return (int64_t)(all->sum_ms[bucket] / all->count[bucket]);
}

struct wait_figures wait_times_figures(const struct wait_times *w, int64_t now_ms)
{
    struct wait_minute *all = memory_zeroed(1, sizeof(*all));
    struct wait_figures f = {0};
    for (uint32_t i = 0; i < WAIT_MINUTES; i++) {
        const struct wait_minute *m = &w->minutes[i];
        if (m->minute + WAIT_MINUTES <= now_ms / MINUTE_MS)
            continue;
        for (uint32_t b = 0; b < WAIT_BUCKETS; b++) {
            all->count[b] += m->count[b];
            all->sum_ms[b] += m->sum_ms[b];
            f.count += m->count[b];
        }
    }
    if (f.count) {
        f.median_ms = at_place(all, (f.count + 1ull) / 2);
        f.p95_ms = at_place(all, (f.count * 95ull + 99) / 100);
    }
    free(all);
    ASSERT(f.median_ms <= f.p95_ms);
    return f;
}
