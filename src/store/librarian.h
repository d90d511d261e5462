/* SPDX-License-Identifier: Apache-2.0 */
/* librarian.h — reads the book: lists, history, and single records that memory has forgotten.
 *
 * There are three desks, each with a thread and a read-only connection of its own: one for single records,
 * which somebody's commit waits for, one for lists, which may take their bounded time, and one for reports, which may
 * take much longer. A record never waits behind a list, nor a list behind a report. Each desk answers in the order of asking; answers come back to the loop by
 * librarian_collect.
 */
#ifndef STORE_LIBRARIAN_H
#define STORE_LIBRARIAN_H

#include <pthread.h>

#include "base/status.h"
#include "book/record/query.h"
#include "engine/fetch.h"
#include "store/bell.h"
#include "store/store.h"

/* The records, in the order of the fetch's keys; NULL: the book could not be read. Valid during the call. */
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
    struct librarian_queue fresh; /* the loop's: asked in this turn */
};
enum librarian_desks { LIBRARIAN_RECORDS, LIBRARIAN_LISTS, LIBRARIAN_REPORTS, LIBRARIAN_DESKS };
struct librarian {
    struct librarian_desk desks[LIBRARIAN_DESKS];
    pthread_mutex_t mutex;
    struct librarian_queue answered; /* under the mutex */
    bool stop;                       /* under the mutex */
    bool started;
    uint32_t out; /* jobs that the loop waits for; the loop's own */
    struct bell *ready;
};

/* ready need not be open before the first question. */
struct status librarian_start(struct librarian *l, const char *book, struct bell *ready);
void librarian_stop(struct librarian *l);
bool librarian_idle(const struct librarian *l);
/* Gives up the report being made: nobody is to wait for it. */
void librarian_hurry(struct librarian *l);
/* Loop: hands the answers that have come to those who asked. */
void librarian_collect(struct librarian *l);

/* What is asked is handed over at the end of the turn, so that a thread is woken once for all of it. */
/* The fetch stays as it is until done is called. Reservations that ended before ended_since_ms count as pruned. */
void librarian_fetch(struct librarian *l, struct fetch *fetch, int64_t ended_since_ms,
                     librarian_fetched_fn done, void *ctx);
void librarian_query(struct librarian *l, const struct query *query, int64_t ended_since_ms, store_row_fn row,
                     void (*done)(void *ctx, const struct query_result *result), void *ctx);
void librarian_hand_over(struct librarian *l);

#endif
