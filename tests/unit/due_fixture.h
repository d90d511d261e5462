/* SPDX-License-Identifier: Apache-2.0 */
/* due_fixture.h — a world in which every row of DUE is due, for unit tests. */
#ifndef TESTS_UNIT_DUE_FIXTURE_H
#define TESTS_UNIT_DUE_FIXTURE_H

#include "../lib/core_fixture.h"
#include "../lib/world.h"
#include "core/catalogue/event.h"
#include "core/catalogue/layout.h"
#include "core/claim/reservation.h"
#include "core/dispatch/dispatch.h"
#include "core/dispatch/fleet.h"
#include "core/queue/queue.h"
#include "core/waitlist/wish_group.h"
#include "engine/due.h"
#include "engine/import.h"

#define ROWS_ALL ((1u << DUE_COUNT) - 1)

static struct world w;
static struct outcome out;
static uint32_t segments; /* begun */
static struct buf rows;
static struct layout_blocks blocks;
static struct engine_import seats;
static bool import_over;

static enum outcome_code apply(struct command c)
{
    return world_apply(&w, &c, &out);
}

static void must(struct command c)
{
    assert_int_equal(apply(c), OUTCOME_OK);
}

static void hold(uint64_t n, struct text event, bool commit)
{
    struct item_request item = item_floor(event, 1);
    struct command c = hold_command((struct id){1, n}, TEXT("ann"), &item, 1);
    c.hold.commit = commit;
    c.hold.ticket_key[0] = n;
    must(c);
}

static void on_segment(void *owner)
{
    (void)owner;
    segments++;
}

static void on_over(void *ctx)
{
    (void)ctx;
    import_over = true;
}

/* The rows that have had an effect since the fixture was made: a bit each. */
static uint32_t rows_done(void)
{
    const struct event *list = event_find(w.st, TEXT("L"));
    const bool done[DUE_COUNT] = {
        [DUE_IMPORT] = import_over && seats.code == OUTCOME_OK,
        [DUE_EXPIRY] = w.st->totals.expired > 0,
        [DUE_LISTS] = list_entry_at(list->list, 1)->status == LIST_OFFERED,
        [DUE_WARNINGS] = w.warnings > 0,
        [DUE_ADMISSION] = w.st->admitting_since_ms != 0,
        [DUE_REFUSALS] = w.refusal_count > 0,
        [DUE_DISPATCH] = w.st->dispatch->since_ms != 0,
        [DUE_CANCELLING] = w.refunded > 0,
        [DUE_ERASURE] = segments > 0,
    };
    uint32_t bits = 0;
    for (int i = 0; i < DUE_COUNT; i++)
        bits |= (uint32_t)done[i] << i;
    return bits;
}

/* Until nothing is left to do at this instant. */
static void do_what_is_due(void)
{
    int steps = 0;
    while (engine_due(&w.engine, w.now_ms))
        assert_true(++steps < 1000);
    assert_string_equal(w.fault, "");
}

static void begin_import(void)
{
    uint32_t created, updated;
    buf_init(&rows, 4096);
    seat_rows_put_letters(&rows, "WXYZ");
    seats = (struct engine_import){.actor = {.role = ROLE_ADMIN}, .event = TEXT("E"), .rows = &rows};
    seats.layout = layout_make(NULL, bytes_reader_make(rows.data, rows.size), 4, &created, &updated, &blocks);
    seats.blocks = &blocks;
    seats.over = on_over;
    import_over = false;
    engine_import(&w.engine, &seats);
}

static int due_set_up(void **state)
{
    (void)state;
    segments = 0;
    world_init(&w);
    w.engine.host.begin_segment = on_segment;
    must(event_put_command(TEXT("E")));
    must(pool_put_command(TEXT("E"), 3));
    struct command c = {.kind = COMMAND_HOOK_PUT, .actor = {.role = ROLE_ADMIN}};
    c.hook = (struct hook_image){.name = TEXT("shop"),
                                 .url = TEXT("https://example.org/hook"),
                                 .secret = TEXT("0123456789abcdef0123"),
                                 .events = HOOK_EVENTS_ALL};
    must(c);
    hold(1, TEXT("E"), false); /* lapses */
    must(event_put_command(TEXT("C")));
    must(pool_put_command(TEXT("C"), 1));
    hold(2, TEXT("C"), true); /* is refunded with its event */
    c = event_put_command(TEXT("L"));
    c.event_put.image.has_list = true;
    must(c);
    must(pool_put_command(TEXT("L"), 1));
    hold(3, TEXT("L"), false);
    c = (struct command){.kind = COMMAND_LIST_JOIN, .actor = {ROLE_USER, TEXT("bob")}};
    c.list.event = TEXT("L");
    c.list.wish = (struct list_wish){.quantity = 1, .pool = TEXT("floor")};
    must(c);
    w.now_ms += 10000;
    hold(4, TEXT("E"), false); /* is about to lapse, */
    hold(5, TEXT("E"), false); /* and this one */
    struct item_request item = item_floor(TEXT("E"), 1);
    assert_int_equal(apply(hold_command((struct id){1, 6}, TEXT("cid"), &item, 1)), OUTCOME_SOLD_OUT);
    c = (struct command){.kind = COMMAND_EVENT_CANCEL, .actor = {.role = ROLE_ADMIN}};
    c.event_cancel.event = TEXT("C");
    must(c);
    c = (struct command){.kind = COMMAND_ERASE, .actor = {.role = ROLE_ADMIN}};
    c.erase.from = TEXT("dan");
    c.erase.to = TEXT("erased_1");
    memset(c.erase.mark, 7, sizeof(c.erase.mark));
    must(c);
    world_set_room(&w, LOG_ROOM_LOW); /* commits and releases are possible, offers are not */
    must(reservation_command(COMMAND_RELEASE, (struct id){1, 3}));
    world_set_room(&w, LOG_ROOM_OK);
    w.now_ms += 590000;
    world_record(&w);
    begin_import();
    assert_int_equal(rows_done(), 0);
    assert_string_equal(w.fault, "");
    return 0;
}

static int due_tear_down(void **state)
{
    (void)state;
    engine_import_give_up(&w.engine, OUTCOME_UNAVAILABLE);
    layout_release(seats.layout);
    layout_blocks_release(&blocks);
    buf_release(&rows);
    world_release(&w);
    return 0;
}
#define due_test(name) cmocka_unit_test_setup_teardown(name, due_set_up, due_tear_down)

#endif
