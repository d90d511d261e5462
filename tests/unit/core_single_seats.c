/* SPDX-License-Identifier: Apache-2.0 */
/* Which holds leave single seats alone: core against a naive model, over random rows. The model looks at whole rows,
 * before and after; that the seats of a row are neighbours it takes from the layout. */
#include "../lib/core_fixture.h"

#define ROUNDS 3000
#define SEATS_MOST 14

static uint64_t random_state = 20261117;

static uint32_t draw(uint32_t below)
{
    random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(random_state >> 33) % below;
}

/* A row of the event: seats numbered one by one, by twos (an odd or an even side), with gaps, or not at all. */
static void put_row(struct buf *rows, uint32_t count, uint32_t first_id)
{
    uint32_t step = 1 + draw(2), number = 1 + draw(2);
    bool numbered_row = draw(4) != 0;
    for (uint32_t i = 0; i < count; i++) {
        char id[16], digits[16];
        struct seat_image seat = {.id = numbered(id, "S", first_id + i),
                                  .row = numbered(digits, "R", first_id)};
        char text[16];
        seat.number = numbered(text, "", number);
        number += draw(8) ? step : step * 2;
        seat_row_put(rows, SEAT_COLUMN_ROW | (numbered_row ? SEAT_COLUMN_NUMBER : 0), &seat);
    }
}

static bool is_free(const struct event *e, uint32_t position)
{
    return seat_at(e, position)->claim == CLAIM_NONE && !seat_blocked(e, position);
}

/* How many of the flags around this place are set, without a break. */
static uint32_t run_around(const struct layout_row *row, const bool *set, uint32_t at)
{
    uint32_t from = at, to = at;
    while (from > 0 && row->seats[from] & LAYOUT_BESIDE && set[from - 1])
        from--;
    while (to + 1 < row->count && row->seats[to + 1] & LAYOUT_BESIDE && set[to + 1])
        to++;
    return to - from + 1;
}

/* The positions that the seats would leave alone. */
static uint32_t naive(const struct event *e, const uint32_t *ours, uint32_t count, uint32_t *left)
{
    uint32_t found = 0;
    for (uint32_t r = 0; r < e->layout->row_count; r++) {
        const struct layout_row *row = &e->layout->rows[r];
        bool before[SEATS_MOST], after[SEATS_MOST];
        for (uint32_t i = 0; i < row->count; i++) {
            uint32_t position = row->seats[i] & ~LAYOUT_BESIDE;
            before[i] = after[i] = is_free(e, position);
            for (uint32_t k = 0; k < count; k++)
                after[i] = after[i] && ours[k] != position;
        }
        for (uint32_t i = 0; i < row->count; i++)
            if (after[i] && run_around(row, after, i) == 1 && run_around(row, before, i) > 1)
                left[found++] = row->seats[i] & ~LAYOUT_BESIDE;
    }
    return found;
}

static void expect_left(const struct event *e, const uint32_t *left, uint32_t count)
{
    assert_int_equal(core.out.single_count, count);
    for (uint32_t i = 0; i < count; i++) {
        bool there = false;
        for (uint32_t k = 0; k < count; k++)
            there = there || text_equal(core.out.singles[k], layout_id(e->layout, left[i]));
        assert_true(there);
    }
}

/* Some seats that are free. */
static uint32_t draw_free(const struct event *e, uint32_t *ours, uint32_t most)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < e->layout->count && count < most; i++)
        if (is_free(e, i) && draw(3) == 0)
            ours[count++] = i;
    return count;
}

static enum outcome_code hold(const struct event *e, struct actor actor, struct id id, const uint32_t *seats,
                              uint32_t count)
{
    struct item_request items[8];
    for (uint32_t i = 0; i < count; i++)
        items[i] = item_seat(TEXT("E"), layout_id(e->layout, seats[i]));
    struct command c = hold_command(id, TEXT("ann"), items, count);
    c.actor = actor;
    return core_apply(c);
}

static const struct actor user = {.role = ROLE_USER, .name = TEXT("ann")}, staff = {.role = ROLE_ADMIN};

static struct event *make_event(void)
{
    struct buf rows;
    uint32_t first = draw(SEATS_MOST) + 1, second = draw(SEATS_MOST) + 1;
    struct command put = event_put_command(TEXT("E"));
    put.event_put.image.refuse_singles = true;
    core_must(put);
    buf_init(&rows, 1 << 16);
    put_row(&rows, first, 1);
    put_row(&rows, second, 100);
    assert_int_equal(core_import(TEXT("E"), &rows, first + second), OUTCOME_OK);
    buf_release(&rows);
    return event_find(core.st, TEXT("E"));
}

/* True: it was refused. */
static bool one_round(uint64_t round)
{
    uint32_t ours[8], left[2 * SEATS_MOST];
    const struct event *e = make_event();
    uint32_t taken = draw_free(e, ours, draw(8));
    if (taken) /* staff may leave what it likes */
        assert_int_equal(hold(e, staff, (struct id){round, 1}, ours, taken), OUTCOME_OK);
    uint32_t count = draw_free(e, ours, 1 + draw(8));
    if (!count)
        return false;
    uint32_t alone = naive(e, ours, count, left);
    struct id mine = {round, 2};
    bool several = count > 1;
    assert_int_equal(hold(e, user, mine, ours, count), several && alone ? OUTCOME_LEAVES_SINGLE : OUTCOME_OK);
    if (several) {
        expect_left(e, left, alone);
    } else { /* one seat is judged when it is committed, and staff's word is enough */
        struct command commit = reservation_command(COMMAND_COMMIT, mine);
        commit.actor = user;
        assert_int_equal(core_apply(commit), alone ? OUTCOME_LEAVES_SINGLE : OUTCOME_OK);
        expect_left(e, left, alone);
        commit.actor = staff;
        assert_int_equal(core_apply(commit), OUTCOME_OK);
    }
    core_check();
    return alone;
}

static void singles_are_those_of_the_naive_model(void **state)
{
    uint32_t refused = 0;
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        refused += one_round(round);
        core_tear_down(state);
        core_set_up(state);
    }
    assert_true(refused > ROUNDS / 10 && refused < ROUNDS * 9 / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {core_test(singles_are_those_of_the_naive_model)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
