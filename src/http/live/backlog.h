/* SPDX-License-Identifier: Apache-2.0 */
/* backlog.h — streams of subjects that many clients follow at once: messages are formatted once for all of them.
 *
 * One backlog for each audience. When changes are durable they are appended to it as one chunk, and sent from there to
 * each stream; only bytes that a socket does not take are copied. Streams over HTTP/1.0, which has no chunks, are an
 * audience of their own. A stream more than BACKLOG_LAG_MAX bytes behind is dropped: the client reconnects with
 * Last-Event-ID and misses nothing.
 *
 * The id of a message is its seq. A change may need several messages; a client that resumes after one of them
 * gets the others again, since it may have been disconnected in between. So nothing is missed, and a message may
 * come twice. A node that follows another knows only by batches what was touched, and gives all messages of a batch its
 * seq: there only the last one has an id, so that a client which resumes elsewhere misses none of the others.
 *
 * A source of this kind has a struct backlog_topic, and calls backlog_open in its handler.
 */
#ifndef HTTP_BACKLOG_H
#define HTTP_BACKLOG_H

#include "base/memory/buf.h"
#include "core/outcome.h"
#include "http/live/stream_source.h"
#include "view/view.h"

#define BACKLOG_LAG_MAX 65536

struct backlog_writer;

/* An event or a calendar as it was found. */
struct backlog_found {
    uint64_t number;
    struct text id;
    uint64_t seq; /* of the last change that touched it */
};

struct backlog_topic {
    enum stream_source_id source;
    enum outcome_code missing; /* the refusal if the subject does not exist */
    bool (*find)(struct view *view, struct text id, struct backlog_found *out);
    /* Writes all durable changes after this seq. False: they are not known any more, and nothing was written. */
    bool (*write)(struct view *view, uint64_t number, uint64_t after, struct backlog_writer *w);
};

/* Replies to a request for a stream of the subject named by its first parameter. */
void backlog_open(struct request *r, const struct backlog_topic *topic);
/* For backlog_topic.write: where to write the message of this seq, with *id (0: without one); NULL: skip it. `more`: the next
 * message has the same seq. */
struct buf *backlog_message(struct backlog_writer *w, uint64_t seq, bool more, uint64_t *id);

/* ---- For the rows of sources ---- */
struct backlog {
    struct audience audience;
    const struct backlog_topic *topic;
    bool over;      /* the subject was removed: its streams end, one after the other */
    uint64_t after; /* contains all changes up to this seq */
    struct buf bytes;
    uint64_t begin; /* the position of `bytes`, counted from the start of the backlog */
};

struct backlog_stream {
    struct stream stream;
    uint64_t at; /* the position in the backlog up to which it was sent */
};

void backlog_send(struct stream *st);
void backlog_behind(struct stream *st);
bool backlog_gather(struct server *server, struct audience *audience);
void backlog_release(struct audience *audience);

#define BACKLOG_SOURCE                                                                                       \
    {                                                                                                        \
        .size = sizeof(struct backlog_stream), .audience_size = sizeof(struct backlog),                      \
        .send = backlog_send, .behind = backlog_behind, .gather = backlog_gather,                            \
        .audience_release = backlog_release                                                                  \
    }

#endif
