/* SPDX-License-Identifier: Apache-2.0 */
/* load.js — many callers at once who hold, add, drop, move, extend, buy, release and read, and report everything to the
 * oracle.
 *
 * Each caller works on its own reservations, over one connection at a time, and competes with the others for the same
 * seats, pools and slots. Anything the contract does not allow ends the run. When the server is gone, requests already
 * sent stay pending.
 */
'use strict';

const assert = require('node:assert/strict');
const crypto = require('node:crypto');

const HELD_MOST = 5; /* by one caller, before it begins to finish some */
const SOLD_MOST = 8; /* confirmed ones with slots that it can still move */
const QUARTER_MS = 15 * 60_000;

const path = (image, rest = '') => `/v1/reservations/${image.reservation_id}${rest}`;

/* The refusals that a race, a full house or a deadline can bring. */
const expected = new Set(['taken', 'sold_out', 'no_adjacent_seats', 'expired', 'limit_exceeded']);

class Worker {
    constructor(load, caller, random, mine) {
        this.load = load;
        this.caller = caller;
        this.random = random;
        this.mine = mine;
        this.sold = [];
    }

    /* The owner of the reservation. */
    get user() {
        return this.caller.name;
    }

    seats(count) {
        return this.random.some(this.load.seats, count).map((seat) => ({ event: this.load.event, seat }));
    }

    /* Some quarters of an hour in a calendar. */
    slot(calendar) {
        const { random, load } = this;
        const start = load.day + random.between(0, load.quarters - 1) * QUARTER_MS;
        const end = start + random.between(1, 4) * QUARTER_MS;
        return { calendar, start: new Date(start).toISOString(), end: new Date(end).toISOString() };
    }

    slots(count) {
        return Array.from({ length: count }, () => this.slot(this.random.of(this.load.rooms).calendar));
    }

    wanted() {
        const { random, load } = this;
        const pool = { event: load.event, pool: 'floor', quantity: random.between(1, 3) };
        switch (random.between(0, 9)) {
        case 6:
            return [...this.slots(random.between(1, 2)), ...this.seats(1), pool];
        case 7:
            return [this.slot(load.briefRoom)];
        case 8:
        case 9:
            return this.slots(random.between(1, 2));
        case 0:
            return [...this.seats(random.between(2, 4)), pool];
        case 1:
            return [pool];
        case 2:
            return [{ event: load.event, best: { quantity: random.between(1, 3) } }];
        case 3:
            return [{ event: load.brief, seat: random.of(load.briefSeats) }];
        default:
            return this.seats(random.between(1, 2));
        }
    }

    /* Sends an operation that is already pending; true if it was done. */
    async send(entry) {
        const { load } = this;
        const op = entry.pending;
        const headers = op.key ? { 'Idempotency-Key': op.key } : {};
        const sentAfterFence = load.oracle.fence;
        const answer = await load.call(this.caller, op.method, op.path, { body: op.body, headers });
        if (answer === null) {
            return false;
        }
        if (answer.status >= 400) {
            const told = `${op.method} ${op.path} ${op.body}: ${answer.status} ${answer.text}`;
            assert.ok(answer.status === 409 && expected.has(answer.json.code), told);
            load.oracle.refuse(entry);
            return false;
        }
        try {
            load.oracle.acknowledge(entry, answer, sentAfterFence);
        } catch (error) {
            error.message += `\nto ${op.method} ${op.path} ${op.body}\n${answer.status} ${answer.text}`;
            throw error;
        }
        return true;
    }

    async hold() {
        const { random, load } = this;
        const items = this.wanted();
        const tag = crypto.randomBytes(9).toString('base64url');
        const commit = this.caller.role === 'app' && random.chance(0.2);
        const body = JSON.stringify({
            items, attributes: { tag }, ...(commit ? { commit } : {}), ...(this.caller.role === 'app' ? { user_id: this.user } : {}),
        });
        const key = random.chance(0.5) ? `key-${tag}` : undefined;
        const op = { kind: 'hold', method: 'POST', path: '/v1/reservations', body, key, tag, items, commit, user: this.user };
        const entry = load.oracle.wish(this.caller, op);
        if ((await this.send(entry)) && !commit) {
            this.mine.push(entry);
        } else if (entry.known) {
            this.remember(entry);
        }
    }

    /* Bought, and with a slot: it can still move. */
    remember(entry) {
        if (this.slotsOf(entry).length > 0 && this.sold.length < SOLD_MOST) {
            this.sold.push(entry);
        }
    }

    slotsOf(entry) {
        return entry.known.items.filter((item) => item.calendar !== undefined);
    }

    /* To another time, often across its own: each of these is a new one. */
    toMove(entry) {
        const item = this.random.of(this.slotsOf(entry));
        let to = this.slot(item.calendar);
        if (this.random.chance(0.5)) {
            to = { start: item.start, end: new Date(Date.parse(item.end) + this.random.between(1, 2) * QUARTER_MS).toISOString() };
        }
        if (to.start === item.start && to.end === item.end) {
            to.end = new Date(Date.parse(item.end) + QUARTER_MS).toISOString();
        }
        const { start, end } = to;
        return { kind: 'move', method: 'PATCH', path: path(entry.known, `/items/${item.item_id}`), body: JSON.stringify({ start, end }),
            item: item.item_id, start, end };
    }

    /* Something with one of its own. */
    async act() {
        const { random } = this;
        const at = random.between(0, this.mine.length - 1);
        const entry = this.mine[at];
        const post = (kind, rest, body = '{}', more = {}) =>
            ({ kind, method: 'POST', path: path(entry.known, rest), body, ...more });
        const dice = random.next();
        if (dice < 0.3) {
            entry.pending = post('commit', '/commit');
        } else if (dice < 0.6) {
            entry.pending = post('release', '/release');
        } else if (dice < 0.7) {
            entry.pending = post('extend', '/extend', random.chance(0.5) ? '{"ttl_seconds":3600}' : '{}');
        } else if (dice < 0.78 && this.slotsOf(entry).length > 0) {
            entry.pending = this.toMove(entry);
        } else if (dice < 0.88 && !this.isBrief(entry)) {
            const items = this.toAdd(entry);
            entry.pending = post('add', '/items', JSON.stringify(items[0]), {
                items, key: random.chance(0.5) ? `add-${crypto.randomBytes(9).toString('base64url')}` : undefined,
            });
            entry.added = null;
        } else {
            const item = random.of(entry.known.items).item_id;
            entry.pending = { kind: 'drop', method: 'DELETE', path: path(entry.known, `/items/${item}`), item };
        }
        const op = entry.pending;
        const done = await this.send(entry);
        if (done && op.kind === 'add') {
            entry.added = op;
        }
        if (entry.known.status !== 'held' || (!done && this.isBrief(entry))) {
            this.mine.splice(this.mine.indexOf(entry), 1);
        }
        if (done && op.kind === 'commit') {
            this.remember(entry);
        }
    }

    /* Bookings move as well. */
    async rebook() {
        const entry = this.random.of(this.sold);
        entry.pending = this.toMove(entry);
        await this.send(entry);
    }

    /* Lapses during the run, so it must not claim anything in the house. */
    isBrief(entry) {
        return entry.known.items.some((item) => item.event === this.load.brief || item.calendar === this.load.briefRoom);
    }

    /* One item that it does not have yet; in a room for several, the same time again is one more. */
    toAdd(entry) {
        const { random, load } = this;
        if (random.chance(0.3)) {
            return [this.slot(random.of(load.rooms.filter((room) => room.capacity > 1)).calendar)];
        }
        const has = new Set(entry.known.items.map((item) => item.seat));
        const [item] = this.seats(1);
        return [has.has(item.seat) || random.chance(0.3) ? { event: load.event, pool: 'floor', quantity: 1 } : item];
    }

    async look() {
        const { random, load } = this;
        const seat = random.of(load.seats);
        const key = `${load.event}/${seat}`;
        const before = load.oracle.seats.get(key);
        const answer = await load.call(load.anyone, 'GET', `/v1/events/${load.event}/seats/${seat}`);
        if (answer !== null) {
            assert.equal(answer.status, 200, answer.text);
            load.oracle.seatSeen(key, answer.json, before);
        }
    }

    async run() {
        while (!this.load.over) {
            const busy = this.mine.length / HELD_MOST;
            if (this.random.chance(0.1)) {
                await this.look();
            } else if (this.sold.length > 0 && this.random.chance(0.08)) {
                await this.rebook();
            } else if (this.mine.length > 0 && this.random.chance(Math.max(busy, 0.4))) {
                await this.act();
            } else {
                await this.hold();
            }
        }
    }
}

class Load {
    /* `house`: {event, seats, brief, briefSeats, rooms, briefRoom, day, quarters}; `callers` have a name and a role.
     * They continue with what they hold from before. */
    constructor(oracle, house, callers, anyone, random, connections) {
        Object.assign(this, house);
        this.oracle = oracle;
        this.anyone = anyone;
        this.over = false;   /* stop, the server is about to be gone */
        this.doomed = false; /* it can end at any moment */
        this.answers = 0;
        this.workers = Array.from({ length: connections }, (_, i) => new Worker(this, callers[i % callers.length], random, []));
        for (const entry of oracle.entries.filter((one) => one.known?.status === 'held')) {
            random.of(this.workers.filter((worker) => worker.caller === entry.caller)).mine.push(entry);
        }
    }

    /* The answer, or null if there is none because the server is gone. */
    async call(caller, method, target, options) {
        let answer;
        try {
            answer = await caller.call(method, target, options);
        } catch (error) {
            assert.ok(this.over || this.doomed, `${method} ${target}: ${error.message}`);
            this.over = true;
            this.oracle.unknown++;
            return null;
        }
        this.answers++;
        this.oracle.heard(answer);
        return answer;
    }

    /* Runs until `stop` has ended the server; rejects with the first violation. */
    async run(stop) {
        let broken = null;
        const running = this.workers.map((worker) => worker.run().catch((error) => {
            broken ??= error;
            this.over = true;
        }));
        await stop();
        this.over = true;
        await Promise.all(running);
        if (broken) {
            throw broken;
        }
    }
}

module.exports = { Load, path };
