/* SPDX-License-Identifier: Apache-2.0 */
#include "http/live/ride_stream.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/clock.h"
#include "base/digits.h"
#include "base/memory.h"
#include "http/api/call.h"
#include "http/live/message.h"
#include "http/live/backlog.h"
#include "http/record/encode.h"
#include "http/server.h"
#include "http/wire/reply.h"

#define LOOK_MS 1000    /* between two looks at a driver */
#define PUMP_NS 2000000 /* how long telling may keep one turn of the loop */

struct watcher {
    struct link all;      /* ride_streams.watchers */
    struct link by_key;   /* ride_streams.buckets */
    struct link due;      /* ride_streams.due, or in no list */
    struct link assigned; /* ride_streams.assigned, or in no list */
    struct connection *connection;
    uint64_t fleet;     /* number */
    uint64_t key;       /* of the ride or the driver */
    struct id ride;     /* none: the offers of a driver */
    struct text driver; /* owned; of a ride: none */
    struct text user;   /* owned: who follows a ride; at == NULL: an app or an admin */
    uint64_t told;      /* what came up to this seq was told */
    uint64_t pending;   /* a driver's: what is to be told came after this */
    uint64_t comment_ms, look_ms;
    int64_t heard_ms; /* of the place of the driver that was told last */
    bool late;        /* something came up while the socket was full */
};

static uint64_t ride_key(struct id ride)
{
    return ride.high ^ ride.low;
}

static struct link *bucket_of(struct ride_streams *streams, uint64_t fleet, uint64_t key)
{
    uint64_t mixed = (fleet * 0x9e3779b97f4a7c15u + key) * 0x9e3779b97f4a7c15u;
    return &streams->buckets[mixed >> 52];
}
_Static_assert(RIDE_STREAM_BUCKETS == 1 << 12, "twelve bits choose a bucket");

/* ---- Messages ---- */

static void write_ride(struct buf *out, const struct ride_image *ride, bool as_rider, uint64_t seq)
{
    struct json_writer w = message_begin(out, "ride", seq);
    encode_ride(&w, ride, as_rider);
    message_end(out);
}

/* What has happened to the offers of one driver. */
struct offers_told {
    struct server *server;
    struct buf *out;
    struct text driver;
    uint64_t seq; /* of the last one */
    bool removed; /* the driver is gone */
    bool unknown; /* an offer that nobody remembers: it cannot be told */
};

static void write_offer(void *ctx, const struct ride_touch *touch)
{
    struct offers_told *told = ctx;
    struct server *s = told->server;
    struct offer_image offer;
    struct ride_image ride;
    if (!touch->offer) {
        told->removed = !view_has_driver(s->view, touch->fleet, told->driver);
        return;
    }
    if (!view_offer(s->view, touch->fleet, touch->offer, &offer, &ride)) {
        told->unknown = true;
        return;
    }
    if (!text_equal(offer.driver_id, told->driver))
        return; /* of the same hash */
    struct json_writer w = message_begin(told->out, touch->end ? "offer_ended" : "offer", touch->seq);
    if (touch->end)
        encode_offer_ended(&w, &offer);
    else
        encode_driver_offer(&w, &offer, &ride, store_now(s->store));
    message_end(told->out);
    told->seq = touch->seq;
}

/* ---- Telling ---- */

static void end_stream(struct connection *c)
{
    connection_end_stream(c);
    connection_flush(c);
}

/* What was appended since chunk_begin leaves when this seq is durable. */
static void send_chunk(struct connection *c, size_t begun, uint64_t seq)
{
    struct server *s = c->server;
    chunk_end(&c->output.out, begun, c->chunked);
    output_add(&c->output, seq, store_durable_seq(s->store), clock_monotonic_ns(), LANE_NONE, &s->metrics);
    server_park(s, c);
}

static void look_later(struct ride_streams *streams, struct watcher *w)
{
    w->look_ms = streams->server->now_ms + LOOK_MS;
    link_append(&streams->assigned, &w->assigned);
}

static void ride_tell(struct ride_streams *streams, struct watcher *w)
{
    struct connection *c = w->connection;
    struct ride_seen seen;
    if (!view_ride(streams->server->view, w->fleet, w->ride, w->user, &seen)) {
        end_stream(c); /* it is not this caller's to see any more */
        return;
    }
    if (seen.seq <= w->told)
        return;
    size_t begun = chunk_begin(&c->output.out, c->chunked);
    write_ride(&c->output.out, &seen.image, seen.as_rider, seen.seq);
    send_chunk(c, begun, seen.seq);
    w->told = seen.seq;
    w->heard_ms = seen.image.driver_heard_at_ms;
    link_remove(&w->assigned);
    if (seen.image.status == RIDE_ASSIGNED)
        look_later(streams, w);
    if (ride_status_live(seen.image.status))
        connection_flush(c);
    else
        end_stream(c);
}

static void driver_tell(struct ride_streams *streams, struct watcher *w)
{
    struct connection *c = w->connection;
    struct buf *out = &c->output.out;
    struct offers_told told = {.server = streams->server, .out = out, .driver = w->driver};
    size_t before = out->size, begun = chunk_begin(out, c->chunked);
    if (!view_driver_touches(streams->server->view, w->fleet, w->key, w->pending, write_offer, &told) ||
        told.unknown) {
        out->size = before;
        connection_close(c); /* it comes back, and is told by a reset */
        return;
    }
    if (told.seq)
        send_chunk(c, begun, told.seq);
    else
        out->size = before;
    w->told = told.seq ? told.seq : w->told;
    if (told.removed)
        end_stream(c);
    else
        connection_flush(c);
}

/* May close its connection. */
static void watcher_tell(struct ride_streams *streams, struct watcher *w)
{
    link_remove(&w->due);
    w->late = !output_empty(&w->connection->output);
    if (w->late)
        return; /* ride_stream_written comes back to it */
    if (id_none(w->ride))
        driver_tell(streams, w);
    else
        ride_tell(streams, w);
}

void ride_stream_written(struct connection *c)
{
    if (c->watcher && c->watcher->late)
        watcher_tell(&c->server->ride_streams, c->watcher);
}

static void on_touched(void *ctx, const struct ride_touch *touch)
{
    struct ride_streams *streams = ctx;
    bool of_ride = !touch->driver;
    uint64_t key = of_ride ? ride_key(touch->ride) : touch->driver;
    struct link *bucket = bucket_of(streams, touch->fleet, key);
    for (struct link *l = bucket->next; l != bucket; l = l->next) {
        struct watcher *w = LINK_OWNER(l, struct watcher, by_key);
        if (w->fleet != touch->fleet || w->key != key || touch->seq <= w->told ||
            (of_ride ? !id_equal(w->ride, touch->ride) : !id_none(w->ride)))
            continue;
        if (link_alone(&w->due) && !w->late)
            w->pending = touch->seq - 1;
        link_append(&streams->due, &w->due);
        server_wake(streams->server);
    }
}

/* ---- Time ---- */

/* Where the driver is, if it was heard of since. What the ride has become meanwhile comes by itself. */
static void look_at_driver(struct ride_streams *streams, struct watcher *w)
{
    struct connection *c = w->connection;
    struct ride_seen seen;
    look_later(streams, w);
    if (!output_empty(&c->output) || !view_ride(streams->server->view, w->fleet, w->ride, w->user, &seen) ||
        seen.seq != w->told || !seen.image.has_driver || seen.image.driver_heard_at_ms == w->heard_ms)
        return;
    w->heard_ms = seen.image.driver_heard_at_ms;
    size_t begun = chunk_begin(&c->output.out, c->chunked);
    struct json_writer writer = message_begin(&c->output.out, "driver", 0);
    encode_driver_place(&writer, &seen.image);
    message_end(&c->output.out);
    send_chunk(c, begun, seen.seq);
    connection_flush(c);
}

static void comment(struct ride_streams *streams, struct watcher *w)
{
    struct connection *c = w->connection;
    w->comment_ms = streams->server->now_ms + STREAM_COMMENT_MS;
    link_append(&streams->watchers, &w->all);
    if (id_none(w->ride) && !view_has_driver(streams->server->view, w->fleet, w->driver)) {
        end_stream(c); /* the fleet is gone */
    } else if (output_empty(&c->output)) {
        buf_append_text(&c->output.out, c->chunked ? "3\r\n:\n\n\r\n" : ":\n\n");
        output_add_ready(&c->output);
        connection_flush(c);
    }
}

/* One thing that is due; false: nothing is. */
static bool tell_next(struct ride_streams *streams)
{
    uint64_t now = streams->server->now_ms;
    struct watcher *w = LINK_OWNER(streams->due.next, struct watcher, due);
    if (!link_alone(&streams->due)) {
        watcher_tell(streams, w);
        return true;
    }
    w = LINK_OWNER(streams->assigned.next, struct watcher, assigned);
    if (!link_alone(&streams->assigned) && now >= w->look_ms) {
        look_at_driver(streams, w);
        return true;
    }
    w = LINK_OWNER(streams->watchers.next, struct watcher, all);
    if (link_alone(&streams->watchers) || now < w->comment_ms)
        return false;
    comment(streams, w);
    return true;
}

bool ride_streams_pump(struct ride_streams *streams)
{
    bool more = tell_next(streams);
    uint64_t until_ns = more ? clock_monotonic_ns() + PUMP_NS : 0;
    for (unsigned told = 1; more; told++) {
        if (told % 8 == 0 && clock_monotonic_ns() > until_ns)
            return true;
        more = tell_next(streams);
    }
    return false;
}

void ride_streams_sweep(struct ride_streams *streams)
{
    if (streams->count)
        server_wake(streams->server);
}

/* ---- Life ---- */

void ride_streams_init(struct ride_streams *streams, struct server *server)
{
    streams->server = server;
    link_init(&streams->watchers);
    link_init(&streams->assigned);
    link_init(&streams->due);
    for (unsigned i = 0; i < RIDE_STREAM_BUCKETS; i++)
        link_init(&streams->buckets[i]);
    view_on_ride(server->view, on_touched, streams);
}

void ride_streams_release(struct ride_streams *streams)
{
    ASSERT(streams->count == 0 && link_alone(&streams->due));
}

/* The watcher's links and lists; what it follows is in it already. */
static void follow(struct ride_streams *streams, struct connection *c, const struct watcher *what)
{
    struct watcher *w = memory_get(sizeof(*w));
    *w = *what;
    w->connection = c;
    w->comment_ms = streams->server->now_ms + STREAM_COMMENT_MS;
    link_init(&w->all);
    link_init(&w->by_key);
    link_init(&w->due);
    link_init(&w->assigned);
    link_append(&streams->watchers, &w->all);
    link_append(bucket_of(streams, w->fleet, w->key), &w->by_key);
    streams->count++;
    c->watcher = w;
}

void ride_stream_leave(struct connection *c)
{
    struct watcher *w = c->watcher;
    c->watcher = NULL;
    link_remove(&w->all);
    link_remove(&w->by_key);
    link_remove(&w->due);
    link_remove(&w->assigned);
    text_free(w->driver);
    text_free(w->user);
    free(w);
    c->server->ride_streams.count--;
}

/* The message after which the client wants to go on; false: it names none that can be. */
static bool resumes_after(const struct request *r, uint64_t *last)
{
    struct text given = r->headers.last_event_id;
    return given.at && digits_read(given.at, given.size, last) && *last <= store_durable_seq(r->store);
}

static void reply_first(struct request *r, bool goes_on)
{
    reply_stream(r, (struct text){(const char *)r->scratch.data, r->scratch.size}, goes_on);
}

/* ---- A ride ---- */

static void ride_found(struct call *call, const struct outcome *outcome)
{
    struct request *r = call->request;
    struct ride_streams *streams = &r->server->ride_streams;
    const struct ride_image *ride = &outcome->ride;
    bool live = ride_status_live(ride->status), user = r->actor.role == ROLE_USER;
    uint64_t seq = outcome->seq > 0 ? outcome->seq : 1, last;
    bool resumes = resumes_after(r, &last);
    if (!resumes)
        message_reset(&r->scratch, seq);
    /* Of one that was read from the book, seq 0, nobody knows when it changed: it may be news. */
    if (!resumes || !outcome->seq || last < seq)
        write_ride(&r->scratch, ride, outcome->as_rider, seq);
    if (live && r->connection && !r->head) {
        follow(streams, r->connection,
               &(struct watcher){.fleet = ride->fleet,
                                 .key = ride_key(ride->id),
                                 .ride = ride->id,
                                 .user = user ? text_own(r->actor.name) : (struct text){0},
                                 .told = outcome->seq,
                                 .heard_ms = ride->driver_heard_at_ms});
        if (ride->status == RIDE_ASSIGNED)
            look_later(streams, r->connection->watcher);
    }
    reply_first(r, live);
}

HANDLER(api_ride_stream)
{
    if (server_streams_full(r->server)) {
        reply_unavailable(r, "Too many open streams. Please try again in a moment.");
        return;
    }
    struct call *call = call_make(r, COMMAND_RIDE_LOOK);
    call->command.ride.fleet = r->parameters[0];
    call->command.ride_checked = !encode_id_read(ENCODE_RIDE, r->parameters[1], &call->command.ride.id);
    call_submit(call, ride_found);
}

/* ---- The offers of a driver ---- */

/* What came after the message `last`. False: that cannot be told. */
static bool write_resumed(struct request *r, const struct watcher *w, uint64_t last)
{
    struct offers_told told = {.server = r->server, .out = &r->scratch, .driver = w->driver};
    return view_driver_touches(r->view, w->fleet, w->key, last, write_offer, &told) && !told.unknown;
}

static void driver_found(struct call *call, const struct outcome *outcome)
{
    struct request *r = call->request;
    struct fleet_view fleet;
    uint64_t last, version = view_ride_told(r->view);
    bool found = view_fleet_find(r->view, r->parameters[0], &fleet);
    ASSERT(found); /* core has just looked into it */
    struct watcher what = {.fleet = fleet.image->number,
                           .key = view_driver_hash(r->parameters[1]),
                           .driver = r->parameters[1],
                           .told = version};
    if (!resumes_after(r, &last) || !write_resumed(r, &what, last)) {
        buf_clear(&r->scratch);
        message_reset(&r->scratch, version);
        if (outcome->has_offer && outcome->offer.number <= version) {
            struct json_writer w = message_begin(&r->scratch, "offer", version);
            encode_driver_offer(&w, &outcome->offer, &outcome->ride, store_now(r->store));
            message_end(&r->scratch);
        }
    }
    if (r->connection && !r->head) {
        what.driver = text_own(what.driver);
        follow(&r->server->ride_streams, r->connection, &what);
    }
    reply_first(r, true);
}

HANDLER(api_driver_stream)
{
    if (server_streams_full(r->server)) {
        reply_unavailable(r, "Too many open streams. Please try again in a moment.");
        return;
    }
    struct call *call = call_make(r, COMMAND_OFFER_LOOK);
    call->command.driver.fleet = r->parameters[0];
    call->command.driver.id = r->parameters[1];
    call_submit(call, driver_found);
}
