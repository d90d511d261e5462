/* SPDX-License-Identifier: Apache-2.0 */
/* local_call.h — a call that this process makes to itself, with the admin key: the same routes, body tables and
 * handlers as for a client, without a socket. `holdfast demo` uses it to load its data (cli/demo_catalogue.h).
 *
 * The answer comes at once or later, from the loop. It does not wait until the changes it shows are durable; shared
 * documents, such as an event's layout, come without their body.
 */
#ifndef HTTP_LOCAL_CALL_H
#define HTTP_LOCAL_CALL_H

#include "http/wire/request.h"

/* Owned by the caller: must stay valid, with everything it points to, until `answered` is called. */
struct local_call {
    enum method method;
    const char *target;    /* path and query */
    const char *body_type; /* NULL: JSON */
    struct text body;      /* optional */
    /* The call is finished. `body` points into `reply`. Another call may be made from here. */
    void (*answered)(void *ctx, int status, struct text body);
    void *ctx;
    struct buf reply; /* for the answer; the caller initialises and releases it */
};

/* Not once the server is stopping. */
void local_call_make(struct server *server, struct local_call *call);

/* For http itself: the reply to a local request is finished. Returns the request. */
void local_call_end(struct request *r);

#endif
