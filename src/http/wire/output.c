/* SPDX-License-Identifier: Apache-2.0 */
#include "http/wire/output.h"

#include "base/assertion.h"
#include "http/metrics.h"
#include "view/view.h"

#define DOCUMENT_PIECE ((size_t)128 << 10)
#define OUT_LIMIT ((size_t)1 << 32)
#define KEPT_CAPACITY_MAX 65536
#define COMPACT_AT 32768
#define FULL_AT ((size_t)256 << 10)

void output_init(struct output *o)
{
    *o = (struct output){0};
    buf_init(&o->out, OUT_LIMIT);
    buf_init(&o->flight, OUT_LIMIT);
}

static void drop_document(struct output *o)
{
    if (o->document)
        document_release(o->document);
    o->document = NULL;
}

void output_release(struct output *o)
{
    ASSERT(!o->writing);
    buf_release(&o->out);
    buf_release(&o->flight);
    drop_document(o);
}

static struct output_mark *last_mark(struct output *o)
{
    return &o->marks[(o->mark_first + o->mark_count - 1) % OUTPUT_MARKS_MAX];
}

void output_add(struct output *o, uint64_t seq, uint64_t durable_seq, uint64_t started_ns, enum lane lane,
                struct metrics *metrics)
{
    if (o->mark_count == 0 && seq <= durable_seq) {
        o->ready = o->out.size;
        metrics_latency(metrics, lane, clock_monotonic_ns() - started_ns, 1);
        return;
    }
    struct output_mark *last = last_mark(o);
    o->last = o->mark_count ? last->end : o->ready;
    bool covered = o->mark_count > 0 && seq <= last->seq;
    if ((covered && last->lane == lane) || o->mark_count == OUTPUT_MARKS_MAX) {
        /* With a full ring some replies wait a little longer than necessary. */
        last->end = o->out.size;
        last->seq = seq > last->seq ? seq : last->seq;
        last->count++;
        return;
    }
    o->marks[(o->mark_first + o->mark_count++) % OUTPUT_MARKS_MAX] =
        (struct output_mark){.end = o->out.size,
                             .seq = covered ? last->seq : seq,
                             .started_ns = started_ns,
                             .count = 1,
                             .lane = lane};
}

void output_add_ready(struct output *o)
{
    ASSERT(o->mark_count == 0);
    o->ready = o->out.size;
}

void output_add_document(struct output *o, struct document *take, const struct buf *bytes)
{
    ASSERT(!o->document);
    o->document = take;
    o->document_bytes = bytes;
    o->document_sent = 0;
}

void output_announce_close(struct output *o)
{
    static const char header[] = "Connection: close\r\n";
    size_t size = sizeof header - 1;
    if (!output_parked(o))
        return;
    ASSERT(o->last >= o->ready && o->last < o->out.size);
    const char *reply = (const char *)o->out.data + o->last,
               *bytes_end = (const char *)o->out.data + o->out.size;
    const char *line_end = memchr(reply, '\n', (size_t)(bytes_end - reply));
    const char *head_end = memmem(reply, (size_t)(bytes_end - reply), "\r\n\r\n", 4);
    if (!line_end || !head_end || memmem(reply, (size_t)(head_end - reply), "\r\nConnection:", 13))
        return; /* it already has the header, or it is HTTP/1.0, where closing is the default */
    size_t at = (size_t)(line_end + 1 - (const char *)o->out.data);
    buf_reserve(&o->out, size);
    memmove(o->out.data + at + size, o->out.data + at, o->out.size - at);
    memcpy(o->out.data + at, header, size);
    o->out.size += size;
    last_mark(o)->end += size;
}

void output_replace_parked(struct output *o, const char *bytes, size_t size)
{
    ASSERT(output_parked(o));
    o->mark_count = 0;
    o->out.size = o->ready;
    if (o->document && o->document_sent == 0)
        drop_document(o);
    buf_append(&o->out, bytes, size);
    o->ready = o->out.size;
}

void output_settle(struct output *o, uint64_t durable_seq, uint64_t now_ns, struct metrics *metrics)
{
    while (o->mark_count) {
        const struct output_mark *mark = &o->marks[o->mark_first];
        if (mark->seq > durable_seq)
            return;
        ASSERT(mark->end >= o->ready && mark->end <= o->out.size);
        o->ready = mark->end;
        metrics_latency(metrics, mark->lane, now_ns - mark->started_ns, mark->count);
        o->mark_first = (o->mark_first + 1) % OUTPUT_MARKS_MAX;
        o->mark_count--;
    }
}

/* Drops the first `size` bytes of `out`. */
static void drop_front(struct output *o, size_t size)
{
    ASSERT(size <= o->ready);
    buf_consume(&o->out, size);
    o->sent -= o->sent < size ? o->sent : size;
    o->ready -= size;
    o->last -= o->last < size ? o->last : size;
    for (unsigned i = 0; i < o->mark_count; i++)
        o->marks[(o->mark_first + i) % OUTPUT_MARKS_MAX].end -= size;
}

static void after_sent(struct output *o)
{
    if (o->sent == o->out.size) {
        o->out.size = o->sent = o->ready = 0;
        if (o->out.capacity > KEPT_CAPACITY_MAX)
            buf_release(&o->out);
    } else if (o->sent >= COMPACT_AT) {
        drop_front(o, o->sent);
    }
}

/* Hands the remaining ready bytes to libuv; the parked bytes move to a buffer of their own. */
static enum output_state write_later(struct output *o, uv_stream_t *stream, uv_write_cb on_written)
{
    struct buf parked = o->flight; /* reuses its memory, which is free now */
    buf_clear(&parked);
    buf_append(&parked, o->out.data + o->ready, o->out.size - o->ready);
    o->flight = o->out;
    o->out = parked;
    uv_buf_t bytes = uv_buf_init((char *)o->flight.data + o->sent, 0);
    bytes.len = o->ready - o->sent;
    for (unsigned i = 0; i < o->mark_count; i++)
        o->marks[(o->mark_first + i) % OUTPUT_MARKS_MAX].end -= o->ready;
    o->last -= o->last < o->ready ? o->last : o->ready;
    o->sent = o->ready = 0;
    o->flight_size = bytes.len;
    if (uv_write(&o->write, stream, &bytes, 1, on_written) != 0)
        return OUTPUT_BROKEN;
    o->writing = true;
    return OUTPUT_BUSY;
}

/* How many bytes the socket takes now; -1: it is broken. */
static ssize_t try_write(uv_stream_t *stream, const uint8_t *bytes, size_t size)
{
    uv_buf_t buf = {.base = (char *)bytes, .len = size};
    int n = uv_try_write(stream, &buf, 1);
    if (n == UV_EAGAIN)
        return 0;
    return n < 0 ? -1 : n;
}

static enum output_state flush_document(struct output *o, uv_stream_t *stream, uv_write_cb on_written)
{
    const uint8_t *at = o->document_bytes->data + o->document_sent;
    size_t left = o->document_bytes->size - o->document_sent;
    /* A piece at a time: a document that a thousand clients request at once must not be copied in one turn. */
    ssize_t n = left ? try_write(stream, at, left > DOCUMENT_PIECE ? DOCUMENT_PIECE : left) : 0;
    if (n < 0)
        return OUTPUT_BROKEN;
    o->document_sent += (size_t)n;
    left -= (size_t)n;
    if (left == 0) {
        drop_document(o);
        return OUTPUT_IDLE;
    }
    size_t piece = left > DOCUMENT_PIECE ? DOCUMENT_PIECE : left;
    uv_buf_t rest = {.base = (char *)at + n, .len = piece};
    o->flight_size = piece;
    o->document_sent += piece;
    if (uv_write(&o->write, stream, &rest, 1, on_written) != 0)
        return OUTPUT_BROKEN;
    o->writing = true;
    return OUTPUT_BUSY;
}

enum output_state output_flush(struct output *o, uv_stream_t *stream, uv_write_cb on_written)
{
    if (o->writing)
        return OUTPUT_BUSY;
    size_t size = o->ready - o->sent;
    if (size) {
        ssize_t n = try_write(stream, o->out.data + o->sent, size > INT32_MAX ? INT32_MAX : size);
        if (n < 0)
            return OUTPUT_BROKEN;
        o->sent += (size_t)n;
        if (o->sent < o->ready)
            return write_later(o, stream, on_written);
        after_sent(o);
    }
    if (o->document && o->out.size == 0)
        return flush_document(o, stream, on_written);
    return OUTPUT_IDLE;
}

void output_written(struct output *o)
{
    ASSERT(o->writing);
    o->writing = false;
    o->flight_size = 0;
    buf_clear(&o->flight);
    if (o->flight.capacity > KEPT_CAPACITY_MAX)
        buf_release(&o->flight);
    if (o->document && o->document_sent == o->document_bytes->size)
        drop_document(o);
}

bool output_empty(const struct output *o)
{
    return !o->writing && !o->document && o->out.size == o->sent;
}

bool output_full(const struct output *o)
{
    return o->document || o->out.size - o->sent + (o->writing ? o->flight.size : 0) > FULL_AT;
}
