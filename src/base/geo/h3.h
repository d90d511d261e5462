/* SPDX-License-Identifier: Apache-2.0 */
/* h3.h — cells of the H3 grid: where a point lies, and which cells are near which.
 *
 * The grid is a published one: an icosahedron round the earth, each face tiled with hexagons, each resolution
 * with about seven times as many cells as the one before. 122 cells at resolution 0, 12 of them pentagons, where
 * five faces meet; each has one pentagon inside it at every finer resolution. Cell numbers are the same as in every
 * other implementation of H3.
 *
 * Bits of a cell, from the highest: 0 (1), mode, here always 1 (4), 0 (3), resolution (4), base cell (7), then 15
 * digits of 3 bits, coarse to fine: 0 the centre, 1..6 a direction, 7 after the cell's own resolution.
 *
 * Points become cells and cells points in floating point, which is the same on every machine as long as the C
 * library's sin, cos, tan, atan, acos, asin and atan2 are. Questions about cells alone (validity, rings,
 * disks) are answered in integers. Nothing here has state.
 */
#ifndef BASE_H3_H
#define BASE_H3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define H3_RESOLUTION_MAX 15
#define H3_NONE 0          /* no cell has this number */
#define H3_BOUNDARY_MAX 10 /* vertices: 6, or more where an edge crosses one of the icosahedron's */
#define H3_TEXT_SIZE 17    /* usually 15 digits, at most 16, and the terminator */
#define H3_DISTANCE_MAX 30 /* of rings and disks */
#define H3_RING_MAX(k) ((k) == 0 ? 1 : 6 * (k))  /* cells at exactly this distance */
#define H3_DISK_MAX(k) (3 * (k) * ((k) + 1) + 1) /* cells within this distance */

typedef uint64_t h3_cell;

/* Degrees. Latitudes lie within ±90. Longitudes returned from here lie within ±180; as input any finite number
 * is accepted. */
struct h3_point {
    double lat, lng;
};

/* The cell that a point lies in; H3_NONE when a coordinate is not finite. */
h3_cell h3_from_point(struct h3_point point, int resolution);

/* Accepts any number; everything below requires a valid cell. */
bool h3_is_valid(h3_cell cell);
int h3_resolution(h3_cell cell);
bool h3_is_pentagon(h3_cell cell);

struct h3_point h3_to_point(h3_cell cell); /* its centre */
/* Its vertices, counterclockwise; returns how many. */
int h3_boundary(h3_cell cell, struct h3_point vertices[H3_BOUNDARY_MAX]);

/* The cells at grid distance exactly k, at most H3_RING_MAX(k), in no particular order but always the same one;
 * returns how many. */
int h3_ring(h3_cell origin, int k, h3_cell *cells);
/* The cells at grid distance at most k, at most H3_DISK_MAX(k), ring by ring outward, and how far each is
 * (`distances` may be NULL); returns how many. */
int h3_disk(h3_cell origin, int k, h3_cell *cells, int *distances);

/* Lower-case hexadecimal without leading zeros, the usual form; returns its length. */
size_t h3_write(h3_cell cell, char text[H3_TEXT_SIZE]);
/* Upper or lower case; false if the text is not a valid cell. */
bool h3_read(const char *text, size_t size, h3_cell *cell);

#endif
