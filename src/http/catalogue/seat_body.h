/* SPDX-License-Identifier: Apache-2.0 */
/* seat_body.h — reads the body of an import of seats, CSV or JSON, into the rows of seat_import.h, which has `key`, too.
 *
 * Anything that is invalid stops the reading with a fault.
 */
#ifndef HTTP_SEAT_BODY_H
#define HTTP_SEAT_BODY_H

#include "base/memory/buf.h"
#include "base/crypto/hash.h"
#include "store/store.h"

/* RFC 4180. A header line names the columns, in any order; `id` is required. Lines end in CRLF or LF, optional for the
 * last one; a byte order mark is skipped, and so are empty lines. An empty label or coordinate means that the seat has
 * none; any other empty field counts as not given, and an update keeps the seat's value. The fault names the line on
 * which the record begins; the header is line 1. */
bool seat_csv_read(const char *body, size_t size, struct hash_key key, struct buf *rows, uint32_t *count,
                   struct import_fault *fault);

/* An array; the fields are the columns of the CSV. An omitted or null field is not given, except that a null allotment
 * clears it; an empty label means that the seat has none. The fault names its field by a JSON pointer. */
bool seat_json_read(const char *body, size_t size, struct hash_key key, struct buf *rows, uint32_t *count,
                    struct import_fault *fault);

#endif
