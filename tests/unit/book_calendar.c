/* SPDX-License-Identifier: Apache-2.0 */
/* Calendars are rows that a person can read, and the book itself refuses more claims at once than a calendar
 * has room for. */
#include "../lib/book_fixture.h"

static void a_calendar_is_rows_that_a_person_can_read(void **state)
{
    struct fixture *f = *state;
    fixture_calendar(f, "dr_smith", 1);
    fixture_commit(f);
    fixture_says(f,
                 "SELECT concat FROM (SELECT id || ' ' || name || ' ' || timezone || ' ' || capacity || ' ' "
                 "|| price || "
                 "' ' || currency || ' ' || payment || ' ' || late_payment || ' ' || slot_minutes || ' ' || "
                 "buffer_minutes AS concat FROM calendars)",
                 "dr_smith A doctor Europe/Berlin 1 2500 EUR none refund 30 10");
    fixture_says(f,
                 "SELECT group_concat(position || ' ' || days || ' ' || opens || '-' || closes, ', ') FROM "
                 "calendar_hours",
                 "0 mon tue wed thu fri 09:00-17:00, 1 sat 22:00-02:00");
    assert_int_equal(fixture_ask(f, "SELECT ends_at - starts_at FROM calendar_closed"), 86400000);
    fixture_says(f, "SELECT group_concat(id || ' ' || duration_minutes || ' ' || price, ', ') FROM services",
                 "check_up 30 4000, x_ray 45 9000");
    fixture_check(f);
}

static void new_settings_replace_the_lists_and_keep_the_services(void **state)
{
    struct fixture *f = *state;
    uint64_t number = fixture_calendar(f, "dr_smith", 1);
    struct calendar_image *image = &f->change.calendar;
    struct service_image services[] = {image->services[0], image->services[1], {TEXT("talk"), 20, 1, false}};
    services[0].removed = true;
    services[1].price = 9500;
    image->services = services;
    image->service_count = 3;
    image->hours_count = 1;
    image->closed_count = 0;
    image->name = TEXT("Dr Smith");
    image->timezone = TEXT("Asia/Kathmandu");
    f->at_ms += 5000;
    fixture_put(f);
    fixture_commit(f);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM calendars"), 1);
    fixture_says(f, "SELECT name || ' ' || timezone || ' ' || (changed_at - created_at) FROM calendars",
                 "Dr Smith Asia/Kathmandu 5000");
    assert_int_equal(fixture_ask(f, "SELECT number FROM calendars"), (int64_t)number);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM calendar_hours"), 1);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM calendar_closed"), 0);
    fixture_says(f, "SELECT group_concat(id || ' ' || price || ' ' || removed, ', ') FROM services",
                 "check_up 4000 1, x_ray 9500 0, talk 1 0");
    assert_fault(fixture_try_calendar(f, f->seq + 1, "dr_smith", 1), STATUS_CORRUPT, "invalid settings");
    fixture_rollback(f);
}

static void a_removed_calendar_stays_for_its_items_and_leaves_its_name(void **state)
{
    struct fixture *f = *state;
    struct booking ann;
    uint64_t old = fixture_calendar(f, "dr_smith", 1);
    booking_begin(f, &ann, "ann");
    booking_slot(f, &ann, old, 60, 90, 100);
    ann.items[0].part = 2;
    fixture_write(f, &ann, ACTION_HELD);
    fixture_confirm(f, &ann);
    f->at_ms += 100 * 60000;
    fixture_calendar_remove(f, old);
    uint64_t new = fixture_calendar(f, "dr_smith", 1);
    assert_true(new > old);
    fixture_commit(f);
    fixture_says(f, "SELECT group_concat(id || ' ' || (removed_at IS NULL), ', ') FROM calendars",
                 "dr_smith 0, dr_smith 1");
    fixture_says(f, "SELECT calendar || ' ' || service FROM sales", "dr_smith x_ray");
    fixture_check(f);
    book_writer_close(f->writer);
    f->writer = NULL;
    fixture_reopen(f);
    fixture_check(f);
    /* Of the live ones a name has one; and what is gone does not go again. */
    assert_fault(fixture_try_calendar(f, f->seq + 1, "dr_smith", 1), STATUS_CORRUPT, "invalid settings");
    fixture_rollback(f);
    fixture_change(f, CHANGE_CALENDAR_REMOVED)->calendar_removed.number = old;
    assert_fault(fixture_try(f), STATUS_CORRUPT, "does not exist");
    fixture_rollback(f);
}

static void a_slot_is_one_row_in_each_table(void **state)
{
    struct fixture *f = *state;
    struct booking ann;
    uint64_t calendar = fixture_calendar(f, "dr_smith", 1);
    booking_begin(f, &ann, "ann");
    booking_slot(f, &ann, calendar, 60, 90, 100);
    booking_slot(f, &ann, calendar, 100, 145, 145);
    ann.items[1].part = 2; /* the second service */
    fixture_write(f, &ann, ACTION_HELD);
    fixture_commit(f);
    fixture_says(f,
                 "SELECT group_concat(printf('%d %s %d %s %s %d/%d', item_id, kind, calendar, ifnull(event, "
                 "'-'), ifnull(position, '-'), "
                 "(ends_at - starts_at) / 60000, (until - starts_at) / 60000), ', ') FROM items",
                 "1 slot 1 - - 30/40, 2 slot 1 - 1 45/45");
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM calendar_claims WHERE reservation = 2 AND counted"),
                     2);
    fixture_says(f,
                 "SELECT group_concat(printf('%d:%d', (at - 1700000000000) / 60000, claims), ' ') FROM "
                 "calendar_counts",
                 "60:1 145:0"); /* they touch: no step between them */
    fixture_check(f);
    fixture_confirm(f, &ann);
    fixture_commit(f);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM tickets"), 2);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM calendar_claims"), 2);
    fixture_check(f);
    ann.image.ended_at_ms = f->at_ms;
    ann.image.status = RESERVATION_REFUNDED;
    fixture_write(f, &ann, ACTION_RELEASED);
    fixture_commit(f);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM calendar_claims"), 0);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM calendar_counts"), 0);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM items"), 2);
}

static void an_overlapping_claim_fails_the_transaction(void **state)
{
    struct fixture *f = *state;
    struct booking ann, bob;
    uint64_t calendar = fixture_calendar(f, "dr_smith", 1), other = fixture_calendar(f, "dr_jones", 1);
    booking_begin(f, &ann, "ann");
    booking_slot(f, &ann, calendar, 100, 130, 140);
    fixture_write(f, &ann, ACTION_HELD);
    fixture_commit(f);
    static const struct {
        int64_t from, to;
        bool fits;
    } cases[] = {{100, 140, false}, {99, 101, false},  {139, 141, false}, {110, 120, false}, {50, 300, false},
                 {130, 135, false}, {139, 140, false}, {60, 100, true},   {140, 170, true},  {0, 1, true}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct status status = fixture_try_slot(f, &bob, "bob", calendar, cases[i].from, cases[i].to);
        if (status_ok(&status) != cases[i].fits)
            fail_msg("%lld to %lld: %s", (long long)cases[i].from, (long long)cases[i].to, status.text);
        if (!cases[i].fits)
            assert_fault(status, STATUS_CORRUPT, "Change 4 claims calendar 1 from 17000");
        fixture_rollback(f);
    }
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM reservations"), 1);
    fixture_slot(f, &bob, "bob", other, 100, 140); /* another calendar is another matter */
    fixture_commit(f);
    fixture_check(f);
}

static void the_trigger_needs_no_help_of_the_writer(void **state)
{
    struct fixture *f = *state;
    struct sql *s;
    fixture_calendar(f, "dr_smith", 1);
    fixture_commit(f);
    book_writer_close(f->writer);
    f->writer = NULL;
    assert_ok(sql_open(&s, f->path, SQL_WRITE));
    sql_run(s, "INSERT INTO calendar_claims VALUES (1, 1000, 7, 1, 2000, 0, 1)");
    assert_ok(sql_status(s));
    sql_run(s, "INSERT INTO calendar_claims VALUES (1, 1999, 8, 1, 3000, 0, 1)");
    assert_fault(sql_status(s), STATUS_CORRUPT, "more claims than the capacity of the calendar");
    sql_close(s);
}

static void as_many_as_the_capacity_fit_and_no_more(void **state)
{
    struct fixture *f = *state;
    struct booking b;
    uint64_t calendar = fixture_calendar(f, "room", 3);
    fixture_slot(f, &b, "ann", calendar, 0, 100);
    fixture_slot(f, &b, "bob", calendar, 50, 150);
    fixture_slot(f, &b, "cid", calendar, 20, 60); /* three from 50 to 60 */
    fixture_slot(f, &b, "dan", calendar, 60, 100);
    fixture_commit(f);
    assert_int_equal(fixture_try_slot(f, &b, "eve", calendar, 0, 51).kind, STATUS_CORRUPT);
    fixture_rollback(f);
    assert_int_equal(fixture_try_slot(f, &b, "eve", calendar, 99, 200).kind, STATUS_CORRUPT);
    fixture_rollback(f);
    fixture_slot(f, &b, "eve", calendar, 0, 50);
    fixture_slot(f, &b, "fay", calendar, 100, 200);
    fixture_commit(f);
    fixture_says(f,
                 "SELECT group_concat(substr(starts_at, 15, 2) || '-' || substr(until, 15, 2) || ' ' || "
                 "claims || '/' || "
                 "capacity, ', ') FROM occupancy",
                 "13-33 2/3, 33-03 3/3, 03-13 3/3, 13-53 3/3, 53-43 2/3, 43-33 1/3");
    fixture_check(f);
}

static void a_slot_may_be_freed_and_claimed_again_in_one_transaction(void **state)
{
    struct fixture *f = *state;
    struct booking ann, bob, cid, *lapsed[] = {&bob};
    uint64_t calendar = fixture_calendar(f, "dr_smith", 1);
    fixture_slot(f, &ann, "ann", calendar, 100, 130);
    fixture_end(f, &ann);
    fixture_slot(f, &bob, "bob", calendar, 90, 120);
    assert_ok(fixture_try_expire(f, lapsed, 1));
    fixture_slot(f, &cid, "cid", calendar, 110, 140);
    fixture_commit(f);
    assert_int_equal(fixture_ask(f, "SELECT reservation FROM calendar_claims"), (int64_t)cid.image.number);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM items WHERE kind = 'slot'"), 3);
    fixture_check(f);
}

static void a_slot_may_move_over_its_own_old_place(void **state)
{
    struct fixture *f = *state;
    struct booking ann, bob;
    uint64_t calendar = fixture_calendar(f, "dr_smith", 1);
    fixture_slot(f, &ann, "ann", calendar, 100, 130);
    fixture_slot(f, &bob, "bob", calendar, 150, 180);
    fixture_confirm(f, &ann);
    struct item_image was = ann.items[0];
    ann.items[0].start_ms += 15 * MINUTE_MS;
    ann.items[0].end_ms += 15 * MINUTE_MS;
    ann.items[0].until_ms += 20 * MINUTE_MS;
    ann.items[0].fence = ann.image.fence = f->seq + 1;
    fixture_write_noted(f, &ann, ACTION_ITEM_MOVED, &was);
    fixture_commit(f);
    fixture_says(f,
                 "SELECT group_concat(printf('%d:%d', (at - 1700000000000) / 60000, claims), ' ') FROM "
                 "calendar_counts",
                 "115:1 180:0");
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM tickets"), 1);
    fixture_check(f);
    was = ann.items[0];
    ann.items[0].start_ms += MINUTE_MS; /* whatever else stays the same */
    fixture_write_noted(f, &ann, ACTION_ITEM_MOVED, &was);
    fixture_commit(f);
    assert_int_equal(fixture_ask(f, "SELECT min(starts_at) FROM calendar_claims"), ann.items[0].start_ms);
    fixture_check(f);
    ann.items[0].until_ms += MINUTE_MS; /* into bob's */
    assert_int_equal(fixture_try_write(f, &ann, ACTION_ITEM_MOVED).kind, STATUS_CORRUPT);
    fixture_rollback(f);
}

static void ending_a_claim_that_is_not_there_is_refused(void **state)
{
    struct fixture *f = *state;
    struct booking ann;
    uint64_t calendar = fixture_calendar(f, "dr_smith", 1);
    fixture_slot(f, &ann, "ann", calendar, 100, 130);
    fixture_commit(f);
    struct sql *s;
    assert_ok(sql_open(&s, f->path, SQL_WRITE));
    sql_run(s, "DELETE FROM calendar_claims");
    assert_ok(sql_status(s));
    sql_close(s);
    ann.image.status = RESERVATION_RELEASED;
    assert_fault(fixture_try_write(f, &ann, ACTION_RELEASED), STATUS_CORRUPT, "that does not exist");
    fixture_rollback(f);
}

static void a_capacity_below_what_is_claimed_ahead_is_refused(void **state)
{
    struct fixture *f = *state;
    struct booking b;
    uint64_t calendar = fixture_calendar(f, "room", 3);
    for (int i = 0; i < 3; i++)
        fixture_slot(f, &b, "ann", calendar, 100, 200);
    fixture_slot(f, &b, "bob", calendar, 200, 500);
    fixture_commit(f);
    assert_fault(fixture_try_calendar(f, calendar, "room", 2), STATUS_CORRUPT, "a capacity below what is claimed");
    fixture_rollback(f);
    f->at_ms += 150 * MINUTE_MS; /* in the middle of it */
    assert_int_equal(fixture_try_calendar(f, calendar, "room", 2).kind, STATUS_CORRUPT);
    fixture_rollback(f);
    assert_ok(fixture_try_calendar(f, calendar, "room", 4));
    assert_ok(fixture_try_calendar(f, calendar, "room", 3));
    fixture_commit(f);
}

static void what_is_over_no_longer_counts(void **state)
{
    struct fixture *f = *state;
    struct booking ann, b;
    uint64_t calendar = fixture_calendar(f, "room", 3);
    fixture_slot(f, &ann, "ann", calendar, 0, 500);
    fixture_slot(f, &b, "bob", calendar, 10, 20);
    fixture_slot(f, &b, "cid", calendar, 10, 20);
    f->at_ms += 30 * MINUTE_MS;
    assert_ok(fixture_try_calendar(f, calendar, "room", 1));
    fixture_slot(f, &b, "dan", calendar, 500, 510);
    fixture_commit(f);
    fixture_check(f); /* though three overlapped once */
    assert_int_equal(fixture_try_slot(f, &b, "eve", calendar, 40, 50).kind, STATUS_CORRUPT);
    fixture_rollback(f);
    /* A slot that has begun moves its end; that others were there before does not matter. */
    struct item_image was = ann.items[0];
    ann.items[0].end_ms = ann.items[0].until_ms = FIXTURE_START_MS + 40 * MINUTE_MS;
    ann.items[0].fence = ann.image.fence = f->seq + 1;
    fixture_write_noted(f, &ann, ACTION_ITEM_MOVED, &was);
    fixture_slot(f, &b, "eve", calendar, 40, 50);
    fixture_commit(f);
    fixture_check(f);
}

static void a_claim_over_a_great_many_others_is_judged_but_not_counted(void **state)
{
    struct fixture *f = *state;
    struct booking ann, dan, b;
    uint64_t calendar = fixture_calendar(f, "room", 2);
    for (int64_t i = 0; i < 501; i++)
        fixture_slot(f, &b, "bob", calendar, 2 * i, 2 * i + 1);
    fixture_slot(f, &ann, "ann", calendar, 0, 1002);
    fixture_commit(f);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM calendar_claims WHERE counted = 0"), 1);
    assert_int_equal(fixture_ask(f, "SELECT max(claims) FROM calendar_counts"), 1);
    fixture_check(f);
    fixture_slot(f, &b, "cid", calendar, 2, 3); /* one too many, as the check finds */
    fixture_commit(f);
    int findings = 0;
    assert_ok(book_check(f->path, finding_print, &findings));
    assert_int_equal(findings, 1);
    assert_int_equal(fixture_try_slot(f, &dan, "dan", calendar, 0, 1002).kind, STATUS_CORRUPT);
    fixture_rollback(f);
    fixture_end(f, &b);
    fixture_end(f, &ann);
    fixture_commit(f);
    fixture_check(f);
}

/* ---- Against a naive model ---- */

#define LIVE_MAX 300

struct model {
    struct sql *sql;
    struct claim {
        int64_t start, until, number;
    } live[LIVE_MAX];
    int count;
    int64_t capacity, now, number;
    uint64_t random;
};

static int64_t draw(struct model *m, int64_t below)
{
    m->random = m->random * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int64_t)(m->random >> 33) % below;
}

static int64_t overlap_at(const struct model *m, int64_t at)
{
    int64_t n = 0;
    for (int i = 0; i < m->count; i++)
        n += m->live[i].start <= at && at < m->live[i].until;
    return n;
}

static int64_t overlap_most(const struct model *m, int64_t from, int64_t until)
{
    int64_t most = from < until ? overlap_at(m, from) : 0;
    for (int i = 0; i < m->count; i++) {
        int64_t at = m->live[i].start, n = at > from && at < until ? overlap_at(m, at) : 0;
        most = n > most ? n : most;
    }
    return most;
}

__attribute__((format(printf, 2, 3))) static bool try_sql(struct model *m, const char *format, ...)
{
    char text[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    sql_run(m->sql, text);
    bool fine = sql_sound(m->sql);
    if (!fine)
        assert_non_null(strstr(sql_status(m->sql).text, "claim"));
    sql_forgive(m->sql);
    return fine;
}

static void model_claim(struct model *m)
{
    int64_t start = draw(m, 8) ? m->now + draw(m, 100) : m->now - draw(m, m->now < 20 ? m->now + 1 : 20);
    int64_t until = start + 1 + draw(m, draw(m, 5) ? 40 : 200);
    int64_t from = start > m->now ? start : m->now;
    bool fits = overlap_most(m, from, until) < m->capacity || until <= m->now;
    if (m->count == LIVE_MAX)
        return;
    assert_int_equal(try_sql(m, "INSERT INTO calendar_claims VALUES (1, %lld, %lld, 1, %lld, %lld, 1)",
                             (long long)start, (long long)++m->number, (long long)until, (long long)m->now),
                     fits);
    if (fits)
        m->live[m->count++] = (struct claim){start, until, m->number};
}

static void model_step(struct model *m)
{
    m->now += draw(m, 4);
    int64_t what = draw(m, 20);
    if (what < 11) {
        model_claim(m);
    } else if (what < 19 && m->count) {
        struct claim *c = &m->live[draw(m, m->count)];
        assert_true(try_sql(m, "DELETE FROM calendar_claims WHERE starts_at = %lld AND reservation = %lld",
                            (long long)c->start, (long long)c->number));
        *c = m->live[--m->count];
    } else {
        int64_t capacity = 1 + draw(m, 5);
        bool fits = capacity >= m->capacity || overlap_most(m, m->now, INT64_MAX) <= capacity;
        assert_int_equal(try_sql(m,
                                 "UPDATE calendars SET capacity = %lld, changed_at = %lld WHERE number = 1",
                                 (long long)capacity, (long long)m->now),
                         fits);
        m->capacity = fits ? capacity : m->capacity;
    }
}

static void the_triggers_agree_with_a_naive_model(void **state)
{
    struct fixture *f = *state;
    struct model m = {.capacity = 2, .random = 20240229};
    fixture_calendar(f, "room", 2);
    fixture_commit(f);
    book_writer_close(f->writer);
    f->writer = NULL;
    assert_ok(sql_open(&m.sql, f->path, SQL_WRITE));
    sql_run(m.sql, "BEGIN");
    for (int i = 0; i < 6000; i++) {
        model_step(&m);
        if (i % 50)
            continue;
        struct sql_statement *counts =
            sql_prepare(m.sql, "SELECT at, claims FROM calendar_counts ORDER BY at");
        for (int64_t before = 0; sql_next(counts); before = sql_int(counts, 1)) {
            assert_int_equal(sql_int(counts, 1), overlap_at(&m, sql_int(counts, 0)));
            assert_int_not_equal(sql_int(counts, 1), before);
            assert_int_equal(before, overlap_at(&m, sql_int(counts, 0) - 1));
        }
    }
    sql_run(m.sql, "ROLLBACK");
    sql_close(m.sql);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        book_test(a_calendar_is_rows_that_a_person_can_read),
        book_test(new_settings_replace_the_lists_and_keep_the_services),
        book_test(a_removed_calendar_stays_for_its_items_and_leaves_its_name),
        book_test(a_slot_is_one_row_in_each_table),
        book_test(an_overlapping_claim_fails_the_transaction),
        book_test(the_trigger_needs_no_help_of_the_writer),
        book_test(as_many_as_the_capacity_fit_and_no_more),
        book_test(a_slot_may_be_freed_and_claimed_again_in_one_transaction),
        book_test(a_slot_may_move_over_its_own_old_place),
        book_test(ending_a_claim_that_is_not_there_is_refused),
        book_test(a_capacity_below_what_is_claimed_ahead_is_refused),
        book_test(what_is_over_no_longer_counts),
        book_test(a_claim_over_a_great_many_others_is_judged_but_not_counted),
        book_test(the_triggers_agree_with_a_naive_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
