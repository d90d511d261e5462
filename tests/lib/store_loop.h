/* SPDX-License-Identifier: Apache-2.0 */
/* store_loop.h — one store in its own folder, and a loop that runs until a condition holds. */
#ifndef TESTS_LIB_STORE_LOOP_H
#define TESTS_LIB_STORE_LOOP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/time/clock.h"
#include "scratch.h"
#include "store/local.h"

/* Only ends a test that hangs: a busy disk can take seconds for a sync. */
#define PATIENCE_NS 120000000000ull

extern char fixture_folder[SCRATCH_PATH], fixture_data[SCRATCH_PATH + 8], fixture_other[SCRATCH_PATH + 8];
extern uv_loop_t loop;
extern struct store *store;
/* Opened together with the store by a higher layer, or NULL: view_loop.c. */
extern void (*store_opened)(void);

/* Runs the loop until the condition is true; fails after PATIENCE_NS. */
#define run_until(condition)                                                                                 \
    do {                                                                                                     \
        uint64_t until_ = clock_monotonic_ns() + PATIENCE_NS;                                                \
        while (!(condition)) {                                                                               \
            uv_run(&loop, UV_RUN_ONCE);                                                                      \
            assert_true(clock_monotonic_ns() < until_);                                                      \
        }                                                                                                    \
    } while (0)

/* Fails on a fault. */
void fine(struct status status);

/* A clock that is fixed until *now_ms is changed. */
struct clock_source fixed_clock(int64_t *now_ms);

/* `journal_max` and `segment_size` are small by default. */
struct status store_try(struct store_options options);

/* Sets the bool at ctx. */
void on_store_closed(void *ctx);
void close_store(void);

/* Names for data folders in a new temporary folder. */
void fixture_folders(void);

/* Closes the store, if one is open, and removes the folders. */
int fixture_clear(void **state);

/* Waits until everything so far is durable. */
void wait_durable(void);

/* Waits until the book has everything. Neither a list nor close_store does: they wait at most two seconds, and half a
 * second. */
void wait_recorded(void);

#endif
