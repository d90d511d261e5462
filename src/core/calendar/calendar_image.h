/* SPDX-License-Identifier: Apache-2.0 */
/* calendar_image.h — a calendar for whoever need not know what it is made of: its bounds, its image, and a
 * question about its free slots. */
#ifndef CORE_CALENDAR_IMAGE_H
#define CORE_CALENDAR_IMAGE_H

#include "core/image.h"

#define CALENDAR_CAPACITY_MAX 1000000
#define HOURS_MAX 336          /* weekly ranges of one calendar */
#define CLOSED_MAX 1000        /* closed intervals of one calendar */
#define SERVICES_MAX 100       /* of one calendar */
#define SERVICES_EVER_MAX 1000 /* of one calendar, with those that it no longer offers */
#define SLOT_MINUTES_MAX 1440  /* the step of the slots shown */
#define BUFFER_MINUTES_MAX 10080
#define LENGTH_MINUTES_MAX 527040 /* 366 days: of one claim */
#define NOTICE_MINUTES_MAX 527040
#define HORIZON_DAYS_MAX 3660
#define HORIZON_DAYS 366         /* unless told otherwise */
#define CALENDAR_LIMIT_MAX 10000 /* claims per user */
#define CALENDAR_SIZE_MAX 1000000
#define SLOT_LENGTH_MAX_MS (366LL * 24 * 3600 * 1000) /* of one claim */
#define SLOT_AHEAD_MAX_MS (3660LL * 24 * 3600 * 1000) /* how far away a claim may begin and end */
#define SLOT_STEPS_MAX 2000                           /* slots looked at for one page */
#define OPENINGS_MAX 336 /* ranges of a calendar, each counted once for each of its days */
#define FOLD_MAX 64      /* points of a timeline put behind it by one claim */
/* How long it is known that a claim began: a day with an hour more, when the clocks go back, and some to spare. */
#define STARTS_KEPT_MS (26 * 3600 * 1000LL)

#define HOURS_DAY_MINUTES 1440
struct hours_range {
    uint8_t days;                    /* bit 0 is Monday, bit 6 Sunday */
    uint16_t from_minute, to_minute; /* of the day, each below 1440; to <= from: past midnight, equal: 24 h */
};

struct closed_interval {
    int64_t start_ms, end_ms; /* half-open */
};

/* What a calendar offers by name: how long it takes and what it costs. */
#define SERVICE_PRICE_OPEN (-1) /* in a request alone: what the calendar costs */
struct service_image {
    struct text id;
    uint32_t duration_minutes;
    int64_t price;
    bool removed; /* no longer offered; it stays for the items that speak of it */
};

/* What came later than the first calendars. For user tokens: how long a claim may be, when it may be made and moved,
 * how many one user may have; min_minutes, max_minutes 0: see calendar_length_bounds. */
struct calendar_rules {
    uint32_t buffer_before_minutes; /* kept free before each claim */
    uint32_t min_minutes, max_minutes;
    enum price_per price_per;
    uint32_t notice_minutes, horizon_days; /* a claim begins so far from now, at least and at most */
    uint32_t per_user_limit;               /* claims that are not over; 0: any number */
    uint32_t change_until_minutes;         /* before its start a user may move it */
    uint32_t size;                         /* for how many people */
    bool guests;                           /* whether guest tokens may claim */
    bool cancels;                          /* a confirmed claim can be cancelled by its owner, */
    uint32_t cancel_until_minutes;         /* until so long before its start */
};
/* Those of a calendar that says nothing about them, as older ones do. */
#define CALENDAR_RULES_PLAIN                                                                                 \
    {                                                                                                        \
        .price_per = PRICE_PER_CLAIM, .horizon_days = HORIZON_DAYS, .size = 1, .guests = true                \
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
    struct text terms_before; /* see kept_terms.h; at == NULL: they were never others */
    int64_t created_at_ms;
    bool removed; /* a change of its own says so: CHANGE_CALENDAR_REMOVED */
};

struct slots_query {
    int64_t from_ms, to_ms; /* start in [from, to) */
    int64_t now_ms;         /* those that have begun are left out */
    bool ruled;             /* only with the notice, and within the horizon, that a user token needs */
    bool any;               /* `available` need not be more than 1 */
    int64_t length_ms;      /* of each; 0: slot_minutes */
    uint32_t limit;         /* of one page */
};
struct slot {
    int64_t start_ms, end_ms;
    uint32_t available;
};
struct slots_page {
    uint32_t count;
    bool more; /* there may be others: ask again with from_ms = next_ms, whether or not this page has any */
    int64_t next_ms; /* with more */
    uint64_t seq;    /* the answer waits for it */
};

#endif
