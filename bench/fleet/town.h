/* SPDX-License-Identifier: Apache-2.0 */
/* town.h — drivers on a square of even density, and where each is in a round: the same for Holdfast and for Redis. */
#ifndef BENCH_TOWN_H
#define BENCH_TOWN_H

#include <stdint.h>

#include "core/dispatch/dispatch_image.h"

#define TOWN_RESOLUTION 9
#define TOWN_STEP_E7 3000 /* a driver moves this far each round: about 33 m, in 4 s at 30 km/h */

struct town {
    uint32_t drivers;
    uint64_t random;
    struct geo_point *points; /* of each driver */
};

/* About four drivers in each cell, whatever their number. */
void town_make(struct town *t, uint32_t drivers);
void town_release(struct town *t);
struct geo_point town_anywhere(struct town *t);
/* Moves every driver a little. */
void town_move(struct town *t);
uint64_t town_cell(struct geo_point p);
/* "driver-00000017", 15 bytes. */
#define TOWN_ID_SIZE 15
void town_id(uint32_t driver, char id[TOWN_ID_SIZE + 1]);
double town_seconds(void);        /* of a monotonic clock */
double town_worked_seconds(void); /* processor time of this thread */

#endif
