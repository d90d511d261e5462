/* SPDX-License-Identifier: Apache-2.0 */
#include "base/geo/h3.h"

#include <math.h>

#include "base/assertion.h"
#include "base/geo/h3_cell.h"
#include "base/geo/h3_locate.h"

#define RADIANS_PER_DEGREE (M_PI / 180)

/* How many units of a resolution one of resolution 0 has, apart from the turn of odd ones. */
static const double UNITS_PER_BASE[H3_RESOLUTION_MAX + 1] = {
    1, 1, 7, 7, 49, 49, 343, 343, 2401, 2401, 16807, 16807, 117649, 117649, 823543, 823543,
};

int h3_resolution(h3_cell cell)
{
    return (int)(cell >> H3_RESOLUTION_SHIFT & 15);
}

bool h3_is_valid(h3_cell cell)
{
    int resolution = h3_resolution(cell), base = h3_base(cell);
    if (cell >> 56 != 1 << (H3_MODE_SHIFT - 56) || base >= H3_BASE_COUNT)
        return false;
    /* Digits after its own resolution are 7, and no others. */
    h3_cell none = cell & cell >> 1 & cell >> 2 & H3_DIGITS_LOW;
    if (none != (H3_DIGITS_LOW & (((h3_cell)1 << h3_digit_shift(resolution)) - 1)))
        return false;
    return !H3_BASES[base].is_pentagon || resolution == 0 || h3_lead(cell, resolution) != H3_DIGIT_K;
}

bool h3_is_pentagon(h3_cell cell)
{
    int resolution = h3_resolution(cell);
    return H3_BASES[h3_base(cell)].is_pentagon &&
           (resolution == 0 || h3_lead(cell, resolution) == H3_DIGIT_CENTRE);
}

static double product(const double p[3], const double q[3])
{
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

/* The face whose centre is nearest, and the product that says so. Of equal ones the first. */
static int nearest_face(const double p[3], double *nearness)
{
    double products[H3_FACE_COUNT], most[4] = {-1, -1, -1, -1};
    int face = 0;
    for (int f = 0; f < H3_FACE_COUNT; f++)
        products[f] = p[0] * H3_CENTRES[0][f] + p[1] * H3_CENTRES[1][f] + p[2] * H3_CENTRES[2][f];
    for (int f = 0; f < H3_FACE_COUNT; f += 4) /* four at a time: none waits for the one before */
        for (int i = 0; i < 4; i++)
            most[i] = products[f + i] > most[i] ? products[f + i] : most[i];
    most[0] = most[1] > most[0] ? most[1] : most[0];
    most[2] = most[3] > most[2] ? most[3] : most[2];
    *nearness = most[2] > most[0] ? most[2] : most[0];
    while (face < H3_FACE_COUNT - 1 && products[face] != *nearness)
        face++;
    ASSERT(products[face] == *nearness); /* NaN is equal to nothing */
    return face;
}

/* An instruction or two; round() would be a call. */
static double nearest_integer(double x)
{
    return (double)(int64_t)(x + copysign(0.5, x));
}

/* The integers nearest to a place: those of the hexagon it lies in. Of three numbers that add up to zero, the one
 * that was rounded most follows from the others. Branch-free, because the processor cannot predict which one it is. */
static struct h3_plane nearest_centre(double a, double b)
{
    double c = b - a;
    double near_a = nearest_integer(a), near_b = nearest_integer(b), near_c = nearest_integer(c);
    double off_a = fabs(near_a - a), off_b = fabs(near_b - b), off_c = fabs(near_c - c);
    int64_t worst_a = (off_a > off_b) & (off_a > off_c), worst_b = !worst_a & (off_b > off_c);
    int64_t excess = (int64_t)near_a - (int64_t)near_b + (int64_t)near_c; /* how far the sum is from zero */
    return (struct h3_plane){(int64_t)near_a - worst_a * excess, (int64_t)near_b + worst_b * excess};
}

static int residue_of_odd(struct h3_plane p)
{
    int64_t sum = (p.a + 2 * p.b) % 7;
    return (int)(sum < 0 ? sum + 7 : sum);
}

/* A seventh of 2^32, rounded up: too large by a factor below 1 + 2^-30, so exact for numbers below 2^30. */
#define SEVENTH_ROUNDED_UP 613566757
#define ABOVE_ZERO 40353607u /* 7^9: lifts every place above zero and stays divisible by 7 at each step */

/* Takes the digits of a place from its finest, and leaves the place of its base cell. */
static h3_cell take_digits(struct h3_plane *place, int resolution)
{
    h3_cell cell = H3_EMPTY | (h3_cell)resolution << H3_RESOLUTION_SHIFT;
    if (resolution % 2 == 1) {
        int digit = H3_RESIDUES[residue_of_odd(*place)];
        cell = h3_with_digit(cell, resolution, digit);
        *place = h3_plane_coarser(h3_plane_sum(*place, H3_UNITS[digit], -1), resolution);
    }
    uint32_t zero = ABOVE_ZERO, a = (uint32_t)place->a + zero, b = (uint32_t)place->b + zero;
    for (int r = resolution & ~1; r > 0; r -= 2) {
        uint32_t whole_a = (uint32_t)((uint64_t)a * SEVENTH_ROUNDED_UP >> 32);
        uint32_t whole_b = (uint32_t)((uint64_t)b * SEVENTH_ROUNDED_UP >> 32);
        struct h3_pair pair = H3_PAIRS[a - 7 * whole_a][b - 7 * whole_b];
        int shift = h3_digit_shift(r);
        cell ^= (h3_cell)(pair.digits ^ 077) << shift;
        a = whole_a + (uint32_t)pair.a;
        b = whole_b + (uint32_t)pair.b;
        zero /= 7;
    }
    *place = (struct h3_plane){(int32_t)(a - zero), (int32_t)(b - zero)};
    return cell;
}

/* The cell at a place of a face that lies on that face, or so near that the face sees its base cell. */
static h3_cell cell_at(int face, struct h3_plane place, int resolution)
{
    h3_cell cell = take_digits(&place, resolution);
    ASSERT(place.a >= -2 && place.a <= 2 && place.b >= -2 && place.b <= 2);
    struct h3_seen seen = H3_SEEN[face][(place.a + 2) * 5 + place.b + 2];
    ASSERT(seen.base < H3_BASE_COUNT);
    int turn = seen.turn;
    if (H3_BASES[seen.base].is_pentagon && resolution > 0) {
        int inward = place.a == 2   ? H3_DIGIT_JK
                     : place.b == 2 ? H3_DIGIT_IK
                                    : H3_DIGIT_IJ; /* from the face's vertex */
        int lead = H3_TURNED[turn][h3_lead(cell, resolution)];
        turn = (turn + h3_gap_turn(lead, H3_TURNED[turn][inward])) % 6;
    }
    return h3_turned(h3_with_base(cell, seen.base), turn);
}

h3_cell h3_from_point(struct h3_point point, int resolution)
{
    ASSERT(resolution >= 0 && resolution <= H3_RESOLUTION_MAX);
    if (!isfinite(point.lat) || !isfinite(point.lng))
        return H3_NONE;
    double sin_lat, cos_lat, sin_lng, cos_lng;
    sincos(point.lat * RADIANS_PER_DEGREE, &sin_lat, &cos_lat);
    sincos(point.lng * RADIANS_PER_DEGREE, &sin_lng, &cos_lng);
    const double p[3] = {cos_lat * cos_lng, cos_lat * sin_lng, sin_lat};
    double nearness;
    int face = nearest_face(p, &nearness);
    double scale = UNITS_PER_BASE[resolution] / nearness;
    double a = product(p, H3_FACES[face].to_a) * scale, b = product(p, H3_FACES[face].to_b) * scale;
    struct h3_plane place = resolution % 2 == 0 ? nearest_centre(a, b) : nearest_centre(2 * a + b, 3 * b - a);
    return cell_at(face, place, resolution);
}

struct h3_point h3_to_point(h3_cell cell)
{
    struct h3_located at = h3_locate(cell);
    return h3_on_sphere(at.face, (double)at.place.a / (double)at.units,
                        (double)at.place.b / (double)at.units);
}

size_t h3_write(h3_cell cell, char text[H3_TEXT_SIZE])
{
    size_t size = 0;
    for (int shift = 60; shift >= 0; shift -= 4) {
        unsigned digit = cell >> shift & 15;
        if (digit != 0 || size > 0 || shift == 0)
            text[size++] = "0123456789abcdef"[digit];
    }
    text[size] = '\0';
    return size;
}

bool h3_read(const char *text, size_t size, h3_cell *cell)
{
    h3_cell number = 0;
    if (size == 0 || size >= H3_TEXT_SIZE)
        return false;
    for (size_t i = 0; i < size; i++) {
        char c = text[i], lower = (char)(c | 0x20);
        if (c >= '0' && c <= '9')
            number = number << 4 | (h3_cell)(c - '0');
        else if (lower >= 'a' && lower <= 'f')
            number = number << 4 | (h3_cell)(lower - 'a' + 10);
        else
            return false;
    }
    if (!h3_is_valid(number))
        return false;
    *cell = number;
    return true;
}
