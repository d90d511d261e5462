/* SPDX-License-Identifier: Apache-2.0 */
/* local.c — the door of the embedded store: open, submit, the turn of the loop, close.
 *
 * Happy path of a command: store_submit → state_apply appends its changes to the open batch → done gets the
 * outcome at once, with the seq to wait for → the turn ends and the batch is handed over → the batcher syncs
 * → on_durable releases the answer. A command on a forgotten reservation takes one more step: the record is
 * read from the book and put back, then the command is applied as if nothing had been.
 */
#include "store/local.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/assertion.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/rfc3339.h"
#include "store/deferred.h"
#include "store/reclaim.h"

#define TICK_MS 50
#define PREPARE_AGAIN_MS 200
#define EXPIRE_AT_ONCE 128u /* of slots on a full calendar: a millisecond */
#define FORGET_AT_ONCE 1024u
#define ADMIT_AT_ONCE 1024u    /* of queue entries looked at: less than a millisecond */
#define PENDING_MAX (1u << 20) /* bytes of an open batch beyond which optional work waits */

int64_t store_now(struct store *s)
{
    if (!s->now_known) {
        clock_read(&s->clock);
        s->now_known = true;
    }
    return s->clock.now_ms;
}

uint64_t store_durable_seq(const struct store *s)
{
    return s->durable_seq;
}

void store_on_durable(struct store *s, void (*fn)(void *ctx, uint64_t durable_seq), void *ctx)
{
    ASSERT(s->on_durable_count < sizeof(s->on_durable) / sizeof(s->on_durable[0]));
    s->on_durable[s->on_durable_count].fn = fn;
    s->on_durable[s->on_durable_count++].ctx = ctx;
}

const struct state *store_state(struct store *s)
{
    state_set_now(s->state, store_now(s));
    return s->state;
}

void store_on_touched(struct store *s, void (*fn)(void *ctx), void *ctx)
{
    s->on_touched = fn;
    s->on_touched_ctx = ctx;
}

void store_on_slice(struct store *s, bool (*fn)(void *ctx), void *ctx)
{
    s->on_slice = fn;
    s->on_slice_ctx = ctx;
}

void store_on_closed(struct store *s, void (*fn)(void *ctx), void *ctx)
{
    s->on_closed = fn;
    s->on_closed_ctx = ctx;
}

bool store_closing(const struct store *s)
{
    return s->closing;
}

bool store_key_find(struct store *s, const uint8_t hash[32], struct key_view *out)
{
    const struct key *key = state_key_find(s->state, hash, store_now(s));
    if (key)
        *out = (struct key_view){.image = key->image, .seq = key->seq};
    return key != NULL;
}

void store_queue_present(struct store *s, uint64_t event_number, uint32_t number)
{
    struct event *e = event_find_number(s->state, event_number);
    state_set_now(s->state, store_now(s));
    if (e)
        queue_present(s->state, e, number);
}

bool local_has_room(const struct store *s)
{
    return batcher_pending(&s->batcher) < PENDING_MAX && journal_space(s->journal) == JOURNAL_SPACE_OK;
}

/* ---- Applying ---- */

/* The changes are in the open batch already; takes note of them and of what looks different. */
static void take_in(struct store *s)
{
    struct state *st = s->state;
    if (st->change_count)
        batcher_appended(&s->batcher, st->change_count, st->now_ms);
    if (s->on_touched && (st->touch_count || st->moved_count))
        s->on_touched(s->on_touched_ctx);
    st->touch_count = st->moved_count = 0;
}

enum outcome_code local_apply(struct store *s, const struct command *c, struct outcome *out)
{
    state_apply(s->state, c, store_now(s), batcher_changes(&s->batcher), out);
    take_in(s);
    return out->code;
}

/* What may go on when the disk is full or the book is behind: whatever finishes sales and frees stock. */
static bool finishes(enum command_kind kind)
{
    switch (kind) {
    case COMMAND_LOOK:
    case COMMAND_ITEM_DROP:
    case COMMAND_PAYMENT:
    case COMMAND_COMMIT:
    case COMMAND_RELEASE:
    case COMMAND_EVENT_REMOVE:
    case COMMAND_KEY_REMOVE:
    case COMMAND_QUEUE_LOOK:
    case COMMAND_QUEUE_LEAVE:
    case COMMAND_QUEUE_PATCH:
    case COMMAND_LIST_LOOK:
    case COMMAND_LIST_LEAVE:
        return true;
    case COMMAND_EVENT_PUT:
    case COMMAND_POOL_PUT:
    case COMMAND_SEATS_STAGE:
    case COMMAND_SEATS_PUBLISH:
    case COMMAND_SEATS_BLOCK:
    case COMMAND_HOLD:
    case COMMAND_ITEMS_ADD:
    case COMMAND_ITEM_MOVE:
    case COMMAND_ATTRIBUTES:
    case COMMAND_EXTEND:
    case COMMAND_KEY_CREATE:
    case COMMAND_KEY_ROTATE:
    case COMMAND_CALENDAR_PUT:
    case COMMAND_QUEUE_JOIN:
    case COMMAND_LIST_JOIN:
        return false;
    }
    return false;
}

static enum store_condition condition(struct store *s)
{
    if (journal_space(s->journal) != JOURNAL_SPACE_OK)
        return STORE_FULL;
    return journal_bytes(s->journal) > s->options.journal_max ? STORE_BEHIND : STORE_READY;
}

/* What can be answered without writing anything. */
static bool looks(enum command_kind kind)
{
    return kind == COMMAND_LOOK || kind == COMMAND_QUEUE_LOOK || kind == COMMAND_LIST_LOOK;
}

static enum outcome_code may_write(struct store *s, enum command_kind kind)
{
    enum journal_space space = journal_space(s->journal);
    if (space == JOURNAL_SPACE_NONE && !looks(kind))
        return OUTCOME_STORAGE_FULL;
    if (finishes(kind))
        return OUTCOME_OK;
    switch (condition(s)) {
    case STORE_READY:
        return OUTCOME_OK;
    case STORE_FULL:
        return OUTCOME_STORAGE_FULL;
    case STORE_BEHIND:
        return OUTCOME_UNAVAILABLE;
    }
    return OUTCOME_OK;
}

/* ---- Commands ---- */

void local_submit(struct store *s, struct command *c, store_done_fn done, void *ctx)
{
    struct outcome *out = &s->outcome;
    enum outcome_code allowed = may_write(s, c->kind);
    if (allowed != OUTCOME_OK) {
        *out = (struct outcome){.code = allowed};
        done(ctx, out);
        return;
    }
    /* Who polls leaves the reserve to those who finish. */
    enum journal_space space = journal_space(s->journal);
    c->no_changes = looks(c->kind) && (space == JOURNAL_SPACE_NONE ||
                                       (c->kind == COMMAND_QUEUE_LOOK && space != JOURNAL_SPACE_OK));
    c->no_offers = space != JOURNAL_SPACE_OK;
    local_apply(s, c, out);
    if (out->code == OUTCOME_FETCH)
        deferred_fetch(s, c, out, done, ctx);
    else if (out->code == OUTCOME_RETRY)
        deferred_retry(s, c, done, ctx);
    else
        done(ctx, out);
}

void store_submit(struct store *s, const struct command *command, store_done_fn done, void *ctx)
{
    struct command c = *command;
    local_submit(s, &c, done, ctx);
}

/* ---- The turn of the loop ---- */

static void on_turn_end(uv_prepare_t *handle)
{
    struct store *s = handle->data;
    batcher_hand_over(&s->batcher);
    s->now_known = false;
}

static void prepare_work(void *ctx)
{
    struct store *s = ctx;
    struct status fault = journal_prepare(s->journal);
    if (!status_ok(&fault))
        log_error("cannot create the next segment of the journal", {"fault", LOG_STR(fault.text)});
}

static void prepare_done(void *ctx)
{
    struct store *s = ctx;
    s->preparing = false;
    if (journal_space(s->journal) != JOURNAL_SPACE_OK)
        s->prepare_ms = uv_now(s->loop) + PREPARE_AGAIN_MS; /* the disk is full: look again now and then */
}

/* By a worker, so that neither the loop, the journal nor a long transaction of the book waits for it. */
static void prepare_segments(struct store *s)
{
    if (s->preparing || s->closing || !journal_prepare_due(s->journal) || uv_now(s->loop) < s->prepare_ms)
        return;
    s->preparing = true;
    store_work(s, prepare_work, prepare_done, s);
}

static void on_durable(uv_async_t *handle)
{
    struct store *s = handle->data;
    s->durable_seq = journal_durable_seq(s->journal);
    prepare_segments(s);
    if (s->import_first)
        store_more(s); /* the batch may have room again */
    for (uint32_t i = s->on_durable_count; i; i--)
        s->on_durable[i - 1].fn(s->on_durable[i - 1].ctx, s->durable_seq);
}

static void on_recorded(uv_async_t *handle)
{
    struct store *s = handle->data;
    deferred_queries(s);
    store_more(s);
}

static void on_answered(uv_async_t *handle)
{
    struct store *s = handle->data;
    librarian_collect(&s->librarian);
}

/* What the passing of time does: holds lapse, what came free is offered to waiting lists, waiting rooms
 * admit. None of it happens while there is no room to record it. True: there is more to do at this very
 * instant. */
static bool pass_time(struct store *s)
{
    struct state *st = s->state;
    int64_t now_ms = store_now(s);
    bool more = false;
    if (state_next_deadline(st) <= now_ms && local_has_room(s)) {
        state_expire(st, now_ms, EXPIRE_AT_ONCE, batcher_changes(&s->batcher));
        take_in(s);
        more = state_next_deadline(st) <= now_ms;
    }
    if (state_next_service(st) <= now_ms && local_has_room(s)) {
        more = state_serve(st, now_ms, batcher_changes(&s->batcher)) || more;
        take_in(s);
    }
    if (state_next_admission(st) <= now_ms && local_has_room(s)) {
        more = state_admit(st, now_ms, ADMIT_AT_ONCE, batcher_changes(&s->batcher)) || more;
        take_in(s);
    }
    return more;
}

/* A slice of each kind of long work. True: there is more. */
static bool slice(struct store *s)
{
    bool more = import_step(s);
    more = deferred_retry_step(s) || more;
    if (s->on_slice)
        more = s->on_slice(s->on_slice_ctx) || more;
    reclaim_clear(s);
    more = pass_time(s) || more;
    return state_forget(s->state, recorder_seq(&s->recorder), FORGET_AT_ONCE) == FORGET_AT_ONCE || more;
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

/* A waiting room that admits somebody every few milliseconds does not wait for the next tick. */
static void tick_sooner(struct store *s)
{
    int64_t wait_ms = state_next_admission(s->state) - store_now(s);
    if (wait_ms < TICK_MS && !s->closing && local_has_room(s))
        uv_timer_start(&s->tick, on_tick, wait_ms > 1 ? (uint64_t)wait_ms : 1, TICK_MS);
}

static void on_tick(uv_timer_t *handle)
{
    struct store *s = handle->data;
    recorder_tell_now(&s->recorder, store_now(s));
    prepare_segments(s);
    deferred_queries(s);
    if (slice(s))
        store_more(s);
    tick_sooner(s);
}

/* ---- Opening and closing ---- */

static void handles_open(struct store *s)
{
    uv_loop_configure(s->loop, UV_METRICS_IDLE_TIME); /* the recorder asks how busy the loop is */
    uv_async_init(s->loop, &s->durable, on_durable);
    uv_async_init(s->loop, &s->recorded, on_recorded);
    uv_async_init(s->loop, &s->answered, on_answered);
    uv_prepare_init(s->loop, &s->turn);
    uv_timer_init(s->loop, &s->tick);
    uv_idle_init(s->loop, &s->more);
    s->handles = 6;
    s->durable.data = s->recorded.data = s->answered.data = s->turn.data = s->tick.data = s->more.data = s;
    uv_prepare_start(&s->turn, on_turn_end);
    uv_timer_start(&s->tick, on_tick, TICK_MS, TICK_MS);
    store_more(s);
}

static void store_release(struct store *s)
{
    if (s->on_closed)
        s->on_closed(s->on_closed_ctx);
    if (s->state)
        state_release(s->state);
    journal_close(s->journal);
    folder_close(&s->folder);
    free(s);
}

#define CLOCK_AHEAD_MS (365 * 86400000LL)

/* What is written with an instant far in the future stays there for good: time never goes back. */
static struct status judge_clock(const struct store *s, int64_t last_at_ms)
{
    const struct clock_source *clock = &s->options.clock;
    int64_t wall_ms = clock->wall_ms(clock->owner);
    if (s->options.accept_clock || last_at_ms == 0 || wall_ms - last_at_ms <= CLOCK_AHEAD_MS)
        return status_none();
    char wall[RFC3339_SIZE + 1] = {0}, last[RFC3339_SIZE + 1] = {0};
    rfc3339_write(wall_ms, wall);
    rfc3339_write(last_at_ms, last);
    return status_make(STATUS_INVALID,
                       "the clock says %s, more than a year after the last change in the data folder, %s; if "
                       "the clock is right, start with --accept-clock",
                       wall, last);
}

/* A new book, or one of an earlier version, learns which journal is its own. */
static struct status tie(struct store *s, struct book_writer *writer, const struct recovery *found)
{
    uint8_t id[16];
    if (found->anchor.has_id)
        return status_none();
    journal_id(s->journal, id);
    return book_writer_tie(writer, id, NULL);
}

/* Everything up to a state that may be served; nothing runs yet. */
static struct status recover(struct store *s)
{
    struct book_writer *writer;
    struct recovery found;
    struct status fault = folder_open(&s->folder, s->options.data);
    if (status_ok(&fault))
        fault = book_writer_open(&writer, s->folder.book);
    if (!status_ok(&fault))
        return fault;
    fault = recovery_run(&s->folder, s->options.segment_size, &s->state, &s->journal, &found);
    if (status_ok(&fault))
        fault = judge_clock(s, found.last_at_ms);
    if (status_ok(&fault))
        fault = tie(s, writer, &found);
    recorder_init(&s->recorder, writer, s->journal, s->folder.journal, s->folder.backup_lock,
                  s->options.history_days);
    if (!status_ok(&fault))
        return fault;
    clock_init(&s->clock, s->options.clock, found.last_at_ms);
    return status_none();
}

struct status store_open(struct store **out, uv_loop_t *loop, const struct store_options *options)
{
    struct store *s = memory_zeroed(1, sizeof(*s));
    s->loop = loop;
    s->options = *options;
    if (s->options.close_ms == 0)
        s->options.close_ms = UINT32_MAX;
    struct status fault = recover(s);
    if (status_ok(&fault))
        fault = librarian_start(&s->librarian, s->folder.book, &s->answered);
    if (!status_ok(&fault)) {
        recorder_close(&s->recorder);
        store_release(s);
        return fault;
    }
    s->durable_seq = journal_durable_seq(s->journal);
    handles_open(s);
    batcher_start(&s->batcher, s->journal, store_now(s), &s->durable);
    recorder_tell_now(&s->recorder, store_now(s));
    recorder_imports_over(&s->recorder, s->state->seq);
    recorder_start(&s->recorder, &s->recorded);
    /* Before anything is shown: from now on absence counts, and what is free may be for a waiting list. */
    if (local_has_room(s)) {
        state_admit(s->state, store_now(s), ADMIT_AT_ONCE, batcher_changes(&s->batcher));
        take_in(s);
    }
    pass_time(s);
    *out = s;
    return status_none();
}

static void on_handle_closed(uv_handle_t *handle)
{
    struct store *s = handle->data;
    if (--s->handles)
        return;
    void (*closed)(void *ctx) = s->closed;
    void *ctx = s->closed_ctx;
    store_release(s);
    closed(ctx);
}

/* All that was acknowledged is durable; the process ends without waiting for the rest: a worker in the middle
 * of something that nobody was told of, such as reading a large import, a change that the disk has not taken
 * yet, or a book that is behind the journal. */
static _Noreturn void close_without(void)
{
    log_info("stopped before all work was done; nothing acknowledged is lost");
    _exit(0);
}

/* Everything that runs elsewhere is over: the threads can be joined. */
static void close_threads(struct store *s)
{
    librarian_stop(&s->librarian);
    uint64_t limit_ms = s->options.close_ms, began_ns = clock_monotonic_ns();
    bool stopped = batcher_stop(&s->batcher, limit_ms);
    uint64_t took_ms = (clock_monotonic_ns() - began_ns) / 1000000;
    if (!stopped || !recorder_stop(&s->recorder, took_ms < limit_ms ? limit_ms - took_ms : 0))
        close_without();
    recorder_close(&s->recorder);
    uv_close((uv_handle_t *)&s->durable, on_handle_closed);
    uv_close((uv_handle_t *)&s->recorded, on_handle_closed);
    uv_close((uv_handle_t *)&s->answered, on_handle_closed);
    uv_close((uv_handle_t *)&s->turn, on_handle_closed);
    uv_close((uv_handle_t *)&s->tick, on_handle_closed);
    uv_close((uv_handle_t *)&s->more, on_handle_closed);
}

static void on_closing_tick(uv_timer_t *handle)
{
    struct store *s = handle->data;
    deferred_queries(s);
    import_step(s);
    deferred_retry_step(s);
    if (s->on_slice)
        s->on_slice(s->on_slice_ctx);
    bool quiet = !s->working && !s->fetches && !s->again && !s->import_first && librarian_idle(&s->librarian);
    if (quiet)
        close_threads(s);
    else if (uv_now(s->loop) >= s->close_ms)
        close_without();
}

void store_close(struct store *s, void (*done)(void *ctx), void *ctx)
{
    s->closing = true;
    s->closed = done;
    s->closed_ctx = ctx;
    uv_idle_stop(&s->more);
    s->close_ms = uv_now(s->loop) + s->options.close_ms;
    uv_timer_start(&s->tick, on_closing_tick, 0, 10);
}

void store_stats(struct store *s, struct store_stats *out)
{
    *out = (struct store_stats){
        .seq = s->state->seq,
        .durable_seq = s->durable_seq,
        .book_seq = recorder_seq(&s->recorder),
        .batches = s->batcher.batch_count,
        .batch_changes = s->batcher.change_count,
        .batch_changes_max = s->batcher.change_most,
        .sync_ns_total = s->batcher.sync_ns_total,
        .sync_ns_max = s->batcher.sync_ns_most,
        .journal_bytes = journal_bytes(s->journal),
        .confirmed_total = s->state->totals.confirmed,
        .expired_total = s->state->totals.expired,
        .released_total = s->state->totals.released,
        .held_total = s->state->totals.held,
        .clock_offset_ms = clock_offset_ms(&s->clock),
        .condition = condition(s),
    };
    memcpy(out->reservations, s->state->by_status, sizeof(out->reservations));
}
