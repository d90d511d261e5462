/* SPDX-License-Identifier: Apache-2.0 */
/* A position gets its cell before it is rounded: on either side of a boundary each point has its own cell, though both
 * are stored as the same 1e-7 degrees. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/geo/h3.h"
#include "http/dispatch/point_body.h"

#define RESOLUTION 15

static struct json_number_value number(double value)
{
    return (struct json_number_value){value, true};
}

static void the_cell_is_that_of_the_unrounded_point(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        double lng = 13.4 + i * 0.01, low = 52.5, high = 52.5001; /* eleven metres: several cells */
        uint64_t first = h3_from_point((struct h3_point){low, lng}, RESOLUTION);
        while (high - low > 1e-12) {
            double middle = low + (high - low) / 2;
            if (h3_from_point((struct h3_point){middle, lng}, RESOLUTION) == first)
                low = middle;
            else
                high = middle;
        }
        assert_int_equal(point_rounded(number(low), number(lng)).lat_e7,
                         point_rounded(number(high), number(lng)).lat_e7);
        assert_true(point_cell(number(low), number(lng), RESOLUTION) == first);
        assert_true(point_cell(number(high), number(lng), RESOLUTION) != first);
    }
}

static void the_ends_fit_and_no_fleet_has_no_cell(void **state)
{
    (void)state;
    struct geo_point point = point_rounded(number(-90), number(180));
    assert_true(point.lat_e7 == -900000000 && point.lng_e7 == 1800000000);
    point = point_rounded(number(0.00000005), number(-0.00000006));
    assert_true(point.lat_e7 == 0 && point.lng_e7 == -1); /* halves round to even */
    assert_true(point_cell(number(1), number(1), -1) == H3_NONE);
    assert_true(h3_is_valid(point_cell(number(90), number(-180), 0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cell_is_that_of_the_unrounded_point),
        cmocka_unit_test(the_ends_fit_and_no_fleet_has_no_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
