/* SPDX-License-Identifier: Apache-2.0 */
#include "store/local.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"

struct deferred_query {
    struct deferred_query *next;
    const struct query *query;
    store_row_fn row;
    void (*done)(void *ctx, const struct query_result *result);
    void *ctx;
    int64_t until_ms;
};

void store_query(struct store *s, const struct query *query, store_row_fn row,
                 void (*done)(void *ctx, const struct query_result *result), void *ctx)
{
    ASSERT(local_on_loop(s));
    if (query->min_seq <= recorder_seq(&s->recorder)) {
        librarian_query(&s->librarian, query, local_ended_since(s), row, done, ctx);
        return;
    }
    /* The recorder may be pausing for most of a second. */
    recorder_hurry(&s->recorder);
    struct deferred_query *w = memory_zeroed(1, sizeof(*w));
    *w = (struct deferred_query){s->deferred, query, row, done, ctx, (int64_t)uv_now(s->loop) + 2000};
    s->deferred = w;
}

void deferred_run(struct store *s)
{
    uint64_t book_seq = recorder_seq(&s->recorder);
    struct deferred_query **at = &s->deferred;
    while (*at) {
        struct deferred_query *w = *at;
        if (w->query->min_seq > book_seq && (int64_t)uv_now(s->loop) < w->until_ms && !s->closing) {
            at = &w->next;
            continue;
        }
        *at = w->next;
        /* Also after the deadline: the answer says how far the book is. */
        librarian_query(&s->librarian, w->query, local_ended_since(s), w->row, w->done, w->ctx);
        free(w);
    }
}
