/* SPDX-License-Identifier: Apache-2.0 */
/* A log line is one JSON object, whatever its fields contain. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/json/json_reader.h"
#include "base/logging.h"

static char log_caught[3 * LOG_LINE_SIZE_MAX];

struct log_catch {
    int stderr_was;
    FILE *file;
};

static struct log_catch log_catch_begin(void)
{
    struct log_catch c = {.stderr_was = dup(STDERR_FILENO), .file = tmpfile()};
    assert_non_null(c.file);
    dup2(fileno(c.file), STDERR_FILENO);
    return c;
}

/* What was written in between is in log_caught. */
static size_t log_catch_end(struct log_catch c)
{
    dup2(c.stderr_was, STDERR_FILENO);
    close(c.stderr_was);
    rewind(c.file);
    size_t size = fread(log_caught, 1, sizeof log_caught - 1, c.file);
    log_caught[size] = '\0';
    fclose(c.file);
    return size;
}

struct log_seen {
    int members, texts, numbers;
};

static bool log_visit(void *owner, const struct json_member *m)
{
    struct log_seen *seen = owner;
    seen->members++;
    seen->texts += m->kind == JSON_MEMBER_TEXT;
    seen->numbers += m->kind == JSON_MEMBER_NUMBER;
    return true;
}

static struct log_seen log_parse(size_t size)
{
    struct log_seen seen = {0};
    assert_true(size > 1 && log_caught[size - 1] == '\n');
    assert_ptr_equal(strchr(log_caught, '\n'), log_caught + size - 1);
    assert_true(json_visit(log_caught, size - 1, log_visit, &seen));
    return seen;
}

static void log_line_is_json(void **state)
{
    (void)state;
    struct log_catch c = log_catch_begin();
    errno = ENOSPC;
    log_info("journal opened", {"segments", LOG_INT(3)}, {"path", LOG_STR("a \"b\"\n")},
             {"none", LOG_STR(NULL)});
    int left = errno;
    struct log_seen seen = log_parse(log_catch_end(c));
    assert_int_equal(left, ENOSPC);
    assert_int_equal(seen.members, 6);
    assert_int_equal(seen.texts, 4);
    assert_int_equal(seen.numbers, 1);
    assert_non_null(strstr(log_caught, "\"level\":\"info\",\"message\":\"journal opened\",\"segments\":3,"
                                       "\"path\":\"a \\\"b\\\"\\n\",\"none\":null}"));
}

static void log_needs_no_fields(void **state)
{
    (void)state;
    struct log_catch c = log_catch_begin();
    log_warn("low space");
    struct log_seen seen = log_parse(log_catch_end(c));
    assert_int_equal(seen.members, 3);
    assert_non_null(strstr(log_caught, "\"level\":\"warn\""));
}

static void log_to_a_closed_file_changes_nothing(void **state)
{
    (void)state;
    struct log_catch c = log_catch_begin();
    close(STDERR_FILENO);
    errno = ENOSPC;
    log_error("lost");
    int left = errno;
    assert_int_equal(log_catch_end(c), 0);
    assert_int_equal(left, ENOSPC);
}

static void log_respects_the_level(void **state)
{
    (void)state;
    struct log_catch c = log_catch_begin();
    log_debug("not written");
    log_set_level(LOG_LEVEL_ERROR);
    log_info("not written", {"n", LOG_INT(1)});
    log_warn("not written");
    log_error("written");
    log_set_level(LOG_LEVEL_INFO);
    log_parse(log_catch_end(c));
    assert_null(strstr(log_caught, "not written"));
    assert_non_null(strstr(log_caught, "\"level\":\"error\""));
}

static void log_truncates_long_values(void **state)
{
    (void)state;
    static char text[20000];
    for (int kind = 0; kind < 4; kind++) {
        memset(text, "a\x01\xff\xc3"[kind], sizeof text - 1);
        struct log_catch c = log_catch_begin();
        log_error(text, {"a", LOG_STR(text)}, {"n", LOG_INT(INT64_MIN)}, {"b", LOG_STR(text)},
                  {"c", LOG_INT(5)});
        size_t size = log_catch_end(c);
        assert_true(size <= LOG_LINE_SIZE_MAX);
        assert_true(log_parse(size).members >= 3);

        c = log_catch_begin();
        log_error("short", {"a", LOG_STR(text)}, {"b", LOG_STR(text)}, {"c", LOG_INT(INT64_MIN)});
        size = log_catch_end(c);
        assert_true(size <= LOG_LINE_SIZE_MAX);
        assert_true(log_parse(size).members >= 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_line_is_json),
        cmocka_unit_test(log_needs_no_fields),
        cmocka_unit_test(log_to_a_closed_file_changes_nothing),
        cmocka_unit_test(log_respects_the_level),
        cmocka_unit_test(log_truncates_long_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
