/* SPDX-License-Identifier: Apache-2.0 */
/* intake.h — turns bytes into requests: finds heads, collects bodies, dispatches each complete request.
 *
 * Works on a connection in the states HEAD and BODY, and changes its state. Keeps no bytes of its own: the connection
 * keeps the bytes that were not consumed.
 */
#ifndef HTTP_INTAKE_H
#define HTTP_INTAKE_H

#include "http/wire/connection.h"

/* Consumes as many bytes as it can and returns how many. Stops when the connection must wait: for more bytes, for an
 * answer, for its output to be sent, or for its next turn. */
size_t intake_consume(struct connection *c, const char *bytes, size_t size);

#endif
