/* SPDX-License-Identifier: Apache-2.0 */
/* layout.h — the static facts of an event's seats: names, places, prices, and which seats are neighbours.
 *
 * A layout never changes once it is made, so workers can read it while the loop uses it. An import makes a
 * new layout from the old one and the imported rows, on another thread, and publishing swaps the two. One that
 * only adds seats shares the roll of the old one (layout_roll.h), and its cost depends only on what it adds; one that
 * changes or removes seats copies all of them. A seat keeps its position (its place in the order of first import)
 * forever; positions are never reused.
 *
 * Owns no claims: these are in seat.h. About 70 bytes per seat.
 */
#ifndef CORE_LAYOUT_H
#define CORE_LAYOUT_H

#include <stdatomic.h>

#include "base/memory/bitset.h"
#include "core/catalogue/layout_roll.h"
#include "core/change.h"

#define LAYOUT_NONE UINT32_MAX

enum layout_flag { LAYOUT_HAS_X = 1, LAYOUT_HAS_Y = 2, LAYOUT_ACCESSIBLE = 4 };

struct layout_seat {
    uint32_t id, section, row, number, tier; /* places in `texts`; 0: none */
    int32_t x_milli, y_milli;
    uint32_t flags; /* enum layout_flag */
    int64_t price;
};

/* Seats of one section and row, in their order side by side. Rows are numbered by the position of their first seat, and
 * keep their numbers in all versions that share a roll. */
struct layout_row {
    const uint32_t *seats; /* positions, with LAYOUT_BESIDE; in the roll */
    uint32_t count;
    uint32_t section; /* place in `texts` */
    uint32_t row;
    int32_t y_milli;
    bool has_y;
    bool numbered;       /* all its seats have integer numbers */
    uint32_t opened;     /* position of its first seat */
    uint32_t step;       /* between the numbers of neighbours: the smallest in the row; 0: there is none */
    uint32_t tier;       /* of all its seats, 0: none; LAYOUT_MIXED: several */
    uint32_t accessible; /* how many accessible places */
    uint32_t longest;    /* longest run of neighbours without accessible places */
    uint32_t last_run;   /* length of such a run at its end */
    uint32_t capacity;   /* of the list in the roll, for seats added later */
};

/* The seats of a section and a tier, blocked or not. */
struct layout_part {
    uint32_t section, tier; /* places in `texts`; 0: any */
    uint32_t count;
    uint32_t plain;   /* not accessible places */
    uint32_t longest; /* longest run of neighbours among those */
};

#define LAYOUT_MIXED UINT32_MAX
#define LAYOUT_BESIDE 0x80000000u /* in a row: this seat is the neighbour of the one before it */

struct layout {
    _Atomic uint32_t references;
    struct layout_roll *roll;
    uint64_t digest; /* of all facts: the same for equal layouts, also after a restart */
    uint64_t chain;  /* the digest continues from this when seats are added */
    uint32_t count;
    uint32_t texts_size; /* how much of the roll's texts belongs to this version */
    struct layout_row *rows;
    uint32_t row_count;
    uint32_t *front;           /* numbers of rows, front rows first */
    struct layout_part *parts; /* parts that have seats, by section and tier */
    uint32_t part_count;
    uint32_t *gone; /* positions of removed seats, ascending: their facts are kept, but they are in no row */
    uint32_t gone_count;
};

/* The blocks and allotments in an import, which are not part of the layout: seats to take off sale, and seats to put
 * back. Seats that it does not mention are in neither set, nor are new ones on sale. */
struct layout_blocks {
    struct bitset off, back; /* by position */
    struct bitset allots;    /* seats whose allotment it sets or clears */
    /* Of those, by position: index + 1 in names; 0: none. NULL: the import has no allotments. */
    uint16_t *allotments;
    struct text *names; /* owned */
    uint32_t name_count;
};
void layout_blocks_release(struct layout_blocks *b);
/* The new allotment of a seat in `allots`. */
struct text layout_blocks_name(const struct layout_blocks *b, uint32_t position);

/* Rows are encoded by seat_row_put. A seat whose id is in `base` (or in an earlier row) is updated in the given
 * columns, others are added with defaults. base can be NULL. The caller releases *blocks. Returns NULL, with empty
 * *blocks, if the rows are damaged or there are too many. */
struct layout *layout_make(const struct layout *base, struct bytes_reader rows, uint32_t count,
                           uint32_t *created, uint32_t *updated, struct layout_blocks *blocks);
/* The same from the book, with removed seats (positions, ascending). */
struct layout *layout_load(struct bytes_reader rows, uint32_t count, const uint32_t *gone,
                           uint32_t gone_count, struct layout_blocks *blocks);
/* Without these seats (positions, ascending; none of them removed before). Copies all others. */
struct layout *layout_without(const struct layout *base, const uint32_t *positions, uint32_t count);
struct layout *layout_share(struct layout *l);
void layout_release(struct layout *l); /* NULL is fine */

uint32_t layout_find(const struct layout *l, struct text id); /* position or LAYOUT_NONE; l can be NULL */
uint32_t layout_gone_before(const struct layout *l, uint32_t position); /* number of removed seats */
static inline bool layout_is_gone(const struct layout *l, uint32_t position)
{
    uint32_t at = l->gone_count ? layout_gone_before(l, position) : 0;
    return at < l->gone_count && l->gone[at] == position;
}
static inline uint32_t layout_seats(const struct layout *l) /* without removed ones */
{
    return l->count - l->gone_count;
}
static inline const struct layout_seat *layout_seat(const struct layout *l, uint32_t position)
{
    return chunked_at(&l->roll->seats, position);
}
static inline bool layout_accessible(const struct layout *l, uint32_t position)
{
    return layout_seat(l, position)->flags & LAYOUT_ACCESSIBLE;
}
static inline uint32_t layout_row_of(const struct layout *l, uint32_t position)
{
    return *(const uint32_t *)chunked_at(&l->roll->row_of, position);
}
static inline struct text layout_text(const struct layout *l, uint32_t place) /* none for place 0 */
{
    return layout_roll_text(l->roll, place);
}
static inline struct text layout_id(const struct layout *l, uint32_t position)
{
    return layout_text(l, layout_seat(l, position)->id);
}
/* Without blocked and allotment. */
void layout_seat_image(const struct layout *l, uint32_t position, struct seat_image *out);
/* The place of a label (section, row, number or tier), or 0 if no seat has it. */
uint32_t layout_label(const struct layout *l, struct text label);
/* The seats of this section and this tier (none: any); NULL if there are none. Does not look at seats or rows. */
const struct layout_part *layout_part(const struct layout *l, struct text section, struct text tier);

/* Compares texts as people do: "A2" before "A10". */
int natural_compare(struct text a, struct text b);

#endif
