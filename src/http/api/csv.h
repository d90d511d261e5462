/* SPDX-License-Identifier: Apache-2.0 */
/* csv.h — CSV (RFC 4180) record by record: shared by the imports of seats and codes.
 *
 * A header line names the columns, in any order. Lines end in CRLF or LF, optional for the last one; a byte order mark
 * is skipped, and so are empty lines. A fault names the line on which the record begins (the header is line 1).
 */
#ifndef HTTP_CSV_H
#define HTTP_CSV_H

#include "base/text/utf8.h"
#include "core/types.h"
#include "store/store.h"

#define CSV_COLUMNS_MAX 16
#define CSV_FIELD_SIZE_MAX 1100 /* of an unescaped copy: more than any valid field */

struct csv {
    const char *at;
    const char *end;
    uint32_t line;                     /* the line of `at` */
    uint32_t record_line;              /* the first line of the current record */
    unsigned columns[CSV_COLUMNS_MAX]; /* by position in the header: the index of its name */
    size_t column_count;
    size_t most;                                         /* number of known columns */
    struct text fields[CSV_COLUMNS_MAX];                 /* of the last record; in the body, or unescaped */
    char unescaped[CSV_COLUMNS_MAX][CSV_FIELD_SIZE_MAX]; /* fields that had doubled quotes */
    struct import_fault *fault;
};

void csv_begin(struct csv *csv, const char *body, size_t size, struct import_fault *fault);
/* The header line: each column must be one of these names, without duplicates; the first name is required. */
bool csv_header(struct csv *csv, const struct text *names, unsigned count);
bool csv_more(struct csv *csv);   /* whether there is another record */
bool csv_record(struct csv *csv); /* into csv->fields, as many as there are columns */
/* Sets the fault for the current record and returns false. */
__attribute__((format(printf, 2, 3))) bool csv_refuse(struct csv *csv, const char *format, ...);
/* A field as a detail shows it. */
const char *csv_shown(struct text text, char out[UTF8_SHOWN_SIZE]);

#endif
