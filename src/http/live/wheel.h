/* SPDX-License-Identifier: Apache-2.0 */
/* wheel.h — deadlines of the next quarter of a minute, to a quarter of a second.
 *
 * Planning, replanning and dropping one (link_remove) take constant time. Owns the lists, not their entries.
 */
#ifndef HTTP_WHEEL_H
#define HTTP_WHEEL_H

#include <stdint.h>

#include "http/wire/link.h"

#define WHEEL_SPOKES 64
#define WHEEL_SPOKE_MS 250

struct wheel {
    struct link spokes[WHEEL_SPOKES]; /* a quarter of a second each, in turn */
    uint64_t swept;                   /* the spoke of the last sweep, counted from time 0 */
};

void wheel_init(struct wheel *wheel, uint64_t now_ms);
/* Moves it to the spoke of at_ms, from any list it is in: it is due within a quarter of a second before or after, if
 * sweeps come that often. A deadline more than one round ahead is due earlier. */
void wheel_plan(struct wheel *wheel, struct link *l, uint64_t at_ms);
/* Moves all that are due by now to the end of `due`. */
void wheel_sweep(struct wheel *wheel, uint64_t now_ms, struct link *due);

#endif
