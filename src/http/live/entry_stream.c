/* SPDX-License-Identifier: Apache-2.0 */
#include "http/live/entry_stream.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "http/api/entry_call.h"
#include "http/live/message.h"
#include "http/record/entry_view.h"
#include "http/server.h"
#include "http/wire/reply.h"

#define REFRESH_MS (15000 - WHEEL_SPOKE_MS) /* so within fifteen seconds, */
/* or up to this much earlier, so that those who joined together spread out */
#define REFRESH_SPREAD_MS 4750
#define PRESENT_SWEEPS 4 /* everybody's presence is told once in so many sweeps */
#define PUMP_NS 2000000  /* how long telling may keep one turn of the loop */

struct follower {
    struct link all;      /* entry_streams.followers */
    struct link by_entry; /* entry_streams.buckets */
    struct link by_time;  /* entry_streams.wheel */
    struct link due;      /* entry_streams.due, or in no list */
    struct audience_member member;
    struct connection *connection;
    uint32_t number;
    bool counts; /* as asking: it is the owner's, or an app's */
    bool late;   /* something came up while the socket was full */
};

static uint64_t event_of(const struct follower *f)
{
    return f->member.audience->event;
}

static struct link *bucket_of(struct entry_streams *streams, uint64_t event, uint32_t number)
{
    uint64_t mixed = (event * 0x9e3779b97f4a7c15u + number) * 0x9e3779b97f4a7c15u;
    return &streams->buckets[mixed >> 52];
}
_Static_assert(ENTRY_STREAM_BUCKETS == 1 << 12, "twelve bits choose a bucket");

/* ---- Telling ---- */

static void write_entry(struct server *server, struct buf *out, const struct queue_entry_image *entry,
                        uint64_t seq)
{
    struct json_writer w = message_begin(out, "entry", seq);
    entry_view_write(server, &w, entry);
    message_end(out);
}

static void write_chunk(struct connection *c, const struct queue_entry_image *entry, uint64_t seq)
{
    struct buf *out = &c->output.out;
    size_t begun = chunk_begin(out, c->chunked);
    write_entry(c->server, out, entry, seq);
    chunk_end(out, begun, c->chunked);
}

static void plan_refresh(struct entry_streams *streams, struct follower *f)
{
    uint64_t early_ms = random_u64() % REFRESH_SPREAD_MS;
    wheel_plan(&streams->wheel, &f->by_time, streams->server->now_ms + REFRESH_MS - early_ms);
}

/* Sends the entry as it is now. May close its connection. */
static void follower_tell(struct entry_streams *streams, struct follower *f)
{
    struct connection *c = f->connection;
    struct server *s = streams->server;
    struct queue_entry_image entry;
    uint64_t seq, durable = store_durable_seq(s->store);
    link_remove(&f->due);
    audience_mark_sent(&f->member);
    f->late = !output_empty(&c->output);
    if (f->late)
        return; /* entry_stream_written comes back to it */
    if (!view_queue_entry(s->view, event_of(f), f->number, &entry, &seq)) {
        connection_end_stream(c); /* the event is gone */
        connection_flush(c);
        return;
    }
    write_chunk(c, &entry, seq > durable ? seq : durable);
    output_add(&c->output, seq, durable, clock_monotonic_ns(), LANE_NONE, &s->metrics);
    server_park(s, c);
    if (queue_status_live(entry.status))
        plan_refresh(streams, f);
    else
        connection_end_stream(c); /* nothing more will come of this entry */
    connection_flush(c);
}

static void follower_due(struct entry_streams *streams, struct follower *f)
{
    link_append(&streams->due, &f->due);
    server_wake(streams->server);
}

void entry_stream_written(struct connection *c)
{
    if (c->follower && c->follower->late)
        follower_tell(&c->server->entry_streams, c->follower);
}

/* First those with news of their own, then those whose queue has changed; or NULL. */
static struct follower *next_due(struct entry_streams *streams)
{
    if (!link_alone(&streams->due))
        return LINK_OWNER(streams->due.next, struct follower, due);
    struct audience_member *m = audiences_next(&streams->groups);
    return m ? LINK_OWNER(m, struct follower, member) : NULL;
}

bool entry_streams_pump(struct entry_streams *streams)
{
    struct follower *f = next_due(streams);
    uint64_t until_ns = f ? clock_monotonic_ns() + PUMP_NS : 0;
    for (unsigned told = 1; f; told++) {
        follower_tell(streams, f);
        f = next_due(streams);
        if (told % 8 == 0 && clock_monotonic_ns() > until_ns)
            break;
    }
    return f != NULL;
}

static void on_moved(void *ctx, uint64_t event, uint32_t number)
{
    struct entry_streams *streams = ctx;
    struct link *bucket = bucket_of(streams, event, number);
    for (struct link *l = bucket->next; l != bucket; l = l->next) {
        struct follower *f = LINK_OWNER(l, struct follower, by_entry);
        if (f->number == number && event_of(f) == event)
            follower_due(streams, f);
    }
}

/* ---- Queues ---- */

/* Whether the queue looks different from what its followers were told. */
static bool queue_differs(struct view *view, struct audience *audience)
{
    struct queue_view queue;
    struct audience before = *audience;
    if (view_queue_find(view, audience->event_id, &queue) != OUTCOME_OK ||
        queue.image.event != audience->event)
        return true;
    audience->paused = queue.image.paused;
    audience->opened_at_ms = queue.image.opened_at_ms;
    audience->open_at_ms = queue.settings.open_at_ms;
    audience->rate_per_second = queue.settings.rate_per_second;
    return audience->paused != before.paused || audience->opened_at_ms != before.opened_at_ms ||
           audience->open_at_ms != before.open_at_ms || audience->rate_per_second != before.rate_per_second;
}

static struct audience *audience_get(struct entry_streams *streams, const struct queue_entry_image *entry)
{
    struct audience *audience = audiences_find(&streams->groups, entry->event);
    if (audience)
        return audience;
    audience = audiences_add(&streams->groups, entry->event, entry->event_id);
    queue_differs(streams->server->view, audience);
    return audience;
}

/* ---- Time ---- */

static void sweep_queues(struct entry_streams *streams)
{
    for (struct link *l = streams->groups.all.next; l != &streams->groups.all; l = l->next) {
        struct audience *audience = LINK_OWNER(l, struct audience, all);
        if (!queue_differs(streams->server->view, audience))
            continue;
        audience_mark_all(&streams->groups, audience);
        server_wake(streams->server);
    }
}

static void sweep_presence(struct entry_streams *streams)
{
    for (unsigned left = (streams->count + PRESENT_SWEEPS - 1) / PRESENT_SWEEPS; left; left--) {
        struct follower *f = LINK_OWNER(streams->followers.next, struct follower, all);
        link_append(&streams->followers, &f->all);
        if (f->counts)
            store_queue_present(streams->server->store, event_of(f), f->number);
    }
}

void entry_streams_sweep(struct entry_streams *streams)
{
    struct link refreshed;
    link_init(&refreshed);
    wheel_sweep(&streams->wheel, streams->server->now_ms, &refreshed);
    while (!link_alone(&refreshed)) {
        struct follower *f = LINK_OWNER(refreshed.next, struct follower, by_time);
        link_remove(&f->by_time); /* telling it plans the next one */
        follower_due(streams, f);
    }
    sweep_queues(streams);
    sweep_presence(streams);
}

/* ---- Life ---- */

void entry_streams_init(struct entry_streams *streams, struct server *server)
{
    streams->server = server;
    wheel_init(&streams->wheel, server_now_ms(server));
    link_init(&streams->followers);
    link_init(&streams->due);
    audiences_init(&streams->groups);
    for (unsigned i = 0; i < ENTRY_STREAM_BUCKETS; i++)
        link_init(&streams->buckets[i]);
    view_on_moved(server->view, on_moved, streams);
}

void entry_streams_release(struct entry_streams *streams)
{
    ASSERT(streams->count == 0 && link_alone(&streams->groups.all));
}

static void follow(struct entry_streams *streams, struct connection *c, const struct queue_entry_image *entry,
                   enum role role)
{
    struct follower *f = memory_zeroed(1, sizeof *f);
    f->connection = c;
    audience_join(audience_get(streams, entry), &f->member);
    f->number = entry->number;
    f->counts = role != ROLE_ADMIN;
    link_init(&f->all);
    link_init(&f->by_entry);
    link_init(&f->by_time);
    link_init(&f->due);
    link_append(&streams->followers, &f->all);
    link_append(bucket_of(streams, entry->event, entry->number), &f->by_entry);
    plan_refresh(streams, f);
    streams->count++;
    c->follower = f;
}

void entry_stream_leave(struct connection *c)
{
    struct follower *f = c->follower;
    c->follower = NULL;
    link_remove(&f->all);
    link_remove(&f->by_entry);
    link_remove(&f->by_time);
    link_remove(&f->due);
    audience_leave(&f->member);
    free(f);
    c->server->entry_streams.count--;
}

static void entry_found(struct call *call, const struct outcome *outcome)
{
    struct request *r = call->request;
    struct server *s = r->server;
    const struct queue_entry_image *entry = &outcome->entry;
    uint64_t durable = store_durable_seq(r->store);
    bool live = queue_status_live(entry->status);
    write_entry(s, &r->scratch, entry, outcome->seq > durable ? outcome->seq : durable);
    if (live && r->connection && !r->head)
        follow(&s->entry_streams, r->connection, entry, r->actor.role);
    reply_stream(r, (struct text){(const char *)r->scratch.data, r->scratch.size}, live);
}

HANDLER(api_queue_entry_stream)
{
    if (server_streams_full(r->server))
        reply_unavailable(r, "Too many open streams. Please try again in a moment.");
    else
        entry_call_entry(r, COMMAND_QUEUE_LOOK, entry_found);
}
