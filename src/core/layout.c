/* SPDX-License-Identifier: Apache-2.0 */
#include "core/layout.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/hash.h"
#include "base/memory.h"
#include "core/layout_parts.h"
#include "core/layout_rows.h"

#define TEXTS_SIZE_MAX 0xf0000000u /* places are 32-bit */
#define TEXTS_SIZE_ROW 2048u       /* more than one row can add */

enum { FLAG_HAS_X = 1, FLAG_HAS_Y = 2, FLAG_ACCESSIBLE = 4 };

static const struct hash_key layout_hash_key = {0x486f6c6466617374, 0x6c61796f75742031};

/* What is needed only while a layout is being made. */
struct maker {
    struct layout *layout;
    uint32_t seat_capacity;
    size_t text_capacity;
};

static uint64_t text_hash(struct text t)
{
    return hash_sip(layout_hash_key, t.at, t.size);
}

struct text layout_text(const struct layout *l, uint32_t place)
{
    if (place == 0)
        return (struct text){0};
    return (struct text){(const char *)l->texts + place + 1, l->texts[place]};
}

static uint32_t text_add(struct maker *m, struct text t)
{
    struct layout *l = m->layout;
    ASSERT(t.size <= UINT8_MAX && l->texts_size < TEXTS_SIZE_MAX);
    if (l->texts_size + t.size + 1 > m->text_capacity) {
        m->text_capacity = m->text_capacity * 2 + 4096;
        l->texts = memory_grow(l->texts, m->text_capacity, 1);
    }
    uint32_t place = l->texts_size;
    l->texts[place] = (uint8_t)t.size;
    memcpy(l->texts + place + 1, t.at, t.size);
    l->texts_size += (uint32_t)t.size + 1;
    return place;
}

/* The slot of a label, or the empty one where it would go. */
static uint32_t *label_slot(const struct layout *l, struct text t)
{
    uint64_t at = text_hash(t) & l->label_mask;
    while (l->labels[at] && !text_equal(layout_text(l, l->labels[at]), t))
        at = (at + 1) & l->label_mask;
    return &l->labels[at];
}

static void labels_grow(struct layout *l)
{
    uint32_t *old = l->labels;
    uint32_t old_mask = l->label_mask;
    l->label_mask = old ? old_mask * 2 + 1 : 255;
    l->labels = memory_zeroed((size_t)l->label_mask + 1, sizeof(*l->labels));
    for (uint32_t i = 0; old && i <= old_mask; i++)
        if (old[i])
            *label_slot(l, layout_text(l, old[i])) = old[i];
    free(old);
}

/* Labels repeat on many seats, so each distinct one is kept once: equal labels have equal places. */
static uint32_t label_place(struct maker *m, struct text t)
{
    struct layout *l = m->layout;
    if (!t.at || t.size == 0)
        return 0;
    if (!l->labels || l->label_count * 2 > l->label_mask)
        labels_grow(l);
    uint32_t *slot = label_slot(l, t);
    if (!*slot) {
        *slot = text_add(m, t);
        l->label_count++;
    }
    return *slot;
}

uint32_t layout_label(const struct layout *l, struct text label)
{
    return l->labels && label.size ? *label_slot(l, label) : 0;
}

uint32_t layout_find(const struct layout *l, struct text id)
{
    if (!l || !l->index)
        return LAYOUT_NONE;
    for (uint64_t at = text_hash(id) & l->index_mask; l->index[at]; at = (at + 1) & l->index_mask)
        if (text_equal(layout_id(l, l->index[at] - 1), id))
            return l->index[at] - 1;
    return LAYOUT_NONE;
}

static void index_insert(struct layout *l, uint32_t position)
{
    uint64_t at = text_hash(layout_id(l, position)) & l->index_mask;
    while (l->index[at])
        at = (at + 1) & l->index_mask;
    l->index[at] = position + 1;
}

/* Sized once for all seats there can be after this import. */
static void index_make(struct layout *l, uint64_t seats_most)
{
    uint64_t size = 64;
    while (size * 3 < seats_most * 4)
        size *= 2;
    l->index_mask = (uint32_t)(size - 1);
    l->index = memory_zeroed(size, sizeof(*l->index));
}

static void copy_base(struct maker *m, const struct layout *base, uint32_t more)
{
    struct layout *l = m->layout;
    m->seat_capacity = (base ? base->count : 0) + more;
    l->seats = memory_zeroed(m->seat_capacity ? m->seat_capacity : 1, sizeof(*l->seats));
    m->text_capacity = (size_t)(base ? base->texts_size : 1) + more * (size_t)12 + 64;
    l->texts = memory_get(m->text_capacity);
    l->texts[0] = 0;
    l->texts_size = 1;
    index_make(l, m->seat_capacity);
    if (!base)
        return;
    l->count = base->count;
    memcpy(l->seats, base->seats, (size_t)base->count * sizeof(*l->seats));
    memcpy(l->texts, base->texts, base->texts_size);
    l->texts_size = base->texts_size;
    for (uint32_t i = 0; i < base->count; i++)
        index_insert(l, i);
    if (base->labels) {
        l->label_mask = base->label_mask;
        l->label_count = base->label_count;
        l->labels =
            (uint32_t *)(void *)memory_copy(base->labels, ((size_t)l->label_mask + 1) * sizeof(*l->labels));
    }
}

static void seat_update(struct maker *m, struct layout_seat *seat, uint32_t columns,
                        const struct seat_image *image)
{
    if (columns & SEAT_COLUMN_SECTION)
        seat->section = label_place(m, image->section);
    if (columns & SEAT_COLUMN_ROW)
        seat->row = label_place(m, image->row);
    if (columns & SEAT_COLUMN_NUMBER)
        seat->number = label_place(m, image->number);
    if (columns & SEAT_COLUMN_TIER)
        seat->tier = label_place(m, image->tier);
    if (columns & SEAT_COLUMN_X) {
        seat->x_milli = image->x_milli;
        seat->flags = (seat->flags & ~(uint32_t)FLAG_HAS_X) | (image->has_x ? FLAG_HAS_X : 0u);
    }
    if (columns & SEAT_COLUMN_Y) {
        seat->y_milli = image->y_milli;
        seat->flags = (seat->flags & ~(uint32_t)FLAG_HAS_Y) | (image->has_y ? FLAG_HAS_Y : 0u);
    }
    if (columns & SEAT_COLUMN_PRICE)
        seat->price = image->price;
    if (columns & SEAT_COLUMN_ACCESSIBLE)
        seat->flags = (seat->flags & ~(uint32_t)FLAG_ACCESSIBLE) | (image->accessible ? FLAG_ACCESSIBLE : 0u);
}

static uint64_t digest_text(uint64_t digest, struct text t)
{
    struct hash_key key = {digest, t.size + (t.at ? 1 : 0)};
    return hash_sip(key, t.at ? t.at : "", t.size);
}

static uint64_t digest_of(const struct layout *l)
{
    uint64_t digest = l->count;
    for (uint32_t i = 0; i < l->count; i++) {
        const struct layout_seat *seat = &l->seats[i];
        digest = digest_text(digest, layout_text(l, seat->id));
        digest = digest_text(digest, layout_text(l, seat->section));
        digest = digest_text(digest, layout_text(l, seat->row));
        digest = digest_text(digest, layout_text(l, seat->number));
        digest = digest_text(digest, layout_text(l, seat->tier));
        int64_t rest[] = {seat->x_milli, seat->y_milli, seat->flags, seat->price};
        digest = hash_sip((struct hash_key){digest, 0}, rest, sizeof(rest));
    }
    return digest;
}

void layout_blocks_release(struct layout_blocks *b)
{
    bitset_release(&b->off);
    bitset_release(&b->back);
}

/* The last row that speaks of a seat has its way. */
static void blocks_add(struct layout_blocks *b, const struct maker *m, uint32_t position, bool off)
{
    bitset_grow(&b->off, m->seat_capacity);
    bitset_grow(&b->back, m->seat_capacity);
    bitset_put(&b->off, position, off);
    bitset_put(&b->back, position, !off);
}

struct layout *layout_make(const struct layout *base, struct bytes_reader rows, uint32_t count,
                           uint32_t *created, uint32_t *updated, struct layout_blocks *blocks)
{
    *created = *updated = 0;
    *blocks = (struct layout_blocks){0};
    if ((uint64_t)(base ? base->count : 0) + count > SEATS_MAX)
        return NULL;
    struct layout *l = memory_zeroed(1, sizeof(*l));
    atomic_init(&l->references, 1);
    struct maker m = {.layout = l};
    copy_base(&m, base, count);
    for (uint32_t i = 0; i < count; i++) {
        struct seat_image image;
        uint32_t columns;
        if (!seat_row_get(&rows, &columns, &image) || l->texts_size > TEXTS_SIZE_MAX - TEXTS_SIZE_ROW) {
            layout_blocks_release(blocks);
            layout_release(l);
            return NULL;
        }
        uint32_t position = layout_find(l, image.id);
        bool fresh = position == LAYOUT_NONE;
        if (fresh) {
            position = l->count++;
            l->seats[position].id = text_add(&m, image.id);
            index_insert(l, position);
            (*created)++;
        } else {
            (*updated)++;
        }
        seat_update(&m, &l->seats[position], columns, &image);
        /* A new seat is not blocked, so only a word to the contrary needs to be kept. */
        if (columns & SEAT_COLUMN_BLOCKED && (image.blocked || !fresh))
            blocks_add(blocks, &m, position, image.blocked);
    }
    l->digest = digest_of(l);
    layout_rows_make(l);
    layout_parts_make(l);
    return l;
}

struct layout *layout_share(struct layout *l)
{
    atomic_fetch_add(&l->references, 1);
    return l;
}

void layout_release(struct layout *l)
{
    if (!l || atomic_fetch_sub(&l->references, 1) != 1)
        return;
    free(l->seats);
    free(l->texts);
    free(l->index);
    free(l->labels);
    free(l->rows);
    free(l->order);
    free(l->row_of);
    free(l->parts);
    free(l);
}

void layout_seat_image(const struct layout *l, uint32_t position, struct seat_image *out)
{
    ASSERT(position < l->count);
    const struct layout_seat *seat = &l->seats[position];
    *out = (struct seat_image){
        .id = layout_text(l, seat->id),
        .section = layout_text(l, seat->section),
        .row = layout_text(l, seat->row),
        .number = layout_text(l, seat->number),
        .tier = layout_text(l, seat->tier),
        .x_milli = seat->x_milli,
        .y_milli = seat->y_milli,
        .has_x = seat->flags & FLAG_HAS_X,
        .has_y = seat->flags & FLAG_HAS_Y,
        .price = seat->price,
        .accessible = seat->flags & FLAG_ACCESSIBLE,
    };
}
