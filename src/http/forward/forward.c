/* SPDX-License-Identifier: Apache-2.0 */
#include "http/forward/forward.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "http/access/admission.h"
#include "http/live/forward_stream.h"
#include "http/forward/node_header.h"
#include "http/forward/owner_client.h"
#include "http/gate/intent.h"
#include "http/server.h"
#include "http/wire/chunks.h"
#include "http/wire/connection.h"
#include "http/wire/reply.h"

#define PATIENCE_MS 4000
#define PATIENCE_IMPORT_MS 120000

struct forward {
    struct exchange exchange;
    struct request *request;
    uint64_t began_ns;
};

/* ---- The request as it is sent ---- */

/* Headers that are not passed on: written below, about the client's own connection, or of no use to the other node. */
static bool is_own(struct text name)
{
    static const char *const own[] = {
        "Host",       "Connection",      "Content-Length", "Transfer-Encoding", "Expect", "X-Forwarded-For",
        "Request-Id", "Holdfast-Node",   "Origin",         "Keep-Alive",        "TE",     "Trailer",
        "Upgrade",    "Proxy-Connection"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (request_word_is(name, own[i]))
            return true;
    return false;
}

/* The lines of the head were checked when it was parsed. */
static void write_client_headers(const struct request *r, struct buf *out)
{
    const char *at = r->head_bytes.at, *end = at + r->head_bytes.size;
    if (!at) { /* a local call */
        buf_printf(out, "Authorization: %.*s\r\n", (int)r->headers.authorization.size,
                   r->headers.authorization.at);
        return;
    }
    at = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
    while (end - at > 2) {
        const char *next = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
        const char *colon = memchr(at, ':', (size_t)(next - at));
        ASSERT(colon);
        if (!is_own((struct text){at, (size_t)(colon - at)}))
            buf_append(out, at, (size_t)(next - at));
        at = next;
    }
}

static void write_node_header(struct request *r, const char *method, struct text target, bool streamed,
                              struct buf *out)
{
    struct server *s = r->server;
    const char *node = s->options->node ? s->options->node : "";
    char digest[NODE_DIGEST_SIZE + 1] = NODE_DIGEST_STREAMED, header[NODE_HEADER_SIZE_MAX];
    if (!streamed)
        node_digest(r->body, digest);
    const struct node_claim claim = {.node = {node, strlen(node)},
                                     .at_ms = store_wall(s->store),
                                     .address = r->address,
                                     .digest = {digest, strlen(digest)}};
    node_header_write(&s->node_keys, &claim, method, target, header);
    buf_printf(out, "Holdfast-Node: %s\r\n", header);
}

static void write_head(struct request *r, bool streamed, struct buf *out)
{
    char id[REQUEST_ID_SIZE_MAX + 1];
    const char *method = r->head ? "HEAD" : method_name(r->method);
    /* The origin form: with the query, which follows the path directly. */
    struct text target = {r->path.at, r->path.size + (r->query_sent.at ? r->query_sent.size + 1 : 0)};
    buf_printf(out, "%s %.*s HTTP/1.1\r\n", method, (int)target.size, target.at);
    write_client_headers(r, out);
    reply_request_id(r, id);
    buf_printf(out, "Request-Id: %s\r\n", id);
    write_node_header(r, method, target, streamed, out);
    if (streamed && !r->has_length)
        buf_append_text(out, "Transfer-Encoding: chunked\r\n");
    else if (streamed || r->body.size)
        buf_printf(out, "Content-Length: %" PRIu64 "\r\n", streamed ? r->content_length : r->body.size);
    buf_append_text(out, "\r\n");
}

/* ---- The answer ---- */

static void forward_free(struct forward *f)
{
    exchange_release(&f->exchange);
    free(f);
}

/* Takes the request out of it. What is left of an upload is not read: the connection closes after the answer. */
static struct request *take_request(struct forward *f)
{
    struct request *r = f->request;
    const struct exchange *x = &f->exchange;
    struct metrics *m = &r->server->metrics;
    f->request = NULL;
    r->forward = NULL;
    m->forwards_in_flight--;
    metrics_forward(m, clock_monotonic_ns() - f->began_ns);
    if (x->uploads && !x->uploaded) {
        r->keep_alive = false;
        if (r->connection)
            r->connection->unread = true;
    }
    return r;
}

static void relay(struct forward *f)
{
    struct exchange *x = &f->exchange;
    const struct node_answer *a = &x->answer;
    struct request *r = take_request(f);
    intent_settle(r, a->status >= 400 && a->status < 500);
    if (a->chunked) { /* a HEAD of a stream */
        reply_stream(r, TEXT(""), false);
        return;
    }
    buf_append(&r->extra_headers, x->headers.data, x->headers.size);
    reply_seq(r, a->seq);
    reply_relay(r, a->status, a->type[0] ? a->type : NULL, &x->body, a->length);
}

static void reply_undecided(struct request *r)
{
    const struct fault_facts *facts = &fault_facts[FAULT_UNDECIDED];
    reply_problem(
        r, &(struct problem){.status = facts->http_status, .code = facts->name, .detail = facts->sentence});
}

static void on_ended(struct exchange *x, enum exchange_end end)
{
    struct forward *f = x->receiver;
    struct metrics *m = &f->request->server->metrics;
    switch (end) {
    case EXCHANGE_ANSWERED:
        relay(f);
        break;
    case EXCHANGE_NOT_SENT:
        m->forwards_failed++;
        reply_unavailable(take_request(f), NULL);
        break;
    case EXCHANGE_UNDECIDED:
        m->forwards_undecided++;
        reply_undecided(take_request(f));
        break;
    case EXCHANGE_HERE:
        intent_settle(f->request, true);
        admission_resume(take_request(f));
        break;
    }
    forward_free(f);
}

/* The rest of the answer is a stream's. */
static void on_streams(struct exchange *x)
{
    struct forward *f = x->receiver;
    struct request *r = take_request(f);
    forward_stream_begin(r, x, f);
}

static void on_room(struct exchange *x)
{
    struct request *r = ((struct forward *)x->receiver)->request;
    if (r->connection)
        connection_flush(r->connection); /* reads again */
}

static const struct exchange_events events = {.ended = on_ended, .streams = on_streams, .room = on_room};

/* ---- Beginning ---- */

static void begin(struct request *r, bool streamed)
{
    struct server *s = r->server;
    struct forward *f = memory_zeroed(1, sizeof *f);
    struct exchange *x = &f->exchange;
    bool import = r->route->body == BODY_IMPORT;
    exchange_init(x);
    x->events = &events;
    x->receiver = f;
    x->safe = r->method == METHOD_GET;
    x->bodiless = r->head;
    x->uploads = streamed;
    x->until_ms = server_now_ms(s) + (import ? PATIENCE_IMPORT_MS : PATIENCE_MS);
    write_head(r, streamed, &x->request);
    if (!streamed)
        buf_append(&x->request, r->body.at, r->body.size);
    f->request = r;
    f->began_ns = clock_monotonic_ns();
    r->forward = f;
    s->metrics.forwards++;
    s->metrics.forwards_in_flight++;
    if (exchange_begin(s->owner_client, x))
        return;
    s->metrics.forwards_failed++;
    reply_unavailable(take_request(f), "Too many requests are in progress. Please try again in a moment.");
    forward_free(f);
}

void forward_request(struct request *r)
{
    begin(r, false);
}

/* ---- Uploads ---- */

void forward_begin_upload(struct request *r)
{
    begin(r, true);
}

void forward_upload(struct request *r, const char *bytes, size_t size, bool last)
{
    struct exchange *x = &r->forward->exchange;
    struct buf *chunk = &r->scratch;
    if (r->has_length) {
        exchange_send(r->server->owner_client, x, bytes, size, last);
        return;
    }
    buf_clear(chunk);
    size_t begun = chunk_begin(chunk, true);
    buf_append(chunk, bytes, size);
    chunk_end(chunk, begun, true);
    if (last)
        buf_append_text(chunk, CHUNKS_LAST);
    exchange_send(r->server->owner_client, x, chunk->data, chunk->size, last);
    buf_clear(chunk);
}

bool forward_full(const struct request *r)
{
    return exchange_full(&r->forward->exchange);
}

void forward_abandon(struct request *r)
{
    struct forward *f = r->forward;
    exchange_cancel(r->server->owner_client, &f->exchange);
    take_request(f);
    forward_free(f);
}
