/* SPDX-License-Identifier: Apache-2.0 */
#include "store/bell.h"

#include <errno.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/assertion.h"

static void on_ready(uv_poll_t *poll, int status, int events)
{
    struct bell *b = poll->data;
    uint64_t rings;
    ASSERT(status == 0 && events == UV_READABLE);
    /* Read before fn runs: what changes after this rings again. */
    ssize_t size = read(b->fd, &rings, sizeof rings);
    ASSERT(size == (ssize_t)sizeof rings || (size < 0 && (errno == EAGAIN || errno == EINTR)));
    b->fn(b->ctx);
}

void bell_open(struct bell *b, uv_loop_t *loop, bell_fn fn, void *ctx)
{
    *b = (struct bell){.fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), .fn = fn, .ctx = ctx};
    ASSERT(b->fd >= 0);
    int failed = uv_poll_init(loop, &b->poll, b->fd);
    ASSERT(!failed);
    b->poll.data = b;
    failed = uv_poll_start(&b->poll, UV_READABLE, on_ready);
    ASSERT(!failed);
}

void bell_ring(struct bell *b)
{
    const uint64_t one = 1;
    ssize_t size;
    do
        size = write(b->fd, &one, sizeof one);
    while (size < 0 && errno == EINTR);
    /* EAGAIN: the counter is full, so the loop wakes anyway. */
    ASSERT(size == (ssize_t)sizeof one || errno == EAGAIN);
}

static void on_bell_closed(uv_handle_t *handle)
{
    struct bell *b = handle->data;
    close(b->fd);
    b->fd = -1;
    b->closed(b->ctx);
}

void bell_close(struct bell *b, bell_fn closed)
{
    ASSERT(b->fd >= 0 && !uv_is_closing((uv_handle_t *)&b->poll));
    b->closed = closed;
    uv_close((uv_handle_t *)&b->poll, on_bell_closed);
}
