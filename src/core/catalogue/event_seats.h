/* SPDX-License-Identifier: Apache-2.0 */
/* event_seats.h — the seats of an event as a whole: its layout, which of them are blocked, how many are taken
 * in each row, and the commands that import and block them.
 *
 * Who claims a seat is seat.h's business.
 */
#ifndef CORE_EVENT_SEATS_H
#define CORE_EVENT_SEATS_H

#include "core/catalogue/event.h"

/* Puts a layout in place of the present one; takes it. Seats that are new are available. */
void event_set_layout(struct state *st, struct event *e, struct layout *layout);
/* The same with a layout that lacks these seats, which nobody claims. */
void event_remove_seats(struct state *st, struct event *e, struct layout *layout, const uint32_t *positions,
                        uint32_t count);
void event_set_blocked(struct state *st, struct event *e, uint32_t position, bool blocked);
/* The blocks of the layout that was set just now. None of them may be on a claimed seat. */
void event_set_blocks(struct event *e, const struct layout_blocks *blocks);

/* Seats that are off sale in the event that the layout was copied from just now. */
void event_copy_blocks(struct event *e, const struct event *from);

/* Continues counting the taken seats of each row, which `best` needs: EVENT_COUNT_MAX seats per call. True:
 * all are counted; from then on the counts are kept up to date. */
#define EVENT_COUNT_MAX 65536u
bool event_count_rows(struct event *e);
/* A seat was taken (claimed or blocked), or it no longer is. */
void event_count_seat(struct event *e, uint32_t position, bool taken);
/* As availability shows them: what is free while the waiting list is being served is held for those on it. */
struct event_counts event_counts_shown(const struct event *e);
/* Each seat counts once. */
static inline bool event_counts_add_up(const struct event *e)
{
    const struct event_counts *n = &e->counts;
    return n->available + n->held + n->sold + n->blocked == n->seats;
}

/* The event was removed, so that nothing is claimed any more: sets its seats aside. The layout stays. */
void event_seats_detach(struct state *st, struct event *e);
void event_seats_release(struct event *e); /* frees them; the layout stays */

#endif
