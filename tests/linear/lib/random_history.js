/* SPDX-License-Identifier: Apache-2.0 */
/* Random legal histories: a server that decides one step after the other, and clients whose calls overlap around it. */
'use strict';

function dice(seed) {
    let state = seed >>> 0;
    return (below) => { /* mulberry32 */
        state = (state + 0x6d2b79f5) >>> 0;
        let x = Math.imul(state ^ (state >>> 15), state | 1);
        x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
        return ((x ^ (x >>> 14)) >>> 0) % below;
    };
}

const SPREAD_US = 2000; /* a call comes at most this long before its decision, an answer after it */
const POOL = 'hall/floor';
const CAPACITY = 5;

/* What a refusal does not name. */
function rest(asked, named) {
    const others = asked.filter((item) => !named.includes(item));
    return others.length ? { asked: others } : {};
}

class World {
    constructor({ seed, seats = 6, clients = 5, pool = true, stale = true, window_us = 1_000_000, intents = false }) {
        Object.assign(this, { random: dice(seed), stale, window_us, intents, now: 1_000_000, seq: 0, ids: 0, keys: 0, lines: [], open: 0 });
        this.seats = Array.from({ length: seats }, (_, i) => `hall/A${i + 1}`);
        this.pool = pool;
        this.claims = new Map(); /* reservation -> {items, status, deadline} */
        this.taken = new Map(); /* seat -> reservation */
        this.units = CAPACITY;
        this.lastTaken = new Map();
        this.views = [];
        this.clients = Array.from({ length: clients }, (_, i) => ({ name: `c${i + 1}`, free: 0, seen: 0, pending: null }));
        if (pool) this.lines.push({ op: 'pool', items: [{ object: POOL, units: CAPACITY }] });
    }

    end(id, status) {
        const claim = this.claims.get(id);
        for (const item of claim.items) {
            if (item.units) this.units += item.units;
            else { this.taken.delete(item.object); this.lastTaken.set(item.object, Math.min(this.now, claim.deadline ?? this.now)); }
        }
        claim.status = status;
    }

    pass(us) {
        this.now += us;
        for (const [id, claim] of this.claims)
            if (claim.status === 'held' && claim.deadline <= this.now) this.end(id, 'expired');
        for (const [id, claim] of this.claims) if (!['held', 'sold'].includes(claim.status)) this.claims.delete(id);
    }

    /* A line around the decision that was just made. */
    line(client, fields, from = this.now - this.random(SPREAD_US)) {
        const call_us = Math.max(client.free + 1, from);
        const answer_us = this.now + this.random(SPREAD_US);
        const line = { client: client.name, call_us, answer_us, ...fields };
        client.free = answer_us;
        if (line.seq) client.seen = Math.max(client.seen, line.seq);
        this.lines.push(line);
        return line;
    }

    view() {
        if (!this.stale) return;
        this.views.push({ seq: this.seq, at: this.now, taken: new Map([...this.taken].map(([seat, id]) => [seat, { id, ...this.claims.get(id) }])) });
        if (this.views.length > 12) this.views.shift();
    }

    choose() {
        if (this.pool && this.random(4) === 0) return [{ object: POOL, units: 1 + this.random(3) }];
        const first = this.random(this.seats.length);
        const items = [{ object: this.seats[first] }];
        if (this.random(3) === 0) items.push({ object: this.seats[(first + 1) % this.seats.length] });
        return items;
    }

    obstacles(items) {
        return items.filter((item) => (item.units ? item.units > this.units : this.taken.has(item.object)));
    }

    /* Whether another client's request for the seat is under way. */
    wantedBy(client, seat) {
        return this.clients.some((other) => other !== client && other.pending?.items.some(({ object }) => object === seat));
    }

    grant(items) {
        const id = `r${++this.ids}`;
        const claim = { items, status: 'held', deadline: this.now + 20_000 + this.random(400_000), fence: ++this.seq };
        for (const item of items) {
            if (item.units) this.units -= item.units;
            else this.taken.set(item.object, id);
        }
        this.claims.set(id, claim);
        this.view();
        return { op: 'hold', reservation: id, outcome: 'granted', fence: claim.fence, expires_us: claim.deadline, items };
    }

    hold(client) {
        const items = this.choose();
        const obstacles = this.obstacles(items);
        const key = `k${++this.keys}`;
        if (obstacles.length) return this.line(client, { op: 'hold', key, outcome: 'refused:taken', seq: this.seq, items: obstacles, ...rest(items, obstacles) });
        const seat = items[0].object;
        if (this.stale && this.lastTaken.get(seat) > this.now - this.window_us + SPREAD_US && this.random(4) === 0)
            return this.line(client, { op: 'hold', key, outcome: 'refused:taken', items: [items[0]] });
        if (this.intents && !items[0].units && this.wantedBy(client, seat) && this.random(4) === 0)
            return this.line(client, { op: 'hold', key, outcome: 'refused:taken', items: [items[0]], ...rest(items, [items[0]]) });
        if (this.intents && this.random(6) === 0) { /* it has its intent, and is refused later for another reason */
            client.pending = { key, items, since: this.now };
            return null;
        }
        if (this.random(8)) return this.line(client, { ...this.grant(items), key, seq: this.seq });
        /* Undecided: it took effect or not; it is repeated, or, for a few, never. */
        const granted = this.random(2) ? this.grant(items) : null;
        this.line(client, { op: 'hold', key, outcome: 'undecided', items });
        if (this.open < 4 && this.random(4) === 0) this.open++;
        else client.pending = { key, items, granted };
        return null;
    }

    repeat(client) {
        const { key, items, granted, since } = client.pending;
        client.pending = null;
        if (since) return this.line(client, { op: 'hold', key, outcome: 'refused:limit_exceeded', items }, since);
        const obstacles = granted ? [] : this.obstacles(items);
        if (obstacles.length) return this.line(client, { op: 'hold', key, outcome: 'refused:taken', seq: this.seq, items: obstacles });
        return this.line(client, { ...(granted ?? this.grant(items)), key, seq: this.seq });
    }

    follow(client) {
        const known = [...this.claims].filter(([, claim]) => claim.owner === client.name);
        if (!known.length) return null;
        const [id, claim] = known[this.random(known.length)];
        const fields = { reservation: id, items: claim.items.map(({ object }) => ({ object })) };
        this.seq++;
        if (claim.status === 'sold') {
            if (this.random(3)) {
                return this.line(client, { op: 'transfer', outcome: 'transferred', fence: this.seq, seq: this.seq, ...fields });
            }
            this.end(id, 'refunded');
            this.view();
            return this.line(client, { op: 'refund', outcome: 'refunded', seq: this.seq, ...fields });
        }
        const what = this.random(4);
        if (what === 0) {
            this.end(id, 'released');
            this.view();
            return this.line(client, { op: 'release', outcome: 'released', seq: this.seq, ...fields });
        }
        if (what === 1) {
            claim.deadline += 50_000;
            this.view();
            return this.line(client, { op: 'extend', outcome: 'extended', expires_us: claim.deadline, seq: this.seq, ...fields });
        }
        claim.status = 'sold';
        claim.deadline = undefined;
        this.view();
        return this.line(client, { op: 'commit', outcome: 'confirmed', seq: this.seq, ...fields });
    }

    read(client) {
        const fresh = { seq: this.seq, at: this.now, taken: new Map([...this.taken].map(([seat, id]) => [seat, { id, ...this.claims.get(id) }])) };
        const views = this.views.filter((view) => view.seq >= client.seen);
        const view = views.length && this.random(2) ? views[this.random(views.length)] : fresh;
        const first = this.random(this.seats.length);
        const items = [first, (first + 1) % this.seats.length].map((i) => {
            const claim = view.taken.get(this.seats[i]);
            const status = !claim || (claim.status === 'held' && claim.deadline <= this.now) ? 'free' : claim.status;
            return { object: this.seats[i], status, ...(status === 'free' ? {} : { reservation: claim.id }) };
        });
        if (view === fresh && this.pool) items.push({ object: POOL, status: 'available', units: this.units });
        return this.line(client, { op: 'read', outcome: 'shown', ...(view.seq ? { seq: view.seq } : {}), ...(client.seen ? { min_seq: client.seen } : {}), items });
    }

    step() {
        this.pass(1 + this.random(1500));
        const idle = this.clients.filter((client) => client.free < this.now - 1);
        if (!idle.length) return;
        const client = idle[this.random(idle.length)];
        let line;
        if (client.pending) line = this.repeat(client);
        else line = [() => this.hold(client), () => this.follow(client), () => this.hold(client), () => this.read(client)][this.random(4)]();
        if (line?.outcome === 'granted' && this.claims.has(line.reservation)) this.claims.get(line.reservation).owner = client.name;
        if (line && line.seq === 0) delete line.seq;
    }
}

/* A world after this many steps. */
function randomWorld(options) {
    const world = new World(options);
    for (let i = 0; i < options.steps; i++) world.step();
    return world;
}

const text = (lines) => lines.map((line) => JSON.stringify(line)).join('\n') + '\n';

module.exports = { randomWorld, text, dice, POOL };
