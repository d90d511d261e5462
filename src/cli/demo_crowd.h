/* SPDX-License-Identifier: Apache-2.0 */
/* demo_crowd.h — people in front of a visitor in the demo's waiting room, so that there is a line to see.
 *
 * Some of the crowd are admitted and choose for as long as a pass lasts; the rest wait. As that fills the room,
 * the line stands still and costs next to nothing while nobody else is in it. When a visitor waits, one of those
 * who are admitted leaves now and then: the visitor moves up by about a place a second. Whoever has left joins again,
 * behind everybody.
 *
 * All of it by commands, as demo_fleet.h. An event that somebody has removed, or that has no waiting room any
 * more, is left alone.
 */
#ifndef CLI_DEMO_CROWD_H
#define CLI_DEMO_CROWD_H

#include <uv.h>

#include "store/store.h"

#define DEMO_CROWD 15

struct demo_crowd_member {
    char id[16];
    struct id entry;          /* in line, admitted or neither, as `status` says */
    enum queue_status status; /* 0: has not joined yet */
    struct command command;
    bool busy; /* it is under way */
};

struct demo_crowd {
    struct store *store;
    struct text event;
    struct demo_crowd_member members[DEMO_CROWD];
    uv_timer_t timer;
    bool stopping;
};

/* `crowd` is zeroed, and stays where it is until the loop has ended; `event` is a text that stays. */
void demo_crowd_start(struct demo_crowd *crowd, struct store *store, uv_loop_t *loop, struct text event);
/* No more commands; the timer is closed. */
void demo_crowd_stop(struct demo_crowd *crowd);

#endif
