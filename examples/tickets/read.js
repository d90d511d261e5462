/* SPDX-License-Identifier: Apache-2.0 */
/* node read.js SERVER FILE.png: reads the QR code of a ticket and verifies it. Only the keys come from the server, and
 * a door gets these in advance. */
'use strict';

const fs = require('node:fs');
const jsqr = require('jsqr');
const { PNG } = require('pngjs');
const { verifyTicket } = require('./verify.js');

/* The text in the QR code of a PNG, or null. */
function readPicture(bytes) {
    const { data, width, height } = PNG.sync.read(bytes);
    return jsqr(new Uint8ClampedArray(data), width, height)?.data ?? null;
}

async function main(server, file) {
    const keys = await (await fetch(`${server}/v1/tickets/key`)).json();
    const text = readPicture(fs.readFileSync(file));
    const ticket = text === null ? null : verifyTicket(text, keys);
    console.log(ticket ? JSON.stringify(ticket) : 'not a ticket of this server');
    process.exitCode = ticket ? 0 : 1;
}

if (require.main === module) {
    main(...process.argv.slice(2));
}
module.exports = { readPicture };
