/* SPDX-License-Identifier: Apache-2.0 */
/* A pass opens the hold step only if everything about it fits: the edge's verdict, the event, the user, the entry and
 * its status. If any of these differs, it does not. */
#include "queue_fixture.h"

static const uint64_t key[2] = {LINE_KEY};
static struct pass_claim claim; /* u1's own */
static struct pass_claim others;

static void put_pool(void)
{
    struct command c = {.kind = COMMAND_POOL_PUT, .actor = {.role = ROLE_ADMIN}};
    c.pool_put.event = TEXT("E");
    c.pool_put.id = TEXT("floor");
    c.pool_put.capacity = 1000;
    assert_int_equal(fixture_apply(&c), OUTCOME_OK);
}

static enum outcome_code hold(struct text user, const struct pass_claim *pass)
{
    static uint64_t next;
    struct item_request item = {
        .kind = ITEM_POOL, .resource = TEXT("E"), .part = TEXT("floor"), .quantity = 1};
    struct command c = {.kind = COMMAND_HOLD, .actor = {.role = ROLE_USER, .name = user}, .pass = *pass};
    c.reservation = id_make(core.now_ms, ++next, 7);
    c.hold.items = &item;
    c.hold.count = 1;
    return fixture_apply(&c);
}

static int begin(void **state)
{
    (void)state;
    struct queue_settings settings = {.rate_per_second = 1000, .pass_ttl_s = 10};
    fixture_begin();
    fixture_put(&settings, 2);
    put_pool();
    fixture_join(1);
    fixture_join(2);
    fixture_join(3);
    fixture_admit(100);
    core.now_ms += 20;
    fixture_admit(100);
    fixture_entry(COMMAND_QUEUE_LOOK, 2);
    assert_int_equal(core.out.entry.status, QUEUE_ADMITTED);
    claim = (struct pass_claim){PASS_GENUINE, TEXT("E"), TEXT("u1"), entry_id(key, ENTRY_QUEUE, 1)};
    others = (struct pass_claim){PASS_GENUINE, TEXT("E"), TEXT("u2"), entry_id(key, ENTRY_QUEUE, 2)};
    return 0;
}

static int end(void **state)
{
    (void)state;
    fixture_end();
    return 0;
}

static void a_users_own_pass_opens(void **state)
{
    (void)state;
    assert_int_equal(hold(TEXT("u1"), &claim), OUTCOME_OK);
    assert_int_equal(hold(TEXT("u2"), &others), OUTCOME_OK);
}

/* Everything else is right each time. */
static void every_part_must_fit(void **state)
{
    (void)state;
    struct pass_claim c = claim;
    c.verdict = PASS_NONE;
    assert_int_equal(hold(TEXT("u1"), &c), OUTCOME_PASS_REQUIRED);
    c.verdict = PASS_FALSE;
    assert_int_equal(hold(TEXT("u1"), &c), OUTCOME_PASS_INVALID);
    c.verdict = PASS_LAPSED;
    assert_int_equal(hold(TEXT("u1"), &c), OUTCOME_PASS_EXPIRED);
    c = claim, c.event = TEXT("F");
    assert_int_equal(hold(TEXT("u1"), &c), OUTCOME_PASS_INVALID);
    c = claim, c.event = (struct text){0};
    assert_int_equal(hold(TEXT("u1"), &c), OUTCOME_PASS_INVALID);
    c = claim, c.user = TEXT("u2"); /* signed for another user, though the entry is the owner's */
    assert_int_equal(hold(TEXT("u1"), &c), OUTCOME_PASS_INVALID);
    c = claim, c.entry = others.entry; /* signed for the owner, though the entry is another's */
    assert_int_equal(hold(TEXT("u1"), &c), OUTCOME_PASS_INVALID);
    assert_int_equal(hold(TEXT("u2"), &claim), OUTCOME_PASS_INVALID);
    c = claim, c.entry.low ^= 1;
    assert_int_equal(hold(TEXT("u1"), &c), OUTCOME_PASS_INVALID);
    c = claim, c.entry = entry_id(key, ENTRY_QUEUE, 4); /* there is none yet */
    assert_int_equal(hold(TEXT("u1"), &c), OUTCOME_PASS_INVALID);
    c = claim, c.entry = entry_id(key, ENTRY_LIST, 1);
    assert_int_equal(hold(TEXT("u1"), &c), OUTCOME_PASS_INVALID);
    assert_int_equal(fixture_queue()->by_status[QUEUE_ADMITTED], 3);
}

/* A lapsed pass is not better for being another user's. */
static void a_lapsed_one_must_fit_too(void **state)
{
    (void)state;
    struct pass_claim c = claim;
    c.verdict = PASS_LAPSED, c.event = TEXT("F");
    assert_int_equal(hold(TEXT("u1"), &c), OUTCOME_PASS_INVALID);
    c = others, c.verdict = PASS_LAPSED;
    assert_int_equal(hold(TEXT("u1"), &c), OUTCOME_PASS_INVALID);
}

/* An entry that its user has left, or bought with, opens nothing, and neither does an earlier entry. */
static void the_entry_must_be_admitted_now(void **state)
{
    (void)state;
    fixture_entry(COMMAND_QUEUE_LEAVE, 1);
    assert_int_equal(hold(TEXT("u1"), &claim), OUTCOME_PASS_INVALID);
    uint32_t number = fixture_join(1);
    struct pass_claim c = claim;
    c.entry = entry_id(key, ENTRY_QUEUE, number);
    assert_int_equal(hold(TEXT("u1"), &c), OUTCOME_PASS_INVALID); /* it waits */
    core.now_ms += 20;
    fixture_admit(100);
    assert_int_equal(hold(TEXT("u1"), &c), OUTCOME_OK);
    assert_int_equal(hold(TEXT("u1"), &claim), OUTCOME_PASS_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_users_own_pass_opens, begin, end),
        cmocka_unit_test_setup_teardown(every_part_must_fit, begin, end),
        cmocka_unit_test_setup_teardown(a_lapsed_one_must_fit_too, begin, end),
        cmocka_unit_test_setup_teardown(the_entry_must_be_admitted_now, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
