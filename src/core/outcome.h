/* SPDX-License-Identifier: Apache-2.0 */
/* outcome.h — the closed list of answers that core gives. A refusal is a normal answer, not an error.
 *
 * To add one: a line here. If it tells of something that may be the doing of a change not yet durable, also
 * `shows_settings` in state.c.
 */
#ifndef CORE_OUTCOME_H
#define CORE_OUTCOME_H

#include "core/image.h"

/* name, code on the wire, HTTP status, sentence for people */
#define OUTCOMES(X)                                                                                          \
    X(OK, "ok", 200, "Done.")                                                                                \
    X(FETCH, "fetch", 500, "A record must be read from the book first.") /* never leaves the store */        \
    X(RETRY, "again", 500,                                                                                   \
      "More is left to settle or count than one step does.") /* never leaves the store */                    \
    X(INVALID, "invalid", 400, "Invalid request.")                                                           \
    X(FORBIDDEN, "forbidden", 403, "This role is not allowed to do that.")                                   \
    X(NOT_OWNER, "not_owner", 403, "This reservation belongs to another user.")                              \
    X(NO_SUCH_RESERVATION, "no_such_reservation", 404, "No such reservation.")                               \
    X(NO_SUCH_ITEM, "no_such_item", 404, "No such item in this reservation.")                                \
    X(NO_SUCH_EVENT, "no_such_event", 404, "No such event.")                                                 \
    X(NO_SUCH_SEAT, "no_such_seat", 404, "No such seat in this event.")                                      \
    X(NO_SUCH_POOL, "no_such_pool", 404, "No such pool in this event.")                                      \
    X(NO_SUCH_CALENDAR, "no_such_calendar", 404, "No such calendar.")                                        \
    X(NO_SUCH_ENTRY, "no_such_entry", 404, "No such entry.")                                                 \
    X(NO_SUCH_KEY, "no_such_key", 404, "No such key.")                                                       \
    X(EXISTS, "exists", 409, "This name is already in use.")                                                 \
    X(IN_USE, "in_use", 409, "This event has seats or units that are held or sold.")                         \
    X(CAPACITY_IN_USE, "capacity_in_use", 409, "More than this capacity is already claimed.")                \
    X(NOT_ON_SALE, "not_on_sale", 409, "Not on sale at this time.")                                          \
    X(PASS_REQUIRED, "pass_required", 403, "A pass is required. Please join the waiting room first.")        \
    X(PASS_INVALID, "pass_invalid", 403, "This pass is not valid for this event.")                           \
    X(PASS_EXPIRED, "pass_expired", 403, "This pass has expired. Please join the waiting room again.")       \
    X(PASS_TIER, "pass_tier", 403, "This pass is not valid for this tier.")                                  \
    X(NO_WAITING_ROOM, "no_waiting_room", 409, "This event has no waiting room.")                            \
    X(NO_WAITING_LIST, "no_waiting_list", 409, "This event has no waiting list.")                            \
    X(NOT_SOLD_OUT, "not_sold_out", 409, "This is not sold out. Please join the waiting room.")              \
    X(VERSION_MISMATCH, "version_mismatch", 412, "The seat has changed since you read it.")                  \
    X(LIMIT_EXCEEDED, "limit_exceeded", 409, "This exceeds the limit per user.")                             \
    X(CLOSED, "closed", 409, "Outside opening hours. Please choose another time.")                           \
    X(TAKEN, "taken", 409, "This seat was just taken. Please choose another one.")                           \
    X(SOLD_OUT, "sold_out", 409, "Not enough left.")                                                         \
    X(NO_ADJACENT_SEATS, "no_adjacent_seats", 409, "Enough seats are free, but not side by side.")           \
    X(EXPIRED, "expired", 409, "This reservation has expired.")                                              \
    X(PAYING, "paying", 409, "Payment has started: this reservation can no longer be changed.")              \
    X(PAYMENT_WINDOW_OFF, "payment_window_off", 409, "This reservation has no payment window.")              \
    X(PAYMENT_REQUIRED, "payment_required", 402, "Payment is required first.")                               \
    X(ALREADY_CONFIRMED, "already_confirmed", 409, "This reservation is already confirmed.")                 \
    X(ALREADY_RELEASED, "already_released", 409, "This reservation was released.")                           \
    X(ALREADY_CANCELLED, "already_cancelled", 409, "This reservation was cancelled.")                        \
    X(ALREADY_REFUNDED, "already_refunded", 409, "This reservation was refunded.")                           \
    X(IDEMPOTENCY_KEY_REUSED, "idempotency_key_reused", 422,                                                 \
      "This Idempotency-Key was already used with a different body.")                                        \
    X(STORAGE_FULL, "storage_full", 507,                                                                     \
      "Storage is full: new holds cannot be recorded.") /* said by the store */                              \
    X(UNAVAILABLE, "unavailable", 503,                                                                       \
      "New holds are not accepted right now. Please try again in a moment.") /* said by the store */

enum outcome_code {
#define X(name, code, status, text) OUTCOME_##name,
    OUTCOMES(X)
#undef X
        OUTCOME_COUNT
};
const char *outcome_name(enum outcome_code code);
int outcome_http_status(enum outcome_code code);
const char *outcome_sentence(enum outcome_code code);

/* A request item that was in the way. */
struct obstacle {
    uint32_t item; /* index in the request */
    enum item_kind kind;
    enum seat_status status; /* seats, slots: held or sold */
    uint32_t available;      /* pools, best: what is left */
};

enum fetch_kind { FETCH_RESERVATION, FETCH_IDEMPOTENCY };

struct outcome {
    enum outcome_code code;
    uint64_t seq;         /* an answer waits until this is durable; 0: nothing to wait for */
    bool created;         /* 201 rather than 200 */
    bool replayed;        /* the answer to an Idempotency-Key seen before */
    uint16_t http_status; /* with replayed: the status of the first answer */
    bool has_reservation;
    struct reservation_image reservation; /* names filled in; valid until the next command */
    struct event_image event;             /* EVENT_PUT */
    struct event_counts counts;           /* EVENT_PUT */
    struct pool_image pool;               /* POOL_PUT */
    struct key_image key;                 /* KEY_ROTATE */
    struct calendar_image calendar;       /* CALENDAR_PUT; CLOSED: the one that is closed then */
    uint32_t closed_item;                 /* CLOSED: index in the request */
    struct closed_interval asked;         /* CLOSED: what was judged */
    struct queue_entry_image entry;       /* QUEUE_JOIN, QUEUE_LOOK, QUEUE_LEAVE */
    struct queue_view queue;              /* QUEUE_PATCH */
    struct list_entry_image list_entry;   /* LIST_JOIN, LIST_LOOK, LIST_LEAVE */
    const struct zone *zone;              /* CLOSED: the calendar's; valid until the next command */
    const struct obstacle *obstacles;     /* TAKEN, SOLD_OUT, NO_ADJACENT_SEATS */
    uint32_t obstacle_count;
    uint32_t limit, have;  /* LIMIT_EXCEEDED */
    char pointer[64];      /* INVALID: the field */
    const char *detail;    /* a sentence in place of the code's own, or NULL */
    enum fetch_kind fetch; /* FETCH: what */
    struct id fetch_id;    /* FETCH_RESERVATION: which; an idempotency key is in the command */
};

#endif
