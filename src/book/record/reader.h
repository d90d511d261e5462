/* SPDX-License-Identifier: Apache-2.0 */
/* reader.h — a connection that only reads: forgotten reservations, idempotency keys, lists, histories, reports.
 *
 * A plain object for one thread. Each question is answered within one read transaction, so that it sees the
 * book at one seq, and within BOOK_READER_BUDGET_MS (a report BOOK_READER_REPORT_BUDGET_MS); what takes longer is a
 * fault of kind BUSY.
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
void book_reader_close(struct book_reader *r); /* NULL is none */
/* Reservations that ended before this instant count as pruned: they are neither found nor listed, and own no payments. 0:
 * all are there. */
void book_reader_hide_ended(struct book_reader *r, int64_t before_ms);
/* From any thread: the question that is being answered, if there is one, ends with a fault of kind BUSY. */
void book_reader_interrupt(struct book_reader *r);

/* The whole reservation with the names of its items, and its account; all of it is in the arena. account NULL: not
 * wanted. */
struct status book_reader_reservation(struct book_reader *r, struct id id, struct arena *arena,
                                      struct reservation_image *out, struct account *account, bool *found);
struct status book_reader_idempotency(struct book_reader *r, const uint64_t key[2],
                                      struct idempotency_image *out, bool *found);
/* The texts are in the arena. */
struct status book_reader_payment_event(struct book_reader *r, struct text event_id, struct text once,
                                        struct arena *arena, struct payment_event_image *out, bool *found);
struct status book_reader_payment(struct book_reader *r, const struct payment_key *key, struct arena *arena,
                                  struct book_owner *out, bool *found);

/* The ticket of this code, used, void or neither; the gate is in the arena. */
struct status book_reader_ticket(struct book_reader *r, struct text code, struct arena *arena,
                                 struct check_in_image *out, bool *found);

/* The ride with all its offers, of a fleet that is there; texts and offers are in the arena. */
struct status book_reader_ride(struct book_reader *r, const struct ride_key *key, struct arena *arena,
                               struct ride_image *out, bool *found);

/* Calls `row` for each row, then fills the result. query->min_seq is the caller's to wait for. After a fault
 * result->ok is false, and the rows already reported are void. */
struct status book_reader_query(struct book_reader *r, const struct query *query, query_row_fn row, void *ctx,
                                struct query_result *result);

#endif
