/* SPDX-License-Identifier: Apache-2.0 */
/* The reported wait times are within a sixteenth of the truth, for any number of rides, and cover only the last
 * minutes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/memory/memory.h"
#include "core/dispatch/wait_times.h"

#define NOW_MS (28333333LL * 60000)

static int by_length(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static void near(int64_t is, int64_t exact)
{
    if (llabs(is - exact) * 16 > exact)
        fail_msg("%lld, not %lld", (long long)is, (long long)exact);
}

static void percentiles_are_a_sixteenth_off_at_most(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    struct wait_times *w = memory_zeroed(1, sizeof(*w));
    int64_t *all = memory_get(COUNT * sizeof(*all));
    uint64_t random = 1;
    for (uint32_t i = 0; i < COUNT; i++) {
        /* Of every length: from none to 49 days and more. */
        random = random * 6364136223846793005u + 1442695040888963407u;
        all[i] = (int64_t)(random >> (30 + (random >> 20) % 34));
        wait_times_add(w, NOW_MS + (int64_t)i * 15 * 60000 / COUNT, all[i]);
        if (i > 20 && i % 9973)
            continue;
        int64_t *sorted = (void *)memory_copy(all, (i + 1) * sizeof(*all));
        struct wait_figures f = wait_times_figures(w, NOW_MS + (int64_t)i * 15 * 60000 / COUNT);
        qsort(sorted, i + 1, sizeof(*sorted), by_length);
        assert_int_equal(f.count, i + 1);
        near(f.median_ms, sorted[i / 2]);
        near(f.p95_ms, sorted[((i + 1) * 95ull + 99) / 100 - 1]);
        free(sorted);
    }
    free(all);
    free(w);
}

static void a_minute_expires_after_fifteen_others(void **state)
{
    (void)state;
    struct wait_times *w = memory_zeroed(1, sizeof(*w));
    assert_int_equal(wait_times_figures(w, NOW_MS).count, 0);
    wait_times_add(w, NOW_MS, 1000);
    wait_times_add(w, NOW_MS + 59999, 1000);
    wait_times_add(w, NOW_MS + 60000, 9000);
    assert_int_equal(wait_times_figures(w, NOW_MS + 16 * 60000 - 1).count, 3);
    assert_int_equal(wait_times_figures(w, NOW_MS + 16 * 60000 - 1).median_ms, 1000);
    struct wait_figures f = wait_times_figures(w, NOW_MS + 16 * 60000);
    assert_int_equal(f.count, 1);
    assert_int_equal(f.median_ms, 9000);
    assert_int_equal(wait_times_figures(w, NOW_MS + 17 * 60000).count, 0);
    /* The slot of the first minute is reused. */
    wait_times_add(w, NOW_MS + 16 * 60000, 77);
    f = wait_times_figures(w, NOW_MS + 16 * 60000);
    assert_int_equal(f.count, 2);
    assert_int_equal(f.median_ms, 77);
    assert_int_equal(f.p95_ms, 9000);
    free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(percentiles_are_a_sixteenth_off_at_most),
        cmocka_unit_test(a_minute_expires_after_fifteen_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
