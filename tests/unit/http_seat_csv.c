/* SPDX-License-Identifier: Apache-2.0 */
/* Seats are read from a CSV as written, and a fault names its line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/memory/buf.h"
#include "core/change.h"
#include "http/catalogue/seat_body.h"

#define SEATS_READ_MAX 16

struct reading {
    struct buf rows;
    uint32_t count;
    struct import_fault fault;
    struct seat_image seats[SEATS_READ_MAX];
    uint32_t columns[SEATS_READ_MAX];
    bool ok;
};

static struct reading reading;

static int clear(void **state)
{
    (void)state;
    buf_release(&reading.rows);
    reading = (struct reading){0};
    return 0;
}

static void take_rows(void)
{
    struct bytes_reader in = bytes_reader_make(reading.rows.data, reading.rows.size);
    assert_true(reading.count <= SEATS_READ_MAX);
    for (uint32_t i = 0; i < reading.count; i++)
        assert_true(seat_row_get(&in, &reading.columns[i], &reading.seats[i]));
    assert_int_equal(bytes_left(&in), 0);
}

static void read_csv_sized(const char *csv, size_t size)
{
    clear(NULL);
    buf_init(&reading.rows, 1 << 20);
    reading.ok =
        seat_csv_read(csv, size, (struct hash_key){1, 2}, &reading.rows, &reading.count, &reading.fault);
    if (reading.ok)
        take_rows();
}

static void read_csv(const char *csv)
{
    read_csv_sized(csv, strlen(csv));
}

static void read_json(const char *json)
{
    clear(NULL);
    buf_init(&reading.rows, 1 << 20);
    reading.ok = seat_json_read(json, strlen(json), (struct hash_key){1, 2}, &reading.rows, &reading.count,
                                &reading.fault);
    if (reading.ok)
        take_rows();
}

static void check_text(struct text text, const char *expected)
{
    if (!expected) {
        assert_null(text.at);
        return;
    }
    assert_non_null(text.at);
    assert_int_equal(text.size, strlen(expected));
    assert_memory_equal(text.at, expected, text.size);
}

static void check_refused(const char *csv, uint32_t line)
{
    read_csv(csv);
    if (reading.ok)
        fail_msg("was read: %s", csv);
    assert_int_equal(reading.fault.kind, IMPORT_UNREADABLE);
    if (reading.fault.line != line)
        fail_msg("line %u instead of %u for: %s", reading.fault.line, line, csv);
    assert_true(reading.fault.detail[0] != '\0');
}

static void all_columns_are_read(void **state)
{
    (void)state;
    read_csv("id,section,row,number,x,y,tier,price,accessible,blocked\n"
             "A15,A,3,15,12.5,-0.001,gold,12000,true,0\n");
    assert_true(reading.ok);
    assert_int_equal(reading.count, 1);
    const struct seat_image *seat = &reading.seats[0];
    check_text(seat->id, "A15");
    check_text(seat->section, "A");
    check_text(seat->row, "3");
    check_text(seat->number, "15");
    check_text(seat->tier, "gold");
    assert_true(seat->has_x && seat->has_y);
    assert_int_equal(seat->x_milli, 12500);
    assert_int_equal(seat->y_milli, -1);
    assert_int_equal(seat->price, 12000);
    assert_true(seat->accessible);
    assert_false(seat->blocked);
    assert_int_equal(reading.columns[0], 2 * SEAT_COLUMN_BLOCKED - 1);
}

static void columns_can_be_in_any_order(void **state)
{
    (void)state;
    read_csv("price,id\n5,A1\n6,A2\n");
    assert_true(reading.ok);
    assert_int_equal(reading.count, 2);
    check_text(reading.seats[1].id, "A2");
    assert_int_equal(reading.seats[1].price, 6);
    assert_int_equal(reading.columns[1], SEAT_COLUMN_PRICE);
    check_text(reading.seats[1].section, NULL);
}

static void line_ends_and_byte_order_mark(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "id\nA1\nA2\n",
        "id\nA1\nA2",
        "id\r\nA1\r\nA2\r\n",
        "id\r\nA1\nA2\r\n",
        "\xEF\xBB\xBFid\nA1\nA2\n",
        "\xEF\xBB\xBF\"id\"\r\n\"A1\"\r\n\"A2\"",
        "id\n\nA1\n\r\nA2\n\n\n",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        read_csv(texts[i]);
        assert_true(reading.ok);
        assert_int_equal(reading.count, 2);
        check_text(reading.seats[0].id, "A1");
        check_text(reading.seats[1].id, "A2");
    }
}

static void quoted_fields_keep_their_content(void **state)
{
    (void)state;
    read_csv("id,section,tier\nA1,\"North, upper\",\"the \"\"gold\"\" one\"\nA2,\"\",\"\"\"\"\n");
    assert_true(reading.ok);
    check_text(reading.seats[0].section, "North, upper");
    check_text(reading.seats[0].tier, "the \"gold\" one");
    check_text(reading.seats[1].section, NULL);
    check_text(reading.seats[1].tier, "\"");
}

static void a_field_can_have_several_lines(void **state)
{
    (void)state;
    read_csv("id,section\nA1,\"upper\r\nbalcony\"\nA2,\"a\nb\"\n");
    assert_true(reading.ok);
    assert_int_equal(reading.count, 2);
    check_text(reading.seats[0].section, "upper\r\nbalcony");
    check_text(reading.seats[1].section, "a\nb");
    /* The fault names the line of the text, not the number of the record. */
    check_refused("id,section\nA1,\"upper\r\nbalcony\"\nA1,x\n", 4);
}

static void empty_fields(void **state)
{
    (void)state;
    read_csv("id,section,x,price,accessible,blocked\nA1,,,,,\n");
    assert_true(reading.ok);
    assert_int_equal(reading.columns[0], SEAT_COLUMN_SECTION | SEAT_COLUMN_X);
    check_text(reading.seats[0].section, NULL);
    assert_false(reading.seats[0].has_x);
}

static void an_import_of_nothing_is_refused(void **state)
{
    (void)state;
    check_refused("id,section\n", 1);
    check_refused("id,section\n\n\n", 1);
    read_json("[]");
    assert_false(reading.ok);
    assert_string_equal(reading.fault.pointer, "");
}

static void bad_headers_are_refused(void **state)
{
    (void)state;
    check_refused("", 1);
    check_refused("\nid\nA1\n", 1);
    check_refused("section\nA\n", 1);
    check_refused("id,colour\nA1,red\n", 1);
    check_refused("id,Section\nA1,A\n", 1);
    check_refused("id, section\nA1,A\n", 1);
    check_refused("id,section,section\nA1,A,B\n", 1);
    check_refused("id,section,row,number,x,y,tier,price,accessible,blocked,id\n", 1);
    check_refused("\"id\nA1\n", 1);
}

static void bad_lines_are_refused_by_number(void **state)
{
    (void)state;
    check_refused("id\nA1\nA1\n", 3);
    check_refused("id\nA1\nA2\nA 3\n", 4);
    assert_string_equal(reading.fault.detail,
                        "Invalid id: expected 1 to 64 letters, digits or . _ ~ -, got \"A 3\".");
    check_refused("id,price\nA1,4.50\n", 2);
    assert_string_equal(reading.fault.detail,
                        "Invalid price: expected an integer from 0 to 1000000000000, got \"4.50\".");
    check_refused("id,accessible\nA1,\"y\nes\"\n", 2);
    assert_string_equal(reading.fault.detail, "Invalid accessible: expected true or false, got \"y?es\".");
    check_refused("id,section\nA1\n", 2);
    check_refused("id,section\nA1,A,B\n", 2);
    check_refused("id,section\n,A\n", 2);
    check_refused("id\nA\"1\n", 2);
    check_refused("id\n\"A1\"x\n", 2);
    check_refused("id\nA1\n\"A2\n", 3);
    check_refused("id\nA1\rA2\n", 2);
    check_refused("id,section\nA1,\"a\x01b\"\n", 2);
    check_refused("id,tier\nA1,\"ok\"\nA2,\xff\n", 3);
    check_refused("id\r\n\r\nA1\r\nA\xc3\xa9\r\n", 4);
}

static void numbers_must_be_numbers(void **state)
{
    (void)state;
    static const char *const bad_prices[] = {"-1", "1.5", "1e3",           " 5",
                                             "5 ", "x",   "1000000000001", "99999999999999999999"};
    static const char *const bad_places[] = {
        "-", ".", "1.2.3", "1e3", "+1", "2147483.648", "99999999999999999999"};
    char csv[128];
    for (size_t i = 0; i < sizeof(bad_prices) / sizeof(bad_prices[0]); i++) {
        snprintf(csv, sizeof(csv), "id,price\nA1,5\nA2,%s\n", bad_prices[i]);
        check_refused(csv, 3);
    }
    for (size_t i = 0; i < sizeof(bad_places) / sizeof(bad_places[0]); i++) {
        snprintf(csv, sizeof(csv), "id,x\nA1,%s\n", bad_places[i]);
        check_refused(csv, 2);
    }
    check_refused("id,accessible\nA1,yes\n", 2);
    check_refused("id,blocked\nA1,TRUE\n", 2);
}

static void coordinates_are_kept_as_thousandths(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int32_t milli;
    } cases[] = {{"0", 0},
                 {"7", 7000},
                 {"-7", -7000},
                 {".5", 500},
                 {"5.", 5000},
                 {"1.2", 1200},
                 {"1.234", 1234},
                 {"1.2344", 1234},
                 {"1.2345", 1235},
                 {"-1.2345", -1235},
                 {"1.23444999", 1234},
                 {"0.0009", 1},
                 {"2147483.647", INT32_MAX},
                 {"0001.0", 1000}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char csv[64];
        snprintf(csv, sizeof(csv), "id,y\nA1,%s\n", cases[i].text);
        read_csv(csv);
        assert_true(reading.ok);
        assert_true(reading.seats[0].has_y);
        assert_int_equal(reading.seats[0].y_milli, cases[i].milli);
    }
}

static void sizes_are_checked(void **state)
{
    (void)state;
    char csv[256];
    snprintf(csv, sizeof(csv), "id\n%064d\n", 0);
    read_csv(csv);
    assert_true(reading.ok);
    snprintf(csv, sizeof(csv), "id\n%065d\n", 0);
    check_refused(csv, 2);
    snprintf(csv, sizeof(csv), "id,section\nA1,%065d\n", 0);
    check_refused(csv, 2);
    snprintf(csv, sizeof(csv), "id,section\nA1,\"\"\"%064d\"\n", 0);
    check_refused(csv, 2);
    snprintf(csv, sizeof(csv), "id,section\nA1,\"\"\"%063d\"\n", 0);
    read_csv(csv);
    assert_true(reading.ok);
    assert_int_equal(reading.seats[0].section.size, 64);
}

static void too_many_for_the_rows_is_413(void **state)
{
    (void)state;
    clear(NULL);
    buf_init(&reading.rows, 600);
    const char *csv =
        "id\nA1\nA2\nA3\nA4\nA5\nA6\nA7\nA8\nA9\nB1\nB2\nB3\nB4\nB5\nB6\nB7\nB8\nB9\nC1\nC2\nC3\nC4\nC5\n"
        "C6\nC7\nC8\n";
    assert_false(seat_csv_read(csv, strlen(csv), (struct hash_key){1, 2}, &reading.rows, &reading.count,
                               &reading.fault));
    assert_int_equal(reading.fault.kind, IMPORT_TOO_MANY);
}

static void every_cut_of_a_text_is_read_or_refused(void **state)
{
    (void)state;
    const char csv[] = "\xEF\xBB\xBFid,\"section\",price\r\nA1,\"a \"\"b\"\"\",5\r\nA2,c,\n";
    for (size_t size = 0; size < sizeof(csv); size++) {
        char *copy = test_malloc(size + 1); /* with guards around it */
        memcpy(copy, csv, size);
        read_csv_sized(copy, size);
        assert_true(reading.ok || (reading.fault.line >= 1 && reading.fault.line <= 3));
        clear(NULL);
        test_free(copy);
    }
}

static void json_has_the_same_fields(void **state)
{
    (void)state;
    read_json(
        "[{\"id\":\"A1\",\"section\":\"A\",\"row\":\"3\",\"number\":\"1\",\"x\":1.5,\"y\":null,\"tier\":\"\","
        "\"price\":7,\"accessible\":true,\"blocked\":false},{\"id\":\"A2\",\"section\":null}]");
    assert_true(reading.ok);
    assert_int_equal(reading.count, 2);
    check_text(reading.seats[0].section, "A");
    check_text(reading.seats[0].tier, NULL);
    assert_int_equal(reading.seats[0].x_milli, 1500);
    assert_false(reading.seats[0].has_y);
    assert_int_equal(reading.columns[0], (2 * SEAT_COLUMN_BLOCKED - 1) & ~SEAT_COLUMN_Y);
    assert_int_equal(reading.columns[1], 0);
}

static void json_faults_name_the_field(void **state)
{
    (void)state;
    static const struct {
        const char *json, *pointer;
    } cases[] = {
        {"{}", ""},
        {"[{}]", "/0/id"},
        {"[{\"id\":\"A1\"},{\"id\":\"A1\"}]", "/1/id"},
        {"[{\"id\":\"A1\"},{\"id\":\"A 2\"}]", "/1/id"},
        {"[{\"id\":\"A1\",\"row\":3}]", "/0/row"},
        {"[{\"id\":\"A1\",\"price\":-1}]", "/0/price"},
        {"[{\"id\":\"A1\",\"colour\":\"red\"}]", "/0/colour"},
        {"[{\"id\":\"A1\",\"blocked\":1}]", "/0/blocked"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        read_json(cases[i].json);
        assert_false(reading.ok);
        assert_int_equal(reading.fault.kind, IMPORT_UNREADABLE);
        assert_int_equal(reading.fault.line, 0);
        assert_string_equal(reading.fault.pointer, cases[i].pointer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(all_columns_are_read, clear),
        cmocka_unit_test_teardown(columns_can_be_in_any_order, clear),
        cmocka_unit_test_teardown(line_ends_and_byte_order_mark, clear),
        cmocka_unit_test_teardown(quoted_fields_keep_their_content, clear),
        cmocka_unit_test_teardown(a_field_can_have_several_lines, clear),
        cmocka_unit_test_teardown(empty_fields, clear),
        cmocka_unit_test_teardown(an_import_of_nothing_is_refused, clear),
        cmocka_unit_test_teardown(bad_headers_are_refused, clear),
        cmocka_unit_test_teardown(bad_lines_are_refused_by_number, clear),
        cmocka_unit_test_teardown(numbers_must_be_numbers, clear),
        cmocka_unit_test_teardown(coordinates_are_kept_as_thousandths, clear),
        cmocka_unit_test_teardown(sizes_are_checked, clear),
        cmocka_unit_test_teardown(too_many_for_the_rows_is_413, clear),
        cmocka_unit_test_teardown(every_cut_of_a_text_is_read_or_refused, clear),
        cmocka_unit_test_teardown(json_has_the_same_fields, clear),
        cmocka_unit_test_teardown(json_faults_name_the_field, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
