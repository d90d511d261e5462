/* SPDX-License-Identifier: Apache-2.0 */
#include "store/migrate.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "book/record/load.h"
#include "cluster/new_site.h"
#include "core/owner.h"
#include "core/state_check.h"
#include "log/log_files.h"
#include "store/book_fill.h"
#include "store/book_scratch_copy.h"
#include "store/recovery.h"
#include "store/snapshot_book.h"
#include "store/sold.h"

struct migrating {
    struct folder folder; /* its journal; and, once that is made, the copy of its book */
    struct book_scratch_copy scratch;
    struct book_fill book;
    struct state *state;
    struct recovery found;
    struct new_site target;
};

static struct status open_folder(struct migrating *m, const char *from)
{
    struct status fault = folder_open_read_only(&m->folder, from);
    if (!status_ok(&fault))
        return fault;
    if (access(m->folder.book, F_OK) != 0)
        return status_make(STATUS_INVALID, "%.150s is not a data folder: it has no book", from);
    if (access(m->folder.journal, F_OK) != 0)
        return status_make(STATUS_INVALID,
                           "%.150s has no journal: it belongs to a node whose log is elsewhere", from);
    return fault;
}

/* Everything that the journal has, in the copy of the book. */
static struct status fill_book(struct migrating *m)
{
    struct book_meta meta;
    struct log_recovery found;
    struct status fault = book_scratch_copy_make(&m->scratch, &m->folder);
    if (status_ok(&fault))
        fault = snapshot_book_meta(m->folder.book, &meta);
    if (status_ok(&fault))
        fault = book_fill_begin(&m->book, m->folder.book);
    if (status_ok(&fault))
        fault = log_verify_files(m->folder.journal, &meta.log, book_fill_batch, &m->book, &found);
    if (status_ok(&fault) && m->book.seq == 0)
        fault = status_make(STATUS_INVALID, "the folder is empty: start a node with --store instead");
    return fault;
}

static void keep_first(void *ctx, const char *sentence)
{
    struct status *first = ctx;
    if (status_ok(first))
        *first = status_make(STATUS_CORRUPT, "the folder breaks a rule: %.200s", sentence);
}

static struct status rebuild_state(struct migrating *m)
{
    struct status broken = status_none();
    struct status fault = recovery_check(&m->folder, NULL, &m->state, &m->found);
    if (!status_ok(&fault))
        return fault;
    ASSERT(m->found.last_seq == m->book.seq);
    state_set_now(m->state, m->found.last_at_ms);
    state_check(m->state, keep_first, &broken);
    return broken;
}

static struct status rebuild(struct migrating *m)
{
    struct status fault = fill_book(m);
    return status_ok(&fault) ? rebuild_state(m) : fault;
}

static struct status move(struct migrating *m, struct migrate_report *report)
{
    struct new_site *n = &m->target;
    struct snapshot made = {.seq = m->book.seq, .chain = m->book.chain};
    struct snapshot_target to = {.pg = n->pg, .shard = n->site.shard, .part_size = SNAPSHOT_PART_SIZE};
    int64_t at_ms = n->now_ms > m->found.last_at_ms ? n->now_ms : m->found.last_at_ms;
    memcpy(to.site, n->site.id, sizeof(to.site));
    report->last_seq = made.seq;
    /* A folder that was a site before knows its last epoch. */
    report->epoch = state_epoch(m->state) + 1;
    struct status fault = book_fill_move(&m->book, n->site.id, 0);
    book_fill_end(&m->book);
    if (status_ok(&fault))
        fault = snapshot_book_check(m->folder.book);
    if (status_ok(&fault))
        fault = sold_write(n->pg, n->site.shard, n->token, m->state);
    if (status_ok(&fault))
        fault = snapshot_put_parts(&to, m->folder.book, &made);
    return status_ok(&fault) ? new_site_end(n, &made, report->epoch, at_ms) : fault;
}

struct status migrate_run(const char *from, struct pg *pg, const struct cluster_site_options *site,
                          struct migrate_report *report)
{
    struct migrating *m = memory_zeroed(1, sizeof(*m));
    struct status fault = open_folder(m, from);
    if (status_ok(&fault))
        fault = rebuild(m);
    if (status_ok(&fault))
        fault = new_site_begin(&m->target, pg, site);
    if (status_ok(&fault))
        fault = move(m, report);
    book_fill_end(&m->book);
    if (m->state)
        state_release(m->state);
    book_scratch_copy_remove(&m->scratch);
    folder_close(&m->folder);
    free(m);
    return fault;
}
