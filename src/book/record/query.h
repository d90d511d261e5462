/* SPDX-License-Identifier: Apache-2.0 */
/* query.h — queries to the book for more than single records, and their results. */
#ifndef BOOK_QUERY_H
#define BOOK_QUERY_H

#include "core/dispatch/dispatch_image.h"
#include "core/door/ticket.h"
#include "core/hook/hook.h"
#include "core/image.h"
#include "core/money/payment_event.h"
#include "core/money/refund.h"
#include "core/person/erasure.h"

/* The place of a booking among those of its calendar: by start, then in the order of booking. */
struct booking_place {
    int64_t start_ms;
    uint64_t reservation; /* its number */
    uint32_t item_id;
};

/* The place of a ticket among those of its event that were used, voided or moved: by the change that did it. */
struct ticket_place {
    int64_t at_ms;
    uint64_t seq;
    char code[TICKET_CODE_SIZE]; /* code[0] == 0: before all others */
};

enum report { REPORT_SALES, REPORT_ABANDONED, REPORT_FUNNEL, REPORTS_COUNT };

/* The most rows of one report; for more, ask for a shorter time or a single event. */
#define REPORT_ROWS_MAX 50000

struct query {
    enum {
        QUERY_RESERVATIONS,
        QUERY_HISTORY,
        QUERY_BOOKINGS,     /* the confirmed slots of one calendar, in the order of time */
        QUERY_WAITING_LIST, /* the entries of one event's waiting list, in the order of joining */
        QUERY_PAYMENTS,     /* rows of the ledger, newest first; `after.low` is a number */
        QUERY_PAYMENT, /* the row of `payment_ref`, followed by its events; no rows: there is no such payment */
        QUERY_PAYMENT_EVENTS, /* of the provider, and payments of refused holds, oldest first; `after.low` is a number */
        QUERY_MONEY,   /* changes of the ledger, by day in `timezone` and currency; as long as a report */
        QUERY_REFUNDS, /* refunds due, oldest first */
        QUERY_DEAD_MESSAGES, /* messages that could not be delivered to one hook, oldest first */
        QUERY_TICKETS,       /* tickets of one event that were used, voided or moved, in that order */
        QUERY_RIDES,         /* of one fleet, with their offers, newest first */
        QUERY_AUDIT,         /* who changed the catalogue, newest first; `after.low` is a seq */
        QUERY_TTL,           /* how long buyers of one event took to pay, since `from`; of the last `limit` */
        QUERY_PERSON, /* everything about `user_id`: first their entries and driver records; then reservations as in
                       * RESERVATIONS, each followed by its history, refunds due and payments; then the rides they
                       * requested and the offers made to them, newest first, where `after` comes from
                       * query_person_ride or query_person_offer. May take as long as a report */
        QUERY_CLAIMS,  /* the live claims of one event's seats, by position */
        QUERY_ERASURE, /* the last erasure under `mark`, if there is one */
        QUERY_REPORT,  /* may take BOOK_READER_REPORT_BUDGET_MS; `limit` at most REPORT_ROWS_MAX */
    } kind;
    struct id reservation;              /* HISTORY, PAYMENTS; no id: any */
    enum payment_status payment_status; /* PAYMENTS; 0: any */
    bool discrepancy;                   /* PAYMENTS: only those with one */
    enum payment_result payment_result; /* PAYMENT_EVENTS; 0: any */
    const char *timezone;               /* MONEY: the IANA name of an existing zone; NULL: UTC */
    struct text user_id, event, calendar,
        pnr; /* RESERVATIONS; none: any. BOOKINGS: the calendar only */
    struct text ticket,
        payment_ref;   /* RESERVATIONS: the one with this ticket, even a void one; those with a payment under
                                      * this reference; none: any. PAYMENT: the reference only */
    struct text words; /* RESERVATIONS: all must be in PNR, user or attributes; none: any */
    int64_t from_ms,
        to_ms; /* RESERVATIONS: created in [from, to). DEAD_MESSAGES: since from. REPORT: sold, ended or held
                             * in [from, to), depending on the report. 0: no bound */
    enum report report; /* REPORT; `event` is its id, none: any */
    bool has_status;
    enum reservation_status status;
    uint32_t limit;
    struct id
        after; /* RESERVATIONS, RIDES, newest first: only those older than this one; no id: from the newest.
                      * HISTORY: only entries after the seq in `low` */
    struct booking_place after_booking; /* BOOKINGS: only those after it; all zero: from the first */
    struct ticket_place after_ticket;   /* TICKETS: only those after it */
    uint64_t event_number;              /* WAITING_LIST, TICKETS, TTL, CLAIMS */
    uint32_t from_position;             /* CLAIMS: only those at or after it */
    uint32_t after_number;              /* WAITING_LIST: only those after it; 0: from the first */
    bool has_list_status;               /* WAITING_LIST: only those with list_status */
    enum list_status list_status;
    enum {
        REFUNDS_OPEN,
        REFUNDS_DONE,
        REFUNDS_WITHDRAWN,
        REFUNDS_ALL
    } refunds;                       /* REFUNDS; `after.low` is a number */
    const uint8_t *mark;             /* ERASURE: ERASURE_MARK_SIZE bytes */
    uint64_t fleet;                  /* RIDES: its number */
    struct text rider_id, driver_id; /* RIDES: the rider; the driver, or the last one; none: any */
    bool has_ride_status;            /* RIDES: only those with ride_status */
    enum ride_status ride_status;
    uint64_t hook;    /* DEAD_MESSAGES: its number; after.high is a seq, after.low an ordinal */
    uint64_t min_seq; /* wait up to two seconds until the book has this seq */
};

/* Whether it may take long, and is answered on a thread of its own. */
static inline bool query_long(const struct query *q)
{
    return q->kind == QUERY_REPORT || q->kind == QUERY_MONEY || q->kind == QUERY_TTL ||
           q->kind == QUERY_PERSON;
}

/* What a change did to one item. */
struct history_item {
    bool has_before, has_after; /* false: the change added the item, or removed it */
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
    struct text reason; /* as it was said; none: it was not, see action_reason */
    const struct history_item *items;
    uint32_t item_count;
    int64_t total_before, total_after;   /* of all items */
    struct text gate;                    /* of a check-in, or its undoing; none: not said */
    uint32_t ticket_item, ticket_unit;   /* the same: whose ticket; 0: it is none */
    struct refund_image refund;          /* that it is about: number (0: none), payment, amount, currency */
    struct text user_before, user_after; /* of a transfer; none: of none */
};

struct dead_message {
    struct hook_message message;
    int64_t dead_at_ms;
};

/* A row of a report: the day, what was claimed, and sums. */
struct report_row {
    struct text day;                                  /* 2030-06-03 */
    struct text event, calendar, tier, pool, service; /* none: none */
    union {
        struct {
            struct text currency;
            int64_t units, amount, refunded_units, refunded_amount;
        } sales;
        struct {
            struct text how, reached, currency;
            int64_t checkouts, units, amount, seconds_held, seconds_held_max;
        } abandoned;
        struct {
            int64_t held, paying, confirmed, late, refunded;
            struct text refusals; /* "sold_out 3;taken 12", by reason; none: none */
        } funnel;
    };
};

/* The changes of the ledger on one day, in minor units of one currency. */
struct money_row {
    struct text day; /* 2030-06-03 */
    char currency[4];
    int64_t received, kept, returned, owed;
};

/* An entry of the audit log. */
struct audit_row {
    uint64_t seq;
    int64_t at_ms;
    struct text role, name;   /* of the actor; none if it has no name */
    struct text kind, action; /* see the schema */
    struct text id, event;    /* none: none */
    struct text fleet;        /* of a driver; none: none */
    uint32_t count;
};

/* How long buyers took from the hold to the payment, including late ones: the only row of a QUERY_TTL. */
struct ttl_figures {
    uint32_t samples;
    int64_t p50_ms, p95_ms; /* 0 without samples */
};

/* An entry of the person in a waiting room or list. */
struct person_entry {
    struct text event;
    struct id id;
    bool list;
    struct text status;
    int64_t joined_at_ms;
    uint32_t quantity; /* of a list */
};
/* A reservation that the person transferred to another user. */
struct person_gift {
    struct id reservation;
    int64_t at_ms;
};
/* An offer of a ride to the person, as a driver. */
struct person_offer {
    struct text fleet;
    struct offer_image offer;
};
/* Cursors of QUERY_PERSON: the number of the last ride or offer, as an id that no reservation has. */
static inline struct id query_person_ride(uint64_t number)
{
    return (struct id){UINT64_MAX - 1, number};
}
static inline struct id query_person_offer(uint64_t number)
{
    return (struct id){UINT64_MAX, number};
}
/* The claim of a seat. */
struct claim_row {
    uint32_t position;
    uint64_t fence;
    struct text user_id;
};
struct erasure_row {
    uint64_t number;
    int64_t at_ms;
    bool clean; /* nothing of the name is left in the book */
};

/* Exactly one of the pointers is set. For BOOKINGS it is the reservation, with only the item that is the booking. Everything
 * is valid only during the call. */
struct query_row {
    const struct reservation_image *reservation;
    const struct history_view *history;
    const struct list_entry_image *list_entry; /* without its position, which core knows */
    const struct refund_image *refund;
    const struct payment_image *payment;
    const struct payment_event_image *payment_event;
    const struct money_row *money;
    const struct dead_message *dead;
    const struct check_in_image *ticket; /* without names */
    const struct report_row *report;
    const struct ttl_figures *ttl;
    const struct audit_row *audit;
    const struct person_entry *person_entry;
    const struct person_gift *person_gift;
    const struct erasure_row *erasure;
    const struct claim_row *claim;
    const struct ride_image *ride;     /* without the position of its driver, which core knows */
    const struct driver_image *driver; /* without what only core knows */
    const struct person_offer *person_offer;
    int64_t changed_at_ms; /* BOOKINGS: when the reservation was last changed; TICKETS: the ticket */
};
typedef void (*query_row_fn)(void *ctx, const struct query_row *row);

struct query_result {
    bool ok;                           /* false: the book could not be read now (503) */
    bool more;                         /* there are more rows */
    struct id last;                    /* RESERVATIONS, RIDES */
    struct booking_place last_booking; /* BOOKINGS */
    uint32_t last_number;              /* WAITING_LIST */
    uint32_t last_position;            /* CLAIMS */
    struct ticket_place last_ticket;   /* TICKETS */
    uint64_t seq;                      /* the last change in the book at that time */
};

/* Call it when there is another row: whether the page has room for it. If not, sets result->more. */
static inline bool query_has_place(const struct query *q, uint32_t rows, struct query_result *result)
{
    result->more = rows == q->limit;
    return !result->more;
}

#endif
