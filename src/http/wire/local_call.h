/* SPDX-License-Identifier: Apache-2.0 */
/* local_call.h — a call that this process makes to itself, with the admin key: the same routes, body tables and handlers
 * as for a client, without a socket. `holdfast demo` fills its store by it (cli/demo_catalogue.h).
 *
 * The answer comes at once or later, from the loop. It does not wait until what it shows is durable; shared documents,
 * such as an event's layout, come without their body.
 */
#ifndef HTTP_LOCAL_CALL_H
#define HTTP_LOCAL_CALL_H

#include "http/wire/request.h"

/* The caller's: stays where it is, with what it points to, until `answered` is called. */
struct local_call {
    enum method method;
    const char *target;    /* path and query */
    const char *body_type; /* NULL: JSON */
    struct text body;      /* at NULL: none */
    /* The call is over. `body` is within the caller's `reply`. Another call may be made. */
    void (*answered)(void *ctx, int status, struct text body);
    void *ctx;
    struct buf reply; /* initialised by the caller, and released by it; room for the answer */
};

/* Not once the server is stopping. */
void local_call_make(struct server *server, struct local_call *call);

/* For the edge itself: the reply to a request that has one of these is finished. Gives the request back. */
void local_call_end(struct request *r);

#endif
