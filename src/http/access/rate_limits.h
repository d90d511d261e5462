/* SPDX-License-Identifier: Apache-2.0 */
/* rate_limits.h — how many requests one address and one user may make.
 *
 * Token buckets in lanes: reads, holds, commits (and other calls that end or keep a hold), guest sessions,
 * joins of waiting rooms and lists, polls of a waiting room's public state, pictures of tickets, and payment
 * events without a valid signature. Each lane has its own buckets, so a flood in one lane does not slow down a
 * buyer's commit, and polling does not use up a neighbour's joins. IPv6 addresses of the same /64 count as one.
 * A user who releases again and again is blocking stock without buying it: past a number of releases a minute,
 * holds get 429 for a while.
 *
 * The table is bounded: of the eight entries in one set the least recently used one is replaced. A replaced
 * entry starts again with full buckets, so replacing never causes a refusal. App, door and admin keys are not
 * limited.
 */
#ifndef HTTP_RATE_LIMITS_H
#define HTTP_RATE_LIMITS_H

#include "base/crypto/hash.h"
#include "http/access/address.h"
#include "http/routes.h"

enum rate_limits_scope { RATE_LIMITS_ADDRESS, RATE_LIMITS_USER };
#define RATE_LIMITS_POLICY_SIZE 96

struct rate_limits_entry;
struct rate_limits {
    bool on;
    struct hash_key key;
    struct rate_limits_entry *entries;
    /* The policies for a caller without credentials and for a user, as values of RateLimit-Policy:
     * `"hold-user";q=500;w=10, …`, a quota of q that refills within w seconds. */
    char policies[LANE_COUNT][2][RATE_LIMITS_POLICY_SIZE];
};

/* The state of the limits after a counted request: the bucket with the fewest tokens left. */
struct rate_limits_left {
    enum lane lane; /* LANE_NONE: it was not counted */
    bool is_user;   /* the caller is also limited as a user */
    enum rate_limits_scope scope;
    unsigned requests;      /* how many more are allowed right now */
    unsigned full_s;        /* seconds until the bucket is full */
    unsigned retry_after_s; /* if refused */
};

struct rate_limits_rate {
    uint32_t per_second, burst; /* burst 0: the lane does not exist here */
};
extern const struct rate_limits_rate rate_limits_of_address[LANE_COUNT];
extern const struct rate_limits_rate rate_limits_of_user[LANE_COUNT];
#define RATE_LIMITS_RELEASES 100 /* after more releases than this within a window ... */
#define RATE_LIMITS_WINDOW_MS 60000
#define RATE_LIMITS_COOL_DOWN_MS 30000 /* ... holds are refused for this long */

void rate_limits_init(struct rate_limits *l, bool on);
void rate_limits_release(struct rate_limits *l);

/* Whether this request is within the limits. `user` is empty for a caller without credentials. */
bool rate_limits_take(struct rate_limits *l, struct address address, struct text user, enum lane lane,
                      int64_t now_ms, struct rate_limits_left *left);
/* The name of a policy: "hold-user". */
const char *rate_limits_policy_name(enum lane lane, enum rate_limits_scope scope);
/* Keeps an event's codes from being guessed: after RATE_LIMITS_GUESSES wrong codes within a window, by one user or from
 * one address, all codes are refused until the window ends. address NULL: an app key, counted only for the user. */
#define RATE_LIMITS_GUESSES 10
bool rate_limits_may_guess(struct rate_limits *l, const struct address *address, struct text user,
                           struct text event, int64_t now_ms, unsigned *retry_after_s);
void rate_limits_note_guess(struct rate_limits *l, const struct address *address, struct text user,
                            struct text event, int64_t now_ms);
/* A user has released something. */
void rate_limits_note_release(struct rate_limits *l, struct text user, int64_t now_ms);

#endif
