/* SPDX-License-Identifier: Apache-2.0 */
#include "http/door/qr.h"

#include <qrencode.h>
#include <string.h>
#include <zlib.h>

#include "base/assertion.h"

#define MARGIN 4
#define PIXELS 8 /* of a module in a PNG */

void qr_make(struct qr *qr, const char *text, size_t size)
{
    ASSERT(size > 0 && size <= QR_TEXT_SIZE_MAX);
    QRcode *code = QRcode_encodeData((int)size, (const unsigned char *)text, 0, QR_ECLEVEL_M);
    ASSERT(code &&
           code->width <= QR_WIDTH_MAX); /* fails only for a text that is too long, or without memory */
    qr->width = (unsigned)code->width;
    for (size_t i = 0; i < (size_t)qr->width * qr->width; i++)
        qr->dark[i] = code->data[i] & 1;
    QRcode_free(code);
}

/* ---- SVG: a path with a rectangle for each run of dark modules ---- */

void qr_write_svg(const struct qr *qr, struct buf *out)
{
    unsigned whole = qr->width + 2 * MARGIN;
    buf_printf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %u\" shape-rendering=\"crispEdges\">"
        "<path fill=\"#fff\" d=\"M0 0h%uv%uH0z\"/><path d=\"",
        whole, whole, whole, whole);
    for (unsigned y = 0; y < qr->width; y++)
        for (unsigned x = 0, run; x < qr->width; x += run) {
            const bool *row = &qr->dark[y * qr->width];
            for (run = 1; x + run < qr->width && row[x + run] == row[x]; run++) {
            }
            if (row[x])
                buf_printf(out, "M%u %uh%uv1h-%uz", x + MARGIN, y + MARGIN, run, run);
        }
    buf_printf(out, "\"/></svg>\n");
}

/* ---- PNG: one bit per pixel, gray; each line begins with a filter byte, always 0 (none) ---- */

static void put_u32(uint8_t *out, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        out[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* Length, type, data, and the CRC of type and data. */
static void put_chunk(struct buf *out, const char type[4], const void *data, size_t size)
{
    uint8_t word[4];
    put_u32(word, (uint32_t)size);
    buf_append(out, word, 4);
    buf_append(out, type, 4);
    if (size)
        buf_append(out, data, size);
    uLong crc = crc32(crc32(0, NULL, 0), (const Bytef *)type, 4);
    put_u32(word, (uint32_t)(size ? crc32(crc, data, (uInt)size) : crc));
    buf_append(out, word, 4);
}

/* The lines of one row of modules; NULL: a row of the margin. */
static void put_rows(struct buf *lines, const bool *row, unsigned width)
{
    uint8_t line[1 + QR_WIDTH_MAX + 2 * MARGIN];
    _Static_assert(PIXELS == 8, "a module is a byte");
    memset(line, 0xff, sizeof(line));
    line[0] = 0;
    for (unsigned x = 0; row && x < width; x++)
        line[1 + MARGIN + x] = row[x] ? 0 : 0xff;
    for (int i = 0; i < PIXELS; i++)
        buf_append(lines, line, 1 + width + 2 * MARGIN);
}

void qr_write_png(const struct qr *qr, struct buf *out)
{
    static const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    uint8_t head[13] = {[8] = 1}; /* bit depth 1; gray, and the standard methods, are 0 */
    unsigned whole = qr->width + 2 * MARGIN;
    struct buf lines;
    buf_init(&lines, (size_t)whole * PIXELS * (1 + whole) + 64);
    for (unsigned y = 0; y < whole; y++) {
        bool inside = y >= MARGIN && y < MARGIN + qr->width;
        put_rows(&lines, inside ? &qr->dark[(y - MARGIN) * qr->width] : NULL, qr->width);
    }
    uLongf size = compressBound(lines.size);
    struct buf packed;
    buf_init(&packed, size + 64);
    int code = compress(buf_reserve(&packed, size), &size, lines.data, lines.size);
    ASSERT(code == Z_OK);
    put_u32(head, whole * PIXELS);
    put_u32(head + 4, whole * PIXELS);
    buf_append(out, signature, sizeof(signature));
    put_chunk(out, "IHDR", head, sizeof(head));
    put_chunk(out, "IDAT", packed.data, size);
    put_chunk(out, "IEND", NULL, 0);
    buf_release(&packed);
    buf_release(&lines);
}
