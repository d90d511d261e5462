/* SPDX-License-Identifier: Apache-2.0 */
/* redis_connection.h — the socket of a link: connects, says who it is, has the scripts loaded; bytes out, replies in.
 *
 *   getaddrinfo ──► connect ──► AUTH, SELECT, SCRIPT LOAD, PING ──► redis_link_ready
 *        └─────────────┴────────────────┴──► redis_link_broken
 *
 * Decides nothing about time: redis_link.c gives up, tries again and rests.
 */
#ifndef HTTP_REDIS_CONNECTION_H
#define HTTP_REDIS_CONNECTION_H

#include "http/gate/redis_link.h"

/* Begins to connect; a fault is reported at once. The socket before it is closed (`has_tcp`, `resolving`). */
void redis_connection_open(struct redis_link *l);
void redis_connection_close(struct redis_link *l);
/* Sends what is in the output before the loop waits again. */
void redis_connection_flush_soon(struct redis_link *l);
/* The link's own commands. */
void redis_connection_ping(struct redis_link *l, uint64_t until_ms, redis_reply_fn reply);
void redis_connection_load_again(struct redis_link *l, uint64_t until_ms);

#endif
