/* SPDX-License-Identifier: Apache-2.0 */
#include "http/refusals.h"

#include <stdio.h>
#include <string.h>

#include "base/assertion.h"
#include "http/fault.h"
#include "http/header_notes.h"
#include "http/member.h"

/* The codes of core that leave the store, then those of the edge that core does not have. */
struct refusal {
    const char *code;
    int status;
    const char *sentence;
};

#define CODES (OUTCOME_COUNT + FAULT_COUNT)
#define OF_FAULT(name) ((uint64_t)1 << (OUTCOME_COUNT + FAULT_##name))
_Static_assert(CODES <= 64, "a bit per code");

static const struct refusal refusals[CODES] = {
#define X(name, code, status, text) [OUTCOME_##name] = {(code), (status), (text)},
    OUTCOMES(X)
#undef X
#define X(name, code, status, text) [OUTCOME_COUNT + FAULT_##name] = {(code), (status), (text)},
        FAULTS(X)
#undef X
};

/* Where a code stands first: core and the edge share some. */
static unsigned first_of(unsigned at)
{
    for (unsigned i = 0; i < at; i++)
        if (strcmp(refusals[i].code, refusals[at].code) == 0)
            return i;
    return at;
}

static bool is_said(unsigned at)
{
    return refusals[at].status >= 400 && refusals[at].status != 500 && first_of(at) == at;
}

const char *refusals_code(unsigned index)
{
    for (unsigned i = 0; i < CODES; i++)
        if (is_said(i) && index-- == 0)
            return refusals[i].code;
    return NULL;
}

/* ---- Which ones a route may say ---- */

static uint64_t by_columns(const struct route *route)
{
    uint64_t set = OF_FAULT(INVALID) | OF_FAULT(UNAUTHENTICATED);
    if (route->may != MAY_ANYONE || route->door != ROUTE_DOOR_NONE)
        set |= OF_FAULT(FORBIDDEN);
    if (route->body != BODY_NONE)
        set |= OF_FAULT(TOO_LARGE) | OF_FAULT(UNSUPPORTED_TYPE);
    if (route->lane != LANE_NONE)
        set |= OF_FAULT(SLOW_DOWN);
    if (route->idempotent)
        set |= ROUTE_REFUSES(IDEMPOTENCY_KEY_REUSED);
    if (route->takes_pass)
        set |= ROUTE_REFUSES(PASS_REQUIRED) | ROUTE_REFUSES(PASS_INVALID) | ROUTE_REFUSES(PASS_EXPIRED) |
               ROUTE_REFUSES(PASS_TIER);
    return set;
}

static uint64_t refusals_of(const struct route *route)
{
    uint64_t set = by_columns(route) | route->refuses, firsts = 0;
    for (unsigned i = 0; i < ROUTE_PARAMETERS_MAX; i++) {
        enum outcome_code code = route_parameter_refusal(route, i);
        if (code != OUTCOME_OK)
            set |= (uint64_t)1 << code;
    }
    for (unsigned i = 0; i < CODES; i++)
        if (set >> i & 1)
            firsts |= (uint64_t)1 << first_of(i);
    return firsts;
}

/* ---- Told ---- */

static void write_headers(struct json_writer *w, int status)
{
    json_key(w, "headers");
    json_object_begin(w);
    header_notes_every_answer(w, status != 401 && status != 405 && status != 431); /* those come first */
    if (status == 401)
        header_notes_answer(w, HEADER_NOTE_CHALLENGE);
    if (status == 405)
        header_notes_answer(w, HEADER_NOTE_ALLOW);
    if (status == 429 || status == 503)
        header_notes_answer(w, HEADER_NOTE_RETRY_AFTER);
    json_object_end(w);
}

/* { "type": "object", "properties": { "code": { "enum": […] } } } */
static void write_codes(struct json_writer *w, uint64_t set)
{
    json_object_begin(w);
    member_string(w, "type", "object");
    json_key(w, "properties");
    json_object_begin(w);
    json_key(w, "code");
    json_object_begin(w);
    member_string(w, "type", "string");
    json_key(w, "enum");
    json_array_begin(w);
    for (unsigned i = 0; i < CODES; i++)
        if (set >> i & 1)
            json_string(w, refusals[i].code);
    json_array_end(w);
    json_object_end(w);
    json_object_end(w);
    json_object_end(w);
}

/* A problem whose code is one of the set, which all have this status. */
static void write_response(struct json_writer *w, int status, uint64_t set, const char *about)
{
    json_object_begin(w);
    member_string(w, "description", about);
    write_headers(w, status);
    json_key(w, "content");
    json_object_begin(w);
    json_key(w, "application/problem+json");
    json_object_begin(w);
    json_key(w, "schema");
    json_object_begin(w);
    json_key(w, "allOf");
    json_array_begin(w);
    schema_write_ref(w, &schema_problem);
    write_codes(w, set);
    json_array_end(w);
    json_object_end(w);
    json_object_end(w);
    json_object_end(w);
    json_object_end(w);
}

static void write_ref(struct json_writer *w, const char *code)
{
    char place[80];
    int size = snprintf(place, sizeof(place), "#/components/responses/%s", code);
    ASSERT(size > 0 && (size_t)size < sizeof(place));
    json_object_begin(w);
    member_string(w, "$ref", place);
    json_object_end(w);
}

/* The codes of `set` that have the status of the one at `at`. */
static uint64_t alike(uint64_t set, unsigned at)
{
    uint64_t found = 0;
    for (unsigned i = 0; i < CODES; i++)
        if (set >> i & 1 && refusals[i].status == refusals[at].status)
            found |= (uint64_t)1 << i;
    return found;
}

/* The one with the lowest status. */
static unsigned lowest(uint64_t set)
{
    unsigned found = CODES;
    for (unsigned i = 0; i < CODES; i++)
        if (set >> i & 1 && (found == CODES || refusals[i].status < refusals[found].status))
            found = i;
    return found;
}

void refusals_write_route(struct json_writer *w, const struct route *route)
{
    uint64_t left = refusals_of(route);
    while (left) {
        unsigned first = lowest(left);
        uint64_t set = alike(left, first);
        char status[16];
        snprintf(status, sizeof(status), "%d", refusals[first].status);
        left &= ~set;
        json_key(w, status);
        if (set == (uint64_t)1 << first)
            write_ref(w, refusals[first].code);
        else
            write_response(w, refusals[first].status, set, "Refused; `code` says why.");
    }
}

void refusals_write_all(struct json_writer *w)
{
    for (unsigned i = 0; i < CODES; i++) {
        if (!is_said(i))
            continue;
        json_key(w, refusals[i].code);
        write_response(w, refusals[i].status, (uint64_t)1 << i, refusals[i].sentence);
    }
}
