/* SPDX-License-Identifier: Apache-2.0 */
/* The whole HTTP contract holds with the gate on Redis, at a node that follows and asks it. */
'use strict';

const { test } = require('node:test');
const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const path = require('node:path');

test('the contract passes with --gate redis at a node that follows', { timeout: 1_800_000 }, (t) => {
    const suite = path.join(__dirname, '../cluster/suite');
    const { status, stdout, stderr } = spawnSync(suite, ['--gate', 'redis', '--through', 'follower'], { encoding: 'utf8', maxBuffer: 1 << 28 });
    const failed = stdout.split(/^(?=not ok )/m).slice(1).map((text) => text.slice(0, 3000)).join('\n');
    assert.equal(status, 0, `${failed}\n${stderr.slice(-2000)}`);
    t.diagnostic(/^# pass \d+$/m.exec(stdout)[0].slice(2));
});
