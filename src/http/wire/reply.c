/* SPDX-License-Identifier: Apache-2.0 */
#include "http/wire/reply.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/assertion.h"
#include "base/logging.h"
#include "base/memory/memory.h"
#include "http/record/encode.h"
#include "http/server.h"
#include "http/web/site.h"
#include "http/wire/chunks.h"
#include "http/wire/connection.h"
#include "http/wire/reply_head.h"

#define FAILURES_LOGGED 10 /* per second, so that a failing disk does not flood the log */
#define RELAYED_SIZE 16384 /* the body of a larger answer of another node is not copied */
#define USUAL_SIZE 500     /* a guess: the length of most bodies has three digits */
#define PROBLEM_TYPE "application/problem+json"

/* Writes the head and leaves the buffer where the body begins. */
static struct buf *reply_start(struct request *r, int status, const char *type, enum reply_body body, uint64_t size)
{
    struct reply *reply = &r->reply;
    ASSERT(!reply->finished);
    struct buf *out = reply->out = connection_output(r);
    if (reply->begun) /* replaces a reply that turned out to be a problem */
        out->size = reply->head_at;
    reply->begun = true;
    reply->json = false;
    reply->status = status;
    reply_wait(r, view_absent_seq(r->view)); /* a missing record may have been removed a moment ago */
    reply_head_write(r, status, type, body, size);
    return out;
}

/* The same for JSON, which ends with a newline for terminals and line-based tools. */
static struct json_writer *begin_json(struct request *r, int status, const char *type)
{
    r->reply.writer = json_writer_make(reply_start(r, status, type, REPLY_BODY_COUNTED, USUAL_SIZE));
    r->reply.json = true;
    return &r->reply.writer;
}

/* `body_size` may be more than the buffer holds: a document may follow. */
static void reply_end(struct request *r, uint64_t body_size)
{
    struct reply *reply = &r->reply;
    ASSERT(reply->begun && !reply->finished);
    uint64_t durable = store_durable_seq(r->store);
    /* Holdfast-Seq: by the time the reply is sent, wait_seq is durable, too. */
    uint64_t shown = reply->shows_seq            ? reply->shown_seq
                     : reply->wait_seq > durable ? reply->wait_seq
                                                 : durable;
    if (r->head)
        reply->out->size = reply->body_at;
    reply_head_complete(reply, shown, body_size);
    reply->finished = true;
    connection_replied(r);
}

/* ---- For handlers ---- */

void reply_header_text(struct request *r, const char *name, struct text value)
{
    struct buf *out = &r->extra_headers;
    buf_append_text(out, name);
    buf_append(out, ": ", 2);
    buf_append(out, value.at, value.size);
    buf_append(out, "\r\n", 2);
}

void reply_header(struct request *r, const char *name, const char *format, ...)
{
    char value[512];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    ASSERT(size >= 0 && (size_t)size < sizeof value);
    reply_header_text(r, name, (struct text){value, (size_t)size});
}

void reply_wait(struct request *r, uint64_t seq)
{
    if (seq > r->reply.wait_seq)
        r->reply.wait_seq = seq;
}

void reply_seq(struct request *r, uint64_t seq)
{
    r->reply.shows_seq = true;
    r->reply.shown_seq = seq;
}

struct buf *reply_begin(struct request *r, int status, const char *content_type)
{
    return reply_start(r, status, content_type, REPLY_BODY_COUNTED, USUAL_SIZE);
}

struct json_writer *reply_json(struct request *r, int status)
{
    return begin_json(r, status, "application/json");
}

void reply_finish(struct request *r)
{
    if (r->reply.json)
        buf_append(r->reply.out, "\n", 1);
    reply_end(r, r->reply.out->size - r->reply.body_at);
}

void reply_copy(struct request *r, int status, const void *json, size_t size)
{
    struct buf *out = reply_start(r, status, "application/json", REPLY_BODY_COUNTED, size);
    buf_append(out, json, size);
    buf_append(out, "\n", 1);
    reply_end(r, size + 1);
}

void reply_prebuilt(struct request *r, const char *etag, struct text headers, struct text json)
{
    buf_append(&r->extra_headers, headers.at, headers.size);
    if (request_etag_matches(r->headers.if_none_match, etag))
        reply_empty(r, 304);
    else
        reply_copy(r, 200, json.at, json.size);
}

void reply_empty(struct request *r, int status)
{
    reply_start(r, status, NULL, REPLY_BODY_COUNTED, 0);
    reply_end(r, 0);
}

static void send_document(struct request *r, const char *type, struct document *take, const struct buf *bytes)
{
    size_t size = bytes->size;
    reply_start(r, 200, type, REPLY_BODY_COUNTED, size);
    if (r->head || !r->connection)
        document_release(take);
    else
        output_add_document(&r->connection->output, take, bytes);
    reply_end(r, size);
}

void reply_file(struct request *r, const char *content_type, struct document *take)
{
    reply_wait(r, take->seq);
    if (take->etag[0]) {
        reply_header(r, "ETag", "%s", take->etag);
        reply_header(r, "Vary", "Accept-Encoding");
    }
    if (take->etag[0] && request_etag_matches(r->headers.if_none_match, take->etag)) {
        document_release(take);
        reply_empty(r, 304);
        return;
    }
    bool gzip = take->gzip.size > 0 && request_accepts(r->headers.accept_encoding, "gzip");
    if (gzip)
        reply_header(r, "Content-Encoding", "gzip");
    send_document(r, content_type, take, gzip ? &take->gzip : &take->plain);
}

void reply_document(struct request *r, struct document *take)
{
    reply_file(r, "application/json", take);
}

void reply_take(struct request *r, const char *content_type, struct buf *take)
{
    struct document *document = memory_zeroed(1, sizeof(*document));
    document->references = 1;
    document->plain = *take;
    *take = (struct buf){.limit = take->limit};
    send_document(r, content_type, document, &document->plain);
}

void reply_relay(struct request *r, int status, const char *type, struct buf *take, uint64_t size)
{
    if (status == 200 && take->size > RELAYED_SIZE) {
        reply_take(r, type, take);
        return;
    }
    struct buf *out = reply_start(r, status, type, REPLY_BODY_COUNTED, size);
    buf_append(out, take->data, take->size);
    reply_end(r, size);
}

/* ---- Problems ---- */

/* Drops the headers of a reply that this one replaces. */
static void forget_headers(struct request *r)
{
    if (r->reply.begun)
        buf_clear(&r->extra_headers);
}

/* Logs a failure of the server with the request id that the caller sees; only the first few in each
 * second. */
static void log_failure(struct request *r, const struct problem *problem)
{
    struct server *s = r->server;
    char id[REQUEST_ID_SIZE_MAX + 1];
    int64_t second = store_now(r->store) / 1000;
    if (second != s->failures_second) {
        s->failures_second = second;
        s->failures = 0;
    }
    if (++s->failures > FAILURES_LOGGED)
        return;
    reply_request_id(r, id);
    log_warn("request failed", {"request_id", LOG_STR(id)}, {"status", LOG_INT(problem->status)},
             {"code", LOG_STR(problem->code)}, {"method", LOG_STR(method_name(r->method))},
             {"route", LOG_STR(r->route ? r->route->pattern : NULL)}, {"detail", LOG_STR(problem->detail)});
}

void reply_problem(struct request *r, const struct problem *problem)
{
    forget_headers(r);
    if (problem->status >= 500)
        log_failure(r, problem);
    unsigned retry_after_s = problem->retry_after_s;
    if (retry_after_s == 0 && (problem->status == 429 || problem->status == 503))
        retry_after_s = 1;
    if (retry_after_s)
        reply_header(r, "Retry-After", "%u", retry_after_s);
    if (site_wants_error_page(r)) {
        site_reply_error(r, problem);
        return;
    }
    encode_problem(begin_json(r, problem->status, PROBLEM_TYPE), problem);
    reply_finish(r);
}

bool reply_invalid(struct request *r, const char *pointer, const char *detail)
{
    reply_problem(r,
                  &(struct problem){.status = 400, .code = "invalid", .detail = detail, .pointer = pointer});
    return false;
}

struct problem problem_of(enum outcome_code code)
{
    ASSERT(code != OUTCOME_OK && code != OUTCOME_FETCH);
    return (struct problem){.status = outcome_http_status(code),
                            .code = outcome_name(code),
                            .detail = outcome_sentence(code),
                            .pointer = code == OUTCOME_INVALID ? "" : NULL};
}

void reply_outcome(struct request *r, enum outcome_code code)
{
    struct problem problem = problem_of(code);
    reply_problem(r, &problem);
}

void reply_forbidden(struct request *r, const char *detail)
{
    struct problem problem = problem_of(OUTCOME_FORBIDDEN);
    problem.detail = detail;
    reply_problem(r, &problem);
}

void reply_unavailable(struct request *r, const char *detail)
{
    reply_problem(r, &(struct problem){.status = 503,
                                       .code = "unavailable",
                                       .detail = detail ? detail : fault_facts[FAULT_UNAVAILABLE].sentence});
}

/* ---- For the edge itself ---- */

static void header_allow(struct request *r, const char *name, unsigned allow)
{
    char methods[METHODS_SIZE];
    methods_write(allow, methods);
    reply_header(r, name, "%s", methods);
}

void reply_fault(struct request *r, const struct fault *fault)
{
    buf_clear(&r->extra_headers);
    if (fault->refusal != OUTCOME_OK) {
        reply_outcome(r, fault->refusal);
        return;
    }
    if (fault->code == FAULT_UNAUTHENTICATED && fault->bad_token) /* RFC 6750 */
        reply_header(r, "WWW-Authenticate", "Bearer error=\"invalid_token\", error_description=\"%s\"",
                     fault->detail);
    else if (fault->code == FAULT_UNAUTHENTICATED)
        reply_header(r, "WWW-Authenticate", "Bearer");
    if (fault->code == FAULT_METHOD_NOT_ALLOWED)
        header_allow(r, "Allow", fault->allow);
    reply_problem(r, &(struct problem){
                         .status = fault_facts[fault->code].http_status,
                         .code = fault_facts[fault->code].name,
                         .detail = fault->detail[0] ? fault->detail : fault_facts[fault->code].sentence,
                         .pointer = fault->code == FAULT_INVALID ? fault->pointer : NULL,
                         .retry_after_s = fault->retry_after_s,
                     });
}

void reply_preflight(struct request *r, unsigned allow)
{
    header_allow(r, "Access-Control-Allow-Methods", allow);
    reply_header(
        r, "Access-Control-Allow-Headers",
        "Authorization, Content-Type, Request-Id, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, "
        "Holdfast-Min-Seq, Holdfast-Pass");
    reply_header(r, "Access-Control-Max-Age", "600");
    reply_empty(r, 204);
}

void reply_stream(struct request *r, struct text first, bool goes_on)
{
    reply_header(r, "Cache-Control", "no-store");
    reply_header(r, "X-Accel-Buffering", "no"); /* or nginx would hold messages back */
    struct buf *out = reply_start(r, 200, "text/event-stream", REPLY_BODY_STREAM, 0);
    bool chunked = !r->http_1_0;
    size_t begun = chunk_begin(out, chunked);
    buf_append(out, first.at, first.size);
    chunk_end(out, begun, chunked);
    if (chunked && !goes_on)
        buf_append_text(out, CHUNKS_LAST);
    if (r->connection)
        r->connection->chunked = chunked;
    r->reply.stream = goes_on && !r->head;
    r->keep_alive = false; /* the head says Connection: close */
    reply_end(r, 0);
}
