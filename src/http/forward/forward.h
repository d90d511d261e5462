/* SPDX-License-Identifier: Apache-2.0 */
/* forward.h — requests that this process cannot answer: the node that decides does.
 *
 * The whole request goes there, with the caller's credentials and Holdfast-Node (node_header.h), and the answer comes back
 * with its status, headers and body. An import whose body is still arriving is passed on as it comes, and so is a stream.
 *
 *   4 s (imports: 120 s) without an answer   503 undecided if it may have happened, else 503 unavailable
 *   no deciding node, or it is unreachable   503 unavailable, with Retry-After
 *
 * The client's credentials, role, size, type and rate were judged here first, as far as they can be. Everything else,
 * and these once more, is judged there.
 */
#ifndef HTTP_FORWARD_H
#define HTTP_FORWARD_H

#include "http/wire/request.h"

struct forward;

/* Answers the request, at once or later. Its body is complete. */
void forward_request(struct request *r);

/* ---- An import whose body is still arriving ---- */
void forward_begin_upload(struct request *r);
/* The next bytes of the body, without their chunks; `last`: the body is complete. */
void forward_upload(struct request *r, const char *bytes, size_t size, bool last);
/* Whether the client should send more slowly. */
bool forward_full(const struct request *r);
/* The client is gone, or its body is refused: the other node gets no complete request. */
void forward_abandon(struct request *r);

#endif
