/* SPDX-License-Identifier: Apache-2.0 */
/* rate_limits.h — how many requests one address and one user may make.
 *
 * Token buckets in lanes: reads, holds, commits (with everything that ends or keeps a hold), guest sessions,
 * joins of waiting rooms and lists, polls of a waiting room's public state, pictures of tickets, and payment events that nobody has signed. Each lane has its own, so
 * whatever floods one lane leaves a buyer's commit alone, and polling costs a neighbour no join. An address
 * counts with its neighbourhood (the /64 of IPv6). A user who releases again and again is holding stock
 * without buying it: past a number of releases a minute, holds get 429 for a while.
 *
 * The table is bounded: of eight entries in one place the one unused for longest makes room. A forgotten
 * entry starts with full buckets, so forgetting never refuses anybody. App, door and admin keys are not
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
    /* The policies that apply to a caller without credentials, and to a user: `"hold-user";q=500;w=10, …`, a
     * value of RateLimit-Policy. A quota of q, filled up within w seconds. */
    char policies[LANE_COUNT][2][RATE_LIMITS_POLICY_SIZE];
};

/* The state of the limits after a counted request: of its buckets, the one with the least left. */
struct rate_limits_left {
    enum lane lane; /* LANE_NONE: it was not counted */
    bool is_user;   /* the caller is bound as a user, too */
    enum rate_limits_scope scope;
    unsigned requests;      /* how many more at once */
    unsigned full_s;        /* until there are as many as there can be */
    unsigned retry_after_s; /* refused: when to come again */
};

struct rate_limits_rate {
    uint32_t per_second, burst; /* burst 0: the lane does not exist here */
};
extern const struct rate_limits_rate rate_limits_of_address[LANE_COUNT];
extern const struct rate_limits_rate rate_limits_of_user[LANE_COUNT];
#define RATE_LIMITS_RELEASES 100 /* more of them within a window ... */
#define RATE_LIMITS_WINDOW_MS 60000
#define RATE_LIMITS_COOL_DOWN_MS 30000 /* ... and holds must wait this long */

void rate_limits_init(struct rate_limits *l, bool on);
void rate_limits_release(struct rate_limits *l);

/* Whether this request may go on. `user` is empty for a caller without credentials. */
bool rate_limits_take(struct rate_limits *l, struct address address, struct text user, enum lane lane,
                      int64_t now_ms, struct rate_limits_left *left);
/* The name of a policy: "hold-user". */
const char *rate_limits_policy_name(enum lane lane, enum rate_limits_scope scope);
/* Codes of an event are not to be guessed: after RATE_LIMITS_GUESSES wrong ones within a window, by one user or from one
 * address, none is looked at until the window is over. address NULL: an app key, which speaks for the user alone. */
#define RATE_LIMITS_GUESSES 10
bool rate_limits_may_guess(struct rate_limits *l, const struct address *address, struct text user,
                           struct text event, int64_t now_ms, unsigned *retry_after_s);
void rate_limits_note_guess(struct rate_limits *l, const struct address *address, struct text user,
                            struct text event, int64_t now_ms);
/* A user has let go of something. */
void rate_limits_note_release(struct rate_limits *l, struct text user, int64_t now_ms);

#endif
