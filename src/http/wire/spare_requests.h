/* SPDX-License-Identifier: Apache-2.0 */
/* spare_requests.h — requests that are over, kept with their memory for the next ones.
 *
 * Owns those that nobody uses. One that is taken is the taker's until it is given back.
 */
#ifndef HTTP_SPARE_REQUESTS_H
#define HTTP_SPARE_REQUESTS_H

struct request;
struct server;

struct spare_requests {
    struct request *first;
    unsigned count;
};

/* A spare one, or a new one if there is none: empty. */
struct request *spare_requests_take(struct spare_requests *s, struct server *server);
void spare_requests_give(struct spare_requests *s, struct request *r);
void spare_requests_release(struct spare_requests *s);

#endif
