/* SPDX-License-Identifier: Apache-2.0 */
/* pair.js — two servers with the same keys and the same time, which get the same requests.
 *
 * Time is frozen, but for the milliseconds that an answer takes, and moves by jumps. What is due is done by each server at
 * its next tick, so the run waits for both: after a jump (settle) until a hold that expires in it is shown as expired, and
 * after a request that concerns a waiting room or a fleet (tick) until a new entry of another waiting room is admitted. A
 * jump never ends close to an instant at which something is due, as far as answers show these, so that both servers are on
 * the same side of it.
 *
 * Requests name things as the old server calls them, between two marks (ref); the new one is asked by its own names.
 */
'use strict';

const crypto = require('node:crypto');
const { Server } = require('../../conformance/lib/server.js');
const { eventually } = require('../../conformance/lib/http.js');
const { userToken } = require('../../conformance/lib/token.js');

const [BEGIN, END] = ['\ue000', '\ue001'];
const ref = (name) => `${BEGIN}${name}${END}`;

const HOLD_MS = 5;       /* how often the clocks are set back */
const DRIFT_MS = 500;    /* a server's clock that goes back by a second counts as restarted */
const CANARY_MS = 1_000; /* its TTL */
const STEP_MS = 1_600;   /* the least jump: shorter than any time in which an entry must be polled */
const TICK_MS = 120;     /* longer than fleets and waiting rooms rest between two steps */
const AFTER_MS = 300;    /* no request is sent within this time after an instant at which something is due, */
const BEFORE_MS = 700;   /* or before it */
const QUARTER_MS = 900_000; /* days, hours and slots begin with one */

class Pair {
    constructor(programs, names) {
        const adminKey = `admin-${crypto.randomBytes(24).toString('hex')}`;
        this.secret = crypto.randomBytes(32).toString('hex');
        this.names = names;
        this.servers = programs.map((program) => new Server({
            program, adminKey, secret: this.secret, args: ['--hooks-private', 'on'],
        }));
        this.adminKey = adminKey;
        this.seen = [0, 0]; /* the greatest number of a change that each has shown */
        this.instants = new Map(); /* when something is due → how long before it no request is sent */
        this.now = Date.now();
        this.written = { at: Date.now(), now: this.now };
        this.ahead = 0; /* how many more changes the old one has made, for reasons that are known */
        this.jumps = 0;
        this.ticks = 0;
        this.onJump = () => {};
    }

    async start() {
        this.servers.forEach((server) => server.prepare());
        this.freeze();
        this.freezing = setInterval(() => this.freeze(), HOLD_MS).unref();
        await Promise.all(this.servers.map((server) => server.launch()));
        await this.canary('PUT', '/v1/events/tick', { name: 'Tick', payment: 'none', hold_ttl_seconds: CANARY_MS / 1000 });
        await this.canary('POST', '/v1/events/tick/seats', [{ id: 't' }]);
        await this.canary('PUT', '/v1/events/turn', { name: 'Turn',
            waiting_room: { rate_per_second: 100_000, by_inventory: false } });
    }

    async restart(kill) {
        this.freeze();
        await Promise.all(this.servers.map((server) => server.restart({ kill })));
        this.freeze();
    }

    async close() {
        clearInterval(this.freezing);
        await Promise.all(this.servers.map((server) => server.close()));
    }

    /* ---- Time ---- */

    /* Sets both clocks to `this.now`; after a pause that was too long, to a little later. */
    freeze() {
        const at = Date.now();
        this.now = Math.max(this.now, this.written.now + (at - this.written.at) - DRIFT_MS);
        this.servers.forEach((server) => server.clock.set(this.now - at));
        this.written = { at, now: this.now };
    }

    /* Something is due then; what is said to have been a few milliseconds from now has just happened. */
    due(instant, before = BEFORE_MS) {
        if (instant > this.now + AFTER_MS) {
            this.instants.set(instant, Math.max(before, this.instants.get(instant) ?? 0));
        }
    }

    /* Something is due between these two, not at the same instant for both. */
    dueBetween(from, to, before) {
        for (let at = from; at < to; at += before) {
            this.due(at, before);
        }
        this.due(to, before);
    }

    /* The first moment from `at` on that is far enough from all that is due. */
    quiet(at) {
        const due = [...this.instants].sort(([a], [b]) => a - b);
        for (let moved = true; moved;) {
            moved = false;
            const quarter = Math.ceil((at - AFTER_MS) / QUARTER_MS) * QUARTER_MS;
            for (const [instant, before] of [...due, [quarter, BEFORE_MS]]) {
                if (instant > at - AFTER_MS && instant < at + before) {
                    at = instant + AFTER_MS;
                    moved = true;
                }
            }
        }
        return at;
    }

    /* Time passes, and both servers have done what it makes due. */
    async settle(ms = STEP_MS) {
        this.jumps++;
        for (;;) {
            const began = Date.now();
            this.freeze();
            await this.canary('POST', '/v1/reservations', { items: [{ event: 'tick', seat: 't' }] });
            this.now = this.quiet(this.now + Math.max(ms, STEP_MS));
            const late = Date.now() - began;
            this.freeze();
            await Promise.all(this.servers.map((_, side) => this.lapsed(side)));
            if (late < CANARY_MS - 100) {
                break; /* otherwise it may have lapsed before the jump, and says nothing */
            }
        }
        this.instants = new Map([...this.instants].filter(([instant]) => instant > this.now));
        this.onJump();
    }

    async lapsed(side) {
        const look = () => this.send(side, { method: 'GET', path: '/v1/events/tick/availability' });
        await eventually(look, ({ json }) => json.seats.t === 'available', 'the hold that lapses in a jump has lapsed');
        await look(); /* a turn of the loop later */
    }

    /* Whether something is due before a tick would be over: time should jump first. */
    crowded(ms = 0) {
        return this.quiet(this.now + TICK_MS + ms) !== this.now + TICK_MS + ms;
    }

    /* Both have done what was due when this was called. */
    async tick(ms = TICK_MS) {
        this.ticks++;
        this.now += ms;
        const as = { user: `turn-${this.ticks}` };
        const joined = await this.both({ method: 'POST', path: '/v1/events/turn/queue', as, body: {} });
        await Promise.all(joined.map(({ json }, side) => {
            const look = () => {
                this.now += 2; /* a server whose clock was ahead rests for longer */
                return this.send(side, { method: 'GET', path: `/v1/events/turn/queue/${json.entry_id}`, as });
            };
            return eventually(look, (answer) => answer.json.status === 'admitted', 'the entry is admitted');
        }));
        this.onJump();
        await Promise.all(joined.map(({ json }, side) =>
            this.send(side, { method: 'DELETE', path: `/v1/events/turn/queue/${json.entry_id}`, as })));
    }

    /* Whether both have made the same number of changes, now or in a moment. */
    async even() {
        if (this.seen[0] - this.seen[1] === this.ahead) {
            return true;
        }
        const look = () => Promise.all([0, 1].map((side) => this.send(side, { method: 'GET', path: '/v1/events/tick' })));
        try {
            await eventually(look, ([a, b]) => a.seq - b.seq === this.ahead, 'the same number of changes', 3_000);
            return true;
        } catch {
            return false;
        }
    }

    /* ---- Requests ---- */

    async canary(method, path, body) {
        const as = path.startsWith('/v1/events') ? { admin: true } : { user: 'tick' };
        const answers = await this.both({ method, path, body, as });
        for (const { status, text } of answers) {
            if (status !== 201) {
                throw new Error(`${method} ${path}: ${status} ${text}`);
            }
        }
    }

    async both(request) {
        this.freeze();
        return Promise.all([0, 1].map((side) => this.send(side, request)));
    }

    /* Lists are asked for again until the book has come as far as what was shown before. */
    async send(side, request) {
        const { client } = this.servers[side];
        const sent = this.render(side, request);
        const ask = () => client.call(request.method, sent.path, sent);
        let answer = await ask();
        if (request.book && answer.status === 200) {
            const least = this.seen[side];
            answer = answer.seq >= least ? answer : await eventually(ask, ({ seq }) => seq >= least, `list as of ${least}`);
        } else {
            this.seen[side] = Math.max(this.seen[side], answer.seq ?? 0);
        }
        return answer;
    }

    /* The request as this side gets it. */
    render(side, { path, body, headers = {}, as, sign, book, id }) {
        const text = (it) => this.named(side, it);
        const plain = body === undefined || Buffer.isBuffer(body) ? body
            : text(typeof body === 'string' ? body : JSON.stringify(body));
        const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, text(value)]));
        const token = as?.user ? userToken(this.secret, as.user, this.now) : as?.bearer && text(as.bearer);
        if (book) {
            sent['Holdfast-Min-Seq'] = String(this.seen[side]);
        }
        if (id) {
            sent['Request-Id'] = id;
        }
        if (sign) {
            Object.assign(sent, sign(plain ?? '', Math.floor(this.now / 1000)));
        }
        return { path: text(path), body: plain, bearer: as?.admin ? this.adminKey : token, headers: sent };
    }

    named(side, text) {
        return String(text).replace(/\ue000([^\ue001]*)\ue001/g, (_, name) => (side ? this.names.translate(name) : name));
    }
}

module.exports = { Pair, ref };
