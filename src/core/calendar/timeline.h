/* SPDX-License-Identifier: Apache-2.0 */
/* timeline.h — how many claims overlap at each instant of one calendar: all of them, and the sold ones.
 *
 * Owns the counts and nothing else: who has a claim, and whether one more is allowed, is decided elsewhere. A claim is
 * half-open: [start, end) counts from its start to the millisecond before its end.
 *
 * A balanced tree (AVL) of the instants at which the counts change; each node knows the sum of the changes in
 * its subtree and the greatest and least count reached within it, so every query is O(log n) in the number of claims,
 * for any order of claims. Claims that touch leave no point between them.
 *
 * The past is folded: points at or before `folded_ms` are removed and counted in `base`. So a timeline is only as large
 * as the future, and queries must not be about instants before `folded_ms`. When points are folded depends on the
 * commands; answers do not.
 */
#ifndef CORE_TIMELINE_H
#define CORE_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory/slab.h"

#define TIMELINE_NONE INT64_MIN

struct timeline {
    struct slab nodes; /* one for each point */
    uint32_t root;     /* handle + 1; 0: no points */
    int64_t folded_ms;
    int32_t base, base_sold; /* the counts from folded_ms to the first point */
};

void timeline_init(struct timeline *t);
void timeline_release(struct timeline *t);

/* Adds a claim, removes it, or turns it from held to sold. It can be in the past: then only the folded counts are
 * adjusted. */
void timeline_add(struct timeline *t, int64_t start_ms, int64_t end_ms, bool sold);
void timeline_remove(struct timeline *t, int64_t start_ms, int64_t end_ms, bool sold);
void timeline_sell(struct timeline *t, int64_t start_ms, int64_t end_ms);

/* The greatest number of claims that overlap at one instant of [start, end); folded instants are ignored. */
uint32_t timeline_most(const struct timeline *t, int64_t start_ms, int64_t end_ms);
uint32_t timeline_most_sold(const struct timeline *t, int64_t start_ms, int64_t end_ms);
/* The first instant, from at_ms on, at which fewer than `capacity` (at least 1) overlap. */
int64_t timeline_room_after(const struct timeline *t, int64_t at_ms, uint32_t capacity);
/* The first instant of [start, end) at which `capacity` or more overlap, or `end`. */
int64_t timeline_first_full(const struct timeline *t, int64_t start_ms, int64_t end_ms, uint32_t capacity);
/* The last instant of [start, end) at which `capacity` or more overlap, or TIMELINE_NONE. */
int64_t timeline_last_full(const struct timeline *t, int64_t start_ms, int64_t end_ms, uint32_t capacity);

/* Folds up to `most` points at or before this instant. Returns how many. */
uint32_t timeline_fold(struct timeline *t, int64_t until_ms, uint32_t most);

/* The next point after an instant, with the counts from there on; false: there is none. */
struct timeline_point {
    int64_t at_ms;
    int32_t count, sold;
};
bool timeline_next(const struct timeline *t, int64_t after_ms, struct timeline_point *out);
/* Recomputes every sum, the order and the balance. */
bool timeline_check(const struct timeline *t);

#endif
