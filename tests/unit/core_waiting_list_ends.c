/* SPDX-License-Identifier: Apache-2.0 */
/* How offers end: what the clock ends is the server's change, no matter what finds it; and removing an event drops the offers
 * that have moved to other events without visiting the rest of its list. */
#include "list_fixture.h"

static struct id entry_id(uint32_t number)
{
    struct list_entry_image image;
    waiting_list_image(e, number, &image);
    return image.id;
}

static enum outcome_code entry_command(enum command_kind kind, uint32_t number)
{
    struct command c = {.kind = kind, .actor = {.role = ROLE_USER, .name = TEXT("u1")}};
    c.list.event = TEXT("E");
    c.list.entry = entry_id(number);
    return core_apply(c);
}

/* A user who joins again settles their old entry too. */
static enum outcome_code join_again(void)
{
    struct command c = {.kind = COMMAND_LIST_JOIN, .actor = {.role = ROLE_USER, .name = TEXT("u1")}};
    c.list.event = TEXT("E");
    c.list.wish = (struct list_wish){.quantity = 1, .pool = TEXT("floor")};
    return core_apply(c);
}

/* Of the last step's changes, those of the entry: leaving is the server's, all others the owner's. */
static void expect_actors(uint32_t left, uint32_t others)
{
    struct change *c = calloc(1, sizeof(*c));
    struct bytes_reader in = bytes_reader_make(core.changes.data, core.changes.size);
    for (uint32_t i = 0; i < core.st->change_count; i++) {
        assert_true(change_decode(&in, core.st->seq - core.st->change_count + 1 + i, c));
        if (c->kind != CHANGE_LIST_ENTRY || c->list_entry.status == LIST_OFFERED)
            continue;
        bool over = c->list_entry.status == LIST_LEFT;
        assert_int_equal(c->actor.role, over ? ROLE_SERVER : ROLE_USER);
        left -= over;
        others -= !over;
    }
    assert_int_equal(left, 0);
    assert_int_equal(others, 0);
    free(c);
}

static void what_the_clock_ends_is_done_by_the_server(void **state)
{
    (void)state;
    static const enum command_kind ways[] = {COMMAND_LIST_LOOK, COMMAND_LIST_LEAVE, COMMAND_LIST_JOIN};
    put_pool(1);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(hold(1 + i, units(1), 0), OUTCOME_OK);
        join_units(1, 1);
        uint32_t number = e->list->entries.used;
        release(1 + i, false);
        assert_int_equal(offered(), 1);
        core.now_ms += 600 * 1000;
        if (ways[i] == COMMAND_LIST_JOIN)
            assert_int_equal(join_again(), OUTCOME_OK);
        else
            assert_int_equal(entry_command(ways[i], number), OUTCOME_OK);
        assert_int_equal(list_entry_at(e->list, number)->status, LIST_LEFT);
        expect_actors(1, ways[i] == COMMAND_LIST_JOIN);
        core_check();
    }
}

/* The offer of this entry becomes a hold of F. */
static void move_on(uint32_t number)
{
    struct item_request other = units(1);
    struct command c = {.kind = COMMAND_ITEMS_ADD,
                        .reservation = list_entry_at(e->list, number)->reservation};
    other.resource = TEXT("F");
    c.hold.items = &other;
    c.hold.count = 1;
    core_must(c);
    c = (struct command){.kind = COMMAND_ITEM_DROP, .reservation = c.reservation};
    c.item.item_id = 1;
    core_must(c);
}

static void a_removed_event_visits_only_its_offers(void **state)
{
    (void)state;
    enum { PEOPLE = 1000 };
    put_other_event(3);
    put_pool(3);
    assert_int_equal(hold(1, units(3), 0), OUTCOME_OK);
    for (uint32_t i = 1; i <= PEOPLE; i++) {
        join_units(i, 1);
        struct command leave = {.kind = COMMAND_LIST_LEAVE};
        leave.list.event = TEXT("E");
        leave.list.entry = entry_id(i);
        if (i <= PEOPLE - 3)
            core_must(leave);
    }
    release(1, false);
    assert_int_equal(offered(), 3);
    for (uint32_t i = 0; i < 3; i++)
        move_on(PEOPLE - (const uint32_t[]){1, 0, 2}[i]);
    core_check();
    /* Entries that left long ago are not visited: their offer would not be found. */
    struct waiting_list *list = e->list;
    list_entry_at(list, 1)->status = LIST_OFFERED;
    struct command c = {.kind = COMMAND_EVENT_REMOVE, .event = TEXT("E")};
    core_must(c);
    list_entry_at(list, 1)->status = LIST_LEFT;
    assert_int_equal(core.st->lists.offers.count, 0);
    core_check();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        list_test(what_the_clock_ends_is_done_by_the_server),
        list_test(a_removed_event_visits_only_its_offers),
    };
    return cmocka_run_group_tests_name("core_waiting_list_ends", tests, NULL, NULL);
}
