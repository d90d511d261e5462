/* SPDX-License-Identifier: Apache-2.0 */
/* No rider starves a fleet, no driver a ride; and a driver of several fleets is one driver. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, Server, ownProcess, ownClock, unique } = require('./lib/server.js');
const { HERE, north, makeFleet, makeDriver, driverPath, shown, ridePath, askRide, offerOf, becomes, answerOffer } =
    require('./lib/fleets.js');
const { refused } = require('./lib/expect.js');

const hf = shared();
const ask = (caller, fleet, more, options) => caller.post(`${fleet}/rides`, { ...HERE, ...more }, options);
const ends = (r) => r.offers.map((offer) => offer.end);
const statusIn = async (on, fleet, driver) => (await on.app.get(driverPath(fleet, driver))).json.status;

test('a user token can have rides_per_rider live rides in a fleet, one by default; app and admin are not limited', async () => {
    const [ann, bob] = [hf.user(unique('ann')), hf.user(unique('bob'))];
    const [one, three, any] = [await makeFleet(hf), await makeFleet(hf, { rides_per_rider: 3 }), await makeFleet(hf, { rides_per_rider: 0 })];
    const key = { headers: { 'Idempotency-Key': unique('key') } };
    const first = shown(await ask(ann, one, {}, key), 201);
    const problem = refused(await ask(ann, one), 409, 'limit_exceeded');
    assert.deepEqual([problem.limit, problem.have], [1, 1]);
    assert.equal(shown(await ask(ann, one, {}, key), 201).ride_id, first.ride_id);
    shown(await ask(bob, one), 201);
    const some = [];
    for (let i = 0; i < 3; i++) {
        some.push(shown(await ask(ann, three), 201));
        shown(await ask(ann, any), 201);
    }
    refused(await ask(ann, three), 409, 'limit_exceeded');
    shown(await ask(ann, any), 201);
    /* It counts for the rider, no matter who requested it. */
    shown(await ask(hf.app, one, { rider_id: ann.name }), 201);
    shown(await ask(hf.admin, one, { rider_id: ann.name }), 201);
    shown(await hf.app.post(ridePath(one, first, '/cancel'), {}), 200, { status: 'cancelled' });
    refused(await ask(ann, one), 409, 'limit_exceeded');
    shown(await ann.post(ridePath(three, some[1], '/cancel'), {}), 200, { status: 'cancelled' });
    shown(await ask(ann, three), 201);
});

test('four hundred requests at once are one ride, and a guest is limited too', async () => {
    const fleet = await makeFleet(hf, { guests: true });
    const guest = hf.bearer((await hf.anyone.post('/v1/sessions', {})).json.token);
    const answers = await Promise.all(Array.from({ length: 400 }, () => ask(guest, fleet)));
    assert.deepEqual([201, 409].map((status) => answers.filter((answer) => answer.status === status).length), [1, 399]);
});

test('a driver alone in reach who switches available is offered a ride three times', ownClock, async () => {
    const fleet = await makeFleet(hf, { offer_seconds: 60 });
    const driver = await makeDriver(hf, fleet);
    const r = await askRide(hf.user(unique('rider')), fleet);
    const positions = (available) => hf.app.post(`${fleet}/positions`, [{ driver, ...north(100), available }]);
    for (let i = 1; i <= 3; i++) {
        await offerOf(hf, fleet, driver);
        assert.equal((await positions(false)).status, 200);
        assert.deepEqual(ends(shown(await hf.app.get(ridePath(fleet, r)), 200, { status: 'searching' })), Array(i).fill('withdrawn'));
        hf.clock.advance(100); /* between two rounds */
        await positions(true);
    }
    /* Another driver is asked, and this driver for other rides. */
    const other = await makeDriver(hf, fleet, 800);
    assert.equal((await offerOf(hf, fleet, other)).ride_id, r.ride_id);
    const second = await askRide(hf.user(unique('rider')), fleet);
    hf.clock.advance(100);
    assert.equal((await offerOf(hf, fleet, driver)).ride_id, second.ride_id);
    assert.equal(shown(await hf.app.get(ridePath(fleet, r)), 200).offers.length, 4);
});

test('a driver of two fleets has one status, one offer and one ride; when one ends the other fleet searches again', async () => {
    const fleets = [await makeFleet(hf), await makeFleet(hf, { resolution: 7 })];
    const driver = await makeDriver(hf, fleets[0]);
    await makeDriver(hf, fleets[1], 100, {}, driver);
    const both = async (status) => assert.deepEqual(await Promise.all(fleets.map((fleet) => statusIn(hf, fleet, driver))), [status, status]);
    await both('free');
    const first = await askRide(hf.user(unique('rider')), fleets[0]);
    const offer = await offerOf(hf, fleets[0], driver);
    const second = await askRide(hf.user(unique('rider')), fleets[1]);
    await both('offered');
    assert.equal((await hf.user(driver).get(driverPath(fleets[1], driver, '/offer'))).status, 204);
    shown(await answerOffer(hf.user(driver), fleets[0], offer, 'accept'), 200, { ride_id: first.ride_id });
    await both('busy');
    shown(await hf.app.get(ridePath(fleets[1], second)), 200, { status: 'searching', offers: [] });
    shown(await hf.user(driver).post(ridePath(fleets[0], first, '/complete'), {}), 200, { status: 'completed' });
    const next = await offerOf(hf, fleets[1], driver);
    assert.equal(next.ride_id, second.ride_id);
    await both('offered');
    /* Declined there, offered here; and a report in one fleet counts in both. */
    const third = await askRide(hf.user(unique('rider')), fleets[0]);
    await answerOffer(hf.user(driver), fleets[1], next, 'decline');
    assert.equal((await offerOf(hf, fleets[0], driver)).ride_id, third.ride_id);
    const away = await hf.user(driver).put(driverPath(fleets[1], driver), { ...north(200), available: false });
    assert.equal(away.json.status, 'away');
    await both('away');
    assert.deepEqual(ends(await becomes(hf, fleets[0], third, 'searching')), ['withdrawn']);
    const seen = (await hf.app.get(driverPath(fleets[0], driver))).json;
    assert.deepEqual([seen.available, seen.lat], [false, away.json.lat]);
    assert.notEqual(seen.cell, away.json.cell);
});

test('two fleets ask for one driver at once, again and again: never two offers, never two rides', async () => {
    const fleets = [await makeFleet(hf), await makeFleet(hf)];
    const driver = await makeDriver(hf, fleets[0]);
    await makeDriver(hf, fleets[1], 100, {}, driver);
    for (let round = 0; round < 20; round++) {
        const rides = await Promise.all(fleets.map((fleet) => askRide(hf.user(unique('rider')), fleet)));
        for (let i = 0; i < 2; i++) {
            const offers = await hf.eventually(
                async () => Promise.all(fleets.map((fleet) => hf.user(driver).get(driverPath(fleet, driver, '/offer')))),
                (answers) => answers.some((answer) => answer.status === 200), 'an offer');
            const at = offers.findIndex((answer) => answer.status === 200);
            shown(await answerOffer(hf.user(driver), fleets[at], offers[at].json, 'accept'), 200);
            const now = await Promise.all(fleets.map(async (fleet, k) => shown(await hf.app.get(ridePath(fleet, rides[k])), 200)));
            assert.equal(now.filter((r) => r.status === 'assigned').length, 1);
            assert.equal(now.filter((r) => r.status === 'offered').length, 0);
            shown(await hf.user(driver).post(ridePath(fleets[at], rides[at], '/complete'), {}), 200);
        }
        for (const [k, fleet] of fleets.entries()) {
            shown(await hf.app.get(ridePath(fleet, rides[k])), 200, { status: 'completed' });
        }
    }
});

for (const kill of [false, true]) {
    test(`${kill ? 'kill -9' : 'SIGTERM'}: the limit and the one ride of a driver of two fleets survive`, ownProcess, async () => {
        const own = await new Server().start();
        try {
            own.app = await own.key('app');
            const fleets = [await makeFleet(own, { rides_per_rider: 2 }), await makeFleet(own)];
            const driver = await makeDriver(own, fleets[0]);
            await makeDriver(own, fleets[1], 100, {}, driver);
            const ann = own.user('ann');
            const first = await askRide(ann, fleets[0]);
            await offerOf(own, fleets[0], driver);
            const second = await askRide(own.user('bob'), fleets[1]);
            await own.restart({ kill });
            assert.equal((await own.app.get(fleets[0])).json.rides_per_rider, 2);
            assert.equal(await statusIn(own, fleets[1], driver), 'offered');
            await own.app.post(`${fleets[1]}/positions`, [{ driver, ...HERE }]);
            shown(await answerOffer(own.user(driver), fleets[0], await offerOf(own, fleets[0], driver), 'accept'), 200);
            assert.equal(await statusIn(own, fleets[1], driver), 'busy');
            shown(await own.app.get(ridePath(fleets[1], second)), 200, { status: 'searching', offers: [] });
            await askRide(ann, fleets[0], north(500_000));
            refused(await ask(ann, fleets[0]), 409, 'limit_exceeded');
            shown(await own.user(driver).post(ridePath(fleets[0], first, '/complete'), {}), 200);
            assert.equal((await offerOf(own, fleets[1], driver)).ride_id, second.ride_id);
        } finally {
            await own.close();
        }
    });
}
