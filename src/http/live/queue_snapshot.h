/* SPDX-License-Identifier: Apache-2.0 */
/* queue_snapshot.h — the public state of each waiting room, the same answer for all callers.
 *
 * Millions of clients poll it about once a second. So it is written at most a few times a second, on demand, and
 * sent as it is: header lines and body, ready to be copied. While a newer one waits for the disk the older one is
 * shown, so polls do not wait behind joins.
 *
 * A bounded table with one place per event; two events that share a place overwrite each other in turn, and both
 * stay correct.
 */
#ifndef HTTP_QUEUE_SNAPSHOT_H
#define HTTP_QUEUE_SNAPSHOT_H

#include "base/crypto/hash.h"
#include "core/types.h"

struct request;
struct server;
struct queue_snapshot;
struct queue_view;

#define QUEUE_SNAPSHOTS 1024
#define QUEUE_SNAPSHOT_FRESH_MS 200 /* how long it is not written again */
#define QUEUE_SNAPSHOT_OLD_MS 1000  /* how long it may be shown */

struct queue_snapshots {
    struct hash_key key;
    struct queue_snapshot *snapshots[QUEUE_SNAPSHOTS];
};

void queue_snapshots_init(struct queue_snapshots *snapshots);
void queue_snapshots_release(struct queue_snapshots *snapshots);
/* Replies with the snapshot of the event in the path, or a refusal if there is no such event or waiting room. */
void queue_snapshot_reply(struct request *r);
/* The waiting room of the event in the path. False: there is none, and the refusal was replied. */
bool queue_snapshot_look(struct request *r, struct queue_view *queue);
/* The event's settings have changed: the next request sees them. */
void queue_snapshots_forget(struct server *server, struct text event);

#endif
