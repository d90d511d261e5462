/* SPDX-License-Identifier: Apache-2.0 */
/* h3_cell.h — the bits of a cell (h3.h), and steps between the places of cells (h3_tables.h). */
#ifndef BASE_H3_CELL_H
#define BASE_H3_CELL_H

#include "base/geo/h3_tables.h"

#define H3_MODE_SHIFT 59
#define H3_RESOLUTION_SHIFT 52
#define H3_BASE_SHIFT 45
#define H3_DIGITS_MASK 0x1fffffffffffULL
#define H3_DIGITS_LOW (H3_DIGITS_MASK / 7)                  /* the lowest bit of each */
#define H3_EMPTY ((1ULL << H3_MODE_SHIFT) | H3_DIGITS_MASK) /* mode 1, no digits: all 7 */

static inline int h3_base(h3_cell cell)
{
    return (int)(cell >> H3_BASE_SHIFT & 0x7f);
}

static inline h3_cell h3_with_base(h3_cell cell, int base)
{
    return (cell & ~(0x7fULL << H3_BASE_SHIFT)) | (h3_cell)base << H3_BASE_SHIFT;
}

/* Of the digit at a resolution from 1 on. */
static inline int h3_digit_shift(int resolution)
{
    return 3 * (H3_RESOLUTION_MAX - resolution);
}

static inline int h3_digit(h3_cell cell, int resolution)
{
    return (int)(cell >> h3_digit_shift(resolution) & 7);
}

static inline h3_cell h3_with_digit(h3_cell cell, int resolution, int digit)
{
    int shift = h3_digit_shift(resolution);
    return (cell & ~(7ULL << shift)) | (h3_cell)digit << shift;
}

/* The coarsest digit that is not the centre, or the centre when all are. */
static inline int h3_lead(h3_cell cell, int resolution)
{
    h3_cell digits = (cell & H3_DIGITS_MASK) >> h3_digit_shift(resolution);
    if (digits == 0)
        return H3_DIGIT_CENTRE;
    return (int)(digits >> (63 - __builtin_clzll(digits)) / 3 * 3);
}

/* All digits turned. The bits of a digit are its parts along i, j and k: a third of a turn moves each to the next, half
 * a turn swaps set and unset bits. A sixth is both; 0 and 7 stay. */
static inline h3_cell h3_turned(h3_cell cell, int turn)
{
    h3_cell digits = cell & H3_DIGITS_MASK;
    if (turn == 2 || turn == 5)
        digits = (digits >> 1 & 3 * H3_DIGITS_LOW) | (digits & H3_DIGITS_LOW) << 2;
    else if (turn == 4 || turn == 1)
        digits = (digits << 1 & 6 * H3_DIGITS_LOW) | (digits >> 2 & H3_DIGITS_LOW);
    if (turn % 2 == 1) {
        h3_cell some = digits | digits >> 1 | digits >> 2, all = digits & digits >> 1 & digits >> 2;
        digits ^= (some & ~all & H3_DIGITS_LOW) * 7;
    }
    return (cell & ~H3_DIGITS_MASK) | digits;
}

static inline struct h3_plane h3_plane_turned(struct h3_plane p, int turn)
{
    for (; turn > 0; turn--)
        p = (struct h3_plane){p.a - p.b, p.a};
    return p;
}

static inline struct h3_plane h3_plane_sum(struct h3_plane p, struct h3_plane q, int64_t times)
{
    return (struct h3_plane){p.a + times * q.a, p.b + times * q.b};
}

/* p times 3 + w, and p times 2 - w: each is the other's conjugate, and their product 7. */
static inline struct h3_plane h3_plane_left(struct h3_plane p)
{
    return (struct h3_plane){3 * p.a - p.b, p.a + 2 * p.b};
}

static inline struct h3_plane h3_plane_right(struct h3_plane p)
{
    return (struct h3_plane){2 * p.a + p.b, 3 * p.b - p.a};
}

/* The place of a cell of this resolution, in units of the next coarser or finer one. */
static inline struct h3_plane h3_plane_coarser(struct h3_plane p, int resolution)
{
    p = resolution % 2 == 1 ? h3_plane_left(p) : h3_plane_right(p);
    return (struct h3_plane){p.a / 7, p.b / 7};
}

static inline struct h3_plane h3_plane_finer(struct h3_plane p, int resolution)
{
    return resolution % 2 == 0 ? h3_plane_right(p) : h3_plane_left(p);
}

#endif
