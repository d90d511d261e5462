/* SPDX-License-Identifier: Apache-2.0 */
/* h3.js — the vertices of H3 cells, so that a page can draw them: what src/base/geo/h3_boundary.c and h3_locate.c do, in
 * JavaScript. See h3.h there for the bits of a cell, and h3_tables.h for places, directions and turns.
 *
 * A place on a face is [a, b]. At resolution 15 places are below 2^40, so that numbers are exact. */
import { BASES, CROSSINGS, DIGITS, FACES, PENTAGONS, UNITS } from './h3_tables.js';

const RESOLUTION_MAX = 15;
const DIGIT_K = 1;
const DIGIT_JK = 3;
const DEGREES = 180 / Math.PI;

const sum = ([a, b], [c, d], times = 1) => [a + times * c, b + times * d];
const left = ([a, b]) => [3 * a - b, a + 2 * b];
const right = ([a, b]) => [2 * a + b, 3 * b - a];
const finer = (place, resolution) => (resolution % 2 === 0 ? right(place) : left(place));

function turned(place, turn) {
    let [a, b] = place;
    for (let i = 0; i < turn; i++) {
        [a, b] = [a - b, a];
    }
    return [a, b];
}

/* How far beyond the edge of its face; negative: within. */
function beyond([a, b], edge, units) {
    switch (edge) {
    case 1: return a + b - 2 * units;
    case 3: return b - 2 * a - 2 * units;
    default: return a - 2 * b - 2 * units;
    }
}
const EDGES = [1, 3, 5];

/* ---- Bits ---- */

function parse(text) {
    const bits = BigInt(`0x${text}`);
    const resolution = Number((bits >> 52n) & 15n);
    const digits = Array.from({ length: resolution }, (_, i) => Number((bits >> BigInt(3 * (RESOLUTION_MAX - 1 - i))) & 7n));
    const base = Number((bits >> 45n) & 127n);
    return { base, resolution, digits, pentagon: PENTAGONS.includes(base) };
}

const lead = ({ digits }) => digits.find((digit) => digit !== 0) ?? 0;

/* ---- Places ---- */

/* The cell's centre on a face that has it, with the units of resolution 0 there. */
function locate(cell) {
    let place = [0, 0];
    let units = 1;
    cell.digits.forEach((digit, i) => {
        place = sum(finer(place, i), UNITS[digit]);
        units *= i % 2 === 0 ? 7 : 1;
    });
    if (cell.resolution % 2 === 1) {
        place = left(place);
    }
    if (cell.pentagon && beyond(place, 3, 0) > 0 && beyond(place, 5, 0) > 0) { /* the gap of a pentagon: it lies on the other side */
        console.assert(lead(cell) !== DIGIT_K);
        place = turned(place, lead(cell) === DIGIT_JK ? 1 : 5);
    }
    const places = BASES[cell.base];
    for (let i = 0; i < places.length; i++) { /* the nearer to home first: outlines begin where others' do */
        const [face, a, b, turn] = places[i % 2 === 1 ? (i + 1) / 2 : (places.length - i / 2) % places.length];
        const found = sum([a * units, b * units], turned(place, (6 - turn) % 6));
        if (EDGES.every((edge) => beyond(found, edge, units) <= 0)) {
            return { face, place: found, units };
        }
    }
    throw new Error('no face has this cell');
}

function onSphere(face, a, b) {
    const [centre, byA, byB] = FACES[face];
    const [x, y, z] = centre.map((at, i) => at + a * byA[i] + b * byB[i]);
    return { lat: Math.atan2(z, Math.hypot(x, y)) * DEGREES, lng: Math.atan2(y, x) * DEGREES };
}

/* ---- Outlines, in thirds of a cell's unit ---- */

/* A place that may lie beyond the edge of the face is on the next one. */
function vertex(face, place, units) {
    const edge = EDGES.find((one) => beyond(place, one, units) > 0);
    if (!edge) {
        return onSphere(face, place[0] / units, place[1] / units);
    }
    const [next, turn] = CROSSINGS[face][(edge - 1) / 2];
    const [a, b] = turned(sum(place, UNITS[DIGITS[edge]], -2 * units), turn);
    return onSphere(next, a / units, b / units);
}

/* Where the way from one place to the next crosses an edge of the face: two faces are two planes. */
function bend(face, from, to, units) {
    for (const edge of EDGES) {
        const [before, after] = [beyond(from, edge, units), beyond(to, edge, units)];
        if (before * after < 0) {
            const part = before / (before - after);
            return [onSphere(face, (from[0] + part * (to[0] - from[0])) / units, (from[1] + part * (to[1] - from[1])) / units)];
        }
    }
    return [];
}

/* The vertex after a direction, counterclockwise. */
function corner(centre, direction, resolution) {
    const offset = sum(UNITS[DIGITS[direction % 6]], UNITS[DIGITS[(direction + 1) % 6]]);
    return sum(centre, resolution % 2 === 1 ? left(offset) : offset);
}

function side(face, centre, direction, resolution, units) {
    const from = corner(centre, direction, resolution);
    return [vertex(face, from, units), ...bend(face, from, corner(centre, direction + 1, resolution), units)];
}

function hexagon(cell) {
    const { face, place, units } = locate(cell);
    const centre = [3 * place[0], 3 * place[1]];
    return [0, 1, 2, 3, 4, 5].flatMap((direction) => side(face, centre, direction, cell.resolution, 3 * units));
}

/* Each of its five faces has one vertex. */
function pentagon(cell) {
    const units = 3 * locate(cell).units;
    return [0, 1, 2, 3, 4].flatMap((i) => {
        const nth = (7 - i) % 5;
        const [face, a, b, turn] = BASES[cell.base][nth];
        return side(face, [a * units, b * units], 2 - nth + 12 - turn, cell.resolution, units);
    });
}

/* The vertices of a cell, [{ lat, lng }] in degrees, counterclockwise. `text` is its number in hex. */
export function boundary(text) {
    const cell = parse(text);
    return cell.pentagon && lead(cell) === 0 ? pentagon(cell) : hexagon(cell);
}
