/* SPDX-License-Identifier: Apache-2.0 */
/* A key beyond the bound in memory is never taken for new: the book is asked. One that is too old is new. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/state.h"

#define HOUR_MS 3600000LL

static struct idempotency_image image_of(uint64_t n, int64_t at_ms)
{
    uint64_t x = n * 0x9e3779b97f4a7c15ULL + 1, y = (x ^ x >> 29) * 0xbf58476d1ce4e5b9ULL;
    return (struct idempotency_image){
        .key = {y ^ y >> 32, x * 31 + n}, .body = {n, n}, .made = {n, n}, .http_status = 201, .at_ms = at_ms};
}

static enum idempotency_finding find(struct idempotency *i, uint64_t n, int64_t now_ms)
{
    struct idempotency_image wanted = image_of(n, 0);
    struct idempotency_entry found;
    enum idempotency_finding finding = idempotency_find(i, wanted.key, now_ms, &found);
    if (finding == IDEMPOTENCY_FOUND) {
        assert_int_equal(found.image.body[0], n);
        assert_true(id_equal(found.image.made, (struct id){n, n}));
    }
    return finding;
}

static void kept_for_a_day(void **state)
{
    (void)state;
    struct idempotency i;
    idempotency_init(&i);
    struct idempotency_image image = image_of(1, 1000);
    assert_int_equal(find(&i, 1, 1000), IDEMPOTENCY_NEW);
    idempotency_add(&i, &image, 5);
    assert_int_equal(find(&i, 1, 1000), IDEMPOTENCY_FOUND);
    assert_int_equal(find(&i, 2, 1000), IDEMPOTENCY_NEW);
    assert_int_equal(find(&i, 1, 999 + IDEMPOTENCY_KEEP_MS), IDEMPOTENCY_FOUND);
    assert_int_equal(find(&i, 1, 1000 + IDEMPOTENCY_KEEP_MS), IDEMPOTENCY_NEW);
    /* not before the book has it, and not before its time */
    idempotency_forget(&i, 4, 1000 + IDEMPOTENCY_KEEP_MS, 1024);
    assert_int_equal(i.queue_count, 1);
    idempotency_forget(&i, 5, 999 + IDEMPOTENCY_KEEP_MS, 1024);
    assert_int_equal(i.queue_count, 1);
    idempotency_forget(&i, 5, 1000 + IDEMPOTENCY_KEEP_MS, 1024);
    assert_int_equal(i.queue_count, 0);
    assert_int_equal(i.entries.count, 0);
    idempotency_release(&i);
}

static void replaced_when_too_old(void **state)
{
    (void)state;
    struct idempotency i;
    idempotency_init(&i);
    struct idempotency_image image = image_of(1, 0);
    idempotency_add(&i, &image, 1);
    image.at_ms = IDEMPOTENCY_KEEP_MS;
    idempotency_add(&i, &image, 2);
    assert_int_equal(i.queue_count, 1);
    assert_int_equal(find(&i, 1, IDEMPOTENCY_KEEP_MS + 1), IDEMPOTENCY_FOUND);
    idempotency_release(&i);
}

static void over_the_bound_the_answer_is_perhaps(void **state)
{
    (void)state;
    enum { OVER = 3000 };
    struct idempotency i;
    idempotency_init(&i);
    for (uint64_t n = 0; n < IDEMPOTENCY_EXACT + OVER; n++) {
        struct idempotency_image image = image_of(n, (int64_t)n / 1000);
        idempotency_add(&i, &image, n + 1);
    }
    int64_t now_ms = HOUR_MS;
    idempotency_forget(&i, 0, now_ms, 1024);
    assert_int_equal(i.queue_count, IDEMPOTENCY_EXACT + OVER); /* the book has none of them */
    while (i.queue_count > IDEMPOTENCY_EXACT)
        idempotency_forget(&i, UINT64_MAX, now_ms, 1024);
    assert_int_equal(i.queue_count, IDEMPOTENCY_EXACT);
    for (uint64_t n = 0; n < OVER; n++)
        assert_int_equal(find(&i, n, now_ms), IDEMPOTENCY_PERHAPS);
    for (uint64_t n = OVER; n < OVER + 1000; n++)
        assert_int_equal(find(&i, n, now_ms), IDEMPOTENCY_FOUND);
    int perhaps = 0;
    for (uint64_t n = 0; n < 10000; n++)
        perhaps += find(&i, n + 100000000, now_ms) == IDEMPOTENCY_PERHAPS;
    assert_in_range(perhaps, 0, 10);

    /* what the book returns is exact again */
    struct idempotency_image image = image_of(7, 0);
    idempotency_add(&i, &image, 0);
    assert_int_equal(find(&i, 7, now_ms), IDEMPOTENCY_FOUND);
    idempotency_release(&i);
}

/* Two filters of a day each: a key younger than a day is in one of them, or exact. */
static void filters_cover_a_day(void **state)
{
    (void)state;
    enum { AT_ONCE = 400000, STEPS = 8, STEP_HOURS = 8 };
    struct idempotency i;
    idempotency_init(&i);
    for (uint64_t step = 0; step < STEPS; step++) {
        int64_t now_ms = (int64_t)step * STEP_HOURS * HOUR_MS;
        for (uint64_t n = 0; n < AT_ONCE; n++) {
            struct idempotency_image image = image_of(step * AT_ONCE + n, now_ms);
            idempotency_add(&i, &image, 1);
        }
        for (int k = 0; k < 2 * AT_ONCE / 1000; k++)
            idempotency_forget(&i, 1, now_ms, 1024);
        assert_in_range(i.queue_count, 0, IDEMPOTENCY_EXACT);
        for (uint64_t n = 0; n < (step + 1) * AT_ONCE; n += 101) {
            bool valid = now_ms < (int64_t)(n / AT_ONCE) * STEP_HOURS * HOUR_MS + IDEMPOTENCY_KEEP_MS;
            enum idempotency_finding finding = find(&i, n, now_ms);
            assert_int_not_equal(finding, valid ? IDEMPOTENCY_NEW : IDEMPOTENCY_FOUND);
        }
    }
    assert_true(i.filters[0] && i.filters[1]);
    idempotency_release(&i);
}

/* Starting on a book with more keys than memory may have, as after a day of heavy load. */
static void loading_is_bounded(void **unused)
{
    (void)unused;
    enum { OVER = 300000 };
    struct state *st = state_make();
    uint32_t most = 0;
    int64_t now_ms = 0;
    for (uint64_t n = 0; n < IDEMPOTENCY_EXACT + OVER; n++) {
        now_ms = (int64_t)(n * 23 * HOUR_MS / (IDEMPOTENCY_EXACT + OVER));
        struct idempotency_image image = image_of(n, now_ms);
        state_remember_idempotency(st, &image);
        most = st->idempotency.queue_count > most ? st->idempotency.queue_count : most;
    }
    assert_int_equal(most, IDEMPOTENCY_EXACT);
    assert_int_equal(st->idempotency.entries.count, IDEMPOTENCY_EXACT);
    for (uint64_t n = 0; n < IDEMPOTENCY_EXACT + OVER; n += 997)
        assert_int_equal(find(&st->idempotency, n, now_ms),
                         n < OVER ? IDEMPOTENCY_PERHAPS : IDEMPOTENCY_FOUND);
    /* A key that was read from the book again is exact, although all others are younger. */
    struct idempotency_image image = image_of(7, 0);
    state_remember_idempotency(st, &image);
    assert_int_equal(find(&st->idempotency, 7, now_ms), IDEMPOTENCY_FOUND);
    assert_int_equal(st->idempotency.queue_count, IDEMPOTENCY_EXACT);
    state_release(st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_for_a_day),
        cmocka_unit_test(replaced_when_too_old),
        cmocka_unit_test(over_the_bound_the_answer_is_perhaps),
        cmocka_unit_test(filters_cover_a_day),
        cmocka_unit_test(loading_is_bounded),
    };
    return cmocka_run_group_tests_name("core_idempotency", tests, NULL, NULL);
}
