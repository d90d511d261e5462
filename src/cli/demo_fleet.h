/* SPDX-License-Identifier: Apache-2.0 */
/* demo_fleet.h — drives the demo's fleet: its drivers cruise, accept an offer after a few seconds, pick up the rider,
 * drive to the destination and complete the ride. Other drivers are reserved for visitors to play
 * (http/demo/demo_actors.h), and are away until then.
 *
 * Everything is done by commands, once a second; no command does more than a client could. demo_catalogue.h creates the
 * fleet and its drivers; missing ones are skipped.
 */
#ifndef CLI_DEMO_FLEET_H
#define CLI_DEMO_FLEET_H

#include <uv.h>

#include "cli/city.h"
#include "view/view.h"

#define DEMO_FLEET "taxi"
#define DEMO_DRIVERS 12
#define DEMO_FLEET_SIDE_KM 4 /* of the town */
/* A place in the middle of the town. */
#define DEMO_FLEET_LAT "52.418"
#define DEMO_FLEET_LNG "13.2295"

enum demo_activity { DEMO_CRUISING, DEMO_TO_PICKUP, DEMO_WITH_RIDER };

struct demo_driver {
    char id[16];
    struct journey way; /* if placed */
    bool placed;
    enum demo_activity activity;
    struct id ride;         /* unless it is cruising */
    uint64_t answered;      /* the number of the last offer that it accepted */
    struct command command; /* an accept or a completion */
    bool busy;              /* the command is in progress */
};

struct demo_fleet {
    struct store *store;
    struct view *view;
    struct city city;
    struct demo_driver drivers[DEMO_DRIVERS];
    uv_timer_t timer;
    bool stopping;
    struct command command; /* positions */
    bool busy;              /* the command is in progress */
    struct position positions[DEMO_DRIVERS];
};

/* The cell of a point, of the fleet's resolution. */
uint64_t demo_fleet_cell(const struct fleet_image *f, struct geo_point p);
/* `fleet` must be zeroed and stay valid until the loop has ended. */
void demo_fleet_start(struct demo_fleet *fleet, struct store *store, struct view *view, uv_loop_t *loop);
/* No more commands; the timer is closed. */
void demo_fleet_stop(struct demo_fleet *fleet);

#endif
