/* SPDX-License-Identifier: Apache-2.0 */
/* layout_parts.h — how many seats a layout has of each section and tier, counted once when it is made, so that a wish
 * can be judged without looking at seats.
 */
#ifndef CORE_LAYOUT_PARTS_H
#define CORE_LAYOUT_PARTS_H

struct layout;

/* Fills parts, from the rows. Takes 20 bytes for each section, each tier and each pair of them in use. With a `base`,
 * whose roll the layout shares, only new rows and rows that have grown are processed, if that is enough. */
void layout_parts_make(struct layout *l, const struct layout *base);

#endif
