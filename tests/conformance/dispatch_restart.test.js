/* SPDX-License-Identifier: Apache-2.0 */
/* Dispatch after SIGTERM and kill -9: records and live offers survive, positions do not. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { Server, ownProcess } = require('./lib/server.js');
const { whole } = require('./lib/catalogue.js');
const { HERE, north, makeFleet, makeDriver, driverPath, shown, ridePath, askRide, offerOf, becomes, answerOffer, assigned } =
    require('./lib/fleets.js');
const { refused } = require('./lib/expect.js');

function own(name, body) {
    test(name, ownProcess, async () => {
        const hf = await new Server().start();
        try {
            hf.app = await hf.key('app');
            await body(hf);
        } finally {
            await hf.close();
        }
    });
}

for (const kill of [false, true]) {
    const how = kill ? 'kill -9' : 'SIGTERM';

    own(`${how}: fleets, drivers and rides survive, except for positions`, async (hf) => {
        const fleet = await makeFleet(hf, { speed_kmh: 50, batch_ms: 5, weights: { eta: 0.25, rating: 1.5 } });
        const driver = await makeDriver(hf, fleet, 50, { rating: 3.5, types: ['van'], surge: true });
        const done = await assigned(hf, fleet, driver, 'ann');
        shown(await hf.user(driver).post(ridePath(fleet, done, '/complete'), {}), 200);
        const busy = await assigned(hf, fleet, driver, 'bob');
        const waiting = await askRide(hf.user('ann'), fleet, { to: north(100), type: 'van' });
        const gone = await makeDriver(hf, fleet);
        await hf.app.delete(driverPath(fleet, gone));
        const last = await hf.app.get(ridePath(fleet, waiting));
        const read = async () => {
            const rides = [];
            for (const r of [done, busy, waiting]) {
                rides.push({ ...shown(await hf.app.get(ridePath(fleet, r)), 200), driver: null });
            }
            return { fleet: (await hf.app.get(fleet)).json, rides, listed: (await whole(hf.app, `${fleet}/rides`)).map((r) => r.ride_id) };
        };
        await hf.app.get(`${fleet}/rides`, hf.since(last));
        const before = await read();
        await hf.restart({ kill });
        assert.deepEqual(await read(), before);
        const after = (await hf.app.get(driverPath(fleet, driver))).json;
        assert.deepEqual({ ...after, status: null }, { driver_id: driver, cell: null, status: null, lat: null, lng: null,
            available: false, rating: 3.5, types: ['van'], surge: true, heard_at: null });
        refused(await hf.app.get(driverPath(fleet, gone)), 404, 'no_such_driver');
        /* A driver is no candidate until it reports again. */
        shown(await hf.user(driver).post(ridePath(fleet, busy, '/complete'), {}), 200);
        assert.equal((await hf.app.get(driverPath(fleet, driver))).json.status, 'away');
        shown(await hf.app.get(ridePath(fleet, waiting)), 200, { status: 'searching', offers: before.rides[2].offers });
        await hf.app.post(`${fleet}/positions`, [{ driver, ...HERE }]);
        assert.equal((await offerOf(hf, fleet, driver)).ride_id, waiting.ride_id);
    });

    own(`${how}: a live offer survives with its deadline and can be accepted; a repeated accept gets the same answer`, async (hf) => {
        const fleet = await makeFleet(hf, { offer_seconds: 600 });
        const driver = await makeDriver(hf, fleet);
        const r = await askRide(hf.user('ann'), fleet);
        const offer = await offerOf(hf, fleet, driver);
        await hf.restart({ kill });
        const { expires_in_ms, ...same } = await offerOf(hf, fleet, driver);
        assert.deepEqual({ ...same, expires_in_ms: offer.expires_in_ms }, offer);
        assert.ok(expires_in_ms <= offer.expires_in_ms);
        const taken = shown(await answerOffer(hf.user(driver), fleet, offer, 'accept'), 200, { ride_id: r.ride_id, status: 'assigned' });
        await hf.restart({ kill });
        assert.deepEqual(shown(await answerOffer(hf.user(driver), fleet, offer, 'accept'), 200).offers, taken.offers);
        shown(await hf.user('ann').get(ridePath(fleet, r)), 200, { status: 'assigned', driver_id: driver });
    });
}

own('a live offer is withdrawn if its driver does not report within presence_seconds after the start', async (hf) => {
    const fleet = await makeFleet(hf, { offer_seconds: 3000, search_seconds: 3600, presence_seconds: 60 });
    const drivers = [await makeDriver(hf, fleet, 10), await makeDriver(hf, fleet, 20)];
    const rides = [await askRide(hf.user('ann'), fleet), await askRide(hf.user('bob'), fleet)];
    const [kept, lost] = [await offerOf(hf, fleet, drivers[0]), await offerOf(hf, fleet, drivers[1])];
    await hf.restart({ kill: true });
    hf.clock.advance(50_000);
    await hf.app.post(`${fleet}/positions`, [{ driver: drivers[0], ...HERE }]);
    hf.clock.advance(15_000);
    const withdrawn = rides.find((r) => r.ride_id === lost.ride_id);
    const now = await hf.eventually(() => hf.app.get(ridePath(fleet, withdrawn)), ({ json }) => json.offers[0].end !== null, 'withdrawn');
    assert.equal(now.json.offers[0].end, 'withdrawn');
    assert.equal((await offerOf(hf, fleet, drivers[0])).offer_id, kept.offer_id);
    refused(await answerOffer(hf.user(drivers[1]), fleet, lost, 'accept'), 409, 'offer_expired');
});

own('an offer that lapsed while the server was down has ended, and the Idempotency-Key of a ride is kept', async (hf) => {
    const fleet = await makeFleet(hf, { offer_seconds: 10, search_seconds: 10 });
    const driver = await makeDriver(hf, fleet);
    const key = { headers: { 'Idempotency-Key': 'a-ride' } };
    const r = shown(await hf.user('ann').post(`${fleet}/rides`, HERE, key), 201);
    const offer = await offerOf(hf, fleet, driver);
    await hf.kill9();
    hf.clock.advance(10_000);
    await hf.restart();
    refused(await answerOffer(hf.user(driver), fleet, offer, 'accept'), 409, 'offer_expired');
    await becomes(hf, fleet, r, 'no_driver');
    const replay = await hf.user('ann').post(`${fleet}/rides`, HERE, key);
    shown(replay, 201, { ride_id: r.ride_id, status: 'no_driver' });
    assert.equal(replay.headers['idempotent-replayed'], 'true');
});
