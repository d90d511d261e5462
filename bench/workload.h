/* SPDX-License-Identifier: Apache-2.0 */
/* workload.h — the bytes of request number n, and the expected answer.
 *
 * Every request of a workload has the same length. A template is made before the clock starts and each connection has a
 * copy; a request then only overwrites the token and the last few bytes. Where a number has fewer digits, JSON's own
 * white space fills the gap.
 *
 *   hold       POST /v1/reservations for one seat, every request another seat and another user      201
 *   refuse     the same, always the same seat, which is already held                               409
 *   slot       the same for ten minutes of a calendar, every request another time and another user   201
 *   join       POST of an entry into an event's waiting room, every request another user             201
 *   check-in   POST of a ticket's code, every request another one, from a file                         200
 *   commit     POST of a reservation's commit with a payment, every request another one, from a file   200
 *   pay        POST of the payment provider's event that it was paid, signed, the same way             200
 *   fixed      GET /healthz, the server's fixed body                                                 200
 *   get        GET of a path                                                                         200
 *   redis-set  SET seat:N user NX EX 600, every request another key                                  OK
 *   redis-hot  the same, always one key, which exists already                                        nil
 */
#ifndef BENCH_WORKLOAD_H
#define BENCH_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "answer.h"
#include "codes.h"
#include "permutation.h"
#include "tokens.h"

enum workload_kind {
    WORKLOAD_HOLD,
    WORKLOAD_REFUSE,
    WORKLOAD_SLOT,
    WORKLOAD_JOIN,
    WORKLOAD_CHECK_IN,
    WORKLOAD_COMMIT,
    WORKLOAD_PAY,
    WORKLOAD_FIXED,
    WORKLOAD_GET,
    WORKLOAD_REDIS_SET,
    WORKLOAD_REDIS_HOT,
};

struct workload_settings {
    enum workload_kind kind;
    const char *host;            /* for the Host header */
    const char *path;            /* get */
    const char *codes;           /* check-in, commit, pay: the file that codes or ids are in */
    const char *provider_secret; /* pay */
    const char *event;           /* or calendar; with more than one, "-0", "-1" … is added */
    uint64_t events;
    uint64_t seats; /* of each event, named s0, s1, …; slots of each calendar */
    uint64_t first; /* where in the order of all seats, and of their users, to begin; the one seat of refuse;
                       the first user of join */
    bool random;    /* pseudo-random order instead of ascending */
    uint64_t seed;
    uint64_t users;      /* how many different ones take turns; those of join come once each */
    const char *secret;  /* user tokens, or */
    int64_t tokens_end;  /* epoch seconds at which they expire; 0: in a day */
    const char *key;     /* one key, and user_id in the body */
    const char *item;    /* more fields of each item, as JSON; NULL: none */
    bool short_form;     /* {"resource_id":"event/seat"} instead of items */
    bool commit;         /* buys at once; needs the key */
    uint64_t sell_every; /* only one of this many buys at once; 0: as `commit` says; needs the key */
    int64_t slots_from;  /* slot: epoch seconds at which number 0 begins; one every half hour */
    int64_t ttl_seconds; /* 0: left out */
    int64_t ends_at;     /* epoch seconds: every hold ends within the second that begins there; 0: no */
};

struct workload {
    struct workload_settings settings;
    enum answer_protocol protocol;
    int expected;   /* code of the answer */
    uint64_t limit; /* available requests; UINT64_MAX: no end */
    char *bytes;    /* the template */
    size_t size;
    size_t token_at, user_at, sell_at, ttl_at, tail_at; /* what changes, 0 if nothing does */
    size_t again_at[2];                        /* commit, pay: other places of the id without its prefix */
    size_t signature_at, body_at;              /* pay */
    char *signatures;                          /* pay: of each id, in hex; made before the clock starts */
    struct tokens tokens;
    struct codes codes;
    struct permutation order;
};

void workload_init(struct workload *w, const struct workload_settings *settings);
void workload_release(struct workload *w);
/* Makes `out`, a copy of the template, request number n. */
void workload_fill(const struct workload *w, uint64_t n, char *out);

#endif
