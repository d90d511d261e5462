/* SPDX-License-Identifier: Apache-2.0 */
/* Bookings as iCalendar: every line ends in CRLF, has at most 75 octets and is folded between characters; texts are
 * escaped; an empty calendar still has a component. */
#include "base/text/utf8.h"
#include "http/calendar/ics.h"
#include "encode_fixture.h"

#define START_MS 1796306400000           /* 2026-12-03T14:00:00Z */
#define CHANGED_MS (START_MS - 82800000) /* an hour after it was confirmed */

static struct ics ics;

static struct reservation_image booked(struct text user)
{
    return (struct reservation_image){
        .id = {0x0190000000000000, 1},
        .number = 1,
        .version = 3,
        .status = RESERVATION_CONFIRMED,
        .user_id = user,
        .confirmed_at_ms = START_MS - 86400000,
    };
}

static struct item_image spoke(struct text service)
{
    return (struct item_image){.item_id = 7,
                               .kind = ITEM_SLOT,
                               .quantity = 1,
                               .start_ms = START_MS,
                               .end_ms = START_MS + 1800000,
                               .until_ms = START_MS + 2400000,
                               .resource_id = TEXT("dr_smith"),
                               .part_id = service};
}

static void a_booking_line_by_line(void **state)
{
    (void)state;
    struct reservation_image r = booked(TEXT("ann"));
    struct item_image item = spoke(TEXT("check-up"));
    char id[ENCODE_ID_SIZE], pnr[PNR_SIZE], expected[1024];
    encode_id(ENCODE_RESERVATION, r.id, id);
    pnr_write(1, pnr);
    ics_begin(&ics, &out, TEXT("Dr Smith"), NULL);
    buf_clear(&out);
    ics_booking(&ics, &r, &item, CHANGED_MS);
    snprintf(expected, sizeof(expected),
             "BEGIN:VEVENT\r\nUID:%.*s-7@holdfast\r\nDTSTAMP:20261202T150000Z\r\n"
             "LAST-MODIFIED:20261202T150000Z\r\n"
             "DTSTART:20261203T140000Z\r\nDTEND:20261203T143000Z\r\nSEQUENCE:3\r\n"
             "SUMMARY:Dr Smith: check-up\r\nDESCRIPTION:%.*s\\, ann\r\nSTATUS:CONFIRMED\r\nEND:VEVENT\r\n",
             (int)sizeof(id), id, (int)sizeof(pnr), pnr);
    assert_string_equal(written(), expected);
}

static void the_frame(void **state)
{
    (void)state;
    struct reservation_image r = booked(TEXT("ann"));
    struct item_image item = spoke((struct text){0});
    ics_begin(&ics, &out, TEXT("Dr Smith"), NULL);
    ics_booking(&ics, &r, &item, CHANGED_MS);
    ics_end(&ics);
    const char *text = written();
    static const char first[] = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Holdfast//";
    assert_memory_equal(text, first, sizeof(first) - 1);
    assert_non_null(strstr(text, "\r\nSUMMARY:Dr Smith\r\n"));
    assert_null(strstr(text, "METHOD"));
    assert_null(strstr(text, "VTIMEZONE"));
    static const char last[] = "END:VEVENT\r\nEND:VCALENDAR\r\n";
    assert_string_equal(text + strlen(text) - strlen(last), last);
}

static void an_empty_one_has_a_component(void **state)
{
    (void)state;
    ics_begin(&ics, &out, TEXT("Dr Smith"), NULL);
    ics_end(&ics);
    assert_non_null(strstr(written(), "\r\nBEGIN:VTIMEZONE\r\nTZID:UTC\r\n"));
}

static void texts_are_escaped(void **state)
{
    (void)state;
    struct reservation_image r = booked(TEXT("a;b,c\\d\ne\rf\x01g\x7fh\ti:\"j\""));
    struct item_image item = spoke((struct text){0});
    ics_begin(&ics, &out, TEXT("A, B; C\\N"), NULL);
    ics_booking(&ics, &r, &item, CHANGED_MS);
    const char *text = written();
    assert_non_null(strstr(text, "\r\nSUMMARY:A\\, B\\; C\\\\N\r\n"));
    assert_non_null(strstr(text, "a\\;b\\,c\\\\d\\nefgh\ti:\"j\"\r\n"));
}

/* Fractions of a second belong to the booking. */
static void whole_seconds_only(void **state)
{
    (void)state;
    struct reservation_image r = booked(TEXT("ann"));
    struct item_image item = spoke((struct text){0});
    item.start_ms += 999;
    item.end_ms = item.start_ms + 1;
    ics_begin(&ics, &out, TEXT("x"), NULL);
    ics_booking(&ics, &r, &item, CHANGED_MS);
    item.start_ms += 1;
    item.end_ms = item.start_ms + 1;
    ics_booking(&ics, &r, &item, CHANGED_MS);
    const char *text = written();
    assert_non_null(strstr(text, "DTSTART:20261203T140000Z\r\nDTEND:20261203T140001Z\r\n"));
    assert_non_null(strstr(text, "DTSTART:20261203T140001Z\r\nDTEND:20261203T140002Z\r\n"));
}

/* ---- In a time zone ---- */

#define BACK_MS 1792890000000 /* 2026-10-25T01:00:00Z: in Berlin 03:00 becomes 02:00 */

static void book_from(int64_t start_ms)
{
    struct reservation_image r = booked(TEXT("ann"));
    struct item_image item = spoke((struct text){0});
    r.confirmed_at_ms = start_ms - 86400000;
    item.start_ms = start_ms;
    item.end_ms = start_ms + 1800000;
    ics_booking(&ics, &r, &item, r.confirmed_at_ms);
}

static const char *in_berlin(const int64_t *starts_ms, size_t count)
{
    struct zone *berlin = zone_load("Europe/Berlin");
    assert_non_null(berlin);
    ics_begin(&ics, &out, TEXT("x"), berlin);
    for (size_t i = 0; i < count; i++)
        book_from(starts_ms[i]);
    ics_end(&ics);
    zone_release(berlin);
    return written();
}

static void times_are_those_of_its_zone(void **state)
{
    (void)state;
    static const int64_t starts_ms[] = {BACK_MS - 86400000, START_MS};
    const char *text = in_berlin(starts_ms, 2);
    assert_non_null(strstr(text, "\r\nDTSTART;TZID=Europe/Berlin:20261024T030000\r\n"
                                 "DTEND;TZID=Europe/Berlin:20261024T033000\r\n"));
    assert_non_null(strstr(text, "\r\nDTSTART;TZID=Europe/Berlin:20261203T150000\r\n"));
    assert_non_null(strstr(text, "\r\nBEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\n"
                                 "BEGIN:DAYLIGHT\r\nDTSTART:20260329T020000\r\n"
                                 "TZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nEND:DAYLIGHT\r\n"
                                 "BEGIN:STANDARD\r\nDTSTART:20261025T030000\r\n"
                                 "TZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\n"
                                 "END:VTIMEZONE\r\n"));
}

/* The same time of day an hour later, when the clocks have gone back, would mean the first one. */
static void a_repeated_time_is_in_utc(void **state)
{
    (void)state;
    static const int64_t starts_ms[] = {BACK_MS - 1800000, BACK_MS + 1800000};
    const char *text = in_berlin(starts_ms, 2);
    assert_non_null(strstr(text, "\r\nDTSTART;TZID=Europe/Berlin:20261025T023000\r\n"
                                 "DTEND:20261025T010000Z\r\n"));
    assert_non_null(strstr(text, "\r\nDTSTART:20261025T013000Z\r\n"
                                 "DTEND;TZID=Europe/Berlin:20261025T030000\r\n"));
}

/* Checks every line, and unfolds in place. */
static char *unfolded(void)
{
    char *text = (char *)(uintptr_t)written(), *to = text;
    for (char *line = text; *line;) {
        char *stop = strstr(line, "\r\n");
        assert_non_null(stop);
        size_t size = (size_t)(stop - line);
        assert_true(size <= ICS_LINE_MAX);
        assert_true(utf8_valid(line, size));
        assert_null(memchr(line, '\n', size));
        assert_true(line[size - 1] != '\\' || line[size - 2] == '\\');
        if (*line == ' ') {
            to -= 2;
            line++;
            size--;
        }
        memmove(to, line, size + 2);
        to += size + 2;
        line = stop + 2;
    }
    *to = '\0';
    return text;
}

/* Names of every length, in characters of one to four octets and in escapes, are read back unchanged. */
static void lines_are_folded_between_characters(void **state)
{
    (void)state;
    static const char *const characters[] = {"x", "\u00fc", "\u20ac", "\U0001f600", ","};
    for (size_t kind = 0; kind < sizeof(characters) / sizeof(characters[0]); kind++) {
        size_t octets = strlen(characters[kind]);
        for (size_t count = 1; count * octets <= NAME_SIZE_MAX; count++) {
            char name[NAME_SIZE_MAX], expected[2 * NAME_SIZE_MAX + 64];
            size_t size = 0;
            for (size_t i = 0; i < count; i++, size += octets)
                memcpy(name + size, characters[kind], octets);
            struct reservation_image r = booked(TEXT("ann"));
            struct item_image item = spoke(TEXT("s"));
            buf_clear(&out);
            ics_begin(&ics, &out, (struct text){name, size}, NULL);
            ics_booking(&ics, &r, &item, CHANGED_MS);
            ics_end(&ics);
            size_t at = (size_t)snprintf(expected, sizeof(expected), "\r\nSUMMARY:");
            for (size_t i = 0; i < count; i++)
                at += (size_t)snprintf(expected + at, sizeof(expected) - at, "%s%s",
                                       characters[kind][0] == ',' ? "\\" : "", characters[kind]);
            snprintf(expected + at, sizeof(expected) - at, ": s\r\n");
            assert_non_null(strstr(unfolded(), expected));
        }
    }
}

static void the_bound_is_never_passed(void **state)
{
    (void)state;
    char name[NAME_SIZE_MAX], user[USER_SIZE_MAX], service[ID_SIZE_MAX];
    memset(name, ',', sizeof(name));
    memset(user, ';', sizeof(user));
    memset(service, 'x', sizeof(service));
    struct reservation_image r = booked((struct text){user, sizeof(user)});
    struct item_image item = spoke((struct text){service, sizeof(service)});
    r.version = UINT32_MAX;
    item.item_id = UINT32_MAX;
    ics_begin(&ics, &out, (struct text){name, sizeof(name)}, NULL);
    buf_clear(&out);
    ics_booking(&ics, &r, &item, CHANGED_MS);
    assert_true(out.size * 2 <= ICS_BOOKING_SIZE_MAX);
    buf_clear(&out);
    ics_begin(&ics, &out, (struct text){name, sizeof(name)}, NULL);
    ics_end(&ics);
    assert_true(out.size <= ICS_BOOKING_SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_booking_line_by_line, begin, end),
        cmocka_unit_test_setup_teardown(the_frame, begin, end),
        cmocka_unit_test_setup_teardown(an_empty_one_has_a_component, begin, end),
        cmocka_unit_test_setup_teardown(times_are_those_of_its_zone, begin, end),
        cmocka_unit_test_setup_teardown(a_repeated_time_is_in_utc, begin, end),
        cmocka_unit_test_setup_teardown(texts_are_escaped, begin, end),
        cmocka_unit_test_setup_teardown(whole_seconds_only, begin, end),
        cmocka_unit_test_setup_teardown(lines_are_folded_between_characters, begin, end),
        cmocka_unit_test_setup_teardown(the_bound_is_never_passed, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
