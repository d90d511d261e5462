/* SPDX-License-Identifier: Apache-2.0 */
#include "core/door/nonce.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/state.h"

static struct nonce *nonce_at(const struct state *st, uint32_t handle)
{
    return slab_at(&st->nonces->all, handle);
}

static uint64_t key_hash(const struct nonce_key *key)
{
    return key->nonce[0] ^ key->code[0] * 0x9e3779b97f4a7c15ULL ^ key->code[1] << 14;
}

static uint64_t nonce_hash_of(void *owner, uint32_t handle)
{
    return key_hash(&nonce_at(owner, handle)->key);
}

static bool nonce_same(void *owner, uint32_t handle, const void *key)
{
    return memcmp(&nonce_at(owner, handle)->key, key, sizeof(struct nonce_key)) == 0;
}

void nonces_init(struct state *st)
{
    st->nonces = memory_zeroed(1, sizeof(*st->nonces));
    slab_init(&st->nonces->all, sizeof(struct nonce));
    table_init(&st->nonces->by_key, nonce_hash_of, st);
}

void nonces_release(struct state *st)
{
    for (uint32_t i = st->nonces->first; i; i = nonce_at(st, i - 1)->later)
        text_free(nonce_at(st, i - 1)->gate);
    slab_release(&st->nonces->all);
    table_release(&st->nonces->by_key);
    free(st->nonces);
}

static bool expired(const struct state *st, const struct nonce *n)
{
    return st->now_ms >= n->recorded_ms + NONCE_KEPT_MS;
}

static uint32_t nonce_lookup(const struct state *st, const struct nonce_key *key)
{
    return table_find(&st->nonces->by_key, key_hash(key), nonce_same, key);
}

static bool key_of(struct text code, const uint64_t nonce[2], struct nonce_key *key)
{
    key->nonce[0] = nonce[0];
    key->nonce[1] = nonce[1];
    return (nonce[0] || nonce[1]) && ticket_code_read(code, key->code);
}

const struct nonce *nonce_find(const struct state *st, struct text code, const uint64_t nonce[2])
{
    struct nonce_key key;
    uint32_t handle = key_of(code, nonce, &key) ? nonce_lookup(st, &key) : TABLE_NONE;
    return handle == TABLE_NONE || expired(st, nonce_at(st, handle)) ? NULL : nonce_at(st, handle);
}

static void nonce_drop(struct state *st, uint32_t handle)
{
    struct nonces *all = st->nonces;
    struct nonce *n = nonce_at(st, handle);
    *(n->earlier ? &nonce_at(st, n->earlier - 1)->later : &all->first) = n->later;
    *(n->later ? &nonce_at(st, n->later - 1)->earlier : &all->last) = n->earlier;
    table_remove(&all->by_key, key_hash(&n->key), handle);
    text_free(n->gate);
    slab_give(&all->all, handle);
}

static struct nonce *nonce_add(struct state *st, const struct nonce_key *key, int64_t recorded_ms)
{
    uint32_t handle = slab_take(&st->nonces->all), last = st->nonces->last;
    struct nonce *n = nonce_at(st, handle);
    ASSERT(!last || nonce_at(st, last - 1)->recorded_ms <= recorded_ms);
    n->key = *key;
    n->recorded_ms = recorded_ms;
    n->earlier = last;
    *(last ? &nonce_at(st, last - 1)->later : &st->nonces->first) = handle + 1;
    st->nonces->last = handle + 1;
    table_insert(&st->nonces->by_key, key_hash(key), handle);
    return n;
}

void nonce_note(struct state *st, const struct check_in_image *done, int64_t recorded_ms, uint64_t seq)
{
    struct nonce_key key;
    if (!key_of(done->code, done->nonce, &key))
        return;
    uint32_t handle = nonce_lookup(st, &key);
    if (handle != TABLE_NONE && expired(st, nonce_at(st, handle))) {
        nonce_drop(st, handle);
        handle = TABLE_NONE;
    }
    for (int i = 0; i < 2 && st->nonces->first && expired(st, nonce_at(st, st->nonces->first - 1)); i++)
        nonce_drop(st, st->nonces->first - 1);
    if (handle == TABLE_NONE && done->result == CHECK_IN_UNDONE)
        return; /* of a check-in whose nonce has expired */
    struct nonce *n = handle == TABLE_NONE ? nonce_add(st, &key, recorded_ms) : nonce_at(st, handle);
    struct text gate = text_own(done->gate); /* the image can borrow it */
    text_free(n->gate);
    n->gate = gate;
    n->at_ms = done->at_ms;
    n->seq = seq;
    n->result = (uint8_t)done->result;
}
