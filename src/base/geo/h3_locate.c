/* SPDX-License-Identifier: Apache-2.0 */
#include "base/geo/h3_locate.h"

#include <math.h>

#include "base/assertion.h"

#define DEGREES_PER_RADIAN (180 / M_PI)

int h3_gap_turn(int lead, int from)
{
    if (lead != H3_DIGIT_K)
        return 0;
    ASSERT(from == H3_DIGIT_JK || from == H3_DIGIT_IK);
    return from == H3_DIGIT_JK ? 1 : 5;
}

int64_t h3_beyond(struct h3_plane place, int edge, int64_t units)
{
    switch (edge) { /* twice the product with the unit in that direction */
    case 1:
        return place.a + place.b - 2 * units;
    case 3:
        return place.b - 2 * place.a - 2 * units;
    default:
        ASSERT(edge == 5);
        return place.a - 2 * place.b - 2 * units;
    }
}

static bool within(struct h3_plane place, int64_t units)
{
    return h3_beyond(place, 1, units) <= 0 && h3_beyond(place, 3, units) <= 0 &&
           h3_beyond(place, 5, units) <= 0;
}

struct h3_located h3_locate(h3_cell cell)
{
    int resolution = h3_resolution(cell);
    const struct h3_base *base = &H3_BASES[h3_base(cell)];
    struct h3_plane from_base = {0, 0};
    int64_t units = 1;
    for (int r = 1; r <= resolution; r++) {
        from_base = h3_plane_sum(h3_plane_finer(from_base, r - 1), H3_UNITS[h3_digit(cell, r)], 1);
        units *= r % 2 == 1 ? 7 : 1;
    }
    if (resolution % 2 == 1)
        from_base = h3_plane_left(from_base);
    /* The gap of a pentagon is empty: a place that reaches into it from one side lies on the other side. */
    if (base->is_pentagon && h3_beyond(from_base, 3, 0) > 0 && h3_beyond(from_base, 5, 0) > 0)
        from_base = h3_plane_turned(from_base, h3_gap_turn(H3_DIGIT_K, h3_lead(cell, resolution)));
    /* On an edge two faces qualify. The one nearer to home wins, so that outlines start where other libraries' do. */
    for (int i = 0; i < base->place_count; i++) {
        const struct h3_place *p =
            &base->places[i % 2 == 1 ? (i + 1) / 2 : (base->place_count - i / 2) % base->place_count];
        struct h3_plane centre = {p->a * units, p->b * units};
        struct h3_plane place = h3_plane_sum(centre, h3_plane_turned(from_base, (6 - p->turn) % 6), 1);
        if (within(place, units))
            return (struct h3_located){p->face, place, units};
    }
    ASSERT(!"a cell is on a face that its base cell is on");
    return (struct h3_located){0};
}

struct h3_point h3_on_sphere(int face, double a, double b)
{
    const struct h3_face *f = &H3_FACES[face];
    double p[3];
    for (int i = 0; i < 3; i++)
        p[i] = f->centre[i] + a * f->by_a[i] + b * f->by_b[i];
    double lat = atan2(p[2], sqrt(p[0] * p[0] + p[1] * p[1])), lng = atan2(p[1], p[0]);
    return (struct h3_point){lat * DEGREES_PER_RADIAN, lng * DEGREES_PER_RADIAN};
}
