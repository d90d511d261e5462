/* SPDX-License-Identifier: Apache-2.0 */
/* A person can be exported and erased: the sale stays, and no byte of the data folder names the person any more. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { Server, shared, unique, ownProcess } = require('./lib/server.js');
const { makeEvent, seats, items, hold } = require('./lib/catalogue.js');
const { makeFleet, makeDriver, driverPath, ridePath, askRide, offerOf, becomes, answerOffer, assigned } = require('./lib/fleets.js');
const { refused, invalid, instant } = require('./lib/expect.js');

const hf = shared();
const PATIENCE = 30_000;
const of = (user, rest = '') => `/v1/users/${encodeURIComponent(user)}${rest}`;
function answered(answer, status) {
    assert.equal(answer.status, status, answer.text);
    return answer.json;
}
const reservation = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;

/* A server of the test's own, closed whatever happens. */
function own(name, body, options) {
    test(name, ownProcess, async () => {
        const server = await new Server(options).start();
        try {
            server.app = await server.key('app');
            await body(server);
        } finally {
            await server.close();
        }
    });
}

const done = (server, user) => server.eventually(() => server.admin.get(of(user, '/erasure')),
    (answer) => answer.json?.state === 'done', 'the erasure to be done', PATIENCE);

/* One word of the search index, with a prefix that no other has: shared prefixes are not stored. */
const fresh = (stem) => unique(stem).replace('-', '');

/* The files in the folder that contain one of these words, in lower case as in the search index. */
function having(folder, words) {
    const found = [];
    for (const entry of fs.readdirSync(folder, { withFileTypes: true, recursive: true })) {
        const file = path.join(entry.path, entry.name);
        if (!entry.isFile() || !fs.existsSync(file) || /\.tmp$/.test(file)) {
            continue; /* segments that are being created have nothing yet */
        }
        const bytes = fs.readFileSync(file);
        found.push(...words.filter((word) => bytes.includes(word)).map((word) => `${entry.name}: ${word}`));
    }
    return found;
}

/* A user who rides with another driver, declines a ride and drives one, in an existing fleet and a removed one. */
async function drive(server, user) {
    const [fleet, gone] = [await makeFleet(server), await makeFleet(server)];
    const other = await makeDriver(server, fleet, 50);
    const asked = await assigned(server, fleet, other, user);
    answered(await server.app.post(ridePath(fleet, asked, '/complete'), {}), 200);
    await makeDriver(server, fleet, 10, { types: ['van'], rating: 4.5 }, user);
    const declined = await askRide(server.user('another'), fleet);
    answered(await answerOffer(server.user(user), fleet, await offerOf(server, fleet, user), 'decline'), 200);
    answered(await server.app.post(ridePath(fleet, declined, '/cancel'), {}), 200);
    const driven = await assigned(server, fleet, user, 'another');
    answered(await server.user(user).post(ridePath(fleet, driven, '/complete'), {}), 200);
    await makeDriver(server, gone, 10, {}, user);
    assert.equal((await server.admin.delete(gone)).status, 204);
    return { fleet, other, asked, declined, driven };
}

/* A user who leaves traces everywhere: [event, sold]. */
async function live(server, user, word) {
    const event = await makeEvent(server, { seats: seats('A1-A9', { price: 250 }), waiting_list: true });
    const room = await makeEvent(server, { seats: 'A1-A3', waiting_room: { open_at: '2031-01-01T00:00:00Z' } });
    const caller = server.user(user);
    const sold = answered(await server.app.post('/v1/reservations', {
        user_id: user, commit: true, payment_ref: `pi_${unique('x')}`,
        items: items(event, 'A1 A2').map((item) => ({ ...item, attributes: { name: `${word}item` } })),
        attributes: { mail: `${word}@example.com` },
    }), 201);
    answered(await caller.patch(reservation(sold, '/items/1'), { attributes: { name: `${word}second` } }), 200);
    answered(await caller.delete(reservation(await hold(caller, items(event, 'A3'), { attributes: { k: `${word}released` } }))), 200);
    const given = answered(await server.app.post('/v1/reservations', { user_id: user, commit: true, items: items(event, 'A4') }), 201);
    assert.equal((await caller.post(reservation(given, '/transfer'), { to_user_id: 'receiver' })).status, 200);
    answered(await caller.post(`/v1/events/${room}/queue`, {}), 201);
    const rest = answered(await server.app.post('/v1/reservations', {
        user_id: 'others', commit: true, items: items(event, 'A5 A6 A7 A8 A9 A3'),
    }), 201);
    answered(await caller.post(`/v1/events/${event}/waiting-list`, { quantity: 1 }), 201);
    return { event, room, sold, given, rest };
}

test('everything known about a person is exported', async () => {
    const user = unique('zoë/√ ');
    const { event, room, sold, given } = await live(hf, user, unique('w'));
    const latest = await hf.anyone.get('/healthz');
    const person = answered(await hf.admin.get(of(user, '/export'), hf.since(latest)), 200);
    assert.equal(person.user_id, user);
    assert.equal(person.next_cursor, null);
    assert.deepEqual(person.waiting_rooms.map((entry) => [entry.event, entry.status]), [[room, 'waiting']]);
    assert.deepEqual(person.waiting_lists.map((entry) => [entry.event, entry.quantity]), [[event, 1]]);
    assert.deepEqual(person.transferred.map((gift) => gift.reservation_id), [given.reservation_id]);
    assert.equal(person.reservations.length, 2);
    const [released, bought] = person.reservations;
    assert.deepEqual([released.reservation.status, bought.reservation.status], ['released', 'confirmed']);
    assert.equal(bought.reservation.payment_ref, sold.payment_ref ?? bought.reservation.payment_ref);
    const shown = answered(await hf.app.get(reservation(sold)), 200);
    assert.deepEqual(bought.reservation, shown);
    const history = answered(await hf.app.get(reservation(sold, '/history'), hf.since(latest)), 200);
    assert.deepEqual(bought.history, history.data);
    assert.deepEqual([bought.refunds_due, bought.payments], [[], shown.payments]);
    assert.equal(bought.payments.length, 1);
    answered(await hf.app.post(reservation(sold, '/refund'), {}), 200);
    /* Freed stock was offered to them. */
    const since = hf.since(await hf.anyone.get('/healthz'));
    let page = answered(await hf.admin.get(of(user, '/export?limit=1'), since), 200);
    const told = [];
    for (; page.next_cursor; page = answered(await hf.admin.get(of(user, `/export?limit=1&cursor=${page.next_cursor}`), since), 200)) {
        assert.equal(page.waiting_rooms.length, told.length ? 0 : 1);
        told.push(...page.reservations);
    }
    told.push(...page.reservations);
    assert.deepEqual(told.map((r) => [r.reservation.status, r.refunds_due.length]), [['held', 0], ['released', 0], ['refunded', 1]]);
    assert.deepEqual(answered(await hf.admin.get(of(unique('nobody'), '/export')), 200).reservations, []);
});

test('riders and drivers: their records, the rides they requested, the offers made to them', async () => {
    const user = unique('dora');
    const { fleet, other, asked, declined, driven } = await drive(hf, user);
    const id = fleet.split('/').at(-1);
    const since = hf.since(await hf.anyone.get('/healthz'));
    const person = answered(await hf.admin.get(of(user, '/export'), since), 200);
    assert.deepEqual(person.drivers.filter((one) => one.fleet === id), [{ fleet: id, rating: 4.5, types: ['van'], surge: false }]);
    assert.equal(person.drivers.length, 2); /* including that of the removed fleet */
    assert.deepEqual(person.rides, [{ fleet: id, ride: answered(await hf.user(user).get(ridePath(fleet, asked)), 200) }]);
    assert.equal(person.rides[0].ride.driver_id, other);
    assert.deepEqual(person.offers.map((one) => [one.fleet, one.ride_id, one.end]),
        [[id, driven.ride_id, 'accepted'], [id, declined.ride_id, 'declined']]);
    assert.equal(person.offers[0].offer_id, driven.offer.offer_id);
    /* Page by page it is the same. */
    const pages = { drivers: [], reservations: [], rides: [], offers: [] };
    let cursor = null;
    do {
        const page = answered(await hf.admin.get(of(user, `/export?limit=1${cursor ? `&cursor=${cursor}` : ''}`), since), 200);
        Object.keys(pages).forEach((key) => pages[key].push(...page[key]));
        cursor = page.next_cursor;
    } while (cursor);
    for (const key of Object.keys(pages)) {
        assert.deepEqual(pages[key], person[key], key);
    }
});

test('a user with a live ride or offer is in use; afterwards the driver has left its fleets, and past rides have no name', async () => {
    const user = unique('dora');
    const { fleet, asked, declined, driven } = await drive(hf, user);
    const r = await askRide(hf.user('ann'), fleet);
    const offer = await offerOf(hf, fleet, user);
    refused(await hf.admin.delete(of(user)), 409, 'in_use');
    answered(await answerOffer(hf.user(user), fleet, offer, 'accept'), 200);
    refused(await hf.admin.delete(of(user)), 409, 'in_use');
    answered(await hf.user(user).post(ridePath(fleet, r, '/driver-cancel'), {}), 200);
    answered(await hf.app.post(ridePath(fleet, r, '/cancel'), {}), 200);
    const mine = await askRide(hf.user(user), fleet);
    refused(await hf.admin.delete(of(user)), 409, 'in_use');
    answered(await hf.user(user).post(ridePath(fleet, mine, '/cancel'), {}), 200);
    answered(await hf.admin.delete(of(user)), 202);
    const latest = hf.since(await hf.anyone.get('/healthz'));
    refused(await hf.app.get(driverPath(fleet, user)), 404, 'no_such_driver');
    const rides = [];
    for (const one of [asked, declined, driven, r, mine]) {
        rides.push(answered(await hf.app.get(ridePath(fleet, one)), 200));
    }
    const listed = answered(await hf.app.get(`${fleet}/rides`, latest), 200).data;
    const audit = answered(await hf.admin.get('/v1/audit', latest), 200);
    assert.ok(!JSON.stringify([rides, listed, audit]).includes(user));
    assert.deepEqual(listed, rides.toReversed());
    const name = rides[0].rider_id;
    assert.match(name, /^erased_[0-9A-Z]{26}$/);
    assert.deepEqual([rides[2].driver_id, rides[4].rider_id], [name, name]);
    assert.deepEqual(rides[1].offers.map((one) => [one.driver_id, one.end])[0], [name, 'declined']);
    const none = answered(await hf.admin.get(of(user, '/export'), latest), 200);
    assert.deepEqual([none.drivers, none.rides, none.offers], [[], [], []]);
    refused(await hf.user(user).get(ridePath(fleet, asked)), 404, 'no_such_ride');
    /* A new user of the name is another person: asked again for anything. */
    await makeDriver(hf, fleet, 5, {}, user);
    const again = await askRide(hf.user('ann'), fleet);
    assert.equal((await offerOf(hf, fleet, user)).ride_id, again.ride_id);
    answered(await hf.app.post(ridePath(fleet, again, '/cancel'), {}), 200);
    await becomes(hf, fleet, again, 'cancelled');
});

test('a user with a hold is in use; an invalid id is refused', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const user = unique('ann');
    const held = await hold(hf.user(user), items(event, 'A1'));
    refused(await hf.admin.delete(of(user)), 409, 'in_use');
    answered(await hf.user(user).delete(reservation(held)), 200);
    assert.equal(answered(await hf.admin.get(of(user, '/erasure')), 200).state, 'none');
    const answer = answered(await hf.admin.delete(of(user)), 202);
    assert.equal(answer.state, 'running');
    assert.ok(Math.abs(instant(answer.erased_at) - hf.now()) < 60_000);
    assert.notEqual(answered(await hf.admin.get(of(user, '/erasure')), 200).state, 'none');
    answered(await hf.admin.delete(of(unique('never seen'))), 202);
    for (const bad of ['%00', 'a%0Ab', '%ff', 'x'.repeat(129), '%zz']) {
        invalid(await hf.admin.delete(`/v1/users/${bad}`), '');
        invalid(await hf.admin.get(`/v1/users/${bad}/export`), '');
    }
    for (const who of [hf.app, hf.user(user)]) {
        refused(await who.delete(of(user)), 403, 'forbidden');
        refused(await who.get(of(user, '/export')), 403, 'forbidden');
        refused(await who.get(of(user, '/erasure')), 403, 'forbidden');
    }
});

test('the sale stays: tickets are valid, counts move along, the manage token is void, and the name is free', async () => {
    const user = unique('ann');
    const word = unique('w');
    const { event, sold, given } = await live(hf, user, word);
    const order = hf.bearer(answered(await hf.user(user).get(reservation(sold, '?manage_token=1')), 200).manage_token);
    answered(await order.get(reservation(sold)), 200);
    answered(await hf.admin.delete(of(user)), 202);
    const now = answered(await hf.app.get(reservation(sold)), 200);
    assert.match(now.user_id, /^erased_[0-9A-Z]{26}$/);
    assert.deepEqual(now.attributes, {});
    assert.deepEqual([now.tickets, now.total, now.fence, now.status], [sold.tickets, sold.total, sold.fence, 'confirmed']);
    assert.deepEqual(now.items.map(({ seat, attributes }) => [seat, attributes ?? null]), [['A1', null], ['A2', null]]);
    assert.ok((await order.get(reservation(sold))).status >= 401);
    refused(await hf.user(user).get(reservation(sold)), 404, 'no_such_reservation');
    answered(await hf.app.post('/v1/check-ins', { code: sold.tickets[0].code, gate: 'north' }), 200);
    const latest = hf.since(await hf.anyone.get('/healthz'));
    const history = answered(await hf.admin.get(reservation(sold, '/history'), latest), 200).data;
    assert.deepEqual(history.slice(-2).map(({ action }) => action), ['erased', 'checked_in']);
    assert.equal(history.at(-2).actor, 'admin');
    const gift = answered(await hf.admin.get(reservation(given, '/history'), latest), 200);
    for (const answer of [history, gift, answered(await hf.admin.get('/v1/audit', latest), 200)]) {
        assert.ok(!JSON.stringify(answer).includes(user) && !JSON.stringify(answer).includes(word), JSON.stringify(answer));
    }
    for (const q of [user, `${word}item`, `${word}second`]) {
        assert.deepEqual(answered(await hf.admin.get(`/v1/reservations?q=${q}`, latest), 200).data, []);
    }
    assert.deepEqual(answered(await hf.admin.get(`/v1/reservations?q=${now.user_id}`, latest), 200).data.map((r) => r.reservation_id).sort(),
        answered(await hf.admin.get(`/v1/reservations?user_id=${now.user_id}`, latest), 200).data.map((r) => r.reservation_id).sort());
    const audit = answered(await hf.admin.get('/v1/audit', latest), 200).data.find(({ kind }) => kind === 'user');
    assert.deepEqual([audit.action, audit.id, audit.actor], ['erased', null, 'admin']);
    /* A new user of the name is another person. */
    assert.deepEqual(answered(await hf.admin.get(of(user, '/export'), latest), 200).reservations, []);
    answered(await hf.user(user).post(`/v1/events/${event}/waiting-list`, { quantity: 1 }), 201);
});

for (const kill of [false, true]) {
    own(`no byte of the data folder names the person once it is done (${kill ? 'kill -9' : 'restart'} in between)`, async (server) => {
        const user = fresh('qqname');
        const word = fresh('zzword');
        const { sold } = await live(server, user, word);
        const { fleet, asked, driven } = await drive(server, user);
        assert.ok(having(server.data, [user, word]).length > 0, 'it can be found');
        answered(await server.admin.delete(of(user)), 202);
        await server.restart({ kill });
        const state = answered(await server.admin.get(of(user, '/erasure')), 200).state;
        assert.ok(state === 'running' || state === 'done', state);
        await done(server, user);
        assert.deepEqual(having(server.data, [user, word]), []);
        await server.restart({ kill });
        assert.equal(answered(await server.admin.get(of(user, '/erasure')), 200).state, 'done');
        assert.deepEqual(having(server.data, [user, word]), []);
        assert.equal(answered(await server.app.get(reservation(sold)), 200).status, 'confirmed');
        for (const [r, field] of [[asked, 'rider_id'], [driven, 'driver_id']]) {
            const now = answered(await server.app.get(ridePath(fleet, r)), 200);
            assert.equal(now.status, 'completed');
            assert.match(now[field], /^erased_/);
        }
        await server.stop();
        assert.deepEqual(having(server.data, [user, word]), []);
    });
}

own('a person with many reservations among those of others is gone from every page', async (server) => {
    const user = fresh('qqmany');
    const event = await makeEvent(server, { pools: { floor: { capacity: 100000, price: 5 } }, payment: 'none' });
    const all = [];
    for (let i = 0; i < 1000; i++) {
        const name = i % 3 ? `u${(i * 7919) % 1000}` : user;
        all.push(server.app.post('/v1/reservations', {
            user_id: name, commit: true, items: [{ event, pool: 'floor', quantity: 1 }], attributes: { note: `${name}note${i}` },
        }));
        if (all.length % 50 === 0) {
            await Promise.all(all);
        }
    }
    await Promise.all(all);
    answered(await server.admin.delete(of(user)), 202);
    await done(server, user);
    assert.deepEqual(having(server.data, [user]), []);
});
