/* SPDX-License-Identifier: Apache-2.0 */
/* page_wipe.h — zeros the unused bytes of a SQLite page.
 *
 * SQLite overwrites what is deleted (PRAGMA secure_delete), but when it moves cells to another page it leaves copies in the
 * space between the cell pointers and the cells. These would stay on the disk long after the cells were deleted.
 */
#ifndef BOOK_PAGE_WIPE_H
#define BOOK_PAGE_WIPE_H

#include <stddef.h>
#include <stdint.h>

/* A page that does not belong to a b-tree starts with the number of another page, or with zeros. In a file with fewer pages
 * than this, its first byte cannot be mistaken for the type of a b-tree page. */
#define PAGE_WIPE_PAGES_MAX 0x01000000u

/* Zeros the space between the cell pointers and the cells, if it is a b-tree page. `usable`: its size without the reserved
 * bytes at the end. */
void page_wipe(uint8_t *page, size_t usable, uint32_t number);

#endif
