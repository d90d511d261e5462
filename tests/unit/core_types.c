/* SPDX-License-Identifier: Apache-2.0 */
/* Names of enums are read back as their values, and numbers on disk keep their meaning. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/types.h"

/* Every word of the list is the name of a value, by number from `first` on, and no other number has one. */
#define CHECK_NAMES(type, first, count)                                                                      \
    do {                                                                                                     \
        enum type value;                                                                                     \
        for (unsigned i = 0; i < (count); i++) {                                                             \
            const char *word = type##_word(i);                                                               \
            assert_non_null(word);                                                                           \
            assert_true(type##_read((struct text){word, strlen(word)}, &value));                             \
            assert_int_equal(value, (first) + i);                                                            \
            assert_string_equal(type##_name(value), word);                                                   \
            assert_false(type##_read((struct text){word, strlen(word) - 1}, &value));                        \
        }                                                                                                    \
        assert_null(type##_word(count));                                                                     \
        assert_false(type##_read((struct text){0}, &value));                                                 \
    } while (0)

static void names_are_read_back(void **state)
{
    (void)state;
    CHECK_NAMES(role, 0, 8);
    CHECK_NAMES(reservation_status, 1, 6);
    CHECK_NAMES(unit_status, 1, 4);
    CHECK_NAMES(payment_rule, 1, 2);
    CHECK_NAMES(late_payment_rule, 1, 2);
    CHECK_NAMES(transfer_rule, 0, 2);
    CHECK_NAMES(action, 1, 24);
    CHECK_NAMES(payment_result, 1, 12);
    CHECK_NAMES(payment_news, 0, 9);
    CHECK_NAMES(payment_status, 1, 3);
    CHECK_NAMES(payment_source, 1, 3);
    CHECK_NAMES(discrepancy, 0, 7);
    CHECK_NAMES(refund_status, 1, 3);
    CHECK_NAMES(payment_provider, 1, 2);
    CHECK_NAMES(refund_cause, 1, 12);
    CHECK_NAMES(cancel_rule, 1, 2);
    CHECK_NAMES(check_in_result, 1, 4);
    CHECK_NAMES(queue_status, 1, 5);
    CHECK_NAMES(list_status, 1, 4);
}

static void numbers_on_disk_keep_their_names(void **state)
{
    (void)state;
    assert_string_equal(role_name(2), "app");
    assert_string_equal(role_name(5), "server");
    assert_string_equal(role_name(6), "order");
    assert_string_equal(reservation_status_name(4), "expired");
    assert_string_equal(payment_rule_name(2), "none");
    assert_string_equal(late_payment_rule_name(2), "refund");
    assert_string_equal(action_name(7), "payment_started");
    assert_string_equal(transfer_rule_name(1), "off");
    assert_string_equal(action_name(11), "item_changed");
    assert_string_equal(action_name(12), "transferred");
    assert_string_equal(action_name(13), "manage_tokens_revoked");
    assert_string_equal(action_name(14), "refunded");
    assert_string_equal(action_name(16), "payment_received");
    assert_string_equal(action_name(20), "payment_failed");
    assert_string_equal(role_name(7), "payment");
    assert_string_equal(payment_result_name(8), "rejected");
    assert_string_equal(payment_provider_name(2), "standard");
    assert_string_equal(queue_status_name(3), "passed_over");
    assert_string_equal(list_status_name(4), "left");
}

static void letters_of_a_map(void **state)
{
    (void)state;
    assert_int_equal(unit_status_letter(UNIT_AVAILABLE), 'a');
    assert_int_equal(unit_status_letter(UNIT_HELD), 'h');
    assert_int_equal(unit_status_letter(UNIT_SOLD), 's');
    assert_int_equal(unit_status_letter(UNIT_BLOCKED), 'b');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_read_back),
        cmocka_unit_test(numbers_on_disk_keep_their_names),
        cmocka_unit_test(letters_of_a_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
