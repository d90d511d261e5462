/* SPDX-License-Identifier: Apache-2.0 */
/* Races of dispatch: whatever comes first, a ride has one driver and a driver one ride. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, ownClock } = require('./lib/server.js');
const { Client } = require('./lib/http.js');
const { makeFleet, makeDriver, driverPath, shown, ridePath, askRide, offerOf, becomes, answerOffer } = require('./lib/fleets.js');
const { refused } = require('./lib/expect.js');

const hf = shared();
const ROUNDS = 20;
/* Each on its own connection, sent at the same moment. */
async function together(...calls) {
    const clients = calls.map(() => new Client(hf.url));
    try {
        return await Promise.all(calls.map((call, i) => call({ client: clients[i] })));
    } finally {
        clients.forEach((client) => client.close());
    }
}
const accept = (fleet, driver, offer) => (options) => answerOffer(hf.user(driver), fleet, offer, 'accept', {}, options);

test('two accepts on two connections: one assignment, the same answer', async () => {
    const fleet = await makeFleet(hf);
    const driver = await makeDriver(hf, fleet);
    for (let i = 0; i < ROUNDS; i++) {
        const r = await askRide(hf.user('ann'), fleet);
        const offer = await offerOf(hf, fleet, driver);
        const [one, other] = await together(accept(fleet, driver, offer), accept(fleet, driver, offer));
        assert.deepEqual(shown(one, 200, { status: 'assigned' }), shown(other, 200));
        shown(await hf.user(driver).post(ridePath(fleet, r, '/complete'), {}), 200);
    }
});

test('accept against the timeout: at the deadline it is too late, and exactly one of the two happens', ownClock, async () => {
    const fleet = await makeFleet(hf, { offer_seconds: 60, search_seconds: 60 });
    const driver = await makeDriver(hf, fleet);
    for (let i = 0; i < ROUNDS; i++) {
        const r = await askRide(hf.user('ann'), fleet);
        const offer = await offerOf(hf, fleet, driver);
        /* The deadline passes while the accept is under way. */
        hf.clock.goto(Date.parse(offer.expires_at) - 4);
        await hf.eventually(async () => hf.now(), (now) => now >= Date.parse(offer.expires_at) - (i % 5), 'nearly');
        const answer = await answerOffer(hf.user(driver), fleet, offer, 'accept');
        const now = await hf.app.get(ridePath(fleet, r));
        if (answer.status === 200) {
            const taken = shown(answer, 200, { status: 'assigned' });
            assert.ok(taken.assigned_at < offer.expires_at, `${taken.assigned_at} of ${offer.expires_at}`);
            shown(now, 200, { status: 'assigned', assigned_at: taken.assigned_at });
            shown(await hf.user(driver).post(ridePath(fleet, r, '/complete'), {}), 200);
        } else {
            refused(answer, 409, 'offer_expired');
            assert.deepEqual(shown(now, 200, { status: 'no_driver' }).offers.map((one) => one.end), ['timed_out']);
        }
    }
    /* At the very instant, whether or not the timer has run. */
    await askRide(hf.user('ann'), fleet);
    const offer = await offerOf(hf, fleet, driver);
    hf.clock.goto(offer.expires_at);
    refused(await answerOffer(hf.user(driver), fleet, offer, 'accept'), 409, 'offer_expired');
});

test('cancel against accept: the first in sequence wins, and a cancel after it frees the driver', async () => {
    const fleet = await makeFleet(hf);
    const driver = await makeDriver(hf, fleet);
    for (let i = 0; i < ROUNDS; i++) {
        const r = await askRide(hf.user('ann'), fleet);
        const offer = await offerOf(hf, fleet, driver);
        const cancel = (options) => hf.user('ann').post(ridePath(fleet, r, '/cancel'), {}, options);
        const calls = [accept(fleet, driver, offer), cancel];
        const answers = await together(...(i % 2 ? calls : calls.toReversed()));
        const [taken, gone] = i % 2 ? answers : answers.toReversed();
        const over = shown(gone, 200, { status: 'cancelled' });
        if (taken.status === 200) {
            assert.deepEqual([over.driver_id, over.offers[0].end], [driver, 'accepted']);
        } else {
            refused(taken, 409, 'offer_expired');
            assert.deepEqual([over.driver_id, over.offers[0].end], [null, 'withdrawn']);
        }
        assert.equal((await hf.app.get(driverPath(fleet, driver))).json.status, 'free');
    }
});

test('many rides and few drivers: no driver has two, and every ride is completed in the end', async () => {
    const fleet = await makeFleet(hf, { search_seconds: 3600 });
    const drivers = await Promise.all([...Array(5)].map((_, i) => makeDriver(hf, fleet, 50 + i)));
    const rides = await Promise.all([...Array(25)].map((_, i) => askRide(hf.user(`rider${i}`), fleet)));
    let left = rides.length;
    const drive = async (driver) => {
        const user = hf.user(driver);
        while (left > 0) {
            const answer = await user.get(driverPath(fleet, driver, '/offer'));
            if (answer.status !== 200) {
                continue;
            }
            const taken = await together(accept(fleet, driver, answer.json), accept(fleet, driver, answer.json));
            taken.forEach((one) => shown(one, 200, { driver_id: driver }));
            const busy = (await hf.app.get(`${fleet}/rides?driver_id=${driver}&status=assigned`, hf.since(taken[0]))).json.data;
            assert.deepEqual(busy.map((r) => r.ride_id), [answer.json.ride_id]);
            shown(await user.post(`${fleet}/rides/${answer.json.ride_id}/complete`, {}), 200);
            left--;
        }
    };
    await Promise.all(drivers.map(drive));
    for (const r of rides) {
        const done = await becomes(hf, fleet, r, 'completed');
        assert.equal(done.offers.filter((offer) => offer.end === 'accepted').length, 1);
    }
});
