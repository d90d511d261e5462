/* SPDX-License-Identifier: Apache-2.0 */
/* The demo's halls: the best seats are in the front row, in a section at the middle of the hall. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { Server, ownProcess } = require('./lib/server.js');

const BEST = { arena: ['B-1-10', 'B-1-11'], studio: ['A5', 'A6'], theatre: ['B-1-6', 'B-1-7'], presale: ['A6', 'A7'] };

test('the best seats of every hall are in the middle of its front row', ownProcess, async (t) => {
    const hf = await new Server({ command: 'demo', args: ['--quiet'] }).start();
    t.after(() => hf.close());
    await hf.eventually(() => hf.admin.get('/v1/fleets'), ({ json }) => json.data?.length === 1, 'the events are there');
    for (const [event, expected] of Object.entries(BEST)) {
        const code = event === 'presale' ? { code: 'FRIENDS' } : {};
        const { json, text } = await hf.admin.post('/v1/reservations', { user_id: 'ann',
            items: [{ event, best: { quantity: 2, adjacent: true }, ...code }] });
        assert.deepEqual(json.items?.map(({ seat }) => seat), expected, `${event}: ${text}`);
    }
});
