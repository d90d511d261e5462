/* SPDX-License-Identifier: Apache-2.0 */
/* Bugs that are planted in the program are found by what clients were answered. tests/cluster/lost.test.js runs the same
 * schedules without them. */
'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { test } = require('node:test');

const { keptIntent, ownIntent } = require('./lib/intents.js');
const { stoppedOwner, lostServer, laggingFollower } = require('./lib/lost.js');
const { patched } = require('../cluster/lib/patched.js');

const PLANTED = {
    'lease-without-margin': stoppedOwner,
    'retry-without-guard': lostServer,
    'answer-before-commit': lostServer,
    'last-row-shown': lostServer,
    'refusal-by-old-copy': laggingFollower,
    'intent-kept-for-ever': keptIntent,
    'intent-refuses-its-own-user': ownIntent,
};

for (const [name, schedule] of Object.entries(PLANTED)) {
    test(`found: ${name}`, { timeout: 600_000 }, async (t) => {
        const bad = patched(path.join(__dirname, 'planted', `${name}.patch`));
        t.after(() => bad.close());
        const { code, output } = await schedule(bad.program);
        assert.equal(code, 1, output);
        t.diagnostic(output.split('\n').find((line) => line.startsWith('violation')));
    });
}
