/* SPDX-License-Identifier: Apache-2.0 */
/* Expired data is deleted in bounded slices, with everything that depends on it; live and recent data stays. */
#include "../lib/book_fixture.h"

#define DAY_MS (24LL * 3600 * 1000)

static uint64_t imports_over;

static uint32_t prune_all(struct fixture *f, int64_t before_ms, uint32_t limit, uint32_t *slices)
{
    uint32_t sum = 0, pruned;
    bool done = false;
    for (*slices = 0; !done; (*slices)++) {
        assert_true(*slices < 10000);
        assert_ok(book_writer_prune(f->writer, before_ms, imports_over, limit, &pruned, &done));
        assert_true(pruned <= 2 * limit + 8);
        sum += pruned;
    }
    return sum;
}

static void ended_reservations_are_pruned_with_all_their_rows(void **state)
{
    struct fixture *f = *state;
    struct booking held, sold, old[5], late, refunded;
    uint32_t slices;
    uint64_t event = fixture_event(f, "eras");
    fixture_seats(f, event, 20);
    fixture_hold(f, &held, "ann", event, 0);
    fixture_hold(f, &sold, "ann", event, 1);
    fixture_confirm(f, &sold);
    for (uint32_t i = 0; i < 5; i++) {
        fixture_hold(f, &old[i], "bob", event, 2);
        fixture_end(f, &old[i]);
    }
    fixture_hold(f, &refunded, "dan", event, 4);
    fixture_confirm(f, &refunded);
    refunded.image.status = RESERVATION_REFUNDED;
    refunded.image.ended_at_ms = f->at_ms;
    fixture_write(f, &refunded, ACTION_RELEASED);
    fixture_hold(f, &late, "cid", event, 3); /* begun early, ended late */
    f->at_ms += 10 * DAY_MS;
    fixture_end(f, &late);
    fixture_commit(f);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM tickets"), 2);
    assert_int_equal(prune_all(f, 0, 100, &slices), 0);
    /* Six of them, and the changes that made the event and its seats. */
    assert_int_equal(prune_all(f, f->at_ms - DAY_MS, 2, &slices), 6 + 2);
    assert_true(slices >= 3);
    fixture_says(
        f, "SELECT group_concat(user_id || status, ' ') FROM (SELECT * FROM reservations ORDER BY number)",
        "annheld annconfirmed cidreleased");
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM items"), 3);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM history"), 5);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM tickets"), 1);
    assert_int_equal(fixture_ask(f, "SELECT last_seq FROM meta"), (int64_t)f->seq);
    fixture_check(f);
    f->at_ms += 10 * DAY_MS;
    assert_int_equal(prune_all(f, f->at_ms - DAY_MS, 100, &slices), 1);
    assert_int_equal(prune_all(f, f->at_ms - DAY_MS, 100, &slices), 0);
    fixture_check(f);
}

static void put_moves(struct fixture *f, uint64_t hook, enum hook_fate to, uint64_t seq)
{
    static struct buf moves;
    buf_init(&moves, 256);
    hook_move_put(&moves, &(struct hook_move){.to = to, .message = {.seq = seq}});
    struct change *c = fixture_change(f, CHANGE_HOOK_MOVED);
    c->hook_moved.hook = hook;
    c->hook_moved.moves = bytes_reader_make(moves.data, moves.size);
    c->hook_moved.count = 1;
    fixture_put(f);
    buf_release(&moves);
}

static void dead_messages_are_pruned_with_the_history_and_waiting_ones_stay(void **state)
{
    struct fixture *f = *state;
    struct booking ann;
    uint32_t slices;
    uint64_t event = fixture_event(f, "eras");
    fixture_seats(f, event, 20);
    struct change *c = fixture_change(f, CHANGE_HOOK);
    uint64_t hook = f->seq + 1;
    c->hook = (struct hook_image){.number = hook,
                                  .name = TEXT("shop"),
                                  .url = TEXT("https://example.com/"),
                                  .events = HOOK_BIT(HOOK_HELD),
                                  .secret = TEXT("whsec_of_the_hook")};
    fixture_put(f);
    uint64_t seqs[5];
    for (uint32_t i = 0; i < 5; i++) {
        fixture_hold(f, &ann, "ann", event, i);
        seqs[i] = f->seq;
    }
    fixture_commit(f);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM outbox"), 5);
    for (uint32_t i = 0; i < 3; i++)
        put_moves(f, hook, HOOK_DEAD, seqs[i]);
    put_moves(f, hook, HOOK_DELIVERED, seqs[3]);
    fixture_change(f, CHANGE_HOOK_WARNING)->hook_warning =
        (struct hook_warning_image){ann.image.id, ann.image.expires_at_ms};
    fixture_put(f);
    fixture_commit(f);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM messages WHERE status = 'dead'"), 3);
    assert_int_equal(prune_all(f, f->at_ms - DAY_MS, 2, &slices), 0);
    f->at_ms += 10 * DAY_MS;
    fixture_event(f, "other");
    fixture_commit(f);
    assert_int_equal(
        prune_all(f, f->at_ms - DAY_MS, 2, &slices),
        4 + 3); /* also the warning of a past deadline, and the changes that made hook, event and seats */
    fixture_says(f, "SELECT group_concat(status) FROM messages", "waiting");
    fixture_check(f);
}

static void the_audit_log_is_pruned_with_the_history(void **state)
{
    struct fixture *f = *state;
    uint32_t slices;
    for (int i = 0; i < 5; i++) {
        char id[8];
        snprintf(id, sizeof(id), "e%d", i);
        fixture_event(f, id);
    }
    f->at_ms += 10 * DAY_MS;
    fixture_event(f, "late");
    fixture_commit(f);
    fixture_says(f,
                 "SELECT group_concat(kind || ' ' || action || ' ' || id || ' ' || actor, ', ') FROM "
                 "(SELECT * FROM audit_log WHERE id > 'e3')",
                 "event put e4 admin, event put late admin");
    prune_all(f, 0, 2, &slices);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM audit"), 6);
    prune_all(f, f->at_ms - DAY_MS, 2, &slices);
    fixture_says(f, "SELECT group_concat(id) FROM audit", "late");
}

static void idempotency_keys_are_pruned_after_a_day(void **state)
{
    struct fixture *f = *state;
    uint32_t slices;
    for (uint64_t i = 0; i < 10; i++) {
        fixture_change(f, CHANGE_IDEMPOTENCY)->idempotency =
            (struct idempotency_image){.key = {i, i}, .http_status = 201, .at_ms = f->at_ms};
        fixture_put(f);
        f->at_ms += DAY_MS / 8;
    }
    fixture_commit(f); /* the book's time is that of the last change: 10/8 days after the first key */
    assert_int_equal(prune_all(f, 0, 1, &slices), 2);
    assert_int_equal(slices, 3);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM idempotency"), 8);
}

static void an_abandoned_import_is_pruned_and_a_running_one_stays(void **state)
{
    struct fixture *f = *state;
    struct seat_image seat = {.id = TEXT("A1")};
    uint32_t slices;
    uint64_t event = fixture_event(f, "eras");
    uint64_t given_up = f->seq + 1;
    fixture_stage(f, event, given_up, 0, &seat, 1);
    imports_over = f->seq;
    uint64_t running = f->seq + 1;
    fixture_stage(f, event, running, 0, &seat, 1);
    f->at_ms += 3 * DAY_MS; /* for example because the disk was full */
    fixture_stage(f, event, running, 0, &seat, 1);
    fixture_commit(f);
    assert_int_equal(prune_all(f, 0, 10, &slices), 1);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM seats_staged"), 2);
    assert_int_equal(fixture_ask(f, "SELECT min(import) FROM seats_staged"), (int64_t)running);
    imports_over = 0;
}

static void an_import_stays_until_the_book_has_its_publication(void **state)
{
    struct fixture *f = *state;
    struct seat_image seat = {.id = TEXT("A1")};
    uint32_t slices;
    uint64_t event = fixture_event(f, "eras"), import = f->seq + 1;
    fixture_stage(f, event, import, 0, &seat, 1);
    fixture_commit(f);
    f->at_ms += 3 * DAY_MS;
    imports_over = f->seq + 1; /* published, and the book is one change behind */
    assert_int_equal(prune_all(f, 0, 10, &slices), 0);
    fixture_publish(f, event, import);
    fixture_commit(f);
    assert_int_equal(prune_all(f, 0, 10, &slices), 0);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM seats"), 1);
    imports_over = 0;
}

static void a_removed_event_is_pruned_when_unreferenced(void **state)
{
    struct fixture *f = *state;
    struct booking ann;
    uint32_t slices;
    uint64_t event = fixture_event(f, "eras"), other = fixture_event(f, "other");
    fixture_seats(f, event, 50);
    fixture_seats(f, other, 5);
    fixture_pool(f, event, 0, "floor", 10);
    fixture_hold(f, &ann, "ann", event, 0);
    fixture_end(f, &ann);
    f->at_ms += DAY_MS;
    fixture_event_remove(f, event, "eras");
    fixture_commit(f);
    assert_int_equal(prune_all(f, f->at_ms - DAY_MS, 10, &slices), 0);
    f->at_ms += DAY_MS;
    /* One reservation, 50 seats, the pool, the event; and the changes that made and removed them. */
    assert_int_equal(prune_all(f, f->at_ms, 10, &slices), 53 + 6);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM seats"), 5);
    fixture_says(f, "SELECT group_concat(id) FROM events", "other");
    fixture_check(f);
}

/* Its history names the seat, and only the event knows that name. */
static void a_removed_event_stays_while_a_history_names_it(void **state)
{
    struct fixture *f = *state;
    struct booking ann;
    uint32_t slices;
    uint64_t event = fixture_event(f, "eras"), other = fixture_event(f, "other");
    fixture_seats(f, event, 5);
    fixture_seats(f, other, 5);
    fixture_hold(f, &ann, "ann", event, 0);
    booking_add(f, &ann, ITEM_SEAT, other, 0, 1);
    fixture_write(f, &ann, ACTION_ITEM_ADDED);
    struct item_image was = ann.items[0];
    ann.items[0] = ann.items[1];
    ann.image.item_count = 1;
    fixture_write_noted(f, &ann, ACTION_ITEM_DROPPED, &was);
    fixture_event_remove(f, event, "eras");
    fixture_commit(f);
    f->at_ms += DAY_MS;
    /* Only the changes that made and removed them. */
    assert_int_equal(prune_all(f, f->at_ms, 10, &slices), 5);
    fixture_says(f, "SELECT group_concat(id) FROM events", "eras,other");
    fixture_end(f, &ann);
    fixture_commit(f);
    f->at_ms += DAY_MS;
    /* The reservation, five seats, the event. */
    assert_int_equal(prune_all(f, f->at_ms, 10, &slices), 7);
    fixture_says(f, "SELECT group_concat(id) FROM events", "other");
    fixture_check(f);
}

static void a_removed_calendar_is_pruned_when_unreferenced(void **state)
{
    struct fixture *f = *state;
    struct booking ann;
    uint32_t slices;
    uint64_t calendar = fixture_calendar(f, "dr_smith", 1), other = fixture_calendar(f, "dr_who", 1);
    booking_begin(f, &ann, "ann");
    booking_slot(f, &ann, calendar, 60, 90, 100);
    fixture_write(f, &ann, ACTION_HELD);
    f->at_ms += 60000;
    fixture_end(f, &ann);
    fixture_calendar_remove(f, calendar);
    fixture_commit(f);
    assert_int_equal(prune_all(f, f->at_ms - DAY_MS, 10, &slices), 0);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM calendars"), 2);
    f->at_ms += DAY_MS;
    /* One reservation, two ranges of hours, a closed interval, two services, the calendar; and the changes that made
     * and removed it. */
    assert_int_equal(prune_all(f, f->at_ms, 10, &slices), 7 + 3);
    assert_int_equal(fixture_ask(f, "SELECT number FROM calendars"), (int64_t)other);
    fixture_check(f);
}

/* The same for entries: from the end, so that the rest has no gaps. */
static void a_removed_event_is_pruned_with_its_entries(void **state)
{
    struct fixture *f = *state;
    uint32_t slices, pruned;
    bool done;
    char user[16];
    uint64_t events[2];
    for (int k = 0; k < 2; k++) {
        events[k] = fixture_event_with_lines(f, k ? "other" : "eras");
        for (uint32_t i = 1; i <= 25; i++) {
            snprintf(user, sizeof(user), "u%u", i);
            fixture_join(f, events[k], i, user);
            struct list_entry_image entry = fixture_wish(f, events[k], i, user);
            fixture_list(f, &entry);
        }
    }
    fixture_remove_with_lines(f, events[0], "eras");
    fixture_commit(f);
    assert_int_equal(prune_all(f, f->at_ms, 10, &slices), 0);
    f->at_ms += DAY_MS;
    assert_ok(book_writer_prune(f->writer, f->at_ms, 0, 10, &pruned, &done));
    assert_int_equal(pruned, 10 + 5); /* and the changes that made and removed it */
    assert_false(done);
    fixture_says(f, "SELECT count(*) || ' ' || max(number) FROM queue WHERE event = 1", "15 15");
    fixture_check(f);
    /* 15 in the queue, 25 on the list, the queue, its settings, the event. */
    assert_int_equal(prune_all(f, f->at_ms, 10, &slices), 43);
    fixture_says(f, "SELECT group_concat(id) FROM events", "other");
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM queue"), 25);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM waiting_list"), 25);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM rooms"), 1);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM room_settings"), 1);
    fixture_check(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        book_test(ended_reservations_are_pruned_with_all_their_rows),
        book_test(dead_messages_are_pruned_with_the_history_and_waiting_ones_stay),
        book_test(the_audit_log_is_pruned_with_the_history),
        book_test(idempotency_keys_are_pruned_after_a_day),
        book_test(an_abandoned_import_is_pruned_and_a_running_one_stays),
        book_test(an_import_stays_until_the_book_has_its_publication),
        book_test(a_removed_event_is_pruned_when_unreferenced),
        book_test(a_removed_event_stays_while_a_history_names_it),
        book_test(a_removed_calendar_is_pruned_when_unreferenced),
        book_test(a_removed_event_is_pruned_with_its_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
