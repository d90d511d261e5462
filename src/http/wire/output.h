/* SPDX-License-Identifier: Apache-2.0 */
/* output.h — the bytes that a connection has to send, in order, and none before what it shows is durable.
 *
 *      out:   | sent | may go | parked ...... parked |
 *             0      sent     ready                  out.size
 *
 * Replies are encoded at the end of `out`. A reply that shows a seq which is not durable yet is parked: a
 * mark keeps its end and its seq. When a seq becomes durable, `ready` moves over the marks it covers, and all
 * that may go leaves in one write. What the socket does not take at once is moved to `flight`, which libuv
 * writes in its own time, so that `out` may go on growing. At most one shared document follows everything in
 * `out`, without being copied.
 *
 * Knows nothing of connections: the server's list says who waits for which seq.
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
    size_t last;                                /* where the latest reply begins, as long as it is parked */
    struct output_mark marks[OUTPUT_MARKS_MAX]; /* a ring */
    unsigned mark_first, mark_count;
    struct document *document;        /* a reference; NULL: none */
    const struct buf *document_bytes; /* its plain or its gzip form */
    size_t document_sent;
    struct buf flight;
    size_t flight_size; /* bytes that libuv has, of `flight` or of the document */
    uv_write_t write;
    bool writing; /* `write` is in libuv's hands */
};

void output_init(struct output *o);
void output_release(struct output *o); /* not while writing */

/* The reply whose bytes end at out.size may go once `seq` is durable. */
void output_add(struct output *o, uint64_t seq, uint64_t durable_seq, uint64_t started_ns, enum lane lane,
                struct metrics *metrics);
/* What was appended to an output without parked bytes may go at once. */
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
/* The latest reply turns out to be the last one: if it is still parked, it gets Connection: close. */
void output_say_close(struct output *o);
/* Everything up to durable_seq may go now. */
void output_settle(struct output *o, uint64_t durable_seq, uint64_t now_ns, struct metrics *metrics);

/* Writes what may go. OUTPUT_BUSY: some of it is in libuv's hands; on_written is called when it is done, and
 * calls output_written first. OUTPUT_IDLE: nothing may go now (parked bytes may be left). */
enum output_state { OUTPUT_IDLE, OUTPUT_BUSY, OUTPUT_BROKEN };
enum output_state output_flush(struct output *o, uv_stream_t *stream, uv_write_cb on_written);
void output_written(struct output *o);

bool output_empty(const struct output *o);
/* So much is waiting to be sent that no further reply should be added yet. */
bool output_full(const struct output *o);

#endif
