/* SPDX-License-Identifier: Apache-2.0 */
/* eta.h — the distance of two points on a sphere, and how long it takes to drive. Integers only, so that every machine
 * and every build gives the same result: fixed point with 60 binary digits.
 *
 * Accurate to 1 mm plus 2e-9 of the distance on that sphere (tests/unit/core_eta.c). The sphere has the earth's mean
 * radius, 6,371,008.8 m.
 */
#ifndef CORE_ETA_H
#define CORE_ETA_H

#include "core/dispatch/dispatch_image.h"

int64_t eta_distance_mm(struct geo_point a, struct geo_point b);
/* At this speed, at least 1 km/h, rounded to the nearest millisecond. */
int64_t eta_ms(struct geo_point a, struct geo_point b, uint32_t speed_kmh);

/* For searches, which want the nearest of many: the starting point, with what depends on it alone computed once. */
struct eta_origin {
    struct geo_point point;
    int64_t cosine, sine; /* of its latitude */
};
struct eta_origin eta_origin(struct geo_point point);
int64_t eta_from_ms(const struct eta_origin *from, struct geo_point to, uint32_t speed_kmh); /* as eta_ms */
/* The distance that can be driven in a given time, and whether a point is further away than that. `true` is certain,
 * `false` says nothing; the test takes a third of the time of a distance. */
struct eta_reach {
    /* Squared, on a plane, which is slightly too short; negative: anything could be within reach. */
    int64_t square_e14;
};
struct eta_reach eta_reach(int64_t mm);
int64_t eta_reach_mm(int64_t ms, uint32_t speed_kmh);
bool eta_beyond(const struct eta_origin *from, struct geo_point to, struct eta_reach reach);

#endif
