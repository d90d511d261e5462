/* SPDX-License-Identifier: Apache-2.0 */
/* A server stops in time however busy the disk of its book is, and has everything it acknowledged when it starts
 * again. */
#include "store_fixture.h"

#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/catalogue/event.h"

static const char *_Atomic stuck; /* syncs of files with this in their names block */

static bool is_stuck(int fd)
{
    const char *part = atomic_load(&stuck);
    char link[64], path[512];
    if (!part)
        return false;
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof(path) - 1);
    path[size > 0 ? size : 0] = '\0';
    return strstr(path, part) != NULL;
}

/* Replaces the C library's: SQLite and the journal call this one. */
int fdatasync(int fd)
{
    while (is_stuck(fd))
        pause();
    return (int)syscall(SYS_fdatasync, fd);
}

/* S3 is held before the disk gets stuck, S4 afterwards. */
static _Noreturn void stop_with_a_stuck(const char *part)
{
    bool closed = false;
    alarm(60); /* it would wait for ever */
    struct status fault =
        store_try((struct store_options){.data = fixture_data, .clock = clock_system, .close_ms = 100});
    if (!status_ok(&fault))
        _exit(4);
    fixture_event();
    fixture_seats(0, 10);
    fixture_hold(3);
    wait_durable();
    atomic_store(&stuck, part);
    fixture_hold(4);
    store_close(store, on_store_closed, &closed);
    uv_run(&loop, UV_RUN_DEFAULT);
    _exit(closed ? 2 : 3);
}

static void ends_in_time_and_keeps_what_was_durable(const char *part)
{
    int how;
    fixture_folders();
    pid_t child = fork();
    if (child == 0)
        stop_with_a_stuck(part);
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_int_equal(how, 0);
    fine(store_try((struct store_options){.data = fixture_data, .clock = clock_system}));
    const struct event *e = event_find(store_state(store), TEXT("show"));
    assert_int_equal(seat_status(store_state(store), e, layout_find(e->layout, TEXT("S3"))), UNIT_HELD);
    close_store();
    scratch_remove(fixture_folder);
}

/* Its thread moves the log into the database when it ends, and blocks there. Forks: before there are threads. */
static void a_stuck_disk_does_not_delay_shutdown(void **state)
{
    (void)state;
    ends_in_time_and_keeps_what_was_durable("book.sqlite");
    ends_in_time_and_keeps_what_was_durable(".segment");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_stuck_disk_does_not_delay_shutdown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
