/* SPDX-License-Identifier: Apache-2.0 */
#include "http/live/forward_stream.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "http/live/stream_source.h"
#include "http/server.h"
#include "http/wire/reply.h"

#define PENDING_MAX 65536u

struct forward_stream {
    struct stream stream;
    struct exchange *exchange;
    void *memory; /* of the exchange */
    bool ended;   /* the other node has ended it */
};

static void forward_send(struct stream *st)
{
    struct forward_stream *f = (struct forward_stream *)st;
    struct exchange *x = f->exchange;
    size_t begun;
    if (x->body.size) {
        struct buf *out = stream_chunk_begin(st, &begun);
        buf_append(out, x->body.data, x->body.size);
        stream_chunk_end(st, begun, 0);
        buf_clear(&x->body);
    }
    if (f->ended) {
        stream_end(st);
        return;
    }
    exchange_pause(x, false);
    stream_flush(st);
}

static void forward_release(struct stream *st)
{
    struct forward_stream *f = (struct forward_stream *)st;
    exchange_cancel(st->connection->server->owner_client, f->exchange);
    exchange_release(f->exchange);
    free(f->memory);
}

const struct stream_source forward_source = {.size = sizeof(struct forward_stream),
                                             .refreshes = true, /* the other node sends the heartbeats */
                                             .relays = true,
                                             .send = forward_send,
                                             .release = forward_release};

static void on_arrived(struct exchange *x)
{
    struct forward_stream *f = x->receiver;
    if (x->body.size > PENDING_MAX)
        exchange_pause(x, true);
    stream_mark(&f->stream);
}

static void on_ended(struct exchange *x, enum exchange_end end)
{
    struct forward_stream *f = x->receiver;
    (void)end;
    f->ended = true;
    stream_mark(&f->stream);
}

static const struct exchange_events events = {.ended = on_ended, .arrived = on_arrived};

static void drop(struct owner_client *client, struct exchange *x, void *memory)
{
    exchange_cancel(client, x);
    exchange_release(x);
    free(memory);
}

void forward_stream_begin(struct request *r, struct exchange *x, void *memory)
{
    struct owner_client *client = r->server->owner_client; /* the reply may give the request back */
    if (x->answer.status != 200 || !stream_has_room(r)) {
        if (x->answer.status != 200)
            reply_unavailable(r, NULL);
        drop(client, x, memory);
        return;
    }
    reply_seq(r, x->answer.seq);
    struct forward_stream *f = (struct forward_stream *)stream_subscribe(r, STREAM_FORWARD);
    if (f) {
        f->exchange = x;
        f->memory = memory;
        x->events = &events;
        x->receiver = f;
    } else {
        drop(client, x, memory);
    }
    stream_reply(r, f != NULL);
}
