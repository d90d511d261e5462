/* SPDX-License-Identifier: Apache-2.0 */
/* timeline.h — how many claims overlap at each instant of one calendar, held and sold ones together and the
 * sold ones alone.
 *
 * Owns the counts and nothing else: whose the claims are, and whether one more may be made, is for others to
 * say. A claim is half-open: [start, end) counts from its start to the millisecond before its end.
 *
 * A balanced tree (AVL) of the instants at which the counts change; each node knows the sum of the changes in
 * its subtree and the greatest and least count reached on the way through it, so every question costs
 * O(log n) in the number of claims. Claims that touch leave no point between them. No claimant can make the
 * tree lean.
 *
 * The past is folded: points at or before `folded_ms` are no longer kept apart but counted in `base`. So a
 * timeline is as large as what lies ahead, and no question may be about instants before `folded_ms`. What is
 * folded depends on who asked when; no answer does.
 */
#ifndef CORE_TIMELINE_H
#define CORE_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory/slab.h"

#define TIMELINE_NONE INT64_MIN

struct timeline {
    struct slab nodes; /* one for each point that is kept */
    uint32_t root;     /* handle + 1; 0: no points */
    int64_t folded_ms;
    int32_t base, base_sold; /* what overlaps just after folded_ms, if no point follows */
};

void timeline_init(struct timeline *t);
void timeline_release(struct timeline *t);

/* A claim begins to count, no longer counts, or turns from held to sold. It need not lie ahead: of one that
 * is over nothing is kept, and what was folded is put right. */
void timeline_add(struct timeline *t, int64_t start_ms, int64_t end_ms, bool sold);
void timeline_remove(struct timeline *t, int64_t start_ms, int64_t end_ms, bool sold);
void timeline_sell(struct timeline *t, int64_t start_ms, int64_t end_ms);

/* The greatest number that overlap at any one instant of [start, end); what is folded of it is left out. */
uint32_t timeline_most(const struct timeline *t, int64_t start_ms, int64_t end_ms);
uint32_t timeline_most_sold(const struct timeline *t, int64_t start_ms, int64_t end_ms);
/* The first instant, this one or later, at which fewer than `capacity` (at least 1) overlap. */
int64_t timeline_room_after(const struct timeline *t, int64_t at_ms, uint32_t capacity);
/* The first instant of [start, end) at which `capacity` or more overlap, or `end`. */
int64_t timeline_first_full(const struct timeline *t, int64_t start_ms, int64_t end_ms, uint32_t capacity);
/* The last instant of [start, end) at which `capacity` or more overlap, or TIMELINE_NONE. */
int64_t timeline_last_full(const struct timeline *t, int64_t start_ms, int64_t end_ms, uint32_t capacity);

/* Folds up to `most` points that lie at or before this instant. Returns how many. */
uint32_t timeline_fold(struct timeline *t, int64_t until_ms, uint32_t most);

/* The next point after an instant, with the counts from it on; false: there is none. */
struct timeline_point {
    int64_t at_ms;
    int32_t count, sold;
};
bool timeline_next(const struct timeline *t, int64_t after_ms, struct timeline_point *out);
/* Recomputes every sum, the order and the balance. */
bool timeline_check(const struct timeline *t);

#endif
