/* SPDX-License-Identifier: Apache-2.0 */
#include "store/deferred.h"

#include <stdlib.h>

#include "base/memory/memory.h"

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
        librarian_query(&s->librarian, query, local_ended_since(s), row, done, ctx);
        return;
    }
    /* The recorder may be resting for most of a second. */
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
        /* Also when the wait is over: the answer says how far the book was. */
        librarian_query(&s->librarian, w->query, local_ended_since(s), w->row, w->done, w->ctx);
        free(w);
    }
}
