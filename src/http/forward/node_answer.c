/* SPDX-License-Identifier: Apache-2.0 */
#include "http/forward/node_answer.h"

#include <string.h>

#include "base/text/digits.h"
#include "http/wire/reply_head.h"
#include "http/wire/request.h"

#define VERSION "HTTP/1.1 "

/* Written by this node for its own clients, or only for the connection between the two. */
static bool is_own(struct text name)
{
    static const char *const own[] = {
        "Date",      "Request-Id",       "X-Content-Type-Options",      "Keep-Alive",
        "RateLimit", "RateLimit-Policy", "Access-Control-Allow-Origin", "Access-Control-Expose-Headers",
        "Trailer",   "Upgrade"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (request_word_is(name, own[i]))
            return true;
    return false;
}

static bool read_type(struct text value, struct node_answer *out)
{
    if (value.size > NODE_ANSWER_TYPE_MAX)
        return false;
    memcpy(out->type, value.at, value.size);
    out->type[value.size] = '\0';
    return true;
}

/* A header that frames the answer or is written anew. *taken: it is not for the client as it is. */
static bool read_known(struct text name, struct text value, struct node_answer *out, bool *taken)
{
    *taken = true;
    if (request_word_is(name, "Content-Length")) {
        bool again = out->has_length;
        out->has_length = true;
        return !again && digits_read(value.at, value.size, &out->length);
    }
    if (request_word_is(name, "Transfer-Encoding")) {
        out->chunked = true;
        return request_word_is(value, "chunked");
    }
    if (request_word_is(name, "Connection")) {
        out->close = out->close || request_word_is(value, "close");
        return true;
    }
    if (request_word_is(name, "Content-Type"))
        return read_type(value, out);
    if (request_word_is(name, "Holdfast-Seq"))
        return digits_read_u64(value.at, value.size, &out->seq);
    *taken = is_own(name) || (request_word_is(name, "Vary") && request_word_is(value, "Origin"));
    return true;
}

static bool read_line(struct text line, struct node_answer *out, struct buf *headers)
{
    const char *colon = memchr(line.at, ':', line.size);
    bool taken;
    if (!colon || colon == line.at)
        return false;
    for (size_t i = 0; i < line.size; i++) /* no client must see a line that the other node did not write */
        if (((uint8_t)line.at[i] < 0x20 && line.at[i] != '\t') || line.at[i] == 0x7f)
            return false;
    struct text name = {line.at, (size_t)(colon - line.at)}, value = {colon + 1, line.size - name.size - 1};
    while (value.size && (value.at[0] == ' ' || value.at[0] == '\t'))
        value = (struct text){value.at + 1, value.size - 1};
    if (!read_known(name, value, out, &taken))
        return false;
    if (!taken) {
        buf_append(headers, line.at, line.size);
        buf_append(headers, "\r\n", 2);
    }
    return true;
}

/* "HTTP/1.1 200 OK" */
static bool read_status(struct text line, struct node_answer *out)
{
    size_t digits = strlen(VERSION);
    uint64_t status;
    if (line.size < digits + 3 || memcmp(line.at, VERSION, digits) != 0 ||
        !digits_read(line.at + digits, 3, &status))
        return false;
    out->status = (int)status;
    return reply_status_known(out->status);
}

bool node_answer_read(const char *head, size_t size, struct node_answer *out, struct buf *headers)
{
    const char *at = head, *end = head + size;
    *out = (struct node_answer){0};
    while (at < end) {
        const char *stop = memmem(at, (size_t)(end - at), "\r\n", 2);
        if (!stop)
            return false;
        struct text line = {at, (size_t)(stop - at)};
        if (line.size == 0)
            return out->status && !(out->chunked && out->has_length);
        if (!(at == head ? read_status(line, out) : read_line(line, out, headers)))
            return false;
        at = stop + 2;
    }
    return false;
}
