/* SPDX-License-Identifier: Apache-2.0 */
/* large_body.h — bodies that would block the loop for too long: a worker reads them by the table of their route.
 *
 * The cost depends on the bytes, not their meaning: a megabyte of spaces, escapes or numbers takes milliseconds.
 * Afterwards the handler runs as for any other body, and request_decode returns the result. Imports have their own
 * workers, and events of a payment provider are only read if they are signed.
 */
#ifndef HTTP_LARGE_BODY_H
#define HTTP_LARGE_BODY_H

#include "http/wire/request.h"

#define LARGE_BODY_FROM (16u << 10) /* a smaller one is read on the loop, in less than half a millisecond */

struct large_body {
    bool good;               /* the body was valid */
    struct json_fault fault; /* unless good */
    void *out;               /* the struct that the table describes; BODY_LIST: an array of them */
    size_t size;             /* of one struct */
    size_t count;            /* BODY_LIST */
    uint64_t named;          /* BODY_PATCH */
    uint64_t hash[2];        /* of the bytes, if there is an Idempotency-Key */
};

bool large_body_is(const struct request *r);
/* Reads it into `r->large`, frees the bytes and calls the handler of its route. */
void large_body_read(struct request *r);
/* The worker's part of large_body_read. */
void large_body_work(void *request);

#endif
