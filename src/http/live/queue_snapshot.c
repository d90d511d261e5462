/* SPDX-License-Identifier: Apache-2.0 */
#include "http/live/queue_snapshot.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory/memory.h"
#include "base/crypto/random.h"
#include "http/record/encode.h"
#include "http/server.h"
#include "http/wire/reply.h"

#define HEADERS_SIZE_MAX 160
#define BODY_SIZE_MAX 640
#define ETAG_SIZE 20 /* sixteen digits in quotes, and a NUL */

/* The answer at one point in time. */
struct queue_snapshot_face {
    int64_t made_ms; /* by the store's clock; 0: empty */
    uint64_t seq;    /* may be shown once this is durable */
    uint64_t shown_seq;
    char etag[ETAG_SIZE];
    char headers[HEADERS_SIZE_MAX], body[BODY_SIZE_MAX];
    size_t headers_size, body_size;
};

struct queue_snapshot {
    char event[ID_SIZE_MAX];
    size_t event_size;
    struct queue_snapshot_face front, next; /* the next one waits for the disk */
};

void queue_snapshots_init(struct queue_snapshots *snapshots)
{
    snapshots->key = (struct hash_key){random_u64(), random_u64()};
}

void queue_snapshots_release(struct queue_snapshots *snapshots)
{
    for (size_t i = 0; i < QUEUE_SNAPSHOTS; i++) {
        free(snapshots->snapshots[i]);
        snapshots->snapshots[i] = NULL;
    }
}

static struct queue_snapshot **snapshot_place(struct queue_snapshots *snapshots, struct text event)
{
    return &snapshots->snapshots[hash_sip(snapshots->key, event.at, event.size) % QUEUE_SNAPSHOTS];
}

static bool snapshot_is_of(const struct queue_snapshot *snapshot, struct text event)
{
    return snapshot && text_equal((struct text){snapshot->event, snapshot->event_size}, event);
}

void queue_snapshots_forget(struct server *server, struct text event)
{
    struct queue_snapshot *snapshot = *snapshot_place(&server->snapshots, event);
    if (snapshot_is_of(snapshot, event))
        snapshot->front.made_ms = snapshot->next.made_ms = 0;
}

/* Overwrites the snapshot of another event in the same place. */
static struct queue_snapshot *snapshot_take(struct queue_snapshots *snapshots, struct text event)
{
    struct queue_snapshot **place = snapshot_place(snapshots, event);
    if (!*place)
        *place = memory_zeroed(1, sizeof **place);
    struct queue_snapshot *snapshot = *place;
    if (!snapshot_is_of(snapshot, event)) {
        *snapshot = (struct queue_snapshot){.event_size = event.size};
        memcpy(snapshot->event, event.at, event.size);
    }
    return snapshot;
}

bool queue_snapshot_look(struct request *r, struct queue_view *queue)
{
    enum outcome_code code = view_queue_find(r->view, r->parameters[0], queue);
    if (code == OUTCOME_OK && queue->has_queue)
        return true;
    struct event_view event;
    if (view_event_find(r->view, r->parameters[0], &event))
        reply_wait(r, event.seq);
    reply_outcome(r, code == OUTCOME_OK ? OUTCOME_NO_WAITING_ROOM : code);
    return false;
}

static void face_write(struct queue_snapshot_face *face, const struct queue_view *queue,
                       const struct request *r)
{
    struct buf body = {
        .data = (uint8_t *)face->body, .capacity = sizeof face->body, .limit = sizeof face->body};
    struct buf headers = {
        .data = (uint8_t *)face->headers, .capacity = sizeof face->headers, .limit = sizeof face->headers};
    struct json_writer w = json_writer_make(&body);
    uint64_t durable = store_durable_seq(r->store);
    encode_queue(&w, queue, false);
    uint64_t hash = hash_sip((struct hash_key){1, 2}, body.data, body.size);
    snprintf(face->etag, sizeof face->etag, "\"%016" PRIx64 "\"", hash);
    /* A cache must not serve this to an admin, who gets a different answer. */
    buf_printf(&headers, "Cache-Control: public, max-age=1\r\nETag: %s\r\nVary: Authorization\r\n",
               face->etag);
    face->headers_size = headers.size;
    face->body_size = body.size;
    face->made_ms = r->now_ms;
    face->seq = queue->seq;
    face->shown_seq = queue->seq > durable ? queue->seq : durable;
}

static bool younger(const struct queue_snapshot_face *face, const struct request *r, int64_t age_ms)
{
    return face->made_ms && r->now_ms - face->made_ms < age_ms;
}

static void take_next(struct queue_snapshot *snapshot, const struct request *r)
{
    if (!snapshot->next.made_ms || snapshot->next.seq > store_durable_seq(r->store))
        return;
    snapshot->front = snapshot->next;
    snapshot->next.made_ms = 0;
}

/* The answer that may be shown now; NULL: a new one must be written. */
static const struct queue_snapshot_face *snapshot_face(struct queue_snapshot *snapshot,
                                                       const struct request *r)
{
    take_next(snapshot, r);
    if (younger(&snapshot->front, r, QUEUE_SNAPSHOT_FRESH_MS))
        return &snapshot->front;
    if (!younger(&snapshot->next, r, QUEUE_SNAPSHOT_FRESH_MS))
        return NULL;
    return younger(&snapshot->front, r, QUEUE_SNAPSHOT_OLD_MS) ? &snapshot->front : &snapshot->next;
}

void queue_snapshot_reply(struct request *r)
{
    struct text event = r->parameters[0];
    struct queue_snapshot *snapshot = *snapshot_place(&r->server->snapshots, event);
    const struct queue_snapshot_face *face =
        snapshot_is_of(snapshot, event) ? snapshot_face(snapshot, r) : NULL;
    if (!face) {
        struct queue_view queue;
        if (!queue_snapshot_look(r, &queue))
            return;
        snapshot = snapshot_take(&r->server->snapshots, event);
        face_write(&snapshot->next, &queue, r);
        face = snapshot_face(snapshot, r);
    }
    reply_wait(r, face->seq);
    reply_seq(r, face->shown_seq);
    reply_prebuilt(r, face->etag, (struct text){face->headers, face->headers_size},
                   (struct text){face->body, face->body_size});
}
