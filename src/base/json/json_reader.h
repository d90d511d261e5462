/* SPDX-License-Identifier: Apache-2.0 */
/* json_reader.h — JSON from outside into C structs, by a table that describes the fields.
 *
 * Strict (RFC 8259 in UTF-8, no U+0000), duplicate keys refused at every level, at most 16 levels deep,
 * integers of 64 bits, other numbers within a double. What a table does not name is refused; a table has at
 * most 32 fields. Texts are copied into the arena. Faults in the JSON itself come first, and among them more names
 * or values than the table has room for, which end the reading; then the first fault wins and names its field by a
 * JSON pointer.
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
    JSON_KIND_NUMBER, /* struct json_number_value: any number, as it came */
    JSON_KIND_BOOL,   /* struct json_bool_value */
    JSON_KIND_TIME,   /* struct json_int_value: RFC 3339 text as milliseconds */
    JSON_KIND_OBJECT, /* a nested struct with its own table; struct json_object_value first in it */
    JSON_KIND_LIST,   /* struct json_list_value of nested structs */
    JSON_KIND_TEXTS,  /* struct json_list_value of struct json_text_value */
    JSON_KIND_PASSED, /* nothing: whatever it is, it is passed over */
    JSON_KIND_MAP, /* struct json_list_value of nested structs, for an object whose names are free: first in
                         each is its name, a struct json_text_value; the table has one field, the value */
    JSON_KIND_RAW, /* struct json_text_value: any JSON object, kept as compact text, numbers as written */
};

/* Null is of the wrong type, except for a nullable field: there it sets given and is_null where the value has
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
    uint32_t named; /* json_read_patch: as there, of its own fields */
};
struct json_list_value {
    void *entries; /* an array of the element struct, in the arena */
    size_t count;
    bool given;
};

struct json_field {
    enum json_kind kind;
    const char *name;
    size_t offset;
    enum json_need need;
    int64_t least, most; /* INT, NUMBER: the value; MILLI: thousandths; TEXT, RAW: bytes; else: elements */
    const struct json_field *fields;              /* OBJECT, LIST, MAP */
    size_t element_size;                          /* LIST, MAP */
    bool (*check)(const char *text, size_t size); /* TEXT, each of TEXTS, names of MAP: or NULL */
    const char *form; /* with check: what it must be, for people, such as "a currency such as EUR"; or NULL */
    /* TEXT, each of TEXTS: it is one of these, NULL behind the last; or NULL */
    const char *(*word)(unsigned index);
    /* Not used here, but by code that describes the table: */
    const char *otherwise;         /* what it is when left out, as JSON; or NULL */
    const char *about;             /* what it is for, in a sentence */
    bool put_only;                 /* no part of the record: a merge patch may not name it */
    bool secret;                   /* a refusal does not repeat it */
    bool read_only;                /* shown, and taken so that what was shown can be sent back */
    const struct json_form *forms; /* LIST: the forms that an element may have; NULL: any of its fields */
};

/* For a table with fields that exclude each other: one set of fields that go together.
 * json_read does not look at them: its callers do, and whoever describes the table. */
struct json_form {
    const char *name; /* NULL: behind the last one */
    const char *about;
    const char *needs, *may; /* names of fields, with a blank between them */
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
/* Optional, and known to be `otherwise_` when left out. */
#define JSON_INT_OR(type, member, least_, most_, otherwise_, ...) \
    {JSON_FIELD(JSON_KIND_INT, type, member, JSON_OPTIONAL), .least = least_, .most = most_, \
     .otherwise = JSON_TOLD(otherwise_), __VA_ARGS__}
#define JSON_BOOL_OR(type, member, otherwise_, ...) \
    {JSON_FIELD(JSON_KIND_BOOL, type, member, JSON_OPTIONAL), .otherwise = #otherwise_, __VA_ARGS__}
#define JSON_TOLD(value) JSON_TOLD_AS(value)
#define JSON_TOLD_AS(value) #value
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
#define JSON_PASSED(name_, ...) {.kind = JSON_KIND_PASSED, .name = name_, .read_only = true, __VA_ARGS__}
/* JSON as it stands, as text. */
#define JSON_EXAMPLE(...) #__VA_ARGS__
#define JSON_END {.kind = JSON_KIND_END}
/* clang-format on */

/* The pointer is that of RFC 6901; "" is the whole document. One that is too long is cut between
 * characters. */
struct json_fault {
    char pointer[128];
    char detail[384]; /* a sentence */
};

/* What is expected when it must be one of some words, listed as by json_field.word: "one of mon, tue, wed", "json or
 * map". */
#define JSON_WORDS_SIZE 320
void json_words_write(const char *(*word)(unsigned index), char out[JSON_WORDS_SIZE]);

/* Reads one JSON object into `out`, which the caller has zeroed. An empty body reads as {}. */
bool json_read(const char *body, size_t size, const struct json_field *fields, void *out, struct arena *arena,
               struct json_fault *fault);
/* Reads a JSON merge patch (RFC 7396) of such an object. Nothing is required, and null is what leaves a field out of the
 * whole: its value stays as it is when not given. *named has a bit for each field that is there, null or not, by its
 * place in the table. In a MAP a value that is null is not given; lists are read as in the whole. */
bool json_read_patch(const char *body, size_t size, const struct json_field *fields, void *out,
                     uint32_t *named, struct arena *arena, struct json_fault *fault);
/* Reads a JSON array of objects; *count elements of element_size bytes each are put into the arena. An
 * empty one is for the caller to refuse. */
bool json_read_list(const char *body, size_t size, const struct json_field *fields, size_t element_size,
                    size_t most, void **entries, size_t *count, struct arena *arena,
                    struct json_fault *fault);

/* json_bounds.c: as many names and values as a table has room for, in a list of `most` objects or, if that is 1, in one
 * object; the size of the struct up to the last field that it names. */
struct json_bounds json_bounds_of(const struct json_field *fields, uint64_t most);
size_t json_struct_size(const struct json_field *fields);

/* json_form.c: whether the field was given in an object that json_read has read. */
bool json_given(const struct json_field *field, const void *object);
bool json_named(const char *names, const char *name); /* whether it is among names with blanks between them */
/* What the forms that need the field `key` say of another field: none has it, some have it, all need it. */
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
