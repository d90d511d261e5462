/* SPDX-License-Identifier: Apache-2.0 */
#include "book/file/scrub.h"

#include "base/assertion.h"

#define MERGE_PAGES 1000 /* in one slice: some ten milliseconds */

void book_scrub_prepare(struct book_scrub *b, struct sql *s)
{
    *b = (struct book_scrub){.sql = s};
    b->unclean = sql_prepare(s, "SELECT max(number) FROM erasures WHERE clean = 0");
    b->merge = sql_prepare(s, "INSERT INTO search (search, rank) VALUES ('merge', ?1)");
    b->clean = sql_prepare(s, "UPDATE erasures SET clean = 1 WHERE number <= ?1 AND clean = 0");
}

bool book_scrub_due(struct book_scrub *b)
{
    if (b->stage != SCRUB_NONE)
        return true;
    b->upto = sql_next(b->unclean) ? (uint64_t)sql_int(b->unclean, 0) : 0;
    sql_reset(b->unclean);
    return b->upto != 0;
}

/* True: there is no more to merge. A negative number of pages begins to merge everything into one part; later calls go on
 * with that, and change fewer than two rows when nothing is left. */
static bool merged(struct book_scrub *b, int64_t pages)
{
    int64_t before = sql_number(b->sql, "SELECT total_changes()");
    sql_do_ints(b->merge, pages);
    return sql_number(b->sql, "SELECT total_changes()") - before < 2;
}

bool book_scrub_step(struct book_scrub *b)
{
    ASSERT(b->upto);
    switch (b->stage) {
    case SCRUB_NONE:
        merged(b, -MERGE_PAGES);
        b->stage = SCRUB_MERGE;
        break;
    case SCRUB_MERGE:
        if (merged(b, MERGE_PAGES))
            b->stage = SCRUB_TRUNCATE;
        break;
    case SCRUB_TRUNCATE:
        /* Busy while a reader is open: tried again. */
        if (sql_number(b->sql, "PRAGMA wal_checkpoint(TRUNCATE)") == 0)
            b->stage = SCRUB_DONE;
        break;
    case SCRUB_DONE:
        break;
    }
    if (!sql_sound(b->sql))
        b->stage = SCRUB_NONE;
    return b->stage == SCRUB_DONE;
}

void book_scrub_clean(struct book_scrub *b)
{
    ASSERT(b->stage == SCRUB_DONE && b->upto);
    sql_do_ints(b->clean, b->upto);
    b->stage = SCRUB_NONE;
}
