/* SPDX-License-Identifier: Apache-2.0 */
/* format.h — reads from its bytes which version of the tables a book has, and changes nothing.
 *
 * Used before locks are made and before a connection is opened: SQLite makes files beside a book just to read
 * it, and a folder that this program cannot read stays as it is, to the byte. Looks at the first page of the file and,
 * if there is a log beside it, at the last committed copy of that page there.
 */
#ifndef BOOK_FORMAT_H
#define BOOK_FORMAT_H

#include "base/status.h"

/* INVALID: older or newer than what book/file/schema.h reads; the text says which. UNREADABLE: a read failed. OK also where there
 * is no book yet and where the page is damaged: opening it says so. */
struct status book_format_check(const char *path);

#endif
