/* SPDX-License-Identifier: Apache-2.0 */
/* load.h — hands over what core must know at start: everything that is live, and what is needed to
 * judge.
 *
 * Not handed over: reservations that have ended, and of confirmed ones more than what they claim. Those are
 * read one by one when somebody asks (book/record/reader.h).
 */
#ifndef BOOK_LOAD_H
#define BOOK_LOAD_H

#include "base/status.h"
#include "core/change.h"
#include "log/anchor.h"

struct book_meta {
    int64_t last_at_ms;
    struct log_anchor log; /* which one it was made from, and up to which change */
};

/* One item of a confirmed reservation. Slots that are over by the book's last instant are left out. */
struct book_sold {
    const struct item_image *item; /* without its names; a seat's fence is its version, too */
    struct id reservation;
    struct text user_id;
    uint64_t ticket_key[2];
};

/* Called in this order: for each event that is not removed (by number) the event, its pools, its seats by
 * position and seats_end if it has any; then the records that holds need (keys, calendars by number), staged
 * seats in the order they came, waiting rooms, each with how many entries it has and followed by all of them,
 * held reservations by number without the names of their items, sold items by number of the reservation, and
 * the other records (idempotency keys by seq, entries of waiting lists by event and number). Which record
 * comes when is in the list of book/record/kept.h. Images are valid only during the call; entries have no ids. A
 * call that returns false stops the loading: the book is damaged. Any may be NULL. */
struct book_load_sink {
    void *owner;
    bool (*event)(void *owner, const struct event_image *event, uint32_t seat_count);
    bool (*pool)(void *owner, const struct pool_image *pool, uint32_t sold);
    /* version: of a seat without a claim; that of a claimed one is its item's fence. */
    bool (*seat)(void *owner, uint64_t event, uint32_t position, const struct seat_image *seat,
                 uint64_t version);
    bool (*seats_end)(void *owner, uint64_t event);
    /* Asked after the pools of an event that has seats: true leaves these to book_load_seats. NULL: none are left. */
    bool (*seats_later)(void *owner, uint64_t event, uint32_t seat_count);
    /* Any other record, as a change that would write it. at_ms: the book's last instant; claims that are over
     * by then do not come. seq: 0 where the book does not keep it. */
    bool (*record)(void *owner, const struct change *c);
    bool (*staged)(void *owner, uint64_t event, uint64_t import, uint32_t columns,
                   const struct seat_image *seat);
    bool (*queue)(void *owner, const struct queue_image *queue, uint32_t entries);
    bool (*queue_entry)(void *owner, const struct queue_entry_image *entry);
    bool (*held)(void *owner, const struct reservation_image *reservation);
    bool (*sold)(void *owner, const struct book_sold *sold);
    /* After all records: how many refunds due are open, and how many payments have a discrepancy. */
    bool (*ledger)(void *owner, uint64_t open, uint64_t discrepancies);
    bool (*begin)(void *owner, uint64_t held); /* first of all: how many held reservations will come */
};

/* Reads the book at `path`, which book_writer_open has made or upgraded. Idempotency keys older than since_ms
 * are left out. */
struct status book_load(const char *path, int64_t since_ms, const struct book_load_sink *sink,
                        struct book_meta *meta);

/* The seats that book_load has left, while nobody writes: of each event `seat` and `seats_end` of the sink. */
struct book_seats_later {
    uint64_t event;
    uint32_t seat_count;
};
struct status book_load_seats(const char *path, const struct book_seats_later *events, uint32_t count,
                              const struct book_load_sink *sink);

#endif
