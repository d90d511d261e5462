/* SPDX-License-Identifier: Apache-2.0 */
/* A waiting room's settings, its record and all entries are rows; they are loaded unchanged, and impossible ones are
 * refused. */
#include "../lib/book_fixture.h"

#include "book/record/load.h"

struct loaded {
    struct event_image event;
    struct text tiers[TIERS_MAX];
    char bytes[256];
    struct buf text; /* one line for each call */
};

static bool on_event(void *owner, const struct event_image *e, uint32_t seat_count)
{
    struct loaded *l = owner;
    (void)seat_count;
    l->event = *e;
    size_t used = 0;
    for (uint32_t i = 0; i < e->queue.tier_count; i++) {
        memcpy(l->bytes + used, e->queue.tiers[i].at, e->queue.tiers[i].size);
        l->tiers[i] = (struct text){l->bytes + used, e->queue.tiers[i].size};
        used += e->queue.tiers[i].size;
    }
    return true;
}

static bool on_queue(void *owner, const struct queue_image *r, uint32_t entries)
{
    struct loaded *l = owner;
    buf_printf(&l->text, "room %llu seed %u..%u%s opened %lld drawn %u entries %u\n",
               (unsigned long long)r->event, r->seed[0], r->seed[31], r->paused ? " paused" : "",
               (long long)(r->opened_at_ms ? r->opened_at_ms - FIXTURE_START_MS : 0), r->drawn, entries);
    return true;
}

static bool on_entry(void *owner, const struct queue_entry_image *e)
{
    struct loaded *l = owner;
    buf_printf(&l->text, "%llu/%u %.*s %s joined %lld until %lld", (unsigned long long)e->event, e->number,
               (int)e->user_id.size, e->user_id.at, queue_status_name(e->status),
               (long long)(e->joined_at_ms - FIXTURE_START_MS),
               (long long)(e->until_ms ? e->until_ms - FIXTURE_START_MS : 0));
    for (uint32_t i = 0; i < e->tier_count; i++)
        buf_printf(&l->text, " [%.*s]", (int)e->tiers[i].size, e->tiers[i].at);
    buf_append_text(&l->text, "\n");
    return true;
}

static struct status load(struct fixture *f, struct loaded *l)
{
    struct book_meta meta;
    buf_init(&l->text, 1 << 16);
    struct book_load_sink sink = {.owner = l, .event = on_event, .queue = on_queue, .queue_entry = on_entry};
    struct status status = book_load(f->path, 0, &sink, &meta);
    buf_append(&l->text, "", 1);
    return status;
}

static void settings_are_loaded_unchanged(void **state)
{
    struct fixture *f = *state;
    struct loaded l = {0};
    fixture_event(f, "plain");
    struct event_image e = fixture_entries_image(f, "eras");
    fixture_change(f, CHANGE_EVENT)->event = e;
    fixture_put(f);
    fixture_queue(f, e.number, 0, 0);
    fixture_commit(f);
    assert_ok(load(f, &l));
    assert_true(l.event.has_queue && l.event.has_list);
    assert_int_equal(l.event.queue.open_at_ms, e.queue.open_at_ms);
    assert_int_equal(l.event.queue.rate_per_second, 50);
    assert_int_equal(l.event.queue.max_active, 1000);
    assert_int_equal(l.event.queue.pass_ttl_s, 900);
    assert_true(l.event.queue.shuffle_before_open);
    assert_false(l.event.queue.by_inventory);
    assert_int_equal(l.event.queue.tier_count, 2);
    assert_true(text_equal(l.tiers[0], TEXT("gold")) && text_equal(l.tiers[1], TEXT("sil\"ver")));
    assert_memory_equal(l.event.entry_key, e.entry_key, sizeof(e.entry_key));
    buf_release(&l.text);
}

/* The queue is removed from the settings; its record and entries stay. */
static void a_closed_queue_keeps_its_line(void **state)
{
    struct fixture *f = *state;
    struct loaded l = {0};
    struct event_image e = fixture_entries_image(f, "eras");
    uint64_t event = fixture_event_with_lines(f, "eras");
    e.number = event;
    e.has_queue = e.has_list = false;
    fixture_join(f, event, 1, "ann");
    fixture_change(f, CHANGE_EVENT)->event = e;
    fixture_put(f);
    fixture_commit(f);
    assert_ok(load(f, &l));
    assert_false(l.event.has_queue || l.event.has_list);
    assert_int_equal(l.event.queue.rate_per_second, 0);
    assert_string_equal((char *)l.text.data, "room 1 seed 1..32 opened 0 drawn 0 entries 1\n"
                                             "1/1 ann waiting joined 0 until 0\n");
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM room_settings"), 0);
    fixture_check(f);
    buf_release(&l.text);
}

/* A queue that opened empty opens again with another seed: the first one is public. */
static void the_last_seed_is_kept(void **state)
{
    struct fixture *f = *state;
    struct loaded l = {0};
    uint64_t event = fixture_event_with_lines(f, "eras");
    fixture_queue(f, event, f->at_ms, 0);
    fixture_change(f, CHANGE_QUEUE)->queue =
        (struct queue_image){.event = event, .seed = {7, [31] = 77}, .paused = true};
    fixture_put(f);
    fixture_commit(f);
    assert_ok(load(f, &l));
    assert_string_equal((char *)l.text.data, "room 1 seed 7..77 paused opened 0 drawn 0 entries 0\n");
    buf_release(&l.text);
}

static void entries_are_loaded_by_queue_and_number(void **state)
{
    struct fixture *f = *state;
    struct loaded l = {0};
    struct text tiers[] = {TEXT("gold"), TEXT("floor, \"left\"")};
    uint64_t one = fixture_event_with_lines(f, "one"), two = fixture_event_with_lines(f, "two");
    uint64_t gone = fixture_event_with_lines(f, "gone");
    fixture_join(f, two, 1, "ann");
    fixture_join(f, one, 1, "ann");
    fixture_join(f, gone, 1, "ann");
    f->at_ms += 1000;
    fixture_join(f, one, 2, "bob");
    f->at_ms += 1000;
    struct change *c = fixture_change(f, CHANGE_QUEUE_JOINED);
    c->joined.event = one;
    c->joined.number = 3;
    c->joined.user_id = TEXT("cid");
    c->joined.tiers = tiers;
    c->joined.tier_count = 2;
    fixture_put(f);
    fixture_join(f, one, 4, "dan");
    f->at_ms += 58000;
    fixture_queue(f, one, f->at_ms, 4);
    struct queue_move moves[] = {{1, QUEUE_ADMITTED, FIXTURE_START_MS + 960000},
                                 {2, QUEUE_PASSED_OVER, FIXTURE_START_MS + 961000},
                                 {4, QUEUE_LEFT, 0}};
    assert_ok(fixture_try_move(f, one, moves, 3));
    fixture_move(f, one, 1, QUEUE_FINISHED, 0);
    fixture_join(f, one, 5, "dan"); /* a user who left can join again */
    fixture_remove_with_lines(f, gone, "gone");
    fixture_commit(f);
    fixture_check(f);
    assert_ok(load(f, &l));
    assert_string_equal((char *)l.text.data, "room 1 seed 1..32 opened 60000 drawn 4 entries 5\n"
                                             "1/1 ann finished joined 0 until 0\n"
                                             "1/2 bob passed_over joined 1000 until 961000\n"
                                             "1/3 cid waiting joined 2000 until 0 [gold] [floor, \"left\"]\n"
                                             "1/4 dan left joined 2000 until 0\n"
                                             "1/5 dan waiting joined 60000 until 0\n"
                                             "room 3 seed 1..32 opened 0 drawn 0 entries 1\n"
                                             "3/1 ann waiting joined 0 until 0\n");
    buf_release(&l.text);
}

static void a_second_live_entry_of_a_user_is_refused(void **state)
{
    struct fixture *f = *state;
    static const enum queue_status live[] = {QUEUE_WAITING, QUEUE_ADMITTED, QUEUE_PASSED_OVER};
    for (uint32_t i = 0; i < 3; i++) {
        char id[8];
        snprintf(id, sizeof(id), "e%u", i);
        uint64_t event = fixture_event_with_lines(f, id);
        fixture_queue(f, event, f->at_ms, 0);
        fixture_join(f, event, 1, "ann");
        if (live[i] != QUEUE_WAITING)
            fixture_move(f, event, 1, live[i], f->at_ms + 1000);
        fixture_commit(f);
        assert_fault(fixture_try_join(f, event, 2, "ann"), STATUS_CORRUPT, "already has that number or user");
        fixture_rollback(f);
        fixture_move(f, event, 1, QUEUE_LEFT, 0);
        fixture_join(f, event, 2, "ann");
        fixture_commit(f);
    }
    fixture_check(f);
}

static void impossible_records_are_refused(void **state)
{
    struct fixture *f = *state;
    uint64_t event = fixture_event_with_lines(f, "eras"), plain = fixture_event(f, "plain");
    fixture_join(f, event, 1, "ann");
    fixture_commit(f);
    assert_fault(fixture_try_join(f, event, 1, "bob"), STATUS_CORRUPT, "that number");
    fixture_rollback(f);
    assert_fault(fixture_try_join(f, plain, 1, "bob"), STATUS_CORRUPT, "has no waiting room");
    fixture_rollback(f);
    struct queue_move unknown = {2, QUEUE_LEFT, 0}, left = {1, QUEUE_LEFT, 0},
                      admitted = {1, QUEUE_ADMITTED, 1000};
    assert_fault(fixture_try_move(f, event, &unknown, 1), STATUS_CORRUPT, "is not live");
    fixture_rollback(f);
    fixture_move(f, event, 1, QUEUE_LEFT, 0);
    fixture_commit(f);
    assert_fault(fixture_try_move(f, event, &left, 1), STATUS_CORRUPT, "is not live");
    fixture_rollback(f);
    assert_fault(fixture_try_move(f, event, &admitted, 1), STATUS_CORRUPT, "is not live");
    fixture_rollback(f);
    struct change *c = fixture_change(f, CHANGE_QUEUE_MOVED);
    c->moved.event = event;
    c->moved.count = 1;
    c->moved.moves = bytes_reader_make("", 0);
    assert_fault(fixture_try(f), STATUS_CORRUPT, "an unknown status");
    fixture_rollback(f);
    fixture_check(f);
}

/* What the schema would never accept, put there by force. */
static void a_damaged_line_is_not_loaded(void **state)
{
    static const struct {
        const char *damage, *sentence;
    } cases[] = {
        {"DELETE FROM queue WHERE number = 1", "Entry 1 is missing in the queue of event 1."},
        {"DELETE FROM queue WHERE number = 2", "Entry 2 is missing in the queue of event 1."},
        {"UPDATE queue SET status = 'gone' WHERE number = 2", "invalid status of a queue entry: 'gone'"},
        {"UPDATE queue SET tiers = '[7]' WHERE number = 2", "invalid list of tiers: '[7]'"},
        {"UPDATE queue SET tiers = '[' WHERE number = 2", "list of tiers"},
        {"UPDATE queue SET tiers = '[\"\"]' WHERE number = 2", "list of tiers"},
        {"UPDATE room_settings SET tiers = '[]'", "list of tiers"},
        {"UPDATE room_settings SET rate_per_second = 0", "event 1 has an invalid rate"},
        {"UPDATE rooms SET seed = X'00'", "not 32 bytes long"},
        {"UPDATE rooms SET opened_at = 1, drawn = 4", "event 1 says 4 were drawn, but only 3 joined"},
        {"UPDATE events SET line_key = X'00'", "not 16 bytes long"},
    };
    struct fixture *f = *state;
    uint64_t event = fixture_event_with_lines(f, "eras");
    for (uint32_t i = 1; i <= 3; i++)
        fixture_join(f, event, i, (const char *[]){"ann", "bob", "cid"}[i - 1]);
    fixture_commit(f);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct sql *s;
        struct loaded l = {0};
        char copy[SCRATCH_FILE];
        snprintf(copy, sizeof(copy), "%s.copy", f->path);
        unlink(copy);
        assert_ok(sql_open(&s, f->path, SQL_READ));
        sql_run(s, "BEGIN");
        sql_copy(s, copy);
        sql_close(s);
        assert_ok(sql_open(&s, copy, SQL_WRITE));
        sql_run(s, "PRAGMA ignore_check_constraints = ON");
        sql_run(s, cases[i].damage);
        assert_ok(sql_status(s));
        sql_close(s);
        struct fixture other = *f;
        snprintf(other.path, sizeof(other.path), "%s/book.sqlite.copy", f->folder);
        assert_fault(load(&other, &l), STATUS_CORRUPT, cases[i].sentence);
        buf_release(&l.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        book_test(settings_are_loaded_unchanged),
        book_test(a_closed_queue_keeps_its_line),
        book_test(the_last_seed_is_kept),
        book_test(entries_are_loaded_by_queue_and_number),
        book_test(a_second_live_entry_of_a_user_is_refused),
        book_test(impossible_records_are_refused),
        book_test(a_damaged_line_is_not_loaded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
