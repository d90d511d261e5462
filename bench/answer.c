/* SPDX-License-Identifier: Apache-2.0 */
#include "answer.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

void answer_init(struct answer *a, enum answer_protocol protocol, int expected)
{
    a->protocol = protocol;
    a->expected = expected;
    a->keeps = false;
    answer_next(a);
}

void answer_next(struct answer *a)
{
    a->state = ANSWER_HEAD;
    a->code = 0;
    a->body_left = 0;
    a->head_size = 0;
    a->sample_size = 0;
}

static void keep_sample(struct answer *a, const char *data, size_t size)
{
    size_t queue = ANSWER_SAMPLE_MAX - a->sample_size;
    size_t take = size < queue ? size : queue;
    memcpy(a->sample + a->sample_size, data, take);
    a->sample_size += take;
}

/* Decimal digits up to something else; false without a digit or over 2^53. */
static bool read_number(const char *at, const char *end, uint64_t *out)
{
    uint64_t value = 0;
    const char *start = at;
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        value = value * 10 + (uint64_t)(*at - '0');
        if (value >> 53)
            return false;
    }
    *out = value;
    return at > start;
}

static bool read_http_head(struct answer *a, const char *head, size_t size)
{
    uint64_t status = 0;
    const char *end = head + size;
    if (size < 13 || memcmp(head, "HTTP/1.1 ", 9) || !read_number(head + 9, head + 12, &status) ||
        status < 100 || status >= ANSWER_CODES)
        return false;
    a->code = (int)status;
    static const char name[] = "content-length:";
    for (const char *line = memchr(head, '\n', size); line && ++line < end;
         line = memchr(line, '\n', (size_t)(end - line))) {
        if ((size_t)(end - line) < sizeof(name) || strncasecmp(line, name, sizeof(name) - 1))
            continue;
        const char *value = line + sizeof(name) - 1;
        while (value < end && *value == ' ')
            value++;
        return read_number(value, end, &a->body_left);
    }
    return status == 204 || status == 304; /* any other needs a length: this reader does not support chunks */
}

static bool read_resp_head(struct answer *a, const char *head, size_t size)
{
    uint64_t bytes = 0;
    a->code = ANSWER_RESP_OTHER;
    switch (head[0]) {
    case '+':
        if (size == 5 && !memcmp(head, "+OK", 3))
            a->code = ANSWER_RESP_OK;
        return true;
    case '-':
        a->code = ANSWER_RESP_ERROR;
        return true;
    case ':':
        return true;
    case '_':
        a->code = ANSWER_RESP_NIL;
        return true;
    case '$':
        if (size == 5 && !memcmp(head, "$-1", 3)) {
            a->code = ANSWER_RESP_NIL;
            return true;
        }
        if (!read_number(head + 1, head + size, &bytes))
            return false;
        a->body_left = bytes + 2;
        return true;
    default:
        return false;
    }
}

static void head_complete(struct answer *a, const char *head, size_t size)
{
    bool good = a->protocol == ANSWER_HTTP ? read_http_head(a, head, size) : read_resp_head(a, head, size);
    if (!good || a->code != a->expected)
        keep_sample(a, head, a->protocol == ANSWER_HTTP && good ? 0 : size);
    if (!good)
        a->state = ANSWER_BAD;
    else
        a->state = a->body_left ? ANSWER_BODY : ANSWER_DONE;
}

/* The bytes of `data` that belong to the head, including its end; the state advances when the end was there. */
static size_t feed_head(struct answer *a, const char *data, size_t size)
{
    size_t mark = a->protocol == ANSWER_HTTP ? 4 : 2;
    if (!a->head_size) {
        const char *found = memmem(data, size, "\r\n\r\n" + (4 - mark), mark);
        if (found) {
            size_t head_size = (size_t)(found - data) + mark;
            head_complete(a, data, head_size);
            return head_size;
        }
    }
    size_t before = a->head_size, queue = ANSWER_HEAD_MAX - before;
    size_t take = size < queue ? size : queue;
    memcpy(a->head + before, data, take);
    size_t from = before > mark ? before - mark : 0;
    const char *found = memmem(a->head + from, before + take - from, "\r\n\r\n" + (4 - mark), mark);
    if (!found) {
        a->head_size = before + take;
        if (a->head_size == ANSWER_HEAD_MAX)
            a->state = ANSWER_BAD;
        return take;
    }
    size_t head_size = (size_t)(found - a->head) + mark;
    head_complete(a, a->head, head_size);
    return head_size - before;
}

size_t answer_feed(struct answer *a, const char *data, size_t size)
{
    size_t taken = 0;
    if (a->state == ANSWER_HEAD)
        taken = feed_head(a, data, size);
    if (a->state == ANSWER_BODY && taken < size) {
        size_t left = size - taken;
        size_t take = a->body_left < left ? (size_t)a->body_left : left;
        if (a->keeps || a->code != a->expected)
            keep_sample(a, data + taken, take);
        a->body_left -= take;
        taken += take;
        if (!a->body_left)
            a->state = ANSWER_DONE;
    }
    return taken;
}

const char *answer_name(enum answer_protocol protocol, int code, char out[16])
{
    static const char *const resp[] = {"none", "OK", "nil", "error", "other"};
    if (protocol == ANSWER_RESP)
        return resp[code];
    snprintf(out, 16, "%d", code);
    return out;
}
