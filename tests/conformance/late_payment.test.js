/* SPDX-License-Identifier: Apache-2.0 */
/* A payment after the deadline, reported by app, admin or the provider: confirmed if everything is free, otherwise
 * owed; also after a crash. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const { Client } = require('./lib/http.js');
const { shared, unique, ownClock } = require('./lib/server.js');
const { makeEvent, items, hold, seats, seatStatus } = require('./lib/catalogue.js');
const { refused, granted } = require('./lib/expect.js');

const hf = shared();
const place = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const commit = (r, ref) => hf.app.post(place(r, '/commit'), { payment_ref: ref });

test('free: confirmed under a new fence, permanently; half of it taken: owed, and nothing is claimed', ownClock, async () => {
    const event = await makeEvent(hf, { seats: seats('A1-A4', { price: 500 }) });
    const [free, half] = [await hold(hf.user('ann'), items(event, 'A1 A2'), { ttl_seconds: 60 }), await hold(hf.user('bob'), items(event, 'A3 A4'), { ttl_seconds: 60 })];
    hf.clock.advance(61_000);
    const sold = granted(await commit(free, 'pi_1'), 200);
    assert.equal(sold.status, 'confirmed');
    assert.ok(sold.fence > free.fence);
    assert.equal(sold.tickets.length, 2);
    await hold(hf.user('cid'), items(event, 'A4'));
    assert.match(refused(await commit(half, 'pi_2'), 409, 'expired').refund_due, /^rfd_/);
    for (let i = 0; i < 2; i++) {
        await hf.restart({ kill: true });
        const now = granted(await hf.app.get(place(free)), 200);
        assert.deepEqual([now.status, now.fence, now.tickets], ['confirmed', sold.fence, sold.tickets]);
        assert.deepEqual([await seatStatus(hf, event, 'A1'), await seatStatus(hf, event, 'A3')], ['sold', 'available']);
        assert.equal(granted(await commit(free, 'pi_1'), 200).version, sold.version);
    }
});

test('its history keeps the held items; the sale itself changed no item', ownClock, async () => {
    const event = await makeEvent(hf, { seats: seats('A1-A2', { price: 500 }) });
    const r = await hold(hf.user('ann'), items(event, 'A1 A2'), { ttl_seconds: 60 });
    const entries = async () => (await hf.admin.get(place(r, '/history'), hf.since(await hf.admin.get('/v1/keys')))).json.data;
    hf.clock.advance(61_000);
    const before = (await entries()).find(({ action }) => action === 'held');
    assert.deepEqual([before.what.items.map(({ after }) => after.seat), before.what.total], [['A1', 'A2'], { before: 0, after: 1000 }]);
    granted(await commit(r, unique('pi')), 200);
    const after = await entries();
    assert.deepEqual(after.find(({ action }) => action === 'held'), before);
    assert.deepEqual(after.map(({ action }) => action), ['held', 'expired', 'confirmed']);
    after.slice(1).forEach(({ what }) => assert.deepEqual(what, { items: [], total: { before: 1000, after: 1000 } }));
    granted(await hf.app.post(place(r, '/refund'), { items: ['2'] }), 200);
    const refunded = await entries();
    assert.deepEqual(refunded.slice(0, 3), after);
    assert.deepEqual(refunded[3].what.total, { before: 1000, after: 500 });
});

test('twice at once: one sale, and the other payment is owed', ownClock, async () => {
    const event = await makeEvent(hf, { seats: seats('A1', { price: 500 }) });
    const first = await hold(hf.user('ann'), items(event, 'A1'), { ttl_seconds: 60 });
    hf.clock.advance(61_000);
    const answers = await Promise.all(['pi_a', 'pi_a', 'pi_b'].map((ref) => commit(first, ref)));
    answers.forEach((answer) => assert.equal(answer.status, 200, answer.text));
    const { json } = await hf.app.get('/v1/refunds-due?limit=1000', hf.since(await hf.admin.get('/v1/keys')));
    assert.equal(json.data.filter((due) => due.reservation_id === first.reservation_id).length, 1);
});

/* ---- By the provider ---- */

const PROVIDER = 'whsec_0123456789abcdefghij';

/* One event signed by the provider; the same bytes however often it is sent. */
function success(r, ref, id = unique('evt')) {
    const { amount, currency } = r.total;
    const object = { id: ref, amount, amount_received: amount, currency: currency.toLowerCase(), metadata: { reservation_id: r.reservation_id } };
    const body = JSON.stringify({ id, type: 'payment_intent.succeeded', data: { object } });
    const t = Math.floor(hf.now() / 1000);
    const v1 = crypto.createHmac('sha256', PROVIDER).update(`${t}.${body}`).digest('hex');
    const headers = { 'content-type': 'application/json', 'Stripe-Signature': `t=${t},v1=${v1}` };
    return (options = {}) => hf.anyone.post('/v1/webhooks/payments', Buffer.from(body), { headers, ...options });
}

const provider = () => hf.admin.put('/v1/payments/provider', { provider: 'stripe', secret: PROVIDER });
const left = (r) => Date.parse(r.expires_at) - hf.now();
const owed = async (r) => (await hf.app.get('/v1/refunds-due?status=all&limit=1000', hf.since(await hf.admin.get('/v1/keys')))).json.data
    .filter((due) => due.reservation_id === r.reservation_id).map(({ payment_ref, amount, reason }) => [payment_ref, amount.amount, reason]);

/* What others have done with the seats A1 and A2 in between, and the result for the payment. */
const MEANWHILE = {
    'everything is free': [async () => {}, 'confirmed'],
    'held by another': [(event) => hold(hf.user('bob'), items(event, 'A1 A2')), 'refund_due'],
    'sold to another': [async (event) => {
        const other = await hold(hf.user('bob'), items(event, 'A1 A2'));
        granted(await hf.app.post(place(other, '/commit'), { payment_ref: unique('pi') }), 200);
    }, 'refund_due'],
    'half of it is free': [(event) => hold(hf.user('bob'), items(event, 'A2')), 'refund_due'],
};

for (const [what, [meanwhile, result]] of Object.entries(MEANWHILE)) {
    test(`reported by the provider a millisecond late, ${what}: ${result}`, ownClock, async () => {
        await provider();
        const event = await makeEvent(hf, { seats: seats('A1-A2', { price: 500 }) });
        const r = await hold(hf.user('ann'), items(event, 'A1 A2'), { ttl_seconds: 60 });
        hf.clock.advance(left(r) + 1);
        await meanwhile(event);
        const before = [await seatStatus(hf, event, 'A1'), await seatStatus(hf, event, 'A2')];
        const ref = unique('pi');
        assert.deepEqual((await success(r, ref)()).json, { result });
        const now = granted(await hf.app.get(place(r)), 200);
        const after = [await seatStatus(hf, event, 'A1'), await seatStatus(hf, event, 'A2')];
        if (result === 'confirmed') {
            assert.deepEqual([now.status, now.tickets.length, now.payment.ref, after], ['confirmed', 2, ref, ['sold', 'sold']]);
            assert.ok(now.fence > r.fence);
            assert.deepEqual(await owed(r), []);
        } else {
            assert.deepEqual([now.status, after], ['expired', before]);
            assert.deepEqual(await owed(r), [[ref, 1000, 'expired']]);
        }
    });
}

test('a millisecond before the deadline and at it: confirmed, the seat being free', ownClock, async () => {
    await provider();
    const event = await makeEvent(hf, { seats: seats('A1-A2', { price: 500 }) });
    for (const [seat, offset] of [['A1', -1], ['A2', 0]]) {
        const r = await hold(hf.user('ann'), items(event, seat), { ttl_seconds: 60 });
        hf.clock.advance(left(r) + offset);
        assert.deepEqual((await success(r, unique('pi'))()).json, { result: 'confirmed' });
        assert.equal(await seatStatus(hf, event, seat), 'sold');
        assert.deepEqual(await owed(r), []);
    }
});

test('late and twice at once on two connections: the same event acts once, another event of the payment changes nothing', ownClock, async () => {
    await provider();
    for (const taken of [false, true]) {
        const event = await makeEvent(hf, { seats: seats('A1', { price: 500 }) });
        const r = await hold(hf.user('ann'), items(event, 'A1'), { ttl_seconds: 60 });
        hf.clock.advance(left(r) + 1);
        if (taken) {
            await hold(hf.user('bob'), items(event, 'A1'));
        }
        const [ref, clients] = [unique('pi'), [1, 2].map(() => new Client(hf.url, { connections: 1 }))];
        const same = success(r, ref);
        const answers = await Promise.all(clients.flatMap((client) => [same({ client }), success(r, ref)({ client })]));
        clients.forEach((client) => client.close());
        const results = answers.map(({ json }) => json.result);
        assert.equal(results[0], results[2], 'the same event has two results');
        assert.equal(new Set(results.filter((one) => one === 'confirmed')).size, taken ? 0 : 1);
        assert.ok(results.every((one) => [taken ? 'refund_due' : 'confirmed', 'repeated'].includes(one)), results.join());
        assert.deepEqual(await owed(r), taken ? [[ref, 500, 'expired']] : []);
    }
});
