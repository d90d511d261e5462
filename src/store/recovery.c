/* SPDX-License-Identifier: Apache-2.0 */
#include "store/recovery.h"

#include <stdlib.h>

#include "base/memory/arena.h"
#include "base/assertion.h"
#include "base/logging.h"
#include "base/memory/memory.h"
#include "book/record/kept.h"
#include "book/record/load.h"
#include "book/record/reader.h"
#include "core/catalogue/layout.h"
#include "core/queue/queue.h"
#include "log/log_files.h"
#include "store/handoff.h"
#include "store/remember.h"
#include "store/zones.h"

struct rebuilding {
    struct state *state;
    const char *book;
    struct remembering remembering;
    struct change *ahead;       /* up to RESTORE_AHEAD changes, decoded before the first of them is applied */

    /* A second thread reads the book. It loads the catalogue and the waiting rooms itself, while no other thread touches
     * the state; held reservations go through the handoff, so that reading and building run in parallel. The building
     * thread reads the seats of large events, before the first held reservation. */
    pthread_t reading;
    struct handoff handoff;
    struct change *carried; /* reading thread only */
    bool drained;           /* nothing is in the handoff, and `later` is loaded */
    struct book_meta meta;
    struct status read;

    /* the event whose seats are being read */
    struct buf rows;
    uint64_t *versions;
    uint32_t *removed; /* positions of removed seats */
    uint32_t seat_count, seats, removed_count;
    struct book_seats_later *later; /* large events, whose seats are read after the others */
    uint32_t later_count;
    struct status later_fault;
};

#define LARGE_EVENT_SEATS 65536u /* reading this many takes longer than opening the book a second time */

/* ---- The book ---- */

static bool on_begin(void *owner, uint64_t held)
{
    state_load_begin(((struct rebuilding *)owner)->state, held);
    return true;
}

static void seats_begin(struct rebuilding *b, uint32_t seat_count)
{
    b->seat_count = seat_count;
    b->seats = b->removed_count = 0;
    /* One set of buffers for all events, one after another. */
    b->versions = memory_grow(b->versions, seat_count ? seat_count : 1, sizeof(*b->versions));
    b->removed = memory_grow(b->removed, seat_count ? seat_count : 1, sizeof(*b->removed));
    buf_clear(&b->rows);
}

static bool on_event(void *owner, const struct event_image *event, uint32_t seat_count)
{
    struct rebuilding *b = owner;
    if (!state_load_event(b->state, event))
        return false;
    if (seat_count < LARGE_EVENT_SEATS)
        seats_begin(b, seat_count);
    return true;
}

static bool on_pool(void *owner, const struct pool_image *pool, uint32_t sold)
{
    return state_load_pool(((struct rebuilding *)owner)->state, pool, sold);
}

static bool on_seat(void *owner, uint64_t event, uint32_t position, const struct seat_image *seat,
                    uint64_t version)
{
    (void)event;
    struct rebuilding *b = owner;
    /* Positions are indexes into the layout: a gap would shift every seat after it. */
    if (position != b->seats || b->seats == b->seat_count)
        return false;
    b->versions[position] = version;
    if (seat->removed)
        b->removed[b->removed_count++] = position;
    b->seats++;
    seat_row_put(&b->rows, SEAT_COLUMNS_ALL, seat);
    return true;
}

static bool on_seats_end(void *owner, uint64_t event)
{
    struct rebuilding *b = owner;
    /* Built from rows, like an import, so that the layout is the same after a restart. */
    struct layout_blocks blocks;
    struct layout *layout = layout_load(bytes_reader_make(b->rows.data, b->rows.size), b->seats, b->removed,
                                        b->removed_count, &blocks);
    if (!layout || b->seats != b->seat_count) {
        layout_blocks_release(&blocks);
        layout_release(layout);
        return false;
    }
    bool fits = state_load_seats(b->state, event, layout, b->versions, &blocks);
    layout_blocks_release(&blocks);
    return fits;
}

static bool on_seats_later(void *owner, uint64_t event, uint32_t seat_count)
{
    struct rebuilding *b = owner;
    if (seat_count < LARGE_EVENT_SEATS)
        return false;
    b->later = memory_room_counted(b->later, b->later_count, sizeof(*b->later));
    b->later[b->later_count++] = (struct book_seats_later){event, seat_count};
    return true;
}

static bool on_later_seat(void *owner, uint64_t event, uint32_t position, const struct seat_image *seat,
                          uint64_t version)
{
    if (position == 0) {
        struct rebuilding *b = owner;
        const struct book_seats_later *of = b->later;
        while (of->event != event) {
            of++;
            ASSERT(of < b->later + b->later_count); /* only these were requested */
        }
        seats_begin(b, of->seat_count);
    }
    return on_seat(owner, event, position, seat, version);
}

/* Once, by the thread that owns the state at that time. */
static bool later_load(struct rebuilding *b)
{
    const struct book_load_sink sink = {.owner = b, .seat = on_later_seat, .seats_end = on_seats_end};
    if (b->later_count)
        b->later_fault = book_load_seats(b->book, b->later, b->later_count, &sink);
    b->later_count = 0;
    return status_ok(&b->later_fault);
}

/* Waits until the building thread is done, so that the reading thread may touch the state again. */
static bool drain(struct rebuilding *b)
{
    b->drained = b->drained || (handoff_drain(&b->handoff) && later_load(b));
    return b->drained;
}

static bool on_staged(void *owner, uint64_t event, uint64_t import, uint32_t columns,
                      const struct seat_image *seat)
{
    return state_load_staged(((struct rebuilding *)owner)->state, event, import, columns, seat);
}

static bool on_queue(void *owner, const struct queue_image *queue, uint32_t entries)
{
    struct rebuilding *b = owner;
    if (!state_load_queue(b->state, queue))
        return false;
    state_load_queue_begin(b->state, queue->event, entries);
    return true;
}

static bool on_queue_entry(void *owner, const struct queue_entry_image *entry)
{
    return state_load_queue_entry(((struct rebuilding *)owner)->state, entry);
}

static bool on_held(void *owner, const struct reservation_image *reservation)
{
    struct rebuilding *b = owner;
    ASSERT(reservation->status == RESERVATION_HELD);
    b->drained = false;
    b->carried->reservation.image = *reservation;
    /* Encoded, because the texts of the image belong to SQLite and are invalid after the next row. */
    change_encode(&b->handoff.filling, b->carried);
    return handoff_offer(&b->handoff);
}

static bool on_sold(void *owner, const struct book_sold *sold)
{
    struct rebuilding *b = owner;
    return drain(b) && state_load_bought(b->state, sold->item, sold->reservation, sold->user_id) &&
           state_load_tickets(b->state, sold->item, sold->reservation, sold->ticket_key);
}

static bool on_record(void *owner, const struct change *c)
{
    struct rebuilding *b = owner;
    ASSERT((int)c->kind < book_kept_count && book_kept[c->kind].loaded != BOOK_NOT_LOADED);
    /* This thread touches the state here, so the building thread must be done. Before the holds it has not started, and
     * those records need no seats. */
    if (book_kept[c->kind].loaded != BOOK_BEFORE_HOLDS && !drain(b))
        return false;
    switch (c->kind) {
    case CHANGE_CALENDAR:
        return state_load_calendar(b->state, &c->calendar, c->at_ms);
    case CHANGE_LIST_ENTRY:
        return state_load_list_entry(b->state, &c->list_entry);
    case CHANGE_IDEMPOTENCY:
        state_remember_idempotency(b->state, &c->idempotency);
        return true;
    default:
        return state_load_record(b->state, c);
    }
}

static bool on_touched(void *owner, uint64_t number, uint64_t seq)
{
    state_load_touched(((struct rebuilding *)owner)->state, number, seq);
    return true;
}

static bool on_ledger(void *owner, uint64_t open, uint64_t discrepancies)
{
    struct rebuilding *b = owner;
    if (!drain(b))
        return false;
    state_load_ledger(b->state, open, discrepancies);
    return true;
}

static void *read_book(void *owner)
{
    struct rebuilding *b = owner;
    struct book_load_sink sink = {.owner = b,
                                  .begin = on_begin,
                                  .ledger = on_ledger,
                                  .touched = on_touched,
                                  .event = on_event,
                                  .pool = on_pool,
                                  .seat = on_seat,
                                  .seats_end = on_seats_end,
                                  .seats_later = on_seats_later,
                                  .record = on_record,
                                  .staged = on_staged,
                                  .queue = on_queue,
                                  .queue_entry = on_queue_entry,
                                  .held = on_held,
                                  .sold = on_sold};
    b->read = book_load(b->book, 0, &sink, &b->meta);
    /* Sends the last piece; after a fault it is ignored. */
    drain(b);
    handoff_end(&b->handoff);
    return NULL;
}

/* Decodes changes into `ahead`, up to the end or to one that cannot be read; the next call starts there. */
static uint32_t read_ahead(struct rebuilding *b, struct bytes_reader *in, uint64_t seq, uint32_t most)
{
    uint32_t count = 0;
    most = most < RESTORE_AHEAD ? most : RESTORE_AHEAD;
    for (struct bytes_reader next = *in; count < most && bytes_left(&next); count++) {
        if (!change_decode(&next, seq ? seq + count : 0, &b->ahead[count]))
            break;
        *in = next;
    }
    state_restore_prefetch(b->state, b->ahead, count);
    return count;
}

/* Loads a piece from the handoff. False: it contradicts the state. */
static bool load_piece(struct rebuilding *b)
{
    struct bytes_reader in = bytes_reader_make(b->handoff.using.data, b->handoff.using.size);
    while (bytes_left(&in)) {
        uint32_t count = read_ahead(b, &in, 0, RESTORE_AHEAD);
        if (!count)
            return false;
        for (uint32_t i = 0; i < count; i++)
            if (!state_load_reservation(b->state, &b->ahead[i].reservation.image))
                return false;
    }
    return true;
}

static struct status load_book(struct rebuilding *b, struct recovery *found)
{
    bool fits = true;
    b->carried = memory_zeroed(1, sizeof(*b->carried));
    b->carried->kind = CHANGE_RESERVATION;
    b->carried->reservation.action = ACTION_HELD;
    handoff_init(&b->handoff);
    int failed = pthread_create(&b->reading, NULL, read_book, b);
    ASSERT(!failed);
    while (fits && handoff_take(&b->handoff))
        fits = later_load(b) && load_piece(b);
    if (!fits)
        /* Otherwise the reading thread would wait forever. */
        handoff_break(&b->handoff);
    pthread_join(b->reading, NULL);
    handoff_release(&b->handoff);
    free(b->carried);
    if (!status_ok(&b->later_fault))
        return b->later_fault;
    if (!fits)
        return status_make(STATUS_CORRUPT,
                           "a held reservation of the book does not match what was loaded before it");
    if (!status_ok(&b->read))
        return b->read;
    ASSERT(b->drained && !b->later_count); /* every hold and every seat is in the state */
    state_load_end(b->state, b->meta.log.seq);
    found->book_seq = found->last_seq = b->meta.log.seq;
    found->last_at_ms = b->meta.last_at_ms;
    found->anchor = b->meta.log;
    return status_none();
}

/* ---- The changes after it, from the log ---- */

static struct status apply(struct rebuilding *b, struct change *c)
{
    /* Already in the book: the first batch may start before the end of the book. */
    if (c->seq <= b->state->seq)
        return status_none();
    enum restore_result result = state_restore(b->state, c);
    if (result == RESTORE_FETCH) {
        struct status fault = remember(&b->remembering, c);
        if (!status_ok(&fault))
            return fault;
        result = state_restore(b->state, c);
    }
    if (result != RESTORE_OK)
        return status_make(STATUS_CORRUPT, "the change with seq %llu does not match the changes before it",
                           (unsigned long long)c->seq);
    ASSERT(b->state->seq == c->seq);
    return status_none();
}

static struct status on_batch(void *ctx, const struct log_batch *batch)
{
    struct rebuilding *b = ctx;
    struct bytes_reader in = bytes_reader_make(batch->bytes, batch->size);
    struct status fault = status_none();
    for (uint32_t done = 0, count; done < batch->count && status_ok(&fault); done += count) {
        uint64_t seq = batch->first_seq + done;
        count = read_ahead(b, &in, seq, batch->count - done);
        if (!count)
            return status_make(STATUS_CORRUPT, "cannot read the change with seq %llu",
                               (unsigned long long)seq);
        for (uint32_t i = 0; i < count && status_ok(&fault); i++)
            fault = apply(b, &b->ahead[i]);
    }
    return fault;
}

static struct status rebuild(const struct folder *f, const struct recovery_log *from, struct log **log,
                             struct rebuilding *b, struct recovery *found)
{
    struct status fault = load_book(b, found);
    if (!status_ok(&fault))
        return fault;
    if (!log)
        fault = log_verify_files(f->journal, &found->anchor, on_batch, b, &found->log);
    else if (from->pg)
        fault = log_open_pg(log, from->pg, &found->anchor, on_batch, b, &found->log);
    else
        fault = log_open_files(log, f->journal, from->segment_size, &found->anchor, on_batch, b, &found->log);
    if (!status_ok(&fault))
        return fault;
    /* An offer and its list entry, or its ride, are one step, and a batch contains whole steps: half a step is damage. */
    if (!state_restore_end(b->state))
        return status_make(STATUS_CORRUPT, "part of one step is missing: an offer has no "
                                           "waiting list entry or ride, or one of these has no offer");
    found->last_seq = b->state->seq;
    ASSERT(found->last_seq >= found->book_seq && found->last_seq >= found->log.last_seq);
    /* Seals carry the time too, so the log may know a later instant than its last change. */
    if (found->log.last_at_ms > found->last_at_ms)
        found->last_at_ms = found->log.last_at_ms;
    return fault;
}

static struct status recovery_rebuild(const struct folder *f, const struct recovery_log *from, struct state **state,
                                      struct log **log, struct recovery *found)
{
    *found = (struct recovery){0};
    struct rebuilding b = {.state = *state = state_make(), .book = f->book};
    b.remembering = (struct remembering){.state = b.state, .book = f->book};
    b.ahead = memory_zeroed(RESTORE_AHEAD, sizeof(*b.ahead));
    buf_init(&b.rows, (size_t)1 << 40);
    struct status fault = rebuild(f, from, log, &b, found);
    remembering_close(&b.remembering);
    buf_release(&b.rows);
    free(b.versions);
    free(b.removed);
    free(b.later);
    free(b.ahead);
    return fault;
}

struct status recovery_run(const struct folder *f, const struct recovery_log *from, struct state **state,
                           struct log **log, struct recovery *found)
{
    struct status fault = recovery_rebuild(f, from, state, log, found);
    if (status_ok(&fault))
        fault = zones_assign(*state);
    if (!status_ok(&fault))
        return fault;
    if (found->log.torn)
        log_warn("a torn last batch was cut off; it was never acknowledged",
                 {"seq", LOG_INT(found->log.torn_seq)}, {"bytes", LOG_INT(found->log.torn_bytes)},
                 {"kept", LOG_STR(found->log.torn_name)});
    log_info("recovered", {"book_seq", LOG_INT(found->book_seq)}, {"last_seq", LOG_INT(found->last_seq)},
             {"held", LOG_INT((*state)->by_status[RESERVATION_HELD])});
    return fault;
}

struct status recovery_check(const struct folder *f, const struct recovery_log *from, struct state **state,
                             struct recovery *found)
{
    struct log *log = NULL;
    /* A log in PostgreSQL is not changed by opening it. */
    struct status fault = recovery_rebuild(f, from, state, from ? &log : NULL, found);
    log_close(log);
    return fault;
}
