/* SPDX-License-Identifier: Apache-2.0 */
/* book_fill.h — brings an unused book up to date with its log, and moves it to another log.
 *
 * For the tools that make a snapshot without a server: adopt and migrate.
 */
#ifndef STORE_BOOK_FILL_H
#define STORE_BOOK_FILL_H

#include <stdint.h>

#include "base/status.h"
#include "log/log.h"

struct book_writer;
struct change;
struct pg;

struct book_fill {
    struct book_writer *writer;
    struct change *change;
    uint64_t seq;
    uint32_t chain; /* of the row that ends with seq */
    int64_t at_ms;
};

/* Opens the book at `path`, or creates it. */
struct status book_fill_begin(struct book_fill *b, const char *path);
/* A log_replay_fn; ctx: the struct book_fill. */
struct status book_fill_batch(void *ctx, const struct log_batch *batch);
/* All rows of a log in PostgreSQL that the book lacks. CORRUPT: it is not the log of this book, or is damaged. */
struct status book_fill_rows(struct book_fill *b, struct pg *pg, int32_t shard);
/* From here on the book is one of the log with this id, and ends with b->seq + raise. */
struct status book_fill_move(struct book_fill *b, const uint8_t id[16], uint64_t raise);
/* Closes the book; after a fault, too. */
void book_fill_end(struct book_fill *b);

#endif
