/* SPDX-License-Identifier: Apache-2.0 */
/* book_refund.c — refunds due, and what the history of their reservations says of them. */
#include "base/assertion.h"
#include "base/memory.h"
#include "book/book_aside.h"
#include "book/book_kept.h"

struct book_refund {
    struct sql_statement *put;
    struct book_aside aside;
};

struct book_refund *book_refund_make(struct sql *s)
{
    struct book_refund *b = memory_zeroed(1, sizeof(*b));
    b->put = book_record_prepare(s, &refund_record, BOOK_UPSERT);
    book_aside_prepare(&b->aside, s);
    return b;
}

static enum action action_of(const struct refund_image *refund)
{
    ASSERT(!(refund->done_at_ms && refund->withdrawn));
    if (refund->withdrawn)
        return ACTION_REFUND_WITHDRAWN;
    return refund->done_at_ms ? ACTION_REFUND_DONE : ACTION_REFUND_DUE;
}

void book_refund_apply(struct book_parts *parts, const struct change *c)
{
    struct book_refund *b = parts->refund;
    const struct refund_image *refund = &c->refund;
    struct book_history entry;
    book_record_put(b->put, &refund_record, refund);
    /* The reservation may be pruned before its refund is done: then it has no history to be told in. */
    if (!book_aside_begin(&b->aside, c, refund->reservation, action_of(refund), &entry))
        return;
    entry.view.refund.number = refund->number;
    entry.reason = refund->reason;
    book_aside_put(&b->aside, &entry);
}
