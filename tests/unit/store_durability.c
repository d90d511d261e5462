/* SPDX-License-Identifier: Apache-2.0 */
/* The store reports no change as durable before the sync that covers it has returned. */
#include "../lib/store_loop.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/memory/bytes.h"
#include "journal/segment.h"

/* ---- The disk, watched ---- */

/* Syncs of journal segments wait here while the gate is closed, until one is let through. */
static struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool closed;
    uint32_t waiting; /* now */
    uint32_t allowed; /* to pass the closed gate */
} gate = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static _Atomic uint64_t synced_seq; /* the last seq that a returned sync covers */

static bool is_segment(int fd)
{
    char link[64], path[512];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    static const size_t suffix = sizeof ".segment" - 1;
    return size > (ssize_t)suffix && memcmp(path + size - suffix, ".segment", suffix) == 0;
}

/* The last seq in the segment as written so far. */
static uint64_t written_seq(int fd)
{
    uint64_t last = 0;
    uint8_t header[BATCH_HEADER_SIZE];
    for (off_t at = SEGMENT_HEADER_SIZE; pread(fd, header, sizeof header, at) == sizeof header;
         at += (off_t)batch_extent(bytes_load_u32(header + 8))) {
        if (memcmp(header, BATCH_MAGIC, 8) != 0)
            break;
        last = bytes_load_u64(header + 16) + bytes_load_u32(header + 12) - 1;
    }
    return last;
}

static void pass_gate(void)
{
    pthread_mutex_lock(&gate.mutex);
    gate.waiting++;
    pthread_cond_broadcast(&gate.changed);
    while (gate.closed && gate.allowed == 0)
        pthread_cond_wait(&gate.changed, &gate.mutex);
    if (gate.closed)
        gate.allowed--;
    gate.waiting--;
    pthread_mutex_unlock(&gate.mutex);
}

/* Replaces the C library's: the journal calls this one. */
int fdatasync(int fd)
{
    if (!is_segment(fd))
        return (int)syscall(SYS_fdatasync, fd);
    pass_gate();
    uint64_t covered = written_seq(fd);
    int result = (int)syscall(SYS_fdatasync, fd);
    if (result == 0 && covered > atomic_load(&synced_seq))
        atomic_store(&synced_seq, covered);
    return result;
}

static void gate_set(bool closed, uint32_t allowed)
{
    pthread_mutex_lock(&gate.mutex);
    gate.closed = closed;
    gate.allowed = allowed;
    pthread_cond_broadcast(&gate.changed);
    pthread_mutex_unlock(&gate.mutex);
}

static void gate_await_waiter(void)
{
    pthread_mutex_lock(&gate.mutex);
    while (gate.waiting == 0 || gate.allowed > 0)
        pthread_cond_wait(&gate.changed, &gate.mutex);
    pthread_mutex_unlock(&gate.mutex);
}

/* ---- A store with a pool ---- */

static uint64_t told_seq; /* by store_on_durable */
static struct outcome last;
static uint64_t next_id;

static void on_durable(void *ctx, uint64_t durable_seq)
{
    (void)ctx;
    assert_true(durable_seq <= atomic_load(&synced_seq));
    assert_true(durable_seq >= told_seq);
    assert_int_equal(durable_seq, store_durable_seq(store));
    told_seq = durable_seq;
}

static void on_done(void *ctx, const struct outcome *outcome)
{
    (void)ctx;
    last = *outcome;
}

static uint64_t submit(struct command *c)
{
    store_submit(store, c, on_done, NULL);
    assert_int_equal(last.code, OUTCOME_OK);
    return last.seq;
}

static uint64_t hold(void)
{
    struct item_request item = {
        .kind = ITEM_POOL, .resource = TEXT("show"), .part = TEXT("floor"), .quantity = 1};
    struct command c = {.kind = COMMAND_HOLD,
                        .actor = {.role = ROLE_USER, .name = TEXT("ann")},
                        .reservation = {.high = 1, .low = ++next_id},
                        .hold = {.items = &item, .count = 1}};
    return submit(&c);
}

static void turn(void)
{
    uv_run(&loop, UV_RUN_NOWAIT);
    assert_true(store_durable_seq(store) <= atomic_load(&synced_seq));
}

static void run_until_durable(uint64_t seq)
{
    uint64_t until = clock_monotonic_ns() + PATIENCE_NS;
    while (told_seq < seq) {
        uv_run(&loop, UV_RUN_ONCE);
        assert_true(store_durable_seq(store) <= atomic_load(&synced_seq));
        assert_true(clock_monotonic_ns() < until);
    }
}

static int set_up(void **state)
{
    (void)state;
    fixture_folders();
    fine(store_try((struct store_options){.data = fixture_data, .clock = clock_system}));
    store_on_durable(store, on_durable, NULL);
    struct actor admin = {.role = ROLE_ADMIN};
    struct command event = {
        .kind = COMMAND_EVENT_PUT,
        .actor = admin,
        .event_put = {.image = {.id = TEXT("show"),
                                .name = TEXT("A show"),
                                .terms = {"EUR", 600, 900, 300, PAYMENT_NONE, LATE_PAYMENT_REFUND, 0}}}};
    submit(&event);
    struct command pool = {.kind = COMMAND_POOL_PUT,
                           .actor = admin,
                           .pool_put = {.event = TEXT("show"), .id = TEXT("floor"), .capacity = 1000000}};
    run_until_durable(submit(&pool));
    return 0;
}

static int tear_down(void **state)
{
    gate_set(false, 0);
    return fixture_clear(state);
}

/* ---- Claims ---- */

static void a_seq_is_durable_only_after_its_own_sync(void **state)
{
    (void)state;
    gate_set(true, 0);
    uint64_t first = hold();
    turn(); /* hands the batch over */
    gate_await_waiter();
    uint64_t second = hold(); /* while the first one syncs */
    for (int i = 0; i < 100; i++)
        turn();
    assert_true(store_durable_seq(store) < first);
    assert_true(told_seq < first);
    /* One sync after the other; seals can be among them. */
    while (told_seq < second) {
        assert_true(store_durable_seq(store) < second);
        gate_set(true, 1);
        uint64_t before = told_seq, until = clock_monotonic_ns() + PATIENCE_NS;
        bool waiting = false;
        while (told_seq == before && !waiting) {
            uv_run(&loop, UV_RUN_ONCE);
            assert_true(store_durable_seq(store) <= atomic_load(&synced_seq));
            assert_true(clock_monotonic_ns() < until);
            pthread_mutex_lock(&gate.mutex);
            waiting = gate.waiting > 0 && gate.allowed == 0;
            pthread_mutex_unlock(&gate.mutex);
        }
    }
    gate_set(false, 0);
    assert_true(told_seq >= second);
}

static void many_holds_over_many_batches(void **state)
{
    (void)state;
    uint64_t seq = 0;
    for (int i = 0; i < 400; i++) {
        for (int k = 0; k <= i % 5; k++)
            seq = hold();
        turn();
        if (i % 20 == 0)
            run_until_durable(seq);
    }
    run_until_durable(seq);
    struct store_stats stats;
    store_stats(store, &stats);
    assert_true(stats.batches > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seq_is_durable_only_after_its_own_sync),
        cmocka_unit_test(many_holds_over_many_batches),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
