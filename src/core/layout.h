/* SPDX-License-Identifier: Apache-2.0 */
/* layout.h — the static facts of an event's seats: names, places, prices, and which seats are neighbours.
 *
 * A layout never changes once it is made, so workers may read one while the loop uses it. An import makes a
 * new layout from the old one and the imported rows, off the loop, and publishing swaps the two. A seat keeps
 * its position (its place in the order of first import) for ever.
 *
 * Owns no claims: who has a seat is core/seat.h's business. About 60 bytes a seat.
 */
#ifndef CORE_LAYOUT_H
#define CORE_LAYOUT_H

#include <stdatomic.h>

#include "base/bitset.h"
#include "core/change.h"

#define LAYOUT_NONE UINT32_MAX

struct layout_seat {
    uint32_t id, section, row, number, tier; /* places in `texts`; 0: none */
    int32_t x_milli, y_milli;
    uint32_t flags;
    int64_t price;
};

/* Seats of one section and row, front rows first; the seats in the order in which they stand side by side. */
struct layout_row {
    uint32_t first; /* in `order` */
    uint32_t count;
    uint32_t section; /* place in `texts` */
    uint32_t row;
    int32_t y_milli;
    bool has_y;
    uint32_t tier;    /* of all its seats, 0: none; LAYOUT_MIXED: they have several */
    uint32_t longest; /* run of neighbours */
};

/* The seats of a section and a tier, blocked or not. */
struct layout_part {
    uint32_t section, tier; /* places in `texts`; 0: any */
    uint32_t count;
    uint32_t longest; /* run of neighbours */
};

#define LAYOUT_MIXED UINT32_MAX
#define LAYOUT_BESIDE 0x80000000u /* in `order`: this seat is the neighbour of the one before it */

struct layout {
    _Atomic uint32_t references;
    uint64_t digest; /* of what the seats say: equal layouts have equal ones, after a restart too */
    uint32_t count;
    struct layout_seat *seats; /* by position */
    uint8_t *texts;            /* a byte of size, then the text; place 0 is the empty one */
    uint32_t texts_size;
    uint32_t *index; /* position + 1 by hash of the id; 0: empty */
    uint32_t index_mask;
    uint32_t *labels; /* places of the distinct labels, by hash; 0: empty */
    uint32_t label_mask, label_count;
    struct layout_row *rows;
    uint32_t row_count;
    uint32_t *order;           /* positions, row by row */
    uint32_t *row_of;          /* by position */
    struct layout_part *parts; /* those that have seats, by section and tier */
    uint32_t part_count;
};

/* What the rows of an import say about seats being on sale, which is no business of the layout: seats that
 * they take off sale and seats that they put back. A seat that no row speaks of is in neither, a new one that
 * is on sale neither. */
struct layout_blocks {
    struct bitset off, back; /* by position */
};
void layout_blocks_release(struct layout_blocks *b);

/* Rows are as seat_row_put writes them. An id that `base` (or an earlier row) has is updated in the given
 * columns, others are added with defaults. base may be NULL. *blocks is the caller's to release. NULL is
 * returned when the rows are damaged or there are too many, and *blocks is empty then. */
struct layout *layout_make(const struct layout *base, struct bytes_reader rows, uint32_t count,
                           uint32_t *created, uint32_t *updated, struct layout_blocks *blocks);
struct layout *layout_share(struct layout *l);
void layout_release(struct layout *l); /* NULL is fine */

uint32_t layout_find(const struct layout *l, struct text id);    /* position or LAYOUT_NONE; l may be NULL */
struct text layout_text(const struct layout *l, uint32_t place); /* at == NULL for place 0 */
static inline struct text layout_id(const struct layout *l, uint32_t position)
{
    return layout_text(l, l->seats[position].id);
}
void layout_seat_image(const struct layout *l, uint32_t position,
                       struct seat_image *out); /* blocked is not set */
/* The place of a label (section, row, number or tier), or 0 when no seat has it. */
uint32_t layout_label(const struct layout *l, struct text label);
/* The seats of this section and this tier (at == NULL: any); NULL when there are none. Looks at no seat and
 * no row. */
const struct layout_part *layout_part(const struct layout *l, struct text section, struct text tier);

/* Compares texts as people do: "A2" before "A10". */
int natural_compare(struct text a, struct text b);

#endif
