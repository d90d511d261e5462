/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json/json_reader.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assertion.h"
#include "base/json/json_place.h"
#include "base/json/json_scan.h"
#include "base/text/nearest.h"
#include "base/time/rfc3339.h"
#include "base/text/utf8.h"

#define JSON_RECEIVED_SIZE 25 /* of a number repeated in an error; longer ones are cut */
#define JSON_BOUNDED_FROM 1024u
#define JSON_NAME_SHOWN 64u /* a longer name of an unknown field is not repeated */

struct json_reading {
    struct arena *arena;
    struct json_fault *fault;
    struct json_scan scan;
    bool patch; /* this is a merge patch */
};

__attribute__((format(printf, 3, 4))) static bool
json_refuse(struct json_reading *r, const struct json_place *place, const char *format, ...)
{
    json_place_write(place, r->fault->pointer, sizeof r->fault->pointer);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->fault->detail, sizeof r->fault->detail, format, arguments);
    va_end(arguments);
    return false;
}

/* How a sentence names a value: its field, or the field of the list it is in. Only names from a table, never
 * from the document. */
static const char *json_called(const struct json_place *place)
{
    if (!place)
        return "body";
    if (place->called || place->name)
        return place->called ? place->called : place->name;
    return place->up && place->up->name ? place->up->name : "entry";
}

/* The received value, for an error. A text is not repeated: it may be secret. */
static const char *json_received(const struct json_reading *r, const struct json_token *token,
                                 char number[JSON_RECEIVED_SIZE])
{
    static const char *const words[] = {
        [JSON_TOKEN_NULL] = "null",     [JSON_TOKEN_FALSE] = "false",   [JSON_TOKEN_TRUE] = "true",
        [JSON_TOKEN_TEXT] = "a string", [JSON_TOKEN_LIST] = "an array", [JSON_TOKEN_OBJECT] = "an object",
    };
    if (token->kind != JSON_TOKEN_INTEGER && token->kind != JSON_TOKEN_REAL)
        return words[token->kind];
    int size = token->size < JSON_RECEIVED_SIZE ? (int)token->size : JSON_RECEIVED_SIZE - 1;
    snprintf(number, JSON_RECEIVED_SIZE, "%.*s", size, r->scan.body + token->at);
    return number;
}

/* "Invalid quantity: expected an integer from 1 to 1000, got 0." */
__attribute__((format(printf, 4, 5))) static bool json_refuse_value(struct json_reading *r,
                                                                    const struct json_place *place,
                                                                    const struct json_token *token,
                                                                    const char *format, ...)
{
    char expected[96], number[JSON_RECEIVED_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(expected, sizeof expected, format, arguments);
    va_end(arguments);
    return json_refuse(r, place, "Invalid %s: expected %s, got %s.", json_called(place), expected,
                       json_received(r, token, number));
}

/* The document, or NULL. */
static const struct json_token *json_parse(struct json_reading *r, const char *body, size_t size,
                                           const struct json_field *fields, uint64_t most,
                                           struct arena *arena, struct json_fault *fault)
{
    r->arena = arena;
    r->fault = fault;
    r->patch = false;
    /* A small body cannot hold many values, so only larger ones pay for computing the bounds. */
    struct json_bounds bounds = {UINT32_MAX, UINT32_MAX};
    if (size > JSON_BOUNDED_FROM)
        bounds = json_bounds_of(fields, most);
    if (json_scan_within(&r->scan, bounds, body, size, r->arena))
        return r->scan.tokens;
    int line, column;
    json_scan_place(&r->scan, &line, &column);
    json_refuse(r, NULL, "%s (line %d, column %d).", r->scan.complaint, line, column);
    json_place_write_complaint(&r->scan, r->fault->pointer, sizeof r->fault->pointer);
    return NULL;
}

/* The decoded text, in the arena and NUL-terminated. */
static const char *json_keep_text(struct json_reading *r, const struct json_token *token, size_t *size)
{
    const char *text = json_scan_text(&r->scan, token, size);
    return arena_copy(r->arena, text, *size);
}

/* An error that repeats the text, shortened if it is long: for fields with a form, a word list or a time, which are
 * not secret. */
static bool json_refuse_text(struct json_reading *r, const struct json_place *place, const char *expected,
                             const char *text, size_t size)
{
    char came[UTF8_SHOWN_SIZE];
    return json_refuse(r, place, "Invalid %s: expected %s, got \"%s\".", json_called(place), expected,
                       utf8_shown(text, size, came, sizeof came));
}

static bool json_refuse_word(struct json_reading *r, const struct json_place *place,
                             const struct json_field *field, const char *text, size_t text_size)
{
    char words[JSON_WORDS_SIZE];
    json_words_write(field->word, words);
    return json_refuse_text(r, place, words, text, text_size);
}

static bool json_is_word(const struct json_field *field, const char *text, size_t size)
{
    for (unsigned i = 0; field->word(i); i++)
        if (strlen(field->word(i)) == size && memcmp(field->word(i), text, size) == 0)
            return true;
    return false;
}

static bool json_take_text(struct json_reading *r, const struct json_place *place,
                           const struct json_field *field, const struct json_token *token,
                           struct json_text_value *value)
{
    if (token->kind != JSON_TOKEN_TEXT)
        return json_refuse_value(r, place, token, "a string");
    const char *text = json_scan_text(&r->scan, token, &value->size);
    if (field->word && !json_is_word(field, text, value->size))
        return json_refuse_word(r, place, field, text, value->size);
    bool fits = field->kind != JSON_KIND_TEXT || field->word ||
                ((int64_t)value->size >= field->least && (int64_t)value->size <= field->most);
    if (!fits && !field->form)
        return json_refuse(r, place, "Invalid %s: expected %" PRId64 " to %" PRId64 " bytes, got %zu.",
                           json_called(place), field->least, field->most, value->size);
    text = arena_copy(r->arena, text, value->size);
    bool good = fits && (!field->check || field->check(text, value->size));
    if (!good && field->form && field->secret)
        return json_refuse(r, place, "Invalid %s: expected %s.", json_called(place), field->form);
    if (!good && field->form)
        return json_refuse_text(r, place, field->form, text, value->size);
    if (!good)
        return json_refuse(r, place, "Invalid %s.", json_called(place));
    value->text = text;
    return true;
}

static bool json_take_int(struct json_reading *r, const struct json_place *place,
                          const struct json_field *field, const struct json_token *token,
                          struct json_int_value *value)
{
    bool whole = token->kind == JSON_TOKEN_INTEGER;
    value->value = whole ? json_scan_integer(&r->scan, token) : 0;
    bool fits = whole && value->value >= field->least && value->value <= field->most;
    if (!fits && field->most == INT64_MAX)
        return json_refuse_value(r, place, token, "an integer of at least %" PRId64, field->least);
    if (!fits)
        return json_refuse_value(r, place, token, "an integer from %" PRId64 " to %" PRId64, field->least,
                                 field->most);
    value->given = true;
    return true;
}

static bool json_take_milli(struct json_reading *r, const struct json_place *place,
                            const struct json_field *field, const struct json_token *token,
                            struct json_int_value *value)
{
    ASSERT(field->least >= INT32_MIN && field->most <= INT32_MAX);
    bool number = token->kind == JSON_TOKEN_INTEGER || token->kind == JSON_TOKEN_REAL;
    if (!number || !json_scan_milli(&r->scan, token, field->least, field->most, &value->value))
        return json_refuse_value(r, place, token, "a number from %.15g to %.15g", (double)field->least / 1000,
                                 (double)field->most / 1000);
    value->given = true;
    return true;
}

static bool json_take_number(struct json_reading *r, const struct json_place *place,
                             const struct json_field *field, const struct json_token *token,
                             struct json_number_value *value)
{
    bool number = token->kind == JSON_TOKEN_INTEGER || token->kind == JSON_TOKEN_REAL;
    value->value = number ? json_scan_double(&r->scan, token) : 0;
    if (!number || value->value < (double)field->least || value->value > (double)field->most)
        return json_refuse_value(r, place, token, "a number from %" PRId64 " to %" PRId64, field->least,
                                 field->most);
    value->given = true;
    return true;
}

static bool json_take_bool(struct json_reading *r, const struct json_place *place,
                           const struct json_token *token, struct json_bool_value *value)
{
    if (token->kind != JSON_TOKEN_TRUE && token->kind != JSON_TOKEN_FALSE)
        return json_refuse_value(r, place, token, "true or false");
    value->value = token->kind == JSON_TOKEN_TRUE;
    value->given = true;
    return true;
}

static bool json_take_time(struct json_reading *r, const struct json_place *place,
                           const struct json_token *token, struct json_int_value *value)
{
    static const char expected[] = "a time with its offset, such as \"2026-12-03T14:00:00Z\"";
    size_t size;
    if (token->kind != JSON_TOKEN_TEXT)
        return json_refuse_value(r, place, token, "%s", expected);
    const char *text = json_scan_text(&r->scan, token, &size);
    if (!rfc3339_read(text, size, &value->value))
        return json_refuse_text(r, place, expected, text, size);
    value->given = true;
    return true;
}

static bool json_take_raw(struct json_reading *r, const struct json_place *place,
                          const struct json_field *field, const struct json_token *token,
                          struct json_text_value *value)
{
    if (token->kind != JSON_TOKEN_OBJECT)
        return json_refuse_value(r, place, token, "an object");
    const char *text = json_scan_compact(&r->scan, token, &value->size);
    if ((int64_t)value->size > field->most)
        return json_refuse(r, place, "Invalid %s: expected at most %" PRId64 " bytes, got %zu.",
                           json_called(place), field->most, value->size);
    value->text = text;
    return true;
}

static bool json_take_object(struct json_reading *r, const struct json_place *place,
                             const struct json_field *fields, const struct json_token *token, void *out,
                             uint64_t *named);
static bool json_take_value(struct json_reading *r, const struct json_place *place,
                            const struct json_field *field, const struct json_token *token, void *at);

static bool json_take_texts(struct json_reading *r, const struct json_place *place,
                            const struct json_field *field, const struct json_token *token,
                            struct json_list_value *list)
{
    struct json_text_value *entries = arena_zeroed(r->arena, list->count * sizeof *entries);
    list->entries = entries;
    token++;
    for (size_t i = 0; i < list->count; i++, token += token->span) {
        struct json_place entry = {.up = place, .index = i};
        if (!json_take_text(r, &entry, field, token, &entries[i]))
            return false;
    }
    return true;
}

static bool json_take_objects(struct json_reading *r, const struct json_place *place,
                              const struct json_field *fields, size_t element_size,
                              const struct json_token *token, struct json_list_value *list)
{
    char *entries = arena_zeroed(r->arena, list->count * element_size);
    uint64_t named;
    list->entries = entries;
    token++;
    for (size_t i = 0; i < list->count; i++, token += token->span) {
        struct json_place entry = {.up = place, .index = i};
        if (!json_take_object(r, &entry, fields, token, entries + i * element_size, &named))
            return false;
    }
    return true;
}

static bool json_refuse_list(struct json_reading *r, const struct json_place *place,
                             const struct json_token *token, uint64_t least, uint64_t most)
{
    if (token->kind != JSON_TOKEN_LIST)
        return json_refuse_value(r, place, token, "an array");
    return json_refuse(r, place, "Invalid %s: expected %" PRIu64 " to %" PRIu64 " entries, got %u.",
                       json_called(place), least, most, (unsigned)token->count);
}

static bool json_take_list(struct json_reading *r, const struct json_place *place,
                           const struct json_field *field, const struct json_token *token,
                           struct json_list_value *list)
{
    list->count = token->count;
    if (token->kind != JSON_TOKEN_LIST || (int64_t)list->count < field->least ||
        (int64_t)list->count > field->most)
        return json_refuse_list(r, place, token, (uint64_t)field->least, (uint64_t)field->most);
    list->given = true;
    if (field->kind == JSON_KIND_TEXTS)
        return json_take_texts(r, place, field, token, list);
    bool patch = r->patch;
    r->patch = false; /* a list is replaced as a whole, so its entries must be complete */
    bool good = json_take_objects(r, place, field->fields, field->element_size, token, list);
    r->patch = patch;
    return good;
}

/* A name is refused as a text is, and its value as that of the one field of the table. */
static bool json_take_map(struct json_reading *r, const struct json_place *place,
                          const struct json_field *field, const struct json_token *token,
                          struct json_list_value *list)
{
    list->count = token->count;
    if (token->kind != JSON_TOKEN_OBJECT)
        return json_refuse_value(r, place, token, "an object");
    if ((int64_t)list->count > field->most)
        return json_refuse(r, place, "Invalid %s: expected at most %" PRId64 " members, got %zu.",
                           json_called(place), field->most, list->count);
    char *entry = arena_zeroed(r->arena, list->count * field->element_size);
    list->entries = entry;
    list->given = true;
    token++;
    for (size_t i = 0; i < list->count; i++, token += token->span, entry += field->element_size) {
        struct json_text_value *name = (struct json_text_value *)(void *)entry;
        const struct json_field *value = field->fields;
        name->text = json_keep_text(r, token, &name->size);
        struct json_place member = {.up = place, .name = name->text, .called = value->name};
        if (field->check && !field->check(name->text, name->size))
            return json_refuse(r, &member, "Invalid name in %s: expected %s.", json_called(place),
                               field->form);
        token++;
        bool removed = r->patch && token->kind == JSON_TOKEN_NULL;
        if (!removed && !json_take_value(r, &member, value, token, entry + value->offset))
            return false;
    }
    return true;
}

static void json_take_null(const struct json_field *field, void *at)
{
    if (field->kind == JSON_KIND_TEXT)
        *(struct json_text_value *)at = (struct json_text_value){.is_null = true};
    if (field->kind == JSON_KIND_OBJECT)
        *(struct json_object_value *)at = (struct json_object_value){.given = true, .is_null = true};
    if (field->kind == JSON_KIND_INT || field->kind == JSON_KIND_MILLI || field->kind == JSON_KIND_TIME)
        *(struct json_int_value *)at = (struct json_int_value){.given = true, .is_null = true};
}

static bool json_take_value(struct json_reading *r, const struct json_place *place,
                            const struct json_field *field, const struct json_token *token, void *at)
{
    if (token->kind == JSON_TOKEN_NULL && field->need == JSON_NULLABLE) {
        json_take_null(field, at);
        return true;
    }
    switch (field->kind) {
    case JSON_KIND_TEXT:
        return json_take_text(r, place, field, token, at);
    case JSON_KIND_INT:
        return json_take_int(r, place, field, token, at);
    case JSON_KIND_MILLI:
        return json_take_milli(r, place, field, token, at);
    case JSON_KIND_NUMBER:
        return json_take_number(r, place, field, token, at);
    case JSON_KIND_BOOL:
        return json_take_bool(r, place, token, at);
    case JSON_KIND_TIME:
        return json_take_time(r, place, token, at);
    case JSON_KIND_OBJECT:
        ((struct json_object_value *)at)->given = true;
        return json_take_object(r, place, field->fields, token, at, &((struct json_object_value *)at)->named);
    case JSON_KIND_LIST:
    case JSON_KIND_TEXTS:
        return json_take_list(r, place, field, token, at);
    case JSON_KIND_MAP:
        return json_take_map(r, place, field, token, at);
    case JSON_KIND_RAW:
        return json_take_raw(r, place, field, token, at);
    case JSON_KIND_IGNORED:
        return true;
    case JSON_KIND_END:
        break;
    }
    ASSERT(false);
}

/* A name from the document contains no NUL, so a field name that begins with it is at least as long. */
static const struct json_field *json_field_find(const struct json_field *fields, const char *name,
                                                size_t size)
{
    char first = size ? *name : '\0';
    for (; fields->kind != JSON_KIND_END; fields++)
        if (*fields->name == first && strncmp(fields->name, name, size) == 0 && fields->name[size] == '\0')
            return fields;
    return NULL;
}

/* Where in the document each field of the table is; NULL where it is not. */
static bool json_refuse_field(struct json_reading *r, const struct json_place *member,
                              const struct json_field *fields, size_t size)
{
    const char *names[JSON_FIELDS_MAX];
    size_t count = 0;
    for (; fields[count].kind != JSON_KIND_END; count++)
        names[count] = fields[count].name;
    const char *meant = nearest_word(member->name, names, count);
    if (size > JSON_NAME_SHOWN)
        return json_refuse(r, member, "Unknown field.");
    return meant ? json_refuse(r, member, "Unknown field \"%s\" (did you mean \"%s\"?).", member->name, meant)
                 : json_refuse(r, member, "Unknown field \"%s\".", member->name);
}

static bool json_find_fields(struct json_reading *r, const struct json_place *place,
                             const struct json_field *fields, const struct json_token *object,
                             const struct json_token *found[JSON_FIELDS_MAX])
{
    const struct json_token *token = object + 1;
    for (uint32_t i = 0; i < object->count; i++) {
        size_t size;
        const char *name = json_scan_text(&r->scan, token, &size);
        const struct json_field *field = json_field_find(fields, name, size);
        if (!field) {
            struct json_place member = {.up = place, .name = arena_copy(r->arena, name, size)};
            return json_refuse_field(r, &member, fields, size);
        }
        found[field - fields] = ++token;
        token += token->span;
    }
    return true;
}

static bool json_take_object(struct json_reading *r, const struct json_place *place,
                             const struct json_field *fields, const struct json_token *token, void *out,
                             uint64_t *named)
{
    const struct json_token *found[JSON_FIELDS_MAX] __attribute__((uninitialized));
    *named = 0;
    for (const struct json_field *field = fields; field->kind != JSON_KIND_END; field++) {
        ASSERT(field - fields < JSON_FIELDS_MAX);
        found[field - fields] = NULL;
    }
    if (token->kind != JSON_TOKEN_OBJECT)
        return json_refuse_value(r, place, token, "an object");
    if (!json_find_fields(r, place, fields, token, found))
        return false;
    for (const struct json_field *field = fields; field->kind != JSON_KIND_END; field++) {
        const struct json_token *value = found[field - fields];
        if (!value && (field->need != JSON_REQUIRED || r->patch))
            continue;
        *named |= value ? UINT64_C(1) << (field - fields) : 0;
        struct json_place member = {.up = place, .name = field->name};
        bool removed = r->patch && value->kind == JSON_TOKEN_NULL;
        if (r->patch && field->put_only)
            return json_refuse(r, &member, "Only for a whole record: use PUT.");
        if (!value || (removed && field->need == JSON_REQUIRED))
            return json_refuse(r, &member, "Missing %s.", field->name);
        if (removed && field->need == JSON_OPTIONAL && !field->read_only)
            continue; /* a read-only field cannot be removed: its null is judged as a value, and refused */
        if (!json_take_value(r, &member, field, value, (char *)out + field->offset))
            return false;
    }
    return true;
}

bool json_read(const char *body, size_t size, const struct json_field *fields, void *out, struct arena *arena,
               struct json_fault *fault)
{
    struct json_reading r __attribute__((uninitialized));
    const struct json_token *root =
        json_parse(&r, size ? body : "{}", size ? size : 2, fields, 1, arena, fault);
    uint64_t named;
    return root && json_take_object(&r, NULL, fields, root, out, &named);
}

bool json_read_patch(const char *body, size_t size, const struct json_field *fields, void *out,
                     uint64_t *named, struct arena *arena, struct json_fault *fault)
{
    struct json_reading r __attribute__((uninitialized));
    const struct json_token *root =
        json_parse(&r, size ? body : "{}", size ? size : 2, fields, 1, arena, fault);
    r.patch = true;
    return root && json_take_object(&r, NULL, fields, root, out, named);
}

bool json_read_list(const char *body, size_t size, const struct json_field *fields, size_t element_size,
                    size_t most, void **entries, size_t *count, struct arena *arena, struct json_fault *fault)
{
    struct json_reading r __attribute__((uninitialized));
    *entries = NULL;
    *count = 0;
    const struct json_token *root = json_parse(&r, body, size, fields, most, arena, fault);
    if (!root)
        return false;
    struct json_list_value list = {.count = root->count};
    if (root->kind != JSON_TOKEN_LIST || list.count > most)
        return json_refuse_list(&r, NULL, root, 1, most);
    if (!json_take_objects(&r, NULL, fields, element_size, root, &list))
        return false;
    *entries = list.entries;
    *count = list.count;
    return true;
}
