/* SPDX-License-Identifier: Apache-2.0 */
/* The writer records changes in the order of their seq, once each, and refuses what cannot have been
 * decided. */
#include "../lib/book_fixture.h"

#include <signal.h>
#include <sys/wait.h>

static void a_hold_is_one_row_in_each_table(void **state)
{
    struct fixture *f = *state;
    struct booking ann;
    uint64_t event = fixture_event(f, "eras");
    fixture_seats(f, event, 3);
    fixture_hold(f, &ann, "ann", event, 1);
    fixture_commit(f);
    fixture_says(f, "SELECT status || ' ' || user_id || ' ' || version FROM reservations", "held ann 1");
    fixture_says(f, "SELECT kind || ' ' || position || ' ' || price FROM items", "seat 1 1200");
    fixture_says(f, "SELECT seat || ' ' || reservation FROM claims", "1 4");
    fixture_says(
        f, "SELECT seq || ' ' || actor || ' ' || actor_name || ' ' || action || ' ' || status FROM history",
        "4 user ann held held");
    assert_int_equal(fixture_ask(f, "SELECT last_seq FROM meta"), 4);
    fixture_check(f);
}

static void a_second_claim_on_a_seat_fails_the_transaction(void **state)
{
    struct fixture *f = *state;
    struct booking ann, bob;
    uint64_t event = fixture_event(f, "eras");
    fixture_seats(f, event, 3);
    fixture_hold(f, &ann, "ann", event, 1);
    fixture_commit(f);
    booking_begin(f, &bob, "bob");
    booking_add(f, &bob, ITEM_SEAT, event, 1, 1);
    assert_fault(fixture_try_write(f, &bob, ACTION_HELD), STATUS_CORRUPT,
                 "Change 5 claims seat 1 of event 1, which is already claimed");
    fixture_rollback(f);
    assert_int_equal(book_writer_seq(f->writer), 4);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM reservations"), 1);
    fixture_hold(f, &bob, "bob", event, 2);
    fixture_commit(f);
    fixture_check(f);
}

static void a_seat_may_be_released_and_claimed_again_in_one_transaction(void **state)
{
    struct fixture *f = *state;
    struct booking ann, bob;
    uint64_t event = fixture_event(f, "eras");
    fixture_seats(f, event, 1);
    fixture_hold(f, &ann, "ann", event, 0);
    fixture_end(f, &ann);
    fixture_hold(f, &bob, "bob", event, 0);
    fixture_commit(f);
    fixture_says(f, "SELECT r.user_id FROM claims c JOIN reservations r ON r.number = c.reservation", "bob");
    assert_int_equal(fixture_ask(f, "SELECT version FROM seats"), 5);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM history"), 3);
    fixture_check(f);
}

static void a_pool_never_has_more_taken_than_its_capacity(void **state)
{
    struct fixture *f = *state;
    struct booking ann, bob;
    uint64_t event = fixture_event(f, "eras");
    fixture_pool(f, event, 0, "floor", 10);
    booking_begin(f, &ann, "ann");
    booking_add(f, &ann, ITEM_POOL, event, 0, 7);
    fixture_write(f, &ann, ACTION_HELD);
    fixture_confirm(f, &ann);
    booking_begin(f, &bob, "bob");
    booking_add(f, &bob, ITEM_POOL, event, 0, 3);
    fixture_write(f, &bob, ACTION_HELD);
    fixture_commit(f);
    fixture_says(f, "SELECT held || ' ' || sold FROM pools", "3 7");
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM tickets"), 7);
    fixture_check(f);
    booking_begin(f, &bob, "bob");
    booking_add(f, &bob, ITEM_POOL, event, 0, 1);
    assert_fault(fixture_try_write(f, &bob, ACTION_HELD), STATUS_CORRUPT, "takes more of pool 0 of event 1");
    fixture_rollback(f);
    booking_begin(f, &bob, "bob");
    booking_add(f, &bob, ITEM_POOL, event, 5, 1);
    assert_fault(fixture_try_write(f, &bob, ACTION_HELD), STATUS_CORRUPT, "does not exist");
    fixture_rollback(f);
}

static void items_may_be_added_moved_and_dropped(void **state)
{
    struct fixture *f = *state;
    struct booking ann;
    uint64_t event = fixture_event(f, "eras");
    fixture_seats(f, event, 5);
    fixture_hold(f, &ann, "ann", event, 0);
    booking_add(f, &ann, ITEM_SEAT, event, 1, 1);
    fixture_write(f, &ann, ACTION_ITEM_ADDED);
    struct item_image was = ann.items[0];
    ann.items[0].part = 4; /* moves */
    ann.items[0].fence = ann.image.fence = f->seq + 1;
    fixture_write_noted(f, &ann, ACTION_ITEM_MOVED, &was);
    fixture_commit(f);
    fixture_says(f, "SELECT group_concat(seat, ' ') FROM (SELECT seat FROM claims ORDER BY seat)", "1 4");
    assert_int_equal(fixture_ask(f, "SELECT version FROM seats WHERE position = 0"), (int64_t)f->seq);
    fixture_check(f);
    was = ann.items[0];
    ann.items[0] = ann.items[1]; /* the first one is dropped */
    ann.image.item_count = 1;
    fixture_write_noted(f, &ann, ACTION_ITEM_DROPPED, &was);
    fixture_commit(f);
    fixture_says(f, "SELECT group_concat(seat, ' ') FROM claims", "1");
    assert_int_equal(fixture_ask(f, "SELECT item_id FROM items"), 2);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM history"), 4);
    fixture_check(f);
}

static void two_items_may_swap_their_seats(void **state)
{
    struct fixture *f = *state;
    struct booking ann;
    uint64_t event = fixture_event(f, "eras");
    fixture_seats(f, event, 2);
    booking_begin(f, &ann, "ann");
    booking_add(f, &ann, ITEM_SEAT, event, 0, 1);
    booking_add(f, &ann, ITEM_SEAT, event, 1, 1);
    fixture_write(f, &ann, ACTION_HELD);
    ann.items[0].part = 1;
    ann.items[1].part = 0;
    ann.items[0].fence = ann.items[1].fence = ann.image.fence = f->seq + 1;
    assert_ok(fixture_try_write(f, &ann, ACTION_ITEM_MOVED));
    fixture_commit(f);
    assert_int_equal(fixture_ask(f, "SELECT position FROM items WHERE item_id = 1"), 1);
}

static void a_sale_has_tickets_and_keeps_them_when_moved(void **state)
{
    struct fixture *f = *state;
    struct booking ann;
    uint64_t event = fixture_event(f, "eras");
    fixture_seats(f, event, 5);
    fixture_pool(f, event, 0, "floor", 10);
    fixture_hold(f, &ann, "ann", event, 0);
    booking_add(f, &ann, ITEM_POOL, event, 0, 3);
    fixture_write(f, &ann, ACTION_ITEM_ADDED);
    fixture_confirm(f, &ann);
    fixture_commit(f);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM tickets"), 4);
    char code[TICKET_CODE_SIZE + 1] = {0};
    ticket_code_write(ann.image.ticket_key, 2, 1, code);
    fixture_says(f, "SELECT code FROM tickets WHERE item_id = 2 AND unit = 1", code);
    fixture_check(f);
    struct item_image was = ann.items[0];
    ann.items[0].part = 3;
    ann.items[0].fence = ann.image.fence = f->seq + 1;
    fixture_write_noted(f, &ann, ACTION_ITEM_MOVED, &was);
    fixture_commit(f);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM tickets"), 4);
    assert_int_equal(fixture_ask(f, "SELECT seat FROM claims"), 3);
    fixture_check(f);
}

static void a_transfer_has_another_owner_and_other_tickets(void **state)
{
    struct fixture *f = *state;
    struct booking ann;
    uint64_t event = fixture_event(f, "eras");
    fixture_seats(f, event, 5);
    fixture_pool(f, event, 0, "floor", 10);
    fixture_hold(f, &ann, "ann", event, 0);
    booking_add(f, &ann, ITEM_POOL, event, 0, 3);
    fixture_write(f, &ann, ACTION_ITEM_ADDED);
    fixture_confirm(f, &ann);
    char code[TICKET_CODE_SIZE + 1] = {0}, old[128];
    ticket_code_write(ann.image.ticket_key, 1, 0, code);
    snprintf(old, sizeof(old), "SELECT count(*) FROM tickets WHERE code = '%s'", code);
    fixture_commit(f);
    assert_int_equal(fixture_ask(f, old), 1);
    ann.image.user_id = TEXT("bob");
    ann.image.ticket_key[0]++;
    ann.image.manage_gen = 1;
    ann.image.transferred = ann.image.fence = f->seq + 1;
    fixture_write(f, &ann, ACTION_TRANSFERRED);
    fixture_commit(f);
    fixture_says(f, "SELECT user_id FROM reservations", "bob");
    fixture_says(f, "SELECT user_before || ' to ' || user_after FROM history WHERE user_after IS NOT NULL",
                 "ann to bob");
    assert_int_equal(fixture_ask(f, "SELECT manage_gen FROM reservations"), 1);
    assert_int_equal(fixture_ask(f, "SELECT transferred = fence FROM reservations"), 1);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM tickets"), 4);
    assert_int_equal(fixture_ask(f, old), 0);
    ticket_code_write(ann.image.ticket_key, 1, 0, code);
    fixture_says(f, "SELECT code FROM tickets WHERE item_id = 1", code);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM claims"), 1);
    fixture_check(f);
    /* What it has from then on has tickets of the new key, and so has what it gives up. */
    struct item_image was = ann.items[0];
    ann.items[0].part = 3;
    ann.items[0].fence = ann.image.fence = f->seq + 1;
    fixture_write_noted(f, &ann, ACTION_ITEM_MOVED, &was);
    fixture_commit(f);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM tickets"), 4);
    fixture_says(f, "SELECT code FROM tickets WHERE item_id = 1", code);
    fixture_check(f);
}

static void buying_in_one_step_is_one_change(void **state)
{
    struct fixture *f = *state;
    struct booking ann;
    uint64_t event = fixture_event(f, "eras");
    fixture_seats(f, event, 1);
    booking_begin(f, &ann, "ann");
    booking_add(f, &ann, ITEM_SEAT, event, 0, 1);
    fixture_confirm(f, &ann);
    fixture_commit(f);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM tickets"), 1);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM claims"), 1);
    fixture_check(f);
}

static void many_expire_in_one_change(void **state)
{
    struct fixture *f = *state;
    struct booking bookings[20], *all[20];
    uint64_t event = fixture_event(f, "eras");
    fixture_seats(f, event, 20);
    fixture_pool(f, event, 0, "floor", 100);
    for (uint32_t i = 0; i < 20; i++) {
        booking_begin(f, &bookings[i], "ann");
        booking_add(f, &bookings[i], ITEM_SEAT, event, i, 1);
        booking_add(f, &bookings[i], ITEM_POOL, event, 0, 2);
        fixture_write(f, &bookings[i], ACTION_HELD);
        all[i] = &bookings[i];
    }
    f->at_ms += 600000 + 15000;
    assert_ok(fixture_try_expire(f, all, 19));
    fixture_commit(f);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM claims"), 1);
    assert_int_equal(fixture_ask(f, "SELECT held FROM pools"), 2);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM seats WHERE version = (SELECT last_seq FROM meta)"),
                     19);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM items"), 40);
    fixture_says(
        f,
        "SELECT actor || ' ' || action || ' ' || version || ' ' || ifnull(actor_name, '-') FROM history "
        "WHERE seq = (SELECT last_seq FROM meta)",
        "server expired 2 -");
    assert_int_equal(
        fixture_ask(f, "SELECT count(*) FROM reservations WHERE status = 'expired' AND version = 2"), 19);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM reservations WHERE ended_at = expires_at"), 19);
    fixture_check(f);
    assert_fault(fixture_try_expire(f, all, 1), STATUS_CORRUPT, "which is not held");
    fixture_rollback(f);
}

static void changes_that_the_book_has_are_passed_over(void **state)
{
    struct fixture *f = *state;
    struct booking ann;
    uint64_t event = fixture_event(f, "eras");
    fixture_seats(f, event, 3);
    fixture_hold(f, &ann, "ann", event, 1);
    fixture_confirm(f, &ann);
    fixture_commit(f);
    struct change again = f->change;
    again.reservation.image.items = again.items;
    again.items[0] = ann.items[0];
    char *before = fixture_dump(f);
    assert_ok(book_writer_begin(f->writer));
    for (uint64_t seq = 1; seq <= f->seq; seq++) {
        again.seq = seq;
        assert_ok(book_writer_apply(f->writer, &again));
    }
    assert_ok(book_writer_commit(f->writer, f->seq, f->at_ms, 0));
    char *after = fixture_dump(f);
    assert_string_equal(before, after);
    free(before);
    free(after);
}

static void a_gap_is_refused(void **state)
{
    struct fixture *f = *state;
    fixture_event(f, "eras");
    fixture_commit(f);
    f->seq++;
    fixture_change(f, CHANGE_KEY_REMOVED)->key.name = TEXT("door");
    assert_fault(fixture_try(f), STATUS_CORRUPT, "Change 3 follows 1");
    fixture_rollback(f);
}

static void a_change_of_an_unknown_reservation_is_refused(void **state)
{
    struct fixture *f = *state;
    struct booking ann;
    uint64_t event = fixture_event(f, "eras");
    fixture_seats(f, event, 3);
    fixture_commit(f);
    booking_begin(f, &ann, "ann");
    ann.image.number = 2;
    booking_add(f, &ann, ITEM_SEAT, event, 1, 1);
    assert_fault(fixture_try_write(f, &ann, ACTION_EXTENDED), STATUS_CORRUPT, "that the book does not have");
    fixture_rollback(f);
}

static void a_crash_between_transactions_loses_only_the_open_one(void **state)
{
    struct fixture *f = *state;
    struct booking ann, bob;
    uint64_t event = fixture_event(f, "eras");
    fixture_seats(f, event, 3);
    fixture_hold(f, &ann, "ann", event, 1);
    fixture_commit(f);
    char *before = fixture_dump(f);
    fixture_hold(f, &bob, "bob", event, 2);
    book_writer_close(f->writer); /* rolls back, as the next opening would */
    f->open = false;
    fixture_reopen(f);
    assert_int_equal(book_writer_seq(f->writer), 4);
    assert_int_equal(book_writer_at_ms(f->writer), f->at_ms);
    char *after = fixture_dump(f);
    assert_string_equal(before, after);
    free(before);
    free(after);
    f->seq = book_writer_seq(f->writer);
    fixture_hold(f, &bob, "bob", event, 2);
    fixture_commit(f);
    fixture_check(f);
}

/* Killed in the middle of a transaction so large that part of it is in the log already. */
static void a_killed_writer_leaves_what_it_committed(void **state)
{
    struct fixture *f = *state;
    uint64_t event = fixture_event(f, "eras");
    fixture_pool(f, event, 0, "floor", 1000000);
    fixture_commit(f);
    book_writer_close(f->writer);
    f->writer = NULL;
    pid_t child = fork();
    if (child == 0) {
        struct booking b;
        fixture_reopen(f);
        for (uint32_t i = 0; i < 20000; i++) {
            booking_begin(f, &b, "ann");
            booking_add(f, &b, ITEM_POOL, event, 0, 1);
            b.image.attributes = (struct text){(char[4096]){0}, 4096};
            memset((char *)(uintptr_t)b.image.attributes.at, ' ', 4096);
            fixture_write(f, &b, ACTION_HELD);
            if (i == 9)
                fixture_commit(f);
        }
        raise(SIGKILL);
    }
    assert_true(child > 0);
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how));
    fixture_reopen(f);
    assert_int_equal(book_writer_seq(f->writer), 12);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM reservations"), 10);
    assert_int_equal(fixture_ask(f, "SELECT held FROM pools"), 10);
    fixture_check(f);
}

static void keys_and_idempotency_are_replaced(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < 2; i++) {
        struct key_image key = {.name = TEXT("box office"), .role = ROLE_APP, .created_at_ms = 5};
        memset(key.hash, i + 1, sizeof(key.hash));
        if (i == 1) { /* rotated */
            key.old_until_ms = 77;
            memset(key.old_hash, 1, sizeof(key.old_hash));
        }
        fixture_change(f, CHANGE_KEY)->key = key;
        fixture_put(f);
        fixture_change(f, CHANGE_IDEMPOTENCY)->idempotency = (struct idempotency_image){
            .key = {1, 2}, .body = {3, (uint64_t)i}, .made = {7, 8}, .http_status = 201, .at_ms = f->at_ms};
        fixture_put(f);
    }
    fixture_commit(f);
    fixture_says(f, "SELECT count(*) || hex(substr(hash, 1, 1)) FROM keys", "102");
    fixture_says(f, "SELECT hex(substr(old_hash, 1, 1)) || old_until FROM keys", "0177");
    fixture_says(f, "SELECT count(*) || hex(substr(body, 16)) FROM idempotency", "101");
    fixture_change(f, CHANGE_KEY_REMOVED)->key.name = TEXT("box office");
    fixture_put(f);
    fixture_commit(f);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM keys"), 0);
}

static void a_checkpoint_moves_the_seq_up_to_which_segments_may_go(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(book_writer_checkpointed_seq(f->writer), 0);
    fixture_event(f, "eras");
    fixture_commit(f);
    assert_int_equal(book_writer_checkpointed_seq(f->writer), 0);
    assert_true(book_writer_log_bytes(f->writer) > 0);
    assert_ok(book_writer_checkpoint(f->writer));
    assert_int_equal(book_writer_checkpointed_seq(f->writer), 1);
    assert_int_equal(book_writer_log_bytes(f->writer), 0);

    struct sql *reader; /* keeps part of the log back */
    assert_ok(sql_open(&reader, f->path, SQL_READ));
    sql_run(reader, "BEGIN");
    assert_int_equal(sql_number(reader, "SELECT last_seq FROM meta"), 1);
    fixture_event(f, "other");
    fixture_commit(f);
    assert_ok(book_writer_checkpoint(f->writer));
    assert_int_equal(book_writer_checkpointed_seq(f->writer), 1);
    sql_close(reader);
    assert_ok(book_writer_checkpoint(f->writer));
    assert_int_equal(book_writer_checkpointed_seq(f->writer), 2);
    book_writer_close(f->writer);
    fixture_reopen(f);
    assert_int_equal(book_writer_checkpointed_seq(f->writer), 2);
}

/* As a program that knows no limits could change it. */
static void tamper(struct fixture *f, const char *statement)
{
    struct sql *s;
    assert_ok(sql_open(&s, f->path, SQL_WRITE));
    sql_run(s, statement);
    assert_ok(sql_status(s));
    sql_close(s);
}

static void too_many_hooks_are_damage(void **state)
{
    struct fixture *f = *state;
    tamper(f, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 65) "
              "INSERT INTO hooks (number, name, url, events, secret, created_at) "
              "SELECT i, 'hook' || i, 'https://example.org', 1, 'secret', 0 FROM n");
    fixture_change(f, CHANGE_KEY_REMOVED)->key.name = TEXT("door");
    assert_fault(fixture_try(f), STATUS_CORRUPT, "more than 64 hooks");
    fixture_rollback(f);
}

static void a_user_id_that_is_too_long_is_damage(void **state)
{
    struct fixture *f = *state;
    struct booking ann;
    uint64_t event = fixture_event(f, "eras");
    fixture_seats(f, event, 3);
    fixture_hold(f, &ann, "ann", event, 1);
    fixture_commit(f);
    tamper(f, "UPDATE reservations SET user_id = hex(zeroblob(1000))");
    assert_fault(fixture_try_write(f, &ann, ACTION_EXTENDED), STATUS_CORRUPT, "a user id of 2000 bytes");
    fixture_rollback(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        book_test(a_hold_is_one_row_in_each_table),
        book_test(a_second_claim_on_a_seat_fails_the_transaction),
        book_test(a_seat_may_be_released_and_claimed_again_in_one_transaction),
        book_test(a_pool_never_has_more_taken_than_its_capacity),
        book_test(items_may_be_added_moved_and_dropped),
        book_test(two_items_may_swap_their_seats),
        book_test(a_sale_has_tickets_and_keeps_them_when_moved),
        book_test(a_transfer_has_another_owner_and_other_tickets),
        book_test(buying_in_one_step_is_one_change),
        book_test(many_expire_in_one_change),
        book_test(changes_that_the_book_has_are_passed_over),
        book_test(a_gap_is_refused),
        book_test(a_change_of_an_unknown_reservation_is_refused),
        book_test(a_crash_between_transactions_loses_only_the_open_one),
        book_test(a_killed_writer_leaves_what_it_committed),
        book_test(keys_and_idempotency_are_replaced),
        book_test(a_checkpoint_moves_the_seq_up_to_which_segments_may_go),
        book_test(too_many_hooks_are_damage),
        book_test(a_user_id_that_is_too_long_is_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
