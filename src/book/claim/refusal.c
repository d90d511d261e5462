/* SPDX-License-Identifier: Apache-2.0 */
/* refusal.c — counts of refused holds. A change has the counts since the last one, and each change is recorded exactly once
 * (the book's seq is in the same transaction), so they are added up. Faults stick to the connection (see sql.h). */
#include "book/record/kept.h"

#include "base/assertion.h"
#include "base/memory/memory.h"

struct book_refusal {
    struct sql *sql;
    struct sql_statement *add;
};

struct book_refusal *book_refusal_make(struct sql *s)
{
    struct book_refusal *b = memory_zeroed(1, sizeof(*b));
    b->sql = s;
    b->add = sql_prepare(s, "INSERT INTO refusals (day, event, calendar, tier, pool, service, reason, count) "
                            "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) "
                            "ON CONFLICT DO UPDATE SET count = count + excluded.count");
    return b;
}

static void refusal_add(struct sql_statement *t, const struct refusal_image *r)
{
    const struct text names[] = {r->event, r->calendar, r->tier, r->pool, r->service, r->reason};
    _Static_assert(sizeof(names) / sizeof(names[0]) == 6, "?2 to ?7");
    sql_bind_int(t, 1, r->day_ms);
    for (int i = 0; i < 6; i++)
        sql_bind_text(t, i + 2, names[i].at ? names[i] : TEXT(""));
    sql_bind_int(t, 8, r->count);
    sql_do(t);
}

void book_refusal_add(struct book_parts *parts, const struct change *c)
{
    struct book_refusal *b = parts->refusal;
    struct bytes_reader in = c->refusals.rows;
    ASSERT(c->kind == CHANGE_REFUSALS && c->refusals.count >= 1 && c->refusals.count <= REFUSAL_ROWS_MAX);
    for (uint32_t i = 0; i < c->refusals.count && sql_sound(b->sql); i++) {
        struct refusal_image r;
        if (refusal_get(&in, &r))
            refusal_add(b->add, &r);
        else
            sql_fail(b->sql, STATUS_CORRUPT, "Change %llu counts refusals that cannot be read.",
                     (unsigned long long)c->seq);
    }
}
