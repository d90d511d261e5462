/* SPDX-License-Identifier: Apache-2.0 */
/* layout_roll.h — data shared by the versions of a layout; append-only.
 *
 * A layout that only adds seats to another one shares its roll: the seats, their texts, the indexes and
 * the rows' lists of seats. Each version knows how much of it belongs to it, and does not see what was added later. So
 * the cost of adding does not depend on how much there is. One thread adds at a time, to the latest version, while
 * others read earlier ones.
 *
 * An import that changes existing seats needs a new roll, and so does an addition to any version but the latest (after
 * an import that was abandoned, or for a second event with the same seats).
 */
#ifndef CORE_LAYOUT_ROLL_H
#define CORE_LAYOUT_ROLL_H

#include <stdatomic.h>

#include "base/memory/chunked.h"
#include "base/memory/growing_index.h"
#include "core/types.h"

struct order_block;

struct layout_roll {
    _Atomic uint32_t references;
    struct chunked seats;  /* struct layout_seat, by position */
    struct chunked row_of; /* uint32_t, by position */
    struct chunked texts;  /* a size byte, then the text; place 0 means none */
    uint32_t count, texts_size;
    struct growing_index ids;    /* position + 1 */
    struct growing_index labels; /* places of the distinct labels */
    struct growing_index rows;   /* row + 1, by section and label; read only when adding */
    struct order_block *orders;  /* the rows' lists of seats */
    uint64_t order_reclaim;      /* seats in lists that were replaced */
};

struct layout_roll *layout_roll_make(void);
struct layout_roll *layout_roll_share(struct layout_roll *r);
void layout_roll_release(struct layout_roll *r);

static inline struct text layout_roll_text(const struct layout_roll *r, uint32_t place)
{
    if (place == 0)
        return (struct text){0};
    const uint8_t *at = chunked_at(&r->texts, place);
    return (struct text){(const char *)at + 1, *at};
}

/* Whether there is room for the texts of one more seat. */
bool layout_roll_has_room(const struct layout_roll *r);
uint32_t layout_roll_add_text(struct layout_roll *r, struct text t);
/* Labels repeat on many seats, so each distinct one is stored once: equal labels have equal places. */
uint32_t layout_roll_add_label(struct layout_roll *r, struct text t);
/* The place of a label among the first texts_size bytes, or 0. */
uint32_t layout_roll_label(const struct layout_roll *r, uint32_t texts_size, struct text t);
uint64_t layout_roll_hash(struct text t);
/* Allocates a list for a row. */
uint32_t *layout_roll_order(struct layout_roll *r, uint32_t count);

#endif
