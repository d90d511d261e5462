/* SPDX-License-Identifier: Apache-2.0 */
/* member.h — writes one member of a JSON object: its key and its value, for each kind of value. */
#ifndef HTTP_MEMBER_H
#define HTTP_MEMBER_H

#include <stdio.h>

#include "base/json/json_writer.h"
#include "base/time/rfc3339.h"
#include "core/types.h"

/* Inlined, because keys are literals: json_key is then a few stores. */
#define MEMBER static inline __attribute__((always_inline)) void

/* The following values are inside it, until json_object_end or json_array_end. */
MEMBER member_object_begin(struct json_writer *w, const char *key)
{
    json_key(w, key);
    json_object_begin(w);
}

MEMBER member_array_begin(struct json_writer *w, const char *key)
{
    json_key(w, key);
    json_array_begin(w);
}

/* Already JSON. */
MEMBER member_raw(struct json_writer *w, const char *key, const char *json)
{
    json_key(w, key);
    json_raw(w, json, strlen(json));
}

/* null if absent */
MEMBER member_text(struct json_writer *w, const char *key, struct text value)
{
    json_key(w, key);
    if (value.at)
        json_text(w, value.at, value.size);
    else
        json_null(w);
}

MEMBER member_string(struct json_writer *w, const char *key, const char *value)
{
    json_key(w, key);
    json_string(w, value);
}

MEMBER member_int(struct json_writer *w, const char *key, int64_t value)
{
    json_key(w, key);
    json_int(w, value);
}

MEMBER member_uint(struct json_writer *w, const char *key, uint64_t value)
{
    json_key(w, key);
    json_uint(w, value);
}

/* 0 is null */
MEMBER member_time(struct json_writer *w, const char *key, int64_t at_ms)
{
    json_key(w, key);
    json_time(w, at_ms);
}

/* Any instant, including 1970-01-01T00:00:00, which member_time would show as null. */
MEMBER member_instant(struct json_writer *w, const char *key, int64_t at_ms)
{
    char text[RFC3339_SIZE];
    rfc3339_write(at_ms, text);
    json_key(w, key);
    json_text(w, text, sizeof(text));
}

/* A number in quotes. */
MEMBER member_decimal(struct json_writer *w, const char *key, uint32_t number)
{
    json_key(w, key);
    json_decimal(w, number);
}

/* HH:MM; 24:00 is 00:00 */
MEMBER member_clock(struct json_writer *w, const char *key, unsigned minute)
{
    char text[8];
    int size = snprintf(text, sizeof(text), "%02u:%02u", minute / 60 % 24, minute % 60);
    json_key(w, key);
    json_text(w, text, (size_t)size);
}

MEMBER member_bool(struct json_writer *w, const char *key, bool value)
{
    json_key(w, key);
    json_bool(w, value);
}

/* An array. */
MEMBER member_texts(struct json_writer *w, const char *key, const struct text *values, uint32_t count)
{
    member_array_begin(w, key);
    for (uint32_t i = 0; i < count; i++)
        json_text(w, values[i].at, values[i].size);
    json_array_end(w);
}

MEMBER member_milli(struct json_writer *w, const char *key, bool given, int64_t milli)
{
    json_key(w, key);
    if (given)
        json_milli(w, milli);
    else
        json_null(w);
}

/* 1e-7 degrees as degrees. */
MEMBER member_degrees(struct json_writer *w, const char *key, bool given, int32_t e7)
{
    json_key(w, key);
    if (given)
        json_e7(w, e7);
    else
        json_null(w);
}

#endif
