/* SPDX-License-Identifier: Apache-2.0 */
/* listen.h — the address that the server listens on: "127.0.0.1:8080", "[::1]:0", "localhost:8080". */
#ifndef HTTP_LISTEN_H
#define HTTP_LISTEN_H

#include <uv.h>

#include "base/status.h"

/* Parses an address and a port. */
struct status listen_read(const char *text, struct sockaddr_storage *out);
/* A socket bound to that address, for listen_open; clients cannot connect yet. STATUS_BUSY: the port is in use. */
struct status listen_bind(const char *text, int *out);
/* The port of a bound socket. */
unsigned listen_port(int fd);
/* Listens on a bound socket and takes ownership of it. On a fault the listener is closing: run the loop once.
 * STATUS_BUSY: the port was taken in the meantime. */
struct status listen_open(uv_tcp_t *listener, uv_loop_t *loop, int take, uv_connection_cb on_connection);
/* The address it listens on, with the actual port. */
void listen_address(const uv_tcp_t *listener, char *out, size_t size);

#endif
