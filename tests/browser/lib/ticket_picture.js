/* SPDX-License-Identifier: Apache-2.0 */
/* ticket_picture.js — the QR code of a ticket as a camera would see it: the server's picture, read, and as a film. */
'use strict';

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '../../..');
const packages = execFileSync(path.join(root, 'tests/tools/install'), [path.join(root, 'web')], { encoding: 'utf8' }).trim();
const WIDTH = 640, HEIGHT = 480, MODULE = 5;

/* The dark modules, as rows of 0 and 1 with the margin. */
async function modulesOf(hf, code) {
    const svg = await (await fetch(`${hf.url}/v1/tickets/${code}.svg`)).text();
    const [, size] = /viewBox="0 0 (\d+) \1"/.exec(svg);
    const rows = Array.from({ length: size }, () => Array(Number(size)).fill(0));
    for (const [, x, y, run] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
        rows[y].fill(1, Number(x), Number(x) + Number(run));
    }
    return rows;
}

/* One byte of brightness for each pixel: the code in the middle of a grey frame. */
function frameOf(modules) {
    const frame = Buffer.alloc(WIDTH * HEIGHT, 120);
    const [left, top] = [WIDTH, HEIGHT].map((side) => (side - modules.length * MODULE) >> 1);
    modules.forEach((row, y) => row.forEach((dark, x) => {
        for (let line = 0; line < MODULE; line++) {
            frame.fill(dark ? 30 : 225, ...[0, MODULE].map((end) => (top + y * MODULE + line) * WIDTH + left + x * MODULE + end));
        }
    }));
    return frame;
}

/* The signed form of a ticket, read from its picture by what the page reads with. */
async function signedForm(hf, code) {
    const { decodeQR } = await import(path.join(packages, 'node_modules/qr/decode.js'));
    const grey = frameOf(await modulesOf(hf, code));
    const data = new Uint8ClampedArray(grey.length * 4);
    grey.forEach((light, i) => data.set([light, light, light, 255], i * 4));
    return decodeQR({ width: WIDTH, height: HEIGHT, data });
}

/* A film of it, for chromium's camera that is none. */
async function filmTicket(hf, code, file) {
    const colour = Buffer.alloc(WIDTH * HEIGHT / 2, 128);
    const frame = Buffer.concat([Buffer.from('FRAME\n'), frameOf(await modulesOf(hf, code)), colour]);
    fs.writeFileSync(file, Buffer.concat([Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`), frame, frame]));
}

module.exports = { signedForm, filmTicket };
