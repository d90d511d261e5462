/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory/bytes.h"

#include <endian.h>
#include <string.h>

#define BYTES_VARINT_MAX 10

void bytes_store_u32(uint8_t *at, uint32_t v)
{
    v = htole32(v);
    memcpy(at, &v, sizeof v);
}

void bytes_store_u64(uint8_t *at, uint64_t v)
{
    v = htole64(v);
    memcpy(at, &v, sizeof v);
}

uint32_t bytes_load_u32(const uint8_t *at)
{
    uint32_t v;
    memcpy(&v, at, sizeof v);
    return le32toh(v);
}

uint64_t bytes_load_u64(const uint8_t *at)
{
    uint64_t v;
    memcpy(&v, at, sizeof v);
    return le64toh(v);
}

void bytes_put_u8(struct buf *b, uint8_t v)
{
    *buf_reserve(b, 1) = v;
    b->size += 1;
}

void bytes_put_u32(struct buf *b, uint32_t v)
{
    bytes_store_u32(buf_reserve(b, sizeof v), v);
    b->size += sizeof v;
}

void bytes_put_u64(struct buf *b, uint64_t v)
{
    bytes_store_u64(buf_reserve(b, sizeof v), v);
    b->size += sizeof v;
}

void bytes_put_varint_long(struct buf *b, uint64_t v)
{
    if (b->capacity - b->size <
        BYTES_VARINT_MAX) { /* exactly as many as it needs: there may be no room for more */
        for (; v >= 0x80; v >>= 7)
            bytes_put_u8(b, (uint8_t)(v | 0x80));
        bytes_put_u8(b, (uint8_t)v);
        return;
    }
    uint8_t *at = b->data + b->size;
    for (; v >= 0x80; v >>= 7)
        *at++ = (uint8_t)(v | 0x80);
    *at++ = (uint8_t)v;
    b->size = (size_t)(at - b->data);
}

void bytes_put_text(struct buf *b, const char *text, size_t size)
{
    bytes_put_varint(b, size);
    buf_append(b, text, size);
}

struct bytes_reader bytes_reader_make(const void *data, size_t size)
{
    const uint8_t *at = data;
    return (struct bytes_reader){.at = at, .end = size ? at + size : at};
}

const uint8_t *bytes_get_raw(struct bytes_reader *r, size_t size)
{
    if (r->bad || size > bytes_left(r)) {
        r->bad = true;
        r->at = r->end;
        return NULL;
    }
    const uint8_t *at = r->at;
    if (size)
        r->at += size;
    return at;
}

uint8_t bytes_get_u8(struct bytes_reader *r)
{
    const uint8_t *at = bytes_get_raw(r, 1);
    return at ? *at : 0;
}

uint32_t bytes_get_u32(struct bytes_reader *r)
{
    const uint8_t *at = bytes_get_raw(r, sizeof(uint32_t));
    return at ? bytes_load_u32(at) : 0;
}

uint64_t bytes_get_u64(struct bytes_reader *r)
{
    const uint8_t *at = bytes_get_raw(r, sizeof(uint64_t));
    return at ? bytes_load_u64(at) : 0;
}

/* Refuses what bytes_put_varint would not have written: needless zero bytes, or bits beyond the 64th. */
uint64_t bytes_get_varint(struct bytes_reader *r)
{
    uint64_t v = 0;
    const uint8_t *at = r->bad ? r->end : r->at;
    for (unsigned i = 0; at < r->end && i < BYTES_VARINT_MAX; i++) {
        uint8_t byte = *at++;
        if (i == BYTES_VARINT_MAX - 1 && byte > 1)
            break;
        v |= (uint64_t)(byte & 0x7f) << (7 * i);
        if (byte & 0x80)
            continue;
        if (i > 0 && byte == 0)
            break;
        r->at = at;
        return v;
    }
    r->bad = true;
    r->at = r->end;
    return 0;
}

int64_t bytes_get_signed(struct bytes_reader *r)
{
    uint64_t v = bytes_get_varint(r);
    return (int64_t)((v >> 1) ^ (v & 1 ? UINT64_MAX : 0));
}

const char *bytes_get_text(struct bytes_reader *r, size_t *size)
{
    uint64_t length = bytes_get_varint(r);
    const uint8_t *at = bytes_get_raw(r, length);
    *size = at ? (size_t)length : 0;
    return at ? (const char *)at : "";
}
