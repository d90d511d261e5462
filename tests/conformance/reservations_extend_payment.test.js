/* SPDX-License-Identifier: Apache-2.0 */
/* Two ways to a later deadline: the heartbeat, which is capped, and starting a payment, which works once. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, ownClock } = require('./lib/server.js');
const { makeEvent, items, hold, seatStatus } = require('./lib/catalogue.js');
const { instant, refused, invalid, granted } = require('./lib/expect.js');

const hf = shared();
const ann = () => hf.user('ann');
const path = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const extend = (r, body = {}, caller = ann()) => caller.post(path(r, '/extend'), body);
const pay = (r, body = {}, caller = ann()) => caller.post(path(r, '/payment'), body);
const RULES = { seats: 'A1-A3', hold_ttl_seconds: 100, max_hold_seconds: 250, payment_ttl_seconds: 60 };

/* Seconds from the server's now to an instant, within the time of a request. */
function near(value, seconds) {
    const ahead = (instant(value) - hf.now()) / 1000;
    assert.ok(Math.abs(ahead - seconds) < 3, `${ahead} s ahead, not ${seconds}`);
}

test('extend: now + ttl_seconds, by default the default TTL; fence and items stay', ownClock, async () => {
    const r = await hold(ann(), items(await makeEvent(hf, RULES), 'A1'));
    hf.clock.advance(50_000);
    const once = granted(await extend(r, { ttl_seconds: 80 }), 200, {
        status: 'held', fence: r.fence, items: r.items
    });
    near(once.expires_at, 80);
    const twice = granted(await extend(r), 200, { max_expires_at: r.max_expires_at });
    near(twice.expires_at, 100);
    near((granted(await ann().post(path(r, '/extend')), 200)).expires_at, 100);
});

test('extend: never earlier than it was', ownClock, async () => {
    const r = await hold(ann(), items(await makeEvent(hf, RULES), 'A1'));
    hf.clock.advance(10_000);
    granted(await extend(r, { ttl_seconds: 1 }), 200, { expires_at: r.expires_at });
});

test('extend: never past max_expires_at, and never refused for that', ownClock, async () => {
    const r = await hold(ann(), items(await makeEvent(hf, RULES), 'A1'));
    granted(await extend(r, { ttl_seconds: 100_000 }), 200, { expires_at: r.max_expires_at });
    const other = await hold(ann(), items(await makeEvent(hf, RULES), 'A1'));
    let { expires_at } = other;
    for (let beats = 0; beats < 5; beats++) {
        hf.clock.advance(45_000);
        expires_at = granted(await extend(other), 200).expires_at;
        assert.ok(instant(expires_at) <= instant(other.max_expires_at));
    }
    assert.equal(expires_at, other.max_expires_at);
    hf.clock.advance(30_000);
    refused(await extend(other), 409, 'expired');
});

test('extend: a bad ttl_seconds or an unknown field is 400', async () => {
    const r = await hold(ann(), items(await makeEvent(hf, RULES), 'A1'));
    for (const ttl_seconds of [0, -5, 1.5, '60', null]) {
        invalid(await extend(r, { ttl_seconds }), '/ttl_seconds');
    }
    invalid(await extend(r, { ttl: 5 }), '/ttl');
    granted(await ann().get(path(r)), 200, { expires_at: r.expires_at });
});

test('extend: by the state of the reservation', ownClock, async () => {
    const event = await makeEvent(hf, RULES);
    const sold = await hold(ann(), items(event, 'A1'));
    granted(await ann().post(path(sold, '/commit'), {}), 200);
    refused(await extend(sold), 409, 'already_confirmed');
    const released = await hold(ann(), items(event, 'A2'));
    granted(await ann().post(path(released, '/release'), {}), 200);
    refused(await extend(released), 409, 'already_released');
    const lapsed = await hold(ann(), items(event, 'A2'));
    hf.clock.advance(101_000);
    refused(await extend(lapsed), 409, 'expired');
    refused(await extend(lapsed, {}, hf.app), 409, 'expired');
    refused(await extend(lapsed, {}, hf.user('bob')), 404, 'no_such_reservation');
});

test('an extended hold lives until its new deadline', ownClock, async () => {
    const event = await makeEvent(hf, RULES);
    const r = await hold(ann(), items(event, 'A1'));
    hf.clock.advance(90_000);
    granted(await extend(r), 200);
    hf.clock.advance(60_000);
    refused(await hf.user('bob').post('/v1/reservations', { items: items(event, 'A1') }), 409, 'taken');
    granted(await ann().post(path(r, '/commit'), {}), 200, { status: 'confirmed' });
});

test('payment: a later deadline when the old one is nearer', ownClock, async () => {
    const r = await hold(ann(), items(await makeEvent(hf, RULES), 'A1'));
    hf.clock.advance(90_000);
    const paying = granted(await pay(r, { payment_ref: 'pi_1' }), 200, { status: 'held' });
    near(paying.payment_started_at, 0);
    near(paying.expires_at, 60);
    assert.equal(instant(paying.expires_at) - instant(paying.payment_started_at), 60_000);
});

test('payment: the old deadline when that is later', async () => {
    const r = await hold(ann(), items(await makeEvent(hf, RULES), 'A1'));
    const paying = granted(await pay(r), 200, { expires_at: r.expires_at });
    near(paying.payment_started_at, 0);
});

test('payment: can exceed max_expires_at this once, and replaces it', ownClock, async () => {
    const r = await hold(ann(), items(await makeEvent(hf, { ...RULES, hold_ttl_seconds: 250 }), 'A1'));
    hf.clock.advance(240_000);
    const paying = granted(await pay(r), 200);
    near(paying.expires_at, 60);
    assert.ok(instant(paying.expires_at) > instant(r.max_expires_at));
    assert.equal(paying.max_expires_at, paying.expires_at);
    hf.clock.advance(30_000);
    granted(await ann().post(path(r, '/commit'), {}), 200, { status: 'confirmed' });
});

test('payment again: the same 200, and no more time', ownClock, async () => {
    const r = await hold(ann(), items(await makeEvent(hf, RULES), 'A1'));
    hf.clock.advance(90_000);
    const { payment_started_at, expires_at } = granted(await pay(r), 200);
    hf.clock.advance(30_000);
    granted(await pay(r), 200, { payment_started_at, expires_at });
    granted(await ann().post(path(r, '/payment')), 200, { payment_started_at, expires_at });
    hf.clock.advance(31_000);
    refused(await pay(r), 409, 'expired');
    refused(await ann().post(path(r, '/commit'), {}), 409, 'expired');
});

test('while paying, extend, add, drop and move are 409 paying; release and commit still work', async () => {
    const event = await makeEvent(hf, RULES);
    const r = await hold(ann(), items(event, 'A1'));
    granted(await pay(r), 200);
    const item = path(r, `/items/${r.items[0].item_id}`);
    refused(await extend(r), 409, 'paying');
    refused(await ann().post(path(r, '/items'), { event, seat: 'A2' }), 409, 'paying');
    refused(await ann().delete(item), 409, 'paying');
    refused(await ann().patch(item, { seat: 'A2' }), 409, 'paying');
    assert.equal(await seatStatus(hf, event, 'A2'), 'available');
    granted(await ann().post(path(r, '/release'), {}), 200, { status: 'released' });
    const other = await hold(ann(), items(event, 'A3'));
    granted(await pay(other), 200);
    granted(await ann().post(path(other, '/commit'), {}), 200, { status: 'confirmed' });
});

test('payment_ttl_seconds 0 turns it off', async () => {
    const r = await hold(ann(), items(await makeEvent(hf, { ...RULES, payment_ttl_seconds: 0 }), 'A1'));
    refused(await pay(r), 409, 'payment_window_off');
    granted(await ann().get(path(r)), 200, { payment_started_at: null });
    granted(await extend(r), 200);
});

test('payment: by the state of the reservation, and with no unknown field', ownClock, async () => {
    const event = await makeEvent(hf, RULES);
    const sold = await hold(ann(), items(event, 'A1'));
    invalid(await pay(sold, { amount: 5 }), '/amount');
    invalid(await pay(sold, { payment_ref: 5 }), '/payment_ref');
    granted(await ann().post(path(sold, '/commit'), {}), 200);
    refused(await pay(sold), 409, 'already_confirmed');
    const released = await hold(ann(), items(event, 'A2'));
    granted(await ann().post(path(released, '/release'), {}), 200);
    refused(await pay(released), 409, 'already_released');
    const lapsed = await hold(ann(), items(event, 'A2'));
    hf.clock.advance(101_000);
    refused(await pay(lapsed), 409, 'expired');
});

test('staff_hold_seconds: app and admin hold longer, but a user cannot extend further', ownClock, async () => {
    const day = 86_400;
    const settings = { hold_ttl_seconds: 100, max_hold_seconds: 150, staff_hold_seconds: 7 * day };
    const event = await makeEvent(hf, { seats: 'A1-A9', ...settings });
    const shown = (await hf.anyone.get(`/v1/events/${event}`)).json;
    assert.equal(shown.staff_hold_seconds, 7 * day);
    assert.equal((await hf.anyone.get(`/v1/events/${await makeEvent(hf, {})}`)).json.staff_hold_seconds, 900);
    const less = { ...settings, name: 'x', staff_hold_seconds: 149 };
    invalid(await hf.admin.put(`/v1/events/${event}`, less), '/staff_hold_seconds');

    const after = (r, seconds) => new Date(Date.parse(r.created_at) + seconds * 1000).toISOString();
    const ask = (caller, seat, ttl_seconds) =>
        caller.post('/v1/reservations', { user_id: 'ann', items: items(event, seat), ttl_seconds });
    invalid(await ask(hf.user('ann'), 'A1', 101), '/ttl_seconds');
    invalid(await ask(hf.admin, 'A1', 7 * day + 1), '/ttl_seconds');
    const given = granted(await ask(hf.admin, 'A1', 7 * day), 201);
    assert.deepEqual([given.expires_at, given.max_expires_at], [after(given, 7 * day), after(given, 7 * day)]);
    const own = granted(await ask(hf.user('ann'), 'A2', 100), 201);
    assert.equal(own.max_expires_at, after(own, 150));
    const latest = after(own, 7 * day);
    const extend = (caller) => caller.post(`/v1/reservations/${own.reservation_id}/extend`, { ttl_seconds: 7 * day });
    granted(await extend(hf.user('ann')), 200, { expires_at: own.max_expires_at });
    granted(await extend(hf.admin), 200, { expires_at: latest, max_expires_at: latest });
    granted(await extend(hf.user('ann')), 200, { expires_at: latest });
});
