/* SPDX-License-Identifier: Apache-2.0 */
/* Requests about money: the provider and its signed events, the ledger, refunds due, events that do not take place. */
'use strict';

const crypto = require('node:crypto');
const { ref } = require('./pair.js');

const SECRETS = {
    stripe: ['whsec_0123456789abcdefghij', 'whsec_abcdefghij0123456789'],
    standard: [`whsec_${Buffer.alloc(32, 3).toString('base64')}`, `whsec_${Buffer.alloc(24, 9).toString('base64')}`],
};
const hmac = (key, text, form) => crypto.createHmac('sha256', key).update(text).digest(form);

/* A function of body and time that gives the header fields; `how`: what is wrong with it. */
function signature({ provider, secret }, id, how) {
    return (body, now) => {
        const t = now - (how === 'old' ? 301 : 0);
        const key = how === 'forged' ? `${secret.slice(0, -2)}aa` : secret;
        if (provider === 'stripe') {
            return { 'Stripe-Signature': `t=${t},v1=${hmac(key, `${t}.${body}`, 'hex')},v0=00` };
        }
        const bytes = Buffer.from(key.slice('whsec_'.length), 'base64');
        return { 'webhook-id': id, 'webhook-timestamp': String(t),
            'webhook-signature': `v1,${hmac(bytes, `${id}.${t}.${body}`, 'base64')}` };
    };
}

function provider(w) {
    const name = w.provider && w.r.chance(0.8) ? w.provider.provider : w.r.pick(['stripe', 'standard']);
    const body = { provider: name, secret: w.r.pick(SECRETS[name]) };
    return { method: 'PUT', path: '/v1/payments/provider', as: w.admin, body, done: () => (w.provider = body) };
}

/* ---- Signed events ---- */

const intent = (type) => (w, paid) => ({ type: `payment_intent.${type}`,
    object: { id: paid.payment_ref, object: 'payment_intent', amount: paid.amount, amount_received: type === 'succeeded'
    ? paid.amount : 0,
    currency: paid.currency.toLowerCase(), metadata: paid.metadata } });
const charge = (type, more = () => ({})) => (w, paid) =>
    ({ type, object: { id: w.r.chance(0.7) ? w.unique('x_') : 'x_same', payment_intent: paid.payment_ref, amount: paid.part,
    currency: paid.currency.toLowerCase(),
    metadata: w.r.chance(0.3) ? paid.metadata : {}, ...more(paid) } });
const TYPES = {
    succeeded: [10, intent('succeeded')], failed: [1.5, intent('payment_failed')], canceled: [0.7, intent('canceled')],
    refunded: [2, charge('charge.refunded', ({ part }) => ({ amount_refunded: part }))],
    refundFailed: [0.6, charge('refund.failed', () => ({ status: 'failed' }))],
    refundUpdated: [0.4, charge('charge.refund.updated', () => ({ status: 'failed' }))],
    disputed: [0.7, charge('charge.dispute.created')],
    disputeClosed: [0.3, charge('charge.dispute.closed', () => ({ status: 'warning_closed' }))],
    withdrawn: [0.5, charge('charge.dispute.funds_withdrawn')],
    reinstated: [0.3, charge('charge.dispute.funds_reinstated')], other: [0.4, charge('customer.created')],
};
const WEIGHTS = Object.fromEntries(Object.entries(TYPES).map(([name, [weight]]) => [name, weight]));

/* What was paid, and for what. */
function paid(w) {
    const known = w.r.chance(0.35) ? w.pick(w.payments) : undefined;
    const held = w.r.chance(0.75) ? w.pick(w.reservations, (it) => w.live(it) && it.total.amount > 0) : w.pick(w.reservations);
    const reservation = (known?.reservation && w.r.chance(0.9) ? w.reservations.get(known.reservation) : undefined) ?? held;
    if (!reservation) {
        return undefined;
    }
    const payment_ref = known?.payment_ref ?? w.unique('pi_');
    w.payments.put(payment_ref, { payment_ref, reservation: known?.reservation ?? reservation.reservation_id,
        total: reservation.total });
    const { amount } = reservation.total;
    const metadata = w.r.weighted({ right: 20, none: 1, unknown: 0.5 });
    return {
        payment_ref, amount: Math.max(0, amount + (w.r.chance(0.85) ? 0 : w.r.pick([-500, 500, 10_000]))),
        part: w.r.pick([amount, amount, Math.floor(amount / 2), 100]),
        currency: w.r.chance(0.95) ? reservation.total.currency : 'USD',
        metadata: { right: { reservation_id: ref(reservation.reservation_id) }, none: {},
            unknown: { reservation_id: 'res_0123456789ABCDEFGHJKMNPQRS' } }[metadata], reservation,
    };
}

function webhook(w) {
    const what = w.provider && (w.r.chance(0.08) && w.pick(w.told));
    if (what) {
        return what; /* the same event again */
    }
    const money = paid(w);
    if (!w.provider || !money) {
        return undefined;
    }
    const id = w.unique('evt_');
    const { type, object } = TYPES[w.r.weighted(WEIGHTS)][1](w, money);
    const body = { id, object: 'event', livemode: false, type, data: { object } };
    const sign = signature(w.provider, id, w.r.weighted({ good: 40, forged: 1, old: 1 }));
    const request = { method: 'POST', path: '/v1/webhooks/payments', as: undefined, body, sign, reservation: money.reservation,
        pays: true };
    w.told.put(id, request);
    return request;
}

/* ---- The ledger ---- */

function payments(w) {
    const known = w.pick(w.payments);
    const what = w.r.weighted({ one: known ? 4 : 0, list: 2, of: known?.reservation ? 2 : 0, events: 2 });
    const page = `limit=${w.r.int(1, 30)}`;
    return { method: 'GET', as: w.r.chance(0.92) ? (what === 'events' ? w.admin : w.staff) : w.anyone, book: true,
        list: what !== 'one', ...({
        one: () => ({ path: `/v1/payments/${encodeURIComponent(known.payment_ref)}` }),
        of: () => ({ path: `/v1/payments?reservation_id=${ref(known.reservation)}` }),
        list: () => ({ path: `/v1/payments?${page}${w.r.pick(['', '&status=received', '&status=begun', '&discrepancy=true'])}` }),
        events: () => ({ path: `/v1/payment-events?${page}${w.r.pick(['', '', '&result=refund_due', '&result=confirmed', '&result=rejected'])}` }),
    }[what]()) };
}

function refundsDue(w) {
    const csv = w.r.chance(0.3) ? { headers: { accept: 'text/csv' } } : {};
    return { method: 'GET', path: `/v1/refunds-due?status=${w.r.pick(['open', 'open', 'done', 'all'])}&limit=1000`, as: w.staff,
        book: true, sorts: 'payments', ...csv };
}

function done(w) {
    const due = w.r.chance(0.85) ? w.pick(w.refunds, (it) => it.status === 'open') : w.pick(w.refunds);
    const part = due && w.r.chance(0.5) ? { amount: { ...due.amount, amount: w.r.chance(0.7) ? due.amount.amount
        : Math.ceil(due.amount.amount / 2) } } : {};
    return due && { method: 'POST', path: `/v1/refunds-due/${ref(due.id)}/done`, as: w.staff,
        body: { ...part, ...w.r.maybe(0.15, { outside: true }) } };
}

/* ---- Events that do not take place ---- */

function cancel(w) {
    const event = w.pick(w.events, (it) => !it.gone && !it.cancelled && it.taken.size);
    return event && { method: 'POST', path: `/v1/events/${event.id}/cancel`, as: w.admin, event, body: w.r.chance(0.5)
        ? { reason: 'The hall is flooded.' } : {}, cancels: event.id,
        done: () => (event.cancelled = true) };
}
function cancelled(w) {
    const event = w.pick(w.events, (it) => it.cancelled || w.r.chance(0.05));
    return event && { method: 'GET', path: `/v1/events/${event.id}/cancel`, as: w.admin };
}

module.exports = {
    provider,
    acts: { provider: [0.25, provider], webhook: [6, webhook], payments: [3, payments], refundsDue: [1.6, refundsDue],
        done: [1.6, done], cancel: [0.3, cancel], cancelled: [0.4, cancelled] },
};
