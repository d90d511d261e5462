/* SPDX-License-Identifier: Apache-2.0 */
/* backlog.h — Server-Sent Events: changes of an event's seats and pools, or of a calendar's time, sent to all who follow
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
#ifndef HTTP_BACKLOG_H
#define HTTP_BACKLOG_H

#include <uv.h>

#include "base/buf.h"
#include "http/wire/link.h"

struct server;
struct connection;

#define STREAM_LAG_MAX 65536
#define STREAM_COMMENT_MS 15000

struct backlogs {
    struct server *server;
    struct link channels;
    struct link subscribers; /* of all channels, in the order in which their next comment is due */
    unsigned count, count_max;
    uv_timer_t timer;
    bool timer_runs;
    uint64_t pumped_ms;
    struct buf fresh; /* being formatted */
};

void backlogs_init(struct backlogs *streams, struct server *server, unsigned count_max);
void backlogs_release(struct backlogs *streams);
void backlogs_close(struct backlogs *streams, uv_close_cb closed); /* the timer; its data is the server */
/* More is durable. Sent soon, but not more often than every few milliseconds. */
void backlogs_durable(struct backlogs *streams);
/* A few times a second: comments, so that proxies and clients see that it lives. */
void backlogs_sweep(struct backlogs *streams);

/* ---- For connections ---- */
void backlog_leave(struct connection *c);
/* All that was written has been taken by the socket: send what has come up meanwhile. */
void backlog_written(struct connection *c);

#endif
