/* SPDX-License-Identifier: Apache-2.0 */
/* refund_csv.h — refunds due as CSV (csv_cell.h), a row each. */
#ifndef HTTP_REFUND_CSV_H
#define HTTP_REFUND_CSV_H

#include "base/memory/buf.h"
#include "core/money/refund.h"

void refund_csv_begin(struct buf *out); /* the header line */
void refund_csv_write(struct buf *out, const struct refund_image *refund);
extern const char refund_csv_example[]; /* a page with one row, for /openapi.json */

#endif
