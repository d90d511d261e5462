/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json/json_writer.h"

#include <string.h>

#include "base/assertion.h"
#include "base/text/digits.h"
#include "base/time/rfc3339.h"
#include "base/text/utf8.h"

#define JSON_DEPTH_MAX 31
#define JSON_NUMBER_SIZE_MAX 24

/* How to write a byte of text: 0 copy it, 'u' write \u00XX, 'm' part of a longer character, else a backslash
 * and this letter. */
static const char json_escapes[256] = {
    ['\b'] = 'b',  ['\t'] = 't',    ['\n'] = 'n', ['\f'] = 'f',          ['\r'] = 'r',          ['"'] = '"',
    ['\\'] = '\\', [0 ... 7] = 'u', [0x0b] = 'u', [0x0e ... 0x1f] = 'u', [0x80 ... 0xff] = 'm',
};

/* The buffer is nearly always large enough already; this keeps the call out of the way. */
static inline char *json_room(struct json_writer *w, size_t more)
{
    struct buf *b = w->out;
    if (__builtin_expect(b->capacity - b->size < more, 0))
        buf_reserve(b, more);
    return (char *)b->data + b->size;
}

static inline void json_put(struct json_writer *w, const char *bytes, size_t size)
{
    memcpy(json_room(w, size), bytes, size);
    w->out->size += size;
}

/* Before every key and every value that has none: the comma, unless it is the first at its level. */
static inline void json_separate(struct json_writer *w)
{
    if (w->after_key) {
        w->after_key = false;
        return;
    }
    uint32_t bit = (uint32_t)1 << w->depth;
    if (w->first & bit)
        w->first &= ~bit;
    else
        json_put(w, ",", 1);
}

struct json_writer json_writer_make(struct buf *out)
{
    return (struct json_writer){.out = out, .first = 1};
}

static void json_open(struct json_writer *w, char bracket)
{
    ASSERT(w->depth < JSON_DEPTH_MAX);
    json_separate(w);
    json_put(w, &bracket, 1);
    w->depth++;
    w->first |= (uint32_t)1 << w->depth;
}

static void json_close(struct json_writer *w, char bracket)
{
    ASSERT(w->depth > 0 && !w->after_key);
    w->depth--;
    json_put(w, &bracket, 1);
}

void json_object_begin(struct json_writer *w)
{
    json_open(w, '{');
}

void json_object_end(struct json_writer *w)
{
    json_close(w, '}');
}

void json_array_begin(struct json_writer *w)
{
    json_open(w, '[');
}

void json_array_end(struct json_writer *w)
{
    json_close(w, ']');
}

/* One byte or character that cannot be copied as it is; returns how many bytes of text it was. */
static size_t json_escape(struct json_writer *w, const char *text, size_t size)
{
    static const char hex[] = "0123456789abcdef";
    uint8_t byte = (uint8_t)*text;
    char escape = json_escapes[byte];
    if (escape == 'm') {
        size_t length = utf8_character(text, size);
        json_put(w, length ? text : "\xef\xbf\xbd", length ? length : 3);
        return length ? length : 1;
    }
    if (escape == 'u')
        json_put(w, (char[]){'\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 15]}, 6);
    else
        json_put(w, (char[]){'\\', escape}, 2);
    return 1;
}

static void json_quoted(struct json_writer *w, const char *text, size_t size)
{
    json_put(w, "\"", 1);
    for (size_t at = 0; at < size;) {
        size_t run = at;
        while (run < size && !json_escapes[(uint8_t)text[run]])
            run++;
        json_put(w, text + at, run - at);
        at = run;
        if (at < size)
            at += json_escape(w, text + at, size - at);
    }
    json_put(w, "\"", 1);
}

void json_key_sized(struct json_writer *w, const char *key, size_t size)
{
    ASSERT(!w->after_key);
    uint32_t bit = (uint32_t)1 << w->depth;
    /* The comma is always written, and overwritten when not needed: no branch. */
    char *at = json_room(w, size + 4);
    size_t comma = !(w->first & bit);
    w->first &= ~bit;
    w->out->size += comma + size + 3;
    w->after_key = true;
    at[0] = ',';
    at[comma] = '"';
    memcpy(at + comma + 1 + size, "\":", 2);
    memcpy(at + comma + 1, key, size); /* last, so that no register has to be saved across the call */
}

void json_key_text(struct json_writer *w, const char *key, size_t size)
{
    ASSERT(!w->after_key);
    json_separate(w);
    json_quoted(w, key, size);
    json_put(w, ":", 1);
    w->after_key = true;
}

void json_text(struct json_writer *w, const char *text, size_t size)
{
    json_separate(w);
    json_quoted(w, text, size);
}

void json_string(struct json_writer *w, const char *text)
{
    if (text)
        json_text(w, text, strlen(text));
    else
        json_null(w);
}

static uint64_t json_magnitude(int64_t v)
{
    return v < 0 ? -(uint64_t)v : (uint64_t)v;
}

static void json_number(struct json_writer *w, bool negative, uint64_t v, bool quoted)
{
    char field[JSON_NUMBER_SIZE_MAX];
    char *end = field + sizeof field - 1, *at = digits_write(end, v);
    *end = '"';
    if (negative)
        *--at = '-';
    if (quoted)
        *--at = '"';
    json_separate(w);
    json_put(w, at, (size_t)(end + quoted - at));
}

void json_uint(struct json_writer *w, uint64_t v)
{
    json_number(w, false, v, false);
}

void json_int(struct json_writer *w, int64_t v)
{
    json_number(w, v < 0, json_magnitude(v), false);
}

void json_decimal(struct json_writer *w, uint64_t v)
{
    json_number(w, false, v, true);
}

/* A fixed-point number with `places` decimal places, without trailing zeros. */
static void fixed_write(struct json_writer *w, int64_t value, unsigned places)
{
    char field[JSON_NUMBER_SIZE_MAX];
    char *end = field + sizeof field;
    uint64_t magnitude = json_magnitude(value), unit = 1;
    for (unsigned i = 0; i < places; i++)
        unit *= 10;
    uint64_t fraction = magnitude % unit;
    for (; places && fraction % 10 == 0; places--)
        fraction /= 10;
    for (unsigned i = 0; i < places; i++, fraction /= 10)
        *--end = (char)('0' + fraction % 10);
    if (places)
        *--end = '.';
    char *at = digits_write(end, magnitude / unit);
    if (value < 0)
        *--at = '-';
    json_separate(w);
    json_put(w, at, (size_t)(field + sizeof field - at));
}

void json_milli(struct json_writer *w, int64_t thousandths)
{
    fixed_write(w, thousandths, 3);
}

void json_e7(struct json_writer *w, int64_t ten_millionths)
{
    fixed_write(w, ten_millionths, 7);
}

void json_raw(struct json_writer *w, const char *json, size_t size)
{
    json_separate(w);
    json_put(w, json, size);
}

void json_bool(struct json_writer *w, bool v)
{
    json_raw(w, v ? "true" : "false", v ? 4 : 5);
}

void json_null(struct json_writer *w)
{
    json_raw(w, "null", 4);
}

void json_time(struct json_writer *w, int64_t at_ms)
{
    if (at_ms == 0) {
        json_null(w);
        return;
    }
    json_separate(w);
    char *at = json_room(w, RFC3339_SIZE + 2);
    at[0] = '"';
    rfc3339_write(at_ms, at + 1);
    at[RFC3339_SIZE + 1] = '"';
    w->out->size += RFC3339_SIZE + 2;
}
