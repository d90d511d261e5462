/* SPDX-License-Identifier: Apache-2.0 */
/* Wherever the journal or the book ends, after a whole step: decisions are restored, no entry gets an offer twice or is
 * forgotten, and nothing is left to do. Incomplete steps are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../lib/state_compare.h"
#include "../lib/world.h"
#include "core/catalogue/event.h"
#include "core/claim/reservation.h"
#include "core/state_check.h"
#include "core/waitlist/wish_group.h"

static struct world w;
static struct outcome out;

static void sentence_fails(void *ctx, const char *sentence)
{
    fail_msg("%s: %s", (const char *)ctx, sentence);
}

/* ---- A story with everything in it ---- */

static void apply(struct command *c)
{
    world_apply(&w, c, &out);
    assert_string_equal(w.fault, "");
}

static struct item_request units(uint32_t quantity)
{
    return (struct item_request){
        .kind = ITEM_POOL, .resource = TEXT("E"), .part = TEXT("floor"), .quantity = quantity};
}

static struct item_request seats(uint32_t quantity)
{
    return (struct item_request){
        .kind = ITEM_BEST, .resource = TEXT("E"), .quantity = quantity, .adjacent = quantity > 1};
}

static void hold(uint64_t n, struct item_request item, uint32_t ttl_s)
{
    struct command c = {
        .kind = COMMAND_HOLD, .actor = {.role = ROLE_ADMIN}, .user_id = TEXT("shop"), .reservation = {9, n}};
    c.hold.items = &item;
    c.hold.count = 1;
    c.hold.ttl_s = ttl_s;
    apply(&c);
    assert_int_equal(out.code, OUTCOME_OK);
}

static void desk(enum command_kind kind, struct id reservation)
{
    struct command c = {.kind = kind, .actor = {.role = ROLE_ADMIN}, .reservation = reservation};
    apply(&c);
    assert_int_equal(out.code, OUTCOME_OK);
}

static void join(const char *user, struct item_request item)
{
    struct command c = {.kind = COMMAND_LIST_JOIN, .actor = {ROLE_USER, {user, strlen(user)}}};
    c.list.event = TEXT("E");
    c.list.wish = (struct list_wish){.quantity = item.quantity, .adjacent = item.adjacent, .pool = item.part};
    c.idempotent = true;
    c.idempotency_key[0] = w.changes;
    apply(&c);
    assert_int_equal(out.code, OUTCOME_OK);
}

static struct list_entry_image entry(uint32_t number)
{
    struct list_entry_image image;
    waiting_list_image(event_find(w.st, TEXT("E")), number, &image);
    return image;
}

static void leave(uint32_t number)
{
    struct command c = {.kind = COMMAND_LIST_LEAVE, .actor = {.role = ROLE_ADMIN}};
    c.list.event = TEXT("E");
    c.list.entry = entry(number).id;
    apply(&c);
    assert_int_equal(out.code, OUTCOME_OK);
}

static void put_event(struct text id, bool list, uint32_t units_of_floor)
{
    struct command c = {.kind = COMMAND_EVENT_PUT, .actor = {.role = ROLE_ADMIN}};
    c.event_put.image =
        (struct event_image){.id = id,
                             .name = id,
                             .terms = {"EUR", 10, 20, 0, PAYMENT_NONE, LATE_PAYMENT_REFUND, 0},
                             .has_list = list,
                             .entry_key = {id.at[0], 2}};
    apply(&c);
    c = (struct command){.kind = COMMAND_POOL_PUT, .actor = {.role = ROLE_ADMIN}};
    c.pool_put.event = id;
    c.pool_put.id = TEXT("floor");
    c.pool_put.capacity = units_of_floor;
    apply(&c);
}

static void catalogue(void)
{
    struct buf rows;
    put_event(TEXT("E"), true, 4);
    buf_init(&rows, 4096);
    for (int i = 0; i < 4; i++)
        seat_row_put(&rows, 0, &(struct seat_image){.id = {&"WXYZ"[i], 1}});
    world_import(&w, TEXT("E"), &rows, 4, &out);
    buf_release(&rows);
}

static void story(void)
{
    catalogue();
    hold(1, units(2), 5);
    hold(2, units(2), 5);
    hold(3, seats(2), 0);
    hold(4, seats(2), 0);
    join("ann", units(1));
    join("bob", units(2));
    join("cid", seats(2));
    join("dan", units(1));
    join("eve", seats(1));
    join("fay", units(4));
    leave(4);
    w.now_ms += 5000;
    world_expire(&w, 100);                    /* two offers: ann, bob */
    desk(COMMAND_RELEASE, (struct id){9, 3}); /* and cid */
    desk(COMMAND_COMMIT, entry(1).reservation);
    join("dan", units(1)); /* of the rest */
    leave(3);              /* declines: eve is next */
    join("gus", seats(2));
    w.now_ms += 5000;
    world_expire(&w, 100); /* the second hold of seats, which gus replaces */
    desk(COMMAND_EXTEND, entry(5).reservation);
    desk(COMMAND_RELEASE, entry(2).reservation);
    w.now_ms += 10000;
    world_expire(&w, 100); /* all offers have lapsed */
    join("hal", units(3));
    desk(COMMAND_COMMIT, entry(event_find(w.st, TEXT("E"))->list->entries.used).reservation);
}

/* ---- Cuts ---- */

/* The state after the first `upto` changes, of which the book has the first `book_seq`. */
static struct state *recover(uint64_t book_seq, uint64_t upto)
{
    struct fake_book book;
    struct state *st = state_make();
    uint64_t from = book_seq ? w.ends[book_seq - 1] : 0, to = upto ? w.ends[upto - 1] : 0;
    fake_book_init(&book);
    assert_true(fake_book_take(&book, w.journal.data, from, (uint32_t)book_seq));
    assert_true(fake_book_recover(&book, st, w.journal.data + from, to - from, (uint32_t)(upto - book_seq)));
    fake_book_release(&book);
    return st;
}

/* Serves until nothing is left to do; the changes are added to `changes`. */
static uint32_t serve(struct state *st, struct buf *changes)
{
    uint32_t count = 0;
    bool more = true;
    while (more) {
        more = state_serve(st, w.now_ms, changes);
        count += st->change_count;
    }
    return count;
}

static void recovery_works_at_every_end_of_a_step(void **state)
{
    (void)state;
    char where[64], sentence[STATE_COMPARE_SENTENCE];
    struct buf changes;
    world_init(&w);
    story();
    buf_init(&changes, 1 << 20);
    for (uint64_t upto = 0; upto <= w.changes; upto++)
        for (uint64_t book_seq = 0; book_seq <= upto; book_seq++) {
            if (world_step_end(&w, upto) != upto || world_step_end(&w, book_seq) != book_seq)
                continue;
            struct state *st = recover(book_seq, upto), *straight = recover(0, upto);
            snprintf(where, sizeof(where), "book to %llu, journal to %llu", (unsigned long long)book_seq,
                     (unsigned long long)upto);
            assert_true(state_restore_end(st));
            assert_int_equal(serve(st, &changes), 0);
            state_check(st, sentence_fails, where);
            assert_int_equal(state_next_service(st), INT64_MAX);
            assert_int_equal(serve(straight, &changes), 0);
            if (!state_compare(st, straight, sentence) || !state_compare(straight, st, sentence))
                fail_msg("%s: %s", where, sentence);
            state_release(st);
            state_release(straight);
        }
    buf_release(&changes);
    world_release(&w);
}

static void ignore(void *ctx, const char *sentence)
{
    (void)ctx;
    (void)sentence;
}

/* No journal ends there. If one did, it is refused instead of continuing with a wrong state. */
static void incomplete_steps_are_refused(void **state)
{
    (void)state;
    uint32_t refused = 0;
    world_init(&w);
    story();
    for (uint64_t upto = 0; upto <= w.changes; upto++) {
        struct state *st = recover(0, upto);
        bool whole = state_restore_end(st);
        assert_int_equal(whole, state_check(st, ignore, NULL));
        assert_true(whole || world_step_end(&w, upto) != upto);
        refused += !whole;
        state_release(st);
    }
    assert_true(refused >= 10);
    world_release(&w);
}

/* A book that has a hold for the list and an entry that still waits, or an entry without its hold. */
static void a_book_with_half_an_offer_is_refused(void **state)
{
    (void)state;
    struct item_image items[ITEMS_MAX];
    struct reservation_image image;
    world_init(&w);
    catalogue();
    join("ann", units(2));
    struct list_entry_image offered = entry(1), waits = offered;
    assert_int_equal(offered.status, LIST_OFFERED);
    waits.status = LIST_WAITING;
    waits.reservation = (struct id){0};
    const struct event *e = event_find(w.st, TEXT("E"));
    reservation_image_make(w.st, reservation_at(w.st, reservation_find(w.st, offered.reservation)), &image,
                           items);
    for (int held = 0; held < 2; held++)
        for (int told = 0; told < 2; told++) {
            struct state *st = state_make();
            state_load_event(st, &e->image);
            assert_true(state_load_pool(st, &e->pools[0].image, 0));
            if (held)
                assert_true(state_load_reservation(st, &image));
            bool fits = state_load_list_entry(st, told ? &offered : &waits);
            state_load_end(st, w.changes);
            assert_int_equal(fits && state_restore_end(st), held == told);
            state_release(st);
        }
    world_release(&w);
}

/* A user who moves an offer to another event keeps it when the first event is removed. The book does not load a removed
 * event that no item refers to, so nothing is left that says whose offer it was. */
static void an_offer_can_outlive_its_event(void **state)
{
    (void)state;
    struct item_image items[ITEMS_MAX];
    struct reservation_image image;
    world_init(&w);
    catalogue();
    join("ann", units(2));
    struct id offered = entry(1).reservation;
    put_event(TEXT("F"), false, 1);
    struct item_request other = units(1);
    other.resource = TEXT("F");
    struct command c = {.kind = COMMAND_ITEMS_ADD, .actor = {.role = ROLE_ADMIN}, .reservation = offered};
    c.hold.items = &other;
    c.hold.count = 1;
    apply(&c);
    assert_int_equal(out.code, OUTCOME_OK);
    c = (struct command){.kind = COMMAND_ITEM_DROP, .actor = {.role = ROLE_ADMIN}, .reservation = offered};
    c.item.item_id = 1;
    apply(&c);
    assert_int_equal(out.code, OUTCOME_OK);
    c = (struct command){.kind = COMMAND_EVENT_REMOVE, .actor = {.role = ROLE_ADMIN}, .event = TEXT("E")};
    apply(&c);
    assert_int_equal(out.code, OUTCOME_OK);
    const struct event *e = event_find(w.st, TEXT("F"));
    reservation_image_make(w.st, reservation_at(w.st, reservation_find(w.st, offered)), &image, items);
    assert_true(image.from_list);
    struct state *st = state_make();
    state_load_event(st, &e->image);
    assert_true(state_load_pool(st, &e->pools[0].image, 0));
    assert_true(state_load_reservation(st, &image));
    state_load_end(st, w.changes);
    assert_true(state_restore_end(st));
    char where[] = "from the book";
    state_check(st, sentence_fails, where);
    state_release(st);
    world_restart(&w, 0);
    assert_string_equal(w.fault, "");
    world_release(&w);
}

/* ---- Damage ---- */

static bool fits(struct list_entry_image image)
{
    struct state *st = recover(0, w.changes);
    struct change *c = &w.book.change;
    memset(c, 0, sizeof(*c));
    c->kind = CHANGE_LIST_ENTRY;
    c->seq = st->seq + 1;
    c->at_ms = st->now_ms;
    c->list_entry = image;
    bool fine = state_restore(st, c) == RESTORE_OK;
    state_release(st);
    return fine;
}

static void inconsistent_changes_are_refused(void **state)
{
    (void)state;
    world_init(&w);
    catalogue();
    hold(1, units(4), 0);
    join("ann", units(1));
    join("bob", units(4));
    desk(COMMAND_RELEASE, (struct id){9, 1}); /* ann is offered one */
    struct list_entry_image ann = entry(1), bob = entry(2), other;
    assert_int_equal(ann.status, LIST_OFFERED);
    assert_int_equal(bob.status, LIST_WAITING);
    other = ann, other.status = LIST_LEFT;
    assert_true(fits(other));
    other.status = LIST_FINISHED;
    assert_true(fits(other));
    other.status = LIST_WAITING;
    assert_false(fits(other)); /* a status never goes back */
    other = ann, other.status = LIST_LEFT, other.reservation.low++;
    assert_false(fits(other)); /* another offer */
    other = bob, other.status = LIST_LEFT;
    assert_true(fits(other));
    other = bob, other.status = LIST_FINISHED;
    assert_false(fits(other)); /* of nothing */
    other = bob, other.status = LIST_OFFERED, other.reservation = (struct id){0};
    assert_false(fits(other)); /* nothing is offered */
    other.reservation = ann.reservation;
    assert_false(fits(other)); /* held for another user */
    other.reservation = (struct id){9, 1};
    assert_false(fits(other)); /* no longer held, and never for the list */
    other = bob, other.status = LIST_LEFT, other.user_id = TEXT("cid");
    assert_false(fits(other)); /* another user's */
    other = bob, other.number = 4, other.user_id = TEXT("cid");
    assert_false(fits(other)); /* a gap */
    other = bob, other.number = 3, other.user_id = TEXT("cid");
    assert_true(fits(other));
    other.user_id = TEXT("bob");
    assert_false(fits(other)); /* has a live one */
    other.user_id = TEXT("cid"), other.event++;
    assert_false(fits(other)); /* no such event */
    other.event--, other.wish.pool = TEXT("stand");
    assert_false(fits(other)); /* no such pool */
    other.wish.pool = TEXT("floor"), other.wish.tier = TEXT("gold");
    assert_false(fits(other));
    other.wish.pool = (struct text){0}, other.wish.quantity = ITEMS_MAX + 1;
    assert_false(fits(other));
    world_release(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recovery_works_at_every_end_of_a_step),
        cmocka_unit_test(incomplete_steps_are_refused),
        cmocka_unit_test(a_book_with_half_an_offer_is_refused),
        cmocka_unit_test(an_offer_can_outlive_its_event),
        cmocka_unit_test(inconsistent_changes_are_refused),
    };
    return cmocka_run_group_tests_name("engine_waiting_list_restart", tests, NULL, NULL);
}
