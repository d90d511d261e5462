/* SPDX-License-Identifier: Apache-2.0 */
/* bell.h — how another thread calls the loop.
 *
 * libuv's own uv_async_t makes the loop spin for as long as the caller is between its two steps; if the kernel takes the
 * processor from the caller just then, as it does when it wakes the loop on the same one, the loop burns a whole time slice
 * (docs/decisions/0006-bell.md). This one only reads an eventfd. Rings may be merged: what they tell of is read elsewhere.
 */
#ifndef STORE_BELL_H
#define STORE_BELL_H

#include <uv.h>

typedef void (*bell_fn)(void *ctx);

struct bell {
    uv_poll_t poll;
    int fd;
    bell_fn fn, closed;
    void *ctx;
};

/* Calls fn(ctx) on the loop after each ring, or once for several. */
void bell_open(struct bell *b, uv_loop_t *loop, bell_fn fn, void *ctx);
/* From any thread, until it is closed; never waits. */
void bell_ring(struct bell *b);
/* Nobody may ring any more. closed(ctx) is called by the loop, later. */
void bell_close(struct bell *b, bell_fn closed);

#endif
