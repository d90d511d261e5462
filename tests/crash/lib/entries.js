/* SPDX-License-Identifier: Apache-2.0 */
/* entries.js — a waiting room and a waiting list under load, through crashes: people keep what was acknowledged.
 *
 * In the room people join, poll, leave and buy while others are admitted, so that every crash comes during admission.
 * Afterwards everyone has the acknowledged position, those admitted are admitted until the same instant and nobody
 * twice, and nobody waits ahead of someone who was admitted. On the list people want a pool that is sold out; each is
 * asked in turn, and no free stock fits a waiting entry.
 */
'use strict';

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const { makeEvent, availability, whole } = require('../../conformance/lib/catalogue.js');
const { queue, waitingList, makeRoom, entry: queueEntry, listEntry, room } = require('../../conformance/lib/entries.js');

const RATE = 150;
const FEW = 6;
const QUEUERS = 4;
const WISHERS = 3;
const CROWD = 200; /* in line from the start, so that there is always someone to admit */

const random9 = () => crypto.randomBytes(9).toString('base64url');

/* The possible states of an entry, by what was acknowledged and what was in flight. */
const ROOM_NEXT = {
    waiting: { waiting: true, admitted: true, passed_over: true, left: 'leave' },
    passed_over: { passed_over: true, admitted: true, left: 'leave' },
    admitted: { admitted: true, left: 'leave', finished: 'buy' },
    finished: { finished: true },
    left: { left: true },
};
const LIST_NEXT = {
    waiting: { waiting: true, offered: true, left: true },
    offered: { offered: true, left: true, finished: 'buy' },
    finished: { finished: true },
    left: { left: true },
};

/* Compares the entry as it is now with what was acknowledged before. */
function follow(one, now, next, fixed) {
    const { known, pending } = one;
    const told = `told ${JSON.stringify(known)}, in flight ${pending}, now ${JSON.stringify(now)}`;
    for (const field of fixed) {
        assert.deepEqual(now[field], known[field], `${field}: ${told}`);
    }
    const allowed = next[known.status][now.status];
    assert.ok(allowed === true || (allowed !== undefined && allowed === pending), told);
    one.known = now;
    return told;
}

class Lines {
    constructor(run) {
        this.run = run;
        this.people = [];  /* of the room */
        this.wishers = []; /* of the list */
        this.joined = 0;   /* over all cycles, as acknowledged */
        this.admitted = 0;
        this.offered = 0;
    }

    async renew() {
        const { hf } = this.run;
        this.room = await makeRoom(hf, {
            pools: { floor: 1_000_000 }, room: { rate_per_second: RATE, pass_ttl_seconds: 7200 },
        });
        this.list = await makeEvent(hf, { pools: { few: FEW }, waiting_list: true, hold_ttl_seconds: 1, max_hold_seconds: 2 });
        this.people = Array.from({ length: CROWD }, () => this.person());
        this.wishers = [];
        await this.run.each(this.people, async (one) => {
            const answer = await this.caller.post(queue(this.room), { user_id: one.user });
            assert.equal(answer.status, 201, answer.text);
            this.joins(one, answer.json);
        });
    }

    get caller() {
        return this.run.callers.find((caller) => caller.role === 'app');
    }

    get random() {
        return this.run.random;
    }

    /* They run beside the workers of the load. */
    workers(load) {
        const worker = (work) => ({ run: async () => {
            while (!load.over) {
                await work(load);
            }
        } });
        return [
            ...Array.from({ length: QUEUERS }, () => worker((now) => this.queue(now))),
            ...Array.from({ length: WISHERS }, () => worker((now) => this.want(now))),
        ];
    }

    /* The answer, or null: the server is gone, and what was pending stays so. */
    async ask(load, one, method, target, { body, headers = {}, pending = null } = {}) {
        one.pending = pending;
        const answer = await load.call(this.caller, method, target, { body: body && JSON.stringify(body), headers });
        if (answer !== null) {
            one.pending = null;
        }
        return answer;
    }

    /* ---- The room ---- */

    roomFollow(one, image) {
        const before = one.known;
        const told = follow(one, queueEntry(image), ROOM_NEXT, ['entry_id', 'number', 'position', 'joined_at', 'user_id']);
        if (before.status === 'admitted' && image.status === 'admitted') {
            assert.equal(image.pass_expires_at, before.pass_expires_at, `admitted a second time: ${told}`);
        }
        this.admitted += image.status === 'admitted' && before.status !== 'admitted';
    }

    person() {
        return { user: `q-${random9()}`, key: random9(), known: null, pending: null, busy: true };
    }

    joins(one, image) {
        one.known = queueEntry(image);
        one.pending = null;
        one.busy = false;
        this.joined++;
    }

    async join(load) {
        const one = this.person();
        this.people.push(one);
        const answer = await this.ask(load, one, 'POST', queue(this.room), {
            body: { user_id: one.user }, headers: { 'Idempotency-Key': one.key }, pending: 'join',
        });
        if (answer !== null) {
            assert.equal(answer.status, 201, answer.text);
            this.joins(one, queueEntry(answer.json, { status: 'waiting' }));
        }
    }

    async buy(load, one) {
        const answer = await this.ask(load, one, 'POST', '/v1/reservations', {
            body: { user_id: one.user, items: [{ event: this.room, pool: 'floor', quantity: 1 }], commit: true },
            headers: { 'Holdfast-Pass': one.known.pass }, pending: 'buy',
        });
        if (answer !== null) {
            assert.equal(answer.status, 201, answer.text);
            one.known = { ...one.known, status: 'finished' };
        }
    }

    async queue(load) {
        const known = this.people.filter((one) => one.known && !one.busy).slice(-200);
        const dice = this.random.next();
        if (dice < 0.4 || known.length === 0) {
            await this.join(load);
            return;
        }
        const one = this.random.of(known);
        one.busy = true;
        if (dice < 0.5 && one.known.status === 'admitted') {
            await this.buy(load, one);
        } else {
            const leave = dice > 0.95;
            const answer = await this.ask(load, one, leave ? 'DELETE' : 'GET', queue(this.room, `/${one.known.entry_id}`), {
                pending: leave ? 'leave' : null,
            });
            if (answer !== null) {
                assert.equal(answer.status, 200, answer.text);
                one.pending = leave ? 'leave' : null;
                this.roomFollow(one, answer.json);
                one.pending = null;
            }
        }
        one.busy = false;
    }

    /* ---- The list ---- */

    listFollow(one, image) {
        const before = one.known;
        const told = follow(one, listEntry(image), LIST_NEXT, ['entry_id', 'quantity', 'pool', 'joined_at', 'user_id']);
        if (before.reservation_id !== null) {
            assert.equal(image.reservation_id, before.reservation_id, `offered a second time: ${told}`);
        }
        this.offered += image.reservation_id !== null && before.reservation_id === null;
    }

    async wish(load) {
        const body = { user_id: `w-${random9()}`, quantity: this.random.between(1, 3), pool: 'few' };
        const one = { body, known: null, pending: null, busy: true };
        this.wishers.push(one);
        const answer = await this.ask(load, one, 'POST', waitingList(this.list), { body, pending: 'join' });
        one.busy = false;
        if (answer !== null) {
            assert.equal(answer.status, 201, answer.text);
            one.known = listEntry(answer.json, { status: 'waiting' });
        }
    }

    /* A caller who tries without being on the list, and releases again. */
    async snatch(load) {
        const body = { user_id: `c-${random9()}`, items: [{ event: this.list, pool: 'few', quantity: 1 }] };
        const answer = await this.ask(load, {}, 'POST', '/v1/reservations', { body });
        assert.ok(answer === null || answer.status === 201 || answer.json.code === 'sold_out', answer?.text);
    }

    /* Buys, declines, or lets it lapse. */
    async decide(load, one) {
        const dice = this.random.next();
        const done = dice < 0.03 ? '/commit' : dice < 0.6 ? '/release' : null;
        if (!done) {
            return;
        }
        const answer = await this.ask(load, one, 'POST', `/v1/reservations/${one.known.reservation_id}${done}`, {
            body: {}, pending: done === '/commit' ? 'buy' : null,
        });
        if (answer === null) {
            return;
        }
        assert.ok(answer.status === 200 || answer.json.code === 'expired', answer.text);
        one.known = { ...one.known, position: null, status: answer.status === 200 && done === '/commit' ? 'finished' : 'left' };
    }

    async want(load) {
        const known = this.wishers.filter((one) => one.known && !one.busy && one.known.status !== 'left').slice(-60);
        const dice = this.random.next();
        if (dice < 0.25 || known.length === 0) {
            await this.wish(load);
            return;
        }
        if (dice < 0.4) {
            await this.snatch(load);
            return;
        }
        const one = this.random.of(known);
        one.busy = true;
        const answer = await this.ask(load, one, 'GET', waitingList(this.list, `/${one.known.entry_id}`));
        if (answer !== null) {
            assert.equal(answer.status, 200, answer.text);
            this.listFollow(one, answer.json);
        }
        if (answer !== null && one.known.status === 'offered') {
            await this.decide(load, one);
        }
        one.busy = false;
    }

    /* ---- After a crash ---- */

    /* Users who were joining try again, and have one entry: the existing one, or a new one. */
    async joinAgain(list, target, ask, done) {
        for (const one of list.filter(({ known, pending }) => !known && pending === 'join')) {
            const { body, headers } = ask(one);
            const answer = await this.caller.post(target, body, { headers });
            assert.ok(answer.status === 201 || answer.status === 200, answer.text);
            done(one, answer.json);
        }
    }

    async verifyRoom() {
        const { hf, each } = this.run;
        const { serving } = await room(hf, this.room);
        await each(this.people.filter((one) => one.known), async (one) => {
            const answer = await hf.admin.get(queue(this.room, `/${one.known.entry_id}`));
            assert.equal(answer.status, 200, `told ${JSON.stringify(one.known)}, and now: ${answer.text}`);
            this.roomFollow(one, answer.json);
            one.pending = null;
            one.busy = false;
            assert.ok(one.known.status !== 'waiting' || one.known.position > serving,
                `${JSON.stringify(one.known)} waits, and ${serving} was let in`);
        });
        await this.joinAgain(this.people, queue(this.room), ({ user, key }) =>
            ({ body: { user_id: user }, headers: { 'Idempotency-Key': key } }), (one, image) => this.joins(one, image));
        const positions = this.people.map((one) => one.known.position);
        assert.equal(new Set(positions).size, positions.length, 'two people have one position');
        const { waiting, active, passed_over, finished, left, joined } = await room(hf, this.room);
        assert.equal(joined, this.people.length, 'there are more people in line than joined, or fewer');
        assert.equal(waiting + active + passed_over + finished + left, joined);
    }

    /* The reservation of an offer matches the entry. */
    async verifyOffer(one) {
        if (!one.known.reservation_id) {
            return;
        }
        const answer = await this.run.hf.admin.get(`/v1/reservations/${one.known.reservation_id}`);
        assert.equal(answer.status, 200, answer.text);
        const told = `${JSON.stringify(one.known)} and ${answer.text}`;
        assert.equal(answer.json.user_id, one.known.user_id, told);
        const fits = { offered: ['held', 'expired'], finished: ['confirmed'], left: ['released', 'expired'] }[one.known.status];
        assert.ok(fits.includes(answer.json.status), told);
    }

    async verifyList() {
        const { hf, each } = this.run;
        const { pools } = await availability(hf, this.list);
        await each(this.wishers.filter((one) => one.known), async (one) => {
            const waited = one.known.status === 'waiting';
            const answer = await hf.admin.get(waitingList(this.list, `/${one.known.entry_id}`));
            assert.equal(answer.status, 200, `told ${JSON.stringify(one.known)}, and now: ${answer.text}`);
            this.listFollow(one, answer.json);
            one.pending = null;
            one.busy = false;
            await this.verifyOffer(one);
            assert.ok(!waited || one.known.status !== 'waiting' || one.known.quantity > pools.few.available,
                `${pools.few.available} look free, and ${JSON.stringify(one.known)} waits`);
        });
        await this.joinAgain(this.wishers, waitingList(this.list), ({ body }) => ({ body }), (one, image) =>
            Object.assign(one, { known: listEntry(image), pending: null, busy: false }));
        const seen = await hf.anyone.get('/healthz');
        const list = await whole(hf.admin, waitingList(this.list, '?status=waiting&limit=1000'), hf.since(seen));
        const joined = list.map((one) => one.joined_at);
        assert.deepEqual(joined, [...joined].sort(), 'the list stands in another order than they joined');
    }

    async verify() {
        await this.verifyRoom();
        await this.verifyList();
    }
}

module.exports = { Lines };
