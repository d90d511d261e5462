/* SPDX-License-Identifier: Apache-2.0 */
/* wal_frame.h — the frames of SQLite's write-ahead log, as far as needed to change a page on its way into one: each has a
 * header of 24 bytes, whose checksum continues that of the previous frame and covers the page.
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

/* Whether the checksums are over words of this machine's byte order; always true for a log written here. */
bool wal_frame_native(const uint8_t log_header[WAL_HEADER_SIZE]);
/* The offset of the frame whose page is at this offset. -1: no page starts there. */
int64_t wal_frame_of_page(int64_t offset, int page_size);
/* The offset of the checksum that this frame's checksum continues. */
int64_t wal_frame_sum_before(int64_t frame, int page_size);
uint32_t wal_frame_page_number(const uint8_t header[WAL_FRAME_HEADER_SIZE]);
/* Recomputes the checksum of a frame with this page, from the previous checksum. */
void wal_frame_sum(uint8_t header[WAL_FRAME_HEADER_SIZE], const uint8_t before[WAL_SUM_SIZE],
                   const uint8_t *page, int page_size);

/* ---- For reading ---- */
bool wal_frame_header_fits(
    const uint8_t log_header[WAL_HEADER_SIZE]); /* its checksum is right; native logs only */
int wal_frame_page_size(const uint8_t log_header[WAL_HEADER_SIZE]);
/* Whether the frame has the salts of the header; if not, it is left over from before the log was restarted. */
bool wal_frame_salted(const uint8_t header[WAL_FRAME_HEADER_SIZE], const uint8_t log_header[WAL_HEADER_SIZE]);
bool wal_frame_commits(const uint8_t header[WAL_FRAME_HEADER_SIZE]); /* the last frame of a transaction */

#endif
