/* SPDX-License-Identifier: Apache-2.0 */
/* folder.js — a data folder of this directory: how it is packed, served at READ, and what it is asked.
 *
 *   NAME.tar.gz    the data folder as its server left it
 *   NAME.answers   what that program told after a restart, gzipped JSON: {good: {name: key}, answers: {target: body}}
 */
'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');
const { Server } = require('../conformance/lib/server.js');
const { READ } = require('./story.js');

const KEYS = { adminKey: 'a'.repeat(40), secret: 's'.repeat(40) };
const NAMES = ['killed', 'stopped'];
const file = (name, ending) => path.join(__dirname, `${name}.${ending}`);

/* A server on a folder, with the clock at an instant before it starts. */
async function serve(data, instant) {
    const hf = new Server({ data, args: ['--segment-size', '1M'], ...KEYS });
    const { launch } = hf;
    hf.launch = () => {
        hf.clock.goto(instant);
        return launch.call(hf);
    };
    await hf.start();
    hf.launch = launch;
    return hf;
}

/* A tar of the same files is always the same. */
function pack(data, name) {
    const order = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--exclude=./clock', '--exclude=./*.key', '--exclude=./secret'];
    const told = spawnSync('sh', ['-c', 'tar "$@" | gzip -9n', 'tar', '-C', data, '-c', ...order, '.'], { maxBuffer: 1 << 26 });
    assert.equal(told.status, 0, String(told.stderr));
    fs.writeFileSync(file(name, 'tar.gz'), told.stdout);
}

function unpack(name, data) {
    fs.mkdirSync(data, { recursive: true });
    const told = spawnSync('tar', ['-C', data, '-xzf', file(name, 'tar.gz')], { encoding: 'utf8' });
    assert.equal(told.status, 0, told.stderr);
}

/* The time goes on while the questions are asked, what lapsed is settled at some instant after READ, and when to ask again
 * is spread by chance. */
const stable = (text) => text.replace(/(?<="(?:expires_in|expires_in_ms|poll_after_seconds)":)\d+/g, '0')
    .replace(/"at":"([^"]+)"/g, (told, at) => (Date.parse(at) >= READ ? '"at":""' : told));

/* Until what lapsed while it was stopped is settled, and the book has everything. */
async function settle(hf) {
    await hf.eventually(() => hf.admin.get('/v1/reservations?user_id=gil'), ({ json }) => json.data[0]?.status === 'expired', 'the hold of gil lapses');
    const { seq } = await hf.admin.get('/healthz');
    const answer = await hf.admin.get('/v1/reservations?limit=1', hf.since({ seq }));
    assert.ok(answer.seq >= seq);
}

async function ask(hf, target) {
    const { status, text } = await hf.admin.get(target);
    assert.equal(status, 200, `${target}: ${status} ${text}`);
    return stable(text);
}

function writeAnswers(name, told) {
    fs.writeFileSync(file(name, 'answers'), zlib.gzipSync(JSON.stringify(told), { level: 9 }));
}

function readAnswers(name) {
    return JSON.parse(zlib.gunzipSync(fs.readFileSync(file(name, 'answers'))));
}

const atRead = (data) => serve(data, READ);

module.exports = { NAMES, serve, atRead, pack, unpack, settle, ask, writeAnswers, readAnswers };
