/* SPDX-License-Identifier: Apache-2.0 */
/* Stored JSON is read as prices or refused: damage in journal or book never becomes a price. */
#include "../lib/core_fixture.h"
#include "core/catalogue/event.h"
#include "core/catalogue/price_list.h"

static void prices_are_found_by_tier_and_category(void **state)
{
    (void)state;
    bool listed;
    struct json_fault fault;
    struct price_list *l =
        price_list_of_event(TEXT("[\"adult\",\"\\\"child\"]"),
                            TEXT("{\"gold\":{\"adult\":7,\"\\\"child\":0},\"tin\":{}}"), &fault);
    assert_non_null(l);
    assert_int_equal(l->category_count, 2);
    assert_true(price_list_names(l, TEXT("\"child")) && !price_list_names(l, TEXT("child")));
    assert_int_equal(price_list_find(l, TEXT("gold"), TEXT("adult"), &listed)->amount, 7);
    assert_int_equal(price_list_find(l, TEXT("gold"), TEXT("\"child"), &listed)->amount, 0);
    assert_null(price_list_find(l, TEXT("gold"), TEXT("senior"), &listed));
    assert_true(listed);
    assert_null(price_list_find(l, TEXT("tin"), TEXT("adult"), &listed));
    assert_false(listed);
    price_list_free(l);
    l = price_list_of_pool(TEXT("{\"adult\":1000000000000}"));
    assert_int_equal(price_list_find(l, (struct text){0}, TEXT("adult"), &listed)->amount, PRICE_MAX);
    assert_false(price_list_names(l, TEXT("adult"))); /* they belong to the event */
    price_list_free(l);
    assert_false(price_list_names(NULL, TEXT("adult")));
    assert_null(price_list_find(NULL, TEXT("gold"), TEXT("adult"), &listed));
}

static const struct {
    struct text categories, prices;
} damaged[] = {
    {TEXT("[]"), {0}},
    {TEXT("[1]"), {0}},
    {TEXT("[\"\"]"), {0}},
    {TEXT("[\"a\""), {0}},
    {TEXT("[\"a\"]"), TEXT("[]")},
    {TEXT("[\"a\"]"), TEXT("{\"gold\":{\"a\":-1}}")},
    {TEXT("[\"a\"]"), TEXT("{\"gold\":{\"a\":1000000000001}}")},
    {TEXT("[\"a\"]"), TEXT("{\"gold\":{\"a\":1,\"a\":1}}")},
    {TEXT("[\"a\"]"), TEXT("{\"gold\":{\"a\":\"1\"}}")},
    {TEXT("[\"a\"]"), TEXT("{\"gold\":1}")},
};

static void damage_is_refused(void **state)
{
    (void)state;
    struct json_fault fault;
    for (size_t i = 0; i < sizeof(damaged) / sizeof(damaged[0]); i++) {
        assert_null(price_list_of_event(damaged[i].categories, damaged[i].prices, &fault));
        struct change *c = &core.st->change;
        c->kind = CHANGE_EVENT;
        c->seq = 1;
        c->event = event_put_command(TEXT("E")).event_put.image;
        c->event.number = 1;
        c->event.categories = damaged[i].categories;
        c->event.prices = damaged[i].prices;
        assert_int_equal(state_restore(core.st, c), RESTORE_DAMAGED);
        assert_null(event_find(core.st, TEXT("E")));
        core.st->seq = 0;
    }
    assert_null(price_list_of_pool(TEXT("{\"a\":-1}")));
    assert_null(price_list_of_pool(TEXT("[]")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prices_are_found_by_tier_and_category),
        core_test(damage_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
