/* SPDX-License-Identifier: Apache-2.0 */
/* The views show names, PNRs and readable times. */
#include "../lib/book_fixture.h"

static void write_book(struct fixture *f)
{
    struct booking ann, bob, cid, dan, *lapsed[] = {&dan};
    uint64_t event = fixture_event(f, "eras");
    fixture_seats(f, event, 6);
    fixture_pool(f, event, 0, "floor", 10);
    booking_begin(f, &ann, "ann");
    booking_add(f, &ann, ITEM_SEAT, event, 0, 1);
    booking_add(f, &ann, ITEM_POOL, event, 0, 3);
    fixture_write(f, &ann, ACTION_HELD);
    fixture_hold(f, &bob, "bob", event, 1);
    fixture_hold(f, &cid, "cid", event, 2);
    fixture_hold(f, &dan, "dan", event, 3);
    f->at_ms += 90000;
    fixture_confirm(f, &bob);
    fixture_end(f, &cid);
    f->at_ms += 510000;
    assert_ok(fixture_try_expire(f, lapsed, 1));
    fixture_commit(f);
}

static void live_holds_are_the_current_holds(void **state)
{
    struct fixture *f = *state;
    write_book(f);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM live_holds"), 2);
    char pnr[PNR_SIZE + 1] = {0}, expected[128];
    pnr_write(5, pnr);
    snprintf(expected, sizeof(expected),
             "%s ann eras A1 1 1200 EUR 2023-11-14T22:13:20.000Z 2023-11-14T22:23:20.000Z", pnr);
    fixture_says(
        f,
        "SELECT concat FROM (SELECT pnr || ' ' || user_id || ' ' || event || ' ' || seat || ' ' || quantity "
        "|| ' ' "
        "|| price || ' ' || currency || ' ' || held_at || ' ' || expires_at AS concat FROM live_holds "
        "WHERE pool IS NULL)",
        expected);
    fixture_says(f, "SELECT pool || ' ' || quantity FROM live_holds WHERE seat IS NULL", "floor 3");
    assert_true(fixture_ask(f, "SELECT min(seconds_left) FROM live_holds") < 0);
}

static void sales_are_the_sold_items(void **state)
{
    struct fixture *f = *state;
    write_book(f);
    fixture_says(f,
                 "SELECT user_id || ' ' || event || ' ' || seat || ' ' || price || ' ' || sold_at || ' ' || "
                 "payment_ref "
                 "FROM sales",
                 "bob eras A2 1200 2023-11-14T22:14:50.000Z pay_1");
    assert_int_equal(
        fixture_ask(
            f, "SELECT substr(order_id, 5) = substr(reservation, 5) AND order_id LIKE 'ord\\_%' ESCAPE '\\' "
               "FROM sales"),
        1);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM sales"), 1);
}

static void abandoned_are_those_that_ended_unsold(void **state)
{
    struct fixture *f = *state;
    write_book(f);
    fixture_says(
        f,
        "SELECT group_concat(user_id || ' ' || how || ' ' || seat || ' ' || seconds_held, ', ') FROM "
        "(SELECT * FROM abandoned ORDER BY user_id)",
        "cid released A3 90, dan expired A4 600");
}

static void slots_are_in_every_view(void **state)
{
    struct fixture *f = *state;
    struct booking ann, bob, cid;
    uint64_t calendar = fixture_calendar(f, "dr_smith", 1);
    booking_begin(f, &ann, "ann");
    booking_slot(f, &ann, calendar, 60, 90, 100);
    ann.items[0].part = 2;
    fixture_write(f, &ann, ACTION_HELD);
    fixture_slot(f, &bob, "bob", calendar, 100, 130);
    fixture_slot(f, &cid, "cid", calendar, 130, 150);
    fixture_confirm(f, &bob);
    fixture_end(f, &cid);
    fixture_commit(f);
    fixture_says(
        f,
        "SELECT user_id || ' ' || calendar || ' ' || service || ' ' || starts_at || ' ' || ends_at || ' ' || "
        "quantity || ' ' || price FROM live_holds WHERE event IS NULL AND seat IS NULL AND pool IS NULL",
        "ann dr_smith x_ray 2023-11-14T23:13:20.000Z 2023-11-14T23:43:20.000Z 1 2500");
    fixture_says(f,
                 "SELECT user_id || ' ' || calendar || ' ' || ifnull(service, '-') || ' ' || starts_at || ' "
                 "' || ends_at "
                 "FROM sales",
                 "bob dr_smith - 2023-11-14T23:53:20.000Z 2023-11-15T00:23:20.000Z");
    fixture_says(f, "SELECT user_id || ' ' || how || ' ' || calendar || ' ' || starts_at FROM abandoned",
                 "cid released dr_smith 2023-11-15T00:23:20.000Z");
    fixture_says(f,
                 "SELECT group_concat(calendar || ' ' || starts_at || ' ' || until || ' ' || claims || '/' "
                 "|| capacity, "
                 "', ') FROM occupancy",
                 "dr_smith 2023-11-14T23:13:20.000Z 2023-11-14T23:53:20.000Z 1/1, "
                 "dr_smith 2023-11-14T23:53:20.000Z 2023-11-15T00:23:20.000Z 1/1");
}

static void entries_are_shown_with_their_current_state(void **state)
{
    struct fixture *f = *state;
    struct booking bob;
    struct list_entry_image entries[4];
    uint64_t event = fixture_event_with_lines(f, "eras"), gone = fixture_event_with_lines(f, "gone");
    fixture_seats(f, event, 4);
    fixture_join(f, gone, 1, "ann");
    fixture_join(f, event, 1, "ann");
    f->at_ms += 60000;
    fixture_join(f, event, 2, "bob");
    fixture_join(f, event, 3, "cid");
    fixture_queue(f, event, f->at_ms, 0);
    fixture_move(f, event, 2, QUEUE_ADMITTED, f->at_ms + 900000);
    for (uint32_t i = 0; i < 4; i++) {
        entries[i] = fixture_wish(f, event, i + 1, (const char *[]){"ann", "bob", "cid", "dan"}[i]);
        fixture_list(f, &entries[i]);
    }
    struct list_entry_image other = fixture_wish(f, gone, 1, "eve");
    fixture_list(f, &other);
    entries[0].status = LIST_LEFT;
    fixture_list(f, &entries[0]);
    fixture_offer(f, &bob, &entries[1], 0);
    fixture_remove_with_lines(f, gone, "gone");
    fixture_commit(f);
    fixture_says(
        f,
        "SELECT group_concat(event || ' ' || status || ' ' || entries || ' ' || first_joined_at, ', ') "
        "FROM (SELECT * FROM queue_now ORDER BY status)",
        "eras admitted 1 2023-11-14T22:14:20.000Z, eras waiting 2 2023-11-14T22:13:20.000Z");
    fixture_says(
        f,
        "SELECT group_concat(event || ' ' || number || ' ' || ifnull(position, '-') || ' ' || user_id || ' ' "
        "|| quantity || ' ' || section || ' ' || status || ' ' || (reservation IS NOT NULL), ', ') "
        "FROM waiting_list_now",
        "eras 2 - bob 2 A offered 1, eras 3 1 cid 2 A waiting 0, eras 4 2 dan 2 A waiting 0");
}

/* A reader should not have to divide by a thousand. */
static void every_time_in_a_view_can_be_read(void **state)
{
    struct fixture *f = *state;
    struct booking ann, bob;
    uint64_t event = fixture_event_with_lines(f, "eras"), calendar = fixture_calendar(f, "dr_smith", 1);
    struct seat_image gold = {.id = TEXT("A2"), .tier = TEXT("gold")};
    fixture_seats(f, event, 4);
    fixture_stage(f, event, 2, SEAT_COLUMN_TIER, &gold, 1);
    fixture_publish(f, event, 2);
    fixture_join(f, event, 1, "ann");
    f->at_ms += 90000;
    fixture_queue(f, event, f->at_ms, 0);
    fixture_move(f, event, 1, QUEUE_ADMITTED, f->at_ms + 900000);
    fixture_hold(f, &ann, "ann", event, 1);
    fixture_confirm(f, &ann);
    booking_begin(f, &bob, "bob");
    booking_slot(f, &bob, calendar, 60, 90, 100);
    fixture_write(f, &bob, ACTION_HELD);
    fixture_commit(f);
    struct sql *s;
    assert_ok(sql_open(&s, f->path, SQL_READ));
    struct sql_statement *columns = sql_prepare(
        s,
        "SELECT v.name, c.name FROM sqlite_schema v, pragma_table_info(v.name) c "
        "WHERE v.type = 'view' AND (c.name = 'at' OR c.name = 'until' OR c.name LIKE '%\\_at' ESCAPE '\\')");
    int seen = 0;
    for (; sql_next(columns); seen++) {
        char question[256];
        snprintf(question, sizeof(question),
                 "SELECT count(*) FROM %s WHERE \"%s\" IS NOT NULL AND \"%s\" NOT GLOB '20[0-9][0-9]-*T*Z'",
                 sql_text(columns, 0).at, sql_text(columns, 1).at, sql_text(columns, 1).at);
        assert_int_equal(sql_number(s, question), 0);
    }
    assert_true(seen >= 20);
    sql_close(s);
    fixture_says(
        f,
        "SELECT user_id || ' ' || status || ' ' || joined_at || ' ' || admitted_at || ' ' || seconds_waited "
        "FROM queue_entries",
        "ann admitted 2023-11-14T22:13:20.000Z 2023-11-14T22:14:50.000Z 90");
    fixture_says(f,
                 "SELECT group_concat(action || ' ' || at) FROM reservation_history WHERE actor_name = 'ann'",
                 "held 2023-11-14T22:14:50.000Z,confirmed 2023-11-14T22:14:50.000Z");
    fixture_says(f, "SELECT event || ' ' || seats || ' ' || waiting_list FROM event_settings", "eras 4 1");
    fixture_says(f, "SELECT seat || ' ' || tier FROM sales", "A2 gold");
}

static void the_pnr_in_sql_is_the_pnr(void **state)
{
    struct fixture *f = *state;
    struct booking ann;
    uint64_t event = fixture_event(f, "eras");
    fixture_pool(f, event, 0, "floor", 100000);
    for (uint64_t i = 0; i < 40; i++) {
        char pnr[PNR_SIZE + 1] = {0}, question[96];
        fixture_commit(f);
        assert_ok(book_writer_begin(f->writer));
        f->seq += i * i * i * 1000003;
        assert_ok(book_writer_commit(f->writer, f->seq, f->at_ms, 0));
        booking_begin(f, &ann, "ann");
        booking_add(f, &ann, ITEM_POOL, event, 0, 1);
        fixture_write(f, &ann, ACTION_HELD);
        fixture_commit(f);
        pnr_write(ann.image.number, pnr);
        snprintf(question, sizeof(question), "SELECT pnr FROM pnrs WHERE number = %llu",
                 (unsigned long long)ann.image.number);
        fixture_says(f, question, pnr);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        book_test(live_holds_are_the_current_holds),           book_test(sales_are_the_sold_items),
        book_test(abandoned_are_those_that_ended_unsold),      book_test(slots_are_in_every_view),
        book_test(entries_are_shown_with_their_current_state), book_test(the_pnr_in_sql_is_the_pnr),
        book_test(every_time_in_a_view_can_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
