/* SPDX-License-Identifier: Apache-2.0 */
/* POST /demo/actors: tokens for the users a visitor plays in the demo's fleet; and the fleet as its operator sees it.
 * Not under `serve`. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { Server, ownProcess } = require('./lib/server.js');

const FLEET = '/v1/fleets/taxi';

async function demo(t) {
    const hf = await new Server({ command: 'demo' }).start();
    t.after(() => hf.close());
    await hf.eventually(() => hf.admin.get(`${FLEET}/drivers`), (list) => list.json.data?.length === 14, 'all drivers are there');
    return hf;
}

const as = (hf, token) => ({ Authorization: `Bearer ${token}` });
async function call(hf, method, path, token, body) {
    const response = await fetch(hf.url + path, { method, headers: { ...(token ? as(hf, token) : {}), 'Content-Type': 'application/json' },
        body: body && JSON.stringify(body) });
    return { status: response.status, json: await response.json().catch(() => null) };
}

test('every visitor gets a rider of their own and the drivers that are free to play', ownProcess, async (t) => {
    const hf = await demo(t);
    const first = await hf.anyone.post('/demo/actors', { fleet: 'taxi' });
    assert.equal(first.status, 201, first.text);
    const { fleet, rider, drivers, expires_at } = first.json;
    assert.equal(fleet, 'taxi');
    assert.deepEqual(drivers.map(({ user_id }) => user_id), ['dora', 'emil']);
    assert.match(rider.user_id, /^rider_/);
    assert.ok(Date.parse(expires_at) > Date.now() + 23 * 3600_000);
    assert.equal((await hf.admin.put('/v1/fleets/vans', {})).status, 201);
    assert.deepEqual((await hf.anyone.post('/demo/actors', { fleet: 'vans' })).json.drivers, [], 'it has none of them');
    const second = (await hf.anyone.post('/demo/actors', {})).json;
    assert.equal(second.fleet, 'taxi');
    assert.notEqual(second.rider.user_id, rider.user_id);

    const driver = `${FLEET}/drivers/dora`;
    assert.equal((await call(hf, 'GET', driver, drivers[0].token)).json.status, 'away');
    const heard = await call(hf, 'PUT', driver, drivers[0].token, { lat: 52.418, lng: 13.2295, available: true });
    assert.equal(heard.json.status, 'free', JSON.stringify(heard.json));
    assert.equal((await call(hf, 'GET', driver, drivers[1].token)).json.code, 'no_such_driver');
    const ride = await call(hf, 'POST', `${FLEET}/rides`, rider.token, { lat: 52.418, lng: 13.2295 });
    assert.equal(ride.status, 201);
    assert.equal(ride.json.rider_id, rider.user_id);
    assert.equal((await call(hf, 'GET', `${FLEET}/rides/${ride.json.ride_id}`, second.rider.token)).status, 404);
});

test('the fleet is public, and nothing of it can be changed there', ownProcess, async (t) => {
    const hf = await demo(t);
    const fleets = (await hf.anyone.get('/demo/fleets')).json;
    assert.deepEqual(fleets.data.map(({ id }) => id), ['taxi']);
    assert.equal((await hf.anyone.get('/demo/fleets/taxi')).json.offer_seconds, 15);
    const page = (await hf.anyone.get('/demo/fleets/taxi/drivers?limit=5')).json;
    assert.equal(page.data.length, 5);
    assert.ok(page.next_cursor);
    assert.ok((await hf.anyone.get('/demo/fleets/taxi/overview')).json.cells.length > 0);
    await hf.admin.post(`${FLEET}/rides`, { rider_id: 'ann', lat: 52.418, lng: 13.2295 });
    await hf.eventually(() => hf.anyone.get('/demo/fleets/taxi/rides'), (list) => list.json.data?.length === 1, 'the ride');
    assert.equal((await hf.anyone.get('/demo/fleets/taxi/rides?status=completed')).json.data.length, 0);
    assert.equal((await hf.anyone.get('/demo/fleets/taxi/rides?status=flown')).status, 400);
    assert.equal((await hf.anyone.get('/demo/fleets/nothing')).json.code, 'no_such_fleet');
    assert.equal((await hf.admin.put('/demo/fleets/taxi', {})).status, 405);
    assert.equal((await hf.anyone.get(`${FLEET}/overview`)).status, 401);
});

test('what is refused, and that serve has none of it', ownProcess, async (t) => {
    const hf = await demo(t);
    assert.equal((await hf.anyone.post('/demo/actors', { fleet: 'nothing' })).json.code, 'no_such_fleet');
    assert.equal((await hf.anyone.post('/demo/actors', { fleet: '!' })).json.pointer, '/fleet');
    assert.ok(!(await hf.anyone.get('/openapi.json')).text.includes('/demo/'));
    const plain = await new Server().start();
    t.after(() => plain.close());
    await plain.admin.put('/v1/fleets/taxi', {});
    for (const answer of [await plain.admin.post('/demo/actors', {}), await plain.admin.get('/demo/fleets/taxi/drivers')]) {
        assert.equal(answer.json.code, 'no_such_route');
    }
});

test('a restarted demo has its drivers again, those for visitors too', ownProcess, async (t) => {
    const hf = await demo(t);
    await hf.admin.delete(`${FLEET}/drivers/emil`);
    await hf.stop();
    await hf.start();
    await hf.eventually(() => hf.anyone.post('/demo/actors', {}), (one) => one.json.drivers?.length === 2, 'both');
});
