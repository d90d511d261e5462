/* SPDX-License-Identifier: Apache-2.0 */
/* booked.h — what each user has of each calendar: the ends of the claims that are not over.
 *
 * Kept for every claim, whether or not its calendar has a limit, so that a limit that comes later counts what was
 * claimed before. A record for each end and one for each user and calendar that has any, 32 bytes and 8 to 15 of the
 * index each: 40 to 94 bytes a claim, the least where one user has many.
 *
 * What is over counts no more from that millisecond on, and goes when somebody asks or when the sweep, of which every
 * new claim does a little, comes by. Which of the two was first shows in no answer.
 */
#ifndef CORE_BOOKED_H
#define CORE_BOOKED_H

#include <stdint.h>

struct state;

#define BOOKED_HEAD INT64_MIN /* the end of the record that stands for a user and a calendar */
#define BOOKED_SWEEP 4        /* records looked at with each claim */

struct booked {
    uint32_t user, calendar; /* handle; index */
    int64_t end_ms;
    uint32_t count;          /* of this end; of the head: the sum; 0: not in use */
    uint32_t next, previous; /* of the same user and calendar, handle + 1; the head comes first */
};

void booked_init(struct state *st);
void booked_release(struct state *st);
/* A claim with this end begins or no longer stands. One that is over need not be there. */
void booked_add(struct state *st, uint32_t user, uint32_t calendar, int64_t end_ms);
void booked_remove(struct state *st, uint32_t user, uint32_t calendar, int64_t end_ms);
/* How many claims this user has on the calendar that are not over. */
uint32_t booked_count(struct state *st, uint32_t user, uint32_t calendar);

#endif
