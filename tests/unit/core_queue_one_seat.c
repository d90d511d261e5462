/* SPDX-License-Identifier: Apache-2.0 */
/* Five hundred people in line for one seat, with max_active 5: it is sold once, and at most five ever try. */
#include "queue_fixture.h"

#define PEOPLE 500

static uint32_t tries, sold;

static void import_seat(void)
{
    struct buf rows;
    uint32_t created, updated;
    struct layout_blocks blocks;
    uint64_t import = state_next_seq(core.st);
    buf_init(&rows, 256);
    seat_row_put(&rows, 0, &(struct seat_image){.id = TEXT("A1")});
    struct command c = {.kind = COMMAND_SEATS_STAGE, .actor = {.role = ROLE_ADMIN}};
    c.seats_stage.event = TEXT("E");
    c.seats_stage.import = import;
    c.seats_stage.rows = rows.data;
    c.seats_stage.size = rows.size;
    c.seats_stage.count = 1;
    assert_int_equal(fixture_apply(&c), OUTCOME_OK);
    c = (struct command){.kind = COMMAND_SEATS_PUBLISH, .actor = {.role = ROLE_ADMIN}};
    c.seats_publish.event = TEXT("E");
    c.seats_publish.import = import;
    c.seats_publish.layout =
        layout_make(NULL, bytes_reader_make(rows.data, rows.size), 1, &created, &updated, &blocks);
    c.seats_publish.blocks = &blocks;
    assert_int_equal(fixture_apply(&c), OUTCOME_OK);
    layout_blocks_release(&blocks);
    buf_release(&rows);
}

/* Everyone tries all the time, without a pass or with their own. */
static void try_to_buy(uint32_t number, bool slow)
{
    char name[32];
    struct item_request item = {.kind = ITEM_SEAT, .resource = TEXT("E"), .part = TEXT("A1"), .quantity = 1};
    struct command c = {.kind = COMMAND_HOLD,
                        .actor = {.role = ROLE_USER, .name = fixture_user(number, name)}};
    bool admitted = queue_entry(fixture_queue(), number)->status == QUEUE_ADMITTED;
    if (admitted)
        c.pass = (struct pass_claim){PASS_GENUINE, TEXT("E"), c.actor.name,
                                     entry_id((uint64_t[2]){LINE_KEY}, ENTRY_QUEUE, number)};
    c.reservation = id_make(core.now_ms, number, 7);
    c.hold.items = &item;
    c.hold.count = 1;
    enum outcome_code code = fixture_apply(&c);
    tries += admitted;
    if (!admitted) {
        assert_int_equal(code, OUTCOME_PASS_REQUIRED);
        return;
    }
    assert_true(code == OUTCOME_OK || code == OUTCOME_TAKEN);
    if (code != OUTCOME_OK || slow)
        return;
    struct command buy = {.kind = COMMAND_COMMIT, .actor = c.actor, .reservation = c.reservation};
    buy.commit.ticket_key[0] = 1;
    assert_int_equal(fixture_apply(&buy), OUTCOME_OK);
    sold++;
}

static void it_is_sold_once(void **state)
{
    (void)state;
    for (uint32_t slow = 0; slow <= 4; slow++) { /* this many let it lapse before one buys it */
        struct queue_settings settings = {
            .rate_per_second = 1000, .max_active = 5, .pass_ttl_s = 700, .by_inventory = true};
        tries = sold = 0;
        fixture_begin();
        fixture_put(&settings, 1);
        import_seat();
        for (uint32_t i = 1; i <= PEOPLE; i++)
            queue_entry(fixture_queue(), fixture_join(i))->asked_s = UINT32_MAX;
        for (uint32_t turn = 0; turn < 20; turn++, core.now_ms += 701 * 1000) {
            fixture_admit(1000);
            assert_true(fixture_queue()->by_status[QUEUE_ADMITTED] <= 1);
            for (uint32_t i = PEOPLE; i > 0; i--)
                try_to_buy(i, turn < slow);
        }
        assert_int_equal(sold, 1);
        assert_int_equal(tries, slow + 1);
        assert_true(tries <= 5);
        assert_int_equal(fixture_queue()->by_status[QUEUE_WAITING], PEOPLE - tries);
        assert_int_equal(fixture_event()->counts.sold, 1);
        core_check();
        fixture_end();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_sold_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
