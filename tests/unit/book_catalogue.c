/* SPDX-License-Identifier: Apache-2.0 */
/* Seat imports become rows when they are published, with the positions given by core. */
#include "../lib/book_fixture.h"

static void staged_seats_are_invisible_until_published(void **state)
{
    struct fixture *f = *state;
    uint64_t event = fixture_event(f, "eras");
    struct seat_image seats[] = {{.id = TEXT("B1")}, {.id = TEXT("B2")}};
    fixture_stage(f, event, 7, 0, seats, 2);
    fixture_commit(f);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM seats"), 0);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM seats_staged"), 1);
    fixture_publish(f, event, 7);
    fixture_commit(f);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM seats"), 2);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM seats_staged"), 0);
    assert_int_equal(fixture_ask(f, "SELECT seats FROM events"), 2);
    fixture_check(f);
}

static void an_update_keeps_other_columns(void **state)
{
    struct fixture *f = *state;
    uint64_t event = fixture_event(f, "eras");
    struct seat_image first[] = {{.id = TEXT("A1"),
                                  .section = TEXT("A"),
                                  .row = TEXT("1"),
                                  .number = TEXT("12"),
                                  .tier = TEXT("gold"),
                                  .x_milli = -1500,
                                  .has_x = true,
                                  .y_milli = 7,
                                  .has_y = true,
                                  .price = 100,
                                  .accessible = true,
                                  .blocked = true},
                                 {.id = TEXT("A2"), .section = TEXT("A"), .price = 200}};
    fixture_stage(f, event, 1, 0x1ff, first, 2);
    fixture_publish(f, event, 1);
    fixture_commit(f);
    fixture_says(
        f,
        "SELECT printf('%s %s %s %s %d %d %d %d %d', section, row, number, tier, x, y, price, accessible, "
        "blocked) FROM seats WHERE id = 'A1'",
        "A 1 12 gold -1500 7 100 1 1");
    fixture_says(f, "SELECT printf('%s %s %s', quote(row), quote(x), quote(tier)) FROM seats WHERE id = 'A2'",
                 "NULL NULL NULL");

    struct seat_image second[] = {
        {.id = TEXT("A3"), .price = 5}, {.id = TEXT("A1"), .price = 999}, {.id = TEXT("A0")}};
    fixture_stage(f, event, 2, SEAT_COLUMN_PRICE, second, 2);
    fixture_stage(f, event, 2, SEAT_COLUMN_BLOCKED, second + 2, 1);
    fixture_publish(f, event, 2);
    fixture_commit(f);
    fixture_says(
        f,
        "SELECT printf('%s %s %s %s %d %d %d %d %d', section, row, number, tier, x, y, price, accessible, "
        "blocked) FROM seats WHERE id = 'A1'",
        "A 1 12 gold -1500 7 999 1 1");
    fixture_says(f, "SELECT group_concat(id || position, ' ') FROM (SELECT * FROM seats ORDER BY position)",
                 "A10 A21 A32 A03");
    struct seat_image third[] = {{.id = TEXT("A1")}};
    fixture_stage(f, event, 3, 0x1ff, third, 1);
    fixture_publish(f, event, 3);
    fixture_commit(f);
    fixture_says(
        f,
        "SELECT printf('%s %s %s %s %d %d %d', quote(section), quote(row), quote(x), quote(y), price, "
        "accessible, blocked) FROM seats WHERE id = 'A1'",
        "NULL NULL NULL NULL 0 0 0");
    fixture_check(f);
}

static void two_imports_can_run_at_once(void **state)
{
    struct fixture *f = *state;
    uint64_t event = fixture_event(f, "eras"), other = fixture_event(f, "other");
    struct seat_image a = {.id = TEXT("A1")}, b = {.id = TEXT("B1")};
    fixture_stage(f, event, 1, 0, &a, 1);
    fixture_stage(f, other, 2, 0, &b, 1);
    fixture_stage(f, event, 3, 0, &b, 1);
    fixture_publish(f, event, 3);
    fixture_publish(f, event, 1);
    fixture_commit(f);
    fixture_says(f,
                 "SELECT group_concat(id || position, ' ') FROM (SELECT * FROM seats WHERE event = 1 ORDER "
                 "BY position)",
                 "B10 A11");
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM seats_staged"), 1);
}

static void an_import_of_no_seats_changes_nothing(void **state)
{
    struct fixture *f = *state;
    uint64_t event = fixture_event(f, "eras");
    fixture_seats(f, event, 2);
    fixture_publish(f, event, 77);
    fixture_commit(f);
    assert_int_equal(fixture_ask(f, "SELECT seats FROM events"), 2);
    fixture_check(f);
    struct change *c = fixture_change(f, CHANGE_SEATS_PUBLISHED);
    c->published.event = 1000;
    assert_fault(fixture_try(f), STATUS_CORRUPT, "The book has no event 1000");
    fixture_rollback(f);
}

static void copies_of_seats_are_free_or_blocked(void **state)
{
    struct fixture *f = *state;
    struct booking ann;
    uint64_t from = fixture_event(f, "eras"), to = fixture_event(f, "eras2"),
             third = fixture_event(f, "eras3");
    fixture_seats(f, from, 5);
    fixture_hold(f, &ann, "ann", from, 2);
    fixture_end(f, &ann);
    buf_clear(&f->rows);
    bytes_put_varint(&f->rows, 4);
    bytes_put_varint(&f->rows, 1);
    struct change *c = fixture_change(f, CHANGE_SEATS_BLOCKED);
    c->blocked.event = from;
    c->blocked.blocked = true;
    c->blocked.count = 2;
    c->blocked.positions = bytes_reader_make(f->rows.data, f->rows.size);
    fixture_put(f);
    c = fixture_change(f, CHANGE_SEATS_COPIED);
    c->copied.event = to;
    c->copied.from = from;
    c->copied.blocks = false; /* as before blocks existed */
    fixture_put(f);
    c = fixture_change(f, CHANGE_SEATS_COPIED);
    c->copied.event = third;
    c->copied.from = from;
    c->copied.blocks = true;
    fixture_put(f);
    fixture_commit(f);
    fixture_says(f, "SELECT group_concat(position) FROM seats WHERE event = 3 AND blocked", "1,4");
    assert_int_equal(fixture_ask(f, "SELECT sum(blocked) FROM seats WHERE event = 1"), 2);
    assert_int_equal(
        fixture_ask(f, "SELECT count(*) FROM seats WHERE event = 2 AND blocked = 0 AND version = 0"), 5);
    fixture_says(f, "SELECT id FROM seats WHERE event = 2 AND position = 4", "A5");
    fixture_check(f);
    assert_fault(fixture_try(f), STATUS_CORRUPT, "which already has seats");
    fixture_rollback(f);
}

static void blocking_a_missing_seat_is_refused(void **state)
{
    struct fixture *f = *state;
    uint64_t event = fixture_event(f, "eras");
    fixture_seats(f, event, 2);
    buf_clear(&f->rows);
    bytes_put_varint(&f->rows, 2);
    struct change *c = fixture_change(f, CHANGE_SEATS_BLOCKED);
    c->blocked.event = event;
    c->blocked.count = 1;
    c->blocked.positions = bytes_reader_make(f->rows.data, f->rows.size);
    assert_fault(fixture_try(f), STATUS_CORRUPT, "blocks a seat that event 1 does not have");
    fixture_rollback(f);
}

static void a_removed_seat_stays_and_its_id_is_free(void **state)
{
    struct fixture *f = *state;
    uint64_t event = fixture_event(f, "eras");
    fixture_seats(f, event, 3);
    buf_clear(&f->rows);
    bytes_put_varint(&f->rows, 1);
    struct change *c = fixture_change(f, CHANGE_SEATS_REMOVED);
    c->removed.event = event;
    c->removed.count = 1;
    c->removed.positions = bytes_reader_make(f->rows.data, f->rows.size);
    fixture_put(f);
    fixture_commit(f);
    fixture_says(f, "SELECT group_concat(id || removed) FROM seats", "A10,A21,A30");
    fixture_check(f);
    c = fixture_change(f, CHANGE_SEATS_REMOVED);
    c->removed.event = event;
    c->removed.count = 1;
    c->removed.positions = bytes_reader_make(f->rows.data, f->rows.size);
    assert_fault(fixture_try(f), STATUS_CORRUPT, "removes a seat that event 1 does not have");
    fixture_rollback(f);
}

static void settings_are_replaced_and_a_name_is_free_after_removal(void **state)
{
    struct fixture *f = *state;
    uint64_t event = fixture_event(f, "eras");
    f->change.event.name = TEXT("Renamed");
    f->change.event.per_user_limit = 4;
    f->change.event.starts_at_ms = 123;
    f->change.event.terms.payment = PAYMENT_NONE;
    f->change.event.description = TEXT("Two lines.\n");
    f->change.event.image = TEXT("/a.jpg");
    fixture_put(f);
    fixture_commit(f);
    fixture_says(f, "SELECT quote(venue) || ' ' || image || ' ' || length(description) FROM events",
                 "NULL /a.jpg 11");
    fixture_says(
        f, "SELECT printf('%d %s %d %d %s', number, name, per_user_limit, starts_at, payment) FROM events",
        "1 Renamed 4 123 none");
    fixture_event_remove(f, event, "eras");
    fixture_event(f, "eras");
    fixture_commit(f);
    fixture_says(f, "SELECT group_concat(number || (removed_at IS NULL), ' ') FROM events", "10 41");
    fixture_check(f);
}

static void a_pool_keeps_its_count_when_its_settings_change(void **state)
{
    struct fixture *f = *state;
    struct booking ann;
    uint64_t event = fixture_event(f, "eras");
    fixture_pool(f, event, 0, "floor", 10);
    booking_begin(f, &ann, "ann");
    booking_add(f, &ann, ITEM_POOL, event, 0, 7);
    fixture_write(f, &ann, ACTION_HELD);
    fixture_pool(f, event, 0, "floor", 8);
    fixture_commit(f);
    fixture_says(f, "SELECT held || ' of ' || capacity FROM pools", "7 of 8");
    struct change *c = fixture_change(f, CHANGE_POOL);
    c->pool = (struct pool_image){.event = event, .id = TEXT("floor"), .capacity = 6};
    assert_int_equal(fixture_try(f).kind, STATUS_CORRUPT);
    fixture_rollback(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        book_test(staged_seats_are_invisible_until_published),
        book_test(an_update_keeps_other_columns),
        book_test(two_imports_can_run_at_once),
        book_test(an_import_of_no_seats_changes_nothing),
        book_test(copies_of_seats_are_free_or_blocked),
        book_test(blocking_a_missing_seat_is_refused),
        book_test(a_removed_seat_stays_and_its_id_is_free),
        book_test(settings_are_replaced_and_a_name_is_free_after_removal),
        book_test(a_pool_keeps_its_count_when_its_settings_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
