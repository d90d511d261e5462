/* SPDX-License-Identifier: Apache-2.0 */
/* routes.h — the one table of all HTTP calls.
 *
 * The table decides which paths exist, who may call them, which bodies and query parameters they take, which
 * lane of the rate limits they use, which node answers them, and what they answer; /openapi.json is made from
 * it. Anything a row does not allow is refused: a role not named in `may`, a query parameter not named in `query`, a body where it
 * has none.
 *
 * To add a call: its handler and body table in an api_*.c file, and one row of routes_*.inc in the same folder, with
 * the names it uses at the top of that file.
 */
#ifndef HTTP_ROUTES_H
#define HTTP_ROUTES_H

#include "base/json/json_reader.h"
#include "core/outcome.h"
#include "http/describe/schema.h"

struct command;
struct request;

/* A handler is thin: decode by the table, fill in a command, submit it, encode the outcome. It holds no rule.
 * See request.h and reply.h for what it may rely on. HANDLER begins one, of the request `r`. */
typedef void route_handler(struct request *r);
#define HANDLER(name)                                                                                        \
    route_handler name;                                                                                      \
    void name(struct request *r)

/* The same request as a command for store_gate: sets its kind, and what the path and the body say. False: something is
 * wrong with it, which the node that decides says. See gate/gate_call.h. */
typedef bool route_gate(struct request *r, struct command *command);
#define GATE(name)                                                                                           \
    route_gate name;                                                                                         \
    bool name(struct request *r, struct command *command)

#define ROUTES_MAX 192
#define ROUTE_DEMO "/demo/" /* paths below it exist only under `holdfast demo` */
#define ROUTE_INTERNAL "/internal/" /* paths below it exist only for other nodes of the site */
#define ROUTE_PARAMETERS_MAX 2
#define ROUTE_QUERY_MAX 14
#define ROUTE_ANSWERS_MAX 2

#define METHODS(X) X(GET) X(POST) X(PUT) X(PATCH) X(DELETE) X(OPTIONS) X(OTHER)
enum method {
#define X(name) METHOD_##name,
    METHODS(X)
#undef X
};
const char *method_name(enum method method);
/* "GET, HEAD, POST": `allow` has a bit per method. */
#define METHODS_SIZE 64
void methods_write(unsigned allow, char out[METHODS_SIZE]);

/* Roles that may call a route: a bit per enum role. */
enum {
    MAY_USER = 1u << ROLE_USER,
    MAY_APP = 1u << ROLE_APP,
    MAY_ADMIN = 1u << ROLE_ADMIN,
    MAY_DOOR = 1u << ROLE_DOOR,
    MAY_ORDER =
        1u
        << ROLE_ORDER, /* manage tokens: only routes of one reservation, which core compares with the token's */
    MAY_ANONYMOUS = 1u << ROLE_NONE, /* a caller without credentials */
    MAY_ANYONE = MAY_ANONYMOUS | MAY_USER | MAY_APP | MAY_ADMIN | MAY_DOOR,
    MAY_BUY = MAY_USER | MAY_APP | MAY_ADMIN,
};

enum body_kind {
    BODY_NONE, /* a body is refused */
    BODY_JSON, /* an object, up to 1 MiB, described by `fields`; may be empty */
    BODY_FOREIGN, /* JSON in a third party's form, up to 256 KiB: the handler reads the fields it knows and ignores others */
    BODY_LIST, /* an array of 1 to entries_max objects, up to 1 MiB, described by `fields` */
    BODY_PATCH, /* a merge patch (RFC 7396) of a record that `fields` describe; application/merge-patch+json too */
    BODY_IMPORT, /* seats or codes: an array of objects, up to 8 MiB, described by `fields`, or text/csv up to 64 MiB; 120 s */
};
#define BODY_JSON_SIZE_MAX (1u << 20)
#define BODY_FOREIGN_SIZE_MAX (256u << 10)
#define BODY_IMPORT_JSON_SIZE_MAX (8u << 20)
#define BODY_IMPORT_CSV_SIZE_MAX (64u << 20)

/* Each lane has its own buckets, so that commits are never starved by reads or holds. */
/* clang-format off */
#define LANES(X) \
    X(READ, "read") X(HOLD, "hold") X(COMMIT, "commit") X(SESSION, "session") X(JOIN, "join") X(POLL, "poll") \
    X(PICTURE, "picture") X(UNSIGNED, "unsigned") /* counted by the handler, which counts only unsigned requests */
/* clang-format on */
enum lane {
    LANE_NONE,
#define X(name, word) LANE_##name,
    LANES(X)
#undef X
        LANE_COUNT
};

/* Which node answers, where several follow one log and one of them decides (store_decides). Nothing else decides it: a
 * handler never asks. */
enum node {
    NODE_ANY =
        1, /* every node, from its own copy: reads of what is in the log, pages, files, guests, health */
    NODE_FORWARD, /* only the one that decides: all that changes something, and reads of what only its memory has, such
                   * as drivers' positions */
};

/* Public routes that the operator can close: then they need the admin key, or the metrics key for the metrics
 * (server_options). */
enum route_closable { ROUTE_CLOSABLE_NONE, ROUTE_CLOSABLE_METRICS, ROUTE_CLOSABLE_OPENAPI };

/* An answer of a route other than a problem; includes 503 answers that are not problems. */
struct route_answer {
    int status;                  /* 0: end of the list */
    const struct schema *record; /* of application/json; NULL: text, or nothing without a type */
    const char *type;            /* another type; with a record: a stream of its events */
    bool page;                   /* a page of a list of such records */
    bool location, etag;         /* has that header; an ETag not for every caller */
    const char *example;         /* of a text that is not a stream */
    const char *example_csv;     /* the same as text/csv, for callers that accept it; NULL: no CSV form */
};

enum route_query_kind { ROUTE_QUERY_TEXT, ROUTE_QUERY_NUMBER, ROUTE_QUERY_TIME };
struct route_query {
    const char *name; /* NULL: end of the list */
    const char *about;
    enum route_query_kind kind;
    uint64_t least, most;                /* NUMBER: checked by request_query_number */
    uint64_t default_value;              /* NUMBER: when left out; 0: not described */
    const char *(*word)(unsigned index); /* TEXT: the allowed words, checked by the handler; or NULL */
    bool required;                       /* without it the request is invalid */
};
#define ROUTE_LIMIT 100 /* entries of a page by default */
#define ROUTE_LIMIT_MAX 1000

/* The groups of /openapi.json: name and description. */
/* clang-format off */
#define ROUTE_TAGS(X) \
    X(EVENTS, "events", "Events, their seats and pools, and their availability.") \
    X(WAITING_ROOMS, "waiting rooms", "The queue in front of a sale.") \
    X(WAITING_LISTS, "waiting lists", "The queue for sold-out events.") \
    X(CALENDARS, "calendars", "Bookable time and its available slots.") \
    X(RESERVATIONS, "reservations", \
      "Hold, then commit: claims on seats, units and slots, with an owner and a deadline.") \
    X(DISPATCH, "dispatch", "Fleets of drivers, and rides that are offered to one driver at a time.") \
    X(PAYMENTS, "payments", "Payments received and refunds due.") \
    X(DOOR, "door", "Tickets, and checking them in.") \
    X(REPORTS, "reports", "Totals of sales, abandoned holds and refusals.") \
    X(HOOKS, "hooks", "Outgoing webhooks: messages about reservations, refunds and rides.") \
    X(PEOPLE, "people", "Export and erase a person's data.") \
    X(ACCESS, "access", "Keys for back ends and tokens for guests.") \
    X(OPERATIONS, "operations", "Health, metrics and this description.")
/* clang-format on */
enum route_tag {
    ROUTE_TAG_NONE,
#define X(name, text, about) ROUTE_TAG_##name,
    ROUTE_TAGS(X)
#undef X
};

/* A set of refusals: a bit per enum outcome_code, followed by the faults of the HTTP layer (refusals.c). */
typedef unsigned __int128 refusal_set;
#define ROUTE_REFUSES(name) ((refusal_set)1 << OUTCOME_##name)

struct route {
    enum method method;
    /* "/v1/events/{event}/seats"; a parameter is a whole segment, or a segment without a suffix that the pattern
     * gives: "/v1/calendars/{calendar}.ics", which wins over the plain parameter in the same place. "*" as the
     * last segment matches any path below. */
    const char *pattern;
    route_handler *handler;
    unsigned may;
    enum lane lane;
    enum node node;
    /* For /openapi.json: the operation id, which clients use as the name of a method (unique; never renamed), one line,
     * and the details. */
    const char *operation, *summary, *about;
    enum route_tag tag;
    enum route_closable closable;
    enum body_kind body;
    const struct json_field *fields; /* NULL: the body is {} */
    const struct json_form *forms;   /* the allowed combinations of fields; NULL: any */
    const char *example;             /* of a body without forms, as JSON */
    const char *example_csv;         /* BODY_IMPORT */
    unsigned entries_max;            /* BODY_LIST */
    struct route_query query[ROUTE_QUERY_MAX];
    struct route_answer answers[ROUTE_ANSWERS_MAX];
    /* The refusals of core that are possible here, for /openapi.json, in addition to those that follow from the
     * other columns (refusals.h). */
    refusal_set refuses;
    bool body_needed; /* the body cannot be empty, although no single field is required */
    bool min_seq;     /* comes from the book: Holdfast-Min-Seq makes it wait */
    bool if_match;    /* takes the ETag of a seat */
    bool resumes;     /* takes a Last-Event-ID */
    bool idempotent;  /* takes an Idempotency-Key */
    bool takes_pass;  /* takes a Holdfast-Pass: it may claim something behind a waiting room */
    route_gate *gate; /* NODE_FORWARD: a copy may refuse it; NULL: never */
    bool releases;    /* counts towards the cool-down of hold-and-release loops */
    bool without_v1;  /* also at the same path without /v1 */
    /* For pages and files for browsers, which accept and ignore any query. */
    const char *page; /* the path of its asset (assets.h) */
    bool camera;      /* the page may use the camera */
    bool any_origin;  /* pages of any origin may load it, whatever --cors says */
};

/* First the API, which /openapi.json describes; then pages, files and the demo's own routes, which it does not. */
extern const struct route routes[];
extern const unsigned routes_count;
unsigned routes_described(void); /* how many belong to the API */

/* A parameter in a path. */
struct route_parameter {
    const char *name;
    enum outcome_code refusal; /* the answer when the value cannot be a valid name */
    const char *about, *example;
};
/* Whether it is a user id, which may have any characters: a driver's, or a user's. Users have no records, so none can
 * be missing: an impossible id is OUTCOME_INVALID. */
static inline bool route_parameter_user(const struct route_parameter *parameter)
{
    return parameter->refusal == OUTCOME_INVALID || parameter->refusal == OUTCOME_NO_SUCH_DRIVER;
}
/* The parameter with this index; NULL: the route has no more. */
const struct route_parameter *route_parameter(const struct route *route, unsigned index);
/* Only what is under /v1 shows the state. */
bool route_shows_state(const struct route *route);

/* Builds the index over the table; call it once, before the first routes_match. Asserts that the table is consistent.
 * Without `demo` there is nothing below ROUTE_DEMO. */
void routes_init(bool demo);

struct route_match {
    const struct route *route;                    /* NULL: see allow */
    unsigned allow;                               /* a bit per enum method of the path; 0: no such path */
    struct text parameters[ROUTE_PARAMETERS_MAX]; /* as sent, not decoded yet */
};
/* `path` is as sent. */
void routes_match(enum method method, struct text path, struct route_match *out);

#endif
