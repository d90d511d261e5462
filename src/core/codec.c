/* SPDX-License-Identifier: Apache-2.0 */
#include "core/codec.h"

#include "base/assertion.h"

void codec_put_text(struct buf *out, struct text t)
{
    ASSERT(t.at || t.size == 0);
    bytes_put_text(out, t.at ? t.at : "", t.size);
}

void codec_put_optional(struct buf *out, struct text t)
{
    bytes_put_varint(out, t.at ? t.size + 1 : 0);
    if (t.at)
        buf_append(out, t.at, t.size);
}

struct text codec_get_text(struct bytes_reader *in)
{
    struct text t;
    t.at = bytes_get_text(in, &t.size);
    return t;
}

struct text codec_get_optional(struct bytes_reader *in)
{
    uint64_t size = bytes_get_varint(in);
    if (size == 0)
        return (struct text){0};
    const uint8_t *raw = bytes_get_raw(in, (size_t)(size - 1));
    return raw ? (struct text){(const char *)raw, (size_t)(size - 1)} : (struct text){0};
}

struct text codec_get_bounded(struct bytes_reader *in, size_t most)
{
    struct text t = codec_get_optional(in);
    in->bad = in->bad || t.size > most;
    return t;
}

void codec_put_id(struct buf *out, struct id id)
{
    bytes_put_u64(out, id.high);
    bytes_put_u64(out, id.low);
}

struct id codec_get_id(struct bytes_reader *in)
{
    uint64_t high = bytes_get_u64(in);
    return (struct id){high, bytes_get_u64(in)};
}

void codec_put_u32(struct buf *out, uint64_t v, uint64_t most)
{
    ASSERT(v <= most);
    bytes_put_varint(out, v);
}

uint32_t codec_get_u32(struct bytes_reader *in, uint64_t most)
{
    uint64_t v = bytes_get_varint(in);
    if (v > most) {
        in->bad = true;
        return 0;
    }
    return (uint32_t)v;
}

void codec_put_word(struct buf *out, unsigned v, unsigned least, unsigned most)
{
    ASSERT(v >= least && v <= most && most <= UINT8_MAX);
    bytes_put_u8(out, (uint8_t)v);
}

uint8_t codec_get_word(struct bytes_reader *in, unsigned least, unsigned most)
{
    uint8_t v = bytes_get_u8(in);
    if (v < least || v > most)
        in->bad = true;
    return v;
}

static bool list_fits(const struct bytes_reader *list, uint32_t count, uint32_t size)
{
    return size ? bytes_left(list) == (size_t)count * size : bytes_left(list) >= count;
}

void codec_put_list(struct buf *out, const struct bytes_reader *list, uint32_t count, uint32_t most,
                    uint32_t size)
{
    ASSERT(list_fits(list, count, size));
    codec_put_u32(out, count, most);
    buf_append(out, list->at, bytes_left(list));
}

struct bytes_reader codec_get_list(struct bytes_reader *in, uint32_t *count, uint32_t most, uint32_t size)
{
    *count = codec_get_u32(in, most);
    struct bytes_reader rest = *in;
    in->bad = in->bad || !list_fits(&rest, *count, size);
    in->at = in->end;
    return rest;
}

void codec_put_key(struct buf *out, const uint64_t key[2])
{
    bool has_key = key[0] || key[1];
    bytes_put_u8(out, has_key);
    if (has_key) {
        bytes_put_u64(out, key[0]);
        bytes_put_u64(out, key[1]);
    }
}

void codec_get_key(struct bytes_reader *in, uint64_t key[2])
{
    bool has_key = bytes_get_u8(in);
    key[0] = has_key ? bytes_get_u64(in) : 0;
    key[1] = has_key ? bytes_get_u64(in) : 0;
}

void codec_get_raw(struct bytes_reader *in, void *to, size_t size)
{
    const uint8_t *raw = bytes_get_raw(in, size);
    if (raw)
        memcpy(to, raw, size);
    else
        memset(to, 0, size);
}

#define TERMS_FIELDS(X)                                                                                      \
    X(raw, currency, 3)                                                                                      \
    X(u32, hold_ttl_s, TTL_SECONDS_MAX)                                                                      \
    X(u32, max_hold_s, TTL_SECONDS_MAX)                                                                      \
    X(u32, staff_hold_s, TTL_SECONDS_MAX)                                                                    \
    X(u32, payment_ttl_s, TTL_SECONDS_MAX)                                                                   \
    X(word, payment, 0, PAYMENT_RULE_LAST)                                                                   \
    X(word, late_payment, 0, LATE_PAYMENT_RULE_LAST)

void codec_put_terms(struct buf *out, const struct terms *r)
{
    ASSERT(r->currency[3] == '\0');
    TERMS_FIELDS(CODEC_PUT)
}

void codec_get_terms(struct bytes_reader *in, struct terms *r)
{
    r->currency[3] = '\0';
    TERMS_FIELDS(CODEC_GET)
}

void codec_put_later(struct buf *out, int64_t after_ms, int64_t most_ms)
{
    ASSERT(after_ms >= 0 && after_ms <= most_ms);
    bytes_put_signed(out, after_ms);
}

int64_t codec_get_later(struct bytes_reader *in, int64_t than_ms, int64_t most_ms)
{
    int64_t after_ms = bytes_get_signed(in);
    /* Judged before it is added: the sum of damaged numbers could overflow. */
    if (after_ms < 0 || after_ms > most_ms || than_ms > INT64_MAX - most_ms) {
        in->bad = true;
        return than_ms;
    }
    return than_ms + after_ms;
}
