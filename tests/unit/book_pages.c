/* SPDX-License-Identifier: Apache-2.0 */
/* Every page of a book ends with its checksum, no matter which program moved it into the file; a page that does not
 * match is not used. */
#include "../lib/book_fixture.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "book/file/backup.h"
#include "book/record/load.h"
#include "book/file/pages.h"
#include "book/file/page_sum.h"
#include "book/file/wal_frame.h"

#define PAGE 4096

/* `count` holds, of one seat each, in events of 50 seats. */
static void hold_seats(struct fixture *f, int count, int each)
{
    uint64_t event = 0;
    for (int i = 0; i < count; i++) {
        struct booking someone;
        char id[16];
        snprintf(id, sizeof(id), "e%d", (int)f->seq);
        if (i % 50 == 0) {
            event = fixture_event(f, id);
            fixture_seats(f, event, 50);
        }
        fixture_hold(f, &someone, i % 2 ? "ann" : "bob", event, (uint32_t)i % 50);
        if (i % each == 0)
            fixture_commit(f);
    }
    fixture_commit(f);
}

/* Something of every kind, closed. */
static void write_book(struct fixture *f)
{
    hold_seats(f, 100, 100);
    fixture_commit(f);
    book_writer_close(f->writer);
    f->writer = NULL;
}

static uint32_t page_count(const char *path)
{
    struct stat file;
    assert_int_equal(stat(path, &file), 0);
    return (uint32_t)(file.st_size / PAGE);
}

static void all_pages_are_fine(const char *path)
{
    uint8_t page[PAGE];
    int file = open(path, O_RDONLY);
    uint32_t number = 1;
    for (; read(file, page, PAGE) == PAGE; number++)
        if (!page_sum_fine(page, PAGE, number))
            fail_msg("page %u has another checksum", number);
    assert_true(number > 20);
    close(file);
}

static void flip(const char *path, off_t offset, uint8_t bit)
{
    uint8_t byte;
    int file = open(path, O_RDWR);
    assert_int_equal(pread(file, &byte, 1, offset), 1);
    byte ^= (uint8_t)(1u << bit);
    assert_int_equal(pwrite(file, &byte, 1, offset), 1);
    close(file);
}

static void every_page_has_its_checksum(void **state)
{
    struct fixture *f = *state;
    write_book(f);
    all_pages_are_fine(f->path);
    fixture_reopen(f);
    char copy[SCRATCH_FILE];
    uint64_t seq;
    snprintf(copy, sizeof(copy), "%s.copy", f->path);
    assert_ok(book_backup_copy(f->path, copy, &seq));
    all_pages_are_fine(copy);
}

static void count(void *ctx, const char *sentence)
{
    (void)sentence;
    ++*(int *)ctx;
}

static bool take_held(void *owner, const struct reservation_image *r)
{
    ++*(int *)owner;
    return r->item_count == 1;
}

static bool take_record(void *owner, const struct change *c)
{
    (void)owner;
    return change_known(c->kind);
}

static void a_flipped_bit_in_any_page_is_found(void **state)
{
    struct fixture *f = *state;
    write_book(f);
    uint32_t pages = page_count(f->path), refused = 0;
    for (uint32_t number = 0; number < pages; number++)
        for (int part = 0; part < 4; part++) {
            off_t offset = (off_t)number * PAGE + (part == 3 ? PAGE - 1 : part * 1100 + (off_t)number % 100);
            uint8_t bit = (uint8_t)(number + (uint32_t)part) % 8;
            int findings = 0, held = 0;
            struct book_meta meta;
            struct book_load_sink sink = {.owner = &held, .held = take_held, .record = take_record};
            flip(f->path, offset, bit);
            struct status loaded = book_load(f->path, 0, &sink, &meta);
            if (status_ok(&loaded))
                assert_int_equal(held, 100); /* it did not need that page */
            else
                assert_int_equal(loaded.kind, STATUS_CORRUPT);
            refused += !status_ok(&loaded);
            struct status checked = book_check(f->path, count, &findings);
            if (status_ok(&checked))
                assert_true(findings > 0);
            else
                assert_int_equal(checked.kind, STATUS_CORRUPT);
            flip(f->path, offset, bit);
        }
    assert_true(refused > pages / 2); /* it did not need the rest */
    int findings = 0;
    assert_ok(book_check(f->path, count, &findings));
    assert_int_equal(findings, 0);
}

static void a_page_in_the_place_of_another_is_found(void **state)
{
    struct fixture *f = *state;
    uint8_t page[PAGE];
    int findings = 0;
    write_book(f);
    int file = open(f->path, O_RDWR);
    assert_int_equal(pread(file, page, PAGE, 9 * PAGE), PAGE);
    assert_int_equal(pwrite(file, page, PAGE, 12 * PAGE), PAGE);
    close(file);
    book_pages_check(f->path, count, &findings);
    assert_int_equal(findings, 1);
}

/* A bit of the header that says whether there are checksums must not turn them off. */
static void no_bit_of_the_header_turns_them_off(void **state)
{
    struct fixture *f = *state;
    write_book(f);
    for (off_t offset = 0; offset < 100; offset++)
        for (uint8_t bit = 0; bit < 8; bit++) {
            struct book_meta meta;
            flip(f->path, offset, bit);
            struct status loaded = book_load(f->path, 0, &(struct book_load_sink){0}, &meta);
            if (loaded.kind != STATUS_CORRUPT)
                fail_msg("byte %d, bit %d: %s", (int)offset, bit, loaded.text);
            flip(f->path, offset, bit);
        }
}

static void damage_is_reported_by_table_and_rows(void **state)
{
    struct fixture *f = *state;
    write_book(f);
    struct sql *s;
    assert_ok(sql_open(&s, f->path, SQL_READ));
    int64_t number =
        sql_number(s, "SELECT pageno FROM dbstat WHERE name = 'reservations' AND pagetype = 'leaf' "
                      "ORDER BY pageno LIMIT 1");
    sql_close(s);
    assert_true(number > 1);
    flip(f->path, (number - 1) * PAGE + 3000, 3);
    struct book_meta meta;
    int held = 0;
    struct book_load_sink sink = {.owner = &held, .held = take_held};
    char expected[64];
    snprintf(expected, sizeof(expected), "page %d of book.sqlite (reservations, rows ", (int)number);
    assert_fault(book_load(f->path, 0, &sink, &meta), STATUS_CORRUPT, expected);
}

/* ---- The log of a process that was killed ---- */

static void copy_file(const char *from, const char *to)
{
    char command[3 * SCRATCH_FILE];
    snprintf(command, sizeof(command), "cp %s %s", from, to);
    assert_int_equal(system(command), 0);
}

/* The database and its log as they are on disk while open, moved together by SQLite alone. */
static void move_log(struct fixture *f, char copy[SCRATCH_FILE])
{
    char from[SCRATCH_FILE], to[SCRATCH_FILE + 8];
    snprintf(copy, SCRATCH_FILE, "%s.killed", f->path);
    snprintf(from, sizeof(from), "%s-wal", f->path);
    snprintf(to, sizeof(to), "%s-wal", copy);
    copy_file(f->path, copy);
    copy_file(from, to);
    sqlite3 *plain;
    assert_int_equal(sqlite3_open(copy, &plain), SQLITE_OK);
    assert_int_equal(sqlite3_exec(plain, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(plain), SQLITE_OK);
    assert_int_equal(access(to, F_OK), -1);
}

static void another_program_can_move_the_log(void **state)
{
    struct fixture *f = *state;
    char copy[SCRATCH_FILE];
    hold_seats(f, 150, 7);
    assert_ok(book_writer_checkpoint(f->writer)); /* the log starts again */
    hold_seats(f, 150, 7);
    move_log(f, copy);
    all_pages_are_fine(copy);
    struct fixture other = *f;
    snprintf(other.path, sizeof(other.path), "%s/book.sqlite.killed", f->folder);
    assert_int_equal(fixture_ask(&other, "SELECT count(*) FROM reservations"), 300);
    fixture_check(&other);
}

/* A transaction larger than SQLite's cache writes pages into the log before it ends, some of them again, and then
 * recomputes the checksums of their frames. */
static void a_page_written_twice_in_a_transaction_is_fine(void **state)
{
    struct fixture *f = *state;
    struct sql *s;
    char copy[SCRATCH_FILE];
    book_writer_close(f->writer);
    f->writer = NULL;
    assert_ok(sql_open(&s, f->path, SQL_WRITE));
    sql_run(s, "PRAGMA journal_mode = WAL; PRAGMA cache_size = 10");
    sql_run(s, "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)");
    sql_run(s, "WITH n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 4000) "
               "INSERT INTO t SELECT i, printf('%0200d', i) FROM n");
    for (int round = 0; round < 3; round++)
        sql_run(s, "BEGIN; UPDATE t SET b = replace(b, '0', '1'); UPDATE t SET b = replace(b, '1', '2') "
                   "WHERE a % 3; "
                   "UPDATE t SET b = replace(b, '2', '0'); COMMIT");
    assert_ok(sql_status(s));
    move_log(f, copy);
    all_pages_are_fine(copy);
    struct sql *moved;
    assert_ok(sql_open(&moved, copy, SQL_READ));
    assert_int_equal(sql_number(moved, "SELECT count(*) FROM t WHERE length(b) = 200"), 4000);
    assert_int_equal(sql_number(moved, "SELECT sum(instr(b, '2')) FROM t"), 0);
    assert_int_equal(sql_number(moved, "SELECT sum(a * length(replace(b, '0', ''))) FROM t"),
                     sql_number(s, "SELECT sum(a * length(replace(b, '0', ''))) FROM t"));
    assert_true(sql_answers(moved, "PRAGMA integrity_check", "ok"));
    assert_ok(sql_status(moved));
    sql_close(moved);
    sql_close(s);
}

/* One bit in each frame of a log that was already moved: an older page of it must not hide a newer one. */
static void a_flipped_bit_in_the_log_is_found(void **state)
{
    struct fixture *f = *state;
    char log[SCRATCH_FILE], copy[SCRATCH_FILE], copied_log[SCRATCH_FILE + 8];
    hold_seats(f, 40, 40);
    assert_ok(book_writer_checkpoint(f->writer));
    for (int i = 0; i < 6; i++)
        hold_seats(f, 3, 3);
    assert_ok(book_writer_checkpoint(f->writer)); /* the log stays as it is until the next transaction */
    snprintf(log, sizeof(log), "%s-wal", f->path);
    snprintf(copy, sizeof(copy), "%s.killed", f->path);
    snprintf(copied_log, sizeof(copied_log), "%s-wal", copy);
    struct stat file;
    assert_int_equal(stat(log, &file), 0);
    int refused = 0;
    for (off_t at = 0; at < file.st_size; at += 24 + PAGE) {
        struct book_writer *w = NULL;
        copy_file(f->path, copy);
        copy_file(log, copied_log);
        flip(copied_log, at + (at ? 32 - 24 - PAGE + 700 : 20), (uint8_t)(at / 4120 % 8));
        struct status status = book_writer_open(&w, copy);
        book_writer_close(w);
        if (status_ok(&status)) {
            struct fixture other = *f;
            snprintf(other.path, sizeof(other.path), "%s/book.sqlite.killed", f->folder);
            fixture_check(&other);
            assert_int_equal(fixture_ask(&other, "SELECT last_seq FROM meta"),
                             f->seq); /* the database has everything */
        } else {
            assert_int_equal(status.kind, STATUS_CORRUPT);
            refused++;
        }
        unlink(copy);
        unlink(copied_log);
    }
    assert_true(refused > 0);
}

static void store_big(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* Its checksum is right, so SQLite would read on by that size. */
static void a_log_of_impossible_pages_is_refused(void **state)
{
    struct fixture *f = *state;
    uint8_t header[WAL_HEADER_SIZE] = {0x37, 0x7f, 0x06, 0x82, 0, 0x2d, 0xe2, 0x18};
    char log[SCRATCH_FILE];
    book_writer_close(f->writer);
    f->writer = NULL;
    snprintf(log, sizeof(log), "%s-wal", f->path);
    static const uint32_t sizes[] = {0, 1, 256, 4097, 131072, UINT32_MAX};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        uint32_t sum[2] = {0}, words[2];
        struct book_writer *w = NULL;
        store_big(header + 8, sizes[i]);
        for (size_t at = 0; at < sizeof(header) - WAL_SUM_SIZE; at += sizeof(words)) {
            memcpy(words, header + at, sizeof(words));
            sum[0] += words[0] + sum[1];
            sum[1] += words[1] + sum[0];
        }
        store_big(header + 24, sum[0]);
        store_big(header + 28, sum[1]);
        FILE *file = fopen(log, "w");
        assert_non_null(file);
        assert_int_equal(fwrite(header, sizeof(header), 1, file), 1);
        fclose(file);
        assert_fault(book_writer_open(&w, f->path), STATUS_CORRUPT, "invalid page size");
    }
    unlink(log);
    fixture_reopen(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        book_test(every_page_has_its_checksum),
        book_test(a_flipped_bit_in_any_page_is_found),
        book_test(a_page_in_the_place_of_another_is_found),
        book_test(no_bit_of_the_header_turns_them_off),
        book_test(damage_is_reported_by_table_and_rows),
        book_test(another_program_can_move_the_log),
        book_test(a_page_written_twice_in_a_transaction_is_fine),
        book_test(a_flipped_bit_in_the_log_is_found),
        book_test(a_log_of_impossible_pages_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
