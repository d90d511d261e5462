/* SPDX-License-Identifier: Apache-2.0 */
/* A book is made with the settings it needs, recognised by its mark, migrated wholly or not at all, and never taken from a
 * newer program. */
#include "../lib/book_fixture.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "book/file/format.h"
#include "book/file/schema.h"
#include "book/record/load.h"
#include "book/record/reader.h"

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

static void a_new_book_is_empty_and_strict(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(book_writer_seq(f->writer), 0);
    fixture_says(f, "PRAGMA journal_mode", "wal");
    assert_int_equal(fixture_ask(f, "PRAGMA user_version"), fixture_newest_version());
    assert_int_equal(fixture_ask(f,
                                 "SELECT count(*) FROM pragma_table_list WHERE type = 'table' AND strict = 0 "
                                 "AND name NOT LIKE 'sqlite_%'"),
                     0);
    assert_int_equal(
        fixture_ask(f, "SELECT count(*) FROM pragma_table_list WHERE type = 'table' AND strict = 1"), 45);
    fixture_check(f);
}

static void opening_again_changes_nothing(void **state)
{
    struct fixture *f = *state;
    fixture_seats(f, fixture_event(f, "eras"), 3);
    fixture_commit(f);
    char *before = fixture_dump(f);
    book_writer_close(f->writer);
    fixture_reopen(f);
    char *after = fixture_dump(f);
    assert_string_equal(before, after);
    free(before);
    free(after);
}

static void a_newer_book_is_refused_untouched(void **state)
{
    struct fixture *f = *state;
    struct book_reader *r;
    struct book_meta meta;
    alter(f, "PRAGMA user_version = 1000");
    assert_fault(book_writer_open(&f->writer, f->path), STATUS_INVALID,
                 "another version of Holdfast (book version 1000, supported up to 1)");
    assert_null(f->writer);
    assert_int_equal(book_reader_open(&r, f->path).kind, STATUS_INVALID);
    assert_int_equal(book_load(f->path, 0, &(struct book_load_sink){0}, &meta).kind, STATUS_INVALID);
    assert_int_equal(fixture_ask(f, "PRAGMA user_version"), 1000);
}

static void a_strange_database_is_refused_untouched(void **state)
{
    struct fixture *f = *state;
    alter(f, "PRAGMA application_id = 7; PRAGMA journal_mode = DELETE");
    assert_fault(book_writer_open(&f->writer, f->path), STATUS_INVALID, "not a Holdfast book");
    fixture_says(f, "PRAGMA journal_mode", "delete");
    alter(f, "PRAGMA application_id = 0");
    assert_fault(book_writer_open(&f->writer, f->path), STATUS_INVALID, "not a Holdfast book");
}

static void a_half_made_book_is_finished(void **state)
{
    struct fixture *f = *state;
    book_writer_close(f->writer);
    fixture_remove(f, "");
    f->writer = NULL;
    struct sql *s;
    assert_ok(sql_open(&s, f->path, SQL_WRITE));
    sql_run(s, "PRAGMA application_id = 1212572260; PRAGMA journal_mode = WAL");
    sql_close(s);
    fixture_reopen(f);
    fixture_check(f);
}

static void a_missing_folder_is_a_fault(void **state)
{
    (void)state;
    struct book_writer *w;
    assert_int_equal(book_writer_open(&w, "/tmp/there/is/no/such/folder/book").kind, STATUS_IO);
    assert_null(w);
}

static void a_lock_of_another_process_is_a_fault_that_passes(void **state)
{
    struct fixture *f = *state;
    int to_child[2], to_parent[2];
    char byte = 0;
    assert_int_equal(pipe(to_child) | pipe(to_parent), 0);
    pid_t child = fork();
    if (child == 0) { /* holds the write lock until it gets a byte */
        struct sql *s;
        struct status status = sql_open(&s, f->path, SQL_WRITE);
        if (!status_ok(&status))
            _exit(1);
        sql_run(s, "BEGIN IMMEDIATE");
        bool told = write(to_parent[1], "x", 1) == 1 && read(to_child[0], &byte, 1) == 1;
        _exit(told && sql_sound(s) ? 0 : 1);
    }
    assert_int_equal(read(to_parent[0], &byte, 1), 1);
    assert_int_equal(book_writer_begin(f->writer).kind, STATUS_BUSY);
    assert_int_equal(write(to_child[1], "x", 1), 1);
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_int_equal(how, 0);
    fixture_event(f, "eras");
    fixture_commit(f);
    for (int i = 0; i < 2; i++) {
        close(to_child[i]);
        close(to_parent[i]);
    }
}

/* ---- Migrations of a later program, here two ---- */

static const char later[] = "-- migration 2\n"
                            "CREATE TABLE lockers (id TEXT PRIMARY KEY) STRICT;\n"
                            "INSERT INTO lockers SELECT 'of ' || id FROM events;\n"
                            "-- migration 3\n"
                            "ALTER TABLE lockers ADD COLUMN size INTEGER;\n"
                            "UPDATE lockers SET size = ifnull(size, 0) + 1;\n";

/* As a program with these migrations does when it opens the book. */
static struct status migrate(struct fixture *f, const char *migrations)
{
    struct sql *s;
    if (f->writer)
        book_writer_close(f->writer);
    f->writer = NULL;
    assert_ok(sql_open(&s, f->path, SQL_WRITE));
    book_schema_migrate(s, migrations);
    struct status status = sql_status(s);
    sql_close(s);
    return status;
}

/* A book of version 1 with something in it. */
static char *begin(struct fixture *f)
{
    fixture_seats(f, fixture_event(f, "eras"), 3);
    fixture_commit(f);
    assert_int_equal(fixture_ask(f, "PRAGMA user_version"), 1);
    return fixture_dump(f);
}

/* The book is of version 1 again, for this program, and nothing is lost. */
static void is_as_before(struct fixture *f, char *before)
{
    assert_int_equal(fixture_ask(f, "PRAGMA user_version"), 1);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'lockers%'"), 0);
    fixture_reopen(f);
    fixture_check(f);
    char *after = fixture_dump(f);
    assert_string_equal(before, after);
    free(before);
    free(after);
}

static void migrations_run_once_and_in_order(void **state)
{
    struct fixture *f = *state;
    free(begin(f));
    for (int i = 0; i < 2; i++) {
        assert_ok(migrate(f, later));
        assert_int_equal(fixture_ask(f, "PRAGMA user_version"), 3);
        fixture_says(f, "SELECT group_concat(id || ' ' || size) FROM lockers", "of eras 1");
    }
    /* What a program of version 2 has left is taken on from there. */
    assert_ok(migrate(
        f, "-- migration 3\nDROP TABLE lockers;\n-- migration 4\nCREATE TABLE doors (x ANY) STRICT;\n"));
    assert_int_equal(fixture_ask(f, "PRAGMA user_version"), 4);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM lockers"), 1);
    fixture_says(f, "PRAGMA application_id", "1212572260");
}

static void a_migrated_book_is_refused_by_the_program_before_it(void **state)
{
    struct fixture *f = *state;
    free(begin(f));
    assert_ok(migrate(f, later));
    assert_fault(book_format_check(f->path), STATUS_INVALID, "(book version 3, supported up to 1)");
    assert_fault(book_writer_open(&f->writer, f->path), STATUS_INVALID,
                 "(book version 3, supported up to 1)");
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM lockers"), 1);
}

static void a_migration_that_fails_leaves_the_version_before(void **state)
{
    struct fixture *f = *state;
    char *before = begin(f), text[512];
    snprintf(text, sizeof(text), "%s-- migration 4\nDELETE FROM seats;\nCREATE TABLE lockers (x);\n", later);
    assert_fault(migrate(f, text), STATUS_DATABASE, "lockers already exists");
    is_as_before(f, before);
}

/* Killed by the system while it writes: files may not become larger than this. */
static void a_process_killed_in_a_migration_leaves_the_version_before(void **state)
{
    struct fixture *f = *state;
    char *before = begin(f), text[512];
    snprintf(
        text, sizeof(text),
        "%s-- migration 4\nWITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) "
        "INSERT INTO lockers (id) SELECT printf('%%0200d', i) FROM n;\n",
        later);
    book_writer_close(f->writer);
    f->writer = NULL;
    pid_t child = fork();
    if (child == 0) {
        struct rlimit none = {0}, small = {1 << 20, 1 << 20};
        struct sql *s;
        bool limited = setrlimit(RLIMIT_CORE, &none) == 0 && setrlimit(RLIMIT_FSIZE, &small) == 0;
        struct status status = sql_open(&s, f->path, SQL_WRITE);
        if (!limited || !status_ok(&status))
            _exit(1);
        book_schema_migrate(s, text);
        _exit(0); /* the limit was not met */
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGXFSZ);
    is_as_before(f, before);
    /* And the next start finishes it. */
    assert_ok(migrate(f, text));
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM lockers"), 20001);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        book_test(a_new_book_is_empty_and_strict),
        book_test(opening_again_changes_nothing),
        book_test(a_newer_book_is_refused_untouched),
        book_test(a_strange_database_is_refused_untouched),
        book_test(a_half_made_book_is_finished),
        book_test(a_missing_folder_is_a_fault),
        book_test(a_lock_of_another_process_is_a_fault_that_passes),
        book_test(migrations_run_once_and_in_order),
        book_test(a_migrated_book_is_refused_by_the_program_before_it),
        book_test(a_migration_that_fails_leaves_the_version_before),
        book_test(a_process_killed_in_a_migration_leaves_the_version_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
