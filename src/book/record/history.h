/* SPDX-License-Identifier: Apache-2.0 */
/* history.h — what each change of a reservation did to its items, computed from their previous values.
 *
 * history_items has an item as it was before each change that changed or ended it. So the item after a change is its next
 * row there, or the item itself; and an item that a change added has the seq of that change as its fence.
 */
#ifndef BOOK_HISTORY_H
#define BOOK_HISTORY_H

#include "book/record/columns.h"

struct book_history_reader {
    struct sql *sql;
    struct sql_statement *changed, *next, *present, *added, *total;
};

void book_history_prepare(struct book_history_reader *b, struct sql *s);
/* Completes the view of one change of the reservation of this number; what it points to is in the arena. */
void book_history_read(struct book_history_reader *b, uint64_t reservation, struct arena *arena,
                       struct history_view *view);

/* Items of a table with the columns of items, with their names: of event or calendar, and of seat, pool or service. */
/* clang-format off */
#define BOOK_NAMED_ITEMS "SELECT {read $}, " \
    "CASE kind [WHEN '{word}' THEN (SELECT id FROM {owner}s WHERE number = i.{owner}) ]END, " \
    "CASE kind [WHEN '{word}' THEN (SELECT id FROM {parts} WHERE {owner} = i.{owner} AND position = i.position) ]END, " \
    "(SELECT id FROM groups WHERE number = i.group_number) " \
    "FROM @ i WHERE reservation = ?1 "
/* clang-format on */
/* Reads the row of such a statement, with texts in the arena. */
void book_history_read_item(struct sql *s, struct sql_statement *t, const struct book_record *record,
                            struct arena *arena, struct item_image *out);

#endif
