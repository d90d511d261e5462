/* SPDX-License-Identifier: Apache-2.0 */
/* Get-seat, drop-seat and the move of one item: each atomic, each judged by the state of the reservation. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique, ownClock } = require('./lib/server.js');
const { makeEvent, seats, items, hold, seatStatus, availability, counts } = require('./lib/catalogue.js');
const { refused, invalid, granted, seatsOf } = require('./lib/expect.js');

const hf = shared();
const ann = () => hf.user('ann');
const path = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const add = (caller, r, body) => caller.post(path(r, '/items'), body);
const itemOf = (r, seat) => r.items.find((it) => it.seat === seat).item_id;
const drop = (caller, r, item) => caller.delete(path(r, `/items/${item}`));
const move = (caller, r, item, body) => caller.patch(path(r, `/items/${item}`), body);

test('get-seat: 201, a new fence, version + 1, and the deadline does not move', ownClock, async () => {
    const event = await makeEvent(hf, { seats: seats('A1-A4', { price: 100 }) });
    const r = await hold(ann(), items(event, 'A1'));
    hf.clock.advance(5_000);
    const more = granted(await add(ann(), r, { event, seat: 'A2' }), 201, {
        reservation_id: r.reservation_id, expires_at: r.expires_at, max_expires_at: r.max_expires_at,
        created_at: r.created_at, version: r.version + 1,
    });
    assert.ok(more.fence > r.fence);
    assert.deepEqual(seatsOf(more), ['A1', 'A2']);
    assert.equal(more.total.amount, 200);
    assert.equal(more.items[0].item_id, r.items[0].item_id);
    assert.equal(await seatStatus(hf, event, 'A2'), 'held');
});

test('get-seat: several items at once, of every kind, all or nothing', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9', pools: { floor: 3 } });
    const r = await hold(ann(), items(event, 'A1'));
    await hold(hf.user('bob'), items(event, 'A5'));
    const wanted =
        [...items(event, 'A2'), { event, pool: 'floor', quantity: 2 }, { event, best: { quantity: 2 } }];
    const more = granted(await add(ann(), r, { items: wanted }), 201);
    assert.equal(more.items.length, 5);
    const answer =
        await add(ann(), more, { items: [...items(event, 'A8 A5'), { event, pool: 'floor', quantity: 2 }] });
    const problem = refused(answer, 409, 'taken');
    assert.deepEqual(problem.items, [
        { item: 1, event, seat: 'A5', status: 'held' },
        { item: 2, event, pool: 'floor', quantity: 2, available: 1 },
    ]);
    const after = granted(await ann().get(path(r)), 200);
    assert.equal(after.version, more.version);
    assert.equal(after.items.length, 5);
});

test('get-seat: a seat it already has is 200 and changes nothing', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A2' });
    const r = await hold(ann(), items(event, 'A1'));
    const same =
        granted(await add(ann(), r, { event, seat: 'A1' }), 200, { fence: r.fence, version: r.version });
    assert.deepEqual(seatsOf(same), ['A1']);
});

test('get-seat: invalid and unknown items are refused as in a hold', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9', per_user_limit: 2 });
    const dollar = await makeEvent(hf, { seats: 'A1', currency: 'USD' });
    const me = hf.user(unique('user'));
    const r = await hold(me, items(event, 'A1'));
    invalid(await add(me, r, {}));
    invalid(await add(me, r, { items: [] }));
    invalid(await add(me, r, { event, seat: 'A2', colour: 'red' }));
    invalid(await add(me, r, { event, seat: 'A2', items: items(event, 'A3') }));
    invalid(await add(me, r, { items: items(event, 'A2 A2') }));
    invalid(await add(me, r, { items: items(dollar, 'A1') }));
    refused(await add(me, r, { event, seat: 'Z9' }), 404, 'no_such_seat');
    refused(await add(me, r, { event: unique(), seat: 'A1' }), 404, 'no_such_event');
    refused(await add(me, r, { event, pool: 'floor', quantity: 1 }), 404, 'no_such_pool');
    const problem = refused(await add(me, r, { items: items(event, 'A2 A3') }), 409, 'limit_exceeded');
    assert.deepEqual([problem.limit, problem.have], [2, 1]);
    assert.deepEqual(seatsOf(granted(await me.get(path(r)), 200)), ['A1']);
    assert.equal((await counts(hf, event)).held, 1);
});

test('get-seat: at most a hundred items in total', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A102' });
    const r = await hold(ann(), items(event, 'A1-A99'));
    invalid(await add(ann(), r, { items: items(event, 'A100 A101') }));
    granted(await add(ann(), r, { event, seat: 'A100' }), 201);
    invalid(await add(ann(), r, { event, seat: 'A101' }));
});

test('drop-seat: 200 with the rest, the seat is free at once', async () => {
    const event = await makeEvent(hf, {
        seats: seats('A1-A3', { price: 10 }), pools: { floor: { capacity: 5, price: 1 } }
    });
    const r = await hold(ann(), [...items(event, 'A1 A2'), { event, pool: 'floor', quantity: 3 }]);
    const less =
        granted(await drop(ann(), r, itemOf(r, 'A1')), 200, { status: 'held', expires_at: r.expires_at });
    assert.deepEqual(seatsOf(less), ['A2']);
    assert.equal(less.total.amount, 13);
    assert.equal(await seatStatus(hf, event, 'A1'), 'available');
    granted(await drop(ann(), r, r.items[2].item_id), 200);
    assert.equal((await availability(hf, event)).pools.floor.available, 5);
    refused(await drop(ann(), r, itemOf(r, 'A1')), 404, 'no_such_item');
    refused(await drop(ann(), r, '999'), 404, 'no_such_item');
    refused(await drop(ann(), r, 'x'), 404, 'no_such_item');
});

test('an item_id is never reused', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    const r = await hold(ann(), items(event, 'A1 A2'));
    await drop(ann(), r, itemOf(r, 'A2'));
    const more = granted(await add(ann(), r, { event, seat: 'A3' }), 201);
    assert.notEqual(itemOf(more, 'A3'), itemOf(r, 'A2'));
});

test('dropping the last item releases the reservation', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const r = await hold(ann(), items(event, 'A1'));
    granted(await drop(ann(), r, r.items[0].item_id), 200, { status: 'released' });
    assert.equal(await seatStatus(hf, event, 'A1'), 'available');
    granted(await ann().get(path(r)), 200, { status: 'released' });
    refused(await add(ann(), r, { event, seat: 'A1' }), 409, 'already_released');
});

test('move: claims the new seat and ends the old claim together, a new fence, version + 1, the new price', async () => {
    const list = [{ id: 'A1', price: 100 }, { id: 'A2', price: 250 }, { id: 'A3', price: 100 }];
    const event = await makeEvent(hf, { seats: list });
    const r = await hold(ann(), items(event, 'A1 A3'));
    const item = itemOf(r, 'A1');
    const moved = granted(await move(ann(), r, item, { seat: 'A2' }), 200, {
        status: 'held', version: r.version + 1, expires_at: r.expires_at,
    });
    assert.ok(moved.fence > r.fence);
    assert.equal(itemOf(moved, 'A2'), item);
    assert.equal(moved.total.amount, 350);
    const { seats: now } = await availability(hf, event);
    assert.deepEqual(now, { A1: 'available', A2: 'held', A3: 'held' });
});

test('move: to a taken or missing seat changes nothing', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A4' });
    const r = await hold(ann(), items(event, 'A1'));
    await hold(hf.user('bob'), items(event, 'A2'));
    await hf.admin.patch(`/v1/events/${event}/seats`, { ids: ['A3'], blocked: true });
    const item = itemOf(r, 'A1');
    refused(await move(ann(), r, item, { seat: 'A2' }), 409, 'taken');
    refused(await move(ann(), r, item, { seat: 'A3' }), 409, 'taken');
    refused(await move(ann(), r, item, { seat: 'Z9' }), 404, 'no_such_seat');
    refused(await move(ann(), r, '999', { seat: 'A4' }), 404, 'no_such_item');
    invalid(await move(ann(), r, item, {}));
    invalid(await move(ann(), r, item, { seat: 5 }), '/seat');
    invalid(await move(ann(), r, item, { seat: 'A4', colour: 'red' }), '/colour');
    invalid(await move(ann(), r, item, { start: '2031-12-03T14:00:00Z', end: '2031-12-03T14:30:00Z' }));
    const after = granted(await ann().get(path(r)), 200, { version: r.version, fence: r.fence });
    assert.deepEqual(seatsOf(after), ['A1']);
    assert.deepEqual((await availability(hf, event)).seats, {
        A1: 'held', A2: 'held', A3: 'blocked', A4: 'available'
    });
});

test('move: two moves onto each other\'s seats both fail', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    const a = await hold(ann(), items(event, 'A1'));
    const b = await hold(hf.user('bob'), items(event, 'A2'));
    const answers = await Promise.all([
        move(ann(), a, itemOf(a, 'A1'), { seat: 'A2' }),
        move(hf.user('bob'), b, itemOf(b, 'A2'), { seat: 'A1' }),
    ]);
    answers.forEach((answer) => refused(answer, 409, 'taken'));
    assert.deepEqual((await availability(hf, event)).seats, { A1: 'held', A2: 'held', A3: 'available' });
});

test('move of a confirmed item: the tickets follow, the seat stays sold', async () => {
    const event = await makeEvent(hf, { seats: seats('A1-A2', { price: 100 }) });
    const r = await hold(ann(), items(event, 'A1'));
    const sold = granted(await ann().post(path(r, '/commit'), {}), 200);
    const moved = granted(await move(ann(), r, itemOf(r, 'A1'), { seat: 'A2' }), 200, {
        status: 'confirmed', order_id: sold.order_id,
    });
    assert.ok(moved.fence > sold.fence);
    assert.deepEqual(moved.tickets.map((ticket) => ticket.seat), ['A2']);
    assert.deepEqual((await availability(hf, event)).seats, { A1: 'available', A2: 'sold' });
});

test('move of a confirmed item: a higher price is 402 for a user, a lower one keeps the old; app and admin take the new one', async () => {
    const event = await makeEvent(hf, {
        payment: 'required',
        seats: [{ id: 'A1', price: 100 }, { id: 'A2', price: 250 }, { id: 'A3', price: 50 }]
    });
    const r = await hold(ann(), items(event, 'A1'));
    granted(await hf.app.post(path(r, '/commit'), {}), 200);
    refused(await move(ann(), r, itemOf(r, 'A1'), { seat: 'A2' }), 402, 'payment_required');
    assert.equal(await seatStatus(hf, event, 'A1'), 'sold');
    assert.equal(granted(await move(ann(), r, itemOf(r, 'A1'), { seat: 'A3' }), 200).total.amount, 100);
    const moved =
        granted(await move(hf.app, r, itemOf(r, 'A1'), { seat: 'A2' }), 200, { status: 'confirmed' });
    assert.equal(moved.total.amount, 250);
    assert.equal(granted(await move(hf.admin, r, itemOf(r, 'A1'), { seat: 'A3' }), 200).total.amount, 50);
    assert.deepEqual((await availability(hf, event)).seats, { A1: 'available', A2: 'available', A3: 'sold' });
});

test('add and drop of a confirmed one: already_confirmed', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    const r = await hold(ann(), items(event, 'A1 A2'));
    granted(await ann().post(path(r, '/commit'), {}), 200);
    refused(await add(ann(), r, { event, seat: 'A3' }), 409, 'already_confirmed');
    refused(await drop(ann(), r, itemOf(r, 'A1')), 409, 'already_confirmed');
    assert.deepEqual((await availability(hf, event)).seats, { A1: 'sold', A2: 'sold', A3: 'available' });
});

test('add, drop and move of a released one: already_released', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    const r = await hold(ann(), items(event, 'A1 A2'));
    granted(await ann().post(path(r, '/release'), {}), 200);
    refused(await add(ann(), r, { event, seat: 'A3' }), 409, 'already_released');
    refused(await drop(ann(), r, itemOf(r, 'A1')), 409, 'already_released');
    refused(await move(ann(), r, itemOf(r, 'A1'), { seat: 'A3' }), 409, 'already_released');
    assert.equal((await counts(hf, event)).available, 3);
});

test('add, drop and move of an expired one: expired', ownClock, async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3', hold_ttl_seconds: 30 });
    const r = await hold(ann(), items(event, 'A1 A2'));
    hf.clock.advance(31_000);
    refused(await add(ann(), r, { event, seat: 'A3' }), 409, 'expired');
    refused(await drop(ann(), r, itemOf(r, 'A1')), 409, 'expired');
    refused(await move(ann(), r, itemOf(r, 'A1'), { seat: 'A3' }), 409, 'expired');
    refused(await add(ann(), r, { event, seat: 'A1' }), 409, 'expired');
});

test('PATCH replaces the attributes as a whole', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const r = await hold(ann(), items(event, 'A1'), { attributes: { a: 1, b: 2 } });
    granted(await ann().patch(path(r), { attributes: { c: 3 } }), 200, {
        attributes: { c: 3 }, expires_at: r.expires_at
    });
    granted(await ann().get(path(r)), 200, { attributes: { c: 3 } });
    granted(await hf.app.patch(path(r), { attributes: {} }), 200, { attributes: {} });
    invalid(await ann().patch(path(r), {}), '/attributes');
    invalid(await ann().patch(path(r), { attributes: [] }), '/attributes');
    invalid(await ann().patch(path(r), { attributes: { a: 'x'.repeat(4100) } }), '/attributes');
    invalid(await ann().patch(path(r), { attributes: {}, status: 'confirmed' }), '/status');
    granted(await ann().post(path(r, '/commit'), {}), 200);
    granted(await ann().patch(path(r), { attributes: { late: true } }), 200, {
        status: 'confirmed', attributes: { late: true }
    });
});

test('an item has attributes of its own: up to 1 KiB, kept when it moves, replaced also once sold', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9', payment: 'none' });
    const r = await hold(ann(), [{ event, seat: 'A1', attributes: { name: 'Ann' } }, { event, seat: 'A2' }]);
    assert.deepEqual(r.items.map((it) => it.attributes), [{ name: 'Ann' }, undefined]);
    const more = granted(await add(ann(), r, { event, best: { quantity: 2 }, attributes: { row: 1 } }), 201);
    assert.deepEqual(more.items.slice(2).map((it) => it.attributes), [{ row: 1 }, { row: 1 }]);
    const moved = granted(await move(ann(), r, itemOf(r, 'A1'), { seat: 'A9' }), 200);
    assert.deepEqual(moved.items[0].attributes, { name: 'Ann' });
    const named = granted(await move(ann(), r, itemOf(r, 'A2'), { attributes: { name: 'Bo' } }), 200,
        { version: moved.version + 1, fence: moved.fence });
    assert.deepEqual(named.items[1].attributes, { name: 'Bo' });
    granted(await ann().post(path(r, '/commit'), {}), 200);
    const sold = granted(await move(hf.admin, r, itemOf(r, 'A2'), { attributes: {} }), 200);
    assert.equal(sold.items[1].attributes, undefined);
    assert.deepEqual(granted(await ann().get(path(r)), 200).items, sold.items);

    const large = { text: 'x'.repeat(1024) };
    invalid(await ann().post('/v1/reservations', { items: [{ event, seat: 'A7', attributes: large }] }),
        '/items/0/attributes');
    invalid(await move(ann(), r, '1', { attributes: large }), '/attributes');
    invalid(await move(ann(), r, '1', { attributes: {}, seat: 'A7' }), '/attributes');
    invalid(await move(ann(), r, '1', { attributes: 'Ann' }), '/attributes');
    refused(await move(ann(), r, '77', { attributes: {} }), 404, 'no_such_item');
    refused(await move(hf.user('bob'), r, '1', { attributes: {} }), 404, 'no_such_reservation');
});

test('an added item brings its own TTL and maximum; dropping it gives nothing back', ownClock, async () => {
    const long = await makeEvent(hf, { seats: 'A1-A9', hold_ttl_seconds: 1800, max_hold_seconds: 2700 });
    const short = await makeEvent(hf, { seats: 'A1-A9', hold_ttl_seconds: 60, max_hold_seconds: 90 });
    const r = await hold(ann(), items(long, 'A1'));
    hf.clock.advance(10_000);
    const more = granted(await add(ann(), r, { event: short, seat: 'A1' }), 201);
    const caps = { expires_at: more.expires_at, max_expires_at: more.max_expires_at };
    const [until, most] = [caps.expires_at, caps.max_expires_at].map((at) => Date.parse(at) - Date.parse(r.created_at));
    assert.ok(until >= 70_000 && until < 80_000, `a minute from the addition: ${until}`);
    assert.equal(most - until, 30_000);
    granted(await drop(ann(), r, more.items[1].item_id), 200, caps);
    granted(await ann().post(path(r, '/extend'), { ttl_seconds: 1800 }), 200, { expires_at: caps.max_expires_at });
});

test('payment is required as long as an item requires it', async () => {
    const paid = await makeEvent(hf, { seats: seats('A1-A9', { price: 100 }), payment: 'required' });
    const free = await makeEvent(hf, { seats: seats('A1-A9', { price: 100 }), payment: 'none' });
    const r = await hold(ann(), [{ event: free, seat: 'A1' }, { event: paid, seat: 'A1' }]);
    refused(await ann().post(path(r, '/commit'), {}), 402, 'payment_required');
    granted(await drop(ann(), r, r.items[1].item_id), 200);
    granted(await ann().post(path(r, '/commit'), {}), 200, { status: 'confirmed' });
});

test('quantity: more is a grant, judged as a claim; fewer is free at once; the price is recomputed', async () => {
    const event = await makeEvent(hf, { seats: 'A1', pools: { floor: { capacity: 5, price: 100 } }, per_user_limit: 4 });
    const me = hf.user(unique('user'));
    const r = await hold(me, [{ event, pool: 'floor', quantity: 2 }, { event, seat: 'A1' }]);
    const more = granted(await move(me, r, '1', { quantity: 3 }), 200, { version: 2, expires_at: r.expires_at });
    assert.ok(more.fence > r.fence);
    assert.deepEqual([more.items[0].quantity, more.items[0].price], [3, 300]);
    const problem = refused(await move(me, r, '1', { quantity: 4 }), 409, 'limit_exceeded');
    assert.deepEqual([problem.limit, problem.have], [4, 4]);
    const less = granted(await move(me, r, '1', { quantity: 1 }), 200, { version: 3, fence: more.fence });
    assert.equal(less.items[0].price, 100);
    assert.equal((await availability(hf, event)).pools.floor.available, 4);
    await hold(hf.user('bob'), [{ event, pool: 'floor', quantity: 3 }]);
    assert.deepEqual(refused(await move(me, r, '1', { quantity: 3 }), 409, 'sold_out').items,
        [{ item: 0, quantity: 3, available: 1 }]);
    granted(await me.get(path(r)), 200, { version: 3, items: less.items });

    invalid(await move(me, r, '2', { quantity: 2 }), '/quantity');
    for (const quantity of [0, 1001, -1, 1.5, '2', null]) {
        invalid(await move(me, r, '1', { quantity }), '/quantity');
    }
    invalid(await move(me, r, '1', { quantity: 1, seat: 'A1' }), '/quantity');
    refused(await move(me, r, '7', { quantity: 2 }), 404, 'no_such_item');
    granted(await hf.admin.post(path(r, '/commit'), {}), 200);
    refused(await move(me, r, '1', { quantity: 2 }), 409, 'already_confirmed');
});
