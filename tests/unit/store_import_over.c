/* SPDX-License-Identifier: Apache-2.0 */
/* The book can prune the parts of an import when it is over, however it ended, and not while it runs. */
#include "store_fixture.h"

static uint64_t over(void)
{
    return atomic_load(&store->recorder.imports_over);
}

static int set_up(void **state)
{
    (void)state;
    return fixture_open(&(struct store_options){0});
}

static void on_ended(void *ctx, const struct import_result *result)
{
    (void)result;
    *(bool *)ctx = true;
}

static bool read_nothing(void *ctx, struct buf *rows, uint32_t *count, struct import_fault *fault)
{
    (void)ctx;
    (void)rows;
    *count = 0;
    *fault = (struct import_fault){.detail = "bad"};
    return false;
}

static void parts_that_are_staged_are_kept_until_it_is_over(void **state)
{
    (void)state;
    struct fixture_seats seats = {.count = 100000}; /* many parts */
    struct actor admin = {.role = ROLE_ADMIN};
    assert_int_equal(over(), 0); /* nothing was there at the start */
    store_import(store, &admin, TEXT("show"), fixture_read_seats, fixture_on_imported, &seats);
    uint64_t began = store->state->seq, during = 0;
    while (!seats.done) {
        during = over();
        uv_run(&loop, UV_RUN_ONCE);
    }
    assert_true(store->state->seq > began + 5);
    assert_int_equal(during, 0);
    assert_int_equal(over(), store->state->seq);
}

static void a_failed_import_is_over_too(void **state)
{
    (void)state;
    struct actor admin = {.role = ROLE_ADMIN};
    bool ended = false;
    store_import(store, &admin, TEXT("show"), read_nothing, on_ended, &ended);
    run_until(ended);
    assert_int_equal(over(), store->state->seq);
    ended = false;
    store_import(store, &admin, TEXT("nowhere"), read_nothing, on_ended, &ended);
    run_until(ended);
    assert_int_equal(over(), store->state->seq);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(parts_that_are_staged_are_kept_until_it_is_over, set_up,
                                        fixture_clear),
        cmocka_unit_test_setup_teardown(a_failed_import_is_over_too, set_up, fixture_clear),
    };
    return cmocka_run_group_tests_name("store_import_over", tests, NULL, NULL);
}
