/* SPDX-License-Identifier: Apache-2.0 */
/* simulate_report.c — the results of a run as a table. All numbers are integers until they are printed, and decimals
 * are printed from integers too, so that no rounding differs between machines. */
#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "cli/simulate.h"

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int64_t *simulation_times(const struct simulation *s, bool fetched, uint32_t *count)
{
    int64_t *times = memory_zeroed(s->ride_count + 1, sizeof(*times));
    *count = 0;
    for (uint32_t i = 0; i < s->ride_count; i++) {
        const struct simulated_ride *r = &s->rides[i];
        if (fetched ? r->fetched_ms != 0 : r->assigned_ms != 0)
            times[(*count)++] = fetched ? r->fetched_ms - r->assigned_ms : r->assigned_ms - r->asked_ms;
    }
    qsort(times, *count, sizeof(*times), ascending);
    return times;
}

void simulation_refusals(const struct simulation *s, uint32_t refusals[REFUSAL_BUCKETS])
{
    for (int i = 0; i < REFUSAL_BUCKETS; i++)
        refusals[i] = 0;
    for (uint32_t i = 0; i < s->ride_count; i++)
        if (s->rides[i].assigned_ms)
            refusals[s->rides[i].refusals < REFUSAL_BUCKETS - 1 ? s->rides[i].refusals
                                                                : REFUSAL_BUCKETS - 1]++;
}

uint32_t simulation_rides(const struct simulation *s, bool assigned)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->ride_count; i++)
        count += (s->rides[i].assigned_ms != 0) == assigned;
    return count;
}

/* 1234567: "1,234,567". */
static void put_count(struct buf *out, const char *name, uint64_t n)
{
    char text[32];
    size_t at = sizeof(text) - 1;
    text[at] = '\0';
    int digits = 0;
    do {
        if (digits && digits % 3 == 0)
            text[--at] = ',';
        text[--at] = (char)('0' + n % 10);
        digits++;
    } while (n /= 10);
    buf_printf(out, "%-24s%10s", name, text + at);
}

static void put_share(struct buf *out, uint64_t part, uint64_t all)
{
    uint64_t tenths = all ? (part * 1000 + all / 2) / all : 0;
    buf_printf(out, "%6llu.%llu %%", (unsigned long long)(tenths / 10), (unsigned long long)(tenths % 10));
}

static void put_line(struct buf *out, const char *name, uint64_t part, uint64_t all)
{
    put_count(out, name, part);
    put_share(out, part, all);
    buf_append_text(out, "\n");
}

static void put_times(const struct simulation *s, bool fetched, const char *name, struct buf *out)
{
    static const uint32_t permille[] = {500, 900, 950, 990, 1000};
    uint32_t count;
    int64_t *times = simulation_times(s, fetched, &count);
    buf_printf(out, "%-24s", name);
    for (size_t i = 0; i < sizeof(permille) / sizeof(*permille); i++) {
        /* The smallest time that at least this share does not exceed. */
        uint32_t place = count ? (uint32_t)(((uint64_t)count * permille[i] + 999) / 1000) - 1 : 0;
        int64_t tenths = count ? (times[place] + 50) / 100 : 0;
        ASSERT(tenths >= 0);
        if (count)
            buf_printf(out, "%8lld.%lld", (long long)(tenths / 10), (long long)(tenths % 10));
        else
            buf_printf(out, "%10s", "-");
    }
    buf_append_text(out, "\n");
    free(times);
}

static void put_refusals(const struct simulation *s, uint32_t assigned, struct buf *out)
{
    static const char *const names[REFUSAL_BUCKETS] = {"  none", "  1", "  2", "  3", "  4", "  5 or more"};
    uint32_t refusals[REFUSAL_BUCKETS];
    simulation_refusals(s, refusals);
    buf_append_text(out, "\nrefusals before acceptance\n");
    for (int i = 0; i < REFUSAL_BUCKETS; i++)
        put_line(out, names[i], refusals[i], assigned);
}

static void put_drivers(const struct simulation *s, struct buf *out)
{
    static const char *const names[PHASE_COUNT] = {"  free", "  offered", "  to the pickup",
                                                   "  with a rider"};
    uint64_t all = 0;
    for (int i = 0; i < PHASE_COUNT; i++)
        all += s->phase_ms[i];
    buf_append_text(out, "\n");
    put_count(out, "drivers", s->options.drivers);
    buf_append_text(out, "   their time:\n");
    for (int i = PHASE_COUNT - 1; i >= 0; i--) {
        buf_printf(out, "%-34s", names[i]);
        put_share(out, s->phase_ms[i], all);
        buf_append_text(out, "\n");
    }
}

void simulate_report(const struct simulation *s, struct buf *out)
{
    const struct simulate_options *o = &s->options;
    uint32_t assigned = simulation_rides(s, true), refused = simulation_rides(s, false);
    uint64_t lost = s->ends[OFFER_DECLINED] + s->ends[OFFER_TIMED_OUT] + s->ends[OFFER_WITHDRAWN];
    ASSERT(assigned + refused == s->ride_count && s->offers == lost + s->ends[OFFER_ACCEPTED]);
    buf_printf(out,
               "%llu minutes, %llu km x %llu km, seed %llu; offers of %llu s, %llu rings of resolution %llu, "
               "search of %llu s",
               (unsigned long long)o->minutes, (unsigned long long)o->side_km, (unsigned long long)o->side_km,
               (unsigned long long)o->seed, (unsigned long long)o->offer_s, (unsigned long long)o->max_rings,
               (unsigned long long)o->resolution, (unsigned long long)o->search_s);
    if (o->batch_ms)
        buf_printf(out, ", batches of %llu ms", (unsigned long long)o->batch_ms);
    buf_append_text(out, "\n\n");
    put_count(out, "rides requested", s->ride_count);
    buf_append_text(out, "\n");
    put_line(out, "  got a driver", assigned, s->ride_count);
    put_line(out, "  no driver", refused, s->ride_count);
    put_count(out, "offers", s->offers);
    buf_append_text(out, "\n");
    put_line(out, "  accepted", s->ends[OFFER_ACCEPTED], s->offers);
    put_line(out, "  declined", s->ends[OFFER_DECLINED], s->offers);
    put_line(out, "  timed out", s->ends[OFFER_TIMED_OUT], s->offers);
    if (s->ends[OFFER_WITHDRAWN])
        put_line(out, "  withdrawn", s->ends[OFFER_WITHDRAWN], s->offers);
    buf_printf(out, "\n%-24s%10s%10s%10s%10s%10s\n", "seconds", "median", "p90", "p95", "p99", "longest");
    put_times(s, false, "request to assignment", out);
    put_times(s, true, "assignment to pickup", out);
    put_refusals(s, assigned, out);
    put_drivers(s, out);
}
