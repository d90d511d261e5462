/* SPDX-License-Identifier: Apache-2.0 */
/* socket.h — connections to the server under load: TCP over IPv4, no delay, never blocking once they stand.
 */
#ifndef BENCH_SOCKET_H
#define BENCH_SOCKET_H

#include <stdint.h>

/* Blocks until the connection stands, or ends the process. `from` chooses the address to come from, in host
 * order: one address has ports for some 28,000 connections to one server; 0 leaves it to the system. */
int socket_connect(const char *host, int port, uint32_t from);
/* Lets the process have this many files open, or ends it with a sentence. */
void socket_allow(uint64_t files);

#endif
