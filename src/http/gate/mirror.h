/* SPDX-License-Identifier: Apache-2.0 */
/* mirror.h — the process that decides writes its claims of seats to Redis, after they are durable.
 *
 *   a step touches seats ──► queue ──durable──► batches of keys ──► Redis
 *   all live claims ──► pass, slowly for ever, or fast ──────┘
 *
 * Each address has a queue, at most two batches on their way, and a pass. The pass sets every key again at least every five
 * minutes: that prolongs them, and repairs what is wrong. It is fast, a refill, when Redis may lack anything: this process
 * has just begun to decide, the connection is new, a batch failed, the queue overflowed, or the marker is not this
 * process's, as after a flush, a restart, or the last write of an earlier owner.
 *
 * A key is written with the fence of its claim, or deleted by the seq of its end. Redis compares them (gate_scripts.h), so
 * neither the order of messages matters nor which process sent them. Of sales that memory has forgotten only the fence is
 * known; where the key is missing, the user comes from the book.
 *
 * Nothing waits for the mirror, and it uses a bounded part of each turn of the loop. Loop thread only.
 */
#ifndef HTTP_MIRROR_H
#define HTTP_MIRROR_H

#include <uv.h>

#include "http/gate/redis_link.h"

struct gate_gauges; /* http/metrics.h */
struct mirror;
struct server;

/* The links are those of the addresses, and live as long as the mirror is open. */
struct mirror *mirror_open(struct server *server, const struct redis_addresses *addresses,
                           struct redis_link *const *links);
/* Before the links are closed. `closed` is called for its handle. */
void mirror_close(struct mirror *m, uv_close_cb closed);
/* When the loop has closed its handle, and the store is closed. */
void mirror_free(struct mirror *m);

/* Changes up to store_durable_seq are durable. */
void mirror_durable(struct mirror *m);
/* Call it a few times a second. */
void mirror_sweep(struct mirror *m);

/* mirror_queue, refill_done, refill_total. */
void mirror_read_gauges(const struct mirror *m, struct gate_gauges *out);
/* A name is written for as long as the book has it, and stays in a key for ten minutes after that. No key has a name any more
 * that an erasure before this change removed. */
uint64_t mirror_erased_seq(const struct mirror *m);

#endif
