/* SPDX-License-Identifier: Apache-2.0 */
/* Best seats, chosen inside the hold: together in one row, no single seat left if it can be avoided, near the middle of
 * the row and the front. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared } = require('./lib/server.js');
const { makeEvent, seats, items, hold, counts } = require('./lib/catalogue.js');
const { refused, invalid, granted, seatsOf } = require('./lib/expect.js');

const hf = shared();
const ann = () => hf.user('ann');
const ask = (event, best, caller = ann()) => caller.post('/v1/reservations', { items: [{ event, best }] });
const take = async (event, best) => seatsOf(granted(await ask(event, best), 201));
const isOneOf = (found, ...choices) =>
    assert.ok(
        choices.some((choice) => choice === found.join(' ')),
        `${found.join(' ')} is none of ${choices.join(', ')}`
    );

test('it is returned as seat items, in its place in the request', async () => {
    const event = await makeEvent(hf, { seats: seats('A1-A9', { price: 10 }), pools: { floor: 5 } });
    const wanted =
        [{ event, pool: 'floor', quantity: 1 }, { event, best: { quantity: 3 } }, { event, seat: 'A1' }];
    const r = await hold(ann(), wanted);
    assert.equal(r.items.length, 5);
    assert.equal(r.items[0].pool, 'floor');
    assert.equal(r.items[4].seat, 'A1');
    assert.equal(r.total.amount, 40);
    assert.equal(new Set(seatsOf(r)).size, 4, 'the seat asked for by name is not chosen twice');
});

test('section and tier limit the choice', async () => {
    const list = [
        ...seats('A1-A4', { section: 'S', tier: 'gold' }),
        ...seats('B1-B4', { section: 'S', tier: 'silver' }),
        ...seats('C1-C4', { section: 'T', tier: 'gold' }),
    ];
    const event = await makeEvent(hf, { seats: list });
    assert.deepEqual(await take(event, { quantity: 4, section: 'S', tier: 'silver' }), [
        'B1', 'B2', 'B3', 'B4'
    ]);
    assert.deepEqual(await take(event, { quantity: 4, section: 'T' }), ['C1', 'C2', 'C3', 'C4']);
    refused(await ask(event, { quantity: 1, section: 'T' }), 409, 'sold_out');
    refused(await ask(event, { quantity: 1, tier: 'bronze' }), 409, 'sold_out');
    assert.deepEqual(await take(event, { quantity: 4, tier: 'gold' }), ['A1', 'A2', 'A3', 'A4']);
});

test('together in one row first, even when a seat nearer the front is free', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3 B1-B4' });
    await hold(ann(), items(event, 'A2'));
    const found = await take(event, { quantity: 2 });
    assert.ok(found.every((seat) => seat.startsWith('B')), found.join(' '));
    assert.equal(Math.abs(found[0].slice(1) - found[1].slice(1)), 1);
});

test('adjacent is false by default: scattered seats do when there is nothing better', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A5' });
    await hold(ann(), items(event, 'A2 A4'));
    refused(await ask(event, { quantity: 2, adjacent: true }), 409, 'no_adjacent_seats');
    assert.deepEqual(await take(event, { quantity: 3 }), ['A1', 'A3', 'A5']);
});

test('too few free: sold_out, naming the item; enough but apart: no_adjacent_seats', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    await hold(ann(), items(event, 'A2'));
    const best = { quantity: 3, adjacent: true };
    const problem = refused(await ask(event, best), 409, 'sold_out');
    assert.equal(problem.items.length, 1);
    assert.equal(problem.items[0].item, 0);
    assert.equal(problem.items[0].event, event);
    assert.deepEqual(problem.items[0].best, best);
    refused(await ask(event, { quantity: 2, adjacent: true }), 409, 'no_adjacent_seats');
    assert.equal((await counts(hf, event)).held, 1);
    await take(event, { quantity: 2, adjacent: false });
});

test('no single seat is left alone where it can be avoided', async () => {
    const five = await makeEvent(hf, { seats: 'A1-A5' });
    isOneOf(await take(five, { quantity: 2 }), 'A1 A2', 'A4 A5');
    const three = await makeEvent(hf, { seats: 'A1-A3' });
    isOneOf(await take(three, { quantity: 1 }), 'A1', 'A3');
    const gap = await makeEvent(hf, { seats: 'A1-A9' });
    await hold(ann(), items(gap, 'A4'));
    isOneOf(await take(gap, { quantity: 3 }), 'A1 A2 A3', 'A5 A6 A7', 'A7 A8 A9');
});

test('an exact gap is better than breaking a longer run into one and the rest', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A2 A4-A6' });
    assert.deepEqual(await take(event, { quantity: 2 }), ['A1', 'A2']);
});

test('a single seat left alone is better than none at all', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    isOneOf(await take(event, { quantity: 2, adjacent: true }), 'A1 A2', 'A2 A3');
});

test('nearest to the middle of the row', async () => {
    const even = await makeEvent(hf, { seats: 'A1-A6' });
    assert.deepEqual(await take(even, { quantity: 2 }), ['A3', 'A4']);
    const long = await makeEvent(hf, { seats: 'A1-A21' });
    assert.deepEqual(await take(long, { quantity: 3 }), ['A10', 'A11', 'A12']);
});

test('the front is the smallest y, wherever it was imported', async () => {
    const list =
        [...seats('A1-A4', { y: 30 }), ...seats('B1-B4', { y: -10.5 }), ...seats('C1-C4', { y: 20 })];
    const event = await makeEvent(hf, { seats: list });
    assert.deepEqual(await take(event, { quantity: 4 }), ['B1', 'B2', 'B3', 'B4']);
    assert.deepEqual(await take(event, { quantity: 4 }), ['C1', 'C2', 'C3', 'C4']);
    assert.deepEqual(await take(event, { quantity: 4 }), ['A1', 'A2', 'A3', 'A4']);
});

test('without y the rows come in natural order', async () => {
    const row = (name, stem) => [1, 2].map((n) => ({ id: `${stem}${n}`, row: name, number: String(n) }));
    const event = await makeEvent(hf, { seats: [...row('10', 'x'), ...row('9', 'y'), ...row('2', 'z')] });
    assert.deepEqual(await take(event, { quantity: 2 }), ['z1', 'z2']);
    assert.deepEqual(await take(event, { quantity: 2 }), ['y1', 'y2']);
    assert.deepEqual(await take(event, { quantity: 2 }), ['x1', 'x2']);
});

test('neighbours have consecutive numbers, whatever the order of import', async () => {
    const event = await makeEvent(hf, { seats: 'A5 A1 A2 A7 A6' });
    refused(await ask(event, { quantity: 4, adjacent: true }), 409, 'no_adjacent_seats');
    assert.deepEqual(await take(event, { quantity: 3, adjacent: true }), ['A5', 'A6', 'A7']);
    assert.deepEqual(await take(event, { quantity: 2, adjacent: true }), ['A1', 'A2']);
});

test('without numbers neighbours are those imported one after the other', async () => {
    const list = ['p', 'q', 'r', 's'].map((id) => ({ id, row: 'A' }));
    const event = await makeEvent(hf, { seats: list });
    await hold(ann(), items(event, 'p'));
    assert.deepEqual(await take(event, { quantity: 3, adjacent: true }), ['q', 'r', 's']);
});

test('the same row of another section is another row', async () => {
    const list = [
        { id: 'S1', section: 'S', row: 'A', number: '1' }, { id: 'T2', section: 'T', row: 'A', number: '2' }
    ];
    const event = await makeEvent(hf, { seats: list });
    refused(await ask(event, { quantity: 2, adjacent: true }), 409, 'no_adjacent_seats');
});

test('blocked and claimed seats are not chosen', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A6' });
    await hf.admin.patch(`/v1/events/${event}/seats`, { ids: ['A3'], blocked: true });
    await hold(ann(), items(event, 'A4'));
    isOneOf(await take(event, { quantity: 2, adjacent: true }), 'A1 A2', 'A5 A6');
    isOneOf(await take(event, { quantity: 2, adjacent: true }), 'A1 A2', 'A5 A6');
    refused(await ask(event, { quantity: 1 }), 409, 'sold_out');
});

test('two wishes in one request do not get the same seats', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A4' });
    const best = { event, best: { quantity: 2, adjacent: true } };
    const r = await hold(ann(), [best, best]);
    assert.deepEqual(seatsOf(r), ['A1', 'A2', 'A3', 'A4']);
});

test('invalid wishes are 400, unknown events 404', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A2' });
    for (const quantity of [0, -1, 1.5, '2', 101]) {
        invalid(await ask(event, { quantity }));
    }
    invalid(await ask(event, { quantity: 1, section: 5 }), '/items/0/best/section');
    invalid(await ask(event, { quantity: 1, tier: null }), '/items/0/best/tier');
    refused(await ask('no-such-event-at-all', { quantity: 1 }), 404, 'no_such_event');
});

test('best sells out to the last seat', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A10 B1-B10' });
    for (let i = 0; i < 10; i++) {
        await take(event, { quantity: 2, adjacent: true });
    }
    assert.deepEqual(await counts(hf, event), { seats: 20, available: 0, held: 20, sold: 0, blocked: 0 });
    refused(await ask(event, { quantity: 1 }), 409, 'sold_out');
});

test('accessible seats are given exactly when requested', async () => {
    const list = [...seats('A1-A4', { row: 'A' }), ...seats('B1-B2', { row: 'B' })];
    list[1].accessible = list[2].accessible = true;
    const event = await makeEvent(hf, { seats: list });
    assert.deepEqual(await take(event, { quantity: 2, adjacent: true }), ['B1', 'B2']);
    const none = refused(await ask(event, { quantity: 3 }), 409, 'sold_out');
    assert.equal(none.items[0].available, 2);
    assert.equal(none.items[0].best.accessible, undefined);
    const apart = await ask(event, { quantity: 3, accessible: 1, adjacent: true });
    assert.equal(refused(apart, 409, 'no_adjacent_seats').items[0].best.accessible, 1);
    invalid(await ask(event, { quantity: 1, accessible: 2 }), '/items/0/best/accessible');
    invalid(await ask(event, { quantity: 1, accessible: -1 }), '/items/0/best/accessible');
    isOneOf(await take(event, { quantity: 2, accessible: 1, adjacent: true }), 'A1 A2', 'A3 A4');
});

test('a row of odd numbers has neighbours', async () => {
    const list = ['1', '3', '5', '9'].map((number) => ({ id: `A${number}`, row: 'A', number }));
    const event = await makeEvent(hf, { seats: list });
    refused(await ask(event, { quantity: 4, adjacent: true }), 409, 'no_adjacent_seats');
    assert.deepEqual(await take(event, { quantity: 3, adjacent: true }), ['A1', 'A3', 'A5']);
});
