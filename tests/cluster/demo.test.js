/* SPDX-License-Identifier: Apache-2.0 */
/* `make cluster`: three nodes with the demo's data; Ctrl-C ends all of it, and so does the end of the script itself. */
'use strict';

const { test } = require('node:test');
const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const { eventually } = require('../conformance/lib/http.js');

const SCRIPT = path.join(__dirname, '../../scripts/cluster.js');

/* Runs it until it has printed everything: { child, ended, text }. */
async function run(t) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-demo-'));
    fs.chmodSync(folder, 0o755); /* PostgreSQL may run as another user */
    const child = spawn(process.execPath, [SCRIPT], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, TMPDIR: folder } });
    const it = { child, folder, text: '', ended: new Promise((resolve) => child.on('close', (code, signal) => resolve(code ?? signal))) };
    t.after(async () => {
        child.kill('SIGKILL');
        await it.ended;
        fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 });
    });
    for (const output of [child.stdout, child.stderr]) {
        output.on('data', (bytes) => (it.text += bytes));
    }
    await eventually(() => it.text, (text) => {
        assert.ok(child.exitCode === null, text);
        return text.includes('Ctrl-C stops everything.');
    }, 'three nodes', 120_000);
    return it;
}

/* The processes below it, PostgreSQL's included. */
function descendants(pid) {
    const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
    return children.flatMap((child) => [child, ...descendants(child)]);
}

function alive(pid) {
    try {
        return !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
        return false;
    }
}

const gone = (pids) => eventually(() => pids.filter(alive), (left) => left.length === 0, 'no process that is left', 30_000);

test('three nodes show the same, and Ctrl-C stops everything', async (t) => {
    const it = await run(t);
    const urls = [...it.text.matchAll(/^node \w+ +(http:\S+)\/ /gm)].map(([, url]) => url);
    const headers = { authorization: `Bearer ${/^KEY=(\S+)/m.exec(it.text)[1]}` };
    const get = async (url) => (await fetch(url, { headers })).json();
    assert.equal(urls.length, 3);
    for (const [i, url] of urls.entries()) {
        const nodes = await eventually(() => get(`${url}/v1/nodes`), ({ data }) => data.length === 3, 'a list of three nodes');
        assert.deepEqual(nodes.data.map(({ node, role }) => [node, role]).sort(), [['one', 'owner'], ['three', 'follower'], ['two', 'follower']]);
        assert.equal((await get(`${url}/v1/events/arena`)).name, (await get(`${urls[0]}/v1/events/arena`)).name, `node ${i}`);
    }
    const pids = descendants(it.child.pid);
    assert.ok(pids.length > 5, `${pids.length} processes`);
    it.child.kill('SIGINT');
    assert.equal(await it.ended, 0, it.text);
    await gone(pids);
    assert.deepEqual(fs.readdirSync(it.folder), []);
});

test('when the script is killed everything ends', async (t) => {
    const it = await run(t);
    const pids = descendants(it.child.pid);
    it.child.kill('SIGKILL');
    await it.ended;
    await gone(pids);
});
