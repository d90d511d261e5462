/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever changes about an item, its claim continues unless it is a different one, and the book stays consistent. */
#include "../lib/book_fixture.h"

/* What a change can do to an item. */
static void price(struct item_image *i)
{
    i->price += 100;
}

static void category(struct item_image *i)
{
    price(i);
    i->category = TEXT("child");
}

static void free_category(struct item_image *i) /* that costs the same */
{
    i->category = TEXT("senior");
}

static void attributes(struct item_image *i)
{
    i->attributes = TEXT("{\"name\":\"Ann\"}");
}

static void another_part(struct item_image *i)
{
    i->part++;
}

static void more(struct item_image *i)
{
    i->quantity++;
    i->price += 500;
}

static void fewer(struct item_image *i)
{
    i->quantity--;
    i->price -= 500;
}

static void later(struct item_image *i)
{
    i->start_ms += 5 * MINUTE_MS;
    i->end_ms += 5 * MINUTE_MS;
    i->until_ms += 5 * MINUTE_MS;
}

static void shorter(struct item_image *i)
{
    i->end_ms -= 5 * MINUTE_MS;
    i->until_ms -= 5 * MINUTE_MS;
}

static void buffers_restored(struct item_image *i)
{
    i->until_ms += 10 * MINUTE_MS;
    i->lead_ms += 5 * MINUTE_MS;
}

static const struct deed {
    enum item_kind kind;
    bool granted; /* a new claim, under a new fence */
    enum action action;
    void (*change)(struct item_image *i);
} deeds[] = {
    {ITEM_SEAT, false, ACTION_ITEM_CHANGED, price},
    {ITEM_SEAT, false, ACTION_ITEM_CHANGED, category},
    {ITEM_SEAT, false, ACTION_ITEM_CHANGED, free_category},
    {ITEM_SEAT, false, ACTION_ATTRIBUTES_CHANGED, attributes},
    {ITEM_SEAT, true, ACTION_ITEM_MOVED, another_part},
    {ITEM_POOL, false, ACTION_ITEM_CHANGED, category},
    {ITEM_POOL, false, ACTION_ITEM_CHANGED, free_category},
    {ITEM_POOL, false, ACTION_ATTRIBUTES_CHANGED, attributes},
    {ITEM_POOL, true, ACTION_ITEM_CHANGED, more},
    {ITEM_POOL, false, ACTION_ITEM_CHANGED, fewer},
    {ITEM_SLOT, false, ACTION_ITEM_CHANGED, price},
    {ITEM_SLOT, false, ACTION_ATTRIBUTES_CHANGED, attributes},
    {ITEM_SLOT, true, ACTION_ITEM_MOVED, later},
    {ITEM_SLOT, true, ACTION_ITEM_MOVED, shorter},
    {ITEM_SLOT, false, ACTION_ITEM_CHANGED, buffers_restored},
};
#define DEEDS (sizeof(deeds) / sizeof(*deeds))

static void put_deed(struct fixture *f, struct booking *b, const struct deed *d)
{
    struct buf before;
    buf_init(&before, 4096);
    item_before_put(&before, &b->items[0]);
    d->change(&b->items[0]);
    if (d->granted)
        b->items[0].fence = b->image.fence = f->seq + 1;
    struct change *c = fixture_change(f, CHANGE_RESERVATION);
    c->actor = (struct actor){.role = ROLE_APP};
    b->image.version++;
    c->reservation.action = d->action;
    c->reservation.image = b->image;
    c->reservation.image.items = b->items;
    c->reservation.before = bytes_reader_make(before.data, before.size);
    c->reservation.before_count = 1;
    fixture_put(f);
    buf_release(&before);
}

static void transfer(struct fixture *f, struct booking *b)
{
    snprintf(b->user, sizeof(b->user), "bea");
    b->image.user_id = text_of(b->user);
    b->image.transferred = b->image.fence = f->seq + 1;
    b->image.manage_gen++;
    b->image.ticket_key[0]++;
    fixture_write(f, b, ACTION_TRANSFERRED);
}

/* The item belongs to its own event or calendar, so that nothing is in its way. */
static void hold(struct fixture *f, struct booking *b, enum item_kind kind, uint32_t nth)
{
    char id[16];
    snprintf(id, sizeof(id), "own_%u", nth);
    uint64_t owner = kind == ITEM_SLOT ? fixture_calendar(f, id, 1) : fixture_event(f, id);
    if (kind == ITEM_SEAT)
        fixture_seats(f, owner, 4);
    if (kind == ITEM_POOL)
        fixture_pool(f, owner, 0, "floor", 6);
    booking_begin(f, b, "ann");
    if (kind == ITEM_SLOT)
        booking_slot(f, b, owner, 60, 90, 90);
    else
        booking_add(f, b, kind, owner, 0, kind == ITEM_POOL ? 3 : 1);
    fixture_write(f, b, ACTION_HELD);
}

/* Two changes of an item, then the sale, then a new owner, then the end; the book is checked after each. */
static void every_pair_of_changes_leaves_a_valid_book(void **state)
{
    struct fixture *f = *state;
    uint32_t nth = 0;
    for (uint32_t a = 0; a < DEEDS; a++)
        for (uint32_t b = 0; b < DEEDS; b++) {
            struct booking ann;
            if (deeds[a].kind != deeds[b].kind)
                continue;
            hold(f, &ann, deeds[a].kind, nth++);
            put_deed(f, &ann, &deeds[a]);
            fixture_commit(f);
            fixture_check(f);
            put_deed(f, &ann, &deeds[b]);
            fixture_confirm(f, &ann);
            fixture_commit(f);
            fixture_check(f);
            transfer(f, &ann);
            fixture_commit(f);
            fixture_check(f);
        }
}

/* A seat's own version is when it was last freed: a change of price does not count. */
static void a_seat_is_not_freed_by_another_category(void **state)
{
    struct fixture *f = *state;
    struct booking ann;
    hold(f, &ann, ITEM_SEAT, 0);
    fixture_commit(f);
    int64_t version = fixture_ask(f, "SELECT version FROM seats WHERE position = 0");
    put_deed(f, &ann, &(struct deed){ITEM_SEAT, false, ACTION_ITEM_CHANGED, category});
    fixture_commit(f);
    assert_int_equal(fixture_ask(f, "SELECT version FROM seats WHERE position = 0"), version);
    assert_int_equal(fixture_ask(f, "SELECT price FROM items"), 1300);
    fixture_says(f, "SELECT category FROM items", "child");
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM claims"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {book_test(every_pair_of_changes_leaves_a_valid_book),
                                       book_test(a_seat_is_not_freed_by_another_category)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
