/* SPDX-License-Identifier: Apache-2.0 */
/* A map has arbitrary names and values of one kind; its faults name the member. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json_reader.h"

struct price {
    struct json_text_value name;
    struct json_int_value price;
};
struct tier {
    struct json_text_value name;
    struct json_list_value prices;
};
struct sale {
    struct json_list_value tiers;
};

static bool short_name(const char *text, size_t size)
{
    (void)text;
    return size >= 1 && size <= 4;
}

static const struct json_field price_fields[] = {JSON_INT(struct price, price, 0, 99, JSON_REQUIRED),
                                                 JSON_END};
static const struct json_field tier_fields[] = {
    JSON_MAP(struct tier, prices, struct price, price_fields, 2, JSON_REQUIRED), JSON_END};
static const struct json_field sale_fields[] = {JSON_MAP(struct sale, tiers, struct tier, tier_fields, 3,
                                                         JSON_OPTIONAL, .check = short_name,
                                                         .form = "1 to 4 bytes"),
                                                JSON_END};

static void a_map_is_read_in_its_order(void **state)
{
    (void)state;
    struct arena arena;
    struct sale sale = {0};
    struct json_fault fault;
    static const char body[] = "{\"tiers\":{\"gold\":{\"b\":7,\"\\u0061\":0},\"tin\":{}}}";
    arena_init(&arena, 256);
    assert_true(json_read(body, strlen(body), sale_fields, &sale, &arena, &fault));
    assert_true(sale.tiers.given && json_given(&sale_fields[0], &sale));
    assert_int_equal(sale.tiers.count, 2);
    const struct tier *tiers = sale.tiers.entries;
    assert_string_equal(tiers[0].name.text, "gold");
    assert_int_equal(tiers[0].prices.count, 2);
    const struct price *prices = tiers[0].prices.entries;
    assert_string_equal(prices[0].name.text, "b");
    assert_int_equal(prices[0].price.value, 7);
    assert_string_equal(prices[1].name.text, "a");
    assert_true(prices[1].price.given);
    assert_int_equal(tiers[1].name.size, 3);
    assert_int_equal(tiers[1].prices.count, 0);
    arena_release(&arena);
}

static void its_faults_name_the_member(void **state)
{
    (void)state;
    static const struct {
        const char *body, *pointer, *detail;
    } faults[] = {
        {"{\"tiers\":[]}", "/tiers", "Invalid tiers: expected an object, got an array."},
        {"{\"tiers\":null}", "/tiers", "Invalid tiers: expected an object, got null."},
        {"{\"tiers\":{\"a\":{},\"b\":{},\"c\":{},\"d\":{}}}", "/tiers",
         "Invalid tiers: expected at most 3 members, got 4."},
        {"{\"tiers\":{\"a\":{\"x\":1,\"y\":1,\"z\":1}}}", "/tiers/a",
         "Invalid prices: expected at most 2 members, got 3."},
        {"{\"tiers\":{\"\":{}}}", "/tiers/", "Invalid name in tiers: expected 1 to 4 bytes."},
        {"{\"tiers\":{\"a/b\":{\"x\":100}}}", "/tiers/a~1b/x",
         "Invalid price: expected an integer from 0 to 99, got 100."},
        {"{\"tiers\":{\"a\":{\"x\":-1}}}", "/tiers/a/x",
         "Invalid price: expected an integer from 0 to 99, got -1."},
        {"{\"tiers\":{\"a\":{\"x\":\"1\"}}}", "/tiers/a/x",
         "Invalid price: expected an integer from 0 to 99, got a string."},
        {"{\"tiers\":{\"a\":{\"x\":1,\"x\":1}}}", "", NULL},
        {"{\"tiers\":{\"a\":{},\"\\u0061\":{}}}", "", NULL},
    };
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        struct arena arena;
        struct sale sale = {0};
        struct json_fault fault;
        arena_init(&arena, 256);
        assert_false(json_read(faults[i].body, strlen(faults[i].body), sale_fields, &sale, &arena, &fault));
        assert_string_equal(fault.pointer, faults[i].pointer);
        if (faults[i].detail)
            assert_string_equal(fault.detail, faults[i].detail);
        arena_release(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_is_read_in_its_order),
        cmocka_unit_test(its_faults_name_the_member),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
