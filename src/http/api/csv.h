/* SPDX-License-Identifier: Apache-2.0 */
/* csv.h — CSV (RFC 4180) record by record: what imports of seats and of codes have in common.
 *
 * A header line names the columns, in any order. Lines end in CRLF or LF, the last one may go without; a byte order mark
 * is skipped, as are empty lines. A fault names the line on which the record begins (the header is line 1).
 */
#ifndef HTTP_CSV_H
#define HTTP_CSV_H

#include "base/text/utf8.h"
#include "core/types.h"
#include "store/store.h"

#define CSV_COLUMNS_MAX 16
#define CSV_FIELD_SIZE_MAX 1100 /* of an unescaped copy: more than any field may have */

struct csv {
    const char *at;
    const char *end;
    uint32_t line;                     /* where `at` is */
    uint32_t record_line;              /* where the record being read began */
    unsigned columns[CSV_COLUMNS_MAX]; /* by place in the header: which one it is */
    size_t column_count;
    size_t most;                         /* columns there are */
    struct text fields[CSV_COLUMNS_MAX]; /* of the record read last; in the body, or unescaped */
    char unescaped[CSV_COLUMNS_MAX][CSV_FIELD_SIZE_MAX]; /* fields that had doubled quotes */
    struct import_fault *fault;
};

void csv_begin(struct csv *csv, const char *body, size_t size, struct import_fault *fault);
/* The header line: each column is one of these names, none twice, the first one among them. */
bool csv_header(struct csv *csv, const struct text *names, unsigned count);
bool csv_more(struct csv *csv);   /* whether there is another record */
bool csv_record(struct csv *csv); /* into csv->fields, as many as there are columns */
/* False: the fault is about the record being read. */
__attribute__((format(printf, 2, 3))) bool csv_refuse(struct csv *csv, const char *format, ...);
/* For a detail. */
const char *csv_shown(struct text text, char out[UTF8_SHOWN_SIZE]);

#endif
