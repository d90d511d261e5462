/* SPDX-License-Identifier: Apache-2.0 */
/* The view of hooks, the payment provider and erasures follows every command at once. */
#include "../lib/view_loop.h"

#define START_MS 1772438400000LL

static int64_t now_ms;

static void on_outcome(void *ctx, const struct outcome *outcome)
{
    uint64_t *seq = ctx;
    assert_int_equal(outcome->code, OUTCOME_OK);
    *seq = outcome->seq;
}

static uint64_t must(struct command c)
{
    uint64_t seq = 0;
    c.actor.role = ROLE_ADMIN;
    store_submit(store, &c, on_outcome, &seq);
    return seq;
}

static uint64_t put_hook(struct text name)
{
    return must((struct command){.kind = COMMAND_HOOK_PUT,
                                 .hook = {.name = name,
                                          .url = TEXT("https://shop.example/"),
                                          .events = HOOK_BIT(HOOK_HELD),
                                          .secret = TEXT("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3")}});
}

static void put_pool(void)
{
    struct command c = {.kind = COMMAND_EVENT_PUT};
    c.event_put.image =
        (struct event_image){.id = TEXT("E"),
                             .name = TEXT("E"),
                             .terms = {"EUR", 60, 900, 0, PAYMENT_NONE, LATE_PAYMENT_REFUND, 0}};
    must(c);
    must((struct command){.kind = COMMAND_POOL_PUT,
                          .pool_put = {.event = TEXT("E"), .id = TEXT("floor"), .capacity = 10}});
}

static void hold(struct id id, struct text user)
{
    const struct item_request item = {
        .kind = ITEM_POOL, .resource = TEXT("E"), .part = TEXT("floor"), .quantity = 1};
    struct command c = {.kind = COMMAND_HOLD, .user_id = user, .reservation = id};
    c.hold.items = &item;
    c.hold.count = 1;
    must(c);
}

static int set_up(void **state)
{
    (void)state;
    fixture_folders();
    now_ms = START_MS;
    fine(store_try((struct store_options){
        .data = fixture_data, .clock = fixed_clock(&now_ms), .journal_max = 1u << 30}));
    return 0;
}

static void hooks_are_found_by_name_by_number_and_in_order(void **state)
{
    (void)state;
    struct hook_view hook, same;
    assert_int_equal(view_hook_count(view), 0);
    assert_false(view_hook_after(view, TEXT(""), &hook));
    put_hook(TEXT("shop"));
    uint64_t last = put_hook(TEXT("books"));
    assert_int_equal(view_hooks_seq(view), last);
    assert_int_equal(view_hook_count(view), 2);
    assert_true(view_hook_after(view, TEXT(""), &hook) && text_equal(hook.image->name, TEXT("books")));
    assert_int_equal(hook.image->number, last);
    assert_true(view_hook_after(view, TEXT("books"), &hook) && text_equal(hook.image->name, TEXT("shop")));
    assert_true(view_hook_after(view, TEXT("cafe"), &hook) && text_equal(hook.image->name, TEXT("shop")));
    assert_false(view_hook_after(view, TEXT("shop"), &hook));
    assert_true(view_hook_find(view, TEXT("shop"), &hook));
    assert_true(view_hook_numbered(view, hook.image->number, &same));
    assert_ptr_equal(hook.image, same.image);
    assert_false(view_hook_find(view, TEXT("cafe"), &hook));
    assert_false(view_hook_numbered(view, last + 1, &hook));
    assert_true(view_hook_at(view, 1, &hook) && !view_hook_at(view, 2, &hook));

    last = must((struct command){.kind = COMMAND_HOOK_REMOVE, .hook = {.name = TEXT("books")}});
    assert_int_equal(view_hooks_seq(view), last);
    assert_false(view_hook_find(view, TEXT("books"), &hook));
    assert_int_equal(view_hook_count(view), 1);
}

static void a_hook_shows_waiting_messages_oldest_and_due_time(void **state)
{
    (void)state;
    struct hook_view hook;
    put_pool();
    put_hook(TEXT("shop"));
    assert_true(view_hook_find(view, TEXT("shop"), &hook));
    assert_int_equal(hook.waiting, 0);
    assert_true(hook.due_ms == INT64_MAX && hook.oldest_ms == INT64_MAX);
    hold((struct id){1, 1}, TEXT("ann"));
    now_ms += 1000;
    wait_durable(); /* another turn, at that instant */
    hold((struct id){1, 2}, TEXT("ben"));
    assert_true(view_hook_find(view, TEXT("shop"), &hook));
    assert_int_equal(hook.waiting, 2);
    assert_int_equal(hook.oldest_ms, START_MS);
    assert_true(hook.due_ms <= now_ms);
    assert_int_equal(view_hook_stats(view).waiting, 2);
}

static void the_provider_and_the_last_erasure_are_current(void **state)
{
    (void)state;
    assert_int_equal(view_provider(view)->number, 0);
    uint64_t seq = must((struct command){
        .kind = COMMAND_PROVIDER_PUT,
        .provider = {.provider = PROVIDER_STRIPE, .secret = TEXT("whsec_0123456789abcdef")}});
    assert_int_equal(view_provider(view)->number, seq);
    assert_true(text_equal(view_provider(view)->secret, TEXT("whsec_0123456789abcdef")));

    assert_int_equal(view_erased_seq(view), 0);
    seq = must((struct command){.kind = COMMAND_ERASE,
                                .erase = {.from = TEXT("ann"), .to = TEXT(ERASED_PREFIX "1"), .mark = {1}}});
    assert_int_equal(view_erased_seq(view), seq);
}

#define hook_test(name) cmocka_unit_test_setup_teardown(name, set_up, fixture_clear)

int main(void)
{
    const struct CMUnitTest tests[] = {
        hook_test(hooks_are_found_by_name_by_number_and_in_order),
        hook_test(a_hook_shows_waiting_messages_oldest_and_due_time),
        hook_test(the_provider_and_the_last_erasure_are_current),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
