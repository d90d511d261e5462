/* SPDX-License-Identifier: Apache-2.0 */
/* node_answer.h — the head of another node's answer.
 *
 * That node is of this site and runs this program, so only what it sends is read: HTTP/1.1, a length or chunks. Anything
 * else ends the connection. What is kept for the client leaves out what each node writes itself: framing, the
 * connection, Date, Request-Id, limits, CORS.
 */
#ifndef HTTP_NODE_ANSWER_H
#define HTTP_NODE_ANSWER_H

#include "base/memory/buf.h"
#include "core/types.h"

#define NODE_ANSWER_HEAD_MAX 12288
#define NODE_ANSWER_TYPE_MAX 127

struct node_answer {
    int status;
    bool close;   /* the connection ends with it */
    bool chunked; /* a stream; otherwise the body has `length` bytes */
    uint64_t length;
    bool has_length;
    uint64_t seq;                        /* Holdfast-Seq, or 0 */
    char type[NODE_ANSWER_TYPE_MAX + 1]; /* Content-Type; "": none */
};

/* Reads a head of `size` bytes, which ends with an empty line, and appends the lines for the client to `headers`. False: it
 * is not one that this program writes. */
bool node_answer_read(const char *head, size_t size, struct node_answer *out, struct buf *headers);

#endif
