/* SPDX-License-Identifier: Apache-2.0 */
/* A large fleet costs no more than it should: memory, positions, waiting rides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "../lib/city.h"

#include "core/dispatch/dispatch.h"

/* Processor time of serving NEW rides while others wait in vain. */
static double seconds_with(uint64_t waiting)
{
    enum { NEW = 2000 };
    struct city c;
    city_open(&c, 0);
    struct geo_point home = {525000000, 134000000};
    for (uint64_t i = 1; i <= waiting; i++)
        city_request(&c, i, home);
    buf_clear(&c.changes);
    while (state_dispatch(c.st, c.now_ms, &c.changes))
        buf_clear(&c.changes);
    assert_int_equal(city_fleet(&c)->fresh, 0);
    for (uint64_t i = 1; i <= NEW; i++)
        city_request(&c, waiting + i, home);
    assert_int_equal(city_fleet(&c)->fresh, NEW);
    clock_t began = clock();
    while (state_dispatch(c.st, c.now_ms, &c.changes))
        ;
    double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    assert_int_equal(city_fleet(&c)->fresh, 0);
    assert_int_equal(city_fleet(&c)->rides_by_status[RIDE_SEARCHING], waiting + NEW);
    city_check(&c);
    city_close(&c);
    return seconds;
}

/* No driver is free, and many rides wait: that costs nothing until a driver becomes free. */
static void waiting_rides_are_not_walked_one_by_one(void **state)
{
    (void)state;
    double few = seconds_with(200), many = seconds_with(40000);
    print_message("%.1f ms beside 200, %.1f ms beside 40,000\n", few * 1000, many * 1000);
    assert_true(many < 10 * few + 0.05);
}

/* Processor time of a step in which the offers of many rides lapse, all of them older than the waiting ones. */
static double seconds_of_lapses(uint64_t waiting)
{
    enum { COUNT = 500 };
    struct city c;
    city_open(&c, 0);
    struct geo_point home = {525000000, 134000000}, nowhere = {425000000, 134000000};
    for (uint32_t i = 0; i < COUNT; i++)
        city_driver(&c, i, home);
    for (uint64_t i = 1; i <= COUNT; i++)
        city_request(&c, i, home);
    while (state_dispatch(c.st, c.now_ms, &c.changes))
        buf_clear(&c.changes);
    assert_int_equal(city_fleet(&c)->rides_by_status[RIDE_OFFERED], COUNT);
    for (uint64_t i = 1; i <= waiting; i++)
        city_request(&c, COUNT + i, nowhere);
    while (state_dispatch(c.st, c.now_ms, &c.changes))
        buf_clear(&c.changes);
    c.now_ms += 15000;
    clock_t began = clock();
    state_dispatch(c.st, c.now_ms, &c.changes);
    double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    city_check(&c);
    city_close(&c);
    return seconds;
}

/* A ride that waits again finds its place without walking past others. */
static void a_ride_goes_back_to_its_place_at_once(void **state)
{
    (void)state;
    double few = seconds_of_lapses(100), many = seconds_of_lapses(40000);
    print_message("a step of lapses: %.2f ms beside 100, %.2f ms beside 40,000\n", few * 1000, many * 1000);
    assert_true(many < 10 * few + 0.02);
}

/* Processor time of erasing a rider among the rides of others. */
static double seconds_of_erasures(uint64_t others)
{
    enum { COUNT = 200 };
    struct city c;
    city_open(&c, 0);
    struct geo_point home = {525000000, 134000000};
    for (uint64_t i = 1; i <= others; i++)
        city_request(&c, i, home);
    clock_t began = clock();
    for (uint32_t i = 0; i < COUNT; i++) {
        char from[CITY_NAME_SIZE], to[CITY_NAME_SIZE];
        struct command erase = {.kind = COMMAND_ERASE, .actor = {.role = ROLE_ADMIN}};
        city_name(from, i);
        city_name(to, COUNT + i);
        erase.erase.from = (struct text){from, strlen(from)};
        erase.erase.to = (struct text){to, strlen(to)};
        assert_int_equal(city_apply(&c, &erase), OUTCOME_OK);
    }
    double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    city_check(&c);
    city_close(&c);
    return seconds;
}

static void a_person_is_found_among_many_rides(void **state)
{
    (void)state;
    double few = seconds_of_erasures(100), many = seconds_of_erasures(40000);
    print_message("200 erasures: %.2f ms beside 100 rides, %.2f ms beside 40,000\n", few * 1000, many * 1000);
    assert_true(many < 10 * few + 0.02);
}

/* The memory of the tables and slabs of a fleet, by their own account. */
static uint64_t bytes_of(const struct fleet *f)
{
    const struct table *tables[] = {&f->drivers_by_id, &f->cells_by_cell};
    uint64_t bytes = (uint64_t)f->drivers.chunk_count * SLAB_CHUNK * f->drivers.record_size +
                     (uint64_t)f->cells.chunk_count * SLAB_CHUNK * f->cells.record_size;
    for (int i = 0; i < 2; i++) {
        bytes += tables[i]->now.handles ? (tables[i]->now.mask + 1) * 6 : 0;
        bytes += tables[i]->old.handles ? (tables[i]->old.mask + 1) * 6 : 0;
    }
    return bytes;
}

/* 200,000 drivers, about four to a cell; all move, in bulk, and nothing is recorded. */
static void a_driver_takes_128_bytes(void **state)
{
    (void)state;
    enum { COUNT = 200000 };
    struct city c;
    city_open(&c, 6);
    static struct position all[POSITIONS_MAX];
    static char ids[POSITIONS_MAX][CITY_NAME_SIZE];
    uint64_t random = 1;
    for (uint32_t i = 0; i < COUNT; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        city_driver(&c, i,
                    (struct geo_point){520000000 + (int32_t)(random >> 33) % 8000000,
                                       130000000 + (int32_t)(random >> 13 & 0x7fffffff) % 10000000});
    }
    uint64_t seq = c.st->seq;
    for (uint32_t first = 0; first < COUNT; first += POSITIONS_MAX) {
        struct command move = {.kind = COMMAND_POSITIONS, .actor = {.role = ROLE_APP, .name = TEXT("app")}};
        for (uint32_t i = 0; i < POSITIONS_MAX; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            city_name(ids[i], first + i);
            all[i] =
                (struct position){.driver = {ids[i], strlen(ids[i])},
                                  .point = {520000000 + (int32_t)(random >> 33) % 8000000,
                                            130000000 + (int32_t)(random >> 13 & 0x7fffffff) % 10000000}};
            all[i].cell = city_cell(all[i].point);
        }
        move.positions.fleet = TEXT("F");
        move.positions.all = all;
        move.positions.count = POSITIONS_MAX;
        assert_int_equal(city_apply(&c, &move), OUTCOME_OK);
        assert_int_equal(c.out.updated, POSITIONS_MAX);
        assert_int_equal(c.out.seq, 0); /* it waits for nothing */
    }
    assert_int_equal(c.st->seq, seq);
    assert_int_equal(city_fleet(&c)->drivers_by_status[DRIVER_FREE], COUNT);
    print_message("%.1f bytes a driver, %.1f drivers a cell\n", (double)bytes_of(city_fleet(&c)) / COUNT,
                  (double)COUNT / city_fleet(&c)->cells.count);
    assert_true(bytes_of(city_fleet(&c)) <= 128ull * COUNT);
    city_check(&c);
    /* All go silent together: as many steps as it takes. */
    c.now_ms += 30000;
    uint32_t steps = 1;
    buf_clear(&c.changes);
    while (state_dispatch(c.st, c.now_ms, &c.changes))
        steps++;
    assert_in_range(steps, COUNT / DISPATCH_WORK_MAX, COUNT / DISPATCH_WORK_MAX + 2);
    assert_int_equal(city_fleet(&c)->drivers_by_status[DRIVER_FREE], 0);
    city_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiting_rides_are_not_walked_one_by_one),
        cmocka_unit_test(a_ride_goes_back_to_its_place_at_once),
        cmocka_unit_test(a_person_is_found_among_many_rides),
        cmocka_unit_test(a_driver_takes_128_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
