/* SPDX-License-Identifier: Apache-2.0 */
#include "core/claim/idempotency.h"

#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/codec.h"
#include "core/state.h"

#define FILTER_SIZE ((size_t)1 << (IDEMPOTENCY_FILTER_BITS - 3))
#define FILTER_MASK ((1u << IDEMPOTENCY_FILTER_BITS) - 1)

static struct idempotency_entry *entry_at(struct idempotency *i, uint32_t handle)
{
    return slab_at(&i->entries, handle);
}

static uint64_t entry_hash(void *owner, uint32_t handle)
{
    return entry_at(owner, handle)->image.key[0];
}

static bool entry_same(void *owner, uint32_t handle, const void *key)
{
    return memcmp(entry_at(owner, handle)->image.key, key, 16) == 0;
}

void idempotency_init(struct idempotency *i)
{
    *i = (struct idempotency){0};
    slab_init(&i->entries, sizeof(struct idempotency_entry));
    table_init(&i->by_key, entry_hash, i);
}

void idempotency_release(struct idempotency *i)
{
    slab_release(&i->entries);
    table_release(&i->by_key);
    free(i->queue);
    free(i->filters[0]);
    free(i->filters[1]);
}

/* A key is itself a hash, so its words serve as the filter's four hashes. */
static uint32_t filter_bit(const uint64_t key[2], int k)
{
    return (uint32_t)(key[k / 2] >> (k % 2 * 32)) & FILTER_MASK;
}

static bool filter_has(const uint8_t *filter, const uint64_t key[2])
{
    for (int k = 0; filter && k < 4; k++) {
        uint32_t bit = filter_bit(key, k);
        if (!(filter[bit / 8] & 1 << bit % 8))
            return false;
    }
    return filter != NULL;
}

static void filter_add(struct idempotency *i, const struct idempotency_image *image)
{
    if (!i->filters[0] || image->at_ms >= i->filter_since_ms + IDEMPOTENCY_KEEP_MS) {
        /* Nothing can be removed from a filter; the older one is dropped when all its keys are too old. */
        free(i->filters[1]);
        i->filters[1] = i->filters[0];
        i->filters[0] = memory_zeroed(FILTER_SIZE, 1);
        i->filter_since_ms = image->at_ms;
    }
    for (int k = 0; k < 4; k++) {
        uint32_t bit = filter_bit(image->key, k);
        i->filters[0][bit / 8] |= (uint8_t)(1 << bit % 8);
    }
}

enum idempotency_finding idempotency_find(struct idempotency *i, const uint64_t key[2], int64_t now_ms,
                                          struct idempotency_entry *out)
{
    uint32_t handle = table_find(&i->by_key, key[0], entry_same, key);
    if (handle != TABLE_NONE) {
        /* An entry that is too old counts as new, whether or not it was dropped yet. */
        *out = *entry_at(i, handle);
        return now_ms < out->image.at_ms + IDEMPOTENCY_KEEP_MS ? IDEMPOTENCY_FOUND : IDEMPOTENCY_NEW;
    }
    /* A filter can wrongly say "perhaps", which costs a read of the book; a wrong "new" would sell twice. */
    return filter_has(i->filters[0], key) || filter_has(i->filters[1], key) ? IDEMPOTENCY_PERHAPS
                                                                            : IDEMPOTENCY_NEW;
}

static void queue_push(struct idempotency *i, uint32_t handle)
{
    i->queue = memory_room_ring(i->queue, i->queue_count, &i->queue_capacity, 64, sizeof(*i->queue));
    i->queue[(i->queue_first + i->queue_count++) & (i->queue_capacity - 1)] = handle;
}

void idempotency_add(struct idempotency *i, const struct idempotency_image *image, uint64_t seq)
{
    uint32_t handle = table_find(&i->by_key, image->key[0], entry_same, image->key);
    if (handle == TABLE_NONE) {
        handle = slab_take(&i->entries);
        entry_at(i, handle)->image = *image;
        table_insert(&i->by_key, image->key[0], handle);
        queue_push(i, handle);
    }
    entry_at(i, handle)->image = *image; /* an old one is replaced, and keeps its place in the ring */
    entry_at(i, handle)->seq = seq;
    ASSERT(i->queue_count == i->entries.count && i->by_key.count == i->entries.count);
}

uint32_t idempotency_forget(struct idempotency *i, uint64_t book_seq, int64_t now_ms, uint32_t most)
{
    uint32_t done = 0;
    for (; done < most && i->queue_count; done++) {
        uint32_t handle = i->queue[i->queue_first];
        struct idempotency_entry *e = entry_at(i, handle);
        bool old = now_ms >= e->image.at_ms + IDEMPOTENCY_KEEP_MS;
        /* Stops at the first entry that must stay: later ones in the ring are newer. */
        if (e->seq > book_seq || (!old && i->queue_count <= IDEMPOTENCY_EXACT))
            break;
        if (!old)
            filter_add(i, &e->image);
        table_remove(&i->by_key, e->image.key[0], handle);
        slab_give(&i->entries, handle);
        i->queue_first = (i->queue_first + 1) & (i->queue_capacity - 1);
        i->queue_count--;
        ASSERT(i->queue_count == i->entries.count && i->queue_count == i->by_key.count);
    }
    return done;
}

/* ---- Commands ---- */

enum outcome_code idempotency_seen(struct state *st, const struct command *c, struct outcome *out, bool *seen,
                                   struct id *made)
{
    struct idempotency_entry entry;
    enum idempotency_finding finding =
        c->idempotent ? idempotency_find(&st->idempotency, c->idempotency_key, st->now_ms, &entry)
                      : IDEMPOTENCY_NEW;
    ASSERT(!c->idempotent || c->kind == COMMAND_HOLD || c->kind == COMMAND_ITEMS_ADD ||
           c->kind == COMMAND_QUEUE_JOIN || c->kind == COMMAND_LIST_JOIN || c->kind == COMMAND_TRANSFER ||
           c->kind == COMMAND_RIDE_NEW);
    *seen = finding == IDEMPOTENCY_FOUND;
    if (finding == IDEMPOTENCY_PERHAPS && !c->idempotency_checked) {
        /* The store looks in the book, and tries again with the entry in memory or with idempotency_checked. */
        struct record_key key = {.kind = FETCH_IDEMPOTENCY,
                                 .idempotency = {c->idempotency_key[0], c->idempotency_key[1]}};
        return outcome_lacks(out, &key);
    }
    if (!*seen)
        return OUTCOME_OK;
    *made = entry.image.made;
    state_saw(out, entry.seq);
    /* A different request with the same key is a bug in the client, and must not look like a success. */
    if (memcmp(entry.image.body, c->idempotency_body, sizeof(entry.image.body)) != 0)
        return OUTCOME_IDEMPOTENCY_KEY_REUSED;
    out->replayed = true;
    out->http_status = entry.image.http_status;
    return OUTCOME_OK;
}

void idempotency_remember(struct state *st, const struct command *c, enum made_kind kind, struct id made)
{
    if (!c->idempotent)
        return;
    ASSERT(!id_none(made) && st->change_count > 0); /* the record it created comes first, in the same batch */
    st->change.kind = CHANGE_IDEMPOTENCY;
    st->change.idempotency =
        (struct idempotency_image){.key = {c->idempotency_key[0], c->idempotency_key[1]},
                                   .body = {c->idempotency_body[0], c->idempotency_body[1]},
                                   .made_kind = kind,
                                   .made = made,
                                   .http_status = c->kind == COMMAND_TRANSFER ? 200 : 201,
                                   .at_ms = st->now_ms};
    idempotency_add(&st->idempotency, &st->change.idempotency, state_emit(st));
}

/* ---- The change: read change_codec.c before touching its bytes ---- */

/* clang-format off */
#define IDEMPOTENCY_FIELDS(X) \
    X(fixed, key[0]) X(fixed, key[1]) X(fixed, body[0]) X(fixed, body[1]) \
    X(word, made_kind, MADE_RESERVATION, MADE_RIDE) X(id, made) X(u32, http_status, 599) X(signed, at_ms)
/* clang-format on */

CHANGE_CODEC(idempotency, idempotency, IDEMPOTENCY_FIELDS)
CHANGE_RESTORE(idempotency, (idempotency_add(&st->idempotency, &c->idempotency, c->seq), true))
