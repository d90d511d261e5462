/* SPDX-License-Identifier: Apache-2.0 */
/* seat_import.h — the seats of one import as they are read, whatever they are read from: each id once, within
 * bounds.
 *
 * Borrows the ids until it is released. Used on a worker; the hash key is drawn by the caller, on the loop,
 * because ids come from outside and could be made to collide.
 */
#ifndef HTTP_SEAT_IMPORT_H
#define HTTP_SEAT_IMPORT_H

#include "base/memory/buf.h"
#include "base/crypto/hash.h"
#include "base/memory/table.h"
#include "core/image.h"

struct seat_import {
    struct table table; /* from id to its place in ids */
    struct hash_key key;
    struct text *ids;
    uint32_t count;
    uint32_t capacity;
    struct buf *rows;
};

enum seat_import_verdict { SEAT_IMPORT_ADDED, SEAT_IMPORT_TWICE, SEAT_IMPORT_TOO_MANY };

void seat_import_init(struct seat_import *s, struct hash_key key, struct buf *rows);
void seat_import_release(struct seat_import *s); /* the rows stay */
/* Appends a row by seat_row_put. columns: enum seat_column, those that were given. */
enum seat_import_verdict seat_import_add(struct seat_import *s, uint32_t columns,
                                         const struct seat_image *seat);

#endif
