/* SPDX-License-Identifier: Apache-2.0 */
/* An export has what can be reported and no secrets, not even in unused bytes. */
#include "../lib/book_fixture.h"

#include <sys/stat.h>

#include "book/file/export.h"
#include "book/record/load.h"

#define SECRET_SIZE 16

static bool contains(const char *path, const void *bytes, size_t size)
{
    struct buf content;
    buf_init(&content, 1 << 26);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    for (int c; (c = fgetc(file)) != EOF;)
        buf_append(&content, &(char){(char)c}, 1);
    fclose(file);
    bool found = memmem(content.data, content.size, bytes, size) != NULL;
    buf_release(&content);
    return found;
}

static void add_key(struct fixture *f, uint8_t filler)
{
    struct key_image *key = &fixture_change(f, CHANGE_KEY)->key;
    *key = (struct key_image){.name = TEXT("shop"), .role = ROLE_APP, .created_at_ms = f->at_ms};
    memset(key->hash, filler, sizeof(key->hash));
    fixture_put(f);
}

/* Her ticket is used, and scanned once more later. */
static void scan_ticket(struct fixture *f, const struct booking *b, char code[TICKET_CODE_SIZE])
{
    static const enum check_in_result results[] = {CHECK_IN_OK, CHECK_IN_DUPLICATE};
    ticket_code_write(b->image.ticket_key, b->image.items[0].item_id, 0, code);
    for (int i = 0; i < 2; i++) {
        fixture_change(f, CHANGE_CHECK_IN)->check_in =
            (struct check_in_image){.code = {code, TICKET_CODE_SIZE},
                                    .reservation = b->image.id,
                                    .kind = ITEM_SEAT,
                                    .resource = b->image.items[0].resource,
                                    .part = b->image.items[0].part,
                                    .item_id = b->image.items[0].item_id,
                                    .reissue = b->image.items[0].fence,
                                    .result = results[i],
                                    .at_ms = f->at_ms,
                                    .nonce = {7, (uint64_t)i}};
        fixture_put(f);
    }
}

static void secrets_stay_behind(void **state)
{
    struct fixture *f = *state;
    struct booking ann;
    uint64_t last_seq, event = fixture_event_with_lines(f, "eras");
    char copy[SCRATCH_FILE], code[TICKET_CODE_SIZE], scanned[TICKET_CODE_SIZE];
    uint8_t hash[32], ticket_key[SECRET_SIZE], entry_key[SECRET_SIZE];
    fixture_seats(f, event, 9);
    fixture_join(f, event, 1, "ann");
    fixture_hold(f, &ann, "ann", event, 1);
    fixture_confirm(f, &ann);
    scan_ticket(f, &ann, scanned);
    add_key(f, 0xab);
    fixture_change(f, CHANGE_HOOK)->hook = (struct hook_image){.number = 1,
                                                               .name = TEXT("shop"),
                                                               .url = TEXT("https://example.com/"),
                                                               .events = HOOK_EVENTS_ALL,
                                                               .secret = TEXT("whsec_of_the_hook"),
                                                               .old_secret = TEXT("whsec_before_that"),
                                                               .old_until_ms = 1};
    fixture_put(f);
    fixture_commit(f);
    assert_ok(book_writer_checkpoint(f->writer));
    memset(hash, 0xab, sizeof(hash));
    struct sql *s;
    assert_ok(sql_open(&s, f->path, SQL_READ));
    struct sql_statement *t =
        sql_prepare(s, "SELECT code, ticket_key, line_key FROM tickets, reservations, events");
    assert_true(sql_next(t));
    memcpy(code, sql_text(t, 0).at, sizeof(code));
    assert_memory_equal(code, scanned, sizeof(code));
    memcpy(ticket_key, sql_blob(t, 1, SECRET_SIZE), SECRET_SIZE);
    memcpy(entry_key, sql_blob(t, 2, SECRET_SIZE), SECRET_SIZE);
    sql_close(s);
    snprintf(copy, sizeof(copy), "%s/report.sqlite", f->folder);
    assert_ok(book_export(f->path, copy, 0640, &last_seq));
    assert_int_equal(last_seq, f->seq);
    const struct {
        const void *bytes;
        size_t size;
    } secrets[] = {{hash, sizeof(hash)},     {code, sizeof(code)},      {ticket_key, SECRET_SIZE},
                   {entry_key, SECRET_SIZE}, {"whsec_of_the_hook", 17}, {"whsec_before_that", 17}};
    for (size_t i = 0; i < sizeof(secrets) / sizeof(secrets[0]); i++) {
        assert_true(contains(f->path, secrets[i].bytes, secrets[i].size));
        assert_false(contains(copy, secrets[i].bytes, secrets[i].size));
    }
    struct fixture other = *f;
    snprintf(other.path, sizeof(other.path), "%s/report.sqlite", f->folder);
    fixture_says(&other, "SELECT event || ' ' || seat || ' ' || user_id FROM sales", "eras A2 ann");
    assert_int_equal(fixture_ask(&other, "SELECT count(*) FROM seats"), 9);
    assert_int_equal(fixture_ask(&other, "SELECT sum(length(seed)) FROM rooms WHERE seed = zeroblob(32)"),
                     32);
    fixture_says(&other, "PRAGMA journal_mode", "delete");
    struct stat file;
    assert_int_equal(stat(copy, &file), 0);
    assert_int_equal(file.st_mode & 0777, 0640);
}

static void an_export_is_replaced_and_is_no_book(void **state)
{
    struct fixture *f = *state;
    struct book_writer *writer;
    uint64_t first, second;
    char copy[SCRATCH_FILE];
    snprintf(copy, sizeof(copy), "%s/report.sqlite", f->folder);
    fixture_event(f, "eras");
    fixture_commit(f);
    assert_ok(book_export(f->path, copy, 0640, &first));
    fixture_event(f, "other");
    fixture_commit(f);
    assert_ok(book_export(f->path, copy, 0640, &second));
    assert_true(second > first);
    assert_fault(book_writer_open(&writer, copy), STATUS_INVALID, "not a Holdfast book");
    assert_int_equal(book_export("/tmp/no/such/book", copy, 0640, &first).kind, STATUS_IO);
    assert_int_equal(access(copy, F_OK), 0); /* the last good one */
    assert_fault(book_export(f->path, f->path, 0640, &first), STATUS_INVALID, "not an earlier export");
    fixture_check(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        book_test(secrets_stay_behind),
        book_test(an_export_is_replaced_and_is_no_book),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
