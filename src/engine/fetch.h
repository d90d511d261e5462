/* SPDX-License-Identifier: Apache-2.0 */
/* fetch.h — commands that cannot be answered yet: those with more to settle than one step does, and those that need records
 * which only the book has.
 *
 * A command names all that it lacks at once (struct outcome, `lacks`). The host reads it, engine_fetched puts it back, and
 * the commands that wait for it are applied again, all in one turn: so what the book did not have is known of that very
 * turn. There is never a second read of the same record under way, so an old image cannot come in after a newer one was
 * forgotten: a command that lacks something which is being read waits for that read, and then names what it still lacks.
 *
 * To add a kind of record: its row in FETCHES, its functions in fetch.c, and its `read_…` in store/librarian.c.
 */
#ifndef ENGINE_FETCH_H
#define ENGINE_FETCH_H

#include "core/image.h"
#include "engine/engine.h"

/* X(KIND, name): same_NAME tells whether two keys name one record, put_back_NAME gives core what was read, checked_NAME
 * tells a command what the book said; read_NAME, in the store, asks the book. */
#define FETCHES(X)                                                                                           \
    X(RESERVATION, reservation)                                                                              \
    X(IDEMPOTENCY, idempotency)                                                                              \
    X(PAYMENT, payment)                                                                                      \
    X(TICKET, ticket)                                                                                        \
    X(PAYMENT_EVENT, payment_event)                                                                          \
    X(RIDE, ride)

/* One record as the book has it. */
struct fetched {
    bool found;
    struct account
        account; /* RESERVATION: its payments; PAYMENT: the row and its refunds due, if it is nobody's */
    union {
        struct reservation_image reservation;
        struct id owner; /* PAYMENT: whose it is; none: nobody's */
        struct idempotency_image idempotency;
        struct payment_event_image payment_event;
        struct check_in_image ticket;
        struct ride_image ride;
    };
};

/* What is being read, and the commands that wait for it. */
struct fetch {
    struct fetch *next;
    struct record_key keys[OUTCOME_LACKS_MAX];
    uint32_t count;
    struct kept_commands waiting;
};

/* The command answered OUTCOME_FETCH: it is kept until what it lacks was read. */
void fetch_begin(struct engine *e, const struct command *c, const struct outcome *out, engine_done_fn done,
                 void *ctx);
/* The host has read all keys of the fetch, in their order; NULL: the book could not be read. Frees the fetch. What `records`
 * points to must stay until this returns. */
void engine_fetched(struct engine *e, int64_t now_ms, struct fetch *fetch, const struct fetched *records);

/* The command answered OUTCOME_RETRY: it is applied again, a step at a time, after those that came before it. */
void fetch_retry_later(struct engine *e, const struct command *c, engine_done_fn done, void *ctx);

#endif
