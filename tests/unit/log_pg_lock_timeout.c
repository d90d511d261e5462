/* SPDX-License-Identifier: Apache-2.0 */
/* No statement waits for a lock for ever: when its connection is given up, the server does not notice, and one more of its
 * connections would be in use for each try. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "log/pg.h"

/* What a connection asks of a server that never answers. */
static size_t read_startup(uint32_t lock_ms, uint32_t limit_ms, char *out, size_t room)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(address);
    char url[128];
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
    snprintf(url, sizeof(url), "postgres://holdfast@127.0.0.1:%u/holdfast?sslmode=disable&gssencmode=disable",
             ntohs(address.sin_port));
    struct pg *pg =
        pg_make(&(struct pg_options){.url = url, .name = "test", .lock_ms = lock_ms, .limit_ms = limit_ms});
    assert_int_equal(pg_run(pg, "SELECT 1", NULL, 0), PG_UNDECIDED);
    pg_release(pg);
    int connection = accept(listener, NULL, NULL);
    ssize_t got = recv(connection, out, room, 0); /* it was sent before the connection was given up */
    assert_true(got > 0);
    close(connection);
    close(listener);
    return (size_t)got;
}

static void expect_option(uint32_t lock_ms, uint32_t limit_ms, const char *option)
{
    char startup[1024];
    size_t size = read_startup(lock_ms, limit_ms, startup, sizeof(startup));
    if (!memmem(startup, size, option, strlen(option) + 1)) /* with its 0 */
        fail_msg("the server is not asked for %s", option);
}

static void the_server_ends_what_the_client_gave_up(void **state)
{
    (void)state;
    expect_option(0, 250, "-c lock_timeout=250");
}

static void a_shorter_limit_is_kept(void **state)
{
    (void)state;
    expect_option(30, 250, "-c lock_timeout=30");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_server_ends_what_the_client_gave_up),
        cmocka_unit_test(a_shorter_limit_is_kept),
    };
    return cmocka_run_group_tests_name("log_pg_lock_timeout", tests, NULL, NULL);
}
