/* SPDX-License-Identifier: Apache-2.0 */
/* The table agrees with a naive map through a million operations, and no call moves more than a few slots. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/crypto/hash.h"
#include "base/memory/table.h"

#define TABLE_MOVES_MAX 8

/* A naive map: handle h is the key h; `there` says whether it is in the table. */
struct table_model {
    struct table table;
    bool *there;
    uint32_t keys;
    uint64_t (*hash)(uint32_t key);
    uint64_t seed;
    uint32_t asked; /* hash_of calls during the current operation */
};

static uint64_t table_hash_good(uint32_t key)
{
    return hash_sip((struct hash_key){7, 9}, &key, sizeof key);
}

/* All homes among the last four slots of any table: one run, around the end, of mostly equal tags. */
static uint64_t table_hash_crowded(uint32_t key)
{
    uint64_t hash = table_hash_good(key);
    return (hash & 0x0003000000000000) | (0x0000ffffffffffff - (hash & 3));
}

static uint64_t table_hash_constant(uint32_t key)
{
    (void)key;
    return 0;
}

static uint64_t table_hash_in_a_row(uint32_t key)
{
    return key;
}

static uint64_t table_model_hash_of(void *owner, uint32_t handle)
{
    struct table_model *m = owner;
    assert_true(m->there[handle]);
    m->asked++;
    return m->hash(handle);
}

static bool table_model_same(void *owner, uint32_t handle, const void *key)
{
    struct table_model *m = owner;
    assert_true(m->there[handle]);
    return handle == *(const uint32_t *)key;
}

static struct table_model *table_model_make(uint32_t keys, uint64_t (*hash)(uint32_t key))
{
    struct table_model *m = calloc(1, sizeof *m);
    m->there = calloc(keys, sizeof *m->there);
    m->keys = keys;
    m->hash = hash;
    m->seed = 1;
    table_init(&m->table, table_model_hash_of, m);
    return m;
}

static void table_model_free(struct table_model *m)
{
    table_release(&m->table);
    free(m->there);
    free(m);
}

static uint32_t table_model_draw(struct table_model *m, uint32_t below)
{
    m->seed = m->seed * 6364136223846793005 + 1442695040888963407;
    return (uint32_t)((m->seed >> 33) % below);
}

static void table_model_check_key(struct table_model *m, uint32_t key)
{
    uint32_t found = table_find(&m->table, m->hash(key), table_model_same, &key);
    assert_int_equal(found, m->there[key] ? key : TABLE_NONE);
}

static void table_model_check_all(struct table_model *m)
{
    uint64_t count = 0;
    for (uint32_t key = 0; key < m->keys; key++) {
        table_model_check_key(m, key);
        count += m->there[key];
    }
    assert_int_equal(m->table.count, count);
}

static void table_model_operate(struct table_model *m, uint32_t inserts_percent)
{
    uint32_t key = table_model_draw(m, m->keys);
    bool insert = table_model_draw(m, 100) < inserts_percent;
    m->asked = 0;
    if (insert && !m->there[key]) {
        table_insert(&m->table, m->hash(key), key);
        m->there[key] = true;
    } else if (!insert && m->there[key]) {
        table_remove(&m->table, m->hash(key), key);
        m->there[key] = false;
    }
    assert_true(m->asked <= TABLE_MOVES_MAX);
    assert_true(!m->table.now.handles || m->table.used * 5 <= (m->table.now.mask + 1) * 4);
    m->asked = 0;
    table_model_check_key(m, table_model_draw(m, m->keys));
    assert_true(m->asked <= TABLE_MOVES_MAX);
}

static void table_agrees_through_a_million_operations(void **state)
{
    (void)state;
    struct table_model *m = table_model_make(200000, table_hash_good);
    const uint32_t inserts_percent[] = {95, 70, 50, 10, 50, 90, 30, 50, 2, 80};
    for (int phase = 0; phase < 10; phase++) {
        for (int i = 0; i < 100000; i++)
            table_model_operate(m, inserts_percent[phase]);
        table_model_check_all(m);
    }
    table_model_free(m);
}

static void table_agrees_when_everything_collides(void **state)
{
    (void)state;
    uint64_t (*const hashes[])(uint32_t) = {table_hash_crowded, table_hash_constant};
    for (int h = 0; h < 2; h++) {
        struct table_model *m = table_model_make(300, hashes[h]);
        for (int i = 0; i < 60000; i++) {
            table_model_operate(m, 20 + (uint32_t)(i / 1000 % 7) * 10);
            if (i % 97 == 0)
                table_model_check_all(m);
        }
        table_model_free(m);
    }
}

/* Checked after every single step of growing, so that each value of `moved` occurs. */
static void table_finds_everything_at_every_step_of_growing(void **state)
{
    (void)state;
    uint64_t (*const hashes[])(uint32_t) = {table_hash_good, table_hash_crowded};
    for (int h = 0; h < 2; h++) {
        struct table_model *m = table_model_make(450, hashes[h]);
        for (uint32_t key = 0; key < m->keys; key++) {
            table_insert(&m->table, m->hash(key), key);
            m->there[key] = true;
            struct table now = m->table;
            for (uint32_t k = 0; k <= key; k += 1 + key / 50) {
                uint32_t found = table_find(&m->table, m->hash(k), table_model_same, &k);
                assert_int_equal(found, k);
                /* Finding moves slots too: start removing halfway, from both sides. */
                if (now.old.handles && k % 5 == 4) {
                    table_remove(&m->table, m->hash(k), k);
                    table_insert(&m->table, m->hash(k), k);
                }
            }
        }
        table_model_check_all(m);
        table_model_free(m);
    }
}

/* First in, first out. With homes in a row every removal leaves a mark, which only a rebuild clears. */
static void table_steady_churn_does_not_grow_it(void **state)
{
    (void)state;
    uint64_t (*const hashes[])(uint32_t) = {table_hash_good, table_hash_in_a_row};
    for (int h = 0; h < 2; h++) {
        struct table_model *m = table_model_make(300000, hashes[h]);
        for (uint32_t key = 0; key < m->keys; key++) {
            table_insert(&m->table, m->hash(key), key);
            m->there[key] = true;
            if (key >= 1000) {
                table_remove(&m->table, m->hash(key - 1000), key - 1000);
                m->there[key - 1000] = false;
            }
        }
        assert_true(m->table.now.mask + 1 <= 4096);
        table_model_check_all(m);
        table_model_free(m);
    }
}

static void table_is_usable_after_release(void **state)
{
    (void)state;
    struct table_model *m = table_model_make(100, table_hash_good);
    table_model_check_key(m, 5);
    table_release(&m->table);
    table_insert(&m->table, m->hash(5), 5);
    m->there[5] = true;
    table_model_check_all(m);
    table_release(&m->table);
    m->there[5] = false;
    table_model_check_all(m);
    table_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_agrees_through_a_million_operations),
        cmocka_unit_test(table_agrees_when_everything_collides),
        cmocka_unit_test(table_finds_everything_at_every_step_of_growing),
        cmocka_unit_test(table_steady_churn_does_not_grow_it),
        cmocka_unit_test(table_is_usable_after_release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
