#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Derives src/base/geo/h3_tables.c from the icosahedron. usage: src/base/geo/h3_tables.py > src/base/geo/h3_tables.c
With --js, what a browser needs of it to draw cells: src/base/geo/h3_tables.py --js > web/lib/h3_tables.js

Facts of the grid that nothing else implies:
  - where the centre of face 0 is, and in which direction (azimuth, clockwise from north) its vertex i;
  - which face has which number (make_faces), and which of the directions is which digit;
  - base cells are numbered from north to south;
  - a base cell's directions are those of its home face. A cell within a face is at home there; one on an edge in
    the face that has this edge among its HOME_EDGES; a pentagon in the face whose vertex i it is, of five such in
    the first one in the north and the last one in the south.
All else follows. Lengths are in units of the distance between base cells on a face; a face's vertices are 2 from its
centre, at 0, 120 and 240 degrees (i, j, k), and the middles of its edges 1, at 60, 180 and 300. A place on a face is
(a, b), which is a + b*w with w = the unit at 120 degrees. Directions are counted in sixths of a turn.

Sums are done with 50 decimal digits, so that the output does not depend on a machine's sines.
"""
import sys
from decimal import Decimal, getcontext

getcontext().prec = 50
CENTRE_LAT, CENTRE_LNG, AZIMUTH = map(Decimal, ("0.803582649718989942", "1.248397419617396099", "5.619958268523939882"))
HOME_EDGES = ((1, 3), (5,), (1,), (3, 5))  # of the four rings of five faces
PENTAGON_HOMES = (0, *range(5, 15), 19)
DIGIT = (4, 6, 2, 3, 1, 5)  # of the directions 0 .. 5
K = 4  # the direction that a pentagon does not have


# Numbers

def sine(x, term=None, n=1):
    """sin x by its series; cos x if started with term 1, n 0."""
    term = x if term is None else term
    total = Decimal(0)
    while total + term != total:
        total += term
        term *= -x * x / ((n + 1) * (n + 2))
        n += 2
    return total


def cosine(x):
    return sine(x, Decimal(1), 0)


ROOT3, ROOT5 = Decimal(3).sqrt(), Decimal(5).sqrt()
UNIT = (3 - ROOT5) / 2  # of the plane that touches a sphere of radius 1 at the face's centre


def dot(p, q):
    return sum(x * y for x, y in zip(p, q))


def cross(p, q):
    return tuple(p[i - 2] * q[i - 1] - p[i - 1] * q[i - 2] for i in range(3))


def combine(*terms):
    return tuple(sum(k * v[i] for k, v in terms) for i in range(3))


def normal(p):
    return combine((1 / dot(p, p).sqrt(), p))


def turned(place, sixths):
    a, b = place
    for _ in range(sixths % 6):
        a, b = a - b, a
    return a, b


def plus(p, q, times=1):
    return p[0] + times * q[0], p[1] + times * q[1]


UNITS = [turned((1, 0), d) for d in range(6)]
EDGES = (1, 3, 5)


# Faces: (centre, towards i, a quarter turn from there), unit vectors

def on_sphere(face, place):
    centre, i, across = face
    a, b = place
    return normal(combine((1, centre), (UNIT * (a - Decimal(b) / 2), i), (UNIT * b * ROOT3 / 2, across)))


def over_edge(face, edge):
    """The face beyond, directed the opposite way: half a turn about the edge's middle."""
    middle = on_sphere(face, UNITS[edge])
    return tuple(combine((2 * dot(middle, v), middle), (-1, v)) for v in face)


def about(axis, v):
    """v after a fifth of a turn about the axis."""
    c = (ROOT5 - 1) / 4
    s = (1 - c * c).sqrt()
    return combine((c, v), (s, cross(axis, v)), ((1 - c) * dot(axis, v), axis))


def make_faces():
    sin_lat, cos_lat, sin_lng, cos_lng = (f(x) for x in (CENTRE_LAT, CENTRE_LNG) for f in (sine, cosine))
    centre = (cos_lat * cos_lng, cos_lat * sin_lng, sin_lat)
    north, east = (-sin_lat * cos_lng, -sin_lat * sin_lng, cos_lat), (-sin_lng, cos_lng, Decimal(0))
    i = combine((cosine(AZIMUTH), north), (sine(AZIMUTH), east))
    faces = [(centre, i, cross(centre, i))]
    axis = on_sphere(faces[0], (2, 0))
    for _ in range(4):
        faces.append(tuple(about(axis, v) for v in faces[-1]))
    for edge in (3, 1, 3):  # three more rings of five, each beyond the one before
        faces += [over_edge(face, edge) for face in faces[-5:]]
    return faces


FACES = make_faces()


def same(p, q):
    return dot(p, q) > 1 - Decimal("1e-12")


def make_neighbours():
    """[face][edge]: the face beyond, and the turn from a direction here to the same one there."""
    found = {}
    for f, face in enumerate(FACES):
        for edge in EDGES:
            middle = on_sphere(face, UNITS[edge])
            found[f, edge], = [(g, (e - edge - 3) % 6) for g, other in enumerate(FACES) for e in EDGES
                               if g != f and same(on_sphere(other, UNITS[e]), middle)]
    return found


NEIGHBOURS = make_neighbours()


def beyond(face, edge, place):
    """The same place in the coordinates of the face beyond an edge."""
    other, turn = NEIGHBOURS[face, edge]
    return other, turned(plus(place, UNITS[edge], -2), turn), turn


# Base cells: their homes, then every place at which a face sees one, with the turn from a direction there to the cell's

def make_homes():
    homes = []
    for f in range(20):
        homes += [(f, (0, 0))] + [(f, UNITS[d]) for d in (0, 2, 4)]
        homes += [(f, UNITS[e]) for e in HOME_EDGES[f // 5]]
        if f in PENTAGON_HOMES:
            homes.append((f, (2, 0)))
    return sorted(homes, key=lambda home: -on_sphere(FACES[home[0]], home[1])[2])


HOMES = make_homes()
PENTAGONS = [n for n, (_, place) in enumerate(HOMES) if place == (2, 0)]


def make_places():
    """[base cell]: (face, place, turn), the home first."""
    found = []
    for f, place in HOMES:
        seen = [(f, place, 0)]
        if place == (2, 0):  # round the vertex, clockwise, never over the gap where direction K would be
            for _ in range(4):
                f, place, turn = seen[-1]
                direction = UNITS.index((place[0] // 2, place[1] // 2))
                g, there, step = beyond(f, (direction + 1) % 6, place)
                seen.append((g, there, (turn - step) % 6))
        elif place != (0, 0):
            d = UNITS.index(place)
            for edge in ((d,) if d in EDGES else ((d + 1) % 6, (d - 1) % 6)):
                g, there, step = beyond(f, edge, place)
                seen.append((g, there, -step % 6))
        found.append(seen)
    return found


PLACES = make_places()
assert len(HOMES) == 122 and len(PENTAGONS) == 12
SEEN = {(f, place): (n, turn) for n, seen in enumerate(PLACES) for f, place, turn in seen}


def base_neighbour(n, direction):
    """The base cell in that direction, and the turn from a direction here to the same one there."""
    for f, place, turn in PLACES[n]:
        there = plus(place, UNITS[(direction - turn) % 6])
        # A face shows a pentagon correctly only within the face itself.
        if n in PENTAGONS and there not in UNITS:
            continue
        if (f, there) in SEEN:
            other, other_turn = SEEN[f, there]
            return other, (other_turn - turn) % 6
    assert n in PENTAGONS and direction == K
    return n, 0


# Digits: the result of adding a unit to a digit, at odd and at even resolutions

def times(p, q):
    return p[0] * q[0] - p[1] * q[1], p[0] * q[1] + p[1] * q[0] - p[1] * q[1]


PARENT = ((3, 1), (2, -1))  # a unit of the coarser grid in the finer: at even, at odd resolutions
BY_DIGIT = [(0, 0)] + [UNITS[DIGIT.index(d)] for d in range(1, 7)]


def add(odd, digit, unit):
    wanted = plus(BY_DIGIT[digit], BY_DIGIT[unit])
    return next((rest, carry) for carry in range(7) for rest in range(7)
                if plus(times(BY_DIGIT[carry], PARENT[odd]), BY_DIGIT[rest]) == wanted)


def digit_of_residue(odd, residue):
    """Seven neighbours differ in a + k*b modulo 7, where a unit of the coarser grid is 0."""
    k = (4, 2)[odd]
    return next(d for d, (a, b) in enumerate(BY_DIGIT) if (a + k * b) % 7 == residue)


def coarser(odd, place):
    """The digit of a place, and its place one resolution up: what is left times the parent's conjugate is 7 of it."""
    digit = digit_of_residue(odd, (place[0] + (4, 2)[odd] * place[1]) % 7)
    a, b = times(plus(place, BY_DIGIT[digit], -1), PARENT[1 - odd])
    assert a % 7 == 0 and b % 7 == 0
    return digit, (a // 7, b // 7)


def two_coarser(place):
    """The same for two resolutions, the finer one even: of sevenths, so what is left of a division by 7 decides."""
    fine, above = coarser(0, place)
    coarse, above = coarser(1, above)
    return coarse << 3 | fine, *above


# Output

def real(x):
    return format(float(x), ".17g")


def vector(v):
    return "{" + ", ".join(real(x) for x in v) + "}"


def javascript():
    print("/* SPDX-License-Identifier: Apache-2.0 */\n/* Made by src/base/geo/h3_tables.py --js: see src/base/geo/h3_tables.h for what they mean. */")
    print("export const FACES = [ /* centre, by a, by b */")
    for centre, i, across in FACES:
        a = combine((UNIT, i))
        b = combine((-UNIT / 2, i), (UNIT * ROOT3 / 2, across))
        print("    [" + ", ".join("[" + ", ".join(real(x) for x in v) + "]" for v in (centre, a, b)) + "],")
    print("];\nexport const CROSSINGS = [ /* of edges 1, 3, 5: face, turn */")
    for f in range(20):
        print("    [" + ", ".join("[%d, %d]" % NEIGHBOURS[f, e] for e in EDGES) + "],")
    print("];\nexport const BASES = [ /* places: face, a, b, turn */")
    for seen in PLACES:
        print("    [" + ", ".join("[%d, %d, %d, %d]" % (f, p[0], p[1], turn) for f, p, turn in seen) + "],")
    print("];\nexport const PENTAGONS = [" + ", ".join(map(str, sorted(PENTAGONS))) + "];")
    print("export const DIGITS = [" + ", ".join(map(str, DIGIT)) + "]; /* by direction */")
    print("export const UNITS = [" + ", ".join("[%d, %d]" % u for u in BY_DIGIT) + "]; /* by digit */")


def main():
    print("/* SPDX-License-Identifier: Apache-2.0 */\n/* Made by h3_tables.py. */\n/* clang-format off */\n#include \"base/geo/h3_tables.h\"\n")
    print("const struct h3_face H3_FACES[H3_FACE_COUNT] = {")
    for centre, i, across in FACES:
        to_b = combine((2 / (ROOT3 * UNIT), across))
        to_a = combine((1 / UNIT, i), (Decimal("0.5"), to_b))
        a = combine((UNIT, i))
        b = combine((-UNIT / 2, i), (UNIT * ROOT3 / 2, across))
        print("    {" + ",\n     ".join(map(vector, (centre, to_a, to_b, a, b))) + "},")
    print("};\n\nconst double H3_CENTRES[3][H3_FACE_COUNT] = {")
    for axis in range(3):
        print("    {" + ", ".join(real(centre[axis]) for centre, _, _ in FACES) + "},")
    print("};\n\nconst struct h3_crossing H3_CROSSINGS[H3_FACE_COUNT][3] = {")
    for f in range(20):
        print("    {" + ", ".join("{%d, %d}" % NEIGHBOURS[f, e] for e in EDGES) + "},")
    print("};\n\nconst struct h3_seen H3_SEEN[H3_FACE_COUNT][H3_PLACE_COUNT] = {")
    for f in range(20):
        seen = [SEEN.get((f, (a, b)), (127, 0)) for a in range(-2, 3) for b in range(-2, 3)]
        for row in range(0, 25, 10):
            cells = ", ".join("{%d, %d}" % s for s in seen[row:row + 10])
            print("     " if row else "    {", cells, "}," if row == 20 else ",", sep="")
    print("};\n\nconst struct h3_base H3_BASES[H3_BASE_COUNT] = {")
    for n, seen in enumerate(PLACES):
        print("    {%d, %d, {" % (n in PENTAGONS, len(seen)) +
              ", ".join("{%d, %d, %d, %d}" % (f, p[0], p[1], turn) for f, p, turn in seen) + "}},")
    print("};\n\nconst struct h3_seen H3_BASE_NEIGHBOURS[H3_BASE_COUNT][7] = {")
    for n in range(len(HOMES)):
        row = [(n, 0)] + [base_neighbour(n, DIGIT.index(d)) for d in range(1, 7)]
        print("    {" + ", ".join("{%d, %d}" % r for r in row) + "},")
    print("};\n\nconst struct h3_sum H3_SUMS[2][7][7] = {")
    for odd in (0, 1):
        rows = ["{" + ", ".join("{%d, %d}" % add(odd, d, u) for u in range(7)) + "}" for d in range(7)]
        print("    {" + ",\n     ".join(rows) + "},")
    print("};\n\nconst uint8_t H3_RESIDUES[7] = {" + ", ".join(str(digit_of_residue(1, r)) for r in range(7)) + "};")
    print("\nconst struct h3_pair H3_PAIRS[7][7] = {")
    for a in range(7):
        print("    {" + ", ".join("{%d, %d, %d}" % two_coarser((a, b)) for b in range(7)) + "},")
    print("};\n\nconst uint8_t H3_TURNED[6][8] = {")
    for turn in range(6):
        print("    {0, " + ", ".join(str(DIGIT[(DIGIT.index(d) + turn) % 6]) for d in range(1, 7)) + ", 7},")
    print("};\n\nconst uint8_t H3_DIGITS[6] = {" + ", ".join(map(str, DIGIT)) + "};")
    print("\nconst struct h3_plane H3_UNITS[7] = {" + ", ".join("{%d, %d}" % u for u in BY_DIGIT) + "};")


if __name__ == "__main__":
    javascript() if sys.argv[1:] == ["--js"] else main()
