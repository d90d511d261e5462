/* SPDX-License-Identifier: Apache-2.0 */
#include "book/claim/claim_list.h"

#include "base/assertion.h"

void book_claim_list_prepare(struct book_claim_list *l, struct sql *s)
{
    l->sql = s;
    /* CROSS JOIN fixes the order of the tables: rows come by position, and the query stops at the end of the page. */
    l->claims = sql_prepare(s, "SELECT c.seat, i.fence, r.user_id FROM claims c "
                               "CROSS JOIN items i ON i.reservation = c.reservation AND i.event = c.event "
                               "AND i.position = c.seat AND i.kind = 'seat' "
                               "CROSS JOIN reservations r ON r.number = c.reservation "
                               "WHERE c.event = ?1 AND c.seat >= ?2 ORDER BY c.seat LIMIT ?3");
}

void book_claim_list_rows(struct book_claim_list *l, const struct query *q, query_row_fn row, void *ctx,
                          struct query_result *result)
{
    struct sql_statement *t = l->claims;
    ASSERT(q->kind == QUERY_CLAIMS && q->event_number);
    sql_bind_ints(t, q->event_number, q->from_position, (int64_t)q->limit + 1);
    for (uint32_t rows = 0; sql_next(t) && query_has_place(q, rows, result); rows++) {
        struct claim_row claim = {
            .position = (uint32_t)sql_int(t, 0), .fence = (uint64_t)sql_int(t, 1), .user_id = sql_text(t, 2)};
        if (!sql_sound(l->sql))
            break;
        row(ctx, &(struct query_row){.claim = &claim});
        result->last_position = claim.position;
    }
    sql_reset(t);
}
