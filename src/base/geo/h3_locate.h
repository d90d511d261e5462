/* SPDX-License-Identifier: Apache-2.0 */
/* h3_locate.h — which face of the icosahedron a cell is on (h3_tables.h), and where. */
#ifndef BASE_H3_LOCATE_H
#define BASE_H3_LOCATE_H

#include "base/geo/h3_cell.h"

/* A place on the plane of a face, directed as at resolution 0, where one unit of that is `units`. */
struct h3_located {
    int face;
    struct h3_plane place;
    int64_t units;
};

/* Round a pentagon there is no direction K, so nothing may have it as its first digit: what comes out with it has
 * gone over the gap from JK to IK or back. `from` is the digit it came from. The turn that puts it right, 0 when
 * nothing is wrong. */
int h3_gap_turn(int lead, int from);

/* A cell's centre, on a face that has it, at home if it can be. */
struct h3_located h3_locate(h3_cell cell);
/* How far a place is beyond the edge of its face in direction 1, 3 or 5, in halves of the unit it is given in;
 * negative: within. */
int64_t h3_beyond(struct h3_plane place, int edge, int64_t units);

/* A place on the plane of a face, in units of resolution 0. */
struct h3_point h3_on_sphere(int face, double a, double b);

#endif
