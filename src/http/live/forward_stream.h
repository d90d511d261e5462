/* SPDX-License-Identifier: Apache-2.0 */
/* forward_stream.h — a stream of the node that decides, passed on to a client of this one as it comes.
 *
 * A client that does not read makes this node stop reading; then the other node treats this one as a slow client, as it
 * would treat any other. The stream ends when either side ends, or when that node does not
 * decide any more.
 */
#ifndef HTTP_FORWARD_STREAM_H
#define HTTP_FORWARD_STREAM_H

#include "http/forward/owner_client.h"
#include "http/wire/request.h"

/* Replies with the stream that this exchange has begun. Takes `x` over; `memory`, which contains it, is freed with it. */
void forward_stream_begin(struct request *r, struct exchange *x, void *memory);

#endif
