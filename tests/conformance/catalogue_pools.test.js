/* SPDX-License-Identifier: Apache-2.0 */
/* Pools: a count of equal units that never exceeds its capacity. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique } = require('./lib/server.js');
const { makeEvent, hold, availability } = require('./lib/catalogue.js');
const { refused, invalid, granted } = require('./lib/expect.js');

const hf = shared();
const put = (event, pool, body) => hf.admin.put(`/v1/events/${event}/pools/${pool}`, body);
const pool = async (event, name) => (await availability(hf, event)).pools[name];

test('PUT creates a pool, 201 then 200, and replaces it as a whole', async () => {
    const event = await makeEvent(hf);
    const made = await put(event, 'floor', { capacity: 500, price: 4500, name: 'Standing' });
    assert.equal(made.status, 201, made.text);
    const wanted = { id: 'floor', capacity: 500, price: 4500, name: 'Standing' };
    for (const [field, value] of Object.entries(wanted)) {
        assert.deepEqual(made.json[field], value, field);
    }
    assert.deepEqual(await pool(event, 'floor'), { capacity: 500, available: 500 });
    const replaced = await put(event, 'floor', { capacity: 400 });
    assert.equal(replaced.status, 200);
    assert.equal(replaced.json.price, 0);
    assert.deepEqual(await pool(event, 'floor'), { capacity: 400, available: 400 });
});

test('holds take units, release gives them back, a sale keeps them', async () => {
    const event = await makeEvent(hf, { pools: { floor: { capacity: 10, price: 500 } } });
    const ann = hf.user('ann');
    const held = await hold(ann, [{ event, pool: 'floor', quantity: 3 }]);
    assert.equal(held.items[0].quantity, 3);
    assert.equal(held.items[0].price, 1500, 'the price is of the whole item');
    assert.deepEqual(await pool(event, 'floor'), { capacity: 10, available: 7 });
    const other = await hold(ann, [{ event, pool: 'floor', quantity: 2 }]);
    await ann.post(`/v1/reservations/${held.reservation_id}/release`, {});
    assert.deepEqual(await pool(event, 'floor'), { capacity: 10, available: 8 });
    const sold = granted(await ann.post(`/v1/reservations/${other.reservation_id}/commit`, {}), 200);
    assert.equal(sold.tickets.length, 2);
    assert.ok(sold.tickets.every((ticket) => ticket.pool === 'floor'));
    assert.deepEqual(await pool(event, 'floor'), { capacity: 10, available: 8 });
});

test('capacity can grow, and shrink down to the claimed units', async () => {
    const event = await makeEvent(hf, { pools: { floor: 10 } });
    const ann = hf.user('ann');
    await hold(ann, [{ event, pool: 'floor', quantity: 4 }]);
    const sold = await hold(ann, [{ event, pool: 'floor', quantity: 2 }]);
    await ann.post(`/v1/reservations/${sold.reservation_id}/commit`, {});
    refused(await put(event, 'floor', { capacity: 5 }), 409, 'capacity_in_use');
    assert.deepEqual(await pool(event, 'floor'), { capacity: 10, available: 4 });
    assert.equal((await put(event, 'floor', { capacity: 6 })).status, 200);
    assert.deepEqual(await pool(event, 'floor'), { capacity: 6, available: 0 });
    assert.equal((await put(event, 'floor', { capacity: 9 })).status, 200);
    assert.deepEqual(await pool(event, 'floor'), { capacity: 9, available: 3 });
});

test('too many units: sold_out with the number left', async () => {
    const event = await makeEvent(hf, { pools: { floor: 5 } });
    const ann = hf.user('ann');
    await hold(ann, [{ event, pool: 'floor', quantity: 3 }]);
    const answer = await ann.post('/v1/reservations', { items: [{ event, pool: 'floor', quantity: 3 }] });
    const problem = refused(answer, 409, 'sold_out');
    assert.deepEqual(problem.items, [{ item: 0, event, pool: 'floor', quantity: 3, available: 2 }]);
    assert.deepEqual(await pool(event, 'floor'), { capacity: 5, available: 2 });
    await hold(ann, [{ event, pool: 'floor', quantity: 2 }]);
});

test('a changed price applies to new holds only', async () => {
    const event = await makeEvent(hf, { pools: { floor: { capacity: 10, price: 100 } } });
    const ann = hf.user('ann');
    const held = await hold(ann, [{ event, pool: 'floor', quantity: 2 }]);
    await put(event, 'floor', { capacity: 10, price: 900 });
    assert.equal((await ann.get(`/v1/reservations/${held.reservation_id}`)).json.total.amount, 200);
    assert.equal((await hold(ann, [{ event, pool: 'floor', quantity: 2 }])).total.amount, 1800);
});

test('invalid values are 400 and point at their field', async () => {
    const event = await makeEvent(hf);
    invalid(await put(event, 'floor', {}), '/capacity');
    for (const capacity of [-1, 1.5, '5', null, 1e30]) {
        invalid(await put(event, 'floor', { capacity }), '/capacity');
    }
    for (const price of [-1, 0.5, '5']) {
        invalid(await put(event, 'floor', { capacity: 1, price }), '/price');
    }
    invalid(await put(event, 'floor', { capacity: 1, name: 5 }), '/name');
    invalid(await put(event, 'floor', { capacity: 1, colour: 'red' }), '/colour');
    assert.deepEqual((await availability(hf, event)).pools, {});
    refused(await put(event, 'no%20space', { capacity: 1 }), 400, 'invalid');
    refused(await put('no%20space', 'floor', { capacity: 1 }), 404, 'no_such_event');
});

test('an unknown pool is 404 and a bad quantity 400', async () => {
    const event = await makeEvent(hf, { pools: { floor: 5 } });
    const ask = (item) => hf.user('ann').post('/v1/reservations', { items: [{ event, ...item }] });
    refused(await ask({ pool: unique('pool'), quantity: 1 }), 404, 'no_such_pool');
    for (const quantity of [0, -1, 1.5, '2', 1e30]) {
        invalid(await ask({ pool: 'floor', quantity }), '/items/0/quantity');
    }
    refused(await ask({ seat: 'floor' }), 404, 'no_such_seat');
});

test('a pool can be read, and all of them, by anyone; the event counts their units', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const put = { box: { capacity: 3, price: 900, name: 'Box' }, floor: { capacity: 10, price: 500 } };
    for (const [pool, body] of Object.entries(put)) {
        assert.equal((await hf.admin.put(`/v1/events/${event}/pools/${pool}`, body)).status, 201);
    }
    await hold(hf.user('ann'), [{ event, pool: 'floor', quantity: 4 }]);
    const expected = [
        { id: 'box', name: 'Box', price: 900, prices: null, capacity: 3, available: 3 },
        { id: 'floor', name: null, price: 500, prices: null, capacity: 10, available: 6 },
    ];
    const read = (tail) => hf.anyone.get(`/v1/events/${event}/pools${tail}`);
    for (const pool of expected) {
        assert.deepEqual((await read(`/${pool.id}`)).json, pool);
    }
    assert.deepEqual((await read('')).json, { data: expected, next_cursor: null });
    const first = (await read('?limit=1')).json;
    assert.deepEqual(first.data, [expected[0]]);
    const rest = (await read(`?limit=1&cursor=${first.next_cursor}`)).json;
    assert.deepEqual(rest, { data: [expected[1]], next_cursor: null });
    refused(await read('/none'), 404, 'no_such_pool');
    refused(await hf.anyone.get('/v1/events/none/pools'), 404, 'no_such_event');
    refused(await hf.anyone.get('/v1/events/none/pools/floor'), 404, 'no_such_event');
    const { counts } = (await hf.anyone.get(`/v1/events/${event}`)).json;
    assert.deepEqual(counts.pools, { capacity: 13, available: 9 });
});
