/* SPDX-License-Identifier: Apache-2.0 */
/* The part of Stripe that the shop needs: sessions, a page that "pays", refunds; events signed by Stripe's own
 * library. */
'use strict';

const http = require('node:http');
const Stripe = require('stripe');

const { WEBHOOK, WEBHOOK_SECRET, PORT = '4000' } = process.env;
const { webhooks } = new Stripe('sk_test_mock');
const sessions = new Map();
const intents = new Map();
let made = 0;
const name = (kind) => `${kind}_${Date.now().toString(36)}${made++}`;

/* Stripe retries for days; this mock logs the answer. */
async function send(type, object) {
    const payload = JSON.stringify({ id: name('evt'), object: 'event', created: Math.floor(Date.now() / 1000), type, data: { object } });
    const signature = webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET });
    const answer = await fetch(WEBHOOK, {
        method: 'POST', headers: { 'Content-Type': 'application/json; charset=utf-8', 'Stripe-Signature': signature }, body: payload,
    });
    console.log(`${type} ${object.id} ${answer.status} ${await answer.text()}`);
}

function open(form) {
    const id = name('cs');
    const intent = {
        id: name('pi'), object: 'payment_intent', amount: Number(form.get('line_items[0][price_data][unit_amount]')),
        currency: form.get('line_items[0][price_data][currency]'),
        metadata: { reservation_id: form.get('payment_intent_data[metadata][reservation_id]') },
    };
    sessions.set(id, { intent, back: form.get('success_url') });
    return { id, object: 'checkout.session', url: `http://localhost:${server.address().port}/pay/${id}`, payment_intent: null };
}

async function pay({ intent }) {
    intents.set(intent.id, { ...intent, refunded: 0 });
    await send('payment_intent.succeeded', { ...intent, amount_received: intent.amount, status: 'succeeded' });
}

const seen = new Map(); /* by Idempotency-Key */
async function refund(form, key) {
    const intent = intents.get(form.get('payment_intent'));
    if (!seen.has(key)) {
        seen.set(key, { id: name('re'), object: 'refund', amount: Number(form.get('amount')), status: 'succeeded' });
        intent.refunded += Number(form.get('amount'));
        await send('charge.refunded', {
            id: name('ch'), object: 'charge', payment_intent: intent.id, amount: intent.amount, amount_refunded: intent.refunded,
            currency: intent.currency,
        });
    }
    return seen.get(key).amount === Number(form.get('amount')) ? seen.get(key) : null; /* another request with the same key */
}

const server = http.createServer(async (request, response) => {
    let body = '';
    for await (const part of request) {
        body += part;
    }
    const form = new URLSearchParams(body);
    const json = (value) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    const refuse = (status, error) => response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ error }));
    const session = sessions.get(request.url.split('/').at(-1));
    if (request.url === '/v1/checkout/sessions') {
        json(open(form));
    } else if (request.url === '/v1/refunds' && !intents.has(form.get('payment_intent'))) {
        refuse(404, { type: 'invalid_request_error', code: 'resource_missing', message: `No such payment_intent: '${form.get('payment_intent')}'` });
    } else if (request.url === '/v1/refunds') {
        const back = await refund(form, request.headers['idempotency-key']);
        back ? json(back) : refuse(400, { type: 'idempotency_error', message: 'Keys for idempotent requests can only be used with the same parameters.' });
    } else if (session) {
        await pay(session);
        response.writeHead(303, { Location: session.back }).end();
    } else {
        response.writeHead(404).end();
    }
});
server.listen(Number(PORT), () => console.log(`listening on ${server.address().port}`));
