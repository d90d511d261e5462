/* SPDX-License-Identifier: Apache-2.0 */
/* own.js — servers for a single test, always closed, and what is expected of one that ends or does not start. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Server } = require('../../conformance/lib/server.js');
const { Random } = require('./random.js');
const { Run } = require('./run.js');
const { run } = require('./fault.js');

const sqlite = { skip: spawnSync('sqlite3', ['--version']).status === 0 ? false : 'sqlite3 is not installed' };
const at = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;

async function shut(hf) {
    hf.child?.kill('SIGKILL');
    await hf.exit;
    hf.child = null;
    await hf.close();
}

/* A server for one test, always closed, dead or alive at the end. */
function own(name, body, options = {}) {
    test(name, options, async (t) => {
        const hf = await new Server(options.server).start();
        try {
            await body(hf, t);
        } finally {
            await shut(hf);
        }
    });
}

/* The same for a run with load and an oracle. */
function under(name, body, options = {}) {
    test(name, options, async (t) => {
        const load = new Run(new Random(Date.now() >>> 0), { connections: 8, server: options.server });
        try {
            await load.begin();
            await body(load, t);
        } finally {
            await shut(load.hf);
        }
    });
}

function scratch(t) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-'));
    t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
    return folder;
}

/* The server has to end on its own, soon and with this code; 0 means any but 0. */
async function ends(hf, code) {
    const timer = setTimeout(() => hf.child.kill('SIGABRT'), 30_000);
    const ended = await hf.exit;
    clearTimeout(timer);
    hf.client.close();
    hf.child = null;
    const told = `${ended.signal ?? ''} ${hf.stderr.slice(-2000)}`;
    assert.equal(ended.signal, null, told);
    assert.ok(code ? ended.code === code : ended.code !== 0, `exit ${ended.code}: ${told}`);
}

/* It does not start, reports why in one sentence that fits, and writes nothing to standard output. */
async function doesNotStart(hf, code, sentence) {
    const told = await run(['serve', '--data', hf.data, '--listen', '127.0.0.1:0'], hf.environment());
    assert.equal(told.signal, null, told.stderr);
    assert.equal(told.code, code, told.stderr);
    assert.equal(told.stdout, '');
    assert.match(told.stderr, sentence);
}

module.exports = { own, under, shut, scratch, ends, doesNotStart, at, sqlite };
