/* SPDX-License-Identifier: Apache-2.0 */
/* columns.h — every record of the book: the struct of its rows, and the table of its columns.
 *
 * A row is core's image if the table has nothing else, otherwise a struct around it with the other columns. Claims (`claims`,
 * `calendar_claims`) follow from reservations and are not records: see book/claim/claim.h. `meta` belongs to the writer.
 *
 * To add a column: a migration, the field in the image, and a row in book/record/columns.c.
 */
#ifndef BOOK_COLUMNS_H
#define BOOK_COLUMNS_H

#include "book/record/record.h"
#include "book/record/query.h"
#include "core/change.h"

struct book_event {
    struct event_image image; /* without its queue, which has its own table */
    int64_t removed_at_ms;    /* 0: not removed */
    uint32_t seats;
};

struct book_seat {
    uint32_t position;
    struct seat_image image;
    uint64_t version; /* the change that last ended a claim on it */
    uint64_t event;   /* not read */
};

struct book_staged { /* part of an import */
    uint64_t seq, event, import;
    int64_t at_ms;
    uint32_t count;
    struct bytes_reader rows;
};

struct book_calendar_row {
    struct calendar_image image; /* without its lists */
    int64_t removed_at_ms;       /* 0: not removed */
    int64_t changed_at_ms;       /* not read */
};

/* Rows of a calendar's lists, by position. */
struct book_hours {
    uint64_t calendar;
    uint32_t position;
    struct hours_range range;
};
struct book_closed {
    uint64_t calendar;
    uint32_t position;
    struct closed_interval interval;
};
struct book_service {
    uint64_t calendar;
    uint32_t position;
    struct service_image image;
};

struct book_group_member {
    uint64_t group;
    uint32_t position;
    uint64_t calendar;
};

struct book_item {
    struct item_image image; /* without names */
    uint64_t reservation;    /* not read */
};

struct book_history_item { /* as it was before a change */
    struct item_image image;
    uint64_t reservation, seq; /* not read */
};

struct book_history {
    struct history_view view; /* without what it changed */
    uint64_t reservation;     /* not read */
    struct text reason;       /* for people who read the book; elsewhere action_reason says it */
};

struct book_ticket {
    struct text code;
    uint64_t reservation;
    uint32_t item_id, unit;
};

struct book_queue_entry {
    struct queue_entry_image
        image;              /* without its id, position and the name of the event; the event is not read */
    bool live;              /* follows from the status, for an index; not read */
    int64_t admitted_at_ms; /* 0: not yet; not read */
};

struct book_list_entry {
    struct list_entry_image image; /* without its id, position and the name of the event */
    bool live;                     /* follows from the status, for an index; not read */
};

struct book_message {
    uint64_t hook; /* number */
    struct hook_message message;
    enum made_kind of;  /* what its id refers to: hook_event_of the message */
    uint64_t queued;    /* the change that created it or sent it again */
    int64_t dead_at_ms; /* 0: pending */
};

struct book_fleet {
    struct fleet_image image; /* `removed` is not read: removed fleets are not loaded */
    int64_t removed_at_ms;    /* 0: not removed; not read */
};

extern const struct book_record event_record, seat_record, staged_record;
extern const struct book_record pool_record;           /* a pool_image */
extern const struct book_record code_record;           /* a code_image */
extern const struct book_record queue_settings_record; /* read into an event_image that was read before */
extern const struct book_record calendar_record, hours_record, closed_record, service_record;
extern const struct book_record group_record; /* a group_image, without its members */
extern const struct book_record group_member_record;
extern const struct book_record reservation_record; /* a reservation_image, without items */
extern const struct book_record held_record;  /* the same, without the columns of those that are not held */
extern const struct book_record owner_record; /* the same, but only number, id and user */
extern const struct book_record history_item_record; /* read into an item_image */
extern const struct book_record item_record;         /* read into an item_image */
extern const struct book_record history_record, ticket_record;
extern const struct book_record idempotency_record;   /* an idempotency_image */
extern const struct book_record key_record;           /* a key_image */
extern const struct book_record payment_event_record; /* a payment_event_image */
extern const struct book_record payment_record;       /* a payment_image */
extern const struct book_record refund_record;        /* a refund_image */
extern const struct book_record queues_record;        /* a queue_image */
extern const struct book_record queue_record, list_record;
extern const struct book_record hook_record; /* a hook_image */
extern const struct book_record message_record;
extern const struct book_record warning_record;    /* a hook_warning_image */
extern const struct book_record provider_record;   /* a provider_image */
extern const struct book_record cancelling_record; /* a cancelling_image */
extern const struct book_record erasure_record;    /* an erasure_image */
/* book/dispatch/dispatch_columns.c */
extern const struct book_record fleet_record;  /* read into a fleet_image */
extern const struct book_record driver_record; /* a driver_image */
extern const struct book_record ride_record;   /* a ride_image, without its offers */
extern const struct book_record offer_record;  /* an offer_image, without its id */

extern const struct book_words reservation_status_words;

#endif
