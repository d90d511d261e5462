/* SPDX-License-Identifier: Apache-2.0 */
/* A hold follows the terms of its time: the first ones replaced later, bounded, and valid or refused. */
#include "../lib/core_fixture.h"
#include "core/kept_terms.h"

static const struct kept_terms accepts = {LATE_PAYMENT_ACCEPT_IF_FREE, false, 0},
                               refunds = {LATE_PAYMENT_REFUND, true, 3600};

static void terms_are_those_of_the_hold(void **state)
{
    (void)state;
    struct text before = TEXT("120 refund 3600;845 accept_if_free -");
    const struct kept_terms now = {LATE_PAYMENT_REFUND, true, 7};
    assert_int_equal(kept_terms_of(before, now, 119).cancel_until, 3600);
    assert_int_equal(kept_terms_of(before, now, 119).late_payment, LATE_PAYMENT_REFUND);
    assert_false(kept_terms_of(before, now, 120).cancels);
    assert_int_equal(kept_terms_of(before, now, 844).late_payment, LATE_PAYMENT_ACCEPT_IF_FREE);
    assert_int_equal(kept_terms_of(before, now, 845).cancel_until, 7);
    assert_int_equal(kept_terms_of((struct text){0}, now, 1).cancel_until, 7);
}

static void kept_terms_are_bounded(void **state)
{
    (void)state;
    struct buf out[2];
    struct text before = {0};
    buf_init(&out[0], KEPT_TERMS_SIZE_MAX);
    buf_init(&out[1], KEPT_TERMS_SIZE_MAX);
    assert_ptr_equal(kept_terms_replace(before, accepts, accepts, 9, &out[0]).at, NULL);
    for (uint64_t i = 0; i < KEPT_TERMS_MAX + 9; i++) {
        struct kept_terms old = i % 2 ? refunds : accepts, after = i % 2 ? accepts : refunds;
        old.cancel_until = i % 2 ? UINT32_MAX : 0;
        before = kept_terms_replace(before, old, after, UINT64_MAX / 16 + i, &out[i % 2]);
        assert_true(kept_terms_sound(before));
        assert_int_equal(kept_terms_of(before, after, UINT64_MAX / 16 + i - 1).late_payment,
                         old.late_payment);
    }
    /* The oldest are gone: holds made under them follow the oldest that are left. */
    assert_int_equal(kept_terms_of(before, accepts, 1).cancel_until, UINT32_MAX);
    buf_release(&out[0]);
    buf_release(&out[1]);
}

static void unreadable_terms_are_refused(void **state)
{
    (void)state;
    const char *wrong[] = {"",
                           "1",
                           "1 refund",
                           "1 refund ",
                           "1 refund x",
                           "x refund 1",
                           "1 refuse 1",
                           "1 refund 1;x",
                           "1 refund -1",
                           "2 refund 1;2 refund -",
                           "1  refund 1",
                           "1 refund 4294967296",
                           "12345678901234567890 refund 1"};
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        if (kept_terms_sound((struct text){wrong[i], strlen(wrong[i])}))
            fail_msg("accepted: %s", wrong[i]);
    assert_true(kept_terms_sound((struct text){0}));
    assert_true(kept_terms_sound(TEXT("1 refund 4294967295;2 accept_if_free -")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_are_those_of_the_hold),
        cmocka_unit_test(kept_terms_are_bounded),
        cmocka_unit_test(unreadable_terms_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
