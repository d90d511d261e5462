/* SPDX-License-Identifier: Apache-2.0 */
/* Idempotency-Key: one effect for one key, remembered with the effect, for a day, for this caller and this path. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique, ownClock } = require('./lib/server.js');
const { makeEvent, items, hold, seatStatus, counts } = require('./lib/catalogue.js');
const { refused, invalid, granted, seatsOf } = require('./lib/expect.js');

const hf = shared();
const ann = () => hf.user('ann');
const path = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const create = (caller, body, key) =>
    caller.post('/v1/reservations', body, { headers: { 'Idempotency-Key': key } });
const replayed = (answer) => answer.headers['idempotent-replayed'];

test('the same request again: the same status and reservation, marked as replayed', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A2' });
    const key = unique('key');
    const body = { items: items(event, 'A1') };
    const first = await create(ann(), body, key);
    const r = granted(first, 201);
    assert.equal(replayed(first), undefined);
    const again = await create(ann(), body, key);
    granted(again, 201, { reservation_id: r.reservation_id, fence: r.fence, expires_at: r.expires_at });
    assert.equal(replayed(again), 'true');
    assert.equal(again.headers.location, first.headers.location);
    assert.equal((await counts(hf, event)).held, 1);
});

test('a replay shows the reservation as it is now', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A2' });
    const [key, body] = [unique('key'), { items: items(event, 'A1') }];
    const r = granted(await create(ann(), body, key), 201);
    granted(await ann().post(path(r, '/items'), { event, seat: 'A2' }), 201);
    assert.equal(granted(await create(ann(), body, key), 201).items.length, 2);
    granted(await ann().post(path(r, '/commit'), {}), 200);
    granted(await create(ann(), body, key), 201, { reservation_id: r.reservation_id, status: 'confirmed' });
    const other = [unique('key'), { items: items(await makeEvent(hf, { seats: 'A1' }), 'A1') }];
    const gone = granted(await create(ann(), other[1], other[0]), 201);
    granted(await ann().delete(path(gone)), 200);
    granted(await create(ann(), other[1], other[0]), 201, {
        reservation_id: gone.reservation_id, status: 'released'
    });
});

test('another body with the same key is 422, even if only its bytes differ', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A2' });
    const key = unique('key');
    const text = JSON.stringify({ items: items(event, 'A1') });
    granted(await create(ann(), text, key), 201);
    refused(await create(ann(), { items: items(event, 'A2') }, key), 422, 'idempotency_key_reused');
    refused(await create(ann(), ` ${text}`, key), 422, 'idempotency_key_reused');
    assert.equal(await seatStatus(hf, event, 'A2'), 'available');
});

test('the scope is the caller: users and keys are separate', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9' });
    const key = unique('key');
    const app = await hf.key('app');
    const ids = new Set();
    const ask = async (caller, seat, user_id) =>
        ids.add(
            granted(await create(caller, { items: items(event, seat), user_id }, key), 201).reservation_id
        );
    await ask(ann(), 'A1');
    await ask(hf.user('bob'), 'A2');
    await ask(hf.app, 'A3', 'ann');
    await ask(app, 'A4', 'ann');
    await ask(hf.admin, 'A5', 'ann');
    assert.equal(ids.size, 5);
});

test('the scope is the path: a hold and its items can use the same key', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9' });
    const headers = { 'Idempotency-Key': unique('key') };
    const r = granted(await ann().post('/v1/reservations', { items: items(event, 'A1') }, { headers }), 201);
    const more = await ann().post(path(r, '/items'), { event, seat: 'A2' }, { headers });
    granted(more, 201);
    assert.equal(replayed(more), undefined);
});

test('items: added once, replayed with the same 201', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9', pools: { floor: 9 } });
    const r = await hold(ann(), items(event, 'A1'));
    const headers = { 'Idempotency-Key': unique('key') };
    const body = { event, pool: 'floor', quantity: 2 };
    const first = granted(await ann().post(path(r, '/items'), body, { headers }), 201);
    const again = await ann().post(path(r, '/items'), body, { headers });
    granted(again, 201, { version: first.version, items: first.items });
    assert.equal(replayed(again), 'true');
    const other = { event, pool: 'floor', quantity: 3 };
    refused(await ann().post(path(r, '/items'), other, { headers }), 422, 'idempotency_key_reused');
    granted(await ann().post(path(r, '/items'), body), 201);
});

test('a refused request is not remembered but judged again', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const bob = await hold(hf.user('bob'), items(event, 'A1'));
    const [key, body] = [unique('key'), { items: items(event, 'A1') }];
    refused(await create(ann(), body, key), 409, 'taken');
    refused(await create(ann(), body, key), 409, 'taken');
    granted(await hf.user('bob').delete(path(bob)), 200);
    const answer = await create(ann(), body, key);
    granted(answer, 201);
    assert.equal(replayed(answer), undefined);
    const other = unique('key');
    invalid(await create(ann(), { items: [] }, other), '/items');
    const second = await makeEvent(hf, { seats: 'A1' });
    granted(await create(ann(), { items: items(second, 'A1') }, other), 201);
});

test('twenty at once with one key: one effect, the others wait for it', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A20' });
    const [key, body] = [unique('key'), { items: [{ event, best: { quantity: 1 } }] }];
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(ann(), body, key)));
    const ids = new Set(answers.map((answer) => granted(answer, 201).reservation_id));
    assert.equal(ids.size, 1);
    assert.equal(answers.filter((answer) => replayed(answer) === undefined).length, 1);
    assert.equal((await counts(hf, event)).held, 1);
});

test('two users at once with one key for one seat: one wins, one is refused', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const [key, body] = [unique('key'), { items: items(event, 'A1') }];
    const answers = await Promise.all([create(ann(), body, key), create(hf.user('bob'), body, key)]);
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [201, 409]);
});

test('1 to 255 printable bytes', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9' });
    granted(await create(ann(), { items: items(event, 'A1') }, 'k'), 201);
    const longest = unique('key ~!"').padEnd(255, 'x');
    granted(await create(ann(), { items: items(event, 'A2') }, longest), 201);
    granted(await create(ann(), { items: items(event, 'A2') }, longest), 201);
    refused(await create(ann(), { items: items(event, 'A3') }, `${longest}x`), 400, 'invalid');
    refused(await create(ann(), { items: items(event, 'A3') }, 'gr\xfcn'), 400, 'invalid');
    refused(await create(ann(), { items: items(event, 'A3') }, ''), 400, 'invalid');
    assert.equal(await seatStatus(hf, event, 'A3'), 'available');
});

test('it is kept a day and then forgotten', ownClock, async () => {
    const event = await makeEvent(hf, { seats: 'A1-A2', hold_ttl_seconds: 30 });
    const [key, body] = [unique('key'), { items: items(event, 'A1') }];
    const r = granted(await create(ann(), body, key), 201);
    hf.clock.advance(24 * 3600_000 - 60_000);
    const replay = await create(ann(), body, key);
    granted(replay, 201, { reservation_id: r.reservation_id, status: 'expired' });
    assert.equal(replayed(replay), 'true');
    hf.clock.advance(120_000);
    const again = await create(ann(), body, key);
    assert.notEqual(granted(again, 201, { status: 'held' }).reservation_id, r.reservation_id);
    assert.equal(replayed(again), undefined);
});

test('commit and release need none, and accept one', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A2' });
    const r = await hold(ann(), items(event, 'A1'));
    const headers = { 'Idempotency-Key': unique('key') };
    const sold = granted(await ann().post(path(r, '/commit'), {}, { headers }), 200);
    granted(await ann().post(path(r, '/commit'), { payment_ref: 'x' }, { headers }), 200, {
        order_id: sold.order_id
    });
    assert.deepEqual(seatsOf(sold), ['A1']);
});
