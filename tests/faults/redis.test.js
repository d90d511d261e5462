/* SPDX-License-Identifier: Apache-2.0 */
/* Redis fails in every way while 64 clients buy everything at three nodes with --gate redis: nothing is sold twice or lost, a
 * seat that came free is refused for 5 s at most, and the gate is back as soon as Redis is. */
'use strict';

const assert = require('node:assert/strict');
const { setTimeout: pause } = require('node:timers/promises');

const { schedule, SECONDS } = require('./lib/schedule.js');
const { metrics } = require('../cluster/lib/gated.js');
const { Postgres } = require('../cluster/lib/postgres.js');
const { Redis } = require('../cluster/lib/redis.js');
const { makeEvent, items } = require('../conformance/lib/catalogue.js');
const { eventually } = require('../conformance/lib/http.js');

const SEATS = Number(process.env.FAULT_SEATS || Math.min(5000, SECONDS * 20));
const SERVERS = 3;
const STOPPED_MS = 3000;
const database = () => new Postgres().start();

/* Values that no node writes. Each key that is there belongs to a seat that is taken, or was wanted a moment ago. */
const GARBAGE = [
    (redis, key) => redis.call('SET', key, 'garbage'),
    (redis, key) => redis.call('SET', key, ''),
    (redis, key) => redis.call('SET', key, 'zed\n1', 'PX', 600_000),
    (redis, key) => redis.call('SET', key, `zed\n${10 ** 15}`, 'PX', 600_000),
    (redis, key) => redis.call('SET', key, 'zed\ni0123456789abcdef'),
    (redis, key) => redis.call('DEL', key).then(() => redis.call('HSET', key, 'user', 'zed')),
    (redis, key) => redis.call('DEL', key).then(() => redis.call('RPUSH', key, 'zed')),
    (redis, key) => redis.call('PERSIST', key),
];

const FAULTS = {
    emptied: (redis) => redis.call('FLUSHALL'),
    async killed(redis, random) {
        await redis.stop();
        await pause(random(STOPPED_MS));
        await redis.launch();
    },
    async stopped(redis) {
        redis.pause();
        await pause(STOPPED_MS);
        redis.resume();
    },
    async garbage(redis, random) {
        const keys = await redis.call('KEYS', 'seat:*');
        await Promise.all(keys.map((key) => GARBAGE[random(GARBAGE.length)](redis, key)));
        await redis.call('SET', 'holdfast:mirror', 'garbage');
    },
    scripts: (redis) => redis.call('SCRIPT', 'FLUSH'),
    async full(redis, random) {
        await redis.call('CONFIG', 'SET', 'maxmemory', '1');
        await pause(random(STOPPED_MS));
        await redis.call('CONFIG', 'SET', 'maxmemory', '0');
    },
};

let servers = [];

/* Starts Redis and makes the options of the nodes. */
async function gate(t) {
    servers = await Promise.all(Array.from({ length: SERVERS }, () => new Redis().start()));
    t.after(() => Promise.all(servers.map((redis) => redis.close())));
    return { anywhere: true, args: ['--gate', 'redis', '--redis', servers.map(({ url }) => url).join()] };
}

/* One fault after the other at one server after the other; all of them once, and as long as there is time. */
async function fail({ traffic, random, until }) {
    const names = Object.keys(FAULTS);
    for (let i = 0; (i < names.length || until()) && traffic.running; i++) {
        await traffic.progress(100 + random(200));
        await FAULTS[names[i % names.length]](servers[random(servers.length)], random);
    }
}

/* Every node reaches all servers and says so. */
const reached = (nodes) => Promise.all(nodes.list.map((node) => eventually(async () => {
    const { gate_up } = await metrics(node).catch(() => ({}));
    const { degraded = [] } = await nodes.ready(node);
    return gate_up === SERVERS && !degraded.includes('gate_away');
}, (up) => up, `node ${node.id} to reach all of Redis`, 60_000)));

/* The nodes that follow ask Redis again: for a seat of another event, because few seats of the sale are free by now. */
async function asking({ nodes, t }) {
    await reached(nodes);
    const owner = await nodes.owner();
    const event = await makeEvent(owner, { seats: 'A1-A200' });
    let next = 0;
    for (const node of nodes.list.filter((one) => one !== owner)) {
        await eventually(async () => {
            const { taken } = await metrics(node);
            const { status, text } = await node.admin.post('/v1/reservations', { items: items(event, `A${++next}`), user_id: 'after' });
            assert.equal(status, 201, text);
            return (await metrics(node)).taken - taken;
        }, (grown) => grown === 1, `an intent of node ${node.id}`);
    }
    const all = await Promise.all(nodes.list.map((node) => metrics(node)));
    const total = (name) => all.reduce((count, one) => count + one[name], 0);
    t.diagnostic(`intents: ${['taken', 'refused', 'timed_out', 'around', 'repaired'].map((name) => `${total(name)} ${name}`).join(', ')}`);
}

const load = { clients: 64, seats: SEATS, gate: 'redis' };

schedule(`${SEATS} seats are sold out while Redis fails`, { database, options: gate, load }, async (run) => {
    const { traffic, random } = run;
    await fail(run);
    /* One of them for good, so that its events have no gate. */
    const lost = servers[random(servers.length)];
    await lost.stop();
    await traffic.progress(500);
    await lost.launch();
    await asking(run);
});
