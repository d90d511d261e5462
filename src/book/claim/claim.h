/* SPDX-License-Identifier: Apache-2.0 */
/* claim.h — the live claims, which the book stores beside the items: a row for each seat, a row for each slot, counts for
 * pools.
 *
 * A kind whose claims take a whole part has a table of claims (struct book_item_kind); other kinds have functions of their
 * own in book/claim/claim.c. A claim that begins where there is one already, or ends where there is none, is a CORRUPT
 * fault. Faults stick to the connection (see sql.h).
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
    struct sql_statement *freed[ITEM_KIND_LAST + 1];                           /* updates the part after it */
};

void book_claim_prepare(struct book_claim *b, struct sql *s);
/* Begins or ends the claim of an item of reservation `number`, which has this status. */
void book_claim_begin(struct book_claim *b, const struct change *c, uint64_t number,
                      const struct item_image *i, enum reservation_status status);
void book_claim_end(struct book_claim *b, const struct change *c, uint64_t number, const struct item_image *i,
                    enum reservation_status status);
/* Whether two items of a reservation, before and after a change, have the same claim. */
bool book_claim_same(const struct item_image *a, const struct item_image *b);
/* Whether the claim of an unchanged item stays when the status changes. */
bool book_claim_stays(const struct item_image *i, enum reservation_status from, enum reservation_status to);
/* Whether a reservation of this status claims anything. */
bool book_claim_live(enum reservation_status status);

#endif
