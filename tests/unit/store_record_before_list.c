/* SPDX-License-Identifier: Apache-2.0 */
/* Single records of the book are answered while a list takes its time, each kind in order of request. */
#include "../lib/book_fixture.h"

#include <pthread.h>

#include "store/librarian.h"

#define PATIENCE_MS 120000
#define RECORDS 20

/* The list's thread waits in its first row until it is released. */
static struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool entered, open;
} gate = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static struct librarian librarian;
static uv_loop_t loop;
static struct bell ready;
static uv_timer_t patience;
static struct booking bookings[RECORDS];
static struct fetch fetches[RECORDS + 1]; /* and a key */
static uint32_t records, keys, lists;
static bool impatient;

static void on_row(void *ctx, const struct query_row *row)
{
    const struct reservation_image *r = row->reservation;
    (void)ctx;
    assert_non_null(r);
    assert_null(row->history);
    pthread_mutex_lock(&gate.mutex);
    gate.entered = true;
    pthread_cond_broadcast(&gate.changed);
    while (!gate.open)
        pthread_cond_wait(&gate.changed, &gate.mutex);
    pthread_mutex_unlock(&gate.mutex);
}

static void on_list(void *ctx, const struct query_result *result)
{
    assert_true(result->ok);
    assert_ptr_equal(ctx, (void *)(uintptr_t)(lists + 1));
    lists++;
}

static void on_record(void *ctx, struct fetch *fetch, const struct fetched *found)
{
    const struct booking *asked = ctx;
    assert_non_null(found);
    assert_true(found[0].found);
    assert_true(id_equal(found[0].reservation.id, asked->image.id));
    assert_ptr_equal(fetch, &fetches[records]);
    assert_ptr_equal(asked, &bookings[records]); /* in order */
    records++;
}

static void on_key(void *ctx, struct fetch *fetch, const struct fetched *found)
{
    (void)ctx;
    assert_ptr_equal(fetch, &fetches[RECORDS]);
    assert_non_null(found);
    assert_false(found[0].found);
    keys++;
}

/* Requests one record. */
static void ask(struct fetch *fetch, struct record_key key, librarian_fetched_fn done, void *ctx)
{
    fetch->keys[0] = key;
    fetch->count = 1;
    librarian_fetch(&librarian, fetch, 0, done, ctx);
}

static void on_ready(void *ctx)
{
    (void)ctx;
    librarian_collect(&librarian);
}

static void on_bell_closed(void *ctx)
{
    (void)ctx;
}

static void on_patience(uv_timer_t *handle)
{
    (void)handle;
    impatient = true;
}

static void release_worker(void)
{
    pthread_mutex_lock(&gate.mutex);
    gate.open = true;
    pthread_cond_broadcast(&gate.changed);
    pthread_mutex_unlock(&gate.mutex);
}

/* Until there are that many answers of each kind, or time runs out. */
static void run_until(uint32_t lists_wanted, uint32_t records_wanted, uint32_t keys_wanted)
{
    uv_timer_start(&patience, on_patience, PATIENCE_MS, 0);
    while (!impatient && (lists < lists_wanted || records < records_wanted || keys < keys_wanted))
        uv_run(&loop, UV_RUN_ONCE);
}

static void a_record_never_waits_behind_a_list(void **state)
{
    struct fixture *f = *state;
    uint64_t event = fixture_event(f, "eras");
    fixture_seats(f, event, RECORDS);
    for (uint32_t i = 0; i < RECORDS; i++)
        fixture_hold(f, &bookings[i], "ann", event, i);
    fixture_commit(f);
    uv_loop_init(&loop);
    bell_open(&ready, &loop, on_ready, NULL);
    uv_timer_init(&loop, &patience);
    assert_ok(librarian_start(&librarian, f->path, &ready));

    struct query query = {.kind = QUERY_RESERVATIONS, .limit = 10};
    librarian_query(&librarian, &query, 0, on_row, on_list, (void *)1);
    librarian_query(&librarian, &query, 0, on_row, on_list, (void *)2);
    librarian_hand_over(&librarian);
    pthread_mutex_lock(&gate.mutex);
    while (!gate.entered)
        pthread_cond_wait(&gate.changed, &gate.mutex);
    pthread_mutex_unlock(&gate.mutex);
    for (uint32_t i = 0; i < RECORDS; i++)
        ask(&fetches[i], (struct record_key){FETCH_RESERVATION, .id = bookings[i].image.id}, on_record,
            &bookings[i]);
    ask(&fetches[RECORDS], (struct record_key){FETCH_IDEMPOTENCY, .idempotency = {1, 2}}, on_key, NULL);
    librarian_hand_over(&librarian);
    run_until(0, RECORDS, 1);
    bool in_time = !impatient;
    uint32_t lists_then = lists;
    bool idle = librarian_idle(&librarian);
    release_worker();
    impatient = false;
    run_until(2, RECORDS, 1);
    assert_true(in_time);
    assert_int_equal(lists_then, 0);
    assert_false(idle);
    assert_int_equal(lists, 2);
    assert_true(librarian_idle(&librarian));

    librarian_stop(&librarian);
    bell_close(&ready, on_bell_closed);
    uv_close((uv_handle_t *)&patience, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {book_test(a_record_never_waits_behind_a_list)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
