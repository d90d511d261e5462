/* SPDX-License-Identifier: Apache-2.0 */
/* list_fixture.h — one event, E, with a waiting list, a pool and as many seats as are wanted, for tests that
 * count steps. */
#ifndef TESTS_UNIT_LIST_FIXTURE_H
#define TESTS_UNIT_LIST_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/waitlist/wish_group.h"
#include "core/state.h"
#include "core/state_check.h"

#define IN_ROW 50u
#define SECTIONS 20u

static struct state *st;
static struct event *e;
static struct buf changes;
static struct outcome out;
static int64_t now_ms;
static void (*after_step)(void); /* or NULL */

static void sentence_fails(void *ctx, const char *sentence)
{
    (void)ctx;
    fail_msg("%s", sentence);
}

static void check(void)
{
    assert_true(state_check(st, sentence_fails, NULL));
}

static struct text label(char to[16], const char *prefix, uint32_t n)
{
    return (struct text){to, (size_t)snprintf(to, 16, "%s%u", prefix, n)};
}

/* ---- Steps ---- */

static enum outcome_code apply(struct command *c)
{
    if (c->actor.role == ROLE_NONE)
        c->actor.role = ROLE_ADMIN;
    buf_clear(&changes);
    enum outcome_code code = state_apply(st, c, now_ms, &changes, &out);
    if (after_step)
        after_step();
    return code;
}

static inline bool serve(void)
{
    buf_clear(&changes);
    bool more = state_serve(st, now_ms, &changes);
    if (after_step)
        after_step();
    return more;
}

static void put_event(bool list, uint32_t limit)
{
    struct command c = {.kind = COMMAND_EVENT_PUT};
    c.event_put.image = (struct event_image){.id = TEXT("E"),
                                             .name = TEXT("E"),
                                             .terms = {"EUR", 600, 900, 0, PAYMENT_NONE, LATE_PAYMENT_REFUND},
                                             .per_user_limit = limit,
                                             .has_list = list,
                                             .entry_key = {1, 2}};
    assert_int_equal(apply(&c), OUTCOME_OK);
}

static void put_pool_of(struct text event, uint32_t capacity)
{
    struct command c = {.kind = COMMAND_POOL_PUT};
    c.pool_put.event = event;
    c.pool_put.id = TEXT("floor");
    c.pool_put.capacity = capacity;
    assert_int_equal(apply(&c), OUTCOME_OK);
}

static void put_pool(uint32_t capacity)
{
    put_pool_of(TEXT("E"), capacity);
}

/* F, like E, with a pool of its own. */
static inline struct event *put_other_event(uint32_t capacity)
{
    struct command c = {.kind = COMMAND_EVENT_PUT};
    c.event_put.image = e->image;
    c.event_put.image.id = TEXT("F");
    c.event_put.image.entry_key[0] = 3;
    assert_int_equal(apply(&c), OUTCOME_OK);
    put_pool_of(TEXT("F"), capacity);
    return event_find(st, TEXT("F"));
}

/* Seats S<first> and the following, in rows and sections. */
static inline void import(uint32_t first, uint32_t count)
{
    struct buf rows;
    struct layout_blocks blocks;
    uint32_t created, updated;
    buf_init(&rows, (size_t)1 << 30);
    for (uint32_t n = first; n < first + count; n++) {
        char id[16], row[16], number[16], section[16];
        struct seat_image seat = {.id = label(id, "S", n), .row = label(row, "", n / IN_ROW)};
        seat.number = label(number, "", n % IN_ROW);
        seat.section = label(section, "sec", n / IN_ROW % SECTIONS);
        seat_row_put(&rows, SEAT_COLUMN_ROW | SEAT_COLUMN_NUMBER | SEAT_COLUMN_SECTION, &seat);
    }
    struct command c = {.kind = COMMAND_SEATS_PUBLISH};
    c.seats_publish.event = TEXT("E");
    c.seats_publish.import = state_next_seq(st);
    c.seats_publish.base = e->layout;
    c.seats_publish.layout =
        layout_make(e->layout, bytes_reader_make(rows.data, rows.size), count, &created, &updated, &blocks);
    c.seats_publish.blocks = &blocks;
    assert_int_equal(apply(&c), OUTCOME_OK);
    layout_blocks_release(&blocks);
    buf_release(&rows);
}

/* ---- Claims ---- */

static struct item_request seat_named(uint32_t n)
{
    static char id[16];
    return (struct item_request){.kind = ITEM_SEAT, .unit = label(id, "S", n), .quantity = 1};
}

static inline struct item_request units(uint32_t quantity)
{
    return (struct item_request){.kind = ITEM_POOL, .unit = TEXT("floor"), .quantity = quantity};
}

static inline struct item_request best(uint32_t quantity)
{
    return (struct item_request){.kind = ITEM_BEST, .quantity = quantity};
}

/* By the shop; ttl_s 0: the event's. */
static enum outcome_code hold(uint64_t n, struct item_request item, uint32_t ttl_s)
{
    struct command c = {.kind = COMMAND_HOLD, .user_id = TEXT("shop"), .reservation = {9, n}};
    item.event = TEXT("E");
    c.hold.items = &item;
    c.hold.count = 1;
    c.hold.ttl_s = ttl_s;
    return apply(&c);
}

/* Every seat by itself: S0 is hold 1. */
static inline void hold_all(uint32_t ttl_s)
{
    for (uint32_t i = 0; i < e->layout->count; i++)
        assert_int_equal(hold(1 + i, seat_named(i), ttl_s), OUTCOME_OK);
}

static void release(uint64_t n, bool no_offers)
{
    struct command c = {.kind = COMMAND_RELEASE, .reservation = {9, n}, .no_offers = no_offers};
    assert_int_equal(apply(&c), OUTCOME_OK);
}

/* ---- The list ---- */

/* User u<n> joins. */
static void join_for(uint32_t n, struct list_wish wish)
{
    char name[16];
    struct command c = {.kind = COMMAND_LIST_JOIN, .actor = {.role = ROLE_USER, .name = label(name, "u", n)}};
    c.list.event = TEXT("E");
    c.list.wish = wish;
    assert_int_equal(apply(&c), OUTCOME_OK);
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

/* ---- Set up and tear down ---- */

static int list_set_up(void **state)
{
    (void)state;
    st = state_make();
    now_ms = 1700000000000;
    buf_init(&changes, (size_t)1 << 30);
    after_step = NULL;
    put_event(true, 0);
    e = event_find(st, TEXT("E"));
    return 0;
}

static int list_tear_down(void **state)
{
    (void)state;
    state_release(st);
    buf_release(&changes);
    return 0;
}

#endif
