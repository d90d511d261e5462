/* SPDX-License-Identifier: Apache-2.0 */
#include "core/dispatch/eta.h"

#include "base/assertion.h"

/* Numbers are in units of 2^-60; products of two are in 2^-120 and fit 128 bits because no factor exceeds 2. */
typedef __int128 wide;
#define ONE ((int64_t)1 << 60)
#define HALF_PI 1811004864519280711LL
#define HALF_DEGREE_E7 2160612962779783726LL /* π / 3.6e9 in 2^-91: half of 1e-7 degrees */
#define DEGREE_E7 2012227627LL               /* 1e-7 degrees in 2^-60 */
#define RADIUS_MM 6371008800LL
#define SHORT_E7 500000            /* 5 km: below 2^19 */
#define SHORT_COSINE_MIN (ONE / 6) /* up to 80 degrees */
#define E7_MM 2984870207u          /* 1e-7 degrees of a great circle, in 2^-28 */
#define TWELFTH_SQUARE 19180       /* of 1e-7 degrees, an angle: in 2^-76 */
#define NEAR_E7 1000000            /* a tenth of a degree: up to here the earth is flat to 2e-7 */
#define NEAR_MM 20000000

/* 1 / (2n + 1)!, and C(2n, n) / (4^n (2n + 1)): sin and asin as sums of odd powers. The first omitted term is less than
 * 2^-60 for angles up to a right angle, and for sines up to a half. */
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
/* Within a town, squares under 2^-20, the terms after these are less than 2^-60 too. */
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

/* The root of a number from 2^62 on, to within one: (u - 1)^2 < n < (u + 1)^2. Each line doubles the correct bits. */
static uint64_t root_near(uint64_t n)
{
    ASSERT(n >> 62);
    uint32_t u = 1 + (uint32_t)(n >> 62);
    u = (u << 1) + (uint32_t)(n >> 59) / u;
    u = (u << 3) + (uint32_t)(n >> 53) / u;
    u = (u << 7) + (uint32_t)(n >> 41) / u;
    return ((uint64_t)u << 15) + (n >> 17) / u;
}

/* The largest integer whose square is at most n. */
static int64_t root(wide n)
{
    ASSERT(n >= 0 && n < (wide)1 << 126);
    if (n == 0)
        return 0;
    uint64_t high = (uint64_t)(n >> 64);
    int zeros = high ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)n);
    int half = (zeros - 2) / 2; /* the bits by which the root is extended, and twice that for the number */
    unsigned __int128 wanted = (unsigned __int128)n << (2 * half);
    uint64_t u = root_near((uint64_t)(wanted >> 62));
    uint64_t r = (u << 30) + (uint64_t)((wanted >> 32) / u);
    r -= (unsigned __int128)r * r > wanted;
    r >>= half;
    ASSERT((wide)r * (wide)r <= n && (wide)(r + 1) * (wide)(r + 1) > n);
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

/* Half of this many 1e-7 degrees, as an angle. */
static int64_t half_angle(int64_t e7)
{
    return (int64_t)(((wide)e7 * HALF_DEGREE_E7) >> 31);
}

static int64_t sine_of_latitude(int64_t lat_e7)
{
    int64_t s = sine(half_angle(2 * (lat_e7 < 0 ? -lat_e7 : lat_e7)));
    return lat_e7 < 0 ? -s : s;
}

static int64_t cosine_of_latitude(int64_t lat_e7)
{
    return sine(half_angle(2 * (900000000 - (lat_e7 < 0 ? -lat_e7 : lat_e7))));
}

struct eta_origin eta_origin(struct geo_point point)
{
    ASSERT(geo_point_valid(point));
    return (struct eta_origin){point, cosine_of_latitude(point.lat_e7), sine_of_latitude(point.lat_e7)};
}

/* The distance in each direction, neither below 0. */
struct apart {
    int64_t lat_e7, lng_e7;
};

static struct apart apart(struct geo_point a, struct geo_point b)
{
    int64_t lat = (int64_t)a.lat_e7 - b.lat_e7, lng = (int64_t)a.lng_e7 - b.lng_e7;
    lat = lat < 0 ? -lat : lat;
    lng = lng < 0 ? -lng : lng;
    return (struct apart){lat, lng > 1800000000 ? 3600000000 - lng : lng}; /* the shorter way round */
}

static int64_t exact_mm(const struct eta_origin *from, struct geo_point to, struct apart by)
{
    /* sin² of half the arc = sin²(lat / 2) + cos · cos · sin²(lng / 2). Small values are scaled up first, and the root
     * scaled back: their squares would be lost. */
    int64_t north = sine(half_angle(by.lat_e7)), east = sine(half_angle(by.lng_e7));
    wide both = (wide)from->cosine * cosine_of_latitude(to.lat_e7);
    int64_t width = (int64_t)(both >> 60);
    if (width < (int64_t)1 << 40) { /* at the poles, where the product would be lost as well */
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

/* Within a town: the same millimetre in a sixth of the time; -1: too close to a rounding boundary, or too far, so use
 * exact_mm.
 *
 * With n and m for the differences of latitude and longitude, and w for the product of both cosines, the square of the
 * arc is
 *
 *   n² + w m² + w m² (2 n² − (1 − w) m²) / 12 + terms of the sixth order
 *
 * and the second cosine is cosine − sine δ − cosine δ² / 2 + terms of the third. The omitted terms and the error of the
 * 32-bit root are together less than 2^-29 of the distance: half of the error margin `doubt`. */
static int64_t short_mm(const struct eta_origin *from, struct geo_point to, struct apart by)
{
    if (by.lat_e7 > SHORT_E7 || by.lng_e7 > SHORT_E7 || from->cosine < SHORT_COSINE_MIN)
        return -1;
    if (!(by.lat_e7 | by.lng_e7))
        return 0;
    int64_t delta = ((int64_t)to.lat_e7 - from->point.lat_e7) * DEGREE_E7;
    int64_t cosine =
        from->cosine - times(from->sine, delta) - (times(from->cosine, times(delta, delta)) >> 1);
    int64_t width = times(from->cosine, cosine);
    int64_t n2 = by.lat_e7 * by.lat_e7, m2 = by.lng_e7 * by.lng_e7; /* below 2^38 */
    int64_t wide_24 = times(m2 << 24, width),
            fourth = (wide_24 >> 34) * ((2 * n2 - m2 + (wide_24 >> 24)) >> 10);
    uint64_t square = (uint64_t)((n2 << 24) + wide_24 + ((fourth >> 14) * TWELFTH_SQUARE >> 18));
    int half = __builtin_clzll(square) / 2;                /* as in root() */
    uint64_t mm = root_near(square << (2 * half)) * E7_MM; /* in 2^-bits */
    int bits = 12 + half + 28;
    uint64_t doubt = (mm >> 28) + ((uint64_t)1 << (bits - 10)), middle = (uint64_t)1 << (bits - 1);
    uint64_t least = (mm - doubt + middle) >> bits, most = (mm + doubt + middle) >> bits;
    return least == most ? (int64_t)least : -1;
}

static int64_t distance_mm(const struct eta_origin *from, struct geo_point to)
{
    ASSERT(geo_point_valid(to));
    struct apart by = apart(from->point, to);
    int64_t mm = short_mm(from, to, by);
    return mm >= 0 ? mm : exact_mm(from, to, by);
}

int64_t eta_distance_mm(struct geo_point a, struct geo_point b)
{
    struct eta_origin from = eta_origin(a);
    return distance_mm(&from, b);
}

struct eta_reach eta_reach(int64_t mm)
{
    ASSERT(mm >= 0);
    /* The square of 1e-7 degrees is 123.643 mm²: the rest of it exceeds the error of the plane within NEAR_E7, and two
     * millimetres exceed the rounding of a distance. */
    return (struct eta_reach){mm > NEAR_MM ? -1 : (mm + 2) * (mm + 2) * 10 / 1236};
}

bool eta_beyond(const struct eta_origin *from, struct geo_point to, struct eta_reach reach)
{
    struct apart by = apart(from->point, to);
    if (by.lat_e7 > NEAR_E7 || by.lng_e7 > NEAR_E7 || reach.square_e14 < 0)
        return false;
    /* On a plane, with the lesser of both cosines or less: a cosine falls by no more than the latitude changes, and
     * 1e-7 degrees are less than 2^-29. In 2^-20; every rounding is down. */
    int64_t here = from->cosine >> 40, least = here - (by.lat_e7 >> 9) - 1;
    int64_t width = least > 0 ? here * least >> 20 : 0;
    int64_t square_e14 = by.lat_e7 * by.lat_e7 + (by.lng_e7 * by.lng_e7 * width >> 20);
    return square_e14 > reach.square_e14;
}

int64_t eta_from_ms(const struct eta_origin *from, struct geo_point to, uint32_t speed_kmh)
{
    ASSERT(speed_kmh >= 1 && speed_kmh <= SPEED_KMH_MAX);
    /* A kilometre per hour is a millimetre in 3.6 ms. */
    return (distance_mm(from, to) * 36 + 5 * (int64_t)speed_kmh) / (10 * (int64_t)speed_kmh);
}

int64_t eta_ms(struct geo_point a, struct geo_point b, uint32_t speed_kmh)
{
    struct eta_origin from = eta_origin(a);
    return eta_from_ms(&from, b, speed_kmh);
}

int64_t eta_reach_mm(int64_t ms, uint32_t speed_kmh)
{
    ASSERT(speed_kmh >= 1 && speed_kmh <= SPEED_KMH_MAX && ms >= 0);
    int64_t most_ms = INT64_MAX / (20 * SPEED_KMH_MAX);
    return ms > most_ms ? INT64_MAX : (ms + 1) * 10 * (int64_t)speed_kmh / 36 + 1;
}
