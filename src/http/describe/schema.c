/* SPDX-License-Identifier: Apache-2.0 */
#include "http/describe/schema.h"

#include <stdio.h>

#include "base/assertion.h"
#include "http/record/member.h"

bool schema_set_insert(struct schema_set *set, const struct schema *s)
{
    unsigned at = 0;
    while (at < set->count && strcmp(set->records[at]->name, s->name) < 0)
        at++;
    if (at < set->count && set->records[at] == s)
        return false;
    ASSERT(set->count < sizeof(set->records) / sizeof(set->records[0]));
    memmove(&set->records[at + 1], &set->records[at], (set->count++ - at) * sizeof(set->records[0]));
    set->records[at] = s;
    return true;
}

void schema_set_add(struct schema_set *set, const struct schema *s)
{
    if (schema_set_insert(set, s))
        schema_set_add_shown(set, s);
}

void schema_set_add_shown(struct schema_set *set, const struct schema *s)
{
    for (const struct schema_member *m = s->members; m && m->kind != SCHEMA_END; m++)
        if (m->kind == SCHEMA_RECORD)
            schema_set_add(set, m->record);
    for (const struct schema *const *one = s->one_of; one && *one; one++)
        schema_set_add(set, *one);
}

void schema_write_type(struct json_writer *w, const char *type, bool nullable)
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

void schema_write_words(struct json_writer *w, const char *(*word)(unsigned index), bool nullable)
{
    schema_write_type(w, "string", nullable);
    member_array_begin(w, "enum");
    for (unsigned i = 0; word(i); i++)
        json_string(w, word(i));
    if (nullable)
        json_null(w);
    json_array_end(w);
}

static void ref_member(struct json_writer *w, const char *kind, const char *name)
{
    char place[96];
    int size = snprintf(place, sizeof(place), "#/components/%s/%s", kind, name);
    ASSERT(size > 0 && (size_t)size < sizeof(place));
    member_string(w, "$ref", place);
}

void schema_write_component(struct json_writer *w, const char *kind, const char *name)
{
    json_object_begin(w);
    ref_member(w, kind, name);
    json_object_end(w);
}

void schema_write_ref(struct json_writer *w, const struct schema *s)
{
    schema_write_component(w, "schemas", s->name);
}

static void record_member(struct json_writer *w, const struct schema *s, bool nullable)
{
    if (!nullable) {
        ref_member(w, "schemas", s->name);
        return;
    }
    member_array_begin(w, "oneOf");
    schema_write_ref(w, s);
    json_object_begin(w);
    member_string(w, "type", "null");
    json_object_end(w);
    json_array_end(w);
}

/* The members of the schema of one value. */
static void value_members(struct json_writer *w, const struct schema_member *m, bool nullable)
{
    switch (m->kind) {
    case SCHEMA_TEXT:
        schema_write_type(w, "string", nullable);
        break;
    case SCHEMA_WORD:
        schema_write_words(w, m->word, nullable);
        break;
    case SCHEMA_TIME:
        schema_write_type(w, "string", nullable);
        member_string(w, "format", "date-time");
        break;
    case SCHEMA_INT:
        schema_write_type(w, "integer", nullable);
        break;
    case SCHEMA_NUMBER:
        schema_write_type(w, "number", nullable);
        break;
    case SCHEMA_BOOL:
        schema_write_type(w, "boolean", nullable);
        break;
    case SCHEMA_OBJECT:
        schema_write_type(w, "object", nullable);
        member_bool(w, "additionalProperties", true);
        break;
    case SCHEMA_NOTHING:
        schema_write_type(w, "null", false);
        break;
    case SCHEMA_RECORD:
        record_member(w, m->record, nullable);
        break;
    case SCHEMA_END:
        ASSERT(false);
    }
}

static void write_member(struct json_writer *w, const struct schema_member *m)
{
    bool nullable = m->may_be & SCHEMA_NULLABLE;
    member_object_begin(w, m->name);
    member_string(w, "description", m->about);
    if (m->many == SCHEMA_ONE) {
        value_members(w, m, nullable);
    } else {
        schema_write_type(w, m->many == SCHEMA_LIST ? "array" : "object", nullable);
        member_object_begin(w, m->many == SCHEMA_LIST ? "items" : "additionalProperties");
        if (m->many == SCHEMA_MAPS) {
            schema_write_type(w, "object", false);
            member_object_begin(w, "additionalProperties");
        }
        value_members(w, m, false);
        if (m->many == SCHEMA_MAPS)
            json_object_end(w);
        json_object_end(w);
    }
    json_object_end(w);
}

static void write_members(struct json_writer *w, const struct schema_member *members)
{
    member_string(w, "type", "object");
    member_bool(w, "additionalProperties", false);
    member_object_begin(w, "properties");
    for (const struct schema_member *m = members; m->kind != SCHEMA_END; m++)
        write_member(w, m);
    json_object_end(w);
    member_array_begin(w, "required");
    for (const struct schema_member *m = members; m->kind != SCHEMA_END; m++)
        if (!(m->may_be & SCHEMA_OPTIONAL))
            json_string(w, m->name);
    json_array_end(w);
}

static void write_schema(struct json_writer *w, const struct schema *s)
{
    json_object_begin(w);
    member_string(w, "description", s->about);
    if (s->members) {
        write_members(w, s->members);
    } else if (s->one_of) {
        member_array_begin(w, "oneOf");
        for (const struct schema *const *one = s->one_of; *one; one++)
            schema_write_ref(w, *one);
        json_array_end(w);
    } else {
        member_string(w, "type", "object");
        member_bool(w, "additionalProperties", true);
    }
    json_object_end(w);
}

void schema_write_set(struct json_writer *w, const struct schema_set *set)
{
    for (unsigned i = 0; i < set->count; i++) {
        json_key(w, set->records[i]->name);
        write_schema(w, set->records[i]);
    }
}

void schema_write_page(struct json_writer *w, const struct schema *s)
{
    const struct schema_member members[] = {
        {.name = "data", .kind = SCHEMA_RECORD, .record = s, .many = SCHEMA_LIST, .about = "The entries."},
        {.name = "next_cursor",
         .kind = SCHEMA_TEXT,
         .may_be = SCHEMA_NULLABLE,
         .about = "Send it as `cursor` to get the next page; null on the last page."},
        {0},
    };
    json_object_begin(w);
    write_members(w, members);
    json_object_end(w);
}

void schema_write_message(struct json_writer *w, const char *type, const struct schema *data)
{
    const struct schema_member members[] = {
        {.name = "timestamp", .kind = SCHEMA_TIME, .about = "When the event happened."},
        {.name = "data",
         .kind = SCHEMA_RECORD,
         .record = data,
         .about = "What it is about, as an app sees it."},
        {0},
    };
    json_object_begin(w);
    member_string(w, "type", "object");
    member_object_begin(w, "properties");
    member_object_begin(w, "type");
    member_string(w, "description", "The type of the message.");
    member_string(w, "type", "string");
    member_array_begin(w, "enum");
    json_string(w, type);
    json_array_end(w);
    json_object_end(w);
    for (const struct schema_member *m = members; m->kind != SCHEMA_END; m++)
        write_member(w, m);
    json_object_end(w);
    member_raw(w, "required", "[\"type\",\"timestamp\",\"data\"]");
    json_object_end(w);
}

void schema_write_events(struct json_writer *w, const struct schema *stream)
{
    json_object_begin(w);
    for (const struct schema_member *m = stream->members; m->kind != SCHEMA_END; m++)
        write_member(w, m);
    json_object_end(w);
}

void schema_write_one_of(struct json_writer *w, const struct schema *stream)
{
    if (stream->members[1].kind == SCHEMA_END) { /* only one kind of event: no oneOf needed */
        schema_write_ref(w, stream->members[0].record);
        return;
    }
    json_object_begin(w);
    member_array_begin(w, "oneOf");
    for (const struct schema_member *m = stream->members; m->kind != SCHEMA_END; m++)
        schema_write_ref(w, m->record);
    json_array_end(w);
    json_object_end(w);
}
