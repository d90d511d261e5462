/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of events and calendars: what GET gave can be PUT, and PATCH changes what it names and nothing else. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique } = require('./lib/server.js');
const { makeEvent, hold, items } = require('./lib/catalogue.js');
const { makeCalendar, iso, DAY } = require('./lib/calendars.js');
const { refused, invalid } = require('./lib/expect.js');

const hf = shared();

test('what GET gave can be PUT: read-only fields are passed over, an id that is not the path\'s is not', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A2', pools: { floor: 5 } });
    const room = { rate_per_second: 7, tiers: ['gold'], open_at: '2030-01-01T00:00:00Z' };
    const calendar = await makeCalendar(hf, {
        timezone: 'Europe/London', price: 5, services: [{ id: 's', duration_minutes: 20 }],
        hours: [{ days: ['mon'], from: '09:00', to: '24:00' }], closed: [{ start: iso(0), end: iso(DAY) }],
    });
    for (const [path, changed] of [[`/v1/events/${event}`, { waiting_room: room, waiting_list: true }], [`/v1/calendars/${calendar}`, {}]]) {
        for (const more of [{}, changed]) {
            const { json: was } = await hf.admin.get(path);
            const put = await hf.admin.put(path, { ...was, ...more });
            assert.equal(put.status, 200, put.text);
            const { json: is } = await hf.admin.get(path);
            assert.deepEqual(put.json, is);
            assert.deepEqual(Object.keys(is).filter((name) => !(name in more)).map((name) => is[name]),
                Object.keys(was).filter((name) => !(name in more)).map((name) => was[name]));
        }
        const { json: was } = await hf.admin.get(path);
        invalid(await hf.admin.put(path, { ...was, id: 'another' }), '/id');
        invalid(await hf.admin.put(path, { ...was, id: 7 }), '/id');
        assert.deepEqual((await hf.admin.get(path)).json, was);
        /* Whatever they say, they say nothing. */
        const put = await hf.admin.put(path, { ...was, created_at: 'yesterday', ...(was.counts ? { counts: { seats: 9 } } : {}) });
        assert.deepEqual(put.json, was);
    }
    const pool = `/v1/events/${event}/pools/floor`;
    const { json: was } = await hf.admin.put(pool, { capacity: 6, price: 3, name: 'Floor' });
    assert.deepEqual((await hf.admin.put(pool, was)).json, was);
    invalid(await hf.admin.put(pool, { ...was, id: 'roof' }), '/id');
});

test('read-only fields are described as such', async () => {
    const { paths } = hf.description.document;
    const readOnly = (path) => Object.entries(paths[path].put.requestBody.content['application/json'].schema.properties)
        .filter(([, one]) => one.readOnly).map(([name]) => name).sort();
    assert.deepEqual(readOnly('/v1/events/{event}'), ['counts', 'created_at', 'id']);
    assert.deepEqual(readOnly('/v1/calendars/{calendar}'), ['created_at', 'id']);
    assert.deepEqual(readOnly('/v1/events/{event}/pools/{pool}'), ['available', 'id']);
});
