/* SPDX-License-Identifier: Apache-2.0 */
/* A layout that grew by many imports equals the result of a single import, shares the existing seats, and leaves
 * earlier versions as they were. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/catalogue/layout.h"

static uint32_t drawn = 1;

static uint32_t draw(uint32_t below)
{
    drawn = drawn * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(drawn >> 8) * below >> 24);
}

/* Few rows, so that most imports add to existing rows: numbers go up, or have gaps that are filled later, or repeat;
 * some seats have none, some a y that moves their row to the front. */
static void seat_put(struct buf *rows, uint32_t n, uint32_t kinds)
{
    char id[16], row[16], number[16];
    struct seat_image seat = {.id = {id, (size_t)snprintf(id, sizeof(id), "s%u", n)}, .price = n % 9};
    uint32_t kind = draw(kinds), r = draw(12);
    seat.section = (struct text){&"ABC"[draw(3)], 1};
    seat.row = (struct text){row, (size_t)snprintf(row, sizeof(row), "%s%u", draw(9) ? "" : "0", r)};
    if (kind < 5)
        seat.number =
            (struct text){number, (size_t)snprintf(number, sizeof(number), "%u", kind < 3 ? n : draw(60))};
    else if (kind == 5)
        seat.number = TEXT("b");
    if (kind == 6) {
        seat.has_y = true;
        seat.y_milli = (int32_t)draw(100000);
    }
    seat.tier = (struct text){&"xyz"[draw(40) ? r % 3 : draw(3)], 1};
    seat_row_put(rows, SEAT_COLUMN_BLOCKED * 2 - 1, &seat);
}

static struct layout *make(const struct layout *base, const struct buf *rows, uint32_t count)
{
    uint32_t created, updated;
    struct layout_blocks blocks;
    struct layout *l =
        layout_make(base, bytes_reader_make(rows->data, rows->size), count, &created, &updated, &blocks);
    layout_blocks_release(&blocks);
    return l;
}

static void are_equal(const struct layout *a, const struct layout *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->digest, b->digest);
    assert_int_equal(a->row_count, b->row_count);
    assert_int_equal(a->part_count, b->part_count);
    assert_memory_equal(a->front, b->front, a->row_count * sizeof(*a->front));
    for (uint32_t i = 0; i < a->row_count; i++) {
        const struct layout_row *x = &a->rows[i], *y = &b->rows[i];
        assert_int_equal(x->count, y->count);
        assert_memory_equal(x->seats, y->seats, x->count * sizeof(*x->seats));
        assert_int_equal(x->opened, y->opened);
        assert_int_equal(x->longest, y->longest);
        assert_int_equal(x->last_run, y->last_run);
        assert_int_equal(x->numbered, y->numbered);
        assert_true(text_equal(layout_text(a, x->section), layout_text(b, y->section)));
        assert_int_equal(x->tier == LAYOUT_MIXED, y->tier == LAYOUT_MIXED);
        assert_int_equal(x->has_y ? x->y_milli : -1, y->has_y ? y->y_milli : -1);
    }
    for (uint32_t i = 0; i < a->count; i++) {
        assert_int_equal(layout_find(a, layout_id(b, i)), i);
        assert_int_equal(layout_row_of(a, i), layout_row_of(b, i));
    }
    for (uint32_t i = 0; i < b->part_count; i++) {
        const struct layout_part *right = &b->parts[i];
        const struct layout_part *part =
            layout_part(a, layout_text(b, right->section), layout_text(b, right->tier));
        assert_non_null(part);
        assert_int_equal(part->count, right->count);
        assert_int_equal(part->longest, right->longest);
    }
}

static void grown_and_made_at_once_are_the_same(void **state)
{
    (void)state;
    enum { PARTS = 12, PART_MOST = 80 };
    for (uint32_t round = 0; round < 60; round++) {
        struct layout *versions[PARTS] = {0}, *grown = NULL;
        struct buf all;
        uint32_t count = 0, ends[PARTS];
        size_t sizes[PARTS];
        buf_init(&all, 1 << 20);
        for (uint32_t part = 0; part < PARTS; part++) {
            size_t before = all.size;
            uint32_t more = draw(PART_MOST);
            for (uint32_t i = 0; i < more; i++)
                seat_put(&all, count + i, round % 8 + 1);
            struct buf rows = {.data = all.data + before, .size = all.size - before};
            grown = make(grown, &rows, more);
            assert_ptr_equal(grown->roll, versions[0] ? versions[0]->roll : grown->roll);
            versions[part] = grown;
            count += more;
            ends[part] = count;
            sizes[part] = all.size;
        }
        for (uint32_t part = 0; part < PARTS; part++) { /* each as it was when it was made */
            struct buf rows = {.data = all.data, .size = sizes[part]};
            struct layout *once = make(NULL, &rows, ends[part]);
            are_equal(versions[part], once);
            layout_release(once);
            if (part + 1 < PARTS && ends[part] < count) {
                char id[16];
                struct text later = {id, (size_t)snprintf(id, sizeof(id), "s%u", ends[part])};
                assert_int_equal(layout_find(versions[part], later), LAYOUT_NONE);
            }
        }
        for (uint32_t part = 0; part < PARTS; part++)
            layout_release(versions[part]);
        buf_release(&all);
    }
}

static void an_abandoned_layout_is_not_seen(void **state)
{
    (void)state;
    struct buf first, lost, next;
    buf_init(&first, 4096);
    buf_init(&lost, 4096);
    buf_init(&next, 4096);
    for (uint32_t i = 0; i < 5; i++) {
        seat_row_put(&first, SEAT_COLUMN_ROW, &(struct seat_image){.id = {&"ABCDE"[i], 1}, .row = TEXT("1")});
        seat_row_put(&lost, SEAT_COLUMN_ROW, &(struct seat_image){.id = {&"FGHIJ"[i], 1}, .row = TEXT("2")});
        seat_row_put(&next, SEAT_COLUMN_ROW, &(struct seat_image){.id = {&"IJKLM"[i], 1}, .row = TEXT("1")});
    }
    struct layout *a = make(NULL, &first, 5), *b = make(a, &lost, 5), *c = make(a, &next, 5);
    assert_ptr_equal(b->roll, a->roll);
    assert_ptr_not_equal(c->roll, a->roll);
    layout_release(b);
    assert_int_equal(c->count, 10);
    assert_int_equal(c->row_count, 1);
    assert_int_equal(layout_find(c, TEXT("F")), LAYOUT_NONE);
    assert_int_equal(layout_find(c, TEXT("I")), 5);
    assert_int_equal(layout_label(c, TEXT("2")), 0);
    assert_int_equal(layout_find(a, TEXT("I")), LAYOUT_NONE);
    struct layout *d = make(c, &lost, 3); /* F, G, H */
    assert_ptr_equal(d->roll, c->roll);
    assert_int_equal(d->count, 13);
    layout_release(d);
    layout_release(c);
    layout_release(a);
    buf_release(&first);
    buf_release(&lost);
    buf_release(&next);
}

/* Rows whose seats come in descending order are sorted again each time: what that leaves behind is bounded. */
static void a_worn_roll_is_replaced(void **state)
{
    (void)state;
    struct layout *l = NULL;
    bool replaced = false;
    for (uint32_t n = 2000; n > 0; n--) {
        struct buf rows;
        char id[16];
        buf_init(&rows, 4096);
        struct text name = {id, (size_t)snprintf(id, sizeof(id), "%u", n)};
        seat_row_put(&rows, SEAT_COLUMN_NUMBER, &(struct seat_image){.id = name, .number = name});
        struct layout *next = make(l, &rows, 1);
        assert_true(next->roll->order_reclaim <= 2 * (uint64_t)next->count + 65536 + next->count);
        replaced = replaced || (l && next->roll != l->roll);
        layout_release(l);
        l = next;
        buf_release(&rows);
    }
    assert_true(replaced);
    assert_int_equal(l->rows[0].longest, 2000);
    layout_release(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grown_and_made_at_once_are_the_same),
        cmocka_unit_test(an_abandoned_layout_is_not_seen),
        cmocka_unit_test(a_worn_roll_is_replaced),
    };
    return cmocka_run_group_tests_name("core_layout_grows", tests, NULL, NULL);
}
