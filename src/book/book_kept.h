/* SPDX-License-Identifier: Apache-2.0 */
/* book_kept.h — what the book does with each kind of change: how it is written, when it is loaded, what it goes
 * with.
 *
 * The list is in book_columns.c, behind the columns. Writer, loader and pruning follow from it, so a record that
 * is simply kept needs its columns and one row. What needs more has a function in its part of the book.
 */
#ifndef BOOK_BOOK_KEPT_H
#define BOOK_BOOK_KEPT_H

#include "book/book_load.h"
#include "book/book_record.h"

/* The writer's parts: each has statements of its own. */
enum book_part { BOOK_CATALOGUE, BOOK_CALENDAR, BOOK_RESERVATION, BOOK_QUEUE, BOOK_WAITING_LIST, BOOK_PARTS };

/* Held reservations are loaded by number; what they need comes before them. */
enum book_loaded { BOOK_NOT_LOADED, BOOK_BEFORE_HOLDS, BOOK_AFTER_HOLDS };

struct book_kept {
    /* Plain: the image in the change is a row of the record. */
    const struct book_record *record;
    uint16_t at;     /* of the image, in struct change */
    const char *put; /* the text of the statement; in it ?64 is the change's seq */
    bool of_event; /* the table has a column `event`: rows go with it, those of removed ones are not loaded */
    /* What needs more is applied by the part. */
    enum book_part part;
    void (*apply)(void *part, const struct change *c);

    /* Loading hands each row over as a change, see book_load.h; those of one stage in the order of kinds. */
    enum book_loaded loaded;
    const char *
        load; /* the text, if not all rows by key; in it ?1 is since_ms, a column after the record's is seq */
    void (*each)(struct sql *s, const struct book_load_sink *sink, struct change *c); /* instead of it */
};

extern const struct book_kept book_kept[]; /* by enum change_kind */
extern const int book_kept_count;          /* one more than the last kind */

#endif
