/* SPDX-License-Identifier: Apache-2.0 */
/* Whoever follows a room that has changed is told once, in as many turns as that takes; nobody else is, and
 * saying that a room has changed touches the first and the last of them, however many they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "http/live/crowd.h"

enum { ROOMS = 50, EACH = 200 };

static struct crowds crowds;
static struct crowd *rooms[ROOMS];
static struct crowd_member members[ROOMS][EACH];
static unsigned told[ROOMS][EACH];

static int set_up(void **state)
{
    (void)state;
    memset(told, 0, sizeof(told));
    crowds_init(&crowds);
    for (unsigned r = 0; r < ROOMS; r++)
        rooms[r] = crowds_add(&crowds, 100 + r, TEXT("E"));
    for (unsigned i = 0; i < EACH; i++)
        for (unsigned r = 0; r < ROOMS; r++)
            crowd_join(rooms[r], &members[r][i]);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (unsigned r = 0; r < ROOMS; r++)
        for (unsigned i = 0; i < EACH; i++)
            if (members[r][i].crowd)
                crowd_leave(&members[r][i]);
    assert_true(link_alone(&crowds.all) && link_alone(&crowds.stirred));
    return 0;
}

/* Tells up to so many. */
static unsigned tell(unsigned most)
{
    unsigned count = 0;
    struct crowd_member *m;
    for (; count < most && (m = crowds_next(&crowds)); count++) {
        told[m->crowd->event - 100][m - members[m->crowd->event - 100]]++;
        crowd_told(m);
    }
    return count;
}

static void expect_told(unsigned room, unsigned times)
{
    for (unsigned i = 0; i < EACH; i++)
        assert_int_equal(told[room][i], times);
}

static void rooms_that_change_together_tell_their_own(void **state)
{
    (void)state;
    assert_null(crowds_next(&crowds));
    for (unsigned r = 0; r < ROOMS; r += 2)
        crowd_stir(&crowds, rooms[r]);
    while (tell(7)) {
    }
    for (unsigned r = 0; r < ROOMS; r++)
        expect_told(r, r % 2 == 0);
    assert_null(crowds_next(&crowds));
}

static void a_room_that_changes_again_is_told_of_once_more(void **state)
{
    (void)state;
    crowd_stir(&crowds, rooms[3]);
    assert_int_equal(tell(EACH / 2), EACH / 2);
    crowd_stir(&crowds, rooms[3]);
    assert_int_equal(tell(10 * EACH), EACH);
    for (unsigned i = 0; i < EACH; i++)
        assert_int_equal(told[3][i], i < EACH / 2 ? 2 : 1);
}

/* A move, a refresh or a slow socket may come first. */
static void who_was_told_meanwhile_is_not_told_again(void **state)
{
    (void)state;
    crowd_stir(&crowds, rooms[0]);
    crowd_stir(&crowds, rooms[1]);
    for (unsigned i = 0; i < EACH; i++)
        crowd_told(&members[0][i]);
    crowd_told(&members[1][5]);
    crowd_told(&members[2][5]);
    assert_int_equal(tell(10 * EACH), EACH - 1);
    expect_told(0, 0);
    assert_int_equal(told[1][5], 0);
}

static void who_leaves_is_told_nothing(void **state)
{
    (void)state;
    crowd_stir(&crowds, rooms[0]);
    crowd_stir(&crowds, rooms[1]);
    for (unsigned i = 0; i < EACH; i++)
        crowd_leave(&members[0][i]);
    assert_null(crowds_find(&crowds, 100));
    crowd_leave(&members[1][0]);
    assert_int_equal(tell(10 * EACH), EACH - 1);
    assert_ptr_equal(crowds_find(&crowds, 101), rooms[1]);
}

/* Nobody could walk along this crowd. */
static void stirring_looks_at_no_member_in_the_middle(void **state)
{
    (void)state;
    struct link *broken = &members[4][EACH / 2].link, right = *broken;
    *broken = (struct link){NULL, NULL};
    crowd_stir(&crowds, rooms[4]);
    *broken = right;
    assert_int_equal(tell(10 * EACH), EACH);
    expect_told(4, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rooms_that_change_together_tell_their_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_room_that_changes_again_is_told_of_once_more, set_up, tear_down),
        cmocka_unit_test_setup_teardown(who_was_told_meanwhile_is_not_told_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(who_leaves_is_told_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stirring_looks_at_no_member_in_the_middle, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("http_crowd", tests, NULL, NULL);
}
