/* SPDX-License-Identifier: Apache-2.0 */
/* reply.h — the answer to a request, written straight into the connection's output.
 *
 * Owns the form of every reply: the head (reply_head.h), problem details (RFC 9457), HEAD. Holds a reply back
 * until the changes it shows are durable. 5xx answers are logged with their request id.
 *
 * One of these finishes a reply: reply_finish (after reply_json or reply_begin), reply_problem and its short
 * forms, reply_document, reply_file, reply_empty, reply_copy, reply_prebuilt, reply_take. A reply is begun and finished
 * without returning to the loop in between; it may be begun in the handler or in any later callback on the
 * loop thread. After it is finished the request must not be touched.
 *
 *   reply_header(r, "Location", "/v1/reservations/%s", id);
 *   struct json_writer *w = reply_json(r, 201);
 *   json_object_begin(w); ... json_object_end(w);
 *   reply_wait(r, outcome->seq);
 *   reply_finish(r);
 */
#ifndef HTTP_REPLY_H
#define HTTP_REPLY_H

#include "http/wire/request.h"

/* Call it before the body is begun: adds a header to this reply. The value is ASCII without line breaks. */
void reply_header(struct request *r, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void reply_header_text(struct request *r, const char *name, struct text value);

/* Call it any time before the reply is finished: the reply shows state of this seq (outcome.seq, view.seq ...) and must
 * not be sent before that is durable. Of several calls the greatest seq counts. 0: nothing to wait for. */
void reply_wait(struct request *r, uint64_t seq);
/* The value of Holdfast-Seq, where it is not the greater of durable_seq and the seq of reply_wait: lists
 * show how far the book was, availability shows its version. */
void reply_seq(struct request *r, uint64_t seq);

/* Begins a reply of application/json; the body is written through the writer. */
struct json_writer *reply_json(struct request *r, int status);
/* Begins a reply of another type; append the body to the buffer, and leave the bytes already there alone. */
struct buf *reply_begin(struct request *r, int status, const char *content_type);
/* Ends a reply begun by either. */
void reply_finish(struct request *r);

/* A complete JSON body that was built elsewhere (r->scratch, for instance). */
void reply_copy(struct request *r, int status, const void *json, size_t size);
/* 200 with prebuilt header lines (each ends in CRLF) and a prebuilt JSON body, or 304 if the client's ETag
 * matches. */
void reply_prebuilt(struct request *r, const char *etag, struct text headers, struct text json);
/* 200 with a body of any type that was built elsewhere; takes the buffer's memory, so that it is not
 * copied. */
void reply_take(struct request *r, const char *content_type, struct buf *take);
/* The answer of another node: any status, type (NULL: none) and body. `size`: of the body, which a HEAD leaves out. */
void reply_relay(struct request *r, int status, const char *type, struct buf *take, uint64_t size);
/* No body: 204 and 304. */
void reply_empty(struct request *r, int status);
/* A shared JSON document: takes the caller's reference. Handles ETag and If-None-Match (304), gzip where
 * accepted, waits for document->seq. Not copied. */
void reply_document(struct request *r, struct document *take);
/* The same for another type. */
void reply_file(struct request *r, const char *content_type, struct document *take);

/* An error. May be called after reply_json or reply_begin: their output is dropped. */
struct problem {
    int status;
    const char *code;       /* the stable word; the title and type are made from it */
    const char *detail;     /* a sentence for people */
    const char *pointer;    /* the invalid field; NULL: none */
    unsigned retry_after_s; /* Retry-After; 0: none, except that 429 and 503 always have one (1 s) */
    /* Extra members of some codes (record_problem.c); 0 and NULL: none. */
    uint32_t line;                     /* of an invalid CSV */
    const struct import_result *taken; /* the claimed seats that prevent an import */
    const struct outcome *outcome;     /* from core, and the command that it refused */
    const struct command *command;
};
void reply_problem(struct request *r, const struct problem *problem);
/* An outcome's status, code and sentence (core/outcome.h). */
struct problem problem_of(enum outcome_code code);
/* 400 invalid. Returns false, so that a check can end with it. */
bool reply_invalid(struct request *r, const char *pointer, const char *detail);
/* Any outcome without extra members. Does not wait. */
void reply_outcome(struct request *r, enum outcome_code code);
/* 403 forbidden; `detail` says what is required. */
void reply_forbidden(struct request *r, const char *detail);
/* 503 unavailable, Retry-After: 1. detail NULL: the code's own sentence. */
void reply_unavailable(struct request *r, const char *detail);

/* ---- For the edge itself ---- */
void reply_fault(struct request *r, const struct fault *fault);
/* The head of a stream: no length, but chunks (not for HTTP/1.0). `first` is its beginning, which waits for the seq of
 * reply_wait. The connection is a stream from then on, or closes if that was all (!goes_on) or the request was a
 * HEAD. */
void reply_stream(struct request *r, struct text first, bool goes_on);
/* The answer to a CORS preflight. */
void reply_preflight(struct request *r, unsigned allow);

#endif
