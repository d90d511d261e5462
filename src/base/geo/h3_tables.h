/* SPDX-License-Identifier: Apache-2.0 */
/* h3_tables.h — the icosahedron under the grid of h3.h, in numbers: made by h3_tables.py, which explains how they
 * follow from the icosahedron's position.
 *
 * A place in the plane of a face is a + b*w, where w is the unit 120 degrees from 1. The centres of cells are
 * those with integers. So a turn by sixths, and the step from one resolution to the next, which is a
 * multiplication by 2 - w (to an odd resolution) or 3 + w (to an even one), are exact. The face's vertices are at 2,
 * 2w and 2w*w in units of resolution 0.
 *
 * Directions are counted in sixths of a turn, counterclockwise from the unit 1; turns too. Digits are the other name
 * of directions: H3_DIGITS.
 */
#ifndef BASE_H3_TABLES_H
#define BASE_H3_TABLES_H

#include <stdint.h>

#include "base/geo/h3.h"

#define H3_FACE_COUNT 20
#define H3_BASE_COUNT 122
#define H3_PLACE_COUNT 25 /* a and b from -2 to 2 */
#define H3_PLACES_MAX 5

/* By the axes of a face, which point to its vertices. A pentagon has no direction K: its JK and IK are neighbours. */
enum {
    H3_DIGIT_CENTRE,
    H3_DIGIT_K,
    H3_DIGIT_J,
    H3_DIGIT_JK,
    H3_DIGIT_I,
    H3_DIGIT_IK,
    H3_DIGIT_IJ,
    H3_DIGIT_NONE
};

struct h3_plane {
    int64_t a, b;
};

/* A point p of the sphere has a = p.to_a / p.centre, b = p.to_b / p.centre; a place is centre + a * by_a + b * by_b,
 * not yet of length 1. At resolution 0. */
struct h3_face {
    double centre[3], to_a[3], to_b[3], by_a[3], by_b[3];
};

/* The face beyond an edge, and the turn from a direction here to the same one there. */
struct h3_crossing {
    uint8_t face, turn;
};

/* A base cell as it is seen from somewhere, and the turn from a direction there to the same one in the cell's own. */
struct h3_seen {
    uint8_t base, turn;
};

/* A face that has part of a base cell, the cell's centre on it, and the turn as above. */
struct h3_place {
    uint8_t face;
    int8_t a, b;
    uint8_t turn;
};

struct h3_base {
    uint8_t is_pentagon, place_count;
    struct h3_place places[H3_PLACES_MAX]; /* home first */
};

/* A digit plus a unit is `digit`, and `carry` units of the next coarser resolution. */
struct h3_sum {
    uint8_t digit, carry;
};

/* The digits of two resolutions, an even one and the odd one above it, and the place in units of the next coarser
 * resolution, without the whole sevenths of a and b. */
struct h3_pair {
    uint8_t digits; /* the coarser one in the higher bits */
    int8_t a, b;
};

extern const struct h3_face H3_FACES[H3_FACE_COUNT];
extern const double H3_CENTRES[3][H3_FACE_COUNT];                   /* of faces, the same values by axis */
extern const struct h3_crossing H3_CROSSINGS[H3_FACE_COUNT][3];     /* edges in direction 1, 3, 5 */
extern const struct h3_seen H3_SEEN[H3_FACE_COUNT][H3_PLACE_COUNT]; /* at (a + 2) * 5 + b + 2; 127: nothing */
extern const struct h3_base H3_BASES[H3_BASE_COUNT];
extern const struct h3_seen H3_BASE_NEIGHBOURS[H3_BASE_COUNT][7]; /* by digit */
extern const struct h3_sum H3_SUMS[2][7][7];                      /* at even, odd resolutions; digit; unit */
extern const uint8_t H3_RESIDUES[7];        /* at odd resolutions: the digit by (a + 2b) % 7 */
extern const struct h3_pair H3_PAIRS[7][7]; /* by a mod 7 and b mod 7 */
extern const uint8_t H3_TURNED[6][8];       /* by turn: a digit turned */
extern const uint8_t H3_DIGITS[6];          /* by direction */
extern const struct h3_plane H3_UNITS[7];   /* by digit */

#endif
