/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated fleet: the same seed gives the same bytes, everything is accounted for, and the report follows the
 * drivers' behaviour. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "cli/cli.h"
#include "cli/simulate.h"

static struct simulate_options small(void)
{
    struct simulate_options o = simulate_defaults();
    o.drivers = 60;
    o.side_km = 4;
    o.rides_per_minute = 12;
    o.minutes = 20;
    return o;
}

/* Table and drawing, one after the other. */
static struct buf report_of(const struct simulate_options *o)
{
    struct simulation s;
    struct buf out;
    buf_init(&out, 1 << 24);
    simulation_run(&s, o, NULL, NULL);
    simulate_report(&s, &out);
    simulate_chart(&s, &out);
    simulation_release(&s);
    return out;
}

static void the_same_seed_gives_the_same_bytes(void **state)
{
    (void)state;
    struct simulate_options o = small();
    struct buf first = report_of(&o), again = report_of(&o);
    o.seed++;
    struct buf other = report_of(&o);
    assert_int_equal(first.size, again.size);
    assert_memory_equal(first.data, again.data, first.size);
    assert_true(first.size != other.size || memcmp(first.data, other.data, first.size) != 0);
    buf_release(&first);
    buf_release(&again);
    buf_release(&other);
}

/* Rides that wait together are matched together: less driving to the pickup, if there are many. */
static void batches_save_driving(void **state)
{
    (void)state;
    struct simulate_options o = small();
    o.rides_per_minute = 16;
    o.decline_percent = o.ignore_percent = 0;
    int64_t sums[2] = {0};
    uint32_t counts[2];
    for (int i = 0; i < 2; i++) {
        struct simulation s;
        o.batch_ms = i ? 10000 : 0;
        simulation_run(&s, &o, NULL, NULL);
        int64_t *times = simulation_times(&s, true, &counts[i]);
        for (uint32_t k = 0; k < counts[i]; k++)
            sums[i] += times[k];
        free(times);
        simulation_release(&s);
    }
    print_message("# to the pickup %lld s, in batches %lld s\n", (long long)(sums[0] / counts[0] / 1000),
                  (long long)(sums[1] / counts[1] / 1000));
    assert_true(sums[1] / counts[1] < sums[0] / counts[0]);
    struct buf first = report_of(&o), again = report_of(&o);
    assert_int_equal(first.size, again.size);
    assert_memory_equal(first.data, again.data, first.size);
    buf_append(&first, "", 1);
    assert_non_null(strstr((char *)first.data, ", batches of 10000 ms\n"));
    buf_release(&first);
    buf_release(&again);
}

static void count_minutes(void *ctx, const struct simulation *s, uint64_t minute)
{
    uint64_t *minutes = ctx;
    assert_int_equal(minute, ++*minutes);
    uint64_t drivers = 0;
    for (int i = 0; i < PHASE_COUNT; i++)
        drivers += s->minutes[minute - 1].drivers[i];
    assert_int_equal(drivers, s->options.drivers);
}

static void everything_is_accounted_for(void **state)
{
    (void)state;
    struct simulate_options o = small();
    struct simulation s;
    uint64_t minutes = 0, time_ms = 0, refusals = 0, counted = 0;
    uint32_t buckets[REFUSAL_BUCKETS], count;
    simulation_run(&s, &o, count_minutes, &minutes);
    assert_int_equal(minutes, o.minutes);
    for (int i = 0; i < PHASE_COUNT; i++)
        time_ms += s.phase_ms[i];
    assert_int_equal(time_ms, o.drivers * o.minutes * 60000);
    assert_in_range(s.ride_count, 180, 300); /* 240 on average */
    for (uint32_t i = 0; i < s.ride_count; i++) {
        const struct simulated_ride *r = &s.rides[i];
        refusals += r->refusals;
        assert_true(r->status == RIDE_NO_DRIVER || r->status == RIDE_ASSIGNED || r->status == RIDE_COMPLETED);
        assert_int_equal(r->assigned_ms != 0, r->status != RIDE_NO_DRIVER);
        /* An answer takes two seconds; an offer made at the end of the search runs to its deadline. */
        assert_true(!r->assigned_ms ||
                    (r->assigned_ms >= r->asked_ms + 2000 &&
                     r->assigned_ms < r->asked_ms + (int64_t)(o.search_s + o.offer_s) * 1000));
        assert_true(!r->fetched_ms || r->fetched_ms >= r->assigned_ms);
    }
    assert_int_equal(s.ends[OFFER_ACCEPTED], simulation_rides(&s, true));
    assert_int_equal(s.offers, refusals + s.ends[OFFER_ACCEPTED]);
    simulation_refusals(&s, buckets);
    for (int i = 0; i < REFUSAL_BUCKETS; i++)
        counted += buckets[i];
    assert_int_equal(counted, simulation_rides(&s, true));
    free(simulation_times(&s, false, &count));
    assert_int_equal(count, counted);
    assert_true(s.phase_ms[PHASE_DRIVING] > s.phase_ms[PHASE_FETCHING]);
    simulation_release(&s);
}

static void drivers_who_decline_serve_no_ride(void **state)
{
    (void)state;
    struct simulate_options o = small();
    struct simulation s;
    o.decline_percent = 100;
    o.ignore_percent = 0;
    simulation_run(&s, &o, NULL, NULL);
    assert_int_equal(simulation_rides(&s, true), 0);
    assert_int_equal(s.ends[OFFER_DECLINED], s.offers);
    assert_int_equal(s.phase_ms[PHASE_FETCHING] + s.phase_ms[PHASE_DRIVING], 0);
    simulation_release(&s);
    o.decline_percent = 0;
    o.ignore_percent = 100;
    simulation_run(&s, &o, NULL, NULL);
    assert_int_equal(s.ends[OFFER_TIMED_OUT], s.offers);
    assert_true(s.offers > s.ride_count);
    simulation_release(&s);
}

/* Even without a ride there is a report. */
static void a_run_without_rides_has_a_report(void **state)
{
    (void)state;
    struct simulate_options o = small();
    o.rides_per_minute = 0;
    struct buf out = report_of(&o);
    buf_append(&out, "", 1);
    assert_non_null(strstr((char *)out.data, "100.0 %"));
    assert_non_null(strstr((char *)out.data, "</svg>"));
    buf_release(&out);
}

/* The arguments, without the names of the program and the command. */
static int command(int argc, const char *const *words)
{
    char copies[8][64], *argv[8];
    for (int i = 0; i < argc; i++) {
        snprintf(copies[i], sizeof(copies[i]), "%s", words[i]);
        argv[i] = copies[i];
    }
    return cli_simulate(argc, argv);
}

static void the_command_refuses_invalid_options(void **state)
{
    (void)state;
    assert_int_equal(command(0, NULL), 64);
    assert_int_equal(command(1, (const char *const[]){"fleets"}), 64);
    assert_int_equal(command(3, (const char *const[]){"fleet", "--drivers", "0"}), 64);
    assert_int_equal(command(5, (const char *const[]){"fleet", "--decline", "60", "--ignore", "50"}), 64);
    assert_int_equal(command(7, (const char *const[]){"fleet", "--drivers", "2", "--minutes", "1", "--svg",
                                                      "/nowhere/at/all.svg"}),
                     74);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_seed_gives_the_same_bytes),
        cmocka_unit_test(batches_save_driving),
        cmocka_unit_test(everything_is_accounted_for),
        cmocka_unit_test(drivers_who_decline_serve_no_ride),
        cmocka_unit_test(a_run_without_rides_has_a_report),
        cmocka_unit_test(the_command_refuses_invalid_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
