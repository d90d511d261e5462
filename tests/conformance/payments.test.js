/* SPDX-License-Identifier: Apache-2.0 */
/* Events of the payment provider: only signed ones count, each once, and no payment is lost. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const { Server, shared, unique, ownProcess, ownClock } = require('./lib/server.js');
const { makeEvent, hold, seats, whole } = require('./lib/catalogue.js');
const { refused, invalid, granted } = require('./lib/expect.js');
const { SECRET, hmac, seconds, put, event, success, signed, send, tell, became, since, dues, events } = require('./lib/provider.js');

const STANDARD = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const hf = shared();
const place = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;

test.beforeEach(async () => {
    const done = await put(hf);
    assert.equal(done.status, 200, done.text);
});

async function floor(server = hf, more = {}) {
    return makeEvent(server, { pools: { floor: { capacity: 99, price: 1000 } }, ...more });
}
const one = (server, event, user = 'ann', more = {}) => hold(server.user(user), [{ event, pool: 'floor', quantity: 2 }], more);
const status = async (server, r) => (await server.app.get(place(r))).json.status;

test('more than the total confirms, and the excess is owed in the same step, once', async () => {
    const [told, known] = [await one(hf, await floor()), await one(hf, await floor())];
    const refs = [unique('pi'), unique('pi')];
    await became(tell(hf, success(told, refs[0], 2300)), 'confirmed');
    await became(tell(hf, success(told, refs[0], 2300)), 'repeated');
    const [due, ...more] = await dues(hf, told);
    assert.deepEqual(more, []);
    assert.deepEqual([due.payment_ref, due.amount.amount, due.reason], [refs[0], 300, 'overpaid']);
    assert.equal((await events(hf, refs[0]))[0].refund_due, due.id);
    granted(await hf.app.post(place(known, '/commit'), { payment_ref: refs[1] }), 200);
    await became(tell(hf, success(known, refs[1], 2000)), 'recorded');
    await became(tell(hf, success(known, refs[1], 2001)), 'refund_due');
    assert.deepEqual((await dues(hf, known)).map(({ amount, reason }) => [amount.amount, reason]), [[1, 'overpaid']]);
    const history = await whole(hf.user('ann'), place(known, '/history'), await since(hf));
    assert.deepEqual(history.slice(-2).map(({ action, actor, reason }) => [action, actor, reason]),
        [['payment_received', 'payment', null], ['refund_due', 'payment', 'overpaid']]);
    granted(await hf.app.post(place(told, '/refund'), {}), 200);
    assert.deepEqual((await dues(hf, told)).map(({ id, amount, reason }) => [id, amount.amount, reason]), [[due.id, 2300, 'refunded']]);
});

test('a payment counts whatever its form: a reference too long to store, an amount as text', async () => {
    const event1 = await floor();
    const [long, text, odd] = [await one(hf, event1), await one(hf, event1, 'bob'), await one(hf, event1, 'cid')];
    const ref = `pi_${'x'.repeat(253)}`;
    const kept = `sha256:${crypto.createHash('sha256').update(ref).digest('hex')}`;
    await became(tell(hf, success(long, ref)), 'confirmed');
    await became(tell(hf, success(long, ref)), 'repeated');
    await became(tell(hf, success(long, `${ref}y`)), 'refund_due');
    assert.equal(granted(await hf.app.get(place(long)), 200).payment.ref, kept);
    assert.equal((await events(hf, kept)).length, 2);
    assert.equal((await hf.app.get(`/v1/reservations?payment_ref=${encodeURIComponent(kept)}`, await since(hf))).json.data.length, 1);
    await became(tell(hf, success(text, unique('pi'), '2000')), 'confirmed');
    const refs = ['20.00', '2000 ', '', '9'.repeat(30), 2000.5, 1e30, null].map((amount) => [unique('pi'), amount]);
    for (const [name, amount] of refs) {
        await became(tell(hf, success(odd, name, amount)), 'ignored');
        const [shown] = await events(hf, name);
        assert.deepEqual([shown.result, shown.amount, shown.reservation_id], ['ignored', null, odd.reservation_id]);
    }
    assert.equal(await status(hf, odd), 'held');
});

test('a signed success confirms a hold, once, and the history says who did it', async () => {
    const r = await one(hf, await floor());
    const ref = unique('pi');
    const what = success(r, ref);
    await became(tell(hf, what), 'confirmed');
    const shown = granted(await hf.app.get(place(r)), 200, { status: 'confirmed' });
    assert.equal(shown.payment.ref, ref);
    assert.equal(shown.tickets.length, 2);
    const history = await whole(hf.app, place(r, '/history'), await since(hf));
    assert.equal(history.at(-1).actor, 'payment');
    await became(tell(hf, what), 'confirmed');
    await became(tell(hf, success(r, ref)), 'repeated');
    assert.equal((await hf.app.get(place(r))).json.version, shown.version);
    const list = await events(hf, ref);
    assert.deepEqual(list.map(({ received_at, ...rest }) => rest)[0], {
        event_id: what.id, type: 'payment_intent.succeeded', payment_ref: ref, reservation_id: r.reservation_id,
        amount: { amount: 2000, currency: 'EUR' }, result: 'confirmed', refund_due: null,
    });
    assert.deepEqual(list.map(({ result }) => result), ['confirmed', 'repeated']);
});

test('only events signed by the provider, now and over these very bytes, are accepted', ownClock, async () => {
    const r = await one(hf, await floor());
    const body = JSON.stringify(success(r, unique('pi')));
    const no = async (bytes, headers) => refused(await send(hf, bytes, headers), 401, 'unauthenticated');
    const good = signed(hf, body);
    await no(body, {});
    await no(body.replace('2000', '2001'), good);
    await no(`${body} `, good);
    await no(body, signed(hf, body, { secret: `${SECRET}x` }));
    await no(body, signed(hf, body, { t: seconds(hf) - 301 }));
    await no(body, signed(hf, body, { t: seconds(hf) + 302 }));
    await no(body, { 'Stripe-Signature': good['Stripe-Signature'].replace(/t=\d+/, `t=${seconds(hf) + 1}`) });
    await no(body, { 'Stripe-Signature': good['Stripe-Signature'].replace('v1=', 'v2=') });
    await no(body, { 'Stripe-Signature': good['Stripe-Signature'].slice(0, 40) });
    for (const header of ['', 't=', 't=1', 'v1=', 't=x,v1=y', ',,,,', 't=1,v1=1,'.repeat(200)]) {
        await no(body, { 'Stripe-Signature': header });
    }
    await no(body, { 'webhook-id': 'm', 'webhook-timestamp': String(seconds(hf)), 'webhook-signature': 'v1,x' });
    assert.equal(await status(hf, r), 'held');
    /* two signatures, one of them valid; almost five minutes old */
    const t = seconds(hf) - 299;
    await became(send(hf, body, signed(hf, body, { t, signatures: ['0'.repeat(64), hmac(SECRET, `${t}.${body}`, 'hex')] })), 'confirmed');
    hf.clock.advance(302_000);
    await no(body, good);
});

test('Standard Webhooks: the same in its own form; the id that is signed is the one that counts', async () => {
    assert.equal((await put(hf, STANDARD, 'standard')).status, 200);
    const r = await one(hf, await floor());
    const { id, ...rest } = success(r, unique('pi'));
    const body = JSON.stringify({ ...rest, data: rest.data.object, timestamp: new Date(hf.now()).toISOString() });
    const t = String(seconds(hf));
    const name = unique('msg');
    const headers = { 'webhook-id': name, 'webhook-timestamp': t,
        'webhook-signature': `v1a,xyz v1,${hmac(Buffer.alloc(24, 7), `${name}.${t}.${body}`, 'base64')}` };
    refused(await send(hf, body, { ...headers, 'webhook-id': `${name}x` }), 401, 'unauthenticated');
    refused(await send(hf, `${body}\n`, headers), 401, 'unauthenticated');
    await became(send(hf, body, headers), 'confirmed');
    await became(send(hf, body, { ...headers, 'Stripe-Signature': 't=1,v1=2' }), 'confirmed');
    assert.equal((await events(hf, rest.data.object.id)).length, 1);
    invalid(await put(hf, 'whsec_not base64 of enough bytes', 'standard'), '/secret');
    invalid(await put(hf, SECRET, 'paypal'), '/provider');
    invalid(await put(hf, 'short'), '/secret');
    refused(await hf.app.put('/v1/payments/provider', {}), 403, 'forbidden');
});

test('a replaced secret is valid for a day, and only the previous one', ownClock, async () => {
    const event = await floor();
    const secrets = [1, 2, 3].map((n) => `${SECRET}_${n}`);
    for (const secret of secrets) {
        await put(hf, secret);
    }
    const shown = await put(hf, secrets[2]);
    assert.deepEqual(Object.keys(shown.json).sort(), ['changed_at', 'old_secret_until', 'provider']);
    assert.equal(Date.parse(shown.json.old_secret_until) - Date.parse(shown.json.changed_at), 86_400_000);
    refused(await tell(hf, success(await one(hf, event), unique('pi')), { secret: secrets[0] }), 401, 'unauthenticated');
    await became(tell(hf, success(await one(hf, event), unique('pi')), { secret: secrets[1] }), 'confirmed');
    await became(tell(hf, success(await one(hf, event), unique('pi')), { secret: secrets[2] }), 'confirmed');
    hf.clock.advance(86_400_000);
    refused(await tell(hf, success(await one(hf, event), unique('pi')), { secret: secrets[1] }), 401, 'unauthenticated');
    await became(tell(hf, success(await one(hf, event), unique('pi')), { secret: secrets[2] }), 'confirmed');
});

test('too little, another currency, a second payment: refunds due for what was paid', async () => {
    const r = await one(hf, await floor());
    await became(tell(hf, success(r, 'pi_less', 1999)), 'amount_mismatch');
    await became(tell(hf, success(r, 'pi_chf', 2000, { currency: 'chf' })), 'currency_mismatch');
    await became(tell(hf, success(r, 'pi_odd', 2000, { currency: 'money' })), 'currency_mismatch');
    await became(tell(hf, success(r, 'pi_minus', -2000)), 'ignored');
    assert.equal(await status(hf, r), 'held');
    await became(tell(hf, success(r, 'pi_more', 2500)), 'confirmed');
    await became(tell(hf, success(r, 'pi_again')), 'refund_due');
    assert.deepEqual((await dues(hf, r)).map(({ payment_ref, amount, reason }) => [payment_ref, amount.amount, amount.currency, reason]), [
        ['pi_less', 1999, 'EUR', 'amount_mismatch'], ['pi_chf', 2000, 'CHF', 'currency_mismatch'],
        ['pi_odd', 2000, 'XXX', 'currency_mismatch'], ['pi_more', 500, 'EUR', 'overpaid'], ['pi_again', 2000, 'EUR', 'paid_twice'],
    ]);
});

test('around the deadline: in time, late and free, late and taken; payments for ended ones are always owed', ownClock, async () => {
    const event = await makeEvent(hf, { seats: seats('A1-A4', { price: 500 }) });
    const holds = async (seat, user = 'ann') => hold(hf.user(user), [{ event, seat }], { ttl_seconds: 60 });
    const left = (r) => Date.parse(r.expires_at) - hf.now();
    const first = await holds('A1');
    hf.clock.advance(left(first) - 1);
    await became(tell(hf, success(first, unique('pi'))), 'confirmed');
    const second = await holds('A2');
    hf.clock.advance(left(second));
    await became(tell(hf, success(second, unique('pi'))), 'confirmed');
    const third = await holds('A3');
    hf.clock.advance(left(third) + 1);
    await holds('A3', 'bob');
    await became(tell(hf, success(third, 'pi_third')), 'refund_due');
    assert.deepEqual((await dues(hf, third)).map(({ payment_ref, reason }) => [payment_ref, reason]), [['pi_third', 'expired']]);
    const fourth = await holds('A4');
    granted(await hf.user('ann').post(place(fourth, '/release')), 200);
    await became(tell(hf, success(fourth, 'pi_fourth')), 'refund_due');
    assert.deepEqual((await dues(hf, fourth)).map(({ reason }) => reason), ['released']);
});

test('unknown, odd and large events are recorded and answered with 200', async () => {
    const r = await one(hf, await floor());
    const ref = unique('pi');
    await became(tell(hf, success({ reservation_id: 'res_01JX5M0Q6H8Z3V7T2R9K4C1W0E', total: { amount: 1 } }, ref)), 'unknown_reservation');
    await became(tell(hf, event('payment_intent.succeeded', { id: unique('pi'), amount: 1 })), 'ignored');
    await became(tell(hf, event('invoice.paid', { id: ref })), 'ignored');
    assert.deepEqual((await events(hf, ref)).map(({ result, reservation_id }) => [result, reservation_id !== null]), [['unknown_reservation', true], ['ignored', false]]);
    for (const odd of [[], 7, null, 'x', {}, { type: 7, data: [] }, { id: 'x'.repeat(300), type: 'y'.repeat(300) },
        { id: unique('evt'), type: 'payment_intent.succeeded', data: { object: { id: 7, amount: '2000', metadata: 'x' } } }]) {
        const answer = await tell(hf, odd);
        assert.equal(answer.status, 200, answer.text);
    }
    await became(tell(hf, success(r, unique('pi'), 2000, { padding: 'x'.repeat(250_000) })), 'confirmed');
    const largest = JSON.stringify(success(await one(hf, await floor()), unique('pi'))).padEnd(256 * 1024);
    await became(send(hf, largest, signed(hf, largest)), 'confirmed');
    const nothing = '{"id":';
    refused(await send(hf, nothing, signed(hf, nothing)), 400, 'invalid');
    const large = JSON.stringify({ x: 'x'.repeat(256 * 1024) });
    refused(await send(hf, large, signed(hf, large)), 413, 'too_large');
});

test('a signed event counts whatever its other fields contain: huge numbers, U+0000, half a surrogate pair, a duplicate name, many levels', async () => {
    for (const odd of ['18446744073709551616', '1e999', '"\\u0000"', '"\\ud83d"', '"\\ud83d\\u0041"', '1,"odd":2', `${'['.repeat(200)}${']'.repeat(200)}`]) {
        const ref = unique('pi');
        const body = JSON.stringify(success(await one(hf, await floor()), ref, 2000, { odd: 0 })).replace('"odd":0', `"odd":${odd}`);
        await became(send(hf, body, signed(hf, body)), 'confirmed');
        assert.deepEqual((await events(hf, ref)).map(({ result }) => result), ['confirmed'], odd);
    }
    for (const bad of ['"\\u00"', '"\\x"', '01', `${'['.repeat(300)}${']'.repeat(300)}`]) {
        const body = `{"odd":${bad}}`;
        refused(await send(hf, body, signed(hf, body)), 400, 'invalid');
    }
});

test('a payment that comes with a refused request of app or admin is recorded as rejected', async () => {
    const event = await makeEvent(hf, { seats: seats('A1-A2', { price: 500 }) });
    await hold(hf.user('ann'), [{ event, seat: 'A1' }]);
    const ref = unique('pi');
    const buy = (seat) => hf.app.post('/v1/reservations', { user_id: 'bob', items: [{ event, seat }], commit: true, payment_ref: ref });
    refused(await buy('A1'), 409, 'taken');
    assert.deepEqual((await events(hf, ref)).map(({ event_id, type, result, amount }) => [event_id, type, result, amount]),
        [[null, 'hold', 'rejected', null]]);
    granted(await buy('A2'), 201);
    assert.deepEqual((await events(hf, ref)).map(({ type }) => type), ['hold']);
});

test('the same event on many connections at once, over restarts and kill -9, counts once', ownProcess, async (t) => {
    const server = await new Server().start();
    t.after(() => server.close());
    server.app = await server.key('app');
    await put(server);
    const event = await floor(server);
    const r = await one(server, event);
    const what = success(r, 'pi_1');
    const other = success(r, 'pi_2');
    const answers = await Promise.all(Array.from({ length: 16 }, () => tell(server, what)));
    assert.deepEqual([...new Set(answers.map(({ json }) => json.result))], ['confirmed']);
    await became(tell(server, other), 'refund_due');
    for (const kill of [true, false, true]) {
        await server.restart({ kill });
        await became(tell(server, what), 'confirmed');
        await became(tell(server, other), 'refund_due');
        assert.equal((await dues(server, r)).length, 1);
        assert.equal((await server.app.get(place(r))).json.payment.ref, 'pi_1');
    }
    assert.equal((await events(server, 'pi_1')).length, 1);
    const late = await one(server, event, 'bob');
    const both = await Promise.all([tell(server, success(late, 'pi_3')), server.app.post(place(late, '/commit'), { payment_ref: 'pi_3' })]);
    assert.deepEqual(both.map(({ status }) => status), [200, 200]);
    assert.deepEqual(await dues(server, late), []);
});

test('payments that arrive while their event is cancelled are owed once each, whichever came first', async () => {
    const cancelled = await floor();
    const holds = await Promise.all(Array.from({ length: 30 }, (_, i) => one(hf, cancelled, `u${i}`)));
    const refs = holds.map(() => unique('pi'));
    const [answer, ...told] = await Promise.all([
        hf.admin.post(`/v1/events/${cancelled}/cancel`, {}),
        ...holds.map((r, i) => tell(hf, success(r, refs[i]))),
        ...holds.map((r, i) => tell(hf, success(r, refs[i]))),
    ]);
    assert.equal(answer.status, 202, answer.text);
    told.forEach(({ status: got, text }) => assert.equal(got, 200, text));
    await hf.eventually(async () => (await hf.admin.get(`/v1/events/${cancelled}/cancel`)).json, ({ state }) => state === 'done', 'it is done with');
    const all = await whole(hf.app, '/v1/refunds-due?status=all&limit=1000', await since(hf));
    for (const [i, r] of holds.entries()) {
        assert.deepEqual(all.filter((due) => due.reservation_id === r.reservation_id).map((due) => [due.payment_ref, due.amount.amount]), [[refs[i], 2000]]);
        assert.ok(['refunded', 'released'].includes(await status(hf, r)));
    }
});

test('unsigned events are limited by address; events signed by the provider never are', async () => {
    const server = await new Server({ limits: 'on' }).start();
    try {
        assert.equal((await put(server)).status, 200);
        const body = JSON.stringify(event('unknown.type', {}));
        const garbage = () => send(server, body, signed(server, body, { secret: 'whsec_another_secret_of_them' }));
        let last;
        for (let i = 0; i < 400 && last?.status !== 429; i++) {
            last = await garbage();
            assert.ok([401, 429].includes(last.status), last.text);
        }
        refused(last, 429, 'slow_down');
        assert.ok(Number(last.headers['retry-after']) >= 1);
        const genuine = await send(server, body, signed(server, body));
        assert.equal(genuine.status, 200, genuine.text);
        assert.equal(genuine.headers.ratelimit, undefined);
    } finally {
        await server.stop();
    }
});

test('before a provider is set, events are refused for that reason', ownProcess, async (t) => {
    const server = await new Server().start();
    t.after(() => server.close());
    const event = () => server.anyone.post('/v1/webhooks/payments', {});
    assert.equal(refused(await event(), 401, 'unauthenticated').detail, 'No payment provider is set: see PUT /v1/payments/provider.');
    assert.equal((await server.admin.put('/v1/payments/provider', { provider: 'stripe', secret: 'whsec_0123456789abcdefghij' })).status, 200);
    assert.match(refused(await event(), 401, 'unauthenticated').detail, /^Missing or invalid signature/);
});
