/* SPDX-License-Identifier: Apache-2.0 */
/* The version of a book is read from its bytes, the log's included, and nothing beside it is touched. */
#include "../lib/book_fixture.h"

#include "book/file/format.h"

static void alter(struct fixture *f, const char *text)
{
    struct sql *s;
    book_writer_close(f->writer);
    f->writer = NULL;
    assert_ok(sql_open(&s, f->path, SQL_WRITE));
    sql_run(s, text);
    assert_ok(sql_status(s));
    sql_close(s);
}

static void set_version(struct fixture *f, int64_t version)
{
    char text[64];
    snprintf(text, sizeof(text), "PRAGMA user_version = %lld", (long long)version);
    alter(f, text);
}

static bool has(const struct fixture *f, const char *ending)
{
    char path[SCRATCH_FILE];
    snprintf(path, sizeof(path), "%s%s", f->path, ending);
    return access(path, F_OK) == 0;
}

static void the_file_says_which_version_it_has(void **state)
{
    struct fixture *f = *state;
    assert_ok(book_format_check(f->path));
    set_version(f, fixture_newest_version() + 1);
    assert_fault(book_format_check(f->path), STATUS_INVALID, "another version of Holdfast (book version 2,");
    set_version(f, -1);
    assert_fault(book_format_check(f->path), STATUS_INVALID, "another version of Holdfast");
    set_version(f, fixture_newest_version());
    assert_ok(book_format_check(f->path));
    assert_false(has(f, "-wal") || has(f, "-shm"));
}

/* What a killed process leaves: the file of an earlier checkpoint, and everything since in the log. */
static void a_committed_version_in_the_log_counts(void **state)
{
    struct fixture *f = *state;
    struct sql *s;
    alter(f, "PRAGMA user_version");
    assert_ok(sql_open(&s, f->path, SQL_WRITE));
    sql_run(s, "BEGIN; PRAGMA user_version = 1000");
    assert_ok(book_format_check(f->path));
    sql_run(s, "COMMIT");
    assert_true(has(f, "-wal"));
    assert_fault(book_format_check(f->path), STATUS_INVALID, "book version 1000");
    sql_run(s, "PRAGMA user_version = 1"); /* the last one counts */
    assert_ok(book_format_check(f->path));
    sql_run(s, "PRAGMA user_version = 12");
    assert_fault(book_format_check(f->path), STATUS_INVALID, "book version 12");
    assert_ok(sql_status(s));
    sql_close(s);
}

static void what_is_no_book_or_damaged_is_left_to_others(void **state)
{
    struct fixture *f = *state;
    set_version(f, 1000);
    FILE *file = fopen(f->path, "r+b");
    assert_int_equal(fseek(file, 62, SEEK_SET),
                     0); /* in the version: the checksum of the page is wrong now */
    assert_int_equal(fputc(0x55, file), 0x55);
    fclose(file);
    assert_ok(book_format_check(f->path));
    assert_int_equal(truncate(f->path, 0), 0);
    assert_ok(book_format_check(f->path));
    fixture_remove(f, "");
    assert_ok(book_format_check(f->path));
    assert_ok(book_format_check("/tmp/there/is/no/such/folder/book"));
}

/* One of the last tables finds its place taken. */
static void a_new_book_is_made_wholly_or_not_at_all(void **state)
{
    struct fixture *f = *state;
    book_writer_close(f->writer);
    f->writer = NULL;
    fixture_remove(f, "");
    struct sql *s;
    assert_ok(sql_open(&s, f->path, SQL_WRITE));
    sql_run(s, "PRAGMA application_id = 1212572260; CREATE TABLE erasures_by_mark (x)");
    assert_ok(sql_status(s));
    sql_close(s);
    assert_false(status_ok(&(struct status[]){book_writer_open(&f->writer, f->path)}[0]));
    assert_int_equal(fixture_ask(f, "PRAGMA user_version"), 0);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM sqlite_schema"), 1);
    assert_ok(book_format_check(f->path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        book_test(the_file_says_which_version_it_has),
        book_test(a_committed_version_in_the_log_counts),
        book_test(what_is_no_book_or_damaged_is_left_to_others),
        book_test(a_new_book_is_made_wholly_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
