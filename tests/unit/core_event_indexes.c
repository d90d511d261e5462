/* SPDX-License-Identifier: Apache-2.0 */
/* Events that come and go leave nothing in memory: a hundred thousand of them, with seats, pools, entries and
 * reservations, take no more than a few. And a reused slot has nothing of the event before. */
#include <malloc.h>
#include <stdio.h>

#include "../lib/core_fixture.h"

#include "core/catalogue/event.h"
#include "core/claim/reservation.h"

#define CYCLES 100000u
#define WARM_UP 1000u /* so that tables and slabs have the size they need */
#define GROWTH_MAX 65536u

static void put_event(struct text id)
{
    struct command c = event_put_command(id);
    c.event_put.image.name = TEXT("An evening that will not take place");
    c.event_put.image.has_list = c.event_put.image.has_queue = true;
    c.event_put.image.queue = (struct queue_settings){.rate_per_second = 1000, .pass_ttl_s = 600};
    c.event_put.image.entry_key[0] = 1;
    core_must(c);
    core_must(pool_put_command(id, 5));
}

/* Staged first, as a large import is. */
static void import_seats(struct text id)
{
    struct buf rows;
    buf_init(&rows, 4096);
    seat_rows_put_letters(&rows, "XYZ");
    uint64_t import = state_next_seq(core.st);
    struct command c = {.kind = COMMAND_SEATS_STAGE};
    c.seats_stage.event = id;
    c.seats_stage.import = import;
    c.seats_stage.rows = rows.data;
    c.seats_stage.size = rows.size;
    c.seats_stage.count = 3;
    core_must(c);
    assert_int_equal(core_publish(id, import, &rows, 3), OUTCOME_OK);
    buf_release(&rows);
}

static void hold_and_release(struct text id, uint64_t number)
{
    const struct item_request items[] = {item_seat(id, TEXT("Z")), item_floor(id, 2)};
    char user[64];
    int size =
        snprintf(user, sizeof(user), "a user with a long name of their own %llu", (unsigned long long)number);
    core_must(hold_command((struct id){1, number}, (struct text){user, (size_t)size}, items, 2));
    core_must(reservation_command(COMMAND_RELEASE, (struct id){1, number}));
}

static void remove_event(struct text id)
{
    core_must(event_remove_command(id));
}

/* The book has everything. */
static void forget(void)
{
    state_forget_touches(core.st); /* as the engine does after a step */
    while (state_forget(core.st, core.st->seq, 1024) == 1024)
        ;
    detached_release(state_take_detached(core.st));
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
        core.now_ms++;
    }
    size_t after = in_use();
    if (after > before + GROWTH_MAX)
        fail_msg("%u events that are gone take %zu bytes", CYCLES, after - before);
    assert_int_equal(core.st->event_count, 1);
    assert_int_equal(core.st->event_listed, 0);
}

static void a_slot_is_not_reused_while_its_event_is_referenced(void **state)
{
    (void)state;
    put_event(TEXT("first"));
    import_seats(TEXT("first"));
    uint64_t first = event_find(core.st, TEXT("first"))->image.number;
    hold_and_release(TEXT("first"), 1);
    remove_event(TEXT("first"));
    assert_non_null(event_find_number(core.st, first)); /* the reservation is in memory */
    put_event(TEXT("second"));
    assert_int_equal(event_find(core.st, TEXT("second"))->index, 1);
    core_must(reservation_command(COMMAND_LOOK, (struct id){1, 1}));
    assert_memory_equal(core.out.reservation.items[0].resource_id.at, "first", 5);
    forget();
    assert_null(event_find_number(core.st, first));
    put_event(TEXT("third"));
    const struct event *third = event_find(core.st, TEXT("third"));
    assert_int_equal(third->index, 0);
    assert_null(third->layout);
    assert_int_equal(third->pool_count, 1);
    assert_int_equal(third->counts.seats + third->live_units + third->items, 0);
    core_check();
}

static void a_record_read_back_belongs_to_its_old_event(void **state)
{
    (void)state;
    struct item_image items[2];
    put_event(TEXT("first"));
    import_seats(TEXT("first"));
    hold_and_release(TEXT("first"), 1);
    struct reservation_image image = core.out.reservation;
    memcpy(items, image.items, sizeof(items));
    image.items = items;
    image.user_id = TEXT("ann");
    for (int i = 0; i < 2; i++)
        items[i].resource_id = TEXT("first");
    items[0].part_id = TEXT("Z");
    items[1].part_id = TEXT("floor");
    remove_event(TEXT("first"));
    forget();
    put_event(TEXT("second")); /* in the same slot */
    for (int i = 0; i < 2; i++) {
        assert_true(state_remember(core.st, &image));
        core_must(reservation_command(COMMAND_LOOK, (struct id){1, 1}));
        assert_memory_equal(core.out.reservation.items[0].resource_id.at, "first", 5);
        assert_memory_equal(core.out.reservation.items[0].part_id.at, "Z", 1);
        assert_memory_equal(core.out.reservation.items[1].part_id.at, "floor", 5);
        assert_int_equal(event_find(core.st, TEXT("second"))->items, 0);
        core_check();
        core.now_ms += PUT_BACK_MS; /* it stays in memory this long after a fetch */
        put_event(TEXT("second"));
        forget();
        assert_int_equal(core.st->event_count, 2);
    }
    /* Damage is still damage. */
    items[0].resource = core.st->seq + 1;
    assert_false(state_remember(core.st, &image));
}

static void the_list_is_by_number_whatever_the_slots(void **state)
{
    (void)state;
    put_event(TEXT("a"));
    put_event(TEXT("b"));
    put_event(TEXT("c"));
    remove_event(TEXT("a"));
    put_event(TEXT("d")); /* reuses the slot of a */
    remove_event(TEXT("c"));
    static const char *const expected[] = {"b", "d"};
    uint64_t after = 0;
    for (int i = 0; i < 2; i++) {
        const struct event *e = event_after(core.st, after);
        assert_non_null(e);
        assert_memory_equal(e->image.id.at, expected[i], 1);
        after = e->image.number;
    }
    assert_null(event_after(core.st, after));
    core_check();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        core_test(events_that_come_and_go_leave_nothing),
        core_test(a_slot_is_not_reused_while_its_event_is_referenced),
        core_test(a_record_read_back_belongs_to_its_old_event),
        core_test(the_list_is_by_number_whatever_the_slots),
    };
    return cmocka_run_group_tests_name("core_event_slots", tests, NULL, NULL);
}
