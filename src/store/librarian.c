/* SPDX-License-Identifier: Apache-2.0 */
#include "store/librarian.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory/arena.h"
#include "base/assertion.h"
#include "base/logging.h"
#include "base/memory/memory.h"
#include "book/money/money.h"
#include "book/record/reader.h"
#include "store/fatal_exit.h"

struct librarian_job {
    struct librarian_job *next;
    void *ctx;

    int64_t ended_since_ms;
    bool ok;

    /* records; `fetch` is NULL otherwise */
    struct fetch *fetch;
    librarian_fetched_fn fetched;
    struct fetched records[OUTCOME_LACKS_MAX];
    struct arena arena; /* texts and items of the images */

    /* lists; `query` is NULL otherwise */
    const struct query *query;
    store_row_fn row;
    void (*done)(void *ctx, const struct query_result *result);
    struct query_result result;
};

static void jobs_put(struct librarian_queue *q, struct librarian_job *job)
{
    ASSERT(!q->first == !q->last);
    job->next = NULL;
    if (q->last)
        q->last->next = job;
    else
        q->first = job;
    q->last = job;
}

/* NULL: the queue is empty. */
static struct librarian_job *jobs_take(struct librarian_queue *q)
{
    struct librarian_job *job = q->first;
    if (job)
        q->first = job->next;
    if (!q->first)
        q->last = NULL;
    return job;
}

/* ---- The kinds of records: FETCHES (engine/fetch.h) ---- */

static struct status read_reservation(struct book_reader *reader, const struct record_key *key,
                                      struct arena *arena, struct fetched *out)
{
    return book_reader_reservation(reader, key->id, arena, &out->reservation, &out->account, &out->found);
}

static struct status read_idempotency(struct book_reader *reader, const struct record_key *key,
                                      struct arena *arena, struct fetched *out)
{
    (void)arena;
    return book_reader_idempotency(reader, key->idempotency, &out->idempotency, &out->found);
}

static struct status read_payment(struct book_reader *reader, const struct record_key *key,
                                  struct arena *arena, struct fetched *out)
{
    struct book_owner owner = {0};
    struct status fault = book_reader_payment(reader, &key->payment, arena, &owner, &out->found);
    out->owner = owner.reservation;
    out->account = owner.account;
    return fault;
}

static struct status read_ticket(struct book_reader *reader, const struct record_key *key,
                                 struct arena *arena, struct fetched *out)
{
    return book_reader_ticket(reader, (struct text){key->code, TICKET_CODE_SIZE}, arena, &out->ticket,
                              &out->found);
}

static struct status read_payment_event(struct book_reader *reader, const struct record_key *key,
                                        struct arena *arena, struct fetched *out)
{
    return book_reader_payment_event(reader, key->event, key->once, arena, &out->payment_event, &out->found);
}

static struct status read_ride(struct book_reader *reader, const struct record_key *key, struct arena *arena,
                               struct fetched *out)
{
    return book_reader_ride(reader, &key->ride, arena, &out->ride, &out->found);
}

static struct status (*const readers[])(struct book_reader *reader, const struct record_key *key,
                                        struct arena *arena, struct fetched *out) = {
#define X(kind, name) [FETCH_##kind] = read_##name,
    FETCHES(X)
#undef X
};
#define READER_COUNT (sizeof(readers) / sizeof(readers[0]))

static struct status read_records(struct book_reader *reader, struct librarian_job *job)
{
    struct status fault = status_none();
    for (uint32_t i = 0; status_ok(&fault) && i < job->fetch->count; i++) {
        const struct record_key *key = &job->fetch->keys[i];
        ASSERT(key->kind < READER_COUNT && readers[key->kind]);
        fault = readers[key->kind](reader, key, &job->arena, &job->records[i]);
    }
    return fault;
}

static void job_run(struct book_reader *reader, struct librarian_job *job)
{
    ASSERT(!job->query != !job->fetch); /* one question a job */
    book_reader_hide_ended(reader, job->ended_since_ms);
    struct status fault = job->query ? book_reader_query(reader, job->query, job->row, job->ctx, &job->result)
                                     : read_records(reader, job);
    job->ok = status_ok(&fault);
    /* An answer from a damaged book cannot be trusted: stop instead. */
    if (fault.kind == STATUS_CORRUPT || fault.kind == STATUS_UNREADABLE)
        fatal_exit("the book is damaged or cannot be read; ending the process", &fault);
    if (!job->ok)
        log_warn("cannot read the book", {"fault", LOG_STR(fault.text)});
}

static void *librarian_run(void *ctx)
{
    struct librarian_desk *desk = ctx;
    struct librarian *l = desk->librarian;
    for (;;) {
        pthread_mutex_lock(&l->mutex);
        while (!desk->asked.first && !l->stop)
            pthread_cond_wait(&desk->wake, &l->mutex);
        struct librarian_job *job = jobs_take(&desk->asked);
        pthread_mutex_unlock(&l->mutex);
        /* Stopping, and all questions are answered. */
        if (!job)
            return NULL;
        job_run(desk->reader, job);
        pthread_mutex_lock(&l->mutex);
        jobs_put(&l->answered, job);
        pthread_mutex_unlock(&l->mutex);
        bell_ring(l->ready);
    }
}

struct status librarian_start(struct librarian *l, const char *book, struct bell *ready)
{
    static const char *const names[] = {[LIBRARIAN_RECORDS] = "hf-records",
                                        [LIBRARIAN_LISTS] = "hf-lists",
                                        [LIBRARIAN_REPORTS] = "hf-reports"};
    _Static_assert(sizeof(names) / sizeof(names[0]) == LIBRARIAN_DESKS, "each thread has a name");
    *l = (struct librarian){.ready = ready};
    for (int i = 0; i < LIBRARIAN_DESKS; i++) {
        /* Connections before threads: after a fault there is no thread to stop. */
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
        int failed = pthread_create(&desk->thread, NULL, librarian_run, desk);
        ASSERT(!failed);
        pthread_setname_np(desk->thread, names[i]);
    }
    return status_none();
}

void librarian_stop(struct librarian *l)
{
    if (!l->started)
        return;
    ASSERT(librarian_idle(l)); /* every question was answered */
    pthread_mutex_lock(&l->mutex);
    l->stop = true;
    for (int i = 0; i < LIBRARIAN_DESKS; i++)
        pthread_cond_signal(&l->desks[i].wake);
    pthread_mutex_unlock(&l->mutex);
    for (int i = 0; i < LIBRARIAN_DESKS; i++) {
        struct librarian_desk *desk = &l->desks[i];
        pthread_join(desk->thread, NULL);
        ASSERT(!desk->asked.first && !desk->fresh.first);
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

void librarian_cancel_report(struct librarian *l)
{
    book_reader_interrupt(l->desks[LIBRARIAN_REPORTS].reader);
}

static void job_finish(struct librarian_job *job)
{
    if (job->query) {
        job->result.ok = job->ok;
        job->done(job->ctx, &job->result);
    } else {
        job->fetched(job->ctx, job->fetch, job->ok ? job->records : NULL);
    }
    arena_release(&job->arena);
    free(job);
}

void librarian_collect(struct librarian *l)
{
    pthread_mutex_lock(&l->mutex);
    struct librarian_job *job = l->answered.first;
    /* All at once: the callbacks may ask again, and must find the mutex free. */
    l->answered = (struct librarian_queue){0};
    pthread_mutex_unlock(&l->mutex);
    while (job) {
        struct librarian_job *next = job->next;
        ASSERT(l->out > 0);
        l->out--;
        job_finish(job);
        job = next;
    }
}

static void ask(struct librarian *l, const struct librarian_job *question)
{
    enum librarian_desks which = !question->query              ? LIBRARIAN_RECORDS
                                 : query_long(question->query) ? LIBRARIAN_REPORTS
                                                               : LIBRARIAN_LISTS;
    struct librarian_desk *desk = &l->desks[which];
    ASSERT(l->started && !l->stop); /* afterwards no thread would answer it */
    struct librarian_job *job = memory_get(sizeof(*job));
    *job = *question;
    arena_init(&job->arena, 4096);
    /* store_close waits until it is 0. */
    l->out++;
    jobs_put(&desk->fresh, job);
}

void librarian_hand_over(struct librarian *l)
{
    for (int i = 0; i < LIBRARIAN_DESKS; i++) {
        struct librarian_desk *desk = &l->desks[i];
        if (!desk->fresh.first)
            continue;
        ASSERT(!desk->fresh.last->next);
        pthread_mutex_lock(&l->mutex);
        if (desk->asked.last)
            desk->asked.last->next = desk->fresh.first;
        else
            desk->asked.first = desk->fresh.first;
        desk->asked.last = desk->fresh.last;
        pthread_cond_signal(&desk->wake);
        pthread_mutex_unlock(&l->mutex);
        desk->fresh = (struct librarian_queue){0};
    }
}

void librarian_fetch(struct librarian *l, struct fetch *fetch, int64_t ended_since_ms,
                     librarian_fetched_fn done, void *ctx)
{
    ASSERT(fetch->count >= 1 && fetch->count <= OUTCOME_LACKS_MAX); /* the size of librarian_job.records */
    ask(l, &(struct librarian_job){
               .ended_since_ms = ended_since_ms, .fetch = fetch, .fetched = done, .ctx = ctx});
}

void librarian_query(struct librarian *l, const struct query *query, int64_t ended_since_ms, store_row_fn row,
                     void (*done)(void *ctx, const struct query_result *result), void *ctx)
{
    ASSERT(query->limit > 0);
    ask(l, &(struct librarian_job){
               .ended_since_ms = ended_since_ms, .query = query, .row = row, .done = done, .ctx = ctx});
}
