/* SPDX-License-Identifier: Apache-2.0 */
/* export.h — a copy of the book for reports: everything but secrets.
 *
 * Left out: the hashes of keys, idempotency keys, the codes of tickets and the keys they are made from, the
 * keys of entries' ids, the seeds of draws that are still to come, and imports that are not published. The
 * copy is no longer a book, and no server accepts it as one. It has no log beside it, so it can be read where
 * nothing can be written.
 */
#ifndef BOOK_EXPORT_H
#define BOOK_EXPORT_H

#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"

/* Copies the book at `source`, which may be written meanwhile, as of one instant. An existing `destination`
 * is replaced once the copy is whole and free of secrets; it gets `mode` only then. */
struct status book_export(const char *source, const char *destination, mode_t mode, uint64_t *last_seq);

#endif
