/* SPDX-License-Identifier: Apache-2.0 */
#include "http/hook/hook_pace.h"

#include "base/assertion.h"

static int64_t within(int64_t value)
{
    return value > HOOK_PACE_CREDIT_MAX_NS    ? HOOK_PACE_CREDIT_MAX_NS
           : value < -HOOK_PACE_CREDIT_MAX_NS ? -HOOK_PACE_CREDIT_MAX_NS
                                              : value;
}

bool hook_pace_may(struct hook_pace *p, uint64_t now_ns, uint64_t idle_ns, uint64_t spent_ns)
{
    if (p->begun) {
        ASSERT(now_ns >= p->now_ns && idle_ns >= p->idle_ns && spent_ns >= p->spent_ns);
        uint64_t passed_ns = now_ns - p->now_ns, rested_ns = idle_ns - p->idle_ns;
        /* The clocks are read one after the other, so the idle time may seem longer than the time that passed. */
        uint64_t busy_ns = passed_ns > rested_ns ? passed_ns - rested_ns : 0;
        int64_t earned_ns = (int64_t)(rested_ns + busy_ns / HOOK_PACE_SHARE);
        p->credit_ns = within(within(p->credit_ns + earned_ns) - (int64_t)(spent_ns - p->spent_ns));
    } else {
        p->credit_ns = HOOK_PACE_CREDIT_MAX_NS;
    }
    p->begun = true;
    p->now_ns = now_ns;
    p->idle_ns = idle_ns;
    p->spent_ns = spent_ns;
    return p->credit_ns > 0;
}
