/* SPDX-License-Identifier: Apache-2.0 */
/* single.h — the single free seats that a reservation leaves between taken ones, for lists. The rule is in
 * core/claim/single.h. */
#ifndef BOOK_SINGLE_H
#define BOOK_SINGLE_H

#include "base/memory/arena.h"
#include "book/file/sql.h"
#include "core/image.h"

struct book_single {
    struct sql *sql;
    struct sql_statement *seat;
};

void book_single_prepare(struct book_single *b, struct sql *s);
/* Fills leaves_single from `singles`; ids are in the arena. */
void book_single_show(struct book_single *b, struct arena *arena, struct reservation_image *r);

#endif
