/* SPDX-License-Identifier: Apache-2.0 */
/* entry_id.h — ids of entries in an event's queue or on its waiting list, computed from a number and the event's
 * secret key.
 *
 * An id is 128 bits: a 64-bit tag that only the key can make, and the number masked with it. So the number can be
 * computed from it with a few hashes, it takes no memory, cannot be guessed, and does not reveal how many others
 * there are.
 */
#ifndef CORE_ENTRY_ID_H
#define CORE_ENTRY_ID_H

#include "core/types.h"

enum entry_kind {
    ENTRY_QUEUE = 1,
    ENTRY_LIST = 2,
    ENTRY_OFFER = 3,     /* reservations offered to the list, by seq */
    ENTRY_RIDE_OFFER = 4 /* rides offered to drivers, by seq; the key is the fleet's */
};

struct id entry_id(const uint64_t key[2], enum entry_kind kind, uint64_t number);
/* 0: no such id. */
uint64_t entry_id_number(const uint64_t key[2], enum entry_kind kind, struct id id);

#endif
