/* SPDX-License-Identifier: Apache-2.0 */
#include "town.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/geo/h3.h"
#include "base/memory/memory.h"

#define SOUTH_E7 400000000
#define WEST_E7 (-50000000)
#define DRIVER_KM2 0.0263 /* a quarter of a cell of resolution 9 */
#define KM_LAT_E7 89932.0 /* a kilometre */
#define KM_LNG_E7 120000.0

static uint64_t next_random(struct town *t)
{
    uint64_t z = t->random += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static double share(struct town *t)
{
    return (double)(next_random(t) >> 11) / 9007199254740992.0;
}

struct geo_point town_anywhere(struct town *t)
{
    double side_km = sqrt(t->drivers * DRIVER_KM2);
    double lat = share(t), lng = share(t);
    return (struct geo_point){SOUTH_E7 + (int32_t)(lat * side_km * KM_LAT_E7),
                              WEST_E7 + (int32_t)(lng * side_km * KM_LNG_E7)};
}

void town_make(struct town *t, uint32_t drivers)
{
    *t = (struct town){.drivers = drivers, .random = 7, .points = memory_zeroed(drivers, sizeof(*t->points))};
    for (uint32_t i = 0; i < drivers; i++)
        t->points[i] = town_anywhere(t);
}

void town_release(struct town *t)
{
    free(t->points);
}

void town_move(struct town *t)
{
    for (uint32_t i = 0; i < t->drivers; i++) {
        uint64_t r = next_random(t);
        int32_t step = r & 1 ? TOWN_STEP_E7 : -TOWN_STEP_E7;
        if (r & 2)
            t->points[i].lat_e7 += step;
        else
            t->points[i].lng_e7 += step;
    }
}

uint64_t town_cell(struct geo_point p)
{
    return h3_from_point((struct h3_point){p.lat_e7 / 1e7, p.lng_e7 / 1e7}, TOWN_RESOLUTION);
}

void town_id(uint32_t driver, char id[TOWN_ID_SIZE + 1])
{
    snprintf(id, TOWN_ID_SIZE + 1, "driver-%08u", driver % 100000000);
}

double town_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

double town_worked_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}
