/* SPDX-License-Identifier: Apache-2.0 */
#include "http/catalogue/seat_import.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/change.h"

#define CAPACITY_FIRST 256
#define ROW_SIZE_MAX 512 /* five texts of 64 bytes with their lengths, and six numbers */

static uint64_t seat_import_hash_of(void *owner, uint32_t handle)
{
    const struct seat_import *s = owner;
    ASSERT(handle < s->count);
    return hash_sip(s->key, s->ids[handle].at, s->ids[handle].size);
}

static bool seat_import_same(void *owner, uint32_t handle, const void *key)
{
    const struct seat_import *s = owner;
    const struct text *id = key;
    ASSERT(handle < s->count);
    return text_equal(s->ids[handle], *id);
}

void seat_import_init(struct seat_import *s, struct hash_key key, struct buf *rows)
{
    *s = (struct seat_import){.key = key, .rows = rows};
    table_init(&s->table, seat_import_hash_of, s);
}

void seat_import_release(struct seat_import *s)
{
    table_release(&s->table);
    free(s->ids);
    s->ids = NULL;
}

enum seat_import_verdict seat_import_add(struct seat_import *s, uint32_t columns,
                                         const struct seat_image *seat)
{
    uint64_t hash = hash_sip(s->key, seat->id.at, seat->id.size);
    if (table_find(&s->table, hash, seat_import_same, &seat->id) != TABLE_NONE)
        return SEAT_IMPORT_DUPLICATE;
    if (s->count == SEATS_MAX || !buf_room(s->rows, ROW_SIZE_MAX))
        return SEAT_IMPORT_TOO_MANY;
    if (s->count == s->capacity) {
        s->capacity = s->capacity ? s->capacity * 2 : CAPACITY_FIRST;
        s->ids = memory_grow(s->ids, s->capacity, sizeof(*s->ids));
    }
    s->ids[s->count] = seat->id;
    s->count++;
    table_insert(&s->table, hash, s->count - 1);
    seat_row_put(s->rows, columns, seat);
    return SEAT_IMPORT_ADDED;
}
