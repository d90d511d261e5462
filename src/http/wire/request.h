/* SPDX-License-Identifier: Apache-2.0 */
/* request.h — one HTTP request, from its head until its reply is finished.
 *
 * A handler gets a request that is complete and checked: the route matched, the caller is known and allowed, the rate
 * is within limits, path and query parameters are decoded, the body has arrived and has the right type. All texts
 * live as long as the request. The request lives until its reply is finished (reply.h), however long that takes and
 * whether or not the client is still connected. So a handler finishes exactly one reply for each request, at once or
 * later from a callback of the store, and does not touch the request after that.
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
struct forward;
struct intent;
struct large_body;
struct local_call;

/* The headers that are used; each may be absent. */
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
    struct text node; /* read only with a shared log: forward/node_header.h */
    struct text origin;
    struct text expect;
    struct text forwarded_for;
    struct text request_id;
    struct text request_method; /* Access-Control-Request-Method: this is a preflight */
};

/* The position of a number that is not known yet, and the digits reserved for it. */
struct reply_number {
    size_t at, width;
};

/* The reply being written; reply.c is the only writer. */
struct reply {
    struct json_writer writer;
    struct buf *out;            /* see connection_output */
    size_t head_at;             /* where the head begins in `out` */
    struct reply_number seq;    /* Holdfast-Seq */
    struct reply_number length; /* Content-Length; at 0: none */
    size_t body_at;             /* where the body begins */
    int status;
    uint64_t wait_seq;  /* sent once this is durable */
    bool shows_seq;     /* Holdfast-Seq is shown_seq; otherwise the greater of wait_seq and durable_seq */
    uint64_t shown_seq; /* may be 0: a list from an empty book */
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
    struct text query[ROUTE_QUERY_MAX]; /* in the order of route->query; each may be absent */
    struct request_headers headers;
    struct text body;         /* never absent, NUL-terminated; empty once a worker has read it into `large` */
    struct large_body *large; /* see large_body.h; NULL: not large */
    bool body_is_csv;         /* BODY_IMPORT only */
    struct actor actor;       /* role ROLE_NONE on public routes without credentials */
    struct order_claim order; /* of a caller with ROLE_ORDER */
    int64_t now_ms;           /* the instant of the turn in which the request became complete */
    uint64_t min_seq;         /* Holdfast-Min-Seq, or 0 */
    struct arena arena;
    struct buf scratch; /* empty at first; for bodies built on another thread (lists) */

    /* For the edge itself. */
    struct connection *connection; /* NULL: the client is gone, or the call is local */
    struct local_call *local;      /* a call of this process to itself; NULL: not local */
    struct request *next;          /* in spare_requests */
    struct text head_bytes;        /* the head as received; none if the call is local */
    struct text target;            /* path and query as sent */
    struct text query_sent;        /* the part of it after the "?"; may be absent */
    struct buf body_bytes;         /* a body that did not arrive in one piece with its head */
    struct buf extra_headers;      /* reply_header */
    struct reply reply;
    uint64_t number; /* counts requests: the end of the Request-Id */
    uint64_t started_ns;
    struct address address;        /* of the client; behind a trusted proxy, the one that it names */
    struct rate_limits_left limit; /* the state of the caller's limits, for the answer */
    uint64_t content_length;
    bool chunked, keep_alive, http_1_0, has_length;
    bool admitted;    /* route, caller, type and size were checked */
    bool from_node;   /* another node passes it on: proven by its Holdfast-Node */
    bool to_owner;    /* this node cannot answer it: the one that decides is asked */
    bool waited_seq;  /* for Holdfast-Min-Seq */
    bool unknown_key; /* the caller may have a key that this node does not know yet */
    uint64_t uploaded; /* bytes of the body that were passed on */
    struct intent *intent;   /* its intents in Redis; NULL: none */
    struct forward *forward; /* forwards to the deciding node; NULL: never forwards */
    struct text node_digest; /* from_node: of the body, as the other node says */
    bool dispatching; /* the handler has not returned yet */
};

/* ---- For handlers ---- */

/* A header that only some routes read, by its name; none if it is absent or sent twice. */
struct text request_header(const struct request *r, const char *name);
/* Reads the JSON body by route->fields into `out`, which it zeroes first. On a fault it replies 400 and returns
 * false: the handler then just returns. An empty body reads as {}. */
bool request_decode(struct request *r, void *out, size_t out_size);
/* The same, but on a fault it fills in `fault` instead of replying. */
bool request_read(struct request *r, void *out, size_t out_size, struct json_fault *fault);
/* The same for BODY_PATCH; *named as in json_read_patch. */
bool request_decode_patch(struct request *r, void *out, size_t out_size, uint64_t *named);
/* The same for BODY_LIST: *count entries in the arena. */
bool request_decode_list(struct request *r, size_t entry_size, void **entries, size_t *count);
/* The integer value of query parameter `index`, within the bounds in the route table, or the default from there.
 * Faults as above. */
bool request_query_number(struct request *r, unsigned index, uint64_t *out);
/* The instant (RFC 3339) of query parameter `index`, in the same way, or `default_ms`. The sign of an offset may arrive as a
 * space: that is how an unencoded "+" in a query decodes. */
bool request_query_time(struct request *r, unsigned index, int64_t default_ms, int64_t *out);
/* Replies 400 for query parameter `index`, which was given, and says what was expected; NULL: one of the words in the
 * route table. Returns false. */
bool request_refuse_query(struct request *r, unsigned index, const char *expected);
/* A copy of the text in the request's arena; an absent text stays absent. */
struct text request_keep(struct request *r, struct text text);
/* The table of the route's body; empty if it has no fields. */
const struct json_field *request_fields(const struct route *route);
/* Whether an Idempotency-Key was given and applies here; if so, computes the hashes for the command: of caller, path
 * and key (the path is the same with and without /v1), and of the body. */
bool request_idempotency(struct request *r, uint64_t key[2], uint64_t body[2]);
/* Whether the caller prefers text/csv to application/json, by its Accept header. */
bool request_wants_csv(const struct request *r);
/* Cuts the next part off a header that is a list, without the spaces around it. */
struct text request_next_part(struct text *rest, char separator);
/* Whether a part is this word, ignoring case. */
bool request_word_is(struct text part, const char *word);
/* Whether a header such as Accept contains this with a weight other than zero. */
bool request_accepts(struct text header, const char *word);
/* Whether `header` (If-None-Match) names this ETag, given with its quotes; weak comparison, "*" names any. */
bool request_etag_matches(struct text header, const char *etag);

/* ---- For the edge itself ---- */

void request_init(struct request *r, struct server *server);
void request_clear(struct request *r);   /* ready for reuse; keeps small buffers */
void request_release(struct request *r); /* frees the memory */
/* The size of the "http://" or "https://" that an absolute target begins with; 0: it has none. */
size_t request_scheme_size(struct text target);

/* Each of these returns true, or sets the fault and returns false. */

/* Finds the route of `target`. */
bool request_find_route(struct request *r, struct fault *fault);
/* Decodes the parameters of path and query. */
bool request_decode_parameters(struct request *r, struct fault *fault);
/* Check the headers against the route: the announced size, the type, the headers with a required form. */
bool request_check_size(const struct request *r, uint64_t size, struct fault *fault);
uint64_t request_body_size_max(const struct request *r); /* after request_check_type */
bool request_check_type(struct request *r, struct fault *fault);
bool request_check_headers(struct request *r, struct fault *fault);
/* The first 16 bytes of SHA-256: for comparing idempotency keys and bodies. */
void request_hash(struct text bytes, uint64_t out[2]);
/* Checks the complete body: a route without a body must not get one. */
bool request_check_body(const struct request *r, struct fault *fault);

#endif
