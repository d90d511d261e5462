/* SPDX-License-Identifier: Apache-2.0 */
/* stand_in.h — a writable copy of a stopped folder's book, used in its place.
 *
 * To read a folder without changing it: a book of an older program must be upgraded first, and one whose
 * server was killed must take in its log. Both happen in the copy, which is removed afterwards.
 */
#ifndef STORE_STAND_IN_H
#define STORE_STAND_IN_H

#include "store/folder.h"

struct stand_in {
    char folder[FOLDER_PATH_MAX - 32];
    bool made;
};

/* Whether the book has a log beside it, as one has that was not closed. */
bool stand_in_has_log(const struct folder *f);
/* Makes it in TMPDIR; f->book names it from then on. Remove it in any case. */
struct status stand_in_make(struct stand_in *s, struct folder *f);
void stand_in_remove(struct stand_in *s);

#endif
