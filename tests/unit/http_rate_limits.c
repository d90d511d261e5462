/* SPDX-License-Identifier: Apache-2.0 */
/* Limits slow down a caller who floods, in that lane only, and nobody else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "http/access/rate_limits.h"

#define START_MS 1000000

static struct rate_limits rate_limits;
static struct rate_limits_left left;

static int on(void **state)
{
    (void)state;
    rate_limits_init(&rate_limits, true);
    return 0;
}

static int release(void **state)
{
    (void)state;
    rate_limits_release(&rate_limits);
    return 0;
}

static struct address at(const char *text)
{
    struct address a;
    assert_true(address_read((struct text){text, strlen(text)}, &a));
    return a;
}

static bool take(const char *address, const char *user, enum lane lane, int64_t now_ms)
{
    return rate_limits_take(&rate_limits, at(address), (struct text){user, strlen(user)}, lane, now_ms,
                            &left);
}

/* How many succeed in a row at one instant. */
static unsigned burst(const char *address, const char *user, enum lane lane, int64_t now_ms)
{
    unsigned n = 0;
    while (n < 100000 && take(address, user, lane, now_ms))
        n++;
    return n;
}

static void a_user_has_a_burst_and_then_a_rate(void **state)
{
    (void)state;
    const struct rate_limits_rate *rate = &rate_limits_of_user[LANE_HOLD];
    assert_int_equal(burst("192.0.2.1", "ann", LANE_HOLD, START_MS), rate->burst);
    assert_int_equal(left.retry_after_s, 1);
    assert_int_equal(burst("192.0.2.1", "ann", LANE_HOLD, START_MS + 1000), rate->per_second);
    assert_int_equal(burst("192.0.2.1", "ann", LANE_HOLD, START_MS + 3600000), rate->burst);
    assert_true(take("192.0.2.1", "bob", LANE_HOLD, START_MS));
}

static void it_reports_what_is_left_of_the_tightest_bucket(void **state)
{
    (void)state;
    assert_string_equal(rate_limits.policies[LANE_HOLD][RATE_LIMITS_ADDRESS], "\"hold-address\";q=5000;w=5");
    assert_string_equal(rate_limits.policies[LANE_HOLD][RATE_LIMITS_USER],
                        "\"hold-user\";q=500;w=10, \"hold-address\";q=5000;w=5");
    assert_string_equal(rate_limits.policies[LANE_POLL][RATE_LIMITS_USER], "\"poll-address\";q=40000;w=4");
    assert_true(take("192.0.2.1", "ann", LANE_HOLD, START_MS));
    assert_true(left.lane == LANE_HOLD && left.is_user && left.scope == RATE_LIMITS_USER);
    assert_int_equal(left.requests, 499);
    assert_int_equal(left.full_s, 1);
    burst("192.0.2.1", "ann", LANE_HOLD, START_MS);
    assert_int_equal(left.requests, 0);
    assert_int_equal(left.full_s, 10);
    assert_true(take("192.0.2.1", "", LANE_HOLD, START_MS));
    assert_true(!left.is_user && left.scope == RATE_LIMITS_ADDRESS);
    assert_true(take("192.0.2.1", "ann", LANE_POLL, START_MS));
    assert_true(left.is_user &&
                left.scope == RATE_LIMITS_ADDRESS); /* users have no quota of their own there */
    for (unsigned i = 0; i < 4; i++)
        burst("192.0.2.9", i % 2 ? "cem" : "dee", LANE_READ, START_MS);
    while (take("192.0.2.9", "", LANE_READ, START_MS) && left.requests > 10)
        ;
    assert_true(take("192.0.2.9", "eve", LANE_READ, START_MS));
    assert_true(left.is_user && left.scope == RATE_LIMITS_ADDRESS); /* her neighbours have left her little */
    assert_int_equal(left.requests, 9);
    assert_true(take("192.0.2.1", "ann", LANE_NONE, START_MS));
    assert_true(left.lane == LANE_NONE);
}

static void lanes_do_not_starve_each_other(void **state)
{
    (void)state;
    burst("192.0.2.1", "ann", LANE_HOLD, START_MS);
    burst("192.0.2.1", "ann", LANE_READ, START_MS);
    assert_false(take("192.0.2.1", "ann", LANE_HOLD, START_MS));
    assert_int_equal(burst("192.0.2.1", "ann", LANE_COMMIT, START_MS),
                     rate_limits_of_user[LANE_COMMIT].burst);
    assert_true(take("192.0.2.1", "ann", LANE_NONE, START_MS));
}

static void an_address_is_counted_over_all_its_users(void **state)
{
    (void)state;
    unsigned taken = 0;
    for (unsigned i = 0; i < 100000; i++) {
        char user[16];
        snprintf(user, sizeof user, "u%u", i);
        if (!take("192.0.2.1", user, LANE_HOLD, START_MS))
            break;
        taken++;
    }
    assert_int_equal(taken, rate_limits_of_address[LANE_HOLD].burst);
    assert_true(take("192.0.2.2", "other", LANE_HOLD, START_MS));
}

static void an_ipv6_neighbourhood_is_one_address(void **state)
{
    (void)state;
    burst("2001:db8:0:1::1", "", LANE_READ, START_MS);
    assert_false(take("2001:db8:0:1:ffff::2", "", LANE_READ, START_MS));
    assert_true(take("2001:db8:0:2::1", "", LANE_READ, START_MS));
}

static void releasing_again_and_again_is_cooled_down(void **state)
{
    (void)state;
    struct text ann = TEXT("ann");
    for (unsigned i = 0; i < RATE_LIMITS_RELEASES; i++)
        rate_limits_note_release(&rate_limits, ann, START_MS + i);
    assert_true(take("192.0.2.1", "ann", LANE_HOLD, START_MS + 100));
    rate_limits_note_release(&rate_limits, ann, START_MS + 100);
    assert_false(take("192.0.2.1", "ann", LANE_HOLD, START_MS + 100));
    assert_int_equal(left.retry_after_s, RATE_LIMITS_COOL_DOWN_MS / 1000);
    assert_true(take("192.0.2.1", "ann", LANE_COMMIT, START_MS + 100));
    assert_true(take("192.0.2.1", "ann", LANE_READ, START_MS + 100));
    assert_true(take("192.0.2.1", "bob", LANE_HOLD, START_MS + 100));
    assert_false(take("192.0.2.1", "ann", LANE_HOLD, START_MS + 99 + RATE_LIMITS_COOL_DOWN_MS));
    assert_true(take("192.0.2.1", "ann", LANE_HOLD, START_MS + 100 + RATE_LIMITS_COOL_DOWN_MS));
}

static void releases_now_and_then_are_forgotten(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 10 * RATE_LIMITS_RELEASES; i++) {
        int64_t now = START_MS + (int64_t)i * (RATE_LIMITS_WINDOW_MS / RATE_LIMITS_RELEASES + 100);
        rate_limits_note_release(&rate_limits, TEXT("ann"), now);
        assert_true(take("192.0.2.1", "ann", LANE_HOLD, now));
    }
}

static void guests_are_counted_by_address(void **state)
{
    (void)state;
    assert_int_equal(burst("192.0.2.1", "", LANE_SESSION, START_MS),
                     rate_limits_of_address[LANE_SESSION].burst);
    assert_int_equal(burst("192.0.2.9", "ann", LANE_SESSION, START_MS),
                     rate_limits_of_address[LANE_SESSION].burst);
}

static void joins_have_a_lane_of_their_own(void **state)
{
    (void)state;
    burst("192.0.2.1", "ann", LANE_POLL, START_MS);
    burst("192.0.2.1", "ann", LANE_READ, START_MS);
    burst("192.0.2.1", "ann", LANE_HOLD, START_MS);
    assert_int_equal(burst("192.0.2.1", "ann", LANE_JOIN, START_MS), rate_limits_of_user[LANE_JOIN].burst);
    assert_int_equal(left.retry_after_s, 1);
    assert_true(take("192.0.2.1", "ann", LANE_COMMIT, START_MS));
    assert_true(take("192.0.2.1", "bob", LANE_JOIN, START_MS));
    assert_true(take("192.0.2.1", "ann", LANE_JOIN, START_MS + 1000));
    assert_false(take("192.0.2.1", "ann", LANE_JOIN, START_MS + 1000));
}

static void joins_are_counted_by_address_and_neighbourhood(void **state)
{
    (void)state;
    unsigned taken = 0;
    for (unsigned i = 0; i < 100000; i++) {
        char user[16], address[40];
        snprintf(user, sizeof user, "u%u", i);
        snprintf(address, sizeof address, "2001:db8:0:1::%x", i % 50000 + 1);
        if (!take(address, user, LANE_JOIN, START_MS))
            break;
        taken++;
    }
    assert_int_equal(taken, rate_limits_of_address[LANE_JOIN].burst);
    assert_true(take("2001:db8:0:2::1", "other", LANE_JOIN, START_MS));
}

static void many_strangers_never_cost_more_memory_or_a_refusal(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 300000; i++) {
        char address[32];
        snprintf(address, sizeof address, "10.%u.%u.%u", i >> 16, i >> 8 & 255, i & 255);
        assert_true(take(address, "", LANE_READ, START_MS + i));
    }
}

static bool may_guess(const char *address, const char *user, const char *event, int64_t now_ms)
{
    unsigned retry_after_s = 0;
    struct address place = address ? at(address) : (struct address){0};
    bool may = rate_limits_may_guess(&rate_limits, address ? &place : NULL, (struct text){user, strlen(user)},
                                     (struct text){event, strlen(event)}, now_ms, &retry_after_s);
    assert_int_equal(may, retry_after_s == 0);
    assert_true(retry_after_s <= 60);
    return may;
}

static void codes_cannot_be_guessed(void **state)
{
    (void)state;
    struct address place = at("192.0.2.1");
    for (unsigned i = 0; i < RATE_LIMITS_GUESSES; i++) {
        assert_true(may_guess("192.0.2.1", "ann", "eras", START_MS + i));
        rate_limits_note_guess(&rate_limits, &place, TEXT("ann"), TEXT("eras"), START_MS + i);
    }
    assert_false(may_guess("192.0.2.1", "ann", "eras", START_MS + 59999));
    assert_false(may_guess("192.0.2.9", "ann", "eras", START_MS + 59999)); /* the user */
    assert_false(may_guess("192.0.2.1", "bob", "eras", START_MS + 59999)); /* the address */
    assert_false(may_guess(NULL, "ann", "eras", START_MS + 59999));
    assert_true(may_guess("192.0.2.9", "bob", "eras", START_MS + 59999));
    assert_true(may_guess(NULL, "bob", "eras", START_MS + 59999));
    assert_true(may_guess("192.0.2.1", "ann", "era", START_MS + 59999));
    assert_true(may_guess("192.0.2.1", "ann", "eras", START_MS + 60000));
    /* An app is counted by its user alone. */
    for (unsigned i = 0; i < RATE_LIMITS_GUESSES; i++)
        rate_limits_note_guess(&rate_limits, NULL, TEXT("cat"), TEXT("eras"), START_MS);
    assert_false(may_guess("192.0.2.7", "cat", "eras", START_MS));
    assert_true(may_guess("192.0.2.7", "dan", "eras", START_MS));
}

static void off_is_off(void **state)
{
    (void)state;
    struct rate_limits none;
    rate_limits_init(&none, false);
    for (unsigned i = 0; i < 100000; i++) {
        unsigned retry_after_s;
        rate_limits_note_release(&none, TEXT("ann"), START_MS);
        rate_limits_note_guess(&none, NULL, TEXT("ann"), TEXT("eras"), START_MS);
        assert_true(rate_limits_may_guess(&none, NULL, TEXT("ann"), TEXT("eras"), START_MS, &retry_after_s));
        assert_true(rate_limits_take(&none, at("192.0.2.1"), TEXT("ann"), LANE_HOLD, START_MS, &left));
    }
    rate_limits_release(&none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_user_has_a_burst_and_then_a_rate, on, release),
        cmocka_unit_test_setup_teardown(it_reports_what_is_left_of_the_tightest_bucket, on, release),
        cmocka_unit_test_setup_teardown(lanes_do_not_starve_each_other, on, release),
        cmocka_unit_test_setup_teardown(an_address_is_counted_over_all_its_users, on, release),
        cmocka_unit_test_setup_teardown(an_ipv6_neighbourhood_is_one_address, on, release),
        cmocka_unit_test_setup_teardown(releasing_again_and_again_is_cooled_down, on, release),
        cmocka_unit_test_setup_teardown(releases_now_and_then_are_forgotten, on, release),
        cmocka_unit_test_setup_teardown(guests_are_counted_by_address, on, release),
        cmocka_unit_test_setup_teardown(joins_have_a_lane_of_their_own, on, release),
        cmocka_unit_test_setup_teardown(joins_are_counted_by_address_and_neighbourhood, on, release),
        cmocka_unit_test_setup_teardown(many_strangers_never_cost_more_memory_or_a_refusal, on, release),
        cmocka_unit_test_setup_teardown(codes_cannot_be_guessed, on, release),
        cmocka_unit_test(off_is_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
