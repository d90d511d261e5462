/* SPDX-License-Identifier: Apache-2.0 */
/* calendar_image.h — the public part of a calendar: its limits, its image, and queries for available slots. */
#ifndef CORE_CALENDAR_IMAGE_H
#define CORE_CALENDAR_IMAGE_H

#include "core/image.h"

#define CALENDAR_CAPACITY_MAX 1000000
#define HOURS_MAX 336          /* weekly ranges of one calendar */
#define CLOSED_MAX 1000        /* closed intervals of one calendar */
#define SERVICES_MAX 100       /* of one calendar */
#define SERVICES_EVER_MAX 1000 /* of one calendar, including those no longer offered */
#define SLOT_MINUTES_MAX 1440  /* the step of the slots shown */
#define BUFFER_MINUTES_MAX 10080
#define LENGTH_MINUTES_MAX 527040 /* 366 days: of one claim */
#define NOTICE_MINUTES_MAX 527040
#define HORIZON_DAYS_MAX 3660
#define HORIZON_DAYS 366         /* the default */
#define CALENDAR_LIMIT_MAX 10000 /* claims per user */
#define CALENDAR_SIZE_MAX 1000000
#define SLOT_LENGTH_MAX_MS (366LL * 24 * 3600 * 1000) /* of one claim */
#define SLOT_AHEAD_MAX_MS (3660LL * 24 * 3600 * 1000) /* how far ahead a claim can begin and end */
#define SLOT_STEPS_MAX 2000                           /* slots checked for one page */
#define OPENINGS_MAX 336                              /* ranges of a calendar, each counted once per day */
#define FOLD_MAX 64                                   /* points of a timeline folded by one claim */
/* How long the start of a claim is kept: a day of 25 hours, when the clocks go back, and some to spare. */
#define STARTS_KEPT_MS (26 * 3600 * 1000LL)

#define HOURS_DAY_MINUTES 1440
struct hours_range {
    uint8_t days; /* bit 0 is Monday, bit 6 Sunday */
    /* Of the day, each below 1440; to <= from: until the next day, equal: 24 h. */
    uint16_t from_minute, to_minute;
};

struct closed_interval {
    int64_t start_ms, end_ms; /* half-open */
};

/* A service of a calendar, with its own duration and price. */
#define SERVICE_PRICE_OPEN (-1) /* only in a request: the price of the calendar */
struct service_image {
    struct text id;
    uint32_t duration_minutes;
    int64_t price;
    bool removed; /* no longer offered; kept because items refer to it */
};

/* X(form, name, default, more), see setting.h. The name is that of the member, of the field in requests and of the column.
 * Their bytes are in this order. No TEXT: calendar.c copies the rules as they are.
 *
 * For user tokens: how long a claim can be, when it can be made and moved, and how many one user can have; min_minutes,
 * max_minutes 0: see calendar_length_bounds. */
/* clang-format off */
#define CALENDAR_RULES(X) \
    X(COUNT, buffer_before_minutes, 0, BUFFER_MINUTES_MAX) /* kept free before each claim */ \
    X(COUNT, min_minutes, 0, LENGTH_MINUTES_MAX) \
    X(COUNT, max_minutes, 0, LENGTH_MINUTES_MAX) \
    X(WORD,  price_per, PRICE_PER_CLAIM, price_per, PRICE_PER) \
    X(COUNT, notice_minutes, 0, NOTICE_MINUTES_MAX) /* minimum time from now to the start of a claim */ \
    X(COUNT, horizon_days, HORIZON_DAYS, HORIZON_DAYS_MAX) /* and the maximum */ \
    X(COUNT, per_user_limit, 0, CALENDAR_LIMIT_MAX) /* claims that are not over; 0: no limit */ \
    X(COUNT, change_until_minutes, 0, NOTICE_MINUTES_MAX) /* a user can move a claim until this long before its start */ \
    X(COUNT, size, 1, CALENDAR_SIZE_MAX) /* for how many people */ \
    X(FLAG,  guests, true) /* whether guest tokens can claim */
#define CALENDAR_RULE_MEMBER(form, name, plain, ...) SETTING_TYPE_##form(__VA_ARGS__) name;
#define CALENDAR_RULE_PLAIN(form, name, plain, ...) .name = plain,
/* clang-format on */
struct calendar_rules {
    CALENDAR_RULES(CALENDAR_RULE_MEMBER)
    bool cancels;                  /* owners can cancel a confirmed claim, */
    uint32_t cancel_until_minutes; /* until this long before its start */
};
/* The rules of a calendar that sets none. */
#define CALENDAR_RULES_PLAIN                                                                                 \
    {                                                                                                        \
        CALENDAR_RULES(CALENDAR_RULE_PLAIN)                                                                  \
    }

struct calendar_image {
    uint64_t number;
    struct text id;
    struct text name;
    struct text timezone; /* an IANA name */
    uint32_t capacity;    /* claims at any one instant */
    int64_t price;        /* of a claim without a service; see rules.price_per */
    struct terms terms;
    uint32_t slot_minutes;   /* the step of the slots shown */
    uint32_t buffer_minutes; /* kept free after each claim */
    struct calendar_rules rules;
    const struct hours_range *hours; /* none: always open */
    uint32_t hours_count;
    const struct closed_interval *closed;
    uint32_t closed_count;
    const struct service_image *services; /* by position, removed ones too */
    uint32_t service_count;
    struct text terms_before; /* see kept_terms.h; none: the terms never changed */
    int64_t created_at_ms;
    bool removed; /* set by CHANGE_CALENDAR_REMOVED */
};

struct slots_query {
    int64_t from_ms, to_ms; /* start in [from, to) */
    int64_t now_ms;         /* slots that have begun are left out */
    bool ruled;             /* only within the notice and horizon for user tokens */
    bool any;               /* whether any is free is enough: `available` is 1 */
    int64_t length_ms;      /* of each; 0: slot_minutes */
    uint32_t limit;         /* of one page */
};
struct slot {
    int64_t start_ms, end_ms;
    uint32_t available;
};
struct slots_page {
    uint32_t count;
    bool more;       /* there might be others, even if this page is empty: ask again with from_ms = next_ms */
    int64_t next_ms; /* with more */
    uint64_t seq;    /* the answer waits for it */
};

#endif
