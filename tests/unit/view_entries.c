/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting rooms and waiting lists through the store: shown from memory, advanced by the loop's own time, in lists,
 * checks and backups, and the same after a restart. */
#include "entry_fixture.h"

#include <sys/wait.h>
#include <unistd.h>

#include "book/file/sql.h"
#include "core/entry_id.h"
#include "check_report.h"
#include "store/backup.h"

/* ---- Rooms ---- */

static void the_door_answers_about_queues(void **state)
{
    (void)state;
    struct queue_view queue;
    struct queue_entry_image entry;
    uint64_t seq;
    open_store(fixture_data);
    put_event("show", 10, 1);
    put_event("plain", 0, 0);
    assert_int_equal(view_queue_find(view, TEXT("none"), &queue), OUTCOME_NO_SUCH_EVENT);
    assert_int_equal(view_queue_find(view, TEXT("plain"), &queue), OUTCOME_NO_WAITING_ROOM);
    put_pool(0); /* nothing is available: nobody is admitted */
    assert_int_equal(join_queue("ann"), OUTCOME_OK);
    assert_int_equal(join_queue("bob"), OUTCOME_OK);
    assert_int_equal(last.entry.position, 2);
    assert_int_equal(view_queue_find(view, TEXT("show"), &queue), OUTCOME_OK);
    assert_int_equal(queue.joined, 2);
    assert_true(queue.seq > 0 && queue.seq <= store->state->seq);
    uint64_t event = show_number();
    assert_true(view_queue_entry(view, event, 2, &entry, &seq));
    assert_true(text_equal(entry.user_id, TEXT("bob")) && id_equal(entry.id, last.entry.id));
    assert_int_equal(entry.ahead, 1);
    assert_true(seq > 0 && seq <= store->state->seq);
    assert_false(view_queue_entry(view, event, 3, &entry, &seq));
    assert_false(view_queue_entry(view, event, 0, &entry, &seq));
    assert_false(view_queue_entry(view, event + 1, 1, &entry, &seq)); /* "plain" */
    assert_false(view_queue_entry(view, 999, 1, &entry, &seq));
    store_queue_present(store, event, 1);
    store_queue_present(store, event, 99);
    store_queue_present(store, 999, 1);
}

/* Without a command. */
static void the_loop_admits_by_the_clock(void **state)
{
    (void)state;
    open_store(fixture_data);
    put_event("show", 10, 3);
    put_pool(100);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(join_queue((const char *[]){"ann", "bob", "cid", "dan", "eve"}[i]), OUTCOME_OK);
    run_until(queue_status_of(1) == QUEUE_ADMITTED);
    assert_int_equal(queue_now().active, 1);
    for (uint32_t number = 2; number <= 3; number++) {
        now_ms += 100;
        run_until(queue_status_of(number) == QUEUE_ADMITTED);
    }
    now_ms += 60000;
    uv_run(&loop, UV_RUN_ONCE);
    uv_run(&loop, UV_RUN_ONCE);
    assert_int_equal(queue_status_of(4), QUEUE_WAITING); /* there are three */
    now_ms += 900000;                                    /* their passes lapse; the others were silent */
    run_until(queue_status_of(1) == QUEUE_FINISHED && queue_status_of(5) == QUEUE_PASSED_OVER);
    assert_int_equal(queue_now().finished, 3);
}

/* A stream counts like a poll. */
static void a_present_person_is_not_passed_over(void **state)
{
    (void)state;
    open_store(fixture_data);
    put_event("show", 10, 1);
    put_pool(100);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(join_queue((const char *[]){"ann", "bob", "cid"}[i]), OUTCOME_OK);
    run_until(queue_status_of(1) == QUEUE_ADMITTED);
    now_ms += 899000;
    uv_run(&loop, UV_RUN_ONCE);
    store_queue_present(store, show_number(), 3);
    now_ms += 2000;
    run_until(queue_status_of(3) == QUEUE_ADMITTED);
    assert_int_equal(queue_status_of(2), QUEUE_PASSED_OVER);
}

static void a_removed_event_leaves_no_entries_behind(void **state)
{
    (void)state;
    struct queue_entry_image entry;
    uint64_t seq;
    open_store(fixture_data);
    put_event("show", 0, 0);
    put_pool(10);
    assert_int_equal(list_join("ann", 2), OUTCOME_OK);
    assert_int_equal(release(last.list_entry.reservation),
                     OUTCOME_NO_SUCH_RESERVATION); /* as it was when made */
    put_event("show", 10, 1);
    assert_int_equal(join_queue("ann"), OUTCOME_OK);
    uint64_t event = show_number();
    struct command look = {.kind = COMMAND_LIST_LEAVE, .actor = {.role = ROLE_ADMIN}};
    look.list.event = TEXT("show");
    look.list.entry = entry_id((const uint64_t[]){0x1111111111111111, 0x2222222222222222}, ENTRY_LIST, 1);
    must(&look);
    struct command c = {.kind = COMMAND_EVENT_REMOVE, .actor = {.role = ROLE_ADMIN}, .event = TEXT("show")};
    must(&c);
    assert_false(view_queue_entry(view, event, 1, &entry, &seq));
    run_until(!store->state->detached && store->working == 0);
    close_store();
    open_store(fixture_data);
    assert_false(view_queue_entry(view, event, 1, &entry, &seq));
}

/* ---- Lists ---- */

static uint32_t list_count(enum list_status status);

static void freed_stock_is_offered_and_never_seen(void **state)
{
    (void)state;
    open_store(fixture_data);
    put_event("show", 0, 0);
    put_pool(5);
    assert_int_equal(hold_pool("ann", 5), OUTCOME_OK);
    struct id held = last.reservation.id;
    assert_int_equal(list_join("bob", 5), OUTCOME_OK);
    assert_int_equal(pool_seen(), 0);
    assert_int_equal(release(held), OUTCOME_OK);
    assert_int_equal(pool_seen(), 0);
    assert_int_equal(list_count(LIST_OFFERED), 1);
    assert_int_equal(hold_pool("cid", 1), OUTCOME_SOLD_OUT);
    now_ms += 600000; /* bob lets it lapse; nobody else waits */
    run_until(store->state->by_status[RESERVATION_HELD] == 0);
    assert_int_equal(list_count(LIST_LEFT), 1);
    assert_int_equal(pool_seen(), 5);
}

/* More than one step makes. */
static void nothing_is_free_while_offers_are_due(void **state)
{
    (void)state;
    char user[16];
    open_store(fixture_data);
    put_event("show", 0, 0);
    put_pool(300);
    assert_int_equal(hold_pool("ann", 300), OUTCOME_OK);
    struct id held = last.reservation.id;
    for (uint32_t i = 0; i < 250; i++) {
        snprintf(user, sizeof(user), "u%u", i);
        assert_int_equal(list_join(user, 1), OUTCOME_OK);
    }
    uint32_t steps = 0;
    assert_int_equal(release(held), OUTCOME_OK);
    const struct event *e = event_find(store->state, TEXT("show"));
    for (; waiting_list_busy(e); steps++) {
        assert_true(store->state->by_status[RESERVATION_HELD] < 250);
        assert_int_equal(pool_seen(), 0);
        uv_run(&loop, UV_RUN_ONCE);
    }
    assert_true(steps > 0);
    assert_int_equal(store->state->by_status[RESERVATION_HELD], 250);
    assert_int_equal(pool_seen(), 50);
}

static bool read_seats(void *ctx, struct buf *rows, uint32_t *count, struct import_fault *fault)
{
    (void)ctx, (void)fault;
    for (uint32_t i = 0; i < 200; i++) {
        char id[16];
        snprintf(id, sizeof(id), "S%u", i);
        seat_row_put(rows, SEAT_COLUMN_BLOCKED, &(struct seat_image){.id = text_of(id), .blocked = true});
    }
    *count = 200;
    return true;
}

static void on_imported(void *ctx, const struct import_result *result)
{
    assert_int_equal(result->code, OUTCOME_OK);
    *(bool *)ctx = true;
}

/* Two hundred seats go on sale at once, and a hundred and fifty people wait for one each. */
static void seats_on_offer_look_held_everywhere(void **state)
{
    (void)state;
    struct actor admin = {.role = ROLE_ADMIN};
    struct event_view seen;
    struct seat_view seat;
    char ids[200][8];
    struct text seats[200];
    bool imported = false;
    open_store(fixture_data);
    put_event("show", 0, 0);
    store_import(store, &admin, TEXT("show"), read_seats, on_imported, &imported);
    run_until(imported);
    for (uint32_t i = 0; i < 200; i++) {
        snprintf(ids[i], sizeof(ids[i]), "S%u", i);
        seats[i] = text_of(ids[i]);
        struct command c = {.kind = COMMAND_LIST_JOIN, .actor = {.role = ROLE_USER, .name = seats[i]}};
        c.list.event = TEXT("show");
        c.list.wish.quantity = 1;
        if (i < 150)
            must(&c);
    }
    struct command c = {.kind = COMMAND_SEATS_BLOCK, .actor = admin};
    c.seats_block.event = TEXT("show");
    c.seats_block.ids = seats;
    c.seats_block.count = 200;
    must(&c);
    const struct event *e = event_find(store->state, TEXT("show"));
    assert_true(waiting_list_busy(e));
    for (; waiting_list_busy(e); uv_run(&loop, UV_RUN_ONCE)) {
        assert_true(view_event_find(view, TEXT("show"), &seen));
        assert_int_equal(seen.counts.available, 0);
        assert_int_equal(seen.counts.held, 200);
        assert_int_equal(view_seat_find(view, TEXT("show"), seats[199], &seat), OUTCOME_OK);
        assert_int_equal(seat.status, UNIT_HELD);
        assert_null(strchr(map_seen(), 'a'));
    }
    assert_true(view_event_find(view, TEXT("show"), &seen));
    assert_int_equal(seen.counts.available, 50);
    assert_int_equal(store->state->by_status[RESERVATION_HELD], 150);
    uint32_t free_seats = 0;
    for (const char *at = map_seen(); *at; at++)
        free_seats += *at == 'a';
    assert_int_equal(free_seats, 50);
}

struct rows {
    bool done;
    struct query_result result;
    uint32_t count;
};

static void on_row(void *ctx, const struct query_row *row)
{
    struct rows *rows = ctx;
    const uint64_t key[2] = {0x1111111111111111, 0x2222222222222222};
    assert_int_equal(entry_id_number(key, ENTRY_LIST, row->list_entry->id), row->list_entry->number);
    rows->count++;
}

static void on_rows(void *ctx, const struct query_result *result)
{
    struct rows *rows = ctx;
    rows->result = *result;
    rows->done = true;
}

static uint32_t list_count(enum list_status status)
{
    struct rows rows = {0};
    struct query q = {.kind = QUERY_WAITING_LIST,
                      .event_number = show_number(),
                      .has_list_status = true,
                      .list_status = status,
                      .limit = 1000,
                      .min_seq = store->state->seq};
    wait_recorded();
    store_query(store, &q, on_row, on_rows, &rows);
    run_until(rows.done);
    assert_true(rows.result.ok && !rows.result.more);
    return rows.count;
}

/* ---- Restarts ---- */

/* Of six in line two are admitted, one has left; bob has an offer, cid waits. */
static void write_lines(void)
{
    put_event("show", 10, 2);
    put_pool(5);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(join_queue((const char *[]){"ann", "bob", "cid", "dan", "eve", "fay"}[i]),
                         OUTCOME_OK);
    run_until(queue_status_of(1) == QUEUE_ADMITTED);
    now_ms += 100;
    run_until(queue_status_of(2) == QUEUE_ADMITTED);
    struct command leave = {.kind = COMMAND_QUEUE_LEAVE, .actor = {.role = ROLE_USER, .name = TEXT("fay")}};
    leave.queue.event = TEXT("show");
    leave.queue.entry = last.entry.id;
    must(&leave);
    assert_int_equal(hold_pool("ann", 5), OUTCOME_OK);
    struct id held = last.reservation.id;
    assert_int_equal(list_join("bob", 3), OUTCOME_OK);
    assert_int_equal(list_join("cid", 4), OUTCOME_OK);
    assert_int_equal(release(held), OUTCOME_OK);
    wait_durable();
}

static void expect_lines(void)
{
    static const enum queue_status expected[] = {QUEUE_ADMITTED, QUEUE_ADMITTED, QUEUE_WAITING,
                                                 QUEUE_WAITING,  QUEUE_WAITING,  QUEUE_LEFT};
    struct queue_entry_image entry;
    uint64_t seq;
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(queue_status_of(i + 1), expected[i]);
    assert_true(view_queue_entry(view, show_number(), 5, &entry, &seq));
    assert_true(text_equal(entry.user_id, TEXT("eve")));
    assert_int_equal(entry.position, 5);
    assert_int_equal(entry.ahead, 2);
    assert_int_equal(queue_now().serving, 2);
    assert_int_equal(pool_seen(), 2);
    assert_int_equal(hold_pool("dan", 3), OUTCOME_SOLD_OUT);
    assert_int_equal(join_queue("dan"), OUTCOME_OK); /* the entry of before */
    assert_false(last.created);
    assert_int_equal(last.entry.number, 4);
    assert_int_equal(list_join("cid", 1), OUTCOME_OK);
    assert_false(last.created);
    assert_int_equal(last.list_entry.wish.quantity, 4);
    assert_int_equal(last.list_entry.position, 1);
    assert_int_equal(list_count(LIST_OFFERED), 1);
}

static void entries_come_back_from_the_journal(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        open_store(fixture_data);
        write_lines();
        _exit(0);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_int_equal(how, 0);
    now_ms = START_MS + 100;
    open_store(fixture_data);
    expect_lines();
}

static void entries_come_back_from_the_book(void **state)
{
    (void)state;
    open_store(fixture_data);
    write_lines();
    wait_recorded();
    close_store();
    open_store(fixture_data);
    assert_int_equal(recorder_seq(&store->recorder), store->state->seq);
    expect_lines();
    /* The earlier offer continues: when it ends the next one is asked. */
    now_ms += 600000;
    run_until(list_count(LIST_LEFT) == 1);
    assert_int_equal(list_count(LIST_OFFERED), 1);
    assert_int_equal(pool_seen(), 1);
}

/* ---- Check, backup, older folders ---- */

static void alter(const char *statements)
{
    char book[SCRATCH_FILE];
    struct sql *s;
    snprintf(book, sizeof(book), "%s/book.sqlite", fixture_data);
    fine(sql_open(&s, book, SQL_WRITE));
    sql_run(s, "PRAGMA ignore_check_constraints = ON");
    sql_run(s, statements);
    fine(sql_status(s));
    sql_close(s);
}

static void a_check_covers_entries(void **state)
{
    (void)state;
    open_store(fixture_data);
    write_lines();
    wait_recorded(); /* the book is altered */
    close_store();
    check_says(fixture_data, STATUS_OK, "waiting rooms: 1, with 6 entries, 3 of them waiting");
    alter("UPDATE queue SET status = 'left', live = 0 WHERE number = 1");
    alter("UPDATE queue SET status = 'waiting' WHERE number = 1");
    check_says(fixture_data, STATUS_CORRUPT,
               "FAULT Entry 1 in the queue of event 1 is waiting, but its other columns");
    /* The book is consistent, but one person was admitted ahead of another: core notices. */
    alter("UPDATE queue SET until = NULL, live = 1 WHERE number = 1");
    check_says(fixture_data, STATUS_CORRUPT, "FAULT ");
    alter("DELETE FROM queue WHERE number = 3");
    check_says(fixture_data, STATUS_CORRUPT, "FAULT Entry 3 is missing in the queue of event 1.");
}

static void a_backup_has_the_entries(void **state)
{
    (void)state;
    struct backup_report report;
    open_store(fixture_data);
    write_lines();
    fine(backup_make(fixture_data, fixture_other, &report)); /* of a running server */
    close_store();
    check_says(fixture_other, STATUS_OK, "with 6 entries");
    open_store(fixture_other);
    expect_lines();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        line_test(entries_come_back_from_the_journal), /* forks, so it comes before any thread */
        line_test(the_door_answers_about_queues),
        line_test(the_loop_admits_by_the_clock),
        line_test(a_present_person_is_not_passed_over),
        line_test(a_removed_event_leaves_no_entries_behind),
        line_test(freed_stock_is_offered_and_never_seen),
        line_test(nothing_is_free_while_offers_are_due),
        line_test(seats_on_offer_look_held_everywhere),
        line_test(entries_come_back_from_the_book),
        line_test(a_check_covers_entries),
        line_test(a_backup_has_the_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
