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

void codec_put_currency(struct buf *out, const char currency[4])
{
    buf_append(out, currency, 3);
}

void codec_get_currency(struct bytes_reader *in, char currency[4])
{
    const uint8_t *raw = bytes_get_raw(in, 3);
    memset(currency, 0, 4);
    if (raw)
        memcpy(currency, raw, 3);
}

void codec_put_terms(struct buf *out, const struct terms *t)
{
    ASSERT(t->hold_ttl_s <= TTL_SECONDS_MAX && t->max_hold_s <= TTL_SECONDS_MAX);
    ASSERT(t->payment_ttl_s <= TTL_SECONDS_MAX && t->currency[3] == '\0');
    codec_put_currency(out, t->currency);
    bytes_put_varint(out, t->hold_ttl_s);
    bytes_put_varint(out, t->max_hold_s);
    bytes_put_varint(out, t->payment_ttl_s);
    bytes_put_u8(out, (uint8_t)t->payment);
    bytes_put_u8(out, (uint8_t)t->late_payment);
}

void codec_get_terms(struct bytes_reader *in, struct terms *t)
{
    codec_get_currency(in, t->currency);
    t->hold_ttl_s = codec_get_u32(in, TTL_SECONDS_MAX);
    t->max_hold_s = codec_get_u32(in, TTL_SECONDS_MAX);
    t->payment_ttl_s = codec_get_u32(in, TTL_SECONDS_MAX);
    t->payment = (enum payment_rule)bytes_get_u8(in);
    t->late_payment = (enum late_payment_rule)bytes_get_u8(in);
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
