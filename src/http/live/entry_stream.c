/* SPDX-License-Identifier: Apache-2.0 */
/* entry_stream.c — the stream of one entry of a waiting room, for its owner, an app or an admin.
 *
 * An `entry` event at once, at every move, when its queue opens, pauses or changes its pace, and otherwise as a
 * refresh, which is also the heartbeat. Each contains the whole current entry, so nothing needs to be resumed and a
 * slow reader is at most one behind. The stream ends when the entry is finished or has left, and with its event.
 *
 * An audience is the streams of one queue: when the queue changes, all of them are marked. An open stream of the owner,
 * or of an app on the owner's behalf, counts as presence.
 */
#include "http/forward/presence.h"
#include "http/queue/entry_call.h"
#include "http/live/message.h"
#include "http/live/stream_source.h"
#include "http/queue/entry_view.h"
#include "http/server.h"

#define PRESENT_SWEEPS 4 /* each stream reports presence once in this many sweeps */

struct entry_stream {
    struct stream stream; /* by event and number */
    bool counts;          /* as presence: it is the owner's, or an app's */
};

struct queue_audience {
    struct audience audience;
    /* The queue as it was when they were last marked. */
    bool paused;
    int64_t opened_at_ms, open_at_ms;
    uint32_t rate_per_second;
};

static void write_entry(struct server *server, struct buf *out, const struct queue_entry_image *entry,
                        uint64_t seq)
{
    uint64_t durable = store_durable_seq(server->store);
    struct json_writer w = message_begin(out, "entry", seq > durable ? seq : durable);
    entry_view_write(server, &w, entry);
    message_end(out);
}

static void entry_send(struct stream *st)
{
    struct server *s = st->connection->server;
    struct queue_entry_image entry;
    uint64_t seq;
    size_t begun;
    if (!view_queue_entry(s->view, st->about[0], (uint32_t)st->about[1], &entry, &seq)) {
        stream_end(st); /* the event is gone */
        return;
    }
    write_entry(s, stream_chunk_begin(st, &begun), &entry, seq);
    stream_chunk_end(st, begun, seq);
    if (queue_status_live(entry.status))
        stream_flush(st);
    else
        stream_end(st); /* the entry will not change any more */
}

static void entry_moved(struct streams *streams, uint64_t event, uint32_t number)
{
    struct stream *st = NULL;
    while ((st = stream_next(streams, STREAM_ENTRY, event, number, st)))
        stream_mark(st);
}

/* ---- Queues ---- */

/* Whether the queue has changed since the last call. */
static bool queue_differs(struct view *view, struct queue_audience *q)
{
    struct queue_view queue;
    struct queue_audience before = *q;
    if (view_queue_find(view, q->audience.id, &queue) != OUTCOME_OK ||
        queue.image.event != q->audience.number)
        return true;
    q->paused = queue.image.paused;
    q->opened_at_ms = queue.image.opened_at_ms;
    q->open_at_ms = queue.settings.open_at_ms;
    q->rate_per_second = queue.settings.rate_per_second;
    return q->paused != before.paused || q->opened_at_ms != before.opened_at_ms ||
           q->open_at_ms != before.open_at_ms || q->rate_per_second != before.rate_per_second;
}

static struct audience *audience_get(struct streams *streams, const struct queue_entry_image *entry)
{
    struct audiences *audiences = &streams->sets[STREAM_ENTRY].audiences;
    struct audience *audience = audiences_find(audiences, entry->event, false);
    if (audience)
        return audience;
    audience = audiences_add(audiences, entry->event, entry->event_id, false);
    queue_differs(streams->server->view, (struct queue_audience *)audience);
    return audience;
}

static void entry_sweep(struct streams *streams, struct stream_set *set)
{
    struct server *s = streams->server;
    for (struct link *l = set->audiences.all.next; l != &set->audiences.all; l = l->next) {
        struct audience *audience = LINK_OWNER(l, struct audience, all);
        if (queue_differs(s->view, (struct queue_audience *)audience))
            stream_mark_audience(streams, audience);
    }
    for (unsigned left = (set->count + PRESENT_SWEEPS - 1) / PRESENT_SWEEPS; left; left--) {
        struct stream *st = LINK_OWNER(set->all.next, struct stream, all);
        link_append(&set->all, &st->all);
        if (((struct entry_stream *)st)->counts)
            presence_note(s, st->about[0], (uint32_t)st->about[1]);
    }
}

/* ---- Beginning ---- */

static void entry_found(struct call *call, const struct outcome *outcome)
{
    struct request *r = call->request;
    const struct queue_entry_image *entry = &outcome->entry;
    bool live = queue_status_live(entry->status);
    write_entry(r->server, &r->scratch, entry, outcome->seq);
    struct stream *st = live ? stream_subscribe(r, STREAM_ENTRY) : NULL;
    if (st) {
        stream_set_key(st, entry->event, entry->number);
        audience_join(audience_get(&r->server->streams, entry), &st->member);
        ((struct entry_stream *)st)->counts = r->actor.role != ROLE_ADMIN;
    }
    stream_reply(r, live);
}

HANDLER(api_queue_entry_stream)
{
    if (stream_has_room(r))
        entry_call_entry(r, COMMAND_QUEUE_LOOK, entry_found);
}

const struct stream_source entry_source = {.size = sizeof(struct entry_stream),
                                           .audience_size = sizeof(struct queue_audience),
                                           .refreshes = true,
                                           .send = entry_send,
                                           .sweep = entry_sweep,
                                           .entry_moved = entry_moved};
