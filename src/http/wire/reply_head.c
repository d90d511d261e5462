/* SPDX-License-Identifier: Apache-2.0 */
#include "http/wire/reply_head.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "base/assertion.h"
#include "base/text/digits.h"
#include "base/crypto/random.h"
#include "http/server.h"
#include "http/wire/connection.h"

/* NULL: this program never answers with it. */
static const char *phrase_of(int status)
{
    /* clang-format off */
    static const char *const phrases[] = {
        [200] = "OK",
        [201] = "Created",
        [202] = "Accepted",
        [204] = "No Content",
        [304] = "Not Modified",
        [400] = "Bad Request",
        [401] = "Unauthorized",
        [402] = "Payment Required",
        [403] = "Forbidden",
        [404] = "Not Found",
        [405] = "Method Not Allowed",
        [409] = "Conflict", [410] = "Gone",
        [412] = "Precondition Failed",
        [413] = "Content Too Large",
        [415] = "Unsupported Media Type",
        [422] = "Unprocessable Content",
        [421] = "Misdirected Request",
        [429] = "Too Many Requests",
        [431] = "Request Header Fields Too Large",
        [500] = "Internal Server Error",
        [503] = "Service Unavailable",
        [507] = "Insufficient Storage",
    };
    /* clang-format on */
    return status > 0 && (size_t)status < sizeof phrases / sizeof *phrases ? phrases[status] : NULL;
}

bool reply_status_known(int status)
{
    return phrase_of(status) != NULL;
}

static const char *status_phrase(int status)
{
    const char *phrase = phrase_of(status);
    ASSERT(phrase);
    return phrase;
}

#define APPEND(out, literal) buf_append(out, literal, sizeof(literal) - 1)

/* ---- Numbers ---- */

static void append_number(struct buf *out, uint64_t value)
{
    char digits[DIGITS_U64_MAX], *end = digits + sizeof digits, *at = digits_write(end, value);
    buf_append(out, at, (size_t)(end - at));
}

/* Leaves room for a number of about this size. */
static struct reply_number begin_number(struct buf *out, uint64_t guess)
{
    struct reply_number number = {.at = out->size};
    append_number(out, guess);
    number.width = out->size - number.at;
    return number;
}

static void put_number(struct buf *out, struct reply_number room, uint64_t value)
{
    char digits[DIGITS_U64_MAX], *end = digits + sizeof digits, *at = digits_write(end, value);
    size_t size = (size_t)(end - at);
    if (size != room.width) {
        buf_reserve(out, DIGITS_U64_MAX);
        uint8_t *rest = out->data + room.at + room.width;
        memmove(out->data + room.at + size, rest, out->size - room.at - room.width);
        out->size += size - room.width;
    }
    memcpy(out->data + room.at, at, size);
}

/* ---- Date and Request-Id ---- */

void reply_stamp_init(struct reply_stamp *stamp)
{
    *stamp = (struct reply_stamp){.second = -1};
    snprintf(stamp->prefix, sizeof stamp->prefix, "%012" PRIx64 "-", random_u64() >> 16);
}

/* The stamp of this instant. */
static const struct reply_stamp *stamp_at(struct reply_stamp *stamp, int64_t now_ms)
{
    if (now_ms / 1000 == stamp->second)
        return stamp;
    stamp->second = now_ms / 1000;
    time_t seconds = (time_t)stamp->second;
    struct tm utc;
    ASSERT(gmtime_r(&seconds, &utc));
    size_t size = strftime(stamp->text, sizeof stamp->text, "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &utc);
    ASSERT(size > 0);
    stamp->date_size = (unsigned)size;
    size += (size_t)snprintf(stamp->text + size, sizeof stamp->text - size, "Request-Id: %s", stamp->prefix);
    ASSERT(size < sizeof stamp->text);
    stamp->size = (unsigned)size;
    return stamp;
}

/* Whether the caller sent a Request-Id that can be repeated. */
static bool has_own_id(const struct request *r)
{
    struct text id = r->headers.request_id;
    if (id.size == 0 || id.size > REQUEST_ID_SIZE_MAX)
        return false;
    for (size_t i = 0; i < id.size; i++)
        if (id.at[i] < ' ' || id.at[i] > '~')
            return false;
    return true;
}

static void append_stamp(const struct request *r, struct buf *out)
{
    const struct reply_stamp *stamp = stamp_at(&r->server->stamp, store_now(r->store));
    if (has_own_id(r)) {
        buf_append(out, stamp->text, stamp->date_size);
        APPEND(out, "Request-Id: ");
        buf_append(out, r->headers.request_id.at, r->headers.request_id.size);
    } else {
        buf_append(out, stamp->text, stamp->size);
        append_number(out, r->number);
    }
    APPEND(out, "\r\n");
}

size_t reply_request_id(const struct request *r, char out[REQUEST_ID_SIZE_MAX + 1])
{
    struct text id = r->headers.request_id;
    bool own = has_own_id(r);
    int size = own ? snprintf(out, REQUEST_ID_SIZE_MAX + 1, "%.*s", (int)id.size, id.at)
                   : snprintf(out, REQUEST_ID_SIZE_MAX + 1, "%s%" PRIu64, r->server->stamp.prefix, r->number);
    ASSERT(size > 0 && size <= REQUEST_ID_SIZE_MAX);
    return (size_t)size;
}

/* ---- The head ---- */

static void append_cors(struct request *r, struct buf *out)
{
    if (r->route && r->route->any_origin) {
        APPEND(out, "Access-Control-Allow-Origin: *\r\n");
        return;
    }
    if (!r->server->options->origin_count)
        return;
    APPEND(out,
           "Vary: Origin\r\n"); /* even without an Origin: a cache may serve it to requests that have one */
    if (r->headers.origin.at && server_origin_allowed(r->server, r->headers.origin))
        buf_printf(out,
                   "Access-Control-Allow-Origin: %.*s\r\nAccess-Control-Expose-Headers: Request-Id, "
                   "Holdfast-Seq, Holdfast-Next-Cursor, Location, ETag, Idempotent-Replayed, Retry-After, "
                   "RateLimit, "
                   "RateLimit-Policy, WWW-Authenticate\r\n",
                   (int)r->headers.origin.size, r->headers.origin.at);
}

/* RateLimit-Policy and RateLimit, as in draft-ietf-httpapi-ratelimit-headers-10. */
static void append_limit(const struct request *r, struct buf *out)
{
    const struct rate_limits_left *left = &r->limit;
    if (left->lane == LANE_NONE)
        return;
    const char *policy =
        r->server->rate_limits.policies[left->lane][left->is_user ? RATE_LIMITS_USER : RATE_LIMITS_ADDRESS];
    const char *name = rate_limits_policy_name(left->lane, left->scope);
    APPEND(out, "RateLimit-Policy: ");
    buf_append(out, policy, strlen(policy));
    APPEND(out, "\r\nRateLimit: \"");
    buf_append(out, name, strlen(name));
    APPEND(out, "\";r=");
    append_number(out, left->requests);
    APPEND(out, ";t=");
    append_number(out, left->full_s);
    APPEND(out, "\r\n");
}

static void append_status_line(struct buf *out, int status)
{
    const char *phrase = status_phrase(status);
    APPEND(out, "HTTP/1.1 ");
    append_number(out, (uint64_t)status);
    APPEND(out, " ");
    buf_append(out, phrase, strlen(phrase));
    APPEND(out, "\r\n");
}

static bool has_length(int status)
{
    return status != 204 && status != 304;
}

static void append_framing(struct request *r, struct buf *out, int status, enum reply_body body,
                           uint64_t size)
{
    bool stream = body == REPLY_BODY_STREAM;
    r->reply.length = (struct reply_number){0};
    if (has_length(status) && !stream) {
        APPEND(out, "\r\nContent-Length: ");
        r->reply.length = begin_number(out, size);
    } else if (stream && !r->http_1_0) {
        APPEND(out, "\r\nTransfer-Encoding: chunked");
    }
    if (stream || !connection_keeps_alive(r))
        APPEND(out, "\r\nConnection: close\r\n");
    else if (r->http_1_0)
        APPEND(out, "\r\nConnection: keep-alive\r\n");
    else
        APPEND(out, "\r\n");
}

void reply_head_write(struct request *r, int status, const char *type, enum reply_body body, uint64_t size)
{
    struct reply *reply = &r->reply;
    struct buf *out = reply->out;
    uint64_t durable = store_durable_seq(r->store);
    reply->head_at = out->size;
    append_status_line(out, status);
    append_stamp(r, out);
    if (type) {
        APPEND(out, "Content-Type: ");
        buf_append(out, type, strlen(type));
        APPEND(out, "\r\n");
    }
    APPEND(out, "X-Content-Type-Options: nosniff\r\nHoldfast-Seq: ");
    reply->seq = begin_number(out, reply->wait_seq > durable ? reply->wait_seq : durable);
    append_framing(r, out, status, body, size);
    append_limit(r, out);
    buf_append(out, r->extra_headers.data, r->extra_headers.size);
    append_cors(r, out);
    APPEND(out, "\r\n");
    reply->body_at = out->size;
}

void reply_head_complete(struct reply *reply, uint64_t seq, uint64_t body_size)
{
    /* From the back, so that earlier positions stay valid. */
    if (reply->length.at)
        put_number(reply->out, reply->length, body_size);
    put_number(reply->out, reply->seq, seq);
}
