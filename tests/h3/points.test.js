/* SPDX-License-Identifier: Apache-2.0 */
/* base/geo/h3 puts every point into the same cell as h3-js, and cells in the same places. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const path = require('node:path');
const { h3, stream, lines, apart } = require('./lib/stream.js');

const POINTS = 1_000_000;
const OUTLINES = 20_000;
const NEAR = 1e-9; /* degrees */
const POLE = 89.999; /* beyond, h3-js's own arc sine rounds to more than NEAR, so exact.py is used as well */
const RECORD = 48; /* bytes */

/* Whether some point nearer than NEAR to this one is in the cell: then it is on the boundary, and either is right. */
function onBoundary(cell, lat, lng, resolution) {
    for (let i = 0; i < 32; i++) {
        const [y, x] = [Math.sin((i * Math.PI) / 16) * NEAR, Math.cos((i * Math.PI) / 16) * NEAR];
        const shrunk = Math.max(Math.cos((lat * Math.PI) / 180), NEAR);
        if (h3.latLngToCell(lat + y, lng + x / shrunk, resolution) === cell) return true;
    }
    return false;
}

const polar = new Map(); /* cells whose centre is next to a pole */

test('a million points and those on edges, vertices, poles and the antimeridian: the same cells, the same centres', (t) => {
    const records = stream('points', String(POINTS));
    let [random, special] = [0, 0]; /* on a boundary, on the other side of it than in h3-js */
    let far = 0;
    for (let at = 0; at < records.length; at += RECORD) {
        const [lat, lng] = [records.readDoubleLE(at), records.readDoubleLE(at + 8)];
        const cell = records.latin1Slice(at + 32, at + 47);
        const resolution = records[at + 47];
        const theirs = h3.latLngToCell(lat, lng, resolution);
        if (theirs !== cell) {
            assert.ok(onBoundary(cell, lat, lng, resolution), `${lat}, ${lng} at ${resolution}: ${theirs}, not ${cell}`);
            if (at < POINTS * RECORD) random++;
            else special++;
        }
        const centre = [records.readDoubleLE(at + 16), records.readDoubleLE(at + 24)];
        const off = apart(...centre, h3.cellToLatLng(cell));
        if (Math.abs(centre[0]) > POLE) polar.set(cell, { centre, off });
        else if (!(off <= far)) far = off;
    }
    t.diagnostic(`${records.length / RECORD} points; on a boundary, and on its other side: ${random} of ${POINTS} random ones, ${special} of the others; centres at most ${far} degrees apart`);
    assert.ok(records.length / RECORD > POINTS);
    assert.ok(far < NEAR, `${far} degrees apart`);
});

test('centres beside a pole are where they are with 50 digits', (t) => {
    const cells = [...polar.keys()];
    const answers = execFileSync(path.join(__dirname, 'exact.py'), { input: cells.join('\n'), encoding: 'utf8' }).trim().split('\n');
    assert.ok(cells.length > 50 && answers.length === cells.length);
    let far = 0;
    cells.forEach((cell, i) => {
        const off = apart(...polar.get(cell).centre, answers[i].split(' ').map(Number));
        assert.ok(off < NEAR, `${cell} at ${polar.get(cell).centre}, not ${answers[i]}`);
        far = Math.max(far, off);
    });
    const theirs = Math.max(...[...polar.values()].map(({ off }) => off));
    t.diagnostic(`${cells.length} cells, at most ${far} degrees apart (from h3-js ${theirs})`);
    assert.ok(theirs < 1e-7);
});

test('outlines have the same vertices in the same order', (t) => {
    let count = 0;
    let far = 0;
    for (const line of lines(stream('outlines', String(OUTLINES)))) {
        const [cell, ...vertices] = line.split(' ');
        const theirs = h3.cellToBoundary(cell);
        assert.equal(vertices.length, theirs.length, `${cell} has ${theirs.length} vertices`);
        vertices.forEach((vertex, i) => {
            const off = apart(...vertex.split(',').map(Number), theirs[i]);
            assert.ok(off < NEAR, `${cell}: vertex ${i} at ${vertex}, not ${theirs[i]}`);
            far = Math.max(far, off);
        });
        count++;
    }
    t.diagnostic(`${count} outlines, vertices at most ${far} degrees apart`);
    assert.ok(count > OUTLINES);
});
