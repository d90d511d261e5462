/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting rooms and entries are encoded with exactly the fields of the contract, without secrets. */
#include "book/record/query.h"
#include "encode_fixture.h"

#define NOW_MS 1796299200000 /* 2026-12-03T12:00:00Z */
#define NOW "\"2026-12-03T12:00:00.000Z\""

static struct queue_entry_image entry_of(enum queue_status status)
{
    return (struct queue_entry_image){
        .number = 7,
        .id = {0, 1},
        .user_id = TEXT("ann"),
        .event_id = TEXT("eras"),
        .status = status,
        .joined_at_ms = NOW_MS,
        .until_ms = status == QUEUE_ADMITTED || status == QUEUE_PASSED_OVER ? NOW_MS : 0,
        .position = 9,
        .ahead = 3,
        .eta_s = 12,
        .poll_after_s = 5,
    };
}
#define ENTRY                                                                                                \
    "{\"entry_id\":\"ent_00000000000000000000000001\",\"event\":\"eras\",\"user_id\":\"ann\",\"number\":7,"

static void check_entry(enum queue_status status, const char *rest)
{
    struct queue_entry_image entry = entry_of(status);
    char expected[512];
    encode_queue_entry(&writer, &entry, NULL, 0, status == QUEUE_ADMITTED ? TEXT("a.b.c") : (struct text){0});
    snprintf(expected, sizeof(expected), ENTRY "%s", rest);
    assert_string_equal(written(), expected);
}

static void a_waiting_entry(void **state)
{
    (void)state;
    check_entry(QUEUE_WAITING, "\"position\":9,\"ahead\":3,\"status\":\"waiting\",\"eta_seconds\":12,"
                               "\"poll_after_seconds\":5,\"joined_at\":" NOW "}");
}

static void an_admitted_entry_has_a_pass(void **state)
{
    (void)state;
    check_entry(QUEUE_ADMITTED, "\"position\":9,\"ahead\":3,\"status\":\"admitted\",\"eta_seconds\":12,"
                                "\"poll_after_seconds\":5,\"joined_at\":" NOW
                                ",\"pass\":\"a.b.c\",\"pass_expires_at\":" NOW "}");
}

static void an_entry_passed_over_can_return(void **state)
{
    (void)state;
    check_entry(QUEUE_PASSED_OVER,
                "\"position\":9,\"ahead\":3,\"status\":\"passed_over\",\"eta_seconds\":12,"
                "\"poll_after_seconds\":5,\"joined_at\":" NOW ",\"returns_until\":" NOW "}");
}

static void a_finished_entry_does_not_poll_again(void **state)
{
    (void)state;
    check_entry(QUEUE_FINISHED, "\"position\":9,\"ahead\":null,\"status\":\"finished\",\"eta_seconds\":null,"
                                "\"poll_after_seconds\":null,\"joined_at\":" NOW "}");
}

static void before_a_draw_there_is_no_position(void **state)
{
    (void)state;
    struct queue_entry_image entry = entry_of(QUEUE_WAITING);
    struct text tiers[] = {TEXT("gold"), TEXT("b\"x")};
    entry.position = 0;
    entry.eta_s = -1;
    encode_queue_entry(&writer, &entry, tiers, 2, (struct text){0});
    assert_string_equal(written(), ENTRY
                        "\"position\":null,\"ahead\":null,\"status\":\"waiting\",\"eta_seconds\":null,"
                        "\"poll_after_seconds\":5,\"joined_at\":" NOW ",\"tiers\":[\"gold\",\"b\\\"x\"]}");
}

static struct queue_view queue(bool shuffle)
{
    return (struct queue_view){
        .settings = {.rate_per_second = 50,
                     .pass_ttl_s = 900,
                     .shuffle_before_open = shuffle,
                     .by_inventory = true},
        .has_queue = true,
        .serving = 4,
        .waiting = 5,
        .admitted_per_10_s = 123,
        .active = 6,
        .passed_over = 7,
        .finished = 8,
        .left = 9,
        .joined = 10,
    };
}
#define ZEROS_HASHED "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
#define ZEROS "0000000000000000000000000000000000000000000000000000000000000000"

static void the_public_number(void **state)
{
    (void)state;
    struct queue_view view = queue(false);
    encode_queue(&writer, &view, false);
    assert_string_equal(written(),
                        "{\"serving\":4,\"waiting\":5,\"admitted_per_second\":12.3,\"open_at\":null,"
                        "\"paused\":false,\"opened_at\":null,\"draw\":null}");
}

static void the_seed_is_hidden_until_the_opening(void **state)
{
    (void)state;
    struct queue_view view = queue(true);
    view.settings.open_at_ms = NOW_MS;
    encode_queue(&writer, &view, false);
    assert_string_equal(written(),
                        "{\"serving\":4,\"waiting\":5,\"admitted_per_second\":12.3,\"open_at\":" NOW ","
                        "\"paused\":false,\"opened_at\":null,\"draw\":{\"commitment\":\"" ZEROS_HASHED
                        "\",\"seed\":null,\"entries\":null}}");
}

static void the_seed_is_shown_after_the_opening(void **state)
{
    (void)state;
    struct queue_view view = queue(false); /* the setting no longer matters */
    view.image.opened_at_ms = NOW_MS;
    view.image.drawn = 3;
    encode_queue(&writer, &view, false);
    assert_string_equal(written(),
                        "{\"serving\":4,\"waiting\":5,\"admitted_per_second\":12.3,\"open_at\":null,"
                        "\"paused\":false,\"opened_at\":" NOW ",\"draw\":{\"commitment\":\"" ZEROS_HASHED
                        "\",\"seed\":\"" ZEROS "\",\"entries\":3}}");
}

static void the_admin_sees_settings_and_counts(void **state)
{
    (void)state;
    struct queue_view view = queue(false);
    encode_queue(&writer, &view, true);
    assert_string_equal(
        written(),
        "{\"serving\":4,\"waiting\":5,\"admitted_per_second\":12.3,\"open_at\":null,"
        "\"paused\":false,\"opened_at\":null,\"draw\":null,\"rate_per_second\":50,\"max_active\":0,"
        "\"pass_ttl_seconds\":900,\"shuffle_before_open\":false,\"by_inventory\":true,"
        "\"tiers\":null,\"active\":6,\"passed_over\":7,\"finished\":8,\"left\":9,\"joined\":10}");
}

static void an_event_shows_its_lines_and_never_their_key(void **state)
{
    (void)state;
    struct text tiers[] = {TEXT("gold")};
    struct event_image event = {
        .id = TEXT("eras"),
        .name = TEXT("x"),
        .terms = {.currency = "EUR", .payment = PAYMENT_NONE, .late_payment = LATE_PAYMENT_REFUND},
        .has_queue = true,
        .queue = {.rate_per_second = 1, .tiers = tiers, .tier_count = 1},
        .has_list = true,
        .entry_key = {0xdeadbeef, 0xdeadbeef},
    };
    struct event_counts counts = {0};
    encode_event(&writer, &event, &counts);
    const char *json = written();
    const char *expected =
        "\"waiting_room\":{\"open_at\":null,\"rate_per_second\":1,\"max_active\":0,\"pass_ttl_seconds\":0,"
        "\"shuffle_before_open\":false,\"by_inventory\":false,\"tiers\":[\"gold\"]},\"waiting_list\":true,";
    assert_non_null(strstr(json, expected));
    assert_null(strstr(json, "3735928559"));
    assert_null(strstr(json, "deadbeef"));
}

static void a_list_entry(void **state)
{
    (void)state;
    struct list_entry_image entry = {
        .id = {0, 2},
        .user_id = TEXT("ann"),
        .event_id = TEXT("eras"),
        .wish = {.quantity = 2, .pool = TEXT("floor")},
        .status = LIST_OFFERED,
        .joined_at_ms = NOW_MS,
        .reservation = {0, 3},
    };
    encode_list_entry(&writer, &entry);
    assert_string_equal(
        written(), "{\"entry_id\":\"lst_00000000000000000000000002\",\"event\":\"eras\",\"user_id\":\"ann\","
                   "\"position\":null,\"status\":\"offered\",\"quantity\":2,\"adjacent\":false,\"tier\":null,"
                   "\"section\":null,\"pool\":\"floor\",\"joined_at\":" NOW
                   ",\"reservation_id\":\"res_00000000000000000000000003\"}");
}

static void an_offer_says_why_it_was_held(void **state)
{
    (void)state;
    struct reservation_image r = {
        .number = 1, .status = RESERVATION_HELD, .user_id = TEXT("ann"), .currency = "EUR"};
    r.from_list = true;
    encode_reservation(&writer, ROLE_USER, &r, NOW_MS);
    assert_non_null(strstr(written(), "\"status\":\"held\",\"reason\":\"list\",\"user_id\""));
    struct history_view history = {
        .action = ACTION_HELD, .status = RESERVATION_HELD, .actor = {.role = ROLE_SERVER}};
    buf_clear(&out);
    writer = json_writer_make(&out);
    encode_history(&writer, &history, ROLE_ADMIN);
    assert_non_null(strstr(written(), "\"action\":\"held\",\"reason\":\"list\""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_waiting_entry, begin, end),
        cmocka_unit_test_setup_teardown(an_admitted_entry_has_a_pass, begin, end),
        cmocka_unit_test_setup_teardown(an_entry_passed_over_can_return, begin, end),
        cmocka_unit_test_setup_teardown(a_finished_entry_does_not_poll_again, begin, end),
        cmocka_unit_test_setup_teardown(before_a_draw_there_is_no_position, begin, end),
        cmocka_unit_test_setup_teardown(the_public_number, begin, end),
        cmocka_unit_test_setup_teardown(the_seed_is_hidden_until_the_opening, begin, end),
        cmocka_unit_test_setup_teardown(the_seed_is_shown_after_the_opening, begin, end),
        cmocka_unit_test_setup_teardown(the_admin_sees_settings_and_counts, begin, end),
        cmocka_unit_test_setup_teardown(an_event_shows_its_lines_and_never_their_key, begin, end),
        cmocka_unit_test_setup_teardown(a_list_entry, begin, end),
        cmocka_unit_test_setup_teardown(an_offer_says_why_it_was_held, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
