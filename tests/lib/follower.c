/* SPDX-License-Identifier: Apache-2.0 */
#include "follower.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "base/time/zone.h"
#include "core/calendar/calendar.h"
#include "core/calendar/group.h"
#include "core/catalogue/event_seats.h"
#include "core/claim/gate.h"
#include "core/claim/refusal.h"
#include "core/queue/queue.h"
#include "core/queue/queue_line.h"
#include "core/state_check.h"
#include "core/state_check_parts.h"

void follower_init(struct follower *f)
{
    *f = (struct follower){.st = state_make()};
    fake_book_init(&f->book);
    buf_init(&f->batch, (size_t)1 << 26);
}

void follower_release(struct follower *f)
{
    if (f->st)
        state_release(f->st);
    fake_book_release(&f->book);
    buf_release(&f->batch);
    free(f->announced.all);
    free(f->expected.all);
}

__attribute__((format(printf, 2, 3))) static void broken(struct follower *f, const char *format, ...)
{
    if (f->fault[0])
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(f->fault, sizeof(f->fault), format, arguments);
    va_end(arguments);
}

static void reported(void *ctx, const char *sentence)
{
    broken(ctx, "A follower: %s", sentence);
}

/* ---- What is announced ---- */

static void add(struct follower_rows *rows, struct follower_row row)
{
    rows->all = memory_room(rows->all, rows->count, &rows->capacity, 64, sizeof(*rows->all));
    rows->all[rows->count++] = row;
}

static void add_all(struct follower_rows *rows, const struct state *st)
{
    for (uint32_t i = 0; i < st->touch_count; i++) {
        const struct touch *touch = &st->touches[i];
        add(rows,
            (struct follower_row){"part of event",
                                  {st->events[touch->resource]->image.number, touch->part, touch->kind}});
    }
    for (uint32_t i = 0; i < st->span_count; i++) {
        const struct span_touch *span = &st->spans[i];
        add(rows, (struct follower_row){"time on calendar",
                                        {st->calendars[span->calendar]->image.number, (uint64_t)span->from_ms,
                                         (uint64_t)span->to_ms}});
    }
    for (uint32_t i = 0; i < st->moved_count; i++)
        add(rows, (struct follower_row){"queue entry",
                                        {st->events[st->moved[i].event]->image.number, st->moved[i].number}});
    for (uint32_t i = 0; i < st->ride_count; i++)
        add(rows, (struct follower_row){
                      "ride",
                      {st->rides[i].fleet, st->rides[i].ride.low, st->rides[i].offer, st->rides[i].driver}});
}

static bool same_row(const struct follower_row *a, const struct follower_row *b)
{
    return a->what[0] == b->what[0] && memcmp(a->name, b->name, sizeof(a->name)) == 0;
}

/* Up to where the time from `from_ms` on is announced for the calendar of this row. */
static uint64_t announced_upto(const struct follower_rows *rows, const struct follower_row *row,
                               uint64_t from_ms)
{
    uint64_t upto_ms = from_ms;
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct follower_row *a = &rows->all[i];
        bool reaches = a->what[0] == 't' && a->name[0] == row->name[0] && a->name[1] <= from_ms;
        if (reaches && a->name[2] > upto_ms)
            upto_ms = a->name[2];
    }
    return upto_ms;
}

/* Time may be announced in other pieces; what is over is not shown, and the follower's clock may be ahead. */
static bool announces(const struct follower *f, const struct follower_row *row)
{
    const struct follower_rows *rows = &f->announced;
    uint64_t now_ms = (uint64_t)f->st->now_ms, from_ms = row->name[1] > now_ms ? row->name[1] : now_ms;
    bool found = false, more = row->what[0] == 't';
    for (uint32_t i = 0; i < rows->count && row->what[0] != 't' && !found; i++)
        found = same_row(&rows->all[i], row);
    while (more && from_ms < row->name[2]) {
        uint64_t upto_ms = announced_upto(rows, row, from_ms);
        more = upto_ms > from_ms;
        from_ms = upto_ms;
    }
    return found || more;
}

static void check_announced(struct follower *f)
{
    for (uint32_t i = 0; i < f->expected.count; i++) {
        const struct follower_row *row = &f->expected.all[i];
        if (!announces(f, row))
            broken(f, "A follower does not announce a %s: %llu, %llu, %llu, %llu.", row->what,
                   (unsigned long long)row->name[0], (unsigned long long)row->name[1],
                   (unsigned long long)row->name[2], (unsigned long long)row->name[3]);
    }
    f->expected.count = f->announced.count = 0;
}

/* ---- Batches ---- */

void follower_take(struct follower *f, const struct buf *changes, uint32_t count)
{
    buf_append(&f->batch, changes->data, changes->size);
    f->count += count;
}

/* That an event's stock looks held while its list is served is announced for the whole event; a follower does not show
 * that. */
static bool by_list(const struct state *st, const struct follower_row *row)
{
    const struct event *e = row->what[0] == 'p' ? event_find_number(st, row->name[0]) : NULL;
    return e && e->list && row->name[2] == TOUCH_EVENT;
}

void follower_expect(struct follower *f, const struct state *original)
{
    struct follower_rows *rows = &f->expected;
    uint32_t count = rows->count;
    add_all(rows, original);
    for (uint32_t i = count; i < rows->count; i++)
        if (!by_list(original, &rows->all[i]))
            rows->all[count++] = rows->all[i];
    rows->count = count;
}

/* Reads what the batch changes and memory lacks. */
static void fetch(struct follower *f)
{
    struct bytes_reader in = bytes_reader_make(f->batch.data, f->batch.size);
    struct change *c = &f->book.change;
    for (uint32_t i = 0; i < f->count; i++)
        if (!change_decode(&in, f->st->seq + 1 + i, c))
            broken(f, "A follower cannot read change %llu.", (unsigned long long)c->seq);
        else if (state_follow_lacks(f->st, c))
            fake_book_recall(&f->book, f->st); /* if it has it: otherwise the batch does */
}

static void record(struct follower *f)
{
    if (!fake_book_take(&f->book, f->batch.data, f->batch.size, f->count))
        broken(f, "A follower's book cannot take change %llu.", (unsigned long long)f->book.st->seq + 1);
    while (f->forgets && state_forget(f->st, f->book.st->seq, 1024) == 1024)
        ;
}

/* Loads the zone of an event or a calendar; NULL: the change names none. */
static struct zone *zone_of(const struct change *c)
{
    char name[ZONE_NAME_SIZE_MAX + 1] = {0};
    struct text zone = c->kind == CHANGE_CALENDAR ? c->calendar.timezone
                       : c->kind == CHANGE_EVENT  ? c->event.timezone
                                                  : (struct text){0};
    if (!zone.at)
        return NULL;
    memcpy(name, zone.at, zone.size);
    return zone_load(name);
}

void follower_apply(struct follower *f)
{
    struct bytes_reader in = bytes_reader_make(f->batch.data, f->batch.size);
    struct change *c = &f->book.change;
    if (!f->count || f->fault[0])
        return;
    fetch(f);
    state_follow_begin(f->st);
    for (uint32_t i = 0; i < f->count && !f->fault[0]; i++) {
        change_decode(&in, f->st->seq + 1, c);
        c->fetched = true;
        c->made.zone = zone_of(c);
        if (state_follow(f->st, c) != RESTORE_OK)
            broken(f, "A follower cannot apply change %llu.", (unsigned long long)c->seq);
        zone_release(c->made.zone);
        c->made.zone = NULL;
    }
    state_follow_end(f->st);
    add_all(&f->announced, f->st);
    state_set_now(f->st, f->st->now_ms + f->ahead_ms);
    f->ahead_ms = 0;
    record(f);
    buf_clear(&f->batch);
    f->count = 0;
}

/* Whether both estimate the same wait for the entry that joined last, once both have counted the line. */
static bool same_wait(const struct state *a, const struct event *x, const struct state *b,
                      const struct event *y)
{
    struct queue_entry_image p, q;
    uint32_t last = queue_joined(x->queue);
    if (!last || last != queue_joined(y->queue) || !queue_counted(x->queue) || !queue_counted(y->queue))
        return true;
    queue_entry_view(a, x, last, &p);
    queue_entry_view(b, y, last, &q);
    return p.eta_s == q.eta_s;
}

/* What readers see of an event; while the original still serves its list, it shows free stock as held. */
static void check_event(struct follower *f, const struct state *original, const struct event *x,
                        const struct event *y)
{
    struct event_counts a = event_counts_shown(x), b = event_counts_shown(y);
    struct queue_view p, q;
    bool busy = waiting_list_busy(x), queue = queue_view(original, x, &p);
    if (!busy && memcmp(&a, &b, sizeof(a)) != 0)
        broken(f, "A follower shows other counts of %.*s.", TEXT_ARGS(x->image.id));
    for (uint32_t i = 0; i < x->pool_count && !busy; i++)
        if (pool_shown(x, &x->pools[i]) != pool_shown(y, &y->pools[i]))
            broken(f, "A follower shows another pool of %.*s.", TEXT_ARGS(x->image.id));
    /* A process that decides since the opening has measured all admissions. */
    bool measured = original->admitting_since_ms && queue && original->now_ms == f->st->now_ms &&
                    original->admitting_since_ms <= p.image.opened_at_ms;
    /* One that has started since does not know when its room moved last. */
    if (queue != queue_view(f->st, y, &q) || (queue && p.seq && q.seq && p.seq != q.seq) ||
        (measured && (p.admitted_per_10_s != q.admitted_per_10_s || !same_wait(original, x, f->st, y))))
        broken(f, "A follower shows another room of %.*s: %llu, not %llu; %u, not %u admitted.",
               TEXT_ARGS(x->image.id), (unsigned long long)q.seq, (unsigned long long)p.seq,
               q.admitted_per_10_s, p.admitted_per_10_s);
}

static void check_shown(struct follower *f, const struct state *original)
{
    for (const struct event *e = event_after(original, 0); e; e = event_after(original, e->image.number))
        check_event(f, original, e, event_find_number(f->st, e->image.number));
}

void follower_check(struct follower *f, struct state *original)
{
    char sentence[STATE_COMPARE_SENTENCE];
    if (f->fault[0])
        return;
    if (f->st->now_ms < original->now_ms)
        state_set_now(f->st, original->now_ms);
    check_announced(f);
    state_check(f->st, reported, f);
    if (!state_compare(original, f->st, sentence) || !state_compare(f->st, original, sentence))
        broken(f, "A follower at seq %llu: %s", (unsigned long long)f->st->seq, sentence);
    else
        check_shown(f, original);
}

/* ---- The gate ---- */

void follower_judge(struct follower *f, const struct state *original, int64_t now_ms, const struct command *c)
{
    struct follower_verdict *v = &f->verdict;
    struct buf rows;
    bool ahead = f->st->now_ms > now_ms;
    v->exact = !f->count && f->st->seq == original->seq && !ahead;
    enum gate_verdict verdict = GATE_NO_VERDICT;
    if (!f->fault[0] && f->st->follows)
        verdict = state_judge(f->st, c, ahead ? f->st->now_ms : now_ms, NULL, &v->out);
    v->refused = verdict == GATE_REFUSES;
    v->grants = verdict == GATE_GRANTS && v->out.code != OUTCOME_TAKEN;
    if (v->refused)
        memcpy(v->obstacles, v->out.obstacles, v->out.obstacle_count * sizeof(*v->obstacles));
    buf_init(&rows, (size_t)1 << 16);
    /* The original counts it, too; these would be written after a takeover. */
    if (state_take_refusals(f->st, &rows) != v->refused)
        broken(f, "A follower counts a refusal that it did not make, or the reverse.");
    buf_release(&rows);
}

/* Where people wait the original may name more: what came free was offered to them first. */
static bool names_all(const struct follower_verdict *v, const struct outcome *out, bool more)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < out->obstacle_count && found < v->out.obstacle_count; i++)
        found += memcmp(&out->obstacles[i], &v->obstacles[found], sizeof(*v->obstacles)) == 0;
    return found == v->out.obstacle_count && (more || found == out->obstacle_count);
}

void follower_judged(struct follower *f, const struct outcome *out)
{
    const struct follower_verdict *v = &f->verdict;
    bool waits = f->st->list_by_status[LIST_WAITING] > 0;
    if (v->grants && v->exact && !waits && out->code == OUTCOME_TAKEN)
        broken(f, "A follower would grant what is taken.");
    if (!v->refused || !v->exact || out->code == OUTCOME_UNAVAILABLE || out->code == OUTCOME_STORAGE_FULL)
        return;
    if (out->code != OUTCOME_TAKEN)
        broken(f, "A follower refuses what is %s.", outcome_name(out->code));
    else if (!names_all(v, out, waits) ||
             (!waits && (v->out.refused_item != out->refused_item || v->out.detail != out->detail)))
        broken(f, "A follower refuses for other items.");
}

struct state *follower_take_over(struct follower *f)
{
    struct state *st = f->st;
    ASSERT(!f->count);
    if (!st->follows)
        state_follow_begin(st); /* it has not applied anything yet */
    if (!state_take_over(st))
        broken(f, "A follower takes over in the middle of a step.");
    f->st = NULL;
    follower_release(f);
    return st;
}
