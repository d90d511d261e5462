/* SPDX-License-Identifier: Apache-2.0 */
/* ride.h — reads rides with all their offers: one ride, or a list.
 *
 * A list is ordered by number, newest first. Each filter has its own index and finds its greatest number at or below a given
 * one; they are asked in turn until all agree, as in book/record/list.h.
 */
#ifndef BOOK_RIDE_H
#define BOOK_RIDE_H

#include "base/memory/arena.h"
#include "book/record/query.h"
#include "book/file/sql.h"

struct book_ride_reader {
    struct sql *sql;
    struct sql_statement *by_number, *by_id, *by_offer, *offers, *offer_count; /* whole records */
    struct sql_statement *any, *of_rider, *of_driver, *of_status, *number, *number_before, *asked;
};
void book_ride_prepare(struct book_ride_reader *r, struct sql *s);
/* Not of a removed fleet. Texts and offers are in the arena. */
bool book_ride_find(struct book_ride_reader *r, const struct ride_key *key, struct arena *arena,
                    struct ride_image *out);
/* A query of the kind RIDES. The arena is reset for each row. */
void book_ride_list(struct book_ride_reader *r, const struct query *q, struct arena *arena, query_row_fn row,
                    void *ctx, struct query_result *result);

/* The rides that q->user_id requested, in any fleet, with a number below `below`. */
void book_ride_list_asked(struct book_ride_reader *r, const struct query *q, uint64_t below,
                          struct arena *arena, query_row_fn row, void *ctx, struct query_result *result);

#endif
