/* SPDX-License-Identifier: Apache-2.0 */
/* entry_stream.h — Server-Sent Events: the state of one entry of a waiting room, sent to those who follow it.
 *
 * An `entry` event at once, at every move, when its queue opens, pauses or changes its pace, and otherwise as
 * a refresh within fifteen seconds, which is the sign of life too. Each is the whole entry as it is at that
 * moment, so nothing needs to be resumed and a slow reader is only ever behind by one. The stream ends when
 * the entry is finished or has left.
 *
 * The followers of an entry are found in a table, so the cost is that of those who moved. A queue that
 * changes stirs only its own group of followers, however many queues there are. The writing is spread over
 * turns of the loop. An open stream of the owner, or of an app for them, counts as asking: its entry is
 * present.
 */
#ifndef HTTP_ENTRY_STREAM_H
#define HTTP_ENTRY_STREAM_H

#include <stdint.h>

#include "http/live/audience.h"
#include "http/live/wheel.h"
#include "http/wire/link.h"

struct server;
struct connection;

#define ENTRY_STREAM_BUCKETS 4096

struct entry_streams {
    struct server *server;
    struct link followers;                     /* all, in the order in which their presence is next told */
    struct link buckets[ENTRY_STREAM_BUCKETS]; /* by entry */
    struct wheel wheel;                        /* by when they are next refreshed */
    struct link due;                           /* to be written to */
    struct audiences groups;                   /* the queues whose entries are followed */
    unsigned count;
};

void entry_streams_init(struct entry_streams *streams, struct server *server);
void entry_streams_release(struct entry_streams *streams);
/* Writes to some of those who are due; true when there are more. */
bool entry_streams_pump(struct entry_streams *streams);
/* A few times a second: presence, refreshes, queues that have changed. */
void entry_streams_sweep(struct entry_streams *streams);

/* ---- For connections ---- */
void entry_stream_leave(struct connection *c);
/* All that was written has been taken by the socket: tell what has come up meanwhile. */
void entry_stream_written(struct connection *c);

#endif
