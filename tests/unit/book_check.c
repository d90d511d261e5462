/* SPDX-License-Identifier: Apache-2.0 */
/* The check finds every kind of inconsistency, and nothing in a consistent book. */
#include "../lib/book_fixture.h"

struct findings {
    char text[8192];
    int count;
};

static void on_finding(void *ctx, const char *sentence)
{
    struct findings *found = ctx;
    size_t used = strlen(found->text);
    snprintf(found->text + used, sizeof(found->text) - used, "%s\n", sentence);
    found->count++;
}

/* Event 14: in its queue 1 gil finished, 2 hal admitted, 3 ida waits; on its waiting list 1 jim was offered
 * A1 and A2, 2 kit and 3 lou wait, 4 mia left. */
static void write_lines(struct fixture *f)
{
    struct booking jim;
    struct list_entry_image entries[4];
    uint64_t event = fixture_event_with_lines(f, "lines");
    fixture_seats(f, event, 4);
    fixture_join(f, event, 1, "gil");
    fixture_join(f, event, 2, "hal");
    f->at_ms += 60000;
    fixture_queue(f, event, f->at_ms, 2);
    fixture_join(f, event, 3, "ida");
    fixture_move(f, event, 1, QUEUE_ADMITTED, f->at_ms + 900000);
    fixture_move(f, event, 2, QUEUE_ADMITTED, f->at_ms + 900000);
    fixture_move(f, event, 1, QUEUE_FINISHED, 0);
    for (uint32_t i = 0; i < 4; i++) {
        entries[i] = fixture_wish(f, event, i + 1, (const char *[]){"jim", "kit", "lou", "mia"}[i]);
        fixture_list(f, &entries[i]);
    }
    entries[3].status = LIST_LEFT;
    fixture_list(f, &entries[3]);
    fixture_offer(f, &jim, &entries[0], 0);
}

/* Reservations: 5 ann held A1 and 3 of the floor, 6 bob confirmed A2 and 2 of the floor, 8 cid released A3,
 * 11 dan held a slot of calendar 10 with a service, 12 eve confirmed the one after it. */
static void write_book(struct fixture *f)
{
    struct booking ann, bob, cid, dan, eve;
    uint64_t event = fixture_event(f, "eras");
    fixture_seats(f, event, 6);
    fixture_pool(f, event, 0, "floor", 10);
    booking_begin(f, &ann, "ann");
    booking_add(f, &ann, ITEM_SEAT, event, 0, 1);
    booking_add(f, &ann, ITEM_POOL, event, 0, 3);
    fixture_write(f, &ann, ACTION_HELD);
    booking_begin(f, &bob, "bob");
    booking_add(f, &bob, ITEM_SEAT, event, 1, 1);
    booking_add(f, &bob, ITEM_POOL, event, 0, 2);
    fixture_write(f, &bob, ACTION_HELD);
    fixture_confirm(f, &bob);
    fixture_hold(f, &cid, "cid", event, 2);
    fixture_end(f, &cid);
    uint64_t calendar = fixture_calendar(f, "room", 1);
    booking_begin(f, &dan, "dan");
    booking_slot(f, &dan, calendar, 60, 90, 95);
    dan.items[0].part = 1;
    fixture_write(f, &dan, ACTION_HELD);
    fixture_slot(f, &eve, "eve", calendar, 95, 125);
    fixture_confirm(f, &eve);
    write_lines(f);
    fixture_commit(f);
}

/* The damage, and part of the sentence that must be reported. */

/* A row of the ledger in euros: its owner, what was received, kept, returned and is owed. */
/* clang-format off */
#define PAYMENT(of, received, kept, returned, owed) \
    "INSERT INTO payments (number, payment_ref, reservation, unknown, app_given, app_amount, app_currency, assumed, paid_given, " \
    "paid_amount, paid_currency, failed, returned_currency, refunded, refund_failed, disputed_amount, reinstated, disputes, " \
    "disputes_over, staff_returned, outside, money_seq, first_at, last_at, currency, received, kept, returned, owed, discrepancy, " \
    "discrepancy_seq) VALUES (1, 'pi_1', " of ", 0, 0, 0, 'XXX', 0, 1, " #received ", 'EUR', 0, 'XXX', 0, 0, 0, 0, 0, 0, 0, 0, 1, " \
    "1, 1, 'EUR', " #received ", " #kept ", " #returned ", " #owed ", 'none', 0)"
/* clang-format on */

static const struct {
    const char *damage, *sentence;
} cases[] = {
    {"INSERT INTO claims VALUES (1, 5, 5)",
     "Reservation 5 claims seat 5 of event 1, but has no live item for it."},
    {"INSERT INTO claims VALUES (1, 2, 8)", "Reservation 8 claims seat 2 of event 1"},
    {"DELETE FROM claims WHERE seat = 0", "Item 1 of reservation 5 (res_"},
    {"UPDATE claims SET reservation = 6 WHERE seat = 0", "has no claim on seat 0 of event 1."},
    {"DELETE FROM claims WHERE seat = 1", "has no claim on seat 1 of event 1."},
    {"INSERT INTO items (reservation, item_id, kind, event, position, quantity, price, fence) "
     "VALUES (5, 9, 'seat', 1, 0, 1, 0, 5)",
     "Reservation 5 has seat 0 of event 1 twice."},
    {"UPDATE seats SET removed = 1, blocked = 1 WHERE position = 0",
     "Seat A1 of event 1 is removed, but blocked or in an allotment."},
    {"UPDATE seats SET removed = 1, allotment = 'x' WHERE position = 0",
     "Seat A1 of event 1 is removed, but blocked or in an allotment."},
    {"UPDATE pools SET held = 4", "Pool floor of event 1 says 4 held and 2 sold, but its items say 3 and 2."},
    {"UPDATE items SET quantity = 1 WHERE reservation = 6 AND kind = 'pool'", "but its items say 3 and 1."},
    {"UPDATE pools SET capacity = 4", "more taken than its capacity"},
    {"UPDATE items SET position = 77 WHERE reservation = 8",
     "Item 1 of reservation 8 names something in seats that event 1 does not"},
    {"DELETE FROM pools", "names something in pools that event 1 does not have."},
    {"DELETE FROM items WHERE reservation = 8", "has no items."},
    {"UPDATE reservations SET next_item_id = 2 WHERE number = 5", "an item whose id was not issued yet"},
    {"UPDATE reservations SET ended_at = 1800000000000 WHERE number = 5",
     "is held, but its times do not match that."},
    {"UPDATE reservations SET confirmed_at = NULL WHERE number = 6",
     "is confirmed, but its times do not match that."},
    {"UPDATE reservations SET ended_at = NULL WHERE number = 8",
     "is released, but its times do not match that."},
    {"UPDATE reservations SET expires_at = created_at - 1 WHERE number = 8", "has times in the wrong order."},
    {"UPDATE reservations SET max_expires_at = expires_at - 1 WHERE number = 5",
     "has times in the wrong order."},
    {"UPDATE reservations SET fence = 1000 WHERE number = 5", "has a fence that was never issued."},
    {"UPDATE items SET fence = 6 WHERE reservation = 5 AND item_id = 1",
     "has fence 6, which is not one of the reservation."},
    {"UPDATE seats SET version = 9 WHERE position = 0",
     "Seat A1 of event 1 was freed by change 9, after it was claimed by 5."},
    {"UPDATE reservations SET status = 'expired' WHERE number = 8", "does not match the end of its history."},
    {"DELETE FROM history WHERE reservation = 5", "does not match the end of its history."},
    {"DELETE FROM history WHERE reservation = 6 AND action = 'held'",
     "has 1 changes in its history, but version 2."},
    {"UPDATE history SET action = 'refund_due' WHERE reservation = 6 AND action = 'confirmed'",
     "of reservation 6 is about refund nothing, which is none of its own."},
    {PAYMENT("NULL", 100, 0, 0, 100), "Payment pi_1 owes 100, but 0 is due."},
    {PAYMENT("NULL", 100, 0, 0, 100),
     "The payments in EUR add up to 100 0 0 100, but their moves to 0 0 0 0."},
    {PAYMENT("(SELECT id FROM reservations WHERE number = 5)", 100, 100, 0, 0),
     "Payment pi_1 keeps 100 for reservation 5, which is held."},
    {PAYMENT("(SELECT id FROM reservations WHERE number = 6)", 900000000, 900000000, 0, 0),
     "but its payments keep 900000000."},
    {PAYMENT("NULL", 100, 0, 0,
             100) "; INSERT INTO refunds VALUES (2, NULL, 'pi_1', 100, 'CHF', 'refunded', 1, NULL, 'open', "
                  "2, 0)",
     "Payment pi_1 has a refund due in CHF, but is in EUR itself."},
    {"UPDATE history SET refund = 7 WHERE reservation = 6 AND action = 'confirmed'",
     "of reservation 6 is about refund 7, which is none of its own."},
    {"INSERT INTO history_items (reservation, seq, item_id, kind, quantity, price, fence) VALUES (5, 6, 1, "
     "'seat', 1, "
     "0, 5)",
     "Item 1 of reservation 5 has a past before change 6, which is not in the history."},
    {"UPDATE history SET action = 'item_dropped' WHERE reservation = 6 AND action = 'confirmed'",
     "of reservation 6 changed an item, but not which."},
    {"INSERT INTO history_items (reservation, seq, item_id, kind, quantity, price, fence) SELECT 6, "
     "max(seq), 1, 'seat', "
     "1, 0, max(seq) FROM history WHERE reservation = 6",
     "which it cannot have had."},
    {"INSERT INTO search (search) VALUES ('delete-all')", "Reservation 5 (res_"},
    {"UPDATE reservations SET user_id = 'fay' WHERE number = 8", "is not found by its words."},
    {"UPDATE reservations SET attributes = '{\"a\":\"new\"}' WHERE number = 5", "is not found by its words."},
    {"UPDATE items SET attributes = '{\"a\":\"new\"}' WHERE reservation = 5", "is not found by its words."},
    {"UPDATE events SET seats = 7 WHERE number = 1", "says it has 7 seats, but 6 exist."},
    {"UPDATE events SET removed_at = 5", "was removed, but reservation 5 still claims part of it."},
    {"UPDATE meta SET last_seq = 5", "Something has seq 30, but the book ends at 5."},
    {"INSERT INTO tickets VALUES ('x', 5, 1, 0)",
     "Ticket x belongs to item 1 of reservation 5, which was never sold."},
    {"INSERT INTO tickets VALUES ('x', 6, 2, 2)",
     "Ticket x belongs to item 2 of reservation 6, which was never sold."},
    {"DELETE FROM tickets WHERE item_id = 2 AND unit = 1",
     "Unit 1 of item 2 of reservation 6 was sold without a ticket."},
    {"UPDATE tickets SET code = 'y' WHERE item_id = 1 AND reservation = 6",
     "Unit 0 of item 1 of reservation 6 was sold without a ticket."},
    {"DELETE FROM reservations WHERE number = 8", "that does not exist."},
    {"INSERT INTO calendar_claims VALUES (10, 1700100000000, 12, 1, 1700100060000, 0, 1)",
     "Calendar 10 is claimed from 1700100000000 on by item 1 of reservation 12, which is not a live slot of "
     "it."},
    {"UPDATE calendar_claims SET until = until - 1 WHERE reservation = 11", "by item 1 of reservation 11"},
    {"UPDATE reservations SET status = 'released' WHERE number = 11", "by item 1 of reservation 11"},
    {"DELETE FROM calendar_claims WHERE reservation = 12",
     "has no claim on calendar 10 from 1700005700000 on."},
    {"UPDATE items SET starts_at = starts_at + 1 WHERE reservation = 11",
     "has no claim on calendar 10 from 1700003600001 on."},
    {"UPDATE calendar_claims SET starts_at = starts_at - 1 WHERE reservation = 12",
     "Calendar 10 (room) has 2 claims at once from 1700005699999 on, over its capacity of 1."},
    {"UPDATE calendar_counts SET claims = claims + 1",
     "The count of claims on calendar 10 at 1700003600000 is wrong."},
    {"DELETE FROM calendar_counts WHERE claims = 0",
     "The count of claims on calendar 10 at 1700007500000 is wrong"},
    {"INSERT INTO calendar_counts VALUES (10, 5, 0)", "The count of claims on calendar 10 at 5 is wrong"},
    {"UPDATE calendar_claims SET counted = 0 WHERE reservation = 12",
     "The count of claims on calendar 10 at 1700007500000 is wrong"},
    {"UPDATE items SET position = 7 WHERE reservation = 11",
     "Item 1 of reservation 11 names something in services that calendar 10 does not have."},
    {"UPDATE items SET calendar = 77 WHERE reservation = 11", "that does not exist."},
    {"UPDATE items SET ends_at = starts_at WHERE reservation = 11",
     "Item 1 of reservation 11 has invalid times."},
    {"UPDATE calendars SET removed_at = 1700003600000",
     "Calendar 10 (room) was removed, but reservation 11 had time on it after that."},
    {"UPDATE calendars SET number = 99", "Something has seq 99, but the book ends at 31."},
    {"DELETE FROM tickets WHERE reservation = 12",
     "Unit 0 of item 1 of reservation 12 was sold without a ticket."},
    {"UPDATE items SET code = 'gone' WHERE reservation = 12",
     "Item 1 of reservation 12 was claimed with code gone, which event"},
    {"UPDATE waiting_list SET code = 'gone' WHERE number = 2",
     "Entry 2 on the waiting list of event 14 waits with code gone, which the event does not have."},
    {"INSERT INTO codes VALUES (14, 1, 'later', 0, NULL, NULL, 0)",
     "Event 14 has 1 codes, but their positions go up to 1."},
    {"UPDATE items SET group_number = 7 WHERE reservation = 11",
     "Item 1 of reservation 11 was asked of group 7, which does not exist."},
    {"INSERT INTO groups VALUES (7, 'g', 'G', 'in_order', 1, 0)",
     "Group 7 (g) is removed but has members, or is not but has none."},
    {"INSERT INTO groups VALUES (7, 'g', 'G', 'in_order', 1, 0); "
     "INSERT INTO group_members SELECT 7, 1, number FROM calendars LIMIT 1",
     "Group 7 (g) has 1 members, but their positions go up to 1."},
    {"INSERT INTO groups VALUES (99, 'g', 'G', 'in_order', 1, 1)",
     "Something has seq 99, but the book ends at 31."},
    {"DELETE FROM queue WHERE number = 2",
     "The queue of event 14 has 2 entries, but its numbers go from 1 to 3."},
    {"DELETE FROM queue WHERE number = 1",
     "The queue of event 14 has 2 entries, but its numbers go from 2 to 3."},
    {"DROP INDEX queue_live; UPDATE queue SET user_id = 'hal'",
     "User hal has 2 live entries in the queue of event 14."},
    {"UPDATE queue SET live = 1 WHERE number = 1",
     "Entry 1 in the queue of event 14 is finished, but its other columns"},
    {"UPDATE queue SET live = 0 WHERE number = 3",
     "Entry 3 in the queue of event 14 is waiting, but its other columns"},
    {"UPDATE queue SET until = NULL WHERE number = 2",
     "Entry 2 in the queue of event 14 is admitted, but its other"},
    {"UPDATE queue SET until = 1800000000000 WHERE number = 3",
     "Entry 3 in the queue of event 14 is waiting, but its"},
    {"UPDATE queue SET until = 5 WHERE number = 2",
     "Entry 2 in the queue of event 14 is admitted, but its other"},
    {"UPDATE queue SET joined_at = joined_at + 60001 WHERE number = 2",
     "Entry 3 in the queue of event 14 joined before the one ahead of it."},
    {"UPDATE rooms SET opened_at = NULL, drawn = 0",
     "Entry 1 in the queue of event 14 is finished, but its waiting room is not"},
    {"UPDATE rooms SET drawn = 4",
     "The waiting room of event 14 says 4 were drawn, but 3 had joined by then."},
    {"UPDATE rooms SET opened_at = opened_at - 1, drawn = 3",
     "The waiting room of event 14 says 3 were drawn, but 2 had joined by then."},
    {"DELETE FROM queue; DELETE FROM rooms", "Event 14 has a waiting room, but no record of its progress."},
    {"UPDATE events SET line_key = NULL", "Event 14 has a queue or waiting list, but no key"},
    {"DELETE FROM waiting_list WHERE number = 2",
     "The waiting list of event 14 has 3 entries, but its numbers go from 1 to 4."},
    {"DROP INDEX waiting_list_live; UPDATE waiting_list SET user_id = 'lou' WHERE number = 2",
     "User lou has 2 live entries on the waiting list of event 14."},
    {"UPDATE waiting_list SET live = 0 WHERE number = 3",
     "Entry 3 on the waiting list of event 14 is waiting, but its"},
    {"UPDATE waiting_list SET pool = 'floor' WHERE number = 3",
     "Entry 3 on the waiting list of event 14 is waiting, but"},
    {"UPDATE waiting_list SET changed_at = 5 WHERE number = 4",
     "Entry 4 on the waiting list of event 14 is left, but its"},
    {"UPDATE waiting_list SET reservation = (SELECT id FROM reservations WHERE number = 5) WHERE number = 2",
     "Entry 2 on the waiting list of event 14 is waiting, but its other columns"},
    {"UPDATE waiting_list SET reservation = NULL, status = 'finished', live = 0 WHERE number = 1",
     "Entry 1 on the waiting list of event 14 is finished, but its other columns"},
    {"UPDATE waiting_list SET reservation = (SELECT id FROM reservations WHERE number = 5) WHERE number = 1",
     "which is not held for jim."},
    {"UPDATE waiting_list SET user_id = 'zoe' WHERE number = 1", "which is not held for zoe."},
    {"UPDATE reservations SET from_list = 0", "which is not held for jim."},
    {"UPDATE reservations SET status = 'expired', ended_at = created_at WHERE number = 30",
     "which is not held for jim."},
    {"UPDATE queue SET event = 77 WHERE number = 1", "that does not exist."},
};

static void every_disagreement_is_found(void **state)
{
    struct fixture *f = *state;
    write_book(f);
    fixture_check(f);
    book_writer_close(f->writer);
    f->writer = NULL;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char copy[SCRATCH_FILE], original[SCRATCH_FILE];
        struct sql *s;
        snprintf(copy, sizeof(copy), "%s.copy", f->path);
        snprintf(original, sizeof(original), "%s", f->path);
        unlink(copy);
        assert_ok(sql_open(&s, original, SQL_READ));
        sql_run(s, "BEGIN");
        sql_copy(s, copy);
        assert_ok(sql_status(s));
        sql_close(s);
        assert_ok(sql_open(&s, copy, SQL_WRITE));
        sql_run(s, "PRAGMA ignore_check_constraints = ON");
        sql_run(s, cases[i].damage);
        assert_ok(sql_status(s));
        sql_close(s);
        struct findings found = {"", 0};
        assert_ok(book_check(copy, on_finding, &found));
        if (!strstr(found.text, cases[i].sentence))
            fail_msg("after \"%s\" the check says:\n%s", cases[i].damage, found.text);
    }
}

static void a_damaged_page_is_found(void **state)
{
    struct fixture *f = *state;
    write_book(f);
    int64_t page = fixture_ask(f, "SELECT rootpage FROM sqlite_schema WHERE name = 'history'");
    book_writer_close(f->writer);
    f->writer = NULL;
    FILE *file = fopen(f->path, "r+");
    assert_non_null(file);
    fseek(file, (long)(page - 1) * 4096, SEEK_SET);
    for (int i = 0; i < 64; i++)
        fputc(0x5a, file);
    fclose(file);
    struct findings found = {"", 0};
    assert_ok(book_check(f->path, on_finding, &found));
    assert_true(found.count > 0);
}

static void other_files_cannot_be_checked(void **state)
{
    struct fixture *f = *state;
    struct findings found = {"", 0};
    assert_int_equal(book_check("/tmp/there/is/no/such/book", on_finding, &found).kind, STATUS_IO);
    book_writer_close(f->writer);
    f->writer = NULL;
    FILE *file = fopen(f->path, "w");
    assert_non_null(file);
    fputs("This is not a database, though it has the name of one, and is long enough to be asked about it: "
          "........",
          file);
    fclose(file);
    struct status status = book_check(f->path, on_finding, &found);
    assert_true(!status_ok(&status) || found.count > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        book_test(every_disagreement_is_found),
        book_test(a_damaged_page_is_found),
        book_test(other_files_cannot_be_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
