/* SPDX-License-Identifier: Apache-2.0 */
/* web/lib/h3.js draws cells where h3-js has them. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const path = require('node:path');
const { h3, apart } = require('./lib/stream.js');

const NEAR = 1e-9; /* degrees */

function same(ours, cell) {
    const theirs = h3.cellToBoundary(cell);
    assert.equal(ours.length, theirs.length, cell);
    theirs.forEach((vertex, i) => assert.ok(apart(ours[i].lat, ours[i].lng, vertex) < NEAR, `${cell}, vertex ${i}`));
}

test('cells of every resolution, pentagons and cells on edges of the icosahedron have the vertices that h3-js says', async () => {
    const { boundary } = await import(path.join(__dirname, '../../web/lib/h3.js'));
    let bent = 0;
    for (let resolution = 0; resolution <= 15; resolution++) {
        for (const pentagon of h3.getPentagons(resolution)) {
            h3.gridDisk(pentagon, 2).forEach((cell) => same(boundary(cell), cell));
        }
        for (let i = 0; i < 400; i++) { /* spread over the globe, the same each time */
            const cell = h3.latLngToCell(Math.asin(((i * 0.754877) % 1) * 2 - 1) * 57.29, ((i * 0.569840) % 1) * 360 - 180, resolution);
            const vertices = boundary(cell);
            bent += vertices.length > 6;
            same(vertices, cell);
        }
    }
    assert.ok(bent > 20, `${bent} cells are bent`);
});
