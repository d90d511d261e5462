/* SPDX-License-Identifier: Apache-2.0 */
/* demo_actors.h — whom a visitor of `holdfast demo` plays in a fleet: POST /demo/actors {fleet?}.
 *
 * Answers tokens for a rider of the visitor's own, fresh with each call, and for those of DEMO_ACTOR_DRIVERS who are
 * drivers of the fleet: the demo drives its other drivers itself (cli/demo_fleet.h). They are user tokens like any
 * other. Under `serve` there is nothing at this path (routes.h).
 */
#ifndef HTTP_DEMO_ACTORS_H
#define HTTP_DEMO_ACTORS_H

#define DEMO_ACTOR_DRIVERS                                                                                   \
    {                                                                                                        \
        "dora", "emil"                                                                                       \
    }
#define DEMO_ACTOR_DRIVER_COUNT 2

#endif
