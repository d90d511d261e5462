/* SPDX-License-Identifier: Apache-2.0 */
#include "core/catalogue/layout.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/hash.h"
#include "base/memory.h"
#include "core/catalogue/layout_parts.h"
#include "core/catalogue/layout_rows.h"

/* ---- Finding ---- */

static bool id_same(const void *layout, uint32_t value, const void *key)
{
    const struct layout *l = layout;
    return value <= l->count && text_equal(layout_id(l, value - 1), *(const struct text *)key);
}

uint32_t layout_find(const struct layout *l, struct text id)
{
    if (!l)
        return LAYOUT_NONE;
    uint32_t value = growing_index_find(&l->roll->ids, layout_roll_hash(id), id_same, l, &id);
    return value ? value - 1 : LAYOUT_NONE;
}

uint32_t layout_label(const struct layout *l, struct text label)
{
    return layout_roll_label(l->roll, l->texts_size, label);
}

/* ---- Making ---- */

static void flag_put(struct layout_seat *seat, uint32_t flag, bool on)
{
    seat->flags = on ? seat->flags | flag : seat->flags & ~flag;
}

static void seat_update(struct layout_roll *roll, struct layout_seat *seat, uint32_t columns,
                        const struct seat_image *image)
{
    if (columns & SEAT_COLUMN_SECTION)
        seat->section = layout_roll_add_label(roll, image->section);
    if (columns & SEAT_COLUMN_ROW)
        seat->row = layout_roll_add_label(roll, image->row);
    if (columns & SEAT_COLUMN_NUMBER)
        seat->number = layout_roll_add_label(roll, image->number);
    if (columns & SEAT_COLUMN_TIER)
        seat->tier = layout_roll_add_label(roll, image->tier);
    if (columns & SEAT_COLUMN_X) {
        seat->x_milli = image->x_milli;
        flag_put(seat, LAYOUT_HAS_X, image->has_x);
    }
    if (columns & SEAT_COLUMN_Y) {
        seat->y_milli = image->y_milli;
        flag_put(seat, LAYOUT_HAS_Y, image->has_y);
    }
    if (columns & SEAT_COLUMN_PRICE)
        seat->price = image->price;
    if (columns & SEAT_COLUMN_ACCESSIBLE)
        flag_put(seat, LAYOUT_ACCESSIBLE, image->accessible);
}

static struct layout_seat *seat_add(struct layout *l, struct text id)
{
    struct layout_roll *roll = l->roll;
    ASSERT(roll->count == l->count && l->count < SEATS_MAX); /* only the latest version is added to */
    struct layout_seat *seat = chunked_make(&roll->seats, l->count);
    *seat = (struct layout_seat){.id = layout_roll_add_text(roll, id)};
    growing_index_add(&roll->ids, layout_roll_hash(id), l->count + 1);
    roll->count = ++l->count;
    return seat;
}

static uint64_t digest_text(uint64_t digest, struct text t)
{
    /* The size goes into the key, so that "ab" and "c" differ from "a" and "bc", and none from empty. */
    struct hash_key key = {digest, t.size + (t.at ? 1 : 0)};
    return hash_sip(key, t.at ? t.at : "", t.size);
}

/* Goes on with the seats from `from` on. */
static void digest_make(struct layout *l, uint32_t from)
{
    uint64_t digest = l->chain;
    ASSERT(from <= l->count);
    for (uint32_t i = from; i < l->count; i++) {
        const struct layout_seat *seat = layout_seat(l, i);
        const uint32_t texts[] = {seat->id, seat->section, seat->row, seat->number, seat->tier};
        for (size_t k = 0; k < sizeof(texts) / sizeof(*texts); k++)
            digest = digest_text(digest, layout_text(l, texts[k]));
        int64_t rest[] = {seat->x_milli, seat->y_milli, seat->flags, seat->price};
        digest = hash_sip((struct hash_key){digest, 0}, rest, sizeof(rest));
    }
    /* Kept apart from the digest: it goes on when seats are added. */
    l->chain = digest;
    l->digest = hash_sip((struct hash_key){digest, l->count}, "", 0);
}

void layout_blocks_release(struct layout_blocks *b)
{
    bitset_release(&b->off);
    bitset_release(&b->back);
}

/* The last row that mentions a seat decides. */
static void blocks_add(struct layout_blocks *b, uint32_t seats_most, uint32_t position, bool off)
{
    ASSERT(position < seats_most);
    bitset_grow(&b->off, seats_most); /* both alike: they are walked side by side */
    bitset_grow(&b->back, seats_most);
    bitset_put(&b->off, position, off);
    bitset_put(&b->back, position, !off);
}

/* A list of a row that was replaced stays in the roll; when there is more of that than of seats it is time
 * for a new one. */
static bool roll_is_worn(const struct layout_roll *r)
{
    return r->order_reclaim > 2 * (uint64_t)r->count + 65536;
}

/* Whether the rows can go to the end of the roll of `base`. */
static bool may_share(const struct layout *base, struct bytes_reader rows, uint32_t count)
{
    /* Somebody else has gone on from this version, perhaps in vain: its end is taken. */
    if (base->roll->count != base->count || roll_is_worn(base->roll))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct seat_image image;
        uint32_t columns;
        if (!seat_row_get(&rows, &columns, &image) || layout_find(base, image.id) != LAYOUT_NONE)
            return false;
    }
    return true;
}

/* A roll of its own, with the same seats and texts in the same places. */
static struct layout_roll *roll_copy(const struct layout *base)
{
    struct layout_roll *roll = layout_roll_make();
    const struct layout_roll *from = base->roll;
    chunked_copy(&roll->seats, &from->seats, base->count);
    chunked_copy(&roll->texts, &from->texts, base->texts_size);
    roll->count = base->count;
    roll->texts_size = base->texts_size;
    growing_index_copy(&roll->ids, &from->ids, base->count + 1);
    growing_index_copy(&roll->labels, &from->labels, base->texts_size);
    return roll;
}

/* What the rows are added to: shares the roll of `base`, or has one of its own. */
static struct layout *layout_begin(const struct layout *base, bool share)
{
    struct layout *l = memory_zeroed(1, sizeof(*l));
    atomic_init(&l->references, 1);
    if (!base) {
        l->roll = layout_roll_make();
        return l;
    }
    ASSERT(!share || base->roll->count == base->count);
    l->roll = share ? layout_roll_share(base->roll) : roll_copy(base);
    l->chain = share ? base->chain : 0;
    l->count = base->count;
    growing_index_clear(&l->roll->ids); /* nobody has been reading since the last import */
    growing_index_clear(&l->roll->labels);
    growing_index_clear(&l->roll->rows);
    return l;
}

struct layout *layout_make(const struct layout *base, struct bytes_reader rows, uint32_t count,
                           uint32_t *created, uint32_t *updated, struct layout_blocks *blocks)
{
    *created = *updated = 0;
    *blocks = (struct layout_blocks){0};
    uint64_t seats_most = (uint64_t)(base ? base->count : 0) + count;
    if (seats_most > SEATS_MAX)
        return NULL;
    /* Decided before the first is added: what is put into a shared roll stays there. */
    bool share = base && may_share(base, rows, count);
    struct layout *l = layout_begin(base, share);
    for (uint32_t i = 0; i < count; i++) {
        struct seat_image image;
        uint32_t columns;
        if (!seat_row_get(&rows, &columns, &image) || !layout_roll_has_room(l->roll)) {
            layout_blocks_release(blocks);
            layout_release(l);
            return NULL;
        }
        uint32_t position = layout_find(l, image.id);
        bool fresh = position == LAYOUT_NONE;
        if (fresh)
            position = l->count;
        struct layout_seat *seat = fresh ? seat_add(l, image.id) : chunked_at(&l->roll->seats, position);
        ++*(fresh ? created : updated);
        seat_update(l->roll, seat, columns, &image);
        /* A new seat is not blocked, so only a word to the contrary needs to be kept. */
        if (columns & SEAT_COLUMN_BLOCKED && (image.blocked || !fresh))
            blocks_add(blocks, (uint32_t)seats_most, position, image.blocked);
    }
    ASSERT(*created + *updated == count && l->count == (base ? base->count : 0) + *created);
    ASSERT(l->roll->count == l->count); /* it is the latest version of its roll */
    l->texts_size = l->roll->texts_size;
    digest_make(l, share ? base->count : 0);
    layout_rows_make(l, share ? base : NULL);
    layout_parts_make(l, share ? base : NULL);
    return l;
}

struct layout *layout_share(struct layout *l)
{
    uint32_t before = atomic_fetch_add(&l->references, 1);
    ASSERT(before > 0);
    return l;
}

void layout_release(struct layout *l)
{
    if (!l || atomic_fetch_sub(&l->references, 1) != 1)
        return;
    layout_roll_release(l->roll);
    free(l->rows);
    free(l->front);
    free(l->parts);
    free(l);
}

void layout_seat_image(const struct layout *l, uint32_t position, struct seat_image *out)
{
    ASSERT(position < l->count);
    const struct layout_seat *seat = layout_seat(l, position);
    *out = (struct seat_image){
        .id = layout_text(l, seat->id),
        .section = layout_text(l, seat->section),
        .row = layout_text(l, seat->row),
        .number = layout_text(l, seat->number),
        .tier = layout_text(l, seat->tier),
        .x_milli = seat->x_milli,
        .y_milli = seat->y_milli,
        .has_x = seat->flags & LAYOUT_HAS_X,
        .has_y = seat->flags & LAYOUT_HAS_Y,
        .price = seat->price,
        .accessible = seat->flags & LAYOUT_ACCESSIBLE,
    };
}
