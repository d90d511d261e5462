/* SPDX-License-Identifier: Apache-2.0 */
/* Commit: once, idempotent by state, paid if required, and never after the deadline. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique, ownClock } = require('./lib/server.js');
const { makeEvent, seats, items, hold, seatStatus, counts } = require('./lib/catalogue.js');
const { instant, refused, invalid, granted } = require('./lib/expect.js');

const hf = shared();
const ann = () => hf.user('ann');
const path = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const commit = (caller, r, body = {}) => caller.post(path(r, '/commit'), body);
const euros = (amount) => ({ amount, currency: 'EUR' });
const PAID = { payment: 'required', seats: seats('A1-A9', { price: 500 }) };

test('commit: confirmed, with an order and a ticket for every seat and every unit', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3', pools: { floor: 5 } });
    const r = await hold(ann(), [...items(event, 'A1 A2'), { event, pool: 'floor', quantity: 3 }]);
    const sold = granted(await commit(ann(), r), 200, {
        status: 'confirmed', reservation_id: r.reservation_id, pnr: r.pnr, items: r.items, user_id: 'ann',
    });
    assert.ok(Math.abs(instant(sold.confirmed_at) - hf.now()) < 5_000);
    assert.equal(sold.tickets.length, 5);
    assert.equal(sold.tickets.filter((ticket) => ticket.pool === 'floor').length, 3);
    assert.deepEqual(sold.tickets.filter((ticket) => ticket.seat).map((ticket) => ticket.seat).sort(), [
        'A1', 'A2'
    ]);
    assert.deepEqual(await counts(hf, event), { seats: 3, available: 1, held: 0, sold: 2, blocked: 0 });
    granted(await ann().get(path(r)), 200, { tickets: sold.tickets, order_id: sold.order_id });
});

test('commit again: the same 200, whatever the second body says', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const r = await hold(ann(), items(event, 'A1'));
    const first = await commit(ann(), r, { payment_ref: 'pi_1' });
    const sold = granted(first, 200);
    for (const again of [
        await commit(ann(), r, { payment_ref: 'pi_1' }), await commit(ann(), r), await commit(hf.app, r)
    ]) {
        granted(again, 200, {
            order_id: sold.order_id, tickets: sold.tickets, confirmed_at: sold.confirmed_at,
            version: sold.version
        });
    }
});

test('sixteen commits at once are one sale', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const r = await hold(ann(), items(event, 'A1'));
    const answers = await Promise.all(Array.from({ length: 16 }, () => commit(ann(), r)));
    const orders = new Set(answers.map((answer) => granted(answer, 200).order_id));
    assert.equal(orders.size, 1);
    assert.equal(new Set(answers.map((answer) => answer.json.tickets[0].code)).size, 1);
});

test('codes of tickets cannot be guessed from one another', async () => {
    const event = await makeEvent(hf, { pools: { floor: 300 } });
    const codes = [];
    for (let i = 0; i < 3; i++) {
        const body = { user_id: 'ann', commit: true, items: [{ event, pool: 'floor', quantity: 100 }] };
        codes.push(
            ...granted(await hf.app.post('/v1/reservations', body), 201).tickets.map((ticket) => ticket.code)
        );
    }
    assert.equal(new Set(codes).size, 300);
    for (let i = 1; i < codes.length; i++) {
        const [a, b] = [codes[i - 1], codes[i]];
        const same = [...a].filter((letter, at) => letter === b[at]).length;
        assert.ok(same < a.length * 0.75, `${a} and ${b} are too much alike`);
    }
});

test('commit without any body works', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const r = await hold(ann(), items(event, 'A1'));
    granted(await ann().post(path(r, '/commit')), 200, { status: 'confirmed' });
});

test('commit takes payment_method, payment_ref, amount and attributes, and no other field', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const r = await hold(ann(), items(event, 'A1'));
    invalid(await commit(ann(), r, { amount: 5 }), '/amount');
    invalid(await commit(ann(), r, { payment_method: 5 }), '/payment_method');
    invalid(await commit(ann(), r, { payment_ref: {} }), '/payment_ref');
    invalid(await commit(ann(), r, { attributes: 'x' }), '/attributes');
    assert.equal(await seatStatus(hf, event, 'A1'), 'held');
    const body = { payment_method: 'pm_card', payment_ref: unique('pi'), attributes: { gift: true } };
    granted(await commit(ann(), r, body), 200, { status: 'confirmed', attributes: { gift: true } });
});

test('payment required: 402 for a user, not for app and admin', async () => {
    const event = await makeEvent(hf, PAID);
    const r = await hold(ann(), items(event, 'A1'));
    refused(await commit(ann(), r), 402, 'payment_required');
    refused(
        await commit(ann(), r, { payment_ref: 'pi_mine', payment_method: 'pm_card' }), 402, 'payment_required'
    );
    granted(await ann().get(path(r)), 200, { status: 'held' });
    granted(await commit(hf.app, r, { payment_ref: unique('pi') }), 200, { status: 'confirmed' });
    granted(await commit(ann(), r), 200, { status: 'confirmed' });
    const other = await hold(ann(), items(event, 'A2'));
    granted(await commit(hf.admin, other), 200, { status: 'confirmed' });
});

test('payment required: a payment_ref that has only begun never counts, no matter who sent it', async () => {
    const event = await makeEvent(hf, PAID);
    const r = await hold(ann(), items(event, 'A1'));
    granted(await ann().post(path(r, '/payment'), { payment_ref: 'pi_mine' }), 200);
    refused(await commit(ann(), r), 402, 'payment_required');
    const other = await hold(ann(), items(event, 'A2'));
    granted(await hf.app.post(path(other, '/payment'), { payment_ref: unique('pi') }), 200);
    refused(await commit(ann(), other), 402, 'payment_required');
});

test('app and admin see the payment, and the owner sees what is kept', async () => {
    const event = await makeEvent(hf, PAID);
    const r = await hold(ann(), items(event, 'A1'));
    assert.deepEqual(r.paid, euros(0));
    granted(await hf.app.get(path(r)), 200, { payment: null });
    granted(await ann().post(path(r, '/payment'), { payment_ref: 'pi_mine' }), 200, { paid: euros(0) });
    granted(await hf.admin.get(path(r)), 200, { payment: null });
    const [ref, other] = [unique('pi'), unique('pi')];
    granted(await hf.app.post(path(r, '/payment'), { payment_ref: ref }), 200);
    granted(await ann().get(path(r)), 200, { paid: euros(0) });
    const { payment } = granted(await commit(hf.app, r, { payment_ref: ref, payment_method: 'card' }), 200, { balance: euros(0) });
    assert.deepEqual(payment, { method: 'card', ref, recorded_at: payment.recorded_at });
    const { manage_token: token } = granted(await commit(ann(), r, { payment_ref: 'pi_mine', payment_method: 'cash' }), 200, { paid: euros(500) });
    for (const caller of [hf.app, hf.admin]) {
        granted(await caller.get(path(r)), 200, { payment });
        granted(await commit(caller, r), 200, { payment });
        const { data } = (await caller.get(`/v1/reservations?event=${event}`, hf.since(await hf.anyone.get('/healthz')))).json;
        assert.deepEqual(data.map((one) => [one.payment, one.payments[0].kept]), [[payment, 500]]);
    }
    const managed = await hf.anyone.get(path(r), { headers: { authorization: `Bearer ${token}` } });
    granted(managed, 200, { paid: euros(500) });
    assert.ok(!managed.text.includes(ref) && !/"payments?"/.test(managed.text));
    const { data } = (await ann().get(`/v1/reservations?event=${event}`, hf.since(managed))).json;
    assert.deepEqual(data.map((one) => [one.paid, 'payment' in one]), [[euros(500), false]]);
    const one = { items: items(event, 'A2'), user_id: 'ann', commit: true, payment_ref: other, payment_method: 'cash' };
    const headers = { 'idempotency-key': `p-${event}` };
    const bought = granted(await hf.app.post('/v1/reservations', one, { headers }), 201);
    assert.deepEqual(bought.payment, { method: 'cash', ref: other, recorded_at: bought.confirmed_at });
    const again = await hf.app.post('/v1/reservations', one, { headers });
    assert.equal(again.headers['idempotent-replayed'], 'true');
    granted(again, 201, { payment: bought.payment });
});

test('a user\'s own payment_ref is accepted and never kept, its payment_method is', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A2' });
    const r = await hold(ann(), items(event, 'A1'));
    granted(await commit(ann(), r, { payment_ref: 'pi_mine' }), 200, { paid: euros(0) });
    granted(await hf.app.get(path(r)), 200, { payment: null });
    const other = await hold(ann(), items(event, 'A2'));
    granted(await commit(ann(), other, { payment_ref: 'pi_mine', payment_method: 'card' }), 200, { paid: euros(0) });
    const { payment } = granted(await hf.app.get(path(other)), 200);
    assert.deepEqual(payment, { method: 'card', ref: null, recorded_at: payment.recorded_at });
});

test('payment required, but nothing to pay: a user can confirm', async () => {
    const event = await makeEvent(hf, { payment: 'required', seats: seats('A1', { price: 0 }) });
    granted(await commit(ann(), await hold(ann(), items(event, 'A1'))), 200, { status: 'confirmed' });
});

test('payment none: a user can confirm at any price', async () => {
    const event = await makeEvent(hf, { payment: 'none', seats: seats('A1', { price: 99 }) });
    granted(await commit(ann(), await hold(ann(), items(event, 'A1'))), 200, { status: 'confirmed' });
});

test('payment is required if any item requires it', async () => {
    const paid = await makeEvent(hf, { payment: 'required', seats: seats('A1', { price: 0 }) });
    const free = await makeEvent(hf, { payment: 'none', seats: seats('A1', { price: 500 }) });
    const r = await hold(ann(), [...items(free, 'A1'), ...items(paid, 'A1')]);
    refused(await commit(ann(), r), 402, 'payment_required');
});

test('commit of a released one: already_released', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const r = await hold(ann(), items(event, 'A1'));
    granted(await ann().post(path(r, '/release'), {}), 200);
    refused(await commit(ann(), r), 409, 'already_released');
    refused(await commit(hf.app, r, { payment_ref: unique('pi') }), 409, 'already_released');
});

test('commit after the deadline: expired, for a user and for an app', ownClock, async () => {
    const event = await makeEvent(hf, { seats: 'A1-A2', hold_ttl_seconds: 30 });
    const one = await hold(ann(), items(event, 'A1'));
    const two = await hold(ann(), items(event, 'A2'));
    hf.clock.advance(31_000);
    refused(await commit(ann(), one), 409, 'expired');
    refused(await commit(hf.app, two), 409, 'expired');
    assert.equal((await counts(hf, event)).sold, 0);
});

test('a sold seat does not expire', ownClock, async () => {
    const event = await makeEvent(hf, { seats: 'A1', hold_ttl_seconds: 30 });
    const r = await hold(ann(), items(event, 'A1'));
    const sold = granted(await commit(ann(), r), 200);
    hf.clock.advance(10 * 24 * 3600_000);
    granted(await commit(ann(), r), 200, { order_id: sold.order_id, tickets: sold.tickets });
    assert.equal(await seatStatus(hf, event, 'A1'), 'sold');
    refused(await hf.user('bob').post('/v1/reservations', { items: items(event, 'A1') }), 409, 'taken');
});

test('ownership: another user finds nothing, an app that names another owner is refused', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const r = await hold(ann(), items(event, 'A1'));
    refused(await commit(hf.user('bob'), r), 404, 'no_such_reservation');
    refused(await commit(hf.user('bob'), r, { user_id: 'ann' }), 403, 'not_owner');
    refused(await commit(hf.app, r, { user_id: 'bob' }), 403, 'not_owner');
    refused(await commit(ann(), r, { user_id: 'bob' }), 403, 'not_owner');
    granted(await commit(hf.app, r, { user_id: 'ann' }), 200, { status: 'confirmed' });
});
