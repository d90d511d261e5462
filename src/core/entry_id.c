/* SPDX-License-Identifier: Apache-2.0 */
#include "core/entry_id.h"

#include "base/assertion.h"
#include "base/crypto/hash.h"

static uint64_t keyed(const uint64_t key[2], enum entry_kind kind, uint64_t what, uint64_t value)
{
    uint64_t words[3] = {(uint64_t)kind, what, value};
    return hash_sip((struct hash_key){key[0], key[1]}, words, sizeof(words));
}

enum { TAG, MASK };

struct id entry_id(const uint64_t key[2], enum entry_kind kind, uint64_t number)
{
    ASSERT(number > 0); /* 0 means "no such id" */
    uint64_t tag = keyed(key, kind, TAG, number);
    return (struct id){number ^ keyed(key, kind, MASK, tag), tag};
}

uint64_t entry_id_number(const uint64_t key[2], enum entry_kind kind, struct id id)
{
    uint64_t number = id.high ^ keyed(key, kind, MASK, id.low);
    return keyed(key, kind, TAG, number) == id.low ? number : 0;
}
