/* SPDX-License-Identifier: Apache-2.0 */
/* demo_buyers.h — a few simulated buyers at the demo's largest event, so that its seat map and /admin are alive.
 *
 * Each chooses some neighbouring seats, keeps them for a while, and gives them back or buys them; then it comes again as
 * another user. All are behind the first sections, whose seats are given away first as the best ones. There are never
 * more than DEMO_BUYERS holds of DEMO_BUYER_SEATS seats, and at most DEMO_BUYERS_SOLD_MAX seats of the event are sold
 * to them, however long the demo runs: after that they only look.
 *
 * Everything is done by commands, as in demo_fleet.h. `holdfast demo --quiet` has no buyers.
 */
#ifndef CLI_DEMO_BUYERS_H
#define CLI_DEMO_BUYERS_H

#include <uv.h>

#include "view/view.h"

#define DEMO_BUYERS 4
#define DEMO_BUYER_SEATS 3
#define DEMO_BUYERS_SOLD_MAX 40

struct demo_buyer {
    char id[24];
    char seats[DEMO_BUYER_SEATS][16];
    struct item_request items[DEMO_BUYER_SEATS];
    struct id reservation;
    bool holds;         /* it has a hold, which it will end */
    int64_t acts_at_ms; /* not before; 0: not scheduled yet */
    struct command command;
    bool busy; /* the command is in progress */
};

struct demo_buyers {
    struct store *store;
    struct view *view;
    struct text event;
    struct demo_buyer all[DEMO_BUYERS];
    uv_timer_t timer;
    bool stopping;
};

/* `buyers` must be zeroed and stay valid until the loop has ended; the text of `event` too. */
void demo_buyers_start(struct demo_buyers *buyers, struct store *store, struct view *view, uv_loop_t *loop,
                       struct text event);
/* No more commands; the timer is closed. */
void demo_buyers_stop(struct demo_buyers *buyers);

#endif
