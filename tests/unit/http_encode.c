/* SPDX-License-Identifier: Apache-2.0 */
/* Records are encoded with exactly the fields of the contract. */
#include "../lib/reservation_fixture.h"
#include "book/record/query.h"
#include "encode_fixture.h"

#define NOW_MS FIXTURE_NOW_MS

static void check_has(const char *json, const char *part)
{
    if (!strstr(json, part))
        fail_msg("%s\nis not in\n%s", part, json);
}

static void check_has_not(const char *json, const char *part)
{
    if (strstr(json, part))
        fail_msg("%s\nis in\n%s", part, json);
}

static void a_hold_has_every_field(void **state)
{
    (void)state;
    struct reservation_image r = fixture_held(fixture_items, 2);
    encode_reservation(&writer, ROLE_USER, &r, NOW_MS);
    const char *json = written();
    char pnr[PNR_SIZE], id[ENCODE_ID_SIZE];
    pnr_write(1, pnr);
    encode_id(ENCODE_RESERVATION, r.id, id);
    char expected[1024];
    snprintf(expected, sizeof(expected),
             "{\"reservation_id\":\"%.*s\",\"pnr\":\"%.*s\",\"status\":\"held\","
             "\"user_id\":\"user_xyz\",\"created_at\":\"2026-12-03T12:00:00.000Z\","
             "\"expires_at\":\"2026-12-03T12:10:00.000Z\",\"expires_in\":600,\"expires_in_ms\":600000,"
             "\"max_expires_at\":\"2026-12-03T12:15:00.000Z\",\"payment_started_at\":null,"
             "\"paid\":{\"amount\":0,\"currency\":\"EUR\"},"
             "\"confirmed_at\":null,\"ended_at\":null,\"fence\":184467,\"version\":1,\"total\":{\"amount\":"
             "13000,\"currency\":\"EUR\"},"
             "\"attributes\":{},\"items\":["
             "{\"item_id\":\"1\",\"event\":\"eras\",\"seat\":\"A15\",\"price\":12000},"
             "{\"item_id\":\"2\",\"event\":\"eras\",\"pool\":\"floor\",\"quantity\":2,\"price\":1000}],"
             "\"leaves_single\":[]}",
             (int)sizeof(id), id, (int)sizeof(pnr), pnr);
    assert_string_equal(json, expected);
}

static const char *as_seen_by(enum role role, const struct reservation_image *r)
{
    buf_clear(&out);
    writer = json_writer_make(&out);
    encode_reservation(&writer, role, r, NOW_MS);
    return written();
}

static void the_payment_is_for_staff_and_paid_for_the_owner(void **state)
{
    (void)state;
    struct reservation_image r = fixture_held(fixture_items, 2);
    check_has(as_seen_by(ROLE_APP, &r), "\"payment\":null");
    check_has_not(as_seen_by(ROLE_ADMIN, &r), "\"paid\"");
    r.payment_method = TEXT("cash");
    r.payment_recorded_at_ms = NOW_MS;
    check_has(as_seen_by(ROLE_APP, &r),
              "\"payment\":{\"method\":\"cash\",\"ref\":null,\"recorded_at\":\"2026-12-03T12:00:00.000Z\"}");
    check_has(as_seen_by(ROLE_USER, &r), "\"paid\":{\"amount\":0,\"currency\":\"EUR\"}");
    check_has(as_seen_by(ROLE_APP, &r), "\"payments\":[],\"balance\":{\"amount\":0,\"currency\":\"EUR\"}");
    const struct payment_image row = {.ref = TEXT("pi_1"),
                                      .reservation = r.id,
                                      .app = {true, 12000, "EUR"},
                                      .money_seq = 3,
                                      .currency = "EUR",
                                      .received = 12000,
                                      .kept = 12000};
    r.status = RESERVATION_CONFIRMED;
    r.payment_ref = row.ref;
    r.payments = &row;
    r.payment_count = 1;
    check_has(as_seen_by(ROLE_USER, &r), "\"paid\":{\"amount\":12000,\"currency\":\"EUR\"}");
    check_has(as_seen_by(ROLE_ORDER, &r), "\"paid\":{\"amount\":12000,\"currency\":\"EUR\"}");
    check_has(as_seen_by(ROLE_APP, &r),
              "\"received\":12000,\"received_by\":\"app\",\"kept\":12000,\"returned\":0,\"owed\":0");
    check_has(as_seen_by(ROLE_APP, &r), "\"balance\":{\"amount\":1000,\"currency\":\"EUR\"}");
    check_has_not(as_seen_by(ROLE_ORDER, &r), "pi_1");
    check_has_not(as_seen_by(ROLE_USER, &r), "cash");
}

static const struct item_image two_slots[] = {
    {.item_id = 7,
     .kind = ITEM_SLOT,
     .quantity = 1,
     .price = 0,
     .start_ms = NOW_MS,
     .end_ms = NOW_MS + 1800000,
     .until_ms = NOW_MS + 2400000,
     .resource_id = TEXT("dr_smith")},
    {.item_id = 8,
     .kind = ITEM_SLOT,
     .part = 1,
     .quantity = 1,
     .price = 4000,
     .start_ms = NOW_MS + 1,
     .end_ms = NOW_MS + 2,
     .until_ms = NOW_MS + 2,
     .resource_id = TEXT("dr_smith"),
     .part_id = TEXT("check-up")},
};

static void slots_show_calendar_start_and_end(void **state)
{
    (void)state;
    struct reservation_image r = fixture_held(two_slots, 2);
    r.status = RESERVATION_CONFIRMED;
    r.ticket_key[0] = 7;
    encode_reservation(&writer, ROLE_USER, &r, NOW_MS);
    const char *json = written();
    check_has(json, "{\"item_id\":\"7\",\"calendar\":\"dr_smith\",\"start\":\"2026-12-03T12:00:00.000Z\","
                    "\"end\":\"2026-12-03T12:30:00.000Z\",\"price\":0},");
    check_has(json, "{\"item_id\":\"8\",\"calendar\":\"dr_smith\",\"start\":\"2026-12-03T12:00:00.001Z\","
                    "\"end\":\"2026-12-03T12:00:00.002Z\",\"service\":\"check-up\",\"price\":4000}]");
    check_has(json, "\"item_id\":\"7\",\"calendar\":\"dr_smith\",\"start\":\"2026-12-03T12:00:00.000Z\","
                    "\"end\":\"2026-12-03T12:30:00.000Z\"},{\"code\"");
    check_has(json, "\"end\":\"2026-12-03T12:00:00.002Z\",\"service\":\"check-up\"}]}");
}

static void the_time_left_is_rounded_up(void **state)
{
    (void)state;
    static const struct {
        int64_t left_ms;
        const char *part;
    } cases[] = {
        {1, "\"expires_in\":1,\"expires_in_ms\":1,"},
        {999, "\"expires_in\":1,\"expires_in_ms\":999,"},
        {1000, "\"expires_in\":1,\"expires_in_ms\":1000,"},
        {1001, "\"expires_in\":2,\"expires_in_ms\":1001,"},
        {0, "\"expires_in\":0,\"expires_in_ms\":0,"},
        {-5, "\"expires_in\":0,\"expires_in_ms\":0,"},
    };
    struct reservation_image r = fixture_held(fixture_items, 2);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        buf_clear(&out);
        writer = json_writer_make(&out);
        encode_reservation(&writer, ROLE_USER, &r, r.expires_at_ms - cases[i].left_ms);
        check_has(written(), cases[i].part);
    }
}

static void an_ended_one_has_no_time_left(void **state)
{
    (void)state;
    struct reservation_image r = fixture_held(fixture_items, 2);
    r.status = RESERVATION_RELEASED;
    r.ended_at_ms = NOW_MS + 1;
    encode_reservation(&writer, ROLE_USER, &r, NOW_MS);
    const char *json = written();
    check_has(json, "\"status\":\"released\"");
    check_has(json, "\"expires_in\":0,\"expires_in_ms\":0,");
    check_has(json, "\"ended_at\":\"2026-12-03T12:00:00.001Z\"");
    check_has_not(json, "\"tickets\"");
    check_has_not(json, "\"order_id\"");
}

static unsigned occurrences(const char *text, const char *part)
{
    unsigned count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        count++;
    return count;
}

static void a_ticket_for_each_seat_and_unit(void **state)
{
    (void)state;
    struct reservation_image r = fixture_held(fixture_items, 2);
    r.status = RESERVATION_CONFIRMED;
    r.confirmed_at_ms = NOW_MS;
    r.ticket_key[0] = 7;
    r.ticket_key[1] = 9;
    encode_reservation(&writer, ROLE_USER, &r, NOW_MS);
    const char *json = written();
    char ticket[256], code[TICKET_CODE_SIZE];
    check_has(json, "\"order_id\":\"ord_");
    assert_int_equal(occurrences(json, "\"code\":"), 3);
    ticket_code_write(r.ticket_key, 2, 1, code);
    snprintf(ticket, sizeof(ticket),
             "{\"code\":\"%.*s\",\"item_id\":\"2\",\"event\":\"eras\",\"pool\":\"floor\"}]}",
             TICKET_CODE_SIZE, code);
    check_has(json, ticket);
    ticket_code_write(r.ticket_key, 1, 0, code);
    snprintf(ticket, sizeof(ticket),
             "\"tickets\":[{\"code\":\"%.*s\",\"item_id\":\"1\",\"event\":\"eras\",\"seat\":\"A15\"}",
             TICKET_CODE_SIZE, code);
    check_has(json, ticket);
}

static void tickets_stay_after_the_end(void **state)
{
    (void)state;
    struct reservation_image r = fixture_held(fixture_items, 2);
    r.status = RESERVATION_REFUNDED;
    r.ticket_key[0] = 7;
    encode_reservation(&writer, ROLE_USER, &r, NOW_MS);
    assert_int_equal(occurrences(written(), "\"code\":"), 3);
}

static void attributes_are_shown_as_they_are(void **state)
{
    (void)state;
    struct reservation_image r = fixture_held(fixture_items, 1);
    r.attributes = TEXT("{\"reason\":\"check-up\"}");
    encode_reservation(&writer, ROLE_USER, &r, NOW_MS);
    check_has(written(), "\"attributes\":{\"reason\":\"check-up\"},");
}

static void the_bound_is_never_passed(void **state)
{
    (void)state;
    struct item_image items[ITEMS_MAX];
    char name[64], user[USER_SIZE_MAX];
    memset(name, 'x', sizeof(name));
    memset(user, '"', sizeof(user));
    for (uint32_t i = 0; i < ITEMS_MAX; i++)
        items[i] = (struct item_image){.item_id = 4000000000u + i,
                                       .kind = i % 3 == 0   ? ITEM_SLOT
                                               : i % 3 == 1 ? ITEM_SEAT
                                                            : ITEM_POOL,
                                       .quantity = i % 3 == 2 ? 20 : 1,
                                       .start_ms = NOW_MS,
                                       .end_ms = NOW_MS,
                                       .price = PRICE_MAX,
                                       .resource_id = {name, sizeof(name)},
                                       .part_id = {name, sizeof(name)},
                                       .category = {user, LABEL_SIZE_MAX},
                                       .code = {name, sizeof(name)},
                                       .attributes = TEXT("{\"a\":1}")};
    struct reservation_image r = fixture_held(items, ITEMS_MAX);
    r.user_id = r.payment_method = r.payment_ref = (struct text){user, sizeof(user)};
    r.payment_recorded_at_ms = NOW_MS;
    r.payment_started_at_ms = r.confirmed_at_ms = r.ended_at_ms = NOW_MS;
    r.fence = UINT64_MAX;
    r.version = UINT32_MAX;
    for (int committed = 0; committed < 2; committed++) {
        r.ticket_key[0] = (uint64_t)committed;
        for (uint32_t count = 0; count <= ITEMS_MAX; count += 25) {
            buf_clear(&out);
            writer = json_writer_make(&out);
            r.item_count = count;
            encode_reservation(&writer, committed ? ROLE_APP : ROLE_USER, &r, NOW_MS);
            assert_true(out.size <= encode_reservation_bound(&r));
        }
    }
}

static void ids_of_reservations(void **state)
{
    (void)state;
    char text[ENCODE_ID_SIZE];
    struct id id = {0x0190000000000000, 77}, back;
    encode_id(ENCODE_RESERVATION, id, text);
    assert_memory_equal(text, "res_", 4);
    assert_true(encode_id_read(ENCODE_RESERVATION, (struct text){text, sizeof(text)}, &back));
    assert_true(id_equal(id, back));
    assert_false(encode_id_read(ENCODE_RESERVATION, (struct text){text, sizeof(text) - 1}, &back));
    text[0] = 'R';
    assert_false(encode_id_read(ENCODE_RESERVATION, (struct text){text, sizeof(text)}, &back));
    assert_false(encode_id_read(ENCODE_RESERVATION, TEXT("res_"), &back));
    assert_false(encode_id_read(ENCODE_RESERVATION, TEXT(""), &back));
}

static void an_event_shows_settings_and_counts(void **state)
{
    (void)state;
    struct event_image event = {
        .id = TEXT("eras"),
        .name = TEXT("The \"Eras\""),
        .starts_at_ms = NOW_MS,
        .terms = {"USD", 600, 900, 300, PAYMENT_NONE, LATE_PAYMENT_REFUND, 0},
        .per_user_limit = 4,
        .venue = TEXT("The arena"),
        .created_at_ms = NOW_MS,
    };
    struct event_counts counts = {.seats = 10,
                                  .available = 4,
                                  .held = 3,
                                  .sold = 2,
                                  .blocked = 1,
                                  .pool_capacity = 7,
                                  .pool_available = 5};
    encode_event(&writer, &event, &counts);
    assert_string_equal(
        written(),
        "{\"id\":\"eras\",\"name\":\"The \\\"Eras\\\"\",\"starts_at\":\"2026-12-03T12:00:00.000Z\","
        "\"on_sale_at\":null,\"off_sale_at\":null,\"currency\":\"USD\",\"hold_ttl_seconds\":600,"
        "\"max_hold_seconds\":900,\"payment_ttl_seconds\":300,\"payment\":\"none\","
        "\"late_payment\":\"refund\",\"staff_hold_seconds\":900,\"per_user_limit\":4,\"waiting_room\":null,"
        "\"waiting_list\":false,"
        "\"guests\":true,\"access\":\"open\",\"description\":null,\"venue\":\"The "
        "arena\",\"image\":null,\"timezone\":\"UTC\",\"transfer\":\"on\",\"cancel_until_seconds\":null,"
        "\"single_seats\":\"allow\",\"categories\":null,\"prices\":null,"
        "\"created_at\":\"2026-12-03T12:00:00.000Z\",\"cancelled_at\":null,\"cancel_reason\":null,"
        "\"counts\":{\"seats\":10,\"available\":4,\"held\":3,\"sold\":2,\"blocked\":1,"
        "\"pools\":{\"capacity\":7,\"available\":5}}}");
}

static void a_calendar_shows_its_settings_and_what_it_offers_now(void **state)
{
    (void)state;
    const struct hours_range hours[] = {{0x1f, 540, 1050}, {0x40, 1320, 0}};
    const struct closed_interval closed[] = {{0, NOW_MS}};
    const struct service_image services[] = {
        {.id = TEXT("gone"), .duration_minutes = 5, .price = 1, .removed = true},
        {.id = TEXT("check-up"), .duration_minutes = 20, .price = 4000},
    };
    struct calendar_image calendar = {
        .number = 9,
        .id = TEXT("dr_smith"),
        .name = TEXT("Dr Smith"),
        .timezone = TEXT("Europe/London"),
        .capacity = 2,
        .price = 100,
        .terms = {"GBP", 300, 900, 0, PAYMENT_REQUIRED, LATE_PAYMENT_ACCEPT_IF_FREE, 0},
        .slot_minutes = 30,
        .buffer_minutes = 10,
        .rules = CALENDAR_RULES_PLAIN,
        .hours = hours,
        .hours_count = 2,
        .closed = closed,
        .closed_count = 1,
        .services = services,
        .service_count = 2,
        .created_at_ms = NOW_MS,
    };
    encode_calendar(&writer, &calendar);
    assert_string_equal(
        written(),
        "{\"id\":\"dr_smith\",\"name\":\"Dr Smith\",\"timezone\":\"Europe/London\",\"capacity\":2,"
        "\"price\":100,\"currency\":\"GBP\",\"hold_ttl_seconds\":300,\"max_hold_seconds\":900,"
        "\"payment_ttl_seconds\":0,\"payment\":\"required\",\"late_payment\":\"accept_if_free\","
        "\"slot_minutes\":30,\"buffer_minutes\":10,\"buffer_before_minutes\":0,\"min_minutes\":null,"
        "\"max_minutes\":null,\"price_per\":\"claim\",\"notice_minutes\":0,\"horizon_days\":366,"
        "\"per_user_limit\":0,\"change_until_minutes\":0,\"cancel_until_minutes\":null,\"size\":1,\"guests\":"
        "true,\"hours\":["
        "{\"days\":[\"mon\",\"tue\",\"wed\",\"thu\",\"fri\"],\"from\":\"09:00\",\"to\":\"17:30\"},"
        "{\"days\":[\"sun\"],\"from\":\"22:00\",\"to\":\"00:00\"}],"
        "\"closed\":[{\"start\":\"1970-01-01T00:00:00.000Z\",\"end\":\"2026-12-03T12:00:00.000Z\"}],"
        "\"services\":[{\"id\":\"check-up\",\"duration_minutes\":20,\"price\":4000}],"
        "\"created_at\":\"2026-12-03T12:00:00.000Z\"}");
}

static void a_seat_without_labels_has_nulls(void **state)
{
    (void)state;
    struct seat_view seat = {.image = {.id = TEXT("A1"), .has_x = true, .x_milli = 1500, .price = 5},
                             .status = UNIT_HELD,
                             .version = 42};
    encode_seat(&writer, ROLE_NONE, &seat);
    assert_string_equal(written(),
                        "{\"id\":\"A1\",\"status\":\"held\",\"version\":42,\"section\":null,\"row\":null,"
                        "\"number\":null,\"x\":1.5,\"y\":null,\"tier\":null,\"price\":5,"
                        "\"accessible\":false}");
}

static void obstacles_name_the_items_as_requested(void **state)
{
    (void)state;
    const struct item_request items[] = {
        {.kind = ITEM_SEAT, .resource = TEXT("e"), .part = TEXT("A1"), .quantity = 1},
        {.kind = ITEM_POOL, .resource = TEXT("e"), .part = TEXT("floor"), .quantity = 2},
        {.kind = ITEM_BEST, .resource = TEXT("e"), .quantity = 4, .section = TEXT("B"), .adjacent = true},
        {.kind = ITEM_SLOT, .resource = TEXT("c"), .quantity = 1, .start_ms = NOW_MS, .end_ms = NOW_MS + 1},
        {.kind = ITEM_SLOT, .resource = TEXT("c"), .part = TEXT("s"), .quantity = 1, .start_ms = NOW_MS},
    };
    const struct obstacle obstacles[] = {
        {.item = 0, .kind = ITEM_SEAT, .status = UNIT_SOLD},
        {.item = 1, .kind = ITEM_POOL, .available = 1},
        {.item = 2, .kind = ITEM_BEST, .available = 3},
        {.item = 3, .kind = ITEM_SLOT, .status = UNIT_HELD},
        {.item = 4, .kind = ITEM_SLOT, .status = UNIT_SOLD},
    };
    struct command command = {.kind = COMMAND_HOLD, .hold = {.items = items, .count = 5}};
    struct outcome outcome = {.code = OUTCOME_TAKEN, .obstacles = obstacles, .obstacle_count = 5};
    encode_obstacles(&writer, &outcome, &command);
    assert_string_equal(written(),
                        "[{\"item\":0,\"event\":\"e\",\"seat\":\"A1\",\"status\":\"sold\"},"
                        "{\"item\":1,\"event\":\"e\",\"pool\":\"floor\",\"quantity\":2,\"available\":1},"
                        "{\"item\":2,\"event\":\"e\",\"best\":{\"quantity\":4,\"section\":\"B\","
                        "\"adjacent\":true},\"available\":3},"
                        "{\"item\":3,\"calendar\":\"c\",\"start\":\"2026-12-03T12:00:00.000Z\","
                        "\"end\":\"2026-12-03T12:00:00.001Z\",\"status\":\"held\"},"
                        "{\"item\":4,\"calendar\":\"c\",\"start\":\"2026-12-03T12:00:00.000Z\","
                        "\"service\":\"s\",\"status\":\"sold\"}]");
}

static void history_names_the_actor(void **state)
{
    (void)state;
    static const struct {
        struct actor actor;
        const char *part;
    } cases[] = {
        {{ROLE_USER, TEXT("ann")}, "\"actor\":\"user:ann\""},
        {{ROLE_APP, TEXT("shop")}, "\"actor\":\"app:shop\""},
        {{ROLE_DOOR, TEXT("north")}, "\"actor\":\"door:north\""},
        {{ROLE_ADMIN, {0}}, "\"actor\":\"admin\""},
        {{ROLE_SERVER, {0}}, "\"actor\":\"server\""},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct history_view view = {.seq = 5,
                                    .at_ms = NOW_MS,
                                    .actor = cases[i].actor,
                                    .action = ACTION_EXTENDED,
                                    .status = RESERVATION_HELD,
                                    .expires_at_ms = NOW_MS + 1,
                                    .version = 1};
        buf_clear(&out);
        writer = json_writer_make(&out);
        encode_history(&writer, &view, ROLE_ADMIN);
        const char *json = written();
        check_has(json, cases[i].part);
        check_has(json, "{\"seq\":5,\"at\":\"2026-12-03T12:00:00.000Z\"");
        check_has(json, "\"reason\":null,\"status\":\"held\",\"expires_at\":\"2026-12-03T12:00:00.001Z\","
                        "\"version\":1,\"what\":{\"items\":[],\"total\":{\"before\":0,\"after\":0}}}");
    }
}

static void expiry_has_a_reason(void **state)
{
    (void)state;
    struct history_view view = {.seq = 6,
                                .at_ms = NOW_MS,
                                .actor = {.role = ROLE_SERVER},
                                .action = ACTION_EXPIRED,
                                .status = RESERVATION_EXPIRED,
                                .expires_at_ms = NOW_MS,
                                .version = 2};
    encode_history(&writer, &view, ROLE_ADMIN);
    check_has(written(), "\"reason\":\"deadline\",\"status\":\"expired\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_hold_has_every_field, begin, end),
        cmocka_unit_test_setup_teardown(the_payment_is_for_staff_and_paid_for_the_owner, begin, end),
        cmocka_unit_test_setup_teardown(slots_show_calendar_start_and_end, begin, end),
        cmocka_unit_test_setup_teardown(the_time_left_is_rounded_up, begin, end),
        cmocka_unit_test_setup_teardown(an_ended_one_has_no_time_left, begin, end),
        cmocka_unit_test_setup_teardown(a_ticket_for_each_seat_and_unit, begin, end),
        cmocka_unit_test_setup_teardown(tickets_stay_after_the_end, begin, end),
        cmocka_unit_test_setup_teardown(attributes_are_shown_as_they_are, begin, end),
        cmocka_unit_test_setup_teardown(the_bound_is_never_passed, begin, end),
        cmocka_unit_test_setup_teardown(ids_of_reservations, begin, end),
        cmocka_unit_test_setup_teardown(an_event_shows_settings_and_counts, begin, end),
        cmocka_unit_test_setup_teardown(a_calendar_shows_its_settings_and_what_it_offers_now, begin, end),
        cmocka_unit_test_setup_teardown(a_seat_without_labels_has_nulls, begin, end),
        cmocka_unit_test_setup_teardown(obstacles_name_the_items_as_requested, begin, end),
        cmocka_unit_test_setup_teardown(history_names_the_actor, begin, end),
        cmocka_unit_test_setup_teardown(expiry_has_a_reason, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
