/* SPDX-License-Identifier: Apache-2.0 */
/* A removed hook takes its messages and warnings with it: visibly at once, in memory a slice at a time. */

#include "../lib/core_fixture.h"

#define HOLDS 5000u
#define SLICE 1024u

static const struct text event = TEXT("E");

static struct command hook_command(enum command_kind kind, uint32_t events)
{
    struct command c = {.kind = kind};
    c.hook = (struct hook_image){.name = TEXT("H"),
                                 .url = TEXT("https://shop.example/"),
                                 .events = events,
                                 .secret = TEXT("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")};
    return c;
}

static void hold_many(uint64_t first)
{
    struct item_request one = item_floor(event, 1);
    for (uint64_t i = 0; i < HOLDS; i++)
        core_must(hold_command(id_make(1, first + i, (first + i) * 7 + 1), TEXT("ann"), &one, 1));
}

static void set_up(void)
{
    core_must(event_put_command(event));
    core_must(pool_put_command(event, 4 * HOLDS));
    core_must(hook_command(COMMAND_HOOK_PUT, HOOK_BIT(HOOK_HELD) | HOOK_BIT(HOOK_EXPIRING)));
    hold_many(1);
}

static void messages_go_in_slices(void **state)
{
    (void)state;
    set_up();
    assert_int_equal(state_hook_stats(core.st).waiting, HOLDS);
    core_must(hook_command(COMMAND_HOOK_REMOVE, 0));
    core_check();
    assert_int_equal(state_hook_stats(core.st).waiting, 0);
    /* a new one of its name has none of them, before they are gone and after */
    core_must(hook_command(COMMAND_HOOK_PUT, HOOK_BIT(HOOK_HELD)));
    assert_int_equal(state_hook_waiting(core.st, 0), 0);
    uint32_t slices = 0;
    for (uint32_t done = SLICE; done == SLICE; slices++) {
        done = state_forget(core.st, 0, SLICE);
        assert_true(done <= SLICE);
        core_check();
    }
    assert_int_equal(slices, HOLDS / SLICE + 1);
    hold_many(HOLDS + 1);
    assert_int_equal(state_hook_waiting(core.st, 0), HOLDS);
    core_check();
}

static void warnings_are_dropped_in_slices_and_not_sent(void **state)
{
    (void)state;
    set_up();
    core_must(hook_command(COMMAND_HOOK_PUT, HOOK_BIT(HOOK_HELD)));
    core_check();
    core.now_ms += 570000; /* half a minute before they expire */
    uint32_t slices = 0;
    for (; state_next_warning(core.st) <= core.now_ms; slices++) {
        buf_clear(&core.changes);
        assert_int_equal(state_warn(core.st, core.now_ms, SLICE, &core.changes), 0);
        core_check();
    }
    assert_in_range(slices, 2, HOLDS / SLICE + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {core_test(messages_go_in_slices),
                                       core_test(warnings_are_dropped_in_slices_and_not_sent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
