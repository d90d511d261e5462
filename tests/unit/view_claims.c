/* SPDX-License-Identifier: Apache-2.0 */
/* Claims of seats are found one by one and by a walk over all of them, with the user as long as memory knows it; and every
 * seat whose claim begins or ends is reported with the seq of its step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/catalogue/event.h"
#include "view/answers.h"

#define SEATS 200000u /* more than one step of a walk looks at */

static struct state *st;
static struct view view;
static struct buf changes;
static struct outcome out;
static int64_t now_ms;
static uint64_t next_id;

static struct {
    uint64_t event_number, seq;
    uint32_t position;
} touched[16];
static uint32_t touched_count;

static void on_seat(void *ctx, uint64_t event_number, uint32_t position, uint64_t seq)
{
    assert_ptr_equal(ctx, &touched);
    assert_true(touched_count < 16);
    touched[touched_count].event_number = event_number;
    touched[touched_count].position = position;
    touched[touched_count++].seq = seq;
}

static enum outcome_code apply(struct command c)
{
    c.actor.role = ROLE_ADMIN;
    buf_clear(&changes);
    enum outcome_code code = state_apply(st, &c, now_ms, &changes, &out);
    claims_touched(&view);
    return code;
}

static void put_event(const char *id, uint32_t seats)
{
    struct command c = {.kind = COMMAND_EVENT_PUT};
    struct buf rows;
    struct layout_blocks blocks;
    uint32_t created, updated;
    c.event_put.image =
        (struct event_image){.id = {id, strlen(id)},
                             .name = TEXT("A show"),
                             .terms = {"EUR", 60, 900, 0, PAYMENT_NONE, LATE_PAYMENT_REFUND, 0}};
    assert_int_equal(apply(c), OUTCOME_OK);
    if (!seats)
        return;
    buf_init(&rows, 1 << 26);
    for (uint32_t n = 0; n < seats; n++) {
        char seat[16];
        struct text name = {seat, (size_t)snprintf(seat, sizeof seat, "S%u", n)};
        seat_row_put(&rows, 0, &(struct seat_image){.id = name});
    }
    c = (struct command){.kind = COMMAND_SEATS_PUBLISH};
    c.seats_publish.event = (struct text){id, strlen(id)};
    c.seats_publish.import = state_next_seq(st);
    c.seats_publish.layout =
        layout_make(NULL, bytes_reader_make(rows.data, rows.size), seats, &created, &updated, &blocks);
    c.seats_publish.blocks = &blocks;
    assert_int_equal(apply(c), OUTCOME_OK);
    layout_blocks_release(&blocks);
    buf_release(&rows);
}

/* Returns the fence. */
static uint64_t hold(const char *event, const char *seat, const char *user, bool commit, struct id *id)
{
    struct item_request item = {
        .kind = ITEM_SEAT, .resource = {event, strlen(event)}, .part = {seat, strlen(seat)}, .quantity = 1};
    struct command c = {.kind = COMMAND_HOLD, .user_id = {user, strlen(user)}};
    *id = c.reservation = (struct id){1, ++next_id};
    c.hold.items = &item;
    c.hold.count = 1;
    c.hold.commit = commit;
    c.hold.ticket_key[0] = next_id;
    touched_count = 0;
    assert_int_equal(apply(c), OUTCOME_OK);
    return out.reservation.fence;
}

static void release(struct id id)
{
    struct command c = {.kind = COMMAND_RELEASE, .reservation = id};
    touched_count = 0;
    assert_int_equal(apply(c), OUTCOME_OK);
}

static uint64_t number(const char *event)
{
    return event_find(st, (struct text){event, strlen(event)})->image.number;
}

static int set_up(void **state)
{
    (void)state;
    st = state_make();
    view = (struct view){.state = st};
    now_ms = 1000;
    touched_count = 0;
    buf_init(&changes, 1 << 20);
    put_event("D", 0);
    put_event("E", SEATS);
    put_event("F", 3);
    put_event("G", 0);
    view_on_seats(&view, on_seat, &touched);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    state_release(st);
    buf_release(&changes);
    return 0;
}

static void check_claim(const struct claim_view *c, const char *event, uint32_t position, uint64_t version,
                        const char *user)
{
    char seat[16];
    snprintf(seat, sizeof seat, "S%u", position);
    assert_int_equal(c->event_number, number(event));
    assert_int_equal(c->position, position);
    assert_true(text_equal(c->event_id, (struct text){event, strlen(event)}));
    assert_true(text_equal(c->seat_id, (struct text){seat, strlen(seat)}));
    assert_int_equal(c->live, user != NULL);
    assert_int_equal(c->version, version);
    assert_true(text_equal(c->user, (struct text){user, user ? strlen(user) : 0}));
}

/* ---- Tests ---- */

static void a_touched_seat_has_the_claim_that_the_step_left(void **state)
{
    (void)state;
    struct claim_view c;
    struct id id;
    uint64_t fence = hold("F", "S1", "ann", false, &id);
    assert_int_equal(touched_count, 1);
    assert_int_equal(touched[0].event_number, number("F"));
    assert_int_equal(touched[0].position, 1);
    assert_int_equal(touched[0].seq, st->seq);
    assert_true(view_claim_find(&view, number("F"), 1, &c));
    check_claim(&c, "F", 1, fence, "ann");
    release(id);
    assert_int_equal(touched_count, 1);
    assert_true(view_claim_find(&view, number("F"), 1, &c));
    check_claim(&c, "F", 1, st->seq, NULL);
    assert_true(c.version > fence);
    assert_true(view_claim_find(&view, number("F"), 2, &c));
    check_claim(&c, "F", 2, 0, NULL);
    assert_false(view_claim_find(&view, number("F"), 3, &c));
    assert_false(view_claim_find(&view, number("G"), 0, &c));
    assert_false(view_claim_find(&view, st->seq + 1, 0, &c));
}

static void a_lapsed_hold_is_reported_when_it_is_settled(void **state)
{
    (void)state;
    struct claim_view c;
    struct id id;
    uint64_t fence = hold("F", "S0", "ann", false, &id);
    touched_count = 0;
    now_ms += 60000;
    buf_clear(&changes);
    assert_int_equal(state_expire(st, now_ms, 10, &changes), 1);
    claims_touched(&view);
    assert_int_equal(touched_count, 1);
    assert_true(view_claim_find(&view, number("F"), 0, &c));
    check_claim(&c, "F", 0, touched[0].seq, NULL);
    assert_true(c.version > fence);
}

static void add_claims(void *ctx, struct text event, uint64_t claims)
{
    assert_int_equal(event.size, 1);
    *(uint64_t *)ctx += claims;
}

/* The next claim, and how many steps it took. */
static bool walk_on(struct claim_walk *walk, struct claim_view *c, uint32_t *steps)
{
    while (!walk->done) {
        ++*steps;
        if (view_claim_next(&view, walk, c))
            return true;
    }
    return false;
}

static void a_walk_finds_every_live_claim_once_in_order(void **state)
{
    (void)state;
    static const char *const seats[] = {"S0", "S65535", "S65536", "S199999"};
    static const uint32_t positions[] = {0, 65535, 65536, 199999};
    struct claim_walk walk = {0};
    struct claim_view c;
    struct id id, ended;
    uint64_t fences[4], event = 0, count = 0;
    uint32_t steps = 0;
    for (int i = 3; i >= 0; i--)
        fences[i] = hold("E", seats[i], "ann", i == 2, &id);
    hold("E", "S7", "bob", false, &ended);
    release(ended);
    uint64_t last = hold("F", "S2", "bob", true, &id);
    for (int i = 0; i < 4; i++) {
        assert_true(walk_on(&walk, &c, &steps));
        check_claim(&c, "E", positions[i], fences[i], "ann");
    }
    assert_true(walk_on(&walk, &c, &steps));
    check_claim(&c, "F", 2, last, "bob");
    assert_false(walk_on(&walk, &c, &steps));
    assert_true(steps < 16); /* whole windows without a claim */
    do
        view_claims_count(&view, &event, 3, add_claims, &count);
    while (event);
    assert_int_equal(count, 5);
}

static void of_a_forgotten_sale_the_user_is_not_known(void **state)
{
    (void)state;
    struct claim_walk walk = {0};
    struct claim_view c;
    struct id id;
    uint32_t steps = 0;
    uint64_t fence = hold("F", "S2", "bob", true, &id);
    now_ms += 86400000;
    state_set_now(st, now_ms);
    while (state_forget(st, st->seq, 100) == 100)
        ;
    assert_true(walk_on(&walk, &c, &steps));
    check_claim(&c, "F", 2, fence, "");
    assert_true(c.live);
}

static void a_walk_goes_on_after_its_event_was_removed(void **state)
{
    (void)state;
    struct claim_walk walk = {0};
    struct claim_view c;
    struct id first, id;
    uint32_t steps = 0;
    hold("E", "S1", "ann", false, &first);
    uint64_t last = hold("F", "S0", "bob", false, &id), gone = number("E");
    assert_true(walk_on(&walk, &c, &steps));
    release(first);
    struct command remove = {.kind = COMMAND_EVENT_REMOVE};
    remove.event = TEXT("E");
    assert_int_equal(apply(remove), OUTCOME_OK);
    assert_false(view_claim_find(&view, gone, 1, &c));
    assert_true(walk_on(&walk, &c, &steps));
    check_claim(&c, "F", 0, last, "bob");
}

#define claims_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        claims_test(a_touched_seat_has_the_claim_that_the_step_left),
        claims_test(a_lapsed_hold_is_reported_when_it_is_settled),
        claims_test(a_walk_finds_every_live_claim_once_in_order),
        claims_test(of_a_forgotten_sale_the_user_is_not_known),
        claims_test(a_walk_goes_on_after_its_event_was_removed),
    };
    return cmocka_run_group_tests_name("view_claims", tests, NULL, NULL);
}
