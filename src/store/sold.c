/* SPDX-License-Identifier: Apache-2.0 */
#include "store/sold.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/buf.h"
#include "base/memory/memory.h"
#include "core/claim/sale.h"
#include "log/pg.h"
#include "log/sales.h"

#define SLICE 5000
#define COLUMN_SIZE_MAX ((size_t)1 << 20)

/* The rows after one of them, in the order of sale_next. */
static const char read_sql[] =
    "SELECT event, seat, fence FROM sold WHERE shard=$1::int AND (event, seat) > ($2, $3::int)"
    " AND fence<>0 ORDER BY event, seat LIMIT 5000";
static const char write_sql[] =
    "INSERT INTO sold SELECT $1::int,f.event,f.seat,f.fence,f.prev FROM"
    " unnest($2::text::bigint[],$3::text::int[],$4::text::bigint[],$5::text::bigint[]) "
    "f(event,seat,fence,prev)"
    " WHERE EXISTS (SELECT 1 FROM fence WHERE shard=$1::int AND token=$6 AND halted IS NOT NULL)"
    " ON CONFLICT (shard, event, seat) DO UPDATE SET fence=EXCLUDED.fence, prev=EXCLUDED.prev RETURNING 1";

struct walk {
    struct pg *pg;
    int32_t shard;
    const uint8_t *token;
    const struct state *state;
    struct sale here;         /* the next sold seat of the state */
    bool more;                /* there is one */
    struct sale there[SLICE]; /* rows of the table */
    uint32_t next, count;
    bool all; /* the last of them were read */
    struct sale differing[SLICE];
    uint32_t differing_count;
    struct buf columns[SALES_COLUMNS];
};

static struct status sold_fault(const struct pg *pg)
{
    return status_make(STATUS_IO, "cannot use the table of sold seats: %.150s", pg_fault(pg));
}

/* Negative: a comes before b. */
static int order(const struct sale *a, const struct sale *b)
{
    if (a->event != b->event)
        return a->event < b->event ? -1 : 1;
    return a->seat < b->seat ? -1 : a->seat > b->seat;
}

/* ---- Comparing ---- */

/* One row, without a seat, if none is sold. */
static const char all_sql[] =
    "SELECT l.last, s.event, s.seat, s.fence FROM (SELECT first_seq+count-1 AS last FROM log WHERE shard=$1::int"
    " ORDER BY first_seq DESC LIMIT 1) l LEFT JOIN sold s ON s.shard=$1::int AND s.fence<>0 ORDER BY s.event, s.seat";
enum { LAST, EVENT, SEAT, FENCE };

struct status sold_read(struct pg *pg, int32_t shard, struct sold_rows *out)
{
    const struct pg_value values[] = {PG_INT(shard)};
    *out = (struct sold_rows){0};
    if (pg_run(pg, all_sql, values, 1) != PG_DONE)
        return sold_fault(pg);
    int count = pg_rows_count(pg);
    if (count == 0)
        return status_make(STATUS_CORRUPT, "the log in the database is empty");
    out->last_seq = (uint64_t)pg_int(pg, 0, LAST);
    out->list = memory_zeroed((size_t)count, sizeof(*out->list));
    for (int i = 0; i < count && !pg_null(pg, i, EVENT); i++)
        out->list[out->count++] = (struct sale){.event = (uint64_t)pg_int(pg, i, EVENT),
                                                .seat = (uint32_t)pg_int(pg, i, SEAT),
                                                .fence = (uint64_t)pg_int(pg, i, FENCE)};
    return status_none();
}

void sold_rows_release(struct sold_rows *rows)
{
    free(rows->list);
    *rows = (struct sold_rows){0};
}

void sold_compare(const struct sold_rows *rows, const struct state *state,
                  void (*report)(void *ctx, const char *sentence), void *ctx)
{
    struct sale here = {0};
    bool more = sale_next(state, &here, false);
    for (uint32_t next = 0; more || next < rows->count;) {
        const struct sale *row = next < rows->count ? &rows->list[next] : NULL;
        int side = !row ? -1 : !more ? 1 : order(&here, row);
        const struct sale *seat = side > 0 ? row : &here;
        uint64_t in_log = side > 0 ? 0 : here.fence, in_table = side < 0 ? 0 : row->fence;
        char sentence[200];
        snprintf(sentence, sizeof(sentence),
                 "sold: seat %u of event %llu has fence %llu in the table of sold seats, and %llu by the log (0: not sold)",
                 seat->seat, (unsigned long long)seat->event, (unsigned long long)in_table, (unsigned long long)in_log);
        if (in_log != in_table)
            report(ctx, sentence);
        next += side >= 0;
        if (side <= 0)
            more = sale_next(state, &here, true);
    }
}

/* ---- Writing ---- */

static struct status read_slice(struct walk *w)
{
    const struct sale *last = w->count ? &w->there[w->count - 1] : NULL;
    const struct pg_value values[] = {PG_INT(w->shard), PG_INT(last ? (int64_t)last->event : -1),
                                      PG_INT(last ? (int64_t)last->seat : -1)};
    if (pg_run(w->pg, read_sql, values, 3) != PG_DONE)
        return sold_fault(w->pg);
    uint32_t count = (uint32_t)pg_rows_count(w->pg);
    ASSERT(count <= SLICE);
    for (uint32_t i = 0; i < count; i++)
        w->there[i] = (struct sale){.event = (uint64_t)pg_int(w->pg, (int)i, 0),
                                    .seat = (uint32_t)pg_int(w->pg, (int)i, 1),
                                    .fence = (uint64_t)pg_int(w->pg, (int)i, 2)};
    w->next = 0;
    w->count = count;
    w->all = count < SLICE;
    return status_none();
}

static struct status flush(struct walk *w)
{
    if (!w->differing_count)
        return status_none();
    for (int i = 0; i < SALES_COLUMNS; i++) {
        buf_clear(&w->columns[i]);
        sales_write_column(&w->columns[i], w->differing, w->differing_count, (enum sales_column)i);
    }
    const struct pg_value values[] = {PG_INT(w->shard),
                                      PG_TEXT(w->columns[SALES_EVENT].data),
                                      PG_TEXT(w->columns[SALES_SEAT].data),
                                      PG_TEXT(w->columns[SALES_FENCE].data),
                                      PG_TEXT(w->columns[SALES_PREV].data),
                                      PG_ID(w->token)};
    if (pg_run(w->pg, write_sql, values, 6) != PG_DONE)
        return sold_fault(w->pg);
    if ((uint32_t)pg_rows_count(w->pg) != w->differing_count)
        return status_make(STATUS_BUSY, "the table of sold seats is written by another process");
    w->differing_count = 0;
    return status_none();
}

/* The earlier one of the next sold seat and the next row, or both if they are of one seat: a difference between them is kept. */
static void step(struct walk *w)
{
    const struct sale *row = w->next < w->count ? &w->there[w->next] : NULL;
    int side = !row ? -1 : !w->more ? 1 : order(&w->here, row);
    struct sale wanted = side <= 0 ? w->here : *row;
    if (side > 0)
        wanted.fence = 0; /* the seat is not sold */
    wanted.prev = side >= 0 ? row->fence : 0;
    if (wanted.fence != wanted.prev)
        w->differing[w->differing_count++] = wanted;
    if (side >= 0)
        w->next++;
    if (side <= 0)
        w->more = sale_next(w->state, &w->here, true);
}

static struct status sold_walk(struct walk *w)
{
    struct status fault = read_slice(w);
    w->more = sale_next(w->state, &w->here, false);
    while (status_ok(&fault) && (w->more || w->next < w->count)) {
        step(w);
        if (w->differing_count == SLICE)
            fault = flush(w);
        if (status_ok(&fault) && w->next == w->count && !w->all)
            fault = read_slice(w);
    }
    return status_ok(&fault) ? flush(w) : fault;
}

struct status sold_write(struct pg *pg, int32_t shard, const uint8_t token[16], const struct state *state)
{
    struct walk *w = memory_zeroed(1, sizeof(*w));
    w->token = token;
    w->pg = pg;
    w->shard = shard;
    w->state = state;
    for (int i = 0; i < SALES_COLUMNS; i++)
        buf_init(&w->columns[i], COLUMN_SIZE_MAX);
    struct status fault = sold_walk(w);
    for (int i = 0; i < SALES_COLUMNS; i++)
        buf_release(&w->columns[i]);
    free(w);
    return fault;
}
