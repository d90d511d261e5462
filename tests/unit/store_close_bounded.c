/* SPDX-License-Identifier: Apache-2.0 */
/* A server stops in time however busy the disk of its book is, and has what it acknowledged when it starts
 * again. */
#include "store_fixture.h"

#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_bool stuck; /* syncs of the book do not return */

static bool is_book(int fd)
{
    char link[64], path[512];
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof(path) - 1);
    path[size > 0 ? size : 0] = '\0';
    return strstr(path, "book.sqlite") != NULL;
}

/* In the place of the C library's: SQLite calls this one. */
int fdatasync(int fd)
{
    while (atomic_load(&stuck) && is_book(fd))
        pause();
    return (int)syscall(SYS_fdatasync, fd);
}

/* The book's thread moves the log into the database when it ends, and is stuck there. */
static _Noreturn void stop_with_a_stuck_book(void)
{
    bool closed = false;
    alarm(60); /* it would wait for ever */
    struct status fault =
        store_try((struct store_options){.data = fixture_data, .clock = clock_system, .close_ms = 100});
    if (!status_ok(&fault))
        _exit(4);
    fixture_event();
    fixture_seats(0, 10);
    atomic_store(&stuck, true);
    fixture_hold(3);
    wait_durable();
    store_close(store, on_store_closed, &closed);
    uv_run(&loop, UV_RUN_DEFAULT);
    _exit(closed ? 2 : 3);
}

static void a_stuck_book_does_not_hold_up_the_end(void **state)
{
    (void)state;
    struct seat_view seat;
    int how;
    fixture_folders();
    pid_t child = fork();
    if (child == 0)
        stop_with_a_stuck_book();
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_int_equal(how, 0);
    fine(store_try((struct store_options){.data = fixture_data, .clock = clock_system}));
    assert_int_equal(store_seat_find(store, TEXT("show"), TEXT("S3"), &seat), OUTCOME_OK);
    assert_int_equal(seat.status, SEAT_HELD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_stuck_book_does_not_hold_up_the_end, fixture_clear), /* forks */
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
