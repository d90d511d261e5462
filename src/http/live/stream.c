/* SPDX-License-Identifier: Apache-2.0 */
#include "http/live/stream.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/time/clock.h"
#include "base/text/digits.h"
#include "base/memory/memory.h"
#include "base/crypto/random.h"
#include "http/live/stream_source.h"
#include "http/server.h"
#include "http/wire/reply.h"

#define HEARTBEAT_MS 15000
/* A refresh comes up to this much earlier, so that streams that began together spread out. */
#define REFRESH_MS (HEARTBEAT_MS - WHEEL_SPOKE_MS)
#define REFRESH_SPREAD_MS 4750
#define POLL_MS 1000
#define GATHER_MS 20    /* changes are collected for this long */
#define PUMP_NS 2000000 /* the time of a turn of the loop for sending */

static const struct {
    const struct stream_source *source;
    enum stream_gauge gauge;
} rows[] = {
#define X(constant, name, gauge) {&name##_source, gauge},
    STREAM_SOURCES(X)
#undef X
};

static const struct stream_source *source_of(const struct stream *st)
{
    return rows[st->source].source;
}

static struct streams *streams_of(const struct stream *st)
{
    return &st->connection->server->streams;
}

/* ---- Marking ---- */

static struct link *bucket_of(struct streams *streams, enum stream_source_id source, uint64_t first,
                              uint64_t second)
{
    uint64_t mixed = (first * 0x9e3779b97f4a7c15u + second) * 0x9e3779b97f4a7c15u + source;
    return &streams->buckets[(mixed * 0x9e3779b97f4a7c15u) >> 52];
}
_Static_assert(STREAM_BUCKETS == 1 << 12, "twelve bits choose a bucket");

void stream_set_key(struct stream *st, uint64_t first, uint64_t second)
{
    st->about[0] = first;
    st->about[1] = second;
    link_append(bucket_of(streams_of(st), st->source, first, second), &st->by_key);
}

struct stream *stream_next(struct streams *streams, enum stream_source_id source, uint64_t first,
                           uint64_t second, const struct stream *before)
{
    struct link *bucket = bucket_of(streams, source, first, second);
    for (struct link *l = before ? before->by_key.next : bucket->next; l != bucket; l = l->next) {
        struct stream *st = LINK_OWNER(l, struct stream, by_key);
        if (st->source == source && st->about[0] == first && st->about[1] == second)
            return st;
    }
    return NULL;
}

void stream_mark(struct stream *st)
{
    struct streams *streams = streams_of(st);
    st->pending = true;
    if (link_alone(&st->due))
        link_append(&streams->sets[st->source].due, &st->due);
    server_wake(streams->server);
}

void stream_mark_audience(struct streams *streams, struct audience *audience)
{
    audience_mark_all(audience);
    server_wake(streams->server);
}

static void on_moved(void *ctx, uint64_t event, uint32_t number)
{
    for (unsigned i = 0; i < STREAM_SOURCE_COUNT; i++)
        if (rows[i].source->entry_moved)
            rows[i].source->entry_moved(ctx, event, number);
}

static void on_ride(void *ctx, const struct ride_touch *touch)
{
    for (unsigned i = 0; i < STREAM_SOURCE_COUNT; i++)
        if (rows[i].source->ride_touched)
            rows[i].source->ride_touched(ctx, touch);
}

/* ---- Gathering ---- */

static bool gather_set(struct server *server, const struct stream_source *source, struct stream_set *set)
{
    bool any = false;
    for (struct link *l = set->audiences.all.next; l != &set->audiences.all; l = l->next) {
        struct audience *audience = LINK_OWNER(l, struct audience, all);
        if (!source->gather(server, audience))
            continue;
        audience_mark_all(audience);
        any = true;
    }
    return any;
}

static void gather(struct streams *streams)
{
    bool any = false;
    streams->gathered_ms = uv_now(streams->server->loop);
    for (unsigned i = 0; i < STREAM_SOURCE_COUNT; i++)
        if (rows[i].source->gather)
            any |= gather_set(streams->server, rows[i].source, &streams->sets[i]);
    if (any)
        server_wake(streams->server);
}

static void on_timer(uv_timer_t *timer)
{
    struct streams *streams = &((struct server *)timer->data)->streams;
    streams->timer_runs = false;
    gather(streams);
}

void streams_durable(struct streams *streams)
{
    if (!streams->count || streams->timer_runs)
        return;
    /* Under load many batches become durable within GATHER_MS: their changes go out together. */
    uint64_t passed = uv_now(streams->server->loop) - streams->gathered_ms;
    if (passed >= GATHER_MS) {
        gather(streams);
        return;
    }
    streams->timer_runs = true;
    uv_timer_start(&streams->timer, on_timer, GATHER_MS - passed, 0);
}

/* ---- Sending ---- */

struct buf *stream_chunk_begin(struct stream *st, size_t *begun)
{
    struct connection *c = st->connection;
    *begun = chunk_begin(&c->output.out, c->chunked);
    return &c->output.out;
}

void stream_chunk_end(struct stream *st, size_t begun, uint64_t seq)
{
    struct connection *c = st->connection;
    struct server *s = c->server;
    chunk_end(&c->output.out, begun, c->chunked);
    output_add(&c->output, seq, store_durable_seq(s->store), clock_monotonic_ns(), LANE_NONE, &s->metrics);
    server_park(s, c);
}

void stream_flush(struct stream *st)
{
    connection_flush(st->connection);
}

void stream_end(struct stream *st)
{
    struct connection *c = st->connection;
    connection_end_stream(c);
    connection_flush(c);
}

void stream_drop(struct stream *st)
{
    st->connection->server->metrics.streams_dropped++;
    connection_close(st->connection);
}

static void plan_heartbeat(struct stream *st)
{
    struct streams *streams = streams_of(st);
    uint64_t in_ms = source_of(st)->refreshes ? REFRESH_MS - random_u64() % REFRESH_SPREAD_MS : HEARTBEAT_MS;
    wheel_plan(&streams->heartbeats, &st->heartbeat, streams->server->now_ms + in_ms);
}

/* Memory may be out of date: the lease has run out, or this node follows from too far behind. Then a stream gets comments
 * only, and what is pending later; what was relayed is of another node, which judges it. */
static bool is_silent(const struct stream *st)
{
    return !source_of(st)->relays && !store_may_answer(st->connection->server->store);
}

/* Sends what is pending. May end the stream or close its connection. */
static void send_pending(struct stream *st)
{
    const struct stream_source *source = source_of(st);
    link_remove(&st->due);
    if (st->member.audience)
        audience_mark_sent(&st->member);
    /* Nothing is queued behind unsent bytes, so a slow client cannot use up memory and gets the newest state. */
    st->pending = !output_empty(&st->connection->output);
    if (!st->pending) {
        if (source->refreshes)
            plan_heartbeat(st);
        source->send(st);
    } else if (source->behind) {
        source->behind(st);
    } /* stream_written will send it */
}

void stream_written(struct stream *st)
{
    if (st->pending && is_silent(st))
        stream_mark(st);
    else if (st->pending)
        send_pending(st);
}

static void send_heartbeat(struct stream *st)
{
    const struct stream_source *source = source_of(st);
    struct connection *c = st->connection;
    bool silent = is_silent(st);
    plan_heartbeat(st);
    if (source->refreshes)
        stream_mark(st);
    if (!silent && !source->refreshes && source->lives && !source->lives(st)) {
        stream_end(st);
    } else if ((silent || !source->refreshes) && output_empty(&c->output)) { /* unsent bytes also show that the server is alive */
        buf_append_text(&c->output.out, c->chunked ? "3\r\n:\n\n\r\n" : ":\n\n");
        output_add_ready(&c->output);
        connection_flush(c);
    }
}

void stream_poll(struct stream *st, bool polled)
{
    struct streams *streams = streams_of(st);
    link_remove(&st->poll);
    if (!polled)
        return;
    st->poll_ms = streams->server->now_ms + POLL_MS;
    link_append(&streams->polls, &st->poll);
}

static void poll_again(struct stream *st)
{
    stream_poll(st, true);
    if (output_empty(&st->connection->output))
        source_of(st)->poll(st);
}

static bool poll_due(const struct streams *streams)
{
    const struct stream *st = LINK_OWNER(streams->polls.next, struct stream, poll);
    return !link_alone(&streams->polls) && streams->server->now_ms >= st->poll_ms;
}

/* First the streams marked on their own, then those of a marked audience; or NULL. */
static struct stream *set_next(struct stream_set *set)
{
    if (!link_alone(&set->due))
        return LINK_OWNER(set->due.next, struct stream, due);
    struct audience_member *m = audiences_next(&set->audiences);
    return m ? LINK_OWNER(m, struct stream, member) : NULL;
}

/* Something was kept back while memory could be out of date. */
static bool is_pending(struct streams *streams)
{
    for (unsigned i = 0; i < STREAM_SOURCE_COUNT; i++)
        if (set_next(&streams->sets[i]))
            return true;
    return false;
}

/* One stream of each source, one heartbeat and one poll, so that none of them starves the others. False: nothing is
 * due. */
static bool pump_round(struct streams *streams, bool answers)
{
    bool busy = false;
    for (unsigned i = 0; i < STREAM_SOURCE_COUNT; i++) {
        struct stream *st = answers || rows[i].source->relays ? set_next(&streams->sets[i]) : NULL;
        busy |= st != NULL;
        if (st)
            send_pending(st);
    }
    if (!link_alone(&streams->heartbeats_due)) {
        busy = true;
        send_heartbeat(LINK_OWNER(streams->heartbeats_due.next, struct stream, heartbeat));
    }
    if (answers && poll_due(streams)) {
        busy = true;
        poll_again(LINK_OWNER(streams->polls.next, struct stream, poll));
    }
    return busy;
}

bool streams_pump(struct streams *streams)
{
    uint64_t until_ns = clock_monotonic_ns() + PUMP_NS;
    bool answers = store_may_answer(streams->server->store);
    while (pump_round(streams, answers))
        if (clock_monotonic_ns() > until_ns)
            return true;
    return false;
}

void streams_sweep(struct streams *streams)
{
    wheel_sweep(&streams->heartbeats, streams->server->now_ms, &streams->heartbeats_due);
    for (unsigned i = 0; i < STREAM_SOURCE_COUNT; i++)
        if (rows[i].source->sweep)
            rows[i].source->sweep(streams, &streams->sets[i]);
    if (!link_alone(&streams->heartbeats_due) || poll_due(streams) || is_pending(streams))
        server_wake(streams->server);
}

/* ---- Beginning and ending ---- */

void streams_init(struct streams *streams, struct server *server, unsigned count_max)
{
    *streams = (struct streams){.server = server, .count_max = count_max};
    for (unsigned i = 0; i < STREAM_SOURCE_COUNT; i++) {
        struct stream_set *set = &streams->sets[i];
        link_init(&set->all);
        link_init(&set->due);
        audiences_init(&set->audiences, rows[i].source->audience_size, rows[i].source->audience_release);
    }
    for (unsigned i = 0; i < STREAM_BUCKETS; i++)
        link_init(&streams->buckets[i]);
    wheel_init(&streams->heartbeats, server_now_ms(server));
    link_init(&streams->heartbeats_due);
    link_init(&streams->polls);
    uv_timer_init(server->loop, &streams->timer);
    streams->timer.data = server;
    view_on_moved(server->view, on_moved, streams);
    view_on_ride(server->view, on_ride, streams);
}

void streams_close(struct streams *streams, uv_close_cb closed)
{
    uv_close((uv_handle_t *)&streams->timer, closed);
}

void streams_release(struct streams *streams)
{
    ASSERT(streams->count == 0);
    for (unsigned i = 0; i < STREAM_SOURCE_COUNT; i++)
        ASSERT(link_alone(&streams->sets[i].all) && link_alone(&streams->sets[i].audiences.all));
}

bool stream_has_room(struct request *r)
{
    bool room = r->server->streams.count < r->server->streams.count_max;
    if (!room)
        reply_unavailable(r, "Too many open streams. Please try again in a moment.");
    return room;
}

struct stream *stream_subscribe(struct request *r, enum stream_source_id source)
{
    struct streams *streams = &r->server->streams;
    struct connection *c = r->connection;
    if (!c || r->head) /* a local call, or HEAD: there is only the reply */
        return NULL;
    struct stream *st = memory_zeroed(1, rows[source].source->size);
    st->connection = c;
    st->source = source;
    link_init(&st->all);
    link_init(&st->by_key);
    link_init(&st->due);
    link_init(&st->heartbeat);
    link_init(&st->poll);
    link_append(&streams->sets[source].all, &st->all);
    plan_heartbeat(st);
    streams->sets[source].count++;
    streams->counts[rows[source].gauge]++;
    streams->count++;
    c->stream = st;
    return st;
}

bool stream_resumes(const struct request *r, uint64_t *last)
{
    struct text given = r->headers.last_event_id;
    /* A greater seq was never sent: the id is from another server, or from before a restore. */
    return given.at && digits_read(given.at, given.size, last) && *last <= store_durable_seq(r->store);
}

void stream_reply(struct request *r, bool goes_on)
{
    reply_stream(r, (struct text){(const char *)r->scratch.data, r->scratch.size}, goes_on);
}

void stream_leave(struct stream *st)
{
    struct streams *streams = streams_of(st);
    st->connection->stream = NULL;
    link_remove(&st->all);
    link_remove(&st->by_key);
    link_remove(&st->due);
    link_remove(&st->heartbeat);
    link_remove(&st->poll);
    if (st->member.audience)
        audience_leave(&st->member);
    streams->sets[st->source].count--;
    streams->counts[rows[st->source].gauge]--;
    streams->count--;
    if (source_of(st)->release)
        source_of(st)->release(st);
    free(st);
}
