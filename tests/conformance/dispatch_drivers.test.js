/* SPDX-License-Identifier: Apache-2.0 */
/* Drivers: who creates them, what they can report, positions one by one and a thousand at a time. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique, ownClock } = require('./lib/server.js');
const { whole } = require('./lib/catalogue.js');
const { HERE, north, makeFleet, makeDriver, driverPath, askRide, offerOf, becomes, assigned, answerOffer, ridePath, shown } =
    require('./lib/fleets.js');
const { refused, invalid, instant } = require('./lib/expect.js');

const hf = shared();
const FIELDS = ['driver_id', 'cell', 'status', 'lat', 'lng', 'available', 'rating', 'types', 'surge', 'heard_at'];
const put = (caller, fleet, driver, body) => caller.put(driverPath(fleet, driver), { ...HERE, available: true, ...body });
const look = async (fleet, driver) => (await hf.app.get(driverPath(fleet, driver))).json;

test('app and admin create a driver, with its cell in hex, and move it', async () => {
    const fleet = await makeFleet(hf);
    const made = await put(hf.app, fleet, 'dora', {});
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(Object.keys(made.json), FIELDS);
    instant(made.json.heard_at);
    assert.deepEqual({ ...made.json, heard_at: null }, { driver_id: 'dora', cell: '891f1d48947ffff', status: 'free', ...HERE,
        available: true, rating: 5, types: [], surge: false, heard_at: null });
    const moved = await put(hf.admin, fleet, 'dora', { lat: 48.137154, lng: 11.576124, rating: 4.25, types: ['van', 'pets'], surge: true });
    assert.equal(moved.status, 200, moved.text);
    assert.deepEqual([moved.json.cell.length, moved.json.lat, moved.json.lng, moved.json.rating, moved.json.types.toSorted(), moved.json.surge],
        [15, 48.137154, 11.576124, 4.25, ['pets', 'van'], true]);
    assert.notEqual(moved.json.cell, made.json.cell);
    /* Omitted fields stay. */
    const away = await put(hf.app, fleet, 'dora', { available: false });
    assert.deepEqual([away.json.status, away.json.rating, away.json.types.length, away.json.surge], ['away', 4.25, 2, true]);
    assert.deepEqual(await look(fleet, 'dora'), away.json);
    assert.deepEqual((await put(hf.app, fleet, 'dora', { types: [] })).json.types, []);
});

test('ids of drivers are user ids, percent-encoded', async () => {
    const fleet = await makeFleet(hf);
    for (const driver of ['auth0|42', 'Jürgen / 7', 'a b%c', '%', '..', 'x'.repeat(128), 'ü'.repeat(64)]) {
        assert.equal((await put(hf.app, fleet, driver, {})).json?.driver_id, driver);
        assert.equal((await put(hf.user(driver), fleet, driver, {})).status, 200);
        assert.equal((await look(fleet, driver)).driver_id, driver);
    }
    const ids = (await whole(hf.app, `${fleet}/drivers?limit=2`)).map((one) => one.driver_id);
    assert.equal(new Set(ids).size, 7);
    for (const wrong of ['%', '%0A', 'x'.repeat(129), '%FF', '%4']) {
        invalid(await hf.app.put(`${fleet}/drivers/${wrong}`, { ...HERE, available: true }));
        invalid(await hf.app.get(`${fleet}/drivers/${wrong}`));
    }
});

test('a user token reports only the position of its own driver', async () => {
    const fleet = await makeFleet(hf);
    const [dora, other] = [unique('dora'), unique('other')];
    refused(await put(hf.user(dora), fleet, dora, {}), 404, 'no_such_driver'); /* created by app and admin */
    await makeDriver(hf, fleet, 0, { rating: 4 }, dora);
    await makeDriver(hf, fleet, 0, {}, other);
    const own = await put(hf.user(dora), fleet, dora, { ...north(500), surge: true });
    assert.deepEqual([own.status, own.json.rating, own.json.surge], [200, 4, true]);
    refused(await put(hf.user(dora), fleet, dora, { rating: 5 }), 403, 'forbidden');
    refused(await put(hf.user(dora), fleet, dora, { types: ['van'] }), 403, 'forbidden');
    for (const call of [
        () => put(hf.user(dora), fleet, other, {}), () => hf.user(dora).get(driverPath(fleet, other)),
        () => hf.user(dora).get(driverPath(fleet, other, '/offer')), () => hf.user(dora).get(driverPath(fleet, other, '/stream')),
    ]) {
        refused(await call(), 404, 'no_such_driver');
    }
    assert.equal((await hf.user(dora).get(driverPath(fleet, dora))).status, 200);
    refused(await hf.user(dora).get(`${fleet}/drivers`), 403, 'forbidden');
    refused(await hf.user(dora).delete(driverPath(fleet, dora)), 403, 'forbidden');
    refused(await hf.user(dora).post(`${fleet}/positions`, [{ driver: dora, ...HERE }]), 403, 'forbidden');
    refused(await hf.anyone.get(driverPath(fleet, dora)), 401, 'unauthenticated');
    assert.equal((await hf.app.delete(driverPath(fleet, dora))).status, 204);
    refused(await hf.app.get(driverPath(fleet, dora)), 404, 'no_such_driver');
    refused(await hf.app.delete(driverPath(fleet, dora)), 404, 'no_such_driver');
    refused(await put(hf.user(dora), fleet, dora, {}), 404, 'no_such_driver');
});

test('invalid drivers are 400 with their pointer, and nothing changes', async () => {
    const fleet = await makeFleet(hf);
    const driver = await makeDriver(hf, fleet);
    const before = await look(fleet, driver);
    for (const [more, pointer] of [
        [{ lat: 90.0000001 }, '/lat'], [{ lat: -91 }, '/lat'], [{ lng: 180.5 }, '/lng'], [{ lng: -1e300 }, '/lng'],
        [{ lat: '52' }, '/lat'], [{ lat: null }, '/lat'], [{ lat: undefined }, '/lat'], [{ available: undefined }, '/available'],
        [{ rating: 5.001 }, '/rating'], [{ rating: 5.0001 }, '/rating'], [{ rating: -1 }, '/rating'], [{ rating: -0.0004 }, '/rating'], [{ types: ['van', 'van'] }, '/types/1'], [{ types: [''] }, '/types/0'],
        [{ types: 'van' }, '/types'], [{ surge: 1 }, '/surge'], [{ status: 'free' }, '/status'],
    ]) {
        invalid(await put(hf.app, fleet, driver, more), pointer);
    }
    /* Numbers that are not finite are neither JSON nor doubles. */
    for (const [text, pointer] of [['{"lat":NaN,"lng":1,"available":true}', ''], ['{"lat":1,"lng":1e999,"available":true}', '/lng']]) {
        invalid(await hf.app.call('PUT', driverPath(fleet, driver), { body: text, headers: { 'Content-Type': 'application/json' } }), pointer);
    }
    assert.deepEqual(await look(fleet, driver), before);
    /* The bounds are included. */
    for (const [lat, lng] of [[90, 180], [-90, -180], [0, 0]]) {
        const answer = await put(hf.app, fleet, driver, { lat, lng });
        assert.deepEqual([answer.status, answer.json.lat, answer.json.lng], [200, lat, lng]);
    }
    refused(await put(hf.app, '/v1/fleets/nowhere', driver, {}), 404, 'no_such_fleet');
});

test('positions in bulk: unknown drivers are named, one invalid position changes nothing, the last of two counts', async () => {
    const fleet = await makeFleet(hf);
    const [a, b] = [await makeDriver(hf, fleet), await makeDriver(hf, fleet)];
    const post = (list, caller = hf.app) => caller.post(`${fleet}/positions`, list);
    const answer = await post([{ driver: a, ...north(1) }, { driver: 'nobody', ...HERE }, { driver: b, ...HERE, available: false },
        { driver: a, ...north(2_000) }]);
    assert.deepEqual([answer.status, answer.json], [200, { updated: 3, unknown: ['nobody'] }]);
    assert.ok(Math.abs((await look(fleet, a)).lat - north(2_000).lat) < 1e-7);
    assert.equal((await look(fleet, b)).status, 'away');
    /* An omitted field is unchanged. */
    await post([{ driver: b, ...north(5) }]);
    assert.equal((await look(fleet, b)).status, 'away');
    const before = [await look(fleet, a), await look(fleet, b)];
    for (const [bad, pointer] of [[{ driver: b, lat: 91, lng: 0 }, '/1/lat'], [{ driver: b, lat: 1 }, '/1/lng'], [{ ...HERE }, '/1/driver'],
        [{ driver: b, ...HERE, speed: 3 }, '/1/speed'], [{ driver: '', ...HERE }, '/1/driver']]) {
        invalid(await post([{ driver: a, ...HERE }, bad]), pointer);
    }
    const many = (count) => Array.from({ length: count }, () => ({ driver: a, ...north(7) }));
    for (const list of [many(1001), []]) {
        const answer = await post(list);
        invalid(answer, '');
        assert.equal(answer.json.detail, `Invalid body: expected 1 to 1000 entries, got ${list.length}.`);
    }
    invalid(await hf.app.call('POST', `${fleet}/positions`,
        { body: `[{"driver":"${a}","lat":1e999,"lng":0}]`, headers: { 'Content-Type': 'application/json' } }), '/0/lat');
    invalid(await post({ driver: a, ...HERE }), '');
    assert.deepEqual([await look(fleet, a), await look(fleet, b)], before);
    const full = await post(many(1000), hf.admin);
    assert.deepEqual([full.status, full.json], [200, { updated: 1000, unknown: [] }]);
    refused(await hf.app.post('/v1/fleets/nowhere/positions', many(1)), 404, 'no_such_fleet');
});

test('a position changes no record: it has no seq', async () => {
    const fleet = await makeFleet(hf);
    const driver = await makeDriver(hf, fleet);
    const { seq } = await hf.app.get(driverPath(fleet, driver));
    const answer = await hf.app.post(`${fleet}/positions`, [{ driver, ...north(700) }]);
    assert.equal(answer.seq, seq);
    assert.equal((await hf.user(driver).put(driverPath(fleet, driver), { ...north(900), available: true })).seq, seq);
});

test('going away withdraws a live offer at once: by available, by DELETE, and by silence', ownClock, async () => {
    const fleet = await makeFleet(hf, { presence_seconds: 40, offer_seconds: 600, search_seconds: 3600 });
    for (const how of ['available', 'positions', 'DELETE', 'silence']) {
        const driver = await makeDriver(hf, fleet, 50);
        const r = await askRide(hf.user('ann'), fleet);
        const offer = await offerOf(hf, fleet, driver);
        assert.equal((await look(fleet, driver)).status, 'offered');
        if (how === 'available') {
            await put(hf.user(driver), fleet, driver, { available: false });
        } else if (how === 'positions') {
            await hf.app.post(`${fleet}/positions`, [{ driver, ...HERE, available: false }]);
        } else if (how === 'DELETE') {
            assert.equal((await hf.app.delete(driverPath(fleet, driver))).status, 204);
        } else {
            hf.clock.advance(40_000);
        }
        const now = await becomes(hf, fleet, r, 'searching');
        assert.deepEqual(now.offers.map((one) => [one.offer_id, one.end]), [[offer.offer_id, 'withdrawn']], how);
        refused(await answerOffer(hf.user(driver), fleet, offer, 'accept'), 409, 'offer_expired');
        refused(await answerOffer(hf.user(driver), fleet, offer, 'decline'), 409, 'offer_expired');
        shown(await hf.app.post(ridePath(fleet, r, '/cancel'), {}), 200);
    }
});

test('during a ride: available is 200 and busy, and takes effect at its end; DELETE does not end the ride', async () => {
    const fleet = await makeFleet(hf);
    const driver = await makeDriver(hf, fleet);
    const r = await assigned(hf, fleet, driver);
    for (const available of [false, true]) {
        const said = await put(hf.user(driver), fleet, driver, { available });
        assert.deepEqual([said.status, said.json.status, said.json.available], [200, 'busy', available]);
    }
    await put(hf.user(driver), fleet, driver, { available: false });
    shown(await hf.app.get(ridePath(fleet, r)), 200, { status: 'assigned' });
    shown(await hf.user(driver).post(ridePath(fleet, r, '/complete'), {}), 200);
    assert.equal((await look(fleet, driver)).status, 'away');
    await put(hf.user(driver), fleet, driver, {});
    const second = await assigned(hf, fleet, driver);
    assert.equal((await hf.app.delete(driverPath(fleet, driver))).status, 204);
    shown(await hf.app.get(ridePath(fleet, second)), 200, { status: 'assigned', driver_id: driver });
    shown(await hf.user(driver).post(ridePath(fleet, second, '/complete'), {}), 200, { status: 'completed' });
});
