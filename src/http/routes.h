/* SPDX-License-Identifier: Apache-2.0 */
/* routes.h — the one table of everything that can be asked over HTTP.
 *
 * The table decides what exists, who may call it, which bodies and query parameters it takes and which lane
 * of the rate limits it uses, and says what it answers; /openapi.json is made from it. What a route does not
 * allow is refused: a role not named in `may`, a query parameter not named in `query`, a body where there is
 * none.
 *
 * To add a call: its handler and body table in an api_*.c file, and one row in the file of its
 * topic under routes/, with what it names at the top of routes.c.
 */
#ifndef HTTP_ROUTES_H
#define HTTP_ROUTES_H

#include "base/json/json_reader.h"
#include "core/outcome.h"
#include "http/describe/schema.h"

struct request;

/* A handler is thin: decode by the table, fill in a command, submit it, encode the outcome. It holds no rule.
 * See request.h and reply.h for what it may rely on. HANDLER begins one, of the request `r`. */
typedef void route_handler(struct request *r);
#define HANDLER(name)                                                                                        \
    route_handler name;                                                                                      \
    void name(struct request *r)

#define ROUTES_MAX 192
#define ROUTE_DEMO "/demo/" /* what is below it exists under `holdfast demo` only */
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

/* Who may: a bit per enum role. */
enum {
    MAY_USER = 1u << ROLE_USER,
    MAY_APP = 1u << ROLE_APP,
    MAY_ADMIN = 1u << ROLE_ADMIN,
    MAY_DOOR = 1u << ROLE_DOOR,
    MAY_ORDER =
        1u
        << ROLE_ORDER, /* whoever has a manage token: only what names one reservation, which core compares */
    MAY_NOBODY = 1u << ROLE_NONE, /* a caller without credentials */
    MAY_ANYONE = MAY_NOBODY | MAY_USER | MAY_APP | MAY_ADMIN | MAY_DOOR,
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

/* Each lane has buckets of its own, so that commits are never starved by reads or holds. */
/* clang-format off */
#define LANES(X) \
    X(READ, "read") X(HOLD, "hold") X(COMMIT, "commit") X(SESSION, "session") X(JOIN, "join") X(POLL, "poll") \
    X(PICTURE, "picture") X(UNSIGNED, "unsigned") /* the handler counts, and only what is not signed */
/* clang-format on */
enum lane {
    LANE_NONE,
#define X(name, word) LANE_##name,
    LANES(X)
#undef X
        LANE_COUNT
};

/* What is open to all, unless the operator closes it: then the admin key opens it, and the metrics a key of
 * their own (server_options). */
enum route_door { ROUTE_DOOR_NONE, ROUTE_DOOR_METRICS, ROUTE_DOOR_OPENAPI };

/* What a route answers when it does not refuse; also what it says with 503 in place of a problem. */
struct route_answer {
    int status;                  /* 0: there are no more */
    const struct schema *record; /* of application/json; NULL: text, or nothing without a type */
    const char *type;            /* another type; with a record: a stream of its events */
    bool page;                   /* of a list of such records */
    bool location, etag;         /* comes with that header; an ETag not for every caller */
    const char *example;         /* of a text that is no stream */
    const char *example_csv;     /* the same as text/csv, for callers who accept that; NULL: there is none */
};

enum route_query_kind { ROUTE_QUERY_TEXT, ROUTE_QUERY_NUMBER, ROUTE_QUERY_TIME };
struct route_query {
    const char *name; /* NULL: there are no more */
    const char *about;
    enum route_query_kind kind;
    uint64_t least, most;                /* NUMBER: request_query_number judges by these */
    uint64_t otherwise;                  /* NUMBER: when left out; 0: nothing to tell */
    const char *(*word)(unsigned index); /* TEXT: one of these, which the handler judges; or NULL */
    bool needed;                         /* without it the request is invalid */
};
#define ROUTE_LIMIT 100 /* entries of a page when nothing is said */
#define ROUTE_LIMIT_MAX 1000

/* What routes are about: the groups of /openapi.json. Name, and what it is in a sentence. */
/* clang-format off */
#define ROUTE_TAGS(X) \
    X(EVENTS, "events", "Events, their seats and pools, and their availability.") \
    X(WAITING_ROOMS, "waiting rooms", "The queue in front of a sale.") \
    X(WAITING_LISTS, "waiting lists", "The queue for what is sold out.") \
    X(CALENDARS, "calendars", "Bookable time and its available slots.") \
    X(RESERVATIONS, "reservations", \
      "Hold, then commit: claims on seats, units and slots, with an owner and a deadline.") \
    X(DISPATCH, "dispatch", "Fleets of drivers, and rides that are offered to one of them at a time.") \
    X(PAYMENTS, "payments", "What was paid, and what has to be paid back.") \
    X(DOOR, "door", "Tickets: showing them, and being let in.") \
    X(REPORTS, "reports", "Sums over what was sold, given up and refused.") \
    X(HOOKS, "hooks", "Outgoing webhooks: being told of what happens to reservations.") \
    X(PEOPLE, "people", "What is known about a person, and forgetting it.") \
    X(ACCESS, "access", "Keys for back ends and tokens for guests.") \
    X(OPERATIONS, "operations", "Health, metrics and this description.")
/* clang-format on */
enum route_tag {
    ROUTE_TAG_NONE,
#define X(name, text, about) ROUTE_TAG_##name,
    ROUTE_TAGS(X)
#undef X
};

/* A set of refusals: a bit per enum outcome_code, and behind them those of the edge (refusals.c). */
typedef unsigned __int128 refusal_set;
#define ROUTE_REFUSES(name) ((refusal_set)1 << OUTCOME_##name)

struct route {
    enum method method;
    /* "/v1/events/{event}/seats"; a parameter is a whole segment, or all of one but the end that the pattern
     * names: "/v1/calendars/{calendar}.ics". That one wins over the plain parameter in the same place. "*" as the
     * last segment is any path below. */
    const char *pattern;
    route_handler *handler;
    unsigned may;
    enum lane lane;
    /* For /openapi.json: one line, and what else there is to know. */
    const char *summary, *about;
    enum route_tag tag;
    enum route_door door;
    enum body_kind body;
    const struct json_field *fields; /* NULL: the body is {} */
    const struct json_form *forms;   /* in which they come; NULL: in any */
    const char *example;             /* of a body without forms, as JSON */
    const char *example_csv;         /* BODY_IMPORT */
    unsigned entries_max;            /* BODY_LIST */
    struct route_query query[ROUTE_QUERY_MAX];
    struct route_answer answers[ROUTE_ANSWERS_MAX];
    /* What core may refuse it with, for /openapi.json: besides what follows from the other columns
     * (refusals.h). */
    refusal_set refuses;
    bool body_needed; /* nothing can be asked without a body, though no single field is required */
    bool min_seq;     /* comes from the book: Holdfast-Min-Seq makes it wait */
    bool if_match;    /* takes the ETag of a seat */
    bool resumes;     /* takes a Last-Event-ID */
    bool idempotent;  /* takes an Idempotency-Key */
    bool takes_pass;  /* a Holdfast-Pass: it claims what may be behind a waiting room */
    bool releases;    /* counts towards the cool-down of hold-and-release loops */
    bool without_v1;  /* also at the same path without /v1 */
    /* Of pages and files for browsers, which take any query and pass it over. */
    const char *page; /* the path of its asset (assets.h) */
    bool camera;      /* the page may use it */
    bool any_origin;  /* pages of any origin may load it, whatever --cors says */
};

/* First the API, which /openapi.json describes; then pages and files for browsers and the demo's own, which it does not. */
extern const struct route routes[];
extern const unsigned routes_count;
unsigned routes_described(void); /* how many are the API's */

/* A parameter in a path. */
struct route_parameter {
    const char *name;
    enum outcome_code refusal; /* what is said when there cannot be anything of the name that it gives */
    const char *about, *example;
};
/* Whether it is a user id, which may have any characters: of a driver, or of users, of whom nobody keeps a list that one
 * could be missing from. */
static inline bool route_parameter_user(const struct route_parameter *parameter)
{
    return parameter->refusal == OUTCOME_INVALID || parameter->refusal == OUTCOME_NO_SUCH_DRIVER;
}
/* The one of this index; NULL: the route has no more. */
const struct route_parameter *route_parameter(const struct route *route, unsigned index);

/* Builds the index over the table; once, before the first routes_match. Asserts that the table is sound. Without
 * `demo` nothing is below ROUTE_DEMO. */
void routes_init(bool demo);

struct route_match {
    const struct route *route;                    /* NULL: see allow */
    unsigned allow;                               /* bit per enum method that the path has; 0: no such path */
    struct text parameters[ROUTE_PARAMETERS_MAX]; /* as sent, not decoded yet */
};
/* `path` is as sent. */
void routes_match(enum method method, struct text path, struct route_match *out);

#endif
