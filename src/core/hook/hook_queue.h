/* SPDX-License-Identifier: Apache-2.0 */
/* hook_queue.h — the messages that hooks have not received yet, in order.
 *
 * The messages of one reservation, or ride, to one hook form a line. Its first message is in the hook's heap of due
 * ones, or taken: it is being sent.
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
    struct hook *next;       /* among those being removed */
};

struct hook_waiting {
    struct hook_message message;
    uint64_t hook;         /* number */
    uint32_t older, newer; /* of the same hook, handle + 1 */
    uint32_t behind;       /* the next of its line, handle + 1 */
    uint32_t last;         /* if it is the first of its line: the last, handle + 1; otherwise 0 */
    uint32_t place;        /* in the heap of due ones; HEAP_NONE: not the first, or taken */
    uint16_t attempts;     /* that failed */
};

/* All of them: part of the state. */
struct hooks {
    struct hook **all; /* sorted by name */
    uint32_t count;
    struct hook *leaving; /* removed hooks whose messages are dropped in slices; linked by `next` */
    uint32_t wanted;      /* HOOK_BIT of each event that any hook wants */
    uint64_t seq;         /* of the last change of any hook */
    struct slab messages;
    struct table by_name, by_line;
    struct heap warnings;     /* holds by the time of their warning, if any hook wants it */
    uint32_t swept;           /* reservations before this one are in `warnings`: see state_warn */
    uint64_t delivered, dead; /* since start */
    uint64_t failed;          /* attempts, since start */
    struct hook_message taken[HOOK_TAKE_MAX]; /* what an outcome points to */
};

struct hook_waiting *hook_waiting_at(const struct state *st, uint32_t handle);
struct hook *hook_find_number(struct state *st, uint64_t number); /* or NULL */
/* A message of this hook, or TABLE_NONE. */
uint32_t hook_waiting_find(const struct state *st, uint64_t hook, uint64_t seq, uint32_t ordinal);
/* The first of its line, or TABLE_NONE. */
uint32_t hook_line_find(const struct state *st, uint64_t hook, struct id reservation);
/* Adds a message that does not wait yet. The index is not searched for it, because every sale adds one for each
 * hook. */
void hook_waiting_add(struct state *st, struct hook *h, const struct hook_message *message);
void hook_waiting_remove(struct state *st, struct hook *h, uint32_t handle);
/* Drops up to `most`, the oldest first; returns how many. None of them may be looked up afterwards. */
uint32_t hook_waiting_clear(struct state *st, struct hook *h, uint32_t most);
/* It failed: due again at this instant. */
void hook_waiting_again(struct state *st, struct hook *h, uint32_t handle, int64_t at_ms);
void hook_queue_init(struct state *st);
void hook_queue_release(struct state *st);

#endif
