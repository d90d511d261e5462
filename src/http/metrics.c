/* SPDX-License-Identifier: Apache-2.0 */
#include "http/metrics.h"

#include <inttypes.h>

#include "base/assertion.h"

static const uint64_t bounds_ns[METRICS_BUCKETS - 1] = {
    50000,    100000,   250000,    500000,    1000000,   2000000,    5000000,    10000000,
    25000000, 50000000, 100000000, 250000000, 500000000, 1000000000, 2500000000,
};

void histogram_add(struct histogram *h, uint64_t ns, uint64_t count)
{
    unsigned i = 0;
    while (i < METRICS_BUCKETS - 1 && ns > bounds_ns[i])
        i++;
    h->buckets[i] += count;
    h->count += count;
    h->sum_ns += ns * count;
}

void metrics_request(struct metrics *m, const struct route *route, int status)
{
    ASSERT(routes_count <= METRICS_ROUTES_MAX && status >= 100 && status < 600);
    m->requests[route ? route - routes : METRICS_ROUTES_MAX][status / 100]++;
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
    for (unsigned i = 0; i <= METRICS_ROUTES_MAX; i++) {
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

static void write_connections(const struct metrics *m, const struct metrics_gauges *g, struct buf *out)
{
    write_number(out, "holdfast_connections", "gauge", "Open connections.", g->connections);
    write_number(out, "holdfast_streams", "gauge", "Open event streams.", g->streams);
    write_number(out, "holdfast_entry_streams", "gauge", "Open streams of waiting room entries.",
                 g->entry_streams);
    write_number(out, "holdfast_connections_accepted_total", "counter", "Connections accepted.",
                 m->connections_accepted);
    write_number(out, "holdfast_connections_refused_total", "counter", "Connections refused at a cap.",
                 m->connections_refused);
    write_number(out, "holdfast_connections_evicted_total", "counter",
                 "Idle connections closed to make room.", m->connections_evicted);
    write_number(out, "holdfast_connections_timed_out_total", "counter",
                 "Connections closed because they were too slow.", m->connections_timed_out);
    write_number(out, "holdfast_streams_dropped_total", "counter", "Streams closed because they fell behind.",
                 m->streams_dropped);
    write_number(out, "holdfast_requests_unframed_total", "counter", "Requests that were not valid HTTP.",
                 m->unframed);
    write_number(out, "holdfast_requests_slowed_total", "counter", "Requests refused by a rate limit.",
                 m->slowed_down);
}

static void write_journal(const struct store_stats *s, struct buf *out)
{
    write_number(out, "holdfast_seq", "gauge", "The last change made.", s->seq);
    write_number(out, "holdfast_durable_seq", "gauge", "The last change on disk.", s->durable_seq);
    write_number(out, "holdfast_book_seq", "gauge", "The last change in the book.", s->book_seq);
    write_number(out, "holdfast_journal_lag", "gauge", "Changes waiting for the disk.",
                 s->seq - s->durable_seq);
    write_number(out, "holdfast_book_lag", "gauge", "Changes on disk that are not in the book yet.",
                 s->durable_seq > s->book_seq ? s->durable_seq - s->book_seq : 0);
    write_number(out, "holdfast_journal_bytes", "gauge", "Bytes of journal not yet freed.", s->journal_bytes);
    write_number(out, "holdfast_batches_total", "counter", "Batches synced.", s->batches);
    write_number(out, "holdfast_batch_changes_total", "counter", "Changes in those batches.",
                 s->batch_changes);
    write_number(out, "holdfast_batch_changes_max", "gauge", "The largest batch so far.",
                 s->batch_changes_max);
    write_duration(out, "holdfast_sync_seconds_total", "counter", "Time spent in syncs.", s->sync_ns_total);
    write_duration(out, "holdfast_sync_longest_seconds", "gauge", "The longest sync so far.", s->sync_ns_max);
}

static void write_reservations(const struct store_stats *s, struct buf *out)
{
    write_head(out, "holdfast_reservations", "gauge", "Reservations in memory, by status; held is exact.");
    for (unsigned i = RESERVATION_HELD; i <= RESERVATION_REFUNDED; i++)
        buf_printf(out, "holdfast_reservations{status=\"%s\"} %" PRIu64 "\n",
                   reservation_status_name((enum reservation_status)i), s->reservations[i]);
    write_number(out, "holdfast_holds_total", "counter", "Reservations held since the start.", s->held_total);
    write_number(out, "holdfast_commits_total", "counter", "Reservations confirmed since the start.",
                 s->confirmed_total);
    write_number(out, "holdfast_releases_total", "counter", "Reservations released since the start.",
                 s->released_total);
    write_number(out, "holdfast_expiries_total", "counter", "Reservations expired since the start.",
                 s->expired_total);
}

static void write_lines(const struct entry_stats *l, struct buf *out)
{
    write_number(out, "holdfast_queue_waiting", "gauge", "People waiting in waiting rooms.", l->waiting);
    write_number(out, "holdfast_passes", "gauge", "Live passes of waiting rooms.", l->active);
    write_number(out, "holdfast_joins_total", "counter", "Waiting room entries created since the start.",
                 l->joined_total);
    write_number(out, "holdfast_admissions_total", "counter", "Entries admitted since the start.",
                 l->admitted_total);
    write_number(out, "holdfast_passed_over_total", "counter",
                 "Entries passed over at their turn since the start.", l->passed_over_total);
    write_number(out, "holdfast_list_waiting", "gauge", "People waiting on waiting lists.", l->listed);
    write_number(out, "holdfast_offers_total", "counter", "Offers made to waiting lists since the start.",
                 l->offered_total);
}

void metrics_write(const struct metrics *m, const struct metrics_gauges *g, struct buf *out)
{
    write_journal(&g->store, out);
    write_reservations(&g->store, out);
    write_lines(&g->lines, out);
    write_requests(m, out);
    write_latencies(m, out);
    write_connections(m, g, out);
    write_head(out, "holdfast_clock_offset_seconds", "gauge", "Server time minus the wall clock.");
    buf_printf(out, "holdfast_clock_offset_seconds %.3f\n", (double)g->store.clock_offset_ms / 1000);
    write_number(out, "holdfast_ready", "gauge", "1 when new holds are accepted.",
                 g->store.condition == STORE_READY);
}
