/* SPDX-License-Identifier: Apache-2.0 */
/* seat_json.h — reads seats from a JSON array into the rows of an import.
 *
 * The fields are the columns of seat_csv.h. An omitted or null field is not given, except that a null allotment
 * clears it; an empty label means that the seat has none. A fault names its field by a JSON pointer.
 */
#ifndef HTTP_SEAT_JSON_H
#define HTTP_SEAT_JSON_H

#include "base/memory/buf.h"
#include "base/crypto/hash.h"
#include "store/store.h"

/* key: see seat_import.h. */
bool seat_json_read(const char *body, size_t size, struct hash_key key, struct buf *rows, uint32_t *count,
                    struct import_fault *fault);

#endif
