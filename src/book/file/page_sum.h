/* SPDX-License-Identifier: Apache-2.0 */
/* page_sum.h — a checksum at the end of every page of the book.
 *
 * SQLite leaves the last PAGE_SUM_SIZE bytes of each page alone (the "reserved space" of its file format,
 * byte 20 of the first page says how many), so that any program can read the file. In them: CRC-32C of the
 * page's number and all bytes before, little-endian. A page in the place of another one is detected, too.
 */
#ifndef BOOK_PAGE_SUM_H
#define BOOK_PAGE_SUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PAGE_SUM_SIZE 4u

void page_sum_put(uint8_t *page, size_t size, uint32_t number);
bool page_sum_fine(const uint8_t *page, size_t size, uint32_t number);
/* All zeros, as a page that was free from the beginning: SQLite never writes it. */
bool page_sum_hole(const uint8_t *page, size_t size);

#define PAGE_SUM_HEADER_SIZE 100u
/* Whether a file that begins so has checksums: it says so, or it is a book (PRAGMA application_id), which always has them. A
 * single flipped bit does not turn them off. */
bool page_sum_expected(const uint8_t header[PAGE_SUM_HEADER_SIZE]);
/* The size of a page, by the header; 0: that makes no sense. */
size_t page_sum_page_size(const uint8_t header[PAGE_SUM_HEADER_SIZE]);

#endif
