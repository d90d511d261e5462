/* SPDX-License-Identifier: Apache-2.0 */
/* demo_actors.h — the rider and drivers that a visitor of `holdfast demo` plays: POST /demo/actors {fleet?}.
 *
 * Returns a token for a new rider, and one for each of DEMO_ACTOR_DRIVERS that is a driver of the fleet; the demo
 * drives the other drivers itself (cli/demo_fleet.h). They are ordinary user tokens. Under `serve` the path does not
 * exist (routes.h).
 */
#ifndef HTTP_DEMO_ACTORS_H
#define HTTP_DEMO_ACTORS_H

#define DEMO_ACTOR_DRIVERS                                                                                   \
    {                                                                                                        \
        "dora", "emil"                                                                                       \
    }
#define DEMO_ACTOR_DRIVER_COUNT 2

#endif
