/* SPDX-License-Identifier: Apache-2.0 */
/* Refund by staff, whole and by item, and cancel by the owner: the stock is free, the payment owed once. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique, ownProcess, ownClock } = require('./lib/server.js');
const { makeEvent, items, hold, seats, seatStatus, whole } = require('./lib/catalogue.js');
const { makeCalendar, midnight, slot, iso, DAY } = require('./lib/calendars.js');
const { refused, invalid, granted, instant } = require('./lib/expect.js');

const hf = shared();
const place = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const refund = (who, r, body = {}) => who.post(place(r, '/refund'), body);
const cancel = (who, r, body = {}) => who.post(place(r, '/cancel'), body);

async function dues(r) {
    const list = await whole(hf.app, '/v1/refunds-due?status=all&limit=1000', hf.since(await hf.admin.get('/v1/keys')));
    return list.filter((due) => due.reservation_id === r.reservation_id).map((due) => [due.payment_ref, due.amount.amount, due.reason]);
}

async function bought(event, names) {
    const r = await hold(hf.user('ann'), items(event, names));
    return granted(await hf.app.post(place(r, '/commit'), { payment_ref: unique('pi') }), 200);
}

test('a refund frees the seats, keeps the record with void tickets, and is owed once', ownClock, async () => {
    const event = await makeEvent(hf, { seats: seats('A1-A4', { price: 500 }), per_user_limit: 2 });
    const sold = await bought(event, 'A1 A2');
    refused(await hf.user('ann').post('/v1/reservations', { items: items(event, 'A3') }), 409, 'limit_exceeded');
    const back = granted(await refund(hf.app, sold, { reason: 'rained off' }), 200);
    assert.equal(back.status, 'refunded');
    assert.equal(back.version, sold.version + 1);
    assert.ok(instant(back.ended_at) >= instant(back.confirmed_at));
    assert.equal(back.tickets.length, 2);
    assert.deepEqual(granted(await refund(hf.admin, sold), 200), back);
    assert.equal(await seatStatus(hf, event, 'A1'), 'available');
    granted(await hf.user('ann').post('/v1/reservations', { items: items(event, 'A3 A1') }), 201);
    assert.deepEqual(await dues(sold), [[sold.payment.ref, 1000, 'rained off']]);
    refused(await hf.app.post(place(sold, '/commit'), { payment_ref: sold.payment.ref }), 409, 'already_refunded');
    refused(await hf.user('ann').delete(place(sold)), 409, 'already_refunded');
    refused(await hf.user('ann').post(place(sold, '/transfer'), { to_user_id: 'bob' }), 409, 'already_refunded');
    assert.equal((await dues(sold)).length, 1);
    const { json: history } = await hf.app.get(place(sold, '/history'), hf.since(await hf.admin.get('/v1/keys')));
    assert.deepEqual(history.data.slice(-2).map((one) => [one.action, one.status, one.reason, one.actor.split(':')[0]]),
        [['refunded', 'refunded', 'rained off', 'app'], ['refund_due', 'refunded', 'rained off', 'app']]);
    const found = await hf.app.get('/v1/reservations?status=refunded', hf.since(await hf.admin.get('/v1/keys')));
    assert.ok(found.json.data.some((one) => one.reservation_id === sold.reservation_id));
});

test('by item: the rest stays confirmed with the rest of the total; an unknown item is 404', async () => {
    const event = await makeEvent(hf, { seats: seats('A1-A3', { price: 500 }) });
    const sold = await bought(event, 'A1 A2 A3');
    refused(await refund(hf.app, sold, { items: ['1', '9'] }), 404, 'no_such_item');
    refused(await refund(hf.app, sold, { items: ['one'] }), 404, 'no_such_item');
    invalid(await refund(hf.app, sold, { items: ['1', '1'] }), '/items');
    invalid(await refund(hf.app, sold, { items: [] }), '/items');
    assert.equal(await seatStatus(hf, event, 'A1'), 'sold');
    const less = granted(await refund(hf.app, sold, { items: ['1', '3'] }), 200);
    assert.equal(less.status, 'confirmed');
    assert.deepEqual(less.items.map(({ seat }) => seat), ['A2']);
    assert.equal(less.total.amount, 500);
    assert.equal(less.tickets.length, 1);
    assert.equal(await seatStatus(hf, event, 'A3'), 'available');
    refused(await refund(hf.app, sold, { items: ['1'] }), 404, 'no_such_item');
    const back = granted(await refund(hf.app, sold, { items: ['2'], paid_back: true }), 200);
    assert.equal(back.status, 'refunded');
    assert.deepEqual(await dues(sold), [[sold.payment.ref, 1000, 'refunded']]);
    const { json } = await hf.app.get(place(sold, '/history'), hf.since(await hf.admin.get('/v1/keys')));
    const [partial] = json.data.filter(({ action }) => action === 'item_refunded');
    assert.deepEqual(partial.what.items.map(({ before, after }) => [before.seat, after]), [['A1', null], ['A3', null]]);
    assert.deepEqual(partial.what.total, { before: 1500, after: 500 });
});

test('only staff refunds, only what is confirmed; only the owner cancels', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    const held = await hold(hf.user('ann'), items(event, 'A1'));
    refused(await refund(hf.app, held), 409, 'not_confirmed');
    refused(await cancel(hf.user('ann'), held), 409, 'not_confirmed');
    refused(await refund(hf.user('ann'), held), 403, 'forbidden');
    refused(await cancel(hf.app, held), 403, 'forbidden');
    refused(await cancel(hf.user('bob'), held), 404, 'no_such_reservation');
    refused(await refund(hf.app, held, { user_id: 'bob' }), 403, 'not_owner');
    granted(await hf.app.delete(place(held)), 200);
    refused(await refund(hf.app, held), 409, 'already_released');
    invalid(await refund(hf.app, held, { why: 'rain' }), '/why');
    invalid(await refund(hf.app, held, { reason: 'x'.repeat(257) }), '/reason');
});

test('cancel until the time set by the event or calendar; off by default', ownClock, async () => {
    const visited = midnight(hf, 5), starts = visited + 5 * DAY;
    const event = await makeEvent(hf, { seats: seats('A1-A5', { price: 500 }), starts_at: iso(starts), cancel_until_seconds: 86_400 });
    const plain = await makeEvent(hf, { seats: 'A1-A2' });
    const calendar = await makeCalendar(hf, { cancel_until_minutes: 60 });
    assert.equal((await hf.anyone.get(`/v1/events/${event}`)).json.cancel_until_seconds, 86_400);
    assert.equal((await hf.anyone.get(`/v1/events/${plain}`)).json.cancel_until_seconds, null);
    assert.equal((await hf.anyone.get(`/v1/calendars/${calendar}`)).json.cancel_until_minutes, 60);
    const off = await bought(plain, 'A1');
    assert.deepEqual((({ rule, until }) => [rule, until])(refused(await cancel(hf.user('ann'), off), 409, 'not_cancellable')), ['cancel_until_seconds', null]);
    const sold = await bought(event, 'A1');
    const manage = hf.bearer(sold.manage_token ?? (await hf.app.get(place(sold, '?manage_token=1'))).json.manage_token);
    const gone = granted(await cancel(manage, sold), 200);
    assert.equal(gone.status, 'cancelled');
    assert.equal(granted(await cancel(hf.user('ann'), sold), 200).version, gone.version);
    refused(await refund(hf.app, sold), 409, 'already_cancelled');
    assert.deepEqual(await dues(sold), [[sold.payment.ref, 500, 'cancelled']]);
    const late = await bought(event, 'A1');
    const visit = await hold(hf.user('ann'), [slot(calendar, visited)]);
    granted(await hf.app.post(place(visit, '/commit'), {}), 200);
    hf.clock.goto(visited - 3_600_000);
    const told = refused(await cancel(hf.user('ann'), visit), 409, 'not_cancellable');
    assert.equal(told.rule, 'cancel_until_minutes');
    assert.equal(instant(told.until) + 3_600_000, instant(visit.items[0].start));
    hf.clock.goto(starts - DAY);
    assert.equal(instant(refused(await cancel(hf.user('ann'), late), 409, 'not_cancellable').until), starts - DAY);
    invalid(await hf.admin.put(`/v1/events/${plain}`, { name: 'x', cancel_until_seconds: -1 }), '/cancel_until_seconds');
    invalid(await hf.admin.put(`/v1/calendars/${calendar}`, { name: 'x', cancel_until_minutes: 1.5 }), '/cancel_until_minutes');
    const patched = await hf.admin.patch(`/v1/events/${plain}`, { cancel_until_seconds: 0 });
    assert.equal(patched.json.cancel_until_seconds, 0);
    assert.equal((await hf.admin.patch(`/v1/events/${plain}`, { cancel_until_seconds: null })).json.cancel_until_seconds, null);
});

test('a hold keeps the terms it was made under, over crashes and restarts', ownProcess, async () => {
    const own = { seats: seats('A1-A6', { price: 500 }), cancel_until_seconds: 0 };
    const event = await makeEvent(hf, own);
    const calendar = await makeCalendar(hf, { price: 700, cancel_until_minutes: 60 });
    const sold = await bought(event, 'A1');
    const visit = await hold(hf.user('ann'), [slot(calendar, midnight(hf, 3))]);
    granted(await hf.app.post(place(visit, '/commit'), { payment_ref: unique('pi') }), 200);
    assert.equal((await hf.admin.patch(`/v1/events/${event}`, { cancel_until_seconds: null, late_payment: 'refund' })).status, 200);
    assert.equal((await hf.admin.patch(`/v1/calendars/${calendar}`, { cancel_until_minutes: null })).status, 200);
    const strict = await bought(event, 'A2');
    for (const kill of [true, false]) {
        await hf.restart({ kill });
        refused(await cancel(hf.user('ann'), strict), 409, 'not_cancellable');
    }
    assert.equal((await hf.admin.patch(`/v1/events/${event}`, { cancel_until_seconds: 0 })).status, 200);
    refused(await cancel(hf.user('ann'), strict), 409, 'not_cancellable');
    const moved = granted(await hf.app.patch(place(sold, '/items/1'), { seat: 'A6' }), 200);
    assert.equal(granted(await cancel(hf.user('ann'), moved), 200).status, 'cancelled');
    assert.equal(granted(await cancel(hf.user('ann'), visit), 200).status, 'cancelled');
});

test('a late payment follows the terms at the time of the hold', ownClock, async () => {
    const event = await makeEvent(hf, { seats: seats('A1-A3', { price: 500 }) });
    const held = await hold(hf.user('ann'), items(event, 'A1'), { ttl_seconds: 60 });
    assert.equal((await hf.admin.patch(`/v1/events/${event}`, { late_payment: 'refund' })).status, 200);
    const strict = await hold(hf.user('ann'), items(event, 'A2'), { ttl_seconds: 60 });
    assert.equal((await hf.admin.patch(`/v1/events/${event}`, { late_payment: 'accept_if_free' })).status, 200);
    hf.clock.advance(61_000);
    assert.equal(granted(await hf.app.post(place(held, '/commit'), { payment_ref: unique('pi') }), 200).status, 'confirmed');
    refused(await hf.app.post(place(strict, '/commit'), { payment_ref: unique('pi') }), 409, 'expired');
});

test('a refunded sale stays refunded after a crash, and its seats are free', ownProcess, async () => {
    const event = await makeEvent(hf, { seats: seats('A1-A3', { price: 500 }), cancel_until_seconds: 0 });
    const [all, some] = [await bought(event, 'A1'), await bought(event, 'A2 A3')];
    granted(await refund(hf.app, all), 200);
    granted(await refund(hf.app, some, { items: ['1'] }), 200);
    for (let i = 0; i < 2; i++) {
        await hf.restart({ kill: true });
        assert.equal(granted(await hf.app.get(place(all)), 200).status, 'refunded');
        assert.deepEqual(granted(await hf.app.get(place(some)), 200).items.map(({ seat }) => seat), ['A3']);
        assert.equal(granted(await refund(hf.app, all), 200).status, 'refunded');
        assert.deepEqual([await seatStatus(hf, event, 'A1'), await seatStatus(hf, event, 'A2'), await seatStatus(hf, event, 'A3')], ['available', 'available', 'sold']);
        assert.equal((await hf.anyone.get(`/v1/events/${event}`)).json.cancel_until_seconds, 0);
    }
    assert.deepEqual([await dues(all), await dues(some)], [all, some].map((r) => [[r.payment.ref, 500, 'refunded']]));
});
