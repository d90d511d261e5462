/* SPDX-License-Identifier: Apache-2.0 */
/* stream.h — Server-Sent Events: changes of an event's seats and pools, or of a calendar's time, sent to all who follow
 * it.
 *
 * One channel for each event or calendar that somebody follows. When changes are durable they are formatted once, as one
 * chunk, into the channel's backlog, and sent from there to each subscriber; only what a socket does not take
 * is copied. Followers by HTTP/1.0, which has no chunks, have a channel of their own. A subscriber more than
 * STREAM_LAG_MAX bytes behind is dropped: it comes back with Last-Event-ID and misses nothing.
 *
 * The id of a message is its seq. A change may need several messages; a client that resumes after one of them
 * gets the others again, since it may have been cut off in between. So nothing is missed, and a message may
 * come twice.
 */
#ifndef HTTP_STREAM_H
#define HTTP_STREAM_H

#include <uv.h>

#include "base/buf.h"
#include "http/wire/link.h"

struct server;
struct connection;

#define STREAM_LAG_MAX 65536
#define STREAM_COMMENT_MS 15000

struct streams {
    struct server *server;
    struct link channels;
    struct link subscribers; /* of all channels, in the order in which their next comment is due */
    unsigned count, count_max;
    uv_timer_t timer;
    bool timer_runs;
    uint64_t pumped_ms;
    struct buf fresh; /* being formatted */
};

void streams_init(struct streams *streams, struct server *server, unsigned count_max);
void streams_release(struct streams *streams);
void streams_close(struct streams *streams, uv_close_cb closed); /* the timer; its data is the server */
/* More is durable. Sent soon, but not more often than every few milliseconds. */
void streams_durable(struct streams *streams);
/* A few times a second: comments, so that proxies and clients see that it lives. */
void streams_sweep(struct streams *streams);

/* ---- For connections ---- */
void stream_leave(struct connection *c);
/* All that was written has been taken by the socket: send what has come up meanwhile. */
void stream_written(struct connection *c);

#endif
