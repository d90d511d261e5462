/* SPDX-License-Identifier: Apache-2.0 */
/* seat_csv.h — reads seats from a CSV text (RFC 4180) into the rows of an import.
 *
 * A header line names the columns, in any order; `id` is required. Lines end in CRLF or LF, optional for the last
 * one; a byte order mark is skipped, and so are empty lines. An empty label or coordinate means that the seat has
 * none; any other empty field counts as not given, and an update keeps the seat's value. Anything else that is
 * invalid stops the reading with a fault that names the line on which the record begins (the header is line 1).
 */
#ifndef HTTP_SEAT_CSV_H
#define HTTP_SEAT_CSV_H

#include "base/memory/buf.h"
#include "base/crypto/hash.h"
#include "store/store.h"

/* key: see seat_import.h. */
bool seat_csv_read(const char *body, size_t size, struct hash_key key, struct buf *rows, uint32_t *count,
                   struct import_fault *fault);

#endif
