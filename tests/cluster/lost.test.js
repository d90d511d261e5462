/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing that was acknowledged or shown is lost with the server that had it, and nothing is denied by an owner that was
 * stopped: one order explains what the clients were answered. */
'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');

const { keptIntent, ownIntent } = require('../faults/lib/intents.js');
const { stoppedOwner, lostServer, laggingFollower } = require('../faults/lib/lost.js');

const SCHEDULES = {
    'an owner that was stopped': stoppedOwner,
    'a server that is lost': lostServer,
    'a follower that lags': laggingFollower,
    'an intent whose request was refused': keptIntent,
    'an intent of a user who asks again': ownIntent,
};

for (const [name, schedule] of Object.entries(SCHEDULES)) {
    test(`${name}: one order explains every answer`, async () => {
        const { code, output } = await schedule(undefined);
        assert.equal(code, 0, output);
    });
}
