/* SPDX-License-Identifier: Apache-2.0 */
/* demo_crowd.h — simulated people ahead of a visitor in the demo's waiting room, so that there is a line to see.
 *
 * Some of the crowd are admitted and keep their places until their passes expire; the others wait. That fills the
 * room, so the line does not move and costs almost nothing while no visitor is in it. When a visitor waits, an admitted
 * member leaves every now and then, and the visitor moves up by about one place a second. Members who left join
 * again at the end of the line.
 *
 * Everything is done by commands, as in demo_fleet.h. If the event was removed, or no longer has a waiting room,
 * nothing is done.
 */
#ifndef CLI_DEMO_CROWD_H
#define CLI_DEMO_CROWD_H

#include <uv.h>

#include "view/view.h"

#define DEMO_CROWD_SIZE 15

struct demo_crowd_member {
    char id[16];
    struct id entry;          /* its entry in the queue; `status` says whether it is waiting or admitted */
    enum queue_status status; /* 0: has not joined yet */
    struct command command;
    bool busy; /* the command is in progress */
};

struct demo_crowd {
    struct store *store;
    struct view *view;
    struct text event;
    struct demo_crowd_member members[DEMO_CROWD_SIZE];
    uv_timer_t timer;
    bool stopping;
};

/* `crowd` must be zeroed and stay valid until the loop has ended; the text of `event` too. */
void demo_crowd_start(struct demo_crowd *crowd, struct store *store, struct view *view, uv_loop_t *loop,
                      struct text event);
/* No more commands; the timer is closed. */
void demo_crowd_stop(struct demo_crowd *crowd);

#endif
