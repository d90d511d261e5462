/* SPDX-License-Identifier: Apache-2.0 */
/* reader.h — a read-only connection: forgotten reservations, idempotency keys, lists, histories, reports.
 *
 * For one thread. Each question is answered in one read transaction, so that it sees the book at one seq, and within
 * BOOK_READER_BUDGET_MS (BOOK_READER_REPORT_BUDGET_MS for a report); if it takes longer, it ends with a fault of kind BUSY.
 */
#ifndef BOOK_READER_H
#define BOOK_READER_H

#include "base/memory/arena.h"
#include "base/status.h"
#include "book/money/money.h"
#include "book/record/query.h"

#define BOOK_READER_BUDGET_MS 2000
#define BOOK_READER_REPORT_BUDGET_MS 30000

struct book_reader;

struct status book_reader_open(struct book_reader **out, const char *path);
void book_reader_close(struct book_reader *r); /* NULL is allowed */
/* Reservations that ended before this instant count as pruned: they are neither found nor listed, and own no payments. 0:
 * none are hidden. */
void book_reader_hide_ended(struct book_reader *r, int64_t before_ms);
/* From any thread: ends the question in progress, if there is one, with a fault of kind BUSY. */
void book_reader_interrupt(struct book_reader *r);

/* The whole reservation with the names of its items, and its account, in the arena. `account` may be NULL. */
struct status book_reader_reservation(struct book_reader *r, struct id id, struct arena *arena,
                                      struct reservation_image *out, struct account *account, bool *found);
struct status book_reader_idempotency(struct book_reader *r, const uint64_t key[2],
                                      struct idempotency_image *out, bool *found);
/* The texts are in the arena. */
struct status book_reader_payment_event(struct book_reader *r, struct text event_id, struct text once,
                                        struct arena *arena, struct payment_event_image *out, bool *found);
struct status book_reader_payment(struct book_reader *r, const struct payment_key *key, struct arena *arena,
                                  struct book_owner *out, bool *found);

/* The ticket with this code, even if it was used or is void; the gate is in the arena. */
struct status book_reader_ticket(struct book_reader *r, struct text code, struct arena *arena,
                                 struct check_in_image *out, bool *found);

/* The ride with all its offers, unless its fleet was removed; texts and offers are in the arena. */
struct status book_reader_ride(struct book_reader *r, const struct ride_key *key, struct arena *arena,
                               struct ride_image *out, bool *found);

/* Calls `row` for each row, then fills *result. Does not wait for query->min_seq: the caller does. After a fault result->ok
 * is false, and the rows already reported must be discarded. */
struct status book_reader_query(struct book_reader *r, const struct query *query, query_row_fn row, void *ctx,
                                struct query_result *result);

#endif
