/* SPDX-License-Identifier: Apache-2.0 */
#include "http/wire/intake.h"

#include <strings.h>

#include "http/access/admission.h"
#include "http/forward/forward.h"
#include "http/server.h"
#include "http/wire/http_parse.h"
#include "http/wire/reply.h"

#define TURN_REQUESTS_MAX 64  /* per connection, so that other connections get their turn */
#define SMALL_BODY_SIZE 4096u /* kept in the arena when it comes in one piece */

/* The end of the request is unknown, so nothing after it can be read either: the connection must close. */
static void refuse(struct connection *c, const struct fault *fault)
{
    struct request *r = c->request;
    if (r->forward)
        forward_abandon(r);
    r->keep_alive = false;
    r->dispatching = true;
    reply_fault(r, fault);
    connection_answered(c);
    c->unread = true;
}

/* The request is complete. */
static void dispatch(struct connection *c)
{
    struct request *r = c->request;
    c->state = CONNECTION_ANSWER;
    c->turn_requests++;
    r->dispatching = true;
    admission_dispatch(r);
    r->dispatching = false;
    if (r->reply.finished)
        connection_answered(c);
}

static void take_body(struct request *r)
{
    struct buf *b = &r->body_bytes;
    *buf_reserve(b, 1) = '\0'; /* like a body that arena_copy made */
    r->body = (struct text){(const char *)b->data, b->size};
}

/* Passes a part of an import on to the node that answers it. */
static void upload(struct connection *c, const char *bytes, size_t size, bool last)
{
    struct request *r = c->request;
    r->uploaded += size;
    if (last)
        c->state = CONNECTION_ANSWER;
    forward_upload(r, bytes, size, last);
}

static void upload_chunks(struct connection *c, bool last)
{
    struct buf *body = &c->request->body_bytes;
    upload(c, (const char *)body->data, body->size, last);
    buf_clear(body);
}

static size_t read_chunks(struct connection *c, const char *bytes, size_t size)
{
    struct request *r = c->request;
    struct fault fault;
    size_t used = size;
    uint64_t most = request_body_size_max(r) - r->uploaded;
    enum chunks_verdict verdict = chunks_read(&c->chunks, bytes, size, &r->body_bytes, most, &used);
    switch (verdict) {
    case CHUNKS_MORE:
    case CHUNKS_READY:
        if (r->forward) {
            upload_chunks(c, verdict == CHUNKS_READY);
        } else if (verdict == CHUNKS_READY) {
            take_body(r);
            dispatch(c);
        }
        break;
    case CHUNKS_TOO_LARGE:
        request_check_size(r, UINT64_MAX, &fault);
        refuse(c, &fault);
        break;
    case CHUNKS_BAD:
        c->server->metrics.unframed++;
        fault_set_invalid(&fault, "", "Malformed chunked body.");
        refuse(c, &fault);
        break;
    }
    return used;
}

static size_t read_body(struct connection *c, const char *bytes, size_t size)
{
    struct request *r = c->request;
    if (r->chunked)
        return read_chunks(c, bytes, size);
    if (r->body_bytes.size == 0 && size >= r->content_length && r->content_length <= SMALL_BODY_SIZE &&
        !r->forward) {
        size = (size_t)r->content_length;
        r->body = (struct text){arena_copy(&r->arena, bytes, size), size};
        dispatch(c);
        return size;
    }
    uint64_t left = r->content_length - r->body_bytes.size - r->uploaded;
    if (size > left)
        size = (size_t)left;
    if (r->forward) {
        upload(c, bytes, size, size == left);
        return size;
    }
    buf_append(&r->body_bytes, bytes, size);
    if (size == left) {
        take_body(r);
        dispatch(c);
    }
    return size;
}

static void say_continue(struct connection *c)
{
    struct request *r = c->request;
    struct text expect = r->headers.expect;
    if (!expect.at || r->http_1_0 || expect.size != 12 || strncasecmp(expect.at, "100-continue", 12) != 0)
        return;
    buf_append_text(&c->output.out, "HTTP/1.1 100 Continue\r\n\r\n");
    output_add(&c->output, 0, store_durable_seq(r->store), r->started_ns, LANE_NONE, &c->server->metrics);
}

/* A body follows; `here` bytes of it have arrived. A request whose body is not complete, or whose sender waits for
 * "100 Continue", is judged now, so that the client does not send a refused body and an import gets the longer time
 * limit. */
static void begin_body(struct connection *c, size_t here)
{
    struct request *r = c->request;
    struct fault fault;
    c->state = CONNECTION_BODY;
    c->chunks = (struct chunks){0};
    if (!r->chunked && r->content_length <= here && !r->headers.expect.at)
        return;
    r->dispatching = true;
    bool good = admission_judge(r, &fault) && admission_upload(r, &fault);
    r->dispatching = false;
    if (!good)
        refuse(c, &fault);
    else if (r->reply.finished)
        connection_answered(c);
    else
        say_continue(c);
}

/* bytes[0..size) is a whole head, and `here` bytes follow it. */
static void begin_request(struct connection *c, const char *bytes, size_t size, size_t here)
{
    struct request *r = c->request = server_take_request(c->server);
    struct fault fault;
    r->connection = c;
    r->address = c->address;
    r->started_ns = clock_monotonic_ns();
    server_begin_request(c->server, r->started_ns);
    /* The buffer of the server is overwritten by the next read, and the request may outlive this turn. */
    const char *head = arena_copy(&r->arena, bytes, size);
    if (!http_parse_head(head, size, r, &fault)) {
        c->server->metrics.unframed++;
        refuse(c, &fault);
    } else if (r->chunked || r->content_length > 0) {
        begin_body(c, here);
    } else {
        r->body = TEXT("");
        dispatch(c);
    }
}

/* The head at bytes[0..size) is not a valid request; the client gets a reply anyway. */
static void refuse_head(struct connection *c, const char *bytes, size_t size, enum http_scan verdict)
{
    struct text head = TEXT("HEAD ");
    struct request *r = c->request = server_take_request(c->server);
    struct fault fault;
    r->connection = c;
    r->started_ns = clock_monotonic_ns();
    /* Its client reads no body: one would be taken for the next reply. */
    r->head = size >= head.size && text_equal((struct text){bytes, head.size}, head);
    c->server->metrics.unframed++;
    if (verdict == HTTP_SCAN_TOO_LARGE)
        fault_set(&fault, FAULT_HEADERS_TOO_LARGE, NULL);
    else
        fault_set_invalid(&fault, "", "Malformed request head.");
    refuse(c, &fault);
}

static size_t read_head(struct connection *c, const char *bytes, size_t size)
{
    if (c->checked == 0 && bytes[0] == '\r' && (size == 1 || bytes[1] == '\n'))
        return size == 1 ? 0 : 2; /* an empty line between requests is allowed */
    size_t head_size;
    enum http_scan verdict = http_scan(bytes, size, &c->checked, &head_size);
    if (verdict == HTTP_SCAN_MORE)
        return 0;
    c->checked = 0;
    if (verdict != HTTP_SCAN_READY) {
        refuse_head(c, bytes, size, verdict);
        return size;
    }
    begin_request(c, bytes, head_size, size - head_size);
    return head_size;
}

/* Whether the next request, or the rest of this one, may be read now. */
static bool may_consume(struct connection *c)
{
    if (c->state == CONNECTION_BODY)
        return true;
    if (c->state != CONNECTION_HEAD || !link_alone(&c->deferred))
        return false;
    c->paused = output_full(&c->output);
    if (c->paused)
        return false;
    if (c->turn != c->server->turn) {
        c->turn = c->server->turn;
        c->turn_requests = 0;
    }
    if (c->turn_requests < TURN_REQUESTS_MAX && !server_turn_spent(c->server))
        return true;
    server_defer(c->server, c);
    return false;
}

size_t intake_consume(struct connection *c, const char *bytes, size_t size)
{
    size_t used = 0;
    while (used < size && may_consume(c)) {
        size_t n = c->state == CONNECTION_HEAD ? read_head(c, bytes + used, size - used)
                                               : read_body(c, bytes + used, size - used);
        if (n == 0)
            break;
        used += n;
    }
    return used;
}
