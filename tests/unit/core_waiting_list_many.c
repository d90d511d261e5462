/* SPDX-License-Identifier: Apache-2.0 */
/* However many entries wait, and for however many different wishes, one step does little: work is counted, not
 * timed. */
#include "list_fixture.h"

#define SEATS 20000u
#define PEOPLE 100000u

/* Of one step: checks of groups, rows and seats; see waiting_list.h. */
static uint32_t work(void)
{
    return LIST_WORK_MAX - core.st->lists.work_left;
}

static int set_up(void **state)
{
    list_set_up(state);
    import(0, SEATS);
    hold_all(0);
    return 0;
}

static void a_long_line_costs_nothing(void **state)
{
    (void)state;
    uint32_t search = SEATS / IN_ROW / LIST_WORK_ROWS + 1, most = 0;
    for (uint32_t i = 0; i < PEOPLE; i++) {
        join_for(i, (struct list_wish){.quantity = 1 + i % 4, .adjacent = i % 2});
        most = work() > most ? work() : most;
    }
    assert_true(most <= 64 + search);
    assert_int_equal(e->list->group_count, 4); /* one and three, two and four side by side */
    most = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        release(1 + i * 7, false);
        most = work() > most ? work() : most;
    }
    assert_true(most <= 64 + 2 * (search + IN_ROW));
    assert_true(offered() >= 500);
    core_check();
}

static enum outcome_code refused(struct list_wish wish)
{
    struct command c = {.kind = COMMAND_LIST_JOIN, .actor = {.role = ROLE_USER, .name = TEXT("ann")}};
    c.list.event = TEXT("E");
    c.list.wish = wish;
    return core_apply(c);
}

/* An impossible wish is refused from the layout alone: no row is checked, so for now it has none. */
static void a_refused_wish_visits_no_seat(void **state)
{
    (void)state;
    uint32_t rows = e->layout->row_count;
    e->layout->row_count = 0;
    for (int again = 0; again < 2; again++) {
        assert_int_equal(refused((struct list_wish){.quantity = IN_ROW + 1, .adjacent = true}),
                         OUTCOME_INVALID);
        assert_string_equal(core.out.detail, "Invalid quantity: no row has that many seats side by side.");
        assert_int_equal(
            refused((struct list_wish){.quantity = IN_ROW + 1, .adjacent = true, .section = TEXT("sec3")}),
            OUTCOME_INVALID);
        assert_string_equal(core.out.detail, "Invalid quantity: no row has that many seats side by side.");
        /* There is a row of this name, but no section, and no tier. */
        assert_int_equal(refused((struct list_wish){.quantity = 1, .section = TEXT("399")}), OUTCOME_INVALID);
        assert_string_equal(core.out.pointer, "/section");
        assert_int_equal(refused((struct list_wish){.quantity = 1, .tier = TEXT("399")}), OUTCOME_INVALID);
        assert_string_equal(core.out.pointer, "/tier");
    }
    assert_int_equal(e->list->stock_count, 0);
    e->layout->row_count = rows;
    core_check();
}

/* A freed seat concerns only the wishes on its section and tier, and of these only those that could fit now. */
static void not_all_of_a_thousand_wishes_are_checked(void **state)
{
    (void)state;
    uint64_t total = 0, most = 0;
    for (uint32_t i = 0; i < PEOPLE; i++) {
        char section[16];
        uint32_t wish = i % 1000;
        struct list_wish w = {.quantity = 2 + wish / SECTIONS, .adjacent = true};
        w.section = numbered(section, "sec", wish % SECTIONS);
        if (w.quantity > IN_ROW)
            w.quantity = IN_ROW, w.adjacent = false;
        join_for(i, w);
    }
    assert_true(e->list->group_count >= 980 && e->list->stock_count == SECTIONS);
    for (uint32_t i = 0; i < SEATS; i += 3) { /* no two side by side */
        release(1 + i, false);
        total += work();
        most = work() > most ? work() : most;
        assert_false(waiting_list_busy(e));
    }
    /* Only fifty apart fit; an unsuccessful search of a section is rare. */
    assert_int_equal(offered(), SEATS / 3 / IN_ROW / SECTIONS * SECTIONS);
    assert_true(most < LIST_WORK_MAX / 4);
    assert_true(total / (SEATS / 3) < 100);
    total = most = 0;
    for (uint32_t i = 1; i < SEATS; i += 3) {
        release(1 + i, false);
        total += work();
        most = work() > most ? work() : most;
    }
    assert_true(offered() > 200);
    assert_true(most < LIST_WORK_MAX / 4);
    assert_true(total / (SEATS / 3) < 200);
    core_check();
}

/* A hundred thousand entries at their limit are barred a few at a time, once; then they delay nobody. */
static void entries_at_their_limit_are_skipped_once(void **state)
{
    (void)state;
    struct command c;
    put_pool(PEOPLE);
    for (uint32_t i = 0; i < PEOPLE; i++) {
        char name[16];
        struct item_request item = {
            .kind = ITEM_POOL, .resource = TEXT("E"), .part = TEXT("floor"), .quantity = 1};
        c = (struct command){
            .kind = COMMAND_HOLD, .user_id = numbered(name, "u", i), .reservation = {8, i + 1}};
        c.hold.items = &item;
        c.hold.count = 1;
        core_must(c);
    }
    put_event(true, 1);
    for (uint32_t i = 0; i < PEOPLE; i++)
        join_for(i, (struct list_wish){.quantity = 1});
    release(1 + 0, false);
    uint32_t steps = 0, before = 0;
    do {
        assert_true(e->list->barred.count - before <= LIST_WORK_MAX / LIST_WORK_ASIDE);
        before = e->list->barred.count;
        steps++;
    } while (core_serve());
    assert_int_equal(e->list->barred.count, PEOPLE);
    assert_true(steps >= PEOPLE / (LIST_WORK_MAX / LIST_WORK_ASIDE));
    assert_int_equal(offered(), 0);
    for (uint32_t i = 1; i < 100; i++) {
        release(1 + i, false);
        assert_true(work() < 16);
    }
    /* One of them has less now, wherever in line, and gets an offer at once. */
    c = (struct command){.kind = COMMAND_RELEASE, .reservation = {8, 77777}};
    core_must(c);
    assert_int_equal(offered(), 1);
    assert_int_equal(list_entry_at(e->list, 77777)->status, LIST_OFFERED);
    assert_true(work() < 64 + SEATS / LIST_WORK_SEATS);
    /* And when all can have more it goes by number again. */
    put_event(true, 2);
    while (core_serve()) {
    }
    assert_int_equal(offered(), 100);
    for (uint32_t number = 1; number <= 99; number++)
        assert_int_equal(list_entry_at(e->list, number)->status, LIST_OFFERED);
    core_check();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_long_line_costs_nothing, set_up, core_tear_down),
        cmocka_unit_test_setup_teardown(a_refused_wish_visits_no_seat, set_up, core_tear_down),
        cmocka_unit_test_setup_teardown(not_all_of_a_thousand_wishes_are_checked, set_up, core_tear_down),
        cmocka_unit_test_setup_teardown(entries_at_their_limit_are_skipped_once, set_up, core_tear_down),
    };
    return cmocka_run_group_tests_name("core_waiting_list_many", tests, NULL, NULL);
}
