/* SPDX-License-Identifier: Apache-2.0 */
/* first_row.h — the first row of a log, which names the node that began it.
 *
 * A log is never empty, so that each batch can name the one before it. The row is one CHANGE_OWNER.
 */
#ifndef CLUSTER_FIRST_ROW_H
#define CLUSTER_FIRST_ROW_H

#include <stdint.h>

struct buf;

struct first_row {
    uint64_t seq, epoch;
    uint32_t before; /* the chain of what the log continues; 0: nothing */
    int64_t at_ms;
    const char *node; /* who begins it, for people */
};

/* Appends the bytes of the row; its chain. */
uint32_t first_row_write(const struct first_row *row, struct buf *bytes);

#endif
