/* SPDX-License-Identifier: Apache-2.0 */
/* spare_requests.h — finished requests, kept with their memory for reuse.
 *
 * Owns the unused requests. A request that is taken belongs to the caller until it is given back.
 */
#ifndef HTTP_SPARE_REQUESTS_H
#define HTTP_SPARE_REQUESTS_H

struct request;
struct server;

struct spare_requests {
    struct request *first;
    unsigned count;
};

/* A spare request, or a new one; empty. */
struct request *spare_requests_take(struct spare_requests *s, struct server *server);
void spare_requests_give(struct spare_requests *s, struct request *r);
void spare_requests_release(struct spare_requests *s);

#endif
