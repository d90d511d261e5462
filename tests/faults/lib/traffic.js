/* SPDX-License-Identifier: Apache-2.0 */
/* traffic.js — clients that hold, buy, release, refund and look while something fails, and the judgement of what they were
 * answered: one order explains all of it, and what was acknowledged is there once, in every node and in the database. */
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const { setTimeout: pause } = require('node:timers/promises');

const { eventually } = require('../../conformance/lib/http.js');
const { makeEvent } = require('../../conformance/lib/catalogue.js');
const { Recorder } = require('../../linear/lib/recorder.js');
const { linear } = require('../../linear/lib/linear.js');
const { dice } = require('../../linear/lib/random_history.js');

const ATTEMPTS = 2000;
const LOOK_MS = 20;
const TTL_S = 600;
const UNITS = 40;
const CLOCKS = ['--clock-error-ms', '1000', '--sweep-ms', '20000'];
const HOT_SEATS = 8;

class Traffic {
    /* ttl_s: of each hold; short ones expire while the fault lasts. anywhere: how many of the clients send each request to any
     * node; the others send theirs to the owner. gate: of nodes that are asked besides the owner. With one on Redis every other
     * hold is of a few seats that all want, most are given back, and no one asks for units of the pool, which it never judges. */
    constructor(nodes, { seed, clients = 12, seats = 40, ttl_s = TTL_S, anywhere = 0, gate = anywhere ? 'copy' : undefined }) {
        Object.assign(this, { nodes, seed, ttl_s, anywhere, gate, hot: gate === 'redis', running: true, sold: new Map(), answers: 0 });
        this.others = 0; /* seats that the schedule itself has sold */
        this.file = path.join(os.tmpdir(), `holdfast-faults-${process.pid}-${seed}-${Date.now()}.jsonl`);
        this.recorder = new Recorder({ file: this.file, attempts: ATTEMPTS, pause_ms: 50, reads: 'seen' });
        this.seats = Array.from({ length: seats }, (_, i) => `A${i + 1}`);
        this.racers = Array.from({ length: clients }, (_, i) => this.racer(`racer${i + 1}`, seed * 1000 + i, i < anywhere));
    }

    /* Reads what one node shows, over and over: never less than before. */
    async look(node) {
        const client = this.recorder.client(`looker-${node.id}`, this.nodes.looker(node));
        for (let i = 0; this.running; i++) {
            await client.readEvent(this.event);
            const known = [...this.recorder.held.keys()];
            if (known.length) {
                await client.readReservation(known[(i * 7919) % known.length]);
            }
            await pause(LOOK_MS);
        }
    }

    racer(name, seed, anywhere) {
        const random = dice(seed);
        const caller = anywhere ? this.nodes.wanderer(name, random) : this.nodes.caller(name);
        return { client: this.recorder.client(name, caller), random, holds: [], sold: [] };
    }

    async begin() {
        const owner = await this.nodes.owner();
        this.event = await makeEvent(owner, { seats: this.seats.join(' '), pools: { floor: UNITS } });
        this.recorder.pool(this.event, 'floor', UNITS);
        await Promise.all(this.nodes.list.map((node) =>
            eventually(() => this.nodes.ready(node), ({ role }) => role, 'each node to be ready')));
        this.ended = Promise.all([...this.racers.map((each) => this.run(each)), ...this.nodes.list.map((node) => this.look(node))]);
        this.ended.catch(() => {}); /* finish() throws it */
        return this;
    }

    async run(racer) {
        try {
            while (this.running) {
                await this.act(racer);
            }
        } catch (error) {
            this.running = false;
            throw error;
        }
    }

    /* Resolves after this many more decided answers. */
    progress(count, patience = 90_000) {
        const wanted = this.answers + count;
        return eventually(async () => this.answers, (answers) => answers >= wanted || !this.running, `${count} more answers`, patience);
    }

    async act(racer) {
        const { client, random, holds, sold } = racer;
        const what = random(12);
        if (what < 5 || !holds.length) {
            await this.hold(racer);
        } else if (what === 5) {
            await client.readReservation(holds[random(holds.length)]);
        } else if (what === 6) {
            await client.readEvent(this.event);
        } else if (what === 7 || (this.hot && random(4))) {
            await client.release(holds.splice(random(holds.length), 1)[0]);
        } else if (what === 8 && sold.length) {
            const [reservation] = sold.splice(random(sold.length), 1);
            this.sold.delete(reservation);
            await client.refund(reservation);
        } else {
            await this.buy(racer, holds.splice(random(holds.length), 1)[0]);
        }
        this.answers++;
    }

    async hold({ client, random, holds }) {
        const first = random(this.hot && random(2) ? Math.min(HOT_SEATS, this.seats.length) : this.seats.length);
        const seat = (at) => ({ event: this.event, seat: this.seats[at % this.seats.length] });
        const seats = [seat(first), ...(random(3) === 0 ? [seat(first + 1)] : [])];
        const items = !this.hot && random(6) === 0 ? [{ event: this.event, pool: 'floor', quantity: 1 + random(3) }] : seats;
        const { outcome, reservation } = await client.hold(items, { ttl_seconds: this.ttl_s });
        if (outcome === 'granted') {
            holds.push(reservation);
        }
    }

    async buy({ client, sold }, reservation) {
        const { outcome } = await client.commit(reservation);
        if (outcome === 'confirmed') {
            sold.push(reservation);
            this.sold.set(reservation, this.recorder.held.get(reservation).map(({ object }) => object));
        }
    }

    /* Everybody buys what is left, until nothing is. */
    async sellOut() {
        await Promise.all(this.seats.map(async (name, i) => {
            const racer = this.racers[i % this.racers.length];
            const { outcome, reservation } = await racer.client.hold([{ event: this.event, seat: name }]);
            if (outcome === 'granted') {
                await this.buy(racer, reservation);
            }
        }));
    }

    judge() {
        this.recorder.close();
        const gate = this.gate ? ['--gate', this.gate] : [];
        const { code, output } = linear(fs.readFileSync(this.file, 'utf8'), ...CLOCKS, ...gate);
        assert.equal(code, 0, `seed ${this.seed}, history in ${this.file}:\n${output}`);
    }

    /* Ends the load, with every command decided, and judges it. */
    async finish() {
        this.running = false;
        await this.ended;
        await this.nodes.settled();
        await this.sellOut();
        await Promise.all(this.racers.map(({ client }) => client.readEvent(this.event)));
        this.judge();
        await this.acknowledged();
        assert.deepEqual(this.nodes.unexpected(), []);
        fs.rmSync(this.file);
    }

    /* Each acknowledged sale is in every node, and each seat is sold at most once, as the database says. */
    async acknowledged() {
        const owner = await this.nodes.owner();
        /* A node that lost the database for a moment answers 503, which a single server has no reason to describe. */
        const keys = (node) => node.admin.get('/v1/keys').catch(() => ({}));
        const { seq } = await eventually(() => keys(owner), (answer) => answer.status === 200, 'the owner to answer');
        for (const node of this.nodes.list) {
            await eventually(() => keys(node), (answer) => answer.status === 200 && answer.seq >= seq, `node ${node.id} to be as of ${seq}`);
            for (const [reservation, objects] of this.sold) {
                const { status, json } = await eventually(() => node.admin.get(`/v1/reservations/${reservation}`),
                    (answer) => answer.status < 500, 'an answer');
                assert.equal(status, 200, `${reservation} on ${objects} is gone from ${node.id}`);
                assert.equal(json.status, 'confirmed', `${reservation} on ${objects} at ${node.id}`);
            }
        }
        const wanted = [...this.sold.values()].flat().filter((object) => !object.endsWith('/floor'));
        assert.equal(new Set(wanted).size, wanted.length, 'a seat was sold twice');
        assert.equal(this.nodes.site.number('SELECT count(*) FROM sold WHERE shard=this AND fence<>0'), wanted.length + this.others);
    }
}

module.exports = { Traffic };
