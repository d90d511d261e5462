/* SPDX-License-Identifier: Apache-2.0 */
#include "json_documents.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

uint32_t json_documents_chance(struct json_documents *d, uint32_t below)
{
    d->state += 0x9e3779b97f4a7c15;
    uint64_t z = (d->state ^ d->state >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (uint32_t)((z ^ z >> 31) >> 32) % below;
}

static void put(struct json_document *b, const void *bytes, size_t size)
{
    if (size > sizeof b->at - b->size)
        return;
    memcpy(b->at + b->size, bytes, size);
    b->size += size;
}

#define PUT_ONE_OF(d, body, array)                                                                           \
    do {                                                                                                     \
        const char *one_ = (array)[json_documents_chance(d, LENGTH(array))];                                 \
        put(body, one_, strlen(one_));                                                                       \
    } while (0)

static void put_space(struct json_documents *d, struct json_document *b)
{
    static const char *const spaces[] = {" ", "\n", "\r\n", "\t", "  "};
    while (json_documents_chance(d, 6) == 0)
        PUT_ONE_OF(d, b, spaces);
}

static void put_text(struct json_documents *d, struct json_document *b)
{
    static const char *const pieces[] = {"a",
                                         "b",
                                         "z",
                                         "0",
                                         "/",
                                         "~",
                                         " ",
                                         "{",
                                         "]",
                                         ",",
                                         ":",
                                         "abcdefgh",
                                         "seat-0123456789",
                                         "\x7f",
                                         "\\\"",
                                         "\\\\",
                                         "\\/",
                                         "\\b",
                                         "\\f",
                                         "\\n",
                                         "\\r",
                                         "\\t",
                                         "\\u0061",
                                         "\\u00fc",
                                         "\\u20AC",
                                         "\\u001f",
                                         "\\u0022",
                                         "\\u005c",
                                         "\\ud83d\\ude00",
                                         "\\uDBFF\\uDFFF",
                                         "\\uffff",
                                         "\\ud7ff\\ue000",
                                         "\xc3\xbc",
                                         "\xe2\x82\xac",
                                         "\xf0\x9f\x98\x80",
                                         "\xf4\x8f\xbf\xbf",
                                         "\xed\x9f\xbf",
                                         "\xc2\x80"};
    static const char *const bad[] = {"\\u0000",
                                      "\\ud800",
                                      "\\udc00",
                                      "\\ud83d\\u0041",
                                      "\\ud83dx",
                                      "\\u12",
                                      "\\u12g4",
                                      "\\x",
                                      "\\",
                                      "\\U0041",
                                      "\n",
                                      "\t",
                                      "\x1f",
                                      "\xff",
                                      "\x80",
                                      "\xc3",
                                      "\xc0\x80",
                                      "\xe0\x80\x80",
                                      "\xed\xa0\x80",
                                      "\xf0\x80\x80\x80",
                                      "\xf4\x90\x80\x80",
                                      "\xf5\x80\x80\x80",
                                      "\xe2\x82",
                                      "\\u\xc3\xbc"
                                      "00"};
    put(b, "\"", 1);
    for (uint32_t left = json_documents_chance(d, 8); left > 0; left--)
        PUT_ONE_OF(d, b, pieces);
    if (json_documents_chance(d, 60) == 0)
        PUT_ONE_OF(d, b, bad);
    put(b, "\"", 1);
}

void json_documents_put_number(struct json_documents *d, struct json_document *b)
{
    static const char *const odd[] = {"0",
                                      "-0",
                                      "0.0",
                                      "-0.0",
                                      "0e0",
                                      "0e999",
                                      "0E-999999999999",
                                      "1E+2",
                                      "1e5",
                                      "1e-5",
                                      "1e308",
                                      "1.7976931348623157e308",
                                      "1.7976931348623158e308",
                                      "1.7976931348623159e308",
                                      "17976931348623159e292",
                                      "0.00017976931348623159e312",
                                      "1e309",
                                      "-1e309",
                                      "1e400",
                                      "1e-400",
                                      "4.9e-324",
                                      "6e99999999999999999999",
                                      "1e-99999999999999999999",
                                      "9223372036854775807",
                                      "9223372036854775808",
                                      "-9223372036854775808",
                                      "-9223372036854775809",
                                      "999999999999999999",
                                      "99999999999999999999999",
                                      "123456789012345678901234567890.5",
                                      "0.0005",
                                      "-1.0005",
                                      "2147483.647",
                                      "0.1",
                                      "1.",
                                      ".5",
                                      "01",
                                      "-01",
                                      "+1",
                                      "-",
                                      "1e",
                                      "1e+",
                                      "1.e1",
                                      "0x10",
                                      "1_0",
                                      "NaN",
                                      "Infinity",
                                      "-Infinity",
                                      "00",
                                      "--1",
                                      "1..2",
                                      "1e1.5"};
    if (json_documents_chance(d, 4) == 0) {
        PUT_ONE_OF(d, b, odd);
        return;
    }
    char text[64];
    int size = snprintf(text, sizeof text, "%s%u", json_documents_chance(d, 3) ? "" : "-",
                        json_documents_chance(d, 1u << (1 + json_documents_chance(d, 30))));
    put(b, text, (size_t)size);
    if (json_documents_chance(d, 3) == 0)
        put(b, text,
            (size_t)snprintf(text, sizeof text, ".%0*u", (int)json_documents_chance(d, 9),
                             json_documents_chance(d, 100000)));
    if (json_documents_chance(d, 4) == 0)
        put(b, text,
            (size_t)snprintf(text, sizeof text, "%c%.*s%u", "eE"[json_documents_chance(d, 2)],
                             (int)json_documents_chance(d, 2), &"+-"[json_documents_chance(d, 2)],
                             json_documents_chance(d, json_documents_chance(d, 4) ? 12 : 400)));
}

static void put_value(struct json_documents *d, struct json_document *b, uint32_t depth);

static void put_name(struct json_documents *d, struct json_document *b, uint32_t number, bool few)
{
    char text[24];
    int size = snprintf(text, sizeof text, few ? "\"k%u\"" : "\"\\u006b%u\"", number);
    if (json_documents_chance(d, 3) == 0)
        put_text(d, b);
    else
        put(b, text, (size_t)size);
}

static void put_object(struct json_documents *d, struct json_document *b, uint32_t depth)
{
    uint32_t count =
        json_documents_chance(d, 40) == 0 ? json_documents_chance(d, 100) : json_documents_chance(d, 5);
    put(b, "{", 1);
    put_space(d, b);
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            put(b, ",", 1);
        put_space(d, b);
        put_name(d, b, json_documents_chance(d, 30) ? i : json_documents_chance(d, count),
                 json_documents_chance(d, 4) != 0);
        put_space(d, b);
        put(b, ":", 1);
        put_value(d, b, count > 10 ? 0 : depth);
    }
    put(b, "}", 1);
}

static void put_list(struct json_documents *d, struct json_document *b, uint32_t depth)
{
    uint32_t count =
        json_documents_chance(d, 50) == 0 ? json_documents_chance(d, 200) : json_documents_chance(d, 4);
    put(b, "[", 1);
    put_space(d, b);
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            put(b, ",", 1);
        put_value(d, b, count > 10 ? 0 : depth);
    }
    put(b, "]", 1);
}

static void put_value(struct json_documents *d, struct json_document *b, uint32_t depth)
{
    static const char *const words[] = {"true", "false", "null"};
    static const char *const bad[] = {"tru", "True", "nul",          "",         ",",
                                      "'a'", "/**/", "\xef\xbb\xbf", "undefined"};
    put_space(d, b);
    uint32_t kind = depth > 0 ? json_documents_chance(d, 10) : json_documents_chance(d, 5);
    if (kind == 0)
        PUT_ONE_OF(d, b, words);
    else if (kind <= 2)
        json_documents_put_number(d, b);
    else if (kind <= 4)
        put_text(d, b);
    else if (kind <= 7)
        put_object(d, b, depth - 1);
    else
        put_list(d, b, depth - 1);
    if (json_documents_chance(d, 300) == 0)
        PUT_ONE_OF(d, b, bad);
    put_space(d, b);
}

/* About as deep as allowed. */
static void put_deep(struct json_documents *d, struct json_document *b)
{
    char closes[32];
    uint32_t levels = 13 + json_documents_chance(d, 7);
    for (uint32_t i = 0; i < levels; i++) {
        bool object = json_documents_chance(d, 2);
        closes[levels - 1 - i] = object ? '}' : ']';
        put(b, object ? "{\"a\":" : "[", object ? 5 : 1);
    }
    put(b, "\"[{\"", 4);
    put(b, closes, levels);
}

void json_documents_put(struct json_documents *d, struct json_document *b)
{
    b->size = 0;
    if (json_documents_chance(d, 50) == 0)
        put_deep(d, b);
    else if (json_documents_chance(d, 8) == 0)
        put_value(d, b, 3);
    else
        put_object(d, b, 1 + json_documents_chance(d, 4));
}

void json_documents_spoil(struct json_documents *d, struct json_document *b)
{
    static const char marks[] = "{}[]\",:\\ \n0123456789-+.eEtfnu\0\x1f\x7f\x80\xc3\xed\xff";
    size_t at = b->size ? json_documents_chance(d, (uint32_t)b->size) : 0,
           count = 1 + json_documents_chance(d, 6);
    count = count > b->size - at ? b->size - at : count;
    switch (json_documents_chance(d, 6)) {
    case 0:
        b->size = at;
        return;
    case 1:
        memmove(b->at + at, b->at + at + count, b->size - at - count);
        b->size -= count;
        return;
    case 2:
        put(b, b->at + at, count);
        return;
    case 3:
        if (b->size == sizeof b->at)
            return;
        memmove(b->at + at + 1, b->at + at, b->size - at);
        b->size++;
        b->at[at] = marks[json_documents_chance(d, sizeof marks - 1)];
        return;
    default:
        if (b->size > 0)
            b->at[at] = marks[json_documents_chance(d, sizeof marks - 1)];
    }
}
