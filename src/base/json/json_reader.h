/* SPDX-License-Identifier: Apache-2.0 */
/* json_reader.h — JSON from outside into C structs, by a table that describes the fields.
 *
 * Strict (RFC 8259 in UTF-8, no U+0000), duplicate keys refused at every level, at most 16 levels deep,
 * integers of 64 bits, other numbers within a double. Fields that the table does not name are refused; a table has
 * at most 32 fields. Texts are copied into the arena. Faults in the JSON itself come first, including more names
 * or values than the table has room for, which stop the reading; after that the first fault wins and names its
 * field by a JSON pointer.
 *
 *   static const struct json_field hold_fields[] = {
 *       JSON_TEXT(struct hold_request, user_id, 1, 128, JSON_OPTIONAL),
 *       JSON_INT(struct hold_request, ttl_seconds, 1, 86400, JSON_OPTIONAL),
 *       JSON_END
 *   };
 */
#ifndef BASE_JSON_READER_H
#define BASE_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory/arena.h"
#include "base/json/json_scan.h"

#define JSON_LEVELS_MAX 16

enum json_kind {
    JSON_KIND_END,
    JSON_KIND_TEXT, /* struct json_text_value */
    JSON_KIND_INT,  /* struct json_int_value; 5.0 is not an integer */
    JSON_KIND_MILLI, /* struct json_int_value: a number within bounds, rounded to thousandths that fit 32 bits */
    JSON_KIND_NUMBER,  /* struct json_number_value: any number, not rounded */
    JSON_KIND_BOOL,    /* struct json_bool_value */
    JSON_KIND_TIME,    /* struct json_int_value: RFC 3339 text as milliseconds */
    JSON_KIND_OBJECT,  /* a nested struct with its own table; struct json_object_value first in it */
    JSON_KIND_LIST,    /* struct json_list_value of nested structs */
    JSON_KIND_TEXTS,   /* struct json_list_value of struct json_text_value */
    JSON_KIND_IGNORED, /* no value: any JSON is accepted and ignored */
    JSON_KIND_MAP, /* struct json_list_value of nested structs, for an object with arbitrary names: each struct
                         begins with its name, a struct json_text_value; the table has one field, the value */
    JSON_KIND_RAW, /* struct json_text_value: any JSON object, kept as compact text, numbers as written */
};

/* Null has the wrong type, except for a nullable field: there it sets `given` and `is_null` where the value has
 * them, and otherwise counts as not given. */
enum json_need { JSON_OPTIONAL, JSON_REQUIRED, JSON_NULLABLE };

struct json_text_value {
    const char *text; /* NUL-terminated too; NULL when not given */
    size_t size;
    bool is_null;
};
struct json_int_value {
    int64_t value;
    bool given, is_null;
};
struct json_number_value {
    double value;
    bool given;
};
struct json_bool_value {
    bool value, given;
};
struct json_object_value {
    bool given, is_null;
    uint64_t named; /* json_read_patch: like its `named`, for the fields of this object */
};
struct json_list_value {
    void *entries; /* an array of the element struct, in the arena */
    size_t count;
    bool given;
};

#define JSON_FIELDS_MAX 64 /* in one table: each has a bit of `named` */
struct json_field {
    enum json_kind kind;
    const char *name;
    size_t offset;
    enum json_need need;
    int64_t least, most; /* INT, NUMBER: the value; MILLI: thousandths; TEXT, RAW: bytes; else: elements */
    const struct json_field *fields;              /* OBJECT, LIST, MAP */
    size_t element_size;                          /* LIST, MAP */
    bool (*check)(const char *text, size_t size); /* TEXT, each of TEXTS, names of MAP: or NULL */
    const char *form; /* with check: the expected form in words, such as "a currency such as EUR"; or NULL */
    /* TEXT, each of TEXTS: the allowed words by index, NULL after the last; or NULL */
    const char *(*word)(unsigned index);
    /* Mostly for code that describes the table: */
    const char *default_json; /* the value when left out, as JSON; or NULL */
    const char *about;        /* a sentence that describes the field */
    bool put_only;            /* not part of the record: a merge patch may not name it */
    bool secret;              /* a refusal does not repeat the value */
    bool read_only;           /* accepted and ignored, so that a record can be sent back as it was shown */
    const struct json_form *forms; /* LIST: the forms that an element may have; NULL: any of its fields */
};

/* For a table with fields that exclude each other: one set of fields that go together.
 * json_read ignores forms; its callers check them, and the API description lists them. */
struct json_form {
    const char *name; /* NULL: end of the list */
    const char *about;
    const char *needs, *may; /* names of fields, separated by spaces */
    const char *example;     /* as JSON */
};

/* clang-format off */
#define JSON_FIELD(kind_, type, member, need_) \
    .kind = kind_, .name = #member, .offset = offsetof(type, member), .need = need_

/* Each may be followed by `.about` and other descriptive members. */
#define JSON_TEXT(type, member, least_, most_, need_, ...) \
    {JSON_FIELD(JSON_KIND_TEXT, type, member, need_), .least = least_, .most = most_, __VA_ARGS__}
#define JSON_INT(type, member, least_, most_, need_, ...) \
    {JSON_FIELD(JSON_KIND_INT, type, member, need_), .least = least_, .most = most_, __VA_ARGS__}
#define JSON_MILLI(type, member, least_, most_, need_, ...) \
    {JSON_FIELD(JSON_KIND_MILLI, type, member, need_), .least = least_, .most = most_, __VA_ARGS__}
#define JSON_NUMBER(type, member, least_, most_, need_, ...) \
    {JSON_FIELD(JSON_KIND_NUMBER, type, member, need_), .least = least_, .most = most_, __VA_ARGS__}
/* Optional, with `default_` as its documented default. */
#define JSON_INT_OR(type, member, least_, most_, default_, ...) \
    {JSON_FIELD(JSON_KIND_INT, type, member, JSON_OPTIONAL), .least = least_, .most = most_, \
     .default_json = JSON_STRINGIFY(default_), __VA_ARGS__}
#define JSON_BOOL_OR(type, member, default_, ...) \
    {JSON_FIELD(JSON_KIND_BOOL, type, member, JSON_OPTIONAL), .default_json = #default_, __VA_ARGS__}
#define JSON_STRINGIFY(value) JSON_STRINGIFY_EXPANDED(value)
#define JSON_STRINGIFY_EXPANDED(value) #value
#define JSON_BOOL(type, member, need_, ...) \
    {JSON_FIELD(JSON_KIND_BOOL, type, member, need_), __VA_ARGS__}
#define JSON_TIME(type, member, need_, ...) \
    {JSON_FIELD(JSON_KIND_TIME, type, member, need_), __VA_ARGS__}
#define JSON_OBJECT(type, member, table, need_, ...) \
    {JSON_FIELD(JSON_KIND_OBJECT, type, member, need_), .fields = table, __VA_ARGS__}
#define JSON_LIST(type, member, element, table, least_, most_, need_, ...) \
    {JSON_FIELD(JSON_KIND_LIST, type, member, need_), .least = least_, .most = most_, \
     .fields = table, .element_size = sizeof(element), __VA_ARGS__}
#define JSON_MAP(type, member, element, table, most_, need_, ...) \
    {JSON_FIELD(JSON_KIND_MAP, type, member, need_), .most = most_, .fields = table, \
     .element_size = sizeof(element), __VA_ARGS__}
#define JSON_TEXTS(type, member, least_, most_, need_, ...) \
    {JSON_FIELD(JSON_KIND_TEXTS, type, member, need_), .least = least_, .most = most_, __VA_ARGS__}
#define JSON_RAW(type, member, most_, need_, ...) \
    {JSON_FIELD(JSON_KIND_RAW, type, member, need_), .most = most_, __VA_ARGS__}
#define JSON_IGNORED(name_, ...) {.kind = JSON_KIND_IGNORED, .name = name_, .read_only = true, __VA_ARGS__}
/* JSON written as code, turned into a string. */
#define JSON_EXAMPLE(...) #__VA_ARGS__
#define JSON_END {.kind = JSON_KIND_END}
/* clang-format on */

/* The pointer is a JSON pointer (RFC 6901); "" is the whole document. A pointer that is too long is cut between
 * characters. */
struct json_fault {
    char pointer[128];
    char detail[384]; /* a sentence */
};

/* The words of json_field.word as the expectation in an error: "one of mon, tue, wed", "json or map". */
#define JSON_WORDS_SIZE 320
void json_words_write(const char *(*word)(unsigned index), char out[JSON_WORDS_SIZE]);

/* Reads one JSON object into `out`, which the caller has zeroed. An empty body reads as {}. */
bool json_read(const char *body, size_t size, const struct json_field *fields, void *out, struct arena *arena,
               struct json_fault *fault);
/* Reads a JSON merge patch (RFC 7396) of such an object. No field is required, and null resets a field: its value in
 * `out` stays as if it were not given. *named has a bit for each field in the patch, null or not, by its position in
 * the table. In a MAP a null value counts as not given; lists are read as by json_read. */
bool json_read_patch(const char *body, size_t size, const struct json_field *fields, void *out,
                     uint64_t *named, struct arena *arena, struct json_fault *fault);
/* Reads a JSON array of objects; *count elements of element_size bytes each are put into the arena. An
 * empty array is left to the caller to refuse. */
bool json_read_list(const char *body, size_t size, const struct json_field *fields, size_t element_size,
                    size_t most, void **entries, size_t *count, struct arena *arena,
                    struct json_fault *fault);

/* json_bounds.c: how many names and values a table has room for, in a list of `most` objects or, if that is 1, in one
 * object; and the size of the struct up to the last field that the table names. */
struct json_bounds json_bounds_of(const struct json_field *fields, uint64_t most);
size_t json_struct_size(const struct json_field *fields);

/* json_form.c: whether the field was given in an object that json_read has read. */
bool json_given(const struct json_field *field, const void *object);
bool json_named(const char *names, const char *name); /* whether `name` is in a list separated by spaces */
/* How a field fits the forms that need the field `key`: none has it, some have it, all need it. */
enum json_fit { JSON_FOREIGN, JSON_ALLOWED, JSON_NEEDED };
enum json_fit json_form_fit(const struct json_form *forms, const struct json_field *field, const char *key);

/* json_visit.c: one value of an object that no table describes, such as the claims of a token. */
struct json_member {
    const char *name;
    enum { JSON_MEMBER_TEXT, JSON_MEMBER_NUMBER, JSON_MEMBER_LIST, JSON_MEMBER_OTHER } kind;
    bool listed; /* an element of the list of that name, which was visited before it */
    const char *text;
    size_t size;
    double number;
};

/* Calls `visit` for every member of a JSON object, with the same strictness; the values are valid only during
 * the call. False if it is not such an object or a visit returned false. */
bool json_visit(const char *body, size_t size, bool (*visit)(void *owner, const struct json_member *member),
                void *owner);

#endif
