/* SPDX-License-Identifier: Apache-2.0 */
/* socket.h — connections to the server under load: TCP over IPv4, no delay, non-blocking once connected. */
#ifndef BENCH_SOCKET_H
#define BENCH_SOCKET_H

#include <stdint.h>

/* Blocks until connected, or ends the process. `from` is the source address, in host order: one address has ports for
 * some 28,000 connections to one server; 0 leaves it to the system. */
int socket_connect(const char *host, int port, uint32_t from);
/* Allows the process this many open files, or ends it with a message. */
void socket_allow(uint64_t files);

#endif
