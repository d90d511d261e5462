/* SPDX-License-Identifier: Apache-2.0 */
/* layout_derived.h — what a layout computes from its seats once, when it is made.
 *
 * With a `base`, whose roll the layout shares, only new seats and the rows that have grown are processed, if that is
 * enough; the rest is copied.
 */
#ifndef CORE_LAYOUT_DERIVED_H
#define CORE_LAYOUT_DERIVED_H

struct layout;

/* Sorts the seats into rows: fills rows, front and the roll's row_of. A row is a section and a row label. Its seats are
 * sorted by their integer numbers, and two are neighbours if these differ by the smallest step in the row, so that 1, 3, 5
 * are neighbours; if any seat of the row has no integer number, all are in order of import and each is the neighbour of
 * the next. The front is the smallest y; rows without y come after the others, in natural order. */
void layout_rows_make(struct layout *l, const struct layout *base);

/* After layout_rows_make: fills parts, how many seats there are of each section and tier, so that a wish can be judged
 * without looking at seats. Takes 20 bytes for each section, each tier and each pair of them in use. */
void layout_parts_make(struct layout *l, const struct layout *base);

#endif
