/* SPDX-License-Identifier: Apache-2.0 */
/* Which holds leave single seats: core against a naive model, over random rows. The model compares whole rows, before
 * and after; it takes the neighbours in a row from the layout. */
#include "../lib/core_fixture.h"

#include "core/catalogue/event.h"

#define ROUNDS 3000
#define SEATS_MOST 14

static uint64_t random_state = 20261117;

static uint32_t draw(uint32_t below)
{
    random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(random_state >> 33) % below;
}

/* A row of the event: seats numbered by ones, by twos (an odd or an even side), with gaps, or not at all. */
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

/* Of the unbroken run of places set in `run` around this one, how many are set in `counted`. */
static uint32_t run_around(const struct layout_row *row, const bool *run, const bool *counted, uint32_t at)
{
    uint32_t from = at, to = at, count = 0;
    while (from > 0 && row->seats[from] & LAYOUT_BESIDE && run[from - 1])
        from--;
    while (to + 1 < row->count && row->seats[to + 1] & LAYOUT_BESIDE && run[to + 1])
        to++;
    for (uint32_t i = from; i <= to; i++)
        count += counted[i];
    return count;
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
            if (after[i] && run_around(row, after, after, i) == 1 && run_around(row, before, after, i) > 1)
                left[found++] = row->seats[i] & ~LAYOUT_BESIDE;
    }
    return found;
}

static void expect_left(const struct event *e, const uint32_t *left, uint32_t count)
{
    const struct outcome *out = &core.out;
    const struct text *ids = out->has_reservation ? out->reservation.leaves_single : out->singles;
    assert_int_equal(out->has_reservation ? out->reservation.leaves_single_count : out->single_count, count);
    for (uint32_t i = 0; i < count; i++) {
        bool there = false;
        for (uint32_t k = 0; k < count; k++)
            there = there || text_equal(ids[k], layout_id(e->layout, left[i]));
        assert_true(there);
    }
}

/* Some free seats. */
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
    if (taken) /* staff can leave single seats */
        assert_int_equal(hold(e, staff, (struct id){round, 1}, ours, taken), OUTCOME_OK);
    uint32_t count = draw_free(e, ours, 1 + draw(8));
    if (!count)
        return false;
    uint32_t alone = naive(e, ours, count, left);
    struct id mine = {round, 2};
    bool several = count > 1;
    assert_int_equal(hold(e, user, mine, ours, count), several && alone ? OUTCOME_LEAVES_SINGLE : OUTCOME_OK);
    expect_left(e, left, alone);
    if (!several) { /* one seat is judged at the commit, unless there is money */
        struct command commit = reservation_command(COMMAND_COMMIT, mine);
        commit.actor = draw(2) ? user : staff;
        assert_int_equal(core_apply(commit), alone ? OUTCOME_LEAVES_SINGLE : OUTCOME_OK);
        expect_left(e, left, alone);
        commit.actor = staff;
        char ref[16];
        commit.commit.payment_ref = numbered(ref, "pi_", (uint32_t)round);
        commit.payment_checked = true; /* there is no book */
        assert_true(!alone || core_apply(commit) == OUTCOME_OK);
        expect_left(e, left, alone);
    }
    core_check();
    return alone;
}

static void singles_match_the_naive_model(void **state)
{
    uint32_t refused = 0;
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        refused += one_round(round);
        core_tear_down(state);
        core_set_up(state);
    }
    assert_true(refused > ROUNDS / 10 && refused < ROUNDS * 9 / 10);
}

/* ---- What is kept while others come and go ---- */

/* One row as it is now, and the seats that ann's reservation leaves alone. */
struct watched {
    const struct event *e;
    const struct layout_row *row;
    bool chosen[SEATS_MOST], free[SEATS_MOST], left[SEATS_MOST];
    struct id mine;
};

static uint32_t seat_of(const struct watched *w, uint32_t place)
{
    return w->row->seats[place] & ~LAYOUT_BESIDE;
}

static bool beside(const struct watched *w, uint32_t place, bool after)
{
    uint32_t later = place + after;
    return later > 0 && later < w->row->count && w->row->seats[later] & LAYOUT_BESIDE;
}

static bool alone(const struct watched *w, uint32_t i)
{
    return w->free[i] && !(beside(w, i, false) && w->free[i - 1]) && !(beside(w, i, true) && w->free[i + 1]);
}

static void look_at(struct watched *w)
{
    for (uint32_t i = 0; i < w->row->count; i++)
        w->free[i] = is_free(w->e, seat_of(w, i));
    for (uint32_t i = 0; i < w->row->count; i++)
        w->left[i] = w->left[i] && alone(w, i);
}

/* Ann has taken or given up the seat at this place: decides again for everything that this can affect. */
static void decide(struct watched *w, uint32_t at)
{
    bool run[SEATS_MOST];
    for (uint32_t i = 0; i < w->row->count; i++)
        run[i] = w->free[i] || w->chosen[i];
    for (int after = 0; after < 2; after++)
        for (uint32_t i = at;;) {
            w->left[i] = alone(w, i) && run_around(w->row, run, w->free, i) > 1;
            uint32_t next = after ? i + 1 : i - 1;
            if (!beside(w, i, after) || !run[next])
                break;
            if (w->free[i] && w->free[next]) {
                w->left[next] = false;
                break;
            }
            i = next;
        }
}

static void expect_kept(struct watched *w)
{
    uint32_t left[SEATS_MOST], count = 0;
    struct command look = reservation_command(COMMAND_LOOK, w->mine);
    for (uint32_t i = 0; i < w->row->count; i++)
        if (w->left[i])
            left[count++] = seat_of(w, i);
    core_must(look);
    expect_left(w->e, left, count);
}

/* Another user takes a seat, or gives one back. */
static void others_step(struct watched *w, uint64_t round, uint64_t step, struct id held[SEATS_MOST])
{
    uint32_t place = draw(w->row->count), seat = seat_of(w, place);
    if (held[place].high) {
        core_must(reservation_command(COMMAND_RELEASE, held[place]));
        held[place] = (struct id){0};
    } else if (w->free[place]) {
        held[place] = (struct id){round, 100 + step};
        assert_int_equal(hold(w->e, staff, held[place], &seat, 1), OUTCOME_OK);
    }
    look_at(w);
}

static void ann_adds(struct watched *w, uint32_t place, bool first)
{
    uint32_t seat = seat_of(w, place);
    struct item_request item = item_seat(TEXT("E"), layout_id(w->e->layout, seat));
    struct command add = reservation_command(COMMAND_ITEMS_ADD, w->mine);
    add.actor = user;
    add.hold.items = &item;
    add.hold.count = 1;
    if (first)
        assert_int_equal(hold(w->e, user, w->mine, &seat, 1), OUTCOME_OK);
    else
        core_must(add);
    w->chosen[place] = true;
    look_at(w);
    decide(w, place);
}

static void ann_changes(struct watched *w, uint32_t place, uint32_t to)
{
    uint32_t id = 0;
    core_must(reservation_command(COMMAND_LOOK, w->mine));
    for (uint32_t i = 0; i < core.out.reservation.item_count; i++)
        if (core.out.reservation.items[i].part == seat_of(w, place))
            id = core.out.reservation.items[i].item_id;
    bool moves = w->free[to];
    if (!moves && core.out.reservation.item_count == 1)
        return; /* it would be released */
    struct command c = reservation_command(moves ? COMMAND_ITEM_MOVE : COMMAND_ITEM_DROP, w->mine);
    c.actor = user;
    c.item.item_id = id;
    c.item.seat = moves ? layout_id(w->e->layout, seat_of(w, to)) : (struct text){0};
    core_must(c);
    w->chosen[place] = false;
    w->chosen[to] = w->chosen[to] || moves;
    look_at(w);
    if (moves)
        decide(w, to);
    decide(w, place);
}

static bool kept_round(uint64_t round)
{
    struct id held[SEATS_MOST] = {{0}};
    struct watched w = {.e = make_event(), .mine = {round, 2}};
    bool any = false;
    w.row = &w.e->layout->rows[0];
    look_at(&w);
    uint32_t others = draw(4);
    for (uint64_t step = 0; step < others; step++)
        others_step(&w, round, step, held);
    for (uint64_t step = 0, begun = 0; step < 12; step++) {
        uint32_t place = draw(w.row->count);
        if (begun && draw(2))
            others_step(&w, round, 10 + step, held);
        else if (w.free[place])
            ann_adds(&w, place, !begun++);
        else if (w.chosen[place])
            ann_changes(&w, place, draw(w.row->count));
        if (begun)
            expect_kept(&w);
        for (uint32_t i = 0; i < w.row->count; i++)
            any = any || w.left[i];
    }
    core_check();
    return any;
}

static void kept_singles_match_the_naive_model(void **state)
{
    uint32_t left = 0;
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        left += kept_round(round);
        core_tear_down(state);
        core_set_up(state);
    }
    assert_true(left > ROUNDS / 10 && left < ROUNDS * 9 / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {core_test(singles_match_the_naive_model),
                                       core_test(kept_singles_match_the_naive_model)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
