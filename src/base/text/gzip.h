/* SPDX-License-Identifier: Apache-2.0 */
/* gzip.h — bytes as gzip (RFC 1952), by zlib. */
#ifndef BASE_GZIP_H
#define BASE_GZIP_H

#include "base/memory/buf.h"

/* Initialises `out` and fills it with `plain`, packed. */
void gzip_pack(const struct buf *plain, struct buf *out);

#endif
