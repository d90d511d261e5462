/* SPDX-License-Identifier: Apache-2.0 */
/* reservation_csv.h — reservations as CSV (RFC 4180), for spreadsheets: a row for each item, and one for a
 * reservation that has none. */
#ifndef HTTP_RESERVATION_CSV_H
#define HTTP_RESERVATION_CSV_H

#include "base/memory/buf.h"
#include "core/image.h"

/* The header line. */
void reservation_csv_begin(struct buf *out);
void reservation_csv_write(struct buf *out, const struct reservation_image *r);
/* An upper bound of the bytes of this reservation's rows. */
size_t reservation_csv_bound(const struct reservation_image *r);
/* A page with one row, for /openapi.json. */
extern const char reservation_csv_example[];

#endif
