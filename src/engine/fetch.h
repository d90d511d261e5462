/* SPDX-License-Identifier: Apache-2.0 */
/* fetch.h — commands that cannot be answered yet: those with more to settle than one step does, and those that need
 * records which only the book has.
 *
 * A command names everything it lacks at once (struct outcome, `lacks`). The host reads the records, engine_fetched
 * restores them, and the commands that wait for them are applied again, all in the same turn: so if a record was not in
 * the book, that is still true. The same record is never read twice at a time, so an old image cannot arrive after a newer
 * one was forgotten: a command that lacks a record which is being read waits for that read, and then names what it still
 * lacks.
 *
 * To add a kind of record: a row of FETCHES, its functions in fetch.c, and its `read_…` in store/librarian.c.
 */
#ifndef ENGINE_FETCH_H
#define ENGINE_FETCH_H

#include "core/image.h"
#include "engine/engine.h"

/* X(KIND, name): same_NAME compares two keys, restore_NAME gives the record to core, checked_NAME records in the command
 * that the book was asked; read_NAME, in the store, reads it from the book. */
#define FETCHES(X)                                                                                           \
    X(RESERVATION, reservation)                                                                              \
    X(IDEMPOTENCY, idempotency)                                                                              \
    X(PAYMENT, payment)                                                                                      \
    X(TICKET, ticket)                                                                                        \
    X(PAYMENT_EVENT, payment_event)                                                                          \
    X(RIDE, ride)

/* One record as read from the book. */
struct fetched {
    bool found;
    struct account
        account; /* RESERVATION: its payments; PAYMENT: the row and its refunds due, if it has no owner */
    union {
        struct reservation_image reservation;
        struct id owner; /* PAYMENT: its reservation, if it has one */
        struct idempotency_image idempotency;
        struct payment_event_image payment_event;
        struct check_in_image ticket;
        struct ride_image ride;
    };
};

/* A read in flight, and the commands that wait for it. */
struct fetch {
    struct fetch *next;
    struct record_key keys[OUTCOME_LACKS_MAX];
    uint32_t count;
    uint64_t book_seq; /* the book had everything up to this when it was asked */
    struct kept_commands waiting;
};

/* The command answered OUTCOME_FETCH: keeps it until the records it lacks were read. */
void fetch_begin(struct engine *e, const struct command *c, const struct outcome *out, engine_done_fn done,
                 void *ctx);
/* The host has read the records, in the order of fetch->keys; NULL: the book could not be read. Frees the fetch. `records`
 * must stay valid until this returns. */
void engine_fetched(struct engine *e, int64_t now_ms, struct fetch *fetch, const struct fetched *records);

/* The command answered OUTCOME_RETRY: it is applied again, a step at a time, after the commands kept before it. */
void fetch_retry_later(struct engine *e, const struct command *c, engine_done_fn done, void *ctx);

#endif
