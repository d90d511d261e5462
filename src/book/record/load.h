/* SPDX-License-Identifier: Apache-2.0 */
/* load.h — loads what core needs at start: everything live, and what is needed to judge commands.
 *
 * Not loaded: reservations that have ended, and of confirmed ones everything but their claims. Those are read one by one on
 * demand (book/record/reader.h).
 */
#ifndef BOOK_LOAD_H
#define BOOK_LOAD_H

#include "base/status.h"
#include "core/change.h"
#include "log/log.h"

struct book_meta {
    int64_t last_at_ms;
    struct log_anchor log; /* the log of this book, and the last change in the book */
    bool restored;         /* it is a copy of a book with another log */
};

/* One item of a confirmed reservation. Slots that ended before the book's last instant are left out. */
struct book_sold {
    const struct item_image *item; /* without names; the fence of a seat is also its version */
    struct id reservation;
    struct text user_id;
    uint64_t ticket_key[2];
};

/* Called in this order: for each event that is not removed (by number) the event, its pools, its seats by position, and
 * seats_end if it has any; then the records that holds refer to (keys, calendars by number), staged seats in their order,
 * waiting rooms, each with its number of entries and followed by the entries, held reservations by number without the names
 * of their items, sold items by number of the reservation, and the other records (idempotency keys by seq, entries of
 * waiting lists by event and number). book/record/kept.h says which record comes when. Images are valid only during the call;
 * entries have no ids. If a function returns false, the book is damaged and loading stops. Any may be NULL. */
struct book_load_sink {
    void *owner;
    bool (*event)(void *owner, const struct event_image *event, uint32_t seat_count);
    bool (*pool)(void *owner, const struct pool_image *pool, uint32_t sold);
    /* version: for a seat without a claim; the version of a claimed seat is the fence of its item. */
    bool (*seat)(void *owner, uint64_t event, uint32_t position, const struct seat_image *seat,
                 uint64_t version);
    bool (*seats_end)(void *owner, uint64_t event);
    /* Called after the pools of an event with seats: true skips its seats, for book_load_seats. NULL: none are skipped. */
    bool (*seats_later)(void *owner, uint64_t event, uint32_t seat_count);
    /* Any other record, as the change that would write it. at_ms: the book's last instant; claims that ended before are
     * left out. seq: 0 if the book does not store it. */
    bool (*record)(void *owner, const struct change *c);
    /* Before the holds: the last change of an event, a calendar or a group, by number; it may be removed. */
    bool (*touched)(void *owner, uint64_t number, uint64_t seq);
    bool (*staged)(void *owner, uint64_t event, uint64_t import, uint32_t columns,
                   const struct seat_image *seat);
    bool (*queue)(void *owner, const struct queue_image *queue, uint32_t entries);
    bool (*queue_entry)(void *owner, const struct queue_entry_image *entry);
    bool (*held)(void *owner, const struct reservation_image *reservation);
    bool (*sold)(void *owner, const struct book_sold *sold);
    /* After all records: how many refunds due are open, and how many payments have a discrepancy. */
    bool (*ledger)(void *owner, uint64_t open, uint64_t discrepancies);
    bool (*begin)(void *owner, uint64_t held); /* first: how many held reservations there are */
};

/* Reads the book at `path`, which book_writer_open has created or upgraded. Idempotency keys older than since_ms are left
 * out. */
struct status book_load(const char *path, int64_t since_ms, const struct book_load_sink *sink,
                        struct book_meta *meta);

/* Loads the seats that book_load skipped, by `seat` and `seats_end` of the sink. The book must not be written during this. */
struct book_seats_later {
    uint64_t event;
    uint32_t seat_count;
};
struct status book_load_seats(const char *path, const struct book_seats_later *events, uint32_t count,
                              const struct book_load_sink *sink);

#endif
