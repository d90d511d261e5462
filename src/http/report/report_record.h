/* SPDX-License-Identifier: Apache-2.0 */
/* report_record.h — the rows of reports, as JSON and as CSV (csv_cell.h). */
#ifndef HTTP_REPORT_RECORD_H
#define HTTP_REPORT_RECORD_H

#include "base/memory/buf.h"
#include "base/json/json_writer.h"
#include "book/record/query.h"

void report_row_json(struct json_writer *w, enum report report, const struct report_row *row);
void report_csv_begin(struct buf *out, enum report report); /* the header line */
void report_csv_row(struct buf *out, enum report report, const struct report_row *row);
void money_row_json(struct json_writer *w, const struct money_row *row);
void money_csv_begin(struct buf *out);
void money_csv_row(struct buf *out, const struct money_row *row);
/* Pages with one row, for /openapi.json. */
extern const char report_sales_csv_example[], report_abandoned_csv_example[], report_funnel_csv_example[],
    report_money_csv_example[];

#endif
