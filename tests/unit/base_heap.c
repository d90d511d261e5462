/* SPDX-License-Identifier: Apache-2.0 */
/* The heap agrees with a naive list, and every owner always knows its place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/memory/heap.h"

#define HEAP_HANDLES 300

struct heap_model {
    struct heap heap;
    int64_t at_ms[HEAP_HANDLES];
    uint32_t place[HEAP_HANDLES];
    uint64_t seed;
};

static void heap_model_placed(void *owner, uint64_t handle, uint32_t place)
{
    struct heap_model *m = owner;
    m->place[handle] = place;
}

static void heap_model_init(struct heap_model *m)
{
    *m = (struct heap_model){.seed = 3};
    for (int i = 0; i < HEAP_HANDLES; i++)
        m->place[i] = HEAP_NONE;
    heap_init(&m->heap, heap_model_placed, m);
}

static uint32_t heap_model_draw(struct heap_model *m, uint32_t below)
{
    m->seed = m->seed * 6364136223846793005 + 1442695040888963407;
    return (uint32_t)((m->seed >> 33) % below);
}

static void heap_model_check(const struct heap_model *m)
{
    uint32_t count = 0, first = HEAP_NONE;
    for (uint32_t h = 0; h < HEAP_HANDLES; h++) {
        if (m->place[h] == HEAP_NONE)
            continue;
        count++;
        assert_true(m->place[h] < m->heap.count);
        assert_int_equal(m->heap.entries[m->place[h]].handle, h);
        assert_true(m->heap.entries[m->place[h]].at_ms == m->at_ms[h]);
        if (first == HEAP_NONE || m->at_ms[h] < m->at_ms[first])
            first = h; /* among equals the smallest handle */
    }
    assert_int_equal(m->heap.count, count);
    if (count)
        assert_int_equal(heap_first(&m->heap)->handle, first);
    else
        assert_null(heap_first(&m->heap));
}

static void heap_agrees_with_a_list(void **state)
{
    (void)state;
    struct heap_model m;
    heap_model_init(&m);
    heap_model_check(&m);
    for (int i = 0; i < 50000; i++) {
        uint32_t handle = heap_model_draw(&m, HEAP_HANDLES);
        int64_t at_ms = (int64_t)heap_model_draw(&m, 60) - 30;
        if (m.place[handle] == HEAP_NONE) {
            m.at_ms[handle] = at_ms;
            heap_push(&m.heap, at_ms, handle);
        } else if (heap_model_draw(&m, 2)) {
            m.at_ms[handle] = at_ms;
            heap_change(&m.heap, m.place[handle], at_ms);
        } else {
            heap_remove(&m.heap, m.place[handle]);
            assert_int_equal(m.place[handle], HEAP_NONE);
        }
        if (i % 5000 > 4000 && m.heap.count)
            heap_remove(&m.heap, 0);
        heap_model_check(&m);
    }
    heap_release(&m.heap);
}

static void heap_empties_in_order(void **state)
{
    (void)state;
    struct heap h;
    heap_init(&h, NULL, NULL);
    uint64_t seed = 1;
    for (uint64_t i = 0; i < 100000; i++) {
        seed = seed * 6364136223846793005 + 1442695040888963407;
        heap_push(&h, (int64_t)(seed >> 45) - 200000, i);
    }
    struct heap_entry before = {.at_ms = INT64_MIN};
    for (int i = 0; i < 100000; i++) {
        struct heap_entry first = *heap_first(&h);
        assert_true(first.at_ms > before.at_ms ||
                    (first.at_ms == before.at_ms && first.handle > before.handle));
        before = first;
        heap_remove(&h, 0);
    }
    assert_null(heap_first(&h));
    heap_release(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heap_agrees_with_a_list),
        cmocka_unit_test(heap_empties_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
