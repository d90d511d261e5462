/* SPDX-License-Identifier: Apache-2.0 */
/* Whoever is erased is gone from every row, and then from every byte of the file; what was sold stays. */
#include "../lib/book_fixture.h"

#include "base/memory/memory.h"

/* One word of the index, and no other begins as it does: those that do are kept without their beginning. */
#define NAME "xqpersonsname"
#define ONCE "xroncename"
#define MANY 1500

static void erase(struct fixture *f, const char *from, const char *to)
{
    struct change *c = fixture_change(f, CHANGE_ERASED);
    c->actor = (struct actor){.role = ROLE_ADMIN};
    c->erased =
        (struct erasure_image){.number = f->seq + 1, .from = text_of(from), .to = text_of(to), .mark = {7}};
    fixture_put(f);
    fixture_commit(f);
}

static void scrub(struct fixture *f)
{
    bool more = true;
    for (uint32_t steps = 0; more; steps++) {
        assert_ok(book_writer_scrub(f->writer, &more));
        assert_true(steps < 10000);
    }
}

/* Whether the file, or its log, has these bytes. */
static bool has_bytes(struct fixture *f, const char *word)
{
    bool found = false;
    for (int log = 0; log < 2; log++) {
        char path[SCRATCH_PATH + 32];
        snprintf(path, sizeof(path), "%s%s", f->path, log ? "-wal" : "");
        FILE *file = fopen(path, "rbe");
        if (!file)
            continue;
        fseek(file, 0, SEEK_END);
        size_t size = (size_t)ftell(file);
        rewind(file);
        char *bytes = memory_get(size + 1);
        assert_int_equal(fread(bytes, 1, size, file), size);
        fclose(file);
        found = found || memmem(bytes, size, word, strlen(word));
        free(bytes);
    }
    return found;
}

static void the_person_is_gone_from_every_row(void **state)
{
    struct fixture *f = *state;
    struct booking sold, other;
    uint64_t event = fixture_event_with_lines(f, "E");
    fixture_seats(f, event, 4);
    booking_begin(f, &sold, NAME);
    booking_add(f, &sold, ITEM_SEAT, event, 0, 1);
    sold.items[0].attributes = TEXT("{\"name\":\"theirword\"}");
    sold.image.attributes = TEXT("{\"mail\":\"theirword\"}");
    fixture_write(f, &sold, ACTION_HELD);
    fixture_confirm(f, &sold);
    struct item_image was = sold.items[0];
    sold.items[0].attributes = TEXT("{\"name\":\"theirother\"}");
    fixture_write_noted(f, &sold, ACTION_ATTRIBUTES_CHANGED, &was);
    fixture_hold(f, &other, "bob", event, 1);
    fixture_join(f, event, 1, NAME);
    fixture_move(f, event, 1, QUEUE_LEFT, 0);
    fixture_join(f, event, 2, "bob");
    struct list_entry_image wish = fixture_wish(f, event, 1, NAME);
    fixture_list(f, &wish);
    wish.status = LIST_LEFT;
    fixture_list(f, &wish);
    fixture_commit(f);
    erase(f, NAME, "erased_1");
    char *dump = fixture_dump(f);
    assert_null(strstr(dump, NAME));
    assert_null(strstr(dump, "theirword"));
    assert_null(strstr(dump, "theirother"));
    free(dump);
    fixture_says(f, "SELECT user_id FROM reservations WHERE number = (SELECT min(number) FROM reservations)",
                 "erased_1");
    fixture_says(f, "SELECT user_id FROM reservations WHERE number = (SELECT max(number) FROM reservations)",
                 "bob");
    fixture_says(f, "SELECT status FROM reservations WHERE user_id = 'erased_1'", "confirmed");
    assert_int_equal(fixture_ask(f, "SELECT manage_gen FROM reservations WHERE user_id = 'erased_1'"), 1);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM tickets"), 1);
    fixture_says(f, "SELECT group_concat(user_id) FROM queue", "erased_1,bob");
    fixture_says(f, "SELECT user_id FROM waiting_list", "erased_1");
    fixture_says(f, "SELECT action || actor FROM history ORDER BY seq DESC LIMIT 1", "erasedadmin");
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM search WHERE search MATCH 'theirother'"), 0);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM search WHERE search MATCH 'erased_1'"), 1);
    fixture_check(f);
}

static void what_was_given_away_forgets_the_giver_alone(void **state)
{
    struct fixture *f = *state;
    struct booking b;
    uint64_t event = fixture_event(f, "E");
    fixture_seats(f, event, 2);
    fixture_hold(f, &b, NAME, event, 0);
    fixture_confirm(f, &b);
    b.image.user_id = TEXT("bob");
    b.image.attributes = TEXT("{\"name\":\"bobsword\"}");
    b.image.fence = b.image.transferred = f->seq + 1;
    b.image.manage_gen = 1;
    fixture_write(f, &b, ACTION_TRANSFERRED);
    fixture_commit(f);
    fixture_says(f, "SELECT user_before FROM history WHERE action = 'transferred'", NAME);
    erase(f, NAME, "erased_1");
    fixture_says(f, "SELECT user_before || user_after FROM history WHERE action = 'transferred'",
                 "erased_1bob");
    fixture_says(f, "SELECT user_id || attributes FROM reservations", "bob{\"name\":\"bobsword\"}");
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM history WHERE action = 'erased'"), 0);
    fixture_check(f);
}

/* Rows that grow split their pages, and each split leaves copies of what was moved. */
static void no_byte_of_the_file_has_them(void **state)
{
    struct fixture *f = *state;
    static struct booking bookings[MANY];
    static char words[400];
    uint64_t event = fixture_event(f, "E");
    fixture_pool(f, event, 0, "floor", MANY);
    memset(words, 'w', sizeof(words));
    memcpy(words, "{\"k\":\"", 6);
    memcpy(words + sizeof(words) - 2, "\"}", 2);
    for (uint32_t i = 0; i < MANY; i++) {
        char user[32];
        struct booking *b = &bookings[i];
        snprintf(user, sizeof(user), "%c%u", (int)('a' + i * 7919 % 20), i * 7919 % 1000);
        booking_begin(f, b, i == 1000 ? ONCE : i % 9 ? user : NAME);
        b->image.user_id = text_of(b->user);
        if (i % 9 == 0)
            b->image.attributes = TEXT("{\"name\":\"" NAME "\"}");
        booking_add(f, b, ITEM_POOL, event, 0, 1);
        fixture_write(f, b, ACTION_HELD);
        if (i % 100 == 0)
            fixture_commit(f);
    }
    for (uint32_t i = 0; i < MANY; i++) {
        bookings[i].image.items = bookings[i].items;
        if (i % 9 && i % 2) {
            bookings[i].image.attributes = (struct text){words, sizeof(words)};
            fixture_write(f, &bookings[i], ACTION_ATTRIBUTES_CHANGED);
        } else if (i % 9 == 0 || i == 1000) {
            fixture_end(f, &bookings[i]);
        }
    }
    fixture_commit(f);
    /* Of few words the index keeps more than of many, which it merges as they come. */
    erase(f, ONCE, "erased_0");
    scrub(f);
    assert_false(has_bytes(f, ONCE));
    assert_true(has_bytes(f, NAME));
    erase(f, NAME, "erased_1");
    assert_true(has_bytes(f, NAME)); /* the log has it, and so has the index of words */
    assert_int_equal(fixture_ask(f, "SELECT min(clean) FROM erasures"), 0);
    scrub(f);
    assert_int_equal(fixture_ask(f, "SELECT min(clean) FROM erasures"), 1);
    assert_false(has_bytes(f, NAME));
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM reservations WHERE user_id = 'erased_1'"),
                     (MANY + 8) / 9);
    fixture_check(f);
    book_writer_close(f->writer);
    assert_false(has_bytes(f, NAME));
    fixture_reopen(f);
}

static void what_is_left_to_do_is_loaded_and_the_rest_is_pruned(void **state)
{
    struct fixture *f = *state;
    fixture_event(f, "E");
    erase(f, NAME, "erased_1");
    uint64_t number = f->seq;
    for (uint32_t segments = 1; segments <= ERASURE_SEGMENTS; segments++) {
        fixture_change(f, CHANGE_ERASED)->erased =
            (struct erasure_image){.number = number, .segments = segments};
        fixture_put(f);
        fixture_commit(f);
        assert_int_equal(fixture_ask(f, "SELECT segments FROM erasures"), segments);
    }
    uint32_t pruned;
    bool done;
    assert_ok(book_writer_prune(f->writer, f->at_ms + 1, 0, 100, &pruned, &done));
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM erasures"), 1); /* not clean yet */
    assert_int_equal(book_writer_erased(f->writer), number);
    scrub(f);
    assert_ok(book_writer_prune(f->writer, f->at_ms + 1, 0, 100, &pruned, &done));
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM erasures"), 0);
    fixture_change(f, CHANGE_ERASED)->erased = (struct erasure_image){.number = number, .segments = 2};
    assert_fault(fixture_try(f), STATUS_CORRUPT, "no erasure");
    fixture_rollback(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        book_test(the_person_is_gone_from_every_row),
        book_test(what_was_given_away_forgets_the_giver_alone),
        book_test(no_byte_of_the_file_has_them),
        book_test(what_is_left_to_do_is_loaded_and_the_rest_is_pruned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
