/* SPDX-License-Identifier: Apache-2.0 */
/* Of two reasons to refuse, the documented one is given: caller, body, existence, sale times, version, limit, and only
 * then availability. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique, ownClock } = require('./lib/server.js');
const { makeEvent, items, hold, seatStatus } = require('./lib/catalogue.js');
const { refused, invalid } = require('./lib/expect.js');

const hf = shared();
const create = (caller, body, headers = {}) => caller.post('/v1/reservations', body, { headers });
const later = () => new Date(hf.now() + 3600_000).toISOString();

test('401 before 400', async () => {
    refused(await create(hf.anyone, '{"items":'), 401, 'unauthenticated');
    refused(await create(hf.anyone, { items: [] }), 401, 'unauthenticated');
});

test('403 of the role before 400', async () => {
    const door = await hf.key('door');
    refused(await create(door, { items: [] }), 403, 'forbidden');
});

test('403 not_owner before 404', async () => {
    refused(await create(hf.user('ann'), { user_id: 'bob', items: items(unique(), 'A1') }), 403, 'not_owner');
});

test('403 of commit:true before 404', async () => {
    refused(await create(hf.user('ann'), { commit: true, items: items(unique(), 'A1') }), 403, 'forbidden');
});

test('400 before 404', async () => {
    invalid(await create(hf.user('ann'), { ttl_seconds: 0, items: items(unique(), 'A1') }), '/ttl_seconds');
    const event = await makeEvent(hf, { seats: 'A1' });
    invalid(await create(hf.user('ann'), { items: [...items(event, 'Z9'), { event }] }));
});

test('404 before not_on_sale', async () => {
    const event = await makeEvent(hf, { seats: 'A1', on_sale_at: later() });
    refused(await create(hf.user('ann'), { items: items(event, 'Z9') }), 404, 'no_such_seat');
    refused(
        await create(hf.user('ann'), { items: [{ event, pool: 'nope', quantity: 1 }] }), 404, 'no_such_pool'
    );
    refused(await create(hf.user('ann'), { items: items(event, 'A1') }), 409, 'not_on_sale');
});

test('not_on_sale before 412', async () => {
    const event = await makeEvent(hf, { seats: 'A1', on_sale_at: later() });
    const body = { resource_id: `${event}/A1` };
    refused(await create(hf.user('ann'), body, { 'If-Match': '"999999999999"' }), 409, 'not_on_sale');
});

test('404 before 412', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const body = { resource_id: `${event}/Z9` };
    refused(await create(hf.user('ann'), body, { 'If-Match': '"999999999999"' }), 404, 'no_such_seat');
});

test('412 before limit_exceeded', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A2', per_user_limit: 1 });
    const me = hf.user(unique('user'));
    await hold(me, items(event, 'A1'));
    const body = { resource_id: `${event}/A2` };
    refused(await create(me, body, { 'If-Match': '"999999999999"' }), 412, 'version_mismatch');
    refused(await create(me, body), 409, 'limit_exceeded');
});

test('412 before taken', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    await hold(hf.user('bob'), items(event, 'A1'));
    const body = { resource_id: `${event}/A1` };
    refused(await create(hf.user('ann'), body, { 'If-Match': '"999999999999"' }), 412, 'version_mismatch');
});

test('limit_exceeded before taken, sold_out and no_adjacent_seats', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A4', pools: { floor: 1 }, per_user_limit: 1 });
    const me = hf.user(unique('user'));
    await hold(me, items(event, 'A1'));
    await hold(hf.user(unique('user')), items(event, 'A2'));
    await hold(hf.user(unique('user')), [{ event, pool: 'floor', quantity: 1 }]);
    refused(await create(me, { items: items(event, 'A2') }), 409, 'limit_exceeded');
    refused(await create(me, { items: [{ event, pool: 'floor', quantity: 1 }] }), 409, 'limit_exceeded');
    refused(
        await create(me, { items: [{ event, best: { quantity: 4, adjacent: true } }] }), 409, 'limit_exceeded'
    );
});

test('each command on a reservation: exists, owner, state, deadline', ownClock, async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9', hold_ttl_seconds: 30, payment: 'required' });
    const ann = hf.user('ann');
    const gone = { reservation_id: unique() };
    const path = (r, what) => `/v1/reservations/${r.reservation_id}/${what}`;
    const released = await hold(ann, items(event, 'A1'));
    await ann.post(path(released, 'release'), {});
    const lapsed = await hold(ann, items(event, 'A2'));
    hf.clock.advance(31_000);
    for (const what of ['commit', 'extend', 'payment', 'release']) {
        const given = { user_id: 'bob' };
        refused(await hf.app.post(path(gone, what), given), 404, 'no_such_reservation');
        refused(await hf.app.post(path(released, what), given), 403, 'not_owner');
        refused(await hf.app.post(path(lapsed, what), given), 403, 'not_owner');
        refused(await hf.user('bob').post(path(lapsed, what), {}), 404, 'no_such_reservation');
        refused(await ann.post(path(gone, what), given), 403, 'not_owner');
        refused(await ann.post(path(lapsed, what), {}), 409, 'expired');
    }
    for (const what of ['commit', 'extend', 'payment']) {
        refused(await ann.post(path(released, what), {}), 409, 'already_released');
    }
});

test('a refused hold leaves no trace', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A2', per_user_limit: 1 });
    const user = unique('user');
    refused(await create(hf.user(user), { items: items(event, 'A1 A2') }), 409, 'limit_exceeded');
    const answer = await hf.anyone.get(`/v1/events/${event}`);
    assert.equal(answer.json.counts.held, 0);
    const list = await hf.app.get(`/v1/reservations?user_id=${user}`, hf.since(answer));
    assert.deepEqual(list.json.data, []);
    assert.equal(await seatStatus(hf, event, 'A1'), 'available');
});
