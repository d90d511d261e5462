/* SPDX-License-Identifier: Apache-2.0 */
#include "base/text/gzip.h"

#include <zlib.h>

#include "base/assertion.h"

void gzip_pack(const struct buf *plain, struct buf *out)
{
    z_stream z = {0};
    /* 15 + 16: the largest window, in the format of gzip and not of zlib. */
    int code = deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    ASSERT(code == Z_OK);
    /* Room for the worst case, so that one call is enough. */
    size_t most = deflateBound(&z, plain->size);
    buf_init(out, most + 64);
    z.next_in = plain->data;
    z.avail_in = (uInt)plain->size;
    z.next_out = buf_reserve(out, most);
    z.avail_out = (uInt)most;
    code = deflate(&z, Z_FINISH);
    ASSERT(code == Z_STREAM_END);
    out->size = z.total_out;
    deflateEnd(&z);
}
