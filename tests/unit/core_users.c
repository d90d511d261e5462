/* SPDX-License-Identifier: Apache-2.0 */
/* A user's id is kept once while anything refers to it, and dropped afterwards; counts are per user and event. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/claim/user.h"
#include "core/state.h"

static struct text name_of(char buffer[USER_SIZE_MAX], int n, size_t size)
{
    memset(buffer, 'x', USER_SIZE_MAX);
    buffer[0] = (char)('A' + n / 10);
    buffer[1] = (char)('0' + n % 10);
    return (struct text){buffer, size};
}

static void ids_are_kept_once(void **state)
{
    (void)state;
    struct state *st = state_make();
    uint32_t a = user_take(st, TEXT("ann")), b = user_take(st, TEXT("bob"));
    assert_int_not_equal(a, b);
    assert_int_equal(user_take(st, TEXT("ann")), a);
    assert_int_equal(st->users.count, 2);
    user_give(st, a);
    assert_int_equal(user_find(st, TEXT("ann")), a);
    user_give(st, a);
    assert_int_equal(user_find(st, TEXT("ann")), TABLE_NONE);
    assert_int_equal(user_find(st, TEXT("bob")), b);
    assert_int_equal(st->users.count, 1);
    user_give(st, b);
    assert_int_equal(st->users_by_id.count, 0);
    state_release(st);
}

/* Short ones inside the record, long ones outside, and the sizes in between. */
static void every_size_comes_back(void **state)
{
    (void)state;
    struct state *st = state_make();
    char buffer[USER_SIZE_MAX];
    uint32_t handles[USER_SIZE_MAX + 1];
    for (size_t size = 1; size <= USER_SIZE_MAX; size++)
        handles[size] = user_take(st, name_of(buffer, 1, size));
    for (size_t size = 1; size <= USER_SIZE_MAX; size++) {
        struct text name = name_of(buffer, 1, size);
        assert_true(text_equal(user_id(st, handles[size]), name));
        assert_int_equal(user_find(st, name), handles[size]);
    }
    for (size_t size = 1; size <= USER_SIZE_MAX; size++)
        user_give(st, handles[size]);
    assert_int_equal(st->users.count, 0);
    /* the records are reused */
    uint32_t used = st->users.used;
    for (int n = 2; n < 100; n++)
        user_take(st, name_of(buffer, n, 40));
    assert_int_equal(st->users.used, used);
    state_release(st);
}

static void counts_keep_a_user(void **state)
{
    (void)state;
    struct state *st = state_make();
    uint32_t ann = user_take(st, TEXT("ann"));
    user_count_add(st, ann, 3, 2);
    user_count_add(st, ann, 4, 5);
    user_give(st, ann);
    assert_int_equal(user_find(st, TEXT("ann")), ann);
    assert_int_equal(user_count_get(st, ann, 3), 2);
    assert_int_equal(user_count_get(st, ann, 4), 5);
    assert_int_equal(user_count_get(st, ann, 5), 0);
    user_count_add(st, ann, 3, -1);
    user_count_add(st, ann, 4, -5);
    assert_int_equal(user_count_get(st, ann, 4), 0);
    assert_int_equal(user_count_get(st, ann, 3), 1);
    user_count_add(st, ann, 3, -1);
    assert_int_equal(user_find(st, TEXT("ann")), TABLE_NONE);
    assert_int_equal(st->user_counts.count, 0);
    assert_int_equal(st->user_counts_by_pair.count, 0);
    state_release(st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_are_kept_once),
        cmocka_unit_test(every_size_comes_back),
        cmocka_unit_test(counts_keep_a_user),
    };
    return cmocka_run_group_tests_name("core_users", tests, NULL, NULL);
}
