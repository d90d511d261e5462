/* SPDX-License-Identifier: Apache-2.0 */
/* book_scratch_copy.h — a writable copy of a stopped folder's book, used in its place.
 *
 * To read a folder without changing it: a book of an older program must be upgraded first, and one whose
 * server was killed must take in its log. Both happen in the copy, which is removed afterwards.
 */
#ifndef STORE_BOOK_SCRATCH_COPY_H
#define STORE_BOOK_SCRATCH_COPY_H

#include "store/folder.h"

struct book_scratch_copy {
    char folder[FOLDER_PATH_MAX - 32];
    bool made;
};

/* Whether the book has a log beside it, as one has that was not closed. */
bool book_scratch_copy_has_log(const struct folder *f);
/* Makes it in TMPDIR; f->book names it from then on. Remove it in any case. */
struct status book_scratch_copy_make(struct book_scratch_copy *s, struct folder *f);
void book_scratch_copy_remove(struct book_scratch_copy *s);

#endif
