/* SPDX-License-Identifier: Apache-2.0 */
/* hook_targets.h — every hook that messages go to: how many are under way, and whether it is left alone for a while.
 *
 *   well ── fails ──► resting ── its time is up ──► one message tries ──┬─► well
 *                        ▲                                              │
 *                        └──────────── twice as long, up to a minute ───┘
 *
 * A host and port that cannot be connected to rests at once, with all hooks that go there. A hook whose host can be
 * reached rests after HOOK_FAILURES_SPARED failures in a row: a message that a receiver will not take delays no other.
 * Owns the counts and instants and nothing else: when a message is due is core's business. Loop thread only.
 */
#ifndef HTTP_HOOK_TARGETS_H
#define HTTP_HOOK_TARGETS_H

#include "core/hook/hook.h"

#define HOOK_UNDER_WAY_MAX 256u
#define HOOK_FAILURES_SPARED 8u
#define HOOK_REST_MOST_MS 60000LL

/* How an attempt ended. */
enum hook_attempt {
    HOOK_ATTEMPT_NONE, /* nothing was sent: it says nothing about the receiver */
    HOOK_ATTEMPT_TAKEN,
    HOOK_ATTEMPT_FAILED,    /* connected, and no 2xx */
    HOOK_ATTEMPT_UNREACHED, /* no connection: no such name, refused, too slow, no TLS */
};

struct hook_rest {
    uint32_t failures;
    int64_t until_ms; /* 0: well */
};

struct hook_target {
    uint64_t hook; /* number; 0: a free place */
    uint64_t host; /* of host and port: a hash */
    uint32_t under_way;
    bool kept;
    struct hook_rest own;
    struct hook_rest shared; /* of its host: the same for all that go there */
};

/* All zero: none. Hooks that were removed keep their place as long as messages to them are under way; there is room for
 * those, for the hooks before a change and for the hooks after it. */
struct hook_targets {
    uint32_t under_way; /* to all of them */
    struct hook_target all[2 * HOOKS_MAX + HOOK_UNDER_WAY_MAX];
};

/* Whenever hooks have changed: clear, then keep for each that there is. */
void hook_targets_clear(struct hook_targets *t);
void hook_targets_keep(struct hook_targets *t, uint64_t hook, struct text url);

/* How many more messages to it may begin, if `share` may be under way. */
uint32_t hook_targets_room(const struct hook_targets *t, uint64_t hook, int64_t now_ms, uint32_t share);
/* It, or its host, failed last: what has waited for too long may be given up without being tried. */
bool hook_targets_failing(const struct hook_targets *t, uint64_t hook);
void hook_targets_begun(struct hook_targets *t, uint64_t hook, uint32_t count);
void hook_targets_ended(struct hook_targets *t, uint64_t hook, enum hook_attempt how, int64_t now_ms,
                        uint64_t random);

#endif
