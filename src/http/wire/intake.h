/* SPDX-License-Identifier: Apache-2.0 */
/* intake.h — bytes into requests: finds heads, gathers bodies, has each request answered when complete.
 *
 * Works on a connection in the states HEAD and BODY, and moves it on. Keeps no bytes of its own: what it does
 * not use up is the connection's to keep.
 */
#ifndef HTTP_INTAKE_H
#define HTTP_INTAKE_H

#include "http/wire/connection.h"

/* Uses up as many bytes as it can and returns how many. Stops where the connection must wait: for more bytes,
 * for an answer, for its output to be sent, or for its next turn. */
size_t intake_consume(struct connection *c, const char *bytes, size_t size);

#endif
