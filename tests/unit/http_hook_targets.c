/* SPDX-License-Identifier: Apache-2.0 */
/* A receiver that fails is left alone, longer each time: a host and port that cannot be connected to at once and with
 * all its hooks, a hook that answers badly after some failures, and alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "http/hook/hook_targets.h"

#define SHARE 4u
#define NOON 1000000LL

static struct hook_targets t;
static int64_t now_ms;

static int set_up(void **state)
{
    (void)state;
    t = (struct hook_targets){0};
    now_ms = NOON;
    return 0;
}

static struct text text_of(const char *string)
{
    return (struct text){string, strlen(string)};
}

/* Hooks 1, 2, … with these URLs. */
static void hooks(const char *const *urls, uint64_t count)
{
    hook_targets_clear(&t);
    for (uint64_t i = 0; i < count; i++)
        hook_targets_keep(&t, i + 1, text_of(urls[i]));
}
#define HOOKS(...)                                                                                           \
    hooks((const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static uint32_t room(uint64_t hook)
{
    return hook_targets_room(&t, hook, now_ms, SHARE);
}

/* One message to it ends like this, if one may begin. */
static bool attempt(uint64_t hook, enum hook_attempt how)
{
    if (!room(hook))
        return false;
    hook_targets_begun(&t, hook, 1);
    hook_targets_ended(&t, hook, how, now_ms, 0);
    return true;
}

static void a_host_that_refuses_is_tried_once_a_rest(void **state)
{
    uint32_t count = 0;
    (void)state;
    HOOKS("http://127.0.0.1:1/");
    for (; now_ms < NOON + 63000; now_ms++) {
        uint32_t before = count;
        count += attempt(1, HOOK_ATTEMPT_UNREACHABLE);
        /* at 0, 1, 3, 7, 15 and 31 s */
        assert_int_equal(before != count, ((now_ms - NOON) / 1000 & ((now_ms - NOON) / 1000 + 1)) == 0 &&
                                              (now_ms - NOON) % 1000 == 0);
    }
    assert_int_equal(count, 6);
    for (; now_ms < NOON + 3600000; now_ms++)
        count += attempt(1, HOOK_ATTEMPT_UNREACHABLE);
    assert_int_equal(count, 6 + 60 - 1); /* and then once a minute */
}

static void many_that_refuse_are_few_attempts(void **state)
{
    char urls[56][32];
    const char *all[56];
    uint32_t count = 0;
    (void)state;
    for (uint32_t i = 0; i < 56; i++) {
        snprintf(urls[i], sizeof urls[i], "http://127.0.0.1:%u/", 1000 + i);
        all[i] = urls[i];
    }
    hooks(all, 56);
    for (; now_ms < NOON + 5000; now_ms++)
        for (uint64_t hook = 1; hook <= 56; hook++)
            count += attempt(hook, HOOK_ATTEMPT_UNREACHABLE);
    assert_int_equal(count, 56 * 3);
}

static void hooks_of_one_host_and_port_rest_together(void **state)
{
    (void)state;
    HOOKS("http://shop.example/a", "http://SHOP.example:80?b", "http://shop.example:81/",
          "https://shop.example/", "https://shop.example:443/x", "http://[::1]/", "http://[::1]:80/");
    assert_true(attempt(1, HOOK_ATTEMPT_UNREACHABLE));
    for (uint64_t hook = 1; hook <= 7; hook++)
        assert_int_equal(room(hook), hook <= 2 ? 0 : SHARE);
    assert_true(attempt(4, HOOK_ATTEMPT_UNREACHABLE));
    assert_int_equal(room(5), 0);
    assert_true(attempt(7, HOOK_ATTEMPT_UNREACHABLE));
    assert_int_equal(room(6), 0);
    now_ms += 1000;
    /* one of them tries, for all */
    assert_int_equal(room(1), 1);
    assert_int_equal(room(2), 1);
    hook_targets_begun(&t, 2, 1);
    assert_int_equal(room(1), 0);
    hook_targets_ended(&t, 2, HOOK_ATTEMPT_FAILED, now_ms, 0); /* it is reached */
    assert_int_equal(room(1), SHARE);
}

static void a_hook_rests_alone_after_failures_in_a_row(void **state)
{
    (void)state;
    HOOKS("http://x/a", "http://x/b");
    for (uint32_t i = 0; i < HOOK_FAILURES_TOLERATED; i++) {
        assert_int_equal(room(1), SHARE);
        assert_true(attempt(1, HOOK_ATTEMPT_FAILED));
    }
    assert_false(hook_targets_failing(&t, 1));
    assert_true(attempt(1, HOOK_ATTEMPT_DELIVERED)); /* and from the beginning */
    for (uint32_t i = 0; i <= HOOK_FAILURES_TOLERATED; i++)
        assert_true(attempt(1, HOOK_ATTEMPT_FAILED));
    assert_int_equal(room(1), 0);
    assert_true(hook_targets_failing(&t, 1));
    assert_int_equal(room(2), SHARE);
    now_ms += 1000;
    assert_int_equal(room(1), 1);
    assert_true(attempt(1, HOOK_ATTEMPT_FAILED));
    now_ms += 1999;
    assert_int_equal(room(1), 0);
    now_ms += 1;
    assert_true(attempt(1, HOOK_ATTEMPT_DELIVERED));
    assert_int_equal(room(1), SHARE);
}

static void what_was_under_way_counts_once(void **state)
{
    (void)state;
    HOOKS("http://x/");
    hook_targets_begun(&t, 1, 3);
    hook_targets_ended(&t, 1, HOOK_ATTEMPT_UNREACHABLE, now_ms, 0);
    hook_targets_ended(&t, 1, HOOK_ATTEMPT_UNREACHABLE, now_ms + 999, 0);
    now_ms += 1000;
    assert_int_equal(room(1), 0); /* the third may tell */
    hook_targets_ended(&t, 1, HOOK_ATTEMPT_NONE, now_ms, 0);
    assert_int_equal(room(1), 1);
}

static void a_hook_with_another_url_is_another_receiver(void **state)
{
    (void)state;
    HOOKS("http://x/", "http://y/");
    assert_true(attempt(1, HOOK_ATTEMPT_UNREACHABLE));
    HOOKS("http://x/other", "http://x/");
    assert_int_equal(room(1), 0); /* the same host */
    assert_int_equal(room(2), 0);
    HOOKS("http://z/", "http://x/");
    assert_int_equal(room(1), SHARE);
    assert_int_equal(room(2), 0);
}

static void hooks_may_come_and_go_while_messages_are_under_way(void **state)
{
    uint32_t begun = 0;
    (void)state;
    for (uint64_t round = 0; round < 1000; round++) {
        hook_targets_clear(&t);
        for (uint64_t i = 1; i <= HOOKS_MAX; i++)
            hook_targets_keep(&t, round * HOOKS_MAX + i, text_of("http://x/"));
        uint64_t hook = round * HOOKS_MAX + 1;
        if (room(hook)) {
            hook_targets_begun(&t, hook, 1);
            begun++;
        }
    }
    assert_int_equal(begun, HOOK_IN_FLIGHT_MAX);
    hook_targets_ended(&t, 1, HOOK_ATTEMPT_DELIVERED, now_ms, 0);
    assert_int_equal(room(999 * HOOKS_MAX + 2), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_host_that_refuses_is_tried_once_a_rest, set_up),
        cmocka_unit_test_setup(many_that_refuse_are_few_attempts, set_up),
        cmocka_unit_test_setup(hooks_of_one_host_and_port_rest_together, set_up),
        cmocka_unit_test_setup(a_hook_rests_alone_after_failures_in_a_row, set_up),
        cmocka_unit_test_setup(what_was_under_way_counts_once, set_up),
        cmocka_unit_test_setup(a_hook_with_another_url_is_another_receiver, set_up),
        cmocka_unit_test_setup(hooks_may_come_and_go_while_messages_are_under_way, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
