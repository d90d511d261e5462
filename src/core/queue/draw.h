/* SPDX-License-Identifier: Apache-2.0 */
/* draw.h — a random order for the people who joined before the opening.
 *
 * The draw is a permutation of 1..count computed from a seed of 32 bytes. Nothing is stored per entry, both directions
 * cost the same, and anyone can repeat it with the published seed and SHA-256:
 *
 *   h = the least number >= 4 with 4^h >= count
 *   F(r, v) = the 16-bit big-endian number at byte 2 * (v mod 16) of
 *             SHA-256(seed, one byte r, four bytes v div 16 big-endian), modulo 2^h
 *   x = number - 1
 *   repeat
 *       L, R = x div 2^h, x mod 2^h
 *       for r = 0 .. 9: L, R = R, L xor F(r, R)
 *       x = L * 2^h + R
 *   until x < count
 *   position = x + 1
 *
 * It is a Feistel network over the smallest even number of bits, at least 8, that can hold count - 1, repeated
 * while the result is out of range. All values of F fit a table of 20 * 2^h bytes (40 KiB for two million
 * entries), so that a lookup takes a tenth of a microsecond. docs/waiting-room.md explains it for users.
 */
#ifndef CORE_DRAW_H
#define CORE_DRAW_H

#include <stdint.h>

#define DRAW_ROUNDS 10

struct draw {
    uint32_t count;
    uint32_t half;   /* h: bits of each half */
    uint16_t *table; /* F(r, v) at r << half | v; NULL: no draw */
};

/* d must be zeroed or released. With a count of 0 there is nothing to draw. */
void draw_make(struct draw *d, const uint8_t seed[32], uint32_t count);
void draw_release(struct draw *d);                             /* frees the memory; d can be used again */
uint32_t draw_position(const struct draw *d, uint32_t number); /* of the entry with this number, 1..count */
uint32_t draw_number(const struct draw *d, uint32_t position); /* and back */

#endif
