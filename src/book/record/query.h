/* SPDX-License-Identifier: Apache-2.0 */
/* query.h — what can be asked of the book beyond single records, and how it answers. */
#ifndef BOOK_QUERY_H
#define BOOK_QUERY_H

#include "core/dispatch/dispatch_image.h"
#include "core/door/ticket.h"
#include "core/hook/hook.h"
#include "core/image.h"
#include "core/money/payment_event.h"
#include "core/money/refund.h"
#include "core/person/erasure.h"

/* The place of a booking among those of its calendar: by start, and then by who came first. */
struct booking_place {
    int64_t start_ms;
    uint64_t reservation; /* its number */
    uint32_t item_id;
};

/* The place of a ticket among those of its event that were used, are void or have moved: by the change that did it. */
struct ticket_place {
    int64_t at_ms;
    uint64_t seq;
    char code[TICKET_CODE_SIZE]; /* code[0] == 0: before all others */
};

/* What can be reported: sums over what is in the book. */
enum report { REPORT_SALES, REPORT_ABANDONED, REPORT_FUNNEL, REPORTS_COUNT };

/* The most rows of one report; who wants more asks for less time, or one event. */
#define REPORT_ROWS_MAX 50000

struct query {
    enum {
        QUERY_RESERVATIONS,
        QUERY_HISTORY,
        QUERY_BOOKINGS,     /* the confirmed slots of one calendar, in the order of time */
        QUERY_WAITING_LIST, /* the entries of one event's waiting list, in the order of joining */
        QUERY_PAYMENTS,     /* rows of the ledger, newest first; `after.low` is a number */
        QUERY_PAYMENT, /* the row of `payment_ref`, and behind it its events; none: there is no such payment */
        QUERY_PAYMENT_EVENTS, /* of the provider, and payments of refused holds, oldest first; the same */
        QUERY_MONEY, /* what changed in the ledger, by day of `timezone` and currency; as long as a report */
        QUERY_REFUNDS,       /* refunds due, oldest first */
        QUERY_DEAD_MESSAGES, /* what one hook could not be told, oldest first */
        QUERY_TICKETS,       /* of one event, those that were used, are void or have moved, in that order */
        QUERY_RIDES,         /* of one fleet, with their offers, newest first */
        QUERY_AUDIT,         /* who changed the catalogue, newest first; `after.low` is a seq */
        QUERY_TTL,           /* how long buyers of one event took to pay, since `from`; of the last `limit` */
        QUERY_PERSON, /* all of `user_id`: at first their entries and their records as a driver, then reservations as
                       * RESERVATIONS does, each with its history, its refunds due and its payments behind it; then the
                       * rides they asked for and the offers made to them, newest first: `after` is then of
                       * query_person_ride or query_person_offer. May take as long as a report */
        QUERY_ERASURE, /* the last erasure under `mark`, if there is one */
        QUERY_REPORT,  /* may take BOOK_READER_REPORT_BUDGET_MS; `limit` at most REPORT_ROWS_MAX */
    } kind;
    struct id reservation;              /* HISTORY; PAYMENTS: none: any */
    enum payment_status payment_status; /* PAYMENTS; 0: any */
    bool discrepancy;                   /* PAYMENTS: only with one */
    enum payment_result payment_result; /* PAYMENT_EVENTS; 0: any */
    const char *timezone;               /* MONEY: the IANA name of one that exists; NULL: UTC */
    struct text user_id, event, calendar,
        pnr; /* RESERVATIONS; at == NULL: any. BOOKINGS: the calendar only */
    struct text ticket,
        payment_ref;   /* RESERVATIONS: the one with this ticket, sold or void; those that were paid, or owe,
                                      * by this reference; at == NULL: any. PAYMENT: the reference only */
    struct text words; /* RESERVATIONS: all of these are in PNR, user or attributes; at == NULL: any */
    int64_t from_ms,
        to_ms; /* RESERVATIONS: created in [from, to); DEAD_MESSAGES: from; 0: no bound. REPORT: sold,
                             * ended or held in it, by kind */
    enum report report; /* REPORT; `event` is its id, at == NULL: any */
    bool has_status;
    enum reservation_status status;
    uint32_t limit;
    struct id
        after; /* RESERVATIONS, RIDES, newest first: those older than this one; none: from the newest. HISTORY:
                      * `low` is a seq, and those after it are meant */
    struct booking_place after_booking; /* BOOKINGS: those after it; all zero: from the first */
    struct ticket_place after_ticket;   /* TICKETS: those after it */
    uint64_t event_number;              /* WAITING_LIST, TICKETS, TTL */
    uint32_t after_number;              /* WAITING_LIST: those after it; 0: from the first */
    bool has_list_status;               /* WAITING_LIST: only those of this status */
    enum list_status list_status;
    enum {
        REFUNDS_OPEN,
        REFUNDS_DONE,
        REFUNDS_WITHDRAWN,
        REFUNDS_ALL
    } refunds;           /* REFUNDS; `after.low` is a number */
    const uint8_t *mark; /* ERASURE: ERASURE_MARK_SIZE bytes */
    uint64_t fleet;      /* RIDES: its number */
    struct text rider_id,
        driver_id;        /* RIDES: whose it is, who has it or had it at its end; at == NULL: any */
    bool has_ride_status; /* RIDES: only those of this status */
    enum ride_status ride_status;
    uint64_t hook;    /* DEAD_MESSAGES: its number; of `after` high is a seq and low an ordinal */
    uint64_t min_seq; /* wait up to two seconds until the book has this */
};

/* Whether it is one that may take long, and so is answered apart from lists. */
static inline bool query_long(const struct query *q)
{
    return q->kind == QUERY_REPORT || q->kind == QUERY_MONEY || q->kind == QUERY_TTL ||
           q->kind == QUERY_PERSON;
}

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
    struct text reason; /* as it was said; at == NULL: it was not, see action_reason */
    bool known;         /* what it did to the items: an earlier program did not write that down */
    const struct history_item *items;
    uint32_t item_count;
    int64_t total_before, total_after;   /* of all items */
    struct text gate;                    /* of a check-in, or its undoing; at == NULL: not said */
    uint32_t ticket_item, ticket_unit;   /* the same: whose ticket; 0: it is none */
    struct refund_image refund;          /* that it is about: number (0: none), payment, amount, currency */
    struct text user_before, user_after; /* of a transfer; at == NULL: of none, or nobody wrote it down */
};

struct dead_message {
    struct hook_message message;
    int64_t dead_at_ms;
};

/* The rows of a report have the day (of UTC), what was claimed, and sums. */
struct report_row {
    struct text day;                                  /* 2030-06-03 */
    struct text event, calendar, tier, pool, service; /* at == NULL: none */
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
            struct text refusals; /* "sold_out 3;taken 12", by reason; at == NULL: none */
        } funnel;
    };
};

/* What changed in the ledger on one day, in one currency; minor units. */
struct money_row {
    struct text day; /* 2030-06-03 */
    char currency[4];
    int64_t received, kept, returned, owed;
};

/* A change of the catalogue, keys or hooks by somebody. */
struct audit_row {
    uint64_t seq;
    int64_t at_ms;
    struct text role, name;   /* of the actor; name.at == NULL: it has none */
    struct text kind, action; /* see the schema */
    struct text id, event;    /* at == NULL: none */
    struct text fleet;        /* of a driver; at == NULL: none */
    uint32_t count;
};

/* How long it took from the hold to the payment, be it late: the one row of a QUERY_TTL. */
struct ttl_figures {
    uint32_t samples;
    int64_t p50_ms, p95_ms; /* 0 without samples */
};

/* Somebody's entry of a waiting room or list. */
struct person_entry {
    struct text event;
    struct id id;
    bool list;
    struct text status;
    int64_t joined_at_ms;
    uint32_t quantity; /* of a list */
};
/* Something that they gave to another user. */
struct person_gift {
    struct id reservation;
    int64_t at_ms;
};
/* A ride that was offered to them. */
struct person_offer {
    struct text fleet;
    struct offer_image offer;
};
/* Behind which of their rides, and which of the offers to them, a page begins: its number, in the form of an id that no
 * reservation has. */
static inline struct id query_person_ride(uint64_t number)
{
    return (struct id){UINT64_MAX - 1, number};
}
static inline struct id query_person_offer(uint64_t number)
{
    return (struct id){UINT64_MAX, number};
}
struct erasure_row {
    uint64_t number;
    int64_t at_ms;
    bool clean; /* the book has nothing of the name any more */
};

/* Once a row; exactly one of the pointers is given: for BOOKINGS the reservation, of whose items it has only the
 * one that is the booking. Everything is valid only during the call. */
struct query_row {
    const struct reservation_image *reservation;
    const struct history_view *history;
    const struct list_entry_image *list_entry; /* without its position: core knows it */
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
    const struct ride_image *ride;     /* without its driver's place: core knows it */
    const struct driver_image *driver; /* without what only core knows */
    const struct person_offer *person_offer;
    int64_t changed_at_ms; /* BOOKINGS: when the reservation was last changed; TICKETS: the ticket */
};
typedef void (*query_row_fn)(void *ctx, const struct query_row *row);

struct query_result {
    bool ok;                           /* false: the book cannot answer now (503) */
    bool more;                         /* there are rows after the last one */
    struct id last;                    /* RESERVATIONS, RIDES */
    struct booking_place last_booking; /* BOOKINGS */
    uint32_t last_number;              /* WAITING_LIST */
    struct ticket_place last_ticket;   /* TICKETS */
    uint64_t seq;                      /* how far the book was */
};

/* Whether the page has a place for one more row; there is one. */
static inline bool query_has_place(const struct query *q, uint32_t rows, struct query_result *result)
{
    result->more = rows == q->limit;
    return !result->more;
}

#endif
