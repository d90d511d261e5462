/* SPDX-License-Identifier: Apache-2.0 */
#include "http/live/backlog.h"

#include "base/assertion.h"
#include "http/live/message.h"
#include "http/server.h"
#include "http/wire/reply.h"

#define BURST_MAX (1u << 20) /* more bytes than this at once are replaced by a reset */
#define BYTES_LIMIT (64u << 20)

/* ---- Writing ---- */

struct backlog_writer {
    struct buf *out; /* NULL: write nothing */
    size_t begun;
    uint64_t resumed_at; /* the client has at least the first message of this seq; 0: none */
    bool had_first;
    bool too_much;
    uint64_t exact_after; /* later seqs are those of single changes, and not of batches */
};

struct buf *backlog_message(struct backlog_writer *w, uint64_t seq, bool more, uint64_t *id)
{
    *id = more && seq <= w->exact_after ? 0 : seq;
    bool had = seq == w->resumed_at && !w->had_first;
    w->had_first |= had;
    if (had || w->too_much || !w->out)
        return NULL;
    w->too_much = w->out->size - w->begun > BURST_MAX;
    return w->out;
}

/* Appends all changes after `after`. False: they are not known or too many, and nothing was appended. */
static bool write_since(struct server *s, const struct backlog *b, uint64_t after, uint64_t resumed_at, struct buf *out)
{
    struct backlog_writer w = {.out = out,
                               .begun = out->size,
                               .resumed_at = resumed_at,
                               .exact_after = store_decides_after(s->store)};
    if (b->topic->write(s->view, b->audience.number, after, &w) && !w.too_much)
        return true;
    out->size = w.begun;
    return false;
}

/* The same for a client that was disconnected after the message `last`. A change may have several messages with the
 * same seq, and the client may have been disconnected between them, so the others of that seq are sent again; of a batch, in
 * which the order is another one, all are. */
static bool write_resumed(struct server *s, const struct backlog *b, uint64_t last, struct buf *out)
{
    bool exact = last > store_decides_after(s->store);
    return (last > 0 && write_since(s, b, last - 1, exact ? last : 0, out)) || write_since(s, b, last, 0, out);
}

/* ---- Gathering ---- */

static bool backlog_lives(struct view *view, const struct backlog *b)
{
    struct backlog_found found;
    return b->topic->find(view, b->audience.id, &found) && found.number == b->audience.number;
}

bool backlog_gather(struct server *server, struct audience *audience)
{
    struct backlog *b = (struct backlog *)audience;
    uint64_t durable = store_durable_seq(server->store);
    if (b->over || durable <= b->after)
        return false;
    if (link_alone(&audience->pending) && b->bytes.size > BACKLOG_LAG_MAX) {
        size_t old = b->bytes.size - BACKLOG_LAG_MAX;
        buf_consume(&b->bytes, old);
        b->begin += old;
    }
    size_t before = b->bytes.size, begun = chunk_begin(&b->bytes, audience->chunked);
    if (!write_since(server, b, b->after, 0, &b->bytes)) {
        b->over = !backlog_lives(server->view, b);
        if (!b->over)
            message_reset(&b->bytes, durable);
    }
    chunk_end(&b->bytes, begun, audience->chunked);
    b->after = durable;
    return b->over || b->bytes.size > before;
}

/* ---- Sending ---- */

static uint64_t backlog_end(const struct backlog *b)
{
    return b->begin + b->bytes.size;
}

/* Ends the stream if its subject was removed, or drops it if it is too far behind. True: the stream is gone. */
static bool end_if_over(struct stream *st)
{
    const struct backlog *b = (const struct backlog *)st->member.audience;
    uint64_t at = ((const struct backlog_stream *)st)->at;
    bool full = !output_empty(&st->connection->output), over = b->over;
    bool lost = at < b->begin || (full && backlog_end(b) - at > BACKLOG_LAG_MAX);
    if (over)
        stream_end(st); /* the last one to end frees the backlog */
    else if (lost)
        stream_drop(st);
    return over || lost;
}

void backlog_behind(struct stream *st)
{
    end_if_over(st);
}

void backlog_send(struct stream *st)
{
    struct backlog_stream *bs = (struct backlog_stream *)st;
    struct backlog *b = (struct backlog *)st->member.audience;
    struct connection *c = st->connection;
    if (end_if_over(st) || bs->at == backlog_end(b))
        return;
    char *bytes = (char *)b->bytes.data + (bs->at - b->begin);
    uv_buf_t buf = {.base = bytes, .len = backlog_end(b) - bs->at};
    int n = uv_try_write((uv_stream_t *)&c->tcp, &buf, 1);
    size_t sent = n > 0 ? (size_t)n : 0;
    if ((n < 0 && n != UV_EAGAIN) || buf.len - sent > BACKLOG_LAG_MAX) {
        stream_drop(st);
        return;
    }
    bs->at = backlog_end(b);
    if (sent == buf.len)
        return;
    buf_append(&c->output.out, bytes + sent, buf.len - sent);
    output_add_ready(&c->output);
    stream_flush(st);
}

/* ---- Beginning and ending ---- */

/* The seq from which the view can report changes. The call also makes the view start recording them. */
static uint64_t first_after(struct server *server, const struct backlog_topic *topic,
                            const struct backlog_found *found)
{
    uint64_t durable = store_durable_seq(server->store);
    struct backlog_writer nothing = {0};
    if (topic->write(server->view, found->number, durable, &nothing))
        return durable;
    return found->seq > durable ? found->seq : durable;
}

/* The backlog of this subject, brought up to date; or a new one. */
static struct backlog *backlog_get(struct streams *streams, const struct backlog_topic *topic,
                                   const struct backlog_found *found, bool chunked)
{
    struct audiences *audiences = &streams->sets[topic->source].audiences;
    struct audience *audience = audiences_find(audiences, found->number, chunked);
    if (audience) {
        if (backlog_gather(streams->server, audience))
            stream_mark_audience(streams, audience);
        return (struct backlog *)audience;
    }
    struct backlog *b = (struct backlog *)audiences_add(audiences, found->number, found->id, chunked);
    b->topic = topic;
    b->after = first_after(streams->server, topic, found);
    buf_init(&b->bytes, BYTES_LIMIT);
    return b;
}

void backlog_release(struct audience *audience)
{
    buf_release(&((struct backlog *)audience)->bytes);
}

void backlog_open(struct request *r, const struct backlog_topic *topic)
{
    struct backlog_found found;
    uint64_t last;
    size_t begun;
    if (!topic->find(r->view, r->parameters[0], &found)) {
        reply_outcome(r, topic->missing);
        return;
    }
    if (!stream_has_room(r))
        return;
    bool resumes = stream_resumes(r, &last);
    stream_reply(r, true); /* the head does not wait for the disk */
    struct stream *st = stream_subscribe(r, topic->source);
    if (!st)
        return;
    struct backlog *b = backlog_get(&r->server->streams, topic, &found, st->connection->chunked);
    ASSERT(!b->over); /* it was just found */
    struct buf *out = stream_chunk_begin(st, &begun);
    if (!resumes || b->after > store_durable_seq(r->store) || !write_resumed(r->server, b, last, out))
        message_reset(out, b->after);
    stream_chunk_end(st, begun, b->after);
    audience_join(&b->audience, &st->member);
    ((struct backlog_stream *)st)->at = backlog_end(b);
}
