/* SPDX-License-Identifier: Apache-2.0 */
/* book_scratch_copy.h — a temporary, writable copy of a stopped folder's book, used in its place.
 *
 * To read a folder without changing it: a book of an older program must be upgraded first, and a book whose server was
 * killed must have its log merged. Both happen in the copy, which is deleted afterwards.
 */
#ifndef STORE_BOOK_SCRATCH_COPY_H
#define STORE_BOOK_SCRATCH_COPY_H

#include "store/folder.h"

struct book_scratch_copy {
    char folder[FOLDER_PATH_MAX - 32];
    bool made;
};

/* Whether the book has a log beside it: it is open, or was not closed cleanly. */
bool book_scratch_copy_has_log(const struct folder *f);
/* Creates a folder in TMPDIR for a book, which does not exist yet; `path` is where it goes. The same holds for removing. */
struct status book_scratch_place(struct book_scratch_copy *s, char path[FOLDER_PATH_MAX]);
/* Creates the copy in TMPDIR and sets f->book to its path. Call book_scratch_copy_remove even after a fault. */
struct status book_scratch_copy_make(struct book_scratch_copy *s, struct folder *f);
void book_scratch_copy_remove(struct book_scratch_copy *s);

#endif
