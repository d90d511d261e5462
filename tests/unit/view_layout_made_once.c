/* SPDX-License-Identifier: Apache-2.0 */
/* However many callers request a layout at once, it is made once for each version, and all get the same one. */
#include "../lib/view_loop.h"

#include "store_fixture.h"

#include <pthread.h>

#define ASKING 200u
#define POOL 4 /* threads of libuv's pool */

/* ---- The worker pool, held up ---- */

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool closed;
} gate = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
static uv_work_t holding[POOL];
static uint32_t held_up;

static void wait_for_gate(uv_work_t *work)
{
    (void)work;
    pthread_mutex_lock(&gate.mutex);
    while (gate.closed)
        pthread_cond_wait(&gate.changed, &gate.mutex);
    pthread_mutex_unlock(&gate.mutex);
}

static void gate_passed(uv_work_t *work, int status)
{
    (void)work;
    (void)status;
    held_up--;
}

static void hold_up(void)
{
    gate.closed = true;
    held_up = POOL;
    for (int i = 0; i < POOL; i++)
        uv_queue_work(&loop, &holding[i], wait_for_gate, gate_passed);
}

static void release_workers(void)
{
    pthread_mutex_lock(&gate.mutex);
    gate.closed = false;
    pthread_cond_broadcast(&gate.changed);
    pthread_mutex_unlock(&gate.mutex);
    run_until(held_up == 0);
}

/* ---- Asking ---- */

struct asked {
    struct document *documents[ASKING];
    uint32_t count, answered;
};

static void on_layout(void *ctx, struct document *document)
{
    struct asked *a = ctx;
    assert_non_null(document);
    assert_true(document->plain.size > 0 && document->gzip.size > 0);
    a->documents[a->answered++] = document;
}

static void ask(struct asked *a, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        view_layout(view, TEXT("show"), on_layout, a);
    a->count += count;
}

static void all_the_same(const struct asked *a)
{
    assert_int_equal(a->answered, a->count);
    for (uint32_t i = 1; i < a->answered; i++)
        assert_ptr_equal(a->documents[i], a->documents[0]);
}

static void release(struct asked *a)
{
    for (uint32_t i = 0; i < a->answered; i++)
        document_release(a->documents[i]);
}

/* ---- Claims ---- */

static void a_stampede_makes_one_layout(void **state)
{
    (void)state;
    struct asked a = {0};
    fixture_seats(1, 500);
    hold_up();
    uint32_t working = store->working;
    ask(&a, 50);
    assert_int_equal(store->working, working + 1);
    for (int turn = 0; turn < 3; turn++) { /* others come in later turns of the loop */
        uv_run(&loop, UV_RUN_NOWAIT);
        working = store->working;
        ask(&a, 50);
        assert_int_equal(store->working, working);
    }
    assert_int_equal(a.answered, 0);
    release_workers();
    run_until(a.answered == a.count);
    all_the_same(&a);
    assert_int_equal(a.documents[0]->references, a.count + 1); /* and the store's own */
    release(&a);
    struct asked late = {0};
    working = store->working;
    ask(&late, 1);
    assert_int_equal(late.answered, 1); /* at once */
    assert_ptr_equal(late.documents[0], a.documents[0]);
    assert_int_equal(store->working, working);
    release(&late);
}

static void each_version_is_made_once(void **state)
{
    (void)state;
    struct asked first = {0}, second = {0};
    fixture_seats(1, 10);
    ask(&first, 3);
    run_until(first.answered == first.count);
    fixture_seats(11, 10);
    hold_up();
    uint32_t working = store->working;
    ask(&second, 100);
    assert_int_equal(store->working, working + 1);
    release_workers();
    run_until(second.answered == second.count);
    all_the_same(&first);
    all_the_same(&second);
    assert_string_not_equal(first.documents[0]->etag, second.documents[0]->etag);
    assert_true(second.documents[0]->plain.size > first.documents[0]->plain.size);
    assert_int_equal(first.documents[0]->references, first.count); /* the store has released it */
    release(&first);
    release(&second);
}

static void on_none(void *ctx, struct document *document)
{
    assert_null(document);
    ++*(uint32_t *)ctx;
}

static void no_event_no_layout(void **state)
{
    (void)state;
    uint32_t told = 0;
    view_layout(view, TEXT("none"), on_none, &told);
    assert_int_equal(told, 1);
}

static int set_up(void **state)
{
    (void)state;
    return fixture_open(&(struct store_options){0});
}

static int tear_down(void **state)
{
    release_workers(); /* also after a failure */
    return fixture_clear(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_stampede_makes_one_layout, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_version_is_made_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_event_no_layout, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
