/* SPDX-License-Identifier: Apache-2.0 */
/* Settings of events and calendars: what GET returns can be PUT, and PATCH changes the named fields and nothing
 * else. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique } = require('./lib/server.js');
const { makeEvent, hold, items } = require('./lib/catalogue.js');
const { makeCalendar, iso, DAY } = require('./lib/calendars.js');
const { refused, invalid } = require('./lib/expect.js');

const hf = shared();

test('what GET returns can be PUT: read-only fields are ignored, an id that differs from the path is refused', async () => {
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
        /* Whatever their values, they are ignored. */
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
    assert.deepEqual(readOnly('/v1/events/{event}'), ['cancel_reason', 'cancelled_at', 'counts', 'created_at', 'id']);
    assert.deepEqual(readOnly('/v1/calendars/{calendar}'), ['created_at', 'id']);
    assert.deepEqual(readOnly('/v1/events/{event}/pools/{pool}'), ['available', 'id']);
});

const MERGE = { headers: { 'content-type': 'application/merge-patch+json' } };
const get = async (path) => (await hf.admin.get(path)).json;

/* Changes these fields of the record, and nothing else. Returns the answer. */
async function changes(path, patch, changed, options = MERGE) {
    const was = await get(path);
    const answer = await hf.admin.patch(path, patch, options);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.json, { ...was, ...changed });
    assert.deepEqual(await get(path), answer.json);
    return answer.json;
}

test('PATCH changes the named fields, with either content type', async () => {
    const event = `/v1/events/${await makeEvent(hf, { seats: 'A1-A2', per_user_limit: 3, starts_at: iso(9 * DAY) })}`;
    await changes(event, { per_user_limit: 4 }, { per_user_limit: 4 });
    await changes(event, { name: 'Another name' }, { name: 'Another name' }, { headers: { 'content-type': 'application/json' } });
    await changes(event, { starts_at: null, per_user_limit: null }, { starts_at: null, per_user_limit: 0 });
    await changes(event, {}, {});
    const calendar = `/v1/calendars/${await makeCalendar(hf, { capacity: 3, services: [{ id: 's', duration_minutes: 20 }] })}`;
    await changes(calendar, { price: 70, timezone: 'Europe/Paris' }, { price: 70, timezone: 'Europe/Paris' });
    const hours = [{ days: ['tue'], from: '10:00', to: '11:00' }];
    await changes(calendar, { hours }, { hours });
    await changes(calendar, { hours: null, timezone: null }, { hours: [], timezone: 'UTC' });
    await changes(calendar, { services: [] }, { services: [] });
    for (const path of [event, calendar]) {
        refused(await hf.admin.patch(path, '{}', { headers: { 'content-type': 'text/plain' } }), 415, 'unsupported_type');
    }
});

test('objects merge member by member, lists replace, null removes', async () => {
    const event = `/v1/events/${await makeEvent(hf)}`;
    const room = (await changes(event, { waiting_room: { rate_per_second: 9 } }, {
        waiting_room: {
            open_at: null, rate_per_second: 9, max_active: 0, pass_ttl_seconds: 900, shuffle_before_open: false,
            by_inventory: true, tiers: null,
        },
    })).waiting_room;
    await changes(event, { waiting_room: { tiers: ['gold', 'silver'] } }, { waiting_room: { ...room, tiers: ['gold', 'silver'] } });
    await changes(event, { waiting_room: { tiers: ['bronze'], rate_per_second: null } },
        { waiting_room: { ...room, tiers: ['bronze'], rate_per_second: 50 } });
    await changes(event, { waiting_room: { tiers: null } }, { waiting_room: { ...room, rate_per_second: 50 } });
    /* The pace as the admin of the room set it, not as the last PUT said. */
    assert.equal((await hf.admin.patch(`${event}/queue`, { rate_per_second: 11 })).status, 200);
    await changes(event, { waiting_room: { max_active: 5 } }, { waiting_room: { ...room, rate_per_second: 11, max_active: 5 } });
    await changes(event, { waiting_room: null }, { waiting_room: null });
});

test('prices merge by tier and category, and are judged with the categories they come with', async () => {
    const event = `/v1/events/${await makeEvent(hf, { categories: ['adult', 'child'], prices: { gold: { adult: 9, child: 4 }, tin: { adult: 1 } } })}`;
    await changes(event, { prices: { gold: { child: 5 } } }, { prices: { gold: { adult: 9, child: 5 }, tin: { adult: 1 } } });
    await changes(event, { prices: { gold: { child: null }, tin: null, zinc: { adult: 2 } } }, { prices: { gold: { adult: 9 }, zinc: { adult: 2 } } });
    await changes(event, { prices: {} }, {});
    await changes(event, { prices: { zinc: { adult: null } } }, { prices: { gold: { adult: 9 } } });
    const was = await get(event);
    const many = Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`t${i}`, { adult: i }]));
    for (const [patch, pointer] of [
        [{ prices: { gold: { senior: 1 } } }, '/prices/gold/senior'], [{ prices: { gold: { adult: 'x' } } }, '/prices/gold/adult'],
        [{ prices: { gold: 1 } }, '/prices/gold'], [{ prices: { '': { adult: 1 } } }, '/prices/'], [{ prices: [] }, '/prices'],
        [{ categories: ['child'] }, '/prices/gold/adult'], [{ categories: null }, '/prices'], [{ prices: many }, '/prices'],
    ]) {
        invalid(await hf.admin.patch(event, patch, MERGE), pointer);
        assert.deepEqual(await get(event), was, JSON.stringify(patch));
    }
    await changes(event, { categories: null, prices: null }, { categories: null, prices: null });
    await changes(event, { categories: ['a'], prices: { gold: { a: 1, b: null } } }, { categories: ['a'], prices: { gold: { a: 1 } } });
});

test('every field can be patched with its current value, and with null', async () => {
    const room = { rate_per_second: 7, tiers: ['gold'] };
    for (const path of [`/v1/events/${await makeEvent(hf, { seats: 'A1', waiting_room: room, categories: ['a'], prices: { gold: { a: 1 } } })}`,
        `/v1/calendars/${await makeCalendar(hf, { services: [{ id: 's', duration_minutes: 20 }], min_minutes: 30, max_minutes: 60 })}`]) {
        const was = await get(path);
        for (const [name, value] of Object.entries(was)) {
            await changes(path, { [name]: value }, {});
        }
        const answer = await hf.admin.patch(path, Object.fromEntries(Object.keys(was).filter((name) => name !== 'name' && name !== 'id').map((name) => [name, null])), MERGE);
        assert.equal(answer.status, 200, answer.text);
        const fresh = path.replace(/[^/]+$/, unique());
        const { json } = await hf.admin.put(fresh, { name: was.name });
        assert.deepEqual({ ...answer.json, id: 0, created_at: 0, counts: 0 }, { ...json, id: 0, created_at: 0, counts: 0 });
    }
});

test('a TTL, a maximum and the staff\'s hold of null follow from the others', async () => {
    const event = `/v1/events/${await makeEvent(hf, { hold_ttl_seconds: 100, max_hold_seconds: 300 })}`;
    await changes(event, { max_hold_seconds: null, staff_hold_seconds: null }, { max_hold_seconds: 150, staff_hold_seconds: 150 });
    await changes(event, { staff_hold_seconds: 500 }, { staff_hold_seconds: 500 });
    await changes(event, { max_hold_seconds: 400 }, { max_hold_seconds: 400 });
    for (const [patch, pointer] of [[{ max_hold_seconds: 501 }, '/staff_hold_seconds'], [{ hold_ttl_seconds: null }, '/max_hold_seconds']]) {
        invalid(await hf.admin.patch(event, patch, MERGE), pointer);
    }
    const calendar = `/v1/calendars/${await makeCalendar(hf, { price: 70, hold_ttl_seconds: 100, max_hold_seconds: 300 })}`;
    await changes(calendar, { max_hold_seconds: null }, { max_hold_seconds: 900 });
    await changes(calendar, { services: [{ id: 's', duration_minutes: 20 }], price: 80 },
        { services: [{ id: 's', duration_minutes: 20, price: 80 }], price: 80 });
    await changes(calendar, { price: 90 }, { price: 90 });
});

test('a patch that makes the record invalid is 400 with its pointer, and nothing changes', async () => {
    const event = `/v1/events/${await makeEvent(hf, { hold_ttl_seconds: 600, max_hold_seconds: 900, waiting_room: { tiers: ['x'] } })}`;
    const calendar = `/v1/calendars/${await makeCalendar(hf, { hours: [{ days: ['mon'], from: '09:00', to: '10:00' }] })}`;
    for (const [path, patch, pointer] of [
        [event, { hold_ttl_seconds: 901 }, '/hold_ttl_seconds'], [event, { name: null }, '/name'], [event, { name: 7 }, '/name'],
        [event, { colour: 'red' }, '/colour'], [event, { per_user_limit: -1, name: 'x' }, '/per_user_limit'],
        [event, { preset: 'hotel' }, '/preset'], [event, { preset: null }, '/preset'],
        [event, { copy_seats_from: 'e' }, '/copy_seats_from'], [event, { copy_seats_from: null }, '/copy_seats_from'],
        [event, { id: 'another' }, '/id'], [event, { waiting_room: { rate: 1 } }, '/waiting_room/rate'],
        [event, { waiting_room: { tiers: ['a', 'a'] } }, '/waiting_room/tiers/1'], [event, { waiting_room: 5 }, '/waiting_room'],
        [event, { ['x'.repeat(100)]: 1 }, `/${'x'.repeat(100)}`],
        [calendar, { timezone: 'Mars/Crater' }, '/timezone'], [calendar, { timezone: 7 }, '/timezone'],
        [calendar, { timezone: ['UTC'] }, '/timezone'], [calendar, { timezone: '../etc' }, '/timezone'],
        [calendar, { closed: [{ start: iso(DAY), end: iso(0) }] }, '/closed/0/end'],
        [calendar, { hours: [{ days: ['mon', 'mon'], from: '09:00', to: '10:00' }] }, '/hours/0/days/1'],
        [calendar, { services: [{ id: 'a' }] }, '/services/0/duration_minutes'], [calendar, { capacity: 0 }, '/capacity'],
        [calendar, { preset: 'hotel' }, '/preset'], [calendar, { id: 'x' }, '/id'], [calendar, { id: null }, '/id'], [event, { id: null }, '/id'],
    ]) {
        const was = await get(path);
        invalid(await hf.admin.patch(path, patch, MERGE), pointer);
        assert.deepEqual(await get(path), was, JSON.stringify(patch));
    }
    for (const body of ['[]', '5', 'null', '{"name":"x"', '{"name":"x","name":"y"}', '{"name":"a"}{}']) {
        invalid(await hf.admin.call('PATCH', event, { body, ...MERGE }), '');
    }
});

test('only the admin can, and only existing records', async () => {
    const [event, calendar] = [`/v1/events/${unique()}`, `/v1/calendars/${unique()}`];
    refused(await hf.admin.patch(event, { name: 'x' }), 404, 'no_such_event');
    refused(await hf.admin.patch(calendar, { name: 'x' }), 404, 'no_such_calendar');
    for (const path of [`/v1/events/${await makeEvent(hf)}`, `/v1/calendars/${await makeCalendar(hf)}`]) {
        refused(await hf.anyone.patch(path, { name: 'x' }), 401, 'unauthenticated');
        for (const caller of [hf.user('ann'), hf.app]) {
            refused(await caller.patch(path, { name: 'x' }), 403, 'forbidden');
        }
    }
    const one = await makeCalendar(hf, { capacity: 2 });
    const start = new Date(hf.now() + 30 * DAY).toISOString().slice(0, 14);
    await hold(hf.app, [1, 2].map(() => ({ calendar: one, start: `${start}00:00Z`, end: `${start}30:00Z` })), { user_id: 'ann' });
    refused(await hf.admin.patch(`/v1/calendars/${one}`, { capacity: 1 }), 409, 'capacity_in_use');
});

test('concurrent patches of different fields all take effect', async () => {
    const event = `/v1/events/${await makeEvent(hf)}`;
    const calendar = `/v1/calendars/${await makeCalendar(hf)}`;
    const both = [
        [event, { name: 'N', per_user_limit: 7, waiting_list: true, payment: 'none', payment_ttl_seconds: 5, currency: 'CHF', starts_at: iso(DAY) }],
        [calendar, { name: 'N', capacity: 7, price: 9, slot_minutes: 5, buffer_minutes: 1, timezone: 'Europe/Rome', currency: 'CHF' }],
    ];
    for (const [path, fields] of both) {
        const was = await get(path);
        const answers = await Promise.all(Object.entries(fields).map(([name, value]) => hf.admin.patch(path, { [name]: value }, MERGE)));
        answers.forEach((one) => assert.equal(one.status, 200, one.text));
        assert.deepEqual(await get(path), { ...was, ...fields });
    }
});

test('a patch is described: nothing is required, everything can be null, and no preset', async () => {
    for (const path of ['/v1/events/{event}', '/v1/calendars/{calendar}']) {
        const { put, patch } = hf.description.document.paths[path];
        const { content } = patch.requestBody;
        assert.deepEqual(Object.keys(content), ['application/merge-patch+json', 'application/json']);
        const [{ schema }, whole] = [content['application/json'], put.requestBody.content['application/json'].schema];
        assert.equal(schema.required, undefined);
        assert.ok(!('preset' in schema.properties || 'copy_seats_from' in schema.properties));
        assert.deepEqual(Object.keys(schema.properties),
            Object.keys(whole.properties).filter((name) => !['preset', 'copy_seats_from'].includes(name)));
        Object.entries(schema.properties).filter(([, one]) => !one.readOnly && one.type).forEach(
            ([name, { type }]) => assert.ok(type.includes('null'), name)
        );
    }
});
