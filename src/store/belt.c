/* SPDX-License-Identifier: Apache-2.0 */
#include "store/belt.h"

#define PIECE_MAX ((size_t)64 << 20)

void belt_init(struct belt *b)
{
    *b = (struct belt){0};
    pthread_mutex_init(&b->mutex, NULL);
    pthread_cond_init(&b->moved, NULL);
    buf_init(&b->filling, PIECE_MAX);
    buf_init(&b->carried, PIECE_MAX);
    buf_init(&b->using, PIECE_MAX);
}

void belt_release(struct belt *b)
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

bool belt_send(struct belt *b)
{
    pthread_mutex_lock(&b->mutex);
    while (b->carried.size && !b->broken)
        pthread_cond_wait(&b->moved, &b->mutex);
    bool broken = b->broken;
    if (!broken)
        swap(&b->filling, &b->carried);
    pthread_cond_broadcast(&b->moved);
    pthread_mutex_unlock(&b->mutex);
    buf_clear(&b->filling);
    return !broken;
}

bool belt_offer(struct belt *b)
{
    return b->filling.size < BELT_PIECE || belt_send(b);
}

bool belt_drain(struct belt *b)
{
    bool sent = belt_send(b);
    pthread_mutex_lock(&b->mutex);
    while ((b->carried.size || !b->idle) && !b->broken)
        pthread_cond_wait(&b->moved, &b->mutex);
    pthread_mutex_unlock(&b->mutex);
    return sent;
}

void belt_end(struct belt *b)
{
    pthread_mutex_lock(&b->mutex);
    b->ended = true;
    pthread_cond_broadcast(&b->moved);
    pthread_mutex_unlock(&b->mutex);
}

bool belt_take(struct belt *b)
{
    buf_clear(&b->using);
    pthread_mutex_lock(&b->mutex);
    b->idle = true;
    pthread_cond_broadcast(&b->moved);
    while (!b->carried.size && !b->ended)
        pthread_cond_wait(&b->moved, &b->mutex);
    bool there = b->carried.size > 0;
    if (there) {
        b->idle = false;
        swap(&b->using, &b->carried);
    }
    pthread_cond_broadcast(&b->moved);
    pthread_mutex_unlock(&b->mutex);
    return there;
}

void belt_break(struct belt *b)
{
    pthread_mutex_lock(&b->mutex);
    b->broken = true;
    pthread_cond_broadcast(&b->moved);
    pthread_mutex_unlock(&b->mutex);
}
