/* SPDX-License-Identifier: Apache-2.0 */
/* single_seats.h — seats that a claim would leave alone: free ones with no free neighbour, that had one before.
 *
 * Where an event refuses that (event_image.refuse_singles), a user token's own choice of seats is judged: of a request
 * for several at once, and of the whole reservation when it goes to pay or is committed. What `best` picked and what
 * staff take is not. Neighbours are those of the layout: an aisle and the end of a row are nobody's. Held, sold and
 * blocked seats count as taken, those of lapsed holds as free.
 */
#ifndef CORE_SINGLE_SEATS_H
#define CORE_SINGLE_SEATS_H

#include "core/step.h"

/* OK, or LEAVES_SINGLE with the seats: what the step has planned, after all of it was granted a place. */
enum outcome_code single_seats_judge_plan(struct step *step, struct outcome *out);
/* The same of all seats that a held reservation has. */
enum outcome_code single_seats_judge_reservation(struct step *step, uint32_t handle, struct outcome *out);

#endif
