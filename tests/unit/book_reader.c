/* SPDX-License-Identifier: Apache-2.0 */
/* The reader answers from the book: single records, lists newest first by any filter, histories, each at one seq. */
#include "../lib/book_fixture.h"

#include <pthread.h>

#include "book/record/reader.h"

struct rows {
    char numbers[4096]; /* of the reservations, in order */
    uint32_t count;
    struct query_result result;
};

static void on_row(void *ctx, const struct query_row *row)
{
    const struct reservation_image *r = row->reservation;
    struct rows *rows = ctx;
    assert_null(row->history);
    size_t used = strlen(rows->numbers);
    snprintf(rows->numbers + used, sizeof(rows->numbers) - used, "%s%llu", used ? " " : "",
             (unsigned long long)r->number);
    rows->count++;
}

static struct book_reader *open_reader(struct fixture *f)
{
    struct book_reader *r;
    fixture_commit(f);
    assert_ok(book_reader_open(&r, f->path));
    return r;
}

static void ask(struct book_reader *r, const struct query *q, struct rows *rows)
{
    memset(rows, 0, sizeof(*rows));
    assert_ok(book_reader_query(r, q, on_row, rows, &rows->result));
    assert_true(rows->result.ok);
}

static void expect_list(struct book_reader *r, struct query q, const char *expected)
{
    struct rows rows;
    q.limit = q.limit ? q.limit : 100;
    ask(r, &q, &rows);
    assert_string_equal(rows.numbers, expected);
    assert_false(rows.result.more);
    /* The same, page by page. */
    struct buf pages;
    buf_init(&pages, 1 << 16);
    q.limit = 2;
    do {
        ask(r, &q, &rows);
        assert_true(rows.count <= 2);
        buf_printf(&pages, "%s%s", pages.size && rows.count ? " " : "", rows.numbers);
        q.after = rows.result.last;
    } while (rows.result.more);
    buf_append(&pages, "", 1);
    assert_string_equal((char *)pages.data, expected);
    buf_release(&pages);
}

static void lists_are_newest_first_by_any_filter(void **state)
{
    struct fixture *f = *state;
    struct booking b[8];
    uint64_t eras = fixture_event(f, "eras"), other = fixture_event(f, "other");
    fixture_seats(f, eras, 8);
    fixture_seats(f, other, 8);              /* 6 */
    fixture_hold(f, &b[0], "ann", eras, 0);  /* 7 */
    fixture_hold(f, &b[1], "bob", eras, 1);  /* 8 */
    fixture_hold(f, &b[2], "ann", other, 2); /* 9 */
    fixture_hold(f, &b[3], "ann", eras, 3);  /* 10 */
    fixture_confirm(f, &b[3]);               /* 11 */
    booking_begin(f, &b[4], "bob");          /* 12: in both events, twice in one */
    booking_add(f, &b[4], ITEM_SEAT, eras, 4, 1);
    booking_add(f, &b[4], ITEM_SEAT, eras, 5, 1);
    booking_add(f, &b[4], ITEM_SEAT, other, 4, 1);
    fixture_write(f, &b[4], ACTION_HELD);
    fixture_end(f, &b[0]); /* 13 */
    struct book_reader *r = open_reader(f);
    expect_list(r, (struct query){0}, "12 10 9 8 7");
    expect_list(r, (struct query){.user_id = TEXT("ann")}, "10 9 7");
    expect_list(r, (struct query){.user_id = TEXT("an")}, "");
    expect_list(r, (struct query){.event = TEXT("eras")}, "12 10 8 7");
    expect_list(r, (struct query){.event = TEXT("other")}, "12 9");
    expect_list(r, (struct query){.event = TEXT("none")}, "");
    expect_list(r, (struct query){.has_status = true, .status = RESERVATION_HELD}, "12 9 8");
    expect_list(r, (struct query){.has_status = true, .status = RESERVATION_RELEASED}, "7");
    expect_list(r, (struct query){.has_status = true, .status = RESERVATION_REFUNDED}, "");
    expect_list(r, (struct query){.user_id = TEXT("ann"), .event = TEXT("eras")}, "10 7");
    expect_list(r, (struct query){.user_id = TEXT("bob"), .has_status = true, .status = RESERVATION_HELD},
                "12 8");
    expect_list(r,
                (struct query){.user_id = TEXT("ann"),
                               .event = TEXT("eras"),
                               .has_status = true,
                               .status = RESERVATION_CONFIRMED},
                "10");
    expect_list(r, (struct query){.calendar = TEXT("dr_smith")}, "");
    char pnr[PNR_SIZE];
    pnr_write(9, pnr);
    expect_list(r, (struct query){.pnr = {pnr, PNR_SIZE}}, "9");
    expect_list(r, (struct query){.pnr = {pnr, PNR_SIZE}, .user_id = TEXT("bob")}, "");
    expect_list(r, (struct query){.pnr = TEXT("nonsense")}, "");
    book_reader_close(r);
}

static void lists_by_calendar_combine_with_every_other_filter(void **state)
{
    struct fixture *f = *state;
    struct booking b[5];
    uint64_t smith = fixture_calendar(f, "dr_smith", 1), jones = fixture_calendar(f, "dr_jones", 1),
             eras = fixture_event(f, "dr_smith");   /* names of events are not names of calendars */
    fixture_seats(f, eras, 3);                      /* 5 */
    fixture_slot(f, &b[0], "ann", smith, 500, 530); /* 6 */
    fixture_slot(f, &b[1], "bob", smith, 100, 130);
    fixture_slot(f, &b[2], "ann", jones, 100, 130); /* 8 */
    booking_begin(f, &b[3], "ann");                 /* 9: something of everything, twice of one */
    booking_slot(f, &b[3], smith, 0, 10, 10);
    booking_slot(f, &b[3], smith, 20, 30, 30);
    booking_slot(f, &b[3], jones, 0, 10, 10);
    booking_add(f, &b[3], ITEM_SEAT, eras, 0, 1);
    fixture_write(f, &b[3], ACTION_HELD);
    fixture_hold(f, &b[4], "ann", eras, 1); /* 10 */
    fixture_confirm(f, &b[0]);
    fixture_end(f, &b[1]);
    struct book_reader *r = open_reader(f);
    expect_list(r, (struct query){.calendar = TEXT("dr_smith")}, "9 7 6");
    expect_list(r, (struct query){.calendar = TEXT("dr_jones")}, "9 8");
    expect_list(r, (struct query){.calendar = TEXT("dr_who")}, "");
    expect_list(r, (struct query){.event = TEXT("dr_smith")}, "10 9");
    expect_list(r, (struct query){.event = TEXT("dr_smith"), .calendar = TEXT("dr_jones")}, "9");
    expect_list(r, (struct query){.user_id = TEXT("ann"), .calendar = TEXT("dr_smith")}, "9 6");
    expect_list(
        r, (struct query){.calendar = TEXT("dr_smith"), .has_status = true, .status = RESERVATION_CONFIRMED},
        "6");
    expect_list(
        r, (struct query){.calendar = TEXT("dr_smith"), .has_status = true, .status = RESERVATION_RELEASED},
        "7");
    book_reader_close(r);
}

/* ---- Bookings ---- */

struct bookings {
    char text[1024];
};

static void on_booking(void *ctx, const struct query_row *row)
{
    const struct reservation_image *r = row->reservation;
    struct bookings *to = ctx;
    assert_null(row->history);
    assert_int_equal(r->item_count, 1);
    assert_int_equal(r->status, RESERVATION_CONFIRMED);
    const struct item_image *i = &r->items[0];
    size_t used = strlen(to->text);
    snprintf(to->text + used, sizeof(to->text) - used, "%.*s %.*s/%.*s %lld-%lld item %u\n",
             (int)r->user_id.size, r->user_id.at, (int)i->resource_id.size, i->resource_id.at,
             (int)i->part_id.size, i->part_id.at ? i->part_id.at : "",
             (long long)((i->start_ms - FIXTURE_START_MS) / MINUTE_MS),
             (long long)((i->end_ms - FIXTURE_START_MS) / MINUTE_MS), i->item_id);
}

static void expect_bookings(struct book_reader *r, const char *calendar, uint32_t limit, uint64_t seq,
                            const char *expected)
{
    struct bookings all = {""};
    struct query q = {.kind = QUERY_BOOKINGS, .calendar = text_of(calendar), .limit = limit};
    struct query_result result;
    do {
        assert_ok(book_reader_query(r, &q, on_booking, &all, &result));
        assert_true(result.ok);
        assert_int_equal(result.seq, seq);
        q.after_booking = result.last_booking;
    } while (result.more);
    assert_string_equal(all.text, expected);
}

static void bookings_are_the_confirmed_slots_in_the_order_of_time(void **state)
{
    struct fixture *f = *state;
    struct booking b[6];
    uint64_t queue = fixture_calendar(f, "room", 3), other = fixture_calendar(f, "other", 1);
    fixture_slot(f, &b[0], "ann", queue, 500, 530);
    fixture_slot(f, &b[1], "bob", queue, 100, 130);
    booking_begin(f, &b[2], "cid");
    booking_slot(f, &b[2], queue, 100, 190, 195);
    booking_slot(f, &b[2], other, 100, 130, 130);
    booking_slot(f, &b[2], queue, 10, 20, 20);
    b[2].items[0].part = 2;
    fixture_write(f, &b[2], ACTION_HELD);
    fixture_slot(f, &b[3], "dan", queue, 20, 30); /* stays held */
    fixture_slot(f, &b[4], "eve", queue, 40, 50);
    for (int i = 2; i >= 0; i--)
        fixture_confirm(f, &b[i]);
    fixture_confirm(f, &b[4]);
    b[4].image.status = RESERVATION_REFUNDED;
    b[4].image.ended_at_ms = f->at_ms;
    fixture_write(f, &b[4], ACTION_RELEASED);
    struct book_reader *r = open_reader(f);
    for (uint32_t limit = 1; limit < 6; limit++)
        expect_bookings(r, "room", limit, f->seq,
                        "cid room/ 10-20 item 3\nbob room/ 100-130 item 1\ncid room/x_ray 100-190 item 1\n"
                        "ann room/ 500-530 item 1\n");
    expect_bookings(r, "other", 1, f->seq, "cid other/ 100-130 item 2\n");
    expect_bookings(r, "none", 9, f->seq, "");
    book_reader_close(r);
}

static void a_list_has_its_seq_and_whether_there_is_more(void **state)
{
    struct fixture *f = *state;
    struct booking b[3];
    struct rows rows;
    uint64_t eras = fixture_event(f, "eras");
    fixture_seats(f, eras, 8);
    for (uint32_t i = 0; i < 3; i++)
        fixture_hold(f, &b[i], "ann", eras, i);
    struct book_reader *r = open_reader(f);
    struct query q = {.limit = 2};
    ask(r, &q, &rows);
    assert_true(rows.result.more);
    assert_int_equal(rows.result.seq, f->seq);
    assert_true(id_equal(rows.result.last, b[1].image.id));
    q.limit = 3;
    ask(r, &q, &rows);
    assert_false(rows.result.more);
    q.after = id_make(f->at_ms - 5000, 0, 0); /* gone, and older than all */
    ask(r, &q, &rows);
    assert_int_equal(rows.count, 0);
    q.after = id_make(f->at_ms + 5000, 0, 0);
    ask(r, &q, &rows);
    assert_int_equal(rows.count, 3);
    book_reader_close(r);
}

/* Skips seqs, as changes of other kinds would. */
static void jump(struct fixture *f, uint64_t seq)
{
    fixture_commit(f);
    assert_ok(book_writer_begin(f->writer));
    f->seq = seq;
    assert_ok(book_writer_commit(f->writer, f->seq, f->at_ms, 0));
}

static void a_user_is_found_in_every_part_of_the_book(void **state)
{
    struct fixture *f = *state;
    struct booking b;
    uint64_t eras = fixture_event(f, "eras");
    fixture_seats(f, eras, 9);
    fixture_hold(f, &b, "ann", eras, 0); /* 4 */
    jump(f, (3u << 18) - 2);
    fixture_hold(f, &b, "ann", eras, 1);
    fixture_hold(f, &b, "ann", eras, 2);
    fixture_hold(f, &b, "bob", eras, 3);
    fixture_hold(f, &b, "ann", eras, 4);
    jump(f, PNR_MODULUS + 3);
    fixture_hold(f, &b, "bob", eras, 5); /* the PNR of the first one again */
    struct book_reader *r = open_reader(f);
    expect_list(r, (struct query){.user_id = TEXT("ann")}, "786434 786432 786431 4");
    expect_list(r, (struct query){.user_id = TEXT("cid")}, "");
    char pnr[PNR_SIZE];
    pnr_write(4, pnr);
    expect_list(r, (struct query){.pnr = {pnr, PNR_SIZE}}, "887503685 4");
    expect_list(r, (struct query){.pnr = {pnr, PNR_SIZE}, .user_id = TEXT("ann")}, "4");
    book_reader_close(r);
}

static void a_name_used_again_lists_both_events(void **state)
{
    struct fixture *f = *state;
    struct booking b;
    uint64_t first = fixture_event(f, "eras");
    fixture_seats(f, first, 2);
    fixture_hold(f, &b, "ann", first, 0); /* 4 */
    fixture_end(f, &b);
    fixture_event_remove(f, first, "eras");
    uint64_t second = fixture_event(f, "eras"); /* 7 */
    fixture_seats(f, second, 2);
    fixture_hold(f, &b, "ann", second, 0); /* 10 */
    struct book_reader *r = open_reader(f);
    expect_list(r, (struct query){.event = TEXT("eras")}, "10 4");
    book_reader_close(r);
}

static void a_forgotten_reservation_is_read_back_complete(void **state)
{
    struct fixture *f = *state;
    struct booking ann;
    struct arena arena;
    struct reservation_image image;
    bool found;
    uint64_t eras = fixture_event(f, "eras");
    fixture_seats(f, eras, 8);
    fixture_pool(f, eras, 0, "floor", 8);
    fixture_hold(f, &ann, "ann", eras, 3);
    booking_add(f, &ann, ITEM_POOL, eras, 0, 2);
    ann.image.attributes = TEXT("{\"a\":\"b\"}");
    uint64_t smith = fixture_calendar(f, "dr_smith", 1);
    booking_slot(f, &ann, smith, 60, 90, 100);
    booking_slot(f, &ann, smith, 100, 145, 150);
    ann.items[3].part = 2;
    fixture_write(f, &ann, ACTION_ITEM_ADDED);
    fixture_confirm(f, &ann);
    struct book_reader *r = open_reader(f);
    arena_init(&arena, 1024);
    assert_ok(book_reader_reservation(r, ann.image.id, &arena, &image, NULL, &found));
    assert_true(found);
    assert_int_equal(image.status, RESERVATION_CONFIRMED);
    assert_int_equal(image.version, 3);
    assert_int_equal(image.confirmed_at_ms, f->at_ms);
    assert_memory_equal(image.ticket_key, ann.image.ticket_key, sizeof(image.ticket_key));
    assert_true(text_equal(image.user_id, TEXT("ann")));
    assert_true(text_equal(image.attributes, ann.image.attributes));
    assert_true(text_equal(image.payment_ref, TEXT("pay_1")));
    assert_int_equal(image.item_count, 4);
    assert_true(text_equal(image.items[2].resource_id, TEXT("dr_smith")));
    assert_null(image.items[2].part_id.at);
    assert_true(text_equal(image.items[3].part_id, TEXT("x_ray")));
    for (int i = 2; i < 4; i++) {
        assert_int_equal(image.items[i].kind, ITEM_SLOT);
        assert_int_equal(image.items[i].resource, smith);
        assert_int_equal(image.items[i].part, ann.items[i].part);
        assert_int_equal(image.items[i].start_ms, ann.items[i].start_ms);
        assert_int_equal(image.items[i].end_ms, ann.items[i].end_ms);
        assert_int_equal(image.items[i].until_ms, ann.items[i].until_ms);
        assert_int_equal(image.items[i].price, 2500);
    }
    assert_true(text_equal(image.items[0].resource_id, TEXT("eras")));
    assert_true(text_equal(image.items[0].part_id, TEXT("A4")));
    assert_true(text_equal(image.items[1].part_id, TEXT("floor")));
    assert_int_equal(image.items[1].kind, ITEM_POOL);
    assert_int_equal(image.items[1].price, 1000);
    assert_ok(book_reader_reservation(r, id_make(1, 2, 3), &arena, &image, NULL, &found));
    assert_false(found);
    arena_release(&arena);
    book_reader_close(r);
}

static void an_idempotency_key_is_found(void **state)
{
    struct fixture *f = *state;
    struct idempotency_image image;
    bool found;
    fixture_change(f, CHANGE_IDEMPOTENCY)->idempotency = (struct idempotency_image){
        .key = {1, UINT64_MAX - 1}, .body = {3, 4}, .made = {5, 6}, .http_status = 200, .at_ms = 7};
    fixture_put(f);
    struct book_reader *r = open_reader(f);
    assert_ok(book_reader_idempotency(r, (uint64_t[]){1, UINT64_MAX - 1}, &image, &found));
    assert_true(found);
    assert_memory_equal(&image, &f->change.idempotency, sizeof(image));
    assert_ok(book_reader_idempotency(r, (uint64_t[]){1, 2}, &image, &found));
    assert_false(found);
    book_reader_close(r);
}

struct histories {
    char text[1024];
};

static void on_history(void *ctx, const struct query_row *row)
{
    const struct history_view *h = row->history;
    struct histories *to = ctx;
    assert_null(row->reservation);
    size_t used = strlen(to->text);
    snprintf(to->text + used, sizeof(to->text) - used, "%llu %s %.*s %s %s v%u +%lld\n",
             (unsigned long long)h->seq, role_name(h->actor.role), (int)h->actor.name.size,
             h->actor.name.at ? h->actor.name.at : "", action_name(h->action),
             reservation_status_name(h->status), h->version, (long long)(h->expires_at_ms - h->at_ms));
}

static void the_history_of_a_reservation_is_whole(void **state)
{
    struct fixture *f = *state;
    struct booking ann, bob, *lapsed[] = {&ann};
    struct histories h = {""};
    struct query_result result;
    uint64_t eras = fixture_event(f, "eras");
    fixture_seats(f, eras, 8);
    fixture_hold(f, &ann, "ann", eras, 3);
    fixture_hold(f, &bob, "bob", eras, 4);
    f->at_ms += 1000;
    ann.image.expires_at_ms = f->at_ms + 600000;
    fixture_write(f, &ann, ACTION_EXTENDED);
    f->at_ms = ann.image.expires_at_ms;
    assert_ok(fixture_try_expire(f, lapsed, 1));
    struct book_reader *r = open_reader(f);
    struct query q = {.kind = QUERY_HISTORY, .reservation = ann.image.id, .limit = 100};
    assert_ok(book_reader_query(r, &q, on_history, &h, &result));
    assert_string_equal(h.text, "4 user ann held held v1 +600000\n"
                                "6 user ann extended held v2 +600000\n"
                                "7 server  expired expired v3 +0\n");
    assert_false(result.more);
    assert_int_equal(result.seq, 7);
    h.text[0] = 0;
    q.limit = 2;
    assert_ok(book_reader_query(r, &q, on_history, &h, &result));
    assert_true(result.more);
    h.text[0] = 0;
    q.after.low = 6;
    assert_ok(book_reader_query(r, &q, on_history, &h, &result));
    assert_string_equal(h.text, "7 server  expired expired v3 +0\n");
    assert_false(result.more);
    q.reservation = id_make(1, 2, 3);
    h.text[0] = 0;
    assert_ok(book_reader_query(r, &q, on_history, &h, &result));
    assert_string_equal(h.text, "");
    book_reader_close(r);
}

static void a_query_that_takes_too_long_is_aborted(void **state)
{
    struct fixture *f = *state;
    struct sql *s;
    assert_ok(sql_open(&s, f->path, SQL_READ));
    sql_set_budget(s, 1000000);
    sql_number(s, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n");
    assert_int_equal(sql_status(s).kind, STATUS_BUSY);
    assert_false(sql_in_time(s));
    sql_forgive(s);
    sql_set_budget(s, 0);
    assert_int_equal(sql_number(s, "SELECT 5"), 5);
    sql_close(s);
}

static void a_reader_cannot_write(void **state)
{
    struct fixture *f = *state;
    struct sql *s;
    assert_ok(sql_open(&s, f->path, SQL_READ));
    sql_run(s, "UPDATE meta SET last_seq = 7");
    assert_int_equal(sql_status(s).kind, STATUS_IO);
    sql_close(s);
}

/* ---- Both at once ---- */

#define TRANSACTIONS 150

static void *write_holds(void *ctx)
{
    struct fixture *f = ctx;
    struct booking b;
    for (uint32_t i = 0; i < TRANSACTIONS; i++) {
        for (uint32_t k = 0; k < 2; k++) {
            booking_begin(f, &b, "ann");
            booking_add(f, &b, ITEM_POOL, 1, 0, 1);
            fixture_write(f, &b, ACTION_HELD);
        }
        fixture_commit(f);
        if (i % 10 == 9)
            assert_ok(book_writer_checkpoint(f->writer));
    }
    return NULL;
}

static void writer_and_reader_share_the_book(void **state)
{
    struct fixture *f = *state;
    fixture_pool(f, fixture_event(f, "eras"), 0, "floor", 1000);
    struct book_reader *r = open_reader(f);
    pthread_t writer;
    assert_int_equal(pthread_create(&writer, NULL, write_holds, f), 0);
    struct rows rows;
    struct query q = {.limit = 1000, .user_id = TEXT("ann")};
    /* seqs 1 and 2 are the event and the pool, and each hold is one more: a list is exactly of its seq */
    do {
        ask(r, &q, &rows);
        assert_int_equal(rows.count, rows.result.seq - 2);
        assert_int_equal(rows.count % 2, 0);
    } while (rows.count < 2 * TRANSACTIONS);
    pthread_join(writer, NULL);
    book_reader_close(r);
    fixture_check(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        book_test(lists_are_newest_first_by_any_filter),
        book_test(lists_by_calendar_combine_with_every_other_filter),
        book_test(bookings_are_the_confirmed_slots_in_the_order_of_time),
        book_test(a_list_has_its_seq_and_whether_there_is_more),
        book_test(a_user_is_found_in_every_part_of_the_book),
        book_test(a_name_used_again_lists_both_events),
        book_test(a_forgotten_reservation_is_read_back_complete),
        book_test(an_idempotency_key_is_found),
        book_test(the_history_of_a_reservation_is_whole),
        book_test(a_query_that_takes_too_long_is_aborted),
        book_test(a_reader_cannot_write),
        book_test(writer_and_reader_share_the_book),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
