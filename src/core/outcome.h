/* SPDX-License-Identifier: Apache-2.0 */
/* outcome.h — the complete list of core's answers. A refusal is a normal answer, not an error.
 *
 * To add one, add a row. An answer waits until the changes that it depends on are durable. Normally these are the ones
 * that the command has SEEN (state_saw); but that something does not exist, or is not on sale, can depend on any
 * change, up to the LATEST.
 */
#ifndef CORE_OUTCOME_H
#define CORE_OUTCOME_H

#include "core/calendar/calendar_image.h"
#include "core/calendar/group_image.h"
#include "core/catalogue/pool.h"
#include "core/dispatch/dispatch_image.h"
#include "core/door/ticket.h"
#include "core/hook/hook.h"
#include "core/image.h"
#include "core/money/payment_event.h"
#include "core/money/provider.h"
#include "core/money/refund.h"

/* name, code on the wire, HTTP status, what it waits for, sentence for people */
/* clang-format off */
#define OUTCOMES(X) \
    X(OK, "ok", 200, SEEN, "Done.") \
    /* These two never leave the engine. */ \
    X(FETCH, "fetch", 500, SEEN, "A record must be read from the book first.") \
    X(RETRY, "retry", 500, SEEN, "There is more to settle or count than fits in one step.") \
    X(INVALID, "invalid", 400, LATEST, "Invalid request.") \
    X(FORBIDDEN, "forbidden", 403, SEEN, "This role is not allowed to do that.") \
    X(NOT_OWNER, "not_owner", 403, SEEN, "This reservation belongs to another user.") \
    X(NO_SUCH_RESERVATION, "no_such_reservation", 404, SEEN, "No such reservation.") \
    X(NO_SUCH_ITEM, "no_such_item", 404, SEEN, "No such item in this reservation.") \
    X(NO_SUCH_EVENT, "no_such_event", 404, LATEST, "No such event.") \
    X(NO_SUCH_SEAT, "no_such_seat", 404, LATEST, "No such seat in this event.") \
    X(NO_SUCH_POOL, "no_such_pool", 404, LATEST, "No such pool in this event.") \
    X(NO_SUCH_CALENDAR, "no_such_calendar", 404, LATEST, "No such calendar.") \
    X(NO_SUCH_GROUP, "no_such_group", 404, LATEST, "No such group.") \
    X(NO_SUCH_ENTRY, "no_such_entry", 404, LATEST, "No such entry.") \
    X(NO_SUCH_KEY, "no_such_key", 404, LATEST, "No such key.") \
    X(NO_SUCH_CODE, "no_such_code", 404, LATEST, "No such code.") \
    X(NO_SUCH_REFUND, "no_such_refund", 404, LATEST, "No such refund due.") \
    X(NO_SUCH_HOOK, "no_such_hook", 404, LATEST, "No such hook.") \
    X(NO_SUCH_TICKET, "no_such_ticket", 404, LATEST, "No such ticket.") \
    X(NO_SUCH_FLEET, "no_such_fleet", 404, LATEST, "No such fleet.") \
    X(NO_SUCH_DRIVER, "no_such_driver", 404, LATEST, "No such driver in this fleet.") \
    X(NO_SUCH_RIDE, "no_such_ride", 404, LATEST, "No such ride in this fleet.") \
    X(NO_SUCH_OFFER, "no_such_offer", 404, LATEST, "No such offer in this fleet.") \
    X(EXISTS, "exists", 409, SEEN, "This name is already in use.") \
    X(IN_USE, "in_use", 409, SEEN, "This event has seats or units that are held or sold.") \
    X(CAPACITY_IN_USE, "capacity_in_use", 409, SEEN, "More than this capacity is already claimed.") \
    X(NOT_ON_SALE, "not_on_sale", 409, LATEST, "Not on sale at this time.") \
    X(PASS_REQUIRED, "pass_required", 403, LATEST, \
      "A pass is required. Please join the waiting room first.") \
    X(PASS_INVALID, "pass_invalid", 403, LATEST, "This pass is not valid for this event.") \
    X(PASS_EXPIRED, "pass_expired", 403, LATEST, \
      "This pass has expired. Please join the waiting room again.") \
    X(PASS_TIER, "pass_tier", 403, LATEST, "This pass is not valid for this tier.") \
    X(NO_WAITING_ROOM, "no_waiting_room", 409, LATEST, "This event has no waiting room.") \
    X(NO_WAITING_LIST, "no_waiting_list", 409, LATEST, "This event has no waiting list.") \
    X(NOT_SOLD_OUT, "not_sold_out", 409, SEEN, "This is not sold out. Please join the waiting room.") \
    X(VERSION_MISMATCH, "version_mismatch", 412, SEEN, "The seat has changed since you read it.") \
    X(GUESTS_REFUSED, "guests_refused", 403, LATEST, "Guests are not allowed here. Please sign in.") \
    X(CODE_REQUIRED, "code_required", 403, LATEST, "A code is required.") \
    X(CODE_INVALID, "code_invalid", 403, LATEST, "This code is not valid here.") \
    X(CODE_USED, "code_used", 409, SEEN, "This code is used up.") \
    X(LIMIT_EXCEEDED, "limit_exceeded", 409, SEEN, "This exceeds the limit per user.") \
    X(CLOSED, "closed", 409, SEEN, "Outside opening hours. Please choose another time.") \
    X(NOT_BOOKABLE, "not_bookable", 409, SEEN, "This cannot be booked.") \
    X(TAKEN, "taken", 409, SEEN, "This seat was just taken. Please choose another one.") \
    X(SOLD_OUT, "sold_out", 409, SEEN, "Not enough left.") \
    X(NO_ADJACENT_SEATS, "no_adjacent_seats", 409, SEEN, "Enough seats are free, but not side by side.") \
    X(LEAVES_SINGLE, "leaves_single", 409, SEEN, \
      "This would leave a single empty seat. Please choose other seats.") \
    X(EXPIRED, "expired", 409, SEEN, "This reservation has expired.") \
    X(PAYING, "paying", 409, SEEN, "Payment has started: this reservation can no longer be changed.") \
    X(PAYMENT_WINDOW_OFF, "payment_window_off", 409, SEEN, "This reservation has no payment window.") \
    X(PAYMENT_REQUIRED, "payment_required", 402, SEEN, "Payment is required first.") \
    X(PAYMENT_USED, "payment_used", 409, SEEN, "This payment belongs to another reservation.") \
    X(REFUND_CHANGED, "refund_changed", 409, SEEN, \
      "The amount of this refund due has changed. Send the amount that was paid back.") \
    X(NO_SUCH_PAYMENT, "no_such_payment", 404, LATEST, "No such payment.") \
    X(NOT_CONFIRMED, "not_confirmed", 409, SEEN, "This reservation is not confirmed yet.") \
    X(NOT_TRANSFERABLE, "not_transferable", 409, SEEN, "Tickets of this event cannot be transferred.") \
    X(NOT_CANCELLABLE, "not_cancellable", 409, SEEN, "This reservation cannot be cancelled, or its cancellation period has ended.") \
    X(ALREADY_CONFIRMED, "already_confirmed", 409, SEEN, "This reservation is already confirmed.") \
    X(ALREADY_RELEASED, "already_released", 409, SEEN, "This reservation was released.") \
    X(ALREADY_CANCELLED, "already_cancelled", 409, SEEN, "This reservation was cancelled.") \
    X(ALREADY_REFUNDED, "already_refunded", 409, SEEN, "This reservation was refunded.") \
    X(CHECKED_IN, "checked_in", 409, SEEN, "A ticket of this reservation has been used at the door.") \
    X(ALREADY_CHECKED_IN, "already_checked_in", 409, SEEN, "This ticket was already used.") \
    X(WRONG_EVENT, "wrong_event", 409, LATEST, "This ticket is for another event.") \
    X(TICKET_VOID, "void", 409, LATEST, "This ticket is void.") \
    X(TICKET_GONE, "void", 410, LATEST, "This ticket is void.") /* for the ticket itself, not at the door */ \
    X(OFFER_EXPIRED, "offer_expired", 409, SEEN, "This offer has ended.") \
    X(NOT_ASSIGNED, "not_assigned", 409, SEEN, "No driver has accepted this ride yet.") \
    X(ALREADY_COMPLETED, "already_completed", 409, SEEN, "This ride is completed.") \
    X(NO_DRIVER, "no_driver", 409, SEEN, "No driver was found for this ride.") \
    X(UNDONE, "undone", 409, SEEN, "This check-in was undone. Please scan the ticket again.") \
    X(IDEMPOTENCY_KEY_REUSED, "idempotency_key_reused", 422, SEEN, \
      "This Idempotency-Key was already used with a different body.") \
    /* These two come from the engine. */ \
    X(STORAGE_FULL, "storage_full", 507, SEEN, "Storage is full: new holds cannot be recorded.") \
    X(UNAVAILABLE, "unavailable", 503, SEEN, \
      "New holds are not accepted right now. Please try again in a moment.")
/* clang-format on */

enum outcome_code {
#define X(name, code, status, waits, text) OUTCOME_##name,
    OUTCOMES(X)
#undef X
        OUTCOME_COUNT
};
enum outcome_wait { OUTCOME_WAITS_SEEN, OUTCOME_WAITS_LATEST };
const char *outcome_name(enum outcome_code code);
int outcome_http_status(enum outcome_code code);
const char *outcome_sentence(enum outcome_code code);
enum outcome_wait outcome_waits(enum outcome_code code);

/* A request item that was in the way. */
struct obstacle {
    uint32_t item; /* index in the request */
    enum item_kind kind;
    enum unit_status status; /* seats, slots: held or sold */
    uint32_t available;      /* pools, best: what is left */
};

enum fetch_kind {
    FETCH_RESERVATION,
    FETCH_IDEMPOTENCY,
    FETCH_PAYMENT,
    FETCH_TICKET,
    FETCH_PAYMENT_EVENT,
    FETCH_RIDE
};

/* A record that only the book has. Texts belong to the command. */
struct record_key {
    enum fetch_kind kind;
    union {
        struct id id; /* RESERVATION */
        uint64_t idempotency[2];
        struct payment_key payment;
        char code[TICKET_CODE_SIZE]; /* TICKET */
        struct {
            struct text event, once; /* PAYMENT_EVENT: by its id, or by the fact that counts only once */
        };
        struct ride_key ride;
    };
};
#define OUTCOME_LACKS_MAX 3u

struct outcome {
    enum outcome_code code;
    uint64_t seq;         /* an answer waits until this is durable; 0: nothing to wait for */
    bool created;         /* 201 rather than 200 */
    bool replayed;        /* the answer to an Idempotency-Key seen before */
    uint16_t http_status; /* with replayed: the status of the first answer */
    bool has_reservation;
    struct reservation_image reservation; /* names filled in; valid until the next command */
    /* TRANSFER: the caller is not the owner: show only id, status, owner and version. */
    bool brief;
    int64_t last_start_ms;              /* confirmed reservation: when its last item begins; 0: unknown */
    struct event_image event;           /* EVENT_PUT */
    struct event_counts counts;         /* EVENT_PUT */
    struct pool_image pool;             /* POOL_PUT */
    struct calendar_image calendar;     /* CALENDAR_PUT; CLOSED: the one that is closed */
    struct queue_entry_image entry;     /* QUEUE_JOIN, QUEUE_LOOK, QUEUE_LEAVE */
    struct list_entry_image list_entry; /* LIST_JOIN, LIST_LOOK, LIST_LEAVE */
    /* HOLD, ITEMS_ADD: index in the request of the item that was refused by its kind. SEATS_BLOCK: index in ids. */
    uint32_t refused_item;
    uint32_t closed_item;             /* CLOSED, NOT_BOOKABLE: index in the request */
    enum booking_rule rule;           /* NOT_BOOKABLE */
    struct closed_interval asked;     /* CLOSED: the interval that was refused */
    const struct zone *zone;          /* CLOSED: the calendar's; valid until the next command */
    const struct obstacle *obstacles; /* TAKEN, SOLD_OUT, NO_ADJACENT_SEATS */
    uint32_t obstacle_count;
    const struct text *singles; /* LEAVES_SINGLE: the ids of the seats; valid until the next command */
    uint32_t single_count;
    uint32_t limit, have;         /* LIMIT_EXCEEDED */
    struct text limited_calendar; /* the same; none: the limit of an event */
    char pointer[288];            /* INVALID: the field */
    uint32_t ttl_most_s;          /* INVALID at /ttl_seconds: the maximum */
    const char *detail;           /* replaces the sentence of the code; or NULL */
    uint32_t lack_count;          /* FETCH: all missing records, without duplicates */
    struct record_key lacks[OUTCOME_LACKS_MAX];

    bool has_check_in;

    enum cancel_rule cancel_rule;             /* NOT_CANCELLABLE */
    int64_t cancel_until_ms;                  /* the same: the deadline; 0: never cancellable */
    struct refund_image refund;               /* REFUND_DONE, REFUND_LOOK; valid until the next command */
    enum cancel_state cancel_state;           /* EVENT_CANCEL, EVENT_CANCEL_LOOK */
    uint32_t cancel_refunded, cancel_left;    /* the same: sales */
    struct payment_event_image payment_event; /* PAYMENT_EVENT; valid until the next command */
    const struct provider_image *provider;    /* PROVIDER_PUT; the same */
    /* COMMIT, PAYMENT_EVENT: the open refund due of the payment in the request; 0: none. */
    uint64_t refund_due;
    struct id payment_owner; /* PAYMENT_USED: its reservation; none: unknown */

    uint32_t seats_changed, seats_skipped; /* SEATS_BLOCK: free; claimed, the mark takes effect later */
    uint32_t seats_next;                   /* SEATS_BLOCK: continue at this position; 0: finished */
    /* CODES_PUT */
    uint32_t codes_created, codes_updated;
    /* CODE_INVALID: the event that has no such code; none: the code exists, for another tier */
    struct text guessed_at;

    const struct hook_image *hook;       /* HOOK_PUT, HOOK_TAKE; valid until the next command */
    const struct hook_message *messages; /* HOOK_TAKE; the same */
    uint32_t message_count;              /* HOOK_TAKE; HOOK_RESEND: how many will be sent again */

    const struct fleet_image *fleet; /* FLEET_PUT; valid until the next command */
    bool has_driver;
    bool has_ride;
    bool as_rider;    /* has_ride: the caller is its rider, and sees the driver only once assigned */
    bool has_offer;   /* OFFER_LOOK: OK with false: there is none */
    uint32_t updated; /* POSITIONS */
    /* POSITIONS: indexes of those whose driver does not exist; valid until the next command. */
    const uint32_t *unknown;
    uint32_t unknown_count;

    /* An outcome has at most one of these; valid until the next command. The first is the largest, so that {0} clears
     * them all. */
    union {
        struct {
            struct driver_image driver; /* DRIVER_PUT, DRIVER_LOOK */
            struct ride_image ride;     /* RIDE_*, OFFER_ACCEPT, OFFER_DECLINE */
            struct offer_image offer;   /* OFFER_LOOK; `ride` is the ride offered */
        };
        struct payment_image payment; /* PAYMENT_LOOK */
        struct key_image key;         /* KEY_ROTATE */
        struct group_image group;     /* GROUP_PUT */
        struct queue_view queue;      /* QUEUE_PATCH */
        /* CHECK_IN, TICKET_LOOK: the ticket and its last use; also with ALREADY_CHECKED_IN, UNDONE, TICKET_VOID and
         * WRONG_EVENT. */
        struct check_in_image check_in;
    };
};

/* The command cannot be judged without this record, and changes nothing until it is in memory. FETCH. */
enum outcome_code outcome_lacks(struct outcome *out, const struct record_key *key);

#endif
