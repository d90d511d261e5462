/* SPDX-License-Identifier: Apache-2.0 */
/* turn.c — the store's part in a turn of the loop: results of the other threads, timed work, and slices of long work. At
 * its end the open batch is handed over. */
#include "store/local.h"

#include "base/assertion.h"
#include "base/logging.h"
#include "core/dispatch/dispatch.h"
#include "core/queue/queue.h"

#define TICK_MS 50
#define PREPARE_AGAIN_MS 200

int64_t store_now(struct store *s)
{
    /* One reading a turn: everything decided in it shares one instant. */
    if (!s->now_known) {
        clock_read(&s->clock);
        s->now_known = true;
    }
    return s->clock.now_ms;
}

int64_t store_wall(const struct store *s)
{
    const struct clock_source *source = &s->clock.source;
    return source->wall_ms(source->owner);
}

uint64_t store_durable_seq(const struct store *s)
{
    return s->durable_seq;
}

const struct state *store_state(struct store *s)
{
    state_set_now(s->state, store_now(s));
    return s->state;
}

/* ---- Listeners ---- */

void store_on_durable(struct store *s, void (*fn)(void *ctx, uint64_t durable_seq), void *ctx)
{
    ASSERT(s->on_durable_count < sizeof(s->on_durable) / sizeof(s->on_durable[0]));
    s->on_durable[s->on_durable_count].fn = fn;
    s->on_durable[s->on_durable_count++].ctx = ctx;
}

void store_on_touched(struct store *s, void (*fn)(void *ctx), void *ctx)
{
    ASSERT(!s->on_touched);
    s->on_touched = fn;
    s->on_touched_ctx = ctx;
}

void store_on_slice(struct store *s, bool (*fn)(void *ctx), void *ctx)
{
    ASSERT(!s->on_slice);
    s->on_slice = fn;
    s->on_slice_ctx = ctx;
}

void store_on_closed(struct store *s, void (*fn)(void *ctx), void *ctx)
{
    ASSERT(!s->on_closed);
    s->on_closed = fn;
    s->on_closed_ctx = ctx;
}

bool store_closing(const struct store *s)
{
    return s->closing;
}

/* ---- Results of the other threads ---- */

static void on_turn_end(uv_prepare_t *handle)
{
    struct store *s = handle->data;
    ASSERT(s->engine.changes == batcher_changes(&s->batcher)); /* core has written to the open batch */
    /* libuv calls it just before it waits for I/O: all requests of this turn are in the batch. */
    batcher_hand_over(&s->batcher);
    s->engine.changes = batcher_changes(&s->batcher);
    librarian_hand_over(&s->librarian);
    s->now_known = false;
}

static void prepare_work(void *ctx)
{
    struct store *s = ctx;
    struct status fault = s->log->ops->prepare(s->log);
    if (!status_ok(&fault))
        log_error("cannot create the next segment of the journal", {"fault", LOG_STR(fault.text)});
}

static void prepare_done(void *ctx)
{
    struct store *s = ctx;
    ASSERT(s->preparing);
    s->preparing = false;
    if (log_room(s->log) != LOG_ROOM_OK)
        s->prepare_ms = uv_now(s->loop) + PREPARE_AGAIN_MS; /* the disk is full: try again later */
}

/* On a worker, so that neither the loop, nor the journal, nor a long transaction of the book has to wait. */
static void prepare_segments(struct store *s)
{
    if (s->preparing || s->closing || !s->log->ops->prepare_due(s->log) || uv_now(s->loop) < s->prepare_ms)
        return;
    s->preparing = true;
    store_work(s, prepare_work, prepare_done, s);
}

void local_durable_moved(struct store *s)
{
    uint64_t durable_seq = log_durable_seq(s->log);
    ASSERT(durable_seq >= s->durable_seq && durable_seq <= s->state->seq);
    s->durable_seq = s->engine.durable_seq = durable_seq;
    prepare_segments(s);
    if (s->import_first || s->state->cancelling_count)
        store_more(s); /* the batch may have room again */
    for (uint32_t i = s->on_durable_count; i; i--)
        s->on_durable[i - 1].fn(s->on_durable[i - 1].ctx, s->durable_seq);
}

static void on_durable(void *ctx)
{
    local_durable_moved(ctx);
}

static void on_recorded(void *ctx)
{
    struct store *s = ctx;
    deferred_run(s);
    store_more(s); /* recorded reservations can be forgotten now */
}

static void on_answered(void *ctx)
{
    struct store *s = ctx;
    librarian_collect(&s->librarian);
}

/* ---- Time and slices ---- */

/* A slice of each kind of long work. True: there is more. */
static bool slice(struct store *s)
{
    bool more = engine_due(&s->engine, store_now(s));
    if (s->on_slice)
        more = s->on_slice(s->on_slice_ctx) || more;
    local_reclaim(s);
    return more;
}

static void on_more(uv_idle_t *handle)
{
    struct store *s = handle->data;
    if (!slice(s))
        uv_idle_stop(&s->more);
}

void store_more(struct store *s)
{
    if (!s->closing)
        uv_idle_start(&s->more, on_more);
}

static void on_tick(uv_timer_t *handle);

/* A waiting room that admits people every few milliseconds, or an offer that expires, does not wait for the next tick. */
static void tick_sooner(struct store *s)
{
    int64_t next_ms = engine_next_ms(&s->engine), now_ms = store_now(s);
    if (next_ms < now_ms + TICK_MS && !s->closing && engine_has_room(&s->engine))
        uv_timer_start(&s->tick, on_tick, next_ms > now_ms ? (uint64_t)(next_ms - now_ms) : 1, TICK_MS);
}

static void on_tick(uv_timer_t *handle)
{
    struct store *s = handle->data;
    recorder_set_now(&s->recorder, store_now(s));
    prepare_segments(s);
    deferred_run(s);
    if (slice(s))
        store_more(s);
    tick_sooner(s);
}

/* ---- Opening and closing ---- */

void turn_open(struct store *s)
{
    ASSERT(s->handles == 0);
    uv_loop_configure(s->loop, UV_METRICS_IDLE_TIME); /* the recorder measures how busy the loop is */
    bell_open(&s->durable, s->loop, on_durable, s);
    bell_open(&s->recorded, s->loop, on_recorded, s);
    bell_open(&s->answered, s->loop, on_answered, s);
    uv_prepare_init(s->loop, &s->turn);
    uv_timer_init(s->loop, &s->tick);
    uv_idle_init(s->loop, &s->more);
    s->handles = s->shared ? 7 : 6;
    if (s->shared)
        following_open(&s->following, s);
    s->turn.data = s->tick.data = s->more.data = s;
    uv_prepare_start(&s->turn, on_turn_end);
    uv_timer_start(&s->tick, on_tick, TICK_MS, TICK_MS);
    store_more(s);
}

static void one_closed(void *ctx)
{
    struct store *s = ctx;
    ASSERT(s->handles > 0);
    if (--s->handles == 0)
        s->handles_closed(s);
}

static void on_handle_closed(uv_handle_t *handle)
{
    one_closed(handle->data);
}

static void on_following_closed(void *ctx)
{
    one_closed(((struct following *)ctx)->store);
}

void turn_close(struct store *s, void (*closed)(struct store *s))
{
    ASSERT(s->handles >= 6 && !s->batcher.started && !s->recorder.started); /* no thread rings the bells */
    s->handles_closed = closed;
    bell_close(&s->durable, one_closed);
    bell_close(&s->recorded, one_closed);
    bell_close(&s->answered, one_closed);
    if (s->shared)
        following_close(&s->following, on_following_closed);
    uv_close((uv_handle_t *)&s->turn, on_handle_closed);
    uv_close((uv_handle_t *)&s->tick, on_handle_closed);
    uv_close((uv_handle_t *)&s->more, on_handle_closed);
}
