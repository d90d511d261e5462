/* SPDX-License-Identifier: Apache-2.0 */
/* Slots and hours match the table of tests/slots/expected.txt, which tests/slots/make.py computed by other means: zones
 * of all kinds, across their clock changes. One test per zone. Runs from the project's root, or with HOLDFAST_SOURCE
 * set to it; an argument names another table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/text/digits.h"
#include "base/memory/memory.h"
#include "base/time/rfc3339.h"
#include "core/calendar/hours.h"

#define TABLE_LISTED_MAX 16
#define TABLE_STARTS_MAX 8192

/* A zone and where its lines begin. */
struct table_zone {
    char name[ZONE_NAME_SIZE_MAX + 1];
    char *lines;
    size_t line; /* the number of the first */
};

struct table_case {
    size_t line;
    uint32_t slot_minutes, length_minutes;
    int64_t from_ms, to_ms;
    struct hours_range ranges[TABLE_LISTED_MAX];
    struct closed_interval closed[TABLE_LISTED_MAX];
    size_t range_count, closed_count;
};

static int64_t table_instant(const char *text)
{
    int64_t at_ms;
    if (!rfc3339_read(text, strcspn(text, " *\n"), &at_ms))
        fail_msg("not an instant: %.24s", text);
    return at_ms;
}

static struct zone *table_zone(const char *name, const char *hex)
{
    uint8_t bytes[1024];
    size_t size = 0;
    if (hex[0] == '-')
        return zone_load(name);
    for (; size < sizeof bytes && digits_hex(hex[0]) >= 0; hex += 2)
        bytes[size++] = (uint8_t)(digits_hex(hex[0]) << 4 | digits_hex(hex[1]));
    return zone_parse(bytes, size, name);
}

static void table_read_case(struct table_case *c, const char *line)
{
    char from[32], to[32];
    if (sscanf(line, "case %u %u %31s %31s", &c->slot_minutes, &c->length_minutes, from, to) != 4)
        fail_msg("line %zu: %.40s", c->line, line);
    c->from_ms = table_instant(from);
    c->to_ms = table_instant(to);
}

static void table_read_range(struct table_case *c, const char *line)
{
    char days[8];
    unsigned from_hour, from_minute, to_hour, to_minute;
    if (c->range_count == TABLE_LISTED_MAX ||
        sscanf(line, "range %7s %2u:%2u %2u:%2u", days, &from_hour, &from_minute, &to_hour, &to_minute) != 5)
        fail_msg("bad range: %.40s", line);
    struct hours_range *r = &c->ranges[c->range_count++];
    r->from_minute = (uint16_t)(from_hour * 60 + from_minute);
    r->to_minute = (uint16_t)(to_hour * 60 + to_minute);
    for (int day = 0; day < 7; day++)
        r->days |= (uint8_t)((days[day] == '1') << day);
}

static void table_read_closed(struct table_case *c, const char *line)
{
    char start[32], end[32];
    if (c->closed_count == TABLE_LISTED_MAX || sscanf(line, "closed %31s %31s", start, end) != 2)
        fail_msg("bad interval: %.60s", line);
    c->closed[c->closed_count++] = (struct closed_interval){table_instant(start), table_instant(end)};
}

static size_t table_read_starts(const struct table_case *c, const char *line, int64_t *starts)
{
    size_t count = 0;
    for (const char *at = strpbrk(line, " \n"); *at == ' '; at = strpbrk(at + 1, " \n")) {
        int64_t start_ms = table_instant(at + 1);
        for (unsigned long i = strtoul(strpbrk(at, "*") + 1, NULL, 10); i > 0; i--) {
            assert_true(count < TABLE_STARTS_MAX);
            starts[count++] = start_ms;
            start_ms += c->slot_minutes * INT64_C(60000);
        }
    }
    return count;
}

/* What the code finds, with skipping if requested. */
static size_t table_find_starts(const struct table_case *c, const struct hours *h, bool skips,
                                int64_t *starts)
{
    struct hours_slots it = hours_slots_begin(h, c->from_ms, c->slot_minutes);
    size_t count = 0;
    int64_t last_ms = INT64_MIN, start_ms;
    for (;;) {
        bool found = hours_slots_next(&it, &start_ms);
        if (start_ms >= c->to_ms)
            return count;
        assert_true(start_ms > last_ms);
        last_ms = start_ms - !found; /* one can begin at the very instant up to which there is none */
        if (!found)
            continue;
        int64_t end_ms = start_ms + c->length_minutes * INT64_C(60000);
        int64_t open_until_ms = hours_open_until(h, start_ms, end_ms);
        assert_true(open_until_ms > start_ms);
        if (open_until_ms == end_ms)
            starts[count++] = start_ms;
        else if (skips)
            hours_slots_skip(&it, open_until_ms);
        assert_true(count < TABLE_STARTS_MAX);
    }
}

static void table_check_starts(const struct table_case *c, const struct hours *h, const char *line)
{
    static int64_t expected[TABLE_STARTS_MAX], found[TABLE_STARTS_MAX];
    size_t count = table_read_starts(c, line, expected);
    for (int skips = 0; skips < 2; skips++) {
        size_t got = table_find_starts(c, h, skips, found);
        for (size_t i = 0; i < got || i < count; i++) {
            if (i < got && i < count && found[i] == expected[i])
                continue;
            char text[2][RFC3339_SIZE] = {"none", "none"};
            if (i < got)
                rfc3339_write(found[i], text[0]);
            if (i < count)
                rfc3339_write(expected[i], text[1]);
            fail_msg("case at line %zu, start %zu: %.24s, not %.24s", c->line, i, text[0], text[1]);
        }
    }
}

static void table_check_contain(const struct table_case *c, const struct hours *h, const char *line)
{
    char start[32], end[32], answer[4];
    if (sscanf(line, "contain %31s %31s %3s", start, end, answer) != 3)
        fail_msg("bad line: %.60s", line);
    if (hours_contain(h, table_instant(start), table_instant(end)) != (strcmp(answer, "yes") == 0))
        fail_msg("case at line %zu: not %.*s", c->line, (int)strcspn(line, "\n"), line);
}

static void table_holds(void **state)
{
    const struct table_zone *t = *state;
    struct zone *zone = table_zone(t->name, strpbrk(t->lines + 5, " ") + 1);
    assert_non_null(zone);
    struct table_case c = {0};
    struct hours h = {0};
    size_t number = t->line, checks = 0;
    for (char *line = t->lines; *line; line = strchr(line, '\n') + 1, number++) {
        if (strncmp(line, "zone ", 5) == 0 && number > t->line)
            break;
        if (strncmp(line, "case ", 5) == 0) {
            c = (struct table_case){.line = number};
            table_read_case(&c, line);
        } else if (strncmp(line, "range ", 6) == 0) {
            table_read_range(&c, line);
        } else if (strncmp(line, "closed ", 7) == 0) {
            table_read_closed(&c, line);
        } else if (strncmp(line, "starts", 6) == 0) {
            hours_release(&h);
            hours_init(&h, c.ranges, c.range_count, c.closed, c.closed_count);
            h.zone = zone;
            table_check_starts(&c, &h, line);
            checks++;
        } else if (strncmp(line, "contain ", 8) == 0) {
            table_check_contain(&c, &h, line);
        }
    }
    assert_true(checks > 0);
    hours_release(&h);
    zone_release(zone);
}

static char *table_read(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        exit(1);
    }
    char *text = NULL;
    size_t capacity = 0;
    ssize_t size = getdelim(&text, &capacity, '\0', file);
    fclose(file);
    if (size <= 0 || text[size - 1] != '\n') {
        fprintf(stderr, "%s is not a table\n", path);
        exit(1);
    }
    return text;
}

int main(int argc, char **argv)
{
    char path[512];
    const char *root = getenv("HOLDFAST_SOURCE");
    snprintf(path, sizeof path, "%s/tests/slots/expected.txt", root ? root : ".");
    char *text = table_read(argc > 1 ? argv[1] : path);
    struct table_zone *zones = memory_zeroed(1024, sizeof *zones);
    struct CMUnitTest *tests = memory_zeroed(1024, sizeof *tests);
    size_t count = 0, number = 1;
    for (char *line = text; *line && count < 1024; line = strchr(line, '\n') + 1, number++) {
        if (sscanf(line, "zone %64s", zones[count].name) != 1)
            continue;
        zones[count].lines = line;
        zones[count].line = number;
        tests[count] = (struct CMUnitTest){
            .name = zones[count].name, .test_func = table_holds, .initial_state = &zones[count]};
        count++;
    }
    int failed = _cmocka_run_group_tests("core_hours_table", tests, count, NULL, NULL);
    free(tests);
    free(zones);
    free(text);
    return failed;
}
