/* SPDX-License-Identifier: Apache-2.0 */
#include "http/describe/openapi.h"

#include <ctype.h>
#include <stdio.h>

#include "base/assertion.h"
#include "http/describe/body_schema.h"
#include "http/describe/header_notes.h"
#include "http/describe/media.h"
#include "http/describe/refusals.h"
#include "http/describe/webhooks.h"
#include "http/record/member.h"
#include "http/routes.h"
#include "http/wire/version.h"

static const struct tag {
    const char *name, *about;
} tags[] = {
#define X(name, text, about) [ROUTE_TAG_##name] = {(text), (about)},
    ROUTE_TAGS(X)
#undef X
};

/* ---- Operations from the route table ---- */

static void begin_parameter(struct json_writer *w, const char *name, const char *in, bool required,
                            const char *about)
{
    ASSERT(about);
    json_object_begin(w);
    member_string(w, "name", name);
    member_string(w, "in", in);
    member_string(w, "description", about);
    member_bool(w, "required", required);
    member_object_begin(w, "schema");
}

static void end_parameter(struct json_writer *w)
{
    json_object_end(w);
    json_object_end(w);
}

static void write_query(struct json_writer *w, const struct route_query *query)
{
    begin_parameter(w, query->name, "query", query->required, query->about);
    if (query->word) {
        schema_write_words(w, query->word, false);
    } else if (query->kind == ROUTE_QUERY_NUMBER) {
        member_string(w, "type", "integer");
        member_uint(w, "minimum", query->least);
        if (query->most < UINT64_MAX)
            member_uint(w, "maximum", query->most);
        if (query->default_value)
            member_uint(w, "default", query->default_value);
    } else {
        member_string(w, "type", "string");
        if (query->kind == ROUTE_QUERY_TIME)
            member_string(w, "format", "date-time");
    }
    end_parameter(w);
}

static void write_path_parameter(struct json_writer *w, const struct route_parameter *parameter)
{
    begin_parameter(w, parameter->name, "path", true, parameter->about);
    member_string(w, "type", "string");
    if (!route_parameter_user(parameter) && parameter->refusal != OUTCOME_NO_SUCH_PAYMENT)
        member_string(w, "pattern", "^[A-Za-z0-9._~-]{1,64}$");
    json_object_end(w);
    member_string(w, "example", parameter->example);
    json_object_end(w);
}

static bool answers_with(const struct route *route, int status)
{
    for (unsigned i = 0; i < ROUTE_ANSWERS_MAX; i++)
        if (route->answers[i].status == status)
            return true;
    return false;
}

static void write_header_parameters(struct json_writer *w, const struct route *route)
{
    header_notes_parameter(w, HEADER_NOTE_OWN_REQUEST_ID);
    if (route->idempotent)
        header_notes_parameter(w, HEADER_NOTE_IDEMPOTENCY_KEY);
    if (route->takes_pass)
        header_notes_parameter(w, HEADER_NOTE_PASS);
    if (route->min_seq)
        header_notes_parameter(w, HEADER_NOTE_MIN_SEQ);
    if (route->if_match)
        header_notes_parameter(w, HEADER_NOTE_IF_MATCH);
    if (answers_with(route, 304))
        header_notes_parameter(w, HEADER_NOTE_IF_NONE_MATCH);
    if (route->resumes)
        header_notes_parameter(w, HEADER_NOTE_LAST_EVENT_ID);
}

static void write_parameters(struct json_writer *w, const struct route *route)
{
    member_array_begin(w, "parameters");
    for (unsigned i = 0; i < ROUTE_PARAMETERS_MAX && route_parameter(route, i); i++)
        write_path_parameter(w, route_parameter(route, i));
    for (unsigned i = 0; i < ROUTE_QUERY_MAX && route->query[i].name; i++)
        write_query(w, &route->query[i]);
    write_header_parameters(w, route);
    json_array_end(w);
}

static void write_request_body(struct json_writer *w, const struct route *route)
{
    if (route->body == BODY_NONE)
        return;
    member_object_begin(w, "requestBody");
    member_bool(w, "required",
                route->body == BODY_IMPORT || route->body == BODY_LIST || route->body_needed ||
                    (route->body == BODY_JSON && body_schema_requires(route->fields)));
    media_write_request(w, route);
    json_object_end(w);
}

static const char *status_description(int status)
{
    return status == 201   ? "Created."
           : status == 204 ? "No content."
           : status == 304 ? "Not modified."
           : status == 503 ? "Not ready."
                           : "OK.";
}

static void write_answer_headers(struct json_writer *w, const struct route *route,
                                 const struct route_answer *answer)
{
    member_object_begin(w, "headers");
    header_notes_every_answer(w, route->lane != LANE_NONE);
    if (answer->location)
        header_notes_answer(w, HEADER_NOTE_LOCATION);
    if (answer->example_csv)
        header_notes_answer(w, HEADER_NOTE_NEXT_CURSOR);
    if (answer->etag)
        header_notes_answer(w, HEADER_NOTE_ETAG);
    /* Only requests that changed something are replayed; a 200 next to a 201 means that nothing changed. */
    if (route->idempotent && answer == route->answers)
        header_notes_answer(w, HEADER_NOTE_REPLAYED);
    if (answer->status == 503)
        header_notes_answer(w, HEADER_NOTE_RETRY_AFTER);
    json_object_end(w);
}

static void write_responses(struct json_writer *w, const struct route *route)
{
    member_object_begin(w, "responses");
    for (unsigned i = 0; i < ROUTE_ANSWERS_MAX && route->answers[i].status; i++) {
        const struct route_answer *answer = &route->answers[i];
        char status[16];
        snprintf(status, sizeof status, "%d", answer->status);
        member_object_begin(w, status);
        member_string(w, "description", status_description(answer->status));
        write_answer_headers(w, route, answer);
        if (answer->record || answer->type)
            media_write_answer(w, answer);
        json_object_end(w);
    }
    refusals_write_route(w, route);
    json_object_end(w);
}

/* The roles that may call it: {} means no credentials. */
static void write_security(struct json_writer *w, const struct route *route)
{
    member_array_begin(w, "security");
    if (route->may & MAY_ANONYMOUS) {
        json_object_begin(w);
        json_object_end(w);
    }
    for (unsigned role = ROLE_USER; role <= ROLE_LAST; role++) {
        if (!(route->may & 1u << role))
            continue;
        json_object_begin(w);
        member_array_begin(w, role_name((enum role)role));
        json_array_end(w);
        json_object_end(w);
    }
    json_array_end(w);
}

static void lower_method(enum method method, char out[16])
{
    const char *name = method_name(method);
    size_t i = 0;
    for (; name[i]; i++)
        out[i] = (char)tolower((unsigned char)name[i]);
    out[i] = '\0';
}

/* Operation ids are unique, so an alias has one of its own. */
static void write_operation_id(struct json_writer *w, const struct route *route, bool alias)
{
    char id[64];
    int size = snprintf(id, sizeof id, "%s%s", route->operation, alias ? "WithoutV1" : "");
    ASSERT(size > 0 && (size_t)size < sizeof id);
    member_string(w, "operationId", id);
}

static void write_operation(struct json_writer *w, const struct route *route, bool alias)
{
    char method[16];
    lower_method(route->method, method);
    member_object_begin(w, method);
    member_array_begin(w, "tags");
    json_string(w, tags[route->tag].name);
    json_array_end(w);
    member_string(w, "summary", route->summary);
    member_string(w, "description", route->about);
    write_operation_id(w, route, alias);
    write_security(w, route);
    write_parameters(w, route);
    write_request_body(w, route);
    write_responses(w, route);
    json_object_end(w);
}

/* The path of routes[at] with all its methods; or its alias without /v1, which refers to the original. */
static void write_path(struct json_writer *w, unsigned at, bool alias)
{
    const char *pattern = routes[at].pattern;
    member_object_begin(w, alias ? pattern + strlen("/v1") : pattern);
    if (alias)
        member_string(w, "x-alias-of", pattern);
    for (unsigned i = at; i < routes_described(); i++)
        if (strcmp(routes[i].pattern, pattern) == 0 && (!alias || routes[i].without_v1))
            write_operation(w, &routes[i], alias);
    json_object_end(w);
}

static bool has_alias(const char *pattern)
{
    for (unsigned i = 0; i < routes_described(); i++)
        if (routes[i].without_v1 && strcmp(routes[i].pattern, pattern) == 0)
            return true;
    return false;
}

static bool written_before(unsigned at)
{
    for (unsigned i = 0; i < at; i++)
        if (strcmp(routes[i].pattern, routes[at].pattern) == 0)
            return true;
    return false;
}

static void write_paths(struct json_writer *w)
{
    member_object_begin(w, "paths");
    for (unsigned i = 0; i < routes_described(); i++) {
        if (written_before(i))
            continue;
        write_path(w, i, false);
        if (has_alias(routes[i].pattern))
            write_path(w, i, true);
    }
    json_object_end(w);
}

/* ---- The rest ---- */

static void write_security_schemes(struct json_writer *w)
{
    static const char *const abouts[ROLE_LAST + 1] = {
        [ROLE_USER] = "A user or guest token: a JWT (HS256) whose `sub` is the user.",
        [ROLE_APP] = "The key of a trusted back end that acts for any user.",
        [ROLE_ADMIN] = "The admin key.",
        [ROLE_DOOR] = "The key of a door: checks tickets in and lists them.",
        [ROLE_ORDER] =
            "The manage token of one confirmed reservation: a JWT (HS256) that gives access only to it.",
    };
    member_object_begin(w, "securitySchemes");
    for (unsigned role = ROLE_USER; role <= ROLE_LAST; role++) {
        if (!abouts[role]) /* the server's own role has no credentials */
            continue;
        member_object_begin(w, role_name((enum role)role));
        member_string(w, "type", "http");
        member_string(w, "scheme", "bearer");
        member_string(w, "description", abouts[role]);
        json_object_end(w);
    }
    json_object_end(w);
}

static void write_components(struct json_writer *w)
{
    struct schema_set records = {0};
    media_records(&records);
    json_object_begin(w);
    write_security_schemes(w);
    header_notes_write_all(w);
    member_object_begin(w, "responses");
    refusals_write_all(w);
    json_object_end(w);
    member_object_begin(w, "schemas");
    schema_write_set(w, &records);
    media_write_forms(w);
    json_object_end(w);
    member_object_begin(w, "examples");
    media_write_examples(w);
    json_object_end(w);
    json_object_end(w);
}

static const char info[] = "{\"title\":\"Holdfast\",\"version\":\"" HOLDFAST_VERSION "\","
                           "\"description\":\"Reserve seats, places and time: nothing is sold twice, nothing "
                           "acknowledged is lost.\","
                           "\"contact\":{\"name\":\"The operator of this server\"},"
                           "\"license\":{\"name\":\"Apache License 2.0\",\"identifier\":\"Apache-2.0\"}}";
static const char servers[] = "[{\"url\":\"/\",\"description\":\"This server.\"}]";

static void write_tags(struct json_writer *w)
{
    member_array_begin(w, "tags");
    for (unsigned i = ROUTE_TAG_NONE + 1; i < sizeof tags / sizeof *tags; i++) {
        json_object_begin(w);
        member_string(w, "name", tags[i].name);
        member_string(w, "description", tags[i].about);
        json_object_end(w);
    }
    json_array_end(w);
}

void openapi_write(struct buf *out)
{
    struct json_writer w = json_writer_make(out);
    json_object_begin(&w);
    member_string(&w, "openapi", "3.1.0");
    member_raw(&w, "info", info);
    member_raw(&w, "servers", servers);
    write_tags(&w);
    write_paths(&w);
    webhooks_write(&w, tags[ROUTE_TAG_HOOKS].name);
    json_key(&w, "components");
    write_components(&w);
    json_object_end(&w);
}
