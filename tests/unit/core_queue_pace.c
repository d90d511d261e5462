/* SPDX-License-Identifier: Apache-2.0 */
/* Admission keeps its rate in every second and is smooth within it, however late the steps come; the estimated wait is
 * honest; and polls that came together do not stay together. */
#include "queue_fixture.h"

static struct queue_settings settings;

static void begin(uint32_t rate, uint32_t people)
{
    settings = (struct queue_settings){
        .open_at_ms = CORE_EPOCH_MS + 1000, .rate_per_second = rate, .pass_ttl_s = 900};
    fixture_begin();
    fixture_put(&settings, 1);
    core.now_ms = CORE_EPOCH_MS + 999;
    for (uint32_t i = 1; i <= people; i++) {
        queue_entry(fixture_queue(), fixture_join(i))->asked_s = UINT32_MAX; /* always there */
        buf_clear(&f.journal);
    }
    core.now_ms = CORE_EPOCH_MS + 1000;
}

/* A step when it is due, and up to `late_ms` later; returns how many were admitted by the end. */
static uint32_t steps_until(int64_t end_ms, uint32_t late_ms)
{
    uint32_t before = fixture_queue()->by_status[QUEUE_ADMITTED];
    for (;;) {
        int64_t due_ms = state_next_admission(core.st);
        due_ms = due_ms < core.now_ms ? core.now_ms : due_ms;
        due_ms += late_ms ? (int64_t)(fixture_dice() % late_ms) : 0;
        if (due_ms >= end_ms)
            break;
        core.now_ms = due_ms;
        while (fixture_admit(1000)) {
        }
        core.now_ms++;
    }
    core.now_ms = end_ms;
    return fixture_queue()->by_status[QUEUE_ADMITTED] - before;
}

static void keeps_its_rate(uint32_t rate, uint32_t late_ms)
{
    uint32_t seconds = 5, all = 0;
    begin(rate, rate * (seconds + 1));
    for (uint32_t s = 0; s < seconds; s++) {
        uint32_t in_second = 0;
        for (uint32_t tenth = 0; tenth < 10; tenth++) {
            uint32_t in_tenth = steps_until(core.now_ms + 100, late_ms);
            /* What one late step leaves for the next tenth of a second, plus one. */
            assert_true(in_tenth * 1000.0 <= rate * (100.0 + QUEUE_STEP_MS + 2 * late_ms) + 1000);
            if (rate >= 100)
                assert_true(in_tenth * 1000.0 >= rate * (100.0 - QUEUE_STEP_MS - 2 * late_ms) - 1000);
            in_second += in_tenth;
        }
        assert_true(in_second * 1000.0 <= rate * (1000.0 + QUEUE_STEP_MS + 2 * late_ms) + 1000);
        assert_true(in_second * 1000.0 >= rate * (1000.0 - QUEUE_STEP_MS - 2 * late_ms) - 1000);
        all += in_second;
    }
    /* Nothing is lost over the seconds. */
    assert_true(all * 1000.0 >= (double)rate * (seconds * 1000 - QUEUE_STEP_MS - 2 * late_ms) - 1000);
    assert_true(all <= rate * seconds + 1);
    fixture_end();
}

static void every_second_has_its_rate(void **state)
{
    (void)state;
    static const uint32_t rates[] = {1, 2, 3, 7, 10, 50, 333, 1000, 20000};
    for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++) {
        keeps_its_rate(rates[i], 0);
        keeps_its_rate(rates[i], 5);
        if (rates[i] > 10)
            keeps_its_rate(rates[i], 60);
    }
}

/* After a pause of any length at most a tenth of a second's worth is admitted at once; after an empty line one. */
static void no_credit_is_saved_up(void **state)
{
    (void)state;
    begin(500, 1000);
    steps_until(core.now_ms + 200, 0);
    core.now_ms += 3600 * 1000;
    uint32_t before = fixture_queue()->by_status[QUEUE_ADMITTED];
    while (fixture_admit(1000)) {
    }
    /* The earlier passes have ended. */
    assert_int_equal(fixture_queue()->by_status[QUEUE_ADMITTED], 51);
    assert_int_equal(fixture_queue()->by_status[QUEUE_FINISHED], before);
    while (fixture_queue()->in_line)
        steps_until(core.now_ms + 100, 0);
    core.now_ms += 60 * 1000;
    before = fixture_queue()->by_status[QUEUE_ADMITTED];
    for (uint32_t i = 2001; i <= 2100; i++)
        fixture_join(i);
    fixture_admit(1000);
    assert_int_equal(fixture_queue()->by_status[QUEUE_ADMITTED], before + 1);
    fixture_end();
}

/* ---- eta ---- */

static int64_t eta_of(uint32_t number)
{
    struct queue_entry_image q;
    queue_entry_view(core.st, fixture_event(), number, &q);
    return q.eta_s;
}

static void eta_is_what_it_takes(uint32_t rate, uint32_t people, int64_t after_ms)
{
    begin(rate, people);
    steps_until(core.now_ms + after_ms, 20);
    uint32_t number = people - 5;
    int64_t asked_ms = core.now_ms, eta_s = eta_of(number);
    while (queue_entry(fixture_queue(), number)->status != QUEUE_ADMITTED)
        steps_until(core.now_ms + 50, 20);
    double took_s = (double)(core.now_ms - asked_ms) / 1000;
    if (eta_s < took_s * 0.93 - 1.1 || eta_s > took_s * 1.07 + 1.1)
        fail_msg("at %u a second the eta was %lld s, and it took %.1f s", rate, (long long)eta_s, took_s);
    fixture_end();
}

static void the_eta_matches_the_measured_wait(void **state)
{
    (void)state;
    static const int64_t after_ms[] = {0, 200, 1100, 3000, 15000};
    for (size_t i = 0; i < sizeof(after_ms) / sizeof(*after_ms); i++) {
        eta_is_what_it_takes(3, 90, after_ms[i]);
        eta_is_what_it_takes(50, 1500, after_ms[i]);
        eta_is_what_it_takes(700, 14000, after_ms[i]);
    }
}

/* When places are the limit, the eta follows the measured rate, and is unknown if nobody was admitted. */
static void places_are_measured(void **state)
{
    (void)state;
    settings = (struct queue_settings){.rate_per_second = 1000, .max_active = 10, .pass_ttl_s = 900};
    fixture_begin();
    fixture_put(&settings, 1);
    for (uint32_t i = 1; i <= 200; i++)
        queue_entry(fixture_queue(), fixture_join(i))->asked_s = UINT32_MAX;
    steps_until(core.now_ms + 2000, 0);
    assert_int_equal(fixture_queue()->serving, 10);
    core.now_ms += 20000;
    fixture_admit(1000);
    assert_int_equal(eta_of(100), -1);
    /* Two a second finish. */
    for (uint32_t i = 1; i <= 60; i++) {
        fixture_entry(COMMAND_QUEUE_LEAVE, i);
        steps_until(core.now_ms + 500, 0);
    }
    assert_int_equal(fixture_queue()->serving, 70);
    assert_in_range(eta_of(171), 46, 54);
    assert_int_equal(eta_of(71), 1); /* the next one waits for a place too */
    fixture_end();
}

/* ---- When to ask again ---- */

static uint32_t poll_of(uint32_t number)
{
    struct queue_entry_image q;
    queue_entry_view(core.st, fixture_event(), number, &q);
    assert_in_range(q.poll_after_s, 1, POLL_AFTER_MAX_S);
    return q.poll_after_s;
}

/* Of a thousand polls at the same instant: mean, minimum and maximum of poll_after. */
static double polls(uint32_t first, uint32_t *least, uint32_t *most)
{
    uint32_t sum = 0, spread[POLL_AFTER_MAX_S + 1] = {0}, greatest = 0;
    *least = POLL_AFTER_MAX_S;
    *most = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t after_s = poll_of(first + i);
        spread[after_s]++;
        sum += after_s;
        *least = after_s < *least ? after_s : *least;
        *most = after_s > *most ? after_s : *most;
    }
    for (uint32_t s = 0; s <= POLL_AFTER_MAX_S; s++)
        greatest = spread[s] > greatest ? spread[s] : greatest;
    assert_true(greatest < 3000 / (*most - *least + 1)); /* polls do not synchronize */
    return sum / 1000.0;
}

static void distant_entries_poll_rarely_and_spread_out(void **state)
{
    (void)state;
    uint32_t least, most;
    begin(100, 40000);
    steps_until(core.now_ms + 2000, 0);
    double near_s = polls(250, &least, &most);
    assert_int_equal(least, 1);
    assert_in_range(most, 3, 4);
    double middle_s = polls(8000, &least, &most);
    double far_s = polls(39000, &least, &most);
    assert_int_equal(least, 36);
    assert_int_equal(most, 60);
    assert_true(near_s < 3 && middle_s > 15 && middle_s < 25 && far_s > 46 && far_s < 50);
    /* The same person polls at different times each time. */
    uint32_t first = poll_of(39500), differ = 0;
    for (int i = 0; i < 20; i++, core.now_ms++) {
        state_set_now(core.st, core.now_ms);
        differ += poll_of(39500) != first;
    }
    assert_true(differ > 10);
    fixture_end();
}

/* Before the opening poll_after can get shorter for few as it comes near, but not for a crowd. */
static void before_the_opening_a_crowd_keeps_its_distance(void **state)
{
    (void)state;
    uint32_t least, most;
    begin(100, 1000);
    core.now_ms = CORE_EPOCH_MS + 999;
    fixture_put(&(struct queue_settings){.open_at_ms = CORE_EPOCH_MS + 600000,
                                         .rate_per_second = 100,
                                         .pass_ttl_s = 9},
                1);
    assert_true(polls(1, &least, &most) > 40);
    core.now_ms = CORE_EPOCH_MS + 590000;
    state_set_now(core.st, core.now_ms);
    assert_true(polls(1, &least, &most) < 8);
    fixture_end();
    begin(100, 120000);
    state_set_now(core.st, core.now_ms = CORE_EPOCH_MS + 999);
    assert_true(polls(1, &least, &most) > 40);
    fixture_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_second_has_its_rate),
        cmocka_unit_test(no_credit_is_saved_up),
        cmocka_unit_test(the_eta_matches_the_measured_wait),
        cmocka_unit_test(places_are_measured),
        cmocka_unit_test(distant_entries_poll_rarely_and_spread_out),
        cmocka_unit_test(before_the_opening_a_crowd_keeps_its_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
