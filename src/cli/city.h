/* SPDX-License-Identifier: Apache-2.0 */
/* city.h — a town to simulate a fleet in: where people want to go, and how cars move.
 *
 * A square on a plane, in millimetres from its south-west corner. A few hot spots, drawn from the seed, attract most
 * trips; the others begin and end anywhere. Cars drive straight, at a speed that allows for the detours of streets.
 * Everything but the cell of a point is computed in integers, so the same seed gives the same town everywhere.
 */
#ifndef CLI_CITY_H
#define CLI_CITY_H

#include "core/dispatch/dispatch_image.h"

#define CITY_SPOTS 6

struct city_point {
    int64_t x_mm, y_mm;
};

struct city {
    uint64_t random; /* the only source of randomness */
    int64_t side_mm;
    int64_t spread_mm; /* the greatest distance of a trip's end from its hot spot, on each axis */
    struct city_point spots[CITY_SPOTS];
};

/* A car driving, or waiting: then both points are the same. */
struct journey {
    struct city_point from, to;
    int64_t begins_ms, ends_ms;
};

void city_init(struct city *city, uint64_t seed, uint32_t side_km);
/* 0 to sides - 1, at least one side. */
uint32_t city_roll(struct city *city, uint32_t sides);
struct city_point city_anywhere(struct city *city);
/* Where a trip begins or ends: at a hot spot, mostly. */
struct city_point city_place(struct city *city);
struct geo_point city_geo(struct city_point p);
struct city_point city_from_geo(struct geo_point p); /* it may lie outside */

struct journey journey_make(struct city_point from, struct city_point to, int64_t now_ms, uint32_t speed_kmh);
struct city_point journey_at(const struct journey *j, int64_t now_ms);

#endif
