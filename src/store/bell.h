/* SPDX-License-Identifier: Apache-2.0 */
/* bell.h — wakes the loop from another thread.
 *
 * libuv's own uv_async_t makes the loop spin while the caller is between its two steps. If the kernel preempts the caller
 * just then, as it does when it wakes the loop on the same processor, the loop burns a whole time slice
 * (docs/decisions/0006-bell.md). This one only reads an eventfd. Rings may be merged: they carry no data, and the callback
 * reads what has changed elsewhere.
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
/* From any thread, until bell_close; never blocks. */
void bell_ring(struct bell *b);
/* No thread may ring any more. The loop calls closed(ctx) later. */
void bell_close(struct bell *b, bell_fn closed);

#endif
