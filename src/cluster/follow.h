/* SPDX-License-Identifier: Apache-2.0 */
/* follow.h — the thread of a follower: reads the log while another node writes it, and takes over when that node is gone.
 *
 *   polls: the lease, and the rows after the last one ──► verified ──► list ──► the loop applies them, in order
 *
 * What is read may not be replicated yet: if a backend is ended while it waits for the standby, its row is visible. One write
 * is in flight at a time, so a row is replicated once another one follows it, or once the owner has written into the lease
 * that it is durable. Until then it is held back.
 *
 * Each poll begins with the row that was passed on last. If the log no longer has it, rows were lost, by a failover to a
 * standby that lagged or a restored backup: then this node halts the log (`fence.halted` says why), and ends. If the row was
 * trimmed instead, this node was away for long; it also ends, and takes the snapshot at its next start.
 *
 * Taking over: the lease is free or was not renewed (cluster/lease.h), and everything seen was applied. Then the rest is read
 * and passed on. Once that is applied, the thread ends and follow_taken is true.
 */
#ifndef CLUSTER_FOLLOW_H
#define CLUSTER_FOLLOW_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "cluster/follow_row.h"
#include "cluster/lease.h"
#include "log/log_pg.h"

struct follow_options {
    const char *url; /* these must stay valid */
    struct lease *lease;
    int32_t shard;
    struct log_pg_row last; /* the last row that was applied */
    uint64_t since_ns;      /* CLOCK_MONOTONIC: what was replicated then was applied */
    /* Called on the thread when there is something for the loop: a row, another owner, or that it took over. */
    void (*wake)(void *ctx);
    /* Called on the thread; must end the process. */
    void (*fault)(void *ctx, const struct status *fault);
    void *ctx;
};

struct follow {
    struct follow_options options;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool started;

    /* under the mutex */
    struct follow_row *first, *last; /* to be applied */
    size_t bytes;                    /* of them */
    bool stop, ended, taken, leaving;
    uint64_t held_ns;     /* seen_ns of the row that is held back; 0: none is */
    uint64_t answered_ns; /* when the last poll that came back was sent */
    uint64_t complete_ns; /* the same of the last one that showed everything */
    char owner_url[LEASE_URL_SIZE]; /* "": there is none, it is this node, or it may not answer any more */
    uint64_t epoch;

    /* thread only */
    struct pg *pg, *taker;
    struct log_pg_row passed; /* the last row of the list */
    struct follow_row *held;
    struct change *scratch;
    uint64_t beat_epoch, beat_ns; /* the beat of the lease that was seen last, and since when it is unchanged */
    int64_t beat;
    bool decided; /* this node owns the site: every row is replicated */
    bool halted;
};

void follow_start(struct follow *f, const struct follow_options *options);
/* The process will end: from here on it does not take over. */
void follow_leave(struct follow *f);
/* Ends the thread. False: it waits for the server, and is not done after limit_ms; it still runs. */
bool follow_stop(struct follow *f, uint64_t limit_ms);

/* ---- The loop ---- */
/* The row to be applied next; NULL: none yet. */
struct follow_row *follow_first(struct follow *f);
/* The first row was applied: frees it. */
void follow_applied(struct follow *f);
/* This node owns the site, by the epoch and token of the lease, and every row was applied. */
bool follow_taken(struct follow *f);
/* Where the owner is reached; "": unknown, this node, or an owner that has not renewed its lease for LEASE_ANSWER_MS: it
 * answers nothing from then on. */
void follow_owner_url(struct follow *f, char out[LEASE_URL_SIZE]);
/* How old what was applied may be: the age of the oldest row that was seen and is not applied, or the time since the last
 * poll that came back was sent. Any thread. */
uint64_t follow_lag_ms(struct follow *f);

#endif
