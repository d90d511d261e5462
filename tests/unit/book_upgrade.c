/* SPDX-License-Identifier: Apache-2.0 */
/* A book that an older program wrote is upgraded when it is opened, loses nothing, and goes on. */
#include "../lib/book_fixture.h"
#include "old_book.h"

#include "base/crc32c.h"
#include "book/book_backup.h"
#include "book/book_load.h"
#include "book/book_reader.h"
#include "book/page_sum.h"

static void write_version(struct fixture *f, struct status (*write)(const char *path))
{
    book_writer_close(f->writer);
    f->writer = NULL;
    fixture_remove(f, "");
    assert_ok(write(f->path));
}

static void write_old(struct fixture *f)
{
    write_version(f, old_book_write);
}

static void a_released_schema_is_never_edited(void **state)
{
    (void)state;
    static const uint32_t sums[] = {0x03a5d6d8, 0xa3d64bd7, 0xe8308c99};
    for (int i = 0; i < 3; i++) {
        char *old = old_book_schema(i + 1);
        assert_int_equal(crc32c(0, old, strlen(old)), sums[i]);
        free(old);
    }
}

/* Each page of the file ends with its checksum. */
static void fixture_has_sums(struct fixture *f)
{
    uint8_t page[4096];
    assert_ok(book_writer_checkpoint(f->writer));
    FILE *file = fopen(f->path, "rb");
    uint32_t number = 1;
    for (; fread(page, sizeof(page), 1, file) == 1; number++)
        assert_true(page_sum_fine(page, sizeof(page), number));
    assert_true(number > 20);
    fclose(file);
}

/* What version 1 had, in the order of its columns. */
static char *dump_1(struct fixture *f)
{
    static const char *const questions[] = {
        "SELECT one, last_seq, last_at FROM meta",
        "SELECT number, id, name, starts_at, on_sale_at, off_sale_at, currency, hold_ttl_seconds, "
        "max_hold_seconds, payment_ttl_seconds, payment, late_payment, per_user_limit, created_at, "
        "removed_at, "
        "seats FROM events",
        "SELECT event, position, id, section, row, number, x, y, tier, price, accessible, blocked, version "
        "FROM "
        "seats",
        "SELECT * FROM seats_staged",
        "SELECT event, position, id, name, capacity, price, held, sold FROM pools",
        "SELECT number, id, status, user_id, fence, version, created_at, expires_at, max_expires_at, "
        "payment_started_at, confirmed_at, ended_at, hold_ttl_seconds, payment_ttl_seconds, "
        "payment_required, "
        "currency, next_item_id, attributes, payment_method, payment_ref, ticket_key FROM reservations",
        "SELECT reservation, item_id, kind, event, position, quantity, price, fence FROM items",
        "SELECT * FROM claims",
        "SELECT reservation, seq, at, actor, actor_name, action, status, expires_at, version FROM history",
        "SELECT * FROM tickets",
        "SELECT seq, key, body, http_status, at FROM idempotency",
        "SELECT name, role, hash, created_at FROM keys",
        "SELECT reservation, pnr, user_id, event, seat, pool, quantity, price, expires_at FROM live_holds",
        "SELECT reservation, pnr, user_id, event, seat, pool, quantity, price, sold_at FROM sales",
        "SELECT reservation, pnr, user_id, event, seat, pool, quantity, price, how FROM abandoned"};
    struct sql *s;
    struct buf out;
    buf_init(&out, 1 << 20);
    assert_ok(sql_open(&s, f->path, SQL_READ));
    for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
        char question[400];
        snprintf(question, sizeof(question), "%s ORDER BY 1, 2", questions[i]);
        struct sql_statement *t = sql_prepare(s, question);
        size_t before = out.size;
        while (sql_next(t))
            for (int column = 0; column < sql_columns(t); column++) {
                struct text value = sql_text(t, column);
                buf_printf(&out, "%.*s|", (int)value.size, value.at ? value.at : "");
            }
        assert_ok(sql_status(s));
        assert_true(out.size > before);
    }
    sql_close(s);
    buf_append(&out, "", 1);
    return (char *)out.data;
}

static void everything_is_there_after_the_upgrade(void **state)
{
    struct fixture *f = *state;
    bool upgrades;
    write_old(f);
    assert_ok(book_writer_upgrades(f->path, &upgrades));
    assert_true(upgrades);
    char *before = dump_1(f);
    fixture_reopen(f);
    char *after = dump_1(f);
    assert_string_equal(before, after);
    free(before);
    free(after);
    fixture_says(f, "SELECT made FROM idempotency", "res_01HF7YAT00002HE5B0KXY78V39");
    assert_int_equal(fixture_ask(f, "SELECT sum(from_list) FROM reservations"), 0);
    assert_int_equal(fixture_ask(f, "SELECT count(reason) FROM history"), 0);
    assert_int_equal(fixture_ask(f, "SELECT count(categories) + count(prices) FROM events"), 0);
    fixture_has_sums(f);
    assert_int_equal(fixture_ask(f, "PRAGMA user_version"), fixture_newest_version());
    assert_int_equal(
        fixture_ask(f,
                    "SELECT count(*) FROM reservations r JOIN pnrs n USING (number) "
                    "WHERE (SELECT count(*) FROM search WHERE search MATCH n.pnr AND rowid = r.number) = 1"),
        fixture_ask(f, "SELECT count(*) FROM reservations"));
    assert_int_equal(book_writer_seq(f->writer), 14);
    assert_ok(book_writer_upgrades(f->path, &upgrades));
    assert_false(upgrades);
    fixture_is_sound(f);
}

/* Rows of earlier programs have the instant at which an expired one was settled. */
static void an_expired_one_of_an_older_book_ended_at_its_deadline(void **state)
{
    struct fixture *f = *state;
    struct book_reader *r;
    struct reservation_image image;
    struct arena arena;
    struct id id;
    bool found;
    write_old(f);
    fixture_reopen(f);
    assert_int_equal(fixture_ask(f, "SELECT ended_at - expires_at FROM reservations WHERE number = 10"),
                     15000);
    fixture_says(f, "SELECT ended_at || ' ' || seconds_held FROM abandoned WHERE how = 'expired'",
                 "2023-11-14T22:23:20.000Z 600");
    assert_ok(book_reader_open(&r, f->path));
    assert_true(id_read("01HF7YAT000052WAP17VWEHP6J", ID_TEXT_SIZE, &id));
    arena_init(&arena, 4096);
    assert_ok(book_reader_reservation(r, id, &arena, &image, &found));
    assert_true(found);
    assert_int_equal(image.status, RESERVATION_EXPIRED);
    assert_int_equal(image.ended_at_ms, image.expires_at_ms);
    arena_release(&arena);
    book_reader_close(r);
}

static bool count_held(void *owner, const struct reservation_image *r)
{
    (*(int *)owner)++;
    return r->item_count == 2 && r->items[0].kind == ITEM_SEAT && r->items[1].kind == ITEM_POOL &&
           r->items[1].quantity == 3;
}

static void an_upgraded_book_loads_and_goes_on(void **state)
{
    struct fixture *f = *state;
    struct booking eve;
    struct book_meta meta;
    int held = 0;
    write_old(f);
    fixture_reopen(f);
    struct book_load_sink sink = {.owner = &held, .held = count_held};
    assert_ok(book_load(f->path, 0, &sink, &meta));
    assert_int_equal(held, 1);
    f->seq = book_writer_seq(f->writer);
    f->at_ms = book_writer_at_ms(f->writer);
    uint64_t calendar = fixture_calendar(f, "dr_smith", 1);
    booking_begin(f, &eve, "eve");
    booking_slot(f, &eve, calendar, 60, 90, 100);
    booking_add(f, &eve, ITEM_SEAT, 1, 2, 1);
    fixture_write(f, &eve, ACTION_HELD);
    fixture_commit(f);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM live_holds"), 4);
    fixture_is_sound(f);
}

/* The tables that version 2 brought, in the order of their columns. */
static void a_book_of_version_2_keeps_its_calendars_and_gets_lines(void **state)
{
    static const char *const questions[] = {
        "SELECT group_concat(id || timezone || capacity || slot_minutes) FROM calendars",
        "SELECT group_concat(days || opens || closes) FROM calendar_hours",
        "SELECT group_concat(calendar || ' ' || starts_at || ' ' || until || ' ' || counted) FROM "
        "calendar_claims",
        "SELECT group_concat(at || ' ' || claims) FROM calendar_counts",
        "SELECT group_concat(user_id || ifnull(seat, ifnull(pool, service))) FROM live_holds"};
    struct fixture *f = *state;
    char *before[5];
    bool upgrades;
    write_version(f, old_book_write_2);
    assert_ok(book_writer_upgrades(f->path, &upgrades));
    assert_true(upgrades);
    for (int i = 0; i < 5; i++)
        before[i] = fixture_text(f, questions[i]);
    fixture_reopen(f);
    for (int i = 0; i < 5; i++) {
        fixture_says(f, questions[i], before[i]);
        free(before[i]);
    }
    fixture_is_sound(f);
    f->seq = book_writer_seq(f->writer);
    assert_int_equal(f->seq, 16);
    /* The table was made anew: what refers to it does so still, and its trigger is there. */
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
    fixture_says(f, "SELECT group_concat(DISTINCT \"table\") FROM pragma_foreign_key_list('services')",
                 "calendars");
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM sqlite_schema WHERE tbl_name = 'calendars' AND "
                                    "type = 'trigger'"),
                     1);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM calendars WHERE price_per = 'claim' AND "
                                    "horizon_days = 366 AND size = 1 AND guests"),
                     fixture_ask(f, "SELECT count(*) FROM calendars"));
    f->at_ms = book_writer_at_ms(f->writer);
    /* An event of before gets a line now. */
    struct event_image e = fixture_entries_image(f, "eras");
    e.number = 1;
    fixture_change(f, CHANGE_EVENT)->event = e;
    fixture_put(f);
    fixture_queue(f, 1, 0, 0);
    fixture_join(f, 1, 1, "gil");
    struct list_entry_image entry = fixture_wish(f, 1, 1, "hal");
    fixture_list(f, &entry);
    fixture_commit(f);
    assert_int_equal(fixture_ask(f, "SELECT waiting_list + length(line_key) FROM events"), 17);
    assert_int_equal(fixture_ask(f, "SELECT seats FROM events"), 4);
    fixture_is_sound(f);
}

/* `blocker` makes what the migration makes last. */
static void upgrade_fails(struct fixture *f, const char *blocker)
{
    struct sql *s;
    assert_ok(sql_open(&s, f->path, SQL_WRITE));
    sql_run(s, blocker);
    assert_ok(sql_status(s));
    sql_close(s);
    char *before = dump_1(f);
    assert_false(status_ok(&(struct status[]){book_writer_open(&f->writer, f->path)}[0]));
    assert_null(f->writer);
    char *after = dump_1(f);
    assert_string_equal(before, after);
    free(before);
    free(after);
}

static void a_failed_upgrade_from_version_2_leaves_it_as_it_was(void **state)
{
    struct fixture *f = *state;
    write_version(f, old_book_write_2);
    upgrade_fails(f, "CREATE VIEW waiting_list_now AS SELECT 1");
    assert_int_equal(fixture_ask(f, "PRAGMA user_version"), 2);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'queue%'"), 0);
    fixture_says(f, "SELECT reservation FROM idempotency", "res_01HF7YAT00002HE5B0KXY78V39");
}

/* Version 7 builds the history anew: whatever interrupts that, it starts again from what was there. */
static void an_interrupted_rebuild_of_the_history_starts_again(void **state)
{
    struct fixture *f = *state;
    struct sql *s;
    write_old(f);
    upgrade_fails(f, "CREATE TABLE history_after (one INTEGER)");
    /* All that comes before it was done, and stands. */
    assert_int_equal(fixture_ask(f, "PRAGMA user_version"), 6);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM pragma_table_info('items') WHERE name = 'flags'"),
                     0);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM reservation_history"), 7);
    assert_ok(sql_open(&s, f->path, SQL_WRITE));
    sql_run(s, "DROP TABLE history_after");
    assert_ok(sql_status(s));
    sql_close(s);
    char *before = dump_1(f);
    fixture_reopen(f);
    char *after = dump_1(f);
    assert_string_equal(before, after);
    free(before);
    free(after);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM reservation_history"), 7);
    assert_int_equal(
        fixture_ask(f, "SELECT count(*) FROM sqlite_schema WHERE name = 'history' AND sql LIKE '%CHECK%'"),
        0);
    fixture_is_sound(f);
}

/* Nothing but the writer touches an older book; a copy of it stays as old as it is. */
static void only_the_writer_opens_an_older_book(void **state)
{
    struct fixture *f = *state;
    struct book_reader *r;
    struct book_meta meta;
    uint64_t last_seq;
    int findings = 0;
    write_old(f);
    char needs[64];
    snprintf(needs, sizeof(needs), "version 1, but this Holdfast needs %d.", fixture_newest_version());
    assert_fault(book_reader_open(&r, f->path), STATUS_INVALID, needs);
    assert_int_equal(book_load(f->path, 0, &(struct book_load_sink){0}, &meta).kind, STATUS_INVALID);
    assert_int_equal(book_check(f->path, finding_print, &findings).kind, STATUS_INVALID);
    char copy[SCRATCH_FILE];
    snprintf(copy, sizeof(copy), "%s.copy", f->path);
    assert_ok(book_backup_copy(f->path, copy, &last_seq));
    assert_int_equal(last_seq, 14);
    bool upgrades;
    assert_ok(book_writer_upgrades(copy, &upgrades));
    assert_true(upgrades);
}

static void an_upgrade_that_fails_leaves_the_book_as_it_was(void **state)
{
    struct fixture *f = *state;
    write_old(f);
    upgrade_fails(f, "CREATE VIEW occupancy AS SELECT 1");
    assert_int_equal(fixture_ask(f, "PRAGMA user_version"), 1);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'calendar%'"), 0);
}

/* Version 15 builds the calendars anew. */
static void an_interrupted_rebuild_of_the_calendars_starts_again(void **state)
{
    struct fixture *f = *state;
    struct sql *s;
    write_version(f, old_book_write_2);
    char *before = fixture_text(f, "SELECT group_concat(number || id || timezone) FROM calendars");
    /* After the old table is dropped. */
    upgrade_fails(f, "CREATE TABLE calendars_by_name (one INTEGER)");
    assert_int_equal(fixture_ask(f, "PRAGMA user_version"), 14);
    fixture_says(f, "SELECT group_concat(number || id || timezone) FROM calendars", before);
    assert_ok(sql_open(&s, f->path, SQL_WRITE));
    sql_run(s, "DROP TABLE calendars_by_name");
    assert_ok(sql_status(s));
    sql_close(s);
    fixture_reopen(f);
    fixture_says(f, "SELECT group_concat(number || id || timezone) FROM calendars", before);
    assert_int_equal(fixture_ask(f, "PRAGMA user_version"), fixture_newest_version());
    fixture_is_sound(f);
    free(before);
}

/* Version 20 completes the index of words. */
static void the_words_of_items_come_with_the_upgrade(void **state)
{
    struct fixture *f = *state;
    struct sql *s;
    write_version(f, old_book_write_2);
    upgrade_fails(f, "CREATE TABLE refunds (one INTEGER)");
    assert_int_equal(fixture_ask(f, "PRAGMA user_version"), 20);
    /* As version 19 left it, which did not read the attributes of items. */
    assert_ok(sql_open(&s, f->path, SQL_WRITE));
    sql_run(s, "DROP TABLE refunds;"
               "UPDATE items SET attributes = '{\"name\":\"Zoe\"}' WHERE item_id = 1;"
               "INSERT INTO search (search) VALUES ('delete-all');"
               "INSERT INTO search (rowid, words) SELECT r.number, n.pnr || ' ' || r.user_id || ' ' || "
               "coalesce(r.attributes, '') FROM reservations r JOIN pnrs n USING (number);"
               "PRAGMA user_version = 19");
    assert_ok(sql_status(s));
    sql_close(s);
    fixture_reopen(f);
    int64_t all = fixture_ask(f, "SELECT count(*) FROM reservations");
    assert_true(all > 0);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM search WHERE search MATCH 'zoe'"), all);
    fixture_is_sound(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        book_test(a_released_schema_is_never_edited),
        book_test(everything_is_there_after_the_upgrade),
        book_test(an_expired_one_of_an_older_book_ended_at_its_deadline),
        book_test(an_upgraded_book_loads_and_goes_on),
        book_test(only_the_writer_opens_an_older_book),
        book_test(an_upgrade_that_fails_leaves_the_book_as_it_was),
        book_test(a_book_of_version_2_keeps_its_calendars_and_gets_lines),
        book_test(a_failed_upgrade_from_version_2_leaves_it_as_it_was),
        book_test(an_interrupted_rebuild_of_the_history_starts_again),
        book_test(the_words_of_items_come_with_the_upgrade),
        book_test(an_interrupted_rebuild_of_the_calendars_starts_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
