/* SPDX-License-Identifier: Apache-2.0 */
/* layout_rows.h — sorts a layout's seats into rows, front rows first, neighbours side by side. */
#ifndef CORE_LAYOUT_ROWS_H
#define CORE_LAYOUT_ROWS_H

struct layout;

/* Fills rows, front and the roll's row_of. A row is a section and a row label. Its seats are sorted by their
 * integer numbers, and two are neighbours if these differ by the smallest step in the row, so that 1, 3, 5 are
 * neighbours; if any seat of the row has no integer number, all are in order of import and each is the neighbour of
 * the next. The front is the smallest y; rows without y come after the others, in natural order.
 *
 * With a `base`, whose roll the layout shares, only the added seats and their rows are processed; the other rows and
 * their order are copied. */
void layout_rows_make(struct layout *l, const struct layout *base);

#endif
