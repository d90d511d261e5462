/* SPDX-License-Identifier: Apache-2.0 */
/* Reservations are found by their words as long as they are kept, and not by words they no longer have. */
#include "../lib/book_fixture.h"

/* How many reservations the index finds. */
static int64_t found(struct fixture *f, const char *word)
{
    char question[128];
    snprintf(question, sizeof(question), "SELECT count(*) FROM search WHERE search MATCH '\"%s\"'", word);
    fixture_commit(f);
    return fixture_ask(f, question);
}

static void words_follow_changes_of_a_reservation(void **state)
{
    struct fixture *f = *state;
    struct booking b;
    char pnr[PNR_SIZE + 1] = "";
    uint64_t event = fixture_event(f, "E");
    fixture_seats(f, event, 2);
    fixture_hold(f, &b, "ann.smith", event, 0);
    pnr_write(b.image.number, pnr);
    assert_int_equal(found(f, "smith"), 1);
    assert_int_equal(found(f, pnr), 1);
    b.image.attributes = text_of("{\"note\":\"aisle\"}");
    fixture_write(f, &b, ACTION_ATTRIBUTES_CHANGED);
    assert_int_equal(found(f, "aisle"), 1);
    b.image.attributes = text_of("{\"note\":\"window\"}");
    fixture_write(f, &b, ACTION_ATTRIBUTES_CHANGED);
    assert_int_equal(found(f, "aisle"), 0);
    assert_int_equal(found(f, "window"), 1);
    b.image.attributes = (struct text){0};
    fixture_write(f, &b, ACTION_ATTRIBUTES_CHANGED);
    assert_int_equal(found(f, "window"), 0);
    fixture_confirm(f, &b);
    assert_int_equal(found(f, "ann"), 1);
    assert_int_equal(fixture_ask(f, "SELECT rowid FROM search WHERE search MATCH 'ann'"),
                     (int64_t)b.image.number);
}

/* The names on tickets, whatever happens to the items. */
static void words_of_items_are_found(void **state)
{
    struct fixture *f = *state;
    struct booking b;
    uint64_t event = fixture_event(f, "E");
    fixture_seats(f, event, 3);
    booking_begin(f, &b, "ann");
    booking_add(f, &b, ITEM_SEAT, event, 0, 1);
    booking_add(f, &b, ITEM_SEAT, event, 1, 1);
    b.items[1].attributes = text_of("{\"name\":\"Zoe\"}");
    fixture_write(f, &b, ACTION_HELD);
    assert_int_equal(found(f, "zoe"), 1);
    b.items[0].attributes = text_of("{\"name\":\"Max\"}");
    fixture_write(f, &b, ACTION_ATTRIBUTES_CHANGED);
    assert_int_equal(found(f, "max"), 1);
    assert_int_equal(found(f, "zoe"), 1);
    b.items[1].attributes = text_of("{\"name\":\"Ida\"}");
    fixture_write(f, &b, ACTION_ATTRIBUTES_CHANGED);
    assert_int_equal(found(f, "zoe"), 0);
    fixture_check(f);
    b.items[0] = b.items[1]; /* the first is dropped */
    b.image.item_count = 1;
    fixture_write(f, &b, ACTION_EXTENDED);
    assert_int_equal(found(f, "max"), 0);
    assert_int_equal(found(f, "ida"), 1);
    fixture_end(f, &b);
    assert_int_equal(found(f, "ida"), 1);
    fixture_check(f);
    bool done = false;
    uint32_t pruned;
    while (!done)
        assert_ok(book_writer_prune(f->writer, f->at_ms + 1, 0, 100, &pruned, &done));
    assert_int_equal(found(f, "ida"), 0);
}

static void pruned_reservations_are_not_found(void **state)
{
    struct fixture *f = *state;
    struct booking old, kept;
    uint64_t event = fixture_event(f, "E");
    bool done = false;
    uint32_t pruned;
    fixture_seats(f, event, 2);
    fixture_hold(f, &old, "bob", event, 0);
    old.image.attributes = text_of("{\"note\":\"aisle\"}");
    fixture_end(f, &old);
    fixture_hold(f, &kept, "bob", event, 1);
    assert_int_equal(found(f, "bob"), 2);
    while (!done)
        assert_ok(book_writer_prune(f->writer, f->at_ms + 1, 0, 100, &pruned, &done));
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM reservations"), 1);
    assert_int_equal(found(f, "bob"), 1);
    assert_int_equal(found(f, "aisle"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        book_test(words_follow_changes_of_a_reservation),
        book_test(words_of_items_are_found),
        book_test(pruned_reservations_are_not_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
