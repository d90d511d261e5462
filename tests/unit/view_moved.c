/* SPDX-License-Identifier: Apache-2.0 */
/* A listener hears of a queue entry that has moved once that is durable, never before, and never of more than a
 * slice at once. */
#include "entry_fixture.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- The disk, held up ---- */

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool closed;
    uint32_t waiting;
} gate = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static bool is_segment(int fd)
{
    char link[64], path[512];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    static const size_t suffix = sizeof ".segment" - 1;
    return size > (ssize_t)suffix && memcmp(path + size - suffix, ".segment", suffix) == 0;
}

/* Replaces the C library's: the journal calls this one. */
int fdatasync(int fd)
{
    if (is_segment(fd)) {
        pthread_mutex_lock(&gate.mutex);
        gate.waiting++;
        pthread_cond_broadcast(&gate.changed);
        while (gate.closed)
            pthread_cond_wait(&gate.changed, &gate.mutex);
        gate.waiting--;
        pthread_mutex_unlock(&gate.mutex);
    }
    return (int)syscall(SYS_fdatasync, fd);
}

static void gate_set(bool closed)
{
    pthread_mutex_lock(&gate.mutex);
    gate.closed = closed;
    pthread_cond_broadcast(&gate.changed);
    pthread_mutex_unlock(&gate.mutex);
}

static void gate_await_waiter(void)
{
    pthread_mutex_lock(&gate.mutex);
    while (gate.waiting == 0)
        pthread_cond_wait(&gate.changed, &gate.mutex);
    pthread_mutex_unlock(&gate.mutex);
}

static int tear_down(void **state)
{
    gate_set(false); /* a failed assertion could have left it closed */
    return fixture_clear(state);
}

/* ---- The listener ---- */

static uint32_t told[4096], told_count, told_in_turn, told_in_turn_most;
static bool leave_when_told; /* the entry leaves, from inside the call */

static void on_moved(void *ctx, uint64_t event_number, uint32_t number)
{
    struct queue_entry_image entry;
    uint64_t seq;
    assert_ptr_equal(ctx, &told);
    assert_int_equal(event_number, show_number());
    assert_true(view_queue_entry(view, event_number, number, &entry, &seq));
    assert_true(entry.status != QUEUE_WAITING);
    assert_true(told_count < 4096);
    told[told_count++] = number;
    if (++told_in_turn > told_in_turn_most)
        told_in_turn_most = told_in_turn;
    if (!leave_when_told || entry.status == QUEUE_LEFT)
        return;
    struct command c = {.kind = COMMAND_QUEUE_LEAVE, .actor = {.role = ROLE_ADMIN}};
    c.queue.event = TEXT("show");
    c.queue.entry = entry.id;
    store_submit(store, &c, on_outcome, NULL);
    assert_int_equal(last.code, OUTCOME_OK);
}

static void turn(void)
{
    told_in_turn = 0;
    uv_run(&loop, UV_RUN_NOWAIT);
}

static void begin(uint32_t rate, uint32_t people)
{
    told_count = told_in_turn_most = 0;
    leave_when_told = false;
    open_store(fixture_data);
    put_event("show", rate, 0);
    put_pool(100000);
    struct command pause = {.kind = COMMAND_QUEUE_PATCH, .actor = {.role = ROLE_ADMIN}};
    pause.queue_patch.event = TEXT("show");
    pause.queue_patch.has_paused = pause.queue_patch.paused = true;
    must(&pause);
    for (uint32_t i = 0; i < people; i++) {
        char user[16];
        snprintf(user, sizeof(user), "u%u", i);
        assert_int_equal(join_queue(user), OUTCOME_OK);
    }
    wait_durable();
    view_on_moved(view, on_moved, &told);
    pause.queue_patch.paused = false;
    must(&pause);
}

static void nothing_is_announced_before_it_is_durable(void **state)
{
    (void)state;
    begin(1000, 3);
    run_until(told_count == 1); /* the credit of an open queue */
    gate_set(true);
    now_ms += 100;
    run_until(queue_status_of(3) == QUEUE_ADMITTED);
    uv_run(&loop, UV_RUN_NOWAIT); /* hands the batch over */
    gate_await_waiter();
    run_slices(100);
    assert_int_equal(told_count, 1);
    gate_set(false);
    run_until(told_count == 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(told[i], i + 1);
}

static void many_are_announced_in_slices_and_in_order(void **state)
{
    (void)state;
    begin(100000, 2000);
    uint64_t until = clock_monotonic_ns() + PATIENCE_NS;
    for (int step = 0; told_count < 2000; step++) {
        now_ms += step < 100 ? 100 : 0; /* however long the disk takes, no pass lapses in between */
        for (int i = 0; i < 10; i++)
            turn();
        assert_true(clock_monotonic_ns() < until);
    }
    assert_true(told_in_turn_most <= 768); /* a slice for the sync, the tick and the idle turn each */
    for (uint32_t i = 0; i < 2000; i++)
        assert_int_equal(told[i], i + 1);
}

static void a_listener_can_move_others(void **state)
{
    (void)state;
    begin(1000, 20);
    leave_when_told = true;
    now_ms += 100;
    run_until(told_count == 40);
    for (uint32_t number = 1; number <= 20; number++)
        assert_int_equal(queue_status_of(number), QUEUE_LEFT);
}

static void without_a_listener_nothing_is_kept(void **state)
{
    (void)state;
    begin(1000, 20);
    now_ms += 100;
    run_until(queue_now().active == 20);
    view_on_moved(view, NULL, NULL);
    wait_durable();
    run_slices(10);
    assert_int_equal(view->moved_first, view->moved_end);
    struct command c = {.kind = COMMAND_QUEUE_LEAVE, .actor = {.role = ROLE_ADMIN}};
    struct queue_entry_image entry;
    uint64_t seq, kept = view->moved_end;
    assert_true(view_queue_entry(view, show_number(), 1, &entry, &seq));
    c.queue.event = TEXT("show");
    c.queue.entry = entry.id;
    must(&c);
    assert_int_equal(view->moved_end, kept);
}

int main(void)
{
#define gate_test(name) cmocka_unit_test_setup_teardown(name, line_set_up, tear_down)
    const struct CMUnitTest tests[] = {
        gate_test(nothing_is_announced_before_it_is_durable),
        gate_test(many_are_announced_in_slices_and_in_order),
        gate_test(a_listener_can_move_others),
        gate_test(without_a_listener_nothing_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
