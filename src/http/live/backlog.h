/* SPDX-License-Identifier: Apache-2.0 */
/* backlog.h — streams of what many follow at once: messages are formatted once for all of them.
 *
 * One backlog for each audience. When changes are durable they are formatted as one chunk into its end, and sent from
 * there to each stream; only what a socket does not take is copied. Streams by HTTP/1.0, which has no chunks, are an
 * audience of their own. A stream more than BACKLOG_LAG_MAX bytes behind is dropped: the client comes back with
 * Last-Event-ID and misses nothing.
 *
 * The id of a message is its seq. A change may need several messages; a client that resumes after one of them
 * gets the others again, since it may have been cut off in between. So nothing is missed, and a message may
 * come twice.
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
    enum outcome_code missing; /* the refusal when there is none of this name */
    bool (*find)(struct view *view, struct text id, struct backlog_found *out);
    /* Writes all that is durable and came after this seq. False: that is not known any more, and nothing was written. */
    bool (*write)(struct view *view, uint64_t number, uint64_t after, struct backlog_writer *w);
};

/* Replies to a request for a stream of what its first parameter names. */
void backlog_open(struct request *r, const struct backlog_topic *topic);
/* For backlog_topic.write: where the message of this seq goes; NULL: it is left out. */
struct buf *backlog_message(struct backlog_writer *w, uint64_t seq);

/* ---- For the rows of sources ---- */
struct backlog {
    struct audience audience;
    const struct backlog_topic *topic;
    bool over;      /* what it is about was removed: its streams end, one after the other */
    uint64_t after; /* all up to this seq is in it */
    struct buf bytes;
    uint64_t begin; /* where the bytes begin, counted from the backlog's own beginning */
};

struct backlog_stream {
    struct stream stream;
    uint64_t at; /* how much of the backlog it was sent */
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
