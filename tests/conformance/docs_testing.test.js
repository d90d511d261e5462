/* SPDX-License-Identifier: Apache-2.0 */
/* The session of docs/testing.md, as written there: a separate server whose clock the test controls. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { ownProcess, PROGRAM } = require('./lib/server.js');

test('the session of docs/testing.md sees a hold lapse at its deadline and not before', ownProcess, (t) => {
    const text = fs.readFileSync(path.join(__dirname, '../../docs/testing.md'), 'utf8');
    const [, session] = /```sh\n(export HOLDFAST_TEST_CLOCK[^]*?)```/.exec(text);
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-'));
    t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
    fs.symlinkSync(path.resolve(PROGRAM), path.join(folder, 'holdfast'));
    const plain = Object.entries(process.env).filter(([name]) => !/^HOLDFAST|^NODE_TEST/.test(name));
    const env = { ...Object.fromEntries(plain), PATH: `${folder}:${process.env.PATH}` };
    const script = session.replace('kill %1', 'kill $!; wait');
    const { stdout, stderr, status } = spawnSync('bash', ['-c', script], { cwd: folder, env, encoding: 'utf8', timeout: 600_000 });
    const answers = stdout.trim().split('\n').map((line) => JSON.parse(line));
    assert.deepEqual([status, stderr], [0, '']);
    assert.equal(answers.length, 5, stdout);
    const [event, seats, ann, taken, bob] = answers;
    assert.equal(event.hold_ttl_seconds, 600);
    assert.deepEqual(seats, { created: 1, updated: 0 });
    assert.equal(ann.status, 'held');
    assert.equal(taken.code, 'taken');
    assert.deepEqual([bob.status, bob.user_id], ['held', 'bob']);
});
