/* SPDX-License-Identifier: Apache-2.0 */
#include "http/describe/media.h"

#include <string.h>

#include "base/assertion.h"
#include "http/describe/body_schema.h"
#include "http/describe/example.h"
#include "http/describe/refusals.h"
#include "http/record/encode.h"
#include "http/record/member.h"

#define TEXT_SCHEMA "{\"type\":\"string\"}"

/* ---- Requests ---- */

static void write_text_media(struct json_writer *w, const char *type, const char *example)
{
    ASSERT(example);
    member_object_begin(w, type);
    member_raw(w, "schema", TEXT_SCHEMA);
    member_string(w, "example", example);
    json_object_end(w);
}

/* An example of each form. */
static void write_form_examples(struct json_writer *w, const struct json_form *forms)
{
    member_object_begin(w, "examples");
    for (const struct json_form *form = forms; form->name; form++) {
        member_object_begin(w, form->name);
        member_string(w, "summary", form->about);
        member_raw(w, "value", form->example);
        json_object_end(w);
    }
    json_object_end(w);
}

static void write_json_media(struct json_writer *w, const char *type, const struct route *route)
{
    member_object_begin(w, type);
    member_object_begin(w, "schema");
    if (route->body == BODY_IMPORT || route->body == BODY_LIST) {
        member_string(w, "type", "array");
        if (route->entries_max) {
            member_int(w, "minItems", 1);
            member_int(w, "maxItems", route->entries_max);
        }
        member_object_begin(w, "items");
        body_schema_members(w, route->fields, NULL);
        json_object_end(w);
    } else if (route->body == BODY_FOREIGN) {
        member_string(w, "type", "object");
    } else if (route->body == BODY_PATCH) {
        body_schema_patch(w, route->fields);
    } else {
        body_schema_members(w, route->fields, route->forms);
    }
    json_object_end(w);
    ASSERT(route->forms || route->example); /* every body has an example */
    if (route->forms)
        write_form_examples(w, route->forms);
    else
        member_raw(w, "example", route->example);
    json_object_end(w);
}

void media_write_request(struct json_writer *w, const struct route *route)
{
    member_object_begin(w, "content");
    if (route->body == BODY_PATCH)
        write_json_media(w, "application/merge-patch+json", route);
    write_json_media(w, "application/json", route);
    if (route->body == BODY_IMPORT)
        write_text_media(w, "text/csv", route->example_csv);
    json_object_end(w);
}

/* ---- Answers ---- */

/* Members of the examples of an answer: for a record with alternatives, one of each. */
static void write_record_examples(struct json_writer *w, const struct schema *s)
{
    for (unsigned i = 0; s->one_of && s->one_of[i]; i++)
        write_record_examples(w, s->one_of[i]);
    if (s->one_of)
        return;
    json_key(w, s->name);
    schema_write_component(w, "examples", s->name);
}

static void write_record_media(struct json_writer *w, const struct route_answer *answer)
{
    member_object_begin(w, "application/json");
    json_key(w, "schema");
    if (answer->page) {
        schema_write_page(w, answer->record);
        json_key(w, "example");
        example_write_page(w, answer->record);
    } else {
        schema_write_ref(w, answer->record);
        member_object_begin(w, "examples");
        write_record_examples(w, answer->record);
        json_object_end(w);
    }
    json_object_end(w);
}

static void write_stream_media(struct json_writer *w, const struct route_answer *answer)
{
    member_object_begin(w, answer->type);
    member_object_begin(w, "schema");
    member_string(w, "type", "string");
    member_string(w, "contentMediaType", answer->type);
    json_key(w, "contentSchema"); /* of the data */
    schema_write_one_of(w, answer->record);
    json_object_end(w);
    json_key(w, "x-events"); /* the schema of each event's data, by name */
    schema_write_events(w, answer->record);
    json_key(w, "example");
    example_write_events(w, answer->record);
    json_object_end(w);
}

void media_write_answer(struct json_writer *w, const struct route_answer *answer)
{
    member_object_begin(w, "content");
    if (!answer->type)
        write_record_media(w, answer);
    else if (answer->record)
        write_stream_media(w, answer);
    else
        write_text_media(w, answer->type, answer->example);
    if (answer->example_csv)
        write_text_media(w, "text/csv", answer->example_csv);
    json_object_end(w);
}

/* ---- The components ---- */

/* Each set of forms once: those of bodies, and those of lists in them. */
void media_write_forms(struct json_writer *w)
{
    const struct json_form *written[16];
    unsigned count = 0;
    for (unsigned i = 0; i < routes_described(); i++) {
        if (routes[i].forms)
            body_schema_write_forms(w, routes[i].fields, routes[i].forms);
        for (const struct json_field *f = routes[i].fields; f && f->kind != JSON_KIND_END; f++) {
            bool known = !f->forms;
            for (unsigned k = 0; k < count; k++)
                known = known || written[k] == f->forms;
            if (known)
                continue;
            ASSERT(count < sizeof written / sizeof *written);
            written[count++] = f->forms;
            body_schema_write_forms(w, f->fields, f->forms);
        }
    }
}

/* The answers of all routes in one sequence; an answer without a status is unused. */
#define ANSWERS (routes_described() * ROUTE_ANSWERS_MAX)
static const struct route_answer *answer_at(unsigned index)
{
    return &routes[index / ROUTE_ANSWERS_MAX].answers[index % ROUTE_ANSWERS_MAX];
}

void media_records(struct schema_set *out)
{
    for (unsigned i = 0; i < ANSWERS; i++)
        if (answer_at(i)->record && answer_at(i)->type) /* a stream: only its events are records */
            schema_set_add_shown(out, answer_at(i)->record);
        else if (answer_at(i)->record)
            schema_set_add(out, answer_at(i)->record);
    schema_set_add(out, &schema_problem);
}

/* Adds a record, or its alternatives. */
static void add_alone(struct schema_set *out, const struct schema *s)
{
    for (unsigned i = 0; s->one_of && s->one_of[i]; i++)
        add_alone(out, s->one_of[i]);
    if (!s->one_of)
        schema_set_insert(out, s);
}

/* The examples of records that are whole answers, and of problems. */
void media_write_examples(struct json_writer *w)
{
    struct schema_set alone = {0};
    for (unsigned i = 0; i < ANSWERS; i++)
        if (answer_at(i)->record && !answer_at(i)->type && !answer_at(i)->page)
            add_alone(&alone, answer_at(i)->record);
    for (unsigned i = 0; i < alone.count; i++) {
        member_object_begin(w, alone.records[i]->name);
        json_key(w, "value");
        example_write(w, alone.records[i]);
        json_object_end(w);
    }
    refusals_write_examples(w);
}
