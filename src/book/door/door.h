/* SPDX-License-Identifier: Apache-2.0 */
/* door.h — tickets at the door: scans (`check_ins`), and the state of each ticket that was used, voided or moved
 * (`ticket_marks`).
 *
 * Part of the writer of reservations: when an item ends or moves, its tickets are marked here.
 */
#ifndef BOOK_DOOR_H
#define BOOK_DOOR_H

#include "base/memory/arena.h"
#include "book/record/aside.h"
#include "book/record/load.h"
#include "book/record/query.h"
#include "book/file/sql.h"
#include "core/change.h"

struct book_door {
    struct sql *sql;
    struct sql_statement *scan, *use, *end, *forget_scans, *forget_marks;
    struct book_aside aside;
};
void book_door_prepare(struct book_door *d, struct sql *s);
/* A CHANGE_CHECK_IN. */
void book_door_write(struct book_door *d, const struct change *c);
/* Marks the tickets of an item that was sold under this key: they move to `to`, or, if that is NULL, become void. */
void book_door_mark(struct book_door *d, const struct change *c, const uint64_t key[2],
                    const struct item_image *item, const struct item_image *to);
void book_door_forget(struct book_door *d, uint64_t reservation);

/* Loading: the last use of each valid ticket, and the scans whose upload may still be repeated. */
void book_door_each(struct sql *s, const struct book_load_sink *sink, struct change *c);

/* Reading. */
struct book_door_reader {
    struct sql *sql;
    struct sql_statement *mark, *ticket, *item, *list;
};
void book_door_reader_prepare(struct book_door_reader *d, struct sql *s);
/* The ticket with this code, even if it is void. Texts are in the arena. False: there was never one. */
bool book_door_find(struct book_door_reader *d, struct text code, struct arena *arena,
                    struct check_in_image *out);
/* A query of the kind TICKETS. */
void book_door_list(struct book_door_reader *d, const struct query *q, query_row_fn row, void *ctx,
                    struct query_result *result);

#endif
