/* SPDX-License-Identifier: Apache-2.0 */
/* json_scan.h — strict JSON as a flat row of tokens, in one pass.
 *
 * Decides what is JSON (RFC 8259, restricted as json_reader.h promises) and where its parts are; their meaning
 * is up to json_reader. A token gives the position of its value in the body. A document of up to JSON_SCAN_FIRST
 * tokens without escapes allocates nothing; a larger one uses the arena.
 *
 * The row is in the order of the document. A list or an object is followed by its contents, an object by
 * names (texts) and values in turn, so `token + token->span` is the token after a whole value.
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

/* A document beyond these is refused while it is scanned, before it costs much. */
struct json_bounds {
    uint32_t names;  /* of one object */
    uint32_t values; /* of the document: tokens, so names count too */
};

struct json_scan {
    const char *body, *end;
    struct arena *arena;
    struct json_bounds bounds;
    struct json_token *tokens; /* the first is the document */
    uint32_t count, capacity;
    bool foreign;
    bool too_large;        /* the complaint is about the size of a number */
    const char *complaint; /* the error, as half a sentence, and its position */
    const char *complaint_at;
    struct json_token first[JSON_SCAN_FIRST];
};

/* Scans a whole document; `s` needs no initialising and points into itself afterwards. False with a complaint
 * if it is not JSON, is nested too deeply, or has a duplicate name in an object. */
bool json_scan(struct json_scan *s, const char *body, size_t size, struct arena *arena);
/* The same within bounds, for a document from outside. */
bool json_scan_within(struct json_scan *s, struct json_bounds bounds, const char *body, size_t size,
                      struct arena *arena);
/* The same for documents that follow other systems' rules, such as payment events, of which we read a part: allows
 * numbers of any size, duplicate names, escapes that encode no character (such a text is returned as written), and
 * JSON_SCAN_FOREIGN_LEVELS levels. */
bool json_scan_foreign(struct json_scan *s, const char *body, size_t size, struct arena *arena);
/* Scans the document of `s`, in which a number is too large, again as a foreign document. */
bool json_scan_again(struct json_scan *again, const struct json_scan *s);
/* The position of the complaint; line and column count from 1. */
void json_scan_place(const struct json_scan *s, int *line, int *column);

/* The text with its escapes decoded. Not NUL-terminated; points into the body if possible, otherwise the arena. */
const char *json_scan_text(const struct json_scan *s, const struct json_token *text, size_t *size);
int64_t json_scan_integer(const struct json_scan *s, const struct json_token *integer);
/* Of any number; json_number.h says how exact. */
double json_scan_double(const struct json_scan *s, const struct json_token *number);
/* Rounded to thousandths. False if before rounding it is not within `least` and `most`, which are thousandths too. */
bool json_scan_milli(const struct json_scan *s, const struct json_token *number, int64_t least, int64_t most,
                     int64_t *value);
/* An object as compact text in the arena, NUL-terminated: no white space, no needless escapes, numbers as
 * they were written. */
const char *json_scan_compact(const struct json_scan *s, const struct json_token *object, size_t *size);

#endif
