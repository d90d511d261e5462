/* SPDX-License-Identifier: Apache-2.0 */
/* request.h — one HTTP request, from its head until its reply is finished.
 *
 * A handler is given a request that is complete and judged: the route matched, the caller is known and may do
 * this, the rate is within limits, path and query parameters are decoded, the body is there and of the right
 * type. All texts live as long as the request. The request lives until its reply is finished (reply.h),
 * however long that takes and whether or not the client is still there; a handler therefore finishes exactly
 * one reply for each request, at once or later from a callback of the store, and does not touch the request
 * after that.
 *
 * Memory comes from `arena` and `scratch`; a handler frees nothing.
 */
#ifndef HTTP_REQUEST_H
#define HTTP_REQUEST_H

#include "base/memory/arena.h"
#include "base/memory/buf.h"
#include "base/json/json_reader.h"
#include "base/json/json_writer.h"
#include "core/command.h"
#include "http/access/address.h"
#include "http/access/rate_limits.h"
#include "http/routes.h"
#include "http/wire/fault.h"
#include "view/view.h"

struct server;
struct connection;
struct large_body;
struct local_call;

/* The headers that are used; at == NULL: not sent. */
struct request_headers {
    struct text authorization;
    struct text content_type, content_encoding;
    struct text accept;
    struct text accept_encoding;
    struct text idempotency_key;
    struct text if_match;
    struct text if_none_match;
    struct text last_event_id;
    struct text min_seq;
    struct text pass;
    struct text stripe_signature;
    struct text webhook_id, webhook_timestamp, webhook_signature;
    struct text origin;
    struct text expect;
    struct text forwarded_for;
    struct text request_id;
    struct text request_method; /* Access-Control-Request-Method: this is a preflight */
};

/* The place of a number that is not known yet, and its room in digits. */
struct reply_number {
    size_t at, width;
};

/* The reply being written; reply.c is the only writer. */
struct reply {
    struct json_writer writer;
    struct buf *out;            /* see connection_output */
    size_t head_at;             /* where the head begins in `out` */
    struct reply_number seq;    /* Holdfast-Seq */
    struct reply_number length; /* Content-Length; at 0: there is none */
    size_t body_at;             /* where the body begins */
    int status;
    uint64_t wait_seq;  /* sent once this is durable */
    bool shows_seq;     /* Holdfast-Seq is shown_seq; otherwise the greater of wait_seq and durable_seq */
    uint64_t shown_seq; /* 0 is one, too: a list from a book that has nothing yet */
    bool begun, finished;
    bool json;   /* written by `writer`: ends with a newline */
    bool stream; /* the connection belongs to a stream from here on */
};

struct request {
    /* For handlers. */
    struct server *server;
    struct store *store;
    struct view *view;
    const struct route *route;
    enum method method; /* HEAD is METHOD_GET with `head` set */
    bool head;
    struct text path; /* as sent, without the query */
    /* In the order of the pattern; each is an id of 1..64 characters, or a user id. */
    struct text parameters[ROUTE_PARAMETERS_MAX];
    struct text query[ROUTE_QUERY_MAX]; /* in the order of route->query; at == NULL: not given */
    struct request_headers headers;
    struct text body;         /* at != NULL, NUL after it; gone once a worker has read it: */
    struct large_body *large; /* what it was (large_body.h); NULL: not large */
    bool body_is_csv;         /* BODY_IMPORT only */
    struct actor actor;       /* role ROLE_NONE on public routes without credentials */
    struct order_claim order; /* of a caller with ROLE_ORDER */
    int64_t now_ms;           /* the instant of the turn in which the request was complete */
    uint64_t min_seq;         /* Holdfast-Min-Seq, or 0 */
    struct arena arena;
    struct buf scratch; /* empty at the start; for bodies gathered on another thread (lists) */

    /* For the edge itself. */
    struct connection *connection; /* NULL: the client is gone, or: */
    struct local_call *local;      /* the caller is this process (local_call.h) */
    struct request *next;          /* among the spare ones */
    struct text target;            /* path and query as sent */
    struct text query_sent;        /* what follows the "?" of it; at == NULL: nothing */
    struct buf body_bytes;         /* a body that did not come in one piece with its head */
    struct buf extra_headers;      /* reply_header */
    struct reply reply;
    uint64_t number; /* counts requests: the end of the Request-Id */
    uint64_t started_ns;
    struct address address;        /* of the client; behind a trusted proxy, of the client it names */
    struct rate_limits_left limit; /* how the caller stands with the limits, for the answer */
    uint64_t content_length;
    bool chunked, keep_alive, http_1_0, has_length;
    bool admitted;    /* route, caller, type and size were judged */
    bool dispatching; /* the handler has not returned yet */
};

/* ---- For handlers ---- */

/* Reads the JSON body by route->fields into `out`, which it zeroes first. On a fault 400 is replied, and
 * false returned: the handler then just returns. An empty body reads as {}. */
bool request_decode(struct request *r, void *out, size_t out_size);
/* The same, but on a fault nothing is replied: `fault` says what is wrong. */
bool request_read(struct request *r, void *out, size_t out_size, struct json_fault *fault);
/* The same for BODY_PATCH; *named as json_read_patch has it. */
bool request_decode_patch(struct request *r, void *out, size_t out_size, uint32_t *named);
/* The same for BODY_LIST: *count entries in the arena. */
bool request_decode_list(struct request *r, size_t entry_size, void **entries, size_t *count);
/* The whole number of query parameter `index`, within the bounds of its row in the route table, or what that
 * says when it was not given. On a fault: as above. */
bool request_query_number(struct request *r, unsigned index, uint64_t *out);
/* The instant (RFC 3339) of query parameter `index`, likewise, or `otherwise`. The sign of an offset may come
 * as a space: an unencoded "+" in a query means that. */
bool request_query_time(struct request *r, unsigned index, int64_t otherwise, int64_t *out);
/* Replies 400: query parameter `index`, which was given, is not what was expected; NULL: not one of the words
 * of its row in the route table. Returns false. */
bool request_refuse_query(struct request *r, unsigned index, const char *expected);
/* The same text in the request's arena; none stays none. */
struct text request_keep(struct request *r, struct text text);
/* The table of its body; one without fields has an empty one. */
const struct json_field *request_fields(const struct route *route);
/* Whether an Idempotency-Key was given and applies here; if so, the hashes that a command carries: of caller,
 * path and key (with or without /v1 is the same path), and of the body. */
bool request_idempotency(struct request *r, uint64_t key[2], uint64_t body[2]);
/* Whether the caller would rather have text/csv than application/json, by its Accept header. */
bool request_wants_csv(const struct request *r);
/* Cuts the next part off a header that lists several, without the blanks around it. */
struct text request_next_part(struct text *rest, char separator);
/* Whether a part is this word, in small letters or capitals. */
bool request_word_is(struct text part, const char *word);
/* Whether a header such as Accept names this with a weight that is not zero. */
bool request_accepts(struct text header, const char *word);
/* Whether `header` (If-None-Match) names this ETag, given with its quotes; weak comparison, "*" names any. */
bool request_etag_matches(struct text header, const char *etag);

/* ---- For the edge itself ---- */

void request_init(struct request *r, struct server *server);
void request_clear(struct request *r);   /* ready for the next one; keeps small memory */
void request_release(struct request *r); /* frees the memory */

/* Each of these returns true, or sets the fault and returns false. */

/* Finds the route of `target`. */
bool request_find_route(struct request *r, struct fault *fault);
/* Decodes the parameters of path and query. */
bool request_decode_parameters(struct request *r, struct fault *fault);
/* Judge the headers against the route: the size that was announced, the type, those that must be well
 * formed. */
bool request_check_size(const struct request *r, uint64_t size, struct fault *fault);
uint64_t request_body_size_max(const struct request *r); /* after request_check_type */
bool request_check_type(struct request *r, struct fault *fault);
bool request_check_headers(struct request *r, struct fault *fault);
/* Of these bytes, cut to half: the key and the body of what is asked twice. */
void request_hash(struct text bytes, uint64_t out[2]);
/* Judges the complete body: a route without one gets none. */
bool request_check_body(const struct request *r, struct fault *fault);

#endif
