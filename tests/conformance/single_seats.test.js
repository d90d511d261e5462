/* SPDX-License-Identifier: Apache-2.0 */
/* single_seats: where it is refused, nobody's own choice leaves a free seat alone. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared } = require('./lib/server.js');
const { makeEvent, seats, items, hold } = require('./lib/catalogue.js');
const { refused, invalid, granted } = require('./lib/expect.js');

const hf = shared();
const ann = () => hf.user('ann');
const theatre = (settings = {}) => makeEvent(hf, { seats: 'A1-A8', single_seats: 'refuse', payment: 'none', ...settings });
const path = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const ask = (caller, event, list, more = {}) => caller.post('/v1/reservations', { items: items(event, list), ...more });

test('it is a setting of the event: allow, unless it is refused', async () => {
    const event = await theatre();
    assert.equal((await hf.anyone.get(`/v1/events/${event}`)).json.single_seats, 'refuse');
    const plain = await hf.admin.put(`/v1/events/${event}`, { name: 'x', payment: 'none' });
    assert.equal(plain.json.single_seats, 'allow');
    granted(await ask(ann(), event, 'A2 A3'), 201);
    invalid(await hf.admin.put(`/v1/events/${event}`, { name: 'x', single_seats: 'no' }), '/single_seats');
});

test('several at once: 409 leaves_single with the seats, and nothing is held', async () => {
    const event = await theatre();
    assert.deepEqual(refused(await ask(ann(), event, 'A2 A4'), 409, 'leaves_single').seats, ['A1', 'A3']);
    assert.deepEqual(refused(await ask(ann(), event, 'A6 A7'), 409, 'leaves_single').seats, ['A8']);
    assert.equal((await hf.anyone.get(`/v1/events/${event}`)).json.counts.available, 8);
    const r = granted(await ask(ann(), event, 'A1 A2'), 201);
    refused(await ask(hf.user('bob'), event, 'A2 A4'), 409, 'taken');
    const more = await ann().post(path(r, '/items'), { items: items(event, 'A4 A5') });
    assert.deepEqual(refused(more, 409, 'leaves_single').seats, ['A3']);
    granted(await ann().post(path(r, '/items'), { items: items(event, 'A3 A4') }), 201);
});

test('one by one: judged at payment and at commit, over the whole reservation', async () => {
    const event = await theatre();
    const r = await hold(ann(), items(event, 'A2'));
    assert.deepEqual(refused(await ann().post(path(r, '/payment'), {}), 409, 'leaves_single').seats, ['A1']);
    assert.deepEqual(refused(await ann().post(path(r, '/commit'), {}), 409, 'leaves_single').seats, ['A1']);
    granted(await ann().post(path(r, '/items'), { event, seat: 'A1' }), 201);
    granted(await ann().post(path(r, '/payment'), {}), 200);
    granted(await ann().post(path(r, '/commit'), {}), 200, { status: 'confirmed' });
});

test('blocked seats count as taken; best and staff are exempt', async () => {
    const event = await theatre({ seats: seats('A1-A3') });
    await hf.admin.patch(`/v1/events/${event}/seats`, { ids: ['A3'], blocked: true });
    const best = granted(await ann().post('/v1/reservations', { items: [{ event, best: { quantity: 1 } }] }), 201);
    granted(await ann().post(path(best, '/commit'), {}), 200, { status: 'confirmed' });
    const other = await theatre({ seats: seats('A1-A3') });
    const chosen = await hold(ann(), items(other, 'A1'));
    granted(await ann().post(path(chosen, '/commit'), {}), 200, { status: 'confirmed' });
    const last = await theatre();
    const staff = granted(await ask(hf.admin, last, 'A2 A4', { user_id: 'ann' }), 201);
    granted(await hf.admin.post(path(staff, '/commit'), {}), 200, { status: 'confirmed' });
});
