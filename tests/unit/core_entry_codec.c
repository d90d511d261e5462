/* SPDX-License-Identifier: Apache-2.0 */
/* The changes of waiting rooms are read back field by field, small where there are millions; impossible ones are
 * refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/memory/memory.h"
#include "core/codec.h"

static struct change *written, *back;
static struct buf out;

static int begin(void **state)
{
    (void)state;
    written = memory_zeroed(1, sizeof(*written));
    back = memory_zeroed(1, sizeof(*back));
    buf_init(&out, 1 << 16);
    written->at_ms = 1700000000123;
    return 0;
}

static int end(void **state)
{
    (void)state;
    free(written);
    free(back);
    buf_release(&out);
    return 0;
}

static bool comes_back(void)
{
    buf_clear(&out);
    change_encode(&out, written);
    struct bytes_reader in = bytes_reader_make(out.data, out.size);
    return change_decode(&in, 5, back);
}

/* Whether it is read with another number in place of these bytes, which occur nowhere else. */
static bool comes_back_with(uint64_t number, uint64_t other)
{
    struct buf from, to;
    buf_init(&from, 16);
    buf_init(&to, 16);
    bytes_put_varint(&from, number);
    bytes_put_varint(&to, other);
    assert_int_equal(from.size, to.size);
    assert_true(comes_back());
    size_t at = 0;
    while (memcmp(out.data + at, from.data, from.size) != 0)
        assert_true(++at + from.size <= out.size);
    memcpy(out.data + at, to.data, to.size);
    buf_release(&from);
    buf_release(&to);
    struct bytes_reader in = bytes_reader_make(out.data, out.size);
    return change_decode(&in, 5, back);
}

static void an_event_keeps_its_queue(void **state)
{
    (void)state;
    static const struct text tiers[2] = {TEXT("gold"), TEXT("silver")};
    written->kind = CHANGE_EVENT;
    written->event =
        (struct event_image){.number = 5, .id = TEXT("E"), .name = TEXT("E"), .terms = {.currency = "EUR"}};
    written->event.terms.payment = PAYMENT_NONE;
    written->event.terms.late_payment = LATE_PAYMENT_REFUND;
    assert_true(comes_back());
    assert_false(back->event.has_queue || back->event.has_list);
    written->event.has_queue = true;
    written->event.entry_key[1] = 8;
    written->event.queue = (struct queue_settings){-5, 50, 7, 900, true, false, tiers, 2};
    assert_true(comes_back());
    const struct queue_settings *r = &back->event.queue;
    assert_true(back->event.has_queue && !back->event.has_list);
    assert_true(back->event.entry_key[0] == 0 && back->event.entry_key[1] == 8);
    assert_true(r->open_at_ms == -5 && r->rate_per_second == 50 && r->max_active == 7 &&
                r->pass_ttl_s == 900);
    assert_true(r->shuffle_before_open && !r->by_inventory && r->tier_count == 2);
    assert_true(text_equal(r->tiers[0], tiers[0]) && text_equal(r->tiers[1], tiers[1]));
    written->event.queue.by_inventory = true;
    written->event.queue.shuffle_before_open = false;
    assert_true(comes_back() && back->event.queue.by_inventory && !back->event.queue.shuffle_before_open);
    written->event.has_queue = false;
    written->event.has_list = true;
    assert_true(comes_back() && back->event.has_list && !back->event.has_queue &&
                back->event.entry_key[1] == 8);
    written->event.has_queue = true;
    written->event.queue.rate_per_second = ADMISSION_RATE_MAX;
    assert_false(comes_back_with(ADMISSION_RATE_MAX, ADMISSION_RATE_MAX + 1));
    written->event.queue.rate_per_second = 99;
    assert_true(comes_back_with(99, 98));
    assert_false(comes_back_with(99, 0));
}

static void a_queue_keeps_its_seed(void **state)
{
    (void)state;
    written->kind = CHANGE_QUEUE;
    written->queue =
        (struct queue_image){.event = 300, .paused = true, .opened_at_ms = 1700000000000, .drawn = 2000000};
    for (int i = 0; i < 32; i++)
        written->queue.seed[i] = (uint8_t)(i * 7);
    assert_true(comes_back());
    assert_memory_equal(back->queue.seed, written->queue.seed, 32);
    assert_true(back->queue.event == 300 && back->queue.paused && back->queue.opened_at_ms == 1700000000000 &&
                back->queue.drawn == 2000000);
    assert_in_range(out.size, 1, 80); /* no bytes per entry, however many are drawn */
    written->queue.drawn = QUEUE_ENTRIES_MAX;
    assert_false(comes_back_with(QUEUE_ENTRIES_MAX, QUEUE_ENTRIES_MAX + 1));
}

static void a_user_who_joins_is_encoded_once(void **state)
{
    (void)state;
    static const struct text tiers[1] = {TEXT("gold")};
    written->kind = CHANGE_QUEUE_JOINED;
    written->actor = (struct actor){.role = ROLE_USER, .name = TEXT("user-0123456789012345678")};
    written->joined.event = 300;
    written->joined.number = 1234567;
    written->joined.user_id = written->actor.name;
    assert_true(comes_back());
    assert_true(text_equal(back->joined.user_id, written->actor.name) && back->joined.number == 1234567);
    assert_true(back->joined.tier_count == 0);
    assert_in_range(out.size, 1, 56);
    written->actor =
        (struct actor){.role = ROLE_APP, .name = TEXT("user-0123456789012345678")}; /* a key of that name */
    written->joined.tiers = tiers;
    written->joined.tier_count = 1;
    assert_true(comes_back());
    assert_true(text_equal(back->joined.user_id, written->joined.user_id));
    assert_true(back->joined.tier_count == 1 && text_equal(back->joined.tiers[0], TEXT("gold")));
    written->joined.number = 0;
    assert_false(comes_back());
    written->joined.number = QUEUE_ENTRIES_MAX + 1;
    assert_false(comes_back());
    written->joined.number = 1;
    written->joined.user_id = TEXT("");
    assert_false(comes_back());
}

static void moves_come_back(void **state)
{
    (void)state;
    static const struct queue_move list[] = {{1, QUEUE_ADMITTED, 1700000900000},
                                             {2000000, QUEUE_PASSED_OVER, 1700000900000},
                                             {2000000, QUEUE_PASSED_OVER, 0},
                                             {QUEUE_ENTRIES_MAX, QUEUE_FINISHED, UINT32_MAX * 1000LL},
                                             {7, QUEUE_LEFT, 0}};
    struct queue_move move;
    struct buf moves;
    buf_init(&moves, 256);
    for (int i = 0; i < 5; i++)
        queue_move_put(&moves, &list[i]);
    struct bytes_reader in = bytes_reader_make(moves.data, moves.size);
    for (int i = 0; i < 5; i++) {
        assert_true(queue_move_get(&in, &move));
        assert_true(move.number == list[i].number && move.status == list[i].status &&
                    move.until_ms == list[i].until_ms);
    }
    assert_int_equal(bytes_left(&in), 0);
    assert_false(queue_move_get(&in, &move));
    static const struct queue_move wrong[] = {
        {0, QUEUE_LEFT, 0}, {1, QUEUE_WAITING, 0}, {1, (enum queue_status)6, 0}};
    for (int i = 0; i < 3; i++) {
        buf_clear(&moves);
        queue_move_put(&moves, &wrong[i]);
        in = bytes_reader_make(moves.data, moves.size);
        assert_false(queue_move_get(&in, &move));
    }
    buf_release(&moves);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_event_keeps_its_queue, begin, end),
        cmocka_unit_test_setup_teardown(a_queue_keeps_its_seed, begin, end),
        cmocka_unit_test_setup_teardown(a_user_who_joins_is_encoded_once, begin, end),
        cmocka_unit_test_setup_teardown(moves_come_back, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
