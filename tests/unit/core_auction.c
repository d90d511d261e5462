/* SPDX-License-Identifier: Apache-2.0 */
/* The auction agrees with brute force: the oldest rides, then the lowest total, then the ranks in the lists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory/memory.h"
#include "core/dispatch/auction.h"

#define MANY AUCTION_RIDES_MAX

/* The lists of rides: drivers, the best first. */
struct list {
    uint32_t count;
    struct choice {
        uint32_t driver;
        int64_t score_ms;
    } choices[AUCTION_CHOICES_MAX];
};

struct problem {
    uint32_t rides, drivers;
    struct list lists[MANY];
    uint32_t numbers[AUCTION_EDGES_MAX]; /* of drivers in the auction: without gaps, by appearance */
};

/* How good a matching is: first the one that keeps more of the oldest (the first ride is the highest bit), then the
 * lower total, then the lower ranks. */
struct worth {
    uint32_t kept;
    int64_t total_ms, places;
};

static uint64_t random_state;

static uint32_t roll(uint32_t sides)
{
    uint64_t z = random_state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ z >> 31) % sides);
}

static bool better(const struct worth *a, const struct worth *b)
{
    if (a->kept != b->kept)
        return a->kept > b->kept;
    return a->total_ms != b->total_ms ? a->total_ms < b->total_ms : a->places < b->places;
}

/* ---- Problems ---- */

static int by_score(const void *a, const void *b)
{
    const struct choice *x = a, *y = b;
    if (x->score_ms != y->score_ms)
        return x->score_ms < y->score_ms ? -1 : 1;
    return (x->driver > y->driver) - (x->driver < y->driver);
}

static void number_drivers(struct problem *p)
{
    uint32_t next = 0;
    memset(p->numbers, 0xFF, sizeof(p->numbers));
    for (uint32_t r = 0; r < p->rides; r++)
        for (uint32_t i = 0; i < p->lists[r].count; i++)
            if (p->numbers[p->lists[r].choices[i].driver] == UINT32_MAX)
                p->numbers[p->lists[r].choices[i].driver] = next++;
}

/* Scores from `low` on, `sides` different values: few values make many ties. */
static void problem_make(struct problem *p, uint32_t rides, uint32_t drivers, uint32_t density, int64_t low,
                         uint64_t sides, int64_t unit)
{
    *p = (struct problem){.rides = rides, .drivers = drivers};
    for (uint32_t r = 0; r < rides; r++) {
        struct list *l = &p->lists[r];
        for (uint32_t d = 0; d < drivers && l->count < AUCTION_CHOICES_MAX; d++)
            if (roll(100) < density)
                l->choices[l->count++] = (struct choice){
                    d, low + (int64_t)(((uint64_t)roll(UINT32_MAX) << 20 ^ roll(UINT32_MAX)) % sides) * unit};
        qsort(l->choices, l->count, sizeof(*l->choices), by_score);
    }
    number_drivers(p);
}

/* ---- Trying everything ---- */

static void try_all(const struct problem *p, uint32_t ride, uint32_t used, struct worth so_far,
                    struct worth *best)
{
    if (ride == p->rides) {
        if (better(&so_far, best))
            *best = so_far;
        return;
    }
    for (uint32_t i = 0; i < p->lists[ride].count; i++) {
        const struct choice *c = &p->lists[ride].choices[i];
        if (used >> c->driver & 1)
            continue;
        struct worth with = {so_far.kept | 1u << (31 - ride), so_far.total_ms + c->score_ms,
                             so_far.places + i};
        try_all(p, ride + 1, used | 1u << c->driver, with, best);
    }
    try_all(p, ride + 1, used, so_far, best);
}

/* ---- The auction ---- */

static uint64_t looked, longest_looked;

/* The result of an auction, `at_once` work at a time: each driver at most once, and the pairs. */
static struct worth solve(const struct problem *p, uint32_t at_once, uint32_t pairs[MANY])
{
    struct auction *a = memory_get(sizeof(*a));
    memset(a, 0xA5, sizeof(*a)); /* no field is assumed to be zero */
    auction_begin(a);
    for (uint32_t r = 0; r < p->rides; r++) {
        assert_int_equal(auction_add_ride(a), r);
        for (uint32_t i = 0; i < p->lists[r].count; i++)
            auction_add_choice(a, p->numbers[p->lists[r].choices[i].driver], p->lists[r].choices[i].score_ms);
    }
    looked = 0;
    for (bool done = false; !done;) {
        uint32_t work = at_once;
        done = auction_continue(a, &work);
        assert_true(done || !work);
        looked += at_once - work;
    }
    longest_looked = looked > longest_looked ? looked : longest_looked;
    struct worth is = {0};
    bool used[AUCTION_EDGES_MAX] = {false};
    for (uint32_t r = 0; r < p->rides; r++) {
        uint32_t driver = auction_driver(a, r), at = 0;
        pairs[r] = driver;
        if (driver == AUCTION_NONE)
            continue;
        const struct list *l = &p->lists[r];
        while (at < l->count && p->numbers[l->choices[at].driver] != driver)
            at++;
        assert_true(at < l->count && !used[driver]);
        used[driver] = true;
        is.kept |= r < 32 ? 1u << (31 - r) : 0;
        is.total_ms += l->choices[at].score_ms;
        is.places += at;
    }
    free(a);
    return is;
}

static void expect_best(const struct problem *p)
{
    struct worth best = {0, INT64_MAX, INT64_MAX};
    uint32_t pairs[MANY], again[MANY];
    try_all(p, 0, 0, (struct worth){0}, &best);
    struct worth is = solve(p, UINT32_MAX, pairs);
    assert_int_equal(is.kept, best.kept);
    assert_int_equal(is.total_ms, best.total_ms);
    assert_int_equal(is.places, best.places);
    /* However little is done at a time, the result is the same. */
    solve(p, 1 + roll(30), again);
    assert_memory_equal(pairs, again, p->rides * sizeof(*pairs));
}

/* ---- Claims ---- */

static struct problem P;

static void agrees_with_brute_force(void **state)
{
    (void)state;
    static const struct {
        int64_t low;
        uint64_t sides;
        int64_t unit;
    } scores[] = {{0, 1, 1},        {0, 3, 1},
                  {-5, 11, 1},      {-600000, 600000, 1},
                  {0, 10, 1000000}, {-1000000000, SIZE_MAX >> 33, 1}};
    random_state = 1;
    for (uint32_t i = 0; i < 6000; i++) {
        uint32_t k = i % 6, most = i % 20 ? 6 : 8;
        problem_make(&P, 1 + roll(most), 1 + roll(most), 15 + roll(86), scores[k].low, scores[k].sides,
                     scores[k].unit);
        expect_best(&P);
    }
    for (uint32_t i = 0; i < 12; i++) { /* the largest, and full */
        problem_make(&P, 8, i % 2 ? 8 : 5, 100, scores[i % 6].low, scores[i % 6].sides, scores[i % 6].unit);
        expect_best(&P);
    }
}

/* Two rides want one driver; the older one has another, far away. Both are served, at the lowest total. */
static void the_oldest_yields_if_that_serves_both(void **state)
{
    (void)state;
    uint32_t pairs[MANY];
    P = (struct problem){.rides = 2, .drivers = 2};
    P.lists[0] = (struct list){2, {{0, 10}, {1, 5000}}};
    P.lists[1] = (struct list){1, {{0, 20}}};
    number_drivers(&P);
    solve(&P, UINT32_MAX, pairs);
    assert_int_equal(pairs[0], 1);
    assert_int_equal(pairs[1], 0);
}

/* Three rides, two drivers: the youngest goes without, though it would be the cheapest; so does one in the middle that
 * only wants what the oldest needs. */
static void the_oldest_are_kept(void **state)
{
    (void)state;
    uint32_t pairs[MANY];
    P = (struct problem){.rides = 3, .drivers = 2};
    P.lists[0] = (struct list){2, {{0, 900}, {1, 1000}}};
    P.lists[1] = (struct list){2, {{0, 700}, {1, 900}}};
    P.lists[2] = (struct list){2, {{0, -50}, {1, 1}}};
    number_drivers(&P);
    assert_int_equal(solve(&P, UINT32_MAX, pairs).total_ms, 1700);
    assert_int_equal(pairs[2], AUCTION_NONE);
    P.lists[0] = P.lists[1] = (struct list){1, {{0, 5}}};
    solve(&P, UINT32_MAX, pairs);
    assert_int_equal(pairs[0], 0);
    assert_int_equal(pairs[1], AUCTION_NONE);
    assert_int_equal(pairs[2], 1);
}

static void nothing_to_match(void **state)
{
    (void)state;
    uint32_t pairs[MANY];
    P = (struct problem){0};
    solve(&P, 1, pairs);
    P.rides = 3;
    solve(&P, 1, pairs);
    for (int i = 0; i < 3; i++)
        assert_int_equal(pairs[i], AUCTION_NONE);
}

/* Of equal scores the first in the list is taken: it is ranked there. */
static void ties_go_by_the_list(void **state)
{
    (void)state;
    uint32_t pairs[MANY];
    P = (struct problem){.rides = 1, .drivers = 16};
    P.lists[0].count = 16;
    for (uint32_t i = 0; i < 16; i++)
        P.lists[0].choices[i] = (struct choice){i, -77};
    number_drivers(&P);
    solve(&P, UINT32_MAX, pairs);
    assert_int_equal(pairs[0], 0);
}

/* Scores years apart, and as far apart as possible: prices stay within bounds, and distant drivers are avoided. */
static void scores_far_apart(void **state)
{
    (void)state;
    static const int64_t units[] = {(int64_t)1 << 28, (int64_t)1 << 40, ((int64_t)1 << 60) / 8 - 1};
    uint32_t pairs[MANY];
    random_state = 5;
    for (uint32_t i = 0; i < 300; i++) {
        problem_make(&P, 1 + roll(8), 1 + roll(8), 80, 0, 8, units[i % 3]);
        struct worth best = {0, INT64_MAX, INT64_MAX}, is = solve(&P, UINT32_MAX, pairs);
        try_all(&P, 0, 0, (struct worth){0}, &best);
        assert_int_equal(is.kept, best.kept);
        assert_int_equal(is.total_ms, best.total_ms);
    }
    problem_make(&P, MANY, 300, 6, -(((int64_t)1 << 60) - 8), UINT64_MAX >> 4, 1);
    solve(&P, UINT32_MAX, pairs);
}

/* The largest that is solved: the auction asserts the proof of its outcome, and the work is bounded. */
static void the_largest(void **state)
{
    (void)state;
    static const struct {
        uint32_t drivers, density;
        uint64_t sides;
    } shapes[] = {{16, 100, 600000},  {100, 16, 600000}, {256, 6, 600000},  {256, 6, 3},
                  {260, 7, 1u << 31}, {400, 4, 600000},  {3000, 1, 600000}, {250, 6, 1}};
    uint32_t pairs[MANY];
    random_state = 9;
    longest_looked = 0;
    for (uint32_t i = 0; i < 8; i++) {
        problem_make(&P, MANY, shapes[i].drivers, shapes[i].density, -300000, shapes[i].sides, 1);
        solve(&P, UINT32_MAX, pairs);
        print_message("# %u drivers, %u %%: %llu looks\n", shapes[i].drivers, shapes[i].density,
                      (unsigned long long)looked);
    }
    assert_in_range(longest_looked, MANY, 1000000);
}

/* On a line, as in towns: each ride lists the drivers around it, and all want those in the middle. */
static void a_crowded_street(void **state)
{
    (void)state;
    uint32_t pairs[MANY];
    random_state = 3;
    longest_looked = 0;
    for (uint32_t round = 0; round < 20; round++) {
        uint32_t drivers = 100 + round * 20, where[MANY];
        P = (struct problem){.rides = MANY, .drivers = drivers};
        for (uint32_t r = 0; r < MANY; r++) {
            struct list *l = &P.lists[r];
            where[r] = (roll(drivers) + roll(drivers) + roll(drivers)) / 3;
            uint32_t from = where[r] < 8 ? 0 : where[r] - 8;
            for (uint32_t d = from; d < drivers && l->count < AUCTION_CHOICES_MAX; d++)
                l->choices[l->count++] = (struct choice){
                    d, (int64_t)(d > where[r] ? d - where[r] : where[r] - d) * 7000 + roll(7000)};
            qsort(l->choices, l->count, sizeof(*l->choices), by_score);
        }
        number_drivers(&P);
        solve(&P, UINT32_MAX, pairs);
    }
    print_message("# at most %llu looks\n", (unsigned long long)longest_looked);
    assert_in_range(longest_looked, MANY, 1000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_brute_force),
        cmocka_unit_test(the_oldest_yields_if_that_serves_both),
        cmocka_unit_test(the_oldest_are_kept),
        cmocka_unit_test(nothing_to_match),
        cmocka_unit_test(ties_go_by_the_list),
        cmocka_unit_test(scores_far_apart),
        cmocka_unit_test(the_largest),
        cmocka_unit_test(a_crowded_street),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
