/* SPDX-License-Identifier: Apache-2.0 */
#include "http/openapi.h"

#include <ctype.h>
#include <stdio.h>

#include "base/assertion.h"
#include "base/json_writer.h"
#include "http/routes.h"
#include "http/version.h"

static void put_string(struct json_writer *w, const char *key, const char *value)
{
    json_key(w, key);
    json_string(w, value);
}

static void put_number(struct json_writer *w, const char *key, int64_t value)
{
    json_key(w, key);
    json_int(w, value);
}

/* ---- Schemas from body tables ---- */

static void write_object_schema(struct json_writer *w, const struct json_field *fields, bool nullable);

static void write_type(struct json_writer *w, const char *type, bool nullable)
{
    json_key(w, "type");
    if (!nullable) {
        json_string(w, type);
        return;
    }
    json_array_begin(w);
    json_string(w, type);
    json_string(w, "null");
    json_array_end(w);
}

static void write_bounds(struct json_writer *w, const struct json_field *f, const char *least,
                         const char *most)
{
    if (f->least)
        put_number(w, least, f->least);
    if (f->most)
        put_number(w, most, f->most);
}

static void write_items(struct json_writer *w, const struct json_field *f)
{
    write_bounds(w, f, "minItems", "maxItems");
    json_key(w, "items");
    if (f->kind == JSON_KIND_LIST) {
        json_object_begin(w);
        write_object_schema(w, f->fields, false);
        json_object_end(w);
        return;
    }
    json_object_begin(w);
    put_string(w, "type", "string");
    if (f->form)
        put_string(w, "description", f->form);
    json_object_end(w);
}

static void write_field(struct json_writer *w, const struct json_field *f)
{
    bool nullable = f->need == JSON_NULLABLE;
    json_key(w, f->name);
    json_object_begin(w);
    switch (f->kind) {
    case JSON_KIND_TEXT:
        write_type(w, "string", nullable);
        write_bounds(w, f, "minLength", "maxLength");
        if (f->form)
            put_string(w, "description", f->form);
        break;
    case JSON_KIND_INT:
        write_type(w, "integer", nullable);
        put_number(w, "minimum", f->least);
        put_number(w, "maximum", f->most);
        break;
    case JSON_KIND_MILLI:
        write_type(w, "number", nullable);
        break;
    case JSON_KIND_BOOL:
        write_type(w, "boolean", nullable);
        break;
    case JSON_KIND_TIME:
        write_type(w, "string", nullable);
        put_string(w, "format", "date-time");
        break;
    case JSON_KIND_OBJECT:
        write_object_schema(w, f->fields, nullable);
        break;
    case JSON_KIND_LIST:
    case JSON_KIND_TEXTS:
        write_type(w, "array", nullable);
        write_items(w, f);
        break;
    case JSON_KIND_RAW:
        write_type(w, "object", nullable);
        break;
    case JSON_KIND_END:
        ASSERT(false);
    }
    json_object_end(w);
}

/* The members of a schema object, which the caller has begun. */
static void write_object_schema(struct json_writer *w, const struct json_field *fields, bool nullable)
{
    write_type(w, "object", nullable);
    json_key(w, "additionalProperties");
    json_bool(w, false);
    json_key(w, "properties");
    json_object_begin(w);
    bool any_required = false;
    for (const struct json_field *f = fields; f && f->kind != JSON_KIND_END; f++) {
        write_field(w, f);
        any_required |= f->need == JSON_REQUIRED;
    }
    json_object_end(w);
    if (!any_required)
        return;
    json_key(w, "required");
    json_array_begin(w);
    for (const struct json_field *f = fields; f->kind != JSON_KIND_END; f++)
        if (f->need == JSON_REQUIRED)
            json_string(w, f->name);
    json_array_end(w);
}

/* ---- Operations from the route table ---- */

static void write_parameter(struct json_writer *w, const char *name, size_t size, const char *in,
                            bool required)
{
    json_object_begin(w);
    json_key(w, "name");
    json_text(w, name, size);
    put_string(w, "in", in);
    json_key(w, "required");
    json_bool(w, required);
    json_key(w, "schema");
    json_object_begin(w);
    put_string(w, "type", "string");
    if (required)
        put_string(w, "pattern", "^[A-Za-z0-9._~-]{1,64}$");
    json_object_end(w);
    json_object_end(w);
}

static void write_parameters(struct json_writer *w, const struct route *route)
{
    json_key(w, "parameters");
    json_array_begin(w);
    for (const char *at = strchr(route->pattern, '{'); at; at = strchr(at + 1, '{'))
        write_parameter(w, at + 1, strcspn(at + 1, "}"), "path", true);
    for (unsigned i = 0; i < ROUTE_QUERY_MAX && route->query[i]; i++)
        write_parameter(w, route->query[i], strlen(route->query[i]), "query", false);
    if (route->idempotent)
        write_parameter(w, "Idempotency-Key", strlen("Idempotency-Key"), "header", false);
    if (route->takes_pass)
        write_parameter(w, "Holdfast-Pass", strlen("Holdfast-Pass"), "header", false);
    json_array_end(w);
}

static void write_content(struct json_writer *w, const struct route *route)
{
    json_key(w, "application/json");
    json_object_begin(w);
    json_key(w, "schema");
    json_object_begin(w);
    if (route->body == BODY_SEATS) {
        put_string(w, "type", "array");
        json_key(w, "items");
        json_object_begin(w);
        write_object_schema(w, route->fields, false);
        json_object_end(w);
    } else {
        write_object_schema(w, route->fields, false);
    }
    json_object_end(w);
    json_object_end(w);
    if (route->body != BODY_SEATS)
        return;
    json_key(w, "text/csv");
    json_object_begin(w);
    json_key(w, "schema");
    json_object_begin(w);
    put_string(w, "type", "string");
    json_object_end(w);
    json_object_end(w);
}

static void write_request_body(struct json_writer *w, const struct route *route)
{
    if (route->body == BODY_NONE)
        return;
    json_key(w, "requestBody");
    json_object_begin(w);
    json_key(w, "content");
    json_object_begin(w);
    write_content(w, route);
    json_object_end(w);
    json_object_end(w);
}

static void write_responses(struct json_writer *w)
{
    json_key(w, "responses");
    json_object_begin(w);
    json_key(w, "2XX");
    json_object_begin(w);
    put_string(w, "description", "Done.");
    json_object_end(w);
    json_key(w, "default");
    json_object_begin(w);
    put_string(w, "$ref", "#/components/responses/problem");
    json_object_end(w);
    json_object_end(w);
}

/* Who may call it: {} is nobody in particular. */
static void write_security(struct json_writer *w, const struct route *route)
{
    json_key(w, "security");
    json_array_begin(w);
    if (route->may & MAY_NOBODY) {
        json_object_begin(w);
        json_object_end(w);
    }
    json_object_begin(w);
    json_key(w, "bearer");
    json_array_begin(w);
    for (unsigned role = ROLE_USER; role <= ROLE_DOOR; role++)
        if (route->may & 1u << role)
            json_string(w, role_name((enum role)role));
    json_array_end(w);
    json_object_end(w);
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

/* "PUT /v1/events/{event}" is "put_events_event". */
static void write_operation_id(struct json_writer *w, const struct route *route)
{
    char id[128];
    lower_method(route->method, id);
    size_t size = strlen(id);
    const char *at = route->pattern;
    if (strncmp(at, "/v1/", 4) == 0)
        at += 3;
    for (; *at; at++) {
        ASSERT(size < sizeof id - 1);
        if (*at == '/' || *at == '.')
            id[size++] = '_';
        else if (*at != '{' && *at != '}')
            id[size++] = *at;
    }
    json_key(w, "operationId");
    json_text(w, id, size);
}

static void write_operation(struct json_writer *w, const struct route *route)
{
    char method[16];
    lower_method(route->method, method);
    json_key(w, method);
    json_object_begin(w);
    put_string(w, "summary", route->summary);
    write_operation_id(w, route);
    write_security(w, route);
    write_parameters(w, route);
    write_request_body(w, route);
    write_responses(w);
    json_object_end(w);
}

static void write_paths(struct json_writer *w)
{
    bool written[256] = {false};
    ASSERT(routes_count <= sizeof written);
    json_key(w, "paths");
    json_object_begin(w);
    for (unsigned i = 0; i < routes_count; i++) {
        if (written[i])
            continue;
        json_key(w, routes[i].pattern);
        json_object_begin(w);
        for (unsigned k = i; k < routes_count; k++) {
            if (strcmp(routes[k].pattern, routes[i].pattern) != 0)
                continue;
            write_operation(w, &routes[k]);
            written[k] = true;
        }
        json_object_end(w);
    }
    json_object_end(w);
}

/* ---- The rest ---- */

static const char components[] =
    "{\"securitySchemes\":{\"bearer\":{\"type\":\"http\",\"scheme\":\"bearer\",\"description\":"
    "\"The admin key, an app or door key, or a user token (JWT, HS256).\"}},"
    "\"responses\":{\"problem\":{\"description\":\"Refused; `code` says why.\",\"content\":{"
    "\"application/problem+json\":{\"schema\":{\"$ref\":\"#/components/schemas/problem\"}}}}},"
    "\"schemas\":{\"problem\":{\"type\":\"object\",\"properties\":{\"type\":{\"type\":\"string\"},"
    "\"title\":{\"type\":\"string\"},\"status\":{\"type\":\"integer\"},\"detail\":{\"type\":\"string\"},"
    "\"code\":{\"type\":\"string\"},\"pointer\":{\"type\":\"string\"}},"
    "\"required\":[\"type\",\"title\",\"status\",\"detail\",\"code\"]}}}";

void openapi_write(struct buf *out)
{
    struct json_writer w = json_writer_make(out);
    json_object_begin(&w);
    put_string(&w, "openapi", "3.1.0");
    json_key(&w, "info");
    json_object_begin(&w);
    put_string(&w, "title", "Holdfast");
    put_string(&w, "description",
               "Holds and sells seats and places: nothing twice, nothing acknowledged lost.");
    put_string(&w, "version", HOLDFAST_VERSION);
    json_object_end(&w);
    write_paths(&w);
    json_key(&w, "components");
    json_raw(&w, components, sizeof components - 1);
    json_object_end(&w);
}
