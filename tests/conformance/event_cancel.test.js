/* SPDX-License-Identifier: Apache-2.0 */
/* A cancelled event: nothing of it can be claimed from then on, and claims are taken back, each sale once. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { Server, shared, unique, ownProcess } = require('./lib/server.js');
const { makeEvent, items, hold, seats, counts, whole } = require('./lib/catalogue.js');
const { makeCalendar, midnight, slot, DAY } = require('./lib/calendars.js');
const { refused, invalid, granted, instant } = require('./lib/expect.js');
const { Receiver, SECRET } = require('./lib/receiver.js');

const hf = shared();
const place = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const at = (event) => `/v1/events/${event}/cancel`;
const since = async (server) => server.since(await server.admin.get('/v1/keys'));
const status = async (server, r) => (await server.app.get(place(r))).json.status;
const floor = (event, quantity = 1) => [{ event, pool: 'floor', quantity }];

async function dues(server, r) {
    const list = await whole(server.app, '/v1/refunds-due?status=all&limit=1000', await since(server));
    return list.filter((due) => due.reservation_id === r.reservation_id).map((due) => [due.payment_ref, due.amount.amount, due.reason]);
}

async function bought(server, wanted, body = { payment_ref: 'pi_1' }, user = 'ann') {
    const r = await hold(server.user(user), wanted);
    return granted(await server.app.post(place(r, '/commit'), body), 200);
}

function ok(answer, wanted = 200) {
    assert.equal(answer.status, wanted, answer.text);
    return answer.json;
}

async function cancel(server, event, body = {}) {
    const answer = await server.admin.post(at(event), body);
    assert.equal(answer.status, 202, answer.text);
    return answer.json;
}

const done = (server, event, patience) => server.eventually(async () => (await server.admin.get(at(event))).json,
    ({ state }) => state === 'done', 'the event is done with', patience);

test('one call: holds end, sales are refunded, mixed reservations lose only its items; a repeat shows the progress', async () => {
    const event = await makeEvent(hf, { seats: seats('A1-A6', { price: 500 }), pools: { floor: { capacity: 9, price: 300 } }, per_user_limit: 4 });
    const other = await makeEvent(hf, { pools: { floor: { capacity: 9, price: 200 } } });
    const calendar = await makeCalendar(hf, { price: 700 });
    assert.deepEqual((await hf.admin.get(at(event))).json, { state: 'none', refunded: 0, left: 0 });
    assert.equal((await hf.anyone.get(`/v1/events/${event}`)).json.cancelled_at, null);
    const sold = await bought(hf, items(event, 'A1 A2'));
    const mixed = await bought(hf, [...items(event, 'A3'), ...floor(event, 2), ...floor(other), slot(calendar, midnight(hf, 5))], { payment_ref: 'pi_2' }, 'bob');
    const unpaid = await bought(hf, floor(event), {}, 'eve');
    const held = await hold(hf.user('dan'), items(event, 'A4'));
    const cart = await hold(hf.user('dan'), [...items(event, 'A5'), ...floor(other)]);
    const elsewhere = await bought(hf, floor(other), { payment_ref: 'pi_3' }, 'kim');

    const first = await cancel(hf, event, { reason: 'The hall is flooded.' });
    assert.equal(first.state, 'running');
    assert.ok(first.refunded + first.left === 3, JSON.stringify(first));
    assert.deepEqual(await done(hf, event), { state: 'done', refunded: 3, left: 0 });
    assert.deepEqual(await cancel(hf, event, { reason: 'Another one.' }), { state: 'done', refunded: 3, left: 0 });

    assert.equal(await status(hf, sold), 'refunded');
    assert.equal(await status(hf, unpaid), 'refunded');
    assert.equal(await status(hf, held), 'released');
    assert.equal(await status(hf, elsewhere), 'confirmed');
    const kept = granted(await hf.app.get(place(mixed)), 200, { status: 'confirmed' });
    assert.deepEqual(kept.items.map(({ event: of, calendar: on }) => of ?? on), [other, calendar]);
    assert.equal(kept.total.amount, 900);
    assert.equal(kept.tickets.length, 2);
    const lighter = granted(await hf.app.get(place(cart)), 200, { status: 'held' });
    assert.deepEqual(lighter.items.map(({ event: of }) => of), [other]);
    assert.deepEqual(await dues(hf, sold), [['pi_1', 1000, 'The hall is flooded.']]);
    assert.deepEqual(await dues(hf, mixed), [['pi_2', 1100, 'The hall is flooded.']]);
    assert.deepEqual(await dues(hf, unpaid), []);
    assert.deepEqual(await dues(hf, held), []);
    const { seats: all, available } = await counts(hf, event);
    assert.equal(available, all);
    const history = await whole(hf.app, place(sold, '/history'), await since(hf));
    assert.deepEqual(history.slice(-2).map((one) => [one.action, one.status, one.actor, one.reason]), [
        ['refunded', 'refunded', 'server', 'The hall is flooded.'], ['refund_due', 'refunded', 'server', 'The hall is flooded.']]);
    refused(await hf.admin.post('/v1/check-ins', { code: sold.tickets[0].code }), 409, 'void');
    const audit = await whole(hf.admin, '/v1/audit?limit=1000', await since(hf));
    assert.deepEqual(audit.filter(({ id }) => id === event).map(({ action }) => action), ['cancelled', 'put']);
});

test('from that step on nobody claims, joins or moves; no setting reverts it; nothing else is refused', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A4', waiting_list: true, waiting_room: { rate_per_second: 100 } });
    const open = await makeEvent(hf, { seats: 'A1-A4', waiting_list: true });
    const sold = granted(await hf.admin.post('/v1/reservations', { items: items(event, 'A1'), user_id: 'ann', commit: true }), 201);
    await cancel(hf, event, { reason: 'flooded' });
    await cancel(hf, open);
    for (const who of [hf.app, hf.admin]) {
        refused(await who.post('/v1/reservations', { items: items(open, 'A2'), user_id: 'ann' }), 409, 'not_on_sale');
    }
    for (const [target, body] of [['/v1/reservations', { items: items(open, 'A2') }], [`/v1/events/${event}/queue`, {}],
        [`/v1/events/${open}/waiting-list`, { quantity: 1 }]]) {
        const { detail } = refused(await hf.user('ann').post(target, body), 409, 'not_on_sale');
        assert.equal(detail, 'This event was cancelled.');
    }
    const moved = await hf.app.patch(place(sold, '/items/1'), { seat: 'A2' });
    assert.ok(['not_on_sale', 'already_refunded'].includes(moved.json.code), moved.text);
    const shown = (await hf.anyone.get(`/v1/events/${event}`)).json;
    assert.ok(instant(shown.cancelled_at) >= instant(shown.created_at));
    assert.equal(shown.cancel_reason, 'flooded');
    assert.equal((await hf.anyone.get(`/v1/events/${open}`)).json.cancel_reason, null);
    const { status: put } = await hf.admin.put(`/v1/events/${event}`, shown);
    assert.equal(put, 200);
    ok(await hf.admin.put(`/v1/events/${event}`, { name: 'Again' }), 200);
    ok(await hf.admin.patch(`/v1/events/${event}`, { on_sale_at: null, off_sale_at: null }), 200);
    assert.equal((await hf.anyone.get(`/v1/events/${event}`)).json.cancelled_at, shown.cancelled_at);
    await done(hf, event);
    refused(await hf.admin.post('/v1/reservations', { items: items(event, 'A2'), user_id: 'ann' }), 409, 'not_on_sale');
    assert.equal((await hf.admin.delete(`/v1/events/${event}`)).status, 204);
    refused(await hf.admin.get(at(event)), 404, 'no_such_event');
    await makeEvent(hf, { id: event, seats: 'A1' });
    assert.deepEqual((await hf.admin.get(at(event))).json, { state: 'none', refunded: 0, left: 0 });
});

test('only admins; 404 for a missing event; 400 for unknown fields', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    for (const who of [hf.app, hf.user('ann')]) {
        refused(await who.post(at(event), {}), 403, 'forbidden');
        refused(await who.get(at(event)), 403, 'forbidden');
    }
    refused(await hf.anyone.post(at(event), {}), 401, 'unauthenticated');
    refused(await hf.admin.post(at('nowhere'), {}), 404, 'no_such_event');
    refused(await hf.admin.get(at('nowhere')), 404, 'no_such_event');
    invalid(await hf.admin.post(at(event), { why: 'rain' }), '/why');
    invalid(await hf.admin.post(at(event), { reason: 'x'.repeat(257) }), '/reason');
    invalid(await hf.admin.post(at(event), { reason: 7 }), '/reason');
    assert.equal((await hf.admin.get(at(event))).json.state, 'none');
    assert.equal((await hf.admin.post(at(event))).status, 202); /* a body is not needed */
});

test('queue and list end: waiting and admitted entries have left, and offers are taken back', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A2', waiting_list: true });
    const room = await makeEvent(hf, { seats: 'A1-A2', waiting_room: { rate_per_second: 1, max_active: 1 } });
    const first = ok(await hf.user('ann').post(`/v1/events/${room}/queue`, {}), 201);
    const second = ok(await hf.user('bob').post(`/v1/events/${room}/queue`, {}), 201);
    const all = await hold(hf.user('ann'), items(event, 'A1 A2'));
    const eve = ok(await hf.user('eve').post(`/v1/events/${event}/waiting-list`, { quantity: 1 }), 201);
    const dan = ok(await hf.user('dan').post(`/v1/events/${event}/waiting-list`, { quantity: 2 }), 201);
    granted(await hf.user('ann').delete(place(all)), 200);
    const entry = async (who, of, kind, { entry_id: id }) => (await hf.user(who).get(`/v1/events/${of}/${kind}/${id}`)).json;
    const offered = await hf.eventually(() => entry('eve', event, 'waiting-list', eve), (e) => e.status === 'offered', 'an offer');
    await cancel(hf, event);
    await cancel(hf, room);
    await done(hf, event);
    await done(hf, room);
    assert.equal((await entry('eve', event, 'waiting-list', eve)).status, 'left');
    assert.equal((await entry('dan', event, 'waiting-list', dan)).status, 'left');
    assert.equal((await entry('ann', room, 'queue', first)).status, 'left');
    assert.equal((await entry('bob', room, 'queue', second)).status, 'left');
    assert.equal((await hf.user('eve').get(`/v1/reservations/${offered.reservation_id}`)).json.status, 'released');
});

test('a hold whose payment has begun owes nothing, one that was paid too late does; paid together with other items it ends as a whole', async () => {
    const event = await makeEvent(hf, { seats: seats('A1-A4', { price: 500 }), payment_ttl_seconds: 60 });
    const other = await makeEvent(hf, { pools: { floor: { capacity: 9, price: 200 } }, payment_ttl_seconds: 60 });
    const alone = await hold(hf.user('ann'), items(event, 'A1'));
    const both = await hold(hf.user('bob'), [...items(event, 'A2'), ...floor(other)]);
    granted(await hf.app.post(place(alone, '/payment'), { payment_ref: 'pi_a' }), 200);
    granted(await hf.app.post(place(both, '/payment'), { payment_ref: 'pi_b' }), 200);
    await cancel(hf, event);
    await hf.eventually(() => status(hf, alone), (now) => now === 'released', 'the hold ends');
    assert.deepEqual(await dues(hf, alone), []);
    assert.match(refused(await hf.app.post(place(alone, '/commit'), { payment_ref: 'pi_a' }), 409, 'already_released').refund_due, /^rfd_/);
    assert.deepEqual(await dues(hf, alone), [['pi_a', 500, 'released']]);
    assert.equal((await hf.admin.get(at(event))).json.state, 'running');
    granted(await hf.app.post(place(both, '/commit'), { payment_ref: 'pi_b' }), 200, { status: 'confirmed' });
    assert.equal((await done(hf, event)).refunded, 1);
    assert.deepEqual(granted(await hf.app.get(place(both)), 200, { status: 'confirmed' }).items.map(({ event: of }) => of), [other]);
    assert.deepEqual(await dues(hf, both), [['pi_b', 500, 'event_cancelled']]);
    assert.equal((await dues(hf, alone)).length, 1);
});

test('raced by holds, commits, refunds and transfers every sale is taken back once, and every payment is accounted for once', async () => {
    const event = await makeEvent(hf, { seats: seats('A1-A60', { price: 500 }), pools: { floor: { capacity: 100, price: 300 } } });
    const users = Array.from({ length: 40 }, (_, i) => `u${i}`);
    const refs = new Map();
    const holds = await Promise.all(users.map((user, i) => hold(hf.user(user), i % 2 ? items(event, `A${i + 1}`) : floor(event, 2))));
    const commit = (r) => {
        refs.set(r.reservation_id, unique('pi'));
        return hf.app.post(place(r, '/commit'), { payment_ref: refs.get(r.reservation_id) });
    };
    await Promise.all(holds.slice(0, 20).map(commit));
    const late = [];
    await Promise.all([
        hf.admin.post(at(event), {}), hf.admin.post(at(event), {}),
        ...holds.slice(20, 35).map(commit),
        ...holds.slice(0, 4).map((r) => hf.app.post(place(r, '/refund'), {})),
        ...holds.slice(4, 8).map((r, i) => hf.user(`u${i + 4}`).post(place(r, '/transfer'), { to_user_id: `heir${i}` })),
        ...users.map(async (user) => late.push(await hf.user(user).post('/v1/reservations', { items: floor(event) }))),
    ]);
    const { refunded, left } = await done(hf, event);
    assert.equal(left, 0);
    const list = await whole(hf.app, '/v1/refunds-due?status=all&limit=1000', await since(hf));
    let byCancel = 0;
    for (const r of holds) {
        const now = granted(await hf.app.get(place(r)), 200);
        assert.ok(['refunded', 'released'].includes(now.status), now.status);
        const owed = list.filter(({ reservation_id: of }) => of === r.reservation_id);
        const ref = refs.get(r.reservation_id);
        assert.deepEqual(owed.map((due) => [due.payment_ref, due.amount.amount]), ref ? [[ref, r.total.amount]] : []);
        byCancel += now.status === 'refunded' && owed[0].reason === 'event_cancelled';
    }
    assert.equal(byCancel, refunded);
    for (const answer of late) { /* before or after, and nothing else */
        assert.ok(answer.status === 201 || answer.json.code === 'not_on_sale', answer.text);
    }
    const now = (await hf.anyone.get(`/v1/events/${event}/availability`)).json;
    assert.deepEqual(now.pools.floor, { capacity: 100, available: 100 });
    assert.ok(Object.values(now.seats).every((one) => one === 'available'));
});

test('hooks get each refund and each refund due, once each', ownProcess, async () => {
    const server = await new Server({ args: ['--hooks-private'] }).start();
    const receiver = await new Receiver().start();
    try {
        server.app = await server.key('app');
        ok(await server.admin.put('/v1/hooks/shop', { url: receiver.url, events: ['reservation.refunded', 'refund.due', 'reservation.released'], secret: SECRET }), 201);
        const event = await makeEvent(server, { seats: seats('A1-A9', { price: 500 }) });
        const sold = await Promise.all([1, 2, 3].map((i) => bought(server, items(event, `A${i}`), { payment_ref: `pi_${i}` }, `u${i}`)));
        const held = await hold(server.user('dan'), items(event, 'A7'));
        await cancel(server, event);
        await done(server, event);
        const got = (await receiver.count(7)).map(({ type, data }) => `${type} ${data.reservation_id}`);
        const wanted = [`reservation.released ${held.reservation_id}`];
        for (const r of sold) {
            wanted.push(`reservation.refunded ${r.reservation_id}`, `refund.due ${r.reservation_id}`);
        }
        assert.deepEqual(got.sort(), wanted.sort());
        assert.equal(receiver.got.length, 7);
    } finally {
        await receiver.close();
        await server.close();
    }
});

test('killed in the middle it continues automatically: every sale is refunded once, including those that only the book has', ownProcess, async () => {
    const server = await new Server().start();
    try {
        server.app = await server.key('app');
        const COUNT = 1500;
        const event = await makeEvent(server, { seats: seats(`A1-A${COUNT}`, { price: 500 }) });
        const sold = [];
        for (let i = 0; i < COUNT; i += 50) {
            sold.push(...await Promise.all(Array.from({ length: 50 }, async (_, k) => granted(await server.app.post('/v1/reservations',
                { items: items(event, `A${i + k + 1}`), user_id: `u${i + k}`, commit: true, payment_ref: `pi_${i + k}` }), 201))));
        }
        await server.restart({ kill: true }); /* the sales are in the book, and not in memory */
        server.app = await server.key('app');
        const first = await cancel(server, event);
        assert.equal(first.refunded + first.left, COUNT);
        let kills = 0, before = 0;
        for (let now = first; now.state !== 'done' && kills < 6; kills++) {
            await server.restart({ kill: true });
            now = await server.eventually(async () => (await server.admin.get(at(event))).json,
                ({ state, refunded }) => state === 'done' || refunded > before, 'it goes on');
            assert.ok(now.refunded >= before && now.refunded + now.left <= COUNT, JSON.stringify(now));
            before = now.refunded;
        }
        assert.ok(kills >= 1);
        assert.deepEqual(await done(server, event, 60_000), { state: 'done', refunded: COUNT, left: 0 });
        await server.restart({ kill: true });
        server.app = await server.key('app');
        assert.deepEqual((await server.admin.get(at(event))).json, { state: 'done', refunded: COUNT, left: 0 });
        const list = await whole(server.app, '/v1/refunds-due?status=all&limit=1000', await since(server));
        assert.equal(list.length, COUNT);
        assert.deepEqual(new Set(list.map((due) => `${due.reservation_id} ${due.payment_ref}`)),
            new Set(sold.map((r, i) => `${r.reservation_id} pi_${i}`)));
        const { available } = await counts(server, event);
        assert.equal(available, COUNT);
        refused(await server.admin.post('/v1/reservations', { items: items(event, 'A1'), user_id: 'ann' }), 409, 'not_on_sale');
        assert.equal((await server.admin.delete(`/v1/events/${event}`)).status, 204);
    } finally {
        await server.close();
    }
});
