/* SPDX-License-Identifier: Apache-2.0 */
/* routes.h — the one table of everything that can be asked over HTTP.
 *
 * The table decides what exists, who may call it, which bodies and query parameters it takes and which lane
 * of the rate limits it uses, and says what it answers; /openapi.json is made from it. What a route does not
 * allow is refused: a role not named in `may`, a query parameter not named in `query`, a body where there is
 * none.
 *
 * To add a call: its handler and body table in http/api.h and an api_*.c file, and one row in routes.c.
 */
#ifndef HTTP_ROUTES_H
#define HTTP_ROUTES_H

#include "base/json_reader.h"
#include "core/types.h"
#include "http/schema.h"

struct request;

#define ROUTE_PARAMETERS_MAX 2
#define ROUTE_QUERY_MAX 8
#define ROUTE_ANSWERS_MAX 2

enum method {
    METHOD_GET,
    METHOD_POST,
    METHOD_PUT,
    METHOD_PATCH,
    METHOD_DELETE,
    METHOD_OPTIONS,
    METHOD_OTHER
};
const char *method_name(enum method method);

/* Who may: a bit per enum role. */
enum {
    MAY_USER = 1u << ROLE_USER,
    MAY_APP = 1u << ROLE_APP,
    MAY_ADMIN = 1u << ROLE_ADMIN,
    MAY_DOOR = 1u << ROLE_DOOR,
    MAY_NOBODY = 1u << ROLE_NONE, /* a caller without credentials */
    MAY_ANYONE = MAY_NOBODY | MAY_USER | MAY_APP | MAY_ADMIN | MAY_DOOR,
    MAY_BUY = MAY_USER | MAY_APP | MAY_ADMIN,
};

enum body_kind {
    BODY_NONE,  /* a body is refused */
    BODY_JSON,  /* an object, up to 1 MiB, described by `fields`; may be empty */
    BODY_SEATS, /* an array of objects, up to 8 MiB, described by `fields`, or text/csv up to 64 MiB; 120 s */
};
#define BODY_JSON_SIZE_MAX (1u << 20)
#define BODY_SEATS_JSON_SIZE_MAX (8u << 20)
#define BODY_SEATS_CSV_SIZE_MAX (64u << 20)

/* Each lane has buckets of its own, so that commits are never starved by reads or holds. */
enum lane { LANE_NONE, LANE_READ, LANE_HOLD, LANE_COMMIT, LANE_SESSION, LANE_JOIN, LANE_POLL, LANE_COUNT };

/* What a route answers when it does not refuse; also what it says with 503 in place of a problem. */
struct route_answer {
    int status;                  /* 0: there are no more */
    const struct schema *record; /* of application/json; NULL: text, or nothing without a type */
    const char *type;            /* another type; with a record: a stream of its events */
    bool page;                   /* of a list of such records */
};

struct route {
    enum method method;
    /* "/v1/events/{event}/seats"; a parameter is a whole segment, or all of one but the end that the pattern
     * names: "/v1/calendars/{calendar}.ics". That one wins over the plain parameter in the same place. */
    const char *pattern;
    void (*handler)(struct request *r);
    unsigned may;
    enum lane lane;
    const char *summary; /* one line for /openapi.json */
    enum body_kind body;
    const struct json_field *fields; /* NULL: the body is {} */
    const char *query[ROUTE_QUERY_MAX];
    struct route_answer answers[ROUTE_ANSWERS_MAX];
    bool idempotent; /* takes an Idempotency-Key */
    bool takes_pass; /* a Holdfast-Pass: it claims what may be behind a waiting room */
    bool releases;   /* counts towards the cool-down of hold-and-release loops */
    bool without_v1; /* also at the same path without /v1 */
};

extern const struct route routes[];
extern const unsigned routes_count;

/* Builds the index over the table; once, before the first routes_match. Asserts that the table is sound. */
void routes_init(void);

struct route_match {
    const struct route *route;                    /* NULL: see allow */
    unsigned allow;                               /* bit per enum method that the path has; 0: no such path */
    struct text parameters[ROUTE_PARAMETERS_MAX]; /* as sent, not decoded yet */
};
/* `path` is as sent. */
void routes_match(enum method method, struct text path, struct route_match *out);

#endif
