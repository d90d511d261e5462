/* SPDX-License-Identifier: Apache-2.0 */
/* query.h — what can be asked of the book beyond single records, and how it answers. */
#ifndef BOOK_QUERY_H
#define BOOK_QUERY_H

#include "core/image.h"

/* The place of a booking among those of its calendar: by start, and then by who came first. */
struct booking_place {
    int64_t start_ms;
    uint64_t reservation; /* its number */
    uint32_t item_id;
};

struct query {
    enum {
        QUERY_RESERVATIONS,
        QUERY_HISTORY,
        QUERY_BOOKINGS,     /* the confirmed slots of one calendar, in the order of time */
        QUERY_WAITING_LIST, /* the entries of one event's waiting list, in the order of joining */
    } kind;
    struct id reservation; /* HISTORY */
    struct text user_id, event, calendar,
        pnr;                /* RESERVATIONS; at == NULL: any. BOOKINGS: the calendar only */
    struct text words;      /* RESERVATIONS: all of these are in PNR, user or attributes; at == NULL: any */
    int64_t from_ms, to_ms; /* RESERVATIONS: created in [from, to); 0: no bound */
    bool has_status;
    enum reservation_status status;
    uint32_t limit;
    struct id after; /* RESERVATIONS, newest first: those older than this one; none: from the newest. HISTORY:
                      * `low` is a seq, and those after it are meant */
    struct booking_place after_booking; /* BOOKINGS: those after it; all zero: from the first */
    uint64_t event_number;              /* WAITING_LIST */
    uint32_t after_number;              /* WAITING_LIST: those after it; 0: from the first */
    bool has_list_status;               /* WAITING_LIST: only those of this status */
    enum list_status list_status;
    uint64_t min_seq; /* wait up to two seconds until the book has this */
};

/* What a change did to one item. */
struct history_item {
    bool has_before, has_after; /* false: it came by the change, or went */
    struct item_image before, after;
};

struct history_view {
    uint64_t seq;
    int64_t at_ms;
    struct actor actor;
    enum action action;
    enum reservation_status status;
    int64_t expires_at_ms;
    uint32_t version;
    bool known; /* what it did to the items: an earlier program did not write that down */
    const struct history_item *items;
    uint32_t item_count;
    int64_t total_before, total_after;   /* of all items */
    struct text user_before, user_after; /* of a transfer; at == NULL: of none, or nobody wrote it down */
};

/* Once a row; exactly one of the three is given: for BOOKINGS the reservation, of whose items it has only the
 * one that is the booking. Everything is valid only during the call. */
struct query_row {
    const struct reservation_image *reservation;
    const struct history_view *history;
    const struct list_entry_image *list_entry; /* without its position: core knows it */
    int64_t changed_at_ms;                     /* BOOKINGS: when the reservation was last changed */
};
typedef void (*query_row_fn)(void *ctx, const struct query_row *row);

struct query_result {
    bool ok;                           /* false: the book cannot answer now (503) */
    bool more;                         /* there are rows after the last one */
    struct id last;                    /* RESERVATIONS */
    struct booking_place last_booking; /* BOOKINGS */
    uint32_t last_number;              /* WAITING_LIST */
    uint64_t seq;                      /* how far the book was */
};

#endif
