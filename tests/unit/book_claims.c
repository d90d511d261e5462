/* SPDX-License-Identifier: Apache-2.0 */
/* The live claims of an event's seats are listed by position, with the fence of the item and the user of now. */
#include "../lib/book_fixture.h"

#include "book/record/reader.h"

struct rows {
    char claims[1024];
    struct query_result result;
};

static void on_row(void *ctx, const struct query_row *row)
{
    struct rows *rows = ctx;
    const struct claim_row *c = row->claim;
    size_t used = strlen(rows->claims);
    assert_non_null(c);
    snprintf(rows->claims + used, sizeof rows->claims - used, "%s%u:%.*s:%llu", used ? " " : "", c->position,
             (int)c->user_id.size, c->user_id.at, (unsigned long long)c->fence);
}

static void expect_claims(struct book_reader *r, uint64_t event, uint32_t from, uint32_t limit, bool more,
                          const char *expected)
{
    struct rows rows = {0};
    struct query q = {.kind = QUERY_CLAIMS, .event_number = event, .from_position = from, .limit = limit};
    assert_ok(book_reader_query(r, &q, on_row, &rows, &rows.result));
    assert_true(rows.result.ok);
    assert_string_equal(rows.claims, expected);
    assert_int_equal(rows.result.more, more);
}

static void live_claims_are_listed_page_by_page(void **state)
{
    struct fixture *f = *state;
    struct booking b[4];
    struct book_reader *r;
    uint64_t eras = fixture_event(f, "eras"), other = fixture_event(f, "other");
    fixture_seats(f, eras, 8);
    fixture_seats(f, other, 8);              /* 6 */
    fixture_hold(f, &b[0], "ann", eras, 5);  /* 7 */
    fixture_hold(f, &b[1], "bob", eras, 0);  /* 8 */
    fixture_confirm(f, &b[1]);               /* 9: keeps its fence */
    fixture_hold(f, &b[2], "cat", other, 5); /* 10 */
    booking_begin(f, &b[3], "dan");          /* 11: several items, of both events */
    booking_add(f, &b[3], ITEM_SEAT, other, 2, 1);
    booking_add(f, &b[3], ITEM_SEAT, eras, 2, 1);
    booking_add(f, &b[3], ITEM_SEAT, eras, 7, 1);
    fixture_write(f, &b[3], ACTION_HELD);
    fixture_commit(f);
    assert_ok(book_reader_open(&r, f->path));
    expect_claims(r, eras, 0, 10, false, "0:bob:8 2:dan:11 5:ann:7 7:dan:11");
    expect_claims(r, eras, 0, 2, true, "0:bob:8 2:dan:11");
    expect_claims(r, eras, 3, 2, false, "5:ann:7 7:dan:11");
    expect_claims(r, eras, 8, 2, false, "");
    expect_claims(r, other, 0, 10, false, "2:dan:11 5:cat:10");
    expect_claims(r, other + 100, 0, 10, false, "");
    book_reader_close(r);
    fixture_end(f, &b[0]);
    fixture_commit(f);
    assert_ok(book_reader_open(&r, f->path));
    expect_claims(r, eras, 0, 10, false, "0:bob:8 2:dan:11 7:dan:11");
    book_reader_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        book_test(live_claims_are_listed_page_by_page),
    };
    return cmocka_run_group_tests_name("book_claims", tests, NULL, NULL);
}
