/* SPDX-License-Identifier: Apache-2.0 */
/* check.h — checks every rule of a book, from its rows alone. For `holdfast check`. */
#ifndef BOOK_CHECK_H
#define BOOK_CHECK_H

#include "base/status.h"

/* Calls `finding` with a sentence for each problem, at most ten per rule. The status is a fault only if the check could not
 * be done. May take minutes for a large book; writes nothing. */
struct status book_check(const char *path, void (*finding)(void *ctx, const char *sentence), void *ctx);

#endif
