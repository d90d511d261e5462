/* SPDX-License-Identifier: Apache-2.0 */
/* Other threads wake the loop: no ring is lost, even if many become one. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "store/bell.h"

#define CALLERS 4
#define TOLD 20000

static struct bell bell;
static uv_loop_t loop;
static atomic_uint told;
static unsigned seen, called;
static bool closed;

static void on_closed(void *ctx)
{
    assert_ptr_equal(ctx, &seen);
    closed = true;
}

static void on_bell(void *ctx)
{
    assert_ptr_equal(ctx, &seen);
    called++;
    seen = atomic_load_explicit(&told, memory_order_acquire);
}

static void *call(void *ctx)
{
    (void)ctx;
    for (int i = 0; i < TOLD; i++) {
        atomic_fetch_add_explicit(&told, 1, memory_order_release);
        bell_ring(&bell);
    }
    return NULL;
}

/* A lost ring leaves the loop waiting forever. */
static void the_last_ring_is_seen(void **state)
{
    pthread_t callers[CALLERS];
    (void)state;
    uv_loop_init(&loop);
    bell_open(&bell, &loop, on_bell, &seen);
    for (int i = 0; i < CALLERS; i++)
        assert_int_equal(pthread_create(&callers[i], NULL, call, NULL), 0);
    while (seen < CALLERS * TOLD)
        uv_run(&loop, UV_RUN_ONCE);
    for (int i = 0; i < CALLERS; i++)
        pthread_join(callers[i], NULL);
    bell_close(&bell, on_closed); /* the last ring can come after the last read: only now is nothing left */
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_true(closed);
    assert_int_equal(seen, CALLERS * TOLD);
    assert_in_range(called, 1, CALLERS * TOLD);
    assert_int_equal(uv_loop_close(&loop), 0);
}

static void on_first(void *ctx)
{
    (void)ctx;
    if (++called == 1)
        bell_ring(&bell); /* as another thread could, right after fn has read */
    else
        bell_close(&bell, on_closed);
}

static void a_ring_during_a_call_calls_again(void **state)
{
    (void)state;
    called = 0;
    closed = false;
    uv_loop_init(&loop);
    bell_open(&bell, &loop, on_first, &seen);
    bell_ring(&bell);
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_run(&loop, UV_RUN_NOWAIT);
    assert_int_equal(called, 2);
    assert_true(closed);
    assert_int_equal(uv_loop_close(&loop), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_ring_during_a_call_calls_again),
                                       cmocka_unit_test(the_last_ring_is_seen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
