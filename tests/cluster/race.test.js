/* SPDX-License-Identifier: Apache-2.0 */
/* Two holds of the first slot of an empty calendar, at the same moment at two nodes: one is granted. */
'use strict';

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');

const { Postgres } = require('./lib/postgres.js');
const { Site } = require('./lib/site.js');

const RACES = 200;
const AT_ONCE = 10;
const HOUR_MS = 3_600_000;
const OPEN = { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00' };

let pg;
before(async () => (pg = await new Postgres().start()));
after(() => pg?.close());

test(`the first slot of an empty calendar, asked for at two nodes, is granted once, ${RACES} times`, async () => {
    const site = new Site(pg);
    try {
        const one = await site.node('one');
        const two = await site.node('two');
        await site.role(two, 'follower');
        const first = Math.floor(Date.now() / HOUR_MS) * HOUR_MS + 72 * HOUR_MS;
        const slot = { start: new Date(first).toISOString(), end: new Date(first + HOUR_MS).toISOString() };
        let lead = 0; /* turns of the loop by which the follower is asked earlier, as its way is longer: so that each often wins */
        const winners = { one: 0, two: 0 };

        const race = async (i) => {
            const calendar = `room-${i}`;
            const made = await one.admin.put(`/v1/calendars/${calendar}`, { name: calendar, timezone: 'UTC', slot_minutes: 60, hours: [OPEN] });
            assert.equal(made.status, 201, made.text);
            const hold = (server, user) => server.app.post('/v1/reservations', { items: [{ calendar, ...slot }], user_id: user });
            const through = hold(two, 'two');
            for (let turn = 0; turn < lead; turn++) {
                await new Promise(setImmediate);
            }
            const answers = await Promise.all([through, hold(one, 'one')]);
            const won = answers.filter(({ status }) => status === 201);
            const lost = answers.filter(({ status, json }) => status === 409 && json.code === 'taken');
            assert.deepEqual([won.length, lost.length], [1, 1], answers.map(({ text }) => text).join());
            const winner = won[0].json.user_id;
            winners[winner]++;
            lead = Math.max(0, lead + (winner === 'one' ? 1 : -1));
        };
        for (let i = 0; i < RACES; i += AT_ONCE) {
            await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => race(i + at)));
        }
        assert.ok(winners.one > 0 && winners.two > 0, 'the same node was always first: that was no race');
    } finally {
        await site.close();
    }
});
