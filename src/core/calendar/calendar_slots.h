/* SPDX-License-Identifier: Apache-2.0 */
/* calendar_slots.h — a question about a calendar's free slots, and the answer: for callers that do not know
 * struct calendar. */
#ifndef CORE_CALENDAR_SLOTS_H
#define CORE_CALENDAR_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

struct slots_query {
    int64_t from_ms, to_ms; /* start in [from, to) */
    int64_t now_ms;         /* those that have begun are left out */
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
