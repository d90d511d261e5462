/* SPDX-License-Identifier: Apache-2.0 */
#include "store_loop.h"

#include <stdio.h>

char fixture_folder[SCRATCH_PATH], fixture_data[SCRATCH_PATH + 8], fixture_other[SCRATCH_PATH + 8];
uv_loop_t loop;
struct store *store;
void (*store_opened)(void);

void fine(struct status status)
{
    if (!status_ok(&status))
        fail_msg("%s", status.text);
}

static int64_t still_clock_read(void *owner)
{
    return *(int64_t *)owner;
}

struct clock_source fixed_clock(int64_t *now_ms)
{
    return (struct clock_source){still_clock_read, still_clock_read, now_ms};
}

struct status store_try(struct store_options options)
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
    } else if (store_opened) {
        store_opened();
    }
    return fault;
}

void on_store_closed(void *ctx)
{
    *(bool *)ctx = true;
}

void close_store(void)
{
    bool closed = false;
    store_close(store, on_store_closed, &closed);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_true(closed);
    assert_int_equal(uv_loop_close(&loop), 0);
    store = NULL;
}

void fixture_folders(void)
{
    scratch_make(fixture_folder);
    snprintf(fixture_data, sizeof(fixture_data), "%s/data", fixture_folder);
    snprintf(fixture_other, sizeof(fixture_other), "%s/other", fixture_folder);
}

int fixture_clear(void **state)
{
    (void)state;
    if (store)
        close_store();
    scratch_remove(fixture_folder);
    return 0;
}

void wait_durable(void)
{
    uint64_t seq = store->state->seq;
    run_until(store_durable_seq(store) >= seq);
}

void wait_recorded(void)
{
    recorder_hurry(&store->recorder);
    run_until(recorder_seq(&store->recorder) >= store->state->seq);
}
