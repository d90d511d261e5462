/* SPDX-License-Identifier: Apache-2.0 */
#include "book/book_search.h"

#include "base/assertion.h"
#include "core/image.h"

/* As the migration that filled the table has it. */
#define WORDS "?2 || ' ' || ?3 || ' ' || coalesce(?4, '')"

void book_search_prepare(struct book_search *b, struct sql *s)
{
    b->add = sql_prepare(s, "INSERT INTO search (rowid, words) VALUES (?1, " WORDS ")");
    b->remove = sql_prepare(s, "INSERT INTO search (search, rowid, words) VALUES ('delete', ?1, " WORDS ")");
}

static void run(struct sql_statement *t, uint64_t number, struct text user_id, struct text attributes)
{
    char pnr[PNR_SIZE];
    pnr_write(number, pnr);
    sql_bind_int(t, 1, (int64_t)number);
    sql_bind_text(t, 2, (struct text){pnr, sizeof(pnr)});
    sql_bind_text(t, 3, user_id);
    sql_bind_text(t, 4, attributes);
    sql_do(t);
}

void book_search_add(struct book_search *b, uint64_t number, struct text user_id, struct text attributes)
{
    ASSERT(user_id.size > 0);
    run(b->add, number, user_id, attributes);
}

void book_search_remove(struct book_search *b, uint64_t number, struct text user_id, struct text attributes)
{
    run(b->remove, number, user_id, attributes);
}

void book_search_phrase(struct text asked, struct buf *out)
{
    for (size_t i = 0; i < asked.size;) {
        size_t end = i;
        while (end < asked.size && asked.at[end] != ' ')
            end++;
        if (end > i) {
            buf_append(out, "\"", 1);
            for (; i < end; i++) {
                buf_append(out, &asked.at[i], 1);
                if (asked.at[i] == '"')
                    buf_append(out, "\"", 1);
            }
            buf_append(out, "\" ", 2);
        }
        i = end + 1;
    }
}
