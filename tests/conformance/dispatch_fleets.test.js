/* SPDX-License-Identifier: Apache-2.0 */
/* Fleets: their settings, who may change them, when they can be removed; and their overview. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique } = require('./lib/server.js');
const { whole } = require('./lib/catalogue.js');
const { makeFleet, makeDriver, askRide, offerOf, becomes, answerOffer, assigned, ridePath } = require('./lib/fleets.js');
const { refused, invalid } = require('./lib/expect.js');

const hf = shared();
const DEFAULTS = {
    offer_seconds: 15, resolution: 9, max_rings: 6, presence_seconds: 30, search_seconds: 180, speed_kmh: 30, batch_ms: 0,
    guests: false, rides_per_rider: 1,
    weights: { eta: 1, rating: 0, waiting: 0, surge: 0 },
};

test('a fleet is created with its defaults, read, listed, replaced and removed, and what GET returns can be PUT', async () => {
    const fleet = `/v1/fleets/${unique('fleet')}`;
    const made = await hf.admin.put(fleet, {});
    assert.equal(made.status, 201, made.text);
    const { id, created_at, ...settings } = made.json;
    assert.deepEqual([`/v1/fleets/${id}`, settings], [fleet, DEFAULTS]);
    const other = { offer_seconds: 5, resolution: 8, max_rings: 0, presence_seconds: 10, search_seconds: 60, speed_kmh: 50,
        batch_ms: 10_000, guests: true, rides_per_rider: 1000, weights: { eta: 0.5, rating: 2, waiting: 0.125, surge: 3 } };
    const put = await hf.admin.put(fleet, other);
    assert.deepEqual([put.status, put.json], [200, { id, ...other, created_at }]);
    assert.deepEqual((await hf.app.get(fleet)).json, put.json);
    assert.equal((await hf.admin.put(fleet, put.json)).status, 200);
    /* An omitted field gets its default again. */
    assert.deepEqual((await hf.admin.put(fleet, { weights: { rating: 1 } })).json.weights, { ...DEFAULTS.weights, rating: 1 });
    await makeFleet(hf);
    const listed = await whole(hf.app, '/v1/fleets?limit=1');
    assert.ok(listed.some((one) => one.id === id) && listed.length >= 2);
    assert.deepEqual(listed.map((one) => one.id), listed.map((one) => one.id).sort());
    assert.equal((await hf.admin.delete(fleet)).status, 204);
    refused(await hf.admin.get(fleet), 404, 'no_such_fleet');
    refused(await hf.admin.delete(fleet), 404, 'no_such_fleet');
    assert.equal((await hf.admin.put(fleet, {})).status, 201);
});

test('only the admin sets a fleet; app keys can read it; users cannot', async () => {
    const fleet = await makeFleet(hf);
    const ann = hf.user('ann');
    for (const [caller, status, code] of [[hf.app, 403, 'forbidden'], [ann, 403, 'forbidden'], [hf.anyone, 401, 'unauthenticated']]) {
        refused(await caller.put(fleet, {}), status, code);
        refused(await caller.delete(fleet), status, code);
    }
    for (const target of ['/v1/fleets', fleet, `${fleet}/overview`]) {
        assert.equal((await hf.app.get(target)).status, 200);
        refused(await ann.get(target), 403, 'forbidden');
        refused(await hf.anyone.get(target), 401, 'unauthenticated');
    }
});

test('invalid settings are 400 with their pointer, and nothing changes', async () => {
    const fleet = await makeFleet(hf);
    const before = (await hf.admin.get(fleet)).json;
    for (const [body, pointer] of [
        [{ offer_seconds: 0 }, '/offer_seconds'], [{ offer_seconds: 1.5 }, '/offer_seconds'], [{ resolution: 16 }, '/resolution'],
        [{ resolution: -1 }, '/resolution'], [{ max_rings: 31 }, '/max_rings'], [{ presence_seconds: 0 }, '/presence_seconds'],
        [{ search_seconds: 0 }, '/search_seconds'], [{ speed_kmh: 0 }, '/speed_kmh'], [{ guests: 1 }, '/guests'],
        [{ weights: { eta: -1 } }, '/weights/eta'], [{ weights: { eta: 1000.0004 } }, '/weights/eta'], [{ weights: { speed: 1 } }, '/weights/speed'], [{ weights: 1 }, '/weights'],
        [{ batch_ms: -1 }, '/batch_ms'], [{ batch_ms: 10_001 }, '/batch_ms'], [{ batch_ms: '5' }, '/batch_ms'], [{ rides_per_rider: -1 }, '/rides_per_rider'],
        [{ rides_per_rider: 1001 }, '/rides_per_rider'], [{ rides_per_rider: null }, '/rides_per_rider'], [{ id: 'other' }, '/id'], [{ name: 'Berlin' }, '/name'],
    ]) {
        invalid(await hf.admin.put(fleet, body), pointer);
    }
    invalid(await hf.admin.put('/v1/fleets/a%20b', {}));
    refused(await hf.admin.get('/v1/fleets/a%20b'), 404, 'no_such_fleet');
    assert.deepEqual((await hf.admin.get(fleet)).json, before);
});

test('the resolution is fixed once there are drivers, and a fleet with live rides stays', async () => {
    const fleet = await makeFleet(hf);
    const settings = { presence_seconds: 86_400 };
    assert.equal((await hf.admin.put(fleet, { ...settings, resolution: 8 })).status, 200);
    const driver = await makeDriver(hf, fleet);
    refused(await hf.admin.put(fleet, { ...settings, resolution: 9 }), 409, 'in_use');
    assert.equal((await hf.admin.get(fleet)).json.resolution, 8);
    assert.equal((await hf.admin.put(fleet, { ...settings, resolution: 8, speed_kmh: 60 })).status, 200);
    const r = await assigned(hf, fleet, driver);
    refused(await hf.admin.delete(fleet), 409, 'in_use');
    assert.equal((await hf.user(driver).post(ridePath(fleet, r, '/complete'), {})).status, 200);
    assert.equal((await hf.admin.delete(fleet)).status, 204);
    refused(await hf.app.get(ridePath(fleet, r)), 404, 'no_such_fleet');
});

test('changed settings apply to new offers only', async () => {
    const fleet = await makeFleet(hf, { offer_seconds: 600 });
    const [near, far] = [await makeDriver(hf, fleet, 50), await makeDriver(hf, fleet, 300)];
    const r = await askRide(hf.user('ann'), fleet);
    const first = await offerOf(hf, fleet, near);
    await hf.admin.put(fleet, { presence_seconds: 86_400, offer_seconds: 60 });
    const still = await offerOf(hf, fleet, near);
    assert.deepEqual([still.offer_id, still.expires_at], [first.offer_id, first.expires_at]);
    await hf.user(near).post(`${fleet}/offers/${first.offer_id}/decline`, {});
    const next = await offerOf(hf, fleet, far);
    const made = (await hf.app.get(ridePath(fleet, r))).json.offers[1].made_at;
    assert.equal(Date.parse(next.expires_at) - Date.parse(made), 60_000);
});

test('the overview counts drivers by cell and rides by status, and shows how long they waited', async () => {
    const fleet = await makeFleet(hf);
    const look = async () => {
        const answer = await hf.app.get(`${fleet}/overview`);
        assert.equal(answer.status, 200, answer.text);
        return answer.json;
    };
    const none = { searching: 0, offered: 0, assigned: 0, no_driver: 0, cancelled: 0, completed: 0 };
    assert.deepEqual(await look(),
        { cells: [], rides: none, assignment: { rides: 0, median_seconds: null, p95_seconds: null } });
    const busy = await makeDriver(hf, fleet, 10);
    const r = await assigned(hf, fleet, busy);
    const asked = await makeDriver(hf, fleet, 20);
    await makeDriver(hf, fleet, 5_000);
    await makeDriver(hf, fleet, 5_000, { available: false });
    const second = await askRide(hf.user('bob'), fleet);
    await offerOf(hf, fleet, asked);
    const { cells, rides, assignment } = await look();
    const cellOf = async (driver) => (await hf.app.get(`${fleet}/drivers/${driver}`)).json.cell;
    assert.equal(cells.find((one) => one.busy).cell, await cellOf(busy));
    const sum = (field) => cells.reduce((total, cell) => total + cell[field], 0);
    assert.deepEqual([sum('free'), sum('offered'), sum('busy')], [1, 1, 1]);
    assert.ok(cells.every(({ cell }) => /^89[0-9a-f]{13}$/.test(cell)));
    assert.deepEqual(rides, { ...none, offered: 1, assigned: 1 });
    assert.equal(assignment.rides, 1);
    const took = (Date.parse(r.assigned_at) - Date.parse(r.created_at)) / 1000;
    assert.deepEqual([assignment.median_seconds, assignment.p95_seconds], [took, took]);
    await hf.user('bob').post(ridePath(fleet, second, '/cancel'), {});
    await hf.user(busy).post(ridePath(fleet, r, '/complete'), {});
    await becomes(hf, fleet, second, 'cancelled');
    assert.deepEqual((await look()).rides, { ...none, cancelled: 1, completed: 1 });
    refused(await hf.app.get('/v1/fleets/nowhere/overview'), 404, 'no_such_fleet');
});

test('metrics count drivers, live rides, and ends of offers', async () => {
    const names = ['drivers{status="free"}', 'drivers{status="busy"}', 'rides{status="searching"}', 'rides{status="assigned"}',
        'ride_offers_total{end="accepted"}', 'ride_offers_total{end="declined"}'];
    const all = async () => {
        const lines = new Map((await hf.anyone.get('/metrics')).text.split('\n').map((line) => line.split(' ')));
        return names.map((name) => Number(lines.get(`holdfast_${name}`)));
    };
    const before = await all();
    const fleet = await makeFleet(hf);
    const driver = await makeDriver(hf, fleet);
    const declined = await askRide(hf.user('ann'), fleet);
    assert.equal((await answerOffer(hf.user(driver), fleet, await offerOf(hf, fleet, driver), 'decline')).status, 200);
    await assigned(hf, fleet, driver);
    await makeDriver(hf, fleet, 500_000);
    assert.deepEqual((await all()).map((count, i) => count - before[i]), [1, 1, 1, 1, 1, 1]);
    assert.equal((await hf.app.post(ridePath(fleet, declined, '/cancel'), {})).status, 200);
});
