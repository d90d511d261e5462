/* SPDX-License-Identifier: Apache-2.0 */
#include "http/live/wheel.h"

void wheel_init(struct wheel *wheel, uint64_t now_ms)
{
    wheel->swept = now_ms / WHEEL_SPOKE_MS;
    for (unsigned i = 0; i < WHEEL_SPOKES; i++)
        link_init(&wheel->spokes[i]);
}

void wheel_plan(struct wheel *wheel, struct link *l, uint64_t at_ms)
{
    uint64_t spoke = at_ms / WHEEL_SPOKE_MS, first = wheel->swept + 1, last = wheel->swept + WHEEL_SPOKES - 1;
    spoke = spoke < first ? first : spoke > last ? last : spoke;
    link_append(&wheel->spokes[spoke % WHEEL_SPOKES], l);
}

void wheel_sweep(struct wheel *wheel, uint64_t now_ms, struct link *due)
{
    uint64_t now = now_ms / WHEEL_SPOKE_MS;
    if (wheel->swept + WHEEL_SPOKES < now)
        wheel->swept = now - WHEEL_SPOKES; /* time was skipped: once around is enough */
    while (wheel->swept < now)
        link_splice(due, &wheel->spokes[++wheel->swept % WHEEL_SPOKES]);
}
