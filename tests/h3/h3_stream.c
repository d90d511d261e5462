/* SPDX-License-Identifier: Apache-2.0 */
/* The results of base/geo/h3 for a fixed stream of points and cells, to compare with others.
 *
 *     h3_stream points COUNT     one record for each point: lat, lng, lat and lng of its cell's centre (doubles),
 *                                the cell (15 letters), the resolution (1 byte)
 *     h3_stream outlines COUNT   a line for each cell: cell, then lat,lng of each vertex
 *     h3_stream disks COUNT      a line for each disk: cell, then the cells of each ring without space
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/geo/h3_tables.h"

#define RESOLUTIONS (H3_RESOLUTION_MAX + 1)
#define NEAR_PENTAGON 4
#define DISK_USUAL 6
#define DISK_MAX 30

static uint64_t random_state = 1;

static uint64_t random_next(void)
{
    uint64_t x = random_state += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

static double random_unit(void)
{
    return (double)(random_next() >> 11) * 0x1p-53;
}

/* Evenly distributed over the sphere. */
static struct h3_point random_point(void)
{
    double lat = asin(2 * random_unit() - 1) * (180 / M_PI);
    return (struct h3_point){lat, 360 * random_unit() - 180};
}

static h3_cell random_cell(void)
{
    struct h3_point point = random_point();
    return h3_from_point(point, (int)(random_next() % RESOLUTIONS));
}

/* The cell of a resolution that is at a base cell's centre. */
static h3_cell base_cell(int base, int resolution)
{
    h3_cell digits = 0x1fffffffffff >> 3 * resolution;
    return 1ULL << 59 | (h3_cell)resolution << 52 | (h3_cell)base << 45 | digits;
}

static void write_point(struct h3_point point, int resolution)
{
    struct {
        struct h3_point point, centre;
        char cell[15];
        uint8_t resolution;
    } record = {.point = point, .resolution = (uint8_t)resolution};
    char text[H3_TEXT_SIZE];
    h3_cell cell = h3_from_point(point, resolution);
    ASSERT(h3_is_valid(cell) && h3_resolution(cell) == resolution &&
           h3_write(cell, text) == sizeof record.cell);
    record.centre = h3_to_point(cell);
    ASSERT(h3_from_point(record.centre, resolution) == cell);
    memcpy(record.cell, text, sizeof record.cell);
    fwrite(&record, sizeof record, 1, stdout);
}

/* The point itself and one a little off, at every resolution. */
static void write_special(struct h3_point point)
{
    for (int r = 0; r < RESOLUTIONS; r++) {
        double off = pow(10, -9 * random_unit()), angle = 2 * M_PI * random_unit();
        struct h3_point beside = {fmax(-90, fmin(90, point.lat + off * sin(angle))),
                                  point.lng + off * cos(angle)};
        write_point(point, r);
        write_point(beside, r);
    }
}

static void write_edges(int face)
{
    static const double vertices[4][2] = {{2, 0}, {0, 2}, {-2, -2}, {2, 0}};
    const struct h3_face *f = &H3_FACES[face];
    for (int v = 0; v < 3; v++)
        for (int i = 0; i < 40; i++) {
            double part = i < 8 ? i / 8.0 : random_unit(), p[3];
            double a = vertices[v][0] + part * (vertices[v + 1][0] - vertices[v][0]);
            double b = vertices[v][1] + part * (vertices[v + 1][1] - vertices[v][1]);
            for (int k = 0; k < 3; k++)
                p[k] = f->centre[k] + a * f->by_a[k] + b * f->by_b[k];
            write_special((struct h3_point){atan2(p[2], hypot(p[0], p[1])) * (180 / M_PI),
                                            atan2(p[1], p[0]) * (180 / M_PI)});
        }
}

static void write_points(int count)
{
    for (int i = 0; i < count; i++)
        write_point(random_point(), i % RESOLUTIONS);
    for (int base = 0; base < H3_BASE_COUNT; base++)
        for (int i = 0; i < 4; i++)
            write_special(h3_to_point(base_cell(base, 0)));
    for (int face = 0; face < H3_FACE_COUNT; face++)
        write_edges(face);
    for (int i = 0; i <= 360; i++) {
        write_special((struct h3_point){i % 2 == 0 ? 90 : -90, i});
        write_special((struct h3_point){i / 2.0 - 90, 180});
        write_special((struct h3_point){90 - i / 2.0, -180});
        write_special((struct h3_point){180 * random_unit() - 90, 180 + i});
    }
}

static void write_cell(h3_cell cell)
{
    char text[H3_TEXT_SIZE];
    h3_write(cell, text);
    fputs(text, stdout);
}

static void write_outline(h3_cell cell)
{
    struct h3_point vertices[H3_BOUNDARY_MAX];
    int count = h3_boundary(cell, vertices);
    write_cell(cell);
    for (int i = 0; i < count; i++)
        printf(" %.17g,%.17g", vertices[i].lat, vertices[i].lng);
    putchar('\n');
}

static void write_disk(h3_cell origin, int k)
{
    h3_cell cells[H3_DISK_MAX(DISK_MAX)];
    int distances[H3_DISK_MAX(DISK_MAX)], count = h3_disk(origin, k, cells, distances), distance = -1;
    write_cell(origin);
    for (int i = 0; i < count; i++) {
        ASSERT(distances[i] == distance || distances[i] == distance + 1);
        if (distances[i] != distance)
            putchar(' ');
        distance = distances[i];
        write_cell(cells[i]);
    }
    putchar('\n');
}

/* All cells near any pentagon of any resolution. */
static void near_pentagons(void (*each)(h3_cell cell))
{
    h3_cell cells[H3_DISK_MAX(NEAR_PENTAGON)];
    for (int base = 0; base < H3_BASE_COUNT; base++)
        for (int r = 0; r < RESOLUTIONS && H3_BASES[base].is_pentagon; r++)
            for (int i = h3_disk(base_cell(base, r), NEAR_PENTAGON, cells, NULL); i > 0; i--)
                each(cells[i - 1]);
}

static void write_usual_disk(h3_cell cell)
{
    write_disk(cell, DISK_USUAL);
}

int main(int count, char **words)
{
    ASSERT(count == 3);
    int wanted = atoi(words[2]);
    if (strcmp(words[1], "points") == 0) {
        write_points(wanted);
    } else if (strcmp(words[1], "outlines") == 0) {
        near_pentagons(write_outline);
        for (int i = 0; i < wanted; i++)
            write_outline(random_cell());
    } else {
        near_pentagons(write_usual_disk);
        for (int base = 0; base < H3_BASE_COUNT; base++)
            write_disk(base_cell(base, base % RESOLUTIONS),
                       H3_BASES[base].is_pentagon ? DISK_MAX : DISK_USUAL);
        for (int i = 0; i < wanted; i++)
            write_disk(random_cell(), i % 100 == 0 ? DISK_MAX : i % (DISK_USUAL + 1));
    }
    return fflush(stdout) == 0 ? 0 : 1;
}
