/* SPDX-License-Identifier: Apache-2.0 */
/* page_wipe.h — the bytes of a page of SQLite that hold nothing.
 *
 * SQLite overwrites what is deleted (PRAGMA secure_delete), but when it moves cells to another page it leaves copies in the
 * space between the list of cells and the cells. These would stay on the disk when the cells themselves are long gone.
 */
#ifndef BOOK_PAGE_WIPE_H
#define BOOK_PAGE_WIPE_H

#include <stddef.h>
#include <stdint.h>

/* A page that belongs to no tree begins with the number of another page, or with zeros. In a file of fewer pages than this
 * that cannot be taken for the first byte of a tree's page. */
#define PAGE_WIPE_PAGES_MAX 0x01000000u

/* If the page is one of a tree: zeros the space that no cell has. `usable` is without what is reserved at the end. */
void page_wipe(uint8_t *page, size_t usable, uint32_t number);

#endif
