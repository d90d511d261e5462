/* SPDX-License-Identifier: Apache-2.0 */
/* ride_stream.h — Server-Sent Events of dispatch: one ride, for those whom it concerns; the offers of one driver.
 *
 * A ride's stream has the whole ride at each change, so a slow reader is only ever behind by one, and whoever comes back
 * is told only if it has changed since. While it is assigned, its driver's place follows, at most once a second; that is
 * no change, and has no id. The stream ends with the ride, and when the ride is no longer the caller's to see.
 *
 * A driver's stream has every offer and its end. They are in the view's ring (view_driver_touches) for those who come
 * back; what is too old for it is told by a reset and the live offer.
 *
 * Nothing leaves before it is durable. Who follows what is found in a table, so the cost is that of what has happened;
 * writing is spread over turns of the loop.
 */
#ifndef HTTP_RIDE_STREAM_H
#define HTTP_RIDE_STREAM_H

#include <stdbool.h>

#include "http/wire/link.h"

struct server;
struct connection;

#define RIDE_STREAM_BUCKETS 4096

struct ride_streams {
    struct server *server;
    struct link watchers; /* all, in the order in which their next comment is due */
    struct link assigned; /* of rides with a driver, in the order of the next look at it */
    struct link due;      /* to be written to */
    struct link buckets[RIDE_STREAM_BUCKETS]; /* by ride or driver */
    unsigned count;
};

void ride_streams_init(struct ride_streams *streams, struct server *server);
void ride_streams_release(struct ride_streams *streams);
/* Writes to some of those who are due; true when there are more. */
bool ride_streams_pump(struct ride_streams *streams);
/* A few times a second: comments, and where drivers are. */
void ride_streams_sweep(struct ride_streams *streams);

/* ---- For connections ---- */
void ride_stream_leave(struct connection *c);
/* All that was written has been taken by the socket: tell what has come up meanwhile. */
void ride_stream_written(struct connection *c);

#endif
