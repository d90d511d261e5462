/* SPDX-License-Identifier: Apache-2.0 */
/* base/geo/h3 finds the same cells around a cell as h3-js, ring by ring; also around every pentagon. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { h3, stream, lines } = require('./lib/stream.js');

const DISKS = 2_000;
const LETTERS = 15; /* of a cell */

test('disks have the same cells at the same distances', (t) => {
    let count = 0;
    let cells = 0;
    for (const line of lines(stream('disks', String(DISKS)))) {
        const [origin, ...rings] = line.split(' ');
        const theirs = h3.gridDiskDistances(origin, rings.length - 1);
        rings.forEach((ring, k) => {
            const ours = new Set();
            for (let at = 0; at < ring.length; at += LETTERS) ours.add(ring.slice(at, at + LETTERS));
            assert.equal(ours.size * LETTERS, ring.length, `${origin}: a cell occurs twice in ring ${k}`);
            assert.equal(ours.size, theirs[k].length, `${origin}: cells in ring ${k}`);
            for (const cell of theirs[k]) assert.ok(ours.has(cell), `${origin}: ${cell} is in ring ${k}`);
            cells += ours.size;
        });
        count++;
    }
    t.diagnostic(`${count} disks, ${cells} cells`);
    assert.ok(count > DISKS);
});
