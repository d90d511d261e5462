/* SPDX-License-Identifier: Apache-2.0 */
#include "log/pg_rows.h"

#include "base/assertion.h"
#include "log/log_pg.h"
#include "log/pg.h"

/* The row with $2 in it, or the first one after, and the next ones. */
static const char rows_sql[] =
    "SELECT first_seq, count, epoch, at_ms, chain, bytes FROM log WHERE shard=$1::int AND first_seq >="
    " coalesce((SELECT max(first_seq) FROM log WHERE shard=$1::int AND first_seq <= $2), $2)"
    " ORDER BY first_seq LIMIT 16";
enum { FIRST_SEQ, COUNT, EPOCH, AT_MS, CHAIN, BYTES };

void pg_rows_init(struct pg_rows *r, struct pg *pg, int32_t shard, uint64_t after_seq)
{
    *r = (struct pg_rows){.pg = pg, .shard = shard, .after_seq = after_seq};
}

void pg_rows_release(struct pg_rows *r)
{
    *r = (struct pg_rows){0};
}

void pg_rows_expect(struct pg_rows *r, uint32_t chain)
{
    ASSERT(!r->begun && r->after_seq > 0);
    r->expects = true;
    r->expected = chain;
}

/* Asks for the next rows. Without an answer there are none for now. */
static void ask(struct pg_rows *r)
{
    uint64_t from = r->begun ? r->last_seq + 1 : r->after_seq ? r->after_seq : 1;
    const struct pg_value values[] = {PG_INT(r->shard), PG_INT(from)};
    r->answered = pg_run(r->pg, rows_sql, values, 2) == PG_DONE;
    r->next = 0;
    r->count = r->answered ? pg_rows_count(r->pg) : 0;
    /* `from` may be the end of the log at the last query: then the last row comes again. */
    while (r->begun && r->next < r->count && (uint64_t)pg_int(r->pg, r->next, FIRST_SEQ) <= r->last_first_seq)
        r->next++;
}

/* The first row: it ends with after_seq, or follows it, because the rows before it were trimmed. */
static struct status judge_anchor(const struct pg_rows *r, const struct log_batch *batch, uint64_t epoch)
{
    uint64_t last_seq = batch->first_seq + batch->count - 1;
    bool follows = batch->first_seq == r->after_seq + 1;
    if (!follows && (batch->first_seq > r->after_seq || last_seq < r->after_seq))
        return status_make(STATUS_CORRUPT, "the log has no row with seq %llu, which the book ends with",
                           (unsigned long long)r->after_seq);
    bool same = follows ? batch->chain == log_pg_chain(r->expected, epoch, batch)
                        : last_seq != r->after_seq || batch->chain == r->expected;
    return same || !r->expects
               ? status_none()
               : status_make(STATUS_CORRUPT, "the log has another row with seq %llu than the book",
                             (unsigned long long)r->after_seq);
}

static struct status judge(const struct pg_rows *r, const struct log_batch *batch, uint64_t epoch)
{
    if (!r->begun && r->after_seq > 0)
        return judge_anchor(r, batch, epoch);
    uint64_t expected = r->begun ? r->last_seq + 1 : 1;
    if (batch->first_seq != expected ||
        batch->chain != log_pg_chain(r->begun ? r->last_chain : 0, epoch, batch))
        return status_make(STATUS_CORRUPT, "the row of the log with seq %llu does not follow the one before it",
                           (unsigned long long)batch->first_seq);
    return status_none();
}

/* The next row of the answer, verified. */
static struct status pg_rows_verify_next(struct pg_rows *r, struct log_batch *batch)
{
    int row = r->next++;
    *batch = (struct log_batch){.count = (uint32_t)pg_int(r->pg, row, COUNT),
                                .at_ms = pg_int(r->pg, row, AT_MS),
                                .first_seq = (uint64_t)pg_int(r->pg, row, FIRST_SEQ),
                                .chain = (uint32_t)pg_int(r->pg, row, CHAIN)};
    batch->bytes = pg_bytes(r->pg, row, BYTES, &batch->size);
    struct status fault = judge(r, batch, (uint64_t)pg_int(r->pg, row, EPOCH));
    r->begun = true;
    r->last_first_seq = batch->first_seq;
    r->last_seq = batch->first_seq + batch->count - 1;
    r->last_chain = batch->chain;
    return fault;
}

struct status pg_rows_next(struct pg_rows *r, uint64_t upto_seq, struct log_batch *batch, bool *found)
{
    struct status fault = status_none();
    *found = false;
    while (status_ok(&fault) && !*found) {
        if (r->begun && r->last_seq >= upto_seq)
            return fault;
        if (r->next == r->count)
            ask(r);
        if (r->next == r->count)
            return fault;
        fault = pg_rows_verify_next(r, batch);
        *found = status_ok(&fault) && r->last_seq > r->after_seq;
    }
    return fault;
}
