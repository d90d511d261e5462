/* SPDX-License-Identifier: Apache-2.0 */
/* Events that come and go leave nothing in memory: a hundred thousand of them, with seats, pools, lines and
 * reservations, take no more than a few. And whoever gets a slot gets nothing of the one before. */
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "core/state.h"
#include "core/state_check.h"

#define CYCLES 100000u
#define WARM_UP 1000u /* so that tables and slabs have the size they need */
#define GROWTH_MAX 65536u

static struct state *st;
static struct buf changes;
static struct outcome out;
static int64_t now_ms;

static int set_up(void **state)
{
    (void)state;
    st = state_make();
    buf_init(&changes, 1 << 20);
    now_ms = 1;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    state_release(st);
    buf_release(&changes);
    return 0;
}

static void apply(struct command c)
{
    c.actor = (struct actor){.role = ROLE_ADMIN};
    buf_clear(&changes);
    assert_int_equal(state_apply(st, &c, now_ms, &changes, &out), OUTCOME_OK);
}

static void put_event(struct text id)
{
    struct command c = {.kind = COMMAND_EVENT_PUT};
    c.event_put.image = (struct event_image){.id = id,
                                             .name = TEXT("An evening that will not take place"),
                                             .terms = {"EUR", 10, 20, 0, PAYMENT_NONE, LATE_PAYMENT_REFUND},
                                             .has_list = true,
                                             .has_queue = true,
                                             .queue = {.rate_per_second = 1000, .pass_ttl_s = 600}};
    c.event_put.image.entry_key[0] = 1;
    apply(c);
    c = (struct command){.kind = COMMAND_POOL_PUT};
    c.pool_put.event = id;
    c.pool_put.id = TEXT("floor");
    c.pool_put.capacity = 5;
    apply(c);
}

static void import_seats(struct text id)
{
    struct buf rows;
    uint32_t created, updated;
    struct layout_blocks blocks;
    buf_init(&rows, 4096);
    for (int i = 0; i < 3; i++)
        seat_row_put(&rows, 0, &(struct seat_image){.id = {&"XYZ"[i], 1}});
    uint64_t import = state_next_seq(st);
    struct command c = {.kind = COMMAND_SEATS_STAGE};
    c.seats_stage.event = id;
    c.seats_stage.import = import;
    c.seats_stage.rows = rows.data;
    c.seats_stage.size = rows.size;
    c.seats_stage.count = 3;
    apply(c);
    c = (struct command){.kind = COMMAND_SEATS_PUBLISH};
    c.seats_publish.event = id;
    c.seats_publish.import = import;
    c.seats_publish.layout =
        layout_make(NULL, bytes_reader_make(rows.data, rows.size), 3, &created, &updated, &blocks);
    c.seats_publish.blocks = &blocks;
    apply(c);
    layout_blocks_release(&blocks);
    buf_release(&rows);
}

static void hold_and_release(struct text id, uint64_t number)
{
    const struct item_request items[] = {
        {.kind = ITEM_SEAT, .event = id, .unit = TEXT("Z"), .quantity = 1},
        {.kind = ITEM_POOL, .event = id, .unit = TEXT("floor"), .quantity = 2},
    };
    char user[64];
    int size =
        snprintf(user, sizeof(user), "somebody whose name is their own %llu", (unsigned long long)number);
    struct command c = {.kind = COMMAND_HOLD, .reservation = {1, number}, .user_id = {user, (size_t)size}};
    c.hold.items = items;
    c.hold.count = 2;
    apply(c);
    apply((struct command){.kind = COMMAND_RELEASE, .reservation = {1, number}});
}

static void remove_event(struct text id)
{
    apply((struct command){.kind = COMMAND_EVENT_REMOVE, .event = id});
}

/* The book has everything. */
static void forget(void)
{
    while (state_forget(st, st->seq, 1024) == 1024)
        ;
    detached_release(state_take_detached(st));
}

static size_t in_use(void)
{
    struct mallinfo2 m = mallinfo2();
    return m.uordblks + m.hblkhd;
}

static void events_that_come_and_go_leave_nothing(void **state)
{
    (void)state;
    size_t before = 0;
    for (uint32_t i = 0; i < WARM_UP + CYCLES; i++) {
        char name[32];
        struct text id = {name, (size_t)snprintf(name, sizeof(name), "evening-%u", i)};
        if (i == WARM_UP)
            before = in_use();
        put_event(id);
        import_seats(id);
        hold_and_release(id, i + 1);
        remove_event(id);
        forget();
        now_ms++;
    }
    size_t after = in_use();
    if (after > before + GROWTH_MAX)
        fail_msg("%u events that are gone take %zu bytes", CYCLES, after - before);
    assert_int_equal(st->event_count, 1);
    assert_int_equal(st->event_listed, 0);
}

static void on_fault(void *ctx, const char *sentence)
{
    (void)ctx;
    fail_msg("%s", sentence);
}

static void is_sound(void)
{
    assert_true(state_check(st, on_fault, NULL));
}

static void a_slot_is_not_given_while_something_speaks_of_its_event(void **state)
{
    (void)state;
    put_event(TEXT("first"));
    import_seats(TEXT("first"));
    uint64_t first = event_find(st, TEXT("first"))->image.number;
    hold_and_release(TEXT("first"), 1);
    remove_event(TEXT("first"));
    assert_non_null(event_find_number(st, first)); /* the reservation is in memory */
    put_event(TEXT("second"));
    assert_int_equal(event_find(st, TEXT("second"))->index, 1);
    apply((struct command){.kind = COMMAND_LOOK, .reservation = {1, 1}});
    assert_memory_equal(out.reservation.items[0].event_id.at, "first", 5);
    forget();
    assert_null(event_find_number(st, first));
    put_event(TEXT("third"));
    const struct event *third = event_find(st, TEXT("third"));
    assert_int_equal(third->index, 0);
    assert_null(third->layout);
    assert_int_equal(third->pool_count, 1);
    assert_int_equal(third->counts.seats + third->live_units + third->items, 0);
    is_sound();
}

static void a_record_that_comes_back_is_of_the_event_it_was_of(void **state)
{
    (void)state;
    struct item_image items[2];
    put_event(TEXT("first"));
    import_seats(TEXT("first"));
    hold_and_release(TEXT("first"), 1);
    struct reservation_image image = out.reservation;
    memcpy(items, image.items, sizeof(items));
    image.items = items;
    image.user_id = TEXT("ann");
    for (int i = 0; i < 2; i++)
        items[i].event_id = TEXT("first");
    items[0].unit_id = TEXT("Z");
    items[1].unit_id = TEXT("floor");
    remove_event(TEXT("first"));
    forget();
    put_event(TEXT("second")); /* in the same slot */
    for (int i = 0; i < 2; i++) {
        assert_true(state_remember(st, &image));
        apply((struct command){.kind = COMMAND_LOOK, .reservation = {1, 1}});
        assert_memory_equal(out.reservation.items[0].event_id.at, "first", 5);
        assert_memory_equal(out.reservation.items[0].unit_id.at, "Z", 1);
        assert_memory_equal(out.reservation.items[1].unit_id.at, "floor", 5);
        assert_int_equal(event_find(st, TEXT("second"))->items, 0);
        is_sound();
        forget();
        assert_int_equal(st->event_count, 2);
    }
    /* Damage is damage still. */
    items[0].event = st->seq + 1;
    assert_false(state_remember(st, &image));
}

static void the_list_is_by_number_whatever_the_slots(void **state)
{
    (void)state;
    put_event(TEXT("a"));
    put_event(TEXT("b"));
    put_event(TEXT("c"));
    remove_event(TEXT("a"));
    put_event(TEXT("d")); /* has the slot of a */
    remove_event(TEXT("c"));
    static const char *const expected[] = {"b", "d"};
    uint64_t after = 0;
    for (int i = 0; i < 2; i++) {
        const struct event *e = event_after(st, after);
        assert_non_null(e);
        assert_memory_equal(e->image.id.at, expected[i], 1);
        after = e->image.number;
    }
    assert_null(event_after(st, after));
    is_sound();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(events_that_come_and_go_leave_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_slot_is_not_given_while_something_speaks_of_its_event, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_record_that_comes_back_is_of_the_event_it_was_of, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_list_is_by_number_whatever_the_slots, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("core_event_slots", tests, NULL, NULL);
}
