/* SPDX-License-Identifier: Apache-2.0 */
/* hook_pace.h — how much of the loop's time webhooks may take: all idle time, and a share of the busy time.
 *
 * A message costs the loop more than the request that caused it. So while requests keep the loop busy, messages get
 * 1/HOOK_PACE_SHARE of its time; waiting messages are sent when it has less to do. Owns only the account: the caller
 * measures the times.
 */
#ifndef HTTP_HOOK_PACE_H
#define HTTP_HOOK_PACE_H

#include <stdbool.h>
#include <stdint.h>

#define HOOK_PACE_SHARE 16
#define HOOK_PACE_CREDIT_MAX_NS                                                                              \
    2000000 /* the most that can be saved up, or owed: keeps a turn of the loop short */

struct hook_pace {
    int64_t credit_ns;
    uint64_t now_ns, idle_ns, spent_ns; /* of the last call */
    bool begun;
};

/* Each argument is a growing total: the clock, the loop's idle time, and the time spent on messages. Returns whether
 * another message may begin. */
bool hook_pace_may(struct hook_pace *p, uint64_t now_ns, uint64_t idle_ns, uint64_t spent_ns);

#endif
