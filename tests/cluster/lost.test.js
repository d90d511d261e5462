/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing that was acknowledged or shown is lost with the server that had it, and nothing is denied by an owner that was
 * stopped: one order explains what the clients were answered. */
'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');

const { stoppedOwner, lostServer } = require('../faults/lib/lost.js');

for (const [name, schedule] of [['an owner that was stopped', stoppedOwner], ['a server that is lost', lostServer]]) {
    test(`${name}: one order explains every answer`, async () => {
        const { code, output } = await schedule(undefined);
        assert.equal(code, 0, output);
    });
}
