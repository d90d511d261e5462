/* SPDX-License-Identifier: Apache-2.0 */
/* The ledger: what was received for a payment is kept by a sale, returned or owed, to the cent, no matter who reports it
 * first. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique, ownProcess, ownClock } = require('./lib/server.js');
const { makeEvent, items, hold, seats, whole } = require('./lib/catalogue.js');
const { refused, invalid, granted, payment } = require('./lib/expect.js');
const { put, event, success, failure, charge, tell, became, since, row, sums, dues, events } = require('./lib/provider.js');

const hf = shared();
const place = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const commit = (who, r, body = {}) => who.post(place(r, '/commit'), body);
const euros = (amount, currency = 'EUR') => ({ amount, currency });
const ref = () => unique('pi');

test.beforeEach(async () => assert.equal((await put(hf)).status, 200));

/* Row A costs 10000 a seat, row B 4000. */
const hall = (more = {}) => makeEvent(hf, { payment: 'required', seats: [...seats('A1-A4', { price: 10000 }), ...seats('B1-B4', { price: 4000 })], ...more });
const held = async (seat, more, user = 'ann') => hold(hf.user(user), items(await hall(more), seat));
const move = (who, r, seat, item = '1') => who.patch(place(r, `/items/${item}`), { seat });
const done = (due, body = {}) => hf.app.post(`/v1/refunds-due/${due.id}/done`, body);

test('a payment that has only begun never confirms, is never owed and belongs to no reservation', ownClock, async () => {
    const p = ref();
    const [r, other] = [await held('A1', { payment_ttl_seconds: 60 }), await held('A1')];
    granted(await hf.app.post(place(r, '/payment'), { payment_ref: p }), 200, { status: 'held' });
    const begun = await row(hf, p);
    assert.deepEqual([begun.status, begun.received_by, begun.reservation_id, begun.received, begun.owed], ['begun', null, r.reservation_id, 0, 0]);
    const no = refused(await commit(hf.user('ann'), r), 402, 'payment_required');
    assert.equal(no.refund_due, undefined);
    granted(await hf.app.post(place(other, '/payment'), { payment_ref: p }), 200);
    assert.equal((await row(hf, p)).reservation_id, other.reservation_id);
    hf.clock.advance(3_600_000);
    refused(await commit(hf.user('ann'), r), 409, 'expired');
    assert.deepEqual(await dues(hf, r, 'all'), []);
});

test('moved by staff to a cheaper seat the difference is owed, moved back it is withdrawn, once returned it is missing', async () => {
    const p = ref(), r = await held('A1');
    granted(await commit(hf.app, r, { payment_ref: p, amount: euros(10000) }), 200);
    granted(await move(hf.app, r, 'B1'), 200, { total: euros(4000), balance: euros(0) });
    const [due] = await dues(hf, r);
    assert.deepEqual([due.amount, due.reason, due.status, due.received_by, due.disputed], [euros(6000), 'moved', 'open', 'app', false]);
    granted(await move(hf.app, r, 'A1'), 200, { balance: euros(0) });
    assert.deepEqual((await dues(hf, r, 'all')).map(({ id, status }) => [id, status]), [[due.id, 'withdrawn']]);
    granted(await move(hf.app, r, 'B1'), 200);
    await became(tell(hf, charge(p, 2500)), 'returned');
    granted(await move(hf.app, r, 'A1'), 200, { balance: euros(2500) });
    assert.deepEqual(await sums(hf, p), { received: 10000, kept: 7500, returned: 2500, owed: 0, discrepancy: 'gone_back' });
    const wrong = await whole(hf.app, '/v1/payments?discrepancy=true&limit=1000', await since(hf));
    assert.ok(wrong.some((one) => one.payment_ref === p) && wrong.every((one) => one.discrepancy));
});

test('moved to a more expensive seat there is a balance, which a second payment covers; its owner gets back what was paid', ownClock, async () => {
    const [p, q] = [ref(), ref()];
    const r = await held('B1', { cancel_until_seconds: 0 }), s = await held('B1', { cancel_until_seconds: 0 });
    for (const [one, name] of [[r, p], [s, q]]) {
        granted(await commit(hf.app, one, { payment_ref: name }), 200);
        granted(await move(hf.app, one, 'A1'), 200, { total: euros(10000), balance: euros(6000) });
    }
    granted(await hf.user('ann').post(place(r, '/cancel')), 200, { status: 'cancelled' });
    assert.deepEqual((await dues(hf, r)).map(({ amount, reason }) => [amount.amount, reason]), [[4000, 'cancelled']]);
    const more = ref();
    granted(await commit(hf.app, s, { payment_ref: more }), 200, { balance: euros(0) });
    assert.deepEqual(await sums(hf, more), { received: 6000, kept: 6000, returned: 0, owed: 0, discrepancy: null });
    assert.equal(granted(await hf.user('ann').get(place(s)), 200).paid.amount, 10000);
});

test('the provider reports less, another currency, or a failure: kept as it is, and shown as a discrepancy', async () => {
    const [p, q, f] = [ref(), ref(), ref()];
    const r = await held('A1'), s = await held('A1'), t = await held('A1');
    for (const [one, name] of [[r, p], [s, q], [t, f]]) {
        granted(await commit(hf.app, one, { payment_ref: name }), 200, { balance: euros(0) });
    }
    assert.equal((await row(hf, p)).received_by, 'assumed');
    await became(tell(hf, success(r, p, 100)), 'amount_mismatch');
    assert.deepEqual(await sums(hf, p), { received: 100, kept: 100, returned: 0, owed: 0, discrepancy: 'short' });
    granted(await hf.app.post(place(r, '/refund'), {}), 200);
    assert.deepEqual((await dues(hf, r)).map(({ amount }) => amount), [euros(100)]);
    await became(tell(hf, success(s, q, 9000, { currency: 'chf' })), 'currency_mismatch');
    const chf = await row(hf, q);
    assert.deepEqual([chf.kept, chf.currency, chf.discrepancy, chf.owed], [9000, 'CHF', 'currency', 0]);
    assert.deepEqual(granted(await hf.app.get(place(s)), 200).balance, euros(10000));
    await became(tell(hf, failure(t, f)), 'failed');
    assert.deepEqual([(await row(hf, f)).status, (await row(hf, f)).received], ['failed', 0]);
    await became(tell(hf, success(t, f)), 'recorded');
    await became(tell(hf, failure(t, f)), 'repeated');
    assert.deepEqual(await sums(hf, f), { received: 10000, kept: 10000, returned: 0, owed: 0, discrepancy: null });
});

test('one payment buys one reservation, by webhook and by app, also after a restart', ownProcess, async () => {
    const p = ref();
    const r = await held('A1'), s = await held('A1', {}, 'bob');
    granted(await commit(hf.app, r, { payment_ref: p }), 200);
    for (let i = 0; i < 2; i++) {
        const used = refused(await commit(hf.app, s, { payment_ref: p }), 409, 'payment_used');
        assert.deepEqual([used.reservation_id, used.refund_due], [r.reservation_id, undefined]);
        refused(await hf.app.post(place(s, '/payment'), { payment_ref: p }), 409, 'payment_used');
        await became(tell(hf, success(s, p)), 'payment_used');
        await hf.restart({ kill: i === 0 });
    }
    assert.equal((await hf.app.get(place(s))).json.status, 'held');
    const seat = items(await hall(), 'A1');
    const buy = await hf.app.post('/v1/reservations', { user_id: 'cid', items: seat, commit: true, payment_ref: p });
    assert.equal(refused(buy, 409, 'payment_used').reservation_id, r.reservation_id);
    assert.deepEqual((await events(hf, p)).filter(({ type }) => type === 'hold').map(({ result }) => result), ['rejected']);
    assert.deepEqual(await sums(hf, p), { received: 10000, kept: 10000, returned: 0, owed: 0, discrepancy: null });
});

test('a refund reported first by the provider is not owed again; in parts, twice, failed and disputed', async () => {
    const p = ref(), r = await held('A1');
    granted(await commit(hf.app, r, { payment_ref: p }), 200);
    await became(tell(hf, charge(p, 10000)), 'returned');
    await became(tell(hf, charge(p, 10000)), 'repeated');
    granted(await hf.app.post(place(r, '/refund'), {}), 200);
    assert.deepEqual(await dues(hf, r, 'all'), []);
    const refund = { id: unique('re'), object: 'refund', payment_intent: p, amount: 10000, currency: 'eur', status: 'failed' };
    await became(tell(hf, event('refund.failed', refund)), 'refund_due');
    await became(tell(hf, event('charge.refund.updated', refund)), 'repeated');
    assert.equal((await sums(hf, p)).owed, 10000); /* by now the book has them */
    await became(tell(hf, event('charge.refund.updated', refund)), 'repeated');
    await became(tell(hf, event('charge.refund.updated', { ...refund, id: unique('re'), status: 'succeeded' })), 'ignored');
    assert.equal((await sums(hf, p)).owed, 10000);
    const dispute = { id: unique('dp'), object: 'dispute', payment_intent: p, amount: 10000, currency: 'eur' };
    await became(tell(hf, event('charge.dispute.created', dispute)), 'recorded');
    assert.equal((await row(hf, p)).discrepancy, 'disputed');
    assert.equal((await dues(hf, r))[0].disputed, true);
    await became(tell(hf, event('charge.dispute.funds_withdrawn', dispute)), 'returned');
    await became(tell(hf, event('charge.dispute.funds_withdrawn', dispute)), 'repeated');
    assert.deepEqual([(await sums(hf, p)).returned, (await sums(hf, p)).owed], [10000, 0]);
    await became(tell(hf, event('charge.dispute.funds_reinstated', dispute)), 'refund_due');
    assert.deepEqual(await sums(hf, p), { received: 10000, kept: 0, returned: 0, owed: 10000, discrepancy: null });
    await became(tell(hf, charge(ref(), 10)), 'ignored');
});

test('a success for an unknown reservation is a row, owed, shown as a discrepancy; one that names none is not ours', async () => {
    const [p, q] = [ref(), ref()];
    const nobody = { reservation_id: `res_${'0'.repeat(25)}1`, total: euros(500) };
    await became(tell(hf, success(nobody, p)), 'unknown_reservation');
    const unknown = await row(hf, p);
    assert.deepEqual([unknown.status, unknown.owed, unknown.discrepancy], ['received', 500, 'unknown_reservation']);
    const due = (await whole(hf.app, '/v1/refunds-due?limit=1000', await since(hf))).find((one) => one.payment_ref === p);
    assert.deepEqual([due.amount, due.reason], [euros(500), 'unknown_reservation']);
    await became(tell(hf, success(nobody, q, 500, { metadata: {} })), 'ignored');
    assert.equal(await row(hf, q), null);
    await became(tell(hf, success({ reservation_id: 'order-4711', total: euros(1) }, q)), 'unknown_reservation');
    assert.equal((await row(hf, q)).reservation_id, null);
});

test('a guest who has paid cannot move to something more expensive; seats and times alike', async () => {
    const guest = hf.user(`guest_${unique()}`);
    const free = await hall({ payment: 'none' });
    const r = await hold(guest, items(free, 'B1'));
    await became(tell(hf, success(r, ref())), 'confirmed');
    refused(await move(guest, r, 'A1'), 402, 'payment_required');
    const s = await hold(guest, items(free, 'A2'));
    await became(tell(hf, success(s, ref())), 'confirmed');
    assert.deepEqual(granted(await move(guest, s, 'B2'), 200).total, euros(10000), 'a cheaper one keeps the price');
    assert.deepEqual(await dues(hf, s, 'all'), []);
    const unpaid = await hold(guest, items(free, 'B3'));
    granted(await commit(guest, unpaid), 200);
    granted(await move(guest, unpaid, 'A3'), 200, { total: euros(10000) });
});

test('a refund due has one id until any of it is returned, and a changed one is paid back with its amount', async () => {
    const p = ref();
    const r = await hold(hf.user('ann'), items(await hall(), 'A1 A2 B1'));
    granted(await commit(hf.app, r, { payment_ref: p }), 200);
    granted(await hf.app.post(place(r, '/refund'), { items: ['1'] }), 200);
    const [first] = await dues(hf, r);
    granted(await hf.app.post(place(r, '/refund'), { items: ['2'], reason: 'rained off' }), 200);
    const [grown, ...more] = await dues(hf, r);
    assert.deepEqual([grown.id, grown.amount, grown.reason, more], [first.id, euros(20000), 'rained off', []]);
    refused(await done(grown), 409, 'refund_changed');
    invalid(await done(grown, { amount: euros(20000, 'CHF') }), '/amount/currency');
    invalid(await done(grown, { amount: euros(0) }), '/amount/amount');
    const paid = await done(grown, { amount: euros(15000) });
    assert.deepEqual([paid.status, paid.json.status, paid.json.amount], [200, 'done', euros(15000)]);
    assert.deepEqual((await done(grown)).json, paid.json);
    const [rest] = await dues(hf, r);
    assert.deepEqual([rest.id === grown.id, rest.amount], [false, euros(5000)]);
    assert.equal((await done(rest, { outside: true })).status, 200);
    await became(tell(hf, charge(p, 15000)), 'returned');
    assert.deepEqual(await sums(hf, p), { received: 24000, kept: 4000, returned: 20000, owed: 0, discrepancy: null });
    granted(await hf.app.post(place(r, '/refund'), { paid_back: true }), 200, { status: 'refunded' });
    assert.deepEqual(await sums(hf, p), { received: 24000, kept: 0, returned: 24000, owed: 0, discrepancy: null });
});

test('an amount comes with a payment_ref; too little is 402 and owed; a hold that buys accepts one too', async () => {
    const p = ref(), r = await held('A1');
    invalid(await commit(hf.app, r, { amount: euros(10000) }), '/amount');
    const no = refused(await commit(hf.app, r, { payment_ref: p, amount: euros(9999) }), 402, 'payment_required');
    assert.match(no.refund_due, /^rfd_\d+$/);
    assert.deepEqual((await dues(hf, r)).map(({ id, amount, reason }) => [id, amount, reason]), [[no.refund_due, euros(9999), 'amount_mismatch']]);
    const event1 = await hall(), q = ref();
    const buy = (amount, name = q) => hf.app.post('/v1/reservations', { user_id: 'ann', items: items(event1, 'A1'), commit: true, payment_ref: name, amount });
    refused(await buy(euros(9999)), 402, 'payment_required');
    assert.equal(await row(hf, q), null, 'a refused hold makes no row');
    assert.deepEqual((await events(hf, q)).map(({ type, result, amount }) => [type, result, amount]), [['hold', 'rejected', euros(9999)]]);
    const bought = granted(await buy(euros(10500)), 201, { status: 'confirmed', balance: euros(0) });
    assert.deepEqual((await dues(hf, bought)).map(({ amount, reason }) => [amount, reason]), [[euros(500), 'overpaid']]);
    invalid(await hf.app.post('/v1/reservations', { user_id: 'ann', items: items(event1, 'A2'), commit: true, amount: euros(1) }), '/amount');
});

test('lists of payments: newest first, by reservation and status; app and admin only', async () => {
    const [p, q] = [ref(), ref()], r = await held('A1');
    granted(await hf.app.post(place(r, '/payment'), { payment_ref: p }), 200);
    granted(await commit(hf.app, r, { payment_ref: q }), 200);
    const of = async (rest = '') => (await whole(hf.app, `/v1/payments?reservation_id=${r.reservation_id}${rest}&limit=1`, await since(hf)))
        .map((one) => payment(one).payment_ref);
    assert.deepEqual(await of(), [q, p]);
    assert.deepEqual(await of('&status=begun'), [p]);
    assert.deepEqual(await of('&status=failed'), []);
    assert.equal((await row(hf, q)).events.length, 0);
    refused(await hf.user('ann').get('/v1/payments'), 403, 'forbidden');
    refused(await hf.user('ann').get(`/v1/payments/${q}`), 403, 'forbidden');
    refused(await hf.app.get('/v1/payment-events'), 403, 'forbidden');
    refused(await hf.app.get(`/v1/payments/${'x'.repeat(256)}`), 404, 'no_such_payment');
    invalid(await hf.app.get('/v1/payments?status=paid'), '?status');
    invalid(await hf.app.get('/v1/payments?discrepancy=1'), '?discrepancy');
    invalid(await hf.app.get('/v1/payments?reservation_id=x'), '?reservation_id');
    const odd = `pay/ment ${unique('x')}?ä`;
    const s = await held('A1');
    granted(await commit(hf.app, s, { payment_ref: odd }), 200);
    assert.equal((await row(hf, odd)).payment_ref, odd);
});

test('the report of money is the ledger, to the cent, by day and zone; days that are over never change', ownClock, async () => {
    const start = hf.now();
    const from = new Date(start).toISOString();
    const total = async (query = '') => {
        const answer = await hf.admin.get(`/v1/reports/money?from=${from}${query}`, await since(hf));
        assert.equal(answer.status, 200, answer.text);
        return answer.json.data;
    };
    const mine = [];
    for (let i = 0; i < 12; i++) {
        const r = await held(i % 2 ? 'A1' : 'B1'), p = ref();
        mine.push(p);
        granted(await commit(hf.app, r, { payment_ref: p }), 200);
        if (i % 3 === 0) {
            granted(await move(hf.app, r, i % 2 ? 'B2' : 'A2'), 200);
        }
        if (i % 4 === 0) {
            assert.equal((await tell(hf, success(r, p, 7000 + i))).status, 200);
        }
        if (i % 5 === 0) {
            granted(await hf.app.post(place(r, '/refund'), {}), 200);
            await tell(hf, charge(p, 1000 * i));
        }
        hf.clock.advance(7 * 3_600_000);
    }
    const rows = await Promise.all(mine.map((p) => row(hf, p)));
    const sum = (list, field) => list.reduce((all, one) => all + one[field], 0);
    for (const query of ['', '&timezone=Pacific/Auckland', '&timezone=America/St_Johns']) {
        const days = await total(query);
        for (const field of ['received', 'kept', 'returned', 'owed']) {
            assert.equal(sum(days, field), sum(rows, field), `${field} ${query}`);
        }
        assert.ok(days.length >= 3 && days.every(({ day, currency }) => /^\d{4}-\d\d-\d\d$/.test(day) && currency === 'EUR'));
        assert.deepEqual(days.map(({ day }) => day), days.map(({ day }) => day).sort());
    }
    const before = await total();
    const r = await held('A1'), p = ref();
    granted(await commit(hf.app, r, { payment_ref: p }), 200);
    assert.deepEqual((await total()).slice(0, before.length - 1), before.slice(0, -1));
    invalid(await hf.admin.get('/v1/reports/money?timezone=Mars/Base'), '?timezone');
    refused(await hf.app.get('/v1/reports/money'), 403, 'forbidden');
    const csv = await hf.admin.get(`/v1/reports/money?from=${from}`, { headers: { ...(await since(hf)).headers, accept: 'text/csv' } });
    assert.match(csv.text, /^day,currency,received,kept,returned,owed\r\n\d{4}-/);
});
