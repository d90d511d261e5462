/* SPDX-License-Identifier: Apache-2.0 */
#include "core/catalogue/layout_roll.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/crypto/hash.h"
#include "base/memory/memory.h"
#include "core/catalogue/layout.h"

#define TEXTS_SIZE_MAX 0xf0000000u /* places are 32-bit */
#define TEXTS_SIZE_ROW 4096u       /* more than one seat can add, including gaps */
#define ORDER_BLOCK_FIRST 16u
#define ORDER_BLOCK_MOST 65536u

static const struct hash_key layout_hash_key = {0x486f6c6466617374, 0x6c61796f75742031};

struct order_block {
    struct order_block *next;
    uint32_t used, capacity;
    uint32_t seats[];
};

struct layout_roll *layout_roll_make(void)
{
    struct layout_roll *r = memory_zeroed(1, sizeof(*r));
    atomic_init(&r->references, 1);
    chunked_init(&r->seats, sizeof(struct layout_seat));
    chunked_init(&r->row_of, sizeof(uint32_t));
    chunked_init(&r->texts, 1);
    r->texts_size = 1;
    growing_index_init(&r->ids);
    growing_index_init(&r->labels);
    growing_index_init(&r->rows);
    return r;
}

struct layout_roll *layout_roll_share(struct layout_roll *r)
{
    uint32_t before = atomic_fetch_add(&r->references, 1);
    ASSERT(before > 0);
    return r;
}

void layout_roll_release(struct layout_roll *r)
{
    if (!r || atomic_fetch_sub(&r->references, 1) != 1)
        return;
    chunked_release(&r->seats);
    chunked_release(&r->row_of);
    chunked_release(&r->texts);
    growing_index_release(&r->ids);
    growing_index_release(&r->labels);
    growing_index_release(&r->rows);
    for (struct order_block *b = r->orders, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(r);
}

uint64_t layout_roll_hash(struct text t)
{
    return hash_sip(layout_hash_key, t.at, t.size);
}

/* ---- Texts ---- */

bool layout_roll_has_room(const struct layout_roll *r)
{
    return r->texts_size <= TEXTS_SIZE_MAX - TEXTS_SIZE_ROW;
}

uint32_t layout_roll_add_text(struct layout_roll *r, struct text t)
{
    ASSERT(t.size <= UINT8_MAX && r->texts_size < TEXTS_SIZE_MAX);
    while (chunked_left(r->texts_size) < t.size + 1) /* contiguous */
        r->texts_size += (uint32_t)chunked_left(r->texts_size);
    uint32_t place = r->texts_size;
    ASSERT(place > 0); /* 0 means no text */
    uint8_t *at = chunked_make(&r->texts, place);
    *at = (uint8_t)t.size;
    memcpy(at + 1, t.at, t.size);
    r->texts_size += (uint32_t)t.size + 1;
    return place;
}

struct label_key {
    struct text text;
    uint32_t texts_size;
};

static bool label_same(const void *roll, uint32_t place, const void *key)
{
    const struct label_key *k = key;
    return place < k->texts_size && text_equal(layout_roll_text(roll, place), k->text);
}

uint32_t layout_roll_label(const struct layout_roll *r, uint32_t texts_size, struct text t)
{
    struct label_key key = {t, texts_size};
    return t.size ? growing_index_find(&r->labels, layout_roll_hash(t), label_same, r, &key) : 0;
}

uint32_t layout_roll_add_label(struct layout_roll *r, struct text t)
{
    if (!t.at || t.size == 0)
        return 0;
    uint32_t place = layout_roll_label(r, r->texts_size, t);
    if (!place) {
        place = layout_roll_add_text(r, t);
        growing_index_add(&r->labels, layout_roll_hash(t), place);
    }
    return place;
}

/* ---- Lists ---- */

uint32_t *layout_roll_order(struct layout_roll *r, uint32_t count)
{
    struct order_block *b = r->orders;
    ASSERT(count > 0);
    if (!b || b->capacity - b->used < count) {
        /* The rest of the previous block stays unused: a list must be contiguous. */
        uint32_t capacity = b ? b->capacity * 2 : ORDER_BLOCK_FIRST;
        capacity = capacity < ORDER_BLOCK_MOST ? capacity : ORDER_BLOCK_MOST;
        capacity = capacity > count ? capacity : count;
        b = memory_get(sizeof(*b) + (size_t)capacity * sizeof(b->seats[0]));
        *b = (struct order_block){.next = r->orders, .capacity = capacity};
        r->orders = b;
    }
    uint32_t *seats = b->seats + b->used;
    b->used += count;
    return seats;
}
