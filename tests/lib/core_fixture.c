/* SPDX-License-Identifier: Apache-2.0 */
#include "core_fixture.h"

#include <stdio.h>

#include "core/catalogue/event.h"
#include "core/state_check.h"

#define CHANGES_MAX ((size_t)1 << 30)

struct core_fixture core;

static const struct terms terms = {"EUR", 600, 900, 0, PAYMENT_NONE, LATE_PAYMENT_REFUND, 0};

int core_set_up(void **state)
{
    (void)state;
    core = (struct core_fixture){.st = state_make(), .now_ms = CORE_EPOCH_MS};
    buf_init(&core.changes, CHANGES_MAX);
    return 0;
}

int core_tear_down(void **state)
{
    (void)state;
    state_release(core.st);
    buf_release(&core.changes);
    return 0;
}

/* ---- Steps ---- */

enum outcome_code core_apply(struct command c)
{
    if (c.actor.role == ROLE_NONE)
        c.actor.role = ROLE_ADMIN;
    buf_clear(&core.changes);
    enum outcome_code code = state_apply(core.st, &c, core.now_ms, &core.changes, &core.out);
    if (core.after_step)
        core.after_step();
    return code;
}

void core_must(struct command c)
{
    enum outcome_code code = core_apply(c);
    if (code != OUTCOME_OK)
        fail_msg("refused: %s", outcome_name(code));
}

bool core_serve(void)
{
    buf_clear(&core.changes);
    bool more = state_serve(core.st, core.now_ms, &core.changes);
    if (core.after_step)
        core.after_step();
    return more;
}

static void sentence_fails(void *ctx, const char *sentence)
{
    (void)ctx;
    fail_msg("%s", sentence);
}

void core_check(void)
{
    assert_true(state_check(core.st, sentence_fails, NULL));
}

/* ---- Commands ---- */

struct command event_put_command(struct text id)
{
    struct command c = {.kind = COMMAND_EVENT_PUT, .actor = {.role = ROLE_ADMIN}};
    c.event_put.image = (struct event_image){.id = id, .name = id, .terms = terms};
    return c;
}

struct command calendar_put_command(struct text id, uint32_t capacity, struct zone *zone)
{
    struct command c = {.kind = COMMAND_CALENDAR_PUT, .actor = {.role = ROLE_ADMIN}};
    c.calendar_put.image = (struct calendar_image){.id = id,
                                                   .name = id,
                                                   .timezone = TEXT("UTC"),
                                                   .capacity = capacity,
                                                   .terms = terms,
                                                   .slot_minutes = 30,
                                                   .rules = CALENDAR_RULES_PLAIN};
    c.calendar_put.zone = zone;
    return c;
}

struct command pool_put_command(struct text event, uint32_t capacity)
{
    struct command c = {.kind = COMMAND_POOL_PUT, .actor = {.role = ROLE_ADMIN}};
    c.pool_put.event = event;
    c.pool_put.id = TEXT("floor");
    c.pool_put.capacity = capacity;
    return c;
}

struct command event_remove_command(struct text id)
{
    return (struct command){.kind = COMMAND_EVENT_REMOVE, .actor = {.role = ROLE_ADMIN}, .event = id};
}

struct command hold_command(struct id id, struct text user, const struct item_request *items, uint32_t count)
{
    struct command c = reservation_command(COMMAND_HOLD, id);
    c.user_id = user;
    c.hold.items = items;
    c.hold.count = count;
    return c;
}

struct command reservation_command(enum command_kind kind, struct id id)
{
    return (struct command){.kind = kind, .actor = {.role = ROLE_ADMIN}, .reservation = id};
}

struct item_request item_seat(struct text event, struct text id)
{
    return (struct item_request){.kind = ITEM_SEAT, .resource = event, .part = id, .quantity = 1};
}

struct item_request item_floor(struct text event, uint32_t quantity)
{
    return (struct item_request){
        .kind = ITEM_POOL, .resource = event, .part = TEXT("floor"), .quantity = quantity};
}

struct item_request item_best(struct text event, uint32_t quantity, bool adjacent)
{
    return (struct item_request){
        .kind = ITEM_BEST, .resource = event, .quantity = quantity, .adjacent = adjacent};
}

/* ---- Seats ---- */

struct text numbered(char to[16], const char *prefix, uint32_t n)
{
    return (struct text){to, (size_t)snprintf(to, 16, "%s%u", prefix, n)};
}

void seat_rows_put_letters(struct buf *rows, const char *letters)
{
    for (const char *letter = letters; *letter; letter++)
        seat_row_put(rows, 0, &(struct seat_image){.id = {letter, 1}});
}

enum outcome_code core_publish(struct text event, uint64_t import, const struct buf *rows, uint32_t count)
{
    struct layout_blocks blocks;
    uint32_t created, updated;
    struct command c = {.kind = COMMAND_SEATS_PUBLISH};
    c.seats_publish.event = event;
    c.seats_publish.import = import;
    c.seats_publish.base = event_find(core.st, event)->layout;
    c.seats_publish.layout = layout_make(c.seats_publish.base, bytes_reader_make(rows->data, rows->size),
                                         count, &created, &updated, &blocks);
    c.seats_publish.blocks = &blocks;
    enum outcome_code code = core_apply(c);
    if (code != OUTCOME_OK)
        layout_release(c.seats_publish.layout);
    layout_blocks_release(&blocks);
    return code;
}

enum outcome_code core_import(struct text event, const struct buf *rows, uint32_t count)
{
    return core_publish(event, state_next_seq(core.st), rows, count);
}

struct seat_image seat_of_every_column(void)
{
    return (struct seat_image){.id = TEXT("A1"),
                               .section = TEXT("L"),
                               .row = TEXT("A"),
                               .number = TEXT("1"),
                               .tier = TEXT("gold"),
                               .x_milli = -1500,
                               .y_milli = INT32_MAX,
                               .has_x = true,
                               .has_y = true,
                               .price = 12000,
                               .accessible = true,
                               .blocked = true};
}
