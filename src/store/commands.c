/* SPDX-License-Identifier: Apache-2.0 */
/* commands.c — the store as the engine's host: makes its changes durable, and reads the records it lacks. */
#include <unistd.h>

#include "base/assertion.h"
#include "core/catalogue/event.h"
#include "core/claim/refusal.h"
#include "core/queue/queue.h"
#include "engine/fetch.h"
#include "store/fatal_exit.h"
#include "store/local.h"

void store_submit(struct store *s, const struct command *command, store_done_fn done, void *ctx)
{
    ASSERT(local_on_loop(s)); /* one thread decides, without locks */
    engine_submit(&s->engine, store_now(s), command, done, ctx);
}

uint64_t store_decides_after(const struct store *s)
{
    return store_decides(s) ? s->decides_after : UINT64_MAX;
}

enum gate_verdict store_gate(struct store *s, const struct command *command, const struct gate_intents *intents,
                             const struct outcome **out)
{
    ASSERT(local_on_loop(s));
    bool off = s->options.shared && s->options.shared->gate_off;
    if (store_decides(s) || off || store_lag_ms(s) >= STORE_GATE_LAG_MS)
        return GATE_NO_VERDICT;
    return engine_gate(&s->engine, store_now(s), command, intents, out);
}

uint32_t store_take_refusals(struct store *s, struct buf *rows)
{
    return state_take_refusals(s->state, rows);
}

bool store_add_refusals(struct store *s, struct text rows)
{
    return state_add_refusals(s->state, store_now(s), bytes_reader_make((const uint8_t *)rows.at, rows.size));
}

bool store_decides(const struct store *s)
{
    return engine_decides(&s->engine);
}

const char *store_owner_url(const struct store *s)
{
    return store_decides(s) ? "" : s->following.owner_url;
}

void store_queue_present(struct store *s, uint64_t event_number, uint32_t number)
{
    if (!store_decides(s)) /* core would note a returning person, and the next step would write that */
        return;
    struct event *e = event_find_number(s->state, event_number);
    state_set_now(s->state, store_now(s));
    if (e)
        queue_present(s->state, e, number);
}

void store_queue_polled(struct store *s, uint64_t event_number, uint32_t number)
{
    struct event *e = store_decides(s) ? event_find_number(s->state, event_number) : NULL;
    state_set_now(s->state, store_now(s));
    if (e)
        queue_polled(s->state, e, number);
}

int64_t local_ended_since(struct store *s)
{
    return s->options.history_days ? store_now(s) - (int64_t)s->options.history_days * 86400000 : 0;
}

/* ---- The host ---- */

static void host_appended(void *owner, uint32_t count, int64_t at_ms)
{
    struct store *s = owner;
    if (s->state->sales.count)
        batcher_sold(&s->batcher, s->state->sales.list, s->state->sales.count);
    batcher_appended(&s->batcher, count, at_ms);
}

static void host_touched(void *owner)
{
    struct store *s = owner;
    if (s->on_touched)
        s->on_touched(s->on_touched_ctx);
}

static void host_more(void *owner)
{
    store_more(owner);
}

static void host_begin_segment(void *owner)
{
    batcher_begin_segment(&((struct store *)owner)->batcher);
}

static uint64_t host_book_seq(void *owner)
{
    return recorder_seq(&((struct store *)owner)->recorder);
}

static void on_fetched(void *ctx, struct fetch *fetch, const struct fetched *records)
{
    struct store *s = ctx;
    engine_fetched(&s->engine, store_now(s), fetch, records);
}

static void host_read(void *owner, struct fetch *fetch)
{
    struct store *s = owner;
    librarian_fetch(&s->librarian, fetch, local_ended_since(s), on_fetched, s);
}

static void host_damaged(void *owner, const char *what, struct id id)
{
    (void)owner;
    char text[ID_TEXT_SIZE + 1] = {0};
    id_write(id, text);
    struct status fault = status_make(STATUS_CORRUPT, "%s %s", what, text);
    fatal_exit("a record of the book does not match memory; ending the process", &fault);
}

void local_start_engine(struct store *s)
{
    const struct engine_host host = {.owner = s,
                                     .appended = host_appended,
                                     .touched = host_touched,
                                     .more = host_more,
                                     .read = host_read,
                                     .begin_segment = host_begin_segment,
                                     .book_seq = host_book_seq,
                                     .damaged = host_damaged};
    engine_init(&s->engine, s->state, s->log, &host);
    s->engine.log_max = s->options.journal_max;
    s->engine.durable_seq = s->durable_seq;
    s->engine.changes = batcher_changes(&s->batcher);
}
