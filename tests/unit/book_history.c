/* SPDX-License-Identifier: Apache-2.0 */
/* History has what each change did to the items. */
#include "../lib/book_fixture.h"

#include "book/record/reader.h"

struct histories {
    char text[1024];
};

static struct book_reader *open_reader(struct fixture *f)
{
    struct book_reader *r;
    fixture_commit(f);
    assert_ok(book_reader_open(&r, f->path));
    return r;
}

/* "1:-/1200" came, "1:1200/700" changed, "2:700/-" went; then the totals. */
static void on_what(void *ctx, const struct query_row *row)
{
    const struct history_view *h = row->history;
    struct histories *to = ctx;
    size_t used = strlen(to->text);
    for (uint32_t i = 0; i < h->item_count; i++) {
        const struct history_item *item = &h->items[i];
        const struct item_image *any = item->has_after ? &item->after : &item->before;
        used += (size_t)snprintf(to->text + used, sizeof(to->text) - used, "%u %.*s %lld/%lld ", any->item_id,
                                 (int)any->part_id.size, any->part_id.at,
                                 item->has_before ? (long long)item->before.price : -1,
                                 item->has_after ? (long long)item->after.price : -1);
    }
    snprintf(to->text + used, sizeof(to->text) - used, "%lld %lld\n", (long long)h->total_before,
             (long long)h->total_after);
}

static void a_history_has_what_each_change_did(void **state)
{
    struct fixture *f = *state;
    struct booking ann;
    struct histories h = {""};
    struct query_result result;
    uint64_t eras = fixture_event(f, "eras");
    fixture_seats(f, eras, 8);
    booking_begin(f, &ann, "ann");
    booking_add(f, &ann, ITEM_SEAT, eras, 3, 1);
    booking_add(f, &ann, ITEM_SEAT, eras, 4, 1);
    fixture_write(f, &ann, ACTION_HELD);
    struct item_image was = ann.items[1];
    ann.items[1].part = 5;
    ann.items[1].price = 700;
    ann.items[1].fence = ann.image.fence = f->seq + 1;
    fixture_write_noted(f, &ann, ACTION_ITEM_MOVED, &was);
    was = ann.items[0];
    ann.items[0] = ann.items[1];
    ann.image.item_count = 1;
    fixture_write_noted(f, &ann, ACTION_ITEM_DROPPED, &was);
    fixture_commit(f);
    struct book_reader *r = open_reader(f);
    struct query q = {.kind = QUERY_HISTORY, .reservation = ann.image.id, .limit = 100};
    assert_ok(book_reader_query(r, &q, on_what, &h, &result));
    assert_string_equal(h.text, "1 A4 -1/1200 2 A5 -1/1200 0 2400\n"
                                "2 A6 1200/700 2400 1900\n"
                                "1 A4 1200/-1 1900 700\n");
    book_reader_close(r);
}

/* A payment of 12.00 for this booking. */
static void pay(struct fixture *f, const struct booking *b, const char *ref)
{
    fixture_change(f, CHANGE_PAYMENT)->payment = (struct payment_image){.number = f->seq + 1,
                                                                        .ref = text_of(ref),
                                                                        .reservation = b->image.id,
                                                                        .paid = {true, 1200, "EUR"},
                                                                        .money_seq = f->seq + 1,
                                                                        .first_at_ms = f->at_ms,
                                                                        .last_at_ms = f->at_ms,
                                                                        .currency = "EUR",
                                                                        .received = 1200,
                                                                        .owed = 1200};
    fixture_put(f);
}

static void money_beside_a_sale_of_the_same_millisecond_is_shown(void **state)
{
    struct fixture *f = *state;
    struct booking ann;
    uint64_t eras = fixture_event(f, "eras");
    fixture_seats(f, eras, 8);
    fixture_hold(f, &ann, "ann", eras, 3);
    fixture_confirm(f, &ann);
    pay(f, &ann, "pay_1"); /* shown by the sale */
    pay(f, &ann, "pay_2");
    fixture_commit(f);
    fixture_says(f, "SELECT group_concat(action, ' ') FROM history", "held confirmed payment_received");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        book_test(a_history_has_what_each_change_did),
        book_test(money_beside_a_sale_of_the_same_millisecond_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
