/* SPDX-License-Identifier: Apache-2.0 */
/* check.h — each object alone: the answers that clients got about it fit one order.
 *
 * Translates the operations and reads of a history into the tasks of each object and searches for an order (search.h).
 * A call with several items is a task of each; that they belong together is reads.h.
 */
#ifndef LINEAR_CHECK_H
#define LINEAR_CHECK_H

#include "report.h"

#define OPEN_MAX 8 /* operations of one object that were never decided */

/* What refuses holds of seats in front of the server that decides. Without a gate all are 0. */
struct gate_rules {
    const char *name;  /* of --gate */
    int64_t window_us; /* a refusal may rest on a state that is older than its call by this much */
    bool by_requests;  /* or on another client's request under way in that time */
};

struct check_rules {
    struct gate_rules gate;
    int64_t sweep_us;       /* a read may show a hold until this long after its deadline */
    int64_t clock_error_us; /* between the clock of deadlines and the one that recorded the history */
};

void check_objects(const struct history *h, const struct check_rules *rules, struct report *r);

#endif
