/* SPDX-License-Identifier: Apache-2.0 */
/* workers.c — work that would block the loop, done by libuv's thread pool. It is counted, because store_close waits for
 * it. */
#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/catalogue/detached.h"
#include "core/catalogue/layout.h"
#include "core/catalogue/seat.h"
#include "store/local.h"

#define RECLAIM_SIZE_MIN ((size_t)4 << 20) /* smaller blocks are freed at once */

struct job {
    uv_work_t work;
    struct store *store;
    void (*run)(void *ctx);
    void (*done)(void *ctx);
    void *ctx;
};

static void job_run(uv_work_t *work)
{
    struct job *job = work->data;
    job->run(job->ctx);
}

static void job_done(uv_work_t *work, int status)
{
    ASSERT(status == 0); /* no job is ever cancelled */
    /* Copied and freed first: `done` may do anything, even close the store. */
    struct job job = *(struct job *)work->data;
    free(work->data);
    ASSERT(local_on_loop(job.store) && job.store->working > 0);
    job.store->working--;
    if (job.done)
        job.done(job.ctx);
}

void store_work(struct store *s, void (*run)(void *ctx), void (*done)(void *ctx), void *ctx)
{
    ASSERT(local_on_loop(s));
    struct job *job = memory_zeroed(1, sizeof(*job));
    *job = (struct job){.store = s, .run = run, .done = done, .ctx = ctx};
    job->work.data = job;
    s->working++;
    int failed = uv_queue_work(s->loop, &job->work, job_run, job_done);
    ASSERT(!failed);
}

/* ---- Large memory ---- */

void store_reclaim(struct store *s, size_t size, void (*release)(void *thing), void *thing)
{
    /* While closing, a worker would only delay the end. */
    if (size < RECLAIM_SIZE_MIN || s->closing)
        release(thing);
    else
        store_work(s, release, NULL, thing);
}

static void detached_free(void *first)
{
    detached_release(first);
}

void local_reclaim(struct store *s)
{
    struct detached *first = state_take_detached(s->state);
    size_t size = 0;
    for (const struct detached *r = first; r; r = r->next)
        /* Queues, lists and codes may have millions of entries, too many to count here: always for a worker. */
        size += (size_t)r->seat_chunks * SEAT_CHUNK * sizeof(struct seat) +
                (r->layout ? (size_t)r->layout->count * sizeof(struct layout_seat) : 0) +
                (r->queue || r->list || r->codes ? RECLAIM_SIZE_MIN : 0);
    if (first)
        store_reclaim(s, size, detached_free, first);
}
