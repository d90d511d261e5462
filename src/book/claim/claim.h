/* SPDX-License-Identifier: Apache-2.0 */
/* claim.h — what is taken now, as the book keeps it beside the items: a row for each seat, a row for
 * each slot, the counts of pools.
 *
 * A kind whose claims take a whole part has a table of them (struct book_item_kind); others have a way of their
 * own, one row in book/claim/claim.c. That a claim begins where another one is, or ends where none is, is a bug
 * somewhere: the fault is CORRUPT and names it. Faults stick to the connection (see sql.h).
 *
 * To add a kind: see README.md.
 */
#ifndef BOOK_CLAIM_H
#define BOOK_CLAIM_H

#include "book/record/columns.h"
#include "book/file/sql.h"

struct book_claim {
    struct sql *sql;
    struct sql_statement *begin[ITEM_KIND_LAST + 1], *end[ITEM_KIND_LAST + 1]; /* a claim */
    struct sql_statement *freed[ITEM_KIND_LAST + 1];                           /* and says so in its part */
};

void book_claim_prepare(struct book_claim *b, struct sql *s);
/* The item of reservation `number` is claimed, or no longer, by a reservation of this status. */
void book_claim_begin(struct book_claim *b, const struct change *c, uint64_t number,
                      const struct item_image *i, enum reservation_status status);
void book_claim_end(struct book_claim *b, const struct change *c, uint64_t number, const struct item_image *i,
                    enum reservation_status status);
/* Whether the two items of a reservation, before and after a change, have one and the same claim. */
bool book_claim_same(const struct item_image *a, const struct item_image *b);
/* Whether the claim of an item that stays is the same after a change of status. */
bool book_claim_stays(const struct item_image *i, enum reservation_status from, enum reservation_status to);
/* Whether a reservation of this status claims anything. */
bool book_claim_live(enum reservation_status status);

#endif
