/* SPDX-License-Identifier: Apache-2.0 */
/* pages.h — the pages of a book's file: verifies all of them, for `holdfast check`, and describes a damaged one.
 */
#ifndef BOOK_PAGES_H
#define BOOK_PAGES_H

#include "book/file/sql.h"

/* Verifies the checksum of every page, free ones included, of a book that is not being written and that has no log
 * beside it. Calls `finding` with a sentence for each damaged one, at most a few. A file that is no
 * book has none to verify. UNREADABLE: not all of it could be read. */
struct status book_pages_check(const char *path, void (*finding)(void *ctx, const char *sentence), void *ctx);

/* Opens a connection to a book. Its faults about a damaged page say what the page contains, as far as that can be read from
 * a damaged file: "page 7 of book.sqlite (reservations, rows 12 to 40)". */
struct status book_pages_open(struct sql **out, const char *path, enum sql_access access);

#endif
