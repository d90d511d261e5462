/* SPDX-License-Identifier: Apache-2.0 */
/* json_scan.h — strict JSON as a flat row of tokens, in one pass.
 *
 * Decides what is JSON (RFC 8259, and of that what json_reader.h promises) and where its parts are; what they
 * mean to a request is up to json_reader. A token says where in the body its value is written. A document of
 * up to JSON_SCAN_FIRST tokens without escapes allocates nothing; what a larger one needs is the arena's.
 *
 * The row is in the order of the document. A list or an object is followed by what it contains, an object by
 * a name (a text) and a value in turn, so `token + token->span` is what follows a value as a whole.
 */
#ifndef BASE_JSON_SCAN_H
#define BASE_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory/arena.h"

#define JSON_SCAN_FIRST 40
#define JSON_SCAN_FOREIGN_LEVELS 256
#define JSON_SCAN_SIZE_MAX (64u << 20) /* a longer body is refused: places and counts must fit a token */

enum json_token_kind {
    JSON_TOKEN_NULL,
    JSON_TOKEN_FALSE,
    JSON_TOKEN_TRUE,
    JSON_TOKEN_INTEGER, /* fits 64 bits */
    JSON_TOKEN_REAL,    /* written with a point or an exponent; fits a double. Foreign: any other number */
    JSON_TOKEN_TEXT,
    JSON_TOKEN_LIST,
    JSON_TOKEN_OBJECT,
};

struct json_token {
    uint32_t at;   /* where it begins in the body; a text begins after its quote */
    uint32_t size; /* bytes as written; a text without its quotes */
    uint32_t span; /* tokens it takes, itself included */
    uint32_t kind : 3;
    uint32_t escaped : 1; /* a text with a backslash in it */
    uint32_t count : 28;  /* members, or elements */
};

/* More is refused while it is read, before it costs anything. */
struct json_bounds {
    uint32_t names;  /* of one object */
    uint32_t values; /* of the document: tokens, so names count, too */
};

struct json_scan {
    const char *body, *end;
    struct arena *arena;
    struct json_bounds bounds;
    struct json_token *tokens; /* the first is the document */
    uint32_t count, capacity;
    bool foreign;
    bool too_large;        /* what is wrong is the size of a number, and nothing else so far */
    const char *complaint; /* what is wrong, as half a sentence, and where */
    const char *complaint_at;
    struct json_token first[JSON_SCAN_FIRST];
};

/* Scans a whole document; `s` needs no initialising and points into itself afterwards. False with a complaint
 * if it is not JSON, is nested too deep, or has a name twice in one object. */
bool json_scan(struct json_scan *s, const char *body, size_t size, struct arena *arena);
/* The same of a document from outside. */
bool json_scan_within(struct json_scan *s, struct json_bounds bounds, const char *body, size_t size,
                      struct arena *arena);
/* The same of what others write for themselves, of which we read a part: numbers of any size, names that are there twice,
 * escapes that stand for no character (such a text is given as it is written), and JSON_SCAN_FOREIGN_LEVELS deep. */
bool json_scan_foreign(struct json_scan *s, const char *body, size_t size, struct arena *arena);
/* Again as a foreign document, within the bounds of `s`, whose numbers are too large. */
bool json_scan_again(struct json_scan *again, const struct json_scan *s);
/* The place of the complaint: lines and characters from 1 on. */
void json_scan_place(const struct json_scan *s, int *line, int *column);

/* What a text stands for. Not NUL-terminated: in the body if it can be, otherwise in the arena. */
const char *json_scan_text(const struct json_scan *s, const struct json_token *text, size_t *size);
int64_t json_scan_integer(const struct json_scan *s, const struct json_token *integer);
/* Of any number; json_number.h says how exact. */
double json_scan_double(const struct json_scan *s, const struct json_token *number);
/* Rounded to thousandths. False: before that it is not within `least` and `most`, which are thousandths too. */
bool json_scan_milli(const struct json_scan *s, const struct json_token *number, int64_t least, int64_t most,
                     int64_t *value);
/* An object as compact text in the arena, NUL-terminated: no white space, no needless escapes, numbers as
 * they were written. */
const char *json_scan_compact(const struct json_scan *s, const struct json_token *object, size_t *size);

#endif
