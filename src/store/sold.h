/* SPDX-License-Identifier: Apache-2.0 */
/* sold.h — makes PostgreSQL's table of sold seats match the state. For tools, while the log is halted. */
#ifndef STORE_SOLD_H
#define STORE_SOLD_H

#include <stdint.h>

#include "base/status.h"

struct pg;
struct state;

/* Reads the rows of the site and writes those that differ, some thousand at a time. BUSY: the log is not halted, or has another
 * token; nothing more is written. */
struct status sold_write(struct pg *pg, int32_t shard, const uint8_t token[16], const struct state *state);

#endif
