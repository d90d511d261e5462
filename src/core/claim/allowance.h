/* SPDX-License-Identifier: Apache-2.0 */
/* allowance.h — who may have something of an event or a calendar, and how much of it: the one place that says so.
 *
 * Of event and calendar one is given. Whom the rules bind is the caller's to know: the limit of an event holds for whoever
 * has it, that of a calendar and the rule on guests for user tokens.
 */
#ifndef CORE_ALLOWANCE_H
#define CORE_ALLOWANCE_H

#include "core/state.h"

/* What a limit is of. */
struct allowance {
    const struct event *event;
    const struct calendar *calendar;
    const struct group *group; /* that has the calendar: what is on its other members counts, too; or NULL */
};

/* OK, or LIMIT_EXCEEDED with the outcome filled: more than one user may have. Settles what of the user's has lapsed if
 * that is in the way. */
enum outcome_code allowance_judge_limit(struct state *st, const struct allowance *of, struct text user,
                                        uint64_t more, struct outcome *out);
/* OK, or GUESTS_REFUSED. A calendar that was removed has no say. */
enum outcome_code allowance_judge_guest(const struct event *e, const struct calendar *c, struct actor who,
                                        struct outcome *out);

#endif
