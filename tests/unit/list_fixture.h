/* SPDX-License-Identifier: Apache-2.0 */
/* list_fixture.h — an event, E, with a waiting list, a pool and any number of seats, for tests that count steps. */
#ifndef TESTS_UNIT_LIST_FIXTURE_H
#define TESTS_UNIT_LIST_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>

#include "../lib/core_fixture.h"
#include "core/catalogue/event_seats.h"
#include "core/waitlist/wish_group.h"

#define IN_ROW 50u
#define SECTIONS 20u

static struct event *e;

/* ---- Steps ---- */

static void put_event(bool list, uint32_t limit)
{
    struct command c = event_put_command(TEXT("E"));
    c.event_put.image.per_user_limit = limit;
    c.event_put.image.has_list = list;
    memcpy(c.event_put.image.entry_key, (uint64_t[]){1, 2}, sizeof(c.event_put.image.entry_key));
    core_must(c);
}

static inline void put_pool(uint32_t capacity)
{
    core_must(pool_put_command(TEXT("E"), capacity));
}

/* F, like E, with a pool of its own. */
static inline struct event *put_other_event(uint32_t capacity)
{
    struct command c = event_put_command(TEXT("F"));
    c.event_put.image = e->image;
    c.event_put.image.id = TEXT("F");
    c.event_put.image.entry_key[0] = 3;
    core_must(c);
    core_must(pool_put_command(TEXT("F"), capacity));
    return event_find(core.st, TEXT("F"));
}

/* Seats S<first> and the following, in rows and sections. */
static inline void import(uint32_t first, uint32_t count)
{
    struct buf rows;
    buf_init(&rows, (size_t)1 << 30);
    for (uint32_t n = first; n < first + count; n++) {
        char id[16], row[16], number[16], section[16];
        struct seat_image seat = {.id = numbered(id, "S", n), .row = numbered(row, "", n / IN_ROW)};
        seat.number = numbered(number, "", n % IN_ROW);
        seat.section = numbered(section, "sec", n / IN_ROW % SECTIONS);
        seat_row_put(&rows, SEAT_COLUMN_ROW | SEAT_COLUMN_NUMBER | SEAT_COLUMN_SECTION, &seat);
    }
    assert_int_equal(core_import(TEXT("E"), &rows, count), OUTCOME_OK);
    buf_release(&rows);
}

/* ---- Claims ---- */

static struct item_request seat_named(uint32_t n)
{
    static char id[16];
    return item_seat(TEXT("E"), numbered(id, "S", n));
}

static inline struct item_request units(uint32_t quantity)
{
    return item_floor(TEXT("E"), quantity);
}

static inline struct item_request best(uint32_t quantity)
{
    return item_best(TEXT("E"), quantity, false);
}

/* By the shop; ttl_s 0: the event's. */
static enum outcome_code hold(uint64_t n, struct item_request item, uint32_t ttl_s)
{
    struct command c = hold_command((struct id){9, n}, TEXT("shop"), &item, 1);
    c.hold.ttl_s = ttl_s;
    return core_apply(c);
}

/* Every seat separately: S0 is hold 1. */
static inline void hold_all(uint32_t ttl_s)
{
    for (uint32_t i = 0; i < e->layout->count; i++)
        assert_int_equal(hold(1 + i, seat_named(i), ttl_s), OUTCOME_OK);
}

static void release(uint64_t n, bool no_offers)
{
    struct command c = reservation_command(COMMAND_RELEASE, (struct id){9, n});
    c.no_offers = no_offers;
    core_must(c);
}

/* ---- The list ---- */

/* User u<n> joins. */
static void join_for(uint32_t n, struct list_wish wish)
{
    char name[16];
    struct command c = {.kind = COMMAND_LIST_JOIN,
                        .actor = {.role = ROLE_USER, .name = numbered(name, "u", n)}};
    c.list.event = TEXT("E");
    c.list.wish = wish;
    core_must(c);
}

static inline void join_units(uint32_t n, uint32_t quantity)
{
    join_for(n, (struct list_wish){.quantity = quantity, .pool = TEXT("floor")});
}

static inline void join_seats(uint32_t n, uint32_t quantity, bool adjacent)
{
    join_for(n, (struct list_wish){.quantity = quantity, .adjacent = adjacent});
}

static inline uint32_t waiting(void)
{
    return list_waiting(e->list);
}

static uint32_t offered(void)
{
    return e->list->by_status[LIST_OFFERED];
}

/* ---- Set up ---- */

static int list_set_up(void **state)
{
    core_set_up(state);
    put_event(true, 0);
    e = event_find(core.st, TEXT("E"));
    return 0;
}

#define list_test(name) cmocka_unit_test_setup_teardown(name, list_set_up, core_tear_down)

#endif
