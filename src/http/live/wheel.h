/* SPDX-License-Identifier: Apache-2.0 */
/* wheel.h — deadlines of the next quarter of a minute, to a quarter of a second.
 *
 * Planning one, planning it anew and dropping it (link_remove) take the same time for any number of them. Owns the
 * lists, not what is in them.
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
/* Moves it to the spoke of at_ms, from whatever list it is in: it is due within a quarter of a second before or after,
 * if sweeps come that often. One that is further ahead than once around is due earlier. */
void wheel_plan(struct wheel *wheel, struct link *l, uint64_t at_ms);
/* Moves all that are due by now to the end of `due`. */
void wheel_sweep(struct wheel *wheel, uint64_t now_ms, struct link *due);

#endif
