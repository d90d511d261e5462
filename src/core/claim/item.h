/* SPDX-License-Identifier: Apache-2.0 */
/* item.h — one thing that a reservation has, and what only some of them say about themselves.
 *
 * An item belongs to its reservation, and so does its extra. Items elsewhere (planned, read from an image) borrow
 * theirs: reservation_item_add makes a copy.
 *
 * To add a field to the extra: here, with its line in item_extra_says, _own and _free; in struct item_image; in
 * ITEM_EXTRA_ALIKE (reservation_image.c) and ITEM_EXTRA_FIELDS (reservation_codec.c), under a tag of its own; from the request in
 * plan_add. In the book a row of item_columns.
 */
#ifndef CORE_ITEM_H
#define CORE_ITEM_H

#include "core/image.h"

struct item_extra {
    struct text attributes; /* at == NULL: {} */
    struct text category;   /* of prices; at == NULL: none */
    struct text code;       /* as written in its event; at == NULL: claimed without one */
    struct text allotment;  /* from which it was claimed, or "blocked"; at == NULL: it was on sale */
    uint64_t group;         /* number of the group that was asked for it; 0: none */
};

struct item {
    uint32_t resource; /* index of the event; slot: of the calendar */
    uint32_t part;     /* position of the seat or pool; slot: the service's + 1, 0 without one */
    uint32_t quantity;
    uint32_t place; /* in the heap of lapses of the pool or calendar */
    int64_t price;
    uint64_t fence;
    int64_t start_ms, end_ms, until_ms; /* slot: see image.h, and the next three */
    uint32_t lead_ms;
    uint16_t before_minutes, after_minutes;
    struct item_extra *extra; /* or NULL: it has nothing to say */
    uint32_t item_id;
    uint8_t kind;  /* enum item_kind */
    uint8_t flags; /* of enum item_flag */
};

/* Whether it says anything: what does not is kept as NULL. */
bool item_extra_says(const struct item_extra *extra);
/* A copy with texts of its own, for item_extra_free; NULL when there is nothing to say, or no extra. */
struct item_extra *item_extra_own(const struct item_extra *extra);
void item_extra_free(struct item_extra *own);
/* {} is kept as none. */
/* Whether setting these changes nothing. */
bool item_has_attributes(const struct item *item, struct text attributes);
void item_set_attributes(struct item *item, struct text attributes);
void item_set_category(struct item *item, struct text category);
void item_set_allotment(struct item *item, struct text allotment);

#endif
