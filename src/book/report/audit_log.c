/* SPDX-License-Identifier: Apache-2.0 */
#include "book/report/report.h"

#include "base/assertion.h"

void book_audit_log_prepare(struct book_audit_log *b, struct sql *s)
{
    b->rows =
        sql_prepare(s, "SELECT seq, at, actor, actor_name, kind, action, id, event, fleet, count FROM audit "
                       "WHERE seq < ?1 AND at >= ?2 AND at < ?3 ORDER BY seq DESC LIMIT ?4");
}

void book_audit_log_list(struct book_audit_log *b, const struct query *q, query_row_fn row, void *ctx,
                         struct query_result *result)
{
    struct sql_statement *t = b->rows;
    ASSERT(q->kind == QUERY_AUDIT);
    int64_t after = (int64_t)(q->after.low & INT64_MAX);
    sql_bind_ints(t, after ? after : INT64_MAX, q->from_ms, q->to_ms ? q->to_ms : INT64_MAX,
                  (int64_t)q->limit + 1);
    for (uint32_t rows = 0; sql_next(t) && query_has_place(q, rows, result); rows++) {
        struct audit_row audit = {.seq = (uint64_t)sql_int(t, 0),
                                  .at_ms = sql_int(t, 1),
                                  .role = sql_text(t, 2),
                                  .name = sql_text(t, 3),
                                  .kind = sql_text(t, 4),
                                  .action = sql_text(t, 5),
                                  .id = sql_text(t, 6),
                                  .event = sql_text(t, 7),
                                  .fleet = sql_text(t, 8),
                                  .count = (uint32_t)sql_int(t, 9)};
        row(ctx, &(struct query_row){.audit = &audit});
    }
    sql_reset(t);
}
