/* SPDX-License-Identifier: Apache-2.0 */
/* examples/stripe: a shop with Stripe's own npm package, against a mock whose events are signed by that package:
 * checkout, redirect, signed event, tickets; and late payments are paid back. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { execFileSync, spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { shared } = require('../conformance/lib/server.js');
const { makeEvent } = require('../conformance/lib/catalogue.js');

const EXAMPLE = path.join(__dirname, '../../examples/stripe');
const PATIENCE_MS = 20_000;
const SECRET = 'whsec_example_0123456789';
const installed = execFileSync(path.join(__dirname, '../tools/install'), [EXAMPLE], { encoding: 'utf8' }).trim();
const hf = shared();

/* One of the example's programs, where it listens, and its output. */
async function start(t, file, env) {
    const work = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-stripe-'));
    fs.copyFileSync(path.join(EXAMPLE, file), path.join(work, file));
    fs.symlinkSync(path.join(installed, 'node_modules'), path.join(work, 'node_modules'));
    const child = spawn(process.execPath, [file], { cwd: work, env: { ...process.env, ...env, PORT: '0' } });
    const exit = new Promise((resolve) => child.on('close', resolve));
    const program = { said: '' };
    for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (more) => (program.said += more));
    }
    t.after(async () => {
        child.kill();
        await exit;
        fs.rmSync(work, { recursive: true });
    });
    const found = await hf.eventually(() => /^listening on (\d+)$/m.exec(program.said), (it) => it, 'it listens', PATIENCE_MS);
    program.url = `http://localhost:${found[1]}`;
    return program;
}

async function buy(shop, event, user) {
    const answer = await fetch(`${shop.url}/buy?user=${user}&event=${event}&pool=floor&quantity=2`, { method: 'POST', redirect: 'manual' });
    assert.equal(answer.status, 303, await answer.text());
    return answer.headers.get('location');
}
const pay = async (page) => (await fetch(page)).json(); /* and is sent back to the shop */

test('paid in time: tickets; paid too late, and another buyer has it: the shop pays it back, once', async (t) => {
    assert.equal((await hf.admin.put('/v1/payments/provider', { provider: 'stripe', secret: SECRET })).status, 200);
    const stripe = await start(t, 'stripe_mock.js', { WEBHOOK: `${hf.url}/v1/webhooks/payments`, WEBHOOK_SECRET: SECRET });
    const shop = await start(t, 'shop.js', {
        HOLDFAST: hf.url, HOLDFAST_KEY: hf.app.bearer, STRIPE_KEY: 'sk_test_x', STRIPE_API: stripe.url,
    });
    const event = await makeEvent(hf, { pools: { floor: { capacity: 2, price: 1500 } }, payment: 'required' });
    const late = await buy(shop, event, 'ann');
    const held = (await hf.app.get(`/v1/reservations?event=${event}`, hf.since(await hf.admin.get('/v1/keys')))).json.data;
    assert.deepEqual(held.map(({ status }) => status), ['held']);
    assert.equal((await hf.app.delete(`/v1/reservations/${held[0].reservation_id}`)).status, 200);
    const paid = await pay(await buy(shop, event, 'bob'));
    assert.equal(paid.status, 'confirmed');
    assert.equal(paid.tickets.length, 2);
    assert.match(paid.payment.ref, /^pi_/);
    assert.equal((await pay(late)).status, 'released');
    assert.match(stripe.said, /"refund_due"/);
    const open = async () => (await hf.app.get('/v1/refunds-due', hf.since(await hf.admin.get('/v1/keys')))).json.data;
    const [due] = await open();
    assert.deepEqual(due.amount, { amount: 3000, currency: 'EUR' });
    assert.deepEqual(await (await fetch(`${shop.url}/pay-back`, { method: 'POST' })).json(), [due.id]);
    assert.deepEqual(await open(), []);
    const row = (await hf.app.get(`/v1/payments/${due.payment_ref}`, hf.since(await hf.admin.get('/v1/keys')))).json;
    assert.deepEqual([row.received, row.returned, row.owed, row.discrepancy], [3000, 3000, 0, null]);
    assert.deepEqual(row.events.map(({ type, result }) => [type, result]), [['payment_intent.succeeded', 'refund_due'], ['charge.refunded', 'returned']]);
    /* a payment missing at Stripe stays owed, and stops neither the shop nor the mock */
    const another = await makeEvent(hf, { pools: { floor: { capacity: 1, price: 1500 } } });
    const other = (await hf.app.post('/v1/reservations', { user_id: 'dan', items: [{ event: another, pool: 'floor', quantity: 1 }], commit: true, payment_ref: 'cash_1' })).json;
    assert.equal((await hf.app.post(`/v1/reservations/${other.reservation_id}/refund`, {})).status, 200);
    assert.deepEqual((await open()).map(({ payment_ref }) => payment_ref), ['cash_1']);
    assert.deepEqual(await (await fetch(`${shop.url}/pay-back`, { method: 'POST' })).json(), []);
    assert.equal((await hf.app.post(`/v1/refunds-due/${(await open())[0].id}/done`, { outside: true })).status, 200);
    assert.deepEqual(await open(), []);
    const sold = await fetch(`${shop.url}/buy?user=cid&event=${event}&pool=floor&quantity=2`, { method: 'POST', redirect: 'manual' });
    assert.equal(sold.status, 409);
});
