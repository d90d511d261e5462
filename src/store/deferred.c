/* SPDX-License-Identifier: Apache-2.0 */
#include "store/deferred.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "base/memory.h"
#include "store/last_word.h"

#define RETRY_AT_ONCE 64u /* commands that may all have waited for the same work, which is done now */

/* ---- Commands that have more to settle than one step does ---- */

struct again {
    struct again *next;
    struct command command;
    store_done_fn done;
    void *ctx;
};

void deferred_retry(struct store *s, const struct command *c, store_done_fn done, void *ctx)
{
    struct again *a = memory_zeroed(1, sizeof(*a));
    *a = (struct again){.command = *c, .done = done, .ctx = ctx};
    if (s->again)
        s->again_last->next = a;
    else
        s->again = a;
    s->again_last = a;
    store_more(s);
}

bool deferred_retry_step(struct store *s)
{
    for (uint32_t i = 0; i < RETRY_AT_ONCE && s->again; i++) {
        struct again *a = s->again, *last = s->again_last;
        s->again = a->next;
        local_submit(s, &a->command, a->done, a->ctx);
        bool came_back = s->again && s->again_last != last;
        free(a);
        if (came_back)
            break; /* that was a step's work */
    }
    return s->again != NULL;
}

/* ---- Commands that need a record from the book ---- */

/* One record that is being read, and the commands that wait for it. There is never a second read of the same
 * record under way, so an old image can never come in after a newer one was forgotten. */
struct fetch {
    struct fetch *next;
    struct store *store;
    enum fetch_kind kind;
    struct id id;
    uint64_t key[2];
    struct fetch_waiter {
        struct fetch_waiter *next;
        struct command command;
        store_done_fn done;
        void *ctx;
    } * waiters;
};

/* What the book said of a reservation contradicts what is known: going on would sell something twice. */
static _Noreturn void end_damaged(struct id id)
{
    char text[ID_TEXT_SIZE + 1] = {0};
    id_write(id, text);
    struct status fault = status_make(STATUS_CORRUPT, "reservation %s", text);
    last_word("a reservation of the book does not match memory; ending the process", &fault);
}

static void fetch_done(void *ctx, const struct librarian_answer *answer)
{
    struct fetch *f = ctx;
    struct store *s = f->store;
    for (struct fetch **at = &s->fetches; *at; at = &(*at)->next)
        if (*at == f) {
            *at = f->next;
            break;
        }
    if (answer->reservation && !state_remember(s->state, answer->reservation))
        end_damaged(answer->reservation->id);
    if (answer->idempotency)
        state_remember_idempotency(s->state, answer->idempotency);
    for (struct fetch_waiter *w = f->waiters, *next; w; w = next) {
        next = w->next;
        struct outcome out = {.code = answer->ok ? OUTCOME_NO_SUCH_RESERVATION : OUTCOME_UNAVAILABLE};
        bool found = answer->reservation || answer->idempotency;
        if (answer->ok && (found || f->kind == FETCH_IDEMPOTENCY)) {
            w->command.idempotency_checked = w->command.idempotency_checked || !found;
            local_submit(s, &w->command, w->done, w->ctx);
        } else {
            w->done(w->ctx, &out);
        }
        free(w);
    }
    free(f);
}

void deferred_fetch(struct store *s, const struct command *c, const struct outcome *out, store_done_fn done,
                    void *ctx)
{
    struct fetch *f = s->fetches;
    for (; f; f = f->next)
        if (f->kind == out->fetch &&
            (f->kind == FETCH_RESERVATION ? id_equal(f->id, out->fetch_id)
                                          : memcmp(f->key, c->idempotency_key, sizeof(f->key)) == 0))
            break;
    bool new = !f;
    if (new) {
        f = memory_zeroed(1, sizeof(*f));
        f->store = s;
        f->kind = out->fetch;
        f->id = out->fetch_id;
        memcpy(f->key, c->idempotency_key, sizeof(f->key));
        f->next = s->fetches;
        s->fetches = f;
    }
    struct fetch_waiter *w = memory_zeroed(1, sizeof(*w));
    w->command = *c;
    w->done = done;
    w->ctx = ctx;
    struct fetch_waiter **last = &f->waiters;
    while (*last)
        last = &(*last)->next;
    *last = w;
    if (new && f->kind == FETCH_RESERVATION)
        librarian_reservation(&s->librarian, f->id, fetch_done, f);
    else if (new)
        librarian_idempotency(&s->librarian, f->key, fetch_done, f);
}

/* ---- Queries that wait for the book ---- */

struct waiting {
    struct waiting *next;
    const struct query *query;
    store_row_fn row;
    void (*done)(void *ctx, const struct query_result *result);
    void *ctx;
    int64_t until_ms;
};

void store_query(struct store *s, const struct query *query, store_row_fn row,
                 void (*done)(void *ctx, const struct query_result *result), void *ctx)
{
    if (query->min_seq <= recorder_seq(&s->recorder)) {
        librarian_query(&s->librarian, query, row, done, ctx);
        return;
    }
    recorder_hurry(&s->recorder);
    struct waiting *w = memory_zeroed(1, sizeof(*w));
    *w = (struct waiting){s->waiting, query, row, done, ctx, (int64_t)uv_now(s->loop) + 2000};
    s->waiting = w;
}

void deferred_queries(struct store *s)
{
    uint64_t book_seq = recorder_seq(&s->recorder);
    struct waiting **at = &s->waiting;
    while (*at) {
        struct waiting *w = *at;
        if (w->query->min_seq > book_seq && (int64_t)uv_now(s->loop) < w->until_ms && !s->closing) {
            at = &w->next;
            continue;
        }
        *at = w->next;
        librarian_query(&s->librarian, w->query, w->row, w->done, w->ctx);
        free(w);
    }
}
