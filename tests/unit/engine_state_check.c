/* SPDX-License-Identifier: Apache-2.0 */
/* state_check notices every derived field that is off by one: a check that catches nothing proves nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "../lib/world.h"
#include "core/calendar/calendar.h"
#include "core/catalogue/event.h"
#include "core/claim/reservation.h"
#include "core/claim/user.h"
#include "core/key.h"
#include "core/state_check.h"

static struct world w;
static struct id held, confirmed, forgotten;
static int sentences;

static void count_sentence(void *ctx, const char *sentence)
{
    (void)ctx;
    assert_true(sentence[0] && sentence[strlen(sentence) - 1] == '.');
    sentences++;
}

static void hold(struct id id, const char *user, const struct item_request *items, uint32_t count,
                 bool commit)
{
    struct outcome out;
    struct command c = {
        .kind = COMMAND_HOLD, .actor = {.role = ROLE_APP, .name = TEXT("shop")}, .reservation = id};
    c.user_id = (struct text){user, strlen(user)};
    c.hold.items = items;
    c.hold.count = count;
    c.hold.commit = commit;
    c.hold.ticket_key[0] = 9;
    assert_int_equal(world_apply(&w, &c, &out), OUTCOME_OK);
}

static struct item_request seat(const char *id)
{
    return (struct item_request){
        .kind = ITEM_SEAT, .resource = TEXT("E"), .part = {id, strlen(id)}, .quantity = 1};
}

static struct item_request floor_units(uint32_t quantity)
{
    return (struct item_request){
        .kind = ITEM_POOL, .resource = TEXT("E"), .part = TEXT("floor"), .quantity = quantity};
}

/* One of each: held, confirmed, forgotten and sold; seats, pool units, slots, a blocked seat, best's counts, a key. */
static struct item_request slot(int64_t minute)
{
    int64_t start_ms = w.now_ms + minute * 60000;
    return (struct item_request){.kind = ITEM_SLOT,
                                 .resource = TEXT("C"),
                                 .quantity = 1,
                                 .start_ms = start_ms,
                                 .end_ms = start_ms + 600000};
}

static void put_calendar(void)
{
    struct outcome out;
    struct command c = {.kind = COMMAND_CALENDAR_PUT, .actor = {.role = ROLE_ADMIN}};
    c.calendar_put.image =
        (struct calendar_image){.id = TEXT("C"),
                                .name = TEXT("C"),
                                .timezone = TEXT("UTC"),
                                .capacity = 2,
                                .terms = {"EUR", 10, 20, 0, PAYMENT_NONE, LATE_PAYMENT_REFUND, 0},
                                .slot_minutes = 30,
                                .rules = CALENDAR_RULES_PLAIN};
    c.calendar_put.zone = zone_load("UTC");
    assert_int_equal(world_apply(&w, &c, &out), OUTCOME_OK);
    zone_release(c.calendar_put.zone);
}

static void make_world(void)
{
    static const char *const ids[] = {"A1", "A2", "A3", "A4", "A5", "A6", "A7"};
    struct outcome out;
    struct buf rows;
    world_init(&w);
    struct command c = {.kind = COMMAND_EVENT_PUT, .actor = {.role = ROLE_ADMIN}};
    c.event_put.image =
        (struct event_image){.id = TEXT("E"),
                             .name = TEXT("E"),
                             .terms = {"EUR", 10, 20, 0, PAYMENT_NONE, LATE_PAYMENT_REFUND, 0}};
    world_apply(&w, &c, &out);
    c = (struct command){.kind = COMMAND_POOL_PUT, .actor = {.role = ROLE_ADMIN}};
    c.pool_put.event = TEXT("E");
    c.pool_put.id = TEXT("floor");
    c.pool_put.capacity = 10;
    world_apply(&w, &c, &out);
    buf_init(&rows, 4096);
    for (int i = 0; i < 6; i++)
        seat_row_put(&rows, i == 5 ? SEAT_COLUMN_BLOCKED : 0,
                     &(struct seat_image){.id = {ids[i], 2}, .blocked = true});
    seat_row_put(&rows, SEAT_COLUMN_ALLOTMENT,
                 &(struct seat_image){.id = {ids[6], 2}, .allotment = TEXT("x")});
    world_import(&w, TEXT("E"), &rows, 7, &out);
    buf_release(&rows);
    c = (struct command){.kind = COMMAND_KEY_CREATE, .actor = {.role = ROLE_ADMIN}};
    c.key = (struct key_image){.name = TEXT("b"), .role = ROLE_APP};
    world_apply(&w, &c, &out);
    c.key.name = TEXT("a");
    world_apply(&w, &c, &out);
    forgotten = (struct id){1, 1};
    confirmed = (struct id){1, 2};
    held = (struct id){1, 3};
    put_calendar();
    hold(forgotten, "ann", (struct item_request[]){seat("A1"), seat("A2"), floor_units(2), slot(10)}, 4,
         true);
    world_forget(&w);
    hold(confirmed, "cid", (struct item_request[]){seat("A3"), floor_units(1), slot(15)}, 3, true);
    hold(held, "bob", (struct item_request[]){floor_units(3), seat("A4"), floor_units(1), slot(20), slot(25)},
         5, false);
    hold((struct id){1, 4}, "bob",
         (struct item_request[]){{.kind = ITEM_BEST, .resource = TEXT("E"), .quantity = 1}}, 1, false);
    assert_string_equal(w.fault, "");
}

static struct reservation *the(struct id id)
{
    uint32_t handle = reservation_find(w.st, id);
    assert_int_not_equal(handle, TABLE_NONE);
    return reservation_at(w.st, handle);
}

/* The field is off by one: noticed. Restored: fine again. */
#define NOTICED(field)                                                                                       \
    do {                                                                                                     \
        sentences = 0;                                                                                       \
        (field)++;                                                                                           \
        if (state_check(w.st, count_sentence, NULL) || !sentences)                                           \
            fail_msg("%s may be anything", #field);                                                          \
        (field)--;                                                                                           \
        assert_true(state_check(w.st, NULL, NULL));                                                          \
    } while (0)

static void a_valid_state_passes(void **state)
{
    (void)state;
    make_world();
    sentences = 0;
    assert_true(state_check(w.st, count_sentence, NULL));
    assert_int_equal(sentences, 0);
    world_release(&w);
}

/* An entry without an item, in order after the others. */
static void stray_noticed(struct heap *lapses)
{
    assert_true(lapses->count < lapses->capacity);
    lapses->entries[lapses->count] = (struct heap_entry){INT64_MAX, UINT64_MAX};
    NOTICED(lapses->count);
}

static void wrong_counts_are_noticed(void **state)
{
    (void)state;
    make_world();
    struct event *e = event_find(w.st, TEXT("E"));
    NOTICED(e->counts.seats);
    NOTICED(e->counts.available);
    NOTICED(e->counts.held);
    NOTICED(e->counts.sold);
    NOTICED(e->counts.blocked);
    NOTICED(e->held_off);
    NOTICED(e->live_units);
    NOTICED(e->row_taken[0]);
    NOTICED(e->items);
    NOTICED(e->allotments->open);
    NOTICED(e->allotments->row_open[0]);
    NOTICED(e->allotments->all[0].seats);
    NOTICED(e->pools[0].held);
    NOTICED(e->pools[0].sold);
    stray_noticed(&e->pools[0].lapses);
    NOTICED(w.st->by_status[RESERVATION_HELD]);
    NOTICED(w.st->by_status[RESERVATION_CONFIRMED]);
    NOTICED(((struct user_count *)slab_at(&w.st->user_counts, 0))->count);
    NOTICED(((struct user *)slab_at(&w.st->users, 0))->references);
    NOTICED(((struct stub *)slab_at(&w.st->stubs, 0))->seats);
    world_release(&w);
}

static void wrong_claims_are_noticed(void **state)
{
    (void)state;
    make_world();
    struct event *e = event_find(w.st, TEXT("E"));
    for (uint32_t i = 0; i < 6; i++)
        NOTICED(seat_at(e, i)->claim);
    bitset_put(&e->blocked, 6, true); /* of a free seat; a claimed one can have the mark */
    assert_false(state_check(w.st, NULL, NULL));
    bitset_put(&e->blocked, 6, false);
    NOTICED(e->allotments->in.words[0]);
    NOTICED(e->allotments->of[4]);
    NOTICED(e->allotments->of[6]);
    NOTICED(e->claimed.words[0]);
    NOTICED(seat_at(e, 3)->version);
    NOTICED(the(held)->many[1].part);
    NOTICED(the(held)->many[0].quantity);
    NOTICED(the(confirmed)->many[1].quantity);
    NOTICED(the(held)->many[0].place);
    struct seat *last = seat_at(e, 5); /* blocked, and so free */
    bitset_put(&e->blocked, 5, false);
    seat_plan(last);
    assert_false(state_check(w.st, NULL, NULL));
    seat_unplan(last);
    bitset_put(&e->blocked, 5, true);
    assert_true(state_check(w.st, NULL, NULL));
    world_release(&w);
}

static void wrong_reservations_are_noticed(void **state)
{
    (void)state;
    make_world();
    struct reservation *r = the(held);
    NOTICED(r->place);
    NOTICED(r->expires_at_ms);
    NOTICED(w.st->deadlines.entries[0].at_ms);
    NOTICED(r->next);
    NOTICED(r->many[0].item_id);
    NOTICED(r->user);
    NOTICED(the(confirmed)->status);
    r->next_item_id = r->many[4].item_id;
    assert_false(state_check(w.st, NULL, NULL));
    r->next_item_id++;
    uint64_t fence = r->fence;
    r->fence = the(confirmed)->fence;
    assert_false(state_check(w.st, NULL, NULL));
    r->fence = w.st->seq + 1;
    assert_false(state_check(w.st, NULL, NULL));
    r->fence = fence;
    int64_t most = r->max_expires_at_ms;
    r->max_expires_at_ms = r->expires_at_ms - 1;
    assert_false(state_check(w.st, NULL, NULL));
    r->max_expires_at_ms = most;
    r->currency[2] = 0;
    assert_false(state_check(w.st, NULL, NULL));
    r->currency[2] = 'R';
    struct key first = w.st->keys[0];
    w.st->keys[0] = w.st->keys[1];
    w.st->keys[1] = first;
    assert_false(state_check(w.st, NULL, NULL));
    w.st->keys[1] = w.st->keys[0];
    w.st->keys[0] = first;
    assert_true(state_check(w.st, NULL, NULL));
    world_release(&w);
}

static void wrong_calendars_are_noticed(void **state)
{
    (void)state;
    make_world();
    struct calendar *c = calendar_find(w.st, TEXT("C"));
    NOTICED(c->index);
    NOTICED(c->image.number);
    NOTICED(c->timeline.base);
    NOTICED(c->timeline.base_sold);
    stray_noticed(&c->lapses);
    NOTICED(c->lapses.entries[0].at_ms);
    NOTICED(the(held)->many[3].start_ms);
    NOTICED(the(held)->many[3].until_ms);
    NOTICED(the(held)->many[4].place);
    c->image.capacity--; /* two overlap */
    assert_false(state_check(w.st, NULL, NULL));
    c->image.capacity++;
    /* A claim without an owner, one that is sold and not held, and one too few. */
    struct item own = the(confirmed)->many[2];
    timeline_add(&c->timeline, own.until_ms + 6000000, own.until_ms + 7000000, false);
    assert_false(state_check(w.st, NULL, NULL));
    timeline_remove(&c->timeline, own.until_ms + 6000000, own.until_ms + 7000000, false);
    assert_true(state_check(w.st, NULL, NULL));
    timeline_remove(&c->timeline, own.start_ms, own.until_ms, true);
    timeline_add(&c->timeline, own.start_ms, own.until_ms, false);
    assert_false(state_check(w.st, NULL, NULL));
    timeline_remove(&c->timeline, own.start_ms, own.until_ms, false);
    assert_false(state_check(w.st, NULL, NULL));
    timeline_add(&c->timeline, own.start_ms, own.until_ms, true);
    assert_true(state_check(w.st, NULL, NULL));
    /* One more sold than is in memory could be a forgotten one. */
    timeline_add(&c->timeline, own.until_ms + 6000000, own.until_ms + 7000000, true);
    assert_true(state_check(w.st, NULL, NULL));
    world_release(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_valid_state_passes),        cmocka_unit_test(wrong_counts_are_noticed),
        cmocka_unit_test(wrong_claims_are_noticed),    cmocka_unit_test(wrong_reservations_are_noticed),
        cmocka_unit_test(wrong_calendars_are_noticed),
    };
    return cmocka_run_group_tests_name("engine_state_check", tests, NULL, NULL);
}
