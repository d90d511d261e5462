/* SPDX-License-Identifier: Apache-2.0 */
/* stream_source.h — what a stream is about, as its life (stream.h) sees it.
 *
 * A source begins its streams in a handler: finds what is to be followed, writes the first messages (a reset, or what came
 * after Last-Event-ID), subscribes and replies. From then on its functions are called. Each may end the stream or close
 * its connection, and returns at once after that: the stream is gone.
 *
 * To add one: a row of STREAM_SOURCES (stream.h), a file like live/ride_stream.c, and the row of its route.
 */
#ifndef HTTP_STREAM_SOURCE_H
#define HTTP_STREAM_SOURCE_H

#include "http/live/stream.h"
#include "http/wire/request.h"

struct connection;
struct ride_touch;

struct stream {
    struct link all;       /* stream_set.all */
    struct link by_key;    /* streams.buckets, or in no list */
    struct link due;       /* stream_set.due, or in no list */
    struct link heartbeat; /* streams.heartbeats or streams.heartbeats_due */
    struct link poll;      /* streams.polls, or in no list */
    struct audience_member member;
    struct connection *connection;
    enum stream_source_id source;
    uint64_t about[2]; /* its key */
    uint64_t poll_ms;  /* when its next poll is due */
    bool pending;      /* something came up that was not sent yet */
};

struct stream_source {
    size_t size;          /* of its struct, which begins with a struct stream */
    size_t audience_size; /* of its struct, which begins with a struct audience; 0: it has none */
    bool refreshes;       /* heartbeats send the whole state; otherwise they are comments */
    /* Something came up, and the output is empty: sends it. */
    void (*send)(struct stream *st);
    /* The same when the output is not empty, before it is sent later: what cannot wait. NULL: all can. */
    void (*behind)(struct stream *st);
    /* Once a second while stream_poll says so, if the output is empty; NULL: it has no polls. */
    void (*poll)(struct stream *st);
    /* At each heartbeat: false ends the stream. NULL: its ends are all seen by `send`. */
    bool (*lives)(struct stream *st);
    /* Frees what its struct owns; NULL: nothing. */
    void (*release)(struct stream *st);
    /* Frees what the struct of an audience owns; NULL: nothing. */
    void (*audience_release)(struct audience *audience);
    /* More is durable: true if something came up for this audience. NULL: of no interest. */
    bool (*gather)(struct server *server, struct audience *audience);
    /* A few times a second; NULL: nothing is to be done. */
    void (*sweep)(struct streams *streams, struct stream_set *set);
    /* Notices of the view (view_on_moved, view_on_ride); NULL: of no interest. */
    void (*entry_moved)(struct streams *streams, uint64_t event, uint32_t number);
    void (*ride_touched)(struct streams *streams, const struct ride_touch *touch);
};

#define X(constant, name, gauge) extern const struct stream_source name##_source;
STREAM_SOURCES(X)
#undef X

/* ---- Beginning ---- */
/* Whether there may be one more. False: 503 was replied. */
bool stream_has_room(struct request *r);
/* The client of this request follows from now on. Returns the source's struct, zeroed behind the stream; NULL: nobody
 * follows, because it is a HEAD or the client is gone. The reply has to be a stream that goes on. */
struct stream *stream_subscribe(struct request *r, enum stream_source_id source);
/* Makes it one that stream_next finds. */
void stream_set_key(struct stream *st, uint64_t first, uint64_t second);
/* The message that the client has seen last, by its Last-Event-ID. False: it names none that can be resumed after. */
bool stream_resumes(const struct request *r, uint64_t *last);
/* Replies with what r->scratch has, the first messages. goes_on: more will come. */
void stream_reply(struct request *r, bool goes_on);

/* ---- Marking ---- */
/* The stream with this key that comes after `before`, which is NULL for the first; NULL: there are no more. */
struct stream *stream_next(struct streams *streams, enum stream_source_id source, uint64_t first,
                           uint64_t second, const struct stream *before);
/* Something came up for this one. It is sent in one of the next turns of the loop. */
void stream_mark(struct stream *st);
/* Whether it is polled from now on, beginning in a second. */
void stream_poll(struct stream *st, bool polled);
/* Something came up for all of them. */
void stream_mark_audience(struct streams *streams, struct audience *audience);

/* ---- Sending ---- */
/* What is appended to the buffer between the two is one chunk, and leaves when seq is durable. */
struct buf *stream_chunk_begin(struct stream *st, size_t *begun);
void stream_chunk_end(struct stream *st, size_t begun, uint64_t seq);
/* Sends what may leave. */
void stream_flush(struct stream *st);
/* The stream is complete with what was sent. */
void stream_end(struct stream *st);
/* It is too far behind: closes the connection, without an end. */
void stream_drop(struct stream *st);

#endif
