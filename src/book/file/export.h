/* SPDX-License-Identifier: Apache-2.0 */
/* export.h — a copy of the book for reports, without secrets.
 *
 * Left out: the hashes of keys, idempotency keys, ticket codes and the keys they are derived from, the keys of entry ids, the
 * seeds of future draws, and unpublished imports. The copy is not a book, and no server accepts it as one. It has no log
 * beside it, so it can be read on a read-only file system.
 */
#ifndef BOOK_EXPORT_H
#define BOOK_EXPORT_H

#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"

/* Copies the book at `source`, as of one instant; a server may be writing it. An existing `destination` is replaced, and
 * gets its `mode`, once the copy is complete and without secrets. */
struct status book_export(const char *source, const char *destination, mode_t mode, uint64_t *last_seq);

#endif
