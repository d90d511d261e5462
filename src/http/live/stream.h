/* SPDX-License-Identifier: Apache-2.0 */
/* stream.h — Server-Sent Events: the life of a stream, the same for all subjects.
 *
 *   request ──► a source begins it ──► FOLLOWS ──► ends: the last chunk, or the connection closes
 *                                       │  ▲
 *                    something changed  ▼  │  sent
 *                                      PENDING ──► output not empty: sent when the socket has taken it
 *
 * Owns the list of streams, the pending ones and the heartbeats, and spreads the sending over turns of the loop. The
 * subject of a stream (how it begins, what it sends, how it resumes, when it ends) is a source: a row of the table
 * below, and one file with the functions of stream_source.h.
 *
 * Nothing is sent before it is durable, and nothing is added to an output that is not empty, so a client that does not
 * read costs no memory. Streams of one ride or entry are found in a table, and streams of one event are marked together
 * (audience.h): the cost depends only on what has changed.
 *
 * A heartbeat comes every fifteen seconds: a comment, or the whole state again.
 */
#ifndef HTTP_STREAM_H
#define HTTP_STREAM_H

#include <uv.h>

#include "http/live/audience.h"
#include "http/live/wheel.h"

struct server;
struct stream;

/* X(constant, name, gauge): NAME_source is in live/NAME_stream.c, and /metrics counts it in this gauge. */
/* clang-format off */
#define STREAM_SOURCES(X) \
    X(EVENT, event, STREAM_GAUGE_EVENTS) \
    X(CALENDAR, calendar, STREAM_GAUGE_EVENTS) \
    X(ENTRY, entry, STREAM_GAUGE_ENTRIES) \
    X(RIDE, ride, STREAM_GAUGE_RIDES) \
    X(DRIVER, driver, STREAM_GAUGE_RIDES) \
    X(FORWARD, forward, STREAM_GAUGE_FORWARDED)
/* clang-format on */

enum stream_source_id {
#define X(constant, name, gauge) STREAM_##constant,
    STREAM_SOURCES(X)
#undef X
        STREAM_SOURCE_COUNT
};

enum stream_gauge { STREAM_GAUGE_EVENTS, STREAM_GAUGE_ENTRIES, STREAM_GAUGE_RIDES, STREAM_GAUGE_FORWARDED, STREAM_GAUGE_COUNT };

#define STREAM_BUCKETS 4096

/* The streams of one source. */
struct stream_set {
    struct link all;
    struct link due; /* marked on their own */
    struct audiences audiences;
    unsigned count;
};

struct streams {
    struct server *server;
    struct stream_set sets[STREAM_SOURCE_COUNT];
    struct link buckets[STREAM_BUCKETS]; /* by source and key */
    struct wheel heartbeats;
    struct link heartbeats_due;
    struct link polls;                   /* in the order in which they are due */
    unsigned counts[STREAM_GAUGE_COUNT]; /* open */
    unsigned count, count_max;           /* of all of them */
    uv_timer_t timer;                    /* the next gathering */
    bool timer_runs;
    uint64_t gathered_ms;
};

void streams_init(struct streams *streams, struct server *server, unsigned count_max);
void streams_release(struct streams *streams);
void streams_close(struct streams *streams, uv_close_cb closed); /* the timer; its data is the server */
/* More changes are durable: they are collected soon, at most once every few milliseconds. */
void streams_durable(struct streams *streams);
/* Sends some of the due messages; true: there are more. */
bool streams_pump(struct streams *streams);
/* Call it a few times a second: heartbeats, and the sources' own checks. */
void streams_sweep(struct streams *streams);

/* ---- For connections ---- */
/* Its connection closes, or the stream has ended. */
void stream_leave(struct stream *st);
/* The socket has taken everything: sends what is pending. */
void stream_written(struct stream *st);

#endif
