/* SPDX-License-Identifier: Apache-2.0 */
/* metrics.h — counters of the HTTP layer, and the page at /metrics in Prometheus text format.
 *
 * Counters and histograms since the start; reading them resets nothing. Loop thread only.
 */
#ifndef HTTP_METRICS_H
#define HTTP_METRICS_H

#include "base/memory/buf.h"
#include "base/time/clock.h"
#include "http/routes.h"
#include "view/view.h"

#define METRICS_BUCKETS 16

struct histogram {
    uint64_t buckets[METRICS_BUCKETS]; /* not cumulative; the last is everything longer */
    uint64_t count;
    uint64_t sum_ns;
};

/* What became of the intents of a hold. */
enum gate_intent_result {
    GATE_INTENT_TAKEN,
    GATE_INTENT_REFUSED,
    GATE_INTENT_TIMED_OUT,
    GATE_INTENT_AROUND, /* Redis was away, or did not know what was asked */
    GATE_INTENT_RESULTS
};

struct metrics {
    uint64_t requests[ROUTES_MAX + 1][6]; /* by route (the last: none matched) and status class */
    struct histogram latency[LANE_COUNT]; /* from the complete request to the reply being released */
    struct histogram turns;
    uint64_t turn_longest_ns, turn_busiest_ns;
    uint64_t connections_accepted, connections_refused, connections_evicted, connections_timed_out;
    uint64_t unframed;    /* requests that could not be framed */
    uint64_t slowed_down; /* 429 */
    uint64_t gate_refused; /* holds, by the copy of a node that follows: gate/gate_call.h */
    uint64_t gate_intents[GATE_INTENT_RESULTS]; /* gate/intent.h */
    uint64_t gate_repaired;                     /* stale keys that were overwritten */
    struct histogram gate_latency;              /* of intents */
    uint64_t streams_dropped;
    /* Requests that another node was asked to answer: forward/forward.h. */
    uint64_t forwards, forwards_failed, forwards_undecided, forwards_in_flight;
    struct histogram forward_latency;
};

/* Of a gate on Redis. */
struct gate_gauges {
    bool configured;
    uint64_t addresses, up;
    uint64_t mirror_queue, refill_done, refill_total; /* seats: gate/mirror.h */
};

/* Current values, collected when the page is written. */
struct metrics_gauges {
    uint64_t resident_bytes;
    bool ready; /* as /readyz says */
    bool owner; /* this process decides */
    uint64_t connections, streams, entry_streams, ride_streams, forwarded_streams;
    struct store_stats store;
    struct entry_stats entries;
    struct hook_stats hooks;
    struct dispatch_stats dispatch;
    struct gate_gauges gate;
};

/* Adds `count` replies of this latency. */
void metrics_latency(struct metrics *m, enum lane lane, uint64_t ns, uint64_t count);
void metrics_request(struct metrics *m, const struct route *route, int status); /* route NULL: none matched */
/* A forward is over, after this time. */
void metrics_forward(struct metrics *m, uint64_t ns);
/* The intents of a hold were asked for, for this time. */
void metrics_intent(struct metrics *m, enum gate_intent_result result, uint64_t ns);
/* Adds a turn of the loop: its duration, and the processor time it used. */
void metrics_turn(struct metrics *m, uint64_t ns, uint64_t worked_ns);
void metrics_write(const struct metrics *m, const struct metrics_gauges *gauges, struct buf *out);

#endif
