/* SPDX-License-Identifier: Apache-2.0 */
/* zone_rule.h — the rule that a zone follows after the last transition its file lists.
 *
 * It is a POSIX TZ text, as in the footer of a TZif file: "CET-1CEST,M3.5.0,M10.5.0/3". All of its forms are
 * read: names in <>, days as M, J and plain numbers, times of change from -167 to 167 hours. Summer time
 * without dates is refused: POSIX does not say when it would be.
 */
#ifndef BASE_ZONE_RULE_H
#define BASE_ZONE_RULE_H

#include "base/time/zone.h"

/* The numbers of a date in the year; which of them count depends on the kind. */
struct zone_rule_date {
    enum {
        ZONE_RULE_WEEKDAY,  /* weekday `day` (0 is Sunday) of week `week` of `month`; week 5 is the last */
        ZONE_RULE_NO_LEAP,  /* day 1 to 365; 29 February is never counted */
        ZONE_RULE_WITH_LEAP /* day 0 to 365 */
    } kind;
    int month, week, day;
    int32_t time_s; /* on the clock as it is before the change */
};

struct zone_rule {
    int32_t offset_s; /* of standard time, east of UTC */
    bool has_summer;
    int32_t summer_offset_s;
    struct zone_rule_date start, end; /* of summer time */
};

bool zone_rule_parse(const char *text, size_t size, struct zone_rule *out); /* false: not such a text */
struct zone_span zone_rule_span_at(const struct zone_rule *r, int64_t utc_s);

#endif
