/* SPDX-License-Identifier: Apache-2.0 */
/* demo_fleet.h — drives the demo's fleet: its drivers cruise, accept what they are offered after a few seconds, fetch the
 * rider, drive to the destination and complete the ride. Others are there to be played by visitors
 * (http/demo/demo_actors.h), and are away until then.
 *
 * All of it by commands, once a second; nothing is asked of core that a client could not ask. The fleet and its drivers
 * are put by demo_catalogue.h; those that are not there are not driven.
 */
#ifndef CLI_DEMO_FLEET_H
#define CLI_DEMO_FLEET_H

#include <uv.h>

#include "cli/city.h"
#include "store/store.h"

#define DEMO_FLEET "taxi"
#define DEMO_DRIVERS 12
/* In the middle of their town. */
#define DEMO_FLEET_LAT "52.418"
#define DEMO_FLEET_LNG "13.2295"

enum demo_doing { DEMO_CRUISES, DEMO_FETCHES, DEMO_DRIVES };

struct demo_driver {
    char id[16];
    struct journey way; /* once it is placed: */
    bool placed;
    enum demo_doing doing;
    struct id ride;         /* unless it cruises */
    uint64_t answered;      /* the number of the offer that it accepted last */
    struct command command; /* under way: an accept or a completion */
    bool busy;              /* it is */
};

struct demo_fleet {
    struct store *store;
    struct city city;
    struct demo_driver drivers[DEMO_DRIVERS];
    uv_timer_t timer;
    bool stopping;
    struct command command; /* positions */
    bool busy;              /* it is under way */
    struct position positions[DEMO_DRIVERS];
};

/* `fleet` is zeroed, and stays where it is until the loop has ended. */
void demo_fleet_start(struct demo_fleet *fleet, struct store *store, uv_loop_t *loop);
/* No more commands; the timer is closed. */
void demo_fleet_stop(struct demo_fleet *fleet);

#endif
