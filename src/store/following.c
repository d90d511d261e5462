/* SPDX-License-Identifier: Apache-2.0 */
#include "store/following.h"

#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/logging.h"
#include "base/memory/memory.h"
#include "base/time/zone.h"
#include "store/fatal_exit.h"
#include "store/local.h"

#define TURN_NS 1000000 /* after which the next row waits for the next turn */

static void advance(struct following *f);

static _Noreturn void damaged(uint64_t seq)
{
    struct status fault = status_make(STATUS_CORRUPT, "the change with seq %llu does not match the changes before it",
                                      (unsigned long long)seq);
    fatal_exit("the log does not match this node's copy; ending the process", &fault);
}

/* ---- Preparing a row ---- */

static void on_records(void *ctx, struct fetch *fetch, const struct fetched *records)
{
    struct following *f = ctx;
    ASSERT(f->busy && fetch == &f->records.fetch);
    f->busy = false;
    if (records && !row_records_put(&f->records, f->store->state, records))
        damaged(f->row->batch.first_seq);
    if (!records) /* the book could not be read: ask for all of it again */
        row_records_begin(&f->records, &f->row->batch);
    advance(f);
}

static void build_work(void *ctx)
{
    struct following *f = ctx;
    row_layouts_build(&f->layouts, &f->row->batch, &f->store->state->staged);
}

static void build_done(void *ctx)
{
    struct following *f = ctx;
    ASSERT(f->busy);
    f->busy = false;
    f->prepared = true;
    advance(f);
}

static void find_layouts(struct following *f)
{
    struct bytes_reader in = bytes_reader_make(f->row->batch.bytes, f->row->batch.size);
    struct change *c = &f->ahead[0];
    for (uint32_t i = 0; i < f->row->batch.count; i++) {
        bool read = change_decode(&in, f->row->batch.first_seq + i, c);
        ASSERT(read);
        if (c->kind == CHANGE_SEATS_PUBLISHED)
            row_layouts_add(&f->layouts, f->store->state, i, c->published.event);
        else if (c->kind == CHANGE_SEATS_REMOVED)
            row_layouts_add(&f->layouts, f->store->state, i, c->removed.event);
    }
}

/* False: something is read or built first. */
static bool prepare(struct following *f)
{
    struct store *s = f->store;
    if (f->row->changes_records && row_records_next(&f->records, s->state)) {
        f->busy = s->engine.keeps = true;
        librarian_fetch(&s->librarian, &f->records.fetch, 0, on_records, f);
        return false;
    }
    if (f->row->changes_layouts)
        find_layouts(f);
    f->prepared = f->layouts.count == 0;
    if (f->prepared)
        return true;
    f->busy = true;
    store_work(s, build_work, build_done, f);
    return false;
}

/* ---- Applying a row ---- */

static void apply_change(struct following *f, uint32_t i, struct change *c)
{
    struct state *st = f->store->state;
    c->fetched = true;
    c->made.zone = follow_row_zone(f->row, i);
    row_layouts_give(&f->layouts, st, i, c);
    if (state_follow(st, c) != RESTORE_OK)
        damaged(c->seq);
    if (c->made.zone)
        zone_release(c->made.zone);
}

static void following_apply(struct following *f)
{
    struct state *st = f->store->state;
    const struct log_batch *batch = &f->row->batch;
    struct bytes_reader in = bytes_reader_make(batch->bytes, batch->size);
    state_follow_begin(st);
    for (uint32_t done = 0; done < batch->count;) {
        uint32_t count = 0;
        for (; count < RESTORE_AHEAD && done + count < batch->count; count++) {
            bool read = change_decode(&in, batch->first_seq + done + count, &f->ahead[count]);
            ASSERT(read);
            f->ahead[count].made.zone = NULL;
            f->ahead[count].made.layout = NULL;
            f->ahead[count].made.blocks = NULL;
        }
        state_restore_prefetch(st, f->ahead, count);
        for (uint32_t i = 0; i < count; i++)
            apply_change(f, done + i, &f->ahead[i]);
        done += count;
    }
    state_follow_end(st);
}

static void release_layouts(void *thing)
{
    row_layouts_release(thing);
    free(thing);
}

/* On a worker: unmapping a large layout takes milliseconds. */
static void forget_layouts(struct following *f)
{
    if (f->layouts.count == 0)
        return;
    struct row_layouts *old = memory_get(sizeof(*old));
    *old = f->layouts;
    row_layouts_init(&f->layouts);
    store_reclaim(f->store, SIZE_MAX, release_layouts, old);
}

/* The whole row was applied: shows it, and passes it to the recorder. */
static void applied(struct following *f)
{
    struct store *s = f->store;
    clock_raise(&s->clock, s->state->now_ms);
    s->now_known = false;
    log_pg_followed(s->log, &f->row->batch);
    s->engine.keeps = false;
    engine_followed(&s->engine);
    forget_layouts(f);
    f->row = NULL;
    follow_applied(&f->follow);
    local_durable_moved(s);
}

/* ---- The role ---- */

/* All that was ever decided was applied: this node decides from here on. */
static void become_owner(struct following *f)
{
    struct store *s = f->store;
    struct lease *lease = &s->shared->lease;
    bool ended = follow_stop(&f->follow, UINT32_MAX);
    ASSERT(ended); /* that is how it says that this node took over */
    if (!state_take_over(s->state)) {
        struct status fault = status_make(STATUS_CORRUPT, "the log ends in the middle of a step");
        fatal_exit("cannot take over the site; ending the process", &fault);
    }
    s->decides_after = s->state->seq;
    log_pg_own(s->log, lease->epoch, lease->token);
    lease_start(lease, s->log);
    engine_set_role(&s->engine, ENGINE_ALONE);
    engine_begin_epoch(&s->engine, lease->epoch, (struct text){s->shared->options.node, strlen(s->shared->options.node)},
                       store_now(s));
    recorder_imports_over(&s->recorder, s->state->seq);
    f->owner_url[0] = '\0';
    log_info("decides for the site", {"epoch", LOG_INT(lease->epoch)}, {"seq", LOG_INT(s->state->seq)});
    store_more(s);
}

static bool next_row(struct following *f)
{
    if (f->row)
        return true;
    f->row = follow_first(&f->follow);
    f->prepared = false;
    if (f->row)
        row_records_begin(&f->records, &f->row->batch);
    return f->row != NULL;
}

/* Applies what there is, for about a millisecond. */
static void advance(struct following *f)
{
    uint64_t began_ns = clock_monotonic_ns();
    if (f->busy || !f->follow.started || f->store->closing)
        return;
    while (next_row(f) && (f->prepared || prepare(f))) {
        following_apply(f);
        applied(f);
        if (clock_monotonic_ns() - began_ns >= TURN_NS) {
            bell_ring(&f->news);
            return;
        }
    }
    if (!f->row && follow_taken(&f->follow))
        become_owner(f);
}

static void on_news(void *ctx)
{
    struct following *f = ctx;
    if (!f->follow.started)
        return;
    follow_owner_url(&f->follow, f->owner_url);
    advance(f);
}

/* ---- Opening and closing ---- */

static void wake(void *ctx)
{
    bell_ring(&((struct following *)ctx)->news);
}

static void on_fault(void *ctx, const struct status *fault)
{
    (void)ctx;
    fatal_exit("cannot follow the log; ending the process", fault);
}

void following_open(struct following *f, struct store *s)
{
    *f = (struct following){.store = s};
    f->ahead = memory_zeroed(RESTORE_AHEAD, sizeof(*f->ahead));
    row_layouts_init(&f->layouts);
    bell_open(&f->news, s->loop, on_news, f);
}

void following_start(struct following *f)
{
    struct shared *shared = f->store->shared;
    ASSERT(!engine_decides(&f->store->engine));
    /* Before the first poll: requests may come at once. */
    memcpy(f->owner_url, shared->owner_url, sizeof(f->owner_url));
    follow_start(&f->follow, &(struct follow_options){.url = shared->options.url,
                                                      .lease = &shared->lease,
                                                      .shard = shared->site.shard,
                                                      .last = log_pg_last(f->store->log),
                                                      .since_ns = shared->replicated_ns,
                                                      .wake = wake,
                                                      .fault = on_fault,
                                                      .ctx = f});
}

bool following_stop(struct following *f, uint64_t limit_ms)
{
    ASSERT(!f->busy);
    f->row = NULL;
    return follow_stop(&f->follow, limit_ms);
}

void following_close(struct following *f, void (*closed)(void *ctx))
{
    ASSERT(!f->follow.started);
    bell_close(&f->news, closed);
}

void following_release(struct following *f)
{
    row_records_release(&f->records);
    row_layouts_release(&f->layouts);
    free(f->ahead);
}
