/* SPDX-License-Identifier: Apache-2.0 */
/* ride_stream.c — the stream of one ride, for its rider, its driver, apps and admins.
 *
 * The whole ride at each change, so a slow reader is at most one behind, and a client that resumes gets it only if it
 * has changed since. While it is assigned, the driver's position follows, at most once a second; that is not a change,
 * and has no id. The stream ends with the ride, and when the caller may no longer see it.
 */
#include "http/api/call.h"
#include "http/live/message.h"
#include "http/live/stream_source.h"
#include "http/record/encode.h"
#include "http/server.h"

struct ride_stream {
    struct stream stream; /* by fleet and ride_key */
    struct id ride;
    struct text user;  /* the follower; absent: an app or an admin. Owned */
    uint64_t sent_seq; /* of the last ride sent */
    int64_t heard_ms;  /* of the last driver position sent */
};

static uint64_t ride_key(struct id ride)
{
    return ride.high ^ ride.low;
}

static void write_ride(struct buf *out, const struct ride_image *ride, bool as_rider, uint64_t seq)
{
    struct json_writer w = message_begin(out, "ride", seq);
    encode_ride(&w, ride, as_rider);
    message_end(out);
}

static bool read_ride(const struct ride_stream *rs, struct ride_seen *seen)
{
    return view_ride(rs->stream.connection->server->view, rs->stream.about[0], rs->ride, rs->user, seen);
}

static void ride_send(struct stream *st)
{
    struct ride_stream *rs = (struct ride_stream *)st;
    struct ride_seen seen;
    size_t begun;
    if (!read_ride(rs, &seen)) {
        stream_end(st); /* this caller may no longer see it */
        return;
    }
    if (seen.seq <= rs->sent_seq)
        return;
    write_ride(stream_chunk_begin(st, &begun), &seen.image, seen.as_rider, seen.seq);
    stream_chunk_end(st, begun, seen.seq);
    rs->sent_seq = seen.seq;
    rs->heard_ms = seen.image.driver_heard_at_ms;
    stream_poll(st, seen.image.status == RIDE_ASSIGNED);
    if (ride_status_live(seen.image.status))
        stream_flush(st);
    else
        stream_end(st);
}

/* Sends the driver's position if there is a new one. Changes of the ride itself are sent by ride_send. */
static void ride_poll(struct stream *st)
{
    struct ride_stream *rs = (struct ride_stream *)st;
    struct ride_seen seen;
    size_t begun;
    if (!read_ride(rs, &seen) || seen.seq != rs->sent_seq || !seen.image.has_driver ||
        seen.image.driver_heard_at_ms == rs->heard_ms)
        return;
    rs->heard_ms = seen.image.driver_heard_at_ms;
    struct buf *out = stream_chunk_begin(st, &begun);
    struct json_writer w = message_begin(out, "driver", 0);
    encode_driver_position(&w, &seen.image);
    message_end(out);
    stream_chunk_end(st, begun, seen.seq);
    stream_flush(st);
}

static void ride_touched(struct streams *streams, const struct ride_touch *touch)
{
    struct stream *st = NULL;
    if (touch->driver)
        return;
    while ((st = stream_next(streams, STREAM_RIDE, touch->fleet, ride_key(touch->ride), st))) {
        const struct ride_stream *rs = (const struct ride_stream *)st;
        if (id_equal(rs->ride, touch->ride) && touch->seq > rs->sent_seq)
            stream_mark(st);
    }
}

static void ride_release(struct stream *st)
{
    text_free(((struct ride_stream *)st)->user);
}

/* ---- Beginning ---- */

static void ride_follow(struct request *r, const struct ride_image *ride, uint64_t seq)
{
    struct stream *st = stream_subscribe(r, STREAM_RIDE);
    struct ride_stream *rs = (struct ride_stream *)st;
    if (!st)
        return;
    stream_set_key(st, ride->fleet, ride_key(ride->id));
    rs->ride = ride->id;
    if (r->actor.role == ROLE_USER)
        rs->user = text_own(r->actor.name);
    rs->sent_seq = seq;
    rs->heard_ms = ride->driver_heard_at_ms;
    stream_poll(st, ride->status == RIDE_ASSIGNED);
}

static void ride_found(struct call *call, const struct outcome *outcome)
{
    struct request *r = call->request;
    const struct ride_image *ride = &outcome->ride;
    bool live = ride_status_live(ride->status);
    uint64_t seq = outcome->seq > 0 ? outcome->seq : 1, last;
    bool resumes = stream_resumes(r, &last);
    if (!resumes)
        message_reset(&r->scratch, seq);
    /* For a ride from the book (seq 0) it is unknown when it changed: it may be new to the client. */
    if (!resumes || !outcome->seq || last < seq)
        write_ride(&r->scratch, ride, outcome->as_rider, seq);
    if (live)
        ride_follow(r, ride, outcome->seq);
    stream_reply(r, live);
}

HANDLER(api_ride_stream)
{
    if (!stream_has_room(r))
        return;
    struct call *call = call_make(r, COMMAND_RIDE_LOOK);
    call->command.ride.fleet = r->parameters[0];
    call->command.ride_checked = !encode_id_read(ENCODE_RIDE, r->parameters[1], &call->command.ride.id);
    call_submit(call, ride_found);
}

const struct stream_source ride_source = {.size = sizeof(struct ride_stream),
                                          .send = ride_send,
                                          .poll = ride_poll,
                                          .release = ride_release,
                                          .ride_touched = ride_touched};
