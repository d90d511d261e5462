/* SPDX-License-Identifier: Apache-2.0 */
/* trade.js — random trade with money: buyers, staff and a payment provider acting at random, some of it at once and
 * some of it while the server is killed, and what must be true of the ledger afterwards, by adding up its lists alone.
 *
 * All randomness comes from the seed. A request that was not answered may have happened or not; an answered one must be
 * there.
 */
'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const { PROGRAM } = require('../../conformance/lib/server.js');
const { makeEvent, seats, whole } = require('../../conformance/lib/catalogue.js');
const { payment, reservation } = require('../../conformance/lib/expect.js');
const { put, event, intent, charge, tell, since } = require('../../conformance/lib/provider.js');
const { Random } = require('./random.js');

const GONE = ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'];
const USERS = ['ann', 'bob', 'cid', 'dan'];
const SEATS = 40; /* in each row */
const TTL_S = 60;
const AT_ONCE = 3;
const KILL = 0.04; /* of the steps */
const PRICES = { A: 10000, B: 4000, C: 2500 };
const SUMS = ['received', 'kept', 'returned', 'owed'];
const REFUSED = [402, 404, 409];
const at = (r, rest = '') => `/v1/reservations/${r.id}${rest}`;
const ALONE = ['paysBack', 'waits']; /* concurrent operations would change what they see */
const add = (list, field) => list.reduce((sum, one) => sum + one[field], 0);

/* The rows of each reservation. */
function group(rows) {
    const of = new Map();
    rows.forEach((row) => of.set(row.reservation_id, [...(of.get(row.reservation_id) ?? []), row]));
    return of;
}

/* How often each is done, out of all of them. */
const WEIGHTS = {
    holds: 14, buys: 4, begins: 6, commits: 16, paysNothing: 2, succeeds: 14, fails: 4, takesBack: 6, refundFails: 3, disputes: 2,
    unknown: 1, moves: 12, refunds: 6, cancels: 2, releases: 2, paysBack: 8, waits: 2, cancelsEvent: 0.1,
};

class Trade {
    constructor(hf, seed) {
        this.hf = hf;
        this.random = new Random(seed);
        this.seed = seed;
        this.reservations = []; /* {id, user, event, items, confirmed, mayEnd} */
        this.payments = []; /* what was reported about each payment, and what of that was answered */
        this.paidBack = new Map(); /* refunds due whose payment was acknowledged, by id */
        this.tally = {};
        this.kills = 0;
    }

    async begin() {
        const { hf } = this;
        this.app = await hf.key('app');
        assert.equal((await put(hf)).status, 200);
        const rows = Object.entries(PRICES).flatMap(([row, price]) => seats(`${row}1-${row}${SEATS}`, { price }));
        const make = (more) => makeEvent(hf, { seats: rows, payment: 'required', cancel_until_seconds: 0, payment_ttl_seconds: TTL_S, ...more });
        this.events = [await make({}), await make({ payment: 'none' }), await make({ currency: 'CHF' }), await make({ late_payment: 'refund' })];
        this.from = new Date(hf.now()).toISOString();
    }

    /* `count` operations, up to three at once, with an occasional kill. */
    async run(count) {
        for (let made = 0; made < count;) {
            const chosen = Array.from({ length: this.random.between(1, AT_ONCE) }, () => this.chosen());
            const alone = chosen.find((name) => ALONE.includes(name));
            const names = alone ? [alone] : chosen;
            const kill = this.random.chance(KILL) ? this.random.between(0, 3) : -1;
            this.dying = kill >= 0;
            const all = names.map((name) => this.one(name));
            if (this.dying) {
                await new Promise((resolve) => setTimeout(resolve, kill));
                this.hf.child.kill('SIGKILL');
            }
            await Promise.all(all);
            if (this.dying) {
                await this.recover();
            }
            made += names.length;
        }
    }

    async one(name) {
        try {
            await this[name]();
            this.tally[name] = (this.tally[name] ?? 0) + 1;
        } catch (error) {
            if (!this.dying || !(GONE.includes(error.code) || /socket hang up|aborted/.test(error.message))) {
                error.message = `${name}: ${error.message}`;
                throw error;
            }
        }
    }

    chosen() {
        let left = this.random.next() * Object.values(WEIGHTS).reduce((sum, one) => sum + one);
        return Object.keys(WEIGHTS).find((name) => (left -= WEIGHTS[name]) < 0);
    }

    async recover() {
        const { hf } = this;
        await hf.exit;
        hf.client.close();
        hf.child = null;
        this.kills++;
        this.check();
        await hf.launch();
    }

    check() {
        const { status, stdout, stderr } = spawnSync(PROGRAM, ['check', this.hf.data], { encoding: 'utf8', env: this.hf.environment() });
        assert.equal(status, 0, `holdfast check: ${stdout}${stderr}`);
    }

    /* ---- Who and what ---- */

    recent(list) {
        return list.length ? list[Math.max(0, list.length - 1 - Math.floor(this.random.next() ** 2 * 30))] : undefined;
    }

    seat() {
        return `${this.random.of(Object.keys(PRICES))}${this.random.between(1, SEATS)}`;
    }

    amount(r) {
        const fits = r?.total?.amount || 10000;
        return this.random.of([fits, fits, fits, fits - 1, fits + 500, 4000, 6000, 100]);
    }

    /* A new payment, or occasionally an earlier one, perhaps of another reservation. */
    payment(r) {
        if (this.payments.length && this.random.chance(0.35)) {
            return this.recent(this.payments);
        }
        const currency = this.random.chance(0.9) ? r?.total?.currency ?? 'EUR' : 'USD';
        const word = this.random.chance(0.5) ? { amount: this.amount(r), currency: this.random.chance(0.95) ? currency : 'USD' } : null;
        const made = { ref: `pi_${this.seed}_${this.payments.length}`, currency, word, of: r, successes: [], told: 0, failed: false, mayFail: false,
            committed: false, buys: new Set(), back: 0, toldBack: 0, refunds: [], lost: 0 };
        this.payments.push(made);
        return made;
    }

    /* An answer to a call about a reservation: success or a possible refusal. */
    async ask(r, answer) {
        const { status, json, text } = await answer;
        assert.ok(status < 300 || REFUSED.includes(status), `${status} ${text}`);
        if (status < 300 && json.items) {
            reservation(json);
            Object.assign(r, { total: json.total, items: json.items, confirmed: r.confirmed || json.status === 'confirmed' });
        }
        return { ok: status < 300, json };
    }

    /* ---- Buyers ---- */

    wanted() {
        const place = this.random.of(this.events);
        const names = new Set(Array.from({ length: this.random.between(1, 3) }, () => this.seat()));
        return [...names].map((seat) => ({ event: place, seat }));
    }

    async holds() {
        const user = this.random.of(USERS);
        const r = { user };
        const { ok, json } = await this.ask(r, this.hf.user(user).post('/v1/reservations', { items: this.wanted(), ttl_seconds: TTL_S }));
        if (ok) {
            this.reservations.push(Object.assign(r, { id: json.reservation_id }));
        }
    }

    /* A hold by an app that buys. */
    async buys() {
        const r = { user: this.random.of(USERS) }, p = this.payment(r);
        const body = { user_id: r.user, items: this.wanted(), commit: true, payment_ref: p.ref, ...(p.word && { amount: p.word }) };
        const { ok, json } = await this.ask(r, this.app.post('/v1/reservations', body));
        if (ok) {
            this.reservations.push(Object.assign(r, { id: json.reservation_id }));
            p.committed = true;
            p.buys.add(r.id);
        }
    }

    async begins() {
        const r = this.recent(this.reservations);
        if (r) {
            await this.ask(r, this.app.post(at(r, '/payment'), { payment_ref: this.payment(r).ref }));
        }
    }

    async commits() {
        const r = this.recent(this.reservations);
        if (!r) {
            return;
        }
        const p = this.payment(r);
        const { ok, json } = await this.ask(r, this.app.post(at(r, '/commit'), { payment_ref: p.ref, ...(p.word && { amount: p.word }) }));
        if (ok || json.refund_due) {
            p.committed = true;
            p.buys.add(r.id);
        }
    }

    /* A buyer's own commit, or staff's without a payment. */
    async paysNothing() {
        const r = this.recent(this.reservations);
        if (r) {
            const who = this.random.chance(0.7) ? this.hf.user(r.user) : this.app;
            await this.ask(r, who.post(at(r, '/commit'), {}));
        }
    }

    async moves() {
        const r = this.recent(this.reservations);
        if (r?.items.length) {
            const who = this.random.of([this.hf.user(r.user), this.app, this.app, this.hf.admin]);
            await this.ask(r, who.patch(at(r, `/items/${this.random.of(r.items).item_id}`), { seat: this.seat() }));
        }
    }

    async cancels() {
        const r = this.recent(this.reservations);
        if (r) {
            r.mayEnd = true;
            await this.ask(r, this.hf.user(r.user).post(at(r, '/cancel')));
        }
    }

    async releases() {
        const r = this.recent(this.reservations);
        if (r) {
            await this.ask(r, this.random.of([this.hf.user(r.user), this.app]).post(at(r, '/release')));
        }
    }

    /* ---- Staff ---- */

    async refunds() {
        const r = this.recent(this.reservations);
        if (r?.items.length) {
            r.mayEnd = true;
            const body = this.random.chance(0.6) ? { items: [this.random.of(r.items).item_id] } : {};
            await this.ask(r, this.app.post(at(r, '/refund'), { ...body, ...(this.random.chance(0.3) && { paid_back: true }) }));
        }
    }

    async paysBack() {
        const open = await whole(this.app, '/v1/refunds-due?limit=1000', await since(this.hf));
        if (open.length === 0) {
            return;
        }
        const due = this.random.of(open), p = this.payments.find(({ ref }) => ref === due.payment_ref);
        const part = { ...due.amount, amount: this.random.chance(0.6) ? due.amount.amount : this.random.between(1, due.amount.amount) };
        const body = { ...(this.random.chance(0.7) && { amount: part }), ...(this.random.chance(0.2) && { outside: true }) };
        const { status, json, text } = await this.app.post(`/v1/refunds-due/${due.id}/done`, body);
        assert.ok(status === 200 || json.code === 'refund_changed', text);
        if (status === 200 && !this.paidBack.has(due.id)) {
            assert.equal(json.status, 'done', text);
            this.paidBack.set(due.id, json);
        }
    }

    /* ---- The provider ---- */

    /* One event; returns its result. */
    async tells(what) {
        const { status, json, text } = await tell(this.hf, what);
        assert.equal(status, 200, text);
        return json.result;
    }

    async succeeds() {
        const r = this.recent(this.reservations);
        if (!r) {
            return;
        }
        const p = this.payment(r), amount = this.amount(r);
        p.successes.push(amount);
        await this.tells(intent('succeeded', { reservation_id: r.id }, p.ref, amount, { currency: p.currency.toLowerCase() }));
        p.told = Math.max(p.told, amount);
    }

    async fails() {
        const r = this.recent(this.reservations);
        if (r) {
            const p = this.payment(r);
            p.mayFail = true;
            const how = this.random.of(['payment_failed', 'canceled']);
            p.failed = (await this.tells(intent(how, { reservation_id: r.id }, p.ref, 0, { currency: p.currency.toLowerCase() }))) === 'failed' || p.failed;
        }
    }

    async takesBack() {
        const p = this.recent(this.payments);
        if (!p) {
            return;
        }
        const amount = this.random.of([100, 1000, 4000, 10000]);
        const told = (p.back += amount);
        p.refunds.push({ id: `re_${p.ref}_${p.refunds.length}`, amount });
        const metadata = p.of?.id ? { reservation_id: p.of.id } : {};
        const became = await this.tells(charge(p.ref, told, { metadata, currency: p.currency.toLowerCase() }));
        p.toldBack = became === 'ignored' ? p.toldBack : Math.max(p.toldBack, told);
    }

    /* The provider could not pay back after all: reported once or twice. */
    async refundFails() {
        const p = this.random.of(this.payments.filter(({ refunds }) => refunds.length));
        if (!p) {
            return;
        }
        const refund = this.random.of(p.refunds);
        p.lost += refund.lost ? 0 : refund.amount;
        p.back -= refund.lost ? 0 : refund.amount;
        refund.lost = true;
        const object = { id: refund.id, object: 'refund', payment_intent: p.ref, amount: refund.amount, currency: p.currency.toLowerCase(), status: 'failed' };
        await this.tells(event(this.random.of(['refund.failed', 'charge.refund.updated']), object));
    }

    async disputes() {
        const p = this.recent(this.payments);
        if (p) {
            const what = this.random.of(['created', 'funds_withdrawn', 'funds_reinstated']);
            const object = { id: `dp_${p.ref}`, object: 'dispute', payment_intent: p.ref, amount: 1000, currency: p.currency.toLowerCase() };
            await this.tells(event(`charge.dispute.${what}`, object));
        }
    }

    /* Money for an unknown reservation. */
    async unknown() {
        const p = this.payment();
        const amount = this.amount();
        p.successes.push(amount);
        await this.tells(intent('succeeded', { reservation_id: `res_${'0'.repeat(25)}1` }, p.ref, amount, { currency: p.currency.toLowerCase() }));
        p.told = Math.max(p.told, amount);
    }

    async waits() {
        this.hf.clock.advance(this.random.of([TTL_S / 2, TTL_S, 2 * TTL_S]) * 1000);
    }

    async cancelsEvent() {
        const [, , , last] = this.events;
        this.cancelled = last;
        this.reservations.forEach((r) => (r.mayEnd = true));
        const { status, text } = await this.hf.admin.post(`/v1/events/${last}/cancel`, {});
        assert.equal(status, 202, text);
    }

    /* ---- What must be true ---- */

    async verify() {
        const { hf, app } = this;
        if (this.cancelled) {
            await hf.eventually(async () => (await hf.admin.get(`/v1/events/${this.cancelled}/cancel`)).json, ({ state }) => state !== 'running', 'it is cancelled');
        }
        const now = await since(hf);
        const rows = (await whole(app, '/v1/payments?limit=100', now)).map(payment);
        const sales = await whole(app, '/v1/reservations?limit=100', now);
        const dues = await whole(app, '/v1/refunds-due?status=all&limit=1000', now);
        const report = (await hf.admin.get(`/v1/reports/money?from=${this.from}`, now)).json.data;
        assert.equal(new Set(rows.map(({ payment_ref }) => payment_ref)).size, rows.length, 'each payment is one row');
        this.addsUp(rows, sales);
        this.isOwed(rows, dues);
        for (const user of USERS) {
            this.isPaid(sales, await whole(hf.user(user), '/v1/reservations?limit=100', now));
        }
        this.isReported(rows, report);
        this.isThere(new Map(rows.map((row) => [row.payment_ref, row])), new Map(sales.map((r) => [r.reservation_id, r])), dues);
        return { rows: rows.length, sales: sales.length, dues: dues.length };
    }

    /* Sales keep no more than they cost, unsold reservations keep nothing. */
    addsUp(rows, sales) {
        const of = group(rows);
        for (const r of sales) {
            const mine = of.get(r.reservation_id) ?? [];
            const told = `${JSON.stringify(r)} ${JSON.stringify(mine)}`;
            of.delete(r.reservation_id);
            reservation(r);
            const kept = add(mine.filter(({ currency }) => currency === r.total.currency), 'kept');
            if (r.status === 'confirmed') {
                assert.ok(kept <= r.total.amount, `more is kept than it costs: ${told}`);
                assert.equal(r.balance.amount, r.total.amount - kept, `balance: ${told}`);
                const owed = add(mine.filter(({ currency }) => currency === r.total.currency), 'owed');
                assert.ok(r.balance.amount === 0 || owed === 0, `owed although it is missing: ${told}`);
            } else {
                assert.equal(add(mine, 'kept'), 0, `kept for nothing: ${told}`);
                assert.equal(r.balance.amount, 0, told);
            }
            const shown = r.payments.map(({ events, ...row }) => row).sort((a, b) => (a.payment_ref < b.payment_ref ? -1 : 1));
            assert.deepEqual(shown, [...mine].sort((a, b) => (a.payment_ref < b.payment_ref ? -1 : 1)), told);
        }
        for (const [id, mine] of of) {
            assert.equal(add(mine, 'kept'), 0, `kept for ${id}, which is not there`);
        }
    }

    /* The owner sees what is kept. */
    isPaid(sales, shown) {
        const all = new Map(sales.map((r) => [r.reservation_id, r]));
        for (const { reservation_id: id, total, paid } of shown) {
            const kept = add(all.get(id).payments.filter(({ currency }) => currency === total.currency), 'kept');
            assert.deepEqual(paid, { amount: kept, currency: total.currency }, id);
        }
    }

    /* One open refund due for what is owed, and for nothing else. */
    isOwed(rows, dues) {
        const open = dues.filter(({ status }) => status === 'open').map((due) => [due.payment_ref, due.amount.amount, due.amount.currency].join());
        const owed = rows.filter((row) => row.owed).map((row) => [row.payment_ref, row.owed, row.currency].join());
        assert.deepEqual(open.sort(), owed.sort());
    }

    isReported(rows, report) {
        for (const currency of new Set([...rows, ...report].map((one) => one.currency))) {
            const [of, told] = [rows, report].map((list) => list.filter((one) => one.currency === currency));
            assert.deepEqual(SUMS.map((field) => add(told, field)), SUMS.map((field) => add(of, field)), `the report of ${currency}`);
        }
    }

    /* Everything that was answered. */
    isThere(rows, sales, dues) {
        for (const p of this.payments) {
            const row = rows.get(p.ref);
            const told = `${JSON.stringify({ ...p, of: p.of?.id, buys: [...p.buys] })} ${JSON.stringify(row)}`;
            assert.ok(p.buys.size <= 1, `it bought twice: ${told}`);
            if (p.told) {
                assert.deepEqual([row.status, row.received_by], ['received', 'provider'], told);
                assert.ok(row.received >= p.told && p.successes.includes(row.received), told);
            } else if (p.failed && p.successes.length === 0) {
                assert.deepEqual([row.status, row.received], ['failed', 0], told);
            } else if (p.committed && !p.mayFail && p.successes.length === 0) {
                assert.equal(row.status, 'received', told);
                assert.ok(p.word ? row.received === p.word.amount && row.received_by === 'app' : row.received_by === 'assumed', told);
            }
            if (p.committed) {
                assert.equal(row.reservation_id, [...p.buys][0], told);
            }
            const done = [...this.paidBack.values()].filter((due) => due.payment_ref === p.ref).reduce((sum, due) => sum + due.amount.amount, 0);
            assert.ok((row?.returned ?? 0) >= Math.max(done, p.toldBack - p.lost), `returned: ${done} ${told}`);
        }
        for (const r of this.reservations) {
            const { status } = sales.get(r.id);
            assert.ok(!r.confirmed || status === 'confirmed' || (r.mayEnd && ['cancelled', 'refunded'].includes(status)), `${r.id} ${status}`);
        }
        const ends = new Map(dues.map((due) => [due.id, due]));
        const end = ({ status, amount, done_at }) => ({ status, amount, done_at });
        for (const [id, due] of this.paidBack) {
            assert.deepEqual(end(ends.get(id)), end(due), id);
        }
    }
}

module.exports = { Trade };
