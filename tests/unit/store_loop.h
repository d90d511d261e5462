/* SPDX-License-Identifier: Apache-2.0 */
/* store_loop.h — one store in a folder of its own, and a loop that runs until something is so. */
#ifndef TESTS_UNIT_STORE_LOOP_H
#define TESTS_UNIT_STORE_LOOP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../lib/scratch.h"
#include "base/clock.h"
#include "store/local.h"

/* Only ends a test that hangs: a busy disk may take seconds for a sync. */
#define PATIENCE_NS 120000000000ull

static char fixture_folder[SCRATCH_PATH], fixture_data[SCRATCH_PATH + 8], fixture_other[SCRATCH_PATH + 8];
static uv_loop_t loop;
static struct store *store;

/* Runs the loop until the condition is true, or fails. */
#define run_until(condition)                                                                                 \
    do {                                                                                                     \
        uint64_t until_ = clock_monotonic_ns() + PATIENCE_NS;                                                \
        while (!(condition)) {                                                                               \
            uv_run(&loop, UV_RUN_ONCE);                                                                      \
            assert_true(clock_monotonic_ns() < until_);                                                      \
        }                                                                                                    \
    } while (0)

static inline void fine(struct status status)
{
    if (!status_ok(&status))
        fail_msg("%s", status.text);
}

/* A clock that stands still until *owner is changed. */
static inline int64_t still_clock_read(void *owner)
{
    return *(int64_t *)owner;
}

static inline struct clock_source still_clock(int64_t *now_ms)
{
    return (struct clock_source){still_clock_read, still_clock_read, now_ms};
}

/* Without `journal_max` and `segment_size` they are small. */
static inline struct status store_try(struct store_options options)
{
    if (options.journal_max == 0)
        options.journal_max = 1ull << 30;
    if (options.segment_size == 0)
        options.segment_size = 1u << 20;
    assert_int_equal(uv_loop_init(&loop), 0);
    struct status fault = store_open(&store, &loop, &options);
    if (!status_ok(&fault)) {
        store = NULL;
        uv_run(&loop, UV_RUN_NOWAIT);
        assert_int_equal(uv_loop_close(&loop), 0);
    }
    return fault;
}

static inline void on_store_closed(void *ctx)
{
    *(bool *)ctx = true;
}

static inline void close_store(void)
{
    bool closed = false;
    store_close(store, on_store_closed, &closed);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_true(closed);
    assert_int_equal(uv_loop_close(&loop), 0);
    store = NULL;
}

static inline void fixture_folders(void)
{
    scratch_make(fixture_folder);
    snprintf(fixture_data, sizeof(fixture_data), "%s/data", fixture_folder);
    snprintf(fixture_other, sizeof(fixture_other), "%s/other", fixture_folder);
}

/* The store, if one is open, and its folders. */
static inline int fixture_clear(void **state)
{
    (void)state;
    if (store)
        close_store();
    scratch_remove(fixture_folder);
    return 0;
}

static inline void wait_durable(void)
{
    uint64_t seq = store->state->seq;
    run_until(store_durable_seq(store) >= seq);
}

/* The book has it all. Neither a list nor close_store waits for that: two seconds, and half a second, are the
 * most they give it. */
static inline void wait_recorded(void)
{
    recorder_hurry(&store->recorder);
    run_until(recorder_seq(&store->recorder) >= store->state->seq);
}

#endif
