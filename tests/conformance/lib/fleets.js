/* SPDX-License-Identifier: Apache-2.0 */
/* fleets.js — fleets, drivers and rides to test on, and what every ride looks like. */
'use strict';

const assert = require('node:assert/strict');
const { unique } = require('./server.js');
const { INSTANT, instant } = require('./expect.js');

const HERE = { lat: 52.52, lng: 13.405 };
/* This many metres north of it. */
const north = (metres) => ({ lat: HERE.lat + metres / 111_195, lng: HERE.lng });

const RIDE_FIELDS = ['ride_id', 'status', 'rider_id', 'pickup', 'to', 'type', 'created_at', 'assigned_at', 'ended_at', 'driver_id',
    'driver', 'offers'];
const OFFER_FIELDS = ['offer_id', 'driver_id', 'score', 'eta_seconds', 'made_at', 'ended_at', 'end'];
const LIVE = ['searching', 'offered', 'assigned'];

/* A fleet's path; drivers do not go silent while a test runs. */
async function makeFleet(hf, settings = {}) {
    const fleet = `/v1/fleets/${unique('fleet')}`;
    const made = await hf.admin.put(fleet, { presence_seconds: 86_400, ...settings });
    assert.equal(made.status, 201, made.text);
    return fleet;
}

const driverPath = (fleet, driver, rest = '') => `${fleet}/drivers/${encodeURIComponent(driver)}${rest}`;

/* By an app key, this many metres away. Returns its name. */
async function makeDriver(hf, fleet, metres = 100, more = {}, driver = unique('driver')) {
    const made = await hf.app.put(driverPath(fleet, driver), { ...north(metres), available: true, ...more });
    assert.equal(made.status, 201, made.text);
    return driver;
}

/* A whole ride, checked for consistency. Returns it. */
function ride(r, wanted = {}) {
    const told = JSON.stringify(r);
    assert.deepEqual(Object.keys(r), RIDE_FIELDS, told);
    assert.match(r.ride_id, /^rid_[0-9A-Z]{26}$/, told);
    assert.ok([...LIVE, 'no_driver', 'cancelled', 'completed'].includes(r.status), told);
    instant(r.created_at, told);
    assert.equal(r.ended_at === null, LIVE.includes(r.status), told);
    assert.equal(r.driver !== null && r.status !== 'assigned', false, told);
    if (r.status === 'assigned' || r.status === 'completed') {
        assert.match(r.assigned_at, INSTANT, told);
        assert.equal(typeof r.driver_id, 'string', told);
    }
    for (const offer of r.offers) {
        assert.deepEqual(Object.keys(offer), OFFER_FIELDS, told);
        assert.match(offer.offer_id, /^off_[0-9A-Z]{26}$/, told);
        assert.equal(offer.end === null, offer.ended_at === null, told);
        assert.ok(Number.isInteger(offer.score) && Number.isInteger(offer.eta_seconds), told);
    }
    assert.equal(r.offers.filter((offer) => offer.end === null).length, r.status === 'offered' ? 1 : 0, told);
    for (const [field, value] of Object.entries(wanted)) {
        assert.deepEqual(r[field], value, `${field}: ${told}`);
    }
    return r;
}

function shown(answer, status, wanted) {
    assert.equal(answer.status, status, answer.text);
    return ride(answer.json, wanted);
}

const ridePath = (fleet, r, rest = '') => `${fleet}/rides/${r.ride_id}${rest}`;

async function askRide(caller, fleet, more = {}) {
    return shown(await caller.post(`${fleet}/rides`, { ...HERE, ...more }), 201);
}

/* The driver's offer, once there is one. */
async function offerOf(hf, fleet, driver) {
    const { json } = await hf.eventually(() => hf.user(driver).get(driverPath(fleet, driver, '/offer')),
        (answer) => answer.status === 200, `an offer for ${driver}`);
    return json;
}

/* Polls until the ride has this status. */
function becomes(hf, fleet, r, status) {
    return hf.eventually(async () => shown(await hf.app.get(ridePath(fleet, r)), 200), (now) => now.status === status,
        `${r.ride_id} is ${status}`);
}

const answerOffer = (caller, fleet, offer, how, body = {}, options) =>
    caller.post(`${fleet}/offers/${offer.offer_id}/${how}`, body, options);

/* A ride that this driver, the only one or the nearest, has accepted. */
async function assigned(hf, fleet, driver, rider = unique('rider')) {
    const r = await askRide(hf.user(rider), fleet);
    const offer = await offerOf(hf, fleet, driver);
    return { rider, offer, ...shown(await answerOffer(hf.user(driver), fleet, offer, 'accept'), 200, { ride_id: r.ride_id }) };
}

module.exports = { HERE, north, makeFleet, makeDriver, driverPath, ride, shown, ridePath, askRide, offerOf, becomes, answerOffer, assigned };
