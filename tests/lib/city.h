/* SPDX-License-Identifier: Apache-2.0 */
/* city.h — a fleet, F, with many drivers, for tests that call core directly. Anything unexpected fails the test. */
#ifndef CITY_H
#define CITY_H

#include "core/state.h"

struct city {
    struct state *st;
    struct buf changes;
    struct outcome out;
    int64_t now_ms;
};

/* Only the distance counts, until city_set changes that. */
void city_open(struct city *c, uint32_t max_rings);
void city_close(struct city *c);
void city_set(struct city *c, uint32_t max_rings, struct fleet_weights weights);
enum outcome_code city_apply(struct city *c, const struct command *command);
const struct fleet *city_fleet(const struct city *c);
void city_check(const struct city *c); /* by state_check */

#define CITY_NAME_SIZE 20
void city_name(char id[CITY_NAME_SIZE], uint32_t i); /* of a driver */
uint64_t city_cell(struct geo_point p);
/* Driver i is here, and available. */
void city_driver(struct city *c, uint32_t i, struct geo_point p);
/* The driver is here, and not available. */
void city_leave(struct city *c, struct text id, struct geo_point p);
/* Ann requests a ride; its id is {7, number}. */
void city_request(struct city *c, uint64_t number, struct geo_point p);

#endif
