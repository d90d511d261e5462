/* SPDX-License-Identifier: Apache-2.0 */
#include "book/record/aside.h"

#include "base/assertion.h"
#include "book/record/row.h"

void book_aside_prepare(struct book_aside *b, struct sql *s)
{
    b->sql = s;
    b->find = sql_prepare(s, "SELECT number, status, version, expires_at FROM reservations WHERE id = ?");
    b->insert = book_record_prepare(s, &history_record, BOOK_INSERT);
}

/* The actions that the rule in book/record/check.c does not count as versions. */
static bool is_aside(enum action action)
{
    return action == ACTION_CHECKED_IN || action == ACTION_CHECK_IN_UNDONE || action == ACTION_REFUND_DUE ||
           action == ACTION_REFUND_DONE || action == ACTION_REFUND_WITHDRAWN ||
           action == ACTION_PAYMENT_RECEIVED || action == ACTION_PAYMENT_FAILED;
}

bool book_aside_begin(struct book_aside *b, const struct change *c, struct id reservation, enum action action,
                      struct book_history *out)
{
    struct sql_statement *t = b->find;
    ASSERT(is_aside(action) && !id_none(reservation));
    book_row_bind_id(t, 1, reservation);
    bool found = sql_next(t);
    if (found)
        *out = (struct book_history){
            {.seq = c->seq,
             .at_ms = c->at_ms,
             .expires_at_ms = sql_int(t, 3),
             .actor = c->actor,
             .action = action,
             .status = (enum reservation_status)book_row_word(b->sql, t, 1, &reservation_status_words),
             .version = (uint32_t)sql_int(t, 2)},
            .reservation = (uint64_t)sql_int(t, 0)};
    sql_reset(t);
    return found;
}

void book_aside_put(struct book_aside *b, const struct book_history *entry)
{
    ASSERT(entry->reservation && entry->view.seq > entry->reservation); /* it was held before */
    book_record_put(b->insert, &history_record, entry);
}
