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
    void *ctx;

    /* single records */
    struct record_key key;
    librarian_fetched_fn fetched;
    bool ok, found;
    struct reservation_image reservation;
    struct idempotency_image idempotency;
    struct account account;
    struct book_owner owner;
    struct payment_event_image payment_event;
    struct check_in_image ticket;
    struct ride_image ride;
    struct arena arena; /* the image's texts and items */

    /* lists; `query` is NULL otherwise */
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
    struct status fault;
    book_reader_hide_ended(reader, job->key.ended_since_ms);
    if (job->query)
        fault = book_reader_query(reader, job->query, job->row, job->ctx, &job->result);
    else if (job->key.kind == FETCH_RESERVATION)
        fault = book_reader_reservation(reader, job->key.id, &job->arena, &job->reservation, &job->account,
                                        &job->found);
    else if (job->key.kind == FETCH_PAYMENT)
        fault = book_reader_payment(reader, &job->key.payment, &job->arena, &job->owner, &job->found);
    else if (job->key.kind == FETCH_PAYMENT_EVENT)
        fault = book_reader_payment_event(reader, job->key.event, job->key.once, &job->arena,
                                          &job->payment_event, &job->found);
    else if (job->key.kind == FETCH_TICKET)
        fault = book_reader_ticket(reader, (struct text){job->key.code, TICKET_CODE_SIZE}, &job->arena,
                                   &job->ticket, &job->found);
    else if (job->key.kind == FETCH_RIDE)
        fault = book_reader_ride(reader, &job->key.ride, &job->arena, &job->ride, &job->found);
    else
        fault = book_reader_idempotency(reader, job->key.idempotency, &job->idempotency, &job->found);
    job->ok = status_ok(&fault);
    /* Nothing that rests on a damaged book can be trusted: stop rather than answer. */
    if (fault.kind == STATUS_CORRUPT || fault.kind == STATUS_UNREADABLE)
        last_word("the book is damaged or cannot be read; ending the process", &fault);
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
        /* Stopping, and every question was answered. */
        if (!job)
            return NULL;
        job_run(desk->reader, job);
        pthread_mutex_lock(&l->mutex);
        queue_put(&l->answered, job);
        pthread_mutex_unlock(&l->mutex);
        bell_ring(l->ready);
    }
}

struct status librarian_start(struct librarian *l, const char *book, struct bell *ready)
{
    static const char *const names[] = {[LIBRARIAN_RECORDS] = "hf-records",
                                        [LIBRARIAN_LISTS] = "hf-lists",
                                        [LIBRARIAN_REPORTS] = "hf-reports"};
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

void librarian_hurry(struct librarian *l)
{
    book_reader_interrupt(l->desks[LIBRARIAN_REPORTS].reader);
}

static void job_finish(struct librarian_job *job)
{
    if (job->query) {
        job->result.ok = job->ok;
        job->done(job->ctx, &job->result);
    } else {
        struct librarian_answer answer = {.ok = job->ok};
        if (job->ok && job->found) {
            answer.reservation = job->key.kind == FETCH_RESERVATION ? &job->reservation : NULL;
            answer.idempotency = job->key.kind == FETCH_IDEMPOTENCY ? &job->idempotency : NULL;
            answer.ticket = job->key.kind == FETCH_TICKET ? &job->ticket : NULL;
            answer.ride = job->key.kind == FETCH_RIDE ? &job->ride : NULL;
            answer.payment_event = job->key.kind == FETCH_PAYMENT_EVENT ? &job->payment_event : NULL;
            answer.account = job->key.kind == FETCH_RESERVATION ? &job->account : NULL;
            answer.owner = job->key.kind == FETCH_PAYMENT ? &job->owner : NULL;
        }
        job->fetched(job->ctx, &answer);
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
    struct librarian_job *job = memory_get(sizeof(*job));
    *job = *question;
    arena_init(&job->arena, 4096);
    /* On the loop only: store_close waits until it is 0. */
    l->out++;
    queue_put(&desk->fresh, job);
}

void librarian_hand_over(struct librarian *l)
{
    for (int i = 0; i < LIBRARIAN_DESKS; i++) {
        struct librarian_desk *desk = &l->desks[i];
        if (!desk->fresh.first)
            continue;
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

void librarian_fetch(struct librarian *l, const struct record_key *key, librarian_fetched_fn done, void *ctx)
{
    ask(l, &(struct librarian_job){.key = *key, .fetched = done, .ctx = ctx});
}

void librarian_query(struct librarian *l, const struct query *query, int64_t ended_since_ms, store_row_fn row,
                     void (*done)(void *ctx, const struct query_result *result), void *ctx)
{
    ASSERT(query);
    ask(l, &(struct librarian_job){
               .key.ended_since_ms = ended_since_ms, .query = query, .row = row, .done = done, .ctx = ctx});
}
