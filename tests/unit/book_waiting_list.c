/* SPDX-License-Identifier: Apache-2.0 */
/* The entries of a waiting list, and their offers, are read back unchanged: at start, page by page, and in the history
 * of the reservation. */
#include "../lib/book_fixture.h"

#include "book/record/load.h"
#include "book/record/reader.h"
#include "core/entry_id.h"

static const uint64_t entry_key[2] = FIXTURE_LINE_KEY;

static void describe(struct buf *out, const struct list_entry_image *e)
{
    buf_printf(out, "%llu/%u %.*s wants %u", (unsigned long long)e->event, e->number, (int)e->user_id.size,
               e->user_id.at, e->wish.quantity);
    if (e->wish.adjacent)
        buf_append_text(out, " adjacent");
    if (e->wish.tier.at)
        buf_printf(out, " tier %.*s", (int)e->wish.tier.size, e->wish.tier.at);
    if (e->wish.section.at)
        buf_printf(out, " section %.*s", (int)e->wish.section.size, e->wish.section.at);
    if (e->wish.pool.at)
        buf_printf(out, " pool %.*s", (int)e->wish.pool.size, e->wish.pool.at);
    buf_printf(out, " %s joined %lld changed %lld%s\n", list_status_name(e->status),
               (long long)(e->joined_at_ms - FIXTURE_START_MS),
               (long long)(e->changed_at_ms - FIXTURE_START_MS), id_none(e->reservation) ? "" : " offered");
}

static bool on_entry(void *owner, const struct change *c)
{
    if (c->kind == CHANGE_LIST_ENTRY)
        describe(owner, &c->list_entry);
    return true;
}

static struct status load(struct fixture *f, struct buf *text)
{
    struct book_meta meta;
    buf_init(text, 1 << 16);
    struct status status =
        book_load(f->path, 0, &(struct book_load_sink){.owner = text, .record = on_entry}, &meta);
    buf_append(text, "", 1);
    return status;
}

static void entries_come_back_by_event_and_number(void **state)
{
    struct fixture *f = *state;
    struct buf text;
    struct booking bob;
    uint64_t one = fixture_event_with_lines(f, "one"), two = fixture_event_with_lines(f, "two");
    uint64_t gone = fixture_event_with_lines(f, "gone");
    fixture_seats(f, one, 4);
    struct list_entry_image entries[] = {fixture_wish(f, two, 1, "ann"), fixture_wish(f, one, 1, "ann"),
                                         fixture_wish(f, one, 2, "bob"), fixture_wish(f, one, 3, "cid"),
                                         fixture_wish(f, gone, 1, "ann")};
    entries[1].wish = (struct list_wish){.quantity = 7, .pool = TEXT("floor")};
    entries[3].wish = (struct list_wish){.quantity = 1, .tier = TEXT("gold")};
    for (int i = 0; i < 5; i++)
        fixture_list(f, &entries[i]);
    f->at_ms += 5000;
    fixture_offer(f, &bob, &entries[2], 0);
    entries[1].status = LIST_LEFT;
    entries[1].changed_at_ms = f->at_ms;
    fixture_list(f, &entries[1]);
    struct list_entry_image again = fixture_wish(f, one, 4, "ann"); /* a user who left can join again */
    fixture_list(f, &again);
    fixture_remove_with_lines(f, gone, "gone");
    fixture_commit(f);
    fixture_check(f);
    assert_ok(load(f, &text));
    assert_string_equal((char *)text.data,
                        "1/1 ann wants 7 pool floor left joined 0 changed 5000\n"
                        "1/2 bob wants 2 adjacent section A offered joined 0 changed 5000 offered\n"
                        "1/3 cid wants 1 tier gold waiting joined 0 changed 0\n"
                        "1/4 ann wants 2 adjacent section A waiting joined 5000 changed 5000\n"
                        "3/1 ann wants 2 adjacent section A waiting joined 0 changed 0\n");
    buf_release(&text);
}

static void impossible_records_are_refused(void **state)
{
    struct fixture *f = *state;
    uint64_t event = fixture_event_with_lines(f, "eras");
    struct list_entry_image ann = fixture_wish(f, event, 1, "ann"), second = fixture_wish(f, event, 2, "ann"),
                            bob = fixture_wish(f, event, 1, "bob"), nowhere = fixture_wish(f, 77, 1, "cid");
    fixture_list(f, &ann);
    fixture_commit(f);
    assert_fault(fixture_try_list(f, &second), STATUS_CORRUPT, "that number or user is already on it");
    fixture_rollback(f);
    assert_fault(fixture_try_list(f, &bob), STATUS_CORRUPT, "that number");
    fixture_rollback(f);
    assert_fault(fixture_try_list(f, &nowhere), STATUS_CORRUPT, "waiting list of event 77");
    fixture_rollback(f);
    ann.status = LIST_OFFERED; /* without a reservation */
    assert_fault(fixture_try_list(f, &ann), STATUS_CORRUPT, "an invalid wish or status");
    fixture_rollback(f);
    ann.status = LIST_LEFT;
    fixture_list(f, &ann);
    fixture_commit(f);
    ann.status = LIST_WAITING;
    assert_fault(fixture_try_list(f, &ann), STATUS_CORRUPT, "or no longer");
    fixture_rollback(f);
    fixture_check(f);
}

static void a_gap_is_not_loaded(void **state)
{
    struct fixture *f = *state;
    struct buf text;
    uint64_t event = fixture_event_with_lines(f, "eras");
    struct list_entry_image ann = fixture_wish(f, event, 1, "ann"), bob = fixture_wish(f, event, 3, "bob");
    fixture_list(f, &ann);
    fixture_list(f, &bob);
    fixture_commit(f);
    assert_fault(load(f, &text), STATUS_CORRUPT, "Entry 2 is missing on the waiting list of event 1.");
    buf_release(&text);
}

/* ---- Page by page ---- */

static void on_row(void *ctx, const struct query_row *row)
{
    const struct list_entry_image *e = row->list_entry;
    assert_true(e && !row->reservation && !row->history);
    assert_true(text_equal(e->event_id, TEXT("eras")));
    assert_int_equal(entry_id_number(entry_key, ENTRY_LIST, e->id), e->number);
    buf_printf(ctx, "%u%.*s ", e->number, (int)e->user_id.size, e->user_id.at);
}

static void ask(struct book_reader *r, struct query *q, const char *expected)
{
    struct buf text;
    struct query_result result;
    buf_init(&text, 4096);
    assert_ok(book_reader_query(r, q, on_row, &text, &result));
    assert_true(result.ok);
    buf_printf(&text, "%s%c", result.more ? "..." : "", 0);
    assert_string_equal((char *)text.data, expected);
    q->after_number = result.last_number;
    buf_release(&text);
}

static void a_list_is_read_page_by_page(void **state)
{
    struct fixture *f = *state;
    struct book_reader *r;
    static const char *const users[] = {"ann", "bob", "cid", "dan", "eve"};
    uint64_t event = fixture_event_with_lines(f, "eras"), other = fixture_event_with_lines(f, "other");
    struct list_entry_image entry = fixture_wish(f, other, 1, "zoe");
    fixture_list(f, &entry);
    for (uint32_t i = 0; i < 5; i++) {
        entry = fixture_wish(f, event, i + 1, users[i]);
        fixture_list(f, &entry);
        if (i % 2 == 0) {
            entry.status = LIST_LEFT;
            fixture_list(f, &entry);
        }
    }
    fixture_commit(f);
    assert_ok(book_reader_open(&r, f->path));
    struct query q = {.kind = QUERY_WAITING_LIST, .event_number = event, .limit = 2};
    ask(r, &q, "1ann 2bob ...");
    ask(r, &q, "3cid 4dan ...");
    ask(r, &q, "5eve ");
    q = (struct query){.kind = QUERY_WAITING_LIST,
                       .event_number = event,
                       .has_list_status = true,
                       .list_status = LIST_LEFT,
                       .limit = 2};
    ask(r, &q, "1ann 3cid ...");
    ask(r, &q, "5eve ");
    q = (struct query){.kind = QUERY_WAITING_LIST,
                       .event_number = event,
                       .has_list_status = true,
                       .list_status = LIST_WAITING,
                       .limit = 2};
    ask(r, &q, "2bob 4dan ");
    q = (struct query){.kind = QUERY_WAITING_LIST, .event_number = 99, .limit = 2};
    ask(r, &q, "");
    book_reader_close(r);
}

/* ---- Reservations ---- */

static void on_history(void *ctx, const struct query_row *row)
{
    const struct history_view *h = row->history;
    buf_printf(ctx, "%s by %s, ", action_name(h->action), role_name(h->actor.role));
}

static bool on_held(void *owner, const struct reservation_image *r)
{
    *(int *)owner += r->from_list ? 10 : 1;
    return true;
}

static void an_offer_has_its_reason(void **state)
{
    struct fixture *f = *state;
    struct booking bob, ann;
    struct book_reader *r;
    struct query_result result;
    struct book_meta meta;
    struct buf text;
    uint64_t event = fixture_event_with_lines(f, "eras");
    fixture_seats(f, event, 4);
    fixture_hold(f, &ann, "ann", event, 3);
    struct list_entry_image entry = fixture_wish(f, event, 1, "bob");
    fixture_list(f, &entry);
    fixture_offer(f, &bob, &entry, 0);
    bob.image.expires_at_ms += 1000;
    fixture_write(f, &bob, ACTION_EXTENDED);
    fixture_commit(f);
    int held = 0;
    assert_ok(book_load(f->path, 0, &(struct book_load_sink){.owner = &held, .held = on_held}, &meta));
    assert_int_equal(held, 11);
    assert_ok(book_reader_open(&r, f->path));
    buf_init(&text, 4096);
    struct query q = {.kind = QUERY_HISTORY, .reservation = bob.image.id, .limit = 10};
    assert_ok(book_reader_query(r, &q, on_history, &text, &result));
    q.reservation = ann.image.id;
    assert_ok(book_reader_query(r, &q, on_history, &text, &result));
    buf_append(&text, "", 1);
    assert_string_equal((char *)text.data, "held by server, extended by user, held by user, ");
    assert_int_equal(fixture_ask(f, "SELECT count(reason) FROM history"), 1);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM history WHERE action = 'held' AND reason = 'list'"),
                     1);
    struct arena arena;
    struct reservation_image image;
    bool found;
    arena_init(&arena, 4096);
    assert_ok(book_reader_reservation(r, bob.image.id, &arena, &image, NULL, &found));
    assert_true(found && image.from_list);
    assert_ok(book_reader_reservation(r, ann.image.id, &arena, &image, NULL, &found));
    assert_true(found && !image.from_list);
    arena_release(&arena);
    buf_release(&text);
    book_reader_close(r);
}

/* ---- What a request has made ---- */

static bool on_idempotency(void *owner, const struct change *c)
{
    uint32_t *seen = owner;
    const struct idempotency_image *image = &c->idempotency;
    assert_int_equal(c->kind, CHANGE_IDEMPOTENCY);
    assert_int_equal(image->made.low, 7 + (uint64_t)image->made_kind);
    assert_int_equal(image->key[0], 1 + (uint64_t)image->made_kind);
    assert_int_equal(c->seq, 1 + (uint64_t)image->made_kind);
    *seen |= 1u << image->made_kind;
    return true;
}

static void each_kind_of_thing_made_keeps_its_name(void **state)
{
    struct fixture *f = *state;
    struct book_reader *r;
    struct book_meta meta;
    uint32_t seen = 0;
    for (int kind = MADE_RESERVATION; kind <= MADE_LIST_ENTRY; kind++) {
        fixture_change(f, CHANGE_IDEMPOTENCY)->idempotency =
            (struct idempotency_image){.key = {1 + (uint64_t)kind, 2},
                                       .made_kind = (enum made_kind)kind,
                                       .made = {.high = 1, .low = 7 + (uint64_t)kind},
                                       .http_status = 201,
                                       .at_ms = f->at_ms};
        fixture_put(f);
    }
    fixture_commit(f);
    fixture_says(f, "SELECT group_concat(substr(made, 1, 4), ' ') FROM idempotency", "res_ ent_ lst_");
    assert_ok(
        book_load(f->path, 0, &(struct book_load_sink){.owner = &seen, .record = on_idempotency}, &meta));
    assert_int_equal(seen, 7);
    assert_ok(book_reader_open(&r, f->path));
    for (int kind = MADE_RESERVATION; kind <= MADE_LIST_ENTRY; kind++) {
        struct idempotency_image image;
        bool found;
        assert_ok(book_reader_idempotency(r, (uint64_t[]){1 + (uint64_t)kind, 2}, &image, &found));
        assert_true(found);
        assert_int_equal(image.made_kind, kind);
        assert_int_equal(image.made.low, 7 + kind);
    }
    book_reader_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        book_test(entries_come_back_by_event_and_number),
        book_test(impossible_records_are_refused),
        book_test(a_gap_is_not_loaded),
        book_test(a_list_is_read_page_by_page),
        book_test(an_offer_has_its_reason),
        book_test(each_kind_of_thing_made_keeps_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
