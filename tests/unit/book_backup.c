/* SPDX-License-Identifier: Apache-2.0 */
/* A backup is a complete book of one instant, even while it is being written. */
#include "../lib/book_fixture.h"

#include <sys/stat.h>
#include <sys/wait.h>

#include "book/file/backup.h"

#define COPIES 10

static void copy_name(struct fixture *f, char out[SCRATCH_FILE])
{
    snprintf(out, SCRATCH_FILE, "%s.copy", f->path);
}

static void a_copy_is_whole_and_says_its_seq(void **state)
{
    struct fixture *f = *state;
    struct booking ann;
    char copy[SCRATCH_FILE];
    uint64_t seq, event = fixture_event(f, "eras");
    fixture_seats(f, event, 9);
    fixture_hold(f, &ann, "ann", event, 1);
    fixture_commit(f); /* in the log, not in the database file */
    copy_name(f, copy);
    assert_ok(book_backup_copy(f->path, copy, &seq));
    assert_int_equal(seq, 4);
    char *original = fixture_dump(f);
    fixture_hold(f, &ann, "ann", event, 2);
    fixture_commit(f);
    struct fixture other = *f;
    snprintf(other.path, sizeof(other.path), "%s/book.sqlite.copy", f->folder);
    char *copied = fixture_dump(&other);
    assert_string_equal(original, copied);
    fixture_check(&other);
    free(original);
    free(copied);
    /* It is a book: it can be written to. */
    struct book_writer *w;
    assert_ok(book_writer_open(&w, copy));
    assert_int_equal(book_writer_seq(w), 4);
    book_writer_close(w);
}

static void an_existing_file_is_not_overwritten(void **state)
{
    struct fixture *f = *state;
    uint64_t seq;
    struct stat before, after;
    assert_int_equal(stat(f->path, &before), 0);
    assert_fault(book_backup_copy(f->path, f->path, &seq), STATUS_INVALID, "already exists");
    assert_int_equal(stat(f->path, &after), 0);
    assert_int_equal(before.st_size, after.st_size);
    char copy[SCRATCH_FILE];
    copy_name(f, copy);
    assert_int_equal(book_backup_copy("/tmp/no/such/book", copy, &seq).kind, STATUS_IO);
    assert_int_equal(access(copy, F_OK), -1);
}

/* Copies and checks, and reports each copy. */
static _Noreturn void copy_again_and_again(const struct fixture *f, const char *copy, int tell)
{
    for (int i = 0; i < COPIES; i++) {
        uint64_t seq;
        int findings = 0;
        unlink(copy);
        struct status status = book_backup_copy(f->path, copy, &seq);
        if (status_ok(&status))
            status = book_check(copy, finding_print, &findings);
        if (!status_ok(&status) || findings > 0 || write(tell, "", 1) != 1)
            _exit(1);
    }
    _exit(0);
}

static void write_some(struct fixture *f, uint64_t event)
{
    struct booking b;
    for (int i = 0; i < 20; i++) {
        booking_begin(f, &b, "ann");
        booking_add(f, &b, ITEM_POOL, event, 0, 1);
        fixture_write(f, &b, ACTION_HELD);
        if (i % 2)
            fixture_end(f, &b);
    }
    fixture_commit(f);
    assert_ok(book_writer_checkpoint(f->writer));
}

/* Another process copies while this one writes, some changes per copy. */
static void a_copy_made_while_another_process_writes_is_valid(void **state)
{
    struct fixture *f = *state;
    uint64_t event = fixture_event(f, "eras");
    fixture_pool(f, event, 0, "floor", 100000);
    fixture_commit(f);
    char copy[SCRATCH_FILE], told;
    copy_name(f, copy);
    int made[2], how = -1;
    assert_int_equal(pipe(made), 0);
    pid_t child = fork();
    if (child == 0)
        copy_again_and_again(f, copy, made[1]);
    assert_true(child > 0);
    close(made[1]);
    do
        for (int i = 0; i < 50; i++)
            write_some(f, event);
    while (read(made[0], &told, 1) == 1);
    close(made[0]);
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        book_test(a_copy_is_whole_and_says_its_seq),
        book_test(an_existing_file_is_not_overwritten),
        book_test(a_copy_made_while_another_process_writes_is_valid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
