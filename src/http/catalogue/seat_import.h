/* SPDX-License-Identifier: Apache-2.0 */
/* seat_import.h — collects the seats of one import, from JSON or CSV: refuses duplicate ids and too many seats.
 *
 * Borrows the ids until it is released. Used on a worker; the caller draws a random hash key on the loop, because
 * ids come from outside and could be chosen to collide.
 */
#ifndef HTTP_SEAT_IMPORT_H
#define HTTP_SEAT_IMPORT_H

#include "base/memory/buf.h"
#include "base/crypto/hash.h"
#include "base/memory/table.h"
#include "core/image.h"

struct seat_import {
    struct table table; /* from an id to its index in ids */
    struct hash_key key;
    struct text *ids;
    uint32_t count;
    uint32_t capacity;
    struct buf *rows;
};

enum seat_import_verdict { SEAT_IMPORT_ADDED, SEAT_IMPORT_DUPLICATE, SEAT_IMPORT_TOO_MANY };

void seat_import_init(struct seat_import *s, struct hash_key key, struct buf *rows);
void seat_import_release(struct seat_import *s); /* the rows stay */
/* Appends a row with seat_row_put. columns: the given ones, bits of enum seat_column. */
enum seat_import_verdict seat_import_add(struct seat_import *s, uint32_t columns,
                                         const struct seat_image *seat);

#endif
