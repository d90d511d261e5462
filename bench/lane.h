/* SPDX-License-Identifier: Apache-2.0 */
/* lane.h — one workload on its own connections, with its own pace and its own results.
 *
 * Closed loop (rate 0): each connection sends the next request when its answer is in. Open loop: request n is due at
 * start + n / rate whatever the server does; one without a free connection waits, and its latency counts from when it
 * was due, so that a stall is charged to every request it delays and not to one.
 *
 * One request is under way per connection: no pipelining, as with browsers and back ends. All it knows about epoll is
 * the descriptor it registers its connections with.
 */
#ifndef BENCH_LANE_H
#define BENCH_LANE_H

#include <stdbool.h>
#include <stdint.h>

#include "histogram.h"
#include "workload.h"

#define LANE_SECONDS_MAX 3600

struct lane_results {
    uint64_t requests;   /* answered */
    uint64_t unexpected; /* of those, with an unexpected code */
    uint64_t broken;     /* connections lost or with invalid answers */
    uint64_t unsent;     /* due, but never sent: the server fell behind permanently */
    uint64_t unanswered;
    uint64_t last_ns; /* instant of the last answer */
    uint64_t codes[ANSWER_CODES];
    uint64_t per_second[LANE_SECONDS_MAX];
    struct histogram latency;
    struct histogram late; /* open loop: our own delay, from due to sent while a connection was free */
    char sample[ANSWER_SAMPLE_MAX + 1];
};

struct lane;
struct lane_connection {
    struct lane *lane;
    int fd;            /* -1: broken */
    size_t sent;       /* bytes of the current request sent; all of them while waiting for the answer */
    uint64_t since_ns; /* when the request was sent, or due */
    char *request;
    struct answer answer;
};

struct lane {
    const struct workload *workload;
    double rate;               /* per second; 0: closed loop */
    uint64_t offset, stride;   /* the share of one of several threads: offset, offset + stride, … */
    uint64_t limit;            /* requests of this lane */
    uint64_t next;             /* requests begun */
    uint64_t start_ns, end_ns; /* no request is begun, or due, from end_ns on */
    int epoll;
    int count;
    int in_flight, alive;
    bool starved; /* a request was due and no connection free */
    struct lane_connection *connections;
    int *idle; /* a ring, first come first served, so that all connections are used */
    int idle_first, idle_count;
    struct lane_results results;
};

/* Connects; blocks until all are connected. */
void lane_init(struct lane *l, const struct workload *workload, const char *host, int port, int connections,
               int epoll);
void lane_release(struct lane *l);
void lane_start(struct lane *l, uint64_t start_ns, uint64_t end_ns);
/* Begins what is due; in a closed loop, as many as there are connections. */
void lane_send_due(struct lane *l, uint64_t now_ns);
/* When lane_send_due has something to do next: 0 at once, UINT64_MAX not before an answer. */
uint64_t lane_due_ns(const struct lane *l, uint64_t now_ns);
bool lane_finished(const struct lane *l, uint64_t now_ns); /* has no more requests to begin */
/* The connection can be read or written. Reads at most once, so that a long body does not delay the others. */
void lane_ready(struct lane_connection *c, uint32_t events);
uint64_t lane_now_ns(void);

#endif
