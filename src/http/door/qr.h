/* SPDX-License-Identifier: Apache-2.0 */
/* qr.h — a text as a QR code (by libqrencode), drawn as SVG, or as PNG (by zlib).
 *
 * Black on white with a margin of four modules, as ISO/IEC 18004 requires; error correction level M, so that a scratch
 * does no harm.
 * Pure: works on any thread.
 */
#ifndef HTTP_QR_H
#define HTTP_QR_H

#include "base/memory/buf.h"

#define QR_WIDTH_MAX 177 /* of version 40 */
#define QR_TEXT_SIZE_MAX 1024

struct qr {
    unsigned width; /* in modules, without the margin */
    bool dark[QR_WIDTH_MAX * QR_WIDTH_MAX];
};

/* At most QR_TEXT_SIZE_MAX bytes. */
void qr_make(struct qr *qr, const char *text, size_t size);
void qr_write_svg(const struct qr *qr, struct buf *out);
void qr_write_png(const struct qr *qr, struct buf *out);

#endif
