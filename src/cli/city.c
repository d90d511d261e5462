/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/city.h"

#include <math.h>

#include "base/assertion.h"

#define MM_PER_KM 1000000
#define DETOUR_PERCENT 130  /* the distance by street, in percent of the straight line */
#define AT_SPOTS_PERCENT 70 /* share of places that are at a hot spot */

/* The south-west corner, and the length of a degree there. The town is small enough to treat the earth as flat. */
#define SOUTH_E7 524000000
#define WEST_E7 132000000
#define DEGREE_LAT_MM 111195080
#define DEGREE_LNG_MM 67845000

uint32_t city_roll(struct city *city, uint32_t sides)
{
    ASSERT(sides > 0);
    uint64_t z = city->random += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (uint32_t)(((z ^ (z >> 31)) >> 32) * sides >> 32);
}

static int64_t between(struct city *city, int64_t from_mm, int64_t to_mm)
{
    ASSERT(from_mm <= to_mm && to_mm - from_mm < INT32_MAX);
    return from_mm + city_roll(city, (uint32_t)(to_mm - from_mm) + 1);
}

void city_init(struct city *city, uint64_t seed, uint32_t side_km)
{
    *city = (struct city){.random = seed, .side_mm = (int64_t)side_km * MM_PER_KM};
    city->spread_mm = city->side_mm / 8;
    int64_t edge_mm = city->side_mm / 8; /* keeps the spots away from the edge */
    for (int i = 0; i < CITY_SPOTS; i++) {
        city->spots[i].x_mm = between(city, edge_mm, city->side_mm - edge_mm);
        city->spots[i].y_mm = between(city, edge_mm, city->side_mm - edge_mm);
    }
}

struct city_point city_anywhere(struct city *city)
{
    int64_t x_mm = between(city, 0, city->side_mm);
    return (struct city_point){x_mm, between(city, 0, city->side_mm)};
}

/* The sum of three dice: most lie in the middle. */
static int64_t near_to(struct city *city, int64_t at_mm)
{
    for (int i = 0; i < 3; i++)
        at_mm += between(city, -city->spread_mm / 3, city->spread_mm / 3);
    return at_mm < 0 ? 0 : at_mm > city->side_mm ? city->side_mm : at_mm;
}

struct city_point city_place(struct city *city)
{
    if (city_roll(city, 100) >= AT_SPOTS_PERCENT)
        return city_anywhere(city);
    /* The smaller of two rolls, so that the first spots attract more trips than the last. */
    uint32_t a = city_roll(city, CITY_SPOTS), b = city_roll(city, CITY_SPOTS);
    const struct city_point *spot = &city->spots[a < b ? a : b];
    int64_t x_mm = near_to(city, spot->x_mm);
    return (struct city_point){x_mm, near_to(city, spot->y_mm)};
}

struct geo_point city_geo(struct city_point p)
{
    return (struct geo_point){SOUTH_E7 + (int32_t)(p.y_mm * 10000000 / DEGREE_LAT_MM),
                              WEST_E7 + (int32_t)(p.x_mm * 10000000 / DEGREE_LNG_MM)};
}

struct city_point city_from_geo(struct geo_point p)
{
    return (struct city_point){((int64_t)p.lng_e7 - WEST_E7) * DEGREE_LNG_MM / 10000000,
                               ((int64_t)p.lat_e7 - SOUTH_E7) * DEGREE_LAT_MM / 10000000};
}

struct journey journey_make(struct city_point from, struct city_point to, int64_t now_ms, uint32_t speed_kmh)
{
    int64_t x_mm = to.x_mm - from.x_mm, y_mm = to.y_mm - from.y_mm;
    /* Exact: a square root is rounded the same way everywhere. */
    int64_t way_mm = (int64_t)sqrt((double)(x_mm * x_mm + y_mm * y_mm)) * DETOUR_PERCENT / 100;
    ASSERT(speed_kmh > 0);
    /* A kilometre an hour is 1 mm in 3.6 ms. */
    return (struct journey){from, to, now_ms, now_ms + way_mm * 18 / (5 * (int64_t)speed_kmh)};
}

struct city_point journey_at(const struct journey *j, int64_t now_ms)
{
    if (now_ms >= j->ends_ms)
        return j->to;
    int64_t past_ms = now_ms > j->begins_ms ? now_ms - j->begins_ms : 0, all_ms = j->ends_ms - j->begins_ms;
    return (struct city_point){j->from.x_mm + (j->to.x_mm - j->from.x_mm) * past_ms / all_ms,
                               j->from.y_mm + (j->to.y_mm - j->from.y_mm) * past_ms / all_ms};
}
