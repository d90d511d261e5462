/* SPDX-License-Identifier: Apache-2.0 */
/* owner.h — which process decides, where several share one log.
 *
 * The process that begins to decide is the owner of its epoch. Its first change says so: all changes up to the next such
 * change are its own. An import of the owner before it is over. A process with a log of its own writes no such change.
 */
#ifndef CORE_OWNER_H
#define CORE_OWNER_H

#include <stdint.h>

#include "core/types.h"

#define OWNER_NODE_SIZE_MAX 128

struct owner_image {
    uint64_t epoch;   /* each is greater than the one before */
    struct text node; /* the id of the process, for people */
    int64_t since_ms;
};

struct state;
struct buf;

/* The first step of a new owner. From here on, its steps name their sales. */
void state_begin_epoch(struct state *st, uint64_t epoch, struct text node, int64_t now_ms, struct buf *changes);
/* Of the last owner; 0: there was none. */
uint64_t state_epoch(const struct state *st);

#endif
