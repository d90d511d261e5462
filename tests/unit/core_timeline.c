/* SPDX-License-Identifier: Apache-2.0 */
/* A timeline agrees with a plain list of claims, whatever is added, sold, removed and folded in between. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/crypto/hash.h"
#include "core/calendar/timeline.h"

#define SPAN 200 /* the range of instants of claims */
#define CLAIMS 60

struct claim {
    int64_t start, end;
    bool sold;
};

struct model {
    struct claim claims[CLAIMS];
    int count;
    int64_t now;
    uint64_t random;
};

static uint64_t draw(struct model *m, uint64_t below)
{
    m->random++;
    return hash_sip((struct hash_key){5, 6}, &m->random, sizeof(m->random)) % below;
}

static uint32_t overlap(const struct model *m, int64_t at, bool sold_only)
{
    uint32_t n = 0;
    for (int i = 0; i < m->count; i++)
        n += m->claims[i].start <= at && at < m->claims[i].end && (m->claims[i].sold || !sold_only);
    return n;
}

static uint32_t overlap_most(const struct model *m, int64_t start, int64_t end, bool sold_only)
{
    uint32_t most = 0;
    for (int64_t at = start; at < end; at++)
        if (overlap(m, at, sold_only) > most)
            most = overlap(m, at, sold_only);
    return most;
}

static void compare(const struct model *m, const struct timeline *t, int64_t start, int64_t end,
                    uint32_t capacity)
{
    assert_int_equal(timeline_most(t, start, end), overlap_most(m, start, end, false));
    assert_int_equal(timeline_most_sold(t, start, end), overlap_most(m, start, end, true));
    int64_t queue = start, full = TIMELINE_NONE;
    while (overlap(m, queue, false) >= capacity)
        queue++;
    for (int64_t at = start; at < end; at++)
        if (overlap(m, at, false) >= capacity)
            full = at;
    assert_int_equal(timeline_room_after(t, start, capacity), queue);
    assert_int_equal(timeline_last_full(t, start, end, capacity), full);
}

static void claim_change(struct model *m, struct timeline *t)
{
    uint64_t what = draw(m, 10);
    if (m->count < CLAIMS && (what < 5 || m->count == 0)) {
        int64_t start = (int64_t)draw(m, SPAN), end = start + 1 + (int64_t)draw(m, 30);
        struct claim c = {start, end, draw(m, 2)};
        m->claims[m->count++] = c;
        timeline_add(t, c.start, c.end, c.sold);
        return;
    }
    struct claim *c = &m->claims[draw(m, (uint64_t)m->count)];
    if (what < 7 && !c->sold) {
        timeline_sell(t, c->start, c->end);
        c->sold = true;
        return;
    }
    timeline_remove(t, c->start, c->end, c->sold);
    *c = m->claims[--m->count];
}

static void agrees_with_a_plain_list(void **state)
{
    (void)state;
    for (uint64_t run = 0; run < 60; run++) {
        struct model m = {.random = run << 32};
        struct timeline t;
        bool folds = run % 3 != 0;
        timeline_init(&t);
        for (int step = 0; step < 400; step++) {
            claim_change(&m, &t);
            if (folds && draw(&m, 20) == 0 && m.now < SPAN)
                m.now += (int64_t)draw(&m, 15);
            if (folds && draw(&m, 3) == 0)
                assert_true(timeline_fold(&t, m.now, (uint32_t)draw(&m, 4)) <= 4);
            assert_true(t.folded_ms <= m.now);
            assert_true(timeline_check(&t));
            int64_t start = m.now + (int64_t)draw(&m, SPAN);
            compare(&m, &t, start, start + 1 + (int64_t)draw(&m, 60), 1 + (uint32_t)draw(&m, 6));
        }
        while (m.count) {
            m.count--;
            timeline_remove(&t, m.claims[m.count].start, m.claims[m.count].end, m.claims[m.count].sold);
        }
        assert_true(timeline_check(&t));
        assert_int_equal(t.nodes.count, 0);
        timeline_release(&t);
    }
}

static void touching_claims_leave_no_point(void **state)
{
    (void)state;
    struct timeline t;
    timeline_init(&t);
    for (int64_t i = 0; i < 1000; i++)
        timeline_add(&t, i * 10, i * 10 + 10, true);
    assert_int_equal(t.nodes.count, 2);
    assert_int_equal(timeline_most(&t, 0, 10000), 1);
    assert_int_equal(timeline_room_after(&t, 0, 1), 10000);
    assert_int_equal(timeline_last_full(&t, 0, 20000, 1), 9999);
    timeline_release(&t);
}

/* 200,000 points: a list would take minutes, and an unbalanced tree would overflow the stack. */
static void many_in_order(void **state)
{
    (void)state;
    struct timeline t;
    timeline_init(&t);
    for (int64_t i = 0; i < 100000; i++)
        timeline_add(&t, i * 10, i * 10 + 5, false);
    assert_int_equal(t.nodes.count, 200000);
    assert_true(timeline_check(&t));
    for (int64_t i = 0; i < 100000; i++) {
        assert_int_equal(timeline_most(&t, i * 10, i * 10 + 10), 1);
        assert_int_equal(timeline_most(&t, i * 10 + 5, i * 10 + 10), 0);
        assert_int_equal(timeline_last_full(&t, 0, i * 10 + 10, 1), i * 10 + 4);
    }
    assert_int_equal(timeline_most(&t, 0, 1000000), 1);
    assert_int_equal(timeline_room_after(&t, 0, 1), 5);
    uint32_t folded = 0, n;
    while ((n = timeline_fold(&t, 500002, 1000)))
        folded += n;
    assert_int_equal(folded, 100001);
    assert_int_equal(t.base, 1);
    assert_int_equal(timeline_room_after(&t, 500002, 1), 500005);
    assert_true(timeline_check(&t));
    timeline_release(&t);
}

static void the_past_counts_for_nothing(void **state)
{
    (void)state;
    struct timeline t;
    timeline_init(&t);
    timeline_fold(&t, 100, 1);
    assert_int_equal(t.folded_ms, 100);
    timeline_add(&t, 10, 90, true);   /* over */
    timeline_add(&t, 10, 100, true);  /* over at that very instant */
    timeline_add(&t, 50, 150, false); /* begun */
    assert_int_equal(t.nodes.count, 1);
    assert_int_equal(timeline_most(&t, 0, 1000), 1);
    assert_int_equal(timeline_most(&t, 0, 100), 0);
    timeline_sell(&t, 50, 150);
    assert_int_equal(timeline_most_sold(&t, 100, 101), 1);
    timeline_remove(&t, 10, 90, true);
    timeline_remove(&t, 50, 150, true);
    assert_int_equal(timeline_most(&t, 0, 1000), 0);
    timeline_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_a_plain_list),
        cmocka_unit_test(touching_claims_leave_no_point),
        cmocka_unit_test(many_in_order),
        cmocka_unit_test(the_past_counts_for_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
