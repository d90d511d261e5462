/* SPDX-License-Identifier: Apache-2.0 */
#include "core/dispatch/eta.h"

#include "base/assertion.h"

/* Numbers are in units of 2^-60; products of two are in 2^-120, and fit 128 bits because none is over 2. */
typedef __int128 wide;
#define ONE ((int64_t)1 << 60)
#define HALF_PI 1811004864519280711LL
#define HALF_DEGREE_E7 2160612962779783726LL /* π / 3.6e9 in 2^-91: half of 1e-7 degrees */
#define RADIUS_MM 6371008800LL

/* 1 / (2n + 1)!, and C(2n, n) / (4^n (2n + 1)): sin and asin as sums of odd powers. The first term left out is less
 * than 2^-60 for angles up to a right one, and for sines up to a half. */
static const int64_t sine_terms[] = {
    1152921504606846976,
    192153584101141163,
    9607679205057058,
    228754266787073,
    3177142594265,
    28883114493,
    185148170,
    881658,
    3241,
    9,
};
static const int64_t arc_terms[] = {
    1152921504606846976, 192153584101141163, 86469112845513523, 51469710027091383, 35027997101770524,
    25793343320394659,   20006375267742011,  16100368667849523, 13318319670096113, 11254369545782973,
    9673398585780126,    8430768332666079,   7433127413300593,  6617812867967052,  5941361552645297,
    5372779640617951,    4889432987342662,   4474447498500974,  4115013652900670,  3801250803522954,
    3525428336681959,    3281420284586032,   3064316215252309,  2870138915765923,  2695636422162808,
    2538126686122707,    2395380083673861,   2265529513481439,
};
#define COUNT(a) ((int)(sizeof(a) / sizeof(*(a))))
/* Within a town, squares under 2^-20, the terms after these are less than 2^-60, too. */
#define SHORT (ONE >> 20)
#define SHORT_COUNT 4

static int64_t times(int64_t a, int64_t b)
{
    return (int64_t)(((wide)a * b) >> 60);
}

/* From 0 to a right angle. */
static int64_t sine(int64_t x)
{
    ASSERT(x >= 0 && x <= HALF_PI + 1);
    int64_t square = (int64_t)(((wide)x * x) >> 60), sum = 0;
    for (int n = (square < SHORT ? SHORT_COUNT : COUNT(sine_terms)) - 1; n >= 0; n--)
        sum = sine_terms[n] - times(sum, square);
    int64_t s = times(sum, x);
    return s < 0 ? 0 : s > ONE ? ONE : s;
}

/* The greatest whole number whose square is not over n. */
static int64_t root(wide n)
{
    ASSERT(n >= 0);
    if (n == 0)
        return 0;
    int zeros =
        (uint64_t)(n >> 64) ? __builtin_clzll((uint64_t)(n >> 64)) : 64 + __builtin_clzll((uint64_t)n);
    int half = zeros < 66 ? (67 - zeros) / 2 : 0; /* the rest has 62 bits at most, and a root of 31 */
    uint64_t top = (uint64_t)(n >> (2 * half)), first = 0;
    for (uint64_t bit = (uint64_t)1 << 30; bit; bit >>= 1)
        if ((first | bit) * (first | bit) <= top)
            first |= bit;
    /* From above it only falls, by Newton, until it is there. */
    wide r = (wide)(first + 1) << half;
    for (wide next = n / r; next < r; next = n / r)
        r = (r + next) >> 1;
    ASSERT(r * r <= n && (r + 1) * (r + 1) > n);
    return (int64_t)r;
}

/* Of a sine from 0 to 1. */
static int64_t arc(int64_t s)
{
    ASSERT(s >= 0 && s <= ONE);
    if (s > ONE / 2) /* asin s = π/2 − 2 asin √((1 − s) / 2) */
        return HALF_PI - 2 * arc(root((wide)((ONE - s) / 2) << 60));
    int64_t square = times(s, s), sum = 0;
    for (int n = (square < SHORT ? SHORT_COUNT : COUNT(arc_terms)) - 1; n >= 0; n--)
        sum = arc_terms[n] + times(sum, square);
    return times(sum, s);
}

/* Half of so many 1e-7 degrees, as an angle. */
static int64_t half_angle(int64_t e7)
{
    return (int64_t)(((wide)e7 * HALF_DEGREE_E7) >> 31);
}

static int64_t cosine_of_latitude(int64_t lat_e7)
{
    return sine(half_angle(2 * (900000000 - (lat_e7 < 0 ? -lat_e7 : lat_e7))));
}

int64_t eta_distance_mm(struct geo_point a, struct geo_point b)
{
    ASSERT(geo_point_sound(a) && geo_point_sound(b));
    int64_t lat = (int64_t)a.lat_e7 - b.lat_e7, lng = (int64_t)a.lng_e7 - b.lng_e7;
    lat = lat < 0 ? -lat : lat;
    lng = lng < 0 ? -lng : lng;
    if (lng > 1800000000) /* the other way round is shorter */
        lng = 3600000000 - lng;
    /* sin² of half the arc = sin²(lat / 2) + cos · cos · sin²(lng / 2). Short ones are made long first, and their root
     * short again: squares would lose them. */
    int64_t north = sine(half_angle(lat)), east = sine(half_angle(lng));
    wide both = (wide)cosine_of_latitude(a.lat_e7) * cosine_of_latitude(b.lat_e7);
    int64_t width = (int64_t)(both >> 60);
    if (width < (int64_t)1 << 40) { /* at the poles: there the product would be lost as well */
        east = times(east, root(both));
        width = ONE;
    }
    if (!(north | east))
        return 0;
    int shift = __builtin_clzll((uint64_t)(north | east)) - 3;
    shift = shift < 0 ? 0 : shift;
    north <<= shift;
    east <<= shift;
    int64_t half = root((wide)north * north + (wide)times(east, east) * width) >> shift;
    int64_t angle = arc(half > ONE ? ONE : half);
    return (int64_t)(((wide)angle * (2 * RADIUS_MM) + ONE / 2) >> 60);
}

int64_t eta_ms(struct geo_point a, struct geo_point b, uint32_t speed_kmh)
{
    ASSERT(speed_kmh >= 1 && speed_kmh <= SPEED_KMH_MAX);
    /* A kilometre an hour is a millimetre in 3.6 ms. */
    return (eta_distance_mm(a, b) * 36 + 5 * (int64_t)speed_kmh) / (10 * (int64_t)speed_kmh);
}
