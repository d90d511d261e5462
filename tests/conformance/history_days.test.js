/* SPDX-License-Identifier: Apache-2.0 */
/* History is kept for history_days after the end, by the server's clock, even if nothing happens; forever by
 * default. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { Server, ownProcess } = require('./lib/server.js');
const { makeEvent, items, hold, whole } = require('./lib/catalogue.js');
const { granted, refused } = require('./lib/expect.js');

const DAY_MS = 86_400_000;
const at = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;

/* A released reservation and a sold one, both in the book, and nothing under way. */
async function past(hf) {
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    const ann = hf.user('ann');
    const released = await hold(ann, items(event, 'A1'));
    const sold = await hold(ann, items(event, 'A2'));
    granted(await ann.post(at(sold, '/commit'), {}), 200);
    const last = await ann.post(at(released, '/release'), {});
    await hf.admin.get(at(released, '/history'), hf.since(last));
    return { event, released, sold };
}

test('an idle server forgets what ended history_days ago, and nothing else', ownProcess, async () => {
    const hf = await new Server({ args: ['--history-days', '2'] }).start();
    try {
        const { event, released, sold } = await past(hf);
        hf.clock.advance(2 * DAY_MS - 60_000);
        granted(await hf.admin.get(at(released)), 200, { status: 'released' });
        hf.clock.advance(120_000);
        const gone = await hf.eventually(() => hf.admin.get(at(released)), ({ status }) => status !== 200, 'it is forgotten');
        refused(gone, 404, 'no_such_reservation');
        granted(await hf.admin.get(at(sold)), 200, { status: 'confirmed' });
        const left = await whole(hf.admin, `/v1/reservations?event=${event}`);
        assert.deepEqual(left.map(({ reservation_id }) => reservation_id), [sold.reservation_id]);
    } finally {
        await hf.close();
    }
});

test('a server that was stopped in between forgets it at its next start', ownProcess, async () => {
    const hf = await new Server({ args: ['--history-days', '2'] }).start();
    try {
        const { released } = await past(hf);
        await hf.stop();
        hf.clock.advance(3 * DAY_MS);
        await hf.launch();
        await hf.eventually(() => hf.admin.get(at(released)), ({ status }) => status === 404, 'it is forgotten');
    } finally {
        await hf.close();
    }
});

test('by default nothing is ever forgotten', ownProcess, async () => {
    const hf = await new Server({ args: ['--accept-clock'] }).start();
    try {
        const { event, released } = await past(hf);
        await hf.stop();
        hf.clock.advance(4000 * DAY_MS);
        await hf.launch();
        const changed = await hf.admin.put(`/v1/events/${event}`, { name: 'So that the book moves on' });
        assert.equal((await whole(hf.admin, `/v1/reservations?event=${event}`, hf.since(changed))).length, 2);
        granted(await hf.admin.get(at(released)), 200, { status: 'released' });
    } finally {
        await hf.close();
    }
});
