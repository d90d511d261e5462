/* SPDX-License-Identifier: Apache-2.0 */
#include "store/handoff.h"

#include "base/assertion.h"

#define BUFFER_MAX (2 * HANDOFF_PIECE_MAX)
_Static_assert(HANDOFF_PIECE < HANDOFF_PIECE_MAX, "a piece may grow while the consumer is busy");

void handoff_init(struct handoff *b)
{
    *b = (struct handoff){.due = HANDOFF_PIECE};
    pthread_mutex_init(&b->mutex, NULL);
    pthread_cond_init(&b->moved, NULL);
    buf_init(&b->filling, BUFFER_MAX);
    buf_init(&b->carried, BUFFER_MAX);
    buf_init(&b->using, BUFFER_MAX);
}

void handoff_release(struct handoff *b)
{
    pthread_mutex_destroy(&b->mutex);
    pthread_cond_destroy(&b->moved);
    buf_release(&b->filling);
    buf_release(&b->carried);
    buf_release(&b->using);
}

static void swap(struct buf *a, struct buf *b)
{
    struct buf c = *a;
    *a = *b;
    *b = c;
}

static bool handoff_send(struct handoff *b)
{
    pthread_mutex_lock(&b->mutex);
    ASSERT(!b->ended); /* the consumer may be gone */
    /* One piece may wait. The producer is never further ahead, so memory is bounded. */
    while (b->carried.size && !b->broken)
        pthread_cond_wait(&b->moved, &b->mutex);
    bool broken = b->broken;
    ASSERT(broken || !b->carried.size);
    if (!broken)
        swap(&b->filling, &b->carried);
    pthread_cond_broadcast(&b->moved);
    pthread_mutex_unlock(&b->mutex);
    buf_clear(&b->filling);
    b->due = HANDOFF_PIECE;
    return !broken;
}

static bool has_room(struct handoff *b)
{
    pthread_mutex_lock(&b->mutex);
    bool room = !b->carried.size || b->broken;
    pthread_mutex_unlock(&b->mutex);
    return room;
}

bool handoff_offer(struct handoff *b)
{
    if (b->filling.size < b->due)
        return true;
    if (b->filling.size < HANDOFF_PIECE_MAX && !has_room(b)) {
        b->due = b->filling.size + HANDOFF_PIECE;
        return true;
    }
    return handoff_send(b);
}

bool handoff_drain(struct handoff *b)
{
    bool sent = handoff_send(b);
    pthread_mutex_lock(&b->mutex);
    /* Taken is not enough: the consumer must have finished the last piece. */
    while ((b->carried.size || !b->idle) && !b->broken)
        pthread_cond_wait(&b->moved, &b->mutex);
    pthread_mutex_unlock(&b->mutex);
    return sent;
}

void handoff_end(struct handoff *b)
{
    pthread_mutex_lock(&b->mutex);
    ASSERT(!b->ended && (b->broken || (!b->carried.size && !b->filling.size))); /* drained before */
    b->ended = true;
    pthread_cond_broadcast(&b->moved);
    pthread_mutex_unlock(&b->mutex);
}

bool handoff_take(struct handoff *b)
{
    buf_clear(&b->using);
    pthread_mutex_lock(&b->mutex);
    /* To ask for more means that the last piece is consumed: handoff_drain waits for that. */
    b->idle = true;
    pthread_cond_broadcast(&b->moved);
    while (!b->carried.size && !b->ended)
        pthread_cond_wait(&b->moved, &b->mutex);
    bool there = b->carried.size > 0;
    if (there) {
        b->idle = false;
        swap(&b->using, &b->carried);
        ASSERT(!b->carried.size); /* otherwise the producer would wait forever */
    }
    pthread_cond_broadcast(&b->moved);
    pthread_mutex_unlock(&b->mutex);
    return there;
}

void handoff_break(struct handoff *b)
{
    pthread_mutex_lock(&b->mutex);
    b->broken = true;
    pthread_cond_broadcast(&b->moved);
    pthread_mutex_unlock(&b->mutex);
}
