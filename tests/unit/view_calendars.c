/* SPDX-License-Identifier: Apache-2.0 */
/* Calendars through the store: they survive a restart, need their time zone, and are in lists, checks and backups. */
#include "../lib/view_loop.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/time/zone.h"
#include "book/file/sql.h"
#include "check_report.h"
#include "store/backup.h"

#define MINUTE_MS 60000LL
#define MONDAY_MS 1772438400000LL /* 2026-03-02T08:00:00Z: nine in Berlin */
#define START_MS (MONDAY_MS - 60 * MINUTE_MS)

static uint64_t next_id;

/* ---- A store ---- */

static struct status try_open(const char *path)
{
    static int64_t now_ms = START_MS;
    return store_try((struct store_options){.data = path, .clock = fixed_clock(&now_ms)});
}

static void open_store(const char *path)
{
    fine(try_open(path));
}

static int set_up(void **state)
{
    (void)state;
    fixture_folders();
    return 0;
}

static int tear_down(void **state)
{
    unsetenv("TZDIR");
    unsetenv("TMPDIR");
    return fixture_clear(state);
}

/* ---- Commands ---- */

struct answer {
    bool done;
    enum outcome_code code;
    uint64_t seq;
    struct id id;
    enum unit_status status; /* of the first obstacle */
};

static void on_done(void *ctx, const struct outcome *outcome)
{
    struct answer *a = ctx;
    *a = (struct answer){.done = true, .code = outcome->code, .seq = outcome->seq};
    if (outcome->has_reservation)
        a->id = outcome->reservation.id;
    if (outcome->obstacle_count)
        a->status = outcome->obstacles[0].status;
}

static struct answer submit(struct command *c)
{
    struct answer answer = {0};
    store_submit(store, c, on_done, &answer);
    run_until(answer.done);
    return answer;
}

static struct answer put(const char *id, uint32_t capacity)
{
    static const struct hours_range hours[] = {{0x1f, 540, 1020}};
    static const struct closed_interval closed[] = {{MONDAY_MS + 86400000, MONDAY_MS + 2 * 86400000LL}};
    static const struct service_image services[] = {{TEXT("check_up"), 30, 4000, false}};
    struct zone *zone = zone_load("Europe/Berlin");
    assert_non_null(zone);
    struct command c = {.kind = COMMAND_CALENDAR_PUT, .actor = {.role = ROLE_ADMIN}};
    c.calendar_put.zone = zone;
    c.calendar_put.image =
        (struct calendar_image){.id = {id, strlen(id)},
                                .name = TEXT("Dr Smith"),
                                .timezone = TEXT("Europe/Berlin"),
                                .capacity = capacity,
                                .price = 2500,
                                .terms = {"EUR", 600, 900, 0, PAYMENT_NONE, LATE_PAYMENT_REFUND, 0},
                                .slot_minutes = 30,
                                .rules = CALENDAR_RULES_PLAIN,
                                .hours = hours,
                                .hours_count = 1,
                                .closed = closed,
                                .closed_count = 1,
                                .services = services,
                                .service_count = 1};
    struct answer answer = submit(&c);
    zone_release(zone);
    return answer;
}

/* Minutes after nine in Berlin. */
static struct answer hold(const char *calendar, int64_t from, int64_t to, bool commit)
{
    struct item_request item = {.kind = ITEM_SLOT,
                                .resource = {calendar, strlen(calendar)},
                                .quantity = 1,
                                .start_ms = MONDAY_MS + from * MINUTE_MS,
                                .end_ms = MONDAY_MS + to * MINUTE_MS};
    struct command c = {.kind = COMMAND_HOLD,
                        .actor = {.role = ROLE_APP, .name = TEXT("desk")},
                        .user_id = TEXT("ann"),
                        .reservation = id_make(START_MS, ++next_id, (uint64_t)getpid())};
    c.hold.items = &item;
    c.hold.count = 1;
    c.hold.commit = commit;
    c.hold.ticket_key[0] = next_id;
    return submit(&c);
}

static void expect_hold(const char *calendar, int64_t from, int64_t to, enum outcome_code code,
                        enum unit_status status)
{
    struct answer answer = hold(calendar, from, to, false);
    assert_int_equal(answer.code, code);
    assert_int_equal(answer.status, status);
}

/* The available slots of that Monday and Tuesday, as minutes after nine. */
static void expect_slots(const char *calendar, struct text service, const char *expected)
{
    char text[256] = "";
    struct slot slots[4];
    struct slots_page page;
    struct slots_query query = {.from_ms = MONDAY_MS, .to_ms = MONDAY_MS + 300 * MINUTE_MS, .limit = 4};
    do {
        assert_int_equal(
            view_slots(view, (struct text){calendar, strlen(calendar)}, service, &query, slots, &page),
            OUTCOME_OK);
        for (uint32_t i = 0; i < page.count; i++) {
            size_t used = strlen(text);
            assert_int_equal(slots[i].end_ms - slots[i].start_ms, 30 * MINUTE_MS);
            snprintf(text + used, sizeof(text) - used, "%s%lld:%u", used ? " " : "",
                     (long long)((slots[i].start_ms - MONDAY_MS) / MINUTE_MS), slots[i].available);
        }
        query.from_ms = page.next_ms;
    } while (page.more);
    assert_string_equal(text, expected);
}

static struct id sold, held;

/* dr_smith: the first half hour sold, the second held; `queue` of two: one sold. Everything is durable. */
static void write_calendars(void)
{
    assert_int_equal(put("dr_smith", 1).code, OUTCOME_OK);
    assert_int_equal(put("room", 2).code, OUTCOME_OK);
    struct answer first = hold("dr_smith", 0, 30, true), second = hold("dr_smith", 30, 60, false),
                  third = hold("room", 0, 60, true);
    assert_int_equal(first.code | second.code | third.code, OUTCOME_OK);
    sold = first.id;
    held = second.id;
    wait_durable();
}

static void expect_calendars(void)
{
    struct calendar_view seen;
    assert_true(view_calendar_find(view, TEXT("dr_smith"), &seen));
    assert_int_equal(seen.image.capacity, 1);
    assert_int_equal(seen.image.hours_count, 1);
    assert_int_equal(seen.image.hours[0].to_minute, 1020);
    assert_int_equal(seen.image.closed_count, 1);
    assert_true(text_equal(seen.image.services[0].id, TEXT("check_up")));
    assert_true(text_equal(seen.image.timezone, TEXT("Europe/Berlin")));
    assert_true(view_calendar_after(view, seen.image.number, &seen));
    assert_true(text_equal(seen.image.id, TEXT("room")));
    assert_false(view_calendar_after(view, seen.image.number, &seen));
    assert_true(view_calendar_after(view, 0, &seen));
    assert_true(text_equal(seen.image.id, TEXT("dr_smith")));
    expect_slots("dr_smith", (struct text){0}, "60:1 90:1 120:1 150:1 180:1 210:1 240:1 270:1");
    expect_slots("room", TEXT("check_up"), "0:1 30:1 60:2 90:2 120:2 150:2 180:2 210:2 240:2 270:2");
    expect_hold("dr_smith", 10, 20, OUTCOME_TAKEN, UNIT_SOLD);
    expect_hold("dr_smith", 40, 50, OUTCOME_TAKEN, UNIT_HELD);
    expect_hold("dr_smith", -10, 20, OUTCOME_CLOSED, 0);
    expect_hold("dr_smith", 1440, 1450, OUTCOME_CLOSED, 0);
}

/* ---- Claims ---- */

static void the_door_answers_about_calendars(void **state)
{
    (void)state;
    struct calendar_view seen;
    struct slots_query query = {.from_ms = MONDAY_MS, .to_ms = MONDAY_MS + 1, .limit = 1};
    struct slot slot;
    struct slots_page page;
    open_store(fixture_data);
    assert_false(view_calendar_after(view, 0, &seen));
    write_calendars();
    expect_calendars();
    assert_false(view_calendar_find(view, TEXT("dr_who"), &seen));
    assert_int_equal(view_slots(view, TEXT("dr_who"), TEXT("x"), &query, &slot, &page),
                     OUTCOME_NO_SUCH_CALENDAR);
    assert_int_equal(view_slots(view, TEXT("room"), TEXT("x"), &query, &slot, &page), OUTCOME_INVALID);
    assert_int_equal(put("room", 1).code, OUTCOME_OK);
    assert_int_equal(hold("room", 60, 90, false).code, OUTCOME_OK);
    expect_hold("room", 60, 90, OUTCOME_TAKEN, UNIT_HELD);
}

static void calendars_come_back_from_the_book(void **state)
{
    (void)state;
    open_store(fixture_data);
    write_calendars();
    wait_recorded();
    close_store();
    open_store(fixture_data);
    expect_calendars();
    /* Both forgotten and held reservations continue. */
    struct command move = {
        .kind = COMMAND_ITEM_MOVE, .actor = {.role = ROLE_APP, .name = TEXT("desk")}, .reservation = sold};
    move.item.item_id = 1;
    move.item.start_ms = MONDAY_MS + 60 * MINUTE_MS;
    move.item.end_ms = MONDAY_MS + 75 * MINUTE_MS;
    move.item.has_end = true;
    assert_int_equal(submit(&move).code, OUTCOME_OK);
    struct command release = {
        .kind = COMMAND_RELEASE, .actor = {.role = ROLE_APP, .name = TEXT("desk")}, .reservation = held};
    assert_int_equal(submit(&release).code, OUTCOME_OK);
    close_store();
    open_store(fixture_data);
    expect_slots("dr_smith", (struct text){0}, "0:1 30:1 90:1 120:1 150:1 180:1 210:1 240:1 270:1");
    expect_hold("dr_smith", 74, 76, OUTCOME_TAKEN, UNIT_SOLD);
}

/* A process that ends without closing leaves the last changes in the journal alone, or in both. */
static void calendars_come_back_from_the_journal(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        open_store(fixture_data);
        write_calendars();
        _exit(0);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_int_equal(how, 0);
    open_store(fixture_data);
    expect_calendars();
}

static void a_missing_time_zone_prevents_the_start(void **state)
{
    (void)state;
    open_store(fixture_data);
    write_calendars();
    close_store();
    setenv("TZDIR", fixture_folder, 1);
    struct status fault = try_open(fixture_data);
    assert_int_equal(fault.kind, STATUS_INVALID);
    assert_non_null(strstr(fault.text, "Europe/Berlin"));
    assert_non_null(strstr(fault.text, "dr_smith"));
    unsetenv("TZDIR");
    open_store(fixture_data);
    expect_calendars();
}

/* ---- From the book ---- */

struct rows {
    bool done;
    struct query_result result;
    char text[256];
};

static void on_row(void *ctx, const struct query_row *row)
{
    const struct reservation_image *r = row->reservation;
    struct rows *rows = ctx;
    size_t used = strlen(rows->text);
    assert_null(row->history);
    assert_int_equal(r->item_count, 1);
    snprintf(rows->text + used, sizeof(rows->text) - used, "%.*s %lld-%lld;",
             (int)r->items[0].resource_id.size, r->items[0].resource_id.at,
             (long long)((r->items[0].start_ms - MONDAY_MS) / MINUTE_MS),
             (long long)((r->items[0].end_ms - MONDAY_MS) / MINUTE_MS));
}

static void on_rows(void *ctx, const struct query_result *result)
{
    struct rows *rows = ctx;
    rows->result = *result;
    rows->done = true;
}

static struct rows ask(struct query q)
{
    struct rows rows = {0};
    q.limit = 10;
    wait_recorded();
    store_query(store, &q, on_row, on_rows, &rows);
    run_until(rows.done);
    assert_true(rows.result.ok);
    return rows;
}

static void lists_show_what_was_written_before(void **state)
{
    (void)state;
    open_store(fixture_data);
    write_calendars();
    struct answer last = hold("dr_smith", 400, 420, true);
    struct rows rows =
        ask((struct query){.kind = QUERY_BOOKINGS, .calendar = TEXT("dr_smith"), .min_seq = last.seq});
    assert_true(rows.result.seq >= last.seq);
    assert_string_equal(rows.text, "dr_smith 0-30;dr_smith 400-420;");
    rows = ask((struct query){.calendar = TEXT("dr_smith"), .min_seq = last.seq});
    assert_string_equal(rows.text, "dr_smith 400-420;dr_smith 30-60;dr_smith 0-30;");
    rows = ask((struct query){.calendar = TEXT("room"), .min_seq = last.seq});
    assert_string_equal(rows.text, "room 0-60;");
}

/* ---- Check and backup ---- */

static void a_check_covers_calendars(void **state)
{
    (void)state;
    char book[SCRATCH_FILE];
    struct sql *s;
    open_store(fixture_data);
    write_calendars();
    wait_recorded(); /* the book is altered */
    close_store();
    check_says(fixture_data, STATUS_OK, "0 events, 2 calendars, 1 held reservation in");
    setenv("TZDIR", fixture_folder, 1);
    check_says(fixture_data, STATUS_OK,
               "this system lacks Europe/Berlin, the time zone of calendar dr_smith");
    unsetenv("TZDIR");
    snprintf(book, sizeof(book), "%s/book.sqlite", fixture_data);
    fine(sql_open(&s, book, SQL_WRITE));
    sql_run(s, "UPDATE items SET starts_at = starts_at + 1 WHERE reservation = 3");
    assert_true(sql_sound(s));
    sql_close(s);
    check_says(fixture_data, STATUS_CORRUPT, "FAULT Item 1 of reservation 3");
}

static void a_backup_has_the_calendars(void **state)
{
    (void)state;
    struct backup_report report;
    char again[SCRATCH_FILE];
    open_store(fixture_data);
    write_calendars();
    fine(backup_make(fixture_data, fixture_other, &report)); /* of a running server */
    close_store();
    check_says(fixture_other, STATUS_OK, "2 calendars");
    snprintf(again, sizeof(again), "%s/again", fixture_folder);
    fine(backup_make(fixture_other, again, &report));
    open_store(again);
    expect_calendars();
}

/* ---- While the recorder frees segments ---- */

struct copying {
    struct status fault;
    atomic_bool done;
};

static void *copy(void *ctx)
{
    struct copying *c = ctx;
    struct backup_report report;
    c->fault = backup_make(fixture_data, fixture_other, &report);
    atomic_store(&c->done, true);
    return NULL;
}

/* Whether a process waits for a lock. If that cannot be seen it is released early, and the test shows less. */
static bool waited_for(void)
{
    char line[256];
    FILE *locks = fopen("/proc/locks", "r");
    bool found = !locks;
    while (locks && fgets(line, sizeof(line), locks))
        found = found || strstr(line, "-> FLOCK");
    if (locks)
        fclose(locks);
    return found;
}

static void a_backup_waits_while_segments_are_freed(void **state)
{
    (void)state;
    char path[SCRATCH_FILE];
    struct copying c = {.fault = status_none()};
    pthread_t thread;
    open_store(fixture_data);
    write_calendars();
    snprintf(path, sizeof(path), "%s/backup.lock", fixture_data);
    int lock = open(path, O_RDWR);
    while (flock(lock, LOCK_EX | LOCK_NB) != 0) /* the recorder itself could have it */
        sched_yield();
    assert_int_equal(pthread_create(&thread, NULL, copy, &c), 0);
    while (!atomic_load(&c.done) && !waited_for())
        sched_yield();
    assert_int_equal(flock(lock, LOCK_UN), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    close(lock);
    fine(c.fault);
    close_store();
    check_says(fixture_other, STATUS_OK, "2 calendars");
}

static void count_span(void *ctx, const struct span_view *span)
{
    (void)span;
    ++*(uint32_t *)ctx;
}

static void stream_data_is_removed_with_its_calendar(void **state)
{
    (void)state;
    uint32_t spans = 0;
    open_store(fixture_data);
    uint64_t number = put("dr_smith", 1).seq;
    assert_true(view_spans(view, number, number, count_span, &spans));
    struct answer first = hold("dr_smith", 0, 30, false);
    run_until(store_durable_seq(store) >= first.seq);
    assert_true(view_spans(view, number, number, count_span, &spans));
    assert_int_equal(spans, 1);
    struct command c = {.kind = COMMAND_RELEASE,
                        .actor = {.role = ROLE_ADMIN},
                        .user_id = TEXT("ann"),
                        .reservation = first.id};
    assert_int_equal(submit(&c).code, OUTCOME_OK);
    c = (struct command){
        .kind = COMMAND_CALENDAR_REMOVE, .actor = {.role = ROLE_ADMIN}, .calendar = TEXT("dr_smith")};
    assert_non_null(view->calendars[0]);
    assert_int_equal(submit(&c).code, OUTCOME_OK);
    assert_null(view->calendars[0]);
    assert_false(view_spans(view, number, number, count_span, &spans));
    /* A new one of the same name has its own. */
    number = put("dr_smith", 1).seq;
    assert_true(view_spans(view, number, number, count_span, &spans));
    assert_int_equal(spans, 1);
    close_store();
}

int main(void)
{
#define store_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        store_test(calendars_come_back_from_the_journal), /* forks, so it comes before any thread */
        store_test(calendars_come_back_from_the_book),
        store_test(the_door_answers_about_calendars),
        store_test(a_missing_time_zone_prevents_the_start),
        store_test(lists_show_what_was_written_before),
        store_test(a_check_covers_calendars),
        store_test(a_backup_has_the_calendars),
        store_test(a_backup_waits_while_segments_are_freed),
        store_test(stream_data_is_removed_with_its_calendar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
