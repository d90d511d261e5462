/* SPDX-License-Identifier: Apache-2.0 */
#include "store/book_fill.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/bytes.h"
#include "base/memory/memory.h"
#include "book/record/load.h"
#include "book/record/writer.h"
#include "core/change.h"
#include "log/pg.h"
#include "log/pg_rows.h"
#include "store/snapshot_book.h"

struct status book_fill_begin(struct book_fill *b, const char *path)
{
    struct book_meta meta;
    *b = (struct book_fill){0};
    struct status fault = book_writer_open(&b->writer, path);
    if (status_ok(&fault))
        fault = snapshot_book_meta(path, &meta);
    if (!status_ok(&fault))
        return fault;
    b->change = memory_zeroed(1, sizeof(*b->change));
    b->seq = meta.log.seq;
    b->chain = meta.log.chain;
    b->at_ms = meta.last_at_ms;
    return fault;
}

static struct status book_fill_apply(struct book_fill *b, const struct log_batch *batch)
{
    struct bytes_reader in = bytes_reader_make(batch->bytes, batch->size);
    struct status fault = status_none();
    for (uint32_t i = 0; i < batch->count && status_ok(&fault); i++) {
        uint64_t seq = batch->first_seq + i;
        if (!change_decode(&in, seq, b->change))
            return status_make(STATUS_CORRUPT, "cannot read the change with seq %llu",
                               (unsigned long long)seq);
        if (seq > b->seq)
            fault = book_writer_apply(b->writer, b->change);
    }
    return fault;
}

struct status book_fill_batch(void *ctx, const struct log_batch *batch)
{
    struct book_fill *b = ctx;
    uint64_t last_seq = batch->first_seq + batch->count - 1;
    int64_t at_ms = batch->at_ms > b->at_ms ? batch->at_ms : b->at_ms;
    ASSERT(last_seq > b->seq);
    struct status fault = book_writer_begin(b->writer);
    if (!status_ok(&fault))
        return fault;
    fault = book_fill_apply(b, batch);
    if (status_ok(&fault))
        fault = book_writer_commit(b->writer, last_seq, at_ms, batch->chain);
    if (!status_ok(&fault)) {
        book_writer_rollback(b->writer);
        return fault;
    }
    b->seq = last_seq;
    b->chain = batch->chain;
    b->at_ms = at_ms;
    return fault;
}

struct status book_fill_rows(struct book_fill *b, struct pg *pg, int32_t shard)
{
    struct pg_rows rows;
    struct log_batch batch;
    bool found = true;
    pg_rows_init(&rows, pg, shard, b->seq);
    if (b->seq)
        pg_rows_expect(&rows, b->chain);
    struct status fault = status_none();
    while (status_ok(&fault) && found) {
        fault = pg_rows_next(&rows, UINT64_MAX, &batch, &found);
        if (status_ok(&fault) && found)
            fault = book_fill_batch(b, &batch);
    }
    if (status_ok(&fault) && !rows.answered)
        fault = status_make(STATUS_IO, "cannot read the log: %.150s", pg_fault(pg));
    if (status_ok(&fault) && !rows.begun)
        fault = status_make(STATUS_CORRUPT, "the log in the database is empty");
    pg_rows_release(&rows);
    return fault;
}

struct status book_fill_move(struct book_fill *b, const uint8_t id[16], uint64_t raise)
{
    struct status fault = book_writer_begin(b->writer);
    if (!status_ok(&fault))
        return fault;
    fault = book_writer_commit(b->writer, b->seq + raise, b->at_ms, b->chain);
    if (!status_ok(&fault)) {
        book_writer_rollback(b->writer);
        return fault;
    }
    b->seq += raise;
    return book_writer_tie(b->writer, id, NULL);
}

void book_fill_end(struct book_fill *b)
{
    book_writer_close(b->writer);
    free(b->change);
    *b = (struct book_fill){0};
}
