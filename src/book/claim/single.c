/* SPDX-License-Identifier: Apache-2.0 */
#include "book/claim/single.h"

#include <string.h>

#include "base/assertion.h"
#include "book/claim/claim.h"
#include "core/claim/single.h"

void book_single_prepare(struct book_single *b, struct sql *s)
{
    b->sql = s;
    /* A seat's version is the fence of its live claim, if there is one. */
    b->seat =
        sql_prepare(s, "SELECT s.id, s.removed OR s.blocked OR s.allotment IS NOT NULL, c.seat IS NOT NULL, "
                       "coalesce(i.fence, s.version) FROM seats s "
                       "LEFT JOIN claims c ON c.event = s.event AND c.seat = s.position "
                       "LEFT JOIN items i ON i.reservation = c.reservation AND i.event = c.event "
                       "AND i.position = c.seat AND i.kind = 'seat' WHERE s.event = ?1 AND s.position = ?2");
}

/* The current state of the seat, and its id if `id` is not NULL. */
static struct single_seat seat_now(struct book_single *b, uint64_t event, uint32_t position,
                                   struct arena *arena, struct text *id)
{
    struct single_seat seat = {.off_sale = true};
    sql_bind_ints(b->seat, event, position);
    if (sql_next(b->seat)) {
        seat = (struct single_seat){.off_sale = sql_int(b->seat, 1),
                                    .claimed = sql_int(b->seat, 2),
                                    .version = (uint64_t)sql_int(b->seat, 3)};
        struct text name = sql_text(b->seat, 0);
        if (id) {
            char *copy = arena_take(arena, name.size + 1);
            memcpy(copy, name.at, name.size);
            *id = (struct text){copy, name.size};
        }
    }
    sql_reset(b->seat);
    return seat;
}

void book_single_show(struct book_single *b, struct arena *arena, struct reservation_image *r)
{
    struct text rest = r->singles;
    struct single single;
    r->leaves_single_count = 0;
    if (!book_claim_live(r->status) || !rest.at || !singles_sound(rest))
        return;
    struct text *ids = arena_take(arena, SINGLES_MAX * sizeof(*ids));
    while (single_read(&rest, &single) && sql_sound(b->sql)) {
        struct text id = {0};
        struct single_seat seat = seat_now(b, single.event, single.seat, arena, &id), beside[2] = {0};
        for (int i = 0; i < 2; i++)
            if (single.beside[i] != SINGLE_NO_SEAT)
                beside[i] = seat_now(b, single.event, single.beside[i], arena, NULL);
        if (id.at && single_still_alone(&single, &seat, beside)) {
            ASSERT(r->leaves_single_count < SINGLES_MAX); /* singles_sound has counted them */
            ids[r->leaves_single_count++] = id;
        }
    }
    r->leaves_single = ids;
}
