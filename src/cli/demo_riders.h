/* SPDX-License-Identifier: Apache-2.0 */
/* demo_riders.h — a few simulated riders in the demo's fleet. Each asks for a ride somewhere in the town, takes it to its end, and
 * asks again a while later: so there are never more than DEMO_RIDERS rides, and most drivers are free for visitors.
 *
 * Everything is done by commands, as in demo_fleet.h, which has the drivers. `holdfast demo --quiet` has no riders.
 */
#ifndef CLI_DEMO_RIDERS_H
#define CLI_DEMO_RIDERS_H

#include <uv.h>

#include "cli/city.h"
#include "view/view.h"

#define DEMO_RIDERS 3

struct demo_rider {
    char id[16];
    struct id ride;     /* the last one it asked for; none: no ride yet */
    int64_t asks_at_ms; /* not before; 0: not scheduled yet */
    struct command command;
    bool busy; /* the command is in progress */
};

struct demo_riders {
    struct store *store;
    struct view *view;
    struct city city;
    struct demo_rider all[DEMO_RIDERS];
    uv_timer_t timer;
    bool stopping;
};

/* `riders` must be zeroed and stay valid until the loop has ended. */
void demo_riders_start(struct demo_riders *riders, struct store *store, struct view *view, uv_loop_t *loop);
/* No more commands; the timer is closed. */
void demo_riders_stop(struct demo_riders *riders);

#endif
