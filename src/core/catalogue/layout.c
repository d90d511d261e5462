/* SPDX-License-Identifier: Apache-2.0 */
#include "core/catalogue/layout.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/crypto/hash.h"
#include "base/memory/memory.h"
#include "core/catalogue/allotment.h"
#include "core/catalogue/layout_derived.h"

/* ---- Finding ---- */

static bool id_same(const void *layout, uint32_t value, const void *key)
{
    const struct layout *l = layout;
    return value <= l->count && text_equal(layout_id(l, value - 1), *(const struct text *)key) &&
           !layout_is_gone(l, value - 1);
}

uint32_t layout_gone_before(const struct layout *l, uint32_t position)
{
    uint32_t low = 0, high = l->gone_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (l->gone[middle] < position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t find_hashed(const struct layout *l, struct text id, uint64_t hash)
{
    uint32_t value = growing_index_find(&l->roll->ids, hash, id_same, l, &id);
    return value ? value - 1 : LAYOUT_NONE;
}

uint32_t layout_find(const struct layout *l, struct text id)
{
    return l ? find_hashed(l, id, layout_roll_hash(id)) : LAYOUT_NONE;
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

static struct layout_seat *seat_add(struct layout *l, struct text id, uint64_t hash)
{
    struct layout_roll *roll = l->roll;
    ASSERT(roll->count == l->count && l->count < SEATS_MAX); /* only to the latest version */
    struct layout_seat *seat = chunked_make(&roll->seats, l->count);
    *seat = (struct layout_seat){.id = layout_roll_add_text(roll, id)};
    growing_index_add(&roll->ids, hash, l->count + 1);
    roll->count = ++l->count;
    return seat;
}

static uint64_t digest_text(uint64_t digest, struct text t)
{
    /* The size is part of the key, so that "ab" and "c" differ from "a" and "bc", and none differs from empty. */
    struct hash_key key = {digest, t.size + (t.at ? 1 : 0)};
    return hash_sip(key, t.at ? t.at : "", t.size);
}

/* Continues with the seats from position `from`. */
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
    /* Stored in addition to the digest, to continue when seats are added. */
    l->chain = digest;
    l->digest = hash_sip((struct hash_key){digest, l->count}, l->gone ? (const void *)l->gone : "",
                         l->gone_count * sizeof(*l->gone));
}

void layout_blocks_release(struct layout_blocks *b)
{
    bitset_release(&b->off);
    bitset_release(&b->back);
    bitset_release(&b->allots);
    free(b->allotments);
    for (uint32_t i = 0; i < b->name_count; i++)
        text_free(b->names[i]);
    free(b->names);
    *b = (struct layout_blocks){0};
}

struct text layout_blocks_name(const struct layout_blocks *b, uint32_t position)
{
    ASSERT(bitset_has(&b->allots, position));
    uint32_t name = b->allotments[position];
    ASSERT(name <= b->name_count);
    return name ? b->names[name - 1] : (struct text){0};
}

/* Index + 1 of the name; 0: there are too many. Rows usually come sorted by allotment, so the last one is tried
 * first. */
static uint32_t blocks_name(struct layout_blocks *b, struct text name)
{
    for (uint32_t i = b->name_count; i > 0; i--)
        if (text_equal(b->names[i - 1], name))
            return i;
    if (b->name_count == ALLOTMENTS_MAX)
        return 0;
    b->names = memory_room_counted(b->names, b->name_count, sizeof(*b->names));
    b->names[b->name_count++] = text_own(name);
    return b->name_count;
}

/* False: too many names. */
static bool allots_add(struct layout_blocks *b, uint32_t seats_most, uint32_t position, struct text name)
{
    ASSERT(position < seats_most);
    uint32_t index = name.at ? blocks_name(b, name) : 0;
    if (name.at && !index)
        return false;
    if (!b->allotments)
        b->allotments = memory_zeroed(seats_most, sizeof(*b->allotments));
    bitset_grow(&b->allots, seats_most);
    bitset_put(&b->allots, position, true);
    b->allotments[position] = (uint16_t)index;
    return true;
}

/* The last row that mentions a seat decides. */
static void blocks_add(struct layout_blocks *b, uint32_t seats_most, uint32_t position, bool off)
{
    ASSERT(position < seats_most);
    bitset_grow(&b->off, seats_most); /* both have the same size: they are walked together */
    bitset_grow(&b->back, seats_most);
    bitset_put(&b->off, position, off);
    bitset_put(&b->back, position, !off);
}

/* Replaced lists of rows stay in the roll; when they take more space than the seats, a new roll is made. */
static bool roll_is_fragmented(const struct layout_roll *r)
{
    return r->order_reclaim > 2 * (uint64_t)r->count + 65536;
}

/* Whether the rows can be added to the end of the roll of `base`. */
static bool may_share(const struct layout *base, struct bytes_reader rows, uint32_t count)
{
    /* Another layout was already made from this version, perhaps without being published. */
    if (base->roll->count != base->count || roll_is_fragmented(base->roll))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct seat_image image;
        uint32_t columns;
        if (!seat_row_get(&rows, &columns, &image) || layout_find(base, image.id) != LAYOUT_NONE)
            return false;
    }
    return true;
}

/* A new roll, with the same seats and texts in the same places. */
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

static void gone_set(struct layout *l, const uint32_t *gone, uint32_t count)
{
    ASSERT(!l->gone);
    l->gone = count ? memory_get(count * sizeof(*gone)) : NULL;
    l->gone_count = count;
    if (count)
        memcpy(l->gone, gone, count * sizeof(*gone));
}

/* A layout to add rows to: shares the roll of `base`, or has a copy. */
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
    gone_set(l, base->gone, base->gone_count);
    growing_index_clear(&l->roll->ids); /* no old reader is left since the last import */
    growing_index_clear(&l->roll->labels);
    growing_index_clear(&l->roll->rows);
    return l;
}

/* Computes rows, parts and digest once all seats are added; `base`: whose roll it shares. */
static struct layout *layout_end(struct layout *l, const struct layout *base)
{
    ASSERT(l->roll->count == l->count); /* it is the latest version of its roll */
    ASSERT(!l->gone_count || l->gone[l->gone_count - 1] < l->count);
    l->texts_size = l->roll->texts_size;
    digest_make(l, base ? base->count : 0);
    layout_rows_make(l, base);
    layout_parts_make(l, base);
    return l;
}

/* Rows are read in groups before they are added, so that the cache misses of their index lookups overlap. */
#define ROWS_READ 8

struct row {
    struct seat_image image;
    uint32_t columns;
    uint64_t hash; /* of its id */
};

/* False: damaged. */
static bool row_read(const struct layout *l, struct bytes_reader *rows, struct row *row)
{
    if (!seat_row_get(rows, &row->columns, &row->image) || !allotment_name_sound(row->image.allotment))
        return false;
    row->hash = layout_roll_hash(row->image.id);
    growing_index_prefetch(&l->roll->ids, row->hash);
    return true;
}

/* False: too many. */
static bool row_add(struct layout *l, const struct row *row, uint32_t seats_most, uint32_t *created,
                    uint32_t *updated, struct layout_blocks *blocks)
{
    const struct seat_image *image = &row->image;
    if (!layout_roll_has_room(l->roll))
        return false;
    uint32_t position = find_hashed(l, image->id, row->hash);
    bool fresh = position == LAYOUT_NONE;
    if (fresh)
        position = l->count;
    struct layout_seat *seat =
        fresh ? seat_add(l, image->id, row->hash) : chunked_at(&l->roll->seats, position);
    ++*(fresh ? created : updated);
    seat_update(l->roll, seat, row->columns, image);
    /* A new seat is not blocked by default, so `false` is stored only for existing ones. */
    if (row->columns & SEAT_COLUMN_BLOCKED && (image->blocked || !fresh))
        blocks_add(blocks, seats_most, position, image->blocked);
    return !(row->columns & SEAT_COLUMN_ALLOTMENT && (image->allotment.at || !fresh)) ||
           allots_add(blocks, seats_most, position, image->allotment);
}

/* False: damaged, or too many. */
static bool rows_add(struct layout *l, struct bytes_reader rows, uint32_t count, uint32_t seats_most,
                     uint32_t *created, uint32_t *updated, struct layout_blocks *blocks)
{
    struct row read[ROWS_READ];
    bool fine = true;
    for (uint32_t done = 0; done < count && fine; done += ROWS_READ) {
        uint32_t some = count - done < ROWS_READ ? count - done : ROWS_READ;
        for (uint32_t i = 0; i < some && fine; i++)
            fine = row_read(l, &rows, &read[i]);
        for (uint32_t i = 0; i < some && fine; i++)
            fine = row_add(l, &read[i], seats_most, created, updated, blocks);
    }
    return fine;
}

struct layout *layout_make(const struct layout *base, struct bytes_reader rows, uint32_t count,
                           uint32_t *created, uint32_t *updated, struct layout_blocks *blocks)
{
    *created = *updated = 0;
    *blocks = (struct layout_blocks){0};
    uint64_t seats_most = (uint64_t)(base ? base->count : 0) + count;
    if (seats_most > SEATS_MAX)
        return NULL;
    /* Decided before adding the first row: seats added to a shared roll stay there. */
    bool share = base && may_share(base, rows, count);
    struct layout *l = layout_begin(base, share);
    if (!rows_add(l, rows, count, (uint32_t)seats_most, created, updated, blocks)) {
        layout_blocks_release(blocks);
        layout_release(l);
        return NULL;
    }
    ASSERT(*created + *updated == count && l->count == (base ? base->count : 0) + *created);
    return layout_end(l, share ? base : NULL);
}

struct layout *layout_load(struct bytes_reader rows, uint32_t count, const uint32_t *gone,
                           uint32_t gone_count, struct layout_blocks *blocks)
{
    uint32_t created = 0, updated = 0;
    *blocks = (struct layout_blocks){0};
    struct layout *l = layout_begin(NULL, false);
    /* Before the seats: if two have the same id, the removed one must not be found. */
    gone_set(l, gone, gone_count);
    bool fine = count <= SEATS_MAX;
    if (fine)
        growing_index_reserve(&l->roll->ids, count);
    fine = fine && rows_add(l, rows, count, count, &created, &updated, blocks);
    if (!fine || updated || (gone_count && gone[gone_count - 1] >= count)) {
        layout_blocks_release(blocks);
        layout_release(l);
        return NULL;
    }
    return layout_end(l, NULL);
}

struct layout *layout_without(const struct layout *base, const uint32_t *positions, uint32_t count)
{
    struct layout *l = layout_begin(base, false);
    uint32_t *gone = memory_get(((size_t)base->gone_count + count) * sizeof(*gone)), next = 0;
    for (uint32_t old = 0, new = 0; old < base->gone_count || new < count;) {
        bool first = new == count || (old < base->gone_count && base->gone[old] < positions[new]);
        gone[next++] = first ? base->gone[old++] : positions[new ++];
        ASSERT(next == 1 || gone[next - 2] < gone[next - 1]); /* sorted, without duplicates */
    }
    free(l->gone);
    l->gone = gone;
    l->gone_count = next;
    ASSERT(layout_seats(l) + count == layout_seats(base));
    return layout_end(l, NULL);
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
    free(l->gone);
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
        .removed = layout_is_gone(l, position),
    };
}
