/* SPDX-License-Identifier: Apache-2.0 */
/* output.h — the bytes that a connection sends, in order; each reply waits until the changes it shows are durable.
 *
 *      out:   | sent | ready  | parked ...... parked |
 *             0      sent     ready                  out.size
 *
 * Replies are encoded at the end of `out`. A reply that shows a seq which is not durable yet is parked: a
 * mark keeps its end and its seq. When a seq becomes durable, `ready` moves past the marks it covers, and all
 * ready bytes leave in one write. Bytes that the socket does not take at once move to `flight`, which libuv
 * writes later, so that `out` can keep growing. At most one shared document follows everything in `out`,
 * without being copied.
 *
 * Does not know about connections: the server's list says which of them wait for which seq.
 */
#ifndef HTTP_OUTPUT_H
#define HTTP_OUTPUT_H

#include <uv.h>

#include "base/memory/buf.h"
#include "http/routes.h"

struct document;
struct metrics;

#define OUTPUT_MARKS_MAX 8

struct output_mark {
    size_t end;
    uint64_t seq;
    uint64_t started_ns; /* of the oldest reply under it */
    uint32_t count;      /* replies under it */
    enum lane lane;
};

struct output {
    struct buf out;
    size_t sent, ready;
    size_t last;                                /* where the latest reply begins, while it is parked */
    struct output_mark marks[OUTPUT_MARKS_MAX]; /* a ring */
    unsigned mark_first, mark_count;
    struct document *document;        /* a reference; NULL: none */
    const struct buf *document_bytes; /* its plain or its gzip form */
    size_t document_sent;
    struct buf flight;
    size_t flight_size; /* bytes that libuv has, of `flight` or of the document */
    uv_write_t write;
    bool writing; /* `write` belongs to libuv */
};

void output_init(struct output *o);
void output_release(struct output *o); /* not while writing */

/* The reply whose bytes end at out.size may be sent once `seq` is durable. */
void output_add(struct output *o, uint64_t seq, uint64_t durable_seq, uint64_t started_ns, enum lane lane,
                struct metrics *metrics);
/* The bytes appended to an output without parked bytes may be sent at once. */
void output_add_ready(struct output *o);
/* Takes a reference of the document. */
void output_add_document(struct output *o, struct document *take, const struct buf *bytes);
static inline bool output_parked(const struct output *o)
{
    return o->mark_count > 0;
}
static inline uint64_t output_first_seq(const struct output *o)
{
    return o->marks[o->mark_first].seq;
}
/* The latest reply turns out to be the last one: if it is still parked, adds Connection: close to it. */
void output_announce_close(struct output *o);
/* When the oldest parked reply began. */
static inline uint64_t output_first_ns(const struct output *o)
{
    return o->marks[o->mark_first].started_ns;
}
/* Sends these bytes in place of everything that is parked. */
void output_replace_parked(struct output *o, const char *bytes, size_t size);
/* Everything up to durable_seq may be sent now. */
void output_settle(struct output *o, uint64_t durable_seq, uint64_t now_ns, struct metrics *metrics);

/* Writes the ready bytes. OUTPUT_BUSY: libuv still writes some of them; it calls on_written when done, which must call
 * output_written first. OUTPUT_IDLE: no bytes are ready (parked ones may be left). */
enum output_state { OUTPUT_IDLE, OUTPUT_BUSY, OUTPUT_BROKEN };
enum output_state output_flush(struct output *o, uv_stream_t *stream, uv_write_cb on_written);
void output_written(struct output *o);

bool output_empty(const struct output *o);
/* Too many bytes are waiting to be sent to add another reply yet. */
bool output_full(const struct output *o);

#endif
