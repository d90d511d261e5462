/* SPDX-License-Identifier: Apache-2.0 */
/* event_seats.h — the seats of an event as a whole: its layout, which of them are blocked or in an allotment, how many
 * are taken in each row, and the commands that import, remove and mark them.
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
/* A claimed seat keeps the mark, and shows it when it is free again. */
void event_set_blocked(struct state *st, struct event *e, uint32_t position, bool blocked);
/* The same; at == NULL: in none. False: there are too many allotments. */
bool event_set_allotment(struct state *st, struct event *e, uint32_t position, struct text name);
/* The marks of the layout that was set just now; they fit. */
void event_set_blocks(const struct state *st, struct event *e, const struct layout_blocks *blocks);
/* False: there would be too many allotments. */
bool event_blocks_fit(const struct event *e, const struct layout_blocks *blocks);
/* The first seat from here on that is claimed, and that they would take off sale or into another allotment; or
 * BITSET_NONE. */
uint32_t event_blocks_claimed(const struct event *e, const struct layout_blocks *blocks, uint32_t from);

/* Whether any seat is blocked or in an allotment, claimed or not. */
bool event_marked(const struct event *e);
/* Marks of the event that the layout was copied from just now. */
void event_copy_blocks(struct event *e, const struct event *from);

/* Continues counting the taken seats of each row, which `best` needs: EVENT_COUNT_MAX seats per call. True:
 * all are counted; from then on the counts are kept up to date. */
#define EVENT_COUNT_MAX 65536u
bool event_count_rows(struct event *e);
/* Around whatever changes whether a seat is claimed, blocked or in an allotment: what it adds to the counts is taken
 * back, and added again as it is then. Held and sold ones are counted by seat.c. */
void event_uncount_seat(struct event *e, uint32_t position);
void event_count_seat(struct event *e, uint32_t position);
/* A claimed seat is not to be marked or removed: adds it to the obstacles, by this index. TAKEN, or OK. */
enum outcome_code event_seat_unclaimed(struct step *step, struct event *e, uint32_t position, uint32_t index,
                                       struct outcome *out);
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
