/* SPDX-License-Identifier: Apache-2.0 */
#include "http/body_schema.h"

#include "base/assertion.h"
#include "http/member.h"
#include "http/schema.h"

static void write_bounds(struct json_writer *w, const struct json_field *f, const char *least,
                         const char *most)
{
    if (f->least)
        member_int(w, least, f->least);
    if (f->most)
        member_int(w, most, f->most);
}

static void write_items(struct json_writer *w, const struct json_field *f)
{
    write_bounds(w, f, "minItems", "maxItems");
    json_key(w, "items");
    if (f->kind == JSON_KIND_LIST) {
        json_object_begin(w);
        body_schema_members(w, f->fields, false);
        json_object_end(w);
        return;
    }
    json_object_begin(w);
    if (f->word)
        schema_write_words(w, f->word, false);
    else
        member_string(w, "type", "string");
    if (f->form)
        member_string(w, "description", f->form);
    json_object_end(w);
}

static void write_text(struct json_writer *w, const struct json_field *f, bool nullable)
{
    if (f->word) {
        schema_write_words(w, f->word, nullable);
        return;
    }
    schema_write_type(w, "string", nullable);
    write_bounds(w, f, "minLength", "maxLength");
    if (f->form)
        member_string(w, "description", f->form);
}

static void write_field(struct json_writer *w, const struct json_field *f)
{
    bool nullable = f->need == JSON_NULLABLE;
    json_key(w, f->name);
    json_object_begin(w);
    switch (f->kind) {
    case JSON_KIND_TEXT:
        write_text(w, f, nullable);
        break;
    case JSON_KIND_INT:
        schema_write_type(w, "integer", nullable);
        member_int(w, "minimum", f->least);
        if (f->most < INT64_MAX)
            member_int(w, "maximum", f->most);
        break;
    case JSON_KIND_MILLI:
        schema_write_type(w, "number", nullable);
        break;
    case JSON_KIND_BOOL:
        schema_write_type(w, "boolean", nullable);
        break;
    case JSON_KIND_TIME:
        schema_write_type(w, "string", nullable);
        member_string(w, "format", "date-time");
        break;
    case JSON_KIND_OBJECT:
        body_schema_members(w, f->fields, nullable);
        break;
    case JSON_KIND_LIST:
    case JSON_KIND_TEXTS:
        schema_write_type(w, "array", nullable);
        write_items(w, f);
        break;
    case JSON_KIND_RAW:
        schema_write_type(w, "object", nullable);
        break;
    case JSON_KIND_END:
        ASSERT(false);
    }
    if (f->otherwise) {
        json_key(w, "default");
        json_raw(w, f->otherwise, strlen(f->otherwise));
    }
    json_object_end(w);
}

bool body_schema_requires(const struct json_field *fields)
{
    for (const struct json_field *f = fields; f && f->kind != JSON_KIND_END; f++)
        if (f->need == JSON_REQUIRED)
            return true;
    return false;
}

void body_schema_members(struct json_writer *w, const struct json_field *fields, bool nullable)
{
    schema_write_type(w, "object", nullable);
    member_bool(w, "additionalProperties", false);
    json_key(w, "properties");
    json_object_begin(w);
    for (const struct json_field *f = fields; f && f->kind != JSON_KIND_END; f++)
        write_field(w, f);
    json_object_end(w);
    if (!body_schema_requires(fields))
        return;
    json_key(w, "required");
    json_array_begin(w);
    for (const struct json_field *f = fields; f->kind != JSON_KIND_END; f++)
        if (f->need == JSON_REQUIRED)
            json_string(w, f->name);
    json_array_end(w);
}
