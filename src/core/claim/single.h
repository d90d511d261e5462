/* SPDX-License-Identifier: Apache-2.0 */
/* single.h — a seat that a user's choice left alone, as it is kept with the reservation (single_seats.h).
 *
 * Kept is what was decided, by which change; whether a seat still counts follows from the seats' versions, so nothing
 * has to be written when others claim or free one. The book asks the same function.
 */
#ifndef CORE_SINGLE_H
#define CORE_SINGLE_H

#include "base/memory/buf.h"
#include "core/types.h"

#define SINGLES_MAX (2 * ITEMS_MAX) /* each is beside a seat of the reservation */
#define SINGLE_SIZE_MAX 80          /* of one in the text */
#define SINGLES_SIZE_MAX (SINGLES_MAX * SINGLE_SIZE_MAX)
#define SINGLE_NO_SEAT UINT32_MAX

struct single {
    uint64_t event; /* number */
    uint32_t seat;  /* position */
    uint32_t
        beside[2]; /* positions of its neighbours; SINGLE_NO_SEAT: the row ends there, or there is an aisle */
    uint64_t since; /* seq of the change that left it alone */
};

/* The text is "12 4 3 - 1042;12 8 7 9 1042": event, seat, both neighbours (-: none), since. at == NULL: there are none. */
void single_write(struct buf *out, const struct single *single);
/* Takes the first one off the text; false: there is none, or it can't be read. */
bool single_read(struct text *rest, struct single *out);
/* Whether the whole text can be read. */
bool singles_sound(struct text singles);

/* What one of its seats is now. */
struct single_seat {
    uint64_t version;
    bool claimed; /* by a hold that has not lapsed, or sold */
    bool off_sale;
};
/* Whether the seat was free and alone all the time since then; `beside` in the order of single.beside, and without
 * meaning where there is no seat. */
bool single_still_alone(const struct single *single, const struct single_seat *seat,
                        const struct single_seat beside[2]);

#endif
