/* SPDX-License-Identifier: Apache-2.0 */
#include "core/line_id.h"

#include "base/hash.h"

static uint64_t keyed(const uint64_t key[2], enum line line, uint64_t what, uint64_t value)
{
    uint64_t words[3] = {(uint64_t)line, what, value};
    return hash_sip((struct hash_key){key[0], key[1]}, words, sizeof(words));
}

enum { TAG, MASK };

struct id line_id(const uint64_t key[2], enum line line, uint64_t number)
{
    uint64_t tag = keyed(key, line, TAG, number);
    return (struct id){number ^ keyed(key, line, MASK, tag), tag};
}

uint64_t line_id_number(const uint64_t key[2], enum line line, struct id id)
{
    uint64_t number = id.high ^ keyed(key, line, MASK, id.low);
    return keyed(key, line, TAG, number) == id.low ? number : 0;
}
