/* SPDX-License-Identifier: Apache-2.0 */
#include "http/live/backlog.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/digits.h"
#include "base/memory.h"
#include "http/live/message.h"
#include "http/record/encode.h"
#include "http/server.h"
#include "http/wire/reply.h"

#define PUMP_MS 20           /* changes are gathered for this long */
#define BURST_MAX (1u << 20) /* more than this at once is told as a reset */
#define VISITS_MAX 128       /* subscribers written to in one turn of the loop */
#define FRESH_LIMIT (64u << 20)

struct formatter;

/* What can be followed: an event or a calendar. */
struct followed {
    uint64_t number;
    struct text id;
    uint64_t seq; /* of the last change that touched it */
};
struct stream_kind {
    bool (*find)(struct view *view, struct text id, struct followed *out);
    /* Formats all that is durable and came after this seq. False: that cannot be told, and nothing was. */
    bool (*tell)(struct view *view, uint64_t number, uint64_t after, struct formatter *f);
    enum outcome_code missing;
};

struct channel {
    struct link link; /* streams.channels */
    const struct stream_kind *kind;
    uint64_t number; /* of what it is about */
    struct text id;
    bool chunked;
    bool over;      /* what it is about was removed: its streams end, one after the other */
    uint64_t after; /* all up to this seq is in the backlog */
    struct link subscribers;
    unsigned count;
    unsigned to_visit; /* subscribers that may be behind, at the front of the list */
    struct buf backlog;
    uint64_t backlog_at; /* where it begins, counted from the channel's own beginning */
};

struct subscriber {
    struct link link; /* channel.subscribers */
    struct link due;  /* streams.subscribers */
    struct channel *channel;
    struct connection *connection;
    uint64_t at; /* how much of the channel it has been sent */
    uint64_t comment_ms;
};

/* ---- Formatting ---- */

struct formatter {
    struct buf *out;     /* NULL: nothing is written */
    uint64_t resumed_at; /* the client has had at least the first message of this seq; 0: of none */
    bool had_first;
    bool too_much;
};

/* False: this message is left out. */
static bool takes(struct formatter *f, uint64_t seq)
{
    bool had = seq == f->resumed_at && !f->had_first;
    f->had_first |= had;
    if (had || f->too_much || !f->out)
        return false;
    f->too_much = f->out->size > BURST_MAX;
    return true;
}

static void format_touch(void *ctx, const struct touch_view *t)
{
    struct formatter *f = ctx;
    if (!takes(f, t->seq))
        return;
    struct json_writer w = message_begin(f->out, encode_touch_event(t), t->seq);
    encode_touch(&w, t);
    message_end(f->out);
}

static void format_span(void *ctx, const struct span_view *span)
{
    struct formatter *f = ctx;
    if (!takes(f, span->seq))
        return;
    struct json_writer w = message_begin(f->out, "changed", span->seq);
    encode_span(&w, span);
    message_end(f->out);
}

static bool event_find_followed(struct view *view, struct text id, struct followed *out)
{
    struct event_view event;
    bool found = view_event_find(view, id, &event);
    if (found)
        *out = (struct followed){event.image.number, event.image.id, event.seq};
    return found;
}

static bool event_tell(struct view *view, uint64_t number, uint64_t after, struct formatter *f)
{
    return view_touches(view, number, after, format_touch, f);
}

static bool calendar_find_followed(struct view *view, struct text id, struct followed *out)
{
    struct calendar_view calendar;
    bool found = view_calendar_find(view, id, &calendar);
    if (found)
        *out = (struct followed){calendar.image.number, calendar.image.id, calendar.seq};
    return found;
}

static bool calendar_tell(struct view *view, uint64_t number, uint64_t after, struct formatter *f)
{
    return view_spans(view, number, after, format_span, f);
}

static const struct stream_kind event_kind = {event_find_followed, event_tell, OUTCOME_NO_SUCH_EVENT};
static const struct stream_kind calendar_kind = {calendar_find_followed, calendar_tell,
                                                 OUTCOME_NO_SUCH_CALENDAR};

/* Appends all that happened after `after`. False: that cannot be told, and nothing was appended. */
static bool format_since(struct view *view, const struct channel *ch, uint64_t after, uint64_t resumed_at,
                         struct buf *out)
{
    size_t before = out->size;
    struct formatter f = {.out = out, .resumed_at = resumed_at};
    if (ch->kind->tell(view, ch->number, after, &f) && !f.too_much)
        return true;
    out->size = before;
    return false;
}

/* The same for a client that was cut off after the message `last`. A change may have several messages with
 * one seq, and it may have been cut off between them: the others of that seq are told again. */
static bool format_resumed(struct view *view, const struct channel *ch, uint64_t last, struct buf *out)
{
    return (last > 0 && format_since(view, ch, last - 1, last, out)) || format_since(view, ch, last, 0, out);
}

/* ---- Sending ---- */

static uint64_t channel_end(const struct channel *ch)
{
    return ch->backlog_at + ch->backlog.size;
}

static void drop(struct subscriber *sub)
{
    struct connection *c = sub->connection;
    c->server->metrics.streams_dropped++;
    connection_close(c);
}

/* Sends what the subscriber has not had yet. May close its connection. */
static void subscriber_send(struct subscriber *sub)
{
    struct channel *ch = sub->channel;
    struct connection *c = sub->connection;
    uint64_t end = channel_end(ch);
    if (sub->at < ch->backlog_at || (!output_empty(&c->output) && end - sub->at > STREAM_LAG_MAX)) {
        drop(sub);
        return;
    }
    if (sub->at == end || !output_empty(&c->output))
        return; /* backlog_written comes back to it */
    char *bytes = (char *)ch->backlog.data + (sub->at - ch->backlog_at);
    uv_buf_t buf = {.base = bytes, .len = end - sub->at};
    int n = uv_try_write((uv_stream_t *)&c->tcp, &buf, 1);
    size_t sent = n > 0 ? (size_t)n : 0;
    if ((n < 0 && n != UV_EAGAIN) || buf.len - sent > STREAM_LAG_MAX) {
        drop(sub);
        return;
    }
    sub->at = end;
    if (sent == buf.len)
        return;
    buf_append(&c->output.out, bytes + sent, buf.len - sent);
    output_add_ready(&c->output);
    connection_flush(c);
}

void backlog_written(struct connection *c)
{
    if (c->subscriber && c->state == CONNECTION_STREAM)
        subscriber_send(c->subscriber);
}

/* ---- Pumping ---- */

static void on_timer(uv_timer_t *timer);

static void start_timer(struct backlogs *streams, uint64_t in_ms)
{
    if (streams->timer_runs)
        return;
    streams->timer_runs = true;
    uv_timer_start(&streams->timer, on_timer, in_ms, 0);
}

static bool channel_lives(struct view *view, const struct channel *ch)
{
    struct followed what;
    return ch->kind->find(view, ch->id, &what) && what.number == ch->number;
}

/* Takes what is new for the channel into its backlog, or finds that there will be nothing more. */
static void channel_pump(struct backlogs *streams, struct channel *ch)
{
    uint64_t durable = store_durable_seq(streams->server->store);
    if (ch->over || durable <= ch->after)
        return;
    buf_clear(&streams->fresh);
    size_t begun = chunk_begin(&streams->fresh, ch->chunked);
    if (!format_since(streams->server->view, ch, ch->after, 0, &streams->fresh)) {
        ch->over = !channel_lives(streams->server->view, ch);
        if (ch->over) {
            ch->to_visit = ch->count;
            return;
        }
        message_reset(&streams->fresh, durable);
    }
    chunk_end(&streams->fresh, begun, ch->chunked);
    ch->after = durable;
    if (streams->fresh.size == 0)
        return;
    if (ch->to_visit == 0 && ch->backlog.size > STREAM_LAG_MAX) {
        size_t old = ch->backlog.size - STREAM_LAG_MAX;
        buf_consume(&ch->backlog, old);
        ch->backlog_at += old;
    }
    buf_append(&ch->backlog, streams->fresh.data, streams->fresh.size);
    ch->to_visit = ch->count;
}

static void subscriber_visit(struct subscriber *sub)
{
    struct connection *c = sub->connection;
    if (!sub->channel->over) {
        subscriber_send(sub);
        return;
    }
    connection_end_stream(c);
    connection_flush(c);
}

/* Writes to some of those who may be behind; true when there are more. */
static bool channel_visit(struct channel *ch, unsigned *visits)
{
    while (ch->to_visit && *visits) {
        struct subscriber *sub = LINK_OWNER(ch->subscribers.next, struct subscriber, link);
        link_append(&ch->subscribers, &sub->link);
        ch->to_visit--;
        --*visits;
        if (ch->count == 1) {
            subscriber_visit(sub); /* may free the channel with its last subscriber */
            return false;
        }
        subscriber_visit(sub);
    }
    return ch->to_visit > 0;
}

static void pump(struct backlogs *streams)
{
    unsigned visits = VISITS_MAX;
    bool more = false;
    streams->pumped_ms = uv_now(streams->server->loop);
    for (struct link *l = streams->channels.next, *next; l != &streams->channels; l = next) {
        next = l->next;
        struct channel *ch = LINK_OWNER(l, struct channel, link);
        channel_pump(streams, ch);
        more |= channel_visit(ch, &visits);
    }
    if (more)
        start_timer(streams, 1);
}

static void on_timer(uv_timer_t *timer)
{
    struct backlogs *streams = &((struct server *)timer->data)->backlogs;
    streams->timer_runs = false;
    pump(streams);
}

void backlogs_durable(struct backlogs *streams)
{
    if (link_alone(&streams->channels) || streams->timer_runs)
        return;
    uint64_t passed = uv_now(streams->server->loop) - streams->pumped_ms;
    if (passed >= PUMP_MS)
        pump(streams);
    else
        start_timer(streams, PUMP_MS - passed);
}

/* ---- Comments ---- */

void backlogs_sweep(struct backlogs *streams)
{
    uint64_t now = streams->server->now_ms;
    while (!link_alone(&streams->subscribers)) {
        struct subscriber *sub = LINK_OWNER(streams->subscribers.next, struct subscriber, due);
        struct connection *c = sub->connection;
        if (now < sub->comment_ms)
            return;
        sub->comment_ms = now + STREAM_COMMENT_MS;
        link_append(&streams->subscribers, &sub->due);
        if (output_empty(&c->output)) {
            buf_append_text(&c->output.out, c->chunked ? "3\r\n:\n\n\r\n" : ":\n\n");
            output_add_ready(&c->output);
            connection_flush(c);
        }
    }
}

/* ---- Life ---- */

void backlogs_init(struct backlogs *streams, struct server *server, unsigned count_max)
{
    *streams = (struct backlogs){.server = server, .count_max = count_max};
    link_init(&streams->channels);
    link_init(&streams->subscribers);
    buf_init(&streams->fresh, FRESH_LIMIT);
    uv_timer_init(server->loop, &streams->timer);
    streams->timer.data = server;
}

void backlogs_close(struct backlogs *streams, uv_close_cb closed)
{
    uv_close((uv_handle_t *)&streams->timer, closed);
}

void backlogs_release(struct backlogs *streams)
{
    ASSERT(link_alone(&streams->channels) && streams->count == 0);
    buf_release(&streams->fresh);
}

/* The seq from which the view can tell what happened; asking makes it remember. */
static uint64_t first_after(struct server *server, const struct stream_kind *kind,
                            const struct followed *what)
{
    uint64_t durable = store_durable_seq(server->store);
    struct formatter nothing = {0};
    if (kind->tell(server->view, what->number, durable, &nothing))
        return durable;
    return what->seq > durable ? what->seq : durable;
}

static struct channel *channel_get(struct backlogs *streams, const struct stream_kind *kind,
                                   const struct followed *what, bool chunked)
{
    for (struct link *l = streams->channels.next; l != &streams->channels; l = l->next) {
        struct channel *ch = LINK_OWNER(l, struct channel, link);
        /* Numbers are seqs: an event and a calendar never have the same. */
        if (ch->number == what->number && ch->chunked == chunked)
            return ch;
    }
    struct channel *ch = memory_zeroed(1, sizeof *ch);
    ch->kind = kind;
    ch->number = what->number;
    ch->chunked = chunked;
    ch->id = text_own(what->id);
    ch->after = first_after(streams->server, kind, what);
    buf_init(&ch->backlog, FRESH_LIMIT);
    link_init(&ch->link);
    link_init(&ch->subscribers);
    link_append(&streams->channels, &ch->link);
    return ch;
}

static void channel_free(struct channel *ch)
{
    ASSERT(ch->count == 0 && link_alone(&ch->subscribers));
    link_remove(&ch->link);
    buf_release(&ch->backlog);
    text_free(ch->id);
    free(ch);
}

/* Follows the channel from its end on; what came before is already in the connection's output. */
static void subscribe(struct backlogs *streams, struct channel *ch, struct connection *c)
{
    struct subscriber *sub = memory_zeroed(1, sizeof *sub);
    ASSERT(!ch->over); /* it was just found */
    sub->channel = ch;
    sub->connection = c;
    sub->at = channel_end(ch);
    sub->comment_ms = streams->server->now_ms + STREAM_COMMENT_MS;
    link_init(&sub->link);
    link_init(&sub->due);
    link_append(&ch->subscribers, &sub->link);
    link_append(&streams->subscribers, &sub->due);
    ch->count++;
    streams->count++;
    c->subscriber = sub;
}

void backlog_leave(struct connection *c)
{
    struct subscriber *sub = c->subscriber;
    struct channel *ch = sub->channel;
    c->subscriber = NULL;
    link_remove(&sub->link);
    link_remove(&sub->due);
    free(sub);
    c->server->backlogs.count--;
    if (ch->to_visit == ch->count)
        ch->to_visit--;
    if (--ch->count == 0)
        channel_free(ch);
}

static void follow(struct request *r, const struct stream_kind *kind)
{
    struct backlogs *streams = &r->server->backlogs;
    struct connection *c = r->connection;
    struct followed what;
    uint64_t last = 0;
    if (!kind->find(r->view, r->parameters[0], &what)) {
        reply_outcome(r, kind->missing);
        return;
    }
    if (server_streams_full(r->server)) {
        reply_unavailable(r, "Too many open streams. Please try again in a moment.");
        return;
    }
    bool resumes = digits_read(r->headers.last_event_id.at, r->headers.last_event_id.size, &last);
    uint64_t started_ns = r->started_ns;
    bool head = r->head;
    reply_stream(r, TEXT(""), true);
    if (head)
        return;
    struct channel *ch = channel_get(streams, kind, &what, c->chunked);
    channel_pump(streams, ch);
    if (ch->to_visit)
        start_timer(streams, 0);
    uint64_t durable = store_durable_seq(r->store);
    struct buf *out = &c->output.out;
    size_t begun = chunk_begin(out, c->chunked);
    if (!resumes || last > durable || ch->after > durable || !format_resumed(r->view, ch, last, out))
        message_reset(out, ch->after);
    chunk_end(out, begun, c->chunked);
    output_add(&c->output, ch->after, durable, started_ns, LANE_NONE, &c->server->metrics);
    server_park(c->server, c);
    subscribe(streams, ch, c);
}

HANDLER(api_event_stream)
{
    follow(r, &event_kind);
}

HANDLER(api_calendar_stream)
{
    follow(r, &calendar_kind);
}
