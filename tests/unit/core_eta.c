/* SPDX-License-Identifier: Apache-2.0 */
/* Distances in integers match exact arithmetic, within the bound that eta.h states; scores are integers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/dispatch/eta.h"
#include "core/dispatch/score.h"

/* A random number in [0, 1), always the same sequence. */
static double roll(void)
{
    static uint64_t seed = 1;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static long double distance_mm(struct geo_point a, struct geo_point b)
{
    const long double unit = 3.14159265358979323846264338327950288L / 1.8e9L;
    long double north = sinl(((long double)a.lat_e7 - b.lat_e7) * unit / 2);
    long double east = sinl(((long double)a.lng_e7 - b.lng_e7) * unit / 2);
    long double h = north * north + cosl(a.lat_e7 * unit) * cosl(b.lat_e7 * unit) * east * east;
    h = h > 1 ? 1 : h;
    return 2 * 6371008800.0L * atan2l(sqrtl(h), sqrtl(1 - h));
}

static void expect_near(struct geo_point a, struct geo_point b)
{
    long double exact = distance_mm(a, b), is = (long double)eta_distance_mm(a, b);
    if (fabsl(exact - is) > 1 + 2e-9L * exact)
        fail_msg("%d,%d to %d,%d: %.3Lf mm, not %.0Lf", a.lat_e7, a.lng_e7, b.lat_e7, b.lng_e7, exact, is);
    assert_int_equal(eta_distance_mm(b, a), eta_distance_mm(a, b));
}

static void distances_are_exact(void **state)
{
    (void)state;
    for (int i = 0; i < 200000; i++) {
        struct geo_point a = {(int32_t)((roll() * 2 - 1) * 9e8), (int32_t)((roll() * 2 - 1) * 18e8)}, b;
        double spread = pow(10, -9 * roll());
        double lat = a.lat_e7 + (roll() * 2 - 1) * 18e8 * spread,
               lng = a.lng_e7 + (roll() * 2 - 1) * 18e8 * spread;
        b.lat_e7 = (int32_t)fmax(-9e8, fmin(9e8, lat));
        b.lng_e7 = (int32_t)(lng > 18e8 ? lng - 36e8 : lng < -18e8 ? lng + 36e8 : lng);
        expect_near(a, b);
    }
}

/* Within a town the shortcut gives the exact millimetre, and where it cannot it is not used. For a distance halfway
 * between two either is fine. */
static void short_distances_are_the_nearest_millimetre(void **state)
{
    (void)state;
    for (int i = 0; i < 1000000; i++) {
        struct geo_point a = {(int32_t)((roll() * 2 - 1) * 8.9e8), (int32_t)((roll() * 2 - 1) * 17.9e8)}, b;
        double spread = pow(10, 6 * roll());
        b.lat_e7 = a.lat_e7 + (int32_t)((roll() * 2 - 1) * spread);
        b.lng_e7 = a.lng_e7 + (int32_t)((roll() * 2 - 1) * spread);
        long double exact = distance_mm(a, b), half = exact - floorl(exact) - 0.5L;
        if (fabsl(half) > 1e-4L)
            assert_int_equal(eta_distance_mm(a, b), llroundl(exact));
    }
}

static void corners(void **state)
{
    (void)state;
    const int32_t lats[] = {-900000000, -899999999, -1, 0, 1, 450000000, 900000000};
    const int32_t lngs[] = {-1800000000, -1799999999, -1, 0, 1, 900000000, 1799999999, 1800000000};
    for (int i = 0; i < 7 * 8; i++)
        for (int k = 0; k < 7 * 8; k++)
            expect_near((struct geo_point){lats[i % 7], lngs[i / 7]},
                        (struct geo_point){lats[k % 7], lngs[k / 7]});
    /* Crossing the antimeridian adds no distance. */
    assert_int_equal(eta_distance_mm((struct geo_point){0, 1800000000}, (struct geo_point){0, -1800000000}),
                     0);
    /* Round the world: half of its circumference. */
    assert_int_equal(eta_distance_mm((struct geo_point){0, 0}, (struct geo_point){0, 1800000000}),
                     20015114442);
}

static void times_are_whole_milliseconds(void **state)
{
    (void)state;
    struct geo_point a = {0, 0}, b = {0, 89932};
    assert_int_equal(eta_distance_mm(a, b), 1000000);
    assert_int_equal(eta_ms(a, b, 36), 100000);
    assert_int_equal(eta_ms(a, b, 30), 120000);
    assert_int_equal(eta_ms(a, b, 1000), 3600);
    assert_int_equal(eta_ms(a, a, 1), 0);
}

static void scores_are_rounded_down(void **state)
{
    (void)state;
    struct fleet_weights w = {.eta_milli = 1};
    assert_int_equal(score_ms(&w, &(struct score_facts){.eta_ms = 1999}), 1);
    w = (struct fleet_weights){.waiting_milli = 1};
    assert_int_equal(score_ms(&w, &(struct score_facts){.idle_ms = 1}), -1);
    assert_int_equal(score_ms(&w, &(struct score_facts){.idle_ms = 1000}), -1);
    assert_int_equal(score_ms(&w, &(struct score_facts){.idle_ms = 1001}), -2);
    w = (struct fleet_weights){1500, 2000, 500, 3000};
    struct score_facts facts = {.eta_ms = 60000, .idle_ms = 10000, .rating_milli = 4800, .surge = true};
    assert_int_equal(score_ms(&w, &facts), 90000 - 2 * 60000 * 48 / 10 - 5000 - 180000);
    /* Maximum values do not overflow. */
    w = (struct fleet_weights){WEIGHT_MILLI_MAX, 0, 0, 0};
    facts = (struct score_facts){.eta_ms = 72054411991};
    assert_int_equal(score_ms(&w, &facts), 72054411991000);
}

/* A point reported as out of reach is; and nearly every point that is, is reported. */
static void points_beyond_reach_are_further_away(void **state)
{
    (void)state;
    for (int i = 0; i < 300000; i++) {
        struct geo_point a = {(int32_t)((roll() * 2 - 1) * 9e8), (int32_t)((roll() * 2 - 1) * 18e8)};
        double spread = pow(10, 7 * roll());
        double lat = a.lat_e7 + (roll() * 2 - 1) * spread, lng = a.lng_e7 + (roll() * 2 - 1) * spread;
        struct geo_point b = {
            (int32_t)fmax(-9e8, fmin(9e8, lat)),
            (int32_t)(lng > 18e8    ? lng - 36e8
                      : lng < -18e8 ? lng + 36e8
                                    : lng),
        };
        struct eta_origin from = eta_origin(a);
        int64_t mm = eta_distance_mm(a, b);
        for (int64_t off = 0; off < 4; off++)
            if (eta_beyond(&from, b, eta_reach(mm + off)))
                fail_msg("%d,%d to %d,%d is %lld mm, not over %lld", a.lat_e7, a.lng_e7, b.lat_e7, b.lng_e7,
                         (long long)mm, (long long)(mm + off));
        bool near = llabs((long long)a.lat_e7 - b.lat_e7) <= 1000000 &&
                    llabs((long long)a.lng_e7 - b.lng_e7) <= 1000000;
        if (near && abs(a.lat_e7) < 750000000 && mm >= 1000)
            assert_true(eta_beyond(&from, b, eta_reach(mm - mm / 100 - 10)));
        assert_int_equal(eta_from_ms(&from, b, 30), eta_ms(b, a, 30));
        assert_true(eta_reach_mm(eta_ms(a, b, 30), 30) >= mm);
    }
    assert_int_equal(eta_reach_mm(INT64_MAX, 1000), INT64_MAX);
}

static void the_longest_eta_of_a_score_is_the_last_one(void **state)
{
    (void)state;
    for (int i = 0; i < 100000; i++) {
        struct fleet_weights w = {(uint32_t)(1 + roll() * 3000), (uint32_t)(roll() * 3000),
                                  (uint32_t)(roll() * 3000), (uint32_t)(roll() * 3000)};
        struct score_facts facts = {.idle_ms = (int64_t)(roll() * IDLE_MAX_MS),
                                    .rating_milli = (uint32_t)(roll() * RATING_MILLI_MAX),
                                    .surge = roll() < 0.5};
        int64_t score = (int64_t)((roll() * 2 - 1) * 1000000);
        facts.eta_ms = score_eta_most_ms(&w, &facts, score);
        if (facts.eta_ms >= 0)
            assert_true(score_ms(&w, &facts) <= score);
        facts.eta_ms++;
        assert_true(score_ms(&w, &facts) > score);
    }
    struct score_facts facts = {0};
    assert_int_equal(score_eta_most_ms(&(struct fleet_weights){0}, &facts, 0), INT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_exact),
        cmocka_unit_test(short_distances_are_the_nearest_millimetre),
        cmocka_unit_test(corners),
        cmocka_unit_test(times_are_whole_milliseconds),
        cmocka_unit_test(scores_are_rounded_down),
        cmocka_unit_test(points_beyond_reach_are_further_away),
        cmocka_unit_test(the_longest_eta_of_a_score_is_the_last_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
