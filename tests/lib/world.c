/* SPDX-License-Identifier: Apache-2.0 */
#include "world.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory.h"
#include "core/calendar/calendar.h"
#include "core/catalogue/event.h"
#include "core/claim/reservation.h"
#include "core/dispatch/dispatch.h"
#include "core/money/event_cancel.h"
#include "core/queue/queue.h"
#include "core/queue/queue_line.h"
#include "core/state_check.h"
#include "dispatch_carry.h"
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

void world_init(struct world *w)
{
    *w = (struct world){.now_ms = WORLD_EPOCH_MS};
    w->st = state_make();
    w->watch = memory_zeroed(1, sizeof(*w->watch));
    buf_init(&w->journal, (size_t)1 << 30);
    fake_book_init(&w->book);
}

void world_release(struct world *w)
{
    state_release(w->st);
    fake_book_release(&w->book);
    buf_release(&w->journal);
    for (int i = 0; i < 64; i++)
        free(w->watch->seats[i]);
    free(w->watch->reservations);
    free(w->watch);
    free(w->ends);
    free(w->begins);
}

/* ---- What is watched ---- */

/* Where the seats of an event are watched: slots are given to others, numbers are not. */
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
        /* The same holder under another version: it lapsed and was paid for late, in one step. */
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
}

/* ---- Steps ---- */

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
        w->begins[w->changes] = begin;
        w->ends[w->changes++] = base + changes->size - bytes_left(&in);
    }
    if (bytes_left(&in) || w->changes != w->st->seq)
        broken(w, "The changes are not as many as they are said to be.");
    buf_append(&w->journal, changes->data, changes->size);
}

void world_record(struct world *w)
{
    uint64_t from = w->book.st->seq ? w->ends[w->book.st->seq - 1] : 0;
    if (!fake_book_take(&w->book, w->journal.data + from, w->journal.size - from,
                        (uint32_t)(w->changes - w->book.st->seq)))
        broken(w, "The book cannot take change %llu.", (unsigned long long)w->book.st->seq + 1);
}

static void outcome_check(struct world *w, const struct outcome *out, uint64_t seq_before)
{
    if (w->st->seq > seq_before && out->seq < w->st->seq)
        broken(w, "The answer does not wait for its own changes.");
    if (out->seq > w->st->seq)
        broken(w, "The answer waits for what never comes.");
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

enum outcome_code world_apply(struct world *w, struct command *c, struct outcome *out)
{
    struct buf changes;
    uint64_t seq_before = w->st->seq;
    buf_init(&changes, (size_t)1 << 26);
    while (state_apply(w->st, c, w->now_ms, &changes, out) == OUTCOME_FETCH) {
        if (changes.size)
            broken(w, "A command that must be tried again changed something.");
        if (out->fetch != FETCH_IDEMPOTENCY && !w->behind)
            world_record(w); /* a restart may have been from a later book */
        if (!fake_book_fetch(&w->book, w->st, out, c)) {
            *out = (struct outcome){.code = OUTCOME_NO_SUCH_RESERVATION};
            break;
        }
        w->fetches++;
    }
    journal(w, &changes, w->st->change_count);
    buf_release(&changes);
    outcome_check(w, out, seq_before);
    w->adding = c->kind == COMMAND_ITEMS_ADD;
    watch(w, seq_before);
    w->adding = false;
    return out->code;
}

uint32_t world_expire(struct world *w, uint32_t most)
{
    struct buf changes;
    uint32_t done = 0, step;
    do { /* what is freed for a waiting list ends a step early */
        uint64_t seq_before = w->st->seq;
        buf_init(&changes, (size_t)1 << 26);
        step = state_expire(w->st, w->now_ms, most - done, &changes);
        if (step == 0 && state_next_deadline(w->st) <= w->now_ms)
            broken(w, "A lapsed hold was left by the timer.");
        journal(w, &changes, w->st->change_count);
        buf_release(&changes);
        watch(w, seq_before);
        done += step;
    } while (step && done < most && state_next_deadline(w->st) <= w->now_ms);
    return done;
}

void world_serve(struct world *w)
{
    struct buf changes;
    bool more = true;
    for (int steps = 0; more; steps++) {
        uint64_t seq_before = w->st->seq;
        buf_init(&changes, (size_t)1 << 26);
        more = state_serve(w->st, w->now_ms, &changes);
        journal(w, &changes, w->st->change_count);
        buf_release(&changes);
        watch(w, seq_before);
        if (steps > 1000000) {
            broken(w, "The lists never come to rest.");
            break;
        }
    }
}

uint32_t world_admit(struct world *w, uint32_t most)
{
    struct buf changes;
    uint32_t admitted = 0;
    bool more = true;
    for (int steps = 0; more; steps++) {
        uint64_t seq_before = w->st->seq;
        buf_init(&changes, (size_t)1 << 26);
        more = state_admit(w->st, w->now_ms, most, &changes);
        journal(w, &changes, w->st->change_count);
        buf_release(&changes);
        for (uint32_t i = 0; i < w->st->moved_count; i++)
            admitted +=
                queue_entry(w->st->events[w->st->moved[i].event]->queue, w->st->moved[i].number)->status ==
                QUEUE_ADMITTED;
        watch(w, seq_before);
        if (steps > 1000000) {
            broken(w, "The rooms never come to rest.");
            break;
        }
    }
    return admitted;
}

uint32_t world_warn(struct world *w)
{
    struct buf changes;
    uint32_t warned = 0;
    while (state_next_warning(w->st) <= w->now_ms) {
        uint64_t seq_before = w->st->seq;
        buf_init(&changes, (size_t)1 << 26);
        warned += state_warn(w->st, w->now_ms, 2, &changes);
        journal(w, &changes, w->st->change_count);
        buf_release(&changes);
        watch(w, seq_before);
    }
    return warned;
}

uint32_t world_tell_refusals(struct world *w, struct buf *rows)
{
    struct buf changes;
    uint64_t seq_before = w->st->seq;
    buf_init(&changes, (size_t)1 << 26);
    state_tell_refusals(w->st, w->now_ms, &changes);
    uint32_t count = w->st->change_count ? w->st->change.refusals.count : 0;
    if (count)
        buf_append(rows, w->st->change.refusals.rows.at, bytes_left(&w->st->change.refusals.rows));
    journal(w, &changes, w->st->change_count);
    buf_release(&changes);
    watch(w, seq_before);
    return count;
}

uint32_t world_segment(struct world *w)
{
    struct buf changes;
    uint64_t seq_before = w->st->seq;
    world_record(w);
    if (!state_erasures_due(w->st, w->book.st->seq, w->st->seq))
        return 0;
    buf_init(&changes, (size_t)1 << 26);
    state_erasures_step(w->st, w->now_ms, w->book.st->seq, w->st->seq, &changes);
    uint32_t count = w->st->change_count;
    journal(w, &changes, count);
    buf_release(&changes);
    watch(w, seq_before);
    return count;
}

static uint32_t cancel_sales(struct world *w)
{
    struct command c = {.kind = COMMAND_CANCEL_SALE, .actor = {.role = ROLE_SERVER}};
    struct outcome out;
    uint32_t done = 0;
    while (state_cancel_sale(w->st, &c.cancel_sale.event, &c.reservation))
        done += world_apply(w, &c, &out) == OUTCOME_OK && w->st->change_count > 0;
    return done;
}

uint32_t world_cancel(struct world *w)
{
    struct buf changes;
    uint32_t done = 0;
    bool more = true;
    for (int steps = 0; more && !w->fault[0]; steps++) {
        uint64_t seq_before = w->st->seq;
        buf_init(&changes, (size_t)1 << 26);
        more = state_cancel(w->st, w->now_ms, 0, &changes);
        journal(w, &changes, w->st->change_count);
        buf_release(&changes);
        watch(w, seq_before);
        uint32_t sales = cancel_sales(w);
        done += sales;
        more = more || sales || state_next_cancel(w->st) <= w->now_ms;
        if (steps > 1000000)
            broken(w, "A cancelled event never comes to rest.");
    }
    return done;
}

uint32_t world_dispatch(struct world *w)
{
    struct buf changes;
    uint32_t made = 0;
    bool more = true;
    for (int steps = 0; more; steps++) {
        uint64_t seq_before = w->st->seq;
        buf_init(&changes, (size_t)1 << 26);
        more = state_dispatch(w->st, w->now_ms, &changes);
        struct bytes_reader in = bytes_reader_make(changes.data, changes.size);
        for (uint32_t i = 0;
             i < w->st->change_count && change_decode(&in, seq_before + i + 1, &w->book.change); i++)
            made += w->book.change.kind == CHANGE_OFFER && !w->book.change.offer.end;
        journal(w, &changes, w->st->change_count);
        buf_release(&changes);
        watch(w, seq_before);
        if (steps > 1000000) {
            broken(w, "The fleets never come to rest.");
            break;
        }
    }
    return made;
}

uint32_t world_forget(struct world *w)
{
    char sentence[STATE_COMPARE_SENTENCE];
    uint64_t before = w->st->reservations.count;
    world_record(w);
    if (!state_compare(w->st, w->book.st, sentence))
        broken(w, "The book differs: %s", sentence);
    while (state_forget(w->st, w->book.st->seq, 100) == 100) {
    }
    watch(w, w->st->seq);
    return (uint32_t)(before - w->st->reservations.count);
}

/* As the store does when all is recovered. */
static void give_zones(struct world *w, struct state *st)
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

void world_restart(struct world *w, uint64_t book_seq)
{
    struct fake_book book;
    char sentence[STATE_COMPARE_SENTENCE];
    struct state *st = state_make();
    book_seq = world_step_end(w, book_seq);
    uint64_t from = book_seq ? w->ends[book_seq - 1] : 0;
    fake_book_init(&book);
    if (!fake_book_take(&book, w->journal.data, from, (uint32_t)book_seq))
        broken(w, "Change %llu does not fit what was before it.", (unsigned long long)book.st->seq + 1);
    else if (!fake_book_recover(&book, st, w->journal.data + from, w->journal.size - from,
                                (uint32_t)(w->changes - book_seq)))
        broken(w, "Recovery from seq %llu stops at %llu.", (unsigned long long)book_seq,
               (unsigned long long)st->seq + 1);
    else if (!state_restore_end(st))
        broken(w, "After recovery from seq %llu a step is not whole.", (unsigned long long)book_seq);
    else if (!state_compare(w->st, st, sentence) || !state_compare(st, w->st, sentence))
        broken(w, "After recovery from seq %llu: %s", (unsigned long long)book_seq, sentence);
    give_zones(w, st);
    fake_book_release(&book);
    if (w->carry && !w->fault[0]) {
        queue_carry(w->st, st);
        hook_carry(w->st, st);
        /* A crash loses them; a run with many restarts is to tell the same. */
        struct refusals *counted = w->st->refusals;
        w->st->refusals = st->refusals;
        st->refusals = counted;
        dispatch_carry(w->st, st);
    }
    bool at_rest = state_next_service(w->st) > w->now_ms;
    uint64_t seq_before = st->seq;
    state_release(w->st);
    w->st = st;
    world_serve(w);
    if (at_rest && st->seq != seq_before)
        broken(w, "After recovery the lists had something to do.");
    watch(w, st->seq);
}

enum outcome_code world_import(struct world *w, struct text event, const struct buf *rows, uint32_t count,
                               struct outcome *out)
{
    struct command c = {.kind = COMMAND_SEATS_STAGE, .actor = {.role = ROLE_ADMIN}};
    uint64_t import = state_next_seq(w->st);
    c.seats_stage.event = event;
    c.seats_stage.import = import;
    c.seats_stage.rows = rows->data;
    c.seats_stage.size = rows->size;
    c.seats_stage.count = count;
    if (count && world_apply(w, &c, out) != OUTCOME_OK)
        return out->code;
    const struct event *e = event_find(w->st, event);
    uint32_t created, updated;
    struct layout_blocks blocks;
    c = (struct command){.kind = COMMAND_SEATS_PUBLISH, .actor = {.role = ROLE_ADMIN}};
    c.seats_publish.event = event;
    c.seats_publish.import = import;
    c.seats_publish.base = e ? e->layout : NULL;
    c.seats_publish.layout = layout_make(c.seats_publish.base, bytes_reader_make(rows->data, rows->size),
                                         count, &created, &updated, &blocks);
    ASSERT(c.seats_publish.layout);
    c.seats_publish.blocks = &blocks;
    if (world_apply(w, &c, out) != OUTCOME_OK)
        layout_release(c.seats_publish.layout);
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
    struct command c = {.kind = COMMAND_SEATS_REMOVE, .actor = {.role = ROLE_ADMIN}};
    ASSERT(count <= sizeof(positions) / sizeof(*positions));
    for (uint32_t i = 0; e && i < count; i++) {
        positions[i] = layout_find(e->layout, ids[i]);
        if (positions[i] == LAYOUT_NONE)
            return out->code = OUTCOME_NO_SUCH_SEAT;
    }
    qsort(positions, count, sizeof(*positions), compare_positions);
    c.seats_remove.event = event;
    c.seats_remove.base = e ? e->layout : NULL;
    c.seats_remove.layout = e ? layout_without(e->layout, positions, count) : NULL;
    c.seats_remove.positions = positions;
    c.seats_remove.count = count;
    if (world_apply(w, &c, out) != OUTCOME_OK)
        layout_release(c.seats_remove.layout);
    return out->code;
}
