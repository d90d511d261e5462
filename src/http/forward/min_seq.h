/* SPDX-License-Identifier: Apache-2.0 */
/* min_seq.h — Holdfast-Min-Seq: reads that wait until this process has the change that the client has seen elsewhere.
 *
 * A GET waits for up to MIN_SEQ_WAIT_MS. Then a node that only follows asks the one that decides, and the one that
 * decides answers with what it has. Where this process follows, a Last-Event-ID and a `since` show what the client has seen
 * as well. Lists wait for the book too, which is behind (store_query); where this process decides, they wait for nothing
 * else.
 */
#ifndef HTTP_MIN_SEQ_H
#define HTTP_MIN_SEQ_H

#include <stdbool.h>
#include <stdint.h>

#include "http/wire/link.h"

#define MIN_SEQ_WAIT_MS 2000

struct request;
struct server;

struct min_seq_waits {
    struct link all; /* in the order in which they began */
    uint64_t least;  /* no smaller seq is waited for */
};

void min_seq_init(struct min_seq_waits *waits);
/* Whether the request waits from now on; it is answered later. Its headers were checked. */
bool min_seq_wait(struct request *r);
/* Answers those whose change is here, as many as fit into a turn. True: there are more. */
bool min_seq_run(struct server *s);
/* Call it a few times a second: answers those that have waited long enough, as many as fit into a turn. True: there are more. */
bool min_seq_sweep(struct server *s);

#endif
