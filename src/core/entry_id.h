/* SPDX-License-Identifier: Apache-2.0 */
/* entry_id.h — the ids of those in an event's queue or on its waiting list, made from nothing but a number
 * and the event's secret key.
 *
 * An id is 128 bits: a tag of 64 that only the key can make, and the number hidden by it. So it leads back to
 * the number in a few hashes, costs no memory, cannot be guessed, and tells nothing about how many others
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
