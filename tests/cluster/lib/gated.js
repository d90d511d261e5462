/* SPDX-License-Identifier: Apache-2.0 */
/* gated.js — a site whose nodes ask a Redis of the test's own, and what a test wants to know of both. */
'use strict';

const { Redis } = require('./redis.js');
const { Site } = require('./site.js');
const { items } = require('../../conformance/lib/catalogue.js');
const { eventually } = require('../../conformance/lib/http.js');

const INTENT_MS = 5000;
const GRANT_MS = 600_000;
const NONCE = 'i0123456789abcdef';

class GatedSite extends Site {
    /* servers: how many of Redis; settings: of each. */
    constructor(pg, { servers = 1, settings = {} } = {}) {
        super(pg);
        this.servers = Array.from({ length: servers }, () => new Redis(settings));
    }

    async start() {
        await Promise.all(this.servers.map((redis) => redis.start()));
        [this.redis] = this.servers;
        return this;
    }

    get redisUrl() {
        return this.servers.map(({ url }) => url).join();
    }

    /* A node with the gate on Redis, or another one with `gate`. */
    async gated(id, { gate = 'redis', url = this.redisUrl, args = [], ...options } = {}) {
        return this.node(id, { ...options, args: ['--gate', gate, '--redis', url, ...args] });
    }

    /* One that decides and one that asks, and both know Redis. */
    async pair(options) {
        const owner = await this.gated('one', options);
        const asker = await this.gated('two', options);
        await this.role(asker, 'follower');
        await this.up(owner, asker);
        return { owner, asker };
    }

    /* Waits until these nodes reach all servers of Redis. */
    up(...nodes) {
        return Promise.all(nodes.map((node) => eventually(() => metrics(node),
            (all) => all.gate_up === this.servers.length, 'a connection to Redis')));
    }

    key(event, seat) {
        return this.redis.call('GET', `seat:${event}:${seat}`);
    }

    /* Waits for the value of a seat's key. */
    keyIs(event, seat, value) {
        return eventually(() => this.key(event, seat), (now) => now === value, `${value} as the key of ${seat}`);
    }

    /* Another user's intent, as another node would have set it. */
    want(event, seat, user, ms = INTENT_MS) {
        return this.redis.call('SET', `seat:${event}:${seat}`, `${user}\n${NONCE}`, 'PX', ms);
    }

    /* Waits until a node's copy has what an answer showed. */
    copied(node, { seq }) {
        return eventually(() => node.admin.get('/v1/keys'), (answer) => answer.seq >= seq, `${node.args.at(-1)} to be as of ${seq}`);
    }

    async close() {
        const faults = [];
        for (const redis of this.servers) {
            redis.child?.kill('SIGCONT');
        }
        await super.close().catch((fault) => faults.push(fault));
        await Promise.all(this.servers.map((redis) => redis.close()));
        if (faults.length) {
            throw faults[0];
        }
    }
}

/* What a node says of its gate: { taken, refused, timed_out, around, repaired, gate_up, mirror_queue, refill_done, refill_total }. */
async function metrics(server) {
    const { text } = await server.admin.get('/metrics');
    const number = (name) => Number(new RegExp(`^holdfast_${name.replace(/[{}"]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1] ?? NaN);
    const intents = (result) => number(`gate_intents_total{result="${result}"}`);
    return {
        taken: intents('taken'), refused: intents('refused'), timed_out: intents('timed_out'), around: intents('around'),
        repaired: number('gate_repaired_total'), gate_up: number('gate_up'), addresses: number('gate_addresses'),
        mirror_queue: number('gate_mirror_queue'), refill_done: number('gate_refill_done'), refill_total: number('gate_refill_total'),
    };
}

/* `event` and `seats` as in lib/catalogue.js. */
const hold = (server, user, event, seats, more = {}, headers = {}) =>
    server.app.post('/v1/reservations', { items: items(event, seats), user_id: user, ...more }, { headers });

module.exports = { GatedSite, metrics, hold, INTENT_MS, GRANT_MS, NONCE };
