/* SPDX-License-Identifier: Apache-2.0 */
/* A node that has just loaded its copy is as far behind as the load took: until it has seen the rest of the log it refuses
 * nothing by that copy, and shows nothing that is older than a node may show. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/time/clock.h"
#include "cluster/follow.h"

#define NOBODY "postgres://holdfast@127.0.0.1:1/holdfast"

static void on_news(void *ctx)
{
    (void)ctx;
}

static void on_fault(void *ctx, const struct status *fault)
{
    (void)ctx;
    fail_msg("%s", fault->text);
}

static void the_time_of_loading_counts(void **state)
{
    (void)state;
    static struct follow follow;
    static struct lease lease;
    lease_init(&lease, &(struct lease_options){
                           .url = NOBODY, .node = "two", .token_path = "/nowhere/owner.token", .shard = 1});
    follow_start(&follow, &(struct follow_options){.url = NOBODY,
                                                   .lease = &lease,
                                                   .shard = 1,
                                                   .last = {1, 1, 0},
                                                   .since_ns = clock_monotonic_ns() - 60000000000u,
                                                   .wake = on_news,
                                                   .fault = on_fault});
    assert_true(follow_lag_ms(&follow) >= 60000);
    assert_true(follow_stop(&follow, 60000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_time_of_loading_counts),
    };
    return cmocka_run_group_tests_name("cluster_follow_lag", tests, NULL, NULL);
}
