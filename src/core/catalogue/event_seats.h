/* SPDX-License-Identifier: Apache-2.0 */
/* event_seats.h — the seats of an event as a whole: its layout, which seats are blocked or in an allotment, how many
 * are taken in each row, and the commands that import, remove and mark seats.
 *
 * Claims are in seat.h.
 */
#ifndef CORE_EVENT_SEATS_H
#define CORE_EVENT_SEATS_H

#include "core/catalogue/event.h"

/* Replaces the layout and takes ownership of the new one. New seats are available. */
void event_set_layout(struct state *st, struct event *e, struct layout *layout);
/* The same with a layout without these seats, which are unclaimed. */
void event_remove_seats(struct state *st, struct event *e, struct layout *layout, const uint32_t *positions,
                        uint32_t count);
/* For a claimed seat the mark takes effect when it is free again. */
void event_set_blocked(struct state *st, struct event *e, uint32_t position, bool blocked);
/* The same; name none: removes it. False: too many allotments. */
bool event_set_allotment(struct state *st, struct event *e, uint32_t position, struct text name);
/* Sets the marks of the layout that was just set; they must fit. */
void event_set_blocks(const struct state *st, struct event *e, const struct layout_blocks *blocks);
/* False: there would be too many allotments. */
bool event_blocks_fit(const struct event *e, const struct layout_blocks *blocks);
/* The first claimed seat, from position `from`, that they would block or move to another allotment; or BITSET_NONE. */
uint32_t event_blocks_claimed(const struct event *e, const struct layout_blocks *blocks, uint32_t from);

/* Whether any seat is blocked or in an allotment, claimed or not. */
bool event_marked(const struct event *e);
/* Copies the marks of the event that the layout was just copied from. */
void event_copy_blocks(struct event *e, const struct event *from);

/* Continues to count the taken seats of each row, for `best`: EVENT_COUNT_MAX seats per call. True: all are counted;
 * from then on the counts are kept up to date. */
#define EVENT_COUNT_MAX 65536u
bool event_count_rows(struct event *e);
/* Call these before and after any change of whether a seat is claimed, blocked or in an allotment: they subtract it
 * from the counts, and add it again. Held and sold seats are counted in seat.c. */
void event_uncount_seat(struct event *e, uint32_t position);
void event_count_seat(struct event *e, uint32_t position);
/* A claimed seat cannot be marked or removed: adds it to the obstacles, with this index. TAKEN, or OK. */
enum outcome_code event_seat_unclaimed(struct step *step, struct event *e, uint32_t position, uint32_t index,
                                       struct outcome *out);
/* As shown to clients: free seats count as held while the waiting list is being served. */
struct event_counts event_counts_shown(const struct event *e);
/* Each seat counts once. */
static inline bool event_counts_add_up(const struct event *e)
{
    const struct event_counts *n = &e->counts;
    return n->available + n->held + n->sold + n->blocked == n->seats;
}

/* Parts of imports that were never published. */
void staged_release(struct state *st);

/* The event was removed, so it has no claims: detaches its seats (detached.h). The layout stays. */
void event_seats_detach(struct state *st, struct event *e);
void event_seats_release(struct event *e); /* frees them; the layout stays */

#endif
