/* SPDX-License-Identifier: Apache-2.0 */
#include "core/claim/user.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/crypto/hash.h"
#include "base/memory/memory.h"
#include "core/claim/reservation.h"
#include "core/state.h"

static struct user *user_at(const struct state *st, uint32_t user)
{
    return slab_at(&st->users, user);
}

struct text user_id(const struct state *st, uint32_t user)
{
    struct user *u = user_at(st, user);
    ASSERT(u->size >= 1 && u->size <= USER_SIZE_MAX);
    return (struct text){u->size > USER_INLINE ? u->large : u->small, u->size};
}

/* Ids come from outside, so the hash is keyed; the key is fixed because core has no randomness. Flooding a
 * bucket would need valid tokens for chosen ids, which the issuer of tokens controls. */
static const struct hash_key user_hash_key = {0x757365722069643a, 0x686f6c6466617374};

static uint64_t id_hash(struct text id)
{
    return hash_sip(user_hash_key, id.at, id.size);
}

static uint64_t user_hash(void *owner, uint32_t handle)
{
    return id_hash(user_id(owner, handle));
}

static bool user_same(void *owner, uint32_t handle, const void *key)
{
    return text_equal(user_id(owner, handle), *(const struct text *)key);
}

static uint64_t pair_hash(uint32_t user, uint32_t event)
{
    uint64_t v = ((uint64_t)event << 32 | user) * 0x9e3779b97f4a7c15ULL;
    return v ^ v >> 29;
}

static struct user_count *count_at(struct state *st, uint32_t handle)
{
    return slab_at(&st->user_counts, handle);
}

static uint64_t count_hash(void *owner, uint32_t handle)
{
    const struct user_count *n = count_at(owner, handle);
    return pair_hash(n->user, n->event);
}

static bool count_same(void *owner, uint32_t handle, const void *key)
{
    const struct user_count *n = count_at(owner, handle);
    const uint32_t *pair = key;
    return n->user == pair[0] && n->event == pair[1];
}

void users_init(struct state *st)
{
    slab_init(&st->users, sizeof(struct user));
    slab_init(&st->user_counts, sizeof(struct user_count));
    table_init(&st->users_by_id, user_hash, st);
    table_init(&st->user_counts_by_pair, count_hash, st);
}

void users_release(struct state *st)
{
    for (uint32_t i = 0; i < st->users.used; i++) {
        struct user *u = user_at(st, i);
        if (u->references && u->size > USER_INLINE)
            free(u->large);
    }
    slab_release(&st->users);
    slab_release(&st->user_counts);
    table_release(&st->users_by_id);
    table_release(&st->user_counts_by_pair);
}

uint32_t user_find(struct state *st, struct text id)
{
    return table_find(&st->users_by_id, id_hash(id), user_same, &id);
}

uint64_t user_prefetch(const struct state *st, struct text id)
{
    uint64_t hash = id_hash(id);
    table_prefetch(&st->users_by_id, hash);
    return hash;
}

void user_prefetch_record(const struct state *st, uint64_t hash)
{
    uint32_t likely = table_likely(&st->users_by_id, hash);
    if (likely != TABLE_NONE)
        memory_prefetch(slab_at(&st->users, likely));
}

void user_prefetch_lists(const struct state *st, uint64_t hash, uint32_t event)
{
    uint32_t likely = table_likely(&st->users_by_id, hash);
    if (likely == TABLE_NONE)
        return;
    const struct user *u = slab_at(&st->users, likely);
    if (u->first)
        memory_prefetch(&reservation_at(st, u->first - 1)->previous);
    table_prefetch(&st->user_counts_by_pair, pair_hash(likely, event));
}

static void set_name(struct user *u, struct text id)
{
    u->size = (uint32_t)id.size;
    if (id.size > USER_INLINE)
        u->large = memory_copy(id.at, id.size);
    else
        memcpy(u->small, id.at, id.size);
}

uint32_t user_take(struct state *st, struct text id)
{
    ASSERT(id.size >= 1 && id.size <= USER_SIZE_MAX);
    uint64_t hash = id_hash(id);
    uint32_t user = table_find(&st->users_by_id, hash, user_same, &id);
    if (user == TABLE_NONE) {
        user = slab_take(&st->users);
        set_name(user_at(st, user), id);
        table_insert(&st->users_by_id, hash, user);
    }
    user_at(st, user)->references++;
    return user;
}

void user_rename(struct state *st, uint32_t user, struct text id)
{
    struct user *u = user_at(st, user);
    ASSERT(id.size >= 1 && id.size <= USER_SIZE_MAX && user_find(st, id) == TABLE_NONE);
    table_remove(&st->users_by_id, user_hash(st, user), user);
    if (u->size > USER_INLINE)
        free(u->large);
    set_name(u, id);
    table_insert(&st->users_by_id, id_hash(id), user);
}

void user_retain(struct state *st, uint32_t user)
{
    ASSERT(user_at(st, user)->references > 0);
    user_at(st, user)->references++;
}

void user_give(struct state *st, uint32_t user)
{
    struct user *u = user_at(st, user);
    ASSERT(u->references > 0);
    if (--u->references)
        return;
    /* Reservations in memory keep a reference, so the user holds nothing any more. */
    ASSERT(!u->first);
    table_remove(&st->users_by_id, user_hash(st, user), user);
    if (u->size > USER_INLINE)
        free(u->large);
    slab_give(&st->users, user);
}

uint32_t user_count_get(struct state *st, uint32_t user, uint32_t event)
{
    uint32_t pair[2] = {user, event};
    uint32_t handle = table_find(&st->user_counts_by_pair, pair_hash(user, event), count_same, pair);
    return handle == TABLE_NONE ? 0 : count_at(st, handle)->count;
}

void user_count_add(struct state *st, uint32_t user, uint32_t event, int64_t difference)
{
    uint32_t pair[2] = {user, event};
    uint64_t hash = pair_hash(user, event);
    uint32_t handle = table_find(&st->user_counts_by_pair, hash, count_same, pair);
    if (handle == TABLE_NONE) {
        ASSERT(difference > 0);
        handle = slab_take(&st->user_counts);
        *count_at(st, handle) = (struct user_count){.user = user, .event = event};
        table_insert(&st->user_counts_by_pair, hash, handle);
        user_retain(st, user); /* the count keeps a reference */
    }
    struct user_count *n = count_at(st, handle);
    ASSERT((int64_t)n->count + difference >= 0);
    n->count = (uint32_t)(n->count + difference);
    /* Users who have nothing take no memory: ids come from outside, and their number is unlimited. */
    if (n->count == 0) {
        table_remove(&st->user_counts_by_pair, hash, handle);
        slab_give(&st->user_counts, handle);
        user_give(st, user);
    }
}
