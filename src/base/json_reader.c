/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_reader.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory.h"
#include "base/rfc3339.h"
#include "base/utf8.h"

/* Where in the document a value is: a chain of these from the value up to the root, which is NULL. */
struct json_place {
    const struct json_place *up;
    const char *name; /* NULL: an array element */
    size_t index;
};

struct json_reading {
    struct arena *arena;
    struct json_fault *fault;
};

/* jansson's tree lives in an arena of the thread and goes all at once when the document has been read: on the way of every
 * request a tree costs no malloc and no free. Out of memory ends the process here as everywhere, instead of looking like
 * bad input. */
#define JSON_POOL_BLOCK 16384
static pthread_key_t json_pool_key;
static _Thread_local struct arena *json_pool;

static void json_pool_end(void *pool)
{
    arena_release(pool);
    free(pool);
}

static void *json_pool_take(size_t size)
{
    if (!json_pool) {
        json_pool = memory_get(sizeof *json_pool);
        arena_init(json_pool, JSON_POOL_BLOCK);
        pthread_setspecific(json_pool_key, json_pool); /* so that it goes with the thread */
    }
    return arena_take(json_pool, size);
}

static void json_pool_keep(void *bytes)
{
    (void)bytes;
}

/* The document has been read: its tree is gone. */
static void json_done(void)
{
    if (json_pool)
        arena_reset(json_pool);
}

__attribute__((constructor)) static void json_setup(void)
{
    int failed = pthread_key_create(&json_pool_key, json_pool_end);
    ASSERT(!failed);
    json_set_alloc_funcs(json_pool_take, json_pool_keep);
}

static bool json_pointer_put(struct json_fault *fault, size_t *at, const char *text, size_t size)
{
    if (*at + size >= sizeof fault->pointer)
        return false;
    memcpy(fault->pointer + *at, text, size);
    *at += size;
    fault->pointer[*at] = '\0';
    return true;
}

/* False when the rest no longer fits. */
static bool json_pointer_write(struct json_fault *fault, size_t *at, const struct json_place *place)
{
    if (!place)
        return true;
    if (!json_pointer_write(fault, at, place->up) || !json_pointer_put(fault, at, "/", 1))
        return false;
    if (!place->name) {
        char digits[24];
        int size = snprintf(digits, sizeof digits, "%zu", place->index);
        return json_pointer_put(fault, at, digits, (size_t)size);
    }
    for (const char *name = place->name; *name;) {
        size_t size = utf8_character(name, strnlen(name, 4));
        ASSERT(size > 0);
        bool special = *name == '~' || *name == '/';
        const char *text = *name == '~' ? "~0" : *name == '/' ? "~1" : name;
        if (!json_pointer_put(fault, at, text, special ? 2 : size))
            return false;
        name += size;
    }
    return true;
}

__attribute__((format(printf, 3, 4))) static bool
json_refuse(struct json_reading *r, const struct json_place *place, const char *format, ...)
{
    size_t at = 0;
    r->fault->pointer[0] = '\0';
    json_pointer_write(r->fault, &at, place);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->fault->detail, sizeof r->fault->detail, format, arguments);
    va_end(arguments);
    return false;
}

/* How a sentence about a value begins. Only names out of a table come here, never names out of the document.
 */
static const char *json_called(const struct json_place *place)
{
    return place->name ? place->name : "This entry";
}

/* jansson would go 2,048 levels deep, on our stack. */
static bool json_too_deep(const char *body, size_t size)
{
    int levels = 0;
    for (size_t i = 0; i < size; i++) {
        switch (body[i]) {
        case '"':
            for (i++; i < size && body[i] != '"'; i++)
                if (body[i] == '\\')
                    i++;
            break;
        case '[':
        case '{':
            if (++levels > JSON_LEVELS_MAX)
                return true;
            break;
        case ']':
        case '}':
            levels--;
            break;
        }
    }
    return false;
}

static const char *json_complaint(enum json_error_code code)
{
    if (code == json_error_invalid_utf8)
        return "The text is not valid UTF-8";
    if (code == json_error_duplicate_key)
        return "A field is given twice";
    if (code == json_error_numeric_overflow)
        return "A number is too large";
    if (code == json_error_null_character || code == json_error_null_byte_in_key)
        return "A text contains U+0000";
    if (code == json_error_premature_end_of_input)
        return "The JSON ends too early";
    if (code == json_error_end_of_input_expected)
        return "There is something after the end of the JSON";
    return "This is not valid JSON";
}

/* The document, or NULL. Either way json_done follows. */
static json_t *json_parse(struct json_reading *r, const char *body, size_t size)
{
    if (json_too_deep(body, size)) {
        json_refuse(r, NULL, "The JSON is nested more than %d levels deep.", JSON_LEVELS_MAX);
        return NULL;
    }
    json_error_t error;
    json_t *root = json_loadb(body, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    if (!root)
        json_refuse(r, NULL, "%s (line %d, column %d).", json_complaint(json_error_code(&error)), error.line,
                    error.column);
    return root;
}

static bool json_take_text(struct json_reading *r, const struct json_place *place,
                           const struct json_field *field, const json_t *json, struct json_text_value *value)
{
    if (!json_is_string(json))
        return json_refuse(r, place, "%s must be a text.", json_called(place));
    value->size = json_string_length(json);
    if (field->kind == JSON_KIND_TEXT &&
        ((int64_t)value->size < field->least || (int64_t)value->size > field->most))
        return json_refuse(r, place, "%s must be a text of %" PRId64 " to %" PRId64 " bytes.",
                           json_called(place), field->least, field->most);
    if (field->check && !field->check(json_string_value(json), value->size))
        return json_refuse(r, place, "%s is not of the form that is wanted here.", json_called(place));
    value->text = arena_copy(r->arena, json_string_value(json), value->size);
    return true;
}

static bool json_take_int(struct json_reading *r, const struct json_place *place,
                          const struct json_field *field, const json_t *json, struct json_int_value *value)
{
    value->value = json_integer_value(json);
    if (!json_is_integer(json) || value->value < field->least || value->value > field->most)
        return json_refuse(r, place, "%s must be a whole number from %" PRId64 " to %" PRId64 ".",
                           json_called(place), field->least, field->most);
    value->given = true;
    return true;
}

static bool json_take_milli(struct json_reading *r, const struct json_place *place,
                            const struct json_field *field, const json_t *json, struct json_int_value *value)
{
    int64_t least = field->least > INT32_MIN ? field->least : INT32_MIN;
    int64_t most = field->most < INT32_MAX ? field->most : INT32_MAX;
    /* An integer that a double cannot hold exactly is far out of range anyway. */
    double thousandths = round(json_number_value(json) * 1000);
    if (!json_is_number(json) || !(thousandths >= (double)least && thousandths <= (double)most))
        return json_refuse(r, place, "%s must be a number from %.15g to %.15g.", json_called(place),
                           (double)least / 1000, (double)most / 1000);
    value->value = (int64_t)thousandths;
    value->given = true;
    return true;
}

static bool json_take_bool(struct json_reading *r, const struct json_place *place, const json_t *json,
                           struct json_bool_value *value)
{
    if (!json_is_boolean(json))
        return json_refuse(r, place, "%s must be true or false.", json_called(place));
    value->value = json_is_true(json);
    value->given = true;
    return true;
}

static bool json_take_time(struct json_reading *r, const struct json_place *place, const json_t *json,
                           struct json_int_value *value)
{
    if (!json_is_string(json) ||
        !rfc3339_read(json_string_value(json), json_string_length(json), &value->value))
        return json_refuse(r, place, "%s must be a time such as \"2026-12-03T14:00:00Z\".",
                           json_called(place));
    value->given = true;
    return true;
}

static bool json_take_raw(struct json_reading *r, const struct json_place *place,
                          const struct json_field *field, const json_t *json, struct json_text_value *value)
{
    if (!json_is_object(json))
        return json_refuse(r, place, "%s must be an object.", json_called(place));
    char *text = json_dumps(json, JSON_COMPACT);
    ASSERT(text);
    value->size = strlen(text);
    bool fits = (int64_t)value->size <= field->most;
    if (fits)
        value->text = arena_copy(r->arena, text, value->size);
    return fits || json_refuse(r, place, "%s must be an object of at most %" PRId64 " bytes.",
                               json_called(place), field->most);
}

static bool json_take_object(struct json_reading *r, const struct json_place *place,
                             const struct json_field *fields, json_t *json, void *out);

static bool json_take_texts(struct json_reading *r, const struct json_place *place,
                            const struct json_field *field, const json_t *json, struct json_list_value *list)
{
    struct json_text_value *entries = arena_zeroed(r->arena, list->count * sizeof *entries);
    list->entries = entries;
    for (size_t i = 0; i < list->count; i++) {
        struct json_place entry = {.up = place, .index = i};
        if (!json_take_text(r, &entry, field, json_array_get(json, i), &entries[i]))
            return false;
    }
    return true;
}

static bool json_take_objects(struct json_reading *r, const struct json_place *place,
                              const struct json_field *fields, size_t element_size, const json_t *json,
                              struct json_list_value *list)
{
    char *entries = arena_zeroed(r->arena, list->count * element_size);
    list->entries = entries;
    for (size_t i = 0; i < list->count; i++) {
        struct json_place entry = {.up = place, .index = i};
        if (!json_take_object(r, &entry, fields, json_array_get(json, i), entries + i * element_size))
            return false;
    }
    return true;
}

static bool json_take_list(struct json_reading *r, const struct json_place *place,
                           const struct json_field *field, const json_t *json, struct json_list_value *list)
{
    list->count = json_array_size(json);
    if (!json_is_array(json) || (int64_t)list->count < field->least || (int64_t)list->count > field->most)
        return json_refuse(r, place, "%s must be a list of %" PRId64 " to %" PRId64 " entries.",
                           json_called(place), field->least, field->most);
    list->given = true;
    if (field->kind == JSON_KIND_TEXTS)
        return json_take_texts(r, place, field, json, list);
    return json_take_objects(r, place, field->fields, field->element_size, json, list);
}

static void json_take_null(const struct json_field *field, void *at)
{
    if (field->kind == JSON_KIND_OBJECT)
        *(struct json_object_value *)at = (struct json_object_value){.given = true, .is_null = true};
    if (field->kind == JSON_KIND_INT || field->kind == JSON_KIND_MILLI || field->kind == JSON_KIND_TIME)
        *(struct json_int_value *)at = (struct json_int_value){.given = true, .is_null = true};
}

static bool json_take_value(struct json_reading *r, const struct json_place *place,
                            const struct json_field *field, json_t *json, void *at)
{
    if (json_is_null(json) && field->need == JSON_NULLABLE) {
        json_take_null(field, at);
        return true;
    }
    switch (field->kind) {
    case JSON_KIND_TEXT:
        return json_take_text(r, place, field, json, at);
    case JSON_KIND_INT:
        return json_take_int(r, place, field, json, at);
    case JSON_KIND_MILLI:
        return json_take_milli(r, place, field, json, at);
    case JSON_KIND_BOOL:
        return json_take_bool(r, place, json, at);
    case JSON_KIND_TIME:
        return json_take_time(r, place, json, at);
    case JSON_KIND_OBJECT:
        ((struct json_object_value *)at)->given = true;
        return json_take_object(r, place, field->fields, json, at);
    case JSON_KIND_LIST:
    case JSON_KIND_TEXTS:
        return json_take_list(r, place, field, json, at);
    case JSON_KIND_RAW:
        return json_take_raw(r, place, field, json, at);
    case JSON_KIND_END:
        break;
    }
    ASSERT(false);
}

static const struct json_field *json_field_find(const struct json_field *fields, const char *name)
{
    for (; fields->kind != JSON_KIND_END; fields++)
        if (strcmp(fields->name, name) == 0)
            return fields;
    return NULL;
}

static bool json_take_object(struct json_reading *r, const struct json_place *place,
                             const struct json_field *fields, json_t *json, void *out)
{
    if (!json_is_object(json))
        return json_refuse(r, place, "%s must be an object.", place ? json_called(place) : "The body");
    for (void *i = json_object_iter(json); i; i = json_object_iter_next(json, i)) {
        struct json_place member = {.up = place, .name = json_object_iter_key(i)};
        if (!json_field_find(fields, member.name))
            return json_refuse(r, &member, "There is no field of this name here.");
    }
    for (const struct json_field *field = fields; field->kind != JSON_KIND_END; field++) {
        struct json_place member = {.up = place, .name = field->name};
        json_t *value = json_object_get(json, field->name);
        if (value) {
            if (!json_take_value(r, &member, field, value, (char *)out + field->offset))
                return false;
        } else if (field->need == JSON_REQUIRED) {
            return json_refuse(r, &member, "%s is required.", field->name);
        }
    }
    return true;
}

bool json_read(const char *body, size_t size, const struct json_field *fields, void *out, struct arena *arena,
               struct json_fault *fault)
{
    struct json_reading r = {.arena = arena, .fault = fault};
    json_t *root = size ? json_parse(&r, body, size) : json_object();
    bool done = root && json_take_object(&r, NULL, fields, root, out);
    json_done();
    return done;
}

bool json_read_list(const char *body, size_t size, const struct json_field *fields, size_t element_size,
                    size_t most, void **entries, size_t *count, struct arena *arena, struct json_fault *fault)
{
    struct json_reading r = {.arena = arena, .fault = fault};
    json_t *root = json_parse(&r, body, size);
    if (!root) {
        json_done();
        return false;
    }
    struct json_list_value list = {.count = json_array_size(root)};
    bool done = json_is_array(root) && list.count <= most;
    if (!done)
        json_refuse(&r, NULL, "The body must be a list of at most %zu entries.", most);
    done = done && json_take_objects(&r, NULL, fields, element_size, root, &list);
    json_done();
    *entries = done ? list.entries : NULL;
    *count = done ? list.count : 0;
    return done;
}

static struct json_member json_member_make(const char *name, const json_t *json)
{
    struct json_member member = {.name = name, .kind = JSON_MEMBER_OTHER};
    if (json_is_string(json)) {
        member.kind = JSON_MEMBER_TEXT;
        member.text = json_string_value(json);
        member.size = json_string_length(json);
    } else if (json_is_number(json)) {
        member.kind = JSON_MEMBER_NUMBER;
        member.number = json_number_value(json);
    } else if (json_is_array(json)) {
        member.kind = JSON_MEMBER_LIST;
    }
    return member;
}

static bool json_visit_value(const char *name, const json_t *json,
                             bool (*visit)(void *owner, const struct json_member *member), void *owner)
{
    struct json_member member = json_member_make(name, json);
    if (!visit(owner, &member))
        return false;
    for (size_t i = 0; i < json_array_size(json); i++) {
        member = json_member_make(name, json_array_get(json, i));
        member.listed = true;
        if (!visit(owner, &member))
            return false;
    }
    return true;
}

bool json_visit(const char *body, size_t size, bool (*visit)(void *owner, const struct json_member *member),
                void *owner)
{
    struct json_fault fault;
    struct json_reading r = {.fault = &fault};
    json_t *root = json_parse(&r, body, size);
    bool done = json_is_object(root);
    for (void *i = done ? json_object_iter(root) : NULL; i && done; i = json_object_iter_next(root, i))
        done = json_visit_value(json_object_iter_key(i), json_object_iter_value(i), visit, owner);
    json_done();
    return done;
}
