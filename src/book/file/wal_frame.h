/* SPDX-License-Identifier: Apache-2.0 */
/* wal_frame.h — the frames of SQLite's write-ahead log, as far as one must know them to change a page on its
 * way into one: each has a header of 24 bytes whose checksum continues that of the frame before and covers
 * the page.
 *
 *   log:    header 32 | frame | frame | …          frame:   header 24 | page
 *   header: bytes 24-31 its checksum               header:  bytes 0-7 page and commit mark, 8-15 salts,
 *                                                           16-23 checksum of bytes 0-7 and the page
 *
 * A checksum is two words, big-endian on disk. This is the format of SQLite 3 since 3.7.0, and fixed.
 */
#ifndef BOOK_WAL_FRAME_H
#define BOOK_WAL_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#define WAL_HEADER_SIZE 32
#define WAL_FRAME_HEADER_SIZE 24
#define WAL_SUM_SIZE 8

/* Whether checksums are over words of this machine's byte order; they always are where it wrote the log
 * itself. */
bool wal_frame_native(const uint8_t log_header[WAL_HEADER_SIZE]);
/* Where the frame begins whose page lies at this offset. -1: no page lies there. */
int64_t wal_frame_of_page(int64_t offset, int page_size);
/* Where the checksum lies that the one of this frame continues. */
int64_t wal_frame_sum_before(int64_t frame, int page_size);
uint32_t wal_frame_page_number(const uint8_t header[WAL_FRAME_HEADER_SIZE]);
/* Computes the checksum of a frame with this page anew, from the one before. */
void wal_frame_sum(uint8_t header[WAL_FRAME_HEADER_SIZE], const uint8_t before[WAL_SUM_SIZE],
                   const uint8_t *page, int page_size);

/* ---- To read one ---- */
bool wal_frame_header_fits(const uint8_t log_header[WAL_HEADER_SIZE]); /* its checksum; of a native one */
int wal_frame_page_size(const uint8_t log_header[WAL_HEADER_SIZE]);
/* Whether the frame is of this life of the log: it has its salts. */
bool wal_frame_salted(const uint8_t header[WAL_FRAME_HEADER_SIZE], const uint8_t log_header[WAL_HEADER_SIZE]);
bool wal_frame_commits(const uint8_t header[WAL_FRAME_HEADER_SIZE]); /* it is the last of a transaction */

#endif
