/* SPDX-License-Identifier: Apache-2.0 */
#include "core/hook/hook_queue.h"

#include "base/assertion.h"
#include "core/state.h"

struct hook_waiting *hook_waiting_at(const struct state *st, uint32_t handle)
{
    return slab_at(&st->hooks.messages, handle);
}

struct hook *hook_find_number(struct state *st, uint64_t number)
{
    for (uint32_t i = 0; i < st->hooks.count; i++)
        if (st->hooks.all[i]->image.number == number)
            return st->hooks.all[i];
    return NULL;
}

/* ---- Indexes ---- */

struct message_name {
    uint64_t hook, seq;
    uint32_t ordinal;
};
struct line_name {
    uint64_t hook;
    struct id reservation;
};

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t h = (a ^ (b << 32 | b >> 32)) * 0x9e3779b97f4a7c15ULL;
    return h ^ h >> 29;
}

static uint64_t name_hash(struct message_name n)
{
    return mix(mix(n.seq, n.hook), n.ordinal);
}

static uint64_t line_hash(struct line_name n)
{
    return mix(mix(n.reservation.low, n.hook), n.reservation.high);
}

static struct message_name name_of(const struct hook_waiting *w)
{
    return (struct message_name){w->hook, w->message.seq, w->message.ordinal};
}

static struct line_name line_of(const struct hook_waiting *w)
{
    return (struct line_name){w->hook, w->message.reservation};
}

static uint64_t hash_of_name(void *owner, uint32_t handle)
{
    return name_hash(name_of(hook_waiting_at(owner, handle)));
}

static uint64_t hash_of_line(void *owner, uint32_t handle)
{
    return line_hash(line_of(hook_waiting_at(owner, handle)));
}

static bool same_name(void *owner, uint32_t handle, const void *key)
{
    const struct message_name a = name_of(hook_waiting_at(owner, handle)), *b = key;
    return a.hook == b->hook && a.seq == b->seq && a.ordinal == b->ordinal;
}

static bool same_line(void *owner, uint32_t handle, const void *key)
{
    const struct line_name a = line_of(hook_waiting_at(owner, handle)), *b = key;
    return a.hook == b->hook && id_equal(a.reservation, b->reservation);
}

static void due_placed(void *owner, uint64_t handle, uint32_t place)
{
    hook_waiting_at(owner, (uint32_t)handle)->place = place;
}

void hook_queue_init(struct state *st)
{
    slab_init(&st->hooks.messages, sizeof(struct hook_waiting));
    table_init(&st->hooks.by_name, hash_of_name, st);
    table_init(&st->hooks.by_line, hash_of_line, st);
}

void hook_queue_release(struct state *st)
{
    slab_release(&st->hooks.messages);
    table_release(&st->hooks.by_name);
    table_release(&st->hooks.by_line);
}

uint32_t hook_waiting_find(const struct state *st, uint64_t hook, uint64_t seq, uint32_t ordinal)
{
    struct message_name name = {hook, seq, ordinal};
    return table_find(&st->hooks.by_name, name_hash(name), same_name, &name);
}

uint32_t hook_line_find(const struct state *st, uint64_t hook, struct id reservation)
{
    struct line_name name = {hook, reservation};
    return table_find(&st->hooks.by_line, line_hash(name), same_line, &name);
}

/* ---- Adding and removing ---- */

/* Makes it the first of its line. */
static void line_begin(struct state *st, struct hook *h, uint32_t handle, uint32_t last, int64_t due_ms)
{
    struct hook_waiting *w = hook_waiting_at(st, handle);
    ASSERT(w->place == HEAP_NONE && !w->last && last);
    w->last = last;
    table_insert(&st->hooks.by_line, line_hash(line_of(w)), handle);
    heap_push(&h->due, due_ms, handle);
}

void hook_waiting_add(struct state *st, struct hook *h, const struct hook_message *message)
{
    uint32_t first = hook_line_find(st, h->image.number, message->reservation);
    if (!h->due.owner)
        heap_init(&h->due, due_placed, st);
    uint32_t handle = slab_take(&st->hooks.messages);
    struct hook_waiting *w = hook_waiting_at(st, handle);
    *w = (struct hook_waiting){
        .message = *message, .hook = h->image.number, .older = h->newest, .place = HEAP_NONE};
    if (h->newest)
        hook_waiting_at(st, h->newest - 1)->newer = handle + 1;
    else
        h->oldest = handle + 1;
    h->newest = handle + 1;
    h->waiting++;
    table_insert(&st->hooks.by_name, name_hash(name_of(w)), handle);
    if (first == TABLE_NONE) {
        line_begin(st, h, handle, handle + 1, message->since_ms);
        return;
    }
    struct hook_waiting *head = hook_waiting_at(st, first);
    ASSERT(head->last && !hook_waiting_at(st, head->last - 1)->behind);
    hook_waiting_at(st, head->last - 1)->behind = handle + 1;
    head->last = handle + 1;
}

/* Takes it out of its line: if it was the first, the next one is due at once. */
static void line_leave(struct state *st, struct hook *h, uint32_t handle)
{
    struct hook_waiting *w = hook_waiting_at(st, handle);
    uint32_t first = hook_line_find(st, w->hook, w->message.reservation);
    ASSERT(first != TABLE_NONE);
    if (first == handle) {
        uint32_t last = w->last;
        if (w->place != HEAP_NONE)
            heap_remove(&h->due, w->place);
        table_remove(&st->hooks.by_line, line_hash(line_of(w)), handle);
        if (w->behind)
            line_begin(st, h, w->behind - 1, last, st->now_ms);
        return;
    }
    uint32_t before = first;
    while (hook_waiting_at(st, before)->behind != handle + 1) {
        ASSERT(hook_waiting_at(st, before)->behind); /* it is in this line */
        before = hook_waiting_at(st, before)->behind - 1;
    }
    hook_waiting_at(st, before)->behind = w->behind;
    if (!w->behind)
        hook_waiting_at(st, first)->last = before + 1;
}

void hook_waiting_remove(struct state *st, struct hook *h, uint32_t handle)
{
    struct hook_waiting *w = hook_waiting_at(st, handle);
    ASSERT(w->hook == h->image.number && h->waiting);
    line_leave(st, h, handle);
    if (w->older)
        hook_waiting_at(st, w->older - 1)->newer = w->newer;
    else
        h->oldest = w->newer;
    if (w->newer)
        hook_waiting_at(st, w->newer - 1)->older = w->older;
    else
        h->newest = w->older;
    h->waiting--;
    table_remove(&st->hooks.by_name, name_hash(name_of(w)), handle);
    slab_give(&st->hooks.messages, handle);
    ASSERT(!h->waiting == !h->oldest && !h->oldest == !h->newest);
}

uint32_t hook_waiting_clear(struct state *st, struct hook *h, uint32_t most)
{
    uint32_t done = 0;
    heap_release(&h->due); /* none of them is due any more */
    for (; h->oldest && done < most; done++) {
        uint32_t handle = h->oldest - 1;
        struct hook_waiting *w = hook_waiting_at(st, handle);
        if (w->last)
            table_remove(&st->hooks.by_line, line_hash(line_of(w)), handle);
        table_remove(&st->hooks.by_name, name_hash(name_of(w)), handle);
        h->oldest = w->newer;
        h->waiting--;
        slab_give(&st->hooks.messages, handle);
    }
    ASSERT(!h->waiting == !h->oldest);
    return done;
}

void hook_waiting_again(struct state *st, struct hook *h, uint32_t handle, int64_t at_ms)
{
    struct hook_waiting *w = hook_waiting_at(st, handle);
    ASSERT(w->last); /* only the first of a line is tried */
    if (w->place == HEAP_NONE)
        heap_push(&h->due, at_ms, handle);
    else
        heap_change(&h->due, w->place, at_ms);
}
