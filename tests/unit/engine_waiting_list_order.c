/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever happens, in whatever order, and with restarts in between: freed stock goes to the first entry whose whole
 * wish fits, and nobody else comes first. Random commands on a small event, watched by tests/lib/list_witness.h. */
#include <stdio.h>
#include <stdlib.h>

#include "../lib/core_fixture.h"
#include "../lib/list_witness.h"
#include "../lib/world.h"
#include "base/memory/memory.h"
#include "core/catalogue/event.h"

#define USERS 9
#define SEEDS 60
#define STEPS 400

static struct world w;
static struct list_witness *witness;
static struct outcome out;
static uint64_t dice, seen, ids;
static uint64_t answered[OUTCOME_COUNT];

static uint32_t roll(uint32_t sides)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return (uint32_t)((dice * 0x2545f4914f6cdd1dULL >> 33) % sides);
}

static struct text user(uint32_t n)
{
    static const char names[USERS][3] = {"u0", "u1", "u2", "u3", "u4", "u5", "u6", "u7", "u8"};
    return (struct text){names[n], 2};
}

/* Passes the changes of the last step to the witness. */
static void watch(uint64_t seed)
{
    for (; seen < w.changes; seen++) {
        uint64_t from = seen ? w.ends[seen - 1] : 0;
        struct bytes_reader in = bytes_reader_make(w.journal.data + from, w.ends[seen] - from);
        assert_true(change_decode(&in, seen + 1, &w.book.change));
        list_witness_see(witness, &w.book.change);
    }
    list_witness_step(witness, w.now_ms);
    if (w.fault[0] || witness->fault[0])
        fail_msg("seed %llu, seq %llu: %s%s", (unsigned long long)seed, (unsigned long long)seen, w.fault,
                 witness->fault);
}

static void apply(struct command *c)
{
    int tries = 0;
    while (world_apply(&w, c, &out) == OUTCOME_RETRY)
        assert_true(++tries < 100);
    answered[out.code]++;
}

/* ---- The event ---- */

static void put_event(bool list, uint32_t limit, int64_t starts_ms, int64_t on_sale_ms, int64_t off_sale_ms)
{
    struct command c = {.kind = COMMAND_EVENT_PUT, .actor = {.role = ROLE_ADMIN}};
    c.event_put.image =
        (struct event_image){.id = TEXT("E"),
                             .name = TEXT("E"),
                             .terms = {"EUR", 10, 20, 0, PAYMENT_NONE, LATE_PAYMENT_REFUND, 0},
                             .has_list = list,
                             .per_user_limit = limit,
                             .starts_at_ms = starts_ms,
                             .on_sale_at_ms = on_sale_ms,
                             .off_sale_at_ms = off_sale_ms,
                             .entry_key = {5, 6}};
    apply(&c);
}

static void put_pool(uint32_t capacity)
{
    struct command c = pool_put_command(TEXT("E"), capacity);
    apply(&c);
}

#define SEATS 18
static const char *const seat_names[SEATS] = {"A1", "A2", "A3", "A4", "A5", "A6", "B1", "B2", "B3",
                                              "B4", "C1", "C2", "C4", "C5", "C6", "D1", "D2", "X"};

static void import_seats(void)
{
    struct buf rows;
    buf_init(&rows, 1 << 16);
    for (uint32_t i = 0; i < SEATS; i++) {
        const char *id = seat_names[i];
        struct seat_image seat = {.id = {id, strlen(id)}};
        uint32_t columns = 0;
        if (id[1]) {
            columns = SEAT_COLUMN_SECTION | SEAT_COLUMN_ROW | SEAT_COLUMN_NUMBER | SEAT_COLUMN_TIER;
            seat.section = id[0] < 'C' ? TEXT("L") : TEXT("R");
            seat.row = (struct text){id, 1};
            seat.number = (struct text){id + 1, 1};
            seat.tier = i % 6 < 4 ? TEXT("gold") : TEXT("tin");
        }
        seat_row_put(&rows, columns, &seat);
    }
    assert_int_equal(world_import(&w, TEXT("E"), &rows, SEATS, &out), OUTCOME_OK);
    buf_release(&rows);
}

static void begin(uint64_t seed)
{
    dice = seed * 0x9e3779b97f4a7c15ULL | 1;
    seen = 0;
    world_init(&w);
    put_event(true, 0, 0, 0, 0);
    put_pool(6);
    import_seats();
    seen = w.changes;
    list_witness_init(witness, event_find(w.st, TEXT("E")));
}

/* ---- What people do ---- */

static struct item_request some_item(void)
{
    static const char *const tiers[] = {NULL, "gold", "tin"}, *const sections[] = {NULL, "L", "R"};
    uint32_t kind = roll(4);
    struct item_request item = {.resource = TEXT("E"), .quantity = 1};
    if (kind == 0) {
        const char *id = seat_names[roll(SEATS)];
        item.kind = ITEM_SEAT;
        item.part = (struct text){id, strlen(id)};
    } else if (kind == 1) {
        item.kind = ITEM_POOL;
        item.part = TEXT("floor");
        item.quantity = 1 + roll(4);
    } else {
        const char *tier = tiers[roll(3)], *section = sections[roll(3)];
        item.kind = ITEM_BEST;
        item.quantity = 1 + roll(4);
        item.adjacent = roll(2);
        item.tier = (struct text){tier, tier ? strlen(tier) : 0};
        item.section = (struct text){section, section ? strlen(section) : 0};
    }
    return item;
}

static void a_user_holds(bool commit)
{
    struct item_request items[2] = {some_item(), some_item()};
    struct command c = {.kind = COMMAND_HOLD, .actor = {.role = ROLE_APP, .name = TEXT("shop")}};
    c.user_id = user(roll(USERS));
    c.reservation = (struct id){7, ++ids};
    c.hold.items = items;
    c.hold.count = 1 + roll(2);
    c.hold.commit = commit;
    c.hold.ttl_s = 1 + roll(20);
    apply(&c);
}

static void a_user_joins(void)
{
    struct item_request item = some_item();
    struct command c = {.kind = COMMAND_LIST_JOIN};
    c.actor = (struct actor){.role = ROLE_USER, .name = user(roll(USERS))};
    c.list.event = TEXT("E");
    c.list.wish = (struct list_wish){.quantity = item.quantity,
                                     .adjacent = item.adjacent,
                                     .tier = item.tier,
                                     .section = item.section,
                                     .pool = item.kind == ITEM_POOL ? item.part : (struct text){0}};
    apply(&c);
}

/* The entry of a user, if any. */
static bool some_entry(struct id *id)
{
    const struct event *e = event_find(w.st, TEXT("E"));
    struct list_entry_image image;
    if (!witness->entry_count)
        return false;
    waiting_list_image(e, 1 + roll(witness->entry_count), &image);
    *id = image.id;
    return true;
}

static void a_user_looks_or_leaves(enum command_kind kind)
{
    struct command c = {.kind = kind, .actor = {.role = ROLE_ADMIN}};
    c.list.event = TEXT("E");
    if (some_entry(&c.list.entry))
        apply(&c);
}

static void something_happens_to_a_hold(void)
{
    static const enum command_kind kinds[] = {COMMAND_RELEASE,   COMMAND_RELEASE,  COMMAND_RELEASE,
                                              COMMAND_COMMIT,    COMMAND_EXTEND,   COMMAND_ITEM_DROP,
                                              COMMAND_ITEM_MOVE, COMMAND_ITEMS_ADD};
    if (!witness->hold_count)
        return;
    uint32_t recent = witness->hold_count < 12 ? witness->hold_count : 12;
    const struct witness_hold *h = &witness->holds[witness->hold_count - 1 - roll(recent)];
    struct item_request item = some_item();
    struct command c = {.kind = kinds[roll(8)], .actor = {.role = ROLE_ADMIN}, .reservation = h->id};
    if (c.kind == COMMAND_ITEMS_ADD) {
        c.hold.items = &item;
        c.hold.count = 1;
    }
    if (c.kind == COMMAND_ITEM_DROP || c.kind == COMMAND_ITEM_MOVE) {
        const char *to = seat_names[roll(SEATS)];
        c.item.item_id = h->items[roll(h->count)].item_id;
        if (c.kind == COMMAND_ITEM_MOVE)
            c.item.seat = (struct text){to, strlen(to)};
    }
    apply(&c);
}

static void seats_are_blocked(bool blocked)
{
    const char *id = seat_names[roll(SEATS)];
    struct text ids_of[1] = {{id, strlen(id)}};
    struct command c = {.kind = COMMAND_SEATS_BLOCK, .actor = {.role = ROLE_ADMIN}};
    c.seats_block.event = TEXT("E");
    c.seats_block.ids = ids_of;
    c.seats_block.count = 1;
    c.seats_block.blocked = blocked;
    apply(&c);
}

static void settings_change(void)
{
    int64_t now = w.now_ms;
    switch (roll(6)) {
    case 0:
        put_event(false, 0, 0, 0, 0);
        break;
    case 1:
        put_event(true, 0, now + roll(4000), 0, 0);
        break;
    case 2:
        put_event(true, 1 + roll(4), 0, now + roll(3000), 0);
        break;
    case 3:
        put_event(true, 0, 0, 0, now + roll(3000));
        break;
    default:
        put_event(true, roll(5), 0, 0, 0);
    }
}

static void something_happens(void)
{
    uint32_t what = roll(100);
    w.now_ms += roll(3) ? 0 : roll(4) * 500;
    if (what < 25)
        a_user_holds(what < 3);
    else if (what < 50)
        a_user_joins();
    else if (what < 75)
        something_happens_to_a_hold();
    else if (what < 79)
        a_user_looks_or_leaves(COMMAND_LIST_LEAVE);
    else if (what < 82)
        a_user_looks_or_leaves(COMMAND_LIST_LOOK);
    else if (what < 86)
        seats_are_blocked(what < 84);
    else if (what < 88)
        put_pool(roll(8));
    else if (what < 90)
        settings_change();
    else if (what < 97)
        world_expire(&w, UINT32_MAX);
    else if (what < 99)
        world_restart(&w, roll(2) ? roll((uint32_t)w.changes + 1) : 0);
    else
        world_forget(&w);
    if (state_next_service(w.st) <= w.now_ms)
        world_serve(&w); /* the sale has begun */
}

static void offers_are_always_fair(void **state)
{
    (void)state;
    uint64_t offers = 0;
    const char *more = getenv("SEEDS");
    uint64_t seeds = more ? strtoull(more, NULL, 10) : SEEDS;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        begin(seed);
        for (int i = 0; i < STEPS; i++) {
            something_happens();
            watch(seed);
        }
        offers += witness->offers;
        list_witness_release(witness);
        world_release(&w);
    }
    /* A run in which nothing happens proves nothing. */
    assert_true(offers > seeds * 20);
    assert_true(answered[OUTCOME_OK] > seeds * 100);
    assert_true(answered[OUTCOME_TAKEN] && answered[OUTCOME_SOLD_OUT] && answered[OUTCOME_LIMIT_EXCEEDED]);
    assert_true(answered[OUTCOME_NO_WAITING_LIST] && answered[OUTCOME_NOT_ON_SALE]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(offers_are_always_fair)};
    witness = memory_zeroed(1, sizeof(*witness));
    int failed = cmocka_run_group_tests_name("engine_waiting_list_order", tests, NULL, NULL);
    free(witness);
    return failed;
}
