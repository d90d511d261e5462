/* SPDX-License-Identifier: Apache-2.0 */
/* anchor.h — what a book says about its log, so that no other log is mistaken for it. Kept in the book's table `meta`. */
#ifndef LOG_ANCHOR_H
#define LOG_ANCHOR_H

#include <stdbool.h>
#include <stdint.h>

struct log_anchor {
    uint64_t seq;   /* the last change that the book has */
    bool has_id;    /* false: a new book; then id means nothing */
    bool has_chain; /* the same of chain */
    uint8_t id[16];
    uint32_t chain; /* the checksum in the log's chain of the batch that ends with seq */
};

#endif
