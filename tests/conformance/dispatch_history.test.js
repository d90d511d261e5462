/* SPDX-License-Identifier: Apache-2.0 */
/* Ended rides: read from the book once memory has forgotten them, until --history-days have passed. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { Server, ownProcess } = require('./lib/server.js');
const { whole } = require('./lib/catalogue.js');
const { HERE, makeFleet, makeDriver, driverPath, shown, ridePath, askRide, offerOf, answerOffer, becomes } = require('./lib/fleets.js');
const { refused } = require('./lib/expect.js');

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

function own(name, args, body) {
    test(name, ownProcess, async () => {
        const hf = await new Server({ args }).start();
        try {
            hf.app = await hf.key('app');
            await body(hf);
        } finally {
            await hf.close();
        }
    });
}

/* A ride that the first driver declined and the second completed; the app's answer to that. */
async function driven(hf, fleet, [first, second]) {
    const r = await askRide(hf.user('ann'), fleet, { to: HERE });
    const declined = await offerOf(hf, fleet, first);
    shown(await answerOffer(hf.user(first), fleet, declined, 'decline'), 200);
    const accepted = await offerOf(hf, fleet, second);
    shown(await answerOffer(hf.user(second), fleet, accepted, 'accept'), 200);
    const last = await hf.app.post(ridePath(fleet, r, '/complete'), {});
    await hf.app.get(`${fleet}/rides`, hf.since(last)); /* the book has it */
    return { r, declined, accepted, over: shown(last, 200, { status: 'completed' }) };
}

own('a forgotten ride is shown with every offer, its score and its end; and answers as before', [], async (hf) => {
    const fleet = await makeFleet(hf);
    const drivers = [await makeDriver(hf, fleet, 10), await makeDriver(hf, fleet, 500)];
    const { r, declined, accepted, over } = await driven(hf, fleet, drivers);
    assert.deepEqual(over.offers.map(({ driver_id, end }) => [driver_id, end]), [[drivers[0], 'declined'], [drivers[1], 'accepted']]);
    for (const kill of [false, true]) {
        hf.clock.advance(20 * MINUTE_MS);
        await hf.restart({ kill });
        assert.deepEqual(shown(await answerOffer(hf.user(drivers[1]), fleet, accepted, 'accept'), 200), over);
        assert.deepEqual(shown(await hf.app.get(ridePath(fleet, r)), 200), over);
        shown(await hf.user('ann').get(ridePath(fleet, r)), 200, { status: 'completed', driver_id: drivers[1] });
        /* The same 200, without the other driver. */
        const again = await answerOffer(hf.user(drivers[0]), fleet, declined, 'decline');
        assert.deepEqual([again.status, again.json.status, again.json.driver_id], [200, 'completed', null]);
        assert.deepEqual(again.json.offers.map((offer) => offer.driver_id), [drivers[0], null]);
        refused(await answerOffer(hf.user(drivers[0]), fleet, declined, 'accept'), 409, 'offer_expired');
        refused(await hf.app.post(ridePath(fleet, r, '/cancel'), {}), 409, 'already_completed');
        refused(await hf.user('bob').get(ridePath(fleet, r)), 404, 'no_such_ride');
    }
});

own('a ride of another fleet, and of one that was removed or created again, does not exist', [], async (hf) => {
    const [fleet, other] = [await makeFleet(hf), await makeFleet(hf)];
    const { r, accepted, over } = await driven(hf, fleet, [await makeDriver(hf, fleet, 10), await makeDriver(hf, fleet, 500)]);
    await hf.restart({ kill: true });
    for (let i = 0; i < 2; i++) {
        refused(await hf.app.get(ridePath(other, r)), 404, 'no_such_ride');
        refused(await answerOffer(hf.app, other, accepted, 'accept'), 404, 'no_such_offer');
        assert.deepEqual(shown(await hf.app.get(ridePath(fleet, r)), 200), over);
    }
    await hf.restart({ kill: true });
    const [found, removed] = await Promise.all([hf.app.get(ridePath(fleet, r)), hf.admin.delete(fleet)]);
    assert.equal(removed.status, 204);
    assert.ok([200, 404].includes(found.status), found.text);
    refused(await hf.app.get(ridePath(fleet, r)), 404, 'no_such_fleet');
    assert.equal((await hf.admin.put(fleet, {})).status, 201);
    refused(await hf.app.get(ridePath(fleet, r)), 404, 'no_such_ride');
    assert.deepEqual(await whole(hf.app, `${fleet}/rides`), []);
});

own('ended rides are pruned history_days after their end, live ones stay', ['--history-days', '2'], async (hf) => {
    const fleet = await makeFleet(hf, { presence_seconds: 86_400 });
    const drivers = [await makeDriver(hf, fleet, 10), await makeDriver(hf, fleet, 500)];
    const { r } = await driven(hf, fleet, drivers);
    const busy = await askRide(hf.user('bob'), fleet);
    const offer = await offerOf(hf, fleet, drivers[0]);
    shown(await answerOffer(hf.user(drivers[0]), fleet, offer, 'accept'), 200);
    hf.clock.advance(2 * DAY_MS - MINUTE_MS);
    shown(await hf.app.get(ridePath(fleet, r)), 200);
    hf.clock.advance(2 * MINUTE_MS);
    await hf.eventually(async () => (await whole(hf.app, `${fleet}/rides`)).map(({ ride_id }) => ride_id),
        (ids) => ids.length === 1 && ids[0] === busy.ride_id, 'it is forgotten');
    await hf.restart({ kill: true });
    refused(await hf.app.get(ridePath(fleet, r)), 404, 'no_such_ride');
    shown(await hf.app.get(ridePath(fleet, busy)), 200, { status: 'assigned', driver_id: drivers[0] });
});

own('who put and removed fleets and drivers is in the audit log', [], async (hf) => {
    const fleet = await makeFleet(hf);
    const id = fleet.split('/').at(-1);
    const driver = await makeDriver(hf, fleet);
    await hf.user(driver).put(driverPath(fleet, driver), { ...HERE, available: true, surge: true }); /* its own record */
    await hf.app.delete(driverPath(fleet, driver));
    const last = await hf.admin.delete(fleet);
    const rows = (await whole(hf.admin, '/v1/audit?limit=1000', hf.since(last))).filter((row) => row.id === id || row.fleet === id);
    assert.deepEqual(rows.reverse().map((row) => [row.actor.split(':')[0], row.kind, row.action, row.id, row.fleet].join(' ')), [
        `admin fleet put ${id} `, `app driver put ${driver} ${id}`, `app driver removed ${driver} ${id}`, `admin fleet removed ${id} `
    ]);
});

own('kill -9 during accepts: every acknowledged driver has the ride, and none has two', [], async (hf) => {
    const fleet = await makeFleet(hf, { offer_seconds: 600, search_seconds: 3600 });
    const drivers = [];
    for (let i = 0; i < 40; i++) {
        drivers.push(await makeDriver(hf, fleet, 10 * i));
    }
    for (let i = 0; i < drivers.length; i++) {
        await askRide(hf.user(`rider${i}`), fleet);
    }
    const offers = await Promise.all(drivers.map((driver) => offerOf(hf, fleet, driver)));
    const told = [];
    const accepts = drivers.map((driver, i) => answerOffer(hf.user(driver), fleet, offers[i], 'accept').then((answer) => {
        told.push({ driver, ride: shown(answer, 200, { status: 'assigned', driver_id: driver }) });
    }, () => {})); /* the connection broke */
    await Promise.race([...accepts]);
    await hf.kill9();
    await Promise.all(accepts);
    await hf.restart();
    assert.ok(told.length > 0);
    for (const { driver, ride } of told) {
        const now = await becomes(hf, fleet, ride, 'assigned');
        assert.equal(now.driver_id, driver);
        assert.deepEqual(now.offers, ride.offers);
    }
    const last = await hf.app.put(driverPath(fleet, drivers[0]), { ...HERE, available: true, rating: 1 });
    const rides = await whole(hf.app, `${fleet}/rides?limit=100`, hf.since(last));
    const taken = rides.flatMap(({ driver_id, offers: all }) => driver_id ?? all.filter(({ end }) => end === null).map((o) => o.driver_id));
    assert.equal(rides.length, drivers.length);
    assert.equal(new Set(taken).size, taken.length);
    for (const [i, driver] of drivers.entries()) {
        shown(await answerOffer(hf.user(driver), fleet, offers[i], 'accept'), 200, { driver_id: driver });
    }
});
