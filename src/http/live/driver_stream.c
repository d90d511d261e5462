/* SPDX-License-Identifier: Apache-2.0 */
/* driver_stream.c — the stream of one driver's offers.
 *
 * Every offer and its end. The view's ring (view_driver_touches) keeps them for clients that reconnect; if a client
 * asks for older ones it gets a reset and the live offer. The stream ends when the driver or the fleet is removed.
 */
#include "base/assertion.h"
#include "http/api/call.h"
#include "http/live/message.h"
#include "http/live/stream_source.h"
#include "http/record/encode.h"
#include "http/server.h"

struct driver_stream {
    struct stream stream; /* by fleet and view_driver_hash */
    struct text driver;   /* owned */
    uint64_t sent_seq;    /* everything up to this seq was sent */
    uint64_t pending_seq; /* pending changes came after this */
};

/* Writes the changes of one driver's offers. */
struct offers {
    struct server *server;
    struct buf *out;
    struct text driver;
    uint64_t seq; /* of the last one written */
    bool removed; /* the driver was removed */
    bool unknown; /* an offer is no longer in memory, so it cannot be written */
};

static void write_offer(struct server *s, struct buf *out, const struct offer_image *offer,
                        const struct ride_image *ride, uint64_t seq)
{
    struct json_writer w = message_begin(out, "offer", seq);
    encode_driver_offer(&w, offer, ride, store_now(s->store));
    message_end(out);
}

static void write_offer_ended(struct buf *out, const struct offer_image *offer, uint64_t seq)
{
    struct json_writer w = message_begin(out, "offer_ended", seq);
    encode_offer_ended(&w, offer);
    message_end(out);
}

static void write_touch(void *ctx, const struct ride_touch *touch)
{
    struct offers *offers = ctx;
    struct server *s = offers->server;
    struct offer_image offer;
    struct ride_image ride;
    if (!touch->offer) {
        offers->removed = !view_has_driver(s->view, touch->fleet, offers->driver);
        return;
    }
    if (!view_offer(s->view, touch->fleet, touch->offer, &offer, &ride)) {
        offers->unknown = true;
        return;
    }
    if (!text_equal(offer.driver_id, offers->driver))
        return; /* another driver with the same hash */
    if (touch->end)
        write_offer_ended(offers->out, &offer, touch->seq);
    else
        write_offer(s, offers->out, &offer, &ride, touch->seq);
    offers->seq = touch->seq;
}

/* Writes the changes after this seq. False: they are not known any more. */
static bool write_since(struct offers *offers, uint64_t fleet, uint64_t driver_hash, uint64_t after)
{
    struct view *view = offers->server->view;
    return view_driver_touches(view, fleet, driver_hash, after, write_touch, offers) && !offers->unknown;
}

static void driver_send(struct stream *st)
{
    struct driver_stream *ds = (struct driver_stream *)st;
    size_t begun, before = st->connection->output.out.size;
    struct offers offers = {
        .server = st->connection->server, .out = stream_chunk_begin(st, &begun), .driver = ds->driver};
    if (!write_since(&offers, st->about[0], st->about[1], ds->pending_seq)) {
        offers.out->size = before;
        connection_close(st->connection); /* the client reconnects and gets a reset */
        return;
    }
    if (offers.seq) {
        stream_chunk_end(st, begun, offers.seq);
        ds->sent_seq = offers.seq;
    } else {
        offers.out->size = before;
    }
    if (offers.removed)
        stream_end(st);
    else
        stream_flush(st);
}

/* Removing a fleet does not touch its drivers, so the stream has to check. */
static bool driver_lives(struct stream *st)
{
    const struct driver_stream *ds = (const struct driver_stream *)st;
    return view_has_driver(st->connection->server->view, st->about[0], ds->driver);
}

static void driver_touched(struct streams *streams, const struct ride_touch *touch)
{
    struct stream *st = NULL;
    if (!touch->driver)
        return;
    while ((st = stream_next(streams, STREAM_DRIVER, touch->fleet, touch->driver, st))) {
        struct driver_stream *ds = (struct driver_stream *)st;
        if (touch->seq <= ds->sent_seq)
            continue;
        if (!st->pending)
            ds->pending_seq = touch->seq - 1;
        stream_mark(st);
    }
}

static void driver_release(struct stream *st)
{
    text_free(((struct driver_stream *)st)->driver);
}

/* ---- Beginning ---- */

static void driver_found(struct call *call, const struct outcome *outcome)
{
    struct request *r = call->request;
    struct fleet_view fleet;
    uint64_t last, version = view_rides_notified_seq(r->view), hash = view_driver_hash(r->parameters[1]);
    bool found = view_fleet_find(r->view, r->parameters[0], &fleet);
    ASSERT(found); /* core has just found it */
    struct offers offers = {.server = r->server, .out = &r->scratch, .driver = r->parameters[1]};
    if (!stream_resumes(r, &last) || !write_since(&offers, fleet.image->number, hash, last)) {
        buf_clear(&r->scratch);
        message_reset(&r->scratch, version);
        if (outcome->has_offer && outcome->offer.number <= version)
            write_offer(r->server, &r->scratch, &outcome->offer, &outcome->ride, version);
    }
    struct stream *st = stream_subscribe(r, STREAM_DRIVER);
    if (st) {
        struct driver_stream *ds = (struct driver_stream *)st;
        stream_set_key(st, fleet.image->number, hash);
        ds->driver = text_own(r->parameters[1]);
        ds->sent_seq = version;
    }
    stream_reply(r, true);
}

HANDLER(api_driver_stream)
{
    if (!stream_has_room(r))
        return;
    struct call *call = call_make(r, COMMAND_OFFER_LOOK);
    call->command.driver.fleet = r->parameters[0];
    call->command.driver.id = r->parameters[1];
    call_submit(call, driver_found);
}

const struct stream_source driver_source = {.size = sizeof(struct driver_stream),
                                            .send = driver_send,
                                            .lives = driver_lives,
                                            .release = driver_release,
                                            .ride_touched = driver_touched};
