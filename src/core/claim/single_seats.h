/* SPDX-License-Identifier: Apache-2.0 */
/* single_seats.h — seats that a user's choice leaves alone, where an event refuses that (event_image.refuse_singles).
 *
 * Decided when a user token chooses: at a hold, an add, a drop and a move. A run is what neighbours each other in a row
 * and is free, the reservation's own choices counted as free. If two seats or more are left of a run, those of them that
 * have no free neighbour are singles. So the last seats can be bought: of three any two, of two one. Held, sold and
 * blocked seats are taken, and so is what `best` picked and what staff chose (no ITEM_CHOSEN).
 *
 * A choice decides about as much of the row as it can matter to: up to the first two free seats side by side. What was
 * decided elsewhere stays as it was, so others' later claims add nothing. What was decided is kept with the reservation
 * (single.h), and a seat that was claimed, or whose neighbour came free, since then counts no more.
 */
#ifndef CORE_SINGLE_SEATS_H
#define CORE_SINGLE_SEATS_H

#include "core/step.h"

/* ITEM_CHOSEN for a seat that the actor chooses in this event, else 0. */
uint8_t single_seats_flag(const struct state *st, const struct event *e);

/* What the step has planned, after all of it was granted a place: decided, for single_seats_keep. LEAVES_SINGLE with the
 * seats: several were asked for at once, or what is sold would move. RETRY: more has lapsed than one step settles. */
enum outcome_code single_seats_choose(struct step *step, struct outcome *out);
/* The same of an item that is about to be dropped: OK or RETRY. */
enum outcome_code single_seats_drop(struct step *step, uint32_t handle, const struct item *item);
/* Keeps what was decided by this step, if anything was, with the change that follows. */
void single_seats_keep(struct step *step, uint32_t handle);

/* OK, or LEAVES_SINGLE with the seats that the reservation still leaves alone. */
enum outcome_code single_seats_judge(struct step *step, uint32_t handle, struct outcome *out);
/* Puts the same seats into the reservation of an answer. */
void single_seats_show(struct step *step, uint32_t handle, struct outcome *out);

#endif
