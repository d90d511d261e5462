/* SPDX-License-Identifier: Apache-2.0 */
/* Refunds due: no payment of app or admin vanishes, each is owed once, and a payback is recorded. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique, ownProcess, ownClock } = require('./lib/server.js');
const { makeEvent, items, hold, seats, whole } = require('./lib/catalogue.js');
const { refused, granted, instant } = require('./lib/expect.js');
const { dues: duesOf } = require('./lib/provider.js');

const hf = shared();
const place = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const commit = (who, r, body) => who.post(place(r, '/commit'), body);

const dues = (r, status) => duesOf(hf, r, status);

test('a payment after the deadline keeps its 409 and is owed once; marking it done answers the same again', ownClock, async () => {
    const event = await makeEvent(hf, { pools: { floor: { capacity: 9, price: 1000 } }, late_payment: 'refund' });
    const r = await hold(hf.user('ann'), [{ event, pool: 'floor', quantity: 2 }], { ttl_seconds: 60 });
    hf.clock.advance(61_000);
    const buyers = refused(await commit(hf.user('ann'), r, { payment_ref: 'mine' }), 409, 'expired');
    assert.equal(buyers.refund_due, undefined);
    const [ref, second] = [unique('pi'), unique('pi')];
    const first = refused(await commit(hf.app, r, { payment_ref: ref }), 409, 'expired');
    assert.match(first.refund_due, /^rfd_\d+$/);
    const again = refused(await commit(hf.app, r, { payment_ref: ref }), 409, 'expired');
    assert.equal(again.refund_due, first.refund_due);
    assert.equal(refused(await hf.admin.post(place(r, '/payment'), { payment_ref: second }), 409, 'expired').refund_due, undefined, 'it has only begun');
    const other = refused(await commit(hf.admin, r, { payment_ref: second }), 409, 'expired');
    assert.notEqual(other.refund_due, first.refund_due);
    const [one, two, ...more] = await dues(r);
    assert.deepEqual(more, []);
    assert.deepEqual({ ...one, created_at: instant(one.created_at) > 0 }, {
        id: first.refund_due, reservation_id: r.reservation_id, payment_ref: ref, amount: { amount: 2000, currency: 'EUR' },
        reason: 'expired', status: 'open', received_by: 'assumed', disputed: false, created_at: true, done_at: null,
    });
    assert.equal(two.payment_ref, second);
    const done = await hf.app.post(`/v1/refunds-due/${one.id}/done`, {});
    assert.equal(done.status, 200, done.text);
    assert.ok(instant(done.json.done_at) >= instant(one.created_at));
    assert.deepEqual((await hf.admin.post(`/v1/refunds-due/${one.id}/done`)).json, done.json);
    assert.deepEqual((await dues(r)).map(({ id }) => id), [two.id]);
    assert.deepEqual(await dues(r, 'done'), [done.json]);
    assert.deepEqual((await dues(r, 'all')).map(({ id }) => id), [one.id, two.id]);
    assert.equal(refused(await commit(hf.app, r, { payment_ref: ref }), 409, 'expired').refund_due, one.id);
    assert.equal((await dues(r, 'all')).length, 2);
});

test('on a confirmed reservation the recorded payment changes nothing, another one is owed', ownProcess, async () => {
    const event = await makeEvent(hf, { seats: seats('A1-A3', { price: 500 }) });
    const r = await hold(hf.user('ann'), items(event, 'A1'));
    const [first, second] = [unique('pi'), unique('pi')];
    const sold = granted(await commit(hf.app, r, { payment_ref: first }), 200);
    assert.equal(granted(await commit(hf.app, r, { payment_ref: first }), 200).version, sold.version);
    assert.deepEqual(await dues(r), []);
    assert.equal(granted(await commit(hf.app, r, { payment_ref: second }), 200).version, sold.version);
    granted(await commit(hf.user('ann'), r, { payment_ref: 'pi_3' }), 200);
    const due = await dues(r);
    assert.deepEqual(due.map(({ payment_ref: ref, reason }) => [ref, reason]), [[second, 'paid_twice']]);
    refused(await hf.app.post(place(r, '/payment'), { payment_ref: second }), 409, 'already_confirmed');
});

test('what is owed survives a crash, and so does a payback', ownProcess, async () => {
    const event = await makeEvent(hf, { seats: seats('A1-A3', { price: 500 }) });
    const [open, paid] = [await hold(hf.user('ann'), items(event, 'A1')), await hold(hf.user('bob'), items(event, 'A2'))];
    for (const r of [open, paid]) {
        granted(await hf.app.delete(place(r)), 200);
        r.ref = unique('pi');
        r.due = refused(await commit(hf.app, r, { payment_ref: r.ref }), 409, 'already_released').refund_due;
    }
    assert.notEqual(open.due, paid.due);
    const { json: done } = await hf.app.post(`/v1/refunds-due/${paid.due}/done`, {});
    for (let i = 0; i < 2; i++) {
        await hf.restart({ kill: true });
        for (const r of [open, paid]) {
            assert.equal(refused(await commit(hf.app, r, { payment_ref: r.ref }), 409, 'already_released').refund_due, r.due);
        }
        assert.deepEqual((await hf.app.post(`/v1/refunds-due/${paid.due}/done`, {})).json, done);
    }
    assert.deepEqual((await dues(open)).map(({ id }) => id), [open.due]);
    assert.deepEqual(await dues(paid), []);
});

/* The entries of a reservation's history about refunds. */
async function told(who, r) {
    const entries = await whole(who, place(r, '/history?limit=100'), hf.since(await hf.admin.get('/v1/keys')));
    return entries.filter(({ refund }) => refund);
}

test('the history shows each refund due and its end, by whom and why; the owner sees no reference', ownClock, async () => {
    const event = await makeEvent(hf, { pools: { floor: { capacity: 9, price: 1000 } }, late_payment: 'refund' });
    const late = await hold(hf.user('ann'), [{ event, pool: 'floor', quantity: 2 }], { ttl_seconds: 60 });
    const ref = unique('pi');
    hf.clock.advance(61_000);
    const id = refused(await commit(hf.app, late, { payment_ref: ref }), 409, 'expired').refund_due;
    refused(await commit(hf.app, late, { payment_ref: ref }), 409, 'expired');
    const done = await hf.admin.post(`/v1/refunds-due/${id}/done`, {});
    const refund = { id, payment_ref: ref, amount: { amount: 2000, currency: 'EUR' } };
    const short = ({ action, actor, reason, status, version, refund: of }) => [action, actor, reason, status, version, of];
    const staff = await told(hf.app, late);
    assert.deepEqual(staff.map(short), [
        ['refund_due', `app:${hf.app.name}`, 'expired', 'expired', 2, refund],
        ['refund_done', 'admin', 'expired', 'expired', 2, refund],
    ]);
    assert.equal(`rfd_${staff[0].seq}`, id);
    assert.equal(staff[1].at, done.json.done_at);
    assert.deepEqual(staff.map(({ what }) => what), Array(2).fill({ items: [], total: { before: 2000, after: 2000 } }));
    assert.deepEqual((await told(hf.user('ann'), late)).map(({ refund: of }) => of), Array(2).fill({ ...refund, payment_ref: null }));
    await hf.restart({ kill: true });
    assert.deepEqual(await told(hf.app, late), staff);
});

test('a withdrawn refund due stays in the history', async () => {
    const event = await makeEvent(hf, { seats: [...seats('A1', { price: 1000 }), ...seats('B1', { price: 400 })] });
    const r = await hold(hf.user('ann'), items(event, 'A1'));
    const [ref, second] = [unique('pi'), unique('pi')];
    const { version } = granted(await commit(hf.app, r, { payment_ref: ref }), 200);
    for (const seat of ['B1', 'A1']) {
        granted(await hf.app.patch(place(r, '/items/1'), { seat }), 200);
    }
    granted(await commit(hf.app, r, { payment_ref: second }), 200);
    assert.deepEqual((await told(hf.app, r)).map((one) => [one.action, one.status, one.reason, one.refund.payment_ref, one.version]), [
        ['refund_due', 'confirmed', 'moved', ref, version + 1],
        ['refund_withdrawn', 'confirmed', 'moved', ref, version + 2],
        ['refund_due', 'confirmed', 'paid_twice', second, version + 2],
    ]);
});

test('the list has pages and comes as CSV; only app and admin see it', async () => {
    const event = await makeEvent(hf, { pools: { floor: { capacity: 50, price: 700 } } });
    const made = [];
    for (const ref of ['=1+1', 'b,"c', unique('pi')]) {
        const r = await hold(hf.user('ann'), [{ event, pool: 'floor', quantity: 1 }]);
        await hf.app.delete(place(r));
        made.push({ ...r, due: refused(await commit(hf.app, r, { payment_ref: ref }), 409, 'already_released').refund_due });
    }
    const since = hf.since(await hf.admin.get('/v1/keys'));
    const all = await whole(hf.app, '/v1/refunds-due?limit=1000', since);
    assert.deepEqual(await whole(hf.app, '/v1/refunds-due?limit=2', since), all);
    assert.deepEqual(all.slice(-3).map(({ id }) => id), made.map(({ due }) => due));
    const { text, headers } = await hf.admin.get('/v1/refunds-due', { headers: { ...since.headers, accept: 'text/csv' } });
    assert.match(headers['content-type'], /^text\/csv/);
    const lines = text.split('\r\n');
    assert.equal(lines[0], 'id,reservation_id,payment_ref,amount,currency,reason,created_at,done_at,status,received_by,disputed');
    const line = ({ due }) => lines.find((one) => one.startsWith(`${due},`));
    assert.match(line(made[0]), /^rfd_\d+,res_\w+,'=1\+1,700,EUR,released,[^,]+,,open,assumed,false$/);
    assert.match(line(made[1]), /,"b,""c",/);
    refused(await hf.user('ann').get('/v1/refunds-due'), 403, 'forbidden');
    refused(await hf.anyone.get('/v1/refunds-due'), 401, 'unauthenticated');
    refused(await hf.app.get('/v1/refunds-due?status=lost'), 400, 'invalid');
    for (const id of ['rfd_0', 'rfd_01', 'rfd_99999999999999999999', 'rfd_999', 'rfd_', 'x', `rfd_1${unique()}`]) {
        refused(await hf.app.post(`/v1/refunds-due/${id}/done`, {}), 404, 'no_such_refund');
    }
});
