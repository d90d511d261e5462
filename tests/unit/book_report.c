/* SPDX-License-Identifier: Apache-2.0 */
/* A report has the rows of its view, bounded by times and event; one that takes too long can be aborted. */
#include "../lib/book_fixture.h"

#include "book/record/reader.h"
#include "book/file/sql.h"

#define DAY_MS (24 * 3600 * 1000LL)

struct told {
    char text[1024];
    enum report report;
};

static void on_row(void *ctx, const struct query_row *row)
{
    struct told *t = ctx;
    const struct report_row *r = row->report;
    size_t size = strlen(t->text);
    char *at = t->text + size;
    struct text part = r->tier.at ? r->tier : r->pool.at ? r->pool : text_of("-");
    size += (size_t)snprintf(at, sizeof(t->text) - size, "%.*s %.*s %.*s ", (int)r->day.size, r->day.at,
                             (int)r->event.size, r->event.at, (int)part.size, part.at);
    at = t->text + size;
    if (t->report == REPORT_SALES)
        snprintf(at, sizeof(t->text) - size, "%lld %lld %lld %lld; ", (long long)r->sales.units,
                 (long long)r->sales.amount, (long long)r->sales.refunded_units,
                 (long long)r->sales.refunded_amount);
    else if (t->report == REPORT_ABANDONED)
        snprintf(at, sizeof(t->text) - size, "%.*s %.*s %lld %lld %lld; ", (int)r->abandoned.how.size,
                 r->abandoned.how.at, (int)r->abandoned.reached.size, r->abandoned.reached.at,
                 (long long)r->abandoned.checkouts, (long long)r->abandoned.units,
                 (long long)r->abandoned.seconds_held);
    else
        snprintf(at, sizeof(t->text) - size, "%lld %lld %lld %lld %lld%s%.*s; ", (long long)r->funnel.held,
                 (long long)r->funnel.paying, (long long)r->funnel.confirmed, (long long)r->funnel.late,
                 (long long)r->funnel.refunded, r->funnel.refusals.at ? " " : "",
                 (int)r->funnel.refusals.size, r->funnel.refusals.at ? r->funnel.refusals.at : "");
}

static void tells(struct fixture *f, struct query q, const char *expected)
{
    struct book_reader *r;
    struct query_result result;
    struct told told = {"", q.report};
    q.kind = QUERY_REPORT;
    q.limit = REPORT_ROWS_MAX;
    assert_ok(book_reader_open(&r, f->path));
    assert_ok(book_reader_query(r, &q, on_row, &told, &result));
    assert_true(result.ok && !result.more && result.seq == f->seq);
    assert_string_equal(told.text, expected);
    book_reader_close(r);
}

/* Two events; ann has bought three things on the first day, and returned some on the second. */
static void write_book(struct fixture *f)
{
    struct booking ann, bob, cid, dan, *lapsed[] = {&dan};
    struct seat_image gold = {.id = TEXT("A1"), .tier = TEXT("gold")};
    uint64_t event = fixture_event(f, "eras"), other = fixture_event(f, "folk");
    fixture_seats(f, event, 6);
    fixture_stage(f, event, 2, SEAT_COLUMN_TIER, &gold, 1);
    fixture_publish(f, event, 2);
    fixture_seats(f, other, 6);
    fixture_pool(f, event, 0, "floor", 10);
    booking_begin(f, &ann, "ann");
    booking_add(f, &ann, ITEM_SEAT, event, 0, 1);
    booking_add(f, &ann, ITEM_POOL, event, 0, 3);
    fixture_write(f, &ann, ACTION_HELD);
    fixture_hold(f, &bob, "bob", event, 1);
    fixture_hold(f, &cid, "cid", event, 2);
    fixture_hold(f, &dan, "dan", other, 3);
    f->at_ms += 90000;
    fixture_confirm(f, &ann);
    fixture_confirm(f, &bob);
    fixture_end(f, &cid);
    f->at_ms += 510000;
    assert_ok(fixture_try_expire(f, lapsed, 1));
    f->at_ms += DAY_MS;
    bob.image.status = RESERVATION_REFUNDED;
    bob.image.ended_at_ms = f->at_ms;
    fixture_write(f, &bob, ACTION_REFUNDED);
    fixture_commit(f);
}

static void reports_are_their_views_within_bounds(void **state)
{
    struct fixture *f = *state;
    const int64_t sold_ms = FIXTURE_START_MS + 90000;
    write_book(f);
    tells(
        f, (struct query){.report = REPORT_SALES},
        "2023-11-14 eras - 0 0 1 1200; 2023-11-14 eras floor 3 1500 0 0; 2023-11-14 eras gold 1 1200 0 0; ");
    tells(f, (struct query){.report = REPORT_SALES, .event = text_of("folk")}, "");
    tells(f, (struct query){.report = REPORT_SALES, .from_ms = sold_ms + 1}, "");
    tells(f, (struct query){.report = REPORT_SALES, .to_ms = sold_ms}, "");
    tells(f, (struct query){.report = REPORT_ABANDONED},
          "2023-11-14 eras - released held 1 1 90; 2023-11-14 folk - expired held 1 1 600; ");
    tells(f,
          (struct query){
              .report = REPORT_ABANDONED, .event = text_of("eras"), .from_ms = sold_ms, .to_ms = sold_ms + 1},
          "2023-11-14 eras - released held 1 1 90; ");
    tells(f, (struct query){.report = REPORT_FUNNEL, .event = text_of("eras")},
          "2023-11-14 eras - 2 1 1 0 1; 2023-11-14 eras floor 1 1 1 0 0; 2023-11-14 eras gold 1 1 1 0 0; ");
    fixture_says(
        f, "SELECT group_concat(event || ' ' || units || ' ' || refunded_units, ', ') FROM sales_by_day",
        "eras 0 1, eras 3 0, eras 1 0");
    fixture_says(
        f, "SELECT group_concat(event || ' ' || how || ' ' || seconds_held, ', ') FROM abandoned_by_day",
        "eras released 90, folk expired 600");
    assert_int_equal(
        fixture_ask(f, "SELECT sum(held) * 100 + sum(confirmed) * 10 + sum(refunded) FROM funnel_by_day"),
        531);
}

static void refuse(struct fixture *f, int64_t day_ms, const struct refusal_image *counts, uint32_t count)
{
    static struct buf rows;
    buf_init(&rows, 4096);
    for (uint32_t i = 0; i < count; i++) {
        struct refusal_image r = counts[i];
        r.day_ms = day_ms;
        refusal_put(&rows, &r);
    }
    struct change *c = fixture_change(f, CHANGE_REFUSALS);
    c->refusals.rows = bytes_reader_make(rows.data, rows.size);
    c->refusals.count = count;
    assert_ok(fixture_try(f));
    buf_release(&rows);
}

static void refusals_add_up_next_to_holds(void **state)
{
    struct fixture *f = *state;
    const int64_t day_ms = FIXTURE_START_MS - FIXTURE_START_MS % DAY_MS;
    const struct refusal_image taken = {
        .event = TEXT("eras"), .tier = TEXT("gold"), .reason = TEXT("taken"), .count = 40};
    const struct refusal_image full = {
        .event = TEXT("eras"), .tier = TEXT("gold"), .reason = TEXT("sold_out"), .count = 3};
    const struct refusal_image gone = {.reason = TEXT("no_such_event"), .count = 1};
    const struct refusal_image pool = {
        .event = TEXT("folk"), .pool = TEXT("floor"), .reason = TEXT("sold_out"), .count = 2};
    write_book(f);
    refuse(f, day_ms, (struct refusal_image[]){taken, full, gone}, 3);
    refuse(f, day_ms, (struct refusal_image[]){taken, pool}, 2);
    refuse(f, day_ms + DAY_MS, (struct refusal_image[]){pool}, 1);
    fixture_commit(f);
    tells(f, (struct query){.report = REPORT_FUNNEL, .event = text_of("eras")},
          "2023-11-14 eras - 2 1 1 0 1; 2023-11-14 eras floor 1 1 1 0 0; 2023-11-14 eras gold 1 1 1 0 0 "
          "sold_out 3;taken 80; ");
    tells(f, (struct query){.report = REPORT_FUNNEL, .event = text_of("folk")},
          "2023-11-14 folk - 1 0 0 0 0; 2023-11-14 folk floor 0 0 0 0 0 sold_out 2; 2023-11-15 folk floor 0 "
          "0 0 0 0 sold_out 2; ");
    /* A partly requested day counts. */
    tells(f,
          (struct query){.report = REPORT_FUNNEL,
                         .event = text_of("folk"),
                         .from_ms = day_ms + DAY_MS - 1,
                         .to_ms = day_ms + DAY_MS},
          "2023-11-14 folk floor 0 0 0 0 0 sold_out 2; ");
    tells(f, (struct query){.report = REPORT_FUNNEL, .event = text_of("folk"), .from_ms = day_ms + DAY_MS},
          "2023-11-15 folk floor 0 0 0 0 0 sold_out 2; ");
    assert_int_equal(
        fixture_ask(f, "SELECT sum(count) FROM refusals_by_day WHERE event IS NULL OR tier = 'gold'"), 84);
}

/* Moves the event to another zone. */
static void set_zone(struct fixture *f, uint64_t number, const char *id, const char *zone)
{
    fixture_change(f, CHANGE_EVENT)->event = (struct event_image){
        .number = number,
        .id = text_of(id),
        .name = TEXT("An evening"),
        .terms = {"EUR", 600, 900, 300, PAYMENT_REQUIRED, LATE_PAYMENT_ACCEPT_IF_FREE, 0},
        .created_at_ms = FIXTURE_START_MS,
        .timezone = text_of(zone)};
    fixture_put(f);
    fixture_commit(f);
}

static void days_are_those_of_each_event(void **state)
{
    struct fixture *f = *state;
    const struct refusal_image taken = {.event = TEXT("eras"), .reason = TEXT("taken"), .count = 4};
    const int64_t day_ms = FIXTURE_START_MS - FIXTURE_START_MS % DAY_MS; /* it is 22:13 of UTC */
    write_book(f);
    refuse(f, day_ms + DAY_MS, &taken, 1); /* as core counts it there */
    set_zone(f, 1, "eras", "Asia/Tokyo");
    tells(
        f, (struct query){.report = REPORT_SALES},
        "2023-11-15 eras - 0 0 1 1200; 2023-11-15 eras floor 3 1500 0 0; 2023-11-15 eras gold 1 1200 0 0; ");
    tells(f, (struct query){.report = REPORT_ABANDONED},
          "2023-11-14 folk - expired held 1 1 600; 2023-11-15 eras - released held 1 1 90; ");
    tells(f, (struct query){.report = REPORT_FUNNEL},
          "2023-11-14 folk - 1 0 0 0 0; 2023-11-15 eras - 2 1 1 0 1 taken 4; 2023-11-15 eras floor 1 1 1 0 "
          "0; 2023-11-15 eras gold 1 1 1 0 0; ");
    /* From and to are instants: the local day of its refusals began at 15:00 UTC. */
    tells(f,
          (struct query){.report = REPORT_FUNNEL,
                         .event = text_of("eras"),
                         .from_ms = day_ms + 14 * 3600000LL,
                         .to_ms = day_ms + 15 * 3600000LL},
          "");
    tells(f,
          (struct query){.report = REPORT_FUNNEL,
                         .event = text_of("eras"),
                         .from_ms = day_ms + 15 * 3600000LL,
                         .to_ms = day_ms + 16 * 3600000LL},
          "2023-11-15 eras - 0 0 0 0 0 taken 4; ");
}

static void local_days_follow_the_clocks(void **state)
{
    static const struct {
        int64_t at_ms;
        const char *zone, *day;
    } days[] = {
        {1774738799000LL, "Europe/Berlin", "2026-03-28"},      /* 2026-03-28T22:59:59Z */
        {1774738800000LL, "Europe/Berlin", "2026-03-29"},      /* 2026-03-28T23:00:00Z */
        {1774821599000LL, "Europe/Berlin", "2026-03-29"},      /* 2026-03-29T21:59:59Z */
        {1774821600000LL, "Europe/Berlin", "2026-03-30"},      /* 2026-03-29T22:00:00Z */
        {1792969199000LL, "Europe/Berlin", "2026-10-25"},      /* 2026-10-25T22:59:59Z */
        {1792969200000LL, "Europe/Berlin", "2026-10-26"},      /* 2026-10-25T23:00:00Z */
        {1780307999000LL, "Pacific/Kiritimati", "2026-06-01"}, /* 2026-06-01T09:59:59Z */
        {1780308000000LL, "Pacific/Kiritimati", "2026-06-02"}, /* 2026-06-01T10:00:00Z */
        {1780272000000LL, "UTC", "2026-06-01"},                /* 2026-06-01T00:00:00Z */
        {1780271999000LL, NULL, "2026-05-31"},                 /* 2026-05-31T23:59:59Z */
    };
    struct fixture *f = *state;
    struct sql *s;
    assert_ok(sql_open(&s, f->path, SQL_READ));
    struct sql_statement *t = sql_prepare(s, "SELECT local_day(?1, ?2)");
    for (size_t i = 0; i < sizeof(days) / sizeof(days[0]); i++) {
        sql_bind_int(t, 1, days[i].at_ms);
        sql_bind_word(t, 2, days[i].zone);
        assert_true(sql_next(t) && text_equal(sql_text(t, 0), text_of(days[i].day)));
        sql_reset(t);
    }
    sql_bind_null(t, 1);
    assert_true(sql_next(t) && sql_null(t, 0));
    sql_reset(t);
    sql_bind_int(t, 1, 0);
    sql_bind_word(t, 2, "Mars/Olympus");
    assert_true(!sql_next(t) && !sql_sound(s));
    sql_close(s);
}

static void interrupting_nothing_does_nothing(void **state)
{
    struct fixture *f = *state;
    struct book_reader *r;
    struct query q = {.kind = QUERY_REPORT, .report = REPORT_SALES, .limit = 1};
    struct query_result result;
    struct told told = {"", REPORT_SALES};
    write_book(f);
    assert_ok(book_reader_open(&r, f->path));
    book_reader_interrupt(r);
    assert_ok(book_reader_query(r, &q, on_row, &told, &result));
    assert_true(result.ok && result.more);
    book_reader_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        book_test(reports_are_their_views_within_bounds), book_test(refusals_add_up_next_to_holds),
        book_test(days_are_those_of_each_event),          book_test(local_days_follow_the_clocks),
        book_test(interrupting_nothing_does_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
