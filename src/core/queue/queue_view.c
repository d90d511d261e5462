/* SPDX-License-Identifier: Apache-2.0 */
/* queue_view.c — what a waiting room shows: position, estimated wait, when to poll again. */
#include "base/assertion.h"
#include "core/catalogue/event.h"
#include "core/entry_id.h"
#include "core/queue/queue.h"
#include "core/queue/queue_pace.h"

#define MEASURED_MS 10000 /* of admitted_per_second */
#define POLL_NEAR_S 2     /* near the front */
#define POLL_FAR_S 48     /* far from it: plus a quarter, that is POLL_AFTER_MAX_S */
#define POLL_UNKNOWN_S 30
#define POLLS_PER_SECOND 2000 /* target before the opening, when all wait for the same moment */

uint64_t queue_entry_seq(const struct event *e)
{
    return e->queue->moved_seq;
}

/* ---- Estimated wait ---- */

static int64_t divided_up(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

static int64_t greater(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t eta(const struct state *st, const struct event *e, uint32_t number, uint32_t ahead)
{
    const struct queue *q = e->queue;
    const struct queue_settings *s = &e->image.queue;
    if (!e->image.has_queue || q->image.paused || event_sale_over(e, st->now_ms) ||
        !queue_in_line(queue_entry(q, number)) || q->order == QUEUE_HIDDEN || !queue_counted(q))
        return -1;
    if (st->now_ms < s->open_at_ms)
        return divided_up(s->open_at_ms - st->now_ms, 1000) + divided_up(ahead, s->rate_per_second);
    return queue_pace_wait_s(st, e, ahead);
}

/* ---- When to poll again ---- */

static int64_t between(int64_t least, int64_t value, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* The interval before jitter. */
static int64_t poll_about(const struct state *st, const struct event *e,
                          const struct queue_entry_image *entry)
{
    const struct queue *q = e->queue;
    if (!queue_status_live(entry->status) || !e->image.has_queue)
        return POLL_FAR_S;
    if (entry->status == QUEUE_ADMITTED)
        return POLL_UNKNOWN_S;
    if (st->now_ms < e->image.queue.open_at_ms || !q->image.opened_at_ms) {
        int64_t half_way_s = (e->image.queue.open_at_ms - st->now_ms) / 2000;
        return between(POLL_NEAR_S, greater(half_way_s, q->in_line / POLLS_PER_SECOND), POLL_FAR_S);
    }
    if (entry->eta_s < 0)
        return between(POLL_NEAR_S, entry->ahead / 4 + POLL_NEAR_S, POLL_UNKNOWN_S);
    return between(POLL_NEAR_S, entry->eta_s / 4, POLL_FAR_S);
}

/* With jitter of up to a quarter, near the front 1..3, so that clients that polled together spread out. */
static uint32_t poll_after(const struct state *st, const struct event *e,
                           const struct queue_entry_image *entry)
{
    /* A hash, not random: core has no randomness, and the same question gets the same answer. */
    uint64_t spread[2] = {entry->number, (uint64_t)st->now_ms};
    uint64_t hash = hash_sip(e->queue->key, spread, sizeof(spread));
    int64_t about_s = poll_about(st, e, entry), slack_s = about_s < 4 ? 1 : about_s / 4;
    ASSERT(about_s >= POLL_NEAR_S && about_s <= POLL_FAR_S);
    int64_t after_s = about_s - slack_s + (int64_t)(hash % (uint64_t)(2 * slack_s + 1));
    return (uint32_t)between(1, after_s, POLL_AFTER_MAX_S);
}

/* ---- What is shown ---- */

void queue_entry_view(const struct state *st, const struct event *e, uint32_t number,
                      struct queue_entry_image *out)
{
    struct queue *q = e->queue;
    ASSERT(q && number >= 1 && number <= queue_joined(q));
    const struct queue_entry *entry = queue_entry(q, number);
    *out = (struct queue_entry_image){
        .event = e->image.number,
        .number = number,
        .id = entry_id(e->image.entry_key, ENTRY_QUEUE, number),
        .user_id = queue_user(q, number),
        .status = (enum queue_status)entry->status,
        .joined_at_ms = (int64_t)entry->joined_at_ms,
        .until_ms = queue_until_ms(entry),
        .tiers = q->view_tiers,
        .tier_count = queue_tiers_name(q, entry->tiers, q->view_tiers),
        .event_id = e->image.id,
        .position = queue_counted(q) ? queue_position(q, number) : 0, /* only together with `ahead` */
    };
    out->ahead = out->position && queue_in_line(entry) ? queue_ahead(q, number) : 0;
    ASSERT(out->ahead == 0 || out->ahead < out->position);
    out->eta_s = eta(st, e, number, out->ahead);
    out->poll_after_s = poll_after(st, e, out);
}

/* Admissions per ten seconds, measured over the last ten, or over fewer if it opened later. */
static uint32_t per_10_s(const struct state *st, const struct queue *q)
{
    int64_t from_ms =
        greater(greater(q->image.opened_at_ms, st->admitting_since_ms), st->now_ms - MEASURED_MS);
    int64_t span_ms = greater(st->now_ms - from_ms, 1000);
    uint64_t admitted = queue_pace_admitted(q, from_ms);
    return (uint32_t)(admitted * MEASURED_MS / (uint64_t)span_ms);
}

bool queue_view(const struct state *st, const struct event *e, struct queue_view *out)
{
    const struct queue *q = e->queue;
    if (!q)
        return false;
    *out = (struct queue_view){
        .image = q->image,
        .settings = e->image.queue,
        .has_queue = e->image.has_queue,
        .serving = q->serving,
        .waiting = q->by_status[QUEUE_WAITING],
        .admitted_per_10_s = per_10_s(st, q),
        .active = q->by_status[QUEUE_ADMITTED],
        .passed_over = q->by_status[QUEUE_PASSED_OVER],
        .finished = q->by_status[QUEUE_FINISHED],
        .left = q->by_status[QUEUE_LEFT],
        .joined = queue_joined(q),
        .seq = q->seq,
    };
    ASSERT(out->waiting + out->active + out->passed_over + out->finished + out->left == out->joined);
    return true;
}
