/* SPDX-License-Identifier: Apache-2.0 */
/* hook_targets.h — the state of each hook: how many messages are in flight, and whether it is paused after failures.
 *
 *   well ── fails ──► resting ── its time is up ──► one message tries ──┬─► well
 *                        ▲                                              │
 *                        └──────────── twice as long, up to a minute ───┘
 *
 * A host and port that cannot be connected to rests at once, with all hooks that use it. A hook whose host can be
 * reached rests after more than HOOK_FAILURES_TOLERATED failures in a row, so that a single message that the receiver
 * rejects does not delay the others. Owns only the counts and instants: core decides when a message is due. Loop thread
 * only.
 */
#ifndef HTTP_HOOK_TARGETS_H
#define HTTP_HOOK_TARGETS_H

#include "core/hook/hook.h"

#define HOOK_IN_FLIGHT_MAX 256u
#define HOOK_FAILURES_TOLERATED 8u
#define HOOK_REST_MAX_MS 60000LL

/* How an attempt ended. */
enum hook_attempt {
    HOOK_ATTEMPT_NONE, /* nothing was sent, so nothing is known about the receiver */
    HOOK_ATTEMPT_DELIVERED,
    HOOK_ATTEMPT_FAILED,      /* connected, but no 2xx */
    HOOK_ATTEMPT_UNREACHABLE, /* no connection: no such name, refused, too slow, no TLS */
};

struct hook_rest {
    uint32_t failures;
    int64_t until_ms; /* 0: well */
};

struct hook_target {
    uint64_t hook; /* number; 0: a free place */
    uint64_t host; /* of host and port: a hash */
    uint32_t in_flight;
    bool kept;
    struct hook_rest own;
    struct hook_rest shared; /* of its host: the same for all hooks that use it */
};

/* All zero: none. Removed hooks keep their place while messages to them are in flight; there is room for those, for the
 * hooks before a change and for the hooks after it. */
struct hook_targets {
    uint32_t in_flight; /* to all of them */
    struct hook_target all[2 * HOOKS_MAX + HOOK_IN_FLIGHT_MAX];
};

/* Whenever hooks have changed: call clear, then keep for each existing hook. */
void hook_targets_clear(struct hook_targets *t);
void hook_targets_keep(struct hook_targets *t, uint64_t hook, struct text url);

/* How many more messages to it may begin, if `share` may be in flight. */
uint32_t hook_targets_room(const struct hook_targets *t, uint64_t hook, int64_t now_ms, uint32_t share);
/* Whether the last attempt to it or its host failed: messages that have waited too long may be given up untried. */
bool hook_targets_failing(const struct hook_targets *t, uint64_t hook);
void hook_targets_begun(struct hook_targets *t, uint64_t hook, uint32_t count);
void hook_targets_ended(struct hook_targets *t, uint64_t hook, enum hook_attempt how, int64_t now_ms,
                        uint64_t random);

#endif
