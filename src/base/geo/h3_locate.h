/* SPDX-License-Identifier: Apache-2.0 */
/* h3_locate.h — which face of the icosahedron a cell is on (h3_tables.h), and where. */
#ifndef BASE_H3_LOCATE_H
#define BASE_H3_LOCATE_H

#include "base/geo/h3_cell.h"

/* A place on the plane of a face, oriented as at resolution 0; `units` of its units make one of resolution 0. */
struct h3_located {
    int face;
    struct h3_plane place;
    int64_t units;
};

/* A pentagon has no direction K, so no cell around it may have K as its first digit: one that seems to has crossed
 * the gap from JK to IK or back. `from` is the digit it came from. Returns the turn that corrects it, or 0. */
int h3_gap_turn(int lead, int from);

/* A cell's centre, on a face that contains it; the home face of its base cell where possible. */
struct h3_located h3_locate(h3_cell cell);
/* How far a place is beyond the edge of its face in direction 1, 3 or 5, in halves of its own unit;
 * negative: inside. */
int64_t h3_beyond(struct h3_plane place, int edge, int64_t units);

/* A place on the plane of a face, in units of resolution 0. */
struct h3_point h3_on_sphere(int face, double a, double b);

#endif
