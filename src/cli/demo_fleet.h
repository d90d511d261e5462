/* SPDX-License-Identifier: Apache-2.0 */
/* demo_fleet.h — a small fleet for the demo, whose drivers move: they cruise, accept what they are offered after a few
 * seconds, fetch the rider, drive to the destination and complete the ride. Some more wait to be played by visitors
 * (http/demo/demo_actors.h): they are away until somebody does.
 *
 * All of it by commands, once a second; nothing is asked of core that a client could not ask. The fleet and its drivers
 * are made if there is no fleet yet; one that somebody has changed is driven as it is.
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
    struct journey way;
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
    uint32_t put; /* drivers that are made: the demo's, when the fleet is new, and then those for visitors */
    uv_timer_t timer;
    bool stopping;
    struct command command; /* of the fleet as a whole: making it, positions */
    bool busy;              /* it is under way */
    struct position positions[DEMO_DRIVERS];
};

/* `fleet` is zeroed, and stays where it is until the loop has ended. */
void demo_fleet_start(struct demo_fleet *fleet, struct store *store, uv_loop_t *loop);
/* No more commands; the timer is closed. */
void demo_fleet_stop(struct demo_fleet *fleet);

#endif
