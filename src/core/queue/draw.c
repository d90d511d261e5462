/* SPDX-License-Identifier: Apache-2.0 */
#include "core/queue/draw.h"

#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/crypto/hash.h"
#include "base/memory/memory.h"

#define HALF_MIN 4
#define HALF_MAX 16 /* F has 16 bits */
#define BLOCK 16    /* values of F in one hash */

static void fill(struct draw *d, const uint8_t seed[32])
{
    _Static_assert(1 << HALF_MIN >= BLOCK, "no block goes beyond the table");
    uint8_t asked[32 + 1 + 4], hash[32];
    uint32_t mask = (1u << d->half) - 1;
    memcpy(asked, seed, 32);
    for (uint32_t r = 0; r < DRAW_ROUNDS; r++)
        /* Computes all values of F, sixteen from each hash, so that lookups need no hashing. */
        for (uint32_t v = 0; v <= mask; v += BLOCK) {
            uint32_t block = v / BLOCK;
            asked[32] = (uint8_t)r;
            for (int i = 0; i < 4; i++)
                asked[33 + i] = (uint8_t)(block >> (24 - 8 * i));
            hash_sha256(asked, sizeof(asked), hash);
            uint16_t *out = d->table + (r << d->half | v);
            for (uint32_t i = 0; i < BLOCK; i++)
                out[i] = (uint16_t)(((uint32_t)hash[2 * i] << 8 | hash[2 * i + 1]) & mask);
        }
}

void draw_make(struct draw *d, const uint8_t seed[32], uint32_t count)
{
    ASSERT(!d->table);
    *d = (struct draw){.count = count, .half = HALF_MIN};
    if (!count)
        return;
    /* The smallest power of four that holds them: if less than a quarter were in use, walks would be long. */
    while (1ULL << 2 * d->half < count)
        d->half++;
    ASSERT(d->half <= HALF_MAX);
    d->table = memory_get((size_t)DRAW_ROUNDS * sizeof(*d->table) << d->half);
    fill(d, seed);
}

void draw_release(struct draw *d)
{
    free(d->table);
    *d = (struct draw){0};
}

static uint32_t forward(const struct draw *d, uint32_t x)
{
    uint32_t mask = (1u << d->half) - 1, left = x >> d->half, right = x & mask;
    for (uint32_t r = 0; r < DRAW_ROUNDS; r++) {
        uint32_t next = left ^ d->table[r << d->half | right];
        left = right;
        right = next;
    }
    return left << d->half | right;
}

static uint32_t backward(const struct draw *d, uint32_t x)
{
    uint32_t mask = (1u << d->half) - 1, left = x >> d->half, right = x & mask;
    for (uint32_t r = DRAW_ROUNDS; r-- > 0;) {
        uint32_t before = right ^ d->table[r << d->half | left];
        right = left;
        left = before;
    }
    return left << d->half | right;
}

/* Maps one of 1..count to another. The network permutes more numbers than there are entries, but following a
 * permutation leads back to the start, so it reaches a number below count again. */
static uint32_t draw_walk(const struct draw *d, uint32_t from,
                          uint32_t (*turn)(const struct draw *, uint32_t))
{
    ASSERT(from >= 1 && from <= d->count);
    uint32_t x = from - 1;
    do
        x = turn(d, x);
    while (x >= d->count);
    return x + 1;
}

uint32_t draw_position(const struct draw *d, uint32_t number)
{
    return draw_walk(d, number, forward);
}

uint32_t draw_number(const struct draw *d, uint32_t position)
{
    return draw_walk(d, position, backward);
}
