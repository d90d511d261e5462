/* SPDX-License-Identifier: Apache-2.0 */
/* stream_source.h — the subject of a stream, as seen by stream.h.
 *
 * A source begins its streams in a handler: it finds the subject, writes the first messages (a reset, or the changes
 * after Last-Event-ID), subscribes and replies. From then on its functions are called. Each may end the stream or close
 * its connection, and must return at once after that: the stream is gone.
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
    bool pending;      /* there is something to send */
};

struct stream_source {
    size_t size;          /* of its struct, which begins with a struct stream */
    size_t audience_size; /* of its struct, which begins with a struct audience; 0: no audiences */
    bool refreshes;       /* heartbeats send the whole state; otherwise they are comments */
    bool relays;          /* what another node sends: never kept back (store_may_answer) */
    /* Something is pending, and the output is empty: sends it. */
    void (*send)(struct stream *st);
    /* Something is pending, but the output is not empty: does what cannot wait; or NULL. */
    void (*behind)(struct stream *st);
    /* Called once a second while enabled by stream_poll, if the output is empty; or NULL. */
    void (*poll)(struct stream *st);
    /* Called at each heartbeat: false ends the stream. NULL: `send` notices every end. */
    bool (*lives)(struct stream *st);
    /* Frees what its struct owns; or NULL. */
    void (*release)(struct stream *st);
    /* Frees what the struct of an audience owns; or NULL. */
    void (*audience_release)(struct audience *audience);
    /* More changes are durable: true if there are some for this audience; or NULL. */
    bool (*gather)(struct server *server, struct audience *audience);
    /* Called a few times a second; or NULL. */
    void (*sweep)(struct streams *streams, struct stream_set *set);
    /* Notifications of the view (view_on_moved, view_on_ride); or NULL. */
    void (*entry_moved)(struct streams *streams, uint64_t event, uint32_t number);
    void (*ride_touched)(struct streams *streams, const struct ride_touch *touch);
};

#define X(constant, name, gauge) extern const struct stream_source name##_source;
STREAM_SOURCES(X)
#undef X

/* ---- Beginning ---- */
/* Whether one more stream may be opened. False: 503 was replied. */
bool stream_has_room(struct request *r);
/* Subscribes the client of this request. Returns the source's struct, zeroed after the stream; NULL: not subscribed,
 * because the request is a HEAD or the client is gone. The reply must be a stream that goes on. */
struct stream *stream_subscribe(struct request *r, enum stream_source_id source);
/* Sets the key by which stream_next finds it. */
void stream_set_key(struct stream *st, uint64_t first, uint64_t second);
/* The last message that the client has seen, by its Last-Event-ID. False: the stream cannot be resumed after it. */
bool stream_resumes(const struct request *r, uint64_t *last);
/* Replies with the first messages, from r->scratch. goes_on: more will come. */
void stream_reply(struct request *r, bool goes_on);

/* ---- Marking ---- */
/* The next stream with this key after `before`, which is NULL for the first; NULL: no more. */
struct stream *stream_next(struct streams *streams, enum stream_source_id source, uint64_t first,
                           uint64_t second, const struct stream *before);
/* There is something to send. It is sent in one of the next turns of the loop. */
void stream_mark(struct stream *st);
/* Starts or stops polling; the first poll is in a second. */
void stream_poll(struct stream *st, bool polled);
/* There is something to send to all members. */
void stream_mark_audience(struct streams *streams, struct audience *audience);

/* ---- Sending ---- */
/* Everything appended to the buffer between the two calls is one chunk, sent once seq is durable. */
struct buf *stream_chunk_begin(struct stream *st, size_t *begun);
void stream_chunk_end(struct stream *st, size_t begun, uint64_t seq);
/* Sends the output that is ready. */
void stream_flush(struct stream *st);
/* Ends the stream after the output added so far. */
void stream_end(struct stream *st);
/* The client is too far behind: closes the connection without ending the stream properly. */
void stream_drop(struct stream *st);

#endif
