/* SPDX-License-Identifier: Apache-2.0 */
/* chunks.h — bodies in chunked encoding: reads those of requests, writes those of streams.
 *
 * Read strictly: hexadecimal sizes, CR LF everywhere, extensions skipped, trailers skipped but checked for
 * control bytes.
 */
#ifndef HTTP_CHUNKS_H
#define HTTP_CHUNKS_H

#include "base/memory/buf.h"

struct chunks {
    enum {
        CHUNKS_SIZE,
        CHUNKS_EXTENSION,
        CHUNKS_SIZE_LF,
        CHUNKS_DATA,
        CHUNKS_DATA_CR,
        CHUNKS_DATA_LF,
        CHUNKS_TRAILER, /* at the start of a line */
        CHUNKS_TRAILER_LINE,
        CHUNKS_TRAILER_LF,
        CHUNKS_END_LF,
        CHUNKS_DONE,
    } state;
    uint64_t left;     /* of the chunk's data */
    unsigned digits;   /* of the size read so far */
    unsigned overhead; /* bytes of extensions and trailers, bounded */
};

enum chunks_verdict { CHUNKS_MORE, CHUNKS_READY, CHUNKS_BAD, CHUNKS_TOO_LARGE };

/* Start with a zeroed struct. Appends the data to `body`, which may reach `most` bytes; *used is how many bytes
 * were consumed: all of them unless READY, when the others belong to the next request. */
enum chunks_verdict chunks_read(struct chunks *c, const char *bytes, size_t size, struct buf *body,
                                uint64_t most, size_t *used);

/* ---- Written ---- */

#define CHUNKS_LAST "0\r\n\r\n"

/* Everything appended between the two calls is one chunk. If nothing was appended no chunk is written, because an
 * empty chunk ends the body. Both do nothing if the receiver does not support chunked encoding. */
size_t chunk_begin(struct buf *out, bool chunked);
void chunk_end(struct buf *out, size_t begun, bool chunked);

#endif
