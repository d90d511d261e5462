/* SPDX-License-Identifier: Apache-2.0 */
#include "world.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/calendar/calendar.h"
#include "core/catalogue/event.h"
#include "core/claim/gate.h"
#include "core/claim/refusal.h"
#include "core/claim/reservation.h"
#include "core/dispatch/dispatch.h"
#include "core/money/event_cancel.h"
#include "core/queue/queue.h"
#include "core/queue/queue_line.h"
#include "core/state_check.h"
#include "dispatch_carry.h"
#include "engine/due.h"
#include "engine/import.h"
#include "hook_carry.h"
#include "queue_carry.h"
#include "state_compare.h"

struct watched_seat {
    struct id holder;
    uint64_t version;
};

struct watched_reservation {
    struct id id;
    int64_t expires_at_ms;
    uint32_t version;
    enum reservation_status status;
};

struct watch {
    uint64_t numbers[64]; /* of events */
    struct watched_seat *seats[64];
    uint32_t seat_counts[64];
    struct watched_reservation *reservations;
    uint32_t reservation_count;
};

__attribute__((format(printf, 2, 3))) static void broken(struct world *w, const char *format, ...)
{
    if (w->fault[0])
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(w->fault, sizeof(w->fault), format, arguments);
    va_end(arguments);
}

static void reported(void *ctx, const char *sentence)
{
    broken(ctx, "%s", sentence);
}

static void drive(struct world *w);

void world_init(struct world *w)
{
    *w = (struct world){.now_ms = WORLD_EPOCH_MS};
    w->st = state_make();
    w->watch = memory_zeroed(1, sizeof(*w->watch));
    buf_init(&w->batch, (size_t)1 << 26);
    buf_init(&w->journal, (size_t)1 << 30);
    fake_book_init(&w->book);
    drive(w);
}

void world_follow(struct world *w, uint32_t follow_every)
{
    ASSERT(!w->follower);
    w->follower = memory_zeroed(1, sizeof(*w->follower));
    w->follow_every = follow_every;
    follower_init(w->follower);
    if (w->changes)
        follower_take(w->follower, &w->journal, (uint32_t)w->changes);
    follower_apply(w->follower);
    w->follower->announced.count = 0; /* nobody has seen it before */
}

void world_release(struct world *w)
{
    state_release(w->st);
    fake_book_release(&w->book);
    buf_release(&w->batch);
    buf_release(&w->journal);
    free(w->touches);
    if (w->follower)
        follower_release(w->follower);
    free(w->follower);
    for (int i = 0; i < 64; i++)
        free(w->watch->seats[i]);
    free(w->watch->reservations);
    free(w->watch);
    free(w->ends);
    sold_release(&w->sold);
    free(w->begins);
}

/* ---- What is watched ---- */

/* Where the seats of an event are watched: slots are reused, numbers are not. */
static uint32_t watched_event(struct watch *v, uint64_t number)
{
    uint32_t at = 0;
    while (at < 64 && v->numbers[at] && v->numbers[at] != number)
        at++;
    ASSERT(at < 64);
    v->numbers[at] = number;
    return at;
}

static void watch_seats(struct world *w, struct event *e, uint64_t seq_before)
{
    struct watch *v = w->watch;
    uint32_t count = e->layout && !e->image.removed ? e->layout->count : 0;
    uint32_t at = count ? watched_event(v, e->image.number) : 0;
    if (count > v->seat_counts[at]) {
        v->seats[at] = memory_grow(v->seats[at], count, sizeof(**v->seats));
        memset(v->seats[at] + v->seat_counts[at], 0, (count - v->seat_counts[at]) * sizeof(**v->seats));
        v->seat_counts[at] = count;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct watched_seat now = {state_compare_holder(w->st, e, i), seat_at(e, i)->version};
        struct watched_seat *before = &v->seats[at][i];
        bool same = id_equal(now.holder, before->holder);
        /* The same holder with another version: it lapsed and was paid for late, in one step. */
        if ((!same || now.version != before->version) && now.version <= seq_before)
            broken(w, "Seat %.*s went from version %llu to %llu.", (int)layout_id(e->layout, i).size,
                   layout_id(e->layout, i).at, (unsigned long long)before->version,
                   (unsigned long long)now.version);
        *before = now;
    }
}

static struct watched_reservation *watched(struct watch *v, struct id id)
{
    for (uint32_t i = 0; i < v->reservation_count; i++)
        if (id_equal(v->reservations[i].id, id))
            return &v->reservations[i];
    v->reservations = memory_grow(v->reservations, v->reservation_count + 1u, sizeof(*v->reservations));
    v->reservations[v->reservation_count] = (struct watched_reservation){.id = id};
    return &v->reservations[v->reservation_count++];
}

static void watch_reservation(struct world *w, const struct reservation *r)
{
    struct watched_reservation *before = watched(w->watch, r->id);
    enum reservation_status status = (enum reservation_status)r->status;
    if (r->expires_at_ms < before->expires_at_ms && !w->adding)
        broken(w, "A deadline moved %lld ms earlier.", (long long)(before->expires_at_ms - r->expires_at_ms));
    if (r->version < before->version || (status != before->status && r->version == before->version))
        broken(w, "A reservation's version did not grow.");
    bool back = before->status == RESERVATION_CONFIRMED &&
                (status == RESERVATION_REFUNDED || status == RESERVATION_CANCELLED);
    back = back || (before->status == RESERVATION_EXPIRED && status == RESERVATION_CONFIRMED);
    if (before->status && before->status != RESERVATION_HELD && status != before->status && !back)
        broken(w, "A %s reservation became %s.", reservation_status_name(before->status),
               reservation_status_name(status));
    *before = (struct watched_reservation){r->id, r->expires_at_ms, r->version, status};
}

/* After every step. */
static void watch(struct world *w, uint64_t seq_before)
{
    uint64_t fence_most = w->fence_most;
    state_check(w->st, reported, w);
    for (uint32_t i = 0; i < w->st->event_count; i++)
        watch_seats(w, w->st->events[i], seq_before);
    for (uint32_t i = 0; i < w->st->reservations.used; i++) {
        const struct reservation *r = reservation_at(w->st, i);
        if (!r->status)
            continue;
        if (r->fence > w->fence_most && r->fence <= seq_before)
            broken(w, "Fence %llu was given after %llu.", (unsigned long long)r->fence,
                   (unsigned long long)seq_before);
        fence_most = r->fence > fence_most ? r->fence : fence_most;
        watch_reservation(w, r);
    }
    w->fence_most = fence_most;
    char sentence[SOLD_SENTENCE];
    if (!sold_matches(&w->sold, w->st, sentence))
        broken(w, "%s", sentence);
}

/* ---- What the engine decides becomes durable at once ---- */

static void count_change(struct world *w, const struct change *c)
{
    w->offers += c->kind == CHANGE_OFFER && !c->offer.end;
    w->warnings += c->kind == CHANGE_HOOK_WARNING;
    w->refunded += c->kind == CHANGE_RESERVATION && (c->reservation.action == ACTION_REFUNDED ||
                                                     c->reservation.action == ACTION_ITEM_REFUNDED);
    if (c->kind == CHANGE_REFUSALS && w->refusals)
        buf_append(w->refusals, c->refusals.rows.at, bytes_left(&c->refusals.rows));
    w->refusal_count += c->kind == CHANGE_REFUSALS ? c->refusals.count : 0;
}

static void journal(struct world *w, const struct buf *changes, uint32_t count)
{
    struct bytes_reader in = bytes_reader_make(changes->data, changes->size);
    size_t base = w->journal.size;
    uint64_t begin = w->changes;
    if (w->changes + count > w->ends_capacity) {
        w->ends_capacity = (w->changes + count) * 2;
        w->ends = memory_grow(w->ends, w->ends_capacity, sizeof(*w->ends));
        w->begins = memory_grow(w->begins, w->ends_capacity, sizeof(*w->begins));
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!change_decode(&in, w->changes + 1, &w->book.change))
            broken(w, "Change %llu cannot be read back.", (unsigned long long)w->changes + 1);
        if (w->book.change.at_ms != w->now_ms)
            broken(w, "A change has another instant than its command.");
        count_change(w, &w->book.change);
        w->begins[w->changes] = begin;
        w->ends[w->changes++] = base + changes->size - bytes_left(&in);
    }
    if (bytes_left(&in) || w->changes != w->st->seq)
        broken(w, "The changes are not as many as they are said to be.");
    buf_append(&w->journal, changes->data, changes->size);
}

static void take_sales(struct world *w)
{
    char sentence[SOLD_SENTENCE];
    for (uint32_t i = 0; i < w->st->sales.count; i++)
        if (!sold_take(&w->sold, &w->st->sales.list[i], sentence))
            broken(w, "%s", sentence);
}

static void appended(void *owner, uint32_t count, int64_t at_ms)
{
    struct world *w = owner;
    if (at_ms != w->now_ms)
        broken(w, "A step has another instant than its call.");
    journal(w, &w->batch, count);
    if (w->follower)
        follower_take(w->follower, &w->batch, count);
    if (w->follower && !w->follow_every)
        follower_apply(w->follower);
    buf_clear(&w->batch);
    w->engine.durable_seq = w->st->seq;
    w->appended = count;
    take_sales(w);
    watch(w, w->st->seq - count);
}

static void touched(void *owner)
{
    struct world *w = owner;
    const struct state *st = w->st;
    if (w->follower && st->change_count)
        follower_expect(w->follower, st);
    w->touches = memory_grow(w->touches, st->touch_count + 1u, sizeof(*w->touches));
    w->touch_count = st->touch_count;
    if (st->touch_count)
        memcpy(w->touches, st->touches, st->touch_count * sizeof(*w->touches));
    for (uint32_t i = 0; i < st->moved_count; i++)
        w->admitted +=
            queue_entry(st->events[st->moved[i].event]->queue, st->moved[i].number)->status == QUEUE_ADMITTED;
}

/* ---- The book ---- */

void world_record(struct world *w)
{
    uint64_t from = w->book.st->seq ? w->ends[w->book.st->seq - 1] : 0;
    if (!fake_book_take(&w->book, w->journal.data + from, w->journal.size - from,
                        (uint32_t)(w->changes - w->book.st->seq)))
        broken(w, "The book cannot take change %llu.", (unsigned long long)w->book.st->seq + 1);
}

static void read_book(void *owner, struct fetch *fetch)
{
    struct world *w = owner;
    struct fetched *records = memory_zeroed(OUTCOME_LACKS_MAX, sizeof(*records));
    bool keys_only = true;
    for (uint32_t i = 0; i < fetch->count; i++)
        keys_only = keys_only && fetch->keys[i].kind == FETCH_IDEMPOTENCY;
    if (w->st->change_count)
        broken(w, "A command that must be tried again changed something.");
    if (!keys_only && !w->behind)
        world_record(w); /* a restart could have been from a later book */
    w->reads++;
    w->keys += fetch->count;
    fake_book_read(&w->book, w->now_ms, fetch, records);
    engine_fetched(&w->engine, w->now_ms, fetch, records);
    free(records);
}

static uint64_t book_seq(void *owner)
{
    return ((struct world *)owner)->book.st->seq;
}

static void damaged(void *owner, const char *what, struct id id)
{
    broken(owner, "The book's %s %llx differs from memory's.", what, (unsigned long long)id.low);
}

/* ---- The host ---- */

static bool never(const struct log *l)
{
    (void)l;
    return false;
}

static bool never_exceeds(struct log *l, uint64_t seq, uint64_t limit)
{
    (void)l;
    (void)seq;
    (void)limit;
    return false;
}

static void nothing(void *owner)
{
    (void)owner;
}

/* A new process. */
static void drive(struct world *w)
{
    static const struct log_ops ops = {.prepare_due = never, .exceeds = never_exceeds};
    const struct engine_host host = {.owner = w,
                                     .appended = appended,
                                     .touched = touched,
                                     .more = nothing, /* the caller decides what runs, and when */
                                     .read = read_book,
                                     .begin_segment = nothing,
                                     .book_seq = book_seq,
                                     .damaged = damaged};
    w->log.ops = &ops;
    engine_init(&w->engine, w->st, &w->log, &host);
    w->engine.changes = &w->batch;
    w->engine.durable_seq = w->st->seq;
    w->st->sales.wanted = true;
}

void world_set_room(struct world *w, enum log_room room)
{
    atomic_store(&w->log.room, (int)room);
}

static void begin(struct world *w)
{
    w->appended = w->touch_count = 0;
    w->reads = w->keys = 0;
    state_set_now(w->st, w->now_ms);
}

/* ---- Commands ---- */

static void outcome_check(struct world *w, const struct outcome *out)
{
    if (w->appended && out->seq < w->st->seq)
        broken(w, "The answer does not wait for its own changes.");
    if (out->seq > w->st->seq)
        broken(w, "The answer waits for a seq that never comes.");
    if (out->has_ride) {
        const struct fleet *f = fleet_find_number(w->st, out->ride.fleet);
        uint32_t handle = f ? ride_find(f, out->ride.id) : TABLE_NONE;
        if (handle == TABLE_NONE || ride_at(f, handle)->seq > out->seq)
            broken(w, "The answer shows more of a ride than it waits for.");
    }
    if (out->has_reservation) {
        uint32_t handle = reservation_find(w->st, out->reservation.id);
        if (handle == TABLE_NONE || reservation_at(w->st, handle)->seq > out->seq)
            broken(w, "The answer shows more than it waits for.");
    }
    if (out->code == OUTCOME_TAKEN || out->code == OUTCOME_SOLD_OUT ||
        out->code == OUTCOME_NO_ADJACENT_SEATS) {
        if (out->obstacle_count == 0)
            broken(w, "A refusal does not say what was in the way.");
        for (uint32_t i = 1; i < out->obstacle_count; i++)
            if (out->obstacles[i].item <= out->obstacles[i - 1].item)
                broken(w, "The obstacles are not in the order of the request.");
    }
}

struct answer {
    struct outcome *out;
    bool given;
};

static void on_answer(void *ctx, const struct outcome *out)
{
    struct answer *answer = ctx;
    ASSERT(!answer->given);
    answer->given = true;
    *answer->out = *out;
}

enum outcome_code world_apply(struct world *w, const struct command *c, struct outcome *out)
{
    struct answer answer = {.out = out};
    begin(w);
    w->adding = c->kind == COMMAND_ITEMS_ADD;
    bool judged = w->follower && (c->kind == COMMAND_HOLD || c->kind == COMMAND_ITEMS_ADD);
    if (judged)
        follower_judge(w->follower, w->st, w->now_ms, c);
    engine_submit(&w->engine, w->now_ms, c, on_answer, &answer);
    for (int steps = 0; !answer.given; steps++) {
        w->appended = w->touch_count = 0;
        engine_retry(&w->engine, w->now_ms);
        ASSERT(steps < 1000000);
    }
    outcome_check(w, out);
    if (judged)
        follower_judged(w->follower, out);
    if (!w->appended)
        watch(w, w->st->seq);
    w->adding = false;
    return out->code;
}

enum gate_verdict world_judge(struct world *w, const struct command *c, const struct gate_intents *intents,
                              struct outcome *out)
{
    static struct obstacle obstacles[ITEMS_MAX];
    struct follower f;
    struct buf rows;
    follower_init(&f);
    buf_init(&rows, (size_t)1 << 16);
    follower_take(&f, &w->journal, (uint32_t)w->changes);
    follower_apply(&f);
    enum gate_verdict verdict = state_judge(f.st, c, w->now_ms, intents, out);
    if (verdict != GATE_REFUSES)
        *out = (struct outcome){.code = OUTCOME_RETRY};
    if (out->obstacle_count)
        memcpy(obstacles, out->obstacles, out->obstacle_count * sizeof(*obstacles));
    out->obstacles = obstacles;
    state_take_refusals(f.st, &rows);
    if (!state_add_refusals(w->st, w->now_ms, bytes_reader_make(rows.data, rows.size)))
        broken(w, "The counts of a copy cannot be read.");
    if (f.fault[0])
        broken(w, "%s", f.fault);
    begin(w);
    buf_release(&rows);
    follower_release(&f);
    return verdict;
}

/* ---- What is due ---- */

/* Runs slices of a row until nothing of it is left at this instant. */
static void slices(struct world *w, enum due due, const char *endless)
{
    bool more = true;
    begin(w);
    for (int steps = 0; more; steps++) {
        more = due_slice(&w->engine, due, w->now_ms);
        if (steps > 1000000) {
            broken(w, "%s", endless);
            break;
        }
    }
    watch(w, w->st->seq);
}

uint32_t world_expire(struct world *w, uint32_t most)
{
    uint32_t done = 0, step;
    bool more;
    begin(w);
    do { /* freeing stock for a waiting list ends a step early */
        uint64_t before = w->st->totals.expired;
        w->engine.limits.expire = most - done;
        more = due_slice(&w->engine, DUE_EXPIRY, w->now_ms);
        step = (uint32_t)(w->st->totals.expired - before);
        if (step == 0 && more)
            broken(w, "A lapsed hold was left by the timer.");
        done += step;
    } while (step && done < most && more);
    watch(w, w->st->seq);
    return done;
}

void world_serve(struct world *w)
{
    slices(w, DUE_LISTS, "The lists never come to rest.");
}

uint32_t world_admit(struct world *w, uint32_t most)
{
    uint64_t before = w->admitted;
    w->engine.limits.admit = most;
    slices(w, DUE_ADMISSION, "The rooms never come to rest.");
    return (uint32_t)(w->admitted - before);
}

uint32_t world_warn(struct world *w)
{
    uint64_t before = w->warnings;
    w->engine.limits.warn = 2;
    slices(w, DUE_WARNINGS, "There is no end of warnings.");
    return (uint32_t)(w->warnings - before);
}

uint32_t world_report_refusals(struct world *w, struct buf *rows)
{
    uint64_t before = w->refusal_count;
    begin(w);
    w->refusals = rows;
    engine_write_refusals(&w->engine, w->now_ms);
    w->refusals = NULL;
    watch(w, w->st->seq);
    return (uint32_t)(w->refusal_count - before);
}

uint32_t world_segment(struct world *w)
{
    world_record(w);
    slices(w, DUE_ERASURE, "Names never leave the log.");
    return w->appended;
}

uint32_t world_cancel(struct world *w)
{
    uint64_t before = w->refunded;
    begin(w);
    do
        slices(w, DUE_CANCELLING, "A cancelled event never comes to rest.");
    while (state_next_cancel(w->st) <= w->now_ms && !w->fault[0]);
    return (uint32_t)(w->refunded - before);
}

uint32_t world_dispatch(struct world *w)
{
    uint64_t before = w->offers;
    slices(w, DUE_DISPATCH, "The fleets never come to rest.");
    return (uint32_t)(w->offers - before);
}

uint32_t world_forget(struct world *w)
{
    char sentence[STATE_COMPARE_SENTENCE];
    uint64_t before = w->st->reservations.count;
    world_record(w);
    if (!state_compare(w->st, w->book.st, sentence))
        broken(w, "The book differs: %s", sentence);
    w->engine.limits.forget = 100;
    while (engine_forget(&w->engine)) {
    }
    watch(w, w->st->seq);
    return (uint32_t)(before - w->st->reservations.count);
}

/* ---- Restarts ---- */

/* As the store does after recovery. */
static void set_zones(struct world *w, struct state *st)
{
    for (uint32_t i = 0; i < st->calendar_listed; i++) {
        struct calendar *c = calendar_listed(st, i);
        char name[ZONE_NAME_SIZE_MAX + 1] = {0};
        memcpy(name, c->image.timezone.at, c->image.timezone.size);
        struct zone *zone = zone_load(name);
        if (!zone)
            broken(w, "There is no zone %s.", name);
        calendar_set_zone(c, zone);
        zone_release(zone);
    }
    for (struct event *e = event_after(st, 0); e; e = event_after(st, e->image.number)) {
        char name[ZONE_NAME_SIZE_MAX + 1] = {0};
        if (!e->image.timezone.at)
            continue;
        memcpy(name, e->image.timezone.at, e->image.timezone.size);
        struct zone *zone = zone_load(name);
        event_set_zone(e, zone);
        zone_release(zone);
    }
}

uint64_t world_step_end(const struct world *w, uint64_t seq)
{
    ASSERT(seq <= w->changes);
    return seq < w->changes ? w->begins[seq] : seq;
}

/* Goes on with another state, in which nothing is decided or shown yet. */
static void begin_anew(struct world *w, struct state *st)
{
    set_zones(w, st);
    if (w->carry && !w->fault[0]) {
        queue_carry(w->st, st);
        hook_carry(w->st, st);
        /* A crash loses them; a run with many restarts has to report the same. */
        struct refusals *counted = w->st->refusals;
        w->st->refusals = st->refusals;
        st->refusals = counted;
        dispatch_carry(w->st, st);
    }
    bool at_rest = state_next_service(w->st) > w->now_ms;
    uint64_t seq_before = st->seq;
    ASSERT(engine_idle(&w->engine));
    state_release(w->st);
    w->st = st;
    drive(w);
    world_serve(w);
    if (at_rest && st->seq != seq_before)
        broken(w, "After recovery the lists had something to do.");
    watch(w, st->seq);
}

void world_restart(struct world *w, uint64_t book_seq)
{
    struct fake_book book;
    char sentence[STATE_COMPARE_SENTENCE];
    struct state *st = state_make();
    book_seq = world_step_end(w, book_seq);
    uint64_t from = book_seq ? w->ends[book_seq - 1] : 0;
    fake_book_init(&book);
    if (!fake_book_take(&book, w->journal.data, from, (uint32_t)book_seq))
        broken(w, "Change %llu does not fit the state before it.", (unsigned long long)book.st->seq + 1);
    else if (!fake_book_recover(&book, st, w->journal.data + from, w->journal.size - from,
                                (uint32_t)(w->changes - book_seq)))
        broken(w, "Recovery from seq %llu stops at %llu.", (unsigned long long)book_seq,
               (unsigned long long)st->seq + 1);
    else if (!state_restore_end(st))
        broken(w, "After recovery from seq %llu a step is not whole.", (unsigned long long)book_seq);
    else if (!state_compare(w->st, st, sentence) || !state_compare(st, w->st, sentence))
        broken(w, "After recovery from seq %llu: %s", (unsigned long long)book_seq, sentence);
    fake_book_release(&book);
    begin_anew(w, st);
}

/* ---- Following ---- */

void world_let_follow(struct world *w)
{
    struct follower *f = w->follower;
    if (!f || ++w->calls < w->follow_every)
        return;
    w->calls = 0;
    follower_apply(f);
    follower_check(f, w->st);
    if (f->fault[0])
        broken(w, "%s", f->fault);
}

void world_take_over(struct world *w)
{
    struct follower *f = w->follower;
    ASSERT(engine_idle(&w->engine) && f);
    follower_apply(f);
    follower_check(f, w->st);
    struct state *st = follower_take_over(f);
    if (f->fault[0])
        broken(w, "%s", f->fault);
    free(f);
    w->follower = NULL;
    begin_anew(w, st);
    world_follow(w, w->follow_every);
}

/* ---- Imports ---- */

static void on_over(void *ctx)
{
    *(bool *)ctx = true;
}

/* The loop's half of it. The layout is taken over, or released. */
static enum outcome_code import_run(struct world *w, struct engine_import *i, struct outcome *out)
{
    bool over = false, known = event_find(w->st, i->event) != NULL;
    i->actor = (struct actor){.role = ROLE_ADMIN};
    i->over = on_over;
    i->ctx = &over;
    engine_import(&w->engine, i);
    do
        begin(w);
    while (due_slice(&w->engine, DUE_IMPORT, w->now_ms));
    ASSERT(over);
    *out = i->outcome;
    out->code = known ? i->code : OUTCOME_NO_SUCH_EVENT; /* the store refuses it before it begins */
    outcome_check(w, out);
    layout_release(i->layout);
    return out->code;
}

enum outcome_code world_import(struct world *w, struct text event, const struct buf *rows, uint32_t count,
                               struct outcome *out)
{
    const struct event *e = event_find(w->st, event);
    uint32_t created, updated;
    struct layout_blocks blocks;
    struct engine_import i = {.event = event, .rows = rows, .blocks = &blocks, .base = e ? e->layout : NULL};
    i.layout =
        layout_make(i.base, bytes_reader_make(rows->data, rows->size), count, &created, &updated, &blocks);
    ASSERT(i.layout);
    import_run(w, &i, out);
    layout_blocks_release(&blocks);
    return out->code;
}

static int compare_positions(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

enum outcome_code world_remove_seats(struct world *w, struct text event, const struct text *ids,
                                     uint32_t count, struct outcome *out)
{
    const struct event *e = event_find(w->st, event);
    uint32_t positions[64];
    ASSERT(count <= sizeof(positions) / sizeof(*positions));
    for (uint32_t i = 0; e && i < count; i++) {
        positions[i] = layout_find(e->layout, ids[i]);
        if (positions[i] == LAYOUT_NONE)
            return out->code = OUTCOME_NO_SUCH_SEAT;
    }
    qsort(positions, count, sizeof(*positions), compare_positions);
    struct engine_import i = {.event = event, .removes = true, .positions = positions, .count = count};
    i.base = e ? e->layout : NULL;
    i.layout = e ? layout_without(e->layout, positions, count) : NULL;
    return import_run(w, &i, out);
}
