/* SPDX-License-Identifier: Apache-2.0 */
/* gate.h — the gate on Redis of one server: its connections, and the mirror of what is held and sold.
 *
 * Where this process follows, holds ask there for intents (intent.h); where it decides, the mirror writes the keys
 * (mirror.h). Without --redis there is none, and nothing is paid for it. Loop thread only.
 */
#ifndef HTTP_GATE_H
#define HTTP_GATE_H

#include <uv.h>

#include "base/memory/buf.h"
#include "core/types.h"
#include "http/gate/redis_link.h"

struct gate;
struct gate_gauges; /* http/metrics.h */
struct server;

/* To every address of server_options.redis. */
struct gate *gate_open(struct server *server);
/* Ends all commands; `closed` is called once for a handle of `server`. */
void gate_close(struct gate *g, uv_close_cb closed);
/* When the loop has closed its handles, and the store is closed. */
void gate_free(struct gate *g);

/* Changes up to store_durable_seq are durable. */
void gate_durable(struct gate *g);
/* Call it a few times a second. */
void gate_sweep(struct gate *g);

/* Whether all addresses are up. */
bool gate_up(const struct gate *g);
void gate_read_gauges(const struct gate *g, struct gate_gauges *out);
/* No key has a name any more that an erasure before this change removed. */
uint64_t gate_erased_seq(const struct gate *g);

/* ---- For files of this folder ---- */
/* The connection to the server that has this event. */
struct redis_link *gate_link(struct gate *g, struct text event);
/* Appends the name of a seat's key, as an argument. */
void gate_key(struct buf *out, struct text event, struct text seat);
/* Scratch for a command: until the next call of this folder. */
struct buf *gate_scratch(struct gate *g);

#endif
