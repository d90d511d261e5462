/* SPDX-License-Identifier: Apache-2.0 */
#include "core/key.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/crypto/hash.h"
#include "base/memory/memory.h"
#include "core/codec.h"
#include "core/state.h"

/* The first key whose name is not before this one. */
static uint32_t key_place(const struct state *st, struct text name)
{
    uint32_t low = 0, high = st->key_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (text_compare(st->keys[middle].image.name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool key_at(const struct state *st, struct text name, uint32_t *place)
{
    *place = key_place(st, name);
    return *place < st->key_count && text_equal(st->keys[*place].image.name, name);
}

static void key_restore(struct state *st, const struct key_image *image, uint64_t seq)
{
    uint32_t place;
    bool exists = key_at(st, image->name, &place);
    ASSERT(place == 0 || text_compare(st->keys[place - 1].image.name, image->name) < 0);
    if (!exists) {
        st->keys = memory_grow(st->keys, st->key_count + 1u, sizeof(*st->keys));
        memmove(&st->keys[place + 1], &st->keys[place], (st->key_count - place) * sizeof(*st->keys));
        st->key_count++;
    }
    ASSERT(place < st->key_count && (!exists || st->keys[place].seq <= seq));
    struct text name = exists ? st->keys[place].image.name : text_own(image->name);
    if (exists)
        st->removed_seq = seq; /* rotated: a value has ended, or will */
    st->keys[place] = (struct key){.image = *image, .seq = seq};
    st->keys[place].image.name = name;
}

static bool key_forget(struct state *st, struct text name, uint64_t seq)
{
    uint32_t place;
    if (!key_at(st, name, &place))
        return false;
    st->removed_seq = seq;
    text_free(st->keys[place].image.name);
    st->key_count--;
    memmove(&st->keys[place], &st->keys[place + 1], (st->key_count - place) * sizeof(*st->keys));
    return true;
}

void keys_release(struct state *st)
{
    while (st->key_count)
        key_forget(st, st->keys[0].image.name, 0);
    free(st->keys);
}

static void key_save(struct state *st, const struct key_image *image, struct outcome *out)
{
    ASSERT(image->created_at_ms <= st->now_ms);
    st->change.kind = CHANGE_KEY;
    st->change.key = *image;
    out->seq = state_commit(st);
    out->created = true;
}

enum outcome_code key_create(struct state *st, const struct command *c, struct outcome *out)
{
    uint32_t place;
    if (key_at(st, c->key.name, &place)) {
        out->seq = st->keys[place].seq;
        return OUTCOME_EXISTS;
    }
    ASSERT(c->key.role == ROLE_APP || c->key.role == ROLE_DOOR);
    struct key_image image = c->key;
    image.created_at_ms = st->now_ms;
    key_save(st, &image, out);
    return OUTCOME_OK;
}

enum outcome_code key_remove(struct state *st, const struct command *c, struct outcome *out)
{
    uint32_t place;
    if (!key_at(st, c->key.name, &place))
        return OUTCOME_NO_SUCH_KEY;
    st->change.kind = CHANGE_KEY_REMOVED;
    st->change.key = (struct key_image){.name = c->key.name};
    out->seq = state_commit(st);
    return OUTCOME_OK;
}

enum outcome_code key_rotate(struct state *st, const struct command *c, struct outcome *out)
{
    uint32_t place;
    if (!key_at(st, c->key_rotate.name, &place))
        return OUTCOME_NO_SUCH_KEY;
    ASSERT(c->key_rotate.old_valid_s <= OLD_KEY_SECONDS_MAX);
    struct key_image image = st->keys[place].image, before = image;
    memcpy(image.hash, c->key_rotate.hash, sizeof(image.hash));
    /* If two values are valid, the older one ends now: only the current and the previous value are ever valid. */
    memset(image.old_hash, 0, sizeof(image.old_hash));
    image.old_until_ms = 0;
    if (c->key_rotate.old_valid_s) {
        memcpy(image.old_hash, before.hash, sizeof(image.old_hash));
        image.old_until_ms = st->now_ms + c->key_rotate.old_valid_s * 1000LL;
    }
    key_save(st, &image, out);
    out->key = image;
    return OUTCOME_OK;
}

const struct key *state_key_find(const struct state *st, const uint8_t hash[32], int64_t now_ms)
{
    const struct key *found = NULL;
    /* Compares every key, even after a match, so that the time taken reveals nothing about them. */
    for (uint32_t i = 0; i < st->key_count; i++) {
        const struct key_image *k = &st->keys[i].image;
        bool is_new = hash_equal(k->hash, hash, 32), is_old = hash_equal(k->old_hash, hash, 32);
        if (is_new || (is_old && now_ms < k->old_until_ms))
            found = &st->keys[i];
    }
    return found;
}

const struct key *state_key_named(const struct state *st, struct text name)
{
    uint32_t place;
    return key_at(st, name, &place) ? &st->keys[place] : NULL;
}

const struct key *state_key_after(const struct state *st, struct text name)
{
    uint32_t place;
    if (key_at(st, name, &place))
        place++;
    return place < st->key_count ? &st->keys[place] : NULL;
}

/* ---- The change: read change_codec.c before touching its bytes ---- */

/* clang-format off */
#define KEY_FIELDS(X) \
    X(text, name) X(word, role, ROLE_FIRST, ROLE_LAST) X(raw, hash, sizeof(r->hash)) X(signed, created_at_ms)
/* clang-format on */

void key_change_put(struct buf *out, const struct change *c)
{
    const struct key_image *r = &c->key;
    ASSERT(r->name.size >= 1 && r->name.size <= ID_SIZE_MAX);
    KEY_FIELDS(CODEC_PUT)
    bytes_put_signed(out, r->old_until_ms);
    if (r->old_until_ms)
        buf_append(out, r->old_hash, sizeof(r->old_hash));
}

void key_change_get(struct bytes_reader *in, struct change *c)
{
    struct key_image *r = &c->key;
    KEY_FIELDS(CODEC_GET)
    r->old_until_ms = bytes_get_signed(in);
    memset(r->old_hash, 0, sizeof(r->old_hash));
    if (r->old_until_ms)
        codec_get_raw(in, r->old_hash, sizeof(r->old_hash));
}

CHANGE_RESTORE(key, (key_restore(st, &c->key, c->seq), true))
CHANGE_RESTORE(key_removed, key_forget(st, c->key.name, c->seq))
