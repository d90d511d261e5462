/* SPDX-License-Identifier: Apache-2.0 */
/* What h3_stream says, and the library it is compared with. */
'use strict';

const { execFileSync } = require('node:child_process');
const path = require('node:path');

const FOLDER = path.join(__dirname, '..');
const BUILD = process.env.BUILD ?? path.join(FOLDER, '../../build');
const installed = execFileSync(path.join(FOLDER, '../tools/install'), [FOLDER], { encoding: 'utf8' }).trim();

const h3 = require(path.join(installed, 'node_modules/h3-js'));
const stream = (...words) => execFileSync(path.join(BUILD, 'h3_stream'), words, { maxBuffer: 2 ** 30 });
/* Lines without the last, empty one; the stream is too long for one string. */
function* lines(buffer) {
    for (let at = 0; at < buffer.length; ) {
        const end = buffer.indexOf(10, at);
        yield buffer.latin1Slice(at, end);
        at = end + 1;
    }
}

/* Degrees between two points, as they look: a degree of longitude is short near a pole. */
function apart(lat, lng, [otherLat, otherLng]) {
    let turn = Math.abs(lng - otherLng);
    if (turn > 180) turn = 360 - turn;
    return Math.max(Math.abs(lat - otherLat), turn * Math.cos((lat * Math.PI) / 180));
}

module.exports = { h3, stream, lines, apart };
