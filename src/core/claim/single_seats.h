/* SPDX-License-Identifier: Apache-2.0 */
/* single_seats.h — single seats that a user's choice leaves, in events that refuse them (event_image.refuse_singles).
 *
 * Decided when a user token chooses seats: in a hold, an add, a drop and a move. A run is a sequence of free neighbours
 * in a row, with the reservation's own choices counted as free. If a choice leaves two or more seats of a run, those
 * without a free neighbour are singles. So the last seats of a run can be bought: any two of three, one of two. Held,
 * sold and blocked seats count as taken, and so do seats picked by `best` or chosen by staff (no ITEM_CHOSEN).
 *
 * A choice decides only about the part of the row that it can affect: up to the first two free seats side by side.
 * Decisions about the rest stay, so later claims of others add nothing. The decision is stored with the reservation
 * (single.h); a seat no longer counts once it is claimed or one of its neighbours comes free.
 */
#ifndef CORE_SINGLE_SEATS_H
#define CORE_SINGLE_SEATS_H

#include "core/step.h"

/* ITEM_CHOSEN if a seat that the actor chooses in this event is judged, else 0. */
uint8_t single_seats_flag(const struct state *st, const struct event *e);

/* Decides about the planned seats, for single_seats_keep, once all are planned. LEAVES_SINGLE with the seats: only if
 * the request has several seats, or moves a sold one. RETRY: more has lapsed than one step settles. */
enum outcome_code single_seats_choose(struct step *step, struct outcome *out);
/* The same for an item that will be dropped: OK or RETRY. */
enum outcome_code single_seats_drop(struct step *step, uint32_t handle, const struct item *item);
/* Stores the decision of this step, if any, with the next change. */
void single_seats_keep(struct step *step, uint32_t handle);

/* OK, or LEAVES_SINGLE with the single seats that the reservation still leaves. */
enum outcome_code single_seats_judge(struct step *step, uint32_t handle, struct outcome *out);
/* Puts the same seats into the reservation of the answer. */
void single_seats_show(struct step *step, uint32_t handle, struct outcome *out);

#endif
