/* SPDX-License-Identifier: Apache-2.0 */
/* POST /demo/payments: the demo makes payments, through the route of a provider's events. Not under `serve`. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { Server, ownProcess, unique } = require('./lib/server.js');
const { makeEvent, hold, items } = require('./lib/catalogue.js');

async function demo(t) {
    const hf = await new Server({ command: 'demo' }).start();
    t.after(() => hf.close());
    const event = await makeEvent(hf, { id: unique('show'), seats: [{ id: 'A1', price: 2500 }, { id: 'A2', price: 2500 }], payment: 'required' });
    const ann = hf.user('ann');
    const held = (seat) => hold(ann, items(event, seat));
    const pay = (reservation, outcome, who = ann) => who.post('/demo/payments', { reservation_id: reservation, outcome });
    const events = async (reservation) => (await hf.admin.get('/v1/payment-events?limit=1000')).json.data
        .filter((one) => one.reservation_id === reservation);
    return { hf, ann, held, pay, events };
}
const idOf = (answer) => (answer.json ?? answer).reservation_id;

test('a payment that succeeds confirms; one that is declined does not; both were signed events', ownProcess, async (t) => {
    const { hf, ann, held, pay, events } = await demo(t);
    const id = idOf(await held('A1'));
    const declined = await pay(id, 'declined');
    assert.equal(declined.status, 200, declined.text);
    assert.deepEqual(declined.json, { payment_ref: `pi_demo_${id}`, outcome: 'declined' });
    await hf.eventually(() => events(id), (list) => list.length === 1, 'the declined one');
    assert.equal((await ann.get(`/v1/reservations/${id}`)).json.status, 'held');
    await pay(id, 'succeeds');
    const { json } = await hf.eventually(() => ann.get(`/v1/reservations/${id}`), (one) => one.json.status === 'confirmed', 'confirmed');
    assert.deepEqual(json.paid, { amount: 2500, currency: 'EUR' });
    await pay(id, 'succeeds');
    const list = await hf.eventually(() => events(id), (all) => all.length === 3, 'all three');
    assert.deepEqual(list.map(({ type, result }) => [type, result]), [['payment_intent.payment_failed', 'failed'],
        ['payment_intent.succeeded', 'confirmed'], ['payment_intent.succeeded', 'repeated']]);
    assert.deepEqual(list[1].amount, { amount: 2500, currency: 'EUR' });
});

test('a slow payment comes later; also with a Standard Webhooks provider', ownProcess, async (t) => {
    const { hf, ann, held, pay } = await demo(t);
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    assert.equal((await hf.admin.put('/v1/payments/provider', { provider: 'standard', secret })).status, 200);
    const id = idOf(await held('A2'));
    await pay(id, 'slow');
    assert.equal((await ann.get(`/v1/reservations/${id}`)).json.status, 'held');
    const { json } = await hf.eventually(() => ann.get(`/v1/reservations/${id}`), (one) => one.json.status === 'confirmed', 'confirmed', 20_000);
    assert.ok(Date.parse(json.confirmed_at) - Date.parse(json.created_at) > 4_000);
});

test('a server that stops does not wait for a slow payment', ownProcess, async (t) => {
    const { hf, held, pay } = await demo(t);
    await pay(idOf(await held('A1')), 'slow');
    assert.ok(await hf.stop() < 3_000);
});

test('who can use it, what it returns, and where it exists', ownProcess, async (t) => {
    const { hf, ann, held, pay } = await demo(t);
    const id = idOf(await held('A1'));
    assert.equal((await pay(id, 'succeeds', hf.user('bob'))).json.code, 'no_such_reservation');
    assert.equal((await pay(id, 'succeeds', hf.anyone)).json.code, 'unauthenticated');
    assert.equal((await pay(id, 'never')).json.pointer, '/outcome');
    assert.equal((await pay('nothing', 'slow')).json.code, 'no_such_reservation');
    assert.equal((await ann.get('/demo/payments')).status, 405);
    assert.ok(!(await hf.anyone.get('/openapi.json')).text.includes('/demo/'));
    const plain = await new Server().start();
    t.after(() => plain.close());
    for (const answer of [await plain.admin.post('/demo/payments', { reservation_id: id, outcome: 'succeeds' }), await plain.admin.get('/demo/payments')]) {
        assert.equal(answer.status, 404);
        assert.equal(answer.json.code, 'no_such_route');
    }
    const home = async (server) => (await fetch(`${server.url}/`)).text();
    assert.ok((await home(hf)).includes('<meta name="holdfast-demo" content="$HOLDFAST_ADMIN_KEY">'));
    assert.ok((await home(plain)).includes('<meta name="holdfast-demo" content="">'));
});
