/* SPDX-License-Identifier: Apache-2.0 */
/* Availability answers retained by slow readers are bounded: beyond the bound a whole answer is refused, until some are
 * released. Shared answers count once. */
#include "../lib/view_loop.h"

#include "store_fixture.h"

#define SEATS 2000u
#define ANSWERS_MAX (256u << 10)
#define KEPT_MAX 64

static int set_up(void **state)
{
    (void)state;
    view_answers_max = ANSWERS_MAX;
    if (fixture_open(&(struct store_options){0}) != 0)
        return -1;
    fixture_seats(1, SEATS);
    return 0;
}

struct answer {
    enum outcome_code code;
    struct document **document;
};

static void on_answer(void *ctx, enum outcome_code code, struct document *document)
{
    struct answer *a = ctx;
    a->code = code;
    *a->document = document;
}

/* An event of this size is answered at once. */
static enum outcome_code ask(enum availability_format format, uint64_t since, struct document **out)
{
    struct answer answer = {.code = OUTCOME_RETRY, .document = out};
    view_availability(view, TEXT("show"), format, since, on_answer, &answer);
    assert_int_not_equal(answer.code, OUTCOME_RETRY);
    return answer.code;
}

static void retained_answers_are_bounded(void **state)
{
    (void)state;
    struct document *kept[KEPT_MAX], *same;
    uint32_t count = 0;
    uint64_t size = 0;
    enum outcome_code code = OUTCOME_OK;
    while (code == OUTCOME_OK) {
        assert_true(count < KEPT_MAX);
        fixture_hold(count + 1); /* so that the next answer is another one */
        code = ask(AVAILABILITY_JSON, 0, &kept[count]);
        if (code != OUTCOME_OK)
            break;
        size += kept[count]->plain.size;
        assert_int_equal(ask(AVAILABILITY_JSON, 0, &same),
                         size > ANSWERS_MAX ? OUTCOME_UNAVAILABLE : OUTCOME_OK);
        if (size <= ANSWERS_MAX) {
            assert_ptr_equal(same, kept[count]);
            document_release(same);
        }
        count++;
    }
    assert_int_equal(code, OUTCOME_UNAVAILABLE);
    assert_true(count >= 4);
    assert_int_equal(view->answer_bytes, size);
    size_t one = kept[0]->plain.size;
    assert_in_range(size, ANSWERS_MAX + 1, ANSWERS_MAX + 2 * one);
    assert_int_equal(ask(AVAILABILITY_MAP, 0, &same), OUTCOME_UNAVAILABLE);

    /* Differences are still answered: they are small. */
    uint64_t version = kept[count - 1]->seq;
    assert_int_equal(ask(AVAILABILITY_JSON, version, &same), OUTCOME_OK);
    assert_true(same->plain.size < 1000);
    document_release(same);

    document_release(kept[0]);
    document_release(kept[1]);
    assert_int_equal(ask(AVAILABILITY_JSON, 0, &same), OUTCOME_OK);
    document_release(same);
    for (uint32_t i = 2; i < count; i++)
        document_release(kept[i]);
    assert_in_range(view->answer_bytes, 1, 2 * one); /* what the board itself keeps */
}

static void readers_who_release_meet_no_bound(void **state)
{
    (void)state;
    struct document *answer;
    for (uint32_t i = 1; i <= 200; i++) {
        fixture_hold(i);
        assert_int_equal(ask(i % 2 ? AVAILABILITY_JSON : AVAILABILITY_MAP, 0, &answer), OUTCOME_OK);
        document_release(answer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(retained_answers_are_bounded, set_up, fixture_clear),
        cmocka_unit_test_setup_teardown(readers_who_release_meet_no_bound, set_up, fixture_clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
