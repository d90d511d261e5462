/* SPDX-License-Identifier: Apache-2.0 */
/* The first whole answer of a large event does not block the loop: the caller waits for it, and for nothing else. */
#include "../lib/view_loop.h"

#include "store_fixture.h"

#include "core/catalogue/event.h"

#define LARGE 60000u

static int set_up(void **state)
{
    (void)state;
    if (fixture_open(&(struct store_options){0}) != 0)
        return -1;
    fixture_seats(0, LARGE);
    struct command small = {.kind = COMMAND_EVENT_PUT, .actor = {.role = ROLE_ADMIN}};
    small.event_put.image = event_find(store->state, TEXT("show"))->image;
    small.event_put.image.id = TEXT("small");
    fixture_submit(&small);
    return 0;
}

struct answer {
    bool there;
    enum outcome_code code;
    uint64_t seq;
    struct document *document;
};

static void on_answer(void *ctx, enum outcome_code code, struct document *document)
{
    struct answer *a = ctx;
    assert_false(a->there);
    *a = (struct answer){.there = true, .code = code, .document = document};
    assert_int_equal(document != NULL, code == OUTCOME_OK);
    if (document)
        a->seq = document->seq;
}

static void ask_of(const char *event, enum availability_format format, uint64_t since, struct answer *a)
{
    *a = (struct answer){0};
    view_availability(view, (struct text){event, strlen(event)}, format, since, on_answer, a);
}

static void ask(enum availability_format format, uint64_t since, struct answer *a)
{
    ask_of("show", format, since, a);
}

static void done_with(struct answer *a)
{
    document_release(a->document);
}

static bool says(const struct answer *a, const char *words)
{
    return memmem(a->document->plain.data, a->document->plain.size, words, strlen(words)) != NULL;
}

static void the_first_answer_is_awaited_and_shared(void **state)
{
    (void)state;
    struct answer first, second, map, small, changed;
    ask(AVAILABILITY_JSON, 0, &first);
    ask(AVAILABILITY_JSON, 0, &second);
    ask(AVAILABILITY_MAP, 0, &map);
    assert_false(first.there || second.there || map.there);
    ask_of("small", AVAILABILITY_JSON, 0, &small); /* at once, in the meantime */
    assert_true(small.there);
    uint64_t before = fixture_hold(5), seq = fixture_hold(59999);
    ask(AVAILABILITY_JSON, before, &changed); /* and so is a difference */
    assert_true(changed.there && says(&changed, "\"S59999\":\"held\"") && !says(&changed, "S5\""));
    uint32_t turns = 0;
    for (; !first.there && turns < 100000; turns++)
        uv_run(&loop, UV_RUN_ONCE);
    assert_true(turns >= LARGE / 8192 / 2); /* a slice for the idle turn, and one if the tick comes in it */
    assert_ptr_equal(first.document, second.document);
    assert_int_equal(first.seq, seq);
    assert_true(says(&first, "\"S5\":\"held\"") && says(&first, "\"S59999\":\"held\"") &&
                says(&first, "\"full\":true"));
    run_until(map.there);
    assert_true(says(&map, "aaaaaha") && says(&map, "ah\"}"));
    done_with(&first);
    done_with(&second);
    done_with(&map);
    done_with(&small);
    done_with(&changed);
    ask(AVAILABILITY_JSON, 0, &first); /* ready by now */
    assert_true(first.there);
    done_with(&first);
}

static void following_an_event_makes_no_board(void **state)
{
    (void)state;
    struct event_view seen;
    struct answer a;
    assert_true(view_event_find(view, TEXT("show"), &seen));
    view_touches(view, seen.image.number, seen.seq, NULL, NULL);
    uint64_t seq = fixture_hold(1);
    ask(AVAILABILITY_JSON, seq - 1, &a);
    assert_true(a.there && says(&a, "\"full\":false"));
    done_with(&a);
    ask(AVAILABILITY_JSON, 0, &a);
    assert_false(a.there);
    run_until(a.there);
    done_with(&a);
}

static void a_new_layout_restarts_it(void **state)
{
    (void)state;
    struct answer a;
    struct fixture_seats more = {.first = LARGE + 10, .count = 10};
    struct actor admin = {.role = ROLE_ADMIN};
    ask(AVAILABILITY_JSON, 0, &a);
    run_until(a.there);
    done_with(&a);
    fixture_seats(LARGE, 10);
    ask(AVAILABILITY_JSON, 0, &a);
    assert_false(a.there);
    run_until(a.there);
    assert_true(says(&a, "\"S60009\":\"available\"}"));
    done_with(&a);
    /* while a caller waits, whichever is done first */
    fixture_hold(1);
    store_import(store, &admin, TEXT("show"), fixture_read_seats, fixture_on_imported, &more);
    ask(AVAILABILITY_JSON, 0, &a);
    run_until(a.there && more.done);
    done_with(&a);
    ask(AVAILABILITY_JSON, 0, &a);
    run_until(a.there);
    assert_true(says(&a, "\"S60019\":\"available\"}"));
    done_with(&a);
}

static void waiters_are_told_that_the_event_is_gone(void **state)
{
    (void)state;
    struct answer a, b;
    ask(AVAILABILITY_JSON, 0, &a);
    ask(AVAILABILITY_MAP, 0, &b);
    struct command c = {.kind = COMMAND_EVENT_REMOVE, .actor = {.role = ROLE_ADMIN}, .event = TEXT("show")};
    fixture_submit(&c);
    assert_false(a.there || b.there);
    run_until(a.there);
    run_until(b.there);
    assert_int_equal(a.code, OUTCOME_NO_SUCH_EVENT);
    assert_int_equal(b.code, OUTCOME_NO_SUCH_EVENT);
    ask(AVAILABILITY_JSON, 0, &a);
    assert_int_equal(a.code, OUTCOME_NO_SUCH_EVENT);
}

static struct answer at_the_end;

static void waiters_are_answered_at_shutdown(void **state)
{
    (void)state;
    ask(AVAILABILITY_JSON, 0, &at_the_end);
    assert_false(at_the_end.there);
}

static int close_and_look(void **state)
{
    int result = fixture_clear(state);
    return result == 0 && at_the_end.there && at_the_end.code == OUTCOME_UNAVAILABLE ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_first_answer_is_awaited_and_shared, set_up, fixture_clear),
        cmocka_unit_test_setup_teardown(following_an_event_makes_no_board, set_up, fixture_clear),
        cmocka_unit_test_setup_teardown(a_new_layout_restarts_it, set_up, fixture_clear),
        cmocka_unit_test_setup_teardown(waiters_are_told_that_the_event_is_gone, set_up, fixture_clear),
        cmocka_unit_test_setup_teardown(waiters_are_answered_at_shutdown, set_up, close_and_look),
    };
    return cmocka_run_group_tests_name("view_availability", tests, NULL, NULL);
}
