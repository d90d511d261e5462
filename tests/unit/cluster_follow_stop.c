/* SPDX-License-Identifier: Apache-2.0 */
/* A node can end while the database does not answer: it waits for the thread that reads the log, but not for long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/time/clock.h"
#include "cluster/follow.h"

static void on_news(void *ctx)
{
    (void)ctx;
}

static void on_fault(void *ctx, const struct status *fault)
{
    (void)ctx;
    fail_msg("%s", fault->text);
}

static int listen_silently(char *url, size_t room)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(address);
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
    snprintf(url, room, "postgres://holdfast@127.0.0.1:%u/holdfast", ntohs(address.sin_port));
    return listener;
}

static void a_silent_server_does_not_keep_it(void **state)
{
    (void)state;
    static struct follow follow;
    static struct lease lease;
    char url[128];
    int listener = listen_silently(url, sizeof(url));
    lease_init(&lease, &(struct lease_options){
                           .url = url, .node = "two", .token_path = "/nowhere/owner.token", .shard = 1});
    follow_start(&follow, &(struct follow_options){.url = url,
                                                   .lease = &lease,
                                                   .shard = 1,
                                                   .last = {1, 1, 0},
                                                   .since_ns = clock_monotonic_ns(),
                                                   .wake = on_news,
                                                   .fault = on_fault});
    struct pollfd asked = {.fd = listener, .events = POLLIN};
    assert_int_equal(poll(&asked, 1, 60000), 1);
    int connection = accept(listener, NULL, NULL);
    assert_false(follow_stop(&follow, 1));
    close(connection);
    close(listener);
    assert_true(follow_stop(&follow, 60000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_silent_server_does_not_keep_it),
    };
    return cmocka_run_group_tests_name("cluster_follow_stop", tests, NULL, NULL);
}
