/* SPDX-License-Identifier: Apache-2.0 */
/* Points, cells and outlines of the grid: known ones, and properties of all. tests/h3 compares many more with another
 * implementation. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/geo/h3.h"

#define NEAR 1e-9 /* degrees */

static const struct known {
    struct h3_point point;
    int resolution;
    h3_cell cell;
    struct h3_point centre;
    int vertex_count;
    bool is_pentagon;
} KNOWN[] = {
    {{52.5200066, 13.404954}, 9, 0x891f1d48947ffff, {52.52053410814391, 13.404380558343954}, 6, false},
    {{37.7752702151959, -122.41867998},
     9,
     0x8928308280fffff,
     {37.77670234943569, -122.41845932318311},
     6,
     false},
    {{-33.8567844, 151.213108}, 15, 0x8fbe0e35c09d26b, {-33.8567890012696, 151.21310661253244}, 6, false},
    {{0, 0}, 0, 0x8075fffffffffff, {2.300882111626747, -5.245390296777324}, 5, true},
    {{0, 0}, 15, 0x8f754e64992d6d8, {0.000002077039498819057, 0.0000023632295175839038}, 6, false},
    {{90, 0}, 5, 0x85032623fffffff, {89.95859680815384, -50.396941349732245}, 6, false},
    {{90, 77}, 5, 0x85032623fffffff, {89.95859680815384, -50.396941349732245}, 6, false},
    {{-90, 0}, 7, 0x87f29380effffff, {-89.99634693622002, 178.32576683915065}, 6, false},
    {{64.70000012793487, 10.536199075467682},
     3,
     0x830800fffffffff,
     {64.70000012793487, 10.536199075467675},
     10,
     true},
    {{51.4779, 180}, 8, 0x88225968e3fffff, {51.47637484419499, 179.99867528638353}, 6, false},
    {{51.4779, -180}, 8, 0x88225968e3fffff, {51.47637484419499, 179.99867528638353}, 6, false},
    {{51.4779, 540}, 8, 0x88225968e3fffff, {51.47637484419499, 179.99867528638353}, 6, false},
    {{-65.85363503102232, 179.18924131319113},
     14,
     0x8eea8d332c91d4f,
     {-65.85363335561594, 179.18922589676464},
     6,
     false},
    {{64.9, 10}, 11, 0x8b080082e2aafff, {64.89980556437004, 9.999824082782785}, 6, false},
    {{-22.9068, -43.1729}, 1, 0x81a8bffffffffff, {-20.632521701814934, -42.3491473419985}, 6, false},
};

static void assert_near(struct h3_point a, struct h3_point b)
{
    assert_true(fabs(a.lat - b.lat) < NEAR);
    assert_true(fabs(a.lng - b.lng) < NEAR);
}

static void known_points_are_in_known_cells(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        const struct known *k = &KNOWN[i];
        struct h3_point vertices[H3_BOUNDARY_MAX];
        assert_int_equal(h3_from_point(k->point, k->resolution), k->cell);
        assert_near(h3_to_point(k->cell), k->centre);
        assert_int_equal(h3_boundary(k->cell, vertices), k->vertex_count);
        assert_int_equal(h3_is_pentagon(k->cell), k->is_pentagon);
        assert_int_equal(h3_resolution(k->cell), k->resolution);
        assert_true(h3_is_valid(k->cell));
    }
}

static void points_that_are_not_finite_have_no_cell(void **state)
{
    (void)state;
    assert_int_equal(h3_from_point((struct h3_point){NAN, 0}, 9), H3_NONE);
    assert_int_equal(h3_from_point((struct h3_point){0, -INFINITY}, 9), H3_NONE);
    assert_false(h3_is_valid(H3_NONE));
}

static void an_edge_that_crosses_from_face_to_face_has_a_bend(void **state)
{
    (void)state;
    static const struct h3_point expected[] = {
        {63.3270613280184, 4.012620898449967},    {61.54550957788075, -2.2975260876218253},
        {57.68949737459285, -0.9315871635106163}, {55.70676846515229, 5.5236465492903095},
        {58.130531165851416, 11.555977692900697}, {61.5405146000252, 11.08066005848237},
        {61.890838475326184, 8.644221197607187},
    };
    struct h3_point vertices[H3_BOUNDARY_MAX];
    assert_int_equal(h3_boundary(0x8109bffffffffff, vertices), 7);
    for (int i = 0; i < 7; i++)
        assert_near(vertices[i], expected[i]);
    assert_int_equal(h3_boundary(0x816c3ffffffffff, vertices), 8);
    static const struct h3_point pentagon[] = {
        {63.09505407752544, -10.444977544778345}, {55.70676846515226, 5.523646549290314},
        {58.40154487035269, 25.08272232670789},   {68.92995788193984, 31.83128049908739},
        {73.31022368544399, 0.32561035194323584},
    };
    assert_int_equal(h3_boundary(0x8009fffffffffff, vertices), 5);
    for (int i = 0; i < 5; i++)
        assert_near(vertices[i], pentagon[i]);
}

/* Calls `each` for all cells of a resolution; returns how many there are. */
static int each_cell(int resolution, void (*each)(h3_cell cell))
{
    int count = 0;
    for (h3_cell digits = 0; digits < 1ULL << 3 * resolution; digits++)
        for (h3_cell base = 0; base < 128; base++) {
            int shift = 3 * (H3_RESOLUTION_MAX - resolution);
            h3_cell cell =
                1ULL << 59 | (h3_cell)resolution << 52 | base << 45 | digits << shift | ((1ULL << shift) - 1);
            if (h3_is_valid(cell)) {
                each(cell);
                count++;
            }
        }
    return count;
}

static int pentagon_count;

static void check_centre(h3_cell cell)
{
    pentagon_count += h3_is_pentagon(cell);
    assert_int_equal(h3_from_point(h3_to_point(cell), h3_resolution(cell)), cell);
}

static void every_centre_is_in_its_cell(void **state)
{
    (void)state;
    int expected = 2 + 120;
    for (int r = 0; r <= 4; r++) {
        pentagon_count = 0;
        assert_int_equal(each_cell(r, check_centre), expected);
        assert_int_equal(pentagon_count, 12);
        expected = 2 + 7 * (expected - 2);
    }
}

/* A point between the vertex and the centre, or beyond the vertex. */
static struct h3_point part_way(struct h3_point centre, struct h3_point vertex, double part)
{
    double lng = vertex.lng - centre.lng;
    lng -= lng > 180 ? 360 : lng < -180 ? -360 : 0;
    return (struct h3_point){centre.lat + part * (vertex.lat - centre.lat), centre.lng + part * lng};
}

static void check_outline(h3_cell cell)
{
    struct h3_point vertices[H3_BOUNDARY_MAX], centre = h3_to_point(cell);
    int count = h3_boundary(cell, vertices), resolution = h3_resolution(cell);
    if (h3_is_pentagon(cell))
        assert_int_equal(count, resolution % 2 == 0 ? 5 : 10);
    else
        assert_in_range(count, 6, resolution % 2 == 0 ? 6 : 8);
    if (fabs(centre.lat) > 80)
        return; /* degrees are not straight lines there */
    for (int i = 0; i < count; i++) {
        assert_int_equal(h3_from_point(part_way(centre, vertices[i], 0.9), resolution), cell);
        assert_int_not_equal(h3_from_point(part_way(centre, vertices[i], 1.1), resolution), cell);
    }
}

static void every_outline_encloses_its_cell(void **state)
{
    (void)state;
    each_cell(2, check_outline);
    each_cell(3, check_outline);
}

static void text_is_read_and_written(void **state)
{
    (void)state;
    char text[H3_TEXT_SIZE];
    h3_cell cell = 1;
    assert_int_equal(h3_write(0x8928308280fffff, text), 15);
    assert_string_equal(text, "8928308280fffff");
    assert_true(h3_read(text, 15, &cell));
    assert_int_equal(cell, 0x8928308280fffff);
    assert_true(h3_read("8928308280FFFFF", 15, &cell));
    assert_true(h3_read("08928308280fffff", 16, &cell));
    assert_int_equal(h3_write(H3_NONE, text), 1);
    assert_string_equal(text, "0");
    assert_int_equal(h3_write(UINT64_MAX, text), 16);
    static const char *const bad[] = {
        "", "8928308280ffff", "8928308280ffffg", "8928308280fffff ", "008928308280fffff", "0"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(h3_read(bad[i], strlen(bad[i]), &cell));
    assert_int_equal(cell, 0x8928308280fffff);
}

static void other_numbers_are_invalid_cells(void **state)
{
    (void)state;
    const h3_cell good = 0x8928308280fffff, pentagon = 0x8908000000bffff & ~0xfffffULL;
    assert_true(h3_is_valid(good));
    assert_false(h3_is_valid(good | 1ULL << 63));
    assert_false(h3_is_valid(good & ~(1ULL << 59)));  /* mode 0 */
    assert_false(h3_is_valid(good ^ 3ULL << 59));     /* mode 2 */
    assert_false(h3_is_valid(good | 1ULL << 56));     /* reserved */
    assert_false(h3_is_valid(good | 7ULL << 42));     /* no digit where one must be */
    assert_false(h3_is_valid(good & ~1ULL));          /* a digit where none may be */
    assert_false(h3_is_valid((good | 127ULL << 45))); /* base cell 127 */
    assert_false(h3_is_valid(0x80f5fffffffffff));     /* base cell 122 */
    assert_true(h3_is_valid(0x80f3fffffffffff));      /* base cell 121 */
    assert_true(h3_is_valid(0x81083ffffffffff));      /* a pentagon */
    assert_false(h3_is_valid(0x81087ffffffffff));     /* the direction that it does not have */
    assert_true(h3_is_valid(0x8108bffffffffff));
    assert_false(h3_is_valid(pentagon | 1ULL << 18 | 0x3ffff));
    assert_true(h3_is_valid(pentagon | 2ULL << 18 | 0x3ffff));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_points_are_in_known_cells),
        cmocka_unit_test(points_that_are_not_finite_have_no_cell),
        cmocka_unit_test(an_edge_that_crosses_from_face_to_face_has_a_bend),
        cmocka_unit_test(every_centre_is_in_its_cell),
        cmocka_unit_test(every_outline_encloses_its_cell),
        cmocka_unit_test(text_is_read_and_written),
        cmocka_unit_test(other_numbers_are_invalid_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
