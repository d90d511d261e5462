/* SPDX-License-Identifier: Apache-2.0 */
/* A tenth of the HTTP contract holds with the gate on Redis, at a node that decides or one that follows, by chance; another
 * tenth with another commit. `make faults` runs all of it. */
'use strict';

const { test } = require('node:test');
const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const path = require('node:path');

const PART = 10;

test(`one in ${PART} of the files of the contract passes with --gate redis`, { timeout: 300_000 }, () => {
    const args = ['--gate', 'redis', '--through', 'random', '--part', String(PART)];
    const { status, stdout, stderr } = spawnSync(path.join(__dirname, 'suite'), args, { encoding: 'utf8', maxBuffer: 1 << 28 });
    const failed = stdout.split(/^(?=not ok )/m).slice(1).map((text) => text.slice(0, 3000)).join('\n');
    assert.equal(status, 0, `${failed}\n${stderr.slice(-2000)}`);
    assert.match(stdout, /^# pass [1-9]/m);
});
