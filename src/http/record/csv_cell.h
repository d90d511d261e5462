/* SPDX-License-Identifier: Apache-2.0 */
/* csv_cell.h — one cell of CSV (RFC 4180), with the comma in front of it.
 *
 * A cell that a spreadsheet would treat as a formula (it begins with = + - @, tab or CR) gets a ' in front.
 */
#ifndef HTTP_CSV_CELL_H
#define HTTP_CSV_CELL_H

#include "base/memory/buf.h"
#include "core/types.h"

void csv_cell_text(struct buf *out, struct text text); /* any text; an absent one is an empty cell */
void csv_cell_word(struct buf *out, const char *word); /* a NUL-terminated word of our own */
void csv_cell_number(struct buf *out, int64_t number);
/* Empty if 0, which is never a valid instant here. */
void csv_cell_time(struct buf *out, int64_t at_ms);

#endif
