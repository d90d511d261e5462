#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The centre of each cell on standard input, one per line, computed with 50 digits: "lat lng", degrees.

For cells of hexagonal base cells. Near a pole, where the arc sine of h3-js rounds to some 1e-8 degrees.
"""
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "src/base/geo"))
sys.dont_write_bytecode = True
import h3_tables as tables  # noqa: E402


def centre(cell):
    resolution, base = cell >> 52 & 15, cell >> 45 & 127
    assert base not in tables.PENTAGONS
    offset, unit = (0, 0), (1, 0)
    for r in range(1, resolution + 1):
        step = tables.PARENT[r % 2]
        unit = tables.times(unit, step)
        offset = tables.plus(tables.times(offset, step), tables.BY_DIGIT[cell >> 3 * (15 - r) & 7])
    # offset / unit, by the conjugate of a + b*w, which is a - b - b*w
    conjugate = (unit[0] - unit[1], -unit[1])
    norm = tables.Decimal(tables.times(unit, conjugate)[0])
    offset = tuple(x / norm for x in tables.times(offset, conjugate))
    for face, place, turn in tables.PLACES[base]:
        point = tables.on_sphere(tables.FACES[face], tables.plus(place, tables.turned(offset, -turn)))
        nearness = [tables.dot(point, f[0]) for f in tables.FACES]
        if max(nearness) - nearness[face] < tables.Decimal("1e-40"):
            return point
    raise AssertionError("on no face")


for line in sys.stdin:
    x, y, z = map(float, centre(int(line, 16)))
    from_pole = math.degrees(math.atan2(math.hypot(x, y), abs(z)))
    print(repr(math.copysign(90 - from_pole, z)), repr(math.degrees(math.atan2(y, x))))
