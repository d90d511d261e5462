/* SPDX-License-Identifier: Apache-2.0 */
/* Rides: requested, offered to one driver at a time, accepted, ended; who may see and do what. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique, ownClock } = require('./lib/server.js');
const { whole } = require('./lib/catalogue.js');
const { HERE, north, makeFleet, makeDriver, driverPath, ride, shown, ridePath, askRide, offerOf, becomes, answerOffer, assigned } =
    require('./lib/fleets.js');
const { refused, invalid, instant } = require('./lib/expect.js');

const hf = shared();
const ends = (r) => r.offers.map((offer) => offer.end);
const act = (caller, fleet, r, what, body = {}) => caller.post(ridePath(fleet, r, `/${what}`), body);

test('a ride is requested, offered to the nearest driver, accepted and completed', async () => {
    const fleet = await makeFleet(hf, { offer_seconds: 20 });
    const [far, near] = [await makeDriver(hf, fleet, 400), await makeDriver(hf, fleet, 100)];
    const ann = hf.user('ann');
    const asked = await ann.post(`${fleet}/rides`, { rider_id: 'ann', ...HERE, to: north(3_000), surge: 1.5 });
    const r = shown(asked, 201, { status: 'searching', rider_id: 'ann', pickup: HERE, driver_id: null, driver: null, type: null,
        assigned_at: null, ended_at: null, offers: [] });
    assert.ok(Math.abs(r.to.lat - north(3_000).lat) < 1e-7);
    assert.equal(asked.headers.location, ridePath(fleet, r));
    const offer = await offerOf(hf, fleet, near);
    assert.deepEqual(Object.keys(offer), ['offer_id', 'ride_id', 'pickup', 'to', 'eta_seconds', 'expires_at', 'expires_in_ms']);
    assert.deepEqual([offer.ride_id, offer.pickup, offer.to, offer.eta_seconds], [r.ride_id, HERE, r.to, 12]); /* 100 m at 30 km/h */
    assert.ok(offer.expires_in_ms > 0 && offer.expires_in_ms <= 20_000);
    assert.equal((await hf.user(far).get(driverPath(fleet, far, '/offer'))).status, 204);
    const offered = shown(await ann.get(ridePath(fleet, r)), 200, { status: 'offered', driver_id: null });
    /* The rider sees the driver once a driver has accepted. */
    assert.deepEqual([offered.offers.length, offered.offers[0].driver_id], [1, null]);
    const staff = shown(await hf.app.get(ridePath(fleet, r)), 200);
    assert.deepEqual([staff.offers[0].driver_id, staff.offers[0].score], [near, 12_000]);
    assert.equal(instant(offer.expires_at) - instant(staff.offers[0].made_at), 20_000);
    const taken = shown(await answerOffer(hf.user(near), fleet, offer, 'accept'), 200, { status: 'assigned', driver_id: near });
    assert.deepEqual(Object.keys(taken.driver), ['lat', 'lng', 'heard_at', 'eta_seconds']);
    assert.deepEqual(ends(taken), ['accepted']);
    shown(await ann.get(ridePath(fleet, r)), 200, { driver_id: near, offers: taken.offers });
    const again = shown(await answerOffer(hf.user(near), fleet, offer, 'accept'), 200);
    assert.deepEqual(again, taken);
    const done = shown(await act(hf.user(near), fleet, r, 'complete'), 200, { status: 'completed', driver_id: near, driver: null });
    assert.deepEqual(shown(await act(hf.user(near), fleet, r, 'complete'), 200), done);
    assert.equal((await hf.app.get(driverPath(fleet, near))).json.status, 'free');
});

test('decline and timeout move on by score; a driver who declined is never asked again', ownClock, async () => {
    const fleet = await makeFleet(hf, { offer_seconds: 10, search_seconds: 3600 });
    const [a, b] = [await makeDriver(hf, fleet, 100), await makeDriver(hf, fleet, 200)];
    const r = await askRide(hf.user('ann'), fleet);
    const first = await offerOf(hf, fleet, a);
    const declined = shown(await answerOffer(hf.user(a), fleet, first, 'decline'), 200);
    assert.equal(declined.offers[0].end, 'declined');
    shown(await answerOffer(hf.user(a), fleet, first, 'decline'), 200, { ride_id: r.ride_id }); /* again */
    const second = await offerOf(hf, fleet, b);
    hf.clock.advance(10_000);
    /* It has ended whether or not anything has noticed; the driver is asked again, because there is no other. */
    refused(await answerOffer(hf.user(b), fleet, second, 'accept'), 409, 'offer_expired');
    shown(await answerOffer(hf.user(b), fleet, second, 'decline'), 200); /* timed out: the same 200 */
    const third = await hf.eventually(() => offerOf(hf, fleet, b), (offer) => offer.offer_id !== second.offer_id, 'another offer');
    const now = shown(await answerOffer(hf.user(b), fleet, third, 'accept'), 200, { driver_id: b });
    assert.deepEqual(now.offers.map((offer) => [offer.driver_id, offer.end]), [[a, 'declined'], [b, 'timed_out'], [b, 'accepted']]);
    assert.equal(now.offers[1].ended_at, second.expires_at);
    refused(await answerOffer(hf.user(a), fleet, first, 'accept'), 409, 'offer_expired');
});

test('with batch_ms rides that wait together are matched together, at the lowest total; otherwise the oldest chooses', ownClock, async () => {
    for (const batch_ms of [0, 10_000]) {
        const fleet = await makeFleet(hf, { batch_ms, offer_seconds: 60 });
        const [near, far] = [await makeDriver(hf, fleet, 0), await makeDriver(hf, fleet, 400)];
        const r1 = await askRide(hf.user('ann'), fleet, north(100));
        const r2 = await askRide(hf.user('bob'), fleet, north(-50));
        if (batch_ms) {
            assert.deepEqual([r1.status, r2.status], ['searching', 'searching']);
            hf.clock.advance(batch_ms);
        }
        const offers = [await offerOf(hf, fleet, near), await offerOf(hf, fleet, far)];
        assert.deepEqual(offers.map((offer) => offer.ride_id), batch_ms ? [r2.ride_id, r1.ride_id] : [r1.ride_id, r2.ride_id]);
        /* Declined, it is in the next batch; no other driver is left. */
        shown(await answerOffer(hf.user(near), fleet, offers[0], 'decline'), 200, { status: 'searching' });
        await makeDriver(hf, fleet, 10);
        hf.clock.advance(batch_ms);
        await becomes(hf, fleet, { ride_id: offers[0].ride_id }, 'offered');
    }
    const { text } = await hf.admin.get('/metrics');
    assert.match(text, /^holdfast_dispatch_groups_total [1-9]/m);
    assert.match(text, /^holdfast_dispatch_groups_too_large_total 0$/m);
});

test('after search_seconds no new offer is made; a live one runs to its end, and only then the ride is no_driver', ownClock, async () => {
    const fleet = await makeFleet(hf, { offer_seconds: 100, search_seconds: 30 });
    const alone = await askRide(hf.user('ann'), fleet, { ...north(500_000) });
    const driver = await makeDriver(hf, fleet);
    const r = await askRide(hf.user('bob'), fleet);
    const offer = await offerOf(hf, fleet, driver);
    hf.clock.advance(30_000);
    const none = await becomes(hf, fleet, alone, 'no_driver');
    assert.equal(instant(none.ended_at) - instant(none.created_at), 30_000);
    for (const what of ['cancel', 'complete', 'driver-cancel']) {
        refused(await act(hf.app, fleet, alone, what), 409, 'no_driver');
    }
    shown(await hf.app.get(ridePath(fleet, r)), 200, { status: 'offered' });
    hf.clock.goto(offer.expires_at);
    const over = await becomes(hf, fleet, r, 'no_driver');
    assert.deepEqual([ends(over), over.ended_at], [['timed_out'], offer.expires_at]);
});

test('cancel: by the rider or an app; withdraws an offer, frees a driver, and a repeat is the same 200', async () => {
    const fleet = await makeFleet(hf);
    const driver = await makeDriver(hf, fleet);
    const first = await askRide(hf.user('ann'), fleet);
    const offer = await offerOf(hf, fleet, driver);
    refused(await act(hf.user(driver), fleet, first, 'cancel'), 403, 'not_owner');
    refused(await act(hf.user('eve'), fleet, first, 'cancel'), 404, 'no_such_ride');
    refused(await act(hf.app, fleet, first, 'cancel', { rider_id: 'eve' }), 403, 'not_owner');
    const gone = shown(await act(hf.user('ann'), fleet, first, 'cancel'), 200, { status: 'cancelled' });
    assert.deepEqual(ends(gone), ['withdrawn']);
    assert.deepEqual(shown(await act(hf.app, fleet, first, 'cancel', { rider_id: 'ann' }), 200).ended_at, gone.ended_at);
    refused(await answerOffer(hf.user(driver), fleet, offer, 'accept'), 409, 'offer_expired');
    for (const what of ['complete', 'driver-cancel']) {
        refused(await act(hf.app, fleet, first, what), 409, 'already_cancelled');
    }
    const second = await assigned(hf, fleet, driver, 'ann');
    shown(await act(hf.app, fleet, second, 'cancel'), 200, { status: 'cancelled', driver_id: driver });
    assert.equal((await hf.app.get(driverPath(fleet, driver))).json.status, 'free');
    const third = await assigned(hf, fleet, driver, 'ann');
    refused(await act(hf.user('ann'), fleet, third, 'complete'), 403, 'not_owner');
    refused(await act(hf.app, fleet, third, 'complete', { driver_id: 'eve' }), 403, 'not_owner');
    shown(await act(hf.app, fleet, third, 'complete', { driver_id: driver }), 200, { status: 'completed' });
    refused(await act(hf.user('ann'), fleet, third, 'cancel'), 409, 'already_completed');
    refused(await act(hf.user(driver), fleet, third, 'driver-cancel'), 409, 'already_completed');
});

test('driver-cancel: the search continues without that driver, with search_seconds from now', ownClock, async () => {
    const fleet = await makeFleet(hf, { search_seconds: 30 });
    const driver = await makeDriver(hf, fleet, 50);
    const waiting = await askRide(hf.user('bob'), fleet, north(500_000));
    for (const what of ['complete', 'driver-cancel']) {
        refused(await act(hf.app, fleet, waiting, what), 409, 'not_assigned');
    }
    const r = await assigned(hf, fleet, driver, 'ann');
    hf.clock.advance(25_000);
    refused(await act(hf.user('ann'), fleet, r, 'driver-cancel'), 403, 'not_owner');
    const back = shown(await act(hf.user(driver), fleet, r, 'driver-cancel'), 200, { driver_id: null, assigned_at: null });
    assert.deepEqual(ends(back), ['accepted']);
    shown(await act(hf.user(driver), fleet, r, 'driver-cancel'), 200, { ride_id: r.ride_id });
    hf.clock.advance(25_000);
    const other = await makeDriver(hf, fleet, 300);
    const offer = await offerOf(hf, fleet, other);
    assert.equal(offer.ride_id, r.ride_id);
    shown(await answerOffer(hf.user(other), fleet, offer, 'accept'), 200, { driver_id: other });
    refused(await answerOffer(hf.user(driver), fleet, r.offer, 'accept'), 409, 'offer_expired');
});

test('rider, driver and staff see a ride, for others it does not exist', async () => {
    const fleet = await makeFleet(hf);
    const [driver, idle] = [await makeDriver(hf, fleet, 50), await makeDriver(hf, fleet, 900)];
    const r = await askRide(hf.user('ann'), fleet);
    const offer = await offerOf(hf, fleet, driver);
    for (const caller of [hf.user('ann'), hf.user(driver), hf.app, hf.admin]) {
        shown(await caller.get(ridePath(fleet, r)), 200);
    }
    for (const caller of [hf.user('eve'), hf.user(idle)]) {
        refused(await caller.get(ridePath(fleet, r)), 404, 'no_such_ride');
        refused(await caller.get(ridePath(fleet, r, '/stream')), 404, 'no_such_ride');
        refused(await act(caller, fleet, r, 'cancel'), 404, 'no_such_ride');
        refused(await act(caller, fleet, r, 'complete'), 404, 'no_such_ride');
    }
    refused(await hf.anyone.get(ridePath(fleet, r)), 401, 'unauthenticated');
    refused(await hf.anyone.post(`${fleet}/rides`, HERE), 401, 'unauthenticated');
    /* An offer is for its driver. */
    for (const how of ['accept', 'decline']) {
        refused(await answerOffer(hf.user(idle), fleet, offer, how), 403, 'not_owner');
        refused(await answerOffer(hf.user('ann'), fleet, offer, how), 403, 'not_owner');
        refused(await answerOffer(hf.app, fleet, offer, how, { driver_id: idle }), 403, 'not_owner');
        refused(await answerOffer(hf.user(driver), fleet, offer, how, { driver_id: idle }), 403, 'not_owner');
    }
    shown(await hf.app.get(ridePath(fleet, r)), 200, { status: 'offered' });
    shown(await answerOffer(hf.app, fleet, offer, 'accept', { driver_id: driver }), 200, { status: 'assigned' });
    /* A driver who declined is no longer involved. */
    const second = await askRide(hf.user('bob'), fleet);
    await answerOffer(hf.user(idle), fleet, await offerOf(hf, fleet, idle), 'decline');
    refused(await hf.user(idle).get(ridePath(fleet, second)), 404, 'no_such_ride');
});

test('users request rides for themselves, staff for others, guests only if the fleet allows it', async () => {
    const fleet = await makeFleet(hf);
    refused(await hf.user('ann').post(`${fleet}/rides`, { ...HERE, rider_id: 'bob' }), 403, 'not_owner');
    invalid(await hf.app.post(`${fleet}/rides`, HERE), '/rider_id');
    shown(await hf.app.post(`${fleet}/rides`, { ...HERE, rider_id: 'bob' }), 201, { rider_id: 'bob' });
    const { token, user_id } = (await hf.anyone.post('/v1/sessions', {})).json;
    const guest = hf.bearer(token);
    refused(await guest.post(`${fleet}/rides`, HERE), 403, 'guests_refused');
    await hf.admin.put(fleet, { guests: true });
    shown(await guest.post(`${fleet}/rides`, HERE), 201, { rider_id: user_id });
});

test('types: only drivers who have it are asked', async () => {
    const fleet = await makeFleet(hf);
    const plain = await makeDriver(hf, fleet, 10);
    const van = await makeDriver(hf, fleet, 500, { types: ['van'] });
    const r = await askRide(hf.user('ann'), fleet, { type: 'van' });
    assert.equal((await offerOf(hf, fleet, van)).ride_id, r.ride_id);
    assert.equal((await hf.user(plain).get(driverPath(fleet, plain, '/offer'))).status, 204);
    shown(await hf.app.get(ridePath(fleet, r)), 200, { type: 'van' });
    invalid(await hf.user('ann').post(`${fleet}/rides`, { ...HERE, type: 'boat' }), '/type');
});

test('invalid rides are 400 with their pointer; missing resources are 404', async () => {
    const fleet = await makeFleet(hf);
    for (const [more, pointer] of [
        [{ lat: 90.1 }, '/lat'], [{ lng: -180.1 }, '/lng'], [{ lat: undefined }, '/lat'], [{ to: { lat: 1 } }, '/to/lng'],
        [{ to: { lat: 1, lng: 181 } }, '/to/lng'], [{ to: 'home' }, '/to'], [{ surge: 0.9 }, '/surge'], [{ surge: 0.9996 }, '/surge'], [{ type: '' }, '/type'],
        [{ type: 'x'.repeat(65) }, '/type'], [{ rider_id: '' }, '/rider_id'], [{ pickup: HERE }, '/pickup'],
    ]) {
        invalid(await hf.user('ann').post(`${fleet}/rides`, { ...HERE, ...more }), pointer);
    }
    assert.deepEqual(await whole(hf.app, `${fleet}/rides`), []);
    const nowhere = '/v1/fleets/nowhere', none = { ride_id: `rid_${'0'.repeat(25)}1`, offer_id: `off_${'0'.repeat(25)}1` };
    for (const id of [none, { ride_id: 'x', offer_id: 'x' }]) {
        for (const what of ['cancel', 'complete', 'driver-cancel']) {
            refused(await act(hf.app, fleet, id, what), 404, 'no_such_ride');
            refused(await act(hf.app, nowhere, id, what), 404, 'no_such_fleet');
        }
        refused(await hf.app.get(ridePath(fleet, id)), 404, 'no_such_ride');
        refused(await hf.app.get(ridePath(fleet, id, '/stream')), 404, 'no_such_ride');
        refused(await answerOffer(hf.app, fleet, id, 'accept'), 404, 'no_such_offer');
        refused(await answerOffer(hf.app, fleet, id, 'decline'), 404, 'no_such_offer');
        refused(await answerOffer(hf.app, nowhere, id, 'accept'), 404, 'no_such_fleet');
    }
    refused(await hf.user('ann').post(`${nowhere}/rides`, HERE), 404, 'no_such_fleet');
    refused(await hf.app.get(`${nowhere}/rides`), 404, 'no_such_fleet');
    /* In another fleet it does not exist. */
    const other = await makeFleet(hf);
    const r = await askRide(hf.user('ann'), fleet);
    refused(await hf.app.get(ridePath(other, r)), 404, 'no_such_ride');
    refused(await act(hf.app, other, r, 'cancel'), 404, 'no_such_ride');
});

test('an Idempotency-Key creates one ride, and returns it as it is now', async () => {
    const fleet = await makeFleet(hf);
    const driver = await makeDriver(hf, fleet);
    const key = { headers: { 'Idempotency-Key': unique('key') } };
    const ann = hf.user('ann');
    const r = shown(await ann.post(`${fleet}/rides`, HERE, key), 201);
    await answerOffer(hf.user(driver), fleet, await offerOf(hf, fleet, driver), 'accept');
    const replay = await ann.post(`${fleet}/rides`, HERE, key);
    shown(replay, 201, { ride_id: r.ride_id, status: 'assigned' });
    assert.equal(replay.headers['idempotent-replayed'], 'true');
    refused(await ann.post(`${fleet}/rides`, north(5), key), 422, 'idempotency_key_reused');
    const both = await Promise.all([1, 2].map(() => ann.post(`${fleet}/rides`, north(9), { headers: { 'Idempotency-Key': key.headers['Idempotency-Key'] + 2 } })));
    assert.equal(both[0].json.ride_id, both[1].json.ride_id);
});

test('an Idempotency-Key of a ride that was removed with its fleet creates no second one', async () => {
    const fleet = await makeFleet(hf);
    const key = { headers: { 'Idempotency-Key': unique('key') } };
    const ann = hf.user('ann');
    const r = shown(await ann.post(`${fleet}/rides`, HERE, key), 201);
    shown(await act(ann, fleet, r, 'cancel'), 200);
    assert.equal((await hf.admin.delete(fleet)).status, 204);
    refused(await ann.post(`${fleet}/rides`, HERE, key), 404, 'no_such_fleet');
    assert.equal((await hf.admin.put(fleet, {})).status, 201);
    for (let i = 0; i < 2; i++) {
        const again = await ann.post(`${fleet}/rides`, HERE, key);
        refused(again, 404, 'no_such_ride');
        assert.equal(again.json.detail, 'The ride created with this Idempotency-Key was removed with its fleet.');
        assert.equal(again.headers['idempotent-replayed'], undefined);
    }
    shown(await ann.post(`${fleet}/rides`, HERE), 201);
});

test('lists: newest first, by status, rider and driver; a user token sees its own', async () => {
    const fleet = await makeFleet(hf);
    const driver = await makeDriver(hf, fleet);
    const done = await assigned(hf, fleet, driver, 'ann');
    shown(await act(hf.user(driver), fleet, done, 'complete'), 200);
    const mine = await assigned(hf, fleet, driver, 'ann');
    const other = await hf.user('bob').post(`${fleet}/rides`, HERE);
    const list = async (caller, query = '') => {
        const answer = await caller.get(`${fleet}/rides${query}`, hf.since(other));
        assert.equal(answer.status, 200, answer.text);
        return answer.json.data.map((r) => ride(r).ride_id);
    };
    const all = [other.json.ride_id, mine.ride_id, done.ride_id];
    assert.deepEqual(await list(hf.app), all);
    assert.deepEqual((await whole(hf.app, `${fleet}/rides?limit=1`)).map((r) => r.ride_id), all);
    assert.deepEqual(await list(hf.app, '?status=completed'), [done.ride_id]);
    assert.deepEqual(await list(hf.app, '?rider_id=ann'), all.slice(1));
    assert.deepEqual(await list(hf.app, `?driver_id=${driver}&status=assigned`), [mine.ride_id]);
    assert.deepEqual(await list(hf.user('ann')), all.slice(1));
    assert.deepEqual(await list(hf.user('bob')), all.slice(0, 1));
    assert.deepEqual(await list(hf.user(driver), `?driver_id=${driver}`), all.slice(1));
    for (const query of ['?rider_id=bob', '?driver_id=eve', `?driver_id=${driver}`]) {
        refused(await hf.user('ann').get(`${fleet}/rides${query}`), 403, 'not_owner');
    }
    invalid(await hf.app.get(`${fleet}/rides?status=lost`), '?status');
    invalid(await hf.app.get(`${fleet}/rides?rider_id=`), '?rider_id');
    invalid(await hf.app.get(`${fleet}/rides?event=x`), '?event');
});

test('lists show where the driver of an assigned ride is, as the ride itself does', async () => {
    const fleet = await makeFleet(hf);
    const driver = await makeDriver(hf, fleet);
    const done = await assigned(hf, fleet, driver, 'ann');
    const last = await act(hf.user(driver), fleet, done, 'complete');
    const r = await assigned(hf, fleet, driver, 'ann');
    const waiting = await hf.user('ann').post(`${fleet}/rides`, HERE);
    assert.equal((await hf.app.post(`${fleet}/positions`, [{ driver, ...north(500) }])).status, 200);
    for (const [caller, query] of [[hf.app, ''], [hf.user('ann'), ''], [hf.user(driver), `?driver_id=${driver}&status=assigned`]]) {
        const rides = (await caller.get(`${fleet}/rides${query}`, hf.since(waiting))).json.data.map((one) => ride(one));
        const now = shown(await caller.get(ridePath(fleet, r)), 200);
        assert.deepEqual(rides.find((one) => one.ride_id === r.ride_id), now);
        assert.deepEqual([now.driver.lat.toFixed(6), now.driver.eta_seconds], [north(500).lat.toFixed(6), 60]);
        assert.ok(rides.every((one) => one.ride_id === r.ride_id || one.driver === null));
    }
    shown(last, 200, { driver: null });
});
