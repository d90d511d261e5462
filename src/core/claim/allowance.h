/* SPDX-License-Identifier: Apache-2.0 */
/* allowance.h — who may claim from an event or a calendar, and how much: guests, and limits per user. The only place
 * that decides this.
 *
 * Exactly one of event and calendar is given. The caller knows whom a rule applies to: the limit of an event applies
 * to every owner, that of a calendar and the rule about guests to user tokens.
 */
#ifndef CORE_ALLOWANCE_H
#define CORE_ALLOWANCE_H

#include "core/state.h"

/* What the limit belongs to. */
struct allowance {
    const struct event *event;
    const struct calendar *calendar;
    const struct group *group; /* of the calendar, or NULL: claims on its other members count, too */
};

/* OK, or LIMIT_EXCEEDED with the outcome filled: more than one user may have. If needed, settles lapsed holds of the
 * user first. */
enum outcome_code allowance_judge_limit(struct state *st, const struct allowance *of, struct text user,
                                        uint64_t more, struct outcome *out);
/* OK, or GUESTS_REFUSED. A removed calendar refuses no one. */
enum outcome_code allowance_judge_guest(const struct event *e, const struct calendar *c, struct actor who,
                                        struct outcome *out);

#endif
