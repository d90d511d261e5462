/* SPDX-License-Identifier: Apache-2.0 */
/* Availability: the full answer, the differences and the letter map agree. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, ownClock } = require('./lib/server.js');
const { makeEvent, addSeats, putPool, items, hold, availability, counts } = require('./lib/catalogue.js');
const { invalid, granted } = require('./lib/expect.js');

const hf = shared();
const ann = () => hf.user('ann');
const commit = async (r) => granted(await ann().post(`/v1/reservations/${r.reservation_id}/commit`, {}), 200);
const release = async (r) =>
    granted(await ann().post(`/v1/reservations/${r.reservation_id}/release`, {}), 200);
const LETTER = { available: 'a', held: 'h', sold: 's', blocked: 'b' };

test('the four statuses and the pools, in full', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A4', pools: { floor: 10, stand: 3 } });
    await hold(ann(), items(event, 'A2'));
    await commit(await hold(ann(), items(event, 'A3')));
    await hold(ann(), [{ event, pool: 'floor', quantity: 4 }]);
    await hf.admin.patch(`/v1/events/${event}/seats`, { ids: ['A4'], blocked: true });
    const all = await availability(hf, event);
    assert.equal(all.full, true);
    assert.ok(Number.isSafeInteger(all.version));
    assert.deepEqual(all.seats, { A1: 'available', A2: 'held', A3: 'sold', A4: 'blocked' });
    assert.deepEqual(all.pools, {
        floor: { capacity: 10, available: 6 }, stand: { capacity: 3, available: 3 }
    });
});

test('an event without seats and pools is empty, not missing', async () => {
    const all = await availability(hf, await makeEvent(hf));
    assert.deepEqual([all.full, all.seats, all.pools], [true, {}, {}]);
});

test('an acknowledged change is visible to the very next read', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A50' });
    for (let i = 1; i <= 50; i++) {
        const answer = await ann().post('/v1/reservations', { items: items(event, `A${i}`) });
        assert.equal(answer.status, 201);
        const read = await hf.anyone.get(`/v1/events/${event}/availability`);
        assert.equal(read.json.seats[`A${i}`], 'held');
        assert.ok(read.seq >= answer.seq, `${read.seq} after ${answer.seq}`);
    }
});

test('since: only what changed, and nothing when nothing did', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A5', pools: { floor: 5, stand: 5 } });
    const start = await availability(hf, event);
    const held = await hold(ann(), items(event, 'A1 A2'));
    const one = await availability(hf, event, `?since=${start.version}`);
    assert.equal(one.full, false);
    assert.deepEqual(one.seats, { A1: 'held', A2: 'held' });
    assert.deepEqual(one.pools, {});
    assert.ok(one.version > start.version);
    await hold(ann(), [{ event, pool: 'floor', quantity: 2 }]);
    await release(held);
    const two = await availability(hf, event, `?since=${one.version}`);
    assert.deepEqual(two.seats, { A1: 'available', A2: 'available' });
    assert.deepEqual(two.pools, { floor: { capacity: 5, available: 3 } });
    const none = await availability(hf, event, `?since=${two.version}`);
    assert.deepEqual([none.full, none.seats, none.pools], [false, {}, {}]);
    assert.ok(none.version >= two.version);
});

test('since: changes of other events are not in it', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const other = await makeEvent(hf, { seats: 'A1-A3' });
    const start = await availability(hf, event);
    await hold(ann(), items(other, 'A1 A2'));
    const now = await availability(hf, event, `?since=${start.version}`);
    assert.deepEqual(now.seats, {});
});

test('since: the differences add up to the whole', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A20', pools: { floor: 30 } });
    let { version, seats, pools } = await availability(hf, event);
    const live = [];
    for (let round = 0; round < 40; round++) {
        if (round % 3 === 2) {
            const r = live.splice((round * 7) % live.length, 1)[0];
            await (round % 2 ? commit(r) : release(r));
        } else {
            const seat = Object.entries(seats).find(([, status]) => status === 'available')[0];
            live.push(await hold(ann(), [...items(event, seat), { event, pool: 'floor', quantity: 1 }]));
        }
        const change = await availability(hf, event, `?since=${version}`);
        assert.equal(change.full, false);
        version = change.version;
        seats = { ...seats, ...change.seats };
        pools = { ...pools, ...change.pools };
        const all = await availability(hf, event);
        assert.deepEqual(all.seats, seats);
        assert.deepEqual(all.pools, pools);
    }
    const counted = { seats: 20, available: 0, held: 0, sold: 0, blocked: 0 };
    Object.values(seats).forEach((status) => counted[status]++);
    assert.deepEqual(await counts(hf, event), counted);
});

test('since: an unknown number returns everything', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A2' });
    const { version } = await availability(hf, event);
    const future = await availability(hf, event, `?since=${version + 1_000_000_000}`);
    assert.equal(future.full, true);
    assert.equal(Object.keys(future.seats).length, 2);
    for (const since of ['18446744073709551615', '10000000000000000000', '00000000000000000007']) {
        assert.equal((await availability(hf, event, `?since=${since}`)).full, true, since);
    }
    for (const since of ['18446744073709551616', '99999999999999999999', '-1', '1e3', '']) {
        assert.equal((await hf.anyone.get(`/v1/events/${event}/availability?since=${since}`)).status, 400, since);
    }
});

test('since: imports and changed pools are changes', async () => {
    const event = await makeEvent(hf, { seats: 'A1', pools: { floor: 1 } });
    const start = await availability(hf, event);
    await addSeats(hf, event, [{ id: 'A2' }]);
    await putPool(hf, event, 'floor', { capacity: 4 });
    const now = await availability(hf, event, `?since=${start.version}`);
    assert.equal(now.seats.A2, 'available');
    assert.deepEqual(now.pools.floor, { capacity: 4, available: 4 });
});

test('format=map: one letter per seat in layout order, and its layout', async () => {
    const event = await makeEvent(hf, { seats: 'C1 A1 B1 A2 B2' });
    await hold(ann(), items(event, 'A1'));
    await commit(await hold(ann(), items(event, 'B2')));
    await hf.admin.patch(`/v1/events/${event}/seats`, { ids: ['C1'], blocked: true });
    const map = await availability(hf, event, '?format=map');
    const layout = await hf.anyone.get(`/v1/events/${event}/seats`);
    assert.equal(map.map, 'bhaas');
    assert.equal(map.layout.replaceAll('"', ''), layout.headers.etag.replaceAll('"', ''));
    const all = await availability(hf, event);
    assert.equal(map.map, layout.json.seats.map((seat) => LETTER[all.seats[seat.id]]).join(''));
    assert.ok(all.version >= map.version);
    await addSeats(hf, event, [{ id: 'D1' }]);
    const after = await availability(hf, event, '?format=map');
    assert.equal(after.map, 'bhaasa');
    assert.notEqual(after.layout, map.layout);
});

test('an unknown format is 400', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    invalid(await hf.anyone.get(`/v1/events/${event}/availability?format=xml`));
});

test('a lapsed hold becomes available within a second, without any request', ownClock, async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3', pools: { floor: 5 }, hold_ttl_seconds: 60 });
    await hold(ann(), [...items(event, 'A1'), { event, pool: 'floor', quantity: 5 }]);
    const start = await availability(hf, event);
    hf.clock.advance(61_000);
    const ask = () => availability(hf, event, `?since=${start.version}`);
    const now = await hf.eventually(ask, (a) => a.seats.A1 === 'available', 'A1 available');
    assert.deepEqual(now.pools, { floor: { capacity: 5, available: 5 } });
    assert.deepEqual(await counts(hf, event), { seats: 3, available: 3, held: 0, sold: 0, blocked: 0 });
});
