/* SPDX-License-Identifier: Apache-2.0 */
/* reply_head.h — the head of every answer: status line, Date, Request-Id, X-Content-Type-Options, Holdfast-Seq,
 * length or chunks, Connection, limits, CORS.
 *
 * Written before the body, when its length and seq are not known yet: their digits get as much room as they
 * will probably need, and only if that was wrong is the rest moved. Date and the beginning of the ids made
 * here are formatted once a second.
 */
#ifndef HTTP_REPLY_HEAD_H
#define HTTP_REPLY_HEAD_H

#include "http/wire/request.h"

#define REQUEST_ID_SIZE_MAX 128

/* Of a server: what all heads of one second have in common. */
struct reply_stamp {
    int64_t second; /* since the epoch */
    char text[96];  /* "Date: …\r\nRequest-Id: " and then what begins every id made here */
    unsigned date_size, size;
    char prefix[16]; /* of this process, so that ids of two runs differ */
};

void reply_stamp_init(struct reply_stamp *stamp);

enum reply_body {
    REPLY_BODY_COUNTED, /* with a Content-Length, unless the status has none */
    REPLY_BODY_STREAM,  /* in chunks, for HTTP/1.0 up to the close */
};

/* Appends the head to reply->out. type NULL: there is no body. `size` is the body's, or a guess. */
void reply_head_write(struct request *r, int status, const char *type, enum reply_body body, uint64_t size);
/* Puts the numbers in. */
void reply_head_complete(struct reply *reply, uint64_t seq, uint64_t body_size);

/* The id of the request, as the answer tells it: the caller's own or one made here. Ends in NUL; returns its
 * size. */
size_t reply_request_id(const struct request *r, char out[REQUEST_ID_SIZE_MAX + 1]);

#endif
