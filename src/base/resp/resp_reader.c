/* SPDX-License-Identifier: Apache-2.0 */
#include "base/resp/resp_reader.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "base/text/digits.h"

#define VALUES_FIRST 8u

/* ---- Life ---- */

void resp_reader_init(struct resp_reader *r, const struct resp_limits *limits)
{
    ASSERT(limits->depth <= RESP_DEPTH_MAX && limits->values > 0 && limits->bytes > 0);
    ASSERT(!limits->request || limits->depth == 1);
    *r = (struct resp_reader){.limits = *limits};
    buf_init(&r->texts, limits->bytes);
}

void resp_reader_release(struct resp_reader *r)
{
    buf_release(&r->texts);
    free(r->values);
    r->values = NULL;
    r->value_count = r->value_capacity = 0;
}

void resp_reader_clear(struct resp_reader *r)
{
    r->state = RESP_AT_START;
    r->taken = 0;
    r->value_count = 0;
    r->depth = 0;
    buf_clear(&r->texts);
}

static bool fail(struct resp_reader *r, enum resp_verdict fault)
{
    r->state = RESP_FAILED;
    r->fault = fault;
    return false;
}

/* ---- Values ---- */

static struct resp_value *last_value(struct resp_reader *r)
{
    return &r->values[r->value_count - 1];
}

/* A value has ended, and with it every array of which it was the last element. */
static void end_value(struct resp_reader *r)
{
    while (r->depth && r->open[r->depth - 1].left == 0) {
        uint32_t array = r->open[--r->depth].array;
        r->values[array].span = r->value_count - array;
    }
    r->state = r->depth ? RESP_AT_START : RESP_AT_END;
}

/* The texts are where they stay now. */
static void place_texts(struct resp_reader *r)
{
    const char *at = (const char *)r->texts.data;
    for (uint32_t i = 0; i < r->value_count; i++) {
        struct resp_value *v = &r->values[i];
        if (v->kind != RESP_STATUS && v->kind != RESP_ERROR && v->kind != RESP_BULK)
            continue;
        v->text = at;
        at += v->size + 1;
    }
}

static void end_text(struct resp_reader *r)
{
    buf_append(&r->texts, "", 1);
    end_value(r);
}

/* Digits in their shortest form, or a minus and such digits. */
static bool line_number(const struct resp_reader *r, int64_t *out)
{
    bool minus = r->number_size && r->number[0] == '-';
    const char *digits = r->number + minus;
    size_t size = r->number_size - minus;
    uint64_t value;
    if (!digits_read(digits, size, &value) || (digits[0] == '0' && (size > 1 || minus)))
        return false;
    if (value > (uint64_t)INT64_MAX + minus)
        return false;
    *out = minus ? (int64_t)(0 - value) : (int64_t)value;
    return true;
}

static bool begin_bulk(struct resp_reader *r, uint64_t size)
{
    if (r->limits.bytes - r->taken < 2 || size > r->limits.bytes - r->taken - 2)
        return fail(r, RESP_TOO_LARGE);
    r->left = (size_t)size;
    r->state = size ? RESP_IN_BULK : RESP_AT_BULK_CR;
    last_value(r)->kind = RESP_BULK;
    last_value(r)->size = (size_t)size;
    return true;
}

static bool begin_array(struct resp_reader *r, uint64_t count)
{
    if (count > r->limits.values - r->value_count || r->depth == r->limits.depth)
        return fail(r, RESP_TOO_LARGE);
    last_value(r)->kind = RESP_ARRAY;
    last_value(r)->count = (uint32_t)count;
    r->open[r->depth].array = r->value_count - 1;
    r->open[r->depth++].left = (uint32_t)count;
    end_value(r);
    return true;
}

/* The line of a number is complete. */
static bool end_number(struct resp_reader *r)
{
    struct resp_value *v = last_value(r);
    int64_t number;
    if (!line_number(r, &number))
        return fail(r, RESP_BAD);
    if (r->type == ':') {
        v->kind = RESP_INTEGER;
        v->integer = number;
    } else if (number == -1 && !r->limits.request) {
        v->kind = RESP_NULL;
    } else if (number < 0) {
        return fail(r, RESP_BAD);
    } else {
        return r->type == '$' ? begin_bulk(r, (uint64_t)number) : begin_array(r, (uint64_t)number);
    }
    end_value(r);
    return true;
}

/* ---- Bytes ---- */

static bool type_expected(const struct resp_reader *r, char type)
{
    if (r->limits.request)
        return type == (r->depth ? '$' : '*');
    return type && strchr("+-:$*", type);
}

static bool begin_line(struct resp_reader *r, char type)
{
    if (!type_expected(r, type))
        return fail(r, RESP_BAD);
    if (r->value_count == r->limits.values)
        return fail(r, RESP_TOO_LARGE);
    if (r->depth)
        r->open[r->depth - 1].left--;
    r->values = memory_room(r->values, r->value_count, &r->value_capacity, VALUES_FIRST, sizeof *r->values);
    r->values[r->value_count++] = (struct resp_value){.span = 1};
    r->type = type;
    r->number_size = 0;
    r->state = RESP_IN_NUMBER;
    if (type == '+' || type == '-') {
        last_value(r)->kind = type == '+' ? RESP_STATUS : RESP_ERROR;
        r->state = RESP_IN_LINE;
    }
    return true;
}

static bool number_byte(struct resp_reader *r, char ch)
{
    if (ch == '\r')
        r->state = RESP_AT_LF;
    else if (r->number_size == sizeof r->number)
        return fail(r, RESP_BAD);
    else
        r->number[r->number_size++] = ch;
    return true;
}

/* A byte that is not part of a text. */
static bool frame_byte(struct resp_reader *r, char ch)
{
    switch (r->state) {
    case RESP_AT_START:
        return begin_line(r, ch);
    case RESP_IN_NUMBER:
        return number_byte(r, ch);
    case RESP_AT_BULK_CR:
        r->state = RESP_AT_BULK_LF;
        return ch == '\r' || fail(r, RESP_BAD);
    case RESP_AT_BULK_LF:
        if (ch != '\n')
            return fail(r, RESP_BAD);
        end_text(r);
        return true;
    case RESP_AT_LF:
        if (ch != '\n')
            return fail(r, RESP_BAD);
        if (r->type != '+' && r->type != '-')
            return end_number(r);
        end_text(r);
        return true;
    case RESP_IN_LINE:
    case RESP_IN_BULK:
    case RESP_AT_END:
    case RESP_FAILED:
        break;
    }
    ASSERT(false);
    return false;
}

/* Returns how many bytes belong to the text of a line, or of a bulk. */
static size_t text_bytes(struct resp_reader *r, const char *bytes, size_t size)
{
    size_t take = size;
    if (r->state == RESP_IN_BULK) {
        take = size < r->left ? size : r->left;
        r->left -= take;
        if (r->left == 0)
            r->state = RESP_AT_BULK_CR;
    } else {
        const char *end = memchr(bytes, '\r', size);
        take = end ? (size_t)(end - bytes) : size;
        if (memchr(bytes, '\n', take)) {
            fail(r, RESP_BAD);
            return take;
        }
        last_value(r)->size += take;
        if (end)
            r->state = RESP_AT_LF;
    }
    buf_append(&r->texts, bytes, take);
    return r->state == RESP_AT_LF ? take + 1 : take;
}

enum resp_verdict resp_read(struct resp_reader *r, const void *bytes, size_t size, size_t *used)
{
    const char *at = bytes;
    if (r->state == RESP_AT_END)
        resp_reader_clear(r);
    size_t room = r->limits.bytes - r->taken, most = size < room ? size : room, done = 0;
    while (done < most && r->state != RESP_AT_END && r->state != RESP_FAILED) {
        if (r->state == RESP_IN_LINE || r->state == RESP_IN_BULK) {
            size_t taken = text_bytes(r, at + done, most - done);
            r->taken += taken;
            done += taken;
        } else {
            r->taken++;
            frame_byte(r, at[done++]);
        }
    }
    *used = size;
    if (r->state == RESP_AT_END) {
        place_texts(r);
        *used = done;
        return RESP_READY;
    }
    if (r->state != RESP_FAILED && most < size)
        fail(r, RESP_TOO_LARGE);
    return r->state == RESP_FAILED ? r->fault : RESP_MORE;
}

const struct resp_value *resp_value(const struct resp_reader *r)
{
    ASSERT(r->state == RESP_AT_END);
    return r->values;
}

bool resp_is(const struct resp_value *value, enum resp_kind kind, const char *text)
{
    return value->kind == kind && value->text && value->size == strlen(text) &&
           memcmp(value->text, text, value->size) == 0;
}
