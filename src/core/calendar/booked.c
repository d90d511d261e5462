/* SPDX-License-Identifier: Apache-2.0 */
#include "core/calendar/booked.h"

#include "base/assertion.h"
#include "core/claim/user.h"
#include "core/state.h"

struct booked_key {
    uint32_t user, calendar;
    int64_t end_ms;
};

static struct booked *booked_at(const struct state *st, uint32_t handle)
{
    return slab_at(&st->booked, handle);
}

static uint64_t key_hash(uint32_t user, uint32_t calendar, int64_t end_ms)
{
    uint64_t v = ((uint64_t)calendar << 32 | user) * 0x9e3779b97f4a7c15ULL ^ (uint64_t)end_ms;
    v = (v ^ v >> 32) * 0xd6e8feb86659fd93ULL;
    return v ^ v >> 29;
}

static uint64_t booked_hash(void *owner, uint32_t handle)
{
    const struct booked *b = booked_at(owner, handle);
    return key_hash(b->user, b->calendar, b->end_ms);
}

static bool booked_same(void *owner, uint32_t handle, const void *key)
{
    const struct booked *b = booked_at(owner, handle);
    const struct booked_key *k = key;
    return b->user == k->user && b->calendar == k->calendar && b->end_ms == k->end_ms;
}

void booked_init(struct state *st)
{
    slab_init(&st->booked, sizeof(struct booked));
    table_init(&st->booked_by_key, booked_hash, st);
}

void booked_release(struct state *st)
{
    slab_release(&st->booked);
    table_release(&st->booked_by_key);
}

static uint32_t booked_find(struct state *st, uint32_t user, uint32_t calendar, int64_t end_ms)
{
    struct booked_key key = {user, calendar, end_ms};
    return table_find(&st->booked_by_key, key_hash(user, calendar, end_ms), booked_same, &key);
}

static uint32_t make(struct state *st, uint32_t user, uint32_t calendar, int64_t end_ms)
{
    uint32_t handle = slab_take(&st->booked);
    *booked_at(st, handle) = (struct booked){.user = user, .calendar = calendar, .end_ms = end_ms};
    table_insert(&st->booked_by_key, key_hash(user, calendar, end_ms), handle);
    return handle;
}

/* Removes a record whose count is 0. */
static void booked_drop(struct state *st, uint32_t handle)
{
    struct booked *b = booked_at(st, handle);
    ASSERT(b->count == 0);
    table_remove(&st->booked_by_key, booked_hash(st, handle), handle);
    if (b->previous)
        booked_at(st, b->previous - 1)->next = b->next;
    if (b->next)
        booked_at(st, b->next - 1)->previous = b->previous;
    slab_give(&st->booked, handle);
}

/* Subtracts from a record and its head, and removes them when they reach 0. */
static void subtract(struct state *st, uint32_t handle, uint32_t count)
{
    struct booked *b = booked_at(st, handle);
    uint32_t user = b->user, head = booked_find(st, user, b->calendar, BOOKED_HEAD);
    ASSERT(b->end_ms != BOOKED_HEAD && b->count >= count && head != TABLE_NONE);
    b->count -= count;
    booked_at(st, head)->count -= count;
    if (b->count == 0)
        booked_drop(st, handle);
    if (booked_at(st, head)->count > 0)
        return;
    ASSERT(!booked_at(st, head)->next);
    booked_drop(st, head);
    user_give(st, user); /* the head's reference */
}

/* Claims that are over must not pile up, and no single claim should be slow because of them. */
static void sweep(struct state *st)
{
    for (uint32_t i = 0; i < BOOKED_SWEEP && st->booked.used; i++) {
        uint32_t handle = st->booked_swept++ % st->booked.used;
        const struct booked *b = booked_at(st, handle);
        if (b->count && b->end_ms != BOOKED_HEAD && b->end_ms <= st->now_ms)
            subtract(st, handle, b->count);
    }
}

void booked_add(struct state *st, uint32_t user, uint32_t calendar, int64_t end_ms)
{
    ASSERT(end_ms != BOOKED_HEAD);
    sweep(st);
    if (end_ms <= st->now_ms)
        return;
    uint32_t head = booked_find(st, user, calendar, BOOKED_HEAD);
    if (head == TABLE_NONE) {
        head = make(st, user, calendar, BOOKED_HEAD);
        user_retain(st, user);
    }
    uint32_t handle = booked_find(st, user, calendar, end_ms);
    if (handle == TABLE_NONE) {
        handle = make(st, user, calendar, end_ms);
        struct booked *b = booked_at(st, handle), *first = booked_at(st, head);
        b->next = first->next;
        b->previous = head + 1;
        if (b->next)
            booked_at(st, b->next - 1)->previous = handle + 1;
        first->next = handle + 1;
    }
    booked_at(st, handle)->count++;
    booked_at(st, head)->count++;
}

void booked_remove(struct state *st, uint32_t user, uint32_t calendar, int64_t end_ms)
{
    uint32_t handle = booked_find(st, user, calendar, end_ms);
    ASSERT(handle != TABLE_NONE || end_ms <= st->now_ms);
    if (handle != TABLE_NONE)
        subtract(st, handle, 1);
}

uint32_t booked_count(struct state *st, uint32_t user, uint32_t calendar)
{
    uint32_t head = booked_find(st, user, calendar, BOOKED_HEAD), count = 0;
    uint32_t next = head == TABLE_NONE ? 0 : booked_at(st, head)->next;
    while (next) {
        uint32_t handle = next - 1;
        const struct booked *b = booked_at(st, handle);
        ASSERT(b->count > 0 && b->user == user && b->calendar == calendar);
        next = b->next; /* read first: a record that is over is removed, and the head with the last of them */
        if (b->end_ms > st->now_ms)
            count += b->count;
        else
            subtract(st, handle, b->count);
    }
    return count;
}
