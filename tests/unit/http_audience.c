/* SPDX-License-Identifier: Apache-2.0 */
/* Every member of a queue that has changed is notified once, in as many turns as that takes; nobody else is, and
 * marking a queue as changed touches only its first and last member, however many there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "http/live/audience.h"

enum { ROOMS = 50, EACH = 200 };

static struct audiences audiences;
static struct audience *queues[ROOMS];
static struct audience_member members[ROOMS][EACH];
static unsigned told[ROOMS][EACH];

static int set_up(void **state)
{
    (void)state;
    memset(told, 0, sizeof(told));
    audiences_init(&audiences, sizeof(struct audience), NULL);
    for (unsigned r = 0; r < ROOMS; r++)
        queues[r] = audiences_add(&audiences, 100 + r, TEXT("E"), false);
    for (unsigned i = 0; i < EACH; i++)
        for (unsigned r = 0; r < ROOMS; r++)
            audience_join(queues[r], &members[r][i]);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (unsigned r = 0; r < ROOMS; r++)
        for (unsigned i = 0; i < EACH; i++)
            if (members[r][i].audience)
                audience_leave(&members[r][i]);
    assert_true(link_alone(&audiences.all) && link_alone(&audiences.waiting));
    return 0;
}

/* Notifies up to `most`. */
static unsigned tell(unsigned most)
{
    unsigned count = 0;
    struct audience_member *m;
    for (; count < most && (m = audiences_next(&audiences)); count++) {
        told[m->audience->number - 100][m - members[m->audience->number - 100]]++;
        audience_mark_sent(m);
    }
    return count;
}

static void expect_told(unsigned queue, unsigned times)
{
    for (unsigned i = 0; i < EACH; i++)
        assert_int_equal(told[queue][i], times);
}

static void queues_that_change_together_notify_their_own(void **state)
{
    (void)state;
    assert_null(audiences_next(&audiences));
    for (unsigned r = 0; r < ROOMS; r += 2)
        audience_mark_all(queues[r]);
    while (tell(7)) {
    }
    for (unsigned r = 0; r < ROOMS; r++)
        expect_told(r, r % 2 == 0);
    assert_null(audiences_next(&audiences));
}

static void a_queue_that_changes_again_notifies_again(void **state)
{
    (void)state;
    audience_mark_all(queues[3]);
    assert_int_equal(tell(EACH / 2), EACH / 2);
    audience_mark_all(queues[3]);
    assert_int_equal(tell(10 * EACH), EACH);
    for (unsigned i = 0; i < EACH; i++)
        assert_int_equal(told[3][i], i < EACH / 2 ? 2 : 1);
}

/* A move, a refresh or a slow socket can come first. */
static void a_member_notified_since_is_not_notified_again(void **state)
{
    (void)state;
    audience_mark_all(queues[0]);
    audience_mark_all(queues[1]);
    for (unsigned i = 0; i < EACH; i++)
        audience_mark_sent(&members[0][i]);
    audience_mark_sent(&members[1][5]);
    audience_mark_sent(&members[2][5]);
    assert_int_equal(tell(10 * EACH), EACH - 1);
    expect_told(0, 0);
    assert_int_equal(told[1][5], 0);
}

static void a_member_who_left_is_not_notified(void **state)
{
    (void)state;
    audience_mark_all(queues[0]);
    audience_mark_all(queues[1]);
    for (unsigned i = 0; i < EACH; i++)
        audience_leave(&members[0][i]);
    assert_null(audiences_find(&audiences, 100, false));
    audience_leave(&members[1][0]);
    assert_int_equal(tell(10 * EACH), EACH - 1);
    assert_ptr_equal(audiences_find(&audiences, 101, false), queues[1]);
}

/* Walking along this group of followers would fail. */
static void marking_a_queue_visits_only_the_ends(void **state)
{
    (void)state;
    struct link *broken = &members[4][EACH / 2].link, right = *broken;
    *broken = (struct link){NULL, NULL};
    audience_mark_all(queues[4]);
    *broken = right;
    assert_int_equal(tell(10 * EACH), EACH);
    expect_told(4, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(queues_that_change_together_notify_their_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_queue_that_changes_again_notifies_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_member_notified_since_is_not_notified_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_member_who_left_is_not_notified, set_up, tear_down),
        cmocka_unit_test_setup_teardown(marking_a_queue_visits_only_the_ends, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("http_audience", tests, NULL, NULL);
}
