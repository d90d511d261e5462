/* SPDX-License-Identifier: Apache-2.0 */
/* hook_queue.h — what hooks have not been told yet: the messages of each, in order.
 *
 * Messages of one reservation, or ride, to one hook form a line, of which the first is in the hook's heap of due ones, or is
 * taken: somebody is sending it.
 */
#ifndef CORE_HOOK_QUEUE_H
#define CORE_HOOK_QUEUE_H

#include "base/memory/heap.h"
#include "base/memory/slab.h"
#include "base/memory/table.h"
#include "core/hook/hook.h"

struct state;

struct hook {
    struct hook_image image; /* texts are owned */

    /* derived */
    uint64_t seq;    /* of its last change */
    struct heap due; /* a handle is the message's */
    uint32_t waiting;
    uint32_t oldest, newest; /* handle + 1 */
    struct hook *next;       /* of those that leave */
};

struct hook_waiting {
    struct hook_message message;
    uint64_t hook;         /* number */
    uint32_t older, newer; /* of the same hook, handle + 1 */
    uint32_t behind;       /* the next of its line, handle + 1 */
    uint32_t last;         /* of the first of a line: the last of it, handle + 1; otherwise 0 */
    uint32_t place;        /* in the heap of due ones; HEAP_NONE: not the first, or taken */
    uint16_t attempts;     /* that failed */
};

/* All of them: a part of the state. */
struct hooks {
    struct hook **all; /* in the order of names */
    uint32_t count;
    struct hook *leaving; /* removed, with messages that are let go of in slices; linked by `next` */
    uint32_t wanted;      /* HOOK_BIT of what any of them wants */
    uint64_t seq;         /* of the last change of one */
    struct slab messages;
    struct table by_name, by_line;
    struct heap warnings;     /* holds by when they are about to expire, if anybody wants to know */
    uint32_t swept;           /* reservations before this one are in it: see state_warn */
    uint64_t delivered, dead; /* since start */
    struct hook_message taken[HOOK_TAKE_MAX]; /* what an outcome points to */
};

struct hook_waiting *hook_waiting_at(const struct state *st, uint32_t handle);
struct hook *hook_find_number(struct state *st, uint64_t number); /* or NULL */
/* A message of this hook, or TABLE_NONE. */
uint32_t hook_waiting_find(const struct state *st, uint64_t hook, uint64_t seq, uint32_t ordinal);
/* The first of its line, or TABLE_NONE. */
uint32_t hook_line_find(const struct state *st, uint64_t hook, struct id reservation);
/* One that does not wait yet: by its name nobody has looked here, because every sale adds one for each hook. */
void hook_waiting_add(struct state *st, struct hook *h, const struct hook_message *message);
void hook_waiting_remove(struct state *st, struct hook *h, uint32_t handle);
/* Lets go of up to so many, the oldest first; returns how many. Nobody may look for any of them afterwards. */
uint32_t hook_waiting_clear(struct state *st, struct hook *h, uint32_t most);
/* It failed: due again at this instant. */
void hook_waiting_again(struct state *st, struct hook *h, uint32_t handle, int64_t at_ms);
void hook_queue_init(struct state *st);
void hook_queue_release(struct state *st);

#endif
