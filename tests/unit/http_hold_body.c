/* SPDX-License-Identifier: Apache-2.0 */
/* The body of a hold becomes the arguments of a command without a request: errors have a pointer and a sentence, in the
 * order of the contract. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "http/claim/hold_body.h"

static struct arena arena;
static struct command command;
static struct json_fault fault;

static int set_up(void **state)
{
    (void)state;
    arena_init(&arena, 1 << 16);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_release(&arena);
    return 0;
}

/* As any protocol would, for an app. */
static bool decode(const char *json, struct text if_match)
{
    struct hold_body body = {0};
    command = (struct command){.kind = COMMAND_HOLD, .actor = {.role = ROLE_APP, .name = TEXT("shop")}};
    fault = (struct json_fault){0};
    if (!json_read(json, strlen(json), hold_body_fields, &body, &arena, &fault))
        return false;
    command.user_id = text_given(body.user_id);
    command.hold.commit = body.commit.value;
    assert_int_equal(command_judge_caller(&command), OUTCOME_OK);
    return hold_body_fill(&body, if_match, &arena, &command, &fault);
}

static void refused(const char *json, struct text if_match, const char *pointer, const char *detail)
{
    assert_false(decode(json, if_match));
    assert_string_equal(fault.pointer, pointer);
    assert_string_equal(fault.detail, detail);
}

static void items_of_every_kind(void **state)
{
    (void)state;
    assert_true(decode(
        "{\"user_id\":\"ann\",\"ttl_seconds\":90,\"code\":\"FRIENDS\",\"attributes\":{\"a\": 1},\"items\":["
        "{\"event\":\"arena\",\"seat\":\"A15\",\"category\":\"child\"},"
        "{\"event\":\"arena\",\"pool\":\"floor\",\"quantity\":2},"
        "{\"event\":\"arena\",\"best\":{\"quantity\":3,\"adjacent\":true}},"
        "{\"calendar\":\"dr_smith\",\"start\":\"2030-06-03T10:00:00Z\",\"service\":\"visit\"}]}",
        (struct text){0}));
    const struct item_request *items = command.hold.items;
    assert_int_equal(command.hold.count, 4);
    assert_true(items[0].kind == ITEM_SEAT && text_equal(items[0].part, TEXT("A15")) &&
                text_equal(items[0].category, TEXT("child")));
    assert_true(items[1].kind == ITEM_POOL && items[1].quantity == 2 &&
                text_equal(items[1].resource, TEXT("arena")));
    assert_true(items[2].kind == ITEM_BEST && items[2].quantity == 3);
    assert_true(items[3].kind == ITEM_SLOT && text_equal(items[3].part, TEXT("visit")) &&
                items[3].start_ms == 1906711200000);
    assert_true(text_equal(command.user_id, TEXT("ann")) && command.hold.ttl_s == 90);
    assert_true(text_equal(command.hold.code, TEXT("FRIENDS")));
    assert_true(text_equal(command.hold.attributes, TEXT("{\"a\":1}")));
    assert_false(command.hold.commit || command.hold.if_match || command.hold.ticket_key[0]);
}

static void one_seat_with_its_version(void **state)
{
    (void)state;
    assert_true(decode("{\"user_id\":\"ann\",\"resource_id\":\"arena/A15\"}", TEXT("\"42\"")));
    assert_true(command.hold.count == 1 && text_equal(command.hold.items[0].resource, TEXT("arena")));
    assert_true(command.hold.if_match && command.hold.version == 42);
    assert_true(decode("{\"user_id\":\"ann\",\"resource_id\":\"A15\"}", (struct text){0}));
    assert_true(text_equal(command.hold.items[0].resource, TEXT("default")) && !command.hold.if_match);
}

static void a_sale_has_its_payment_and_a_ticket_key(void **state)
{
    (void)state;
    assert_true(
        decode("{\"user_id\":\"ann\",\"resource_id\":\"A15\",\"commit\":true,\"payment_ref\":\"pi_1\","
               "\"amount\":{\"amount\":4500,\"currency\":\"EUR\"}}",
               (struct text){0}));
    assert_true(command.hold.commit && text_equal(command.hold.payment_ref, TEXT("pi_1")));
    assert_true(command.hold.amount.given && command.hold.amount.amount == 4500);
    assert_true(command.hold.ticket_key[0] || command.hold.ticket_key[1]);
}

static void errors_are_reported(void **state)
{
    (void)state;
    const struct text none = {0};
#define ANN "{\"user_id\":\"ann\","
    refused("{\"resource_id\":\"A15\"}", none, "/user_id",
            "Missing user_id: required with an app or admin key.");
    refused(ANN "\"resource_id\":\"A15\",\"items\":[{}]}", none, "/items",
            "Send either items or resource_id, not both.");
    refused("{\"user_id\":\"ann\"}", none, "/items", "Missing items: send items or resource_id.");
    refused(ANN "\"items\":[{\"event\":\"e\",\"seat\":\"s\"}]}", TEXT("\"1\""), "",
            "If-Match is only allowed with resource_id.");
    refused(ANN "\"resource_id\":\"A15\"}", TEXT("\"01\""), "",
            "Invalid If-Match: the version of the seat in quotes.");
    refused(ANN "\"resource_id\":\"A15\",\"payment_method\":\"card\"}", none, "/payment_method",
            "payment_method is only allowed with commit.");
    refused(ANN "\"resource_id\":\"A15\",\"payment_ref\":\"pi_1\"}", none, "/payment_ref",
            "payment_ref is only allowed with commit.");
    refused(ANN "\"resource_id\":\"A15\",\"amount\":{\"amount\":1,\"currency\":\"EUR\"}}", none, "/amount",
            "amount is only allowed with payment_ref.");
    refused(ANN "\"resource_id\":\"a/b/c\"}", none, "/resource_id",
            "Invalid resource_id: \"event/seat\", or a seat of the event \"default\".");
    refused(ANN "\"items\":[{\"event\":\"e\",\"seat\":\"s\"},{\"event\":\"e\"}]}", none, "/items/1",
            "Invalid item: expected exactly one of seat, pool, best, calendar and group.");
    refused(ANN "\"items\":[{\"seat\":\"s\"}]}", none, "/items/0/event", "Missing event.");
    refused(ANN "\"items\":[{\"event\":\"e\",\"seat\":\"s\",\"quantity\":2}]}", none, "/items/0/quantity",
            "quantity is not allowed with seat.");
    assert_false(decode(ANN "\"ttl_seconds\":0,\"resource_id\":\"A15\"}", none)); /* the reader's own */
    assert_string_equal(fault.pointer, "/ttl_seconds");
}

#define body_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        body_test(items_of_every_kind),
        body_test(one_seat_with_its_version),
        body_test(a_sale_has_its_payment_and_a_ticket_key),
        body_test(errors_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
