/* SPDX-License-Identifier: Apache-2.0 */
/* dice.h — the simulator's random numbers: everything follows from the seed. */
#ifndef TESTS_SIM_DICE_H
#define TESTS_SIM_DICE_H

#include <stdbool.h>
#include <stdint.h>

struct dice {
    uint64_t state;
};

static inline uint64_t dice_word(struct dice *d)
{
    uint64_t z = d->state += 0x9e3779b97f4a7c15ULL;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
    return z ^ z >> 31;
}
/* 0 .. sides - 1 */
static inline uint32_t dice_roll(struct dice *d, uint32_t sides)
{
    return (uint32_t)((dice_word(d) >> 32) * sides >> 32);
}
static inline bool dice_percent(struct dice *d, uint32_t percent)
{
    return dice_roll(d, 100) < percent;
}

#endif
