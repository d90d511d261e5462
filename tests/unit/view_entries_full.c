/* SPDX-License-Identifier: Apache-2.0 */
/* While the journal has no room to spare nobody is admitted and nothing is offered; freed stock stays hidden, and
 * everything continues when there is room again. */
#include "entry_fixture.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_bool full;

/* Replaces the C library's: no new segment can be created while the disk is full; existing ones can be overwritten. */
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset)
{
    char link[64], path[512];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    if (atomic_load(&full) && strstr(path, "/journal/") && strstr(path, ".tmp")) {
        errno = ENOSPC;
        return -1;
    }
    return syscall(SYS_pwrite64, fd, bytes, size, offset);
}

static enum engine_condition condition_now(void)
{
    struct store_stats stats;
    store_stats(store, &stats);
    return stats.condition;
}

/* Uses up a segment, which cannot be replaced. The reserve for such a day is created just after the start. */
static void fill_disk(void)
{
    run_until(!store->log->ops->prepare_due(store->log));
    atomic_store(&full, true);
    while (try_event("plain", 0, 0) == OUTCOME_OK)
        wait_durable();
    assert_int_equal(last.code, OUTCOME_STORAGE_FULL);
    assert_int_equal(condition_now(), ENGINE_FULL);
}

static void make_room(void)
{
    atomic_store(&full, false);
    run_until(condition_now() == ENGINE_READY);
}

static void nobody_is_admitted_while_the_disk_is_full(void **state)
{
    (void)state;
    open_store(fixture_data);
    put_event("show", 10, 0);
    put_pool(10);
    assert_int_equal(join_queue("ann"), OUTCOME_OK);
    run_until(queue_status_of(1) == QUEUE_ADMITTED);
    assert_int_equal(join_queue("bob"), OUTCOME_OK);
    fill_disk();
    now_ms += 1000; /* bob is still present */
    uint64_t seq = store->state->seq, until = clock_monotonic_ns() + 300000000, turns = 0;
    for (; clock_monotonic_ns() < until; turns++)
        uv_run(&loop, UV_RUN_ONCE);
    assert_int_equal(store->state->seq, seq);
    assert_true(turns < 200); /* and due work does not keep the loop busy */
    assert_int_equal(join_queue("cid"), OUTCOME_STORAGE_FULL);
    make_room();
    run_until(queue_status_of(2) == QUEUE_ADMITTED);
}

static void nothing_is_offered_while_the_disk_is_full(void **state)
{
    (void)state;
    open_store(fixture_data);
    put_event("show", 0, 0);
    put_pool(10);
    assert_int_equal(hold_pool("ann", 10), OUTCOME_OK);
    struct id held = last.reservation.id;
    assert_int_equal(list_join("bob", 4), OUTCOME_OK);
    assert_int_equal(list_join("cid", 4), OUTCOME_OK);
    fill_disk();
    assert_int_equal(release(held), OUTCOME_OK); /* that much is always possible */
    run_slices(50);
    assert_int_equal(store->state->by_status[RESERVATION_HELD], 0);
    assert_int_equal(pool_seen(), 0);
    make_room();
    run_until(store->state->by_status[RESERVATION_HELD] == 2);
    assert_int_equal(pool_seen(), 2);
}

static int tear_down(void **state)
{
    atomic_store(&full, false);
    return fixture_clear(state);
}

int main(void)
{
#define full_test(name) cmocka_unit_test_setup_teardown(name, line_set_up, tear_down)
    const struct CMUnitTest tests[] = {
        full_test(nobody_is_admitted_while_the_disk_is_full),
        full_test(nothing_is_offered_while_the_disk_is_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
