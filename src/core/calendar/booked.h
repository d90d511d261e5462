/* SPDX-License-Identifier: Apache-2.0 */
/* booked.h — the claims of each user on each calendar that are not over, by their ends.
 *
 * Kept for every claim, even if its calendar has no limit, so that a limit set later counts earlier claims. One record
 * for each end and one for each pair of user and calendar, 32 bytes plus 8 to 15 for the index each: 40 to 94 bytes per
 * claim, the least if one user has many.
 *
 * A claim stops counting at the millisecond of its end. Its record is removed by the next count, or by a sweep of which
 * every new claim does a part. Which of the two comes first has no effect on answers.
 */
#ifndef CORE_BOOKED_H
#define CORE_BOOKED_H

#include <stdint.h>

struct state;

#define BOOKED_HEAD INT64_MIN /* end_ms of the record of a user and a calendar */
#define BOOKED_SWEEP 4        /* records checked with each claim */

struct booked {
    uint32_t user, calendar; /* handle; index */
    int64_t end_ms;
    uint32_t count;          /* claims with this end; for the head: the sum; 0: not in use */
    uint32_t next, previous; /* of the same user and calendar, handle + 1; the head is first */
};

void booked_init(struct state *st);
void booked_release(struct state *st);
/* Adds or removes a claim with this end. If it is over, it might already be gone. */
void booked_add(struct state *st, uint32_t user, uint32_t calendar, int64_t end_ms);
void booked_remove(struct state *st, uint32_t user, uint32_t calendar, int64_t end_ms);
/* How many claims this user has on the calendar that are not over. */
uint32_t booked_count(struct state *st, uint32_t user, uint32_t calendar);

#endif
