/* SPDX-License-Identifier: Apache-2.0 */
/* What several turns append while the log writes is written as one batch after it, in order and with its sales, unless it
 * becomes too long or begins a segment. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/claim/sale.h"
#include "store/batcher.h"

#define CUT_EVERY 100
#define WRITES_MAX 8

struct written {
    char bytes[2 * CUT_EVERY];
    size_t size;
    uint32_t count, sale_count;
    int64_t at_ms;
    uint32_t seats[4];
    bool new_segment;
};

/* A log whose first write lasts until the test lets it go on. */
static struct {
    struct log log;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool blocked, released, begins;
    struct written writes[WRITES_MAX];
    unsigned count;
} fake;

static struct status fake_write(struct log *l, const struct log_batch *batch)
{
    assert_true(fake.count < WRITES_MAX && batch->size <= sizeof(fake.writes[0].bytes));
    struct written *w = &fake.writes[fake.count++];
    *w = (struct written){.size = batch->size, .count = batch->count, .sale_count = batch->sale_count, .at_ms = batch->at_ms};
    w->new_segment = fake.begins;
    fake.begins = false;
    memcpy(w->bytes, batch->bytes, batch->size);
    for (uint32_t i = 0; i < batch->sale_count; i++)
        w->seats[i] = batch->sales[i].seat;
    pthread_mutex_lock(&fake.mutex);
    fake.blocked = true;
    pthread_cond_broadcast(&fake.changed);
    while (!fake.released)
        pthread_cond_wait(&fake.changed, &fake.mutex);
    pthread_mutex_unlock(&fake.mutex);
    atomic_fetch_add(&l->durable_seq, batch->count);
    return status_none();
}

static struct status fake_seal(struct log *l, int64_t at_ms)
{
    (void)l;
    (void)at_ms;
    return status_none();
}

static struct status fake_begin_segment(struct log *l)
{
    (void)l;
    fake.begins = true;
    return status_none();
}

static const struct log_ops fake_ops = {.write = fake_write, .seal = fake_seal, .begin_segment = fake_begin_segment};

static uv_loop_t loop;
static struct bell bell;
static struct batcher batcher;

static void on_bell(void *ctx)
{
    (void)ctx;
}

/* A turn of the loop with one step: `text` is its changes, a byte each. */
static void turn(const char *text, int64_t at_ms)
{
    buf_append(batcher_changes(&batcher), text, strlen(text));
    batcher_appended(&batcher, (uint32_t)strlen(text), at_ms);
    batcher_hand_over(&batcher);
}

/* The thread is in the write of "a". */
static int begin(void **state)
{
    (void)state;
    fake.log = (struct log){.ops = &fake_ops, .cut_every = CUT_EVERY};
    fake.blocked = fake.released = fake.begins = false;
    fake.count = 0;
    pthread_mutex_init(&fake.mutex, NULL);
    pthread_cond_init(&fake.changed, NULL);
    uv_loop_init(&loop);
    bell_open(&bell, &loop, on_bell, NULL);
    batcher_start(&batcher, &fake.log, 0, &bell);
    turn("a", 1);
    pthread_mutex_lock(&fake.mutex);
    while (!fake.blocked)
        pthread_cond_wait(&fake.changed, &fake.mutex);
    pthread_mutex_unlock(&fake.mutex);
    return 0;
}

static void finish(void)
{
    pthread_mutex_lock(&fake.mutex);
    fake.released = true;
    pthread_cond_broadcast(&fake.changed);
    pthread_mutex_unlock(&fake.mutex);
    assert_true(batcher_stop(&batcher, 10000));
    bell_close(&bell, on_bell);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
    pthread_cond_destroy(&fake.changed);
    pthread_mutex_destroy(&fake.mutex);
}

static void expect(unsigned n, const char *text, int64_t at_ms)
{
    assert_true(n < fake.count);
    const struct written *w = &fake.writes[n];
    assert_int_equal(w->size, strlen(text));
    assert_memory_equal(w->bytes, text, w->size);
    assert_int_equal(w->count, w->size);
    assert_int_equal(w->at_ms, at_ms);
}

static void turns_during_a_write_are_one_batch(void **state)
{
    (void)state;
    turn("bc", 2);
    turn("d", 3);
    turn("efg", 5);
    finish();
    assert_int_equal(fake.count, 2);
    expect(0, "a", 1);
    expect(1, "bcdefg", 5);
}

static void sales_stay_in_order(void **state)
{
    (void)state;
    for (uint32_t seat = 1; seat <= 3; seat += 2) {
        const struct sale two[] = {{.event = 1, .fence = 9, .seat = seat}, {.event = 1, .fence = 9, .seat = seat + 1}};
        batcher_sold(&batcher, two, 2);
        turn("s", 2);
    }
    finish();
    assert_int_equal(fake.count, 2);
    assert_int_equal(fake.writes[0].sale_count, 0);
    assert_int_equal(fake.writes[1].sale_count, 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(fake.writes[1].seats[i], i + 1);
}

static void a_batch_does_not_become_longer_than_a_cut(void **state)
{
    char half[CUT_EVERY / 2 + 1] = {0};
    (void)state;
    memset(half, 'h', sizeof(half) - 1);
    turn(half, 2);
    turn(half, 3); /* together as long as a cut */
    turn("i", 4);
    finish();
    assert_int_equal(fake.count, 3);
    expect(1, half, 2);
    assert_int_equal(fake.writes[2].count, CUT_EVERY / 2 + 1);
    assert_int_equal(fake.writes[2].at_ms, 4);
}

static void a_new_segment_begins_with_its_own_batch(void **state)
{
    (void)state;
    turn("b", 2);
    batcher_begin_segment(&batcher);
    turn("c", 3);
    finish();
    assert_int_equal(fake.count, 3);
    expect(1, "b", 2);
    expect(2, "c", 3);
    assert_false(fake.writes[1].new_segment);
    assert_true(fake.writes[2].new_segment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(turns_during_a_write_are_one_batch, begin),
        cmocka_unit_test_setup(sales_stay_in_order, begin),
        cmocka_unit_test_setup(a_batch_does_not_become_longer_than_a_cut, begin),
        cmocka_unit_test_setup(a_new_segment_begins_with_its_own_batch, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
