/* SPDX-License-Identifier: Apache-2.0 */
/* hook_pace.h — how much of the loop webhooks may take: all that nobody else needs, and a share of the rest.
 *
 * A message costs the loop more than the request that it tells of. So while requests keep the loop busy messages get
 * one part in HOOK_PACE_SHARE of its time; those that wait leave when it has less to do. Owns the account and nothing
 * else: what is measured is told to it.
 */
#ifndef HTTP_HOOK_PACE_H
#define HTTP_HOOK_PACE_H

#include <stdbool.h>
#include <stdint.h>

#define HOOK_PACE_SHARE 16
#define HOOK_PACE_MOST_NS 2000000 /* what can be saved up, or owed: a turn of the loop stays short */

struct hook_pace {
    int64_t credit_ns;
    uint64_t now_ns, idle_ns, spent_ns; /* as last told */
    bool begun;
};

/* Each is a total that only grows: the clock, the time that the loop had nothing to do, and what messages cost it. Returns
 * whether another message may begin. */
bool hook_pace_may(struct hook_pace *p, uint64_t now_ns, uint64_t idle_ns, uint64_t spent_ns);

#endif
