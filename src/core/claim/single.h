/* SPDX-License-Identifier: Apache-2.0 */
/* single.h — a single seat that a user's choice left, as it is stored with the reservation (single_seats.h).
 *
 * It stores the decision and the change that made it. Whether the seat still counts is computed from the versions of
 * the seats, so nothing is written when others claim or free one. The book uses the same function.
 */
#ifndef CORE_SINGLE_H
#define CORE_SINGLE_H

#include "base/memory/buf.h"
#include "core/types.h"

#define SINGLES_MAX (2 * ITEMS_MAX) /* each is beside a seat of the reservation */
#define SINGLE_SIZE_MAX 80          /* of one, as text */
#define SINGLES_SIZE_MAX (SINGLES_MAX * SINGLE_SIZE_MAX)
#define SINGLE_NO_SEAT UINT32_MAX

struct single {
    uint64_t event; /* number */
    uint32_t seat;  /* position */
    /* Positions of its neighbours; SINGLE_NO_SEAT: the end of the row, or an aisle. */
    uint32_t beside[2];
    uint64_t since; /* seq of the change that left it */
};

/* The text looks like "12 4 3 - 1042;12 8 7 9 1042": event, seat, both neighbours (-: none), since. */
void single_write(struct buf *out, const struct single *single);
/* Removes the first one from the text; false: there is none, or it cannot be read. */
bool single_read(struct text *rest, struct single *out);
/* Whether the whole text can be read. */
bool singles_sound(struct text singles);

/* The current state of the seat or a neighbour. */
struct single_seat {
    uint64_t version;
    bool claimed; /* by a hold that has not lapsed, or sold */
    bool off_sale;
};
/* Whether the seat has been free, without a free neighbour, ever since. `beside` is in the order of single.beside, and
 * meaningless where there is no seat. */
bool single_still_alone(const struct single *single, const struct single_seat *seat,
                        const struct single_seat beside[2]);

#endif
