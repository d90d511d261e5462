/* SPDX-License-Identifier: Apache-2.0 */
#include "city.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "core/dispatch/fleet.h"
#include "core/state_check.h"

#define BEGIN_MS 1700000000000

uint64_t city_cell(struct geo_point p)
{
    return h3_from_point((struct h3_point){p.lat_e7 / 1e7, p.lng_e7 / 1e7}, 9);
}

enum outcome_code city_apply(struct city *c, const struct command *command)
{
    buf_clear(&c->changes);
    return state_apply(c->st, command, c->now_ms, &c->changes, &c->out);
}

void city_set(struct city *c, uint32_t max_rings, struct fleet_weights weights)
{
    struct command put = {.kind = COMMAND_FLEET_PUT, .actor = {.role = ROLE_ADMIN}};
    put.fleet_put = (struct fleet_image){.id = TEXT("F"),
                                         .offer_s = 15,
                                         .resolution = 9,
                                         .max_rings = max_rings,
                                         .presence_s = 30,
                                         .search_s = 180,
                                         .speed_kmh = 30,
                                         .weights = weights,
                                         .key = {1, 2}};
    assert_int_equal(city_apply(c, &put), OUTCOME_OK);
}

void city_open(struct city *c, uint32_t max_rings)
{
    *c = (struct city){.st = state_make(), .now_ms = BEGIN_MS};
    buf_init(&c->changes, 1 << 26);
    city_set(c, max_rings, (struct fleet_weights){.eta_milli = 1000});
}

void city_close(struct city *c)
{
    state_release(c->st);
    buf_release(&c->changes);
}

static void report(void *ctx, const char *sentence)
{
    (void)ctx;
    fail_msg("%s", sentence);
}

void city_check(const struct city *c)
{
    state_check(c->st, report, NULL);
}

void city_name(char id[CITY_NAME_SIZE], uint32_t i)
{
    snprintf(id, CITY_NAME_SIZE, "driver-%08u", i);
}

static void put_driver(struct city *c, struct text id, struct geo_point p, bool available)
{
    struct command put = {.kind = COMMAND_DRIVER_PUT, .actor = {.role = ROLE_APP, .name = TEXT("app")}};
    put.driver_put.fleet = TEXT("F");
    put.driver_put.id = id;
    put.driver_put.point = p;
    put.driver_put.cell = city_cell(p);
    put.driver_put.available = available;
    assert_int_equal(city_apply(c, &put), OUTCOME_OK);
}

void city_driver(struct city *c, uint32_t i, struct geo_point p)
{
    char id[CITY_NAME_SIZE];
    city_name(id, i);
    put_driver(c, (struct text){id, strlen(id)}, p, true);
}

void city_leave(struct city *c, struct text id, struct geo_point p)
{
    put_driver(c, id, p, false);
}

void city_request(struct city *c, uint64_t number, struct geo_point p)
{
    struct command ride = {.kind = COMMAND_RIDE_NEW, .actor = {.role = ROLE_USER, .name = TEXT("ann")}};
    ride.ride.fleet = TEXT("F");
    ride.ride.id = (struct id){7, number};
    ride.ride.pickup = p;
    ride.ride.cell = city_cell(p);
    ride.ride.surge_milli = 1000;
    assert_int_equal(city_apply(c, &ride), OUTCOME_OK);
}

const struct fleet *city_fleet(const struct city *c)
{
    return state_fleet_named(c->st, TEXT("F"));
}
