/* SPDX-License-Identifier: Apache-2.0 */
/* lease.h — which node is the owner of a site: it decides, and writes the log.
 *
 * Two rows in the database record it. `lease` names the owner, who raises its `beat` each second. `fence` has the epoch and a
 * random token, which each write of the log checks: `fence` alone decides who can write. The lease only decides who may answer
 * from memory. Each node uses only its own clock for it:
 *
 *   the owner   answers until 4.5 s after it *sent* its last good renewal
 *   another     takes over when it has seen the same beat for 5 s since the *return* of the first look, and a little more;
 *               at once if the owner gave the lease back, or was this node itself
 *
 * Renewals have a thread and a connection of their own. If another node has taken over, the thread ends the process (exit
 * 75): memory may be ahead of the log, and no client has seen that. The thread also writes how far the log is durable, with
 * each renewal and soon after the last write of a burst: followers show nothing that may not be replicated yet
 * (cluster/follow.h).
 */
#ifndef CLUSTER_LEASE_H
#define CLUSTER_LEASE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "log/log_pg.h"

struct pg;
struct log;

#define LEASE_RENEW_MS 1000
#define LEASE_ANSWER_MS 4500
#define LEASE_TAKE_MS 5000
#define LEASE_RANDOM_MS 500
#define LEASE_URL_SIZE 256
#define LEASE_DURABLE_MS 20 /* after the last write of a burst */

struct lease_options {
    const char *url; /* these must stay valid */
    const char *node;
    const char *advertise; /* where other nodes reach this one; NULL: nowhere */
    const char *token_path; /* a file that remembers the token of this node's last epoch */
    int32_t shard;
};

/* What a look at the two rows showed. */
struct lease_seen {
    uint64_t epoch, durable;
    int64_t beat;
    uint8_t token[LOG_PG_TOKEN_SIZE];
    bool free; /* given back, or of this very node */
    bool own;  /* this node's id is in it */
    bool halted;
    char url[LEASE_URL_SIZE]; /* of the owner; "": it gave the lease back */
    char why[160];            /* halted: why */
};

/* The columns of a statement that looks at them, as `l` and `f`, with this node's id as $2. */
#define LEASE_COLUMNS                                                                                                  \
    "l.epoch, l.beat, (l.owner IS NULL)::int, coalesce(l.owner=$2,false)::int, f.token, coalesce(f.halted,''),"       \
    " (f.halted IS NOT NULL)::int, (extract(epoch FROM clock_timestamp())*1000)::bigint, l.durable, coalesce(l.url,'')"
#define LEASE_COLUMN_COUNT 10

struct lease {
    struct lease_options options;
    char name[48]; /* of its connection */
    uint64_t epoch;
    uint8_t token[LOG_PG_TOKEN_SIZE];
    const struct log *log;
    _Atomic bool owned;       /* from lease_start to lease_give_back */
    _Atomic uint64_t sent_ns; /* of the last good renewal, by CLOCK_BOOTTIME */
    _Atomic int64_t ahead_ms; /* the database's time minus CLOCK_BOOTTIME */

    /* Of the thread that waits for its turn. */
    bool watched;
    uint64_t watched_epoch, since_ns, patience_ns;
    int64_t watched_beat;
    uint8_t watched_token[LOG_PG_TOKEN_SIZE];
    bool undecided; /* a takeover */
    uint64_t taking_epoch, taking_ns; /* of the last takeover; when it was sent, by CLOCK_BOOTTIME */
    uint32_t locked_out; /* how often a takeover in a row waited too long for a lock */

    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    bool running, stop;
    uint64_t written_seq, durable_seq; /* renewing thread: in the row; when it last looked */
};

void lease_init(struct lease *l, const struct lease_options *options);

/* Looks once. IO: the server does not answer. INVALID: this user may not read it. */
struct status lease_look(struct lease *l, struct pg *pg, struct lease_seen *out);
/* The same from the first row of an answer with LEASE_COLUMNS as its first columns; sent_ms is the CLOCK_BOOTTIME when it
 * was asked. */
void lease_read(struct lease *l, const struct pg *pg, int64_t sent_ms, struct lease_seen *out);
/* Whether this node may take over: the lease is free, or has not been renewed for long enough. Call it after each look. */
bool lease_due(struct lease *l, const struct lease_seen *seen);
/* A look failed: the owner may have been unable to renew as well, so start watching its beat again. */
void lease_watch_anew(struct lease *l);
/* Takes over from the owner that was seen; *taken is false if another node, or the owner itself, was faster. If the server
 * has not decided it (`undecided`), call it again, with whatever was seen since: it asks what came of it. */
struct status lease_take(struct lease *l, struct pg *pg, const struct lease_seen *seen, bool *taken);
/* The same until it is decided. IO: not within 30 s; this node may have become the owner, and finds that out at its next look. */
struct status lease_take_whole(struct lease *l, struct pg *pg, const struct lease_seen *seen, bool *taken);

/* Renews it if that is due, while the rest of the log is read: before lease_start. The next look shows whether it was lost. */
void lease_keep(struct lease *l, struct pg *pg);

/* Renews it from now on. `log` says what is durable. */
void lease_start(struct lease *l, const struct log *log);
/* Stops renewing and gives the lease back on its thread, so that another node can take over at once: nothing must be written
 * to the log any more. */
void lease_give_back(struct lease *l);
/* The same, and waits until it is done. */
void lease_stop(struct lease *l);

/* Whether this look was at a server that has the takeover of this node: another one, cut off, may not have it yet. */
bool lease_is_ours(const struct lease *l, const struct lease_seen *seen);

/* Is this node the owner, and may it still answer from memory? Any thread. */
bool lease_holds(const struct lease *l);
static inline bool lease_owned(const struct lease *l)
{
    return atomic_load_explicit(&l->owned, memory_order_acquire);
}
/* The database's time minus CLOCK_BOOTTIME. Any thread. */
static inline int64_t lease_ahead_ms(const struct lease *l)
{
    return atomic_load_explicit(&l->ahead_ms, memory_order_relaxed);
}
/* How far the log is surely replicated, and followers may show it. */
struct status lease_replicated(struct pg *pg, int32_t shard, uint64_t *upto_seq);

#endif
