/* SPDX-License-Identifier: Apache-2.0 */
#include "http/describe/refusals.h"

#include <stdio.h>
#include <string.h>

#include "base/assertion.h"
#include "http/describe/header_notes.h"
#include "http/record/encode.h"
#include "http/record/member.h"
#include "http/wire/fault.h"
#include "http/wire/reply.h"

/* The codes of core, then those of the HTTP layer. */
struct refusal {
    const char *code;
    int status;
    const char *sentence;
};

#define EXAMPLE_NAME_SIZE 64
#define CODES (OUTCOME_COUNT + FAULT_COUNT)
#define OF_FAULT(name) ((refusal_set)1 << (OUTCOME_COUNT + FAULT_##name))
_Static_assert(CODES <= 128, "a bit per code");

static const struct refusal refusals[CODES] = {
#define X(name, code, status, waits, text) [OUTCOME_##name] = {(code), (status), (text)},
    OUTCOMES(X)
#undef X
#define X(name, code, status, text) [OUTCOME_COUNT + FAULT_##name] = {(code), (status), (text)},
        FAULTS(X)
#undef X
};

/* The first entry with this code and status: core and the HTTP layer share some. */
static unsigned first_occurrence(unsigned at)
{
    for (unsigned i = 0; i < at; i++)
        if (strcmp(refusals[i].code, refusals[at].code) == 0 && refusals[i].status == refusals[at].status)
            return i;
    return at;
}

/* Whether an earlier entry has the same code. */
static bool is_second(unsigned at)
{
    for (unsigned i = 0; i < at; i++)
        if (strcmp(refusals[i].code, refusals[at].code) == 0)
            return true;
    return false;
}

/* Its name among the components: the code; if a code has two statuses, the second has its status appended. */
static const char *component_name(unsigned at, char out[EXAMPLE_NAME_SIZE])
{
    int size = is_second(at)
                   ? snprintf(out, EXAMPLE_NAME_SIZE, "%s_%d", refusals[at].code, refusals[at].status)
                   : snprintf(out, EXAMPLE_NAME_SIZE, "%s", refusals[at].code);
    ASSERT(size > 0 && size < EXAMPLE_NAME_SIZE);
    return out;
}

static bool is_used(unsigned at)
{
    bool internal = at == OUTCOME_COUNT + FAULT_MISDIRECTED; /* only between servers that share a log */
    return refusals[at].status >= 400 && refusals[at].status != 500 && !internal && !is_second(at);
}

const char *refusals_code(unsigned index)
{
    for (unsigned i = 0; i < CODES; i++)
        if (is_used(i) && index-- == 0)
            return refusals[i].code;
    return NULL;
}

/* ---- The refusals of a route ---- */

static refusal_set by_columns(const struct route *route)
{
    /* Even public routes refuse a manage token, unless they say otherwise: it is only for its own reservation. */
    refusal_set set = OF_FAULT(INVALID) | OF_FAULT(UNAUTHENTICATED);
    if (route->may != (MAY_ANYONE | MAY_ORDER))
        set |= OF_FAULT(FORBIDDEN);
    if (route->body != BODY_NONE)
        set |= OF_FAULT(TOO_LARGE) | OF_FAULT(UNSUPPORTED_TYPE);
    if (route->lane != LANE_NONE)
        set |= OF_FAULT(SLOW_DOWN);
    if (route_shows_state(route)) /* of servers that share a log: while they cannot reach it, or each other */
        set |= OF_FAULT(UNAVAILABLE) | OF_FAULT(UNDECIDED);
    if (route->idempotent)
        set |= ROUTE_REFUSES(IDEMPOTENCY_KEY_REUSED);
    if (route->takes_pass)
        set |= ROUTE_REFUSES(PASS_REQUIRED) | ROUTE_REFUSES(PASS_INVALID) | ROUTE_REFUSES(PASS_EXPIRED) |
               ROUTE_REFUSES(PASS_TIER);
    return set;
}

static refusal_set refusals_of(const struct route *route)
{
    refusal_set set = by_columns(route) | route->refuses, firsts = 0;
    for (unsigned i = 0; i < ROUTE_PARAMETERS_MAX; i++) {
        const struct route_parameter *parameter = route_parameter(route, i);
        bool made = route->method == METHOD_PUT && !route_parameter(route, i + 1);
        if (parameter && !made) /* for an id that a PUT would create, the code is `invalid` */
            set |= (refusal_set)1 << parameter->refusal;
    }
    for (unsigned i = 0; i < CODES; i++)
        if (set >> i & 1)
            firsts |= (refusal_set)1 << first_occurrence(i);
    return firsts;
}

/* Refusals before the route is known. */
#define GENERAL                                                                                              \
    (OF_FAULT(NO_SUCH_ROUTE) | OF_FAULT(METHOD_NOT_ALLOWED) | OF_FAULT(TOO_LARGE) |                          \
     OF_FAULT(HEADERS_TOO_LARGE))

/* All refusals that any call can return. */
static refusal_set used_anywhere(void)
{
    refusal_set set = GENERAL;
    for (unsigned i = 0; i < routes_described(); i++)
        set |= refusals_of(&routes[i]);
    return set;
}

/* ---- Examples ---- */

/* The extra members of a code, in addition to the common ones. */
/* clang-format off */
static const struct extra {
    enum outcome_code code;
    const char *name, *example;
} extras[] = {
    {OUTCOME_INVALID, "pointer", "\"/items/0/seat\""},
    {OUTCOME_TAKEN, "items", JSON_EXAMPLE([{"item": 0, "event": "arena", "seat": "A15", "status": "held"}])},
    {OUTCOME_SOLD_OUT, "items",
     JSON_EXAMPLE([{"item": 0, "event": "arena", "pool": "floor", "quantity": 2, "available": 1}])},
    {OUTCOME_NO_ADJACENT_SEATS, "items",
     JSON_EXAMPLE([{"item": 0, "event": "arena", "best": {"quantity": 2, "adjacent": true}, "available": 7}])},
    {OUTCOME_LEAVES_SINGLE, "seats", JSON_EXAMPLE(["A14"])},
    {OUTCOME_LIMIT_EXCEEDED, "limit", "8"},
    {OUTCOME_LIMIT_EXCEEDED, "have", "7"},
    {OUTCOME_NOT_BOOKABLE, "item", "0"},
    {OUTCOME_NOT_BOOKABLE, "rule", "\"notice\""},
    {OUTCOME_NOT_CANCELLABLE, "rule", "\"cancel_until_seconds\""},
    {OUTCOME_NOT_CANCELLABLE, "until", "null"},
    {OUTCOME_ALREADY_CHECKED_IN, "at", "\"2030-06-07T18:42:07.000Z\""},
    {OUTCOME_ALREADY_CHECKED_IN, "gate", "\"north\""},
    {OUTCOME_UNDONE, "at", "\"2030-06-07T18:42:07.000Z\""},
    {OUTCOME_CLOSED, "item", "0"},
    {OUTCOME_CLOSED, "calendar", "\"dr_smith\""},
    {OUTCOME_CLOSED, "timezone", "\"Europe/London\""},
    {OUTCOME_CLOSED, "hours", JSON_EXAMPLE([{"days": ["mon", "tue"], "from": "09:00", "to": "17:30"}])},
    {OUTCOME_CLOSED, "closed", "[]"},
};
/* clang-format on */

/* Among the components' examples. */
static const char *example_name(unsigned at, char out[EXAMPLE_NAME_SIZE])
{
    char name[EXAMPLE_NAME_SIZE];
    int size = snprintf(out, EXAMPLE_NAME_SIZE, "problem_%s", component_name(at, name));
    ASSERT(size > 0 && size < EXAMPLE_NAME_SIZE);
    return out;
}

void refusals_write_examples(struct json_writer *w)
{
    refusal_set used = used_anywhere();
    for (unsigned i = 0; i < CODES; i++) {
        if (!(used >> i & 1))
            continue;
        char name[EXAMPLE_NAME_SIZE];
        member_object_begin(w, example_name(i, name));
        json_key(w, "value");
        encode_problem_begin(w, &(struct problem){.status = refusals[i].status,
                                                  .code = refusals[i].code,
                                                  .detail = refusals[i].sentence});
        for (size_t k = 0; k < sizeof(extras) / sizeof(*extras); k++)
            if (extras[k].code == i)
                member_raw(w, extras[k].name, extras[k].example);
        json_object_end(w);
        json_object_end(w);
    }
}

/* ---- The description ---- */

static void write_headers(struct json_writer *w, int status)
{
    member_object_begin(w, "headers");
    header_notes_every_answer(w,
                              status != 401 && status != 0); /* these are refused before they are counted */
    if (status == 401)
        header_notes_answer(w, HEADER_NOTE_CHALLENGE);
    if (status == 0)
        header_notes_answer(w, HEADER_NOTE_ALLOW);
    if (status == 429 || status == 503)
        header_notes_answer(w, HEADER_NOTE_RETRY_AFTER);
    json_object_end(w);
}

/* { "type": "object", "required": ["code"], "properties": { "code": { "enum": […] } } } */
static void write_codes(struct json_writer *w, refusal_set set)
{
    json_object_begin(w);
    member_string(w, "type", "object");
    member_array_begin(w, "required");
    json_string(w, "code");
    json_array_end(w);
    member_object_begin(w, "properties");
    member_object_begin(w, "code");
    member_string(w, "description", "Why it was refused.");
    member_string(w, "type", "string");
    member_array_begin(w, "enum");
    for (unsigned i = 0; i < CODES; i++)
        if (set >> i & 1)
            json_string(w, refusals[i].code);
    json_array_end(w);
    json_object_end(w);
    json_object_end(w);
    json_object_end(w);
}

static void write_content(struct json_writer *w, refusal_set set)
{
    json_object_begin(w);
    member_object_begin(w, "schema");
    member_array_begin(w, "allOf");
    schema_write_ref(w, &schema_problem);
    write_codes(w, set);
    json_array_end(w);
    json_object_end(w);
    member_object_begin(w, "examples");
    for (unsigned i = 0; i < CODES; i++) {
        char name[EXAMPLE_NAME_SIZE];
        if (!(set >> i & 1))
            continue;
        json_key(w, refusals[i].code);
        schema_write_component(w, "examples", example_name(i, name));
    }
    json_object_end(w);
    json_object_end(w);
}

/* A problem whose code is one of the set; status 0: their statuses differ. */
static void write_response(struct json_writer *w, int status, refusal_set set, const char *about)
{
    json_object_begin(w);
    member_string(w, "description", about);
    write_headers(w, status);
    member_object_begin(w, "content");
    json_key(w, "application/problem+json");
    write_content(w, set);
    json_object_end(w);
    json_object_end(w);
}

/* The codes of `set` with the same status as the one at `at`. */
static refusal_set same_status(refusal_set set, unsigned at)
{
    refusal_set found = 0;
    for (unsigned i = 0; i < CODES; i++)
        if (set >> i & 1 && refusals[i].status == refusals[at].status)
            found |= (refusal_set)1 << i;
    return found;
}

/* The one with the lowest status. */
static unsigned lowest(refusal_set set)
{
    unsigned found = CODES;
    for (unsigned i = 0; i < CODES; i++)
        if (set >> i & 1 && (found == CODES || refusals[i].status < refusals[found].status))
            found = i;
    return found;
}

void refusals_write_route(struct json_writer *w, const struct route *route)
{
    refusal_set left = refusals_of(route);
    while (left) {
        unsigned first = lowest(left);
        refusal_set set = same_status(left, first);
        char status[16];
        snprintf(status, sizeof(status), "%d", refusals[first].status);
        left &= ~set;
        json_key(w, status);
        char name[EXAMPLE_NAME_SIZE];
        if (set == (refusal_set)1 << first)
            schema_write_component(w, "responses", component_name(first, name));
        else
            write_response(w, refusals[first].status, set, "Refused: see `code`.");
    }
    json_key(w, "default");
    schema_write_component(w, "responses", "general");
}

/* The codes that are the only one of their status in some route. */
static refusal_set alone_in_status(void)
{
    refusal_set alone = 0;
    for (unsigned i = 0; i < routes_described(); i++) {
        refusal_set set = refusals_of(&routes[i]);
        for (unsigned k = 0; k < CODES; k++)
            if (set >> k & 1 && same_status(set, k) == (refusal_set)1 << k)
                alone |= (refusal_set)1 << k;
    }
    return alone;
}

void refusals_write_all(struct json_writer *w)
{
    refusal_set alone = alone_in_status();
    json_key(w, "general");
    write_response(w, 0, GENERAL, "Refused before the call was identified.");
    for (unsigned i = 0; i < CODES; i++) {
        char name[EXAMPLE_NAME_SIZE];
        if (!(alone >> i & 1))
            continue;
        json_key(w, component_name(i, name));
        write_response(w, refusals[i].status, (refusal_set)1 << i, refusals[i].sentence);
    }
}
