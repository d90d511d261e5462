/* SPDX-License-Identifier: Apache-2.0 */
/* librarian.h — reads the book: lists, history, and single records that memory has forgotten.
 *
 * There are three desks, each with its own thread and read-only connection: one for single records, which a client's commit
 * waits for; one for lists, whose time is bounded; and one for reports, which may take much longer. So a record never waits
 * behind a list, nor a list behind a report. Each desk answers in order; librarian_collect delivers the answers on the loop.
 */
#ifndef STORE_LIBRARIAN_H
#define STORE_LIBRARIAN_H

#include <pthread.h>

#include "base/status.h"
#include "book/record/query.h"
#include "engine/fetch.h"
#include "store/bell.h"
#include "store/store.h"

/* The records, in the order of fetch->keys; NULL: the book could not be read. Valid during the call. */
typedef void (*librarian_fetched_fn)(void *ctx, struct fetch *fetch, const struct fetched *records);

struct librarian_job;
struct librarian_queue {
    struct librarian_job *first, *last;
};
struct librarian_desk {
    struct librarian *librarian;
    struct book_reader *reader;
    pthread_t thread;
    pthread_cond_t wake;
    struct librarian_queue asked; /* under the librarian's mutex */
    struct librarian_queue fresh; /* loop only: asked in this turn */
};
enum librarian_desks { LIBRARIAN_RECORDS, LIBRARIAN_LISTS, LIBRARIAN_REPORTS, LIBRARIAN_DESKS };
struct librarian {
    struct librarian_desk desks[LIBRARIAN_DESKS];
    pthread_mutex_t mutex;
    struct librarian_queue answered; /* under the mutex */
    bool stop;                       /* under the mutex */
    bool started;
    uint32_t out; /* loop only: jobs that are not answered yet */
    struct bell *ready;
};

/* `ready` must be open before the first question is handed over. */
struct status librarian_start(struct librarian *l, const char *book, struct bell *ready);
void librarian_stop(struct librarian *l);
bool librarian_idle(const struct librarian *l);
/* Interrupts the report in progress, which is answered with a fault: the server is stopping. */
void librarian_cancel_report(struct librarian *l);
/* Loop: passes the answers that have arrived to their callbacks. */
void librarian_collect(struct librarian *l);

/* Questions are handed over at the end of the turn, so that a thread is woken once for all of them. */
/* The fetch must not change until `done` is called. Reservations that ended before ended_since_ms count as pruned. */
void librarian_fetch(struct librarian *l, struct fetch *fetch, int64_t ended_since_ms,
                     librarian_fetched_fn done, void *ctx);
void librarian_query(struct librarian *l, const struct query *query, int64_t ended_since_ms, store_row_fn row,
                     void (*done)(void *ctx, const struct query_result *result), void *ctx);
void librarian_hand_over(struct librarian *l);

#endif
