/* SPDX-License-Identifier: Apache-2.0 */
/* large_body.h — bodies that would keep the loop for too long: a worker reads them by the table of their route.
 *
 * What takes time is the bytes, whatever they mean: a megabyte of blanks, escapes or numbers is milliseconds. Afterwards
 * the handler runs as for any other body, and request_decode gives it what was read. Imports have workers of their own,
 * and events of a payment provider are read only when they are signed.
 */
#ifndef HTTP_LARGE_BODY_H
#define HTTP_LARGE_BODY_H

#include "http/wire/request.h"

#define LARGE_BODY_FROM (16u << 10) /* a smaller one is read on the loop, in less than half a millisecond */

struct large_body {
    bool good;               /* otherwise: */
    struct json_fault fault; /* what is wrong */
    void *out;               /* the struct that the table describes; BODY_LIST: an array of them */
    size_t size;             /* of one */
    size_t count;            /* BODY_LIST */
    uint32_t named;          /* BODY_PATCH */
    uint64_t hash[2];        /* of the bytes, if an Idempotency-Key came with them */
};

bool large_body_is(const struct request *r);
/* Reads it, which `r->large` then has, and calls the handler of its route; the bytes are gone by then. */
void large_body_read(struct request *r);
/* What a worker does of it. */
void large_body_work(void *request);

#endif
