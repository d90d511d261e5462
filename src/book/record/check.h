/* SPDX-License-Identifier: Apache-2.0 */
/* check.h — recomputes everything that must be true of a book, from its rows alone. For `holdfast
 * check`. */
#ifndef BOOK_CHECK_H
#define BOOK_CHECK_H

#include "base/status.h"

/* Calls `finding` with a sentence for each thing that is wrong, at most a few of each kind. The status is a
 * fault only if the check itself could not be done. May take minutes on a large book; writes nothing. */
struct status book_check(const char *path, void (*finding)(void *ctx, const char *sentence), void *ctx);

#endif
