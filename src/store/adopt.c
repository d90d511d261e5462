/* SPDX-License-Identifier: Apache-2.0 */
#include "store/adopt.h"

#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/crypto/random.h"
#include "base/memory/memory.h"
#include "cluster/adopt.h"
#include "cluster/cluster_site.h"
#include "core/state_check.h"
#include "store/book_fill.h"
#include "store/book_scratch_copy.h"
#include "store/recovery.h"
#include "store/snapshot_book.h"
#include "store/sold.h"

struct adopting {
    const struct adopt_options *options;
    struct adoption steps;
    struct book_scratch_copy scratch;
    struct folder folder; /* only the path of the book in it */
    struct book_fill book;
    struct state *state;
    struct recovery found;
    uint8_t id[16]; /* the new one */
};

static void keep_first(void *ctx, const char *sentence)
{
    struct status *first = ctx;
    if (status_ok(first))
        *first = status_make(STATUS_CORRUPT, "the log breaks a rule: %.200s", sentence);
}

/* The newest snapshot and all rows after it, as a book. */
static struct status rebuild_book(struct adopting *a)
{
    struct snapshot newest;
    struct status fault = snapshot_book_take(a->steps.pg, a->steps.shard, a->folder.book, &newest);
    if (status_ok(&fault))
        fault = book_fill_begin(&a->book, a->folder.book);
    return status_ok(&fault) ? book_fill_rows(&a->book, a->steps.pg, a->steps.shard) : fault;
}

/* The state that the book holds: proves that it can be served, and says what is sold. */
static struct status rebuild_state(struct adopting *a)
{
    struct log_pg_options pg = {.url = a->options->url, .shard = a->steps.shard};
    const struct recovery_log from = {.pg = &pg};
    struct status broken = status_none();
    memcpy(pg.id, a->steps.id, sizeof(pg.id));
    struct status fault = recovery_check(&a->folder, &from, &a->state, &a->found);
    if (!status_ok(&fault))
        return fault;
    ASSERT(a->found.last_seq == a->book.seq);
    state_set_now(a->state, a->found.last_at_ms);
    state_check(a->state, keep_first, &broken);
    return broken;
}

/* A version 4 UUID. */
static void draw_id(uint8_t id[16])
{
    random_bytes(id, 16);
    id[6] = (uint8_t)((id[6] & 0x0f) | 0x40);
    id[8] = (uint8_t)((id[8] & 0x3f) | 0x80);
}

/* Everything that can fail without harm comes before the log is halted. */
static struct status adopting_prepare(struct adopting *a, struct adopt_report *report)
{
    struct status fault = rebuild_book(a);
    if (status_ok(&fault))
        fault = rebuild_state(a);
    if (!status_ok(&fault))
        return fault;
    draw_id(a->id);
    report->old_seq = a->book.seq;
    fault = adoption_halt(&a->steps, a->book.seq, a->book.chain);
    return status_ok(&fault) ? book_fill_move(&a->book, a->id, ADOPT_RAISE) : fault;
}

static struct status adopting_finish(struct adopting *a, struct adopt_report *report)
{
    struct snapshot made = {.seq = a->book.seq, .chain = a->book.chain};
    struct snapshot_target to = {.pg = a->steps.pg, .shard = a->steps.shard, .part_size = SNAPSHOT_PART_SIZE};
    int64_t at_ms = a->steps.now_ms > a->book.at_ms ? a->steps.now_ms : a->book.at_ms;
    memcpy(to.site, a->steps.id, sizeof(to.site));
    book_fill_end(&a->book);
    struct status fault = snapshot_book_check(a->folder.book);
    if (status_ok(&fault))
        fault = sold_write(a->steps.pg, a->steps.shard, a->steps.token, a->state);
    if (status_ok(&fault))
        fault = snapshot_put_parts(&to, a->folder.book, &made);
    if (status_ok(&fault))
        fault = adoption_end(&a->steps, a->id, &made, at_ms);
    report->new_seq = made.seq + 1;
    report->epoch = a->steps.epoch + ADOPT_RAISE;
    return fault;
}

static struct status adopt(struct adopting *a, struct adopt_report *report)
{
    struct status fault = adoption_begin(&a->steps);
    if (status_ok(&fault))
        fault = book_scratch_place(&a->scratch, a->folder.book);
    if (status_ok(&fault))
        fault = adopting_prepare(a, report);
    if (status_ok(&fault))
        fault = adopting_finish(a, report);
    book_fill_end(&a->book);
    if (a->state)
        state_release(a->state);
    book_scratch_copy_remove(&a->scratch);
    return fault;
}

struct status adopt_run(const struct adopt_options *options, struct pg *pg, const struct cluster_site *site,
                        struct adopt_report *report)
{
    struct adopting *a = memory_zeroed(1, sizeof(*a));
    a->options = options;
    a->steps = (struct adoption){.pg = pg, .shard = site->shard};
    memcpy(a->steps.id, site->id, sizeof(a->steps.id));
    struct status fault = adopt(a, report);
    free(a);
    return fault;
}
