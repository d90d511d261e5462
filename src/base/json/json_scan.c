/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json/json_scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/text/digits.h"
#include "base/json/json_escape.h"
#include "base/json/json_number.h"
#include "base/json/json_reader.h"
#include "base/text/utf8.h"

#define JSON_NAMES_FEW 16         /* up to this many are compared pairwise, more are sorted */
#define JSON_INTEGER_SIZE_SURE 18 /* digits and sign of this length always fit 64 bits */
#define JSON_REAL_DIGITS_SURE 300 /* this many digits before the point always fit a double */

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "json_scan_plain counts bytes from the low end");

/* Every scanning function returns where the scan continues, or NULL after a complaint. Rare cases are noinline, so
 * that the common path stays small. */
static const char *json_scan_complain(struct json_scan *s, const char *at, const char *complaint)
{
    s->complaint = complaint;
    s->complaint_at = at;
    return NULL;
}

static __attribute__((noinline)) const char *json_scan_unexpected(struct json_scan *s, const char *at)
{
    if (at >= s->end)
        return json_scan_complain(s, s->end, "Invalid JSON: unexpected end");
    if (!utf8_character(at, (size_t)(s->end - at)))
        return json_scan_complain(s, at, "Invalid JSON: not UTF-8");
    return json_scan_complain(s, at, "Invalid JSON");
}

static __attribute__((noinline)) void json_scan_grow(struct json_scan *s)
{
    struct json_token *tokens = arena_take(s->arena, (size_t)s->capacity * 2 * sizeof *tokens);
    memcpy(tokens, s->tokens, s->count * sizeof *tokens);
    s->tokens = tokens;
    s->capacity *= 2;
}

/* The pointer is valid until the next call. */
static inline struct json_token *json_scan_put(struct json_scan *s, enum json_token_kind kind, const char *at,
                                               const char *end)
{
    if (s->count == s->capacity)
        json_scan_grow(s);
    struct json_token *token = &s->tokens[s->count++];
    *token = (struct json_token){
        .at = (uint32_t)(at - s->body), .size = (uint32_t)(end - at), .span = 1, .kind = kind & 7};
    return token;
}

/* The next byte, or 0 at the end, which needs no case of its own: a zero byte is invalid everywhere. */
static inline uint8_t json_scan_peek(const struct json_scan *s, const char *at)
{
    return at < s->end ? (uint8_t)*at : 0;
}

static inline const char *json_scan_space(const struct json_scan *s, const char *at)
{
    while (at < s->end && (uint8_t)*at <= ' ' && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
        at++;
    return at;
}

/* Skips bytes of a text that are copied as they are: ASCII except quotes, backslashes and control characters. Eight
 * at a time: a byte's high bit is set in `odd` if it is not one of these. A borrow can spoil bytes above such a
 * byte, never below it. */
static inline const char *json_scan_plain(const char *at, const char *end)
{
    const uint64_t ones = 0x0101010101010101, highs = 0x8080808080808080;
    for (uint64_t word; (size_t)(end - at) >= sizeof word; at += sizeof word) {
        memcpy(&word, at, sizeof word);
        uint64_t quote = word ^ (ones * '"'), backslash = word ^ (ones * '\\');
        uint64_t odd = ((quote - ones) | (backslash - ones) | (word - ones * ' ') | word) & highs;
        if (odd)
            return at + __builtin_ctzll(odd) / 8;
    }
    while (at < end && (uint8_t)*at >= ' ' && (uint8_t)*at < 0x80 && *at != '"' && *at != '\\')
        at++;
    return at;
}

/* Whether an escape has the form \uXXXX, whatever it encodes. */
static bool json_scan_is_unicode(const struct json_scan *s, const char *at)
{
    bool is = s->end - at >= 6 && at[1] == 'u';
    for (int i = 2; is && i < 6; i++)
        is = digits_hex(at[i]) >= 0;
    return is;
}

/* Skips an escape or a character of several bytes. Sets *nameless if the escape encodes no character. */
static __attribute__((noinline)) const char *json_scan_odd(struct json_scan *s, const char *at, bool *escaped,
                                                           bool *nameless)
{
    size_t size;
    if (*at != '\\') {
        size = utf8_character(at, (size_t)(s->end - at));
        return (uint8_t)*at < ' ' || !size ? json_scan_unexpected(s, at) : at + size;
    }
    *escaped = true;
    int32_t character = json_escape_read(at, s->end, &size);
    if (character <= 0 && s->foreign && json_scan_is_unicode(s, at)) {
        *nameless = true;
        return at + 6;
    }
    if (character == 0)
        return json_scan_complain(s, at, "Invalid JSON: U+0000 in a string");
    if (character < 0)
        return json_scan_unexpected(s, memchr(at, '"', (size_t)(s->end - at)) ? at : s->end);
    return at + size;
}

/* `at` is its quote. */
static const char *json_scan_quoted(struct json_scan *s, const char *at)
{
    const char *begin = at + 1;
    bool escaped = false, nameless = false;
    for (at = json_scan_plain(begin, s->end); json_scan_peek(s, at) != '"';
         at = json_scan_plain(at, s->end)) {
        if (at >= s->end)
            return json_scan_unexpected(s, at);
        at = json_scan_odd(s, at, &escaped, &nameless);
        if (!at)
            return NULL;
    }
    json_scan_put(s, JSON_TOKEN_TEXT, begin, at)->escaped = escaped && !nameless;
    return at + 1;
}

static inline bool json_scan_is_digit(const struct json_scan *s, const char *at)
{
    return (uint8_t)(json_scan_peek(s, at) - '0') <= 9;
}

/* One or more digits, else NULL. */
static inline const char *json_scan_digits(const struct json_scan *s, const char *at)
{
    if (!json_scan_is_digit(s, at))
        return NULL;
    while (json_scan_is_digit(s, at))
        at++;
    return at;
}

static const char *json_scan_too_large(struct json_scan *s, const char *number)
{
    s->too_large = true;
    return json_scan_complain(s, number, "Invalid JSON: number too large");
}

/* Past the fraction and the exponent of a number whose digits before the point are `whole`. */
static const char *json_scan_real(struct json_scan *s, const char *begin, const char *whole,
                                  const char *whole_end)
{
    const char *at = whole_end;
    int64_t exponent = 0;
    if (*at == '.') {
        const char *fraction = at + 1;
        if (!(at = json_scan_digits(s, fraction)))
            return json_scan_unexpected(s, fraction);
    }
    if (json_scan_peek(s, at) == 'e' || json_scan_peek(s, at) == 'E') {
        const char *sign = at + 1, *digits = sign;
        digits += json_scan_peek(s, sign) == '-' || json_scan_peek(s, sign) == '+';
        if (!(at = json_scan_digits(s, digits)))
            return json_scan_unexpected(s, digits);
        exponent = json_number_exponent(sign, (size_t)(at - sign));
    }
    if (!s->foreign && whole_end - whole + exponent > JSON_REAL_DIGITS_SURE &&
        !isfinite(json_number_double(begin, (size_t)(at - begin), s->arena)))
        return json_scan_too_large(s, begin);
    json_scan_put(s, JSON_TOKEN_REAL, begin, at);
    return at;
}

static const char *json_scan_number(struct json_scan *s, const char *begin)
{
    const char *whole = begin + (*begin == '-');
    const char *at = json_scan_peek(s, whole) == '0' ? whole + 1 : json_scan_digits(s, whole);
    if (!at)
        return json_scan_unexpected(s, whole);
    uint8_t next = json_scan_peek(s, at);
    if (next == '.' || next == 'e' || next == 'E')
        return json_scan_real(s, begin, whole, at);
    int64_t value;
    bool fits =
        at - begin <= JSON_INTEGER_SIZE_SURE || json_number_integer(begin, (size_t)(at - begin), &value);
    if (!fits && !s->foreign)
        return json_scan_too_large(s, begin);
    json_scan_put(s, fits ? JSON_TOKEN_INTEGER : JSON_TOKEN_REAL, begin, at);
    return at;
}

static const char *json_scan_word(struct json_scan *s, const char *at, const char *word,
                                  enum json_token_kind kind)
{
    size_t size = strlen(word);
    if ((size_t)(s->end - at) < size || memcmp(at, word, size) != 0)
        return json_scan_unexpected(s, at);
    json_scan_put(s, kind, at, at + size);
    return at + size;
}

struct json_name {
    const char *text;
    uint32_t size;
    uint32_t at; /* in the body */
};

static int json_name_compare(const struct json_name *a, const struct json_name *b)
{
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    return memcmp(a->text, b->text, a->size);
}

static int json_name_order(const void *left, const void *right)
{
    const struct json_name *a = left, *b = right;
    int order = json_name_compare(a, b);
    return order ? order : a->at < b->at ? -1 : 1;
}

/* The first name that repeats an earlier one, or NULL. */
static const struct json_name *json_names_duplicate(struct json_name *names, uint32_t count)
{
    if (count <= JSON_NAMES_FEW) {
        for (uint32_t i = 1; i < count; i++)
            for (uint32_t k = 0; k < i; k++)
                if (names[i].size == names[k].size &&
                    memcmp(names[i].text, names[k].text, names[i].size) == 0)
                    return &names[i];
        return NULL;
    }
    qsort(names, count, sizeof *names, json_name_order);
    const struct json_name *duplicate = NULL;
    for (uint32_t i = 1; i < count; i++)
        if (json_name_compare(&names[i - 1], &names[i]) == 0 && (!duplicate || names[i].at < duplicate->at))
            duplicate = &names[i];
    return duplicate;
}

static bool json_scan_distinct(struct json_scan *s, const struct json_token *object)
{
    struct json_name few[JSON_NAMES_FEW] __attribute__((uninitialized));
    struct json_name *names = few;
    if (object->count > JSON_NAMES_FEW)
        names = arena_take(s->arena, object->count * sizeof *names);
    const struct json_token *name = object + 1;
    for (uint32_t i = 0; i < object->count; i++) {
        size_t size;
        names[i].text = json_scan_text(s, name, &size);
        names[i].size = (uint32_t)size;
        names[i].at = name->at;
        name += 1 + name[1].span;
    }
    const struct json_name *duplicate = json_names_duplicate(names, object->count);
    if (duplicate)
        json_scan_complain(s, s->body + duplicate->at, "Invalid JSON: duplicate field");
    return !duplicate;
}

static const char *json_scan_value(struct json_scan *s, const char *at, int level);

/* A name, a colon and a value. */
static const char *json_scan_member(struct json_scan *s, const char *at, int level)
{
    if (json_scan_peek(s, at) != '"')
        return at < s->end && utf8_character(at, (size_t)(s->end - at))
                   ? json_scan_complain(s, at, "Invalid JSON: expected a field name in double quotes")
                   : json_scan_unexpected(s, at);
    at = json_scan_quoted(s, at);
    if (!at)
        return NULL;
    at = json_scan_space(s, at);
    return json_scan_peek(s, at) == ':' ? json_scan_value(s, at + 1, level) : json_scan_unexpected(s, at);
}

/* A list or an object; `at` is its bracket, `level` how many enclose it. */
static const char *json_scan_nest(struct json_scan *s, const char *at, enum json_token_kind kind, int level)
{
    _Static_assert(JSON_LEVELS_MAX == 16, "the sentence below says so");
    if (level >= (s->foreign ? JSON_SCAN_FOREIGN_LEVELS : JSON_LEVELS_MAX))
        return json_scan_complain(s, at, "Invalid JSON: more than 16 levels deep");
    bool object = kind == JSON_TOKEN_OBJECT;
    uint8_t close = object ? '}' : ']';
    uint32_t self = s->count, count = 0;
    json_scan_put(s, kind, at, at);
    at = json_scan_space(s, at + 1);
    if (json_scan_peek(s, at) != close) {
        for (;; at = json_scan_space(s, at + 1)) {
            at = object ? json_scan_member(s, at, level + 1) : json_scan_value(s, at, level + 1);
            if (!at)
                return NULL;
            if (object && count >= s->bounds.names)
                return json_scan_complain(s, at, "Invalid JSON: too many fields in an object");
            if (s->count > s->bounds.values)
                return json_scan_complain(s, at, "Invalid JSON: too many values");
            count++;
            at = json_scan_space(s, at);
            if (json_scan_peek(s, at) != ',')
                break;
        }
        if (json_scan_peek(s, at) != close)
            return json_scan_unexpected(s, at);
    }
    at++;
    struct json_token *token = &s->tokens[self];
    token->size = (uint32_t)(at - s->body) - token->at;
    token->span = s->count - self;
    token->count = count & 0xfffffff;
    return object && count > 1 && !s->foreign && !json_scan_distinct(s, token) ? NULL : at;
}

static const char *json_scan_value(struct json_scan *s, const char *at, int level)
{
    at = json_scan_space(s, at);
    uint8_t first = json_scan_peek(s, at);
    if (first == '"')
        return json_scan_quoted(s, at);
    if (first == '{')
        return json_scan_nest(s, at, JSON_TOKEN_OBJECT, level);
    if (first == '[')
        return json_scan_nest(s, at, JSON_TOKEN_LIST, level);
    if (first == '-' || (first >= '0' && first <= '9'))
        return json_scan_number(s, at);
    if (first == 't')
        return json_scan_word(s, at, "true", JSON_TOKEN_TRUE);
    if (first == 'f')
        return json_scan_word(s, at, "false", JSON_TOKEN_FALSE);
    if (first == 'n')
        return json_scan_word(s, at, "null", JSON_TOKEN_NULL);
    return json_scan_unexpected(s, at);
}

static bool json_scan_as(struct json_scan *s, bool foreign, struct json_bounds bounds, const char *body,
                         size_t size, struct arena *arena)
{
    s->foreign = foreign;
    s->bounds = bounds;
    s->body = body = size ? body : "";
    s->end = body + size;
    s->arena = arena;
    s->tokens = s->first;
    s->too_large = false;
    s->count = 0;
    s->capacity = JSON_SCAN_FIRST;
    if (size > JSON_SCAN_SIZE_MAX)
        return json_scan_complain(s, body, "Invalid JSON: too long");
    const char *at = json_scan_value(s, body, 0);
    if (!at)
        return false;
    at = json_scan_space(s, at);
    return at == s->end || json_scan_complain(s, at, "Invalid JSON: more data after the end");
}

static const struct json_bounds unbounded = {UINT32_MAX, UINT32_MAX};

bool json_scan(struct json_scan *s, const char *body, size_t size, struct arena *arena)
{
    return json_scan_as(s, false, unbounded, body, size, arena);
}

bool json_scan_within(struct json_scan *s, struct json_bounds bounds, const char *body, size_t size,
                      struct arena *arena)
{
    return json_scan_as(s, false, bounds, body, size, arena);
}

bool json_scan_foreign(struct json_scan *s, const char *body, size_t size, struct arena *arena)
{
    return json_scan_as(s, true, unbounded, body, size, arena);
}

bool json_scan_again(struct json_scan *again, const struct json_scan *s)
{
    return json_scan_as(again, true, s->bounds, s->body, (size_t)(s->end - s->body), s->arena);
}

void json_scan_place(const struct json_scan *s, int *line, int *column)
{
    *line = *column = 1;
    for (const char *at = s->body; at < s->complaint_at; at++) {
        if (*at == '\n') {
            ++*line;
            *column = 1;
        } else if (((uint8_t)*at & 0xc0) != 0x80) {
            ++*column;
        }
    }
}

static __attribute__((noinline)) const char *json_scan_escaped(const struct json_scan *s,
                                                               const struct json_token *text, size_t *size)
{
    const char *at = s->body + text->at;
    char *out = arena_take(s->arena, text->size);
    *size = (size_t)(json_escape_undo(out, at, at + text->size, false) - out);
    return out;
}

const char *json_scan_text(const struct json_scan *s, const struct json_token *text, size_t *size)
{
    ASSERT(text->kind == JSON_TOKEN_TEXT);
    if (text->escaped)
        return json_scan_escaped(s, text, size);
    *size = text->size;
    return s->body + text->at;
}

int64_t json_scan_integer(const struct json_scan *s, const struct json_token *integer)
{
    int64_t value;
    bool fits = json_number_integer(s->body + integer->at, integer->size, &value);
    ASSERT(fits && integer->kind == JSON_TOKEN_INTEGER);
    return value;
}

double json_scan_double(const struct json_scan *s, const struct json_token *number)
{
    if (number->kind == JSON_TOKEN_INTEGER)
        return (double)json_scan_integer(s, number);
    ASSERT(number->kind == JSON_TOKEN_REAL);
    return json_number_double(s->body + number->at, number->size, s->arena);
}

bool json_scan_milli(const struct json_scan *s, const struct json_token *number, int64_t least, int64_t most,
                     int64_t *value)
{
    ASSERT(number->kind == JSON_TOKEN_INTEGER || number->kind == JSON_TOKEN_REAL);
    *value = json_number_milli(s->body + number->at, number->size);
    if (*value > least && *value < most)
        return true;
    /* A value rounded to one of the bounds may lie outside it. */
    double exact = json_scan_double(s, number);
    return *value >= least && *value <= most && exact >= (double)least / 1000 && exact <= (double)most / 1000;
}

const char *json_scan_compact(const struct json_scan *s, const struct json_token *object, size_t *size)
{
    ASSERT(object->kind == JSON_TOKEN_OBJECT);
    const char *at = s->body + object->at, *end = at + object->size;
    char *text = arena_take(s->arena, (size_t)object->size + 1), *out = text;
    while (at < end) {
        const char *quote = at;
        if (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')
            at++;
        else
            *out++ = *at++;
        if (*quote != '"')
            continue;
        while (*at != '"')
            at += *at == '\\' ? 2 : 1;
        out = json_escape_undo(out, quote + 1, at, true);
        *out++ = *at++;
    }
    *size = (size_t)(out - text);
    *out = '\0';
    return text;
}
