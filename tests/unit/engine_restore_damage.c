/* SPDX-License-Identifier: Apache-2.0 */
/* Recovery makes no assumptions: a change that does not fit the state is damage, which is reported and never an
 * abort. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../lib/world.h"
#include "base/memory/memory.h"
#include "base/time/zone.h"
#include "core/claim/reservation.h"

static struct world w;

static enum outcome_code apply(struct command c)
{
    struct outcome out;
    return world_apply(&w, &c, &out);
}

static struct command reservation_command(enum command_kind kind, uint64_t id)
{
    return (struct command){.kind = kind,
                            .actor = {.role = ROLE_APP, .name = TEXT("shop")},
                            .user_id = TEXT("ann"),
                            .reservation = {id, id}};
}

static struct item_request on(enum item_kind kind, const char *unit, uint32_t quantity)
{
    return (struct item_request){
        .kind = kind, .resource = TEXT("E"), .part = {unit, strlen(unit)}, .quantity = quantity};
}

static void hold(uint64_t id, const struct item_request *items, uint32_t count, uint64_t key)
{
    struct command c = reservation_command(COMMAND_HOLD, id);
    c.hold.items = items;
    c.hold.count = count;
    c.hold.attributes = TEXT("{\"a\":1}");
    c.idempotent = key != 0;
    c.idempotency_key[0] = c.idempotency_key[1] = key;
    assert_int_equal(apply(c), OUTCOME_OK);
}

static void catalogue(void)
{
    struct outcome out;
    struct buf rows;
    struct command c = {.kind = COMMAND_EVENT_PUT, .actor = {.role = ROLE_ADMIN}};
    c.event_put.image =
        (struct event_image){.id = TEXT("E"),
                             .name = TEXT("E"),
                             .terms = {"EUR", 10, 20, 0, PAYMENT_NONE, LATE_PAYMENT_REFUND, 0}};
    assert_int_equal(apply(c), OUTCOME_OK);
    buf_init(&rows, 4096);
    for (int i = 0; i < 6; i++)
        seat_row_put(
            &rows, SEAT_COLUMN_BLOCKED | SEAT_COLUMN_ROW | SEAT_COLUMN_NUMBER,
            &(struct seat_image){
                .id = {&"ABCDEF"[i], 1}, .row = TEXT("1"), .number = {&"123456"[i], 1}, .blocked = i == 5});
    assert_int_equal(world_import(&w, TEXT("E"), &rows, 6, &out), OUTCOME_OK);
    buf_release(&rows);
    c.event_put.image.id = TEXT("F");
    c.event_put.copy_seats_from = TEXT("E");
    assert_int_equal(apply(c), OUTCOME_OK);
    c = (struct command){.kind = COMMAND_EVENT_REMOVE, .actor = {.role = ROLE_ADMIN}, .event = TEXT("F")};
    assert_int_equal(apply(c), OUTCOME_OK);
    c = (struct command){.kind = COMMAND_POOL_PUT, .actor = {.role = ROLE_ADMIN}};
    c.pool_put.event = TEXT("E");
    c.pool_put.id = TEXT("floor");
    c.pool_put.capacity = 5;
    assert_int_equal(apply(c), OUTCOME_OK);
    c = (struct command){.kind = COMMAND_KEY_CREATE, .actor = {.role = ROLE_ADMIN}};
    c.key = (struct key_image){.name = TEXT("till"), .role = ROLE_APP};
    assert_int_equal(apply(c), OUTCOME_OK);
    c.kind = COMMAND_KEY_REMOVE;
    assert_int_equal(apply(c), OUTCOME_OK);
}

static void put_calendar(const char *service, uint32_t capacity)
{
    struct command c = {.kind = COMMAND_CALENDAR_PUT, .actor = {.role = ROLE_ADMIN}};
    struct hours_range hours[] = {{0x7f, 0, 720}, {0x7f, 720, 0}};
    struct closed_interval closed = {w.now_ms + 10000000, w.now_ms + 20000000};
    struct service_image services[] = {{.id = TEXT("cut"), .duration_minutes = 1, .price = 5},
                                       {.id = {service, 3}, .duration_minutes = 2}};
    c.calendar_put.image =
        (struct calendar_image){.id = TEXT("C"),
                                .name = TEXT("C"),
                                .timezone = TEXT("UTC"),
                                .capacity = capacity,
                                .terms = {"EUR", 10, 20, 0, PAYMENT_NONE, LATE_PAYMENT_REFUND, 0},
                                .slot_minutes = 30,
                                .buffer_minutes = 1,
                                .rules = CALENDAR_RULES_PLAIN,
                                .hours = hours,
                                .hours_count = 2,
                                .closed = &closed,
                                .closed_count = 1,
                                .services = services,
                                .service_count = 2};
    c.calendar_put.zone = zone_load("UTC");
    assert_int_equal(apply(c), OUTCOME_OK);
    zone_release(c.calendar_put.zone);
}

static struct item_request slot(int64_t minute, const char *service)
{
    int64_t start_ms = w.now_ms + minute * 60000;
    return (struct item_request){.kind = ITEM_SLOT,
                                 .resource = TEXT("C"),
                                 .part = {service, service ? 3 : 0},
                                 .quantity = 1,
                                 .start_ms = start_ms,
                                 .end_ms = start_ms + 60000};
}

/* At least one change of every kind. */
static void make_journal(void)
{
    world_init(&w);
    catalogue();
    hold(1, (struct item_request[]){on(ITEM_SEAT, "A", 1), on(ITEM_POOL, "floor", 2), on(ITEM_SEAT, "B", 1)},
         3, 5);
    hold(2, (struct item_request[]){on(ITEM_POOL, "floor", 1)}, 1, 0);
    hold(3, (struct item_request[]){on(ITEM_SEAT, "C", 1)}, 1, 0);
    put_calendar("dye", 2);
    hold(4, (struct item_request[]){slot(5, NULL), slot(9, "dye"), on(ITEM_POOL, "floor", 1), slot(5, "cut")},
         4, 0);
    put_calendar("set", 2);
    struct command c = reservation_command(COMMAND_ITEM_MOVE, 1);
    c.item.item_id = 1;
    c.item.seat = TEXT("D");
    assert_int_equal(apply(c), OUTCOME_OK);
    c = reservation_command(COMMAND_ITEM_DROP, 1);
    c.item.item_id = 3;
    assert_int_equal(apply(c), OUTCOME_OK);
    c = reservation_command(COMMAND_COMMIT, 1);
    c.commit.ticket_key[0] = 7;
    assert_int_equal(apply(c), OUTCOME_OK);
    assert_int_equal(apply(reservation_command(COMMAND_RELEASE, 2)), OUTCOME_OK);
    c = reservation_command(COMMAND_ITEM_MOVE, 4);
    c.item.item_id = 2;
    c.item.start_ms = w.now_ms + 60000 * 8;
    assert_int_equal(apply(c), OUTCOME_OK);
    c = reservation_command(COMMAND_COMMIT, 4);
    c.commit.ticket_key[0] = 8;
    assert_int_equal(apply(c), OUTCOME_OK);
    c = (struct command){.kind = COMMAND_SEATS_BLOCK, .actor = {.role = ROLE_ADMIN}};
    struct text ids[] = {TEXT("E"), TEXT("F")};
    c.seats_block.event = TEXT("E");
    c.seats_block.ids = ids;
    c.seats_block.count = 2;
    c.seats_block.blocked = true;
    c.seats_block.allots = true;
    c.seats_block.allotment = TEXT("x");
    assert_int_equal(apply(c), OUTCOME_OK);
    w.now_ms += 10000;
    assert_int_equal(world_expire(&w, 10), 1);
    c = reservation_command(COMMAND_ATTRIBUTES, 1);
    c.attributes = TEXT("{\"b\":22}");
    assert_int_equal(apply(c), OUTCOME_OK);
    assert_string_equal(w.fault, "");
}

/* How many changes of a journal can be applied. */
static uint64_t restored(const uint8_t *journal, size_t size)
{
    struct state *st = state_make();
    struct change *c = memory_get(sizeof(*c));
    struct bytes_reader in = bytes_reader_make(journal, size);
    while (bytes_left(&in) && change_decode(&in, st->seq + 1, c)) {
        uint64_t before = st->seq;
        enum restore_result result = state_restore(st, c);
        if (result != RESTORE_OK) {
            st->seq = before;
            break;
        }
    }
    uint64_t seq = st->seq;
    state_release(st);
    free(c);
    return seq;
}

static void the_whole_journal_is_restored(void **state)
{
    (void)state;
    make_journal();
    assert_int_equal(restored(w.journal.data, w.journal.size), w.changes);
    world_release(&w);
}

static void no_damaged_byte_ends_the_process(void **state)
{
    (void)state;
    make_journal();
    uint64_t noticed = 0;
    for (size_t at = 0; at < w.journal.size; at++)
        for (int bit = 0; bit < 8; bit += 3 + (int)(at % 3)) {
            w.journal.data[at] ^= (uint8_t)(1 << bit);
            noticed += restored(w.journal.data, w.journal.size) != w.changes;
            w.journal.data[at] ^= (uint8_t)(1 << bit);
        }
    assert_true(noticed > w.journal.size / 2); /* the journal's checksums cover the rest */
    world_release(&w);
}

/* Every change omitted, duplicated or swapped with the next. */
static void no_disorder_ends_the_process(void **state)
{
    (void)state;
    make_journal();
    struct buf mixed;
    buf_init(&mixed, 1 << 20);
    for (uint64_t i = 0; i + 1 < w.changes; i++) {
        size_t from = i ? w.ends[i - 1] : 0, end = w.ends[i], next = w.ends[i + 1];
        const uint8_t *all = w.journal.data;
        buf_append(&mixed, all, from);
        buf_append(&mixed, all + end, w.journal.size - end);
        restored(mixed.data, mixed.size);
        buf_clear(&mixed);
        buf_append(&mixed, all, end);
        buf_append(&mixed, all + from, w.journal.size - from);
        restored(mixed.data, mixed.size);
        buf_clear(&mixed);
        buf_append(&mixed, all, from);
        buf_append(&mixed, all + end, next - end);
        buf_append(&mixed, all + from, end - from);
        buf_append(&mixed, all + next, w.journal.size - next);
        restored(mixed.data, mixed.size);
        buf_clear(&mixed);
    }
    buf_release(&mixed);
    world_release(&w);
}

/* A fence is the seq of the change that granted it: a greater one would be issued again later. */
static void a_fence_that_was_never_issued_is_refused(void **state)
{
    (void)state;
    make_journal();
    struct state *st = state_make();
    struct change *c = memory_get(sizeof(*c));
    struct bytes_reader in = bytes_reader_make(w.journal.data, w.journal.size);
    uint32_t reservations = 0;
    while (bytes_left(&in)) {
        assert_true(change_decode(&in, st->seq + 1, c));
        if (c->kind == CHANGE_RESERVATION) {
            uint64_t fence = c->reservation.image.fence, of_item = c->items[0].fence;
            c->reservation.image.fence = c->seq + 1;
            assert_int_equal(state_restore(st, c), RESTORE_DAMAGED);
            st->seq--;
            c->reservation.image.fence = fence;
            c->items[0].fence = fence + 1;
            assert_int_equal(state_restore(st, c), RESTORE_DAMAGED);
            st->seq--;
            c->items[0].fence = of_item;
            reservations++;
        }
        assert_int_equal(state_restore(st, c), RESTORE_OK);
    }
    assert_true(reservations > 5);
    state_release(st);
    free(c);
    world_release(&w);
}

/* The book's record of a forgotten reservation, which must match what is known. */
static bool remembers(struct reservation_image image, struct item_image *items)
{
    image.items = items;
    struct state *st = state_make();
    struct change *c = memory_get(sizeof(*c));
    struct bytes_reader in = bytes_reader_make(w.journal.data, w.journal.size);
    while (bytes_left(&in)) {
        assert_true(change_decode(&in, st->seq + 1, c));
        assert_int_equal(state_restore(st, c), RESTORE_OK);
    }
    state_forget(st, st->seq, 100);
    bool fits = state_remember(st, &image);
    state_release(st);
    free(c);
    return fits;
}

static void a_record_of_the_book_that_does_not_fit_is_refused(void **state)
{
    (void)state;
    make_journal();
    struct reservation_image r;
    struct item_image items[ITEMS_MAX], sound[ITEMS_MAX];
    for (uint64_t id = 1; id <= 4; id += 3) {
        reservation_image_make(w.st, reservation_at(w.st, reservation_find(w.st, (struct id){id, id})), &r,
                               sound);
        memcpy(items, sound, sizeof(items));
        assert_true(remembers(r, items));
        for (uint32_t i = 0; i < r.item_count; i++) {
            items[i].resource = 999;
            assert_false(remembers(r, items));
            items[i] = sound[i];
            items[i].part = 1000;
            assert_false(remembers(r, items));
            items[i] = sound[i];
            items[i].quantity = 0;
            assert_false(remembers(r, items));
            items[i] = sound[i];
            items[i].kind = ITEM_BEST;
            assert_false(remembers(r, items));
            items[i] = sound[i];
        }
        struct reservation_image other = r;
        other.status = RESERVATION_HELD;
        assert_false(remembers(other, items));
        other.status = RESERVATION_REFUNDED;
        assert_false(remembers(other, items));
        other = r;
        other.item_count = 0;
        assert_false(remembers(other, items));
    }
    /* r is the one with slots; a time that nobody has, an end before the start, and more units than were ever sold */
    items[0].start_ms += 3600000;
    items[0].end_ms += 3600000;
    items[0].until_ms += 3600000;
    assert_false(remembers(r, items));
    items[0] = sound[0];
    items[0].end_ms = items[0].start_ms;
    assert_false(remembers(r, items));
    items[0] = sound[0];
    items[2].quantity = 100;
    assert_false(remembers(r, items));
    /* another user's seat, and a duplicate seat */
    reservation_image_make(w.st, reservation_at(w.st, reservation_find(w.st, (struct id){1, 1})), &r, items);
    items[0].part = 2;
    assert_false(remembers(r, items));
    reservation_image_make(w.st, reservation_at(w.st, reservation_find(w.st, (struct id){1, 1})), &r, items);
    items[1] = items[0];
    assert_false(remembers(r, items));
    world_release(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_whole_journal_is_restored),
        cmocka_unit_test(no_damaged_byte_ends_the_process),
        cmocka_unit_test(no_disorder_ends_the_process),
        cmocka_unit_test(a_fence_that_was_never_issued_is_refused),
        cmocka_unit_test(a_record_of_the_book_that_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests_name("engine_restore_damage", tests, NULL, NULL);
}
