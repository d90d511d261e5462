/* SPDX-License-Identifier: Apache-2.0 */
/* listen.h — the address that the server listens on: "127.0.0.1:8080", "[::1]:0", "localhost:8080". */
#ifndef HTTP_LISTEN_H
#define HTTP_LISTEN_H

#include <uv.h>

#include "base/status.h"

/* Whether the text is an address and a port, and which. */
struct status listen_read(const char *text, struct sockaddr_storage *out);
/* A socket bound to that address, for listen_open; nobody can connect yet. STATUS_BUSY: the port is taken. */
struct status listen_bind(const char *text, int *out);
/* Listens on a bound socket, which it takes over. On a fault the listener is being closed: run the loop once.
 * STATUS_BUSY: the port was taken in the meantime. */
struct status listen_open(uv_tcp_t *listener, uv_loop_t *loop, int take, uv_connection_cb on_connection);
/* Where it listens; the port is the real one. */
void listen_address(const uv_tcp_t *listener, char *out, size_t size);

#endif
