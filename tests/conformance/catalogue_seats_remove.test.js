/* SPDX-License-Identifier: Apache-2.0 */
/* DELETE …/seats: all or nothing, never a claimed seat; layout, map, counts and a restart follow. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared } = require('./lib/server.js');
const { makeEvent, addSeats, items, hold, availability, counts } = require('./lib/catalogue.js');
const { refused, invalid } = require('./lib/expect.js');

const hf = shared();
const ann = () => hf.user('ann');
const remove = (event, ids, caller = hf.admin) => caller.call('DELETE', `/v1/events/${event}/seats`, { body: { ids } });
const layout = async (event) => {
    const answer = await hf.anyone.get(`/v1/events/${event}/seats`);
    return { etag: answer.headers.etag, ids: answer.json.seats.map((seat) => seat.id).join(' ') };
};
const map = async (event) => (await hf.anyone.get(`/v1/events/${event}/availability?format=map`)).json;

test('removed seats are gone from layout, map, availability, counts and best', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A6' });
    await hf.admin.patch(`/v1/events/${event}/seats`, { ids: ['A3'], blocked: true });
    const sold = await hold(ann(), items(event, 'A5'));
    const before = await layout(event);
    assert.equal((await map(event)).map, 'aabaha');
    const answer = await remove(event, ['A3', 'A2', 'A2']);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.json, { removed: 2 });
    const after = await layout(event);
    assert.equal(after.ids, 'A1 A4 A5 A6');
    assert.notEqual(after.etag, before.etag);
    const now = await map(event);
    assert.equal(now.map, 'aaha');
    assert.equal(now.layout, after.etag);
    assert.deepEqual((await availability(hf, event)).seats, { A1: 'available', A4: 'available', A5: 'held', A6: 'available' });
    assert.deepEqual(await counts(hf, event), { seats: 4, available: 3, held: 1, sold: 0, blocked: 0 });
    refused(await hf.anyone.get(`/v1/events/${event}/seats/A2`), 404, 'no_such_seat');
    refused(await ann().post('/v1/reservations', { items: items(event, 'A2') }), 404, 'no_such_seat');
    /* The map follows the remaining seats. */
    await ann().delete(`/v1/reservations/${sold.reservation_id}`);
    await hold(ann(), items(event, 'A6'));
    assert.equal((await map(event)).map, 'aaah');
});

test('all or nothing: one claimed or missing seat', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    await hold(ann(), items(event, 'A2'));
    const taken = refused(await remove(event, ['A1', 'A2']), 409, 'taken');
    assert.deepEqual(taken.items, [{ item: 1, event, seat: 'A2', status: 'held' }]);
    await hold(ann(), items(event, 'A3'));
    const both = refused(await remove(event, ['A3', 'A1', 'A2', 'A2', 'A3']), 409, 'taken');
    assert.deepEqual(both.items.map(({ item, seat }) => [item, seat]), [[0, 'A3'], [2, 'A2']]);
    for (const none of [
        await remove(event, ['A1', 'A9']), await hf.admin.patch(`/v1/events/${event}/seats`, { ids: ['A1', 'A9'], blocked: true }),
    ]) {
        const { detail, pointer } = refused(none, 404, 'no_such_seat');
        assert.deepEqual([detail, pointer], [`No seat "A9" in event "${event}".`, '/ids/1']);
    }
    refused(await remove('none', ['A1']), 404, 'no_such_event');
    refused(await remove(await makeEvent(hf), ['A1']), 404, 'no_such_seat');
    refused(await remove(event, ['A1'], ann()), 403, 'forbidden');
    invalid(await remove(event, []), '/ids');
    invalid(await remove(event, ['a b']), '/ids/0');
    assert.equal((await layout(event)).ids, 'A1 A2 A3');
});

test('an id that was removed can be imported again, as a new seat at the end', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    assert.equal((await remove(event, ['A1'])).status, 200);
    refused(await remove(event, ['A1']), 404, 'no_such_seat');
    assert.deepEqual((await addSeats(hf, event, [{ id: 'A1', price: 7 }])).json, { created: 1, updated: 0 });
    assert.equal((await layout(event)).ids, 'A2 A3 A1');
    assert.equal((await hold(ann(), items(event, 'A1'))).total.amount, 7);
    assert.equal((await map(event)).map, 'aah');
    for (const ids of [['A2'], ['A3']]) {
        assert.equal((await remove(event, ids)).status, 200);
    }
    assert.equal((await map(event)).map, 'h');
});

test('an event without any seat left', async () => {
    const event = await makeEvent(hf, { seats: 'A1', pools: { floor: 1 } });
    assert.equal((await remove(event, ['A1'])).status, 200);
    assert.deepEqual((await availability(hf, event)).seats, {});
    assert.equal((await map(event)).map, '');
    assert.equal((await layout(event)).ids, '');
});
