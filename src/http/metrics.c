/* SPDX-License-Identifier: Apache-2.0 */
#include "http/metrics.h"

#include <inttypes.h>

#include "base/assertion.h"

static const uint64_t bounds_ns[METRICS_BUCKETS - 1] = {
    50000,    100000,   250000,    500000,    1000000,   2000000,    5000000,    10000000,
    25000000, 50000000, 100000000, 250000000, 500000000, 1000000000, 2500000000,
};

static void histogram_add(struct histogram *h, uint64_t ns, uint64_t count)
{
    unsigned i = 0;
    while (i < METRICS_BUCKETS - 1 && ns > bounds_ns[i])
        i++;
    h->buckets[i] += count;
    h->count += count;
    h->sum_ns += ns * count;
}

void metrics_latency(struct metrics *m, enum lane lane, uint64_t ns, uint64_t count)
{
    histogram_add(&m->latency[lane], ns, count);
}

void metrics_forward(struct metrics *m, uint64_t ns)
{
    histogram_add(&m->forward_latency, ns, 1);
}

void metrics_intent(struct metrics *m, enum gate_intent_result result, uint64_t ns)
{
    m->gate_intents[result]++;
    histogram_add(&m->gate_latency, ns, 1);
}

void metrics_request(struct metrics *m, const struct route *route, int status)
{
    ASSERT(status >= 100 && status < 600);
    m->requests[route ? route - routes : ROUTES_MAX][status / 100]++;
}

void metrics_turn(struct metrics *m, uint64_t ns, uint64_t worked_ns)
{
    histogram_add(&m->turns, ns, 1);
    if (ns > m->turn_longest_ns)
        m->turn_longest_ns = ns;
    if (worked_ns > m->turn_busiest_ns)
        m->turn_busiest_ns = worked_ns;
}

/* ---- The page ---- */

static void write_seconds(struct buf *out, uint64_t ns)
{
    buf_printf(out, "%" PRIu64 ".%09" PRIu64, ns / 1000000000, ns % 1000000000);
}

static void write_head(struct buf *out, const char *name, const char *type, const char *help)
{
    buf_printf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void write_number(struct buf *out, const char *name, const char *type, const char *help,
                         uint64_t value)
{
    write_head(out, name, type, help);
    buf_printf(out, "%s %" PRIu64 "\n", name, value);
}

static void write_duration(struct buf *out, const char *name, const char *type, const char *help, uint64_t ns)
{
    write_head(out, name, type, help);
    buf_printf(out, "%s ", name);
    write_seconds(out, ns);
    buf_append_text(out, "\n");
}

/* `label` is empty or ends in a comma. */
static void write_histogram(struct buf *out, const char *name, const char *label, const struct histogram *h)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < METRICS_BUCKETS; i++) {
        sum += h->buckets[i];
        buf_printf(out, "%s_bucket{%sle=\"", name, label);
        if (i < METRICS_BUCKETS - 1)
            buf_printf(out, "%g", (double)bounds_ns[i] / 1e9);
        else
            buf_append_text(out, "+Inf");
        buf_printf(out, "\"} %" PRIu64 "\n", sum);
    }
    /* The label without its comma. */
    int size = (int)strlen(label) - (*label != '\0');
    const char *open = *label ? "{" : "", *close = *label ? "}" : "";
    buf_printf(out, "%s_sum%s%.*s%s ", name, open, size, label, close);
    write_seconds(out, h->sum_ns);
    buf_printf(out, "\n%s_count%s%.*s%s %" PRIu64 "\n", name, open, size, label, close, h->count);
}

static void write_requests(const struct metrics *m, struct buf *out)
{
    write_head(out, "holdfast_requests_total", "counter", "Requests answered, by route and status class.");
    for (unsigned i = 0; i <= ROUTES_MAX; i++) {
        const struct route *route = i < routes_count ? &routes[i] : NULL;
        for (unsigned class = 1; class < 6; class ++) {
            if (m->requests[i][class])
                buf_printf(
                    out, "holdfast_requests_total{method=\"%s\",route=\"%s\",status=\"%uxx\"} %" PRIu64 "\n",
                    route ? method_name(route->method) : "", route ? route->pattern : "", class,
                    m->requests[i][class]);
        }
    }
}

static void write_latencies(const struct metrics *m, struct buf *out)
{
    static const struct {
        enum lane lane;
        const char *label;
    } lanes[] = {
        {LANE_READ, "kind=\"read\","}, {LANE_HOLD, "kind=\"hold\","}, {LANE_COMMIT, "kind=\"commit\","},
        {LANE_JOIN, "kind=\"join\","}, {LANE_POLL, "kind=\"poll\","},
    };
    write_head(out, "holdfast_request_seconds", "histogram",
               "Time from the complete request to the durable reply, by kind of call.");
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++)
        write_histogram(out, "holdfast_request_seconds", lanes[i].label, &m->latency[lanes[i].lane]);
    write_head(out, "holdfast_loop_turn_seconds", "histogram",
               "Duration of loop turns, without waiting for input.");
    write_histogram(out, "holdfast_loop_turn_seconds", "", &m->turns);
    write_duration(out, "holdfast_loop_turn_longest_seconds", "gauge", "The longest turn of the loop so far.",
                   m->turn_longest_ns);
    write_duration(out, "holdfast_loop_turn_busiest_seconds", "gauge",
                   "The most processor time used by one turn of the loop so far.", m->turn_busiest_ns);
}

#define GAUGE(name, help, value) write_number(out, name, "gauge", help, value)
#define COUNTER(name, help, value) write_number(out, name, "counter", help, value)

static void write_connections(const struct metrics *m, const struct metrics_gauges *g, struct buf *out)
{
    GAUGE("holdfast_connections", "Open connections.", g->connections);
    GAUGE("holdfast_streams", "Open event streams.", g->streams);
    GAUGE("holdfast_entry_streams", "Open streams of waiting room entries.", g->entry_streams);
    GAUGE("holdfast_ride_streams", "Open streams of rides and of drivers' offers.", g->ride_streams);
    COUNTER("holdfast_connections_accepted_total", "Connections accepted.", m->connections_accepted);
    COUNTER("holdfast_connections_refused_total", "Connections refused at a cap.", m->connections_refused);
    COUNTER("holdfast_connections_evicted_total", "Idle connections closed to make room.",
            m->connections_evicted);
    COUNTER("holdfast_connections_timed_out_total", "Connections closed because they were too slow.",
            m->connections_timed_out);
    COUNTER("holdfast_streams_dropped_total", "Streams closed because they fell behind.", m->streams_dropped);
    COUNTER("holdfast_requests_unframed_total", "Requests that were not valid HTTP.", m->unframed);
    COUNTER("holdfast_requests_slowed_total", "Requests refused by a rate limit.", m->slowed_down);
    COUNTER("holdfast_gate_refused_total", "Holds of taken seats that this node refused by its copy of the state.",
            m->gate_refused);
}

static void write_forwards(const struct metrics *m, const struct metrics_gauges *g, struct buf *out)
{
    COUNTER("holdfast_forwards_total", "Requests passed on to the node that decides.", m->forwards);
    COUNTER("holdfast_forwards_failed_total", "Of those, answered with 503 because they did not reach it.",
            m->forwards_failed);
    COUNTER("holdfast_forwards_undecided_total",
            "Of those, answered with 503 because its answer did not come; they may have taken effect.",
            m->forwards_undecided);
    GAUGE("holdfast_forwards_in_flight", "Requests that wait for the answer of the node that decides.",
          m->forwards_in_flight);
    GAUGE("holdfast_forwarded_streams", "Open streams of the node that decides, passed on.", g->forwarded_streams);
    write_head(out, "holdfast_forward_seconds", "histogram",
               "Time from passing a request on to its answer, or to giving up.");
    write_histogram(out, "holdfast_forward_seconds", "", &m->forward_latency);
}

/* Only with a gate on Redis. */
static void write_gate(const struct metrics *m, const struct gate_gauges *g, struct buf *out)
{
    static const char *const results[] = {[GATE_INTENT_TAKEN] = "taken",
                                          [GATE_INTENT_REFUSED] = "refused",
                                          [GATE_INTENT_TIMED_OUT] = "timed_out",
                                          [GATE_INTENT_AROUND] = "around"};
    write_head(out, "holdfast_gate_intents_total", "counter",
               "Holds for which intents were wanted in Redis, by result; around: it was away.");
    for (unsigned i = 0; i < GATE_INTENT_RESULTS; i++)
        buf_printf(out, "holdfast_gate_intents_total{result=\"%s\"} %" PRIu64 "\n", results[i], m->gate_intents[i]);
    COUNTER("holdfast_gate_repaired_total", "Stale keys in Redis that an intent has overwritten.", m->gate_repaired);
    write_head(out, "holdfast_gate_intent_seconds", "histogram", "Time that a hold has waited for its intents.");
    write_histogram(out, "holdfast_gate_intent_seconds", "", &m->gate_latency);
    GAUGE("holdfast_gate_addresses", "Redis servers of the gate.", g->addresses);
    GAUGE("holdfast_gate_up", "Of those, how many answer this process.", g->up);
    GAUGE("holdfast_gate_mirror_queue", "Seats whose change is to be written to Redis.", g->mirror_queue);
    GAUGE("holdfast_gate_refill_done", "Claims written to Redis by the latest refill.", g->refill_done);
    GAUGE("holdfast_gate_refill_total", "Claims that the latest refill writes.", g->refill_total);
}

static void write_journal(const struct store_stats *s, struct buf *out)
{
    GAUGE("holdfast_seq", "The last change made.", s->seq);
    GAUGE("holdfast_durable_seq", "The last change on disk.", s->durable_seq);
    GAUGE("holdfast_book_seq", "The last change in the book.", s->book_seq);
    GAUGE("holdfast_journal_lag", "Changes waiting for the disk.", s->seq - s->durable_seq);
    GAUGE("holdfast_book_lag", "Changes on disk that are not in the book yet.",
          s->durable_seq > s->book_seq ? s->durable_seq - s->book_seq : 0);
    GAUGE("holdfast_journal_bytes", "Bytes of journal not yet freed.", s->journal_bytes);
    write_duration(out, "holdfast_book_pinned_seconds", "gauge",
                   "How long a reader of the book has kept the journal from being freed.",
                   s->pinned_ms * 1000000);
    COUNTER("holdfast_batches_total", "Batches synced.", s->batches);
    COUNTER("holdfast_batch_changes_total", "Changes in those batches.", s->batch_changes);
    GAUGE("holdfast_batch_changes_max", "The largest batch so far.", s->batch_changes_max);
    write_duration(out, "holdfast_sync_seconds_total", "counter", "Time spent in syncs.", s->sync_ns_total);
    write_duration(out, "holdfast_sync_longest_seconds", "gauge", "The longest sync so far.", s->sync_ns_max);
}

/* Only with a shared log. */
static void write_role(const struct metrics_gauges *g, struct buf *out)
{
    GAUGE("holdfast_owner", "1 when this process decides, 0 when it follows one that does.", g->owner);
    GAUGE("holdfast_epoch", "How often the owner has changed.", g->store.epoch);
    write_duration(out, "holdfast_lag_seconds", "gauge", "How far this process is behind the owner.",
                   g->store.lag_ms * 1000000);
}

static void write_reservations(const struct store_stats *s, struct buf *out)
{
    write_head(out, "holdfast_reservations", "gauge", "Reservations in memory, by status; held is exact.");
    for (unsigned i = RESERVATION_STATUS_FIRST; i <= RESERVATION_STATUS_LAST; i++)
        buf_printf(out, "holdfast_reservations{status=\"%s\"} %" PRIu64 "\n",
                   reservation_status_name((enum reservation_status)i), s->reservations[i]);
    COUNTER("holdfast_holds_total", "Reservations held since the start.", s->held_total);
    COUNTER("holdfast_commits_total", "Reservations confirmed since the start.", s->confirmed_total);
    COUNTER("holdfast_releases_total", "Reservations released since the start.", s->released_total);
    COUNTER("holdfast_expiries_total", "Reservations expired since the start.", s->expired_total);
    GAUGE("holdfast_refunds_due_open", "Refunds due that are open.", s->refunds_open);
    GAUGE("holdfast_payment_discrepancies", "Payments with a discrepancy.", s->discrepancies);
}

static void write_entries(const struct entry_stats *l, struct buf *out)
{
    GAUGE("holdfast_queue_waiting", "People waiting in waiting rooms.", l->waiting);
    GAUGE("holdfast_passes", "Live passes of waiting rooms.", l->active);
    COUNTER("holdfast_joins_total", "Waiting room entries created since the start.", l->joined_total);
    COUNTER("holdfast_admissions_total", "Entries admitted since the start.", l->admitted_total);
    COUNTER("holdfast_passed_over_total", "Entries passed over when their turn came, since the start.",
            l->passed_over_total);
    GAUGE("holdfast_list_waiting", "People waiting on waiting lists.", l->listed);
    COUNTER("holdfast_offers_total", "Offers made to waiting lists since the start.", l->offered_total);
}

static void write_hooks(const struct hook_stats *h, struct buf *out)
{
    GAUGE("holdfast_hook_messages_waiting", "Messages not yet delivered to hooks.", h->waiting);
    COUNTER("holdfast_hook_messages_delivered_total", "Messages delivered to hooks.", h->delivered);
    COUNTER("holdfast_hook_messages_dead_total", "Messages given up after a day of attempts.", h->dead);
    COUNTER("holdfast_hook_attempts_failed_total", "Attempts to deliver a message that failed.", h->failed);
}

static void write_dispatch(const struct dispatch_stats *d, struct buf *out)
{
    COUNTER("holdfast_dispatch_groups_total", "Groups of rides matched together since the start.",
            d->batches.groups);
    COUNTER("holdfast_dispatch_groups_too_large_total",
            "Groups of more than 256 rides, matched oldest first instead.", d->batches.groups_too_large);
    write_head(out, "holdfast_drivers", "gauge", "Drivers of all fleets, by status.");
    for (unsigned i = DRIVER_STATUS_FIRST; i <= DRIVER_STATUS_LAST; i++)
        buf_printf(out, "holdfast_drivers{status=\"%s\"} %" PRIu64 "\n",
                   driver_status_name((enum driver_status)i), d->drivers[i]);
    write_head(out, "holdfast_rides", "gauge", "Rides in progress, by status.");
    for (unsigned i = RIDE_STATUS_FIRST; i <= RIDE_STATUS_LAST; i++)
        if (ride_status_live((enum ride_status)i))
            buf_printf(out, "holdfast_rides{status=\"%s\"} %" PRIu64 "\n",
                       ride_status_name((enum ride_status)i), d->rides[i]);
    write_head(out, "holdfast_ride_offers_total", "counter",
               "Offers of rides that ended since the start, by result.");
    for (unsigned i = OFFER_END_FIRST; i <= OFFER_END_LAST; i++)
        buf_printf(out, "holdfast_ride_offers_total{end=\"%s\"} %" PRIu64 "\n",
                   offer_end_name((enum offer_end)i), d->ends[i]);
}

void metrics_write(const struct metrics *m, const struct metrics_gauges *g, struct buf *out)
{
    write_journal(&g->store, out);
    if (g->store.shared)
        write_role(g, out);
    if (g->gate.configured)
        write_gate(m, &g->gate, out);
    write_reservations(&g->store, out);
    write_entries(&g->entries, out);
    write_hooks(&g->hooks, out);
    write_dispatch(&g->dispatch, out);
    write_requests(m, out);
    write_latencies(m, out);
    write_connections(m, g, out);
    write_forwards(m, g, out);
    write_head(out, "holdfast_clock_offset_seconds", "gauge", "Server time minus the wall clock.");
    buf_printf(out, "holdfast_clock_offset_seconds %.3f\n", (double)g->store.clock_offset_ms / 1000);
    GAUGE("process_resident_memory_bytes", "Resident memory of the process.", g->resident_bytes);
    GAUGE("holdfast_ready", "1 when new holds are accepted, here or by the node that decides.", g->ready);
}
