/* SPDX-License-Identifier: Apache-2.0 */
/* scrub.h — removes data of erased people from bytes of the file that belong to no row.
 *
 *   merge      older parts of the index of words contain deleted words until all parts are merged: in slices
 *   truncate   the log is moved into the file and truncated to nothing: its old frames are gone
 *
 * Data deleted from pages is overwritten at once (PRAGMA secure_delete, and page_wipe.h), so nothing else is
 * left to do. After a crash it starts over with the first.
 */
#ifndef BOOK_SCRUB_H
#define BOOK_SCRUB_H

#include "book/file/sql.h"

enum book_scrub_stage { SCRUB_NONE, SCRUB_MERGE, SCRUB_TRUNCATE, SCRUB_DONE };

struct book_scrub {
    struct sql *sql;
    struct sql_statement *unclean, *merge, *clean;
    enum book_scrub_stage stage;
    uint64_t upto; /* the erasure that it is for, and all before it */
};

void book_scrub_prepare(struct book_scrub *b, struct sql *s);
/* Whether there is something to do. */
bool book_scrub_due(struct book_scrub *b);
/* One slice; merging is to be done in a transaction, the rest outside of any. True: SCRUB_DONE has come, and
 * book_scrub_clean is to be called in a transaction. */
bool book_scrub_step(struct book_scrub *b);
void book_scrub_clean(struct book_scrub *b);

#endif
