/* SPDX-License-Identifier: Apache-2.0 */
/* Vertices of cells. Two faces are two planes, so an edge of a cell that crosses from one to the other bends there,
 * and the bend is an extra vertex. Only at odd resolutions: at even ones an icosahedron's edge meets cells in
 * their vertices. A hexagon's edge crosses at most one face edge, a pentagon's always one.
 *
 * Vertices are at thirds of a cell's unit: all places here are three times as fine as h3_located says. */
#include "base/assertion.h"
#include "base/geo/h3_locate.h"

struct outline {
    struct h3_point *vertices;
    int count;
};

static void add_vertex(struct outline *o, int face, double a, double b, int64_t units)
{
    ASSERT(o->count < H3_BOUNDARY_MAX);
    o->vertices[o->count++] = h3_on_sphere(face, a / (double)units, b / (double)units);
}

/* A place in the plane of a face that may lie beyond its edge, so that it is the next face's. */
static void add_place(struct outline *o, int face, struct h3_plane place, int64_t units)
{
    for (int edge = 1; edge < 6; edge += 2)
        if (h3_beyond(place, edge, units) > 0) {
            struct h3_crossing crossing = H3_CROSSINGS[face][edge / 2];
            place = h3_plane_sum(place, H3_UNITS[H3_DIGITS[edge]], -2 * units);
            place = h3_plane_turned(place, crossing.turn);
            face = crossing.face;
            break;
        }
    add_vertex(o, face, (double)place.a, (double)place.b, units);
}

/* Where the way from one place to the next crosses an edge of the face, if it does. */
static void add_bend(struct outline *o, int face, struct h3_plane from, struct h3_plane to, int64_t units)
{
    for (int edge = 1; edge < 6; edge += 2) {
        int64_t before = h3_beyond(from, edge, units), after = h3_beyond(to, edge, units);
        if ((before < 0 && after > 0) || (before > 0 && after < 0)) {
            double part = (double)before / (double)(before - after);
            add_vertex(o, face, (double)from.a + part * (double)(to.a - from.a),
                       (double)from.b + part * (double)(to.b - from.b), units);
            return;
        }
    }
}

/* The vertex after a direction, counterclockwise, in thirds and directed as at resolution 0. */
static struct h3_plane corner(struct h3_plane centre, int direction, int resolution)
{
    struct h3_plane offset =
        h3_plane_sum(H3_UNITS[H3_DIGITS[direction % 6]], H3_UNITS[H3_DIGITS[(direction + 1) % 6]], 1);
    return h3_plane_sum(centre, resolution % 2 == 1 ? h3_plane_left(offset) : offset, 1);
}

static void outline_hexagon(struct outline *o, h3_cell cell, int resolution)
{
    struct h3_located at = h3_locate(cell);
    struct h3_plane centre = {3 * at.place.a, 3 * at.place.b};
    for (int d = 0; d < 6; d++) {
        struct h3_plane vertex = corner(centre, d, resolution);
        add_place(o, at.face, vertex, 3 * at.units);
        add_bend(o, at.face, vertex, corner(centre, d + 1, resolution), 3 * at.units);
    }
}

/* Each of the five faces, which are listed clockwise, has one vertex: the home face that after direction 2, the next
 * face that after direction 1, and so on. The first vertex is the one after direction 0. */
static void outline_pentagon(struct outline *o, h3_cell cell, int resolution)
{
    const struct h3_base *base = &H3_BASES[h3_base(cell)];
    int64_t units = 3 * h3_locate(cell).units;
    ASSERT(base->place_count == 5);
    for (int i = 0; i < 5; i++) {
        int nth = (7 - i) % 5;
        const struct h3_place *p = &base->places[nth];
        int direction = 2 - nth + 12 - p->turn;
        struct h3_plane centre = {p->a * units, p->b * units};
        struct h3_plane vertex = corner(centre, direction, resolution);
        add_place(o, p->face, vertex, units);
        add_bend(o, p->face, vertex, corner(centre, direction + 1, resolution), units);
    }
}

int h3_boundary(h3_cell cell, struct h3_point vertices[H3_BOUNDARY_MAX])
{
    struct outline o = {.vertices = vertices};
    if (h3_is_pentagon(cell))
        outline_pentagon(&o, cell, h3_resolution(cell));
    else
        outline_hexagon(&o, cell, h3_resolution(cell));
    return o.count;
}
