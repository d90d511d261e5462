/* SPDX-License-Identifier: Apache-2.0 */
/* single_seats: where it is refused, no user's own choice leaves a free seat alone. */
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

test('it is a setting of the event: allow by default', async () => {
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

test('one by one: shown in every answer, judged at payment and at commit', async () => {
    const event = await theatre();
    const r = await hold(ann(), items(event, 'A2'));
    assert.deepEqual(r.leaves_single, ['A1']);
    assert.deepEqual((await ann().get(path(r))).json.leaves_single, ['A1']);
    assert.deepEqual(refused(await ann().post(path(r, '/payment'), {}), 409, 'leaves_single').seats, ['A1']);
    assert.deepEqual(refused(await ann().post(path(r, '/commit'), {}), 409, 'leaves_single').seats, ['A1']);
    for (const caller of [hf.app, hf.admin])
        for (const call of ['/payment', '/commit'])
            assert.deepEqual(refused(await caller.post(path(r, call), {}), 409, 'leaves_single').seats, ['A1']);
    granted(await ann().post(path(r, '/items'), { event, seat: 'A1' }), 201, { leaves_single: [] });
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

test('of the last three seats two can be bought, and of the last two one', async () => {
    const event = await theatre({ seats: seats('A1-A3') });
    const two = granted(await ask(ann(), event, 'A1 A2'), 201, { leaves_single: [] });
    granted(await ann().post(path(two, '/commit'), {}), 200, { status: 'confirmed' });
    const pair = await theatre({ seats: seats('A1-A2') });
    const one = granted(await ask(ann(), pair, 'A2'), 201, { leaves_single: [] });
    granted(await ann().post(path(one, '/commit'), {}), 200, { status: 'confirmed' });
});

/* From the list, which comes from the book; and from the reservation itself. */
const leaves = async (r) => {
    const one = await hf.admin.get(path(r));
    const list = await hf.admin.get(`/v1/reservations?user_id=${r.user_id}&event=${r.items[0].event}`, hf.since(one));
    const listed = list.json.data.find((other) => other.reservation_id === r.reservation_id);
    assert.deepEqual(listed.leaves_single, one.json.leaves_single);
    return one.json.leaves_single;
};

test('later claims by others never add to it; a seat that was taken, or got a neighbour, no longer counts', async () => {
    const event = await theatre();
    const r = await hold(ann(), items(event, 'A3'));
    const other = granted(await ask(hf.app, event, 'A5', { user_id: 'bob' }), 201);
    assert.deepEqual(await leaves(r), []);
    granted(await ann().post(path(r, '/commit'), {}), 200, { status: 'confirmed', leaves_single: [] });
    const late = await hold(hf.user('cat'), items(event, 'A7'));
    assert.deepEqual(await leaves(late), ['A6', 'A8']);
    granted(await hf.app.post(path(other, '/release'), {}), 200);
    assert.deepEqual(await leaves(late), ['A8']);
    granted(await ask(hf.app, event, 'A5', { user_id: 'bob' }), 201);
    const taken = granted(await ask(hf.app, event, 'A8', { user_id: 'bob' }), 201);
    assert.deepEqual(await leaves(late), []);
    granted(await hf.app.post(path(taken, '/release'), {}), 200);
    assert.deepEqual(await leaves(late), []);
});

test('a commit with money is never refused for it', async () => {
    const event = await theatre({ payment: 'required', seats: seats('A1-A8', { price: 500 }) });
    const r = await hold(ann(), items(event, 'A2'));
    refused(await hf.app.post(path(r, '/payment'), {}), 409, 'leaves_single');
    granted(await hf.app.post(path(r, '/commit'), { payment_ref: 'pi_single' }), 200, { status: 'confirmed', leaves_single: ['A1'] });
});

test('a user\'s move of a confirmed seat must leave none alone; the seat it frees is not judged', async () => {
    const event = await theatre();
    const r = await hold(ann(), items(event, 'A1'));
    granted(await ann().post(path(r, '/commit'), {}), 200);
    const move = (caller, seat) => caller.patch(path(r, `/items/${r.items[0].item_id}`), { seat });
    assert.deepEqual(refused(await move(ann(), 'A7'), 409, 'leaves_single').seats, ['A8']);
    granted(await move(ann(), 'A3'), 200, { leaves_single: [] });
    granted(await move(hf.app, 'A2'), 200, { leaves_single: [] });
});
