/* SPDX-License-Identifier: Apache-2.0 */
#include "core/dispatch/auction.h"

#include <string.h>

#include "base/assertion.h"

#define DEAD_END UINT16_MAX                 /* reached by a search that found no free driver */
#define SPREAD_MAX (((int64_t)1 << 31) - 1) /* of scores, in the units they are compared in */
#define PRICE_MAX ((int64_t)1 << 62)
#define STEP_FIRST 2 /* the first step is this fraction of the highest cost, */
#define STEP_NEXT 8  /* and each later one this fraction of the last */

/* ---- Input ---- */

void auction_begin(struct auction *a)
{
    a->stage = AUCTION_FILLING;
    a->ride_count = a->driver_count = a->edge_count = a->kept_count = a->turn = 0;
    a->edges[0] = 0;
}

uint32_t auction_add_ride(struct auction *a)
{
    ASSERT(a->stage == AUCTION_FILLING && a->ride_count < AUCTION_RIDES_MAX);
    uint32_t ride = a->ride_count++;
    a->taken[ride] = AUCTION_NONE;
    a->kept[ride] = false;
    a->edges[ride + 1] = a->edges[ride];
    return ride;
}

void auction_add_choice(struct auction *a, uint32_t driver, int64_t score_ms)
{
    uint32_t edge = a->edge_count, ride = a->ride_count - 1;
    ASSERT(a->stage == AUCTION_FILLING && a->ride_count && driver <= a->driver_count);
    ASSERT(edge - a->edges[ride] < AUCTION_CHOICES_MAX);
    ASSERT(score_ms > -AUCTION_SCORE_MAX && score_ms < AUCTION_SCORE_MAX);
    if (driver == a->driver_count) {
        a->owner[driver] = AUCTION_NONE;
        a->reached[driver] = 0;
        a->price[driver] = 0;
        a->driver_count++;
    }
    a->edge_ride[edge] = (uint16_t)ride;
    a->edge_driver[edge] = (uint16_t)driver;
    a->cost[edge] = score_ms;
    a->edges[a->ride_count] = (uint16_t)++a->edge_count;
}

uint32_t auction_driver(const struct auction *a, uint32_t ride)
{
    ASSERT(a->stage == AUCTION_DONE && ride < a->ride_count);
    ASSERT(a->kept[ride] == (a->taken[ride] != AUCTION_NONE));
    return a->kept[ride] ? a->edge_driver[a->taken[ride]] : AUCTION_NONE;
}

/* ---- Keeping ---- */

/* The driver is free: every ride on the path to it takes the next driver, so the first ride gets one. */
static void shift_path(struct auction *a, uint32_t from, uint32_t driver)
{
    for (uint32_t moved = 0;; moved++) {
        uint32_t edge = a->via[driver], ride = a->edge_ride[edge], before = a->taken[ride];
        ASSERT(moved < a->ride_count && a->edge_driver[edge] == driver);
        a->taken[ride] = (uint16_t)edge;
        a->owner[driver] = (uint16_t)ride;
        if (ride == from)
            return;
        ASSERT(before != AUCTION_NONE); /* it had a driver, who goes to the ride before it on the path */
        driver = a->edge_driver[before];
    }
}

/* Keeps this ride if it fits with those kept already: searches outward from it, over assigned drivers and the rides
 * that have them, for a free driver. Returns the work done. */
static uint32_t auction_keep(struct auction *a, uint32_t from)
{
    uint32_t first = 0, count = 0, looked = 1;
    a->queue[count++] = (uint16_t)from;
    while (first < count) {
        uint32_t ride = a->queue[first++];
        for (uint32_t e = a->edges[ride]; e < a->edges[ride + 1]; e++, looked++) {
            uint32_t driver = a->edge_driver[e];
            if (a->reached[driver] == from + 1 || a->reached[driver] == DEAD_END)
                continue;
            a->reached[driver] = (uint16_t)(from + 1);
            a->via[driver] = (uint16_t)e;
            if (a->owner[driver] == AUCTION_NONE) {
                shift_path(a, from, driver);
                a->kept[from] = true;
                a->kept_count++;
                return looked;
            }
            ASSERT(count < a->ride_count); /* each has one driver, so it is queued once */
            a->queue[count++] = a->owner[driver];
        }
    }
    /* These rides have only each other's drivers: no later path leads through them either. */
    for (uint32_t i = 1; i < count; i++)
        a->reached[a->edge_driver[a->taken[a->queue[i]]]] = DEAD_END;
    return looked;
}

/* ---- Prices ---- */

static void wishes_collect(struct auction *a)
{
    memset(a->wishes, 0, (a->driver_count + 1) * sizeof(*a->wishes));
    for (uint32_t e = 0; e < a->edge_count; e++)
        a->wishes[a->edge_driver[e]] = (uint16_t)(a->wishes[a->edge_driver[e]] + a->kept[a->edge_ride[e]]);
    for (uint32_t d = 0, sum = 0; d <= a->driver_count; d++) {
        uint32_t count = d < a->driver_count ? a->wishes[d] : 0;
        a->wishes[d] = (uint16_t)(sum += count); /* the end of each list, moved down to its start below */
    }
    for (uint32_t e = a->edge_count; e-- > 0;)
        if (a->kept[a->edge_ride[e]])
            a->wish[--a->wishes[a->edge_driver[e]]] = (uint16_t)e;
    ASSERT(a->wishes[0] == 0 && a->wishes[a->driver_count] <= a->edge_count);
}

/* Turns scores into costs: from 0 up, the rank in the list after the score, and all scaled so that a step of 1 is too
 * small to matter. */
static void costs_make(struct auction *a)
{
    int64_t low = INT64_MAX, high = INT64_MIN, rides = a->kept_count;
    for (uint32_t e = 0; e < a->edge_count; e++) {
        if (!a->kept[a->edge_ride[e]])
            continue;
        low = a->cost[e] < low ? a->cost[e] : low;
        high = a->cost[e] > high ? a->cost[e] : high;
    }
    ASSERT(rides > 0 && low <= high);
    unsigned shift = 0;
    while ((high - low) >> shift > SPREAD_MAX)
        shift++;
    a->cost_max = 0;
    for (uint32_t e = 0; e < a->edge_count; e++) {
        uint32_t ride = a->edge_ride[e];
        if (!a->kept[ride])
            continue;
        int64_t rank = e - a->edges[ride], score = (a->cost[e] - low) >> shift;
        a->cost[e] = (score * (AUCTION_CHOICES_MAX * rides + 1) + rank) * (rides + 1);
        ASSERT(rank < AUCTION_CHOICES_MAX && score >= 0 && a->cost[e] >= 0);
        a->cost_max = a->cost[e] > a->cost_max ? a->cost[e] : a->cost_max;
    }
    ASSERT(a->cost_max < (int64_t)1 << 52); /* times 256 rides, and a few times that, stays below PRICE_MAX */
}

/* What a ride pays for the driver it has. */
static int64_t pays(const struct auction *a, uint32_t ride)
{
    uint32_t edge = a->taken[ride];
    ASSERT(edge != AUCTION_NONE && a->owner[a->edge_driver[edge]] == ride);
    return a->cost[edge] + a->price[a->edge_driver[edge]];
}

static void queue_add(struct auction *a, uint32_t one, uint32_t most)
{
    ASSERT(a->waiting < most && most <= AUCTION_EDGES_MAX);
    a->queue[(a->first + a->waiting++) % most] = (uint16_t)one;
}

static uint32_t queue_take(struct auction *a, uint32_t most)
{
    ASSERT(a->waiting && a->first < most);
    uint32_t one = a->queue[a->first];
    a->first = (a->first + 1) % most;
    a->waiting--;
    return one;
}

/* Starts a round: no ride has a driver, prices stay. */
static void bidding_begin(struct auction *a)
{
    a->stage = AUCTION_BIDDING;
    a->first = a->waiting = 0;
    for (uint32_t d = 0; d < a->driver_count; d++)
        a->owner[d] = AUCTION_NONE;
    for (uint32_t r = 0; r < a->ride_count; r++) {
        a->taken[r] = AUCTION_NONE;
        if (a->kept[r])
            queue_add(a, r, AUCTION_RIDES_MAX);
    }
    ASSERT(a->waiting == a->kept_count);
}

/* Returns the work done. */
static uint32_t bid(struct auction *a, uint32_t ride)
{
    int64_t best = INT64_MAX, second = INT64_MAX;
    uint32_t edge = AUCTION_NONE;
    ASSERT(a->kept[ride] && a->taken[ride] == AUCTION_NONE);
    for (uint32_t e = a->edges[ride]; e < a->edges[ride + 1]; e++) {
        int64_t whole = a->cost[e] + a->price[a->edge_driver[e]];
        if (whole < best) {
            second = best;
            best = whole;
            edge = e;
        } else if (whole < second) {
            second = whole;
        }
    }
    ASSERT(edge != AUCTION_NONE);
    if (second == INT64_MAX)
        second = best + a->cost_max; /* no alternative: raise by this much */
    uint32_t driver = a->edge_driver[edge], before = a->owner[driver];
    a->price[driver] += second - best + a->step;
    ASSERT(a->price[driver] < PRICE_MAX);
    if (before != AUCTION_NONE) {
        a->taken[before] = AUCTION_NONE;
        queue_add(a, before, AUCTION_RIDES_MAX);
    }
    a->owner[driver] = (uint16_t)ride;
    a->taken[ride] = (uint16_t)edge;
    return (uint32_t)(a->edges[ride + 1] - a->edges[ride]);
}

static void lowering_begin(struct auction *a)
{
    a->stage = AUCTION_LOWERING;
    a->first = a->waiting = 0;
    a->floor = INT64_MAX;
    for (uint32_t d = 0; d < a->driver_count; d++)
        if (a->owner[d] != AUCTION_NONE && a->price[d] < a->floor)
            a->floor = a->price[d];
    ASSERT(a->floor > 0 && a->floor < PRICE_MAX); /* every assigned driver has had a bid */
    for (uint32_t d = 0; d < a->driver_count; d++)
        if (a->owner[d] == AUCTION_NONE && a->price[d] > a->floor)
            queue_add(a, d, AUCTION_EDGES_MAX);
}

/* Lowers the price of an unassigned driver: to the floor, or to where a ride prefers this driver. Returns the work
 * done. */
static uint32_t lower(struct auction *a, uint32_t driver)
{
    int64_t best = INT64_MIN, second = INT64_MIN;
    uint32_t edge = AUCTION_NONE, count = (uint32_t)(a->wishes[driver + 1] - a->wishes[driver]);
    ASSERT(a->owner[driver] == AUCTION_NONE && a->price[driver] > a->floor);
    for (uint32_t i = a->wishes[driver]; i < a->wishes[driver + 1]; i++) {
        uint32_t e = a->wish[i];
        int64_t worth = pays(a, a->edge_ride[e]) - a->cost[e]; /* at this price the ride is indifferent */
        if (worth > best) {
            second = best;
            best = worth;
            edge = e;
        } else if (worth > second) {
            second = worth;
        }
    }
    if (edge == AUCTION_NONE || best - a->step <= a->floor) {
        a->price[driver] = a->floor;
        return count + 1;
    }
    int64_t price = second == INT64_MIN || second - a->step < a->floor ? a->floor : second - a->step;
    uint32_t ride = a->edge_ride[edge], before = a->edge_driver[a->taken[ride]];
    ASSERT(price <= best - a->step &&
           price >= a->floor); /* the ride gains at least a step, so this terminates */
    a->price[driver] = price;
    a->owner[driver] = (uint16_t)ride;
    a->owner[before] = AUCTION_NONE;
    a->taken[ride] = (uint16_t)edge;
    if (a->price[before] > a->floor)
        queue_add(a, before, AUCTION_EDGES_MAX);
    return count + 1;
}

/* Whether the outcome is optimal; see auction.h. */
static bool is_optimal(const struct auction *a)
{
    uint32_t have = 0;
    bool holds = a->step == 1;
    for (uint32_t d = 0; d < a->driver_count; d++) {
        bool owned = a->owner[d] != AUCTION_NONE;
        have += owned;
        holds = holds && (owned ? a->price[d] >= a->floor : a->price[d] <= a->floor);
    }
    for (uint32_t e = 0; holds && e < a->edge_count; e++) {
        uint32_t ride = a->edge_ride[e];
        holds = !a->kept[ride] || pays(a, ride) <= a->cost[e] + a->price[a->edge_driver[e]] + a->step;
    }
    return holds && have == a->kept_count;
}

/* ---- Stages ---- */

/* Does the next piece of work. Returns how much it was. */
static uint32_t advance(struct auction *a)
{
    switch (a->stage) {
    case AUCTION_FILLING:
        a->stage = AUCTION_KEEPING;
        return 1;
    case AUCTION_KEEPING:
        if (a->turn < a->ride_count)
            return auction_keep(a, a->turn++);
        a->stage = a->kept_count ? AUCTION_PRICING : AUCTION_DONE;
        return 1;
    case AUCTION_PRICING:
        costs_make(a);
        wishes_collect(a);
        a->step = a->cost_max / STEP_FIRST + 1;
        bidding_begin(a);
        return a->edge_count;
    case AUCTION_BIDDING:
        if (a->waiting)
            return bid(a, queue_take(a, AUCTION_RIDES_MAX));
        lowering_begin(a);
        return a->driver_count;
    case AUCTION_LOWERING:
        if (a->waiting)
            return lower(a, queue_take(a, AUCTION_EDGES_MAX));
        if (a->step > 1) {
            a->step = a->step / STEP_NEXT ? a->step / STEP_NEXT : 1;
            bidding_begin(a);
            return a->driver_count;
        }
        ASSERT(is_optimal(a));
        a->stage = AUCTION_DONE;
        return a->edge_count;
    case AUCTION_DONE:
        break;
    }
    return 0;
}

bool auction_continue(struct auction *a, uint32_t *work)
{
    while (a->stage != AUCTION_DONE && *work) {
        uint32_t looked = advance(a);
        ASSERT(looked <= AUCTION_EDGES_MAX + 1);
        *work -= looked < *work ? looked : *work;
    }
    return a->stage == AUCTION_DONE;
}
