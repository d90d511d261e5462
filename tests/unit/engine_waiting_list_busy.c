/* SPDX-License-Identifier: Apache-2.0 */
/* When there is more to offer than one step does, nobody sees or gets what is still to be offered: not by the board,
 * the counts, a claim, or a restart. And a reader who follows the board by touches and versions always knows what it
 * shows. */
#include "list_fixture.h"

#include "../lib/world.h"
#include "base/memory/memory.h"
#include "core/claim/reservation.h"

/* What a reader knows who has read the board once and follows the touches. */
static struct {
    char *letters;
    uint32_t count;
    uint32_t available; /* of the pool */
    uint64_t seq;       /* the event's, when it last looked different */
    uint32_t reloads;   /* how often everything was read again */
} viewer;

static char letter_of(uint32_t position)
{
    return unit_status_letter(seat_status(core.st, e, position));
}

static void read_anew(void)
{
    viewer.count = e->layout ? e->layout->count : 0;
    viewer.letters = memory_grow(viewer.letters, viewer.count + 1u, 1);
    for (uint32_t i = 0; i < viewer.count; i++)
        viewer.letters[i] = letter_of(i);
    viewer.available = e->pool_count ? pool_shown(e, &e->pools[0]) : 0;
    viewer.reloads++;
}

/* After every step. */
static void look(void)
{
    bool reload = false;
    for (uint32_t i = 0; i < core.st->touch_count; i++)
        reload = reload || core.st->touches[i].kind == TOUCH_EVENT;
    for (uint32_t i = 0; !reload && i < core.st->touch_count; i++) {
        const struct touch *t = &core.st->touches[i];
        if (t->kind == ITEM_SEAT)
            viewer.letters[t->part] = letter_of(t->part);
        else
            viewer.available = pool_shown(e, &e->pools[t->part]);
    }
    if (reload)
        read_anew();
    if (core.st->touch_count) {
        assert_true(e->seq > viewer.seq); /* otherwise a reader would not see it by version */
        viewer.seq = e->seq;
    }
    uint32_t step = viewer.count / 1000 + 1;
    for (uint32_t i = (uint32_t)core.st->seq % step; i < viewer.count; i += step)
        assert_int_equal(viewer.letters[i], letter_of(i));
    assert_int_equal(viewer.available, e->pool_count ? pool_shown(e, &e->pools[0]) : 0);
    assert_true(core.st->lists.offers_left <= OFFERS_MAX);
}

static uint32_t shown_available(void)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < viewer.count; i++)
        count += viewer.letters[i] == 'a';
    return count;
}

static int set_up(void **state)
{
    list_set_up(state);
    viewer.count = viewer.available = viewer.reloads = 0;
    viewer.seq = 0;
    core.after_step = look;
    return 0;
}

static int tear_down(void **state)
{
    free(viewer.letters);
    viewer.letters = NULL;
    return core_tear_down(state);
}

/* A million new seats for ten thousand people: they get their offers step by step, and until that is done nobody else
 * sees or gets any. */
static void an_import_is_shown_after_all_offers(void **state)
{
    (void)state;
    import(0, 4);
    hold_all(0);
    for (uint32_t i = 0; i < 10000; i++)
        join_seats(i, 1 + i % 4, i % 2);
    uint32_t reloads = viewer.reloads, steps = 0;
    import(4, 1000000);
    assert_true(waiting_list_busy(e));
    for (;; steps++) {
        assert_int_equal(shown_available(), 0);
        assert_int_equal(event_counts_shown(e).available, 0);
        assert_int_equal(event_counts_shown(e).held, e->layout->count);
        assert_int_equal(state_next_service(core.st), 0);
        uint32_t before = waiting();
        if (steps % 16 == 1)
            assert_int_equal(hold(1000000 + steps, seat_named(999999), 0),
                             waiting() ? OUTCOME_RETRY : OUTCOME_OK);
        else if (steps % 16 == 2)
            assert_int_equal(hold(1000000 + steps, best(2), 0), waiting() ? OUTCOME_RETRY : OUTCOME_OK);
        else if (!core_serve())
            break;
        assert_true(before - waiting() <= OFFERS_MAX);
    }
    assert_true(steps >= 10000 / OFFERS_MAX && steps < 1000);
    assert_int_equal(waiting(), 0);
    assert_int_equal(offered(), 10000);
    assert_false(waiting_list_busy(e));
    assert_int_equal(viewer.reloads - reloads, 2); /* for the layout, and when all was done */
    assert_int_equal(shown_available(), 1000004 - 4 - 25000);
    assert_int_equal(event_counts_shown(e).available, 1000004 - 4 - 25000);
    assert_int_equal(state_next_service(core.st), INT64_MAX);
}

static void many_units_are_shown_after_all_offers(void **state)
{
    (void)state;
    put_pool(1000);
    assert_int_equal(hold(1, units(1000), 0), OUTCOME_OK);
    for (uint32_t i = 0; i < 600; i++)
        join_units(i, 1);
    release(1, false);
    assert_int_equal(waiting(), 600 - OFFERS_MAX);
    assert_int_equal(viewer.available, 0);
    assert_int_equal(hold(2, units(1), 0), OUTCOME_RETRY); /* continues with the offers */
    assert_int_equal(waiting(), 600 - 2 * OFFERS_MAX);
    while (core_serve())
        assert_int_equal(viewer.available, 0);
    assert_int_equal(waiting(), 0);
    assert_int_equal(viewer.available, 400);
    assert_int_equal(hold(2, units(400), 0), OUTCOME_OK);
    join_units(1000, 2);
    put_pool(1003);
    assert_int_equal(core.out.pool.available, 1); /* the answer does not show what is on offer */
    assert_int_equal(waiting(), 0);
    assert_int_equal(hold(3, units(1), 0), OUTCOME_OK);
    for (uint32_t i = 0; i <= OFFERS_MAX; i++)
        join_units(2000 + i, 1);
    put_pool(1003 + 2 * OFFERS_MAX);
    assert_int_equal(waiting(), 1);
    assert_int_equal(core.out.pool.available, 0);
    core_check();
}

/* As many are served as one step does, and the next one finds that nothing more fits: what it shows then has its own
 * version, though nothing was offered. */
static void stock_shown_again_has_its_own_version(void **state)
{
    (void)state;
    import(0, 300);
    hold_all(0);
    for (uint32_t i = 0; i < OFFERS_MAX; i++)
        join_seats(i, 1, false);
    join_seats(OFFERS_MAX, 2, true);
    put_event(false, 0);
    for (uint32_t i = 0; i < 150; i++) /* no two of them side by side */
        release(1 + 2 * i, false);
    assert_int_equal(shown_available(), 150);
    put_event(true, 0);
    assert_int_equal(waiting(), 1);
    assert_true(waiting_list_busy(e));
    assert_int_equal(shown_available(), 0);
    assert_int_equal(core.out.counts.available, 0); /* the answer to PUT too */
    uint64_t seq = e->seq;
    assert_false(core_serve());
    assert_int_equal(core.st->change_count, 1);
    assert_true(e->seq > seq);
    assert_int_equal(shown_available(), 150 - OFFERS_MAX);
    assert_int_equal(waiting(), 1);
    core_check();
}

/* The timer ends as many holds as can be offered at once, so that nothing has to be hidden. */
static void a_storm_of_lapses_is_served_as_it_comes(void **state)
{
    (void)state;
    import(0, 2000);
    hold_all(10);
    for (uint32_t i = 0; i < 1500; i++)
        join_seats(i, 1, false);
    uint32_t reloads = viewer.reloads, expired = 0, left = 2000 - 1500;
    core.now_ms += 10000;
    while (state_next_deadline(core.st) <= core.now_ms) {
        buf_clear(&core.changes);
        uint32_t step = state_expire(core.st, core.now_ms, 1000, &core.changes);
        expired += step;
        look();
        assert_true(step > 0 && (waiting() == 0 || step <= OFFERS_MAX));
        assert_int_equal(shown_available(), expired <= 1500 ? 0 : expired - 1500);
    }
    assert_int_equal(viewer.reloads, reloads);
    assert_int_equal(shown_available(), left);
    assert_int_equal(offered(), 1500);
    core_check();
}

/* A claimant in that very millisecond has to retry until everything was settled and offered. */
static void a_claimant_in_a_storm_comes_last(void **state)
{
    (void)state;
    import(0, 1000);
    hold_all(10);
    for (uint32_t i = 0; i < 1000; i++)
        join_seats(i, 1, false);
    core.now_ms += 10000;
    uint32_t again = 0;
    while (hold(5000, seat_named(999), 0) == OUTCOME_RETRY) {
        assert_int_equal(shown_available(), 0);
        assert_true(++again < 100);
    }
    assert_true(again >= 1000 / OFFERS_MAX);
    assert_int_equal(core.out.code, OUTCOME_TAKEN);
    assert_int_equal(waiting(), 0);
    assert_int_equal(shown_available(), 0);
}

/* The list of one event is long; the other's is still served at once. */
static void a_long_list_does_not_delay_others(void **state)
{
    (void)state;
    put_pool(600);
    assert_int_equal(hold(1, units(600), 0), OUTCOME_OK);
    for (uint32_t i = 0; i < 600; i++)
        join_units(i, 1);
    core.after_step = NULL; /* the viewer follows one event only */
    const struct event *other = put_other_event(1);
    struct command c;
    for (int i = 0; i < 2; i++) {
        c = (struct command){.kind = COMMAND_LIST_JOIN, .actor = {ROLE_USER, {&"ab"[i], 1}}};
        c.list.event = TEXT("F");
        c.list.wish = (struct list_wish){.quantity = 1, .pool = TEXT("floor")};
        core_must(c);
    }
    assert_int_equal(list_waiting(other->list), 1);
    release(1, false);
    assert_true(waiting_list_busy(e));
    c = (struct command){.kind = COMMAND_RELEASE};
    c.reservation = list_entry_at(other->list, 1)->reservation;
    core_must(c);
    assert_int_equal(list_waiting(other->list), 0);
    assert_true(waiting_list_busy(e));
    assert_false(waiting_list_busy(other));
    core_check();
}

static void three_wait_for_two_units(void)
{
    put_pool(2);
    assert_int_equal(hold(1, units(2), 0), OUTCOME_OK);
    for (uint32_t i = 1; i <= 3; i++)
        join_units(i, 1);
}

/* No room to record new holds: freed stock stays hidden; ends of offers are still recorded. */
static void without_room_for_offers_stock_waits(void **state)
{
    (void)state;
    three_wait_for_two_units();
    release(1, true);
    assert_int_equal(core.st->change_count, 1);
    assert_int_equal(waiting(), 3);
    assert_int_equal(viewer.available, 0);
    assert_int_equal(event_counts_shown(e).available, 0);
    assert_false(core_serve());
    assert_int_equal(waiting(), 1);
    struct command c = {.kind = COMMAND_RELEASE, .no_offers = true};
    c.reservation = list_entry_at(e->list, 1)->reservation;
    core_must(c);
    assert_int_equal(core.st->change_count, 2);
    assert_int_equal(list_entry_at(e->list, 1)->status, LIST_LEFT);
    assert_int_equal(waiting(), 1);
    assert_int_equal(viewer.available, 0);
    assert_false(core_serve());
    assert_int_equal(waiting(), 0);
    assert_int_equal(offered(), 2);
    core_check();
}

/* Nothing can be recorded: a read changes nothing, though there is something to offer, and shows what has lapsed. */
static void nothing_is_offered_when_nothing_can_be_recorded(void **state)
{
    (void)state;
    three_wait_for_two_units();
    release(1, false);
    struct list_entry_image image;
    waiting_list_image(e, 1, &image);
    core.now_ms += 600000;
    struct command c = {.kind = COMMAND_LIST_LOOK, .no_changes = true};
    c.list.event = TEXT("E");
    c.list.entry = image.id;
    core_must(c);
    assert_int_equal(core.out.list_entry.status, LIST_LEFT);
    assert_int_equal(core.st->change_count, 0);
    assert_int_equal(list_entry_at(e->list, 1)->status, LIST_OFFERED);
    c.no_changes = false;
    core_must(c);
    assert_int_equal(core.out.list_entry.status, LIST_LEFT);
    assert_int_equal(waiting(), 0);
    /* Nor are offers that were left for a later step. */
    put_pool(OFFERS_MAX + 100);
    assert_int_equal(hold(2, units(OFFERS_MAX + 98), 0), OUTCOME_OK);
    for (uint32_t i = 0; i < OFFERS_MAX + 10; i++)
        join_units(10 + i, 1);
    release(2, false);
    uint32_t before = waiting();
    assert_true(before > 0 && waiting_list_busy(e));
    c.no_changes = true;
    core_must(c);
    assert_int_equal(core.st->change_count, 0);
    assert_int_equal(waiting(), before);
}

/* Where there is a waiting room the list is for sold-out stock; more lapsed holds than one step settles do not make it
 * sold out. */
static void lapsed_stock_is_not_sold_out(void **state)
{
    (void)state;
    enum { HOLDS = SETTLE_MAX + 100 };
    struct command c = {.kind = COMMAND_EVENT_PUT};
    c.event_put.image = e->image;
    c.event_put.image.id = c.event_put.image.name = TEXT("E");
    c.event_put.image.has_queue = true;
    c.event_put.image.queue = (struct queue_settings){.rate_per_second = 1, .pass_ttl_s = 60};
    core_must(c);
    put_pool(HOLDS);
    for (uint32_t i = 0; i < HOLDS; i++)
        assert_int_equal(hold(1 + i, units(1), 10), OUTCOME_OK);
    core.now_ms += 10000;
    c = (struct command){.kind = COMMAND_LIST_JOIN, .actor = {.role = ROLE_USER, .name = TEXT("ann")}};
    c.list.event = TEXT("E");
    c.list.wish = (struct list_wish){.quantity = HOLDS, .pool = TEXT("floor")};
    assert_int_equal(core_apply(c), OUTCOME_RETRY);
    assert_int_equal(core_apply(c), OUTCOME_NOT_SOLD_OUT);
    assert_int_equal(e->list->entries.used, 0);
    core_check();
}

/* A lapsed offer is settled with the move of its entry or not at all: not on the way to a record that must be fetched
 * first, because the step ends there. */
static void nothing_is_settled_before_a_fetch(void **state)
{
    (void)state;
    put_pool(1);
    assert_int_equal(hold(1, units(1), 0), OUTCOME_OK);
    join_units(1, 1);
    release(1, false);
    assert_int_equal(offered(), 1);
    core.now_ms += 600000;
    struct idempotency_image forgotten = {
        .key = {1, 2}, .made = {5, 5}, .http_status = 201, .at_ms = core.now_ms};
    idempotency_add(&core.st->idempotency, &forgotten, core.st->seq);
    struct item_request more = units(1);
    struct command c = {.kind = COMMAND_ITEMS_ADD,
                        .reservation = list_entry_at(e->list, 1)->reservation,
                        .idempotent = true,
                        .idempotency_key = {1, 2}};
    more.resource = TEXT("E");
    c.hold.items = &more;
    c.hold.count = 1;
    assert_int_equal(core_apply(c), OUTCOME_FETCH);
    assert_int_equal(core.st->change_count, 0);
    core_check();
    c.idempotent = false;
    assert_int_equal(core_apply(c), OUTCOME_EXPIRED);
    assert_int_equal(core.st->change_count, 2);
    assert_int_equal(list_entry_at(e->list, 1)->status, LIST_LEFT);
    core_check();
}

/* ---- Restarts in the middle of it ---- */

static void a_restart_continues_where_it_was(void **state)
{
    (void)state;
    static struct world w;
    for (int from_book = 0; from_book < 3; from_book++) {
        world_init(&w);
        struct command c = {.kind = COMMAND_EVENT_PUT, .actor = {.role = ROLE_ADMIN}};
        c.event_put.image = e->image;
        assert_int_equal(world_apply(&w, &c, &core.out), OUTCOME_OK);
        c = (struct command){.kind = COMMAND_POOL_PUT, .actor = {.role = ROLE_ADMIN}};
        c.pool_put.event = TEXT("E");
        c.pool_put.id = TEXT("floor");
        c.pool_put.capacity = 400;
        assert_int_equal(world_apply(&w, &c, &core.out), OUTCOME_OK);
        struct item_request item = units(400);
        item.resource = TEXT("E");
        c = (struct command){.kind = COMMAND_HOLD, .user_id = TEXT("shop"), .reservation = {9, 1}};
        c.actor.role = ROLE_ADMIN;
        c.hold.items = &item;
        c.hold.count = 1;
        assert_int_equal(world_apply(&w, &c, &core.out), OUTCOME_OK);
        for (uint32_t i = 0; i < 390; i++) {
            char name[16];
            c = (struct command){.kind = COMMAND_LIST_JOIN, .actor = {.role = ROLE_USER}};
            c.actor.name = (struct text){name, (size_t)snprintf(name, sizeof(name), "u%u", i)};
            c.list.event = TEXT("E");
            c.list.wish = (struct list_wish){.quantity = 1, .pool = TEXT("floor")};
            assert_int_equal(world_apply(&w, &c, &core.out), OUTCOME_OK);
        }
        c = (struct command){.kind = COMMAND_RELEASE, .actor = {.role = ROLE_ADMIN}, .reservation = {9, 1}};
        assert_int_equal(world_apply(&w, &c, &core.out), OUTCOME_OK);
        const struct event *there = event_find(w.st, TEXT("E"));
        assert_int_equal(list_waiting(there->list), 390 - OFFERS_MAX);
        assert_int_equal(pool_shown(there, there->pools), 0);
        world_restart(&w, from_book == 0 ? 0 : from_book == 1 ? w.changes : w.changes - OFFERS_MAX);
        assert_string_equal(w.fault, "");
        there = event_find(w.st, TEXT("E"));
        assert_int_equal(list_waiting(there->list), 0);
        assert_int_equal(pool_shown(there, there->pools), 10);
        world_restart(&w, w.changes / 2);
        assert_string_equal(w.fault, "");
        world_release(&w);
    }
}

/* Stock that was hidden when the process ended is shown with its own version, though that step offers nothing. */
static void leftovers_of_a_restart_are_announced_too(void **state)
{
    (void)state;
    struct state *own = core.st;
    import(0, 600);
    hold_all(0);
    for (uint32_t i = 0; i < 2 * OFFERS_MAX; i++)
        join_seats(i, 1, false);
    join_seats(5000, 2, true);
    put_event(false, 0);
    for (uint32_t i = 0; i < 300; i++) /* no two of them side by side */
        release(1 + 2 * i, false);
    put_event(true, 0);
    assert_int_equal(waiting(), OFFERS_MAX + 1);
    /* The same state from a book, as at a start of the server. */
    struct event *lived = e;
    core.after_step = NULL;
    core.st = state_make();
    state_load_event(core.st, &lived->image);
    uint64_t *versions = memory_zeroed(600, sizeof(*versions));
    const struct layout_blocks none = {0};
    for (uint32_t i = 0; i < 600; i++)
        versions[i] = seat_at(lived, i)->version;
    assert_true(state_load_seats(core.st, lived->image.number, layout_share(lived->layout), versions, &none));
    for (uint32_t i = 0; i < own->reservations.used; i++) {
        struct reservation_image image;
        static struct item_image items[ITEMS_MAX];
        if (reservation_at(own, i)->status != RESERVATION_HELD)
            continue;
        reservation_image_make(own, reservation_at(own, i), &image, items);
        assert_true(state_load_reservation(core.st, &image));
    }
    for (uint32_t number = 1; number <= lived->list->entries.used; number++) {
        struct list_entry_image image;
        waiting_list_image(lived, number, &image);
        assert_true(state_load_list_entry(core.st, &image));
    }
    state_load_end(core.st, own->seq);
    e = event_find(core.st, TEXT("E"));
    state_release(own);
    free(versions);
    assert_true(core_serve());
    assert_int_equal(waiting(), 1);
    viewer.seq = e->seq;
    read_anew();
    assert_int_equal(shown_available(), 0);
    core.after_step = look;
    assert_false(core_serve());
    assert_int_equal(shown_available(), 300 - 2 * OFFERS_MAX);
    core_check();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_import_is_shown_after_all_offers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(many_units_are_shown_after_all_offers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stock_shown_again_has_its_own_version, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_storm_of_lapses_is_served_as_it_comes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_claimant_in_a_storm_comes_last, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_long_list_does_not_delay_others, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_room_for_offers_stock_waits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_is_offered_when_nothing_can_be_recorded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lapsed_stock_is_not_sold_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_is_settled_before_a_fetch, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_restart_continues_where_it_was, set_up, tear_down),
        cmocka_unit_test_setup_teardown(leftovers_of_a_restart_are_announced_too, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("engine_waiting_list_busy", tests, NULL, NULL);
}
