/* SPDX-License-Identifier: Apache-2.0 */
/* state_check_parts.h — the parts of state_check: each recomputes what it can and reports what differs. For
 * them alone. */
#ifndef CORE_STATE_CHECK_PARTS_H
#define CORE_STATE_CHECK_PARTS_H

#include "core/state.h"

/* What the reservations in memory say of one event. */
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

/* Numbers by a 64-bit name, for what is not small and dense: open addressing, sized once. */
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
    struct sums have;     /* user and event to units of reservations in memory */
    struct sums codes;    /* code and event to units of live reservations in memory */
    struct sums claims;   /* (kind, resource, part, held) to units of live reservations in memory */
    struct sums lapses;   /* heap (claim_kind.lapses) to items found at their place there */
    struct sums fences;   /* fence to reservation handle + 1 */
    char name[4 + ID_TEXT_SIZE + 1];
    char subject[16 + ID_SIZE_MAX]; /* what the sentences of check_expect begin with: "Event E ", or "" */
};

#define TEXT_ARGS(t) (int)(t).size, (t).at ? (t).at : ""

__attribute__((format(printf, 3, 4))) void check_expect(struct check *c, bool holds, const char *format, ...);
/* An id for people; good until the next one. */
const char *check_id_text(struct check *c, struct id id);
uint64_t *check_sums_at(struct sums *s, uint64_t name);
struct sum *check_sum(const struct sums *s, uint64_t name); /* adds no name; the value is 0 if it is new */
uint64_t check_pair_name(uint32_t user, uint32_t event);    /* never 0 */
/* What live reservations have of a part of an event or a calendar, held or sold. */
uint64_t check_claimed(const struct check *c, enum item_kind kind, uint32_t resource, uint32_t part,
                       bool held);
void check_heap_order(struct check *c, const struct heap *h, const char *what);
bool check_in_heap(const struct heap *h, uint32_t place,
                   uint64_t handle); /* whether it stands at this place */

/* Whether the heap has the held items that should be in it, and no other; check_reservations has seen
 * them. */
bool check_lapses(const struct check *c, const struct heap *lapses);

/* In this order: the sums of the reservations and users come first. */
void check_reservations(struct check *c);
void check_events(struct check *c);
void check_calendars(struct check *c);
void check_queues(struct check *c);
void check_lists(struct check *c);
void check_hooks(struct check *c);
void check_fleets(struct check *c);
/* check_seats.c: the rows of the kind. */
void check_seat(struct check *c, struct reservation *r, uint32_t handle, uint32_t index);
uint64_t check_seats(struct check *c, struct event *e);

#endif
