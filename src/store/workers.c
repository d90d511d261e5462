/* SPDX-License-Identifier: Apache-2.0 */
/* workers.c — what would keep the loop too long is done by libuv's pool, and counted: store_close waits for
 * it. */
#include <stdlib.h>

#include "base/memory.h"
#include "store/local.h"

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
    (void)status;
    struct job job = *(struct job *)work->data;
    free(work->data);
    job.store->working--;
    if (job.done)
        job.done(job.ctx);
}

void store_work(struct store *s, void (*run)(void *ctx), void (*done)(void *ctx), void *ctx)
{
    struct job *job = memory_zeroed(1, sizeof(*job));
    *job = (struct job){.store = s, .run = run, .done = done, .ctx = ctx};
    job->work.data = job;
    s->working++;
    uv_queue_work(s->loop, &job->work, job_run, job_done);
}
