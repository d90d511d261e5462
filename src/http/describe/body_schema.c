/* SPDX-License-Identifier: Apache-2.0 */
#include "http/describe/body_schema.h"

#include <stdio.h>
#include <string.h>

#include "base/assertion.h"
#include "http/describe/schema.h"
#include "http/record/member.h"

/* A body, one form of a body, or a merge patch: there no field is required, and null means the default. */
enum mode { MODE_BODY, MODE_FORM, MODE_PATCH };

static void write_members(struct json_writer *w, const struct json_field *fields,
                          const struct json_form *form, enum mode mode);

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
    member_object_begin(w, "items");
    if (f->kind == JSON_KIND_LIST) {
        body_schema_members(w, f->fields, f->forms);
        json_object_end(w);
        return;
    }
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
}

/* The description of a field; for a text also its form; and in a form of a body its default, in words, because code
 * generators treat a member of a named schema with a `default` as always present. */
static void write_about(struct json_writer *w, const struct json_field *f, enum mode mode)
{
    char text[512];
    ASSERT(f->about); /* every field has a description */
    bool with_form = f->form && f->kind == JSON_KIND_TEXT,
         with_default = mode != MODE_BODY && f->default_json;
    int size = snprintf(text, sizeof(text), "%s%s%s%s%s%s%s", f->about, with_form ? " Must be " : "",
                        with_form ? f->form : "", with_form ? "." : "", with_default ? " Defaults to " : "",
                        with_default ? f->default_json : "", with_default ? "." : "");
    ASSERT(size > 0 && (size_t)size < sizeof(text));
    member_string(w, "description", text);
}

static void write_named(struct json_writer *w, const char *name, const struct json_field *f, enum mode mode)
{
    bool nullable = f->need == JSON_NULLABLE || mode == MODE_PATCH;
    member_object_begin(w, name);
    write_about(w, f, mode);
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
    case JSON_KIND_NUMBER:
        schema_write_type(w, "number", nullable);
        member_int(w, "minimum", f->least);
        member_int(w, "maximum", f->most);
        break;
    case JSON_KIND_BOOL:
        schema_write_type(w, "boolean", nullable);
        break;
    case JSON_KIND_TIME:
        schema_write_type(w, "string", nullable);
        member_string(w, "format", "date-time");
        break;
    case JSON_KIND_OBJECT:
        schema_write_type(w, "object", nullable);
        write_members(w, f->fields, NULL, mode);
        break;
    case JSON_KIND_LIST:
    case JSON_KIND_TEXTS:
        schema_write_type(w, "array", nullable);
        write_items(w, f);
        break;
    case JSON_KIND_MAP:
        schema_write_type(w, "object", nullable);
        member_int(w, "maxProperties", f->most);
        write_named(w, "additionalProperties", f->fields, mode);
        break;
    case JSON_KIND_RAW:
        schema_write_type(w, "object", nullable);
        member_bool(w, "additionalProperties", true);
        break;
    case JSON_KIND_IGNORED: /* of any type */
        break;
    case JSON_KIND_END:
        ASSERT(false);
    }
    if (f->read_only)
        member_bool(w, "readOnly", true);
    if (f->default_json && mode == MODE_BODY) {
        member_raw(w, "default", f->default_json);
    }
    json_object_end(w);
}

/* ---- Objects ---- */

bool body_schema_requires(const struct json_field *fields)
{
    for (const struct json_field *f = fields; f && f->kind != JSON_KIND_END; f++)
        if (f->need == JSON_REQUIRED)
            return true;
    return false;
}

static bool is_required(const struct json_field *f, const struct json_form *form)
{
    return f->need == JSON_REQUIRED || (form && json_named(form->needs, f->name));
}

/* The fields of the form, or all without one. */
static void write_members(struct json_writer *w, const struct json_field *fields,
                          const struct json_form *form, enum mode mode)
{
    bool any = false;
    member_bool(w, "additionalProperties", false);
    member_object_begin(w, "properties");
    for (const struct json_field *f = fields; f && f->kind != JSON_KIND_END; f++) {
        if (form && !is_required(f, form) && !json_named(form->may, f->name))
            continue;
        if (mode == MODE_PATCH && f->put_only)
            continue;
        write_named(w, f->name, f, mode);
        any = any || (mode != MODE_PATCH && is_required(f, form));
    }
    json_object_end(w);
    if (!any)
        return;
    member_array_begin(w, "required");
    for (const struct json_field *f = fields; f->kind != JSON_KIND_END; f++)
        if (is_required(f, form))
            json_string(w, f->name);
    json_array_end(w);
}

void body_schema_members(struct json_writer *w, const struct json_field *fields,
                         const struct json_form *forms)
{
    if (!forms) {
        member_string(w, "type", "object");
        write_members(w, fields, NULL, MODE_BODY);
        return;
    }
    member_array_begin(w, "oneOf");
    for (const struct json_form *form = forms; form->name; form++)
        schema_write_component(w, "schemas", form->name);
    json_array_end(w);
}

void body_schema_patch(struct json_writer *w, const struct json_field *fields)
{
    member_string(w, "type", "object");
    write_members(w, fields, NULL, MODE_PATCH);
}

void body_schema_write_forms(struct json_writer *w, const struct json_field *fields,
                             const struct json_form *forms)
{
    for (const struct json_form *form = forms; form->name; form++) {
        member_object_begin(w, form->name);
        member_string(w, "description", form->about);
        member_string(w, "type", "object");
        write_members(w, fields, form, MODE_FORM);
        member_array_begin(w, "examples");
        json_raw(w, form->example, strlen(form->example));
        json_array_end(w);
        json_object_end(w);
    }
}
