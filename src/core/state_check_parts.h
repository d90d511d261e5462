/* SPDX-License-Identifier: Apache-2.0 */
/* state_check_parts.h — the parts of state_check: each recomputes what it can and reports what differs. Not for other
 * code. */
#ifndef CORE_STATE_CHECK_PARTS_H
#define CORE_STATE_CHECK_PARTS_H

#include "core/state.h"

/* Sums of one event over the reservations in memory. */
struct event_sum {
    uint64_t counted; /* units in the users' counts */
    uint64_t items;
};

/* An instant at which a slot of a live reservation begins or ends. */
struct slot_edge {
    uint32_t calendar;  /* index */
    int32_t held, sold; /* 1 or -1, and 0 */
    int64_t at_ms;
};

/* Numbers by a 64-bit name, where an array would be too sparse: open addressing, sized once. */
struct sums {
    struct sum {
        uint64_t name; /* 0: empty */
        uint64_t value;
    } * buckets;
    uint64_t mask;
};

struct check {
    struct state *st;
    void (*report)(void *ctx, const char *sentence);
    void *ctx;
    bool ok;
    struct event_sum *events;
    uint64_t *calendar_items; /* by index */
    struct slot_edge *edges;
    uint64_t edge_count;
    uint64_t held;        /* reservations */
    uint64_t *references; /* to users, by handle */
    uint64_t *listed;     /* held reservations of users, by handle */
    uint32_t *stub_seats; /* by handle */
    uint8_t *forgettable; /* by reservation handle */
    struct sums have;     /* (user, event) → units of reservations in memory */
    struct sums codes;    /* (code, event) → units of live reservations in memory */
    struct sums claims;   /* (kind, resource, part, held) → units of live reservations in memory */
    struct sums lapses;   /* heap (claim_kind.lapses) → items found at their place in it */
    struct sums fences;   /* fence → reservation handle + 1 */
    char name[4 + ID_TEXT_SIZE + 1];
    char subject[16 + ID_SIZE_MAX]; /* prefix of the sentences of check_expect: "Event E ", or "" */
};

#define TEXT_ARGS(t) (int)(t).size, (t).at ? (t).at : ""

__attribute__((format(printf, 3, 4))) void check_expect(struct check *c, bool holds, const char *format, ...);
/* An id as text; valid until the next call. */
const char *check_id_text(struct check *c, struct id id);
uint64_t *check_sums_at(struct sums *s, uint64_t name);
struct sum *check_sum(const struct sums *s,
                      uint64_t name); /* does not add the name; the value of a missing one is 0 */
uint64_t check_pair_name(uint32_t user, uint32_t event); /* never 0 */
/* What live reservations have of a part of an event or a calendar, held or sold. */
uint64_t check_claimed(const struct check *c, enum item_kind kind, uint32_t resource, uint32_t part,
                       bool held);
void check_heap_order(struct check *c, const struct heap *h, const char *what);
/* Whether the handle is at this place of the heap. */
bool check_in_heap(const struct heap *h, uint32_t place, uint64_t handle);

/* Whether the heap has exactly the held items that should be in it; check_reservations has counted them. */
bool check_lapses(const struct check *c, const struct heap *lapses);

/* Called in this order: the sums of reservations and users come first. */
void check_reservations(struct check *c);
void check_events(struct check *c);
void check_calendars(struct check *c);
void check_queues(struct check *c);
void check_lists(struct check *c);
void check_hooks(struct check *c);
void check_fleets(struct check *c);
/* In check_seats.c, for the rows of the kind. */
void check_seat(struct check *c, struct reservation *r, uint32_t handle, uint32_t index);
uint64_t check_seats(struct check *c, struct event *e);

#endif
