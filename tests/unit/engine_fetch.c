/* SPDX-License-Identifier: Apache-2.0 */
/* A command names everything it lacks at once, so the book is read once; and the same record is never read twice at the
 * same time: other commands that need it wait for the first read. */
#include <stdlib.h>

#include "../lib/core_fixture.h"
#include "../lib/world.h"
#include "base/memory/memory.h"
#include "core/claim/reservation.h"

#define HOUR_MS (3600LL * 1000)

static const struct id sale = {1, 1};
static struct world w;
static struct outcome out;

static enum outcome_code apply(struct command c)
{
    return world_apply(&w, &c, &out);
}

/* A success of the payment, as reported by the provider. */
static struct command news(struct text event, struct text ref)
{
    struct command c = {.kind = COMMAND_PAYMENT_EVENT, .actor = {.role = ROLE_PAYMENT}, .reservation = sale};
    c.payment_event.named = true;
    c.payment_event.news = NEWS_SUCCEEDED;
    c.payment_event.image = (struct payment_event_image){.event_id = event,
                                                         .type = TEXT("succeeded"),
                                                         .payment_ref = ref,
                                                         .amount = {.given = true, .currency = "EUR"}};
    return c;
}

static struct command commit(struct text ref)
{
    struct command c = reservation_command(COMMAND_COMMIT, sale);
    c.commit.payment_ref = ref;
    c.commit.ticket_key[0] = 7;
    return c;
}

static bool forgotten(void)
{
    return reservation_find(w.st, sale) == TABLE_NONE && !payment_find(w.st, TEXT("p")) &&
           !payment_event_find(w.st, TEXT("e1"));
}

/* A paid sale that only the book has, with its payment and the provider's event. */
static int set_up(void **state)
{
    (void)state;
    world_init(&w);
    struct item_request item = item_floor(TEXT("E"), 1);
    assert_int_equal(apply(event_put_command(TEXT("E"))), OUTCOME_OK);
    assert_int_equal(apply(pool_put_command(TEXT("E"), 10)), OUTCOME_OK);
    assert_int_equal(apply(hold_command(sale, TEXT("ann"), &item, 1)), OUTCOME_OK);
    assert_int_equal(apply(commit(TEXT("p"))), OUTCOME_OK);
    assert_int_equal(apply(news(TEXT("e1"), TEXT("p"))), OUTCOME_OK);
    w.now_ms += 48 * HOUR_MS;
    state_set_now(w.st, w.now_ms);
    world_forget(&w);
    assert_true(forgotten());
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    assert_string_equal(w.fault, "");
    world_release(&w);
    return 0;
}

/* Answered with one read of this many records, and applied once before it and once after. */
static void applied_twice(struct command c, uint64_t keys)
{
    uint64_t steps = w.st->step_number;
    assert_int_equal(apply(c), OUTCOME_OK);
    assert_int_equal(w.reads, 1);
    assert_int_equal(w.keys, keys);
    assert_int_equal(w.st->step_number - steps, 2);
}

static void a_late_event_reads_once(void **state)
{
    (void)state;
    applied_twice(news(TEXT("e2"), TEXT("p")), 3); /* the sale, the payment, the event */
    assert_int_equal(w.appended > 0, true);
}

static void a_repeated_event_reads_once(void **state)
{
    (void)state;
    applied_twice(news(TEXT("e1"), TEXT("p")), 3);
    assert_int_equal(w.appended, 0);
    assert_true(text_equal(out.payment_event.event_id, TEXT("e1")));
}

static void a_commit_with_a_payment_reads_once(void **state)
{
    (void)state;
    applied_twice(commit(TEXT("p")), 2); /* the sale, the payment */
    assert_int_equal(out.reservation.status, RESERVATION_CONFIRMED);
}

/* ---- A book that takes its time ---- */

static struct fetch *asked[8];
static uint32_t asked_count;

static void read_later(void *owner, struct fetch *fetch)
{
    (void)owner;
    assert_true(asked_count < 8);
    asked[asked_count++] = fetch;
}

static int set_up_slow(void **state)
{
    set_up(state);
    asked_count = 0;
    w.engine.host.read = read_later;
    return 0;
}

/* The book answers the nth query, or cannot be read. */
static void answer(uint32_t n, bool readable)
{
    static struct fetched records[OUTCOME_LACKS_MAX];
    struct fetch *fetch = asked[n];
    fake_book_read(&w.book, w.now_ms, fetch, records);
    asked[n] = NULL;
    engine_fetched(&w.engine, w.now_ms, fetch, readable ? records : NULL);
}

static enum outcome_code codes[8]; /* OUTCOME_COUNT: not answered */

static void on_answer(void *ctx, const struct outcome *outcome)
{
    enum outcome_code *code = ctx;
    assert_int_equal(*code, OUTCOME_COUNT);
    *code = outcome->code;
}

static void submit(uint32_t n, struct command c)
{
    codes[n] = OUTCOME_COUNT;
    engine_submit(&w.engine, w.now_ms, &c, on_answer, &codes[n]);
}

static void two_commands_share_a_read(void **state)
{
    (void)state;
    submit(0, reservation_command(COMMAND_LOOK, sale));
    submit(1, reservation_command(COMMAND_LOOK, sale));
    submit(2, reservation_command(COMMAND_LOOK, (struct id){1, 2})); /* another */
    assert_int_equal(asked_count, 2);
    assert_false(engine_idle(&w.engine));
    answer(0, true);
    assert_int_equal(codes[0], OUTCOME_OK);
    assert_int_equal(codes[1], OUTCOME_OK);
    assert_int_equal(codes[2], OUTCOME_COUNT);
    answer(1, true);
    assert_int_equal(codes[2], OUTCOME_NO_SUCH_RESERVATION);
    assert_true(engine_idle(&w.engine));
    assert_int_equal(asked_count, 2);
}

/* It lacks the sale and a payment while the sale is being read. */
static void a_command_that_needs_more_waits_for_the_read(void **state)
{
    (void)state;
    submit(0, reservation_command(COMMAND_LOOK, sale));
    submit(1, commit(TEXT("q")));
    assert_int_equal(asked_count, 1);
    assert_int_equal(asked[0]->count, 1);
    answer(0, true);
    assert_int_equal(codes[0], OUTCOME_OK);
    assert_int_equal(codes[1], OUTCOME_COUNT);
    assert_int_equal(asked_count, 2);
    assert_int_equal(asked[1]->count, 1); /* only what it still lacks */
    assert_int_equal(asked[1]->keys[0].kind, FETCH_PAYMENT);
    answer(1, true);
    assert_int_equal(codes[1], OUTCOME_OK);
    assert_true(engine_idle(&w.engine));
}

/* The same payment that came with the sale's account needs no second read. */
static void a_command_is_answered_from_another_read(void **state)
{
    (void)state;
    submit(0, reservation_command(COMMAND_LOOK, sale));
    submit(1, commit(TEXT("p")));
    answer(0, true);
    assert_int_equal(codes[1], OUTCOME_OK);
    assert_int_equal(asked_count, 1);
}

static void a_book_that_cannot_be_read_refuses_all(void **state)
{
    (void)state;
    uint64_t changes = w.changes;
    submit(0, reservation_command(COMMAND_LOOK, sale));
    submit(1, commit(TEXT("p")));
    submit(2, news(TEXT("e2"), TEXT("p")));
    assert_int_equal(asked_count, 1);
    answer(0, false);
    for (int i = 0; i < 3; i++)
        assert_int_equal(codes[i], OUTCOME_UNAVAILABLE);
    assert_true(engine_idle(&w.engine));
    assert_true(forgotten());
    assert_int_equal(w.changes, changes);
    submit(3, news(TEXT("e2"), TEXT("p"))); /* and later it can */
    answer(1, true);
    assert_int_equal(codes[3], OUTCOME_OK);
}

/* ---- The texts of a command are its own ---- */

struct request {
    char ref[2];
    enum outcome_code code;
};

/* The caller no longer needs them. */
static void on_requested(void *ctx, const struct outcome *outcome)
{
    struct request *r = ctx;
    r->code = outcome->code;
    r->ref[0] = 'x';
}

static void the_keys_of_a_read_can_be_freed_with_the_first_answer(void **state)
{
    (void)state;
    struct request r[2];
    for (uint64_t i = 0; i < 2; i++) {
        r[i] = (struct request){.ref = "q", .code = OUTCOME_COUNT};
        struct command c = commit((struct text){r[i].ref, 1});
        c.reservation = (struct id){2, i}; /* neither exists */
        engine_submit(&w.engine, w.now_ms, &c, on_requested, &r[i]);
    }
    assert_int_equal(asked_count, 1);
    answer(0, true);
    assert_int_equal(r[0].code, OUTCOME_NO_SUCH_RESERVATION);
    assert_int_equal(asked_count, 2);
    assert_int_equal(asked[1]->count, 1); /* the second knows what the first one read */
    assert_int_equal(asked[1]->keys[0].kind, FETCH_RESERVATION);
    answer(1, true);
    assert_int_equal(r[1].code, OUTCOME_NO_SUCH_RESERVATION);
    assert_true(engine_idle(&w.engine));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_late_event_reads_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_repeated_event_reads_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_commit_with_a_payment_reads_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(two_commands_share_a_read, set_up_slow, tear_down),
        cmocka_unit_test_setup_teardown(a_command_that_needs_more_waits_for_the_read, set_up_slow, tear_down),
        cmocka_unit_test_setup_teardown(a_command_is_answered_from_another_read, set_up_slow, tear_down),
        cmocka_unit_test_setup_teardown(a_book_that_cannot_be_read_refuses_all, set_up_slow, tear_down),
        cmocka_unit_test_setup_teardown(the_keys_of_a_read_can_be_freed_with_the_first_answer, set_up_slow,
                                        tear_down),
    };
    return cmocka_run_group_tests_name("engine_fetch", tests, NULL, NULL);
}
