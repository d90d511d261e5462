/* SPDX-License-Identifier: Apache-2.0 */
/* story.js — money from the first hold to the last refund, repeated wherever the server died.
 *
 * The provider, the shop and the receiver of webhooks are outside and survive every crash, as in reality: each repeats
 * what was not answered, and the receiver keeps what it got. So an interrupted story must end with the same result as
 * an uninterrupted one.
 */
'use strict';

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const { spawnSync } = require('node:child_process');
const { PROGRAM, unique } = require('../../conformance/lib/server.js');
const { makeEvent, seats, whole } = require('../../conformance/lib/catalogue.js');
const { Receiver, SECRET, signature } = require('../../conformance/lib/receiver.js');

const PROVIDER = 'whsec_0123456789abcdefghij';
const GONE = ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'];
const PRICE = 500;
const TTL_S = 60;
const at = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;

/* The messages that a hook must have got for each reservation, in this order. */
const TOLD = {
    refunded: ['reservation.held', 'reservation.confirmed', 'reservation.refunded', 'refund.due', 'reservation.refunded', 'refund.due'],
    short: ['reservation.held', 'refund.due', 'reservation.confirmed', 'refund.due'],
    free: ['reservation.held', 'reservation.expired', 'reservation.confirmed'],
    taken: ['reservation.held', 'reservation.expired', 'refund.due'],
    lapsed: ['reservation.held', 'reservation.expired'],
    other: ['reservation.held'],
};

/* What is owed in the end: payment, amount, reason, whether it was paid back. */
const OWED = {
    refunded: [['refunded', 2 * PRICE, 'refunded', true]],
    short: [['too little', PRICE - 1, 'amount_mismatch', false], ['again', PRICE, 'paid_twice', false]],
    free: [],
    taken: [['taken', PRICE, 'expired', true]],
    lapsed: [],
    other: [],
};
const STATUS = { refunded: 'refunded', short: 'confirmed', free: 'confirmed', taken: 'expired', lapsed: 'expired', other: 'held' };

class Story {
    /* hf: started with --hooks-private. */
    constructor(hf) {
        this.hf = hf;
        this.crashes = 0;
        this.onAnswer = () => {};
        this.onMessage = () => false; /* gets the response to a message; true: nothing else is answered */
    }

    async begin() {
        const { hf } = this;
        this.app = await hf.key('app');
        this.receiver = await new Receiver((response) => this.onMessage(response) || response.writeHead(204).end()).start();
        const provider = await hf.admin.put('/v1/payments/provider', { provider: 'stripe', secret: PROVIDER });
        assert.equal(provider.status, 200, provider.text);
        const events = [...new Set(Object.values(TOLD).flat())];
        const hook = await hf.admin.put('/v1/hooks/shop', { url: this.receiver.url, events, secret: SECRET });
        assert.equal(hook.status, 201, hook.text);
    }

    /* The server is dead: its folder is valid as it is, and it starts again. */
    async recover() {
        const { hf } = this;
        const { signal, code } = await hf.exit;
        assert.equal(signal, 'SIGKILL', `had ended before with ${code}\n${hf.stderr.slice(-4000)}`);
        hf.client.close();
        hf.child = null;
        const check = spawnSync(PROGRAM, ['check', hf.data], { encoding: 'utf8', env: hf.environment() });
        assert.equal(check.status, 0, `holdfast check: ${check.stdout}${check.stderr}`);
        await hf.launch();
        this.crashes++;
    }

    /* A call has failed because the server is dead. */
    async after(error) {
        if (!GONE.includes(error.code)) {
            throw error;
        }
        await this.recover();
    }

    /* Repeats until there is an answer; {answer, again}: whether it was sent more than once. */
    async ask(send) {
        for (let again = false; ; again = true) {
            const { child } = this.hf;
            let answer;
            try {
                answer = await send();
            } catch (error) {
                await this.after(error);
                continue;
            }
            await this.onAnswer(answer);
            if (child.killed) {
                await this.recover();
            }
            return { answer, again };
        }
    }

    async expect(status, send) {
        const { answer } = await this.ask(send);
        assert.equal(answer.status, status, answer.text);
        return answer.json;
    }

    /* One hold, with a key, so that it is the same one however often it is requested. */
    hold(name, names, more = {}) {
        const headers = { 'Idempotency-Key': unique('key') };
        const body = { user_id: name, items: names.map((seat) => ({ event: this.event, seat })), ...more };
        return this.expect(201, () => this.app.post('/v1/reservations', body, { headers }));
    }

    /* An event of the provider, signed again for each attempt; its result must be `result` every time. */
    async tells(type, object, result) {
        const body = JSON.stringify({ id: unique('evt'), type, data: { object } });
        const told = await this.expect(200, () => {
            const t = Math.floor(this.hf.now() / 1000);
            const v1 = crypto.createHmac('sha256', PROVIDER).update(`${t}.${body}`).digest('hex');
            const headers = { 'content-type': 'application/json', 'Stripe-Signature': `t=${t},v1=${v1}` };
            return this.hf.anyone.post('/v1/webhooks/payments', Buffer.from(body), { headers });
        });
        assert.equal(told.result, result, JSON.stringify(object));
    }

    paid(r, name, amount, result) {
        const object = { id: this.ref(name), amount, amount_received: amount, currency: 'eur', metadata: { reservation_id: r.reservation_id } };
        return this.tells('payment_intent.succeeded', object, result);
    }

    ref(name) {
        return `pi_${this.tag}_${name}`;
    }

    /* Everything that can happen to a payment, in one sale. */
    async tell() {
        this.tag = unique('s');
        this.event = await this.sale();
        const all = {};
        all.refunded = await this.hold('ann', ['A1', 'A2']);
        all.short = await this.hold('bob', ['A3']);
        await this.paid(all.refunded, 'refunded', 2 * PRICE, 'confirmed');
        await this.paid(all.short, 'too little', PRICE - 1, 'amount_mismatch');
        await this.expect(200, () => this.app.post(at(all.short, '/commit'), { payment_ref: this.ref('short') }));
        await this.paid(all.short, 'again', PRICE, 'refund_due');
        const { answer, again } = await this.ask(() => this.app.post(at(all.refunded, '/refund'), { items: ['1'] }));
        assert.ok(answer.status === 200 || (again && answer.json.code === 'no_such_item'), answer.text);
        await this.expect(200, () => this.app.post(at(all.refunded, '/refund'), {}));
        await this.tells('charge.refunded', { id: 'ch_1', payment_intent: this.ref('refunded'), amount_refunded: 2 * PRICE, currency: 'eur' }, 'returned');
        await this.late(all);
        return all;
    }

    /* The three that lapse: paid late and free, paid late and taken, and with a payment that was only begun. */
    async late(all) {
        for (const [name, seat] of [['free', 'A4'], ['taken', 'A5'], ['lapsed', 'A6']]) {
            all[name] = await this.hold(name, [seat], { ttl_seconds: TTL_S });
        }
        await this.expect(200, () => this.app.post(at(all.lapsed, '/payment'), { payment_ref: this.ref('lapsed') }));
        this.hf.clock.advance(2 * TTL_S * 1000);
        for (const name of ['free', 'taken', 'lapsed']) {
            await this.hf.eventually(() => this.expect(200, () => this.app.get(at(all[name]))), ({ status }) => status === 'expired', `${name} expires`);
        }
        all.other = await this.hold('dan', ['A5']);
        await this.paid(all.free, 'free', PRICE, 'confirmed');
        await this.paid(all.taken, 'taken', PRICE, 'refund_due');
        const [due] = await this.dues(all.taken);
        await this.expect(200, () => this.app.post(`/v1/refunds-due/${due.id}/done`, {}));
    }

    /* Catalogue calls can be interrupted as well. */
    async sale() {
        for (;;) {
            try {
                return await makeEvent(this.hf, { seats: seats('A1-A6', { price: PRICE }), payment_ttl_seconds: TTL_S });
            } catch (error) {
                await this.after(error);
            }
        }
    }

    async dues(r) {
        const { answer } = await this.ask(() => this.hf.admin.get('/v1/keys'));
        const list = await this.expect(200, () => this.app.get('/v1/refunds-due?status=all&limit=1000', this.hf.since(answer)));
        assert.equal(list.next_cursor, null, 'one page is enough for the stories of one server');
        return list.data.filter((due) => due.reservation_id === r.reservation_id);
    }

    /* ---- At the end ---- */

    /* No message is left to send. */
    drained() {
        return this.hf.eventually(() => this.expect(200, () => this.hf.admin.get('/v1/hooks/shop')), ({ waiting }) => waiting === 0, 'all messages are delivered');
    }

    async verify(all) {
        const { hf, receiver } = this;
        for (const [name, r] of Object.entries(all)) {
            const now = (await this.app.get(at(r))).json;
            const told = `${name}: ${JSON.stringify(now)}`;
            assert.equal(now.status, STATUS[name], told);
            const owed = await this.dues(r);
            assert.deepEqual(owed.map((due) => [due.payment_ref, due.amount.amount, due.reason, due.done_at !== null]),
                OWED[name].map(([ref, ...rest]) => [this.ref(ref), ...rest]), told);
            if (now.status === 'confirmed') {
                assert.equal(now.payment.ref, this.ref(name), told);
                assert.equal(now.tickets.length, now.items.length, told);
            }
            this.wasTold(name, r, owed, receiver);
        }
        const payments = await whole(hf.admin, '/v1/payment-events?limit=1000', hf.since(await hf.admin.get('/v1/keys')));
        const events = payments.map(({ event_id }) => event_id).filter(Boolean);
        assert.equal(new Set(events).size, events.length, 'an event is recorded twice');
        receiver.got.length = 0;
    }

    /* Nothing is missing, new messages came in order, and repeated ones are the same. */
    wasTold(name, r, owed, receiver) {
        const messages = receiver.messages().map((message, i) => ({ ...message, raw: receiver.got[i] }))
            .filter(({ data }) => data.reservation_id === r.reservation_id);
        const first = messages.filter(({ id }, i) => messages.findIndex((other) => other.id === id) === i);
        assert.deepEqual(first.map(({ type }) => type), TOLD[name], `${name} ${r.reservation_id}`);
        const due = first.filter(({ type }) => type === 'refund.due').map(({ data }) => data.id); /* again when its amount changes */
        assert.deepEqual([...new Set(due)], owed.map(({ id }) => id));
        for (const { raw } of messages) {
            assert.equal(raw.headers['webhook-signature'], signature(SECRET, raw));
        }
    }
}

module.exports = { Story };
