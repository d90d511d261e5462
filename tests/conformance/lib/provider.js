/* SPDX-License-Identifier: Apache-2.0 */
/* A payment provider that signs its events as Stripe does, and the ledger's view of its payments. */
'use strict';

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const { unique } = require('./server.js');
const { whole } = require('./catalogue.js');
const { payment } = require('./expect.js');

const SECRET = 'whsec_0123456789abcdefghij';
const hmac = (key, text, form) => crypto.createHmac('sha256', key).update(text).digest(form);
const seconds = (server) => Math.floor(server.now() / 1000);
const put = (server, secret = SECRET, provider = 'stripe') => server.admin.put('/v1/payments/provider', { provider, secret });

/* Stripe's own form. */
function event(type, object, more = {}) {
    return { id: unique('evt'), object: 'event', api_version: '2024-06-20', livemode: false, type, data: { object }, ...more };
}
const intent = (type, r, ref, amount, more = {}) => event(`payment_intent.${type}`,
    { id: ref, object: 'payment_intent', amount, amount_received: amount, currency: 'eur', metadata: { reservation_id: r.reservation_id }, ...more });
const success = (r, ref, amount = r.total.amount, more = {}) => intent('succeeded', r, ref, amount, more);
const failure = (r, ref) => intent('payment_failed', r, ref, r.total.amount, { amount_received: 0 });
const charge = (ref, refunded, more = {}) => event('charge.refunded',
    { id: unique('ch'), object: 'charge', payment_intent: ref, amount_refunded: refunded, currency: 'eur', metadata: {}, ...more });

function signed(server, body, { secret = SECRET, t = seconds(server), signatures } = {}) {
    const v1 = signatures ?? [hmac(secret, `${t}.${body}`, 'hex')];
    return { 'Stripe-Signature': [`t=${t}`, ...v1.map((s) => `v1=${s}`), 'v0=00'].join(',') };
}
function send(server, body, headers) {
    return server.anyone.post('/v1/webhooks/payments', Buffer.from(body), { headers: { 'content-type': 'application/json; charset=utf-8', ...headers } });
}
function tell(server, what, how) {
    const body = JSON.stringify(what);
    return send(server, body, signed(server, body, how));
}
async function became(answer, result) {
    const { status, json, text } = await answer;
    assert.equal(status, 200, text);
    assert.deepEqual(json, { result });
}

const since = async (server) => server.since(await server.admin.get('/v1/keys'));
/* The row of a payment, with its events; null: there is none. */
async function row(server, ref) {
    const answer = await server.app.get(`/v1/payments/${encodeURIComponent(ref)}`, await since(server));
    if (answer.status === 404) {
        assert.equal(answer.json.code, 'no_such_payment');
        return null;
    }
    assert.equal(answer.status, 200, answer.text);
    return payment(answer.json);
}
/* The sums of a row, for deepEqual. */
const sums = async (server, ref) => {
    const { received, kept, returned, owed, discrepancy } = await row(server, ref);
    return { received, kept, returned, owed, discrepancy };
};
/* The refunds due of this reservation. */
const dues = async (server, r, status = 'open') => (await whole(server.app, `/v1/refunds-due?status=${status}&limit=1000`, await since(server)))
    .filter((due) => due.reservation_id === r.reservation_id);
const events = async (server, ref) => (await whole(server.admin, '/v1/payment-events?limit=1000', await since(server)))
    .filter((told) => told.payment_ref === ref);

module.exports = { SECRET, hmac, seconds, put, event, intent, success, failure, charge, signed, send, tell, became, since, row, sums, dues, events };
