/* SPDX-License-Identifier: Apache-2.0 */
/* sales.h — the sales of a batch, folded to one row per seat.
 *
 * A statement can change a row once, and a seat may be sold, refunded and sold again within one batch: what counts is what
 * the seat was before the first sale, and what it is after the last one. Each sale must begin where the one before it ended.
 */
#ifndef LOG_SALES_H
#define LOG_SALES_H

#include "base/status.h"
#include "core/claim/sale.h"

struct buf;

/* Folds them in place, ordered by event and seat. CORRUPT: a sale does not continue the one before it. */
struct status sales_fold(struct sale *sales, uint32_t *count);

/* A column of rows for the server: {1,2,3}, ended by 0. */
enum sales_column { SALES_EVENT, SALES_SEAT, SALES_FENCE, SALES_PREV };
#define SALES_COLUMNS 4
void sales_write_column(struct buf *out, const struct sale *sales, uint32_t count, enum sales_column column);

#endif
