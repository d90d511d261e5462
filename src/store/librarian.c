/* SPDX-License-Identifier: Apache-2.0 */
#include "store/librarian.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/assertion.h"
#include "base/log.h"
#include "base/memory.h"
#include "book/book_reader.h"
#include "store/last_word.h"

struct librarian_job {
    struct librarian_job *next;
    enum { JOB_RESERVATION, JOB_IDEMPOTENCY, JOB_QUERY } kind;
    void *ctx;

    /* single records */
    struct id id;
    uint64_t key[2];
    librarian_fetched_fn fetched;
    bool ok, found;
    struct reservation_image reservation;
    struct idempotency_image idempotency;
    struct arena arena; /* the image's texts and items */

    /* queries */
    const struct query *query;
    store_row_fn row;
    void (*done)(void *ctx, const struct query_result *result);
    struct query_result result;
};

static void queue_put(struct librarian_queue *q, struct librarian_job *job)
{
    job->next = NULL;
    if (q->last)
        q->last->next = job;
    else
        q->first = job;
    q->last = job;
}

/* NULL: there is none. */
static struct librarian_job *queue_take(struct librarian_queue *q)
{
    struct librarian_job *job = q->first;
    if (job)
        q->first = job->next;
    if (!q->first)
        q->last = NULL;
    return job;
}

static void job_run(struct book_reader *reader, struct librarian_job *job)
{
    struct status fault = status_none();
    switch (job->kind) {
    case JOB_RESERVATION:
        fault = book_reader_reservation(reader, job->id, &job->arena, &job->reservation, &job->found);
        break;
    case JOB_IDEMPOTENCY:
        fault = book_reader_idempotency(reader, job->key, &job->idempotency, &job->found);
        break;
    case JOB_QUERY:
        fault = book_reader_query(reader, job->query, job->row, job->ctx, &job->result);
        break;
    }
    job->ok = status_ok(&fault);
    if (fault.kind == STATUS_CORRUPT)
        last_word("the book is damaged; ending the process", &fault);
    if (!job->ok)
        log_warn("cannot read the book", {"fault", LOG_STR(fault.text)});
}

static void *run(void *ctx)
{
    struct librarian_desk *desk = ctx;
    struct librarian *l = desk->librarian;
    for (;;) {
        pthread_mutex_lock(&l->mutex);
        while (!desk->asked.first && !l->stop)
            pthread_cond_wait(&desk->wake, &l->mutex);
        struct librarian_job *job = queue_take(&desk->asked);
        pthread_mutex_unlock(&l->mutex);
        if (!job)
            return NULL;
        job_run(desk->reader, job);
        pthread_mutex_lock(&l->mutex);
        queue_put(&l->answered, job);
        pthread_mutex_unlock(&l->mutex);
        uv_async_send(l->ready);
    }
}

struct status librarian_start(struct librarian *l, const char *book, uv_async_t *ready)
{
    static const char *const names[] = {[LIBRARIAN_RECORDS] = "hf-records", [LIBRARIAN_LISTS] = "hf-lists"};
    *l = (struct librarian){.ready = ready};
    for (int i = 0; i < LIBRARIAN_DESKS; i++) {
        struct status fault = book_reader_open(&l->desks[i].reader, book);
        if (!status_ok(&fault)) {
            while (i--)
                book_reader_close(l->desks[i].reader);
            return fault;
        }
    }
    pthread_mutex_init(&l->mutex, NULL);
    l->started = true;
    for (int i = 0; i < LIBRARIAN_DESKS; i++) {
        struct librarian_desk *desk = &l->desks[i];
        desk->librarian = l;
        pthread_cond_init(&desk->wake, NULL);
        int failed = pthread_create(&desk->thread, NULL, run, desk);
        ASSERT(!failed);
        pthread_setname_np(desk->thread, names[i]);
    }
    return status_none();
}

void librarian_stop(struct librarian *l)
{
    if (!l->started)
        return;
    pthread_mutex_lock(&l->mutex);
    l->stop = true;
    for (int i = 0; i < LIBRARIAN_DESKS; i++)
        pthread_cond_signal(&l->desks[i].wake);
    pthread_mutex_unlock(&l->mutex);
    for (int i = 0; i < LIBRARIAN_DESKS; i++) {
        struct librarian_desk *desk = &l->desks[i];
        pthread_join(desk->thread, NULL);
        ASSERT(!desk->asked.first);
        book_reader_close(desk->reader);
        pthread_cond_destroy(&desk->wake);
    }
    ASSERT(!l->answered.first);
    pthread_mutex_destroy(&l->mutex);
    l->started = false;
}

bool librarian_idle(const struct librarian *l)
{
    return l->out == 0;
}

static void job_finish(struct librarian_job *job)
{
    if (job->kind == JOB_QUERY) {
        job->result.ok = job->ok;
        job->done(job->ctx, &job->result);
    } else {
        struct librarian_answer answer = {.ok = job->ok};
        if (job->ok && job->found && job->kind == JOB_RESERVATION)
            answer.reservation = &job->reservation;
        if (job->ok && job->found && job->kind == JOB_IDEMPOTENCY)
            answer.idempotency = &job->idempotency;
        job->fetched(job->ctx, &answer);
        arena_release(&job->arena);
    }
    free(job);
}

void librarian_collect(struct librarian *l)
{
    pthread_mutex_lock(&l->mutex);
    struct librarian_job *job = l->answered.first;
    l->answered = (struct librarian_queue){0};
    pthread_mutex_unlock(&l->mutex);
    while (job) {
        struct librarian_job *next = job->next;
        l->out--;
        job_finish(job);
        job = next;
    }
}

static void ask(struct librarian *l, struct librarian_job *job)
{
    struct librarian_desk *desk = &l->desks[job->kind == JOB_QUERY ? LIBRARIAN_LISTS : LIBRARIAN_RECORDS];
    l->out++;
    pthread_mutex_lock(&l->mutex);
    queue_put(&desk->asked, job);
    pthread_cond_signal(&desk->wake);
    pthread_mutex_unlock(&l->mutex);
}

void librarian_reservation(struct librarian *l, struct id id, librarian_fetched_fn done, void *ctx)
{
    struct librarian_job *job = memory_zeroed(1, sizeof(*job));
    job->kind = JOB_RESERVATION;
    job->id = id;
    job->fetched = done;
    job->ctx = ctx;
    arena_init(&job->arena, 4096);
    ask(l, job);
}

void librarian_idempotency(struct librarian *l, const uint64_t key[2], librarian_fetched_fn done, void *ctx)
{
    struct librarian_job *job = memory_zeroed(1, sizeof(*job));
    job->kind = JOB_IDEMPOTENCY;
    memcpy(job->key, key, sizeof(job->key));
    job->fetched = done;
    job->ctx = ctx;
    arena_init(&job->arena, 64);
    ask(l, job);
}

void librarian_query(struct librarian *l, const struct query *query, store_row_fn row,
                     void (*done)(void *ctx, const struct query_result *result), void *ctx)
{
    struct librarian_job *job = memory_zeroed(1, sizeof(*job));
    job->kind = JOB_QUERY;
    job->query = query;
    job->row = row;
    job->done = done;
    job->ctx = ctx;
    ask(l, job);
}
