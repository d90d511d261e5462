/* SPDX-License-Identifier: Apache-2.0 */
/* A growing index finds everything that was added, even while another thread adds; and a growing array does not
 * move. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>

#include "base/memory/chunked.h"
#include "base/memory/growing_index.h"

#define ENTRIES 300000u /* beyond the point where one table becomes many */

static uint64_t hash_of(uint32_t n)
{
    uint64_t v = (n + 1) * 0x9e3779b97f4a7c15u;
    return (v ^ v >> 31) * 0xbf58476d1ce4e5b9u;
}

static bool same(const void *owner, uint32_t value, const void *key)
{
    (void)owner;
    return value == *(const uint32_t *)key;
}

static bool has(const struct growing_index *g, uint32_t value)
{
    return growing_index_find(g, hash_of(value), same, NULL, &value) == value;
}

static struct growing_index shared;
static _Atomic uint32_t added;

static void *add_all(void *ctx)
{
    (void)ctx;
    for (uint32_t i = 1; i <= ENTRIES; i++) {
        growing_index_add(&shared, hash_of(i), i);
        atomic_store(&added, i);
    }
    return NULL;
}

static void entries_are_found_while_others_are_added(void **state)
{
    (void)state;
    pthread_t thread;
    growing_index_init(&shared);
    assert_int_equal(pthread_create(&thread, NULL, add_all, NULL), 0);
    for (uint32_t seen = 0, n = 0; seen < ENTRIES; n += 7919) {
        seen = atomic_load(&added);
        if (seen)
            assert_true(has(&shared, n % seen + 1));
    }
    pthread_join(thread, NULL);
    growing_index_clear(&shared);
    for (uint32_t i = 1; i <= ENTRIES; i++)
        assert_true(has(&shared, i));
    for (uint32_t i = ENTRIES + 1; i <= ENTRIES + 1000; i++)
        assert_false(has(&shared, i));
    growing_index_release(&shared);
    assert_false(has(&shared, 1));
}

static void equal_hashes_are_distinguished_and_a_copy_has_the_earlier_entries(void **state)
{
    (void)state;
    struct growing_index g, copy;
    growing_index_init(&g);
    growing_index_init(&copy);
    for (uint32_t i = 1; i <= 500; i++)
        growing_index_add(&g, 5, i);
    growing_index_copy(&copy, &g, 300);
    for (uint32_t i = 1; i <= 500; i++) {
        assert_int_equal(growing_index_find(&g, 5, same, NULL, &i), i);
        assert_int_equal(growing_index_find(&copy, 5, same, NULL, &i), i < 300 ? i : 0);
    }
    growing_index_release(&g);
    growing_index_release(&copy);
}

static void a_reserved_index_grows_no_table_early_and_takes_more(void **state)
{
    (void)state;
    const uint32_t reserved[] = {0, 1, 1000, ENTRIES};
    for (size_t k = 0; k < sizeof(reserved) / sizeof(*reserved); k++) {
        struct growing_index g;
        growing_index_init(&g);
        growing_index_reserve(&g, reserved[k]);
        for (uint32_t i = 1; i <= reserved[k]; i++) {
            growing_index_prefetch(&g, hash_of(i));
            assert_false(has(&g, i));
            growing_index_add(&g, hash_of(i), i);
        }
        assert_true(reserved[k] == ENTRIES ||
                    !g.retired); /* of many tables a few get more than their share */
        assert_null(g.retired_tables);
        for (uint32_t i = reserved[k] + 1; i <= ENTRIES; i++)
            growing_index_add(&g, hash_of(i), i);
        for (uint32_t i = 1; i <= ENTRIES; i++)
            assert_true(has(&g, i));
        growing_index_release(&g);
    }
}

static void an_array_grows_in_place(void **state)
{
    (void)state;
    struct chunked c, copy;
    chunked_init(&c, sizeof(uint32_t));
    chunked_init(&copy, sizeof(uint32_t));
    uint32_t *first = chunked_make(&c, 0);
    for (uint32_t i = 0; i < 100000; i++)
        *(uint32_t *)chunked_make(&c, i) = i;
    assert_ptr_equal(first, chunked_at(&c, 0));
    chunked_copy(&copy, &c, 77777);
    for (uint32_t i = 0; i < 77777; i++) {
        assert_int_equal(*(uint32_t *)chunked_at(&copy, i), i);
        if (chunked_left(i) > 1)
            assert_ptr_equal((uint32_t *)chunked_at(&c, i) + 1, chunked_at(&c, i + 1));
        else
            assert_int_equal(chunked_chunk(i + 1), chunked_chunk(i) + 1);
    }
    assert_int_equal(chunked_left(0), 16);
    assert_int_equal(chunked_left(16), 32);
    assert_int_equal(chunked_left(15), 1);
    chunked_release(&c);
    chunked_release(&copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_found_while_others_are_added),
        cmocka_unit_test(equal_hashes_are_distinguished_and_a_copy_has_the_earlier_entries),
        cmocka_unit_test(a_reserved_index_grows_no_table_early_and_takes_more),
        cmocka_unit_test(an_array_grows_in_place),
    };
    return cmocka_run_group_tests_name("base_growing_index", tests, NULL, NULL);
}
