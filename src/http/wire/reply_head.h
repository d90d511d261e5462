/* SPDX-License-Identifier: Apache-2.0 */
/* reply_head.h — the head of every answer: status line, Date, Request-Id, X-Content-Type-Options, Holdfast-Seq,
 * length or chunks, Connection, limits, CORS.
 *
 * Written before the body, when its length and seq are not known yet: their digits get as much room as they will
 * probably need, and the rest is moved only if the guess was wrong. Date and the beginning of generated ids are
 * formatted once a second.
 */
#ifndef HTTP_REPLY_HEAD_H
#define HTTP_REPLY_HEAD_H

#include "http/wire/request.h"

#define REQUEST_ID_SIZE_MAX 128

/* The part that all heads of one second share. One per server. */
struct reply_stamp {
    int64_t second; /* since the epoch */
    char text[96];  /* "Date: …\r\nRequest-Id: " and the beginning of every generated id */
    unsigned date_size, size;
    char prefix[16]; /* random per process, so that ids of two runs differ */
};

void reply_stamp_init(struct reply_stamp *stamp);

enum reply_body {
    REPLY_BODY_COUNTED, /* with a Content-Length, unless the status has none */
    REPLY_BODY_STREAM,  /* in chunks; for HTTP/1.0 until the close */
};

/* Appends the head to reply->out. type NULL: no body. `size` is the body's size, or a guess. */
void reply_head_write(struct request *r, int status, const char *type, enum reply_body body, uint64_t size);
/* Fills in the numbers. */
void reply_head_complete(struct reply *reply, uint64_t seq, uint64_t body_size);

/* Whether it has a status line: this program answers with it. */
bool reply_status_known(int status);

/* The Request-Id of the answer: the caller's own or a generated one. NUL-terminated; returns its size. */
size_t reply_request_id(const struct request *r, char out[REQUEST_ID_SIZE_MAX + 1]);

#endif
