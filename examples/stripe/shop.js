/* SPDX-License-Identifier: Apache-2.0 */
/* A shop: hold at Holdfast, pay at Stripe. See README.md. */
'use strict';

const http = require('node:http');
const Stripe = require('stripe');

const { HOLDFAST, HOLDFAST_KEY, STRIPE_KEY, STRIPE_API, PORT = '3000' } = process.env;
const api = STRIPE_API && new URL(STRIPE_API);
const stripe = new Stripe(STRIPE_KEY, api ? { protocol: 'http', host: api.hostname, port: api.port, telemetry: false } : {});

async function holdfast(method, path, body) {
    const answer = await fetch(`${HOLDFAST}${path}`, {
        method,
        headers: { Authorization: `Bearer ${HOLDFAST_KEY}`, ...(body && { 'Content-Type': 'application/json' }) },
        body: body && JSON.stringify(body),
    });
    const json = await answer.json();
    if (!answer.ok) {
        throw Object.assign(new Error(json.detail), { status: answer.status });
    }
    return json;
}

/* Hold first: no buyer pays for what another one gets. */
async function buy(shop, wanted) {
    const reservation = await holdfast('POST', '/v1/reservations', {
        user_id: wanted.get('user'),
        items: [{ event: wanted.get('event'), pool: wanted.get('pool'), quantity: Number(wanted.get('quantity')) }],
    });
    const id = reservation.reservation_id;
    const session = await stripe.checkout.sessions.create({
        mode: 'payment',
        line_items: [{
            quantity: 1,
            price_data: {
                currency: reservation.total.currency.toLowerCase(),
                unit_amount: reservation.total.amount,
                product_data: { name: wanted.get('event') },
            },
        }],
        payment_intent_data: { metadata: { reservation_id: id } },
        success_url: `${shop}/order?id=${id}`,
    });
    await holdfast('POST', `/v1/reservations/${id}/payment`, {}); /* the hold is extended for the payment */
    return session.url;
}

/* Pays back what is owed, and reports the amount to Holdfast. With the id of the refund due as the key a second run is
 * harmless, whether it was cut off before `done` or Stripe's own event came first. The bank decides about disputed
 * ones; one that Stripe refuses, because it was not paid there, for example, needs a person and stops nothing else. */
async function payBack() {
    const { data } = await holdfast('GET', '/v1/refunds-due');
    const paid = [];
    for (const due of data.filter(({ disputed }) => !disputed)) {
        try {
            await stripe.refunds.create({ payment_intent: due.payment_ref, amount: due.amount.amount }, { idempotencyKey: due.id });
            await holdfast('POST', `/v1/refunds-due/${due.id}/done`, { amount: due.amount });
            paid.push(due.id);
        } catch (error) {
            console.error(`${due.id}: ${error.message}`);
        }
    }
    return paid;
}

const server = http.createServer(async (request, response) => {
    const url = new URL(request.url, `http://${request.headers.host}`);
    const json = (status, value) => response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    try {
        if (request.method === 'POST' && url.pathname === '/buy') {
            response.writeHead(303, { Location: await buy(url.origin, url.searchParams) }).end();
        } else if (request.method === 'POST' && url.pathname === '/pay-back') {
            json(200, await payBack());
        } else if (url.pathname === '/order') {
            json(200, await holdfast('GET', `/v1/reservations/${url.searchParams.get('id')}`));
        } else {
            json(404, { detail: 'No such page.' });
        }
    } catch (error) {
        json(error.status ?? 502, { detail: error.message });
    }
});
server.listen(Number(PORT), () => console.log(`listening on ${server.address().port}`));
