/* SPDX-License-Identifier: Apache-2.0 */
#include "http/wire/chunks.h"

#include "base/assertion.h"
#include "base/text/digits.h"

#define DIGITS_MAX 8      /* of a chunk's size: below 4 GiB */
#define OVERHEAD_MAX 8192 /* extensions and trailers of one body */
#define HEAD_SIZE (DIGITS_MAX + 2)

static bool is_control(char ch)
{
    return ((uint8_t)ch < 0x20 && ch != '\t') || ch == 0x7f;
}

/* One byte of a chunk's size line. */
static bool size_byte(struct chunks *c, char ch)
{
    int value = digits_hex(ch);
    if (value >= 0) {
        c->left = c->left * 16 + (uint64_t)value;
        return ++c->digits <= DIGITS_MAX;
    }
    if (c->digits == 0)
        return false;
    if (ch == '\r')
        c->state = CHUNKS_SIZE_LF;
    else if (ch == ';')
        c->state = CHUNKS_EXTENSION;
    else
        return false;
    return true;
}

/* One byte of an extension or a trailer line, up to its CR. */
static bool skipped_byte(struct chunks *c, char ch, int after_cr)
{
    if (ch == '\r') {
        c->state = after_cr;
        return true;
    }
    return !is_control(ch) && ++c->overhead <= OVERHEAD_MAX;
}

/* One byte outside the data. */
static bool frame_byte(struct chunks *c, char ch)
{
    switch (c->state) {
    case CHUNKS_SIZE:
        return size_byte(c, ch);
    case CHUNKS_EXTENSION:
        return skipped_byte(c, ch, CHUNKS_SIZE_LF);
    case CHUNKS_SIZE_LF:
        c->state = c->left ? CHUNKS_DATA : CHUNKS_TRAILER;
        return ch == '\n';
    case CHUNKS_DATA_CR:
        c->state = CHUNKS_DATA_LF;
        return ch == '\r';
    case CHUNKS_DATA_LF:
        c->state = CHUNKS_SIZE;
        c->digits = 0;
        return ch == '\n';
    case CHUNKS_TRAILER:
        if (ch == '\r') {
            c->state = CHUNKS_END_LF;
            return true;
        }
        c->state = CHUNKS_TRAILER_LINE;
        return ch != ' ' && ch != '\t' && skipped_byte(c, ch, CHUNKS_TRAILER_LF);
    case CHUNKS_TRAILER_LINE:
        return skipped_byte(c, ch, CHUNKS_TRAILER_LF);
    case CHUNKS_TRAILER_LF:
        c->state = CHUNKS_TRAILER;
        return ch == '\n';
    case CHUNKS_END_LF:
        c->state = CHUNKS_DONE;
        return ch == '\n';
    case CHUNKS_DATA:
    case CHUNKS_DONE:
        break;
    }
    ASSERT(false);
    return false;
}

enum chunks_verdict chunks_read(struct chunks *c, const char *bytes, size_t size, struct buf *body,
                                uint64_t most, size_t *used)
{
    ASSERT(c->state != CHUNKS_DONE);
    size_t at = 0;
    while (at < size && c->state != CHUNKS_DONE) {
        if (c->state == CHUNKS_DATA) {
            size_t take = size - at < c->left ? size - at : (size_t)c->left;
            ASSERT(take <= most - body->size); /* checked below, when the size was read */
            buf_append(body, bytes + at, take);
            at += take;
            c->left -= take;
            if (c->left == 0)
                c->state = CHUNKS_DATA_CR;
        } else if (!frame_byte(c, bytes[at++])) {
            return CHUNKS_BAD;
        } else if (c->state == CHUNKS_DATA && c->left > most - body->size) {
            return CHUNKS_TOO_LARGE; /* before the data is read */
        }
    }
    *used = at;
    return c->state == CHUNKS_DONE ? CHUNKS_READY : CHUNKS_MORE;
}

/* ---- Written ---- */

size_t chunk_begin(struct buf *out, bool chunked)
{
    size_t begun = out->size;
    if (chunked) {
        buf_reserve(out, HEAD_SIZE);
        out->size += HEAD_SIZE;
    }
    return begun;
}

/* The size has leading zeros, which are allowed, so that its place can be reserved before it is known. */
void chunk_end(struct buf *out, size_t begun, bool chunked)
{
    static const char digits[] = "0123456789abcdef";
    if (!chunked)
        return;
    ASSERT(out->size >= begun + HEAD_SIZE);
    size_t size = out->size - begun - HEAD_SIZE;
    if (size == 0) {
        out->size = begun;
        return;
    }
    ASSERT(size <= UINT32_MAX);
    uint8_t *head = out->data + begun;
    for (unsigned i = DIGITS_MAX; i-- > 0; size >>= 4)
        head[i] = (uint8_t)digits[size & 15];
    head[DIGITS_MAX] = '\r';
    head[DIGITS_MAX + 1] = '\n';
    buf_append(out, "\r\n", 2);
}
