/* SPDX-License-Identifier: Apache-2.0 */
/* item.h — one item of a reservation: a seat, units of a pool, or a slot; and fields that only some items have.
 *
 * An item belongs to its reservation, and so does its extra. Items elsewhere (planned, read from an image) borrow
 * theirs: reservation_item_add makes a copy.
 *
 * To add a field to the extra: here, with its line in item_extra_used, _own and _free; in struct item_image; in
 * ITEM_EXTRA_ALIKE (reservation_image.c) and ITEM_EXTRA_FIELDS (reservation_codec.c), with a new tag; from the request
 * in plan_add. In the book, a row of item_columns.
 */
#ifndef CORE_ITEM_H
#define CORE_ITEM_H

#include "core/image.h"

struct item_extra {
    struct text attributes; /* none: {} */
    struct text category;   /* of prices */
    struct text code;       /* it was claimed with, as written in its event */
    struct text allotment;  /* it was claimed from, or "blocked"; none: it was on sale */
    uint64_t group;         /* number of the group in the request; 0: none */
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
    struct item_extra *extra; /* or NULL */
    uint32_t item_id;
    uint8_t kind;  /* enum item_kind */
    uint8_t flags; /* enum item_flag */
};

/* Whether any field is set: an extra without is stored as NULL. */
bool item_extra_used(const struct item_extra *extra);
/* A copy with its own texts, for item_extra_free; NULL if no field is set, or no extra given. */
struct item_extra *item_extra_own(const struct item_extra *extra);
void item_extra_free(struct item_extra *own);
/* {} is stored as none. */
/* Whether setting these would change nothing. */
bool item_has_attributes(const struct item *item, struct text attributes);
void item_set_attributes(struct item *item, struct text attributes);
void item_set_category(struct item *item, struct text category);
void item_set_allotment(struct item *item, struct text allotment);

#endif
