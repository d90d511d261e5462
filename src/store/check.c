/* SPDX-License-Identifier: Apache-2.0 */
#include "store/check.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/assertion.h"
#include "book/record/check.h"
#include "book/record/writer.h"
#include "cluster/cluster_site.h"
#include "core/dispatch/fleet.h"
#include "core/queue/queue.h"
#include "core/state_check.h"
#include "log/pg.h"
#include "store/folder.h"
#include "store/recovery.h"
#include "store/book_scratch_copy.h"
#include "store/snapshot_book.h"
#include "store/sold.h"
#include "store/zones.h"

struct checking {
    check_report_fn report;
    void *ctx;
    uint32_t faults;
};

static void fault_found(void *ctx, const char *sentence)
{
    struct checking *c = ctx;
    c->faults++;
    c->report(c->ctx, true, sentence);
}

static void __attribute__((format(printf, 2, 3))) inform(struct checking *c, const char *format, ...)
{
    char sentence[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof(sentence), format, arguments);
    va_end(arguments);
    c->report(c->ctx, false, sentence);
}

static void report_journal(struct checking *c, const struct recovery *found)
{
    const struct log_recovery *j = &found->log;
    inform(c, "journal: %llu segment%s, %llu batch%s, last seq %llu, %s", (unsigned long long)j->segments,
           j->segments == 1 ? "" : "s", (unsigned long long)j->batches, j->batches == 1 ? "" : "es",
           (unsigned long long)j->last_seq, j->sealed ? "sealed" : "not sealed");
    if (j->torn)
        inform(c,
               "journal: a torn last batch at seq %llu, never acknowledged; the next start will cut it off",
               (unsigned long long)j->torn_seq);
}

static void report_state(struct checking *c, const struct state *st)
{
    inform(c, "state: %u event%s, %u calendar%s, %llu held reservation%s in memory, last seq %llu",
           st->event_listed, st->event_listed == 1 ? "" : "s", st->calendar_listed,
           st->calendar_listed == 1 ? "" : "s", (unsigned long long)st->by_status[RESERVATION_HELD],
           st->by_status[RESERVATION_HELD] == 1 ? "" : "s", (unsigned long long)st->seq);
}

static void report_queues(struct checking *c, struct state *st)
{
    uint64_t queues = 0, joined = 0, waiting = 0;
    for (uint32_t i = 0; i < st->event_count; i++) {
        struct queue_view queue;
        if (!queue_view(st, st->events[i], &queue))
            continue;
        queues++;
        joined += queue.joined;
        waiting += queue.waiting;
    }
    if (queues)
        inform(c, "waiting rooms: %llu, with %llu entries, %llu of them waiting", (unsigned long long)queues,
               (unsigned long long)joined, (unsigned long long)waiting);
}

static void report_fleets(struct checking *c, const struct state *st)
{
    uint64_t fleets = 0, drivers = 0, rides = 0;
    struct text last = TEXT("");
    for (const struct fleet *f; (f = state_fleet_after(st, last)) != NULL; last = f->image.id) {
        fleets++;
        drivers += f->drivers.count;
        rides += f->rides_by_status[RIDE_SEARCHING] + f->rides_by_status[RIDE_OFFERED] +
                 f->rides_by_status[RIDE_ASSIGNED];
    }
    if (fleets)
        inform(c, "fleets: %llu, with %llu drivers and %llu rides under way", (unsigned long long)fleets,
               (unsigned long long)drivers, (unsigned long long)rides);
}

static void report_zone(void *ctx, const char *what, struct text id, struct text timezone)
{
    inform(ctx, "zones: this system lacks %.*s, the time zone of %s %.*s, and cannot serve it",
           (int)timezone.size, timezone.at, what, (int)id.size, id.at);
}

static void report_all(struct checking *c, struct state *state, const struct recovery *found)
{
    ASSERT(state->seq == found->last_seq);
    report_state(c, state);
    /* As of the last change: the result must not depend on when the check runs. */
    state_set_now(state, found->last_at_ms);
    report_queues(c, state);
    report_fleets(c, state);
    zones_check(state, report_zone, c);
    state_check(state, fault_found, c);
}

static struct status check_folder(const struct folder *f, struct checking *c)
{
    struct state *state = NULL;
    struct recovery found = {0};
    /* Its rows first: if those are wrong, the state built from them proves nothing. */
    struct status fault = book_check(f->book, fault_found, c);
    if (!status_ok(&fault))
        return fault;
    fault = recovery_check(f, NULL, &state, &found);
    if (status_ok(&fault)) {
        inform(c, "book: everything up to seq %llu", (unsigned long long)found.book_seq);
        report_journal(c, &found);
        report_all(c, state, &found);
    } else if (fault.kind == STATUS_CORRUPT) {
        fault_found(c, fault.text);
        fault = status_none();
    }
    if (state)
        state_release(state);
    return fault;
}

static struct status check_any_folder(const struct folder *f, struct checking *c)
{
    struct folder looked = *f;
    struct book_scratch_copy book_scratch_copy = {0};
    bool older = false, killed = book_scratch_copy_has_log(f);
    /* With a log beside it the book is copied in any case, whatever its version. */
    struct status fault = killed ? status_none() : book_writer_upgrades(f->book, &older);
    if (fault.kind == STATUS_CORRUPT)
        fault = status_none(); /* the check reports it */
    if (status_ok(&fault) && (older || killed)) {
        inform(c, killed ? "book: the server was not stopped cleanly; a copy with its log merged was checked"
                         : "book: written by an older Holdfast; an upgraded copy was checked");
        fault = book_scratch_copy_make(&book_scratch_copy, &looked);
    }
    if (status_ok(&fault))
        fault = check_folder(&looked, c);
    else if (fault.kind == STATUS_CORRUPT) {
        fault_found(c, fault.text); /* too damaged to merge its log or to be upgraded */
        fault = status_none();
    }
    book_scratch_copy_remove(&book_scratch_copy);
    return fault;
}

struct status check_run(const char *data, check_report_fn report, void *ctx)
{
    struct checking checking = {.report = report, .ctx = ctx};
    struct folder folder;
    struct stat there;
    /* folder_open_read_only would take a mistyped path for a folder without a lock. */
    if (stat(data, &there) != 0)
        return status_make(STATUS_INVALID, "%s: %s", data, strerror(errno));
    struct status fault = folder_open_read_only(&folder, data);
    if (!status_ok(&fault))
        return fault;
    if (stat(folder.book, &there) != 0)
        fault = status_make(STATUS_INVALID, "%s is not a data folder: it has no book", data);
    else
        fault = check_any_folder(&folder, &checking);
    folder_close(&folder);
    if (status_ok(&fault) && checking.faults)
        return status_make(STATUS_CORRUPT, "%u faults found", checking.faults);
    return fault;
}

/* ---- A site in PostgreSQL ---- */

#define SITE_LIMIT_MS 60000
#define SITE_TRIES 5

struct checking_site {
    struct checking *c;
    struct pg *pg;
    const char *url;
    struct cluster_site site;
    struct folder folder; /* only the path of the book */
    struct snapshot snapshot;
    struct sold_rows sold;
};

/* The newest snapshot as a book, or an empty book. */
static struct status take_book(struct checking_site *s)
{
    struct book_writer *writer = NULL;
    struct status fault = snapshot_book_take(s->pg, s->site.shard, s->folder.book, &s->snapshot);
    if (!status_ok(&fault) || s->snapshot.seq)
        return fault;
    fault = book_writer_open(&writer, s->folder.book);
    book_writer_close(writer);
    return fault;
}

/* Its next rows may have been trimmed meanwhile, because there is a newer snapshot. */
static struct status rebuild_site(struct checking_site *s, struct state **state, struct recovery *found)
{
    struct log_pg_options pg = {.url = s->url, .shard = s->site.shard};
    const struct recovery_log from = {.pg = &pg};
    memcpy(pg.id, s->site.id, sizeof(pg.id));
    struct status fault = status_none();
    for (int i = 0; i < SITE_TRIES; i++) {
        struct snapshot newest;
        sold_rows_release(&s->sold);
        fault = take_book(s);
        if (status_ok(&fault))
            fault = sold_read(s->pg, s->site.shard, &s->sold);
        pg.upto_seq = s->sold.last_seq; /* nodes may write more */
        if (status_ok(&fault))
            fault = recovery_check(&s->folder, &from, state, found);
        if (fault.kind != STATUS_CORRUPT)
            return fault;
        struct status looked = snapshot_newest(s->pg, s->site.shard, &newest);
        if (!status_ok(&looked) || newest.seq == s->snapshot.seq)
            return fault;
        if (*state)
            state_release(*state);
        *state = NULL;
    }
    return fault;
}

static struct status check_site(struct checking_site *s)
{
    struct state *state = NULL;
    struct recovery found = {0};
    struct status fault = rebuild_site(s, &state, &found);
    if (status_ok(&fault)) {
        if (s->snapshot.seq)
            inform(s->c, "snapshot: everything up to seq %llu", (unsigned long long)s->snapshot.seq);
        inform(s->c, "log: %llu row%s to apply, last seq %llu", (unsigned long long)found.log.batches,
               found.log.batches == 1 ? "" : "s", (unsigned long long)found.last_seq);
        report_all(s->c, state, &found);
        ASSERT(state->seq == s->sold.last_seq);
        sold_compare(&s->sold, state, fault_found, s->c);
        inform(s->c, "sold: %u seat%s", s->sold.count, s->sold.count == 1 ? "" : "s");
    } else if (fault.kind == STATUS_CORRUPT) {
        fault_found(s->c, fault.text);
        fault = status_none();
    }
    if (state)
        state_release(state);
    return fault;
}

struct status check_run_site(const char *url, const char *site, check_report_fn report, void *ctx)
{
    struct checking checking = {.report = report, .ctx = ctx};
    struct book_scratch_copy scratch = {0};
    struct checking_site s = {.c = &checking, .url = url};
    s.pg = pg_make(&(struct pg_options){.url = url, .name = "holdfast check", .limit_ms = SITE_LIMIT_MS});
    struct status fault = cluster_site_find(&s.site, s.pg, site);
    if (status_ok(&fault))
        fault = book_scratch_place(&scratch, s.folder.book);
    if (status_ok(&fault))
        fault = check_site(&s);
    sold_rows_release(&s.sold);
    book_scratch_copy_remove(&scratch);
    pg_release(s.pg);
    if (status_ok(&fault) && checking.faults)
        return status_make(STATUS_CORRUPT, "%u faults found", checking.faults);
    return fault;
}
