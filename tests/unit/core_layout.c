/* SPDX-License-Identifier: Apache-2.0 */
/* A layout keeps what an import does not name, finds every seat and label, and sorts its rows as people would. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/catalogue/layout.h"

static int order_of(const char *a, const char *b)
{
    int order = natural_compare((struct text){a, strlen(a)}, (struct text){b, strlen(b)});
    int other = natural_compare((struct text){b, strlen(b)}, (struct text){a, strlen(a)});
    assert_int_equal(order<0, other> 0);
    assert_int_equal(order == 0, other == 0);
    return (order > 0) - (order < 0);
}

static void natural_order_sorts_as_people_do(void **state)
{
    (void)state;
    assert_int_equal(order_of("A2", "A10"), -1);
    assert_int_equal(order_of("A10", "A10"), 0);
    assert_int_equal(order_of("A010", "A10"), 0);
    assert_int_equal(order_of("2", "10"), -1);
    assert_int_equal(order_of("Row 9 seat 12", "Row 9 seat 3"), 1);
    assert_int_equal(order_of("", "A"), -1);
    assert_int_equal(order_of("", ""), 0);
    assert_int_equal(order_of("A", "A1"), -1);
    assert_int_equal(order_of("A", "B"), -1);
    assert_int_equal(order_of("A0", "A00"), 0);
    assert_int_equal(order_of("9999999999999999999999", "10000000000000000000000"), -1);
    assert_int_equal(order_of("1a", "1"), 1);
    assert_int_equal(order_of("\xc3\xa9", "z"), 1); /* by byte, not by locale */
}

struct import {
    struct buf rows;
    uint32_t count;
};

static void import_add(struct import *i, uint32_t columns, struct seat_image seat)
{
    if (!i->rows.limit)
        buf_init(&i->rows, 1 << 24);
    seat_row_put(&i->rows, columns, &seat);
    i->count++;
}

static uint32_t created, updated;
static struct layout_blocks blocks;

static struct layout *import_make(struct import *i, const struct layout *base)
{
    layout_blocks_release(&blocks);
    struct layout *l = layout_make(base, bytes_reader_make(i->rows.data, i->rows.size), i->count, &created,
                                   &updated, &blocks);
    buf_release(&i->rows);
    *i = (struct import){0};
    return l;
}

static void an_update_keeps_the_other_columns(void **state)
{
    (void)state;
    struct import i = {0};
    struct seat_image seat;
    import_add(&i, SEAT_COLUMN_BLOCKED * 2 - 1,
               (struct seat_image){.id = TEXT("A1"),
                                   .section = TEXT("L"),
                                   .row = TEXT("A"),
                                   .number = TEXT("1"),
                                   .tier = TEXT("gold"),
                                   .x_milli = 5,
                                   .has_x = true,
                                   .y_milli = 6,
                                   .has_y = true,
                                   .price = 100,
                                   .accessible = true,
                                   .blocked = true});
    import_add(&i, 0, (struct seat_image){.id = TEXT("A2")});
    struct layout *first = import_make(&i, NULL);
    assert_int_equal(created, 2);
    assert_int_equal(updated, 0);
    assert_int_equal(bitset_next(&blocks.off, 0, 100), 0);
    assert_int_equal(bitset_next(&blocks.off, 1, 100), BITSET_NONE);
    assert_int_equal(bitset_next(&blocks.back, 0, 100), BITSET_NONE);

    import_add(&i, SEAT_COLUMN_PRICE, (struct seat_image){.id = TEXT("A1"), .price = 200});
    import_add(&i, SEAT_COLUMN_TIER | SEAT_COLUMN_X,
               (struct seat_image){.id = TEXT("A2"), .tier = TEXT("gold")});
    import_add(&i, SEAT_COLUMN_BLOCKED, (struct seat_image){.id = TEXT("A3")});
    struct layout *second = import_make(&i, first);
    assert_int_equal(created, 1);
    assert_int_equal(updated, 2);
    assert_int_equal(blocks.off.size + blocks.back.size, 0); /* new, and not blocked in any case */
    layout_seat_image(second, 0, &seat);
    assert_int_equal(seat.price, 200);
    assert_true(text_equal(seat.section, TEXT("L")) && text_equal(seat.row, TEXT("A")));
    assert_true(text_equal(seat.number, TEXT("1")) && text_equal(seat.tier, TEXT("gold")));
    assert_true(seat.has_x && seat.x_milli == 5 && seat.has_y && seat.y_milli == 6 && seat.accessible);
    layout_seat_image(second, 1, &seat);
    assert_true(text_equal(seat.tier, TEXT("gold")) && !seat.has_x && !seat.section.at && seat.price == 0);

    /* the first one never changes: a worker could be reading it */
    assert_int_equal(first->count, 2);
    layout_seat_image(first, 0, &seat);
    assert_int_equal(seat.price, 100);
    layout_release(first);

    import_add(&i, SEAT_COLUMN_SECTION | SEAT_COLUMN_Y, (struct seat_image){.id = TEXT("A1")});
    struct layout *third = import_make(&i, second);
    layout_seat_image(third, 0, &seat);
    assert_null(seat.section.at); /* given as empty */
    assert_false(seat.has_y);
    layout_release(second);
    layout_release(third);
}

static void many_seats_are_found(void **state)
{
    (void)state;
    enum { SEATS = 5000 };
    struct import i = {0};
    char id[32], row[32], number[32];
    struct layout *l = NULL;
    for (int part = 0; part < 2; part++) {
        for (int n = part * SEATS; n < (part + 1) * SEATS; n++) {
            int sizes[3] = {snprintf(id, sizeof(id), "seat-%d", n), snprintf(row, sizeof(row), "r%d", n / 7),
                            snprintf(number, sizeof(number), "%d", n % 7)};
            import_add(&i, SEAT_COLUMN_ROW | SEAT_COLUMN_NUMBER,
                       (struct seat_image){.id = {id, (size_t)sizes[0]},
                                           .row = {row, (size_t)sizes[1]},
                                           .number = {number, (size_t)sizes[2]}});
        }
        struct layout *next = import_make(&i, l);
        layout_release(l);
        l = next;
    }
    assert_int_equal(l->count, 2 * SEATS);
    assert_int_equal(l->row_count, (2 * SEATS + 6) / 7);
    for (int n = 0; n < 2 * SEATS; n++) {
        int size = snprintf(id, sizeof(id), "seat-%d", n);
        assert_int_equal(layout_find(l, (struct text){id, (size_t)size}), n);
    }
    assert_int_equal(layout_find(l, TEXT("seat-10000")), LAYOUT_NONE);
    assert_int_equal(layout_find(NULL, TEXT("seat-1")), LAYOUT_NONE);
    assert_int_equal(layout_label(l, TEXT("r99999")), 0);
    assert_true(text_equal(layout_text(l, layout_label(l, TEXT("r99"))), TEXT("r99")));
    /* natural order of the rows, numbers side by side */
    for (uint32_t r = 0; r < l->row_count; r++) {
        const struct layout_row *in = &l->rows[l->front[r]];
        uint32_t first = in->seats[0] & ~LAYOUT_BESIDE;
        assert_int_equal(first, r * 7);
        for (uint32_t k = 1; k < in->count; k++)
            assert_int_equal(in->seats[k], (first + k) | LAYOUT_BESIDE);
    }
    layout_release(l);
}

static void the_last_row_of_a_seat_counts(void **state)
{
    (void)state;
    struct import i = {0};
    for (int n = 0; n < 3; n++)
        import_add(&i, 0, (struct seat_image){.id = {&"ABC"[n], 1}});
    struct layout *first = import_make(&i, NULL);
    import_add(&i, SEAT_COLUMN_BLOCKED, (struct seat_image){.id = TEXT("A"), .blocked = true});
    import_add(&i, SEAT_COLUMN_BLOCKED, (struct seat_image){.id = TEXT("C"), .blocked = false});
    import_add(&i, SEAT_COLUMN_BLOCKED, (struct seat_image){.id = TEXT("C"), .blocked = true});
    import_add(&i, SEAT_COLUMN_BLOCKED, (struct seat_image){.id = TEXT("A"), .blocked = false});
    struct layout *second = import_make(&i, first);
    assert_int_equal(bitset_next(&blocks.off, 0, 100), 2);
    assert_int_equal(bitset_next(&blocks.back, 0, 100), 0);
    assert_int_equal(bitset_next(&blocks.back, 1, 100), BITSET_NONE);
    layout_release(first);
    layout_release(second);
}

/* The expected part, counted seat by seat. 0: any. */
static struct layout_part counted(const struct layout *l, uint32_t section, uint32_t tier)
{
    struct layout_part part = {.section = section, .tier = tier};
    for (uint32_t r = 0; r < l->row_count; r++) {
        uint32_t run = 0;
        for (uint32_t i = 0; i < l->rows[r].count; i++) {
            uint32_t position = l->rows[r].seats[i];
            const struct layout_seat *seat = layout_seat(l, position & ~LAYOUT_BESIDE);
            bool fits = (!section || seat->section == section) && (!tier || seat->tier == tier);
            bool plain = fits && !(seat->flags & LAYOUT_ACCESSIBLE);
            run = !plain ? 0 : position & LAYOUT_BESIDE ? run + 1 : 1;
            part.count += fits;
            part.plain += plain;
            part.longest = run > part.longest ? run : part.longest;
        }
    }
    return part;
}

static void expect_part(const struct layout *l, struct text section, struct text tier)
{
    uint32_t places[2] = {section.at ? layout_label(l, section) : 0, tier.at ? layout_label(l, tier) : 0};
    bool known = (!section.at || places[0]) && (!tier.at || places[1]);
    struct layout_part right = known ? counted(l, places[0], places[1]) : (struct layout_part){0};
    const struct layout_part *part = layout_part(l, section, tier);
    assert_int_equal(part != NULL, right.count > 0);
    if (part)
        assert_memory_equal(part, &right, sizeof(right));
}

/* Sections and tiers of one letter; a blank means none. All are random, and the numbers have gaps. */
static void parts_match_a_count(void **state)
{
    (void)state;
    enum { SEATS = 3000 };
    struct import i = {0};
    uint32_t drawn = 1;
    for (int n = 0; n < SEATS; n++) {
        char id[16], row[16], number[16];
        int sizes[3] = {snprintf(id, sizeof(id), "s%d", n), snprintf(row, sizeof(row), "r%d", n / 40 % 25),
                        snprintf(number, sizeof(number), "%d", n % 40 + n % 40 / 17)};
        drawn = drawn * 1664525u + 1013904223u;
        const char *section = &"ABC DEF"[n / 400 % 7],
                   *tier = &"xxxyzz "[n / 40 % 3 ? (int)(drawn >> 29) : 3];
        import_add(&i, SEAT_COLUMN_BLOCKED * 2 - 1,
                   (struct seat_image){.id = {id, (size_t)sizes[0]},
                                       .row = {row, (size_t)sizes[1]},
                                       .number = {number, (size_t)sizes[2]},
                                       .accessible = n % 11 == 0,
                                       .section = {section, *section != ' '},
                                       .tier = {tier, *tier && *tier != ' '}});
    }
    struct layout *l = import_make(&i, NULL);
    for (const char *section = "ABCDEF?1", *s = section; *s; s++) {
        expect_part(l, (struct text){s, 1}, (struct text){0});
        for (const char *tier = "xyz?1"; *tier; tier++) {
            expect_part(l, (struct text){0}, (struct text){tier, 1});
            expect_part(l, (struct text){s, 1}, (struct text){tier, 1});
        }
    }
    expect_part(l, (struct text){0}, (struct text){0});
    assert_true(l->part_count <= 1 + 6 + 3 + 6 * 3);
    assert_null(layout_part(l, TEXT("r1"), (struct text){0})); /* the label of a row is not a section */
    layout_release(l);

    import_add(&i, 0, (struct seat_image){.id = TEXT("alone")});
    l = import_make(&i, NULL);
    assert_int_equal(layout_part(l, (struct text){0}, (struct text){0})->count, 1);
    layout_release(l);
    l = import_make(&i, NULL);
    assert_null(layout_part(l, (struct text){0}, (struct text){0}));
    layout_release(l);
}

static void many_parts_are_found(void **state)
{
    (void)state;
    enum { SEATS = 2000 };
    struct import i = {0};
    char id[16];
    for (int n = 0; n < SEATS; n++) {
        struct text name = {id, (size_t)snprintf(id, sizeof(id), "s%d", n)};
        import_add(&i, SEAT_COLUMN_SECTION | SEAT_COLUMN_TIER,
                   (struct seat_image){.id = name, .section = name, .tier = name});
    }
    struct layout *l = import_make(&i, NULL);
    assert_int_equal(l->part_count, 1 + 3 * SEATS);
    for (int n = 0; n < SEATS; n++) {
        struct text name = {id, (size_t)snprintf(id, sizeof(id), "s%d", n)};
        assert_int_equal(layout_part(l, name, name)->count, 1);
        assert_int_equal(layout_part(l, name, (struct text){0})->longest, 1);
        assert_null(layout_part(l, name, n ? TEXT("s0") : TEXT("s1")));
    }
    layout_release(l);
}

static void damaged_rows_make_no_layout(void **state)
{
    (void)state;
    struct import i = {0};
    import_add(&i, SEAT_COLUMN_BLOCKED, (struct seat_image){.id = TEXT("A1"), .blocked = true});
    i.count = 2;
    assert_null(import_make(&i, NULL));
    assert_null(blocks.off.words);
    import_add(&i, 0, (struct seat_image){.id = TEXT("")});
    assert_null(import_make(&i, NULL));
}

static int tear_down(void **state)
{
    (void)state;
    layout_blocks_release(&blocks);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(natural_order_sorts_as_people_do),
        cmocka_unit_test(an_update_keeps_the_other_columns),
        cmocka_unit_test(many_seats_are_found),
        cmocka_unit_test(the_last_row_of_a_seat_counts),
        cmocka_unit_test(parts_match_a_count),
        cmocka_unit_test(many_parts_are_found),
        cmocka_unit_test(damaged_rows_make_no_layout),
    };
    return cmocka_run_group_tests_name("core_layout", tests, NULL, tear_down);
}
