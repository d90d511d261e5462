/* SPDX-License-Identifier: Apache-2.0 */
/* The sentence of a refusal: which field it is about, and what is needed. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique } = require('./lib/server.js');
const { makeEvent, items, hold } = require('./lib/catalogue.js');
const { refused, invalid } = require('./lib/expect.js');

const hf = shared();
const ann = () => hf.user('ann');
const create = (caller, wanted, more = {}) => caller.post('/v1/reservations', { items: wanted, ...more });
const says = (answer, status, code, detail) => assert.equal(refused(answer, status, code).detail, detail);

test('403 names the field and the key that it needs', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    const from = (allotment) => [{ event, seat: 'A1', allotment }];
    says(await create(ann(), from('press')), 403, 'forbidden', 'Naming an allotment needs an app key or the admin key.');
    says(await create(hf.app, from('blocked'), { user_id: 'ann' }), 403, 'forbidden',
        'Claiming blocked seats (allotment "blocked") needs the admin key.');
    says(await create(ann(), items(event, 'A1'), { commit: true }), 403, 'forbidden', 'commit needs an app key or the admin key.');
    says(await ann().get('/v1/reservations', { headers: { Accept: 'text/csv' } }), 403, 'forbidden',
        'CSV needs an app key or the admin key. Ask for application/json.');
    says(await ann().post('/v1/sessions', {}), 403, 'forbidden',
        'This user has an account. Only guests, and callers without a token, get a session.');
});

test('403 of a route names all allowed roles, and never the caller\'s', async () => {
    const door = await hf.key('door');
    const [staff, gate] = ['This needs an app key or the admin key.', 'This needs a door key, an app key or the admin key.'];
    says(await ann().get('/v1/refunds-due'), 403, 'forbidden', staff);
    says(await door.get('/v1/refunds-due'), 403, 'forbidden', staff);
    says(await ann().get('/v1/check-ins?event=x'), 403, 'forbidden', gate);
    says(await door.get('/v1/reservations'), 403, 'forbidden', 'This needs a user token, an app key or the admin key.');
    says(await ann().get('/v1/payments'), 403, 'forbidden', staff);
    says(await hf.app.get('/v1/payment-events'), 403, 'forbidden', 'This needs the admin key.');
    says(await hf.app.post('/v1/sessions', {}), 403, 'forbidden', 'This is for guests, and callers without a token.');
    const sold = await hold(hf.app, items(await makeEvent(hf, { seats: 'A1' }), 'A1'), { user_id: 'ann', commit: true });
    says(await hf.app.post(`/v1/reservations/${sold.reservation_id}/cancel`), 403, 'forbidden',
        'Only the owner can cancel a sale. App and admin keys refund it: POST .../refund.');
});

test('a hook: every event it can want, and its secret is not repeated', async () => {
    const put = (more) => hf.admin.put(`/v1/hooks/${unique('h')}`, { url: 'https://shop.example/', events: ['refund.due'],
        secret: `whsec_${'A'.repeat(32)}`, ...more });
    assert.match(invalid(await put({ events: ['reservation.paid'] }), '/events/0').detail,
        /one of reservation\.held, .*, refund\.due, .*, refund\.withdrawn, payment\.discrepancy, got "reservation\.paid"\.$/);
    assert.equal(invalid(await put({ secret: 'hunter2' }), '/secret').detail, 'Invalid secret: expected whsec_ and base64 of 24 to 64 bytes.');
});

test('a code with too few units left says so; a used one says that it is used up', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A5', access: 'code' });
    await hf.admin.post(`/v1/events/${event}/codes`, [{ code: 'TWO-2', units: 2 }]);
    const more = { code: 'TWO-2' };
    says(await create(ann(), items(event, 'A1 A2 A3'), more), 409, 'code_used', 'This code does not have that many units left.');
    await hold(ann(), items(event, 'A1 A2'), more);
    says(await create(ann(), items(event, 'A3'), more), 409, 'code_used', 'This code is used up.');
});

test('a category is unknown, or the event has none', async () => {
    const none = await makeEvent(hf, { seats: 'A1' });
    const some = await makeEvent(hf, { seats: 'A1', categories: ['adult'] });
    const held = await hold(ann(), items(some, 'A1'));
    for (const [event, detail] of [
        [none, 'Invalid category: the event has no categories.'], [some, 'Invalid category: the event has no such category.'],
    ]) {
        const answer = await create(ann(), [{ event, seat: 'A1', category: 'child' }]);
        invalid(answer, '/items/0/category');
        assert.equal(answer.json.detail, detail);
    }
    const changed = await ann().patch(`/v1/reservations/${held.reservation_id}/items/1`, { category: 'child' });
    invalid(changed, '/category');
    assert.equal(changed.json.detail, 'Invalid category: the event has no such category.');
});

test('a guest cannot receive what guests may not buy', async () => {
    const event = await makeEvent(hf, { seats: 'A1', guests: false });
    const owner = hf.user(unique('owner'));
    const r = await hold(owner, items(event, 'A1'));
    await owner.post(`/v1/reservations/${r.reservation_id}/commit`, {});
    says(await owner.post(`/v1/reservations/${r.reservation_id}/transfer`, { to_user_id: 'guest_1' }), 403, 'guests_refused',
        'The receiver is a guest, and guests are not allowed here.');
});

test('a TTL that is too long says the maximum', async () => {
    const event = await makeEvent(hf, { seats: 'A1', hold_ttl_seconds: 60, max_hold_seconds: 90, staff_hold_seconds: 120 });
    for (const [caller, more, most] of [[ann(), {}, 60], [hf.app, { user_id: 'ann' }, 120]]) {
        const answer = await create(caller, items(event, 'A1'), { ttl_seconds: most + 1, ...more });
        invalid(answer, '/ttl_seconds');
        assert.equal(answer.json.detail, `Invalid ttl_seconds: a hold may last at most ${most} seconds here.`);
    }
});

test('400 says what was expected', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const r = await hold(ann(), items(event, 'A1'));
    const at = (rest) => `/v1/reservations/${r.reservation_id}${rest}`;
    for (const [answer, pointer, detail] of [
        [await ann().patch(at('/items/1'), { end: '2030-01-01T00:00:00Z' }), '/start', 'Missing start.'],
        [await ann().get(at('?manage_token=yes')), '?manage_token', 'Invalid manage_token: expected 1, got "yes".'],
        [await ann().post(at('/extend'), { ttl_seconds: 0 }), '/ttl_seconds',
            'Invalid ttl_seconds: expected an integer of at least 1, got 0.'],
    ]) {
        invalid(answer, pointer);
        assert.equal(answer.json.detail, detail);
    }
});
