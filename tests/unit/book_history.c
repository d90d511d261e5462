/* SPDX-License-Identifier: Apache-2.0 */
/* History tells what each change did to the items, as far as that was written down. */
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
    used += (size_t)snprintf(to->text + used, sizeof(to->text) - used, "%s", h->known ? "" : "unknown");
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

static void a_history_tells_what_it_knows(void **state)
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
    /* An earlier program moved it, and did not say from where: of that, and of what was before, nothing is told. */
    ann.items[0].part = 6;
    ann.items[0].fence = ann.image.fence = f->seq + 1;
    fixture_write(f, &ann, ACTION_ITEM_MOVED);
    fixture_write(f, &ann, ACTION_EXTENDED);
    fixture_commit(f);
    h.text[0] = 0;
    r = open_reader(f);
    assert_ok(book_reader_query(r, &q, on_what, &h, &result));
    assert_string_equal(h.text, "unknown0 0\nunknown0 0\nunknown0 0\nunknown0 0\n700 700\n");
    book_reader_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {book_test(a_history_tells_what_it_knows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
